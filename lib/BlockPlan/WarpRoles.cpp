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
#include "Mirage/BlockPlan/ElementMap.h"
#include "Mirage/BlockPlan/RowChain.h"
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

/// Whether a saver reads its tile from shared memory, after others have made
/// it.
static bool readsSharedMemory(block::OutputSaver saver) {
  Value tile = saver.getTile();
  return isStaged(saver) && isa<block::LoopOp>(tile.getDefiningOp()) &&
         isInSharedMemory(tile);
}

bool mirage::canStoreInBulk(block::OutputSaver saver) {
  auto tile = cast<TileType>(saver.getTile().getType());
  TileLayout rowMajor{SmallVector<int64_t, 4>(tile.getShape()),
                      tile.getElementTypeBitWidth() / 8};
  // Row-major in any case, as it stays if nobody chooses layouts.
  return readsSharedMemory(saver) && getBoxCopies(saver, rowMajor);
}

bool mirage::isStoredInBulk(Operation *op) {
  auto saver = dyn_cast<block::OutputSaver>(op);
  return saver && saver->hasAttr(kBulkStoreAttr) && readsSharedMemory(saver);
}

SmallVector<Operation *> mirage::getMappedOps(Block &blockGraph) {
  SmallVector<Operation *> ops;
  blockGraph.walk([&](block::InputIterator input) {
    if (isLoadedByProducer(input))
      ops.push_back(input);
  });
  for (auto saver : blockGraph.getOps<block::OutputSaver>())
    if (isStoredInBulk(saver))
      ops.push_back(saver);
  return ops;
}

int64_t mirage::getNumLoopStages(block::LoopOp loop) {
  int64_t least = 0;
  for (Operation &op : loop.getBody().front())
    if (canLoadAhead(&op))
      least =
          least == 0 ? getNumStages(&op) : std::min(least, getNumStages(&op));
  return least;
}

/// The tiles of two iterations and of one on its way.
static constexpr int64_t kLeastOverlappedStages = 3;

/// Why the last product of a loop's chain can't run an iteration behind; null
/// if it can.
static const char *getObstacleToOverlap(block::LoopOp loop) {
  std::optional<RowChain> chain = getRowChain(loop);
  if (!chain)
    return "no row chain";
  if (!hasProducerWarp(loop))
    return "no producer warp";
  if (loop.getIterations() < kLeastOverlappedStages)
    return "fewer than 3 iterations";
  if (!chain->hasTwoProducts())
    return "a row chain of more than two products";
  OperatorOpInterface first = chain->firsts[0], last = chain->lasts[0];
  if (!isForWarpgroups(first) || !isForWarpgroups(last))
    return "a row chain with a product that is not one of warpgroups";
  ArrayRef<Operator::OperandPair> products =
      first.getSemantics().getMatrixProducts();
  int64_t depth = getShape(first->getOperand(products[0].first)).back();
  if (products.size() != 1 || depth > kMostGroupDepth)
    return "a row chain that begins with several products, or a deeper one "
           "than 256";
  if (chain->maximum && !chain->mayShiftMaximum)
    return "a row chain whose maximum can't be the greatest so far";
  if (!isLoadedByProducer(getGroupTiles(last).front().getDefiningOp()))
    return "a row chain whose last product multiplies what the producer warp "
           "doesn't load";
  if (!chain->getSizes().canKeepRows(chain->parts))
    return "a row chain for which threads have too few registers";
  return nullptr;
}

bool mirage::canOverlapProducts(block::LoopOp loop) {
  return !getObstacleToOverlap(loop);
}

bool mirage::overlapsProducts(block::LoopOp loop) {
  if (!loop->hasAttr(kOverlappedAttr) || !canOverlapProducts(loop) ||
      getNumLoopStages(loop) < kLeastOverlappedStages)
    return false;
  auto inWarpgroups = [](Operation *product) {
    std::optional<TensorCoreUse> use = getTensorCoreUse(product);
    return use && use->plan.inWarpgroups;
  };
  RowChain chain = *getRowChain(loop);
  return inWarpgroups(chain.firsts[0]) && inWarpgroups(chain.lasts[0]);
}

static LogicalResult verifyOverlap(Operation *op) {
  auto loop = dyn_cast<block::LoopOp>(op);
  const char *obstacle = loop ? getObstacleToOverlap(loop) : "no loop";
  if (!obstacle)
    return success();
  return op->emitOpError() << "has '" << kOverlappedAttr << "', but "
                           << obstacle;
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

static LogicalResult verifyBulkStore(Operation *op, StringRef chip) {
  auto saver = dyn_cast<block::OutputSaver>(op);
  if (!saver)
    return op->emitOpError()
           << "has '" << kBulkStoreAttr << "', but is not an output saver";
  if (!hasTensorMemoryAccelerator(chip))
    return op->emitOpError() << "has '" << kBulkStoreAttr << "', but " << chip
                             << " has no tensor memory accelerator";
  if (!readsSharedMemory(saver) || getBoxCopies(saver))
    return success();
  return op->emitOpError()
         << "has '" << kBulkStoreAttr
         << "', but a tile that the tensor memory accelerator can't store";
}

LogicalResult mirage::verifyWarpRoles(Block &blockGraph, StringRef chip) {
  WalkResult result = blockGraph.walk([&](Operation *op) -> WalkResult {
    if (op->hasAttr(kProducerWarpAttr) && failed(verifyProducerWarp(op, chip)))
      return WalkResult::interrupt();
    if (op->hasAttr(kOverlappedAttr) && failed(verifyOverlap(op)))
      return WalkResult::interrupt();
    if (op->hasAttr(kBulkStoreAttr) && failed(verifyBulkStore(op, chip)))
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
