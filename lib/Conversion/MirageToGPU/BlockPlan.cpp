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

bool mirage::variesInLoop(Operation *op) {
  auto input = dyn_cast<block::InputIterator>(op);
  return input && input.getFmap() && input.getFmap()->getDim() != kReplica;
}

/// Whether the elements of a tile go through shared memory.
static bool isInSharedMemory(Value tile, int64_t threads) {
  Operation *op = tile.getDefiningOp();
  if (isa<ConstantOp>(op) || isInlined(tile) || tile.use_empty())
    return false;
  if (std::optional<TensorCoreUse> use = getTensorCoreUse(op, threads);
      use && use->inRegisters)
    return false;
  return !absorbsSinks(tile) ||
         llvm::any_of(tile.getUses(), [](OpOperand &use) {
           return !isSink(use.getOwner()) || isRescaled(use);
         });
}

SharedPlan::SharedPlan(Block &blockGraph, int64_t threads, int64_t maxBytes) {
  auto place = [&](int64_t bytes) {
    int64_t offset = size;
    size += bytes;
    return offset;
  };
  // Of the loop's input iterators that load ahead, the bytes of an iteration.
  int64_t ahead = 0, iterations = 1;
  blockGraph.walk([&](Operation *op) {
    for (Value result : op->getResults()) {
      if (!isa<TileType>(result.getType()) ||
          !isInSharedMemory(result, threads))
        continue;
      auto loop = dyn_cast<block::LoopOp>(op->getParentOp());
      if (loop && variesInLoop(op) && getAsyncPiece(op)) {
        stages[op] = 1;
        ahead += getTileBytes(cast<TileType>(result.getType()));
        iterations = loop.getIterations();
      } else {
        offsets[result] = place(getTileBytes(cast<TileType>(result.getType())));
      }
    }
    if (std::optional<TensorCoreUse> use = getTensorCoreUse(op, threads))
      if (int64_t bytes = use->plan.getScratchBytes())
        scratch[op] = place(bytes);
    if (auto accumulate = dyn_cast<block::AccumulateOp>(op))
      for (Value maximum : accumulate.getMaxima())
        if (!runningMaxima.contains(maximum))
          runningMaxima[maximum] =
              place(getTileBytes(cast<TileType>(maximum.getType())));
  });
  // Enough to hide the latency of device memory, and no more.
  constexpr int64_t kMaxStages = 4;
  int64_t numStages = 1;
  while (numStages < std::min(kMaxStages, iterations) &&
         size + (numStages + 1) * ahead <= maxBytes)
    ++numStages;
  for (auto &[op, count] : stages) {
    count = numStages;
    offsets[op->getResult(0)] = place(
        numStages * getTileBytes(cast<TileType>(op->getResult(0).getType())));
  }
}

/// Whether `op` runs as a part of the op that makes its tile, or of those that
/// read it.
static bool isAbsorbed(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() ||
         (isSink(op) && absorbsSinks(op->getOperand(0))) ||
         (op->getNumResults() == 1 && isInlined(op->getResult(0)));
}

Stages mirage::getStages(Block &block) {
  llvm::DenseMap<Operation *, size_t> depths;
  Stages stages;
  for (Operation &op : block) {
    if (isAbsorbed(&op))
      continue;
    size_t depth = 0;
    for (Value tile : getTilesRead(&op))
      depth = std::max(depth, depths.lookup(tile.getDefiningOp()) + 1);
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
    return llvm::any_of(getTilesRead(reader), [&](Value tile) {
      return llvm::is_contained(stages.front(), tile.getDefiningOp());
    });
  });
}
