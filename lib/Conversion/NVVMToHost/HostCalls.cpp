//===- HostCalls.cpp - Calls of the emulation library ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "Mirage/Conversion/NVVMToHost/HostABI.h"

using namespace mlir;
using namespace mirage;

LLVM::CallOp mirage::callHost(ModuleOp module, OpBuilder &b, Location loc,
                              StringRef name, Type result, ValueRange operands,
                              bool pure) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    SmallVector<Type> types(operands.getTypes());
    function = LLVM::LLVMFuncOp::create(
        b, module.getLoc(), name, LLVM::LLVMFunctionType::get(result, types));
    function.setNoUnwind(true);
    if (pure) {
      SmallVector<LLVM::ModRefInfo> none(6, LLVM::ModRefInfo::NoModRef);
      function.setMemoryEffectsAttr(
          LLVM::MemoryEffectsAttr::get(b.getContext(), none));
      function.setWillReturn(true);
    }
  }
  return LLVM::CallOp::create(b, loc, function, operands);
}

Value mirage::constantI32(OpBuilder &b, Location loc, int32_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
}

Value mirage::getRegisters(OpBuilder &b, Operation *op) {
  constexpr StringLiteral marker("mirage.registers");
  Block &entry = op->getParentOfType<LLVM::LLVMFuncOp>().getBody().front();
  // The constant that is its size, and it.
  if (auto second = std::next(entry.begin());
      second != entry.end() && second->hasAttr(marker))
    return second->getResult(0);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&entry);
  Value size = constantI32(b, op->getLoc(), host_abi::kMmaRegisters);
  auto registers = LLVM::AllocaOp::create(
      b, op->getLoc(), LLVM::LLVMPointerType::get(b.getContext()),
      b.getI32Type(), size, /*alignment=*/4);
  registers->setAttr(marker, b.getUnitAttr());
  return registers;
}
