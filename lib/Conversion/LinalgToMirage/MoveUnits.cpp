//===- MoveUnits.cpp - Reshapes of dimensions of size 1 -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

namespace {

/// An elementwise op takes what has leading dimensions of size 1 as well as
/// what has them dropped, as long as its result has as many dimensions:
/// broadcasts put them back.
struct KeepLeadingUnits : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!op.getSemantics().isElementwise())
      return failure();
    const ArrayRef<int64_t> result =
        cast<ShapedType>(op->getResult(0).getType()).getShape();
    for (OpOperand &operand : op->getOpOperands()) {
      auto reshape = operand.get().getDefiningOp<ReshapeOp>();
      if (!reshape || !isMovement(reshape))
        continue;
      const ArrayRef<int64_t> from = reshape.getInput().getType().getShape(),
                              to = reshape.getType().getShape();
      if (from.size() != result.size() || from.size() <= to.size() ||
          !areAligned(from, to))
        continue;
      rewriter.modifyOpInPlace(op, [&] { operand.set(reshape.getInput()); });
      return success();
    }
    return failure();
  }
};

/// op(reshape(x), y) -> reshape(op(x, y)) for an elementwise op and a reshape
/// that only drops or adds dimensions of size 1, so that the reshape behind a
/// reduction meets the one that undoes it, or the result. The other operands
/// are scalars, have such reshapes, too, or don't have these dimensions, or are
/// arguments, for which a reshape takes nothing.
struct MoveUnitReshapeDown : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    // Casts have their own direction: narrowing ones go up, widening ones down.
    if (!op.getSemantics().isElementwise() || op->getNumResults() != 1 ||
        isa<CastOp>(op))
      return failure();
    auto resultType = cast<ShapedType>(op->getResult(0).getType());
    for (Value operand : op->getOperands()) {
      auto reshape = operand.getDefiningOp<ReshapeOp>();
      // That of an argument takes nothing where it is; two become one.
      if (!reshape || isPartOfMovedArgument(reshape.getInput()) ||
          reshape.getInput().getDefiningOp<ReshapeOp>() ||
          !isOfUnits(reshape) || isReshapedInFront(reshape) ||
          reshape.getType().getShape() != resultType.getShape())
        continue;
      ArrayRef<int64_t> shape = reshape.getInput().getType().getShape();
      SmallVector<Value> sources;
      for (Value other : op->getOperands())
        if (Value source = getSource(other, shape, resultType.getShape()))
          sources.push_back(source);
      if (sources.size() != op->getNumOperands() ||
          meetsOtherUnits(op->getResult(0), shape))
        continue;
      for (auto [source, other] : llvm::zip_equal(sources, op->getOperands()))
        if (source == other && getRank(other) > 0 &&
            getShape(other) == resultType.getShape())
          source = ReshapeOp::create(
              rewriter, op->getLoc(),
              cast<ShapedType>(other.getType()).clone(shape), other);
      rewriter.replaceOpWithNewOp<ReshapeOp>(
          op, resultType, cloneInShape(rewriter, op, sources, shape));
      return success();
    }
    return failure();
  }

private:
  static int64_t getRank(Value value) { return getShape(value).size(); }

  /// Whether it would meet a product's reshape that doesn't undo it, and become
  /// one that moves a dimension of size 1 from one place to another.
  static bool meetsOtherUnits(Value result, ArrayRef<int64_t> shape) {
    return isAnyElementwiseUser(result, [&](Operation *user) {
      auto reshape = dyn_cast<ReshapeOp>(user);
      return reshape && isOfUnits(reshape) &&
             getShape(reshape).size() == shape.size() &&
             getShape(reshape) != shape &&
             llvm::any_of(reshape->getUsers(), llvm::IsaPred<MatmulOp>);
    });
  }

  /// What an operand is such a reshape of, from this shape; or itself, if it is
  /// a scalar, an argument of the other shape, or broadcast to this one as it
  /// is. Null: none of these.
  static Value getSource(Value operand, ArrayRef<int64_t> shape,
                         ArrayRef<int64_t> reshaped) {
    auto reshape = operand.getDefiningOp<ReshapeOp>();
    if (reshape && isOfUnits(reshape) && getShape(operand) == reshaped &&
        reshape.getInput().getType().getShape() == shape)
      return reshape.getInput();
    const bool isScalar = getRank(operand) == 0;
    const bool isArgument =
        isa<BlockArgument>(operand) && getShape(operand) == reshaped;
    // Scores of several heads, with a dimension more, and their maxima without.
    constexpr size_t kLeastRank = 3;
    const bool isBroadcast =
        shape.size() >= kLeastRank && shape.size() < reshaped.size() &&
        getRank(operand) == static_cast<int64_t>(shape.size()) &&
        reshaped.take_back(shape.size()) == shape;
    return isScalar || isArgument || isBroadcast ? operand : Value();
  }
};

/// concat(reshape(x), reshape(y)) -> reshape(concat(x, y)) for reshapes that
/// only drop or add dimensions of size 1, behind which a concatenation of what
/// kernels compute takes no kernel.
struct MoveUnitReshapeBehindConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp concat,
                                PatternRewriter &rewriter) const override {
    auto lhs = getUnitReshape(concat.getLhs()),
         rhs = getUnitReshape(concat.getRhs());
    // What reads the parts has them in its own shape.
    if (!lhs || !rhs || linalg_import::isReadInParts(concat))
      return failure();
    const std::optional<int64_t> left = findDim(lhs, concat.getDim()),
                                 right = findDim(rhs, concat.getDim());
    if (!left || left != right)
      return failure();
    SmallVector<int64_t> shape(getShape(lhs.getInput())),
        other(getShape(rhs.getInput()));
    const int64_t size = shape[*left] + other[*left];
    shape[*left] = other[*left] = size;
    if (shape != other)
      return failure();
    auto moved = ConcatOp::create(rewriter, concat.getLoc(),
                                  concat.getType().clone(shape), lhs.getInput(),
                                  rhs.getInput(), *left);
    rewriter.replaceOpWithNewOp<ReshapeOp>(concat, concat.getType(),
                                           moved.getResult());
    return success();
  }

private:
  /// Null for one of an argument, which takes nothing where it is.
  static ReshapeOp getUnitReshape(Value value) {
    auto reshape = value.getDefiningOp<ReshapeOp>();
    const bool isOfComputed =
        reshape && isOfUnits(reshape) && reshape.getInput().getDefiningOp();
    return isOfComputed ? reshape : ReshapeOp();
  }

  /// The dimension of what is reshaped that is this one of the result; none if
  /// it is of size 1 there.
  static std::optional<int64_t> findDim(ReshapeOp reshape, int64_t dim) {
    auto isWide = [](int64_t size) { return size != 1; };
    ArrayRef<int64_t> to = getShape(reshape),
                      from = getShape(reshape.getInput());
    if (to[dim] == 1)
      return std::nullopt;
    int64_t left = llvm::count_if(to.take_front(dim), isWide);
    for (auto [d, size] : llvm::enumerate(from))
      if (isWide(size) && left-- == 0)
        return d;
    return std::nullopt;
  }
};

} // namespace

bool linalg_import::isOfUnits(ReshapeOp reshape) {
  auto isWide = [](int64_t size) { return size != 1; };
  return isMovement(reshape) &&
         llvm::equal(
             llvm::make_filter_range(reshape.getInput().getType().getShape(),
                                     isWide),
             llvm::make_filter_range(reshape.getType().getShape(), isWide));
}

void linalg_import::populateMoveUnitsPatterns(RewritePatternSet &patterns) {
  patterns
      .add<KeepLeadingUnits, MoveUnitReshapeDown, MoveUnitReshapeBehindConcat>(
          patterns.getContext());
}
