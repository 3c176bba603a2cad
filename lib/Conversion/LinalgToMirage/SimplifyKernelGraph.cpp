//===- SimplifyKernelGraph.cpp - The smallest graph for a program ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/Dialect/Kernel/Kernel.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;

namespace {

//===----------------------------------------------------------------------===//
// Casts and reshapes
//===----------------------------------------------------------------------===//

/// Whether an op computes: its result may get another element type, and it takes
/// operands of any. A reshape only moves elements and keeps their type.
bool isComputation(Operation *op) {
  return isa_and_nonnull<OperatorOpInterface>(op) && !isa<ReshapeOp>(op);
}

bool isF32(Value value) { return getElementTypeOrSelf(value).isF32(); }

/// cast(op(..)) -> op(..) with the type of the cast. Exact where the op's result
/// is f32, the type that it computes in. Matched at the op because it is the op
/// that is visited again when another of its uses goes away.
struct FoldCastIntoProducer : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isComputation(op) || !isF32(op->getResult(0)) || !op->hasOneUse())
      return failure();
    auto cast = dyn_cast<CastOp>(*op->user_begin());
    if (!cast)
      return failure();
    rewriter.modifyOpInPlace(
        op, [&] { op->getResult(0).setType(cast.getType()); });
    rewriter.replaceOp(cast, op->getResults());
    return success();
  }
};

/// cast(x) to the type of x -> x
struct DropTrivialCast : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp cast,
                                PatternRewriter &rewriter) const override {
    if (cast.getType() != cast.getInput().getType())
      return failure();
    rewriter.replaceOp(cast, cast.getInput());
    return success();
  }
};

/// An op that computes takes x instead of x cast to f32.
struct BypassWidening : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp cast,
                                PatternRewriter &rewriter) const override {
    if (!isF32(cast.getResult()))
      return failure();
    bool changed = false;
    for (OpOperand &use : llvm::make_early_inc_range(cast->getUses())) {
      if (!isComputation(use.getOwner()))
        continue;
      rewriter.modifyOpInPlace(use.getOwner(),
                               [&] { use.set(cast.getInput()); });
      changed = true;
    }
    return success(changed);
  }
};

/// cast(reshape(x)) -> reshape(cast(x)), so that the cast meets its producer.
struct MoveCastAboveReshape : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp cast,
                                PatternRewriter &rewriter) const override {
    auto reshape = cast.getInput().getDefiningOp<ReshapeOp>();
    if (!reshape || !reshape->hasOneUse())
      return failure();
    auto type = reshape.getInput().getType().clone(
        getElementTypeOrSelf(cast.getResult()));
    Value inner = CastOp::create(rewriter, cast.getLoc(), type,
                                 reshape.getInput());
    rewriter.replaceOpWithNewOp<ReshapeOp>(cast, cast.getType(), inner);
    rewriter.eraseOp(reshape);
    return success();
  }
};

/// reshape(reshape(x)) -> reshape(x)
struct FoldReshapeOfReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    auto inner = reshape.getInput().getDefiningOp<ReshapeOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(reshape, reshape.getType(),
                                           inner.getInput());
    return success();
  }
};

/// reshape(x) to the shape of x -> x
struct DropTrivialReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    if (reshape.getType() != reshape.getInput().getType())
      return failure();
    rewriter.replaceOp(reshape, reshape.getInput());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Formulas. What is between the ops of one must be f32: a rounding to f16 that
// the program asks for stays.
//===----------------------------------------------------------------------===//

bool isConstant(Value value, double wanted) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant && constant.getValue().convertToDouble() == wanted;
}

/// The op that defines an f32 value.
template <typename OpT> OpT getF32(Value value) {
  return isF32(value) ? value.getDefiningOp<OpT>() : OpT();
}

/// For 1 / y, y.
Value getReciprocalOf(Value value) {
  auto div = getF32<DivOp>(value);
  return div && isConstant(div.getLhs(), 1) ? div.getRhs() : Value();
}

/// x * x -> sqr(x)
struct FormSqr : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp mul,
                                PatternRewriter &rewriter) const override {
    if (mul.getLhs() != mul.getRhs())
      return failure();
    rewriter.replaceOpWithNewOp<SqrOp>(mul, mul.getType(), mul.getLhs());
    return success();
  }
};

/// x * (1 / y) -> x / y. With y = sqrt(s), this is x * rsqrt(s).
struct FormDiv : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp mul,
                                PatternRewriter &rewriter) const override {
    Value dividend = mul.getLhs(), divisor = getReciprocalOf(mul.getRhs());
    if (!divisor) {
      dividend = mul.getRhs();
      divisor = getReciprocalOf(mul.getLhs());
    }
    if (!divisor || mul.getLhs() == mul.getRhs())
      return failure();
    rewriter.replaceOpWithNewOp<DivOp>(mul, mul.getType(), dividend, divisor);
    return success();
  }
};

/// For -x, written as 0 - x or x * -1, x.
Value getNegated(Value value) {
  if (auto sub = getF32<SubOp>(value))
    return isConstant(sub.getLhs(), 0) ? sub.getRhs() : Value();
  auto mul = getF32<MulOp>(value);
  if (mul && isConstant(mul.getLhs(), -1))
    return mul.getRhs();
  return mul && isConstant(mul.getRhs(), -1) ? mul.getLhs() : Value();
}

/// x / (1 + exp(-x)) -> silu(x). FormDiv brings x * (1 / (1 + exp(-x))) here.
struct FormSilu : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivOp div,
                                PatternRewriter &rewriter) const override {
    auto add = getF32<AddOp>(div.getRhs());
    if (!add)
      return failure();
    auto exp = getF32<ExpOp>(add.getLhs());
    Value one = add.getRhs();
    if (!exp) {
      exp = getF32<ExpOp>(add.getRhs());
      one = add.getLhs();
    }
    if (!exp || !isConstant(one, 1) ||
        getNegated(exp.getInput()) != div.getLhs())
      return failure();
    rewriter.replaceOpWithNewOp<SiluOp>(div, div.getType(), div.getLhs());
    return success();
  }
};

} // namespace

void mirage::populateSimplifyKernelGraphPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldCastIntoProducer, DropTrivialCast, BypassWidening,
               MoveCastAboveReshape, FoldReshapeOfReshape, DropTrivialReshape,
               FormSqr, FormDiv, FormSilu>(patterns.getContext());
}
