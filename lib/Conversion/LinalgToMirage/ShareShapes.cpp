//===- ShareShapes.cpp - Arguments that are read in one shape -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group norm reduces its input by groups, and then computes with it by
// channels, as torch-mlir writes it: the argument is read in two shapes, and
// blocks would load it twice. What is elementwise can work on the shape that
// is reduced.
//
//===----------------------------------------------------------------------===//

#include "DimGroups.h"
#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

/// Which dimensions of a split of a shape one of as many dimensions has that is
/// broadcast to the shape; none if it isn't.
static std::optional<SmallVector<bool>> getWideDims(ArrayRef<int64_t> narrow,
                                                    ArrayRef<int64_t> shape,
                                                    ArrayRef<int64_t> split) {
  if (narrow.size() > shape.size())
    return std::nullopt;
  SmallVector<bool> wide;
  const size_t missing = shape.size() - narrow.size();
  for (auto [d, size] : llvm::enumerate(shape)) {
    const int64_t own = d < missing ? 1 : narrow[d - missing];
    if (own != 1 && own != size)
      return std::nullopt;
    for (int64_t left = size; left > 1; split = split.drop_front()) {
      if (split.empty() || left % split.front() != 0)
        return std::nullopt;
      if (split.front() == 1)
        continue;
      wide.push_back(own != 1);
      left /= split.front();
    }
  }
  return wide;
}

namespace {

/// f(x, reshape(y)) -> reshape(f(reshape(x), y)), where the argument x is
/// reshaped so for others.
struct ShareShape : OpInterfaceRewritePattern<OperatorOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(OperatorOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!op.getSemantics().isElementwise() || op->getNumResults() != 1)
      return failure();
    ArrayRef<int64_t> shape = getShape(op->getResult(0));
    for (Value operand : op->getOperands())
      if (getShape(operand) == shape)
        for (ArrayRef<int64_t> other : getOtherShapes(operand))
          if (succeeded(rewrite(op, other, rewriter)))
            return success();
    return failure();
  }

private:
  /// Those that an operand of full size has elsewhere: an argument that
  /// somebody reshapes, or what is computed of such a one.
  static SmallVector<ArrayRef<int64_t>> getOtherShapes(Value operand) {
    SmallVector<ArrayRef<int64_t>> shapes;
    if (auto reshape = getReshape(operand))
      if (readsReduced(reshape.getInput()))
        shapes.push_back(getShape(reshape.getInput()));
    if (isa<BlockArgument>(operand))
      for (Operation *user : operand.getUsers())
        if (auto reshape = dyn_cast<ReshapeOp>(user);
            reshape && isRead(reshape))
          shapes.push_back(getShape(reshape.getResult()));
    return shapes;
  }

  static ReshapeOp getReshape(Value operand) {
    auto reshape = operand.getDefiningOp<ReshapeOp>();
    return reshape && !isa<BlockArgument>(reshape.getInput()) &&
                   getElementTypeOrSelf(reshape.getInput()) ==
                       getElementTypeOrSelf(operand)
               ? reshape
               : ReshapeOp();
  }

  /// Whether it is reduced in that shape, or what is computed of it element by
  /// element.
  static bool isRead(ReshapeOp reshape) {
    if (getElementTypeOrSelf(reshape.getInput()) !=
        getElementTypeOrSelf(reshape.getResult()))
      return false;
    return isAnyElementwiseUser(reshape.getResult(), [](Operation *user) {
      auto op = dyn_cast<OperatorOpInterface>(user);
      return op && op.getSemantics().isReduction();
    });
  }

  /// Whether a value is computed, element by element, of an argument that is
  /// reduced in its shape.
  static bool readsReduced(Value value) {
    constexpr size_t kMost = 16;
    llvm::SetVector<Value> values;
    values.insert(value);
    for (size_t i = 0; i < values.size() && i < kMost; ++i) {
      if (auto reshape = values[i].getDefiningOp<ReshapeOp>())
        if (isa<BlockArgument>(reshape.getInput()) && isRead(reshape))
          return true;
      auto op = values[i].getDefiningOp<OperatorOpInterface>();
      if (op && op.getSemantics().isElementwise())
        for (Value operand : op->getOperands())
          if (getShape(operand) == getShape(value))
            values.insert(operand);
    }
    return false;
  }

  static LogicalResult rewrite(OperatorOpInterface op, ArrayRef<int64_t> other,
                               PatternRewriter &rewriter) {
    ArrayRef<int64_t> shape = getShape(op->getResult(0));
    std::optional<SmallVector<int64_t>> split = getCommonSplit(shape, other);
    if (!split || shape == other)
      return failure();
    // Each in the other shape: broadcast there to the same elements.
    SmallVector<Value> inputs;
    for (Value operand : op->getOperands()) {
      ReshapeOp reshape = getReshape(operand);
      if (getShape(operand).empty())
        inputs.push_back(operand);
      else if (reshape && getWideDims(getShape(operand), shape, *split) &&
               getWideDims(getShape(operand), shape, *split) ==
                   getWideDims(getShape(reshape.getInput()), other, *split))
        inputs.push_back(reshape.getInput());
      else if (isa<BlockArgument>(operand) && getShape(operand) == shape)
        inputs.push_back(Value());
      else
        return failure();
    }
    KernelGraphBuilder graph(rewriter, op.getLoc());
    for (auto [input, operand] : llvm::zip_equal(inputs, op->getOperands()))
      if (!input)
        input = graph.reshape(operand, other);
    Value result = cloneInShape(rewriter, op, inputs, other);
    rewriter.replaceOp(op, graph.reshape(result, shape));
    return success();
  }
};

} // namespace

void linalg_import::populateShareShapesPatterns(RewritePatternSet &patterns) {
  patterns.add<ShareShape>(patterns.getContext());
}
