//===- KeptRows.cpp - Rows that stay in registers -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/KeptRows.h"
#include "Mirage/BlockPlan/ElementMap.h"
#include "Mirage/BlockPlan/FoldPlan.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Dialect/Mirage/TensorView.h"

using namespace mirage;
using namespace mlir;

/// Whether what an op makes of rows is rows again, or an element of each.
static bool computesRows(Operation *op) {
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  if (!semantics)
    return isa<block::GraphDefinedOp>(op);
  if (semantics.getSemantics().isElementwise())
    return true;
  std::optional<Fold> fold = getFold(semantics);
  return fold &&
         KeptRowsShape::foldsRows(getShape(op->getOperand(0)),
                                  getShape(op->getResult(0)), fold->dim);
}

/// Whether rows of a tensor that are parts of another one's rows begin as whole
/// ones do.
static bool isAligned(Value tensor) {
  TensorView view = getTensorView(tensor);
  auto whole = cast<ShapedType>(view.whole.getType());
  if (getShape(tensor).empty() ||
      whole.getShape().back() == getShape(tensor).back())
    return true;
  int64_t bits = whole.getElementTypeBitWidth();
  return KeptRowsShape::areSectors(whole.getShape().back(), bits) &&
         KeptRowsShape::areSectors(view.offsets.back(), bits);
}

std::optional<KeptRowsShape>
mirage::findKeptRows(BlockGraphOpInterface kernel) {
  SmallVector<KeptRowsShape::Access> accesses;
  SmallVector<ArrayRef<int64_t>> computed;
  bool areAligned = true;
  for (Operation &op : kernel->getRegion(0).front()) {
    auto addAccess = [&](Value tensor, Value tile, bool isInput) {
      int64_t bits =
          cast<ShapedType>(tensor.getType()).getElementTypeBitWidth();
      accesses.push_back({getShape(tile), bits, isInput});
      areAligned &= isAligned(tensor);
    };
    if (auto input = dyn_cast<block::InputIterator>(op))
      addAccess(input.getTensor(), input.getTile(), /*isInput=*/true);
    else if (auto saver = dyn_cast<block::OutputSaver>(op))
      addAccess(saver.getTensor(), saver.getTile(), /*isInput=*/false);
    else if (computesRows(&op))
      for (Value result : op.getResults())
        computed.push_back(getShape(result));
    else if (!isa<ConstantOp>(op) && !op.hasTrait<OpTrait::IsTerminator>())
      return std::nullopt;
  }
  return areAligned ? KeptRowsShape::get(accesses, computed) : std::nullopt;
}

bool mirage::keepsRows(Operation *op) {
  return getKernelAttr<UnitAttr>(op, kKeptRowsAttr) != nullptr;
}

LogicalResult mirage::verifyKeptRows(BlockGraphOpInterface kernel) {
  if (!keepsRows(kernel))
    return success();
  std::optional<KeptRowsShape> rows = findKeptRows(kernel);
  if (!rows)
    return kernel->emitOpError()
           << "has '" << kKeptRowsAttr
           << "', but does not compute with rows that its threads have "
              "registers for";
  if (getNumThreads(kernel) == rows->getNumThreads())
    return success();
  return kernel->emitOpError()
         << "has '" << kKeptRowsAttr << "' and " << getNumThreads(kernel)
         << " threads, but its rows need " << rows->getNumThreads();
}
