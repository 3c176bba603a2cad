//===- BlockPlan.cpp - When the operators of a block run ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/BlockPlan.h"
#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/BlockPlan/FoldPlan.h"
#include "Mirage/BlockPlan/KeptRows.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include <map>

using namespace mirage;
using namespace mlir;

bool mirage::isSink(Operation *op) {
  return isa<block::OutputSaver, block::AccumulateOp>(op);
}

bool mirage::absorbsSinks(Value tile) {
  return !isa<block::LoopOp>(tile.getDefiningOp());
}

bool mirage::isRescaled(OpOperand &use) {
  auto accumulate = dyn_cast<block::AccumulateOp>(use.getOwner());
  if (!accumulate)
    return false;
  unsigned i = use.getOperandNumber();
  return i >= accumulate.getTiles().size() ||
         accumulate.getKind(i) == block::AccumulatorKind::RescaledSum;
}

std::optional<block::AccumulatorKind> mirage::getOnlyAccumulation(Value tile) {
  if (!tile.hasOneUse())
    return std::nullopt;
  OpOperand &use = *tile.use_begin();
  auto accumulate = dyn_cast<block::AccumulateOp>(use.getOwner());
  unsigned i = use.getOperandNumber();
  if (!accumulate || i >= accumulate.getTiles().size())
    return std::nullopt;
  return accumulate.getKind(i);
}

bool mirage::isInSharedMemory(Value tile) {
  Operation *maker = tile.getDefiningOp();
  if (isMadeWhereRead(maker) || keepsRows(maker) || isInlined(tile) ||
      isReadFromRegisters(tile) || isStreamed(maker))
    return false;
  if (std::optional<TensorCoreUse> use = getTensorCoreUse(maker);
      use && use->inRegisters)
    return false;
  return !absorbsSinks(tile) ||
         llvm::any_of(tile.getUses(), [](OpOperand &use) {
           return !isSink(use.getOwner()) || isRescaled(use);
         });
}

int64_t mirage::getNumStages(Operation *op) {
  auto stages = op->getAttrOfType<IntegerAttr>(kStagesAttr);
  return stages ? stages.getInt() : 1;
}

/// An op's attribute with a value for each of its results, at `tile`'s.
static int64_t getOfResult(Value tile, StringRef name, int64_t otherwise) {
  auto result = cast<OpResult>(tile);
  auto values = result.getOwner()->getAttrOfType<DenseI64ArrayAttr>(name);
  return values ? values[result.getResultNumber()] : otherwise;
}

int64_t mirage::getPlacedAlignment(Value tile) {
  bool inBoxes = isLoadedByProducer(tile.getDefiningOp()) ||
                 llvm::any_of(tile.getUsers(), isStoredInBulk);
  return std::max({getOfResult(tile, kTileAlignmentsAttr, kTileAlignment),
                   getLayout(tile).getAlignment(),
                   inBoxes ? tensor_map::kBoxAlignment : kTileAlignment});
}

int64_t mirage::getStageBytes(Value tile) {
  int64_t bytes = std::max(getLayout(tile).getBytes(),
                           getOfResult(tile, kTileBytesAttr, 0));
  return llvm::alignTo(bytes, getPlacedAlignment(tile));
}

int64_t mirage::getPlacedBytes(Value tile) {
  return getStageBytes(tile) * getNumStages(tile.getDefiningOp());
}

int64_t mirage::getScratchBytes(Operation *op) {
  int64_t bytes = 0;
  if (isChained(op))
    return bytes;
  if (runsChain(op))
    bytes = getRowChain(op)->getScratchBytes();
  else if (std::optional<TensorCoreUse> use = getTensorCoreUse(op))
    bytes = use->plan.getScratchBytes();
  bytes = std::max(bytes, getFoldScratchBytes(op));
  if (auto loop = dyn_cast<block::LoopOp>(op); loop && hasProducerWarp(loop))
    bytes = 2 * kMbarrierBytes * getNumLoopStages(loop);
  if (auto asked = op->getAttrOfType<IntegerAttr>(kScratchBytesAttr))
    bytes = std::max(bytes, asked.getInt());
  return llvm::alignTo(bytes, kTileAlignment);
}

bool mirage::isStaged(Operation *op) {
  // Where rows are kept ops run in their order.
  if (op->hasTrait<OpTrait::IsTerminator>() || keepsRows(op))
    return false;
  if (isMadeWhereRead(op))
    return llvm::any_of(op->getUsers(), isSink);
  if (isChained(op) ||
      (op->getNumResults() == 1 && isInlined(op->getResult(0))) ||
      isStreamed(op))
    return false;
  return !isSink(op) || !absorbsSinks(op->getOperand(0));
}

Stages mirage::getStages(Block &block) {
  std::map<int64_t, SmallVector<Operation *>> stages;
  int64_t next = 0;
  for (Operation &op : block) {
    if (!isStaged(&op))
      continue;
    auto depth = op.getAttrOfType<IntegerAttr>(kDepthAttr);
    stages[depth ? depth.getInt() : next++].push_back(&op);
  }
  Stages result;
  for (auto &[depth, ops] : stages)
    result.push_back(std::move(ops));
  return result;
}

static LogicalResult verifyDepthsOf(Block &block) {
  Operation *with = nullptr, *without = nullptr;
  for (Operation &op : block) {
    bool hasDepth = op.hasAttr(kDepthAttr);
    if (!isStaged(&op)) {
      if (hasDepth)
        return op.emitOpError()
               << "has a '" << kDepthAttr << "', but does not run by itself";
      continue;
    }
    Operation *&first = hasDepth ? with : without;
    if (!first)
      first = &op;
  }
  if (with && without) {
    InFlightDiagnostic diagnostic = without->emitOpError();
    diagnostic << "has no '" << kDepthAttr << "'";
    diagnostic.attachNote(with->getLoc())
        << "another operator of its block has one";
    return diagnostic;
  }
  if (!with)
    return success();
  auto getDepth = [](Operation *op) {
    return op->getAttrOfType<IntegerAttr>(kDepthAttr).getInt();
  };
  for (Operation &op : block) {
    if (!isStaged(&op))
      continue;
    for (Value tile : getTilesRead(&op)) {
      Operation *maker = tile.getDefiningOp();
      if (getDepth(maker) < getDepth(&op))
        continue;
      InFlightDiagnostic diagnostic = op.emitOpError();
      diagnostic << "has depth " << getDepth(&op)
                 << ", but reads a tile that is made at depth "
                 << getDepth(maker);
      diagnostic.attachNote(maker->getLoc()) << "the tile is made here";
      return diagnostic;
    }
  }
  return success();
}

LogicalResult mirage::verifyDepths(Block &blockGraph) {
  for (auto loop : blockGraph.getOps<block::LoopOp>())
    if (failed(verifyDepthsOf(loop.getBody().front())))
      return failure();
  return verifyDepthsOf(blockGraph);
}
