//===- MoveTransposes.cpp - Transposes of what is computed ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frontends write attention on five dimensions, some of size 1, and its last
// product as of transposed tensors. Transposes that move dimensions of size 1
// would keep them from being dropped where nothing needs them, and one of what
// is computed from being fused with it.
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Operators/DataMovement.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

/// The order that a transpose puts the dimensions in that aren't of size 1, as
/// if it had no others.
static SmallVector<int64_t> getNarrowOrder(ArrayRef<int64_t> shape,
                                           ArrayRef<int64_t> permutation) {
  auto isWide = [](int64_t size) { return size != 1; };
  SmallVector<int64_t> order;
  for (int64_t dim : permutation)
    if (isWide(shape[dim]))
      order.push_back(llvm::count_if(shape.take_front(dim), isWide));
  return order;
}

namespace {

/// transpose(x) -> reshape(transpose(reshape(x))), without dimensions of size
/// 1. Those of an argument are dropped there.
struct DropUnitsOfTranspose : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp transpose,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = getShape(transpose.getInput());
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    if (!llvm::is_contained(shape, 1) || isMovedArgument(transpose.getInput()))
      return failure();
    SmallVector<int64_t> narrow(
        llvm::make_filter_range(shape, [](int64_t size) { return size != 1; }));
    const SmallVector<int64_t> order = getNarrowOrder(shape, permutation);
    KernelGraphBuilder graph(rewriter, transpose.getLoc());
    Value value = transpose.getInput();
    if (!llvm::is_sorted(order))
      value = graph.transpose(graph.reshape(value, narrow), order);
    // It may round, too.
    value = graph.cast(graph.reshape(value, getShape(transpose.getResult())),
                       transpose.getType().getElementType());
    rewriter.replaceOp(transpose, value);
    return success();
  }
};

/// x^T y^T -> (y x)^T, where x or y is computed, so that it need not be
/// transposed; and so for products of concatenations.
template <typename ProductT>
struct SwapTransposedOperands : OpRewritePattern<ProductT> {
  using OpRewritePattern<ProductT>::OpRewritePattern;
  LogicalResult matchAndRewrite(ProductT product,
                                PatternRewriter &rewriter) const override {
    // Those of the left factor come first.
    SmallVector<TransposeOp> transposes;
    bool isAnyComputed = false;
    for (Value operand : product->getOperands()) {
      auto transpose = operand.getDefiningOp<TransposeOp>();
      if (!transpose ||
          transpose.getType().getRank() != getRank(product->getOperand(0)))
        return failure();
      // Nothing is left to transpose of what is computed.
      const bool isComputed = this->isComputed(transpose);
      if (isComputed && !isUndone(transpose))
        return failure();
      isAnyComputed |= isComputed;
      transposes.push_back(transpose);
    }
    if (!isAnyComputed)
      return failure();
    const size_t half = transposes.size() / 2;
    std::rotate(transposes.begin(), transposes.begin() + half,
                transposes.end());
    KernelGraphBuilder graph(rewriter, product.getLoc());
    SmallVector<Value> operands;
    for (TransposeOp transpose : transposes)
      operands.push_back(
          graph.transpose(transpose.getInput(), swapLast(transpose)));
    Value swapped =
        graph.apply(isa<MatmulOp>(product) ? "matmul" : "concat_matmul",
                    operands, getElementTypeOrSelf(product.getResult()));
    rewriter.replaceOp(
        product, graph.transpose(swapped, getMatrixTranspose(
                                              getRank(product.getResult()))));
    return success();
  }

private:
  static int64_t getRank(Value value) { return getShape(value).size(); }

  /// Whether it isn't an argument that is moved, repeated or sliced.
  static bool isComputed(Value value) {
    while (
        isa_and_nonnull<ReshapeOp, TransposeOp, BroadcastOp, RepeatOp, SliceOp>(
            value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    return value.getDefiningOp();
  }

  static bool isUndone(TransposeOp transpose) {
    return llvm::is_sorted(swapLast(transpose)) &&
           !transpose.getInput().template getDefiningOp<TransposeOp>();
  }

  static SmallVector<int64_t> swapLast(TransposeOp transpose) {
    SmallVector<int64_t> swapped(transpose.getPermutation());
    std::swap(swapped.back(), swapped[swapped.size() - 2]);
    return swapped;
  }
};

/// A transpose of a reshape that only adds dimensions of size 1 to what has
/// none.
struct WideTranspose {
  TransposeOp op;
  /// The order that it puts the others in.
  SmallVector<int64_t> order;

  static std::optional<WideTranspose> get(TransposeOp op) {
    auto reshape = op.getInput().getDefiningOp<ReshapeOp>();
    if (!reshape || !isOfUnits(reshape) ||
        llvm::is_contained(getShape(reshape.getInput()), 1))
      return std::nullopt;
    return WideTranspose{
        op, getNarrowOrder(getShape(reshape), op.getPermutation())};
  }
};

} // namespace

void linalg_import::populateMoveTransposesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DropUnitsOfTranspose, SwapTransposedOperands<MatmulOp>,
               SwapTransposedOperands<ConcatMatmulOp>>(patterns.getContext());
}

void linalg_import::shareTransposes(RewriterBase &rewriter,
                                    func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    SmallVector<WideTranspose> found;
    SmallVector<ArrayRef<int64_t>> orders;
    for (Operation *reader : argument.getUsers()) {
      if (auto transpose = dyn_cast<TransposeOp>(reader))
        orders.push_back(transpose.getPermutation());
      for (Operation *user : reader->getUsers())
        if (auto op = dyn_cast<TransposeOp>(user))
          if (auto transpose = WideTranspose::get(op))
            found.push_back(std::move(*transpose));
    }
    for (const WideTranspose &wide : found)
      orders.push_back(wide.order);
    for (WideTranspose &wide : found) {
      if (llvm::count(orders, ArrayRef(wide.order)) < 2)
        continue;
      rewriter.setInsertionPoint(wide.op);
      KernelGraphBuilder graph(rewriter, wide.op.getLoc());
      Value narrow = graph.transpose(argument, wide.order);
      // It may round, too.
      rewriter.replaceOp(
          wide.op,
          graph.cast(graph.reshape(narrow, getShape(wide.op.getResult())),
                     wide.op.getType().getElementType()));
    }
  }
}
