//===- TensorView.cpp - Tensors that are parts of others ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/TensorView.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mirage;
using namespace mlir;

ArrayRef<int64_t> TensorView::getShape() const {
  return cast<ShapedType>(whole.getType()).getShape();
}

static bool isOfKernelGraph(Operation *op) {
  return op->getName().getDialectNamespace() == getDialectName(Level::Kernel);
}

/// The operator of an op of a kernel graph, if it is one and keeps the element
/// type.
static const Operator *getMovement(Operation *op) {
  auto movement = dyn_cast_or_null<OperatorOpInterface>(op);
  // It may not have been verified.
  if (!movement || !isOfKernelGraph(op) || op->getNumResults() != 1)
    return nullptr;
  Type type = getElementTypeOrSelf(op->getResult(0));
  return llvm::all_of(op->getOperandTypes(),
                      [&](Type t) { return getElementTypeOrSelf(t) == type; })
             ? &movement.getSemantics()
             : nullptr;
}

static bool isJoin(Operation *op) {
  const Operator *movement = getMovement(op);
  return movement && movement->isJoin();
}

/// Whether all that read a tensor are kernels, which can read a part.
static bool isReadByKernels(Value tensor) {
  return llvm::all_of(tensor.getUsers(), [](Operation *user) {
    return isOfKernelGraph(user) && !isReinterpretation(user);
  });
}

/// Whether a tensor is computed by a kernel, which can write it as a part.
static bool isWrittenAsPart(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op || !isOfKernelGraph(op) || !isReadByKernels(tensor) ||
      llvm::count_if(tensor.getUsers(), isJoin) != 1)
    return false;
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  return !semantics ||
         !(isReinterpretation(op) || semantics.getSemantics().isView());
}

bool mirage::isReinterpretation(Operation *op) {
  const Operator *movement = getMovement(op);
  return movement && movement->isReinterpretation();
}

bool mirage::isInPlace(Operation *op) {
  const Operator *movement = getMovement(op);
  if (!movement)
    return false;
  if (movement->isView())
    return isReadByKernels(op->getResult(0));
  return movement->isJoin() && llvm::all_of(op->getOperands(), isWrittenAsPart);
}

/// The concatenation that a tensor is written as a part of, if there is one.
static Operation *getJoin(Value tensor) {
  auto join = llvm::find_if(tensor.getUsers(), isJoin);
  return join != tensor.getUsers().end() && isInPlace(*join) ? *join : nullptr;
}

TensorView mirage::getTensorView(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    if (auto graph = dyn_cast_or_null<BlockGraphOpInterface>(
            argument.getOwner()->getParentOp()))
      tensor = graph->getOperand(argument.getArgNumber());
  TensorView view{tensor, {}};
  view.offsets.resize(cast<ShapedType>(tensor.getType()).getRank());
  while (true) {
    Operation *slice = view.whole.getDefiningOp();
    if (const Operator *movement = getMovement(slice);
        movement && movement->isView() && isInPlace(slice)) {
      const Params params = cast<OperatorOpInterface>(slice).getParams();
      view.offsets[params[0]] += params[1];
      view.whole = slice->getOperand(0);
    } else if (Operation *join = getJoin(view.whole)) {
      const int64_t dim = cast<OperatorOpInterface>(join).getParams()[0];
      for (Value before : join->getOperands()) {
        if (before == view.whole)
          break;
        view.offsets[dim] += cast<ShapedType>(before.getType()).getDimSize(dim);
      }
      view.whole = join->getResult(0);
    } else {
      return view;
    }
  }
}
