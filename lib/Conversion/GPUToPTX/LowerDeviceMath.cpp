//===- LowerDeviceMath.cpp - Math in kernels, without a device library ----===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/GPUToPTX/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

namespace mirage {
#define GEN_PASS_DEF_LOWERDEVICEMATH
#include "Mirage/Conversion/GPUToPTX/Passes.h.inc"
} // namespace mirage

using namespace mlir;

namespace {

/// Calls an LLVM intrinsic by its whole name.
Value callNamed(OpBuilder &b, Location loc, StringRef name,
                ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(
             b, loc, TypeRange{operands[0].getType()}, b.getStringAttr(name),
             operands,
             LLVM::FastmathFlagsAttr::get(b.getContext(),
                                          LLVM::FastmathFlags::none))
      .getResult(0);
}

/// Calls the LLVM intrinsic NAME, which is overloaded on the type of its
/// operands, such as f32.
Value callIntrinsic(OpBuilder &b, Location loc, StringRef name,
                    ValueRange operands) {
  StringRef suffix = operands[0].getType().isF64() ? ".f64" : ".f32";
  return callNamed(b, loc, (name + suffix).str(), operands);
}

Value constant(OpBuilder &b, Location loc, Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

/// Whether an op is computed by polynomials: there is no instruction for it,
/// or, for a logarithm, none that LLVM takes without a library.
bool isPolynomial(StringRef op) {
  return op == math::ErfOp::getOperationName() ||
         op == math::LogOp::getOperationName() ||
         op == math::Log2Op::getOperationName();
}

/// Computes a math op on operands of one type, f32 or f64.
using Lowering = Value (*)(OpBuilder &, Location, ValueRange);

// The instruction as it is: what LLVM makes of `llvm.exp2` scales operands and
// results in three more, to get results below 2^-126, which are 0 here.
Value lowerExp2(OpBuilder &b, Location loc, ValueRange in) {
  return callIntrinsic(b, loc, "llvm.nvvm.ex2.approx.ftz", in);
}
Value lowerExp(OpBuilder &b, Location loc, ValueRange in) {
  Value log2e = constant(b, loc, in[0].getType(), llvm::numbers::log2e);
  return lowerExp2(b, loc,
                   arith::MulFOp::create(b, loc, in[0], log2e).getResult());
}
// The correctly rounded root and quotient of f32 take a dozen instructions and
// a branch each, in which a thread's elements don't overlap. These take two and
// six, and are wrong by 2^-23 and two last places at most.
Value lowerSqrt(OpBuilder &b, Location loc, ValueRange in) {
  if (in[0].getType().isF32())
    return callNamed(b, loc, "llvm.nvvm.sqrt.approx.f", in);
  return callIntrinsic(b, loc, "llvm.sqrt", in);
}
Value lowerDiv(OpBuilder &b, Location loc, ValueRange in) {
  return callNamed(b, loc, "llvm.nvvm.div.full", in);
}
// One instruction, with a relative error of 2^-22.9.
Value lowerRsqrt(OpBuilder &b, Location loc, ValueRange in) {
  if (in[0].getType().isF32())
    return callNamed(b, loc, "llvm.nvvm.rsqrt.approx.f", in);
  return arith::DivFOp::create(b, loc, constant(b, loc, in[0].getType(), 1.0),
                               lowerSqrt(b, loc, in));
}
Value lowerAbs(OpBuilder &b, Location loc, ValueRange in) {
  return callIntrinsic(b, loc, "llvm.fabs", in);
}
Value lowerFma(OpBuilder &b, Location loc, ValueRange in) {
  return callIntrinsic(b, loc, "llvm.fma", in);
}

Value lowerMaxNum(OpBuilder &b, Location loc, ValueRange in) {
  return callIntrinsic(b, loc, "llvm.maxnum", in);
}

Value lowerMinNum(OpBuilder &b, Location loc, ValueRange in) {
  return callIntrinsic(b, loc, "llvm.minnum", in);
}

/// Lowers MathOp on a scalar float; narrower types than f32 are computed in
/// f32, and f64 only where there are instructions for it (the approximate ones
/// are f32 only).
template <typename MathOp, Lowering lower, bool hasF64>
struct LowerMathOp : OpRewritePattern<MathOp> {
  using OpRewritePattern<MathOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || type.getWidth() > (hasF64 ? 64 : 32))
      return failure();
    SmallVector<Value> operands(op->getOperands());
    bool narrow = type.getWidth() < 32;
    if (narrow)
      for (Value &operand : operands)
        operand = arith::ExtFOp::create(rewriter, loc, rewriter.getF32Type(),
                                        operand);
    Value result = lower(rewriter, loc, operands);
    if (narrow)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Reciprocals of roots, which norms are multiplied by.
struct FuseReciprocalRoot : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    auto root = op.getRhs().getDefiningOp<math::SqrtOp>();
    if (!root || !matchPattern(op.getLhs(), m_OneFloat()))
      return failure();
    rewriter.replaceOpWithNewOp<math::RsqrtOp>(op, root.getOperand());
    return success();
  }
};

/// Whether one over a number is as exact as other numbers of f32.
bool hasNormalReciprocal(const APFloat &number) {
  return number.isNormal() &&
         (APFloat(number.getSemantics(), "1") / number).isNormal();
}

/// Quotients of f32; those of f64 are correctly rounded. A known divisor
/// becomes a factor.
struct LowerDiv : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return failure();
    APFloat divisor(0.0f);
    if (matchPattern(op.getRhs(), m_ConstantFloat(&divisor)) &&
        hasNormalReciprocal(divisor)) {
      Value reciprocal = constant(rewriter, op.getLoc(), op.getType(),
                                  1 / divisor.convertToDouble());
      rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op.getLhs(), reciprocal);
      return success();
    }
    rewriter.replaceOp(op, lowerDiv(rewriter, op.getLoc(), op->getOperands()));
    return success();
  }
};

struct LowerDeviceMath : mirage::impl::LowerDeviceMathBase<LowerDeviceMath> {
  void runOnOperation() override {
    // A walk doesn't come to the ops that a pattern makes.
    RewritePatternSet roots(&getContext()), widening(&getContext()),
        polynomials(&getContext()), patterns(&getContext());
    roots.add<FuseReciprocalRoot>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(roots));
    populateMathF32ExpansionPatterns(widening, isPolynomial);
    walkAndApplyPatterns(getOperation(), std::move(widening));
    populateMathPolynomialApproximationPatterns(polynomials, isPolynomial);
    walkAndApplyPatterns(getOperation(), std::move(polynomials));
    mirage::populateLowerDeviceMathPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    WalkResult result = getOperation().walk([](Operation *op) {
      // Of arith's ops these would become calls of CUDA's device library.
      if (!isa_and_present<math::MathDialect>(op->getDialect()) &&
          !isa<arith::RemFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
        return WalkResult::advance();
      op->emitOpError("on ")
          << op->getResultTypes() << " has no lowering to device code";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace

void mirage::populateLowerDeviceMathPatterns(RewritePatternSet &patterns) {
  populateMathF32ExpansionPatterns(patterns, isPolynomial);
  populateMathPolynomialApproximationPatterns(patterns, isPolynomial);
  patterns.add<LowerDiv, LowerMathOp<math::Exp2Op, lowerExp2, false>,
               LowerMathOp<math::ExpOp, lowerExp, false>,
               LowerMathOp<math::SqrtOp, lowerSqrt, true>,
               LowerMathOp<math::RsqrtOp, lowerRsqrt, true>,
               LowerMathOp<math::AbsFOp, lowerAbs, true>,
               LowerMathOp<math::FmaOp, lowerFma, true>,
               LowerMathOp<arith::MaxNumFOp, lowerMaxNum, true>,
               LowerMathOp<arith::MinNumFOp, lowerMinNum, true>>(
      patterns.getContext());
}
