//===- OpTable.cpp - Which ops emulated kernels stand for -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/NVVMToHost/OpTable.h"
#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;

/// A short form of a location; empty when it is unknown.
static std::string describe(LocationAttr location) {
  return llvm::TypeSwitch<LocationAttr, std::string>(location)
      .Case([](FileLineColLoc file) {
        return (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
                ":" + Twine(file.getColumn()))
            .str();
      })
      .Case([](NameLoc name) {
        std::string child = describe(name.getChildLoc());
        std::string text = name.getName().getValue().str();
        return child.empty() ? text : text + " (" + child + ")";
      })
      .Case([](CallSiteLoc call) {
        std::string callee = describe(call.getCallee());
        return callee.empty() ? describe(call.getCaller()) : callee;
      })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (std::string text = describe(part); !text.empty())
            return text;
        return std::string();
      })
      .Case([](OpaqueLoc opaque) {
        return describe(opaque.getFallbackLocation());
      })
      .Default([](LocationAttr) { return std::string(); });
}

int32_t OpTable::add(Operation *op) {
  int32_t number = descriptions.size();
  std::string place = describe(op->getLoc());
  if (place.empty())
    place = "op " + std::to_string(number);
  descriptions.push_back((op->getName().getStringRef() + " at " + place).str());
  return number;
}

void OpTable::record(ModuleOp module) const {
  SmallVector<StringRef> strings(descriptions.begin(), descriptions.end());
  module->setAttr(host_abi::kOps,
                  Builder(module.getContext()).getStrArrayAttr(strings));
}
