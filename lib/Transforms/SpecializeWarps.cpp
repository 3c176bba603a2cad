//===- SpecializeWarps.cpp - Warps that load, warps that multiply ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/BlockPlan.h"
#include "Mirage/BlockPlan/Clusters.h"
#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/ChipFeatures.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Layout/AccessCost.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_SPECIALIZEWARPS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

namespace {
class SpecializeWarps
    : public mirage::impl::SpecializeWarpsBase<SpecializeWarps> {
public:
  using SpecializeWarpsBase::SpecializeWarpsBase;

  void runOnOperation() override {
    TargetAttr chip = beginPlanning(getOperation(), threads, target);
    if (!chip)
      return signalPassFailure();
    sharedBytes = chip.getSharedBytes();
    bool hasTMA = hasTensorMemoryAccelerator(chip.getChip());
    getOperation().walk([&](kernel::GraphDefinedOp graph) {
      // Layouts depend on who loads, and who multiplies.
      dropLayouts(graph);
      dropMarks(graph);
      if (!graph->hasAttr(kThreadsAttr))
        chooseThreads(graph);
      graph.walk([&](OperatorOpInterface op) {
        if (hasWarpgroupProducts(chip.getChip()) && canUseWarpgroups(op))
          op->setAttr(kWarpgroupsAttr, UnitAttr::get(&getContext()));
      });
      keepDepthsWhole(graph);
      bool hasRoom = isValidThreadCount(getNumThreads(graph) + kWarpSize);
      for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>()) {
        // One iteration has nothing to run ahead of.
        if (hasTMA && hasRoom && loop.getIterations() > 1 &&
            canHaveProducerWarp(loop))
          loop->setAttr(kProducerWarpAttr, UnitAttr::get(&getContext()));
        if (overlap && canOverlapProducts(loop))
          loop->setAttr(kOverlappedAttr, UnitAttr::get(&getContext()));
      }
      for (auto saver : graph.getBlockGraph().getOps<block::OutputSaver>()) {
        if (hasTMA && canStoreInBulk(saver))
          saver->setAttr(kBulkStoreAttr, UnitAttr::get(&getContext()));
      }
      if (clusters && hasTMA)
        formClusters(graph, chip.getSmCount());
    });
  }

private:
  int64_t sharedBytes = 0;

  /// Removes what the pass is about to choose, but for the threads.
  static void dropMarks(kernel::GraphDefinedOp graph) {
    graph->removeAttr(kClusterAttr);
    graph.walk([](Operation *op) {
      for (StringRef mark : {kWarpgroupsAttr, kProducerWarpAttr,
                             kOverlappedAttr, kBulkStoreAttr, kWholeDepthAttr})
        op->removeAttr(mark);
    });
  }

  /// Warps share a product's depth where shared memory has room for what they
  /// add up, beside all tiles.
  void keepDepthsWhole(kernel::GraphDefinedOp graph) const {
    const int64_t tiles = getSharedBytes(graph.getBlockGraph());
    graph.walk([&](OperatorOpInterface op) {
      if (!op.getSemantics().getMatrixProducts().empty() && !runsChain(op) &&
          tiles + getScratchBytes(op) > sharedBytes)
        op->setAttr(kWholeDepthAttr, UnitAttr::get(op->getContext()));
    });
  }

  void formClusters(kernel::GraphDefinedOp graph, int64_t numMultiprocessors) {
    std::optional<BlockCluster> cluster = chooseCluster(
        cast<BlockGraphOpInterface>(graph.getOperation()), numMultiprocessors);
    if (!cluster)
      return;
    SmallVector<int64_t> sizes(graph.getGrid().getSizes().size(), 1);
    sizes[cluster->dim] = cluster->size;
    graph->setAttr(kClusterAttr, DenseI64ArrayAttr::get(&getContext(), sizes));
  }

  /// As many threads as the option says, or twice as many, if then each holds
  /// less of what loops sum up.
  void chooseThreads(kernel::GraphDefinedOp graph) {
    auto setThreads = [&](int64_t count) {
      graph->removeAttr(kThreadsAttr);
      setDefaultThreads(graph, count);
    };
    setThreads(threads);
    if ((fillsMultiprocessor(graph) || streamsPairs(graph) ||
         computesRows(graph)) &&
        isValidThreadCount(2 * threads))
      return setThreads(2 * threads);
    // Of 32, with which there is no room for what is multiplied.
    constexpr int64_t kManyTiles = 16;
    int64_t tiles = getMostTilesPerWarp(graph);
    if (tiles <= kManyTiles || !isValidThreadCount(2 * threads))
      return;
    setThreads(2 * threads);
    if (getMostTilesPerWarp(graph) >= tiles)
      setThreads(threads);
  }

  /// Whether a multiprocessor has shared memory for one block alone, when the
  /// tiles of later iterations are on their way to it. Four warps that multiply
  /// would then leave each of its schedulers one, which waits for what it has
  /// loaded.
  bool fillsMultiprocessor(kernel::GraphDefinedOp graph) {
    for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>()) {
      int64_t bytes = 0;
      bool multiplies = false;
      for (Operation &op : loop.getBody().front()) {
        if (canLoadAhead(&op))
          bytes += getStageBytes(op.getResult(0));
        multiplies |= getTensorCoreUse(&op).has_value();
      }
      int64_t stages = std::min<int64_t>(kDefaultStages, loop.getIterations());
      if (multiplies && stages > 1 && stages * bytes > sharedBytes / 2)
        return true;
    }
    return false;
  }

  /// Whether a loop only accumulates what it loads, and threads have two
  /// elements or more: each is a chain of its own, of loads and exponentials
  /// that wait for each other.
  bool streamsPairs(kernel::GraphDefinedOp graph) {
    return llvm::any_of(
        graph.getBlockGraph().getOps<block::LoopOp>(), [&](block::LoopOp loop) {
          return isStreamed(loop) &&
                 llvm::any_of(loop->getResults(), [&](Value result) {
                   return cast<TileType>(result.getType()).getNumElements() >=
                          2 * threads;
                 });
        });
  }

  /// Whether a kernel runs once through what it loads, without products, and
  /// threads have many elements of some tile.
  bool computesRows(kernel::GraphDefinedOp graph) {
    return llvm::all_of(graph.getBlockGraph(),
                        [](Operation &op) {
                          return !isa<block::LoopOp>(op) &&
                                 !getTensorCoreUse(&op);
                        }) &&
           llvm::any_of(graph.getBlockGraph().getOps<block::InputIterator>(),
                        [&](block::InputIterator input) {
                          return cast<TileType>(input.getTile().getType())
                                     .getNumElements() >=
                                 kManyElementsPerThread * threads;
                        });
  }

  /// Of the products that a loop sums up, how many fragments a warp keeps, or
  /// would if there was room; the most of a kernel. A rescaled sum has twice
  /// as many, those of the sum and those of the iteration.
  static int64_t getMostTilesPerWarp(kernel::GraphDefinedOp graph) {
    int64_t most = 0;
    graph.walk([&](block::AccumulateOp accumulate) {
      int64_t ofLoop = 0;
      for (OpOperand &use : accumulate->getOpOperands()) {
        Operation *maker = use.get().getDefiningOp();
        std::optional<TensorCoreUse> product = getTensorCoreUse(maker);
        if (!product || use.getOperandNumber() >= accumulate.getTiles().size())
          continue;
        block::AccumulatorKind kind =
            accumulate.getKind(use.getOperandNumber());
        int64_t factor = kind == block::AccumulatorKind::RescaledSum ? 2 : 1;
        if (kind == block::AccumulatorKind::Sum || factor == 2)
          ofLoop += factor * product->plan.getNumTilesPerWarp();
      }
      most = std::max(most, ofLoop);
    });
    return most;
  }
};
} // namespace
