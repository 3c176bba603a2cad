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
// Where columns are merged so (a scale for each block of rows and columns), it
// is one for each group of columns, too, whose results are transposed.
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

/// Whether a reshape of a value costs nothing, or less than that of another.
bool isEasyToSplit(Value value, Value than) {
  return isMovedArgument(value) || value.getDefiningOp<ReshapeOp>() ||
         getNumElements(getShape(value)) < getNumElements(getShape(than));
}

/// Whether a factor can be computed again for each tile of the other one's rows
/// all the same: it takes no products, and tiles of 64 rows take at most half
/// as many elements in all as the other factor has (a norm of each head of a
/// few positions, in front of a projection).
bool isCheap(Value factor, Value other, int64_t rows) {
  constexpr int64_t kTile = 64;
  if (2 * getNumElements(getShape(factor)) *
          llvm::divideCeilSigned(rows, kTile) >
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

/// A factor of which a reshape merges dimensions, with what is computed behind
/// it, element by element, of it and of arguments (a gate).
class MergedFactor {
public:
  /// None if no reshape merges dimensions of the factor.
  static std::optional<MergedFactor> get(Value factor) {
    MergedFactor result(factor);
    if (!result.reshape)
      return std::nullopt;
    result.source = result.reshape.getInput();
    result.merged = result.reshape.getResult();
    std::optional<SmallVector<DimGroup>> merges =
        getMerges(getShape(result.source), getShape(factor));
    if (!merges || getElementTypeOrSelf(result.source) !=
                       getElementTypeOrSelf(result.merged))
      return std::nullopt;
    result.groups = std::move(*merges);
    if (!canSplit(factor, result.groups))
      return std::nullopt;
    return result;
  }

  /// Whether something else reads what is merged.
  bool isShared() const { return !merged.hasOneUse() || !source.hasOneUse(); }
  /// The dimensions that were merged into one of the factor.
  ArrayRef<int64_t> getMerged(int64_t dim) const { return groups[dim].from; }
  /// The first of them.
  int64_t getFirst(int64_t dim) const {
    int64_t first = 0;
    for (const DimGroup &group : ArrayRef(groups).take_front(dim))
      first += group.from.size();
    return first;
  }
  /// Whether those of one come before those of another where the factor is
  /// made, in front of a transpose.
  bool isInFront(int64_t dim, int64_t other) const {
    int64_t first = getFirst(dim), second = getFirst(other);
    if (auto transpose = source.getDefiningOp<TransposeOp>()) {
      first = transpose.getPermutation()[first];
      second = transpose.getPermutation()[second];
    }
    return first < second;
  }
  /// Whether the factor is computed from tensors that have some of them only.
  bool readsSomeOf(int64_t dim) const {
    const int64_t first = getFirst(dim);
    return linalg_import::readsSomeOf(
        source, llvm::to_vector(
                    llvm::seq<int64_t>(first, first + getMerged(dim).size())));
  }
  /// The factor with the dimensions that were merged.
  Value split(PatternRewriter &rewriter) const {
    return splitDims(factor, groups, rewriter);
  }

private:
  explicit MergedFactor(Value factor) : factor(factor), reshape(find(factor)) {}

  static ReshapeOp find(Value value) {
    if (auto found = value.getDefiningOp<ReshapeOp>())
      return isMovedArgument(value) ? ReshapeOp() : found;
    if (OperatorOpInterface op = getElementwiseOfOneUse(value))
      for (Value operand : op->getOperands())
        if (getShape(operand) == getShape(value))
          if (ReshapeOp found = find(operand))
            return found;
    return {};
  }

  Value factor;
  ReshapeOp reshape;
  Value source, merged;
  /// For each dimension of the factor.
  SmallVector<DimGroup> groups;
};

/// The most rows that the other factor may have. A kernel that computes a
/// factor as it multiplies does so for each tile of rows, which are no larger,
/// and adds up as many products as there are groups: with more rows it is
/// better computed once. So it is with fewer where it is computed for others,
/// too (docs/Import.md).
int64_t getMostRows(const MergedFactor &factor, int64_t reduced, int64_t own) {
  constexpr int64_t kMost = 128, kMostIfShared = 64, kMostOfEach = 16,
                    kMostOfEachColumn = 8;
  int64_t most = factor.isShared() ? kMostIfShared : kMost;
  if (ArrayRef<int64_t> sizes = factor.getMerged(reduced); sizes.size() > 1)
    most = std::min(most, kMostOfEach * sizes.back());
  if (ArrayRef<int64_t> sizes = factor.getMerged(own); sizes.size() > 1)
    most = std::min(most, kMostOfEachColumn * sizes.back());
  return most;
}

struct SplitContraction : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    const int64_t rank = getShape(matmul.getResult()).size();
    for (Value factor : {matmul.getLhs(), matmul.getRhs()})
      if (static_cast<int64_t>(getShape(factor).size()) != rank)
        return failure();
    return success(split(matmul, matmul.getRhs(), rewriter) ||
                   split(matmul, matmul.getLhs(), rewriter));
  }

private:
  static bool split(MatmulOp matmul, Value factor, PatternRewriter &rewriter) {
    const std::optional<MergedFactor> merged = MergedFactor::get(factor);
    if (!merged)
      return false;
    const bool isRight = factor == matmul.getRhs();
    Value other = isRight ? matmul.getLhs() : matmul.getRhs();
    // Behind the batches: what is reduced, and the factor's columns or rows.
    const int64_t rank = getShape(factor).size(), numBatches = rank - 2,
                  reduced = isRight ? rank - 2 : rank - 1,
                  own = isRight ? rank - 1 : rank - 2;
    ArrayRef<int64_t> sums = merged->getMerged(reduced),
                      groups = merged->getMerged(own);
    // Of all but the last there is a product for each element.
    const int64_t numSums = sums.size() - 1, numGroups = groups.size() - 1,
                  numNew = numSums + numGroups;
    for (int64_t d : llvm::seq(rank)) {
      ArrayRef<int64_t> sizes = merged->getMerged(d);
      if (sizes.size() > 1 &&
          (d < numBatches || llvm::is_contained(sizes, int64_t{1})))
        return false;
    }
    const int64_t rows = getShape(other)[isRight ? rank - 2 : rank - 1];
    if (rank + numNew > kMostSplitDims ||
        (numSums > 0 && !isEasyToSplit(other, factor)) ||
        !(merged->readsSomeOf(reduced) || merged->readsSomeOf(own)) ||
        (rows > getMostRows(*merged, reduced, own) &&
         !isCheap(factor, other, rows)))
      return false;
    KernelGraphBuilder graph(rewriter, matmul.getLoc());
    // What is summed, and groups of columns, become the last of the batches, in
    // the order in which the factor has them: what belongs to a group is moved
    // no more than it must be.
    const bool sumsFirst = merged->isInFront(reduced, own);
    auto permute = [&](Value value, int64_t firstSum, int64_t firstGroup) {
      auto inSums = llvm::to_vector(llvm::seq(firstSum, firstSum + numSums)),
           inGroups =
               llvm::to_vector(llvm::seq(firstGroup, firstGroup + numGroups)),
           order = llvm::to_vector(llvm::seq<int64_t>(0, numBatches));
      llvm::append_range(order, sumsFirst ? inSums : inGroups);
      llvm::append_range(order, sumsFirst ? inGroups : inSums);
      for (int64_t d : llvm::seq<int64_t>(getShape(value).size()))
        if (!llvm::is_contained(order, d))
          order.push_back(d);
      return graph.transpose(value, order);
    };
    auto splitOther = [&] {
      // The other factor has one group of columns.
      SmallVector<int64_t> shape(getShape(other));
      const int64_t dim = isRight ? rank - 1 : rank - 2;
      shape.erase(shape.begin() + dim);
      shape.insert(shape.begin() + dim, sums.begin(), sums.end());
      shape.insert(shape.begin() + numBatches, numGroups, 1);
      return permute(graph.reshape(other, shape), dim + numGroups, numBatches);
    };
    // Batches of one are none: they would stand between reshapes.
    const int64_t numUnits =
        llvm::count(getShape(matmul.getResult()).take_front(numBatches), 1);
    auto dropUnits = [&](Value value) {
      SmallVector<int64_t> shape;
      for (auto [d, size] : llvm::enumerate(getShape(value)))
        if (static_cast<int64_t>(d) >= numBatches ||
            getShape(matmul.getResult())[d] != 1)
          shape.push_back(size);
      return graph.reshape(value, shape);
    };
    Value ofFactor = dropUnits(permute(merged->split(rewriter),
                                       merged->getFirst(reduced),
                                       merged->getFirst(own))),
          ofOther = dropUnits(splitOther());
    const Type type = getElementTypeOrSelf(matmul.getResult());
    Value result = graph.apply(
        "matmul", {isRight ? ofOther : ofFactor, isRight ? ofFactor : ofOther},
        numSums > 0 ? graph.getF32Type() : type);
    const int64_t firstNew = numBatches - numUnits,
                  firstSum = firstNew + (sumsFirst ? 0 : numGroups);
    for (int64_t i = 0; i < numSums; ++i)
      result = graph.apply("sum", {result},
                           i + 1 < numSums ? graph.getF32Type() : type,
                           {firstSum + i});
    SmallVector<int64_t> shape(getShape(result));
    shape.erase(shape.begin() + firstSum, shape.begin() + firstSum + numSums);
    // Rows come in front of groups of columns.
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
    if (isRight)
      std::rotate(order.begin() + firstNew,
                  order.begin() + firstNew + numGroups, order.end() - 1);
    result = graph.transpose(graph.reshape(result, shape), order);
    rewriter.replaceOp(matmul,
                       graph.reshape(result, getShape(matmul.getResult())));
    return true;
  }
};

} // namespace

/// Whether some tensor that a value is computed from, elementwise and by
/// transposes, has one of two of its dimensions and not the other.
static bool readsOneOf(Value value, int64_t first, int64_t second) {
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

bool linalg_import::readsSomeOf(Value value, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> wide;
  for (int64_t dim : dims)
    if (getShape(value)[dim] != 1)
      wide.push_back(dim);
  for (size_t i = 1; i < wide.size(); ++i)
    if (readsOneOf(value, wide[i - 1], wide[i]))
      return true;
  return false;
}

void linalg_import::populateSplitContractionsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SplitContraction>(patterns.getContext());
}
