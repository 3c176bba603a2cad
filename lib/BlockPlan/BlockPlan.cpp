//===- BlockPlan.cpp - Where tiles live and when operators run ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/BlockPlan.h"
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

bool mirage::isInSharedMemory(Value tile) {
  if (isa<ConstantOp>(tile.getDefiningOp()))
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

int64_t mirage::getPlacedBytes(Value tile) {
  auto result = cast<OpResult>(tile);
  int64_t bytes = getTileBytes(cast<TileType>(tile.getType()));
  if (auto array =
          result.getOwner()->getAttrOfType<DenseI64ArrayAttr>(kTileBytesAttr))
    bytes = std::max<int64_t>(
        bytes, llvm::alignTo(array[result.getResultNumber()], kTileAlignment));
  return bytes * getNumStages(result.getOwner());
}

int64_t mirage::getScratchBytes(Operation *op) {
  auto bytes = op->getAttrOfType<IntegerAttr>(kScratchBytesAttr);
  return bytes ? llvm::alignTo(bytes.getInt(), kTileAlignment) : 0;
}

SharedPlan::SharedPlan(Block &blockGraph) {
  auto place = [&](int64_t bytes) {
    int64_t offset = size;
    size += bytes;
    return offset;
  };
  blockGraph.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isa<TileType>(result.getType()) && isInSharedMemory(result) &&
          !result.use_empty())
        offsets[result] = place(getPlacedBytes(result));
    if (auto accumulate = dyn_cast<block::AccumulateOp>(op))
      for (Value maximum : accumulate.getMaxima())
        if (!runningMaxima.contains(maximum))
          runningMaxima[maximum] =
              place(getTileBytes(cast<TileType>(maximum.getType())));
  });
}

bool mirage::isStaged(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (isa<ConstantOp>(op))
    return llvm::any_of(op->getUsers(), isSink);
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
    for (Value tile : op.getOperands()) {
      Operation *maker = tile.getDefiningOp();
      if (!maker || isa<ConstantOp>(maker) || getDepth(maker) < getDepth(&op))
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

bool mirage::needsBarrierAtBackEdge(const Stages &stages) {
  if (stages.size() < 2)
    return false;
  return llvm::any_of(stages.back(), [&](Operation *reader) {
    return llvm::any_of(reader->getOperands(), [&](Value tile) {
      Operation *producer = tile.getDefiningOp();
      return producer && !isa<ConstantOp>(producer) &&
             llvm::is_contained(stages.front(), producer);
    });
  });
}
