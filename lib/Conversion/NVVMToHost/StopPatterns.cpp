//===- StopPatterns.cpp - What would stop the host's process --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Traps, and integer divisions that the host's processor doesn't have, are
// errors of the kernel's, with the op's place.
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "Mirage/Conversion/NVVMToHost/HostABI.h"
#include "mlir/IR/Matchers.h"

using namespace mirage;
using namespace mlir;

namespace {

template <typename Op> struct ConvertTrap : HostCallPattern<Op> {
  using HostCallPattern<Op>::HostCallPattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    this->callVoid(rewriter, op, host_abi::kTrap, {});
    rewriter.eraseOp(op);
    return success();
  }
};

/// Guards divisions by what isn't plainly right.
class DivisionGuard {
public:
  DivisionGuard(ModuleOp module, OpTable &ops)
      : module(module), ops(ops), b(module.getContext()) {}

  void guard(Operation *op, bool isSigned) {
    Value dividend = op->getOperand(0), divisor = op->getOperand(1);
    APInt number;
    if (matchPattern(divisor, m_ConstantInt(&number)) && !number.isZero() &&
        !(isSigned && number.isAllOnes()))
      return;
    b.setInsertionPoint(op);
    Location loc = op->getLoc();
    const unsigned width =
        getElementTypeOrSelf(divisor.getType()).getIntOrFloatBitWidth();
    auto is = [&](Value value, const APInt &constant) -> Value {
      return LLVM::ICmpOp::create(
          b, loc, LLVM::ICmpPredicate::eq, value,
          LLVM::ConstantOp::create(b, loc, value.getType(),
                                   getAttribute(value.getType(), constant)));
    };
    Value isZero = is(divisor, APInt::getZero(width)), overflows;
    if (isSigned)
      overflows =
          LLVM::AndOp::create(b, loc, is(divisor, APInt::getAllOnes(width)),
                              is(dividend, APInt::getSignedMinValue(width)));
    else
      overflows =
          LLVM::ConstantOp::create(b, loc, b.getI1Type(), b.getBoolAttr(false));
    auto any = [&](Value flags) -> Value {
      if (isa<VectorType>(flags.getType()))
        flags = LLVM::vector_reduce_or::create(b, loc, b.getI1Type(), flags);
      return LLVM::ZExtOp::create(b, loc, b.getI32Type(), flags);
    };
    callHost(module, b, loc, host_abi::kDivision,
             LLVM::LLVMVoidType::get(b.getContext()),
             {constantI32(b, loc, ops.add(op)), any(isZero), any(overflows)});
  }

private:
  TypedAttr getAttribute(Type type, const APInt &constant) {
    if (auto vector = dyn_cast<VectorType>(type))
      return DenseElementsAttr::get(vector, constant);
    return b.getIntegerAttr(type, constant);
  }

  ModuleOp module;
  OpTable &ops;
  OpBuilder b;
};

} // namespace

void mirage::guardDivisions(ModuleOp module, OpTable &ops) {
  DivisionGuard guard(module, ops);
  module.walk([&](Operation *op) {
    const bool isSigned = isa<LLVM::SDivOp, LLVM::SRemOp>(op);
    if (isSigned || isa<LLVM::UDivOp, LLVM::URemOp>(op))
      guard.guard(op, isSigned);
  });
}

void mirage::populateStopPatterns(ModuleOp module, OpTable &ops,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertTrap<LLVM::Trap>, ConvertTrap<LLVM::DebugTrap>,
               ConvertTrap<LLVM::UBSanTrap>>(module, ops);
}
