//===- FoldPlan.cpp - How threads share sums and maxima -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/FoldPlan.h"
#include "Mirage/BlockPlan/ElementMap.h"
#include "Mirage/BlockPlan/KeptRows.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileSources.h"

using namespace mirage;
using namespace mlir;

std::optional<Fold> mirage::getFold(OperatorOpInterface op) {
  if (op.getSemantics().isElementwise() || op->getNumOperands() != 1)
    return std::nullopt;
  SmallVector<Shape> shapes{Shape(getShape(op->getOperand(0)))};
  std::optional<IterationSpace> space =
      op.getSemantics().getIterationSpace(shapes, op.getParams());
  size_t rank = getShape(op->getResult(0)).size();
  if (!space || space->sizes.size() != rank + 1)
    return std::nullopt;
  ArrayRef<int> loops = space->operandLoops[0];
  unsigned dim = llvm::find(loops, static_cast<int>(rank)) - loops.begin();
  return Fold{space->sizes.back(), dim, space->reductionsAreSums};
}

/// How the lanes of a kept row fold what they have.
static FoldPlan getKeptFoldPlan(OperatorOpInterface op, const Fold &fold) {
  auto kernel = op->getParentOfType<BlockGraphOpInterface>();
  FoldPlan plan;
  plan.alongMemory = true;
  if (std::optional<KeptRowsShape> rows = findKeptRows(kernel)) {
    plan.width = rows->getWidth(fold.size);
    plan.parts = rows->getNumLanes();
  }
  return plan;
}

FoldPlan mirage::getFoldPlan(OperatorOpInterface op, const Fold &fold) {
  if (keepsRows(op))
    return getKeptFoldPlan(op, fold);
  constexpr int64_t kMostBytes = kWidestFoldBytes;
  Value operand = op->getOperand(0);
  int64_t count = mirage::getNumElements(getShape(op->getResult(0)));
  int64_t threads = getNumThreads(op);
  FoldPlan plan;
  plan.alongMemory = fold.dim == getFastDim(operand);
  if (!plan.alongMemory) {
    plan.parts = getFoldPartsAcross(count, fold.size, threads);
    return plan;
  }
  SmallVector<TileSource> sources = TileSources().get(operand);
  int64_t least = kMostBytes, most = 0;
  for (const TileSource &source : sources) {
    // One for all that is folded is read as one.
    if (ArrayRef(source.view.shape) == getShape(operand) &&
        source.view.strides[fold.dim] == 0)
      continue;
    int64_t bytes =
        cast<TileType>(source.tile.getType()).getElementTypeBitWidth() / 8;
    least = std::min(least, bytes);
    most = std::max(most, bytes);
  }
  // What is the same for all that is folded, a broadcast constant say.
  if (most == 0)
    least = most = kMostBytes;
  auto isVector = [&](int64_t width) {
    return llvm::all_of(sources, [&](const TileSource &source) {
      return ArrayRef(source.view.shape) == getShape(operand) &&
             (source.view.strides[fold.dim] == 0 ||
              source.view.isVector(width, fold.dim));
    });
  };
  plan.width = kMostBytes / most;
  while (plan.width > 1 &&
         (fold.size % plan.width != 0 || !isVector(plan.width)))
    plan.width /= 2;
  plan.parts = getFoldParts(count, fold.size, plan.width, least, threads);
  return plan;
}

int64_t mirage::getFoldScratchBytes(Operation *op) {
  // One that is computed where it is read takes none by itself.
  if (Operation *inlined = getInlinedFold(op))
    op = inlined;
  else if (op->getNumResults() == 1 && isInlined(op->getResult(0)))
    return 0;
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  if (!semantics || getTensorCoreUse(op))
    return 0;
  std::optional<Fold> fold = getFold(semantics);
  if (!fold)
    return 0;
  int64_t warps = getFoldPlan(semantics, *fold).getWarps();
  if (warps == 1)
    return 0;
  int64_t count = mirage::getNumElements(getShape(op->getResult(0)));
  // Each row's lanes fold, also what all rows have in common.
  if (keepsRows(op))
    if (std::optional<KeptRowsShape> rows =
            findKeptRows(op->getParentOfType<BlockGraphOpInterface>()))
      count = rows->getNumRows();
  constexpr int64_t kF32Bytes = 4;
  return count * warps * kF32Bytes;
}
