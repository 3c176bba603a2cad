//===- ScheduleOperators.cpp - Barriers only between depths ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks the scheduler for the depths of a block graph's operators and writes
// them into the IR.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/BlockPlan.h"
#include "Mirage/BlockPlan/OperatorSchedule.h"
#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_SCHEDULEOPERATORS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

/// Moves the ops of a block into the order of their depths: constants, then
/// depth by depth, input iterators first, then what does not run by itself.
/// Savers come last and stay in their order, since result i is what the i-th
/// of them writes.
static void sortByDepth(Block &block) {
  // Ops of one depth stay in their order.
  llvm::DenseMap<Operation *, size_t> positions;
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
  // What doesn't run by itself stands behind what it reads.
  llvm::DenseMap<Operation *, int64_t> depths;
  for (Operation &op : block) {
    int64_t &depth = depths[&op] = -1;
    if (auto own = op.getAttrOfType<IntegerAttr>(kDepthAttr)) {
      depth = own.getInt();
      continue;
    }
    for (Value operand : op.getOperands())
      if (auto maker = depths.find(operand.getDefiningOp());
          maker != depths.end())
        depth = std::max(depth, maker->second);
  }
  auto getKey = [&](Operation *op) -> std::tuple<int64_t, bool, size_t> {
    size_t position = positions.lookup(op);
    if (op->hasTrait<OpTrait::IsTerminator>())
      return {kLast, true, position};
    if (isa<block::OutputSaver>(op))
      return {kLast, false, position};
    return {depths.lookup(op), !isa<block::InputIterator>(op), position};
  };
  SmallVector<Operation *> ops;
  for (Operation &op : block) {
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
  llvm::sort(ops,
             [&](Operation *a, Operation *b) { return getKey(a) < getKey(b); });
  for (Operation *op : ops)
    op->moveBefore(&block, block.end());
}

/// Schedules the operators of a block graph or of its loop. Returns the most
/// shared memory that they take at one depth, in bytes. `innerBytes` are those
/// of the loops.
static int64_t
schedule(Block &block, bool hoistLoads, int64_t workLimit,
         const llvm::DenseMap<Operation *, int64_t> &innerBytes) {
  bool isLoop = isa<block::LoopOp>(block.getParentOp());
  OperatorScheduleProblem problem;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> positions;
  // Operators that run in front of the loop take no depth of its iterations.
  SmallVector<Operation *> hoisted;
  int64_t hoistedBytes = 0;
  for (Operation &op : block) {
    op.removeAttr(kDepthAttr);
    if (!isStaged(&op))
      continue;
    if (isHoisted(&op) && !isa<block::InputIterator>(op)) {
      hoisted.push_back(&op);
      for (Value result : op.getResults())
        hoistedBytes += isInSharedMemory(result) ? getPlacedBytes(result) : 0;
      continue;
    }
    positions[&op] = ops.size();
    ops.push_back(&op);
    problem.scratchBytes.push_back(getScratchBytes(&op) +
                                   innerBytes.lookup(&op));
    problem.isHoisted.push_back(isa<block::InputIterator>(op) &&
                                (hoistLoads || isHoisted(&op)));
  }
  for (auto [position, op] : llvm::enumerate(ops)) {
    if (isMadeWhereRead(op))
      continue;
    for (Value result : op->getResults()) {
      // What stays in registers takes no bytes, but comes first all the same.
      bool isInRegisters = isReadFromRegisters(result);
      if (!isInSharedMemory(result) && !isInRegisters)
        continue;
      ScheduledTile tile{static_cast<unsigned>(position),
                         {},
                         isInRegisters ? 0 : getPlacedBytes(result)};
      tile.isPipelined =
          getNumStages(op) > 1 || isHoisted(op) || isLoadedByProducer(op);
      for (OpOperand &use : result.getUses())
        tile.livesToEnd |= isRescaled(use);
      for (Operation *reader : getReaders(result))
        if (positions.contains(reader))
          tile.readers.push_back(positions.lookup(reader));
      problem.tiles.push_back(std::move(tile));
    }
  }
  // A loop with rescaled sums ends every iteration with barriers.
  int64_t maximaBytes = 0;
  if (isLoop)
    if (auto scratch = dyn_cast<ScratchOpInterface>(block.getTerminator());
        scratch && !hasRowChain(cast<block::LoopOp>(block.getParentOp())))
      for (TileType type : scratch.getScratchTypes())
        maximaBytes += getTileBytes(type);
  problem.repeats = isLoop && maximaBytes == 0;

  OperatorSchedule best = scheduleOperators(problem, workLimit);
  if (!best.isOptimal)
    block.getParentOp()->emitRemark()
        << "has operators that could run at several depths, too many to try "
           "all; the best order that was found takes "
        << best.peakBytes << " bytes of shared memory";
  Builder builder(block.getParentOp()->getContext());
  auto setDepth = [&](Operation *op, int64_t depth) {
    op->setAttr(kDepthAttr, builder.getI64IntegerAttr(depth));
  };
  // Behind what they read, and in front of what is not a load.
  int64_t shift = 0;
  for (Operation *op : hoisted) {
    int64_t depth = 1;
    for (Value tile : getTilesRead(op))
      if (auto known =
              tile.getDefiningOp()->getAttrOfType<IntegerAttr>(kDepthAttr))
        depth = std::max(depth, known.getInt() + 1);
    setDepth(op, depth);
    shift = std::max(shift, depth);
  }
  // What reads nothing but hoisted tiles is at the schedule's first depth.
  auto readsHoisted = [](auto pair) {
    auto [op, depth] = pair;
    return depth == 0 && !isa<block::InputIterator>(op);
  };
  if (shift > 0 &&
      llvm::any_of(llvm::zip_equal(ops, best.depths), readsHoisted))
    ++shift;
  for (auto [op, depth] : llvm::zip_equal(ops, best.depths))
    setDepth(op,
             depth == 0 && isa<block::InputIterator>(op) ? 0 : depth + shift);
  sortByDepth(block);
  return best.peakBytes + maximaBytes + hoistedBytes;
}

namespace {
class ScheduleOperators
    : public mirage::impl::ScheduleOperatorsBase<ScheduleOperators> {
public:
  using ScheduleOperatorsBase::ScheduleOperatorsBase;

  void runOnOperation() override {
    TargetAttr chip = beginPlanning(getOperation(), threads, target);
    if (!chip)
      return signalPassFailure();
    getOperation().walk([&](kernel::GraphDefinedOp graph) {
      // Places depend on depths.
      dropPlaces(graph);
      // What an op takes depends on the threads: the option's, unless the
      // kernel says how many.
      setDefaultThreads(graph, threads);
      llvm::DenseMap<Operation *, int64_t> loopBytes, noLoops;
      for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>())
        loopBytes[loop] = schedule(loop.getBody().front(), hoistLoads,
                                   workLimit, /*innerBytes=*/noLoops);
      int64_t bytes =
          schedule(graph.getBlockGraph(), hoistLoads, workLimit, loopBytes);
      // What runs at once takes memory at once: then one by one.
      if (bytes > chip.getSharedBytes())
        graph.walk([](Operation *op) { op->removeAttr(kDepthAttr); });
    });
  }
};
} // namespace
