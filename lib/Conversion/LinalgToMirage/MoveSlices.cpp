//===- MoveSlices.cpp - Operators on parts of tensors ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slice of an argument is only another view of it; one of a value that is
// computed parts what computes it from what reads it. So slices move towards
// the arguments: a product of which some columns are taken becomes one with
// these columns of the weights. Concatenations move the other way, through
// operators that compute each part by itself, until something sums over them
// (rotary embeddings, whose halves are never put together; the keys of a cache
// and new ones, which would have to be copied).
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

namespace {

/// Elements along a dimension.
struct Range {
  int64_t dim, offset, size;
};

Range getRange(SliceOp slice) {
  return {static_cast<int64_t>(slice.getDim()),
          static_cast<int64_t>(slice.getOffset()),
          static_cast<int64_t>(slice.getSize())};
}

Type getPartType(Type whole, const Range &range) {
  auto type = cast<ShapedType>(whole);
  SmallVector<int64_t> shape(type.getShape());
  shape[range.dim] = range.size;
  return type.clone(shape);
}

Value takeSlice(PatternRewriter &rewriter, Value value, const Range &range) {
  return createSlice(rewriter, value, range.dim, range.offset, range.size);
}

/// What a range is of a tensor of the same elements in another shape; none if
/// it is no range there.
std::optional<Range> reshapeRange(const Range &range, ArrayRef<int64_t> shape,
                                  ArrayRef<int64_t> other) {
  const int64_t before = getNumElements(shape.take_front(range.dim)),
                behind = getNumElements(shape.drop_front(range.dim + 1));
  int64_t product = 1;
  for (auto [d, size] : llvm::enumerate(other)) {
    const int64_t rest = getNumElements(other.drop_front(d + 1));
    if (product == before && size != 1 &&
        size * rest == shape[range.dim] * behind &&
        range.offset * behind % rest == 0 && range.size * behind % rest == 0)
      return Range{static_cast<int64_t>(d), range.offset * behind / rest,
                   range.size * behind / rest};
    product *= size;
  }
  return std::nullopt;
}

/// For each operand of an op, the dimension that goes along with a dimension of
/// the result, or -1: all of the operand is needed for each part. None if the
/// op doesn't compute parts by themselves.
std::optional<SmallVector<int64_t>> followDim(Operation *op, int64_t dim) {
  auto computation = dyn_cast_or_null<OperatorOpInterface>(op);
  if (!computation || op->getNumResults() != 1 || isa<CustomOp>(op))
    return std::nullopt;
  SmallVector<Shape> shapes;
  for (Value operand : op->getOperands())
    shapes.emplace_back(getShape(operand));
  SmallVector<int64_t> dims;
  if (isa<BroadcastOp>(op)) {
    const int64_t missing =
        getShape(op->getResult(0)).size() - shapes[0].size();
    const bool has = dim >= missing && shapes[0][dim - missing] != 1;
    dims.push_back(has ? dim - missing : -1);
    return dims;
  }
  auto space = computation.getSemantics().getIterationSpace(
      shapes, computation.getParams());
  if (!space)
    return std::nullopt;
  for (auto &loops : space->operandLoops)
    dims.push_back(llvm::is_contained(loops, dim)
                       ? llvm::find(loops, dim) - loops.begin()
                       : -1);
  return dims;
}

/// The op on the parts of its operands.
Value applyToPart(PatternRewriter &rewriter, Operation *op, ValueRange operands,
                  const Range &range) {
  Operation *part = rewriter.clone(*op);
  rewriter.modifyOpInPlace(part, [&] {
    part->setOperands(operands);
    part->getResult(0).setType(getPartType(op->getResult(0).getType(), range));
  });
  return part->getResult(0);
}

/// Whether slices of a value are all that is used of it, and no more than it.
bool isOnlySliced(Value value) {
  int64_t elements = 0;
  for (Operation *user : value.getUsers()) {
    if (!isa<SliceOp>(user))
      return false;
    elements += getNumElements(getShape(user->getResult(0)));
  }
  return elements <= getNumElements(getShape(value));
}

/// slice(op(x, y)) -> op(slice(x), slice(y)).
struct RaiseSlice : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp slice,
                                PatternRewriter &rewriter) const override {
    Operation *op = slice.getInput().getDefiningOp();
    const Range range = getRange(slice);
    auto concat = dyn_cast_or_null<ConcatOp>(op);
    if (concat && static_cast<int64_t>(concat.getDim()) != range.dim)
      concat = nullptr;
    // What is of one part only needs no concatenation, whoever else does.
    if (concat && (isOfOnePart(concat, range) || isOnlySliced(concat)))
      return raiseThroughConcat(slice, concat, range, rewriter);
    if (!op || concat || !isOnlySliced(slice.getInput()))
      return failure();
    std::optional<SmallVector<int64_t>> dims = followDim(op, range.dim);
    if (isa<ConcatOp>(op))
      dims = {range.dim, range.dim};
    // It may round what it takes.
    if (!dims || getElementTypeOrSelf(slice.getType()) !=
                     getElementTypeOrSelf(slice.getInput()))
      return failure();
    SmallVector<Value> operands;
    for (auto [operand, dim] : llvm::zip_equal(op->getOperands(), *dims))
      operands.push_back(dim < 0 ? operand
                                 : takeSlice(rewriter, operand,
                                             {dim, range.offset, range.size}));
    rewriter.replaceOp(slice, applyToPart(rewriter, op, operands, range));
    return success();
  }

private:
  static bool isOfOnePart(ConcatOp concat, const Range &range) {
    const int64_t split = getShape(concat.getLhs())[range.dim];
    return range.offset >= split || range.offset + range.size <= split;
  }

  static LogicalResult raiseThroughConcat(SliceOp slice, ConcatOp concat,
                                          const Range &range,
                                          PatternRewriter &rewriter) {
    const int64_t split = getShape(concat.getLhs())[range.dim];
    const int64_t end = range.offset + range.size;
    Value lhs, rhs;
    if (range.offset < split)
      lhs = takeSlice(
          rewriter, concat.getLhs(),
          {range.dim, range.offset, std::min(end, split) - range.offset});
    if (end > split) {
      const int64_t first = std::max(range.offset, split);
      rhs = takeSlice(rewriter, concat.getRhs(),
                      {range.dim, first - split, end - first});
    }
    // The concatenation may round, and the slice, too.
    KernelGraphBuilder graph(rewriter, slice.getLoc());
    const Type type = getElementTypeOrSelf(concat.getType());
    Value part = lhs && rhs ? ConcatOp::create(rewriter, slice.getLoc(),
                                               slice.getType().clone(type), lhs,
                                               rhs, range.dim)
                            : graph.cast(lhs ? lhs : rhs, type);
    rewriter.replaceOp(slice,
                       graph.cast(part, getElementTypeOrSelf(slice.getType())));
    return success();
  }
};

std::optional<Range> getRangeInFront(SliceOp slice, ReshapeOp reshape) {
  return reshapeRange(getRange(slice), getShape(reshape.getResult()),
                      getShape(reshape.getInput()));
}

/// Whether slices behind a reshape are to go in front of it: what is reshaped
/// is computed, for nothing else than slices, of which all can.
bool isRaisedThrough(ReshapeOp reshape) {
  Value input = reshape.getInput();
  return getElementTypeOrSelf(input) == getElementTypeOrSelf(reshape) &&
         input.getDefiningOp() &&
         llvm::all_of(input.getUsers(),
                      [&](Operation *user) {
                        return user == reshape || isa<SliceOp>(user);
                      }) &&
         isOnlySliced(reshape.getResult()) &&
         llvm::all_of(reshape->getUsers(), [&](Operation *user) {
           return getRangeInFront(cast<SliceOp>(user), reshape).has_value();
         });
}

/// slice(reshape(x)) -> reshape(slice(x)), where x is computed.
struct RaiseSliceThroughReshape : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto reshape = slice.getInput().getDefiningOp<ReshapeOp>();
    if (!reshape || !isRaisedThrough(reshape))
      return failure();
    const Range range = *getRangeInFront(slice, reshape);
    rewriter.replaceOpWithNewOp<ReshapeOp>(
        slice, slice.getType(), takeSlice(rewriter, reshape.getInput(), range));
    return success();
  }
};

/// A slice of an argument, or of what is reshaped, and a reshape of it, as a
/// slice of a reshape.
struct SunkSlice {
  /// None if it can't be.
  static std::optional<SunkSlice> get(ReshapeOp reshape) {
    auto slice = reshape.getInput().getDefiningOp<SliceOp>();
    if (!slice ||
        slice.getType().getElementType() != reshape.getType().getElementType())
      return std::nullopt;
    SunkSlice result;
    result.whole = slice.getInput();
    if (result.whole.getDefiningOp() &&
        !result.whole.getDefiningOp<ReshapeOp>())
      return std::nullopt;
    const Range part = getRange(slice);
    std::optional<Range> range =
        reshapeRange({part.dim, 0, part.size}, getShape(slice.getResult()),
                     getShape(reshape.getResult()));
    if (!range)
      return std::nullopt;
    result.range = *range;
    llvm::append_range(result.shape, getShape(reshape.getResult()));
    const int64_t size = getShape(result.whole)[part.dim],
                  behind = getNumElements(
                      getShape(result.whole).drop_front(part.dim + 1)),
                  rest = getNumElements(
                      ArrayRef(result.shape).drop_front(range->dim + 1));
    if (size * behind % rest != 0 || part.offset * behind % rest != 0)
      return std::nullopt;
    result.shape[range->dim] = size * behind / rest;
    result.range.offset = part.offset * behind / rest;
    return result;
  }

  Value whole;
  /// The whole in the other shape, and what of it is meant.
  SmallVector<int64_t> shape;
  Range range;
};

/// reshape(slice(x)) -> slice(reshape(x)), where x is an argument or reshaped:
/// a slice that is reshaped needs a kernel.
struct SinkSlice : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    std::optional<SunkSlice> sunk = SunkSlice::get(reshape);
    if (!sunk)
      return failure();
    Value other =
        ReshapeOp::create(rewriter, reshape.getLoc(),
                          reshape.getType().clone(sunk->shape), sunk->whole);
    rewriter.replaceOp(reshape, takeSlice(rewriter, other, sunk->range));
    return success();
  }
};

/// Whether only products read a value, perhaps moved, of which a dimension is
/// summed over or columns of the result.
bool isReadByProducts(Value value, int64_t dim) {
  const int64_t last = getShape(value).size() - 1;
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<MatmulOp, ConcatMatmulOp>(user)) {
      const bool isLeft = use.getOperandNumber() < user->getNumOperands() / 2;
      return dim == last || (!isLeft && dim == last - 1);
    }
    if (auto transpose = dyn_cast<TransposeOp>(user))
      return isReadByProducts(transpose,
                              llvm::find(transpose.getPermutation(), dim) -
                                  transpose.getPermutation().begin());
    auto reshape = dyn_cast<ReshapeOp>(user);
    const std::optional<Range> range =
        reshape ? reshapeRange({dim, 0, getShape(value)[dim]}, getShape(value),
                               getShape(reshape.getResult()))
                : std::nullopt;
    return range && isReadByProducts(reshape, range->dim);
  });
}

/// Whether some of a concatenation is a constant, or repeats something: it pads
/// the rest, and is best read where it is needed (the token of a class in front
/// of those of an image). Not columns that rows have in common: what is taken
/// of rows, as a softmax with a sink among the scores, takes them by
/// themselves. Nor keys and values: products repeat batches themselves (a
/// prefix of all sequences).
bool isPadding(ConcatOp concat) {
  const bool isOfProducts =
      isReadByProducts(concat.getResult(), concat.getDim());
  return llvm::any_of(concat->getOperands(), [&](Value part) {
    auto broadcast = part.getDefiningOp<BroadcastOp>();
    if (broadcast &&
        (isOfProducts || concat.getDim() + 1 == getShape(part).size()))
      part = broadcast.getInput();
    return isa_and_nonnull<BroadcastOp, ConstantOp>(part.getDefiningOp());
  });
}

std::optional<int64_t> getReducedDim(Operation *op) {
  if (auto sum = dyn_cast<SumOp>(op); sum && !sum.getSize())
    return sum.getDim();
  if (auto max = dyn_cast<ReduceMaxOp>(op))
    return max.getDim();
  return std::nullopt;
}

size_t countProducts(Value operand) {
  llvm::SmallPtrSet<Operation *, 4> products;
  for (Operation *user : operand.getUsers())
    if (isa<MatmulOp, ConcatMatmulOp>(user))
      products.insert(user);
  return products.size();
}

/// Whether a value is computed of a concatenation, elementwise or moved, as far
/// as that is looked for: of what has more values nothing is kept together.
bool isOfConcat(Value value) {
  constexpr size_t kMost = 64;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size() && i < kMost; ++i) {
    Operation *op = values[i].getDefiningOp();
    if (isa_and_nonnull<ConcatOp>(op))
      return true;
    auto computation = dyn_cast_or_null<OperatorOpInterface>(op);
    if (computation && !isa<CustomOp>(op) &&
        (computation.getSemantics().isElementwise() ||
         computation.getSemantics().isMovement()))
      values.insert_range(op->getOperands());
  }
  return false;
}

/// Whether an operator that reads a concatenation can read its parts instead.
bool canReadParts(OpOperand &use, int64_t dim) {
  auto op = dyn_cast<OperatorOpInterface>(use.getOwner());
  if (!op || isa<CustomOp>(op))
    return false;
  if (isa<TransposeOp, SliceOp>(op) || getReducedDim(op) ||
      op.getSemantics().isElementwise())
    return true;
  const int64_t columns = getShape(use.get()).size() - 1;
  if (auto product = dyn_cast<ConcatMatmulOp>(*op)) {
    // Columns, of which the other operands are read for each part.
    const int64_t others = getNumElements(getShape(op->getOperand(0))) +
                           getNumElements(getShape(op->getOperand(1)));
    return dim == columns && use.getOperandNumber() >= 2 &&
           others <= getNumElements(getShape(use.get()));
  }
  auto matmul = dyn_cast<MatmulOp>(*op);
  if (!matmul)
    return false;
  // Sums over parts become one operator. Of other dimensions the other operand
  // is read for each part: that should be the smaller one.
  const bool isLeft = use.getOperandNumber() == 0;
  const int64_t rank = getShape(use.get()).size();
  if (dim == rank - (isLeft ? 1 : 2))
    return true;
  Value other = isLeft ? matmul.getRhs() : matmul.getLhs();
  // Where columns are put together, too, products of each with each would be
  // many: queries of a text and an image with keys of both. The keys come
  // apart. But not where they are small (pairs of features).
  if (isLeft && dim == rank - 2 &&
      getNumElements(getShape(matmul.getResult())) >
          getNumElements(getShape(use.get())) &&
      (isOfConcat(other) || countProducts(use.get()) > 1))
    return false;
  return getNumElements(getShape(other)) <= getNumElements(getShape(use.get()));
}

/// A concatenation all of whose readers can read the parts; null for others.
ConcatOp getConcatOfParts(Value value) {
  auto concat = value.getDefiningOp<ConcatOp>();
  return concat && !isPadding(concat) &&
                 llvm::all_of(concat->getUses(),
                              [&](OpOperand &use) {
                                return canReadParts(use, concat.getDim());
                              })
             ? concat
             : ConcatOp();
}

/// op(concat(x, y), z) -> concat(op(x, slice(z)), op(y, slice(z))).
struct SinkConcat : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (isa<SliceOp, ConcatOp>(op) ||
        llvm::none_of(op->getOperands(), getConcatOfParts))
      return failure();
    const size_t rank = getShape(op->getResult(0)).size();
    for (size_t d = 0; d < rank; ++d) {
      std::optional<SmallVector<int64_t>> dims = followDim(op, d);
      if (!dims)
        return failure();
      for (auto [operand, dim] : llvm::zip_equal(op->getOperands(), *dims)) {
        ConcatOp concat = getConcatOfParts(operand);
        if (!concat || dim != static_cast<int64_t>(concat.getDim()))
          continue;
        split(op, *dims, d, getShape(concat.getLhs())[dim], rewriter);
        return success();
      }
    }
    return failure();
  }

private:
  static void split(Operation *op, ArrayRef<int64_t> dims, int64_t d,
                    int64_t first, PatternRewriter &rewriter) {
    Value result = op->getResult(0);
    Value halves[2];
    const Range ranges[] = {{d, 0, first},
                            {d, first, getShape(result)[d] - first}};
    for (auto [half, range] : llvm::zip_equal(halves, ranges)) {
      SmallVector<Value> operands;
      for (auto [operand, dim] : llvm::zip_equal(op->getOperands(), dims))
        operands.push_back(dim < 0
                               ? operand
                               : takeSlice(rewriter, operand,
                                           {dim, range.offset, range.size}));
      half = applyToPart(rewriter, op, operands, range);
    }
    rewriter.replaceOpWithNewOp<ConcatOp>(op, result.getType(), halves[0],
                                          halves[1], d);
  }
};

/// reshape(concat(x, y)) -> concat(reshape(x), reshape(y)), where that is read
/// by what can read the parts: in front of a group of heads, say.
struct SinkConcatThroughReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    auto concat = reshape.getInput().getDefiningOp<ConcatOp>();
    if (!concat || isPadding(concat) ||
        concat.getType().getElementType() != reshape.getType().getElementType())
      return failure();
    const auto ranges = getRanges(concat, reshape);
    // The whole isn't needed by others, either.
    const bool isOfParts =
        ranges &&
        llvm::all_of(reshape->getUses(),
                     [&](OpOperand &use) {
                       return canReadParts(use, ranges->first.dim);
                     }) &&
        llvm::all_of(concat->getUses(), [&](OpOperand &use) {
          auto other = dyn_cast<ReshapeOp>(use.getOwner());
          return other ? getRanges(concat, other).has_value()
                       : canReadParts(use, concat.getDim());
        });
    if (!isOfParts)
      return failure();
    const auto &[first, second] = *ranges;
    const ArrayRef<int64_t> to = getShape(reshape.getResult());
    auto makePart = [&](Value part, const Range &range) -> Value {
      SmallVector<int64_t> shape(to);
      shape[range.dim] = range.size;
      return ReshapeOp::create(rewriter, reshape.getLoc(),
                               cast<ShapedType>(part.getType()).clone(shape),
                               part);
    };
    rewriter.replaceOpWithNewOp<ConcatOp>(
        reshape, reshape.getType(), makePart(concat.getLhs(), first),
        makePart(concat.getRhs(), second), first.dim);
    return success();
  }

private:
  /// What the parts are behind a reshape.
  static std::optional<std::pair<Range, Range>> getRanges(ConcatOp concat,
                                                          ReshapeOp reshape) {
    const ArrayRef<int64_t> from = getShape(concat.getResult()),
                            to = getShape(reshape.getResult());
    const auto dim = static_cast<int64_t>(concat.getDim());
    const int64_t split = getShape(concat.getLhs())[dim];
    const std::optional<Range> first = reshapeRange({dim, 0, split}, from, to),
                               second = reshapeRange(
                                   {dim, split, from[dim] - split}, from, to);
    if (!first || !second)
      return std::nullopt;
    return std::pair(*first, *second);
  }
};

/// sum(concat(x, y)) -> sum(x) + sum(y) along the dimension of both, and a
/// maximum likewise.
template <typename ReductionT, typename ElementwiseT>
struct ReduceParts : OpRewritePattern<ReductionT> {
  using OpRewritePattern<ReductionT>::OpRewritePattern;
  LogicalResult matchAndRewrite(ReductionT op,
                                PatternRewriter &rewriter) const override {
    ConcatOp concat = getConcatOfParts(op.getInput());
    if (!concat || getReducedDim(op) != static_cast<int64_t>(concat.getDim()))
      return failure();
    SmallVector<Value> parts;
    for (Value part : concat->getOperands()) {
      // What is concatenated may be rounded; what is added up is once, in the
      // end.
      Type element = getElementTypeOrSelf(concat.getType());
      if (getElementTypeOrSelf(part) != element)
        part = CastOp::create(rewriter, op.getLoc(),
                              cast<ShapedType>(part.getType()).clone(element),
                              part);
      Operation *reduced = rewriter.clone(*op);
      rewriter.modifyOpInPlace(reduced, [&] {
        reduced->setOperands(part);
        reduced->getResult(0).setType(
            cast<ShapedType>(op.getType()).clone(rewriter.getF32Type()));
      });
      parts.push_back(reduced->getResult(0));
    }
    rewriter.replaceOpWithNewOp<ElementwiseT>(op, op.getType(), parts[0],
                                              parts[1]);
    return success();
  }
};

} // namespace

Value linalg_import::createSlice(OpBuilder &builder, Value tensor, int64_t dim,
                                 int64_t offset, int64_t size) {
  Type type = getPartType(tensor.getType(), {dim, offset, size});
  if (type == tensor.getType())
    return tensor;
  return SliceOp::create(builder, tensor.getLoc(), type, tensor, dim, offset,
                         size);
}

bool linalg_import::isReshapedInFront(ReshapeOp reshape) {
  return SunkSlice::get(reshape).has_value();
}

bool linalg_import::isReadInParts(Operation *concat) {
  return !concat->use_empty() && getConcatOfParts(concat->getResult(0));
}

void linalg_import::populateMoveSlicesPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseSlice, RaiseSliceThroughReshape, SinkSlice, SinkConcat,
               SinkConcatThroughReshape, ReduceParts<SumOp, AddOp>,
               ReduceParts<ReduceMaxOp, MaxOp>>(patterns.getContext());
}
