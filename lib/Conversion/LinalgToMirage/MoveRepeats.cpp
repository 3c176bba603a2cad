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
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

namespace {

/// The broadcast that a reshape moves; null if a value is anything else.
BroadcastOp getReshapedBroadcast(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  auto broadcast =
      reshape ? reshape.getInput().getDefiningOp<BroadcastOp>() : BroadcastOp();
  return broadcast && isMovement(reshape) && isMovement(broadcast)
             ? broadcast
             : BroadcastOp();
}

/// The dimensions that a reshape of a broadcast merges, and may add some of
/// size 1 to, if it repeats elements one by one, or blocks of them: dimensions
/// that the broadcast has widened come behind others. None if it does anything
/// else.
std::optional<SmallVector<DimGroup>> getRepeats(BroadcastOp broadcast,
                                                ArrayRef<int64_t> shape) {
  SmallVector<int64_t> merged;
  for (int64_t size : shape)
    if (size != 1)
      merged.push_back(size);
  auto merges = getMerges(getShape(broadcast), merged);
  if (!merges)
    return std::nullopt;
  const SmallVector<int64_t> narrow = getNarrowShape(broadcast);
  bool repeats = false;
  size_t dim = 0;
  for (const DimGroup &group : *merges) {
    bool hasOther = false;
    for (int64_t size : group.from) {
      const bool isWidened = narrow[dim++] != size;
      repeats |= isWidened && hasOther;
      hasOther |= !isWidened && size > 1;
    }
  }
  if (!repeats)
    return std::nullopt;
  SmallVector<DimGroup> groups;
  const DimGroup *next = merges->begin();
  for (int64_t size : shape)
    groups.push_back(size == 1 ? DimGroup{{1}, {1}} : *next++);
  return groups;
}

/// Whether a value is computed of arguments and numbers alone, element by
/// element: weights.
bool isOfArguments(Value value) {
  llvm::SetVector<Value> todo;
  todo.insert(value);
  for (size_t i = 0; i < todo.size(); ++i) {
    if (isMovedArgument(todo[i]) || getShape(todo[i]).empty())
      continue;
    auto op = todo[i].getDefiningOp<OperatorOpInterface>();
    if (!op || !op.getSemantics().isElementwise())
      return false;
    for (Value operand : op->getOperands())
      todo.insert(operand);
  }
  return true;
}

/// The dimensions that a reshape merges into those of a value, if it can't be
/// done without: it repeats elements, or merges weights that are computed from
/// tensors which have some of them only. (Of what else is computed so, others
/// move the reshapes.)
std::optional<SmallVector<DimGroup>> getNeededMerges(Value value) {
  if (BroadcastOp broadcast = getReshapedBroadcast(value))
    return getRepeats(broadcast, getShape(value));
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape || !isMovement(reshape) || !isOfArguments(reshape.getInput()))
    return std::nullopt;
  auto groups = getMerges(getShape(reshape.getInput()), getShape(value));
  if (!groups)
    return std::nullopt;
  int64_t dim = 0;
  for (const DimGroup &group : *groups) {
    const int64_t end = dim + group.from.size();
    if (readsSomeOf(reshape.getInput(), llvm::to_vector(llvm::seq(dim, end))))
      return groups;
    dim = end;
  }
  return std::nullopt;
}

bool isWide(int64_t size) { return size != 1; }

/// The shape of what is broadcast, and then reshaped to a value, if that is
/// split into dimensions: that in front of the broadcast. None for a value that
/// is anything else.
std::optional<SmallVector<int64_t>>
getNarrowSplitShape(Value value, ArrayRef<DimGroup> groups) {
  BroadcastOp broadcast = getReshapedBroadcast(value);
  if (!broadcast || getShape(value).size() != groups.size())
    return std::nullopt;
  SmallVector<int64_t> shape = getSplitShape(getShape(value), groups);
  if (!llvm::equal(llvm::make_filter_range(shape, isWide),
                   llvm::make_filter_range(getShape(broadcast), isWide)))
    return std::nullopt;
  auto *dim = shape.begin();
  for (auto [narrow, wide] :
       llvm::zip_equal(getNarrowShape(broadcast), getShape(broadcast))) {
    if (!isWide(wide))
      continue;
    dim = std::find_if(dim, shape.end(), isWide);
    *dim++ = narrow;
  }
  return shape;
}

/// op(reshape(x), y) -> reshape(op(x, reshape(y))), for an elementwise op of
/// which the other operands can be split, too. What is broadcast needn't be:
/// with all dimensions it would be merged again.
struct MoveMergeDown : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    // Casts have their own direction (SimplifyKernelGraph.cpp).
    if (!op.getSemantics().isElementwise() || op->getNumResults() != 1 ||
        isa<CastOp>(op))
      return failure();
    auto type = cast<ShapedType>(op->getResult(0).getType());
    for (Value operand : op->getOperands()) {
      auto groups = getNeededMerges(operand);
      if (!groups || groups->size() != type.getShape().size())
        continue;
      // What one element is repeated for isn't split.
      for (auto [group, size, all] :
           llvm::zip_equal(*groups, getShape(operand), type.getShape()))
        if (size == 1)
          group = {{all}, {all}};
      // Of what is broadcast, what the op can broadcast itself.
      SmallVector<Shape> shapes;
      for (Value other : op->getOperands())
        if (auto narrow = getNarrowSplitShape(other, *groups))
          shapes.emplace_back(ArrayRef<int64_t>(*narrow));
        else if (canSplit(other, *groups))
          shapes.emplace_back(
              ArrayRef<int64_t>(getSplitShape(getShape(other), *groups)));
      const SmallVector<int64_t> shape =
          getSplitShape(type.getShape(), *groups);
      Shape inferred;
      if (shape.size() > kMostSplitDims ||
          shapes.size() != op->getNumOperands() ||
          !op.getSemantics().inferShape(shapes, op.getParams(), inferred) ||
          ArrayRef<int64_t>(inferred) != ArrayRef(shape))
        continue;
      KernelGraphBuilder graph(rewriter, op->getLoc());
      SmallVector<Value> operands;
      for (auto [other, split] : llvm::zip_equal(op->getOperands(), shapes)) {
        BroadcastOp broadcast = getReshapedBroadcast(other);
        operands.push_back(broadcast && getNarrowSplitShape(other, *groups)
                               ? graph.reshape(broadcast.getInput(), split)
                               : splitDims(other, *groups, rewriter));
      }
      rewriter.replaceOpWithNewOp<ReshapeOp>(
          op, type, cloneInShape(rewriter, op, operands, shape));
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
    if (!inner || !isMovement(broadcast))
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
    if (!groups || static_cast<int64_t>(to.size() - kept.size() +
                                        middle.size()) > kMostSplitDims)
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
