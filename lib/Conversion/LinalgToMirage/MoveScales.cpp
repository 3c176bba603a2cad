//===- MoveScales.cpp - What is the same in a row behind products ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frontends scale queries and keys by the root of attention's scale each. A
// product of tensors that are read as they are is one of f16, and shares
// batches; the factors make one behind it. So does a choice of rows, as of
// those of which not all is masked out.
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include <cmath>

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

namespace {

struct Scaled {
  MulOp op;
  Value value;
  ConstantOp factor;
};

/// A value in f32 as another, which is no number, times one; or nothing.
std::optional<Scaled> getScaled(Value value) {
  auto mul = value.getDefiningOp<MulOp>();
  if (!mul || !getElementTypeOrSelf(value).isF32())
    return std::nullopt;
  for (unsigned i : {0, 1}) {
    Value other = mul->getOperand(1 - i);
    auto factor = mul->getOperand(i).getDefiningOp<ConstantOp>();
    if (factor && other.getType() != factor.getType())
      return Scaled{mul, other, factor};
  }
  return std::nullopt;
}

/// (c x) y, and (c x)^T y -> c (x y). A result that is rounded is so at the
/// end.
struct MoveScaleBehindMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    for (OpOperand &operand : matmul->getOpOperands()) {
      SmallVector<Operation *> movements;
      Value value = operand.get();
      while (isa_and_nonnull<ReshapeOp, TransposeOp, BroadcastOp, RepeatOp>(
                 value.getDefiningOp()) &&
             value.hasOneUse()) {
        movements.push_back(value.getDefiningOp());
        value = movements.back()->getOperand(0);
      }
      std::optional<Scaled> scaled = getScaled(value);
      if (!scaled)
        continue;
      rewriter.setInsertionPoint(matmul);
      Value moved = scaled->value;
      for (Operation *movement : llvm::reverse(movements)) {
        Operation *copy = rewriter.clone(*movement);
        copy->setOperand(0, moved);
        copy->getResult(0).setType(
            cast<ShapedType>(movement->getResult(0).getType())
                .clone(getElementTypeOrSelf(moved)));
        moved = copy->getResult(0);
      }
      Operation *product = rewriter.clone(*matmul);
      product->setOperand(operand.getOperandNumber(), moved);
      product->getResult(0).setType(
          cast<ShapedType>(matmul.getType()).clone(rewriter.getF32Type()));
      auto scale = cast<MulOp>(rewriter.clone(*scaled->op));
      scale->setOperands({product->getResult(0), scaled->factor});
      scale->getResult(0).setType(matmul.getType());
      rewriter.replaceOp(matmul, scale);
      return success();
    }
    return failure();
  }
};

/// where(c, x) y, with one condition for each row of x -> where(c, x y).
struct MoveChoiceBehindMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    Value value = matmul.getLhs();
    auto reshape = value.getDefiningOp<ReshapeOp>();
    if (reshape && areAligned(getShape(reshape.getInput()), getShape(reshape)))
      value = reshape.getInput();
    auto choice = value.getDefiningOp<WhereOp>();
    if (!choice || !getElementTypeOrSelf(choice.getResult()).isF32() ||
        !value.hasOneUse())
      return failure();
    Value condition = choice.getLhs(), chosen = choice.getRhs();
    ArrayRef<int64_t> shape = getShape(condition);
    const int64_t rank = matmul.getType().getRank();
    if (static_cast<int64_t>(shape.size()) > rank ||
        (!shape.empty() && shape.back() != 1) ||
        getShape(chosen) != getShape(choice.getResult()))
      return failure();
    KernelGraphBuilder graph(rewriter, matmul.getLoc());
    Value rows = graph.reshape(chosen, getShape(matmul.getLhs()));
    auto product = MatmulOp::create(
        rewriter, matmul.getLoc(),
        matmul.getType().clone(rewriter.getF32Type()), rows, matmul.getRhs());
    rewriter.replaceOpWithNewOp<WhereOp>(matmul, matmul.getType(), condition,
                                         product);
    return success();
  }
};

/// c (d x) -> (c d) x.
struct FoldScales : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp mul,
                                PatternRewriter &rewriter) const override {
    for (unsigned i : {0, 1}) {
      auto outer = mul->getOperand(i).getDefiningOp<ConstantOp>();
      std::optional<Scaled> inner = getScaled(mul->getOperand(1 - i));
      if (!outer || !inner || !inner->op->hasOneUse())
        continue;
      // Exact for numbers of f32.
      const double factor = outer.getValue().convertToDouble() *
                            inner->factor.getValue().convertToDouble();
      if (!std::isnormal(factor))
        return failure();
      KernelGraphBuilder graph(rewriter, mul.getLoc());
      Value constant = graph.constant(factor);
      rewriter.modifyOpInPlace(
          mul, [&] { mul->setOperands({inner->value, constant}); });
      return success();
    }
    return failure();
  }
};

} // namespace

void linalg_import::populateMoveScalesPatterns(RewritePatternSet &patterns) {
  patterns.add<MoveScaleBehindMatmul, MoveChoiceBehindMatmul, FoldScales>(
      patterns.getContext());
}
