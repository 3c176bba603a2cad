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

Value mirage::widenMask(OpBuilder &b, Location loc, Value mask) {
  return mask ? LLVM::ZExtOp::create(b, loc, b.getI32Type(), mask).getResult()
              : constantI32(b, loc, host_abi::kOwnBlock);
}

/// Variables of a thread that all ops of its function use, found by `marker`.
static Value getVariables(OpBuilder &b, Operation *op, StringRef marker,
                          unsigned count) {
  Block &entry = op->getParentOfType<LLVM::LLVMFuncOp>().getBody().front();
  // They come first, each behind the constant that is its size.
  for (Operation &other : entry) {
    if (other.hasAttr(marker))
      return other.getResult(0);
    if (!isa<LLVM::ConstantOp, LLVM::AllocaOp>(other))
      break;
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&entry);
  Value size = constantI32(b, op->getLoc(), static_cast<int32_t>(count));
  auto registers = LLVM::AllocaOp::create(
      b, op->getLoc(), LLVM::LLVMPointerType::get(b.getContext()),
      b.getI32Type(), size, /*alignment=*/4);
  registers->setAttr(marker, b.getUnitAttr());
  return registers;
}

Value mirage::getRegisters(OpBuilder &b, Operation *op) {
  return getVariables(b, op, "mirage.registers", host_abi::kMmaRegisters);
}

Value mirage::getAccumulators(OpBuilder &b, Operation *op) {
  return getVariables(b, op, "mirage.accumulators", host_abi::kWgmmaRegisters);
}
