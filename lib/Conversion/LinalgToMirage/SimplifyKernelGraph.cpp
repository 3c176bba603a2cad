//===- SimplifyKernelGraph.cpp - The smallest graph for a program ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

namespace {

//===----------------------------------------------------------------------===//
// Casts and reshapes
//===----------------------------------------------------------------------===//

/// Whether an op computes: its result may get another element type, and it
/// takes operands of any.
bool isComputation(Operation *op) {
  return isa_and_nonnull<OperatorOpInterface>(op) &&
         !isa<ReshapeOp, TransposeOp, BroadcastOp, RepeatOp, ConcatOp, SliceOp>(
             op);
}

bool isF32(Value value) { return getElementTypeOrSelf(value).isF32(); }

/// cast(op(..)) -> op(..) with the type of the cast. Exact where the op's
/// result is f32, the type that it computes in. Matched at the op because it is
/// the op that is visited again when another of its uses goes away.
struct FoldCastIntoProducer : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isComputation(op) || !isF32(op->getResult(0)) || !op->hasOneUse())
      return failure();
    auto cast = dyn_cast<CastOp>(*op->user_begin());
    if (!cast)
      return failure();
    rewriter.modifyOpInPlace(op,
                             [&] { op->getResult(0).setType(cast.getType()); });
    rewriter.replaceOp(cast, op->getResults());
    return success();
  }
};

/// An op that computes takes x instead of x cast to f32.
struct BypassWidening : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp cast,
                                PatternRewriter &rewriter) const override {
    if (!isF32(cast.getResult()))
      return failure();
    bool changed = false;
    for (OpOperand &use : llvm::make_early_inc_range(cast->getUses())) {
      if (!isComputation(use.getOwner()))
        continue;
      rewriter.modifyOpInPlace(use.getOwner(),
                               [&] { use.set(cast.getInput()); });
      changed = true;
    }
    return success(changed);
  }
};

/// Swaps two ops of which the first makes the operand of the second; `type` is
/// the one of what lies between them then.
void swapOps(PatternRewriter &rewriter, Operation *first, Operation *second,
             Type type) {
  rewriter.setInsertionPoint(second);
  Operation *inner = rewriter.clone(*second);
  rewriter.modifyOpInPlace(inner, [&] {
    inner->setOperand(0, first->getOperand(0));
    inner->getResult(0).setType(type);
  });
  Operation *outer = rewriter.clone(*first);
  rewriter.modifyOpInPlace(outer, [&] {
    outer->setOperand(0, inner->getResult(0));
    outer->getResult(0).setType(second->getResult(0).getType());
  });
  rewriter.replaceOp(second, outer->getResults());
}

Type withElementsOf(Value shaped, Value elements) {
  return cast<ShapedType>(shaped.getType())
      .clone(getElementTypeOrSelf(elements));
}

/// cast(reshape(x)) -> reshape(cast(x)) to a smaller type, so that the cast
/// meets its producer.
struct MoveNarrowingUp : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp cast,
                                PatternRewriter &rewriter) const override {
    Operation *movement = cast.getInput().getDefiningOp();
    if (!isMovement(movement) || !movement->hasOneUse() ||
        isF32(cast.getResult()))
      return failure();
    swapOps(rewriter, movement, cast,
            withElementsOf(movement->getOperand(0), cast.getResult()));
    return success();
  }
};

/// reshape(cast(x)) -> cast(reshape(x)) to f32, so that the cast meets the ops
/// that don't need it.
struct MoveWideningDown : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isMovement(op) || !isF32(op->getResult(0)))
      return failure();
    auto cast = op->getOperand(0).getDefiningOp<CastOp>();
    if (!cast)
      return failure();
    swapOps(rewriter, cast, op,
            withElementsOf(op->getResult(0), cast.getInput()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Movements that are something simpler
//===----------------------------------------------------------------------===//

/// For each dimension of a shape those of another one, in order, that it is
/// split into, with dimensions of size 1 in front of them; the last ones stay
/// in `rest`. None: it isn't split so.
std::optional<SmallVector<SmallVector<int64_t>>>
getSplits(ArrayRef<int64_t> merged, ArrayRef<int64_t> split,
          SmallVector<int64_t> &rest) {
  SmallVector<SmallVector<int64_t>> groups(merged.size());
  size_t d = 0;
  int64_t elements = 1;
  for (auto [to, size] : llvm::enumerate(split)) {
    rest.push_back(to);
    if (size == 1) {
      // One of the first shape's stays it.
      if (rest.size() == 1 && elements == 1 && d < merged.size() &&
          merged[d] == 1)
        groups[d++] = std::exchange(rest, {});
      continue;
    }
    while (d < merged.size() && merged[d] == 1)
      ++d;
    if (d == merged.size() || merged[d] % (elements *= size) != 0)
      return std::nullopt;
    if (elements < merged[d])
      continue;
    groups[d++] = std::exchange(rest, {});
    elements = 1;
  }
  if (elements != 1 || llvm::any_of(merged.drop_front(d),
                                    [](int64_t size) { return size != 1; }))
    return std::nullopt;
  return groups;
}

/// reshape(transpose(x)) -> transpose(reshape(x)) for a reshape that splits
/// dimensions of what an argument holds, or another reshape makes, or drops or
/// adds some of size 1 of an argument: there it takes nothing, and transposes
/// meet.
struct MoveReshapeToArgument : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    auto transpose = reshape.getInput().getDefiningOp<TransposeOp>();
    if (!transpose || !isMovement(transpose) || !isMovement(reshape) ||
        !(isMovedArgument(transpose.getInput()) ||
          (isMovedReshape(transpose.getInput()) && !isOfUnits(reshape))))
      return failure();
    ArrayRef<int64_t> target = reshape.getType().getShape();
    const int64_t first =
        llvm::find_if(target, [](int64_t size) { return size != 1; }) -
        target.begin();
    SmallVector<int64_t> rest;
    auto groups =
        getSplits(getShape(transpose), target.drop_front(first), rest);
    if (!groups || first == reshape.getType().getRank())
      return failure();
    // The first units and the last stay so.
    SmallVector<SmallVector<int64_t>> bySource(groups->size());
    for (auto [group, dim] :
         llvm::zip_equal(*groups, transpose.getPermutation()))
      bySource[dim] = group;
    bySource.push_back(rest);
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, first));
    for (ArrayRef<int64_t> group : bySource)
      for (int64_t to : group)
        order.push_back(first + to);

    SmallVector<int64_t> shape, permutation(order.size());
    for (auto [at, to] : llvm::enumerate(order)) {
      shape.push_back(target[to]);
      permutation[to] = at;
    }
    Value source =
        ReshapeOp::create(rewriter, reshape.getLoc(),
                          reshape.getType().clone(shape), transpose.getInput());
    rewriter.replaceOpWithNewOp<TransposeOp>(reshape, reshape.getType(), source,
                                             permutation);
    return success();
  }
};

/// reshape(transpose(x)) -> transpose(reshape(x)) for a reshape that merges
/// dimensions of what an argument holds, which the transpose leaves next to
/// each other, and in their order.
struct MoveMergeToArgument : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    auto transpose = reshape.getInput().getDefiningOp<TransposeOp>();
    if (!transpose || !isMovement(transpose) || !isMovement(reshape) ||
        !isMovedArgument(transpose.getInput()))
      return failure();
    auto merges = getMerges(getShape(transpose), getShape(reshape));
    if (!merges)
      return failure();
    ArrayRef<int64_t> from = transpose.getPermutation();
    // For each dimension of the result the first one that it merges.
    SmallVector<int64_t> first, shape(getShape(transpose.getInput()).size(), 0);
    for (const DimGroup &group : *merges) {
      const ArrayRef<int64_t> dims = from.take_front(group.from.size());
      for (auto [i, dim] : llvm::enumerate(dims))
        if (dim != dims.front() + static_cast<int64_t>(i))
          return failure();
      first.push_back(dims.front());
      shape[dims.front()] = group.to.front();
      from = from.drop_front(dims.size());
    }
    llvm::erase(shape, 0);
    SmallVector<int64_t> permutation;
    for (int64_t dim : first)
      permutation.push_back(
          llvm::count_if(first, [&](int64_t other) { return other < dim; }));
    KernelGraphBuilder graph(rewriter, reshape.getLoc());
    rewriter.replaceOp(
        reshape, graph.transpose(graph.reshape(transpose.getInput(), shape),
                                 permutation));
    return success();
  }
};

/// transpose(reshape(x)) -> reshape(transpose(x)) for a reshape that merges
/// dimensions, where that isn't an argument's: behind a broadcast, so that it
/// meets the op that doesn't need it; where merged dimensions change places, so
/// that all that can be is done on split ones (MoveReshapes.cpp); or where what
/// is merged is computed from tensors that have some of them only, so that a
/// product may be taken apart (SplitContractions.cpp).
struct MoveMergeBehindTranspose : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp transpose,
                                PatternRewriter &rewriter) const override {
    auto reshape = transpose.getInput().getDefiningOp<ReshapeOp>();
    if (!reshape || !isMovement(transpose) || !isMovement(reshape) ||
        isMovedArgument(reshape.getInput()))
      return failure();
    ArrayRef<int64_t> split = reshape.getInput().getType().getShape();
    SmallVector<int64_t> rest;
    auto groups = getSplits(reshape.getType().getShape(), split, rest);
    if (!groups)
      return failure();
    bool merges = false, moves = false;
    SmallVector<int64_t> permutation, shape;
    for (auto [to, dim] : llvm::enumerate(transpose.getPermutation())) {
      ArrayRef<int64_t> group = (*groups)[dim];
      if (llvm::count_if(group, [&](int64_t d) { return split[d] != 1; }) > 1) {
        merges = true;
        moves |= dim != static_cast<int64_t>(to);
        moves |= readsSomeOf(reshape.getInput(), group);
      }
      llvm::append_range(permutation, group);
    }
    if (!merges || (!moves && !reshape.getInput().getDefiningOp<BroadcastOp>()))
      return failure();
    llvm::append_range(permutation, rest);
    for (int64_t dim : permutation)
      shape.push_back(split[dim]);
    Value inner = TransposeOp::create(rewriter, transpose.getLoc(),
                                      transpose.getType().clone(shape),
                                      reshape.getInput(), permutation);
    rewriter.replaceOpWithNewOp<ReshapeOp>(transpose, transpose.getType(),
                                           inner);
    return success();
  }
};

/// reshape(broadcast(x)), where new dimensions are merged into those after them
/// -> repeats of x. It is how a tensor is tiled.
struct FormRepeat : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  /// What the operator allows.
  static constexpr int64_t kMostRepetitions = 1 << 20;

  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    auto broadcast = reshape.getInput().getDefiningOp<BroadcastOp>();
    if (!broadcast || !isMovement(broadcast) || !isMovement(reshape))
      return failure();
    ArrayRef<int64_t> wide = broadcast.getType().getShape();
    const SmallVector<int64_t> narrow = getNarrowShape(broadcast);
    ArrayRef<int64_t> target = reshape.getType().getShape();

    // For each dimension of the result, how often what is repeated.
    SmallVector<int64_t> shape, times;
    size_t d = 0;
    for (int64_t size : target) {
      int64_t elements = 1, repeated = 1;
      while (d < wide.size() && elements * repeated < size) {
        if (wide[d] == narrow[d])
          elements *= wide[d];
        else if (elements == 1)
          repeated *= wide[d];
        else
          return failure();
        ++d;
      }
      if (elements * repeated != size)
        return failure();
      shape.push_back(elements);
      times.push_back(repeated);
    }
    // A dimension that stands alone is only broadcast.
    for (auto [size, count] : llvm::zip_equal(shape, times))
      if (count != 1 && (size == 1 || count > kMostRepetitions))
        return failure();
    if (llvm::any_of(wide.drop_front(d),
                     [](int64_t size) { return size != 1; }))
      return failure();

    auto type = reshape.getType();
    Value value = ReshapeOp::create(rewriter, reshape.getLoc(),
                                    type.clone(shape), broadcast.getInput());
    for (size_t dim = 0; dim < times.size(); ++dim) {
      if (times[dim] == 1)
        continue;
      shape[dim] *= times[dim];
      value = RepeatOp::create(rewriter, reshape.getLoc(), type.clone(shape),
                               value, dim, times[dim]);
    }
    rewriter.replaceOp(reshape, value);
    return success();
  }
};

/// reshape(sum(reshape(x))), where the first cuts a dimension into groups and
/// the last drops what is left of each -> a sum over groups.
struct FormGroupedSum : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    auto sum = reshape.getInput().getDefiningOp<SumOp>();
    if (!sum || sum.getSize() || !sum->hasOneUse() || sum.getDim() == 0)
      return failure();
    auto cut = sum.getInput().getDefiningOp<ReshapeOp>();
    if (!cut || !isMovement(cut) || !isMovement(reshape))
      return failure();
    int64_t dim = sum.getDim();
    ArrayRef<int64_t> groups = cut.getType().getShape();
    SmallVector<int64_t> whole(groups), result(groups);
    whole[dim - 1] *= groups[dim];
    whole.erase(whole.begin() + dim);
    result.erase(result.begin() + dim);
    if (groups[dim - 1] == 1 ||
        cut.getInput().getType().getShape() != ArrayRef(whole) ||
        reshape.getType().getShape() != ArrayRef(result))
      return failure();
    rewriter.replaceOpWithNewOp<SumOp>(reshape, reshape.getType(),
                                       cut.getInput(),
                                       rewriter.getI64IntegerAttr(dim - 1),
                                       rewriter.getI64IntegerAttr(groups[dim]));
    return success();
  }
};

/// (w || x) (y || z) -> one operator; what isn't concatenated there is sliced.
/// Of more than two parts it is a sum of such, unless the product is so large
/// that it takes longer that way than to concatenate first (docs/Import.md).
struct FormConcatMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    const int64_t rank = matmul.getType().getRank();
    auto lhs = getConcat(matmul.getLhs(), rank - 1);
    auto rhs = getConcat(matmul.getRhs(), rank - 2);
    if (!lhs && !rhs)
      return failure();
    // What is returned is there, and need not be taken apart.
    ConcatOp either = lhs ? lhs : rhs;
    if (!lhs != !rhs && (isReturned(either.getResult()) ||
                         isReturned(lhs ? matmul.getLhs() : matmul.getRhs())))
      return failure();
    const int64_t first = getSize(either.getLhs(), either.getDim());
    if (rhs && getSize(rhs.getLhs(), rhs.getDim()) != first)
      rhs = nullptr;
    const auto [a, b] = lhs ? getParts(lhs, matmul.getLhs(), rank - 1, rewriter)
                            : cut(matmul.getLhs(), rank - 1, first, rewriter);
    const auto [c, d] = rhs ? getParts(rhs, matmul.getRhs(), rank - 2, rewriter)
                            : cut(matmul.getRhs(), rank - 2, first, rewriter);
    const bool hasTwoParts = !getConcat(a, rank - 1) &&
                             !getConcat(b, rank - 1) &&
                             !getConcat(c, rank - 2) && !getConcat(d, rank - 2);
    constexpr int64_t kMostProducts = int64_t(1) << 30, kFewColumns = 256;
    const int64_t columns = getShape(matmul).back();
    if (hasTwoParts ||
        (columns > kFewColumns &&
         getNumElements(getShape(matmul)) * getShape(matmul.getLhs()).back() >
             kMostProducts)) {
      rewriter.replaceOpWithNewOp<ConcatMatmulOp>(matmul, matmul.getType(), a,
                                                  b, c, d);
      return success();
    }
    KernelGraphBuilder graph(rewriter, matmul.getLoc());
    auto multiply = [&](Value left, Value right) {
      return graph.apply("matmul", {left, right}, graph.getF32Type());
    };
    rewriter.replaceOp(matmul,
                       graph.apply("add", {multiply(a, c), multiply(b, d)},
                                   matmul.getType().getElementType()));
    return success();
  }

private:
  static int64_t getSize(Value value, int64_t dim) {
    return getShape(value)[dim];
  }

  static bool isReturned(Value value) {
    return llvm::any_of(value.getUsers(), llvm::IsaPred<func::ReturnOp>);
  }

  /// The concatenation along a dimension that a tensor is, perhaps with other
  /// dimensions of size 1, of tensors of its type; null where it is none.
  static ConcatOp getConcat(Value value, int64_t dim) {
    auto reshape = value.getDefiningOp<ReshapeOp>();
    const bool isReshaped = reshape && isOfUnits(reshape);
    auto concat =
        (isReshaped ? reshape.getInput() : value).getDefiningOp<ConcatOp>();
    Type type = getElementTypeOrSelf(value);
    if (!concat || getElementTypeOrSelf(concat.getLhs()) != type ||
        getElementTypeOrSelf(concat.getRhs()) != type)
      return nullptr;
    // The same of the dimensions that are wider.
    auto getPlace = [](Value tensor, int64_t at) {
      return llvm::count_if(getShape(tensor).take_front(at),
                            [](int64_t size) { return size != 1; });
    };
    const auto from = static_cast<int64_t>(concat.getDim());
    const bool isAlong =
        isReshaped
            ? getSize(value, dim) == getSize(concat.getResult(), from) &&
                  getPlace(value, dim) == getPlace(concat.getResult(), from)
            : from == dim;
    return isAlong ? concat : ConcatOp();
  }

  /// The tensors that one is a concatenation of along a dimension.
  static std::pair<Value, Value> getParts(ConcatOp concat, Value whole,
                                          int64_t dim,
                                          PatternRewriter &rewriter) {
    auto reshape = [&](Value part) -> Value {
      SmallVector<int64_t> shape(getShape(whole));
      shape[dim] = getSize(part, concat.getDim());
      return KernelGraphBuilder(rewriter, concat.getLoc()).reshape(part, shape);
    };
    return {reshape(concat.getLhs()), reshape(concat.getRhs())};
  }

  /// The first elements of a tensor along a dimension, and the others.
  static std::pair<Value, Value> cut(Value value, int64_t dim, int64_t first,
                                     PatternRewriter &rewriter) {
    return {linalg_import::createSlice(rewriter, value, dim, 0, first),
            linalg_import::createSlice(rewriter, value, dim, first,
                                       getSize(value, dim) - first)};
  }
};

/// Two tensors whose elements a third one has in turns along a dimension.
struct Turns {
  /// None where they are none, or rounded.
  static std::optional<Turns> get(Value value, int64_t dim) {
    Turns turns{{}, value.getDefiningOp<TransposeOp>(), {}, dim};
    if (turns.transpose) {
      if (!linalg_import::isMovement(turns.transpose))
        return std::nullopt;
      turns.dim = turns.transpose.getPermutation()[dim];
      value = turns.transpose.getInput();
    }
    auto reshape = value.getDefiningOp<ReshapeOp>();
    if (!reshape)
      return std::nullopt;
    turns.shape = llvm::to_vector(getShape(value));
    turns.concat = reshape.getInput().getDefiningOp<ConcatOp>();
    Type type = getElementTypeOrSelf(value);
    if (!turns.concat ||
        llvm::any_of(turns.concat->getOperands(), [&](Value part) {
          return getElementTypeOrSelf(part) != type;
        }))
      return std::nullopt;
    auto countBehind = [](ArrayRef<int64_t> shape, int64_t at) {
      return getNumElements(shape.drop_front(at + 1));
    };
    Value whole = turns.concat.getResult();
    const bool isInTurns =
        getElementTypeOrSelf(whole) == type &&
        countBehind(turns.shape, turns.dim) ==
            countBehind(getShape(whole), turns.concat.getDim()) &&
        turns.shape[turns.dim] % turns.getWidth(whole) == 0;
    return isInTurns ? std::optional(turns) : std::nullopt;
  }

  /// How many elements of a part come one after the other.
  int64_t getWidth(Value part) { return getShape(part)[concat.getDim()]; }
  bool areAlike(Turns &other) {
    return getWidth(concat.getLhs()) == other.getWidth(other.concat.getLhs()) &&
           getWidth(concat.getRhs()) == other.getWidth(other.concat.getRhs());
  }

  /// One of both in the place of the third.
  Value getPart(Value part, PatternRewriter &rewriter) {
    SmallVector<int64_t> partShape = shape;
    partShape[dim] = shape[dim] / getWidth(concat.getResult()) * getWidth(part);
    Value result =
        KernelGraphBuilder(rewriter, concat.getLoc()).reshape(part, partShape);
    if (!transpose)
      return result;
    SmallVector<int64_t> moved;
    for (int64_t from : transpose.getPermutation())
      moved.push_back(partShape[from]);
    return TransposeOp::create(rewriter, transpose.getLoc(),
                               cast<ShapedType>(result.getType()).clone(moved),
                               result, transpose.getPermutation());
  }

  ConcatOp concat;
  /// Behind the reshape, or null.
  TransposeOp transpose;
  /// Of the third, and the dimension, before that is transposed.
  SmallVector<int64_t> shape;
  int64_t dim;
};

/// A product that sums over elements which come from two tensors in turns, in
/// both operands (rotary embeddings whose pairs are next to each other): of one
/// and of the other they are summed up as well.
struct FormInterleavedProduct : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    const int64_t rank = matmul.getType().getRank();
    auto lhs = Turns::get(matmul.getLhs(), rank - 1),
         rhs = Turns::get(matmul.getRhs(), rank - 2);
    if (!lhs || !rhs || !lhs->areAlike(*rhs))
      return failure();
    rewriter.replaceOpWithNewOp<ConcatMatmulOp>(
        matmul, matmul.getType(), lhs->getPart(lhs->concat.getLhs(), rewriter),
        lhs->getPart(lhs->concat.getRhs(), rewriter),
        rhs->getPart(rhs->concat.getLhs(), rewriter),
        rhs->getPart(rhs->concat.getRhs(), rewriter));
    return success();
  }
};

} // namespace

bool linalg_import::isMovement(Operation *op) {
  return isa_and_nonnull<ReshapeOp, TransposeOp, BroadcastOp, RepeatOp>(op) &&
         getElementTypeOrSelf(op->getOperand(0)) ==
             getElementTypeOrSelf(op->getResult(0));
}

bool linalg_import::isMovedArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto reshape = dyn_cast<ReshapeOp>(op);
    const bool isAtArgument = reshape && isa<BlockArgument>(reshape.getInput());
    if (!isa<TransposeOp>(op) &&
        !(reshape && (isAtArgument || isOfUnits(reshape))))
      return false;
    value = op->getOperand(0);
  }
  return true;
}

bool linalg_import::isPartOfMovedArgument(Value value) {
  if (auto slice = value.getDefiningOp<SliceOp>()) {
    ArrayRef<int64_t> inner = getShape(value).drop_front(slice.getDim() + 1);
    if (slice.getSize() == 1 &&
        llvm::all_of(inner, [](int64_t size) { return size == 1; }))
      return false;
    value = slice.getInput();
  }
  // A reshape becomes one with that which is moved.
  auto reshape = value.getDefiningOp<ReshapeOp>();
  return isMovedArgument(reshape ? Value(reshape.getInput()) : value);
}

bool linalg_import::isAnyElementwiseUser(
    Value value, llvm::function_ref<bool(Operation *)> isIt) {
  constexpr size_t kMost = 16;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size() && i < kMost; ++i)
    for (Operation *user : values[i].getUsers()) {
      if (isIt(user))
        return true;
      auto op = dyn_cast<OperatorOpInterface>(user);
      if (op && op.getSemantics().isElementwise() &&
          getShape(user->getResult(0)) == getShape(value))
        values.insert(user->getResult(0));
    }
  return false;
}

bool linalg_import::isMovedReshape(Value value) {
  while (isa_and_nonnull<TransposeOp, SliceOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return isa_and_nonnull<ReshapeOp>(value.getDefiningOp());
}

void mirage::populateSimplifyKernelGraphPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<FoldCastIntoProducer, BypassWidening, MoveNarrowingUp,
               MoveWideningDown, MoveReshapeToArgument, MoveMergeToArgument,
               MoveMergeBehindTranspose, FormRepeat, FormGroupedSum,
               FormConcatMatmul, FormInterleavedProduct>(context);
  populateFormulaPatterns(patterns);
  populateMoveBroadcastsPatterns(patterns);
  populateMoveRepeatsPatterns(patterns);
  populateMoveReshapesPatterns(patterns);
  populateMoveScalesPatterns(patterns);
  populateMoveSlicesPatterns(patterns);
  populateMoveTransposesPatterns(patterns);
  populateMoveUnitsPatterns(patterns);
  populateSplitContractionsPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getDialectNamespace() == KernelDialect::getDialectNamespace())
      name.getCanonicalizationPatterns(patterns, context);
}
