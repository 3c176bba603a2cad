//===- HostCalls.cpp - Calls of the emulation library ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"

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

Value mirage::allocateRegisters(OpBuilder &b, Operation *op, unsigned count) {
  // In the entry block, or a loop would use up the stack.
  OpBuilder::InsertionGuard guard(b);
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  b.setInsertionPointToStart(&function.getBody().front());
  Value size = constantI32(b, op->getLoc(), static_cast<int32_t>(count));
  return LLVM::AllocaOp::create(b, op->getLoc(),
                                LLVM::LLVMPointerType::get(b.getContext()),
                                b.getI32Type(), size, /*alignment=*/4);
}
