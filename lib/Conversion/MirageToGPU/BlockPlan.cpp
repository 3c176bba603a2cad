//===- BlockPlan.cpp - Where tiles live and when operators run ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockPlan.h"
#include "Mirage/Dialect/Block/Block.h"

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

/// Whether the elements of a tile go through shared memory.
static bool isInSharedMemory(Value tile) {
  if (isa<ConstantOp>(tile.getDefiningOp()))
    return false;
  return !absorbsSinks(tile) ||
         llvm::any_of(tile.getUses(), [](OpOperand &use) {
           return !isSink(use.getOwner()) || isRescaled(use);
         });
}

SharedPlan::SharedPlan(Block &blockGraph) {
  auto place = [&](TileType type) {
    int64_t offset = size;
    size += getTileBytes(type);
    return offset;
  };
  blockGraph.walk([&](Operation *op) {
    for (Value result : op->getResults()) {
      auto type = dyn_cast<TileType>(result.getType());
      if (type && isInSharedMemory(result) && !result.use_empty())
        offsets[result] = place(type);
    }
    if (auto accumulate = dyn_cast<block::AccumulateOp>(op))
      for (Value maximum : accumulate.getMaxima())
        if (!runningMaxima.contains(maximum))
          runningMaxima[maximum] = place(cast<TileType>(maximum.getType()));
  });
}

/// Whether `op` runs as a part of the op that makes its tile.
static bool isAbsorbed(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() ||
         (isSink(op) && absorbsSinks(op->getOperand(0)));
}

Stages mirage::getStages(Block &block) {
  llvm::DenseMap<Operation *, size_t> depths;
  Stages stages;
  for (Operation &op : block) {
    if (isAbsorbed(&op))
      continue;
    size_t depth = 0;
    for (Value operand : op.getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && !isa<ConstantOp>(producer))
        depth = std::max(depth, depths.lookup(producer) + 1);
    }
    depths[&op] = depth;
    if (stages.size() <= depth)
      stages.resize(depth + 1);
    stages[depth].push_back(&op);
  }
  return stages;
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
