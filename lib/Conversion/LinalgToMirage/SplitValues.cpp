//===- SplitValues.cpp - Values whose dimensions are split ----------------===//
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

OperatorOpInterface linalg_import::getElementwiseOfOneUse(Value value) {
  auto op = value.getDefiningOp<OperatorOpInterface>();
  return op && op->getNumResults() == 1 && op->hasOneUse() &&
                 (*op->user_begin())->getBlock() == op->getBlock() &&
                 op.getSemantics().isElementwise()
             ? op
             : OperatorOpInterface();
}

/// The reshape that merges just the dimensions of the groups into those of a
/// value; null if nothing does.
static ReshapeOp getMerge(Value value, ArrayRef<DimGroup> groups) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape || getShape(value).size() != groups.size() ||
      getElementTypeOrSelf(reshape.getInput()) != getElementTypeOrSelf(value))
    return {};
  return getShape(reshape.getInput()) ==
                 ArrayRef(getSplitShape(getShape(value), groups))
             ? reshape
             : ReshapeOp();
}

bool linalg_import::canSplit(Value value, ArrayRef<DimGroup> groups) {
  if (getShape(value).empty() || isMovedArgument(value) ||
      getMerge(value, groups))
    return true;
  OperatorOpInterface op = getElementwiseOfOneUse(value);
  return op && llvm::all_of(op->getOperands(), [&](Value operand) {
           return canSplit(operand, groups);
         });
}

Value linalg_import::cloneInShape(RewriterBase &rewriter, Operation *op,
                                  ValueRange operands,
                                  ArrayRef<int64_t> shape) {
  Operation *copy = rewriter.clone(*op);
  Value result = copy->getResult(0);
  rewriter.modifyOpInPlace(copy, [&] {
    copy->setOperands(operands);
    result.setType(cast<ShapedType>(result.getType()).clone(shape));
  });
  return result;
}

Value linalg_import::splitDims(Value value, ArrayRef<DimGroup> groups,
                               PatternRewriter &rewriter) {
  if (getShape(value).empty())
    return value;
  if (ReshapeOp merge = getMerge(value, groups))
    return merge.getInput();
  const SmallVector<int64_t> shape = getSplitShape(getShape(value), groups);
  if (isMovedArgument(value))
    return KernelGraphBuilder(rewriter, value.getLoc()).reshape(value, shape);
  Operation *op = value.getDefiningOp();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(splitDims(operand, groups, rewriter));
  return cloneInShape(rewriter, op, operands, shape);
}
