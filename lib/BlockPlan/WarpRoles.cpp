//===- WarpRoles.cpp - Warps that load, warps that multiply together ------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/BlockPlan/BlockPlan.h"
#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Mirage/ChipFeatures.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"

using namespace mirage;
using namespace mlir;

bool mirage::canHaveProducerWarp(block::LoopOp loop) {
  bool loads = false;
  for (auto input : loop.getBody().front().getOps<block::InputIterator>()) {
    if (!canLoadAhead(input))
      continue;
    if (getBoxLayouts(input).empty())
      return false;
    loads = true;
  }
  return loads;
}

bool mirage::hasProducerWarp(block::LoopOp loop) {
  return loop->hasAttr(kProducerWarpAttr);
}

bool mirage::hasProducerWarp(Block &blockGraph) {
  return llvm::any_of(blockGraph.getOps<block::LoopOp>(),
                      [](auto loop) { return hasProducerWarp(loop); });
}

bool mirage::isLoadedByProducer(Operation *op) {
  auto loop = dyn_cast<block::LoopOp>(op->getParentOp());
  return loop && hasProducerWarp(loop) && canLoadAhead(op);
}

SmallVector<block::InputIterator> mirage::getProducerInputs(Block &blockGraph) {
  SmallVector<block::InputIterator> inputs;
  blockGraph.walk([&](block::InputIterator input) {
    if (isLoadedByProducer(input))
      inputs.push_back(input);
  });
  return inputs;
}

int64_t mirage::getNumLoopStages(block::LoopOp loop) {
  int64_t least = 0;
  for (Operation &op : loop.getBody().front())
    if (canLoadAhead(&op))
      least =
          least == 0 ? getNumStages(&op) : std::min(least, getNumStages(&op));
  return least;
}

static LogicalResult verifyProducerWarp(Operation *op, StringRef chip) {
  auto loop = dyn_cast<block::LoopOp>(op);
  if (!loop)
    return op->emitOpError()
           << "has '" << kProducerWarpAttr << "', but is not a loop";
  if (!hasTensorMemoryAccelerator(chip))
    return op->emitOpError() << "has '" << kProducerWarpAttr << "', but "
                             << chip << " has no tensor memory accelerator";
  if (getNumLoopStages(loop) == 0)
    return op->emitOpError() << "has '" << kProducerWarpAttr
                             << "', but no tile that could be loaded ahead";
  for (auto input : loop.getBody().front().getOps<block::InputIterator>())
    if (canLoadAhead(input) && !getBoxCopies(input)) {
      InFlightDiagnostic diagnostic = op->emitOpError();
      diagnostic << "has '" << kProducerWarpAttr
                 << "', but a tile that the tensor memory accelerator can't "
                    "load";
      diagnostic.attachNote(input.getLoc()) << "the tile, in its layout";
      return diagnostic;
    }
  return success();
}

LogicalResult mirage::verifyWarpRoles(Block &blockGraph, StringRef chip) {
  WalkResult result = blockGraph.walk([&](Operation *op) -> WalkResult {
    if (op->hasAttr(kProducerWarpAttr) && failed(verifyProducerWarp(op, chip)))
      return WalkResult::interrupt();
    if (!op->hasAttr(kWarpgroupsAttr))
      return WalkResult::advance();
    if (!canUseWarpgroups(op))
      return op->emitOpError()
             << "has '" << kWarpgroupsAttr
             << "', but is no product of tiles that warpgroups can compute";
    if (!hasWarpgroupProducts(chip))
      return op->emitOpError() << "has '" << kWarpgroupsAttr << "', but "
                               << chip << " has no such instruction";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
