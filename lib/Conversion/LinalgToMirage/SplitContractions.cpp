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

/// Whether a factor can be computed again for each tile of the other one's rows
/// all the same: it takes no products, and tiles of 64 rows take at most half
/// as many elements in all as the other factor has (a norm of each head of a
/// few positions, in front of a projection).
bool isCheap(Value factor, Value other, int64_t rows) {
  constexpr int64_t kTile = 64;
  if (2 * getNumElements(getShape(factor)) * llvm::divideCeil(rows, kTile) >
      getNumElements(getShape(other)))
    return false;
  llvm::SetVector<Operation *> todo;
  todo.insert(factor.getDefiningOp());
  for (size_t i = 0; i < todo.size(); ++i) {
    auto op = dyn_cast<OperatorOpInterface>(todo[i]);
    if (isa<Conv2DOp>(todo[i]) ||
        (op && !op.getSemantics().getMatrixProducts().empty()))
      return false;
    for (Value operand : todo[i]->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        todo.insert(maker);
  }
  return true;
}

/// A factor of which a reshape merges dimensions into one, with what is
/// computed behind it, element by element, of it and of arguments (a gate).
class MergedFactor {
public:
  /// Nothing is merged into dimension `dim` of a factor if there is no reshape.
  MergedFactor(Value factor, int64_t dim)
      : factor(factor), back(getShape(factor).size() - dim) {
    reshape = find(factor);
    if (!reshape)
      return;
    merged = reshape.getResult();
    source = reshape.getInput();
    numMerged = getNumMerged(reshape, dim);
  }

  ReshapeOp getReshape() const { return reshape; }
  int64_t getNumMergedDims() const { return numMerged; }
  /// The factor with the dimensions that were merged.
  Value split(KernelGraphBuilder &graph, PatternRewriter &rewriter) const {
    return split(factor, graph, rewriter);
  }

private:
  static OperatorOpInterface getElementwise(Value value) {
    auto op = value.getDefiningOp<OperatorOpInterface>();
    return op && op->getNumResults() == 1 && op->hasOneUse() &&
                   op.getSemantics().isElementwise()
               ? op
               : OperatorOpInterface();
  }

  ReshapeOp find(Value value) const {
    if (auto found = value.getDefiningOp<ReshapeOp>())
      return isMovedArgument(value) ? ReshapeOp() : found;
    OperatorOpInterface op = getElementwise(value);
    if (!op)
      return {};
    for (Value operand : op->getOperands()) {
      if (getShape(operand) != getShape(value))
        continue;
      ReshapeOp found = find(operand);
      if (found && llvm::all_of(op->getOperands(), [&](Value other) {
            return other == operand || canSplit(other);
          }))
        return found;
    }
    return {};
  }

  bool canSplit(Value value) const {
    if (getShape(value).empty() || isMovedArgument(value))
      return true;
    OperatorOpInterface op = getElementwise(value);
    return op && llvm::all_of(op->getOperands(),
                              [&](Value operand) { return canSplit(operand); });
  }

  SmallVector<int64_t> getSplitShape(ArrayRef<int64_t> shape) const {
    SmallVector<int64_t> result(shape);
    if (static_cast<int64_t>(shape.size()) < back)
      return result;
    const int64_t dim = shape.size() - back;
    SmallVector<int64_t> sizes(
        getShape(source).take_back(back + numMerged - 1).take_front(numMerged));
    if (shape[dim] == 1)
      sizes.assign(numMerged, 1);
    result.erase(result.begin() + dim);
    result.insert(result.begin() + dim, sizes.begin(), sizes.end());
    return result;
  }

  Value split(Value value, KernelGraphBuilder &graph,
              PatternRewriter &rewriter) const {
    if (value == merged)
      return source;
    if (getShape(value).empty())
      return value;
    const SmallVector<int64_t> shape = getSplitShape(getShape(value));
    if (isMovedArgument(value))
      return graph.reshape(value, shape);
    Operation *op = value.getDefiningOp();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(split(operand, graph, rewriter));
    Operation *moved = rewriter.clone(*op);
    moved->setOperands(operands);
    moved->getResult(0).setType(cast<ShapedType>(value.getType()).clone(shape));
    return moved->getResult(0);
  }

  Value factor;
  /// The place of the dimension, counted from behind.
  int64_t back;
  ReshapeOp reshape;
  Value merged, source;
  int64_t numMerged = 0;
};

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
    const MergedFactor mergedFactor(factor, dim);
    ReshapeOp reshape = mergedFactor.getReshape();
    const int64_t numMerged = mergedFactor.getNumMergedDims();
    const int64_t rank = getShape(matmul.getResult()).size();
    // Of all but the last there is a product for each element.
    const int64_t numSums = numMerged - 1;
    if (numMerged == 0 || rank + numSums > kMostSplitDims ||
        !isEasyToSplit(other, factor))
      return false;
    ArrayRef<int64_t> merged =
        getShape(reshape.getInput()).slice(dim, numMerged);
    const bool isLhs = other == matmul.getLhs();
    const int64_t rows = getShape(other)[isLhs ? rank - 2 : rank - 1];
    if ((rows > getMostRows(reshape, merged.back()) &&
         !isCheap(factor, other, rows)) ||
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
      value = value == factor ? mergedFactor.split(graph, rewriter)
                              : graph.reshape(value, shape);
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
