//===- RearrangeProducts.cpp - Products as they are moved least -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frontends write a sum of products over tensors of many dimensions as
// transposes and reshapes of matrices in front of a product and behind it, in
// the order of their own. What costs least is found as for a sum of products
// that is written as one (Arrangement.h): so grouped queries, keys and scores,
// as JAX multiplies them, need no transposed scores, nor experts' weights, as
// torch.einsum does, a copy with all columns side by side.
//
//===----------------------------------------------------------------------===//

#include "Arrangement.h"
#include "DimGroups.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

namespace {

/// A matrix of a product, and the tensor that it is, moved: the tensor's
/// dimensions are permuted, and then merged (or, of the product, split and then
/// permuted).
struct MovedMatrix {
  Value matrix, tensor;
  /// The matrix with split dimensions.
  SmallVector<int64_t> split;
  /// As of a transpose between the tensor and that (or back).
  SmallVector<int64_t> permutation;
};

/// For each dimension of a matrix those that it is split into, without those of
/// size 1; none if it isn't so.
std::optional<SmallVector<SmallVector<int64_t>>>
getParts(ArrayRef<int64_t> split, ArrayRef<int64_t> matrix) {
  SmallVector<SmallVector<int64_t>> parts;
  for (int64_t size : matrix) {
    SmallVector<int64_t> &own = parts.emplace_back();
    while (size > 1) {
      if (split.empty() || size % split.front() != 0)
        return std::nullopt;
      if (split.front() > 1)
        own.push_back(split.front());
      size /= split.front();
      split = split.drop_front();
    }
  }
  return parts;
}

SmallVector<int64_t> getIdentity(size_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

MovedMatrix getOperand(Value matrix) {
  MovedMatrix moved{matrix, matrix, {}, {}};
  if (auto reshape = matrix.getDefiningOp<ReshapeOp>();
      reshape && isMovement(reshape) &&
      getParts(getShape(reshape.getInput()), getShape(matrix)))
    moved.tensor = reshape.getInput();
  moved.split = SmallVector<int64_t>(getShape(moved.tensor));
  moved.permutation = getIdentity(moved.split.size());
  if (auto transpose = moved.tensor.getDefiningOp<TransposeOp>();
      transpose && isMovement(transpose)) {
    moved.permutation = SmallVector<int64_t>(transpose.getPermutation());
    moved.tensor = transpose.getInput();
  }
  return moved;
}

MovedMatrix getProduct(Value matrix) {
  MovedMatrix moved{matrix, matrix, {}, {}};
  auto getOnlyUser = [](Value value) {
    return value.hasOneUse() ? *value.user_begin() : nullptr;
  };
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(getOnlyUser(matrix));
      reshape && isMovement(reshape) &&
      getParts(getShape(reshape.getResult()), getShape(matrix)))
    moved.tensor = reshape.getResult();
  moved.split = SmallVector<int64_t>(getShape(moved.tensor));
  moved.permutation = getIdentity(moved.split.size());
  if (auto transpose = dyn_cast_or_null<TransposeOp>(getOnlyUser(moved.tensor));
      transpose && isMovement(transpose)) {
    moved.permutation = SmallVector<int64_t>(transpose.getPermutation());
    moved.tensor = transpose.getResult();
  }
  return moved;
}

/// A product of matrices by loops, with the arrangement that it has.
class MovedProduct {
public:
  /// None if the dimensions of its tensors aren't loops.
  static std::optional<MovedProduct> get(MatmulOp matmul);

  LoopProduct product;
  Arrangement arrangement;
  MovedMatrix lhs, rhs, result;

private:
  /// The loops of the tensor, of those of the matrix's dimensions, in order.
  std::optional<LoopList> getDims(const MovedMatrix &moved,
                                  ArrayRef<LoopList> ofMatrix,
                                  bool isProduct) const;
};

std::optional<LoopList> MovedProduct::getDims(const MovedMatrix &moved,
                                              ArrayRef<LoopList> ofMatrix,
                                              bool isProduct) const {
  LoopList loops;
  for (const LoopList &list : ofMatrix)
    llvm::append_range(loops, list);
  // By dimension of the split matrix.
  SmallVector<LoopList> ofSplit;
  ArrayRef<int64_t> rest = loops;
  for (int64_t size : moved.split) {
    LoopList &own = ofSplit.emplace_back();
    while (size > 1) {
      if (rest.empty() || size % product.loops.sizes[rest.front()] != 0)
        return std::nullopt;
      size /= product.loops.sizes[rest.front()];
      own.push_back(rest.front());
      rest = rest.drop_front();
    }
  }
  LoopList dims;
  for (size_t d = 0; d < moved.permutation.size(); ++d) {
    size_t from = isProduct
                      ? moved.permutation[d]
                      : llvm::find(moved.permutation, static_cast<int64_t>(d)) -
                            moved.permutation.begin();
    llvm::append_range(dims, ofSplit[from]);
  }
  return dims;
}

std::optional<MovedProduct> MovedProduct::get(MatmulOp matmul) {
  MovedProduct moved;
  moved.lhs = getOperand(matmul.getLhs());
  moved.rhs = getOperand(matmul.getRhs());
  moved.result = getProduct(matmul.getResult());
  const size_t rank = getShape(matmul.getResult()).size();
  auto get = [](const MovedMatrix &matrix) {
    return getParts(matrix.split, getShape(matrix.matrix));
  };
  auto lhs = get(moved.lhs), rhs = get(moved.rhs), result = get(moved.result);
  if (!lhs || !rhs || !result || lhs->size() != rank || rhs->size() != rank)
    return std::nullopt;

  Loops &loops = moved.product.loops;
  // The loops of a dimension that some matrices have: those that all of them
  // split it into. An operand may have one batch for all.
  auto add = [&](std::initializer_list<ArrayRef<int64_t>> parts,
                 bool isReduced) -> std::optional<LoopList> {
    SmallVector<int64_t> common;
    for (ArrayRef<int64_t> own : parts) {
      if (own.empty())
        continue;
      std::optional<SmallVector<int64_t>> split =
          common.empty() ? SmallVector<int64_t>(own)
                         : getCommonSplit(common, own);
      if (!split)
        return std::nullopt;
      common = std::move(*split);
    }
    LoopList added;
    for (int64_t size : common) {
      added.push_back(loops.sizes.size());
      loops.sizes.push_back(size);
      loops.reduced.push_back(isReduced);
    }
    return added;
  };
  SmallVector<LoopList> ofLhs, ofRhs, ofResult;
  for (size_t d = 0; d + 2 < rank; ++d) {
    std::optional<LoopList> batch =
        add({(*result)[d], (*lhs)[d], (*rhs)[d]}, /*isReduced=*/false);
    if (!batch)
      return std::nullopt;
    llvm::append_range(moved.arrangement.batch, *batch);
    ofResult.push_back(*batch);
    ofLhs.push_back((*lhs)[d].empty() ? LoopList() : *batch);
    ofRhs.push_back((*rhs)[d].empty() ? LoopList() : *batch);
  }
  auto m = add({(*result)[rank - 2], (*lhs)[rank - 2]}, /*isReduced=*/false),
       n = add({result->back(), rhs->back()}, /*isReduced=*/false),
       k = add({lhs->back(), (*rhs)[rank - 2]}, /*isReduced=*/true);
  if (!m || !n || !k)
    return std::nullopt;
  moved.arrangement.m = *m;
  moved.arrangement.n = *n;
  moved.arrangement.k = *k;
  ofLhs.append({*m, *k});
  ofRhs.append({*k, *n});
  ofResult.append({*m, *n});
  auto lhsDims = moved.getDims(moved.lhs, ofLhs, /*isProduct=*/false),
       rhsDims = moved.getDims(moved.rhs, ofRhs, /*isProduct=*/false),
       resultDims = moved.getDims(moved.result, ofResult, /*isProduct=*/true);
  if (!lhsDims || !rhsDims || !resultDims)
    return std::nullopt;
  moved.product.lhs = {*lhsDims, isArgument(moved.lhs.tensor)};
  moved.product.rhs = {*rhsDims, isArgument(moved.rhs.tensor)};
  moved.product.result = {*resultDims, /*isArgument=*/false};
  return moved;
}

/// Whether fewer tensors are moved, first of those that are computed, with no
/// operand repeated for that, or fewer are transposed; or no argument is taken
/// apart any more.
bool isCheaper(const Arrangement::Cost &cost, const Arrangement::Cost &than) {
  if (cost.takesArgumentApart > than.takesArgumentApart)
    return false;
  if (cost.takesArgumentApart < than.takesArgumentApart)
    return true;
  const auto computed = cost.getComputedShuffles(),
             computedThan = than.getComputedShuffles();
  if (cost.repeats > than.repeats || cost.shuffles > than.shuffles ||
      computed > computedThan)
    return false;
  return computed < computedThan || cost.shuffles < than.shuffles ||
         (cost.shuffledElements == than.shuffledElements &&
          cost.transposes < than.transposes);
}

/// Whether loops are dimensions of a tensor that are next to each other, so
/// that they can be merged where it is.
bool areTogether(const LoopTensor &tensor, ArrayRef<int64_t> loops) {
  for (size_t i = 1; i < loops.size(); ++i) {
    auto place = llvm::find(tensor.dims, loops[i - 1]);
    if (place + 1 == tensor.dims.end() || *(place + 1) != loops[i])
      return false;
  }
  return true;
}

/// How often arguments are copied for a matrix to have rows or columns that are
/// several dimensions. Rows of the left operand can become batches again.
int countCopies(const LoopProduct &product, const Arrangement &arrangement) {
  const LoopTensor *left = &product.lhs, *right = &product.rhs;
  if (arrangement.swapped)
    std::swap(left, right);
  auto isCopied = [](const LoopTensor &tensor, ArrayRef<int64_t> loops) {
    return tensor.isArgument && !areTogether(tensor, loops);
  };
  return isCopied(*left, arrangement.k) + isCopied(*right, arrangement.k) +
         isCopied(*right, arrangement.n);
}

/// The rows and columns of a product, the fewer first.
std::pair<int64_t, int64_t> getSides(const Arrangement &arrangement,
                                     const Loops &loops) {
  const int64_t rows = mirage::getNumElements(getSizes(arrangement.m, loops)),
                columns =
                    mirage::getNumElements(getSizes(arrangement.n, loops));
  return {std::min(rows, columns), std::max(rows, columns)};
}

/// Whether an arrangement is better than another: cheaper, or with as many
/// moved tensors, but smaller ones, if one side was too short for a tile of
/// tensor cores; with sides that are as long as before, or long enough, and no
/// further copy.
bool isBetter(const LoopProduct &product, const Arrangement &arrangement,
              const Arrangement &than) {
  constexpr int64_t kLong = 64, kTile = 16;
  const Arrangement::Cost cost = product.getCost(arrangement),
                          costThan = product.getCost(than);
  const auto [less, more] = getSides(arrangement, product.loops);
  const auto [lessThan, moreThan] = getSides(than, product.loops);
  const bool movesLess =
      cost.repeats <= costThan.repeats && cost.shuffles == costThan.shuffles &&
      cost.argumentShuffles == costThan.argumentShuffles &&
      cost.takesArgumentApart == costThan.takesArgumentApart &&
      cost.shuffledElements < costThan.shuffledElements;
  return (isCheaper(cost, costThan) ||
          (movesLess && lessThan < kTile && less > lessThan)) &&
         less >= std::min(lessThan, kLong) &&
         more >= std::min(moreThan, kLong) &&
         countCopies(product, arrangement) <= countCopies(product, than);
}

struct RearrangeProduct : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    std::optional<MovedProduct> moved = MovedProduct::get(matmul);
    if (!moved || moved->arrangement.m.empty() || moved->arrangement.n.empty())
      return failure();
    if (moved->product.getCost(moved->arrangement).shuffles == 0)
      return failure();
    std::optional<Arrangement> best =
        moved->product.arrange(/*asInFactors=*/true);
    if (!best || !isBetter(moved->product, *best, moved->arrangement))
      return failure();
    KernelGraphBuilder graph(rewriter, matmul.getLoc());
    Value last = moved->result.tensor;
    Value result = moved->product.multiply(
        graph, moved->lhs.tensor, moved->rhs.tensor, *best,
        getElementTypeOrSelf(matmul.getResult()));
    rewriter.replaceOp(last.getDefiningOp(),
                       graph.reshape(result, getShape(last)));
    return success();
  }
};

/// Where batches share the right operand, the last of them become rows, and the
/// rows batches, if these are too few for a tile of tensor cores: a block
/// multiplies rows together.
struct SwapBatchesAndRows : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> left = getShape(matmul.getLhs()),
                      right = getShape(matmul.getRhs());
    constexpr int64_t kRowsOfTile = 16;
    const size_t rank = left.size();
    if (rank < 3 || right.size() != rank || right[rank - 3] != 1 ||
        left[rank - 3] <= left[rank - 2] || left[rank - 2] == 1 ||
        left[rank - 2] >= kRowsOfTile)
      return failure();
    SmallVector<int64_t> swap = getIdentity(rank);
    std::swap(swap[rank - 3], swap[rank - 2]);
    auto transpose = matmul.getLhs().getDefiningOp<TransposeOp>();
    const bool isUndone =
        transpose && transpose.getPermutation() == ArrayRef(swap);
    if (!isUndone && !(transpose && isMovedArgument(matmul.getLhs())))
      return failure();
    KernelGraphBuilder graph(rewriter, matmul.getLoc());
    Value product = graph.apply(
        "matmul", {graph.transpose(matmul.getLhs(), swap), matmul.getRhs()},
        getElementTypeOrSelf(matmul.getResult()));
    rewriter.replaceOp(matmul, graph.transpose(product, swap));
    return success();
  }
};

/// Whether an operand is transposed in the same way.
bool isTransposedSo(Value operand, ArrayRef<int64_t> permutation) {
  auto other = operand.getDefiningOp<TransposeOp>();
  return other && isMovement(other) && other.getPermutation() == permutation;
}

/// Whether an op that reads a transpose can be in front of it: reductions of
/// rows of memory, if they stay so, and what is elementwise, if all else that
/// it reads is small, an argument, or transposed in the same way.
bool canBeInFront(Operation *user, TransposeOp transpose) {
  ArrayRef<int64_t> permutation = transpose.getPermutation(),
                    shape = getShape(transpose.getResult());
  auto op = dyn_cast<OperatorOpInterface>(user);
  if (!op)
    return false;
  if (op.getSemantics().isReduction()) {
    const int64_t dim = op.getParams()[0],
                  last = transpose.getType().getRank() - 1;
    return dim != last || permutation[dim] == last;
  }
  if (!op.getSemantics().isElementwise() || op->getNumResults() != 1 ||
      getShape(op->getResult(0)) != shape)
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    constexpr int64_t kSmall = 8;
    const size_t rank = getShape(operand).size();
    return rank == 0 ||
           (rank == shape.size() &&
            (isTransposedSo(operand, permutation) || isArgument(operand) ||
             kSmall * mirage::getNumElements(getShape(operand)) <=
                 mirage::getNumElements(shape)));
  });
}

/// The transpose of something computed that an operand is, if all who read it
/// can be in front of it.
TransposeOp getSinking(Value operand) {
  auto transpose = operand.getDefiningOp<TransposeOp>();
  if (!transpose || !isMovement(transpose) ||
      isMovedArgument(transpose.getInput()))
    return {};
  return llvm::all_of(
             transpose->getUsers(),
             [&](Operation *user) { return canBeInFront(user, transpose); })
             ? transpose
             : TransposeOp();
}

/// f(transpose(x), y) -> transpose(f(x, transpose(y))), where y is small, an
/// argument, or transposed in the same way: on its way to a product, or the
/// result, the transpose may meet another one.
struct SinkTranspose : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!op.getSemantics().isElementwise() || op->getNumResults() != 1)
      return failure();
    TransposeOp transpose;
    for (Value operand : op->getOperands())
      if (!transpose)
        transpose = getSinking(operand);
    if (!transpose)
      return failure();
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    KernelGraphBuilder graph(rewriter, op.getLoc());
    const SmallVector<int64_t> inverse = invertPermutationVector(permutation);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(getShape(operand).empty() ? operand
                         : isTransposedSo(operand, permutation)
                             ? operand.getDefiningOp()->getOperand(0)
                             : graph.transpose(operand, inverse));
    Value result =
        cloneInShape(rewriter, op, operands,
                     applyPermutation(getShape(op->getResult(0)), inverse));
    rewriter.replaceOp(op, graph.transpose(result, permutation));
    return success();
  }
};

/// fold(transpose(x)) -> transpose(fold(x)): of less.
template <typename Op> struct SinkTransposeBehindFold : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op fold,
                                PatternRewriter &rewriter) const override {
    TransposeOp transpose = getSinking(fold.getInput());
    if (!transpose)
      return failure();
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    auto type = cast<ShapedType>(fold.getType());
    Operation *copy = rewriter.clone(*fold);
    rewriter.modifyOpInPlace(copy, [&] {
      copy->setOperands(transpose.getInput());
      copy->setAttr("dim",
                    rewriter.getI64IntegerAttr(permutation[fold.getDim()]));
      copy->getResult(0).setType(type.clone(applyPermutation(
          type.getShape(), invertPermutationVector(permutation))));
    });
    KernelGraphBuilder graph(rewriter, fold.getLoc());
    rewriter.replaceOp(fold, graph.transpose(copy->getResult(0), permutation));
    return success();
  }
};

} // namespace

/// Several movements are one.
static void addMovementPatterns(RewritePatternSet &patterns) {
  TransposeOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  ReshapeOp::getCanonicalizationPatterns(patterns, patterns.getContext());
}

void linalg_import::populateRearrangeProductsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<RearrangeProduct>(patterns.getContext());
  addMovementPatterns(patterns);
}

void linalg_import::populateSinkTransposesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SinkTranspose, SinkTransposeBehindFold<SumOp>,
               SinkTransposeBehindFold<ReduceMaxOp>>(patterns.getContext());
  addMovementPatterns(patterns);
}

void linalg_import::populateSwapBatchesPatterns(RewritePatternSet &patterns) {
  patterns.add<SwapBatchesAndRows>(patterns.getContext());
}
