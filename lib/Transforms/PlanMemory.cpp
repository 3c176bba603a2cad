//===- PlanMemory.cpp - Tiles that share bytes of shared memory -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks for the smallest plan of a block graph's buffers and writes it into the
// IR.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/BlockPlan/SharedPlan.h"
#include "Mirage/BlockPlan/StorageAllocation.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_PLANMEMORY
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

/// Pairs of buffers whose sharing bytes would cost a loop's iterations a
/// barrier that they can do without.
static SmallVector<BackEdgePair> getAvoidedPairs(Block &blockGraph,
                                                 const SharedBuffers &shared) {
  SharedPlan apart(blockGraph);
  SmallVector<BackEdgePair> avoided;
  for (auto loop : blockGraph.getOps<block::LoopOp>())
    if (loop.getIterations() > 1 &&
        !needsBarrierAtBackEdge(loop, apart, /*stagesTakeTurns=*/true))
      llvm::append_range(avoided, getBackEdgePairs(shared, loop,
                                                   /*stagesTakeTurns=*/true));
  return avoided;
}

static void writePlan(kernel::GraphDefinedOp graph, const SharedBuffers &shared,
                      const StoragePlan &plan) {
  Builder builder(graph.getContext());
  llvm::MapVector<Operation *, SmallVector<int64_t>> offsets;
  for (auto [buffer, offset] : llvm::zip_equal(shared.buffers, plan.offsets)) {
    SmallVector<int64_t> &ofOp = offsets[buffer.op];
    ofOp.resize(getNumOffsets(buffer.op), -1);
    ofOp[buffer.position] = offset;
  }
  for (auto &[op, ofOp] : offsets)
    op->setAttr(kOffsetsAttr, builder.getDenseI64ArrayAttr(ofOp));
  graph->setAttr(kSharedBytesAttr, builder.getI64IntegerAttr(plan.size));
}

/// Makes tiles row-major whose layouts take more than their elements.
static void dropPadding(kernel::GraphDefinedOp graph) {
  Builder builder(graph.getContext());
  graph.walk([&](Operation *op) {
    auto layouts = op->getAttrOfType<ArrayAttr>(kLayoutsAttr);
    if (!layouts)
      return;
    SmallVector<Attribute> names(layouts.begin(), layouts.end());
    for (auto [tile, name] : llvm::zip_equal(op->getResults(), names))
      if (getLayout(tile).getBytes() >
          getTileBytes(cast<TileType>(tile.getType())))
        name = builder.getStringAttr(TileLayout().getName());
    op->setAttr(kLayoutsAttr, builder.getArrayAttr(names));
  });
}

namespace {
class PlanMemory : public mirage::impl::PlanMemoryBase<PlanMemory> {
public:
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    if (maxStages < 1 || maxStages > kMaxStages) {
      emitError(getOperation().getLoc(),
                "the number of stages must be from 1 to ")
          << kMaxStages << ", found " << maxStages.getValue();
      return signalPassFailure();
    }
    TargetAttr chip = beginPlanning(getOperation(), threads, target);
    if (!chip)
      return signalPassFailure();
    WalkResult result =
        getOperation().walk([&](kernel::GraphDefinedOp graph) -> WalkResult {
          return planGraph(graph, chip.getSharedBytes());
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult planGraph(kernel::GraphDefinedOp graph, int64_t maxBytes) {
    // Plans are for a number of threads.
    setDefaultThreads(graph, threads);
    dropPlaces(graph);
    Block &blockGraph = graph.getBlockGraph();
    if (failed(verifyDepths(blockGraph)))
      return failure();
    // Layouts are chosen before places are: there may be no room for padding.
    if (planStages(graph, maxBytes))
      return success();
    dropPadding(graph);
    if (!planStages(graph, maxBytes))
      plan(graph, maxBytes, /*isLast=*/true);
    return success();
  }

  /// Loads run as far ahead as there is room, if there is any.
  bool planStages(kernel::GraphDefinedOp graph, int64_t maxBytes) {
    for (int64_t stages = maxStages; stages >= 1; --stages)
      if (setStages(graph, stages); plan(graph, maxBytes, /*isLast=*/false))
        return true;
    return false;
  }

  /// Lets the loads of loops run ahead by `stages` iterations, or as many as
  /// there are.
  static void setStages(kernel::GraphDefinedOp graph, int64_t stages) {
    Builder builder(graph.getContext());
    graph.walk([&](block::InputIterator input) {
      input->removeAttr(kStagesAttr);
      auto loop = dyn_cast<block::LoopOp>(input->getParentOp());
      if (!loop || !canLoadAhead(input))
        return;
      int64_t count = std::min<int64_t>(stages, loop.getIterations());
      if (count > 1)
        input->setAttr(kStagesAttr, builder.getI64IntegerAttr(count));
    });
  }

  /// Writes the best plan, if it fits or there will be no other.
  bool plan(kernel::GraphDefinedOp graph, int64_t maxBytes, bool isLast) {
    Block &blockGraph = graph.getBlockGraph();
    SharedBuffers shared = getSharedBuffers(blockGraph);
    StorageProblem problem;
    for (const SharedBuffer &buffer : shared.buffers)
      problem.buffers.push_back(
          {buffer.bytes, buffer.alignment, buffer.firstStep, buffer.lastStep});
    problem.conflicts = shared.conflicts;
    llvm::append_range(problem.conflicts, getAvoidedPairs(blockGraph, shared));
    StoragePlan best = allocateStorage(problem, workLimit);
    if (best.size > maxBytes) {
      problem.conflicts = shared.conflicts;
      best = allocateStorage(problem, workLimit);
    }
    if (best.size > maxBytes && !isLast)
      return false;
    if (!best.isOptimal)
      graph.emitRemark() << "has tiles of which the best plan that was found "
                            "takes "
                         << best.size << " bytes of shared memory; at least "
                         << getLiveBytes(problem) << " are in use at once";
    writePlan(graph, shared, best);
    return true;
  }
};
} // namespace
