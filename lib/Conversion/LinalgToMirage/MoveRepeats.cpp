//===- MoveRepeats.cpp - Operators beside repeated elements ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scale for each block of weights is often written out for each of the
// weights: every element is repeated, which is a broadcast and a reshape that
// merges what it has added with the dimension in front. No kernel needs that,
// if the weights are split into blocks instead:
//
//   w * reshape(broadcast(scale)) -> reshape(reshape(w) * broadcast(scale))
//
// The product then drops the broadcast. What reads it works on the split
// dimensions, too, as far as it can: elementwise operators here, products in
// SplitContractions.cpp.
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

namespace {

bool keepsType(Operation *op) {
  return getElementTypeOrSelf(op->getOperand(0)) ==
         getElementTypeOrSelf(op->getResult(0));
}

/// The broadcast that a reshape moves; null if a value is anything else.
BroadcastOp getReshapedBroadcast(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  auto broadcast =
      reshape ? reshape.getInput().getDefiningOp<BroadcastOp>() : BroadcastOp();
  return broadcast && keepsType(reshape) && keepsType(broadcast)
             ? broadcast
             : BroadcastOp();
}

/// The shape of what is broadcast, with all dimensions.
SmallVector<int64_t> getNarrowShape(BroadcastOp broadcast) {
  SmallVector<int64_t> shape(getShape(broadcast.getInput()));
  shape.insert(shape.begin(), getShape(broadcast).size() - shape.size(), 1);
  return shape;
}

/// The dimensions that a reshape merges into those of a value, if it can't be
/// done without: what is merged is computed from tensors that have some of them
/// only, or repeats elements one by one, or blocks of them (a broadcast has
/// widened dimensions, which are merged with others in front of them).
std::optional<SmallVector<DimGroup>> getNeededMerges(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape || !keepsType(reshape))
    return std::nullopt;
  auto groups = getMerges(getShape(reshape.getInput()), getShape(value));
  if (!groups)
    return std::nullopt;
  SmallVector<int64_t> narrow;
  if (BroadcastOp broadcast = getReshapedBroadcast(value))
    narrow = getNarrowShape(broadcast);
  int64_t dim = 0;
  for (const DimGroup &group : *groups) {
    bool hasOther = false;
    for (auto [i, size] : llvm::enumerate(group.from)) {
      const bool isWidened = !narrow.empty() && narrow[dim] != size;
      if ((isWidened && hasOther) ||
          (i > 0 && narrow.empty() &&
           readsOneOf(reshape.getInput(), dim - 1, dim)))
        return groups;
      hasOther |= !isWidened && size > 1;
      ++dim;
    }
  }
  return std::nullopt;
}

/// op(reshape(x), y) -> reshape(op(x, reshape(y))), for an elementwise op of
/// which the other operands can be split, too.
struct MoveMergeDown : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!op.getSemantics().isElementwise() || op->getNumResults() != 1)
      return failure();
    auto type = cast<ShapedType>(op->getResult(0).getType());
    for (Value operand : op->getOperands()) {
      auto groups = getNeededMerges(operand);
      if (!groups || getShape(operand) != type.getShape())
        continue;
      const SmallVector<int64_t> shape =
          getSplitShape(type.getShape(), *groups);
      if (shape.size() > kMostSplitDims ||
          !llvm::all_of(op->getOperands(),
                        [&](Value other) { return canSplit(other, *groups); }))
        continue;
      SmallVector<Value> operands;
      for (Value other : op->getOperands())
        operands.push_back(split(other, *groups, rewriter));
      Operation *moved = rewriter.clone(*op);
      moved->setOperands(operands);
      moved->getResult(0).setType(type.clone(shape));
      rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, moved->getResult(0));
      return success();
    }
    return failure();
  }
};

/// broadcast(reshape(broadcast(x))) -> reshape(broadcast(reshape(x))): what is
/// repeated along one dimension, and then along another. The first reshape may
/// add the dimensions that the second broadcast widens.
struct MoveMergeBehindBroadcast : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp broadcast,
                                PatternRewriter &rewriter) const override {
    BroadcastOp inner = getReshapedBroadcast(broadcast.getInput());
    if (!inner || !keepsType(broadcast))
      return failure();
    const SmallVector<int64_t> from = getNarrowShape(broadcast),
                               narrowMiddle = getNarrowShape(inner);
    const ArrayRef<int64_t> middle = getShape(inner), to = getShape(broadcast);
    // What both have merges dimensions of the inner broadcast.
    SmallVector<int64_t> kept;
    for (auto [size, wide] : llvm::zip_equal(from, to))
      if (size == wide)
        kept.push_back(size);
    auto groups = getMerges(middle, kept);
    if (!groups)
      return failure();
    SmallVector<int64_t> narrow, wide;
    const DimGroup *group = groups->begin();
    size_t dim = 0;
    for (auto [before, after] : llvm::zip_equal(from, to)) {
      if (before != after) {
        narrow.push_back(1);
        wide.push_back(after);
        continue;
      }
      for (int64_t size : (group++)->from) {
        narrow.push_back(narrowMiddle[dim++]);
        wide.push_back(size);
      }
    }
    KernelGraphBuilder graph(rewriter, broadcast.getLoc());
    Value source = graph.reshape(inner.getInput(), narrow);
    rewriter.replaceOp(
        broadcast,
        graph.reshape(
            graph.broadcast(source, wide, broadcast.getType().getElementType()),
            to));
    return success();
  }
};

} // namespace

void linalg_import::populateMoveRepeatsPatterns(RewritePatternSet &patterns) {
  patterns.add<MoveMergeDown, MoveMergeBehindBroadcast>(patterns.getContext());
}
