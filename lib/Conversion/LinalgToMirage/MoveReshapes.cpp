//===- MoveReshapes.cpp - Operators on merged or split dimensions ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction merges the dimensions that one operand has alone (the heads of
// a group and the rows of attention with grouped queries) and splits them again
// behind it. The search doesn't look across such reshapes. Where operators that
// treat merged and split dimensions alike stand between such reshapes, the
// arguments and the results of the function, all of them stay on merged ones.
//
// Where they can't, because the split dimensions are transposed (heads and
// rows) or a mask has some of them only, what stands between reshapes on merged
// ones is done on split ones: products of batches, and of rows that become
// batches (the latent of keys and values, times the weights of both).
//
// Where the batches of one operand of a product share the other (queries whose
// heads have keys in common, all of which broadcasts wrote out), they become
// rows, with all that works on them: one larger product, whose operand is read
// once. And what stands between reshapes that add dimensions of size 1 and
// reshapes that drop them works without.
//
// Where a reshape merges and splits at once (channels become groups of
// channels, whose positions are merged with them), what is reduced along merged
// dimensions between such reshapes is so along each of them.
//
//===----------------------------------------------------------------------===//

#include "DimGroups.h"
#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "ReshapedRegion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

namespace {

/// The operators at one side of a reshape work on the dimensions of its other
/// side: the split ones on merged dimensions where that can be, or else the
/// merged ones on split dimensions.
struct MoveReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    Value input = reshape.getInput(), result = reshape.getResult();
    // Two reshapes are to become one first: what stands between them and others
    // would be moved in both directions.
    if (getElementTypeOrSelf(input) != getElementTypeOrSelf(result) ||
        input.getDefiningOp<ReshapeOp>())
      return failure();
    Operation *before = input.getDefiningOp(), *after = nullptr;
    for (Operation *user : reshape->getUsers())
      if (!after && !isa<func::ReturnOp>(user))
        after = user;
    std::optional<SmallVector<DimGroup>> groups =
        getMerges(getShape(input), getShape(result));
    if (!groups) {
      groups = getMerges(getShape(result), getShape(input));
      std::swap(before, after);
    }
    // What is in front of the first reshape, or behind the last, is no
    // operator.
    if (!groups)
      return success(moveUnits(reshape, rewriter) ||
                     splitBesideUnit(reshape, rewriter) ||
                     splitReductions(reshape, rewriter));
    if (!before)
      return failure();
    if (move(reshape, before, *groups, rewriter))
      return success();
    groups = reversed(std::move(*groups));
    int64_t numDims = 0;
    for (const DimGroup &group : *groups)
      numDims += group.to.size();
    if (after && numDims <= linalg_import::kMostSplitDims &&
        move(reshape, after, *groups, rewriter))
      return success();
    return success(splitReductions(reshape, rewriter));
  }

private:
  /// Those at the side with dimensions of size 1 work without these.
  static bool moveUnits(ReshapeOp reshape, PatternRewriter &rewriter) {
    Value input = reshape.getInput(), result = reshape.getResult();
    if (auto groups = getUnitMerges(getShape(input), getShape(result))) {
      if (!input.getDefiningOp())
        return false;
      // Where those in front can't (what a reduction keeps), those behind work
      // with them, if all are added again.
      return move(reshape, input.getDefiningOp(), *groups, rewriter) ||
             moveBehind(reshape, reversed(std::move(*groups)),
                        &ReshapedRegion::isEnclosed, rewriter);
    }
    if (isOfUnits(reshape))
      if (auto groups = getMovedUnits(getShape(input), getShape(result)))
        return moveBehind(reshape, *groups, &ReshapedRegion::isBetweenReshapes,
                          rewriter);
    auto groups = getUnitMerges(getShape(result), getShape(input));
    if (!groups || isa<BlockArgument>(input))
      return false;
    for (Operation *user : reshape->getUsers())
      if (!isa<func::ReturnOp>(user))
        return move(reshape, user, *groups, rewriter);
    return false;
  }

  /// How dimensions of size 1 are dropped that change places.
  static std::optional<SmallVector<DimGroup>>
  getMovedUnits(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    if (from.size() != to.size() || from == to)
      return std::nullopt;
    size_t begin = 0, end = to.size();
    while (from[begin] == to[begin])
      ++begin;
    while (from[end - 1] == to[end - 1])
      --end;
    SmallVector<int64_t> without(to);
    without.erase(
        std::remove(without.begin() + begin, without.begin() + end, 1),
        without.begin() + end);
    return getUnitMerges(to, without);
  }

  /// Those behind a reshape that merges dimensions and adds one of size 1 (the
  /// heads of a group, and the row of one query) work on the split ones, beside
  /// that of size 1, if that spares a reshape behind them.
  static bool splitBesideUnit(ReshapeOp reshape, PatternRewriter &rewriter) {
    ArrayRef<int64_t> from = getShape(reshape.getInput()),
                      to = getShape(reshape.getResult());
    if (from.size() != to.size() || !reshape.getInput().getDefiningOp() ||
        to.size() >= linalg_import::kMostSplitDims)
      return false;
    for (size_t place = 0; place <= from.size(); ++place) {
      SmallVector<int64_t> split(from);
      split.insert(split.begin() + place, 1);
      auto groups = getMerges(split, to);
      if (!groups)
        continue;
      for (Operation *user : reshape->getUsers()) {
        if (isa<func::ReturnOp, ReshapeOp>(user))
          continue;
        const SmallVector<DimGroup> splits = reversed(*groups);
        ReshapedRegion region(splits);
        if (!region.add(user) || !region.takes(user, reshape.getResult()) ||
            !region.isReshapedLikewise())
          continue;
        region.rewrite(rewriter);
        return true;
      }
    }
    return false;
  }

  /// Those behind a reshape, which isn't an argument's, work on other
  /// dimensions if that is wanted of all of them.
  static bool moveBehind(ReshapeOp reshape, ArrayRef<DimGroup> groups,
                         bool (ReshapedRegion::*isWanted)() const,
                         PatternRewriter &rewriter) {
    if (isa<BlockArgument>(reshape.getInput()))
      return false;
    for (Operation *user : reshape->getUsers()) {
      if (isa<func::ReturnOp, ReshapeOp>(user))
        continue;
      ReshapedRegion region(groups);
      if (!region.add(user) || !(region.*isWanted)())
        continue;
      region.rewrite(rewriter);
      return true;
    }
    return false;
  }

  /// Those at either side that reduce what they have merged, if that spares a
  /// reshape behind them, or in front.
  static bool splitReductions(ReshapeOp reshape, PatternRewriter &rewriter) {
    auto split = getCommonSplit(getShape(reshape.getInput()),
                                getShape(reshape.getResult()));
    if (!split || split->size() > linalg_import::kMostSplitDims)
      return false;
    SmallVector<Operation *> candidates(reshape->getUsers());
    if (Operation *before = reshape.getInput().getDefiningOp())
      candidates.push_back(before);
    for (Operation *op : candidates) {
      if (isa<func::ReturnOp>(op))
        continue;
      Value merged = op == reshape.getInput().getDefiningOp()
                         ? reshape.getInput()
                         : reshape.getResult();
      auto merges = getMerges(*split, getShape(merged));
      if (!merges)
        continue;
      const SmallVector<DimGroup> groups = reversed(std::move(*merges));
      ReshapedRegion region(groups, ReshapedRegion::Kind::SplitsReductions);
      if (!region.add(op) || !region.hasSplitReduction() ||
          !(region.isReshapedBehind() ||
            region.reducesWhatReadsSomeOf(reshape.getInput())))
        continue;
      region.rewrite(rewriter);
      return true;
    }
    return false;
  }

  /// That in front of a reshape, or one behind, for which this is no weight:
  /// it would stay.
  static bool move(ReshapeOp reshape, Operation *op, ArrayRef<DimGroup> groups,
                   PatternRewriter &rewriter) {
    ReshapedRegion region(groups);
    if (!region.add(op))
      return false;
    if (op == reshape.getInput().getDefiningOp()
            ? region.isMergedForOthers()
            : !region.takes(op, reshape.getResult()))
      return false;
    region.rewrite(rewriter);
    return true;
  }
};

/// The batches of a product that share its other operand become rows, with all
/// that works on them.
struct MergeBatches : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> result = getShape(matmul.getResult());
    ArrayRef<int64_t> rhs = getShape(matmul.getRhs());
    const int64_t batch = static_cast<int64_t>(result.size()) - 3;
    if (batch < 0 || result[batch] == 1 || rhs[batch] != 1)
      return failure();
    SmallVector<DimGroup> groups;
    for (int64_t size : result.take_front(batch))
      groups.push_back({{size}, {size}});
    groups.push_back({{result[batch], result[batch + 1]},
                      {result[batch] * result[batch + 1]}});
    groups.push_back({{result.back()}, {result.back()}});
    ReshapedRegion region(groups, ReshapedRegion::Kind::MergesBatches);
    if (!region.add(matmul))
      return failure();
    region.rewrite(rewriter);
    return success();
  }
};

} // namespace

void linalg_import::populateMoveReshapesPatterns(RewritePatternSet &patterns) {
  patterns.add<MoveReshape, MergeBatches>(patterns.getContext());
}
