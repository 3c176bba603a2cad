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

using namespace mirage;
using namespace mlir;

/// Whether an operator folds the last dimension of a tile, which its result has
/// as 1.
static bool foldsRows(OperatorOpInterface op) {
  std::optional<Fold> fold = getFold(op);
  if (!fold)
    return false;
  ArrayRef<int64_t> operand = getShape(op->getOperand(0)),
                    result = getShape(op->getResult(0));
  return !operand.empty() && result.size() == operand.size() &&
         fold->dim == operand.size() - 1 && fold->size == operand.back() &&
         result.back() == 1 && result.drop_back() == operand.drop_back();
}

/// Whether what an op makes of rows is rows again, or an element of each.
static bool computesRows(Operation *op) {
  if (auto semantics = dyn_cast<OperatorOpInterface>(op))
    return semantics.getSemantics().isElementwise() || foldsRows(semantics);
  return isa<block::GraphDefinedOp>(op);
}

std::optional<KeptRowsShape>
mirage::findKeptRows(BlockGraphOpInterface kernel) {
  SmallVector<KeptRowsShape::Access> accesses;
  SmallVector<ArrayRef<int64_t>> computed;
  for (Operation &op : kernel->getRegion(0).front()) {
    auto addAccess = [&](Value tensor, Value tile, bool isInput) {
      int64_t bits =
          cast<ShapedType>(tensor.getType()).getElementTypeBitWidth();
      accesses.push_back({getShape(tile), bits, isInput});
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
  return KeptRowsShape::get(accesses, computed);
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
