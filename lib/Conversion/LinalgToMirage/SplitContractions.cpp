//===- SplitContractions.cpp - Products over split dimensions -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product over two dimensions merges them. Where what it multiplies is
// computed from tensors that have one of the two only (weights, with a scale
// for each group of rows), the reshape can't move to the arguments
// (MoveReshapes.cpp), and the search doesn't look across it. Then the product
// is one for each group, whose results are added up:
//
//   matmul(x, reshape(w * scale)) -> sum(matmul(groups of x, w * scale))
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

namespace {

/// Whether all that a reshape does is to merge two dimensions into dimension
/// `dim` of its result.
bool onlyMergesTwo(ReshapeOp reshape, int64_t dim) {
  auto split = reshape.getInput().getType(), merged = reshape.getType();
  return split.getElementType() == merged.getElementType() &&
         split.getRank() == merged.getRank() + 1 &&
         split.getShape().take_front(dim) ==
             merged.getShape().take_front(dim) &&
         split.getShape().drop_front(dim + 2) ==
             merged.getShape().drop_front(dim + 1) &&
         split.getDimSize(dim) != 1 && split.getDimSize(dim + 1) != 1;
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

/// The most rows of the other factor. A kernel that computes a factor as it
/// multiplies does so for each tile of rows, which are no larger: with more of
/// them it is better computed once (docs/Import.md).
constexpr int64_t kMostRows = 128;

struct SplitContraction : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    const int64_t rank = getShape(matmul.getResult()).size();
    for (Value factor : {matmul.getLhs(), matmul.getRhs()})
      if (static_cast<int64_t>(getShape(factor).size()) != rank)
        return failure();
    // Programs of more dimensions take longer to search.
    constexpr int64_t kMostDims = 6;
    if (rank >= kMostDims)
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
    const int64_t rank = getShape(matmul.getResult()).size();
    const bool isLhs = other == matmul.getLhs();
    if (getShape(other)[isLhs ? rank - 2 : rank - 1] > kMostRows || !reshape ||
        !onlyMergesTwo(reshape, dim) ||
        !readsOneOf(reshape.getInput(), dim, dim + 1) ||
        !isEasyToSplit(other, factor))
      return false;
    KernelGraphBuilder graph(rewriter, matmul.getLoc());
    const int64_t groups = getShape(reshape.getInput())[dim],
                  rows = getShape(reshape.getInput())[dim + 1];
    // Groups become the last of the batches.
    auto getGroups = [&](Value value, int64_t reduced) {
      SmallVector<int64_t> shape(getShape(value));
      shape[reduced] = rows;
      shape.insert(shape.begin() + reduced, groups);
      value = graph.reshape(value, shape);
      SmallVector<int64_t> permutation(rank + 1);
      std::iota(permutation.begin(), permutation.end(), 0);
      permutation.erase(permutation.begin() + reduced);
      permutation.insert(permutation.begin() + rank - 2, reduced);
      return graph.transpose(value, permutation);
    };
    Value products = graph.apply("matmul",
                                 {getGroups(matmul.getLhs(), rank - 1),
                                  getGroups(matmul.getRhs(), rank - 2)},
                                 graph.getF32Type());
    Value sum =
        graph.apply("sum", {products}, getElementTypeOrSelf(matmul.getResult()),
                    {rank - 2});
    rewriter.replaceOp(matmul,
                       graph.reshape(sum, getShape(matmul.getResult())));
    return true;
  }
};

} // namespace

void linalg_import::populateSplitContractionsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SplitContraction>(patterns.getContext());
}
