//===- MoveBroadcasts.cpp - Broadcasts that nobody needs ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

namespace {

/// An elementwise op repeats its operands where that is all that is needed, and
/// a product its batches.
struct DropBroadcastOfOperand : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    const Operator &semantics = op.getSemantics();
    const bool isProduct = isa<MatmulOp, ConcatMatmulOp>(op);
    if (!semantics.isElementwise() && !isProduct)
      return failure();
    for (OpOperand &operand : op->getOpOperands()) {
      auto broadcast = operand.get().getDefiningOp<BroadcastOp>();
      // A constant has no type to be exact in.
      if (!broadcast || (!isMovement(broadcast) &&
                         !broadcast.getType().getElementType().isF32()))
        continue;
      SmallVector<Shape> shapes;
      for (OpOperand &other : op->getOpOperands())
        shapes.emplace_back(
            getShape(&other == &operand ? broadcast.getInput() : other.get()));
      // A product's operands have as many dimensions as its result.
      Shape &narrow = shapes[operand.getOperandNumber()];
      const size_t missing =
          isProduct ? getShape(broadcast).size() - narrow.size() : 0;
      narrow.insert(narrow.begin(), missing, 1);
      Shape shape;
      if (!semantics.inferShape(shapes, op.getParams(), shape) ||
          ArrayRef<int64_t>(shape) !=
              cast<ShapedType>(op->getResult(0).getType()).getShape())
        continue;
      Value source = broadcast.getInput();
      if (missing > 0)
        source = ReshapeOp::create(
            rewriter, broadcast.getLoc(),
            cast<ShapedType>(source.getType()).clone(narrow), source);
      rewriter.modifyOpInPlace(op, [&] { operand.set(source); });
      return success();
    }
    return failure();
  }
};

/// reshape(broadcast(x)) -> broadcast(reshape(x)) for a reshape that only drops
/// or adds dimensions of size 1, so that the broadcast meets the op that
/// doesn't need it.
struct MoveBroadcastBehindReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    auto broadcast = reshape.getInput().getDefiningOp<BroadcastOp>();
    if (!broadcast || !isMovement(broadcast) || !isOfUnits(reshape))
      return failure();
    ArrayRef<int64_t> wide = broadcast.getType().getShape();
    const SmallVector<int64_t> narrow = getNarrowShape(broadcast);
    SmallVector<int64_t> shape;
    size_t d = 0;
    for (int64_t size : reshape.getType().getShape()) {
      if (size == 1) {
        shape.push_back(1);
        continue;
      }
      while (wide[d] == 1)
        ++d;
      shape.push_back(narrow[d++]);
    }
    Value source =
        ReshapeOp::create(rewriter, reshape.getLoc(),
                          reshape.getType().clone(shape), broadcast.getInput());
    rewriter.replaceOpWithNewOp<BroadcastOp>(reshape, reshape.getType(),
                                             source);
    return success();
  }
};

/// transpose(broadcast(x)) -> broadcast(transpose(x)), so that the broadcast
/// meets the op that doesn't need it.
struct MoveBroadcastDown : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp transpose,
                                PatternRewriter &rewriter) const override {
    auto broadcast = transpose.getInput().getDefiningOp<BroadcastOp>();
    if (!broadcast || !isMovement(broadcast) || !isMovement(transpose))
      return failure();
    ArrayRef<int64_t> from = broadcast.getInput().getType().getShape();
    ArrayRef<int64_t> all = transpose.getPermutation();
    // Dimensions that only the broadcast has are the first ones, and stay so.
    const int64_t missing = all.size() - from.size();
    SmallVector<int64_t> permutation, shape;
    for (auto [to, dim] : llvm::enumerate(all)) {
      if (static_cast<int64_t>(to) < missing) {
        if (dim != static_cast<int64_t>(to))
          return failure();
        continue;
      }
      permutation.push_back(dim - missing);
      shape.push_back(from[permutation.back()]);
    }
    auto inner = TransposeOp::create(rewriter, transpose.getLoc(),
                                     transpose.getType().clone(shape),
                                     broadcast.getInput(), permutation);
    rewriter.replaceOpWithNewOp<BroadcastOp>(transpose, transpose.getType(),
                                             inner.getResult());
    return success();
  }
};

} // namespace

SmallVector<int64_t> linalg_import::getNarrowShape(BroadcastOp broadcast) {
  SmallVector<int64_t> shape(getShape(broadcast.getInput()));
  shape.insert(shape.begin(), getShape(broadcast).size() - shape.size(), 1);
  return shape;
}

void linalg_import::populateMoveBroadcastsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DropBroadcastOfOperand, MoveBroadcastBehindReshape,
               MoveBroadcastDown>(patterns.getContext());
}
