//===- SplitContractions.cpp - Products over split dimensions -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product over several dimensions merges them. Where what it multiplies is
// computed from tensors that have some of them only (weights, with a scale for
// each group of rows), the reshape can't move to the arguments
// (MoveReshapes.cpp), and the search doesn't look across it. Then the product
// is one for each group, whose results are added up:
//
//   matmul(x, reshape(w * scale)) -> sum(matmul(groups of x, w * scale))
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

/// How many dimensions a reshape merges into dimension `dim` of its result; 0
/// if it does anything else.
int64_t getNumMerged(ReshapeOp reshape, int64_t dim) {
  auto split = reshape.getInput().getType(), merged = reshape.getType();
  const int64_t number = split.getRank() - merged.getRank() + 1;
  if (number < 2 || split.getElementType() != merged.getElementType() ||
      split.getShape().take_front(dim) != merged.getShape().take_front(dim) ||
      split.getShape().drop_front(dim + number) !=
          merged.getShape().drop_front(dim + 1) ||
      llvm::is_contained(split.getShape().slice(dim, number), 1))
    return 0;
  return number;
}

/// Whether some tensor that a value is computed from, elementwise and by
/// transposes, has one of two of its dimensions and not the other.
bool readsOneOf(Value value, int64_t first, int64_t second) {
  const int64_t rank = getShape(value).size();
  // Counted from the last, as elementwise operators align them.
  using Dims = std::tuple<Value, int64_t, int64_t>;
  llvm::SetVector<Dims> todo;
  todo.insert({value, rank - first, rank - second});
  for (size_t i = 0; i < todo.size(); ++i) {
    auto [next, one, other] = todo[i];
    ArrayRef<int64_t> shape = getShape(next);
    const int64_t size = shape.size();
    auto isUnit = [&](int64_t back) {
      return back > size || shape[size - back] == 1;
    };
    if (isUnit(one) != isUnit(other))
      return true;
    if (isUnit(one))
      continue;
    if (auto transpose = next.getDefiningOp<TransposeOp>()) {
      ArrayRef<int64_t> from = transpose.getPermutation();
      todo.insert({transpose.getInput(), size - from[size - one],
                   size - from[size - other]});
      continue;
    }
    auto op = next.getDefiningOp<OperatorOpInterface>();
    if (op && op.getSemantics().isElementwise())
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          todo.insert({operand, one, other});
  }
  return false;
}

/// Whether a reshape of a value costs nothing, or less than that of another.
bool isEasyToSplit(Value value, Value than) {
  return isMovedArgument(value) || value.getDefiningOp<ReshapeOp>() ||
         getNumElements(getShape(value)) < getNumElements(getShape(than));
}

/// The most rows that the other factor may have. A kernel that computes a
/// factor as it multiplies does so for each tile of rows, which are no larger,
/// and adds up as many products as there are groups: with more rows it is
/// better computed once. So it is with fewer where it is computed for others,
/// too (docs/Import.md).
int64_t getMostRows(ReshapeOp factor, int64_t groupSize) {
  constexpr int64_t kMost = 128, kMostOfEach = 16, kMostIfShared = 64;
  const bool isShared = !factor->hasOneUse() || !factor.getInput().hasOneUse();
  return std::min(isShared ? kMostIfShared : kMost, kMostOfEach * groupSize);
}

struct SplitContraction : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    const int64_t rank = getShape(matmul.getResult()).size();
    for (Value factor : {matmul.getLhs(), matmul.getRhs()})
      if (static_cast<int64_t>(getShape(factor).size()) != rank)
        return failure();
    // The dimension that is reduced.
    const int64_t ofLhs = rank - 1, ofRhs = rank - 2;
    return success(
        split(matmul, matmul.getRhs(), ofRhs, matmul.getLhs(), rewriter) ||
        split(matmul, matmul.getLhs(), ofLhs, matmul.getRhs(), rewriter));
  }

private:
  static bool split(MatmulOp matmul, Value factor, int64_t dim, Value other,
                    PatternRewriter &rewriter) {
    auto reshape = factor.getDefiningOp<ReshapeOp>();
    const int64_t numMerged = reshape ? getNumMerged(reshape, dim) : 0;
    const int64_t rank = getShape(matmul.getResult()).size();
    // Of all but the last there is a product for each element.
    const int64_t numSums = numMerged - 1;
    if (numMerged == 0 || rank + numSums > kMostSplitDims ||
        !isEasyToSplit(other, factor))
      return false;
    ArrayRef<int64_t> merged =
        getShape(reshape.getInput()).slice(dim, numMerged);
    const bool isLhs = other == matmul.getLhs();
    if (getShape(other)[isLhs ? rank - 2 : rank - 1] >
            getMostRows(reshape, merged.back()) ||
        llvm::none_of(llvm::seq(dim, dim + numSums), [&](int64_t d) {
          return readsOneOf(reshape.getInput(), d, d + 1);
        }))
      return false;
    KernelGraphBuilder graph(rewriter, matmul.getLoc());
    // They become the last of the batches.
    auto getGroups = [&](Value value, int64_t reduced) {
      SmallVector<int64_t> shape(getShape(value));
      shape.erase(shape.begin() + reduced);
      shape.insert(shape.begin() + reduced, merged.begin(), merged.end());
      value = graph.reshape(value, shape);
      auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
      std::rotate(permutation.begin() + rank - 2, permutation.begin() + reduced,
                  permutation.begin() + reduced + numSums);
      return graph.transpose(value, permutation);
    };
    Value result = graph.apply("matmul",
                               {getGroups(matmul.getLhs(), rank - 1),
                                getGroups(matmul.getRhs(), rank - 2)},
                               graph.getF32Type());
    for (int64_t i = 0; i < numSums; ++i)
      result = graph.apply("sum", {result},
                           i + 1 < numSums
                               ? graph.getF32Type()
                               : getElementTypeOrSelf(matmul.getResult()),
                           {rank - 2 + i});
    rewriter.replaceOp(matmul,
                       graph.reshape(result, getShape(matmul.getResult())));
    return true;
  }
};

} // namespace

void linalg_import::populateSplitContractionsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SplitContraction>(patterns.getContext());
}
