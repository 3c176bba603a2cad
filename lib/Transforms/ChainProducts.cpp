//===- ChainProducts.cpp - Rows of products that stay in registers --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Mugraph/VerdictState.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_CHAINPRODUCTS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

/// The map of an input that one iteration takes as a whole: of a dimension that
/// the grid doesn't cut, so that it varies, as what is loaded in stages does.
static FMapAttr getWholeMap(block::InputIterator input) {
  auto rank = cast<ShapedType>(input.getTensor().getType()).getRank();
  for (int64_t dim = rank - 1; dim >= 0; --dim)
    if (!llvm::is_contained(input.getImap().getDims(), dim))
      return FMapAttr::get(input.getContext(), dim);
  return FMapAttr::get(input.getContext(), kReplica);
}

/// Moves a chain, and all that makes it, into a loop of one iteration, as whose
/// body it can stay in registers.
static void moveIntoLoop(const RowChain &chain) {
  llvm::SetVector<Operation *> makers = getMakers(chain);
  Operation *last = chain.getRunner();
  OpBuilder builder(last);
  auto isMoved = [&](Operation *op) { return makers.contains(op); };
  // What others read is accumulated, which leaves it as it is.
  SmallVector<Operation *> ordered;
  SmallVector<Value> tiles, maxima;
  SmallVector<Type> types;
  SmallVector<Attribute> kinds;
  for (Operation &op : *last->getBlock()) {
    if (!isMoved(&op))
      continue;
    ordered.push_back(&op);
    for (Value tile : op.getResults()) {
      if (llvm::all_of(tile.getUsers(), isMoved))
        continue;
      auto kind = block::AccumulatorKind::Sum;
      if (tile == chain.maximum) {
        kind = block::AccumulatorKind::Max;
      } else if (chain.maximum) {
        kind = block::AccumulatorKind::RescaledSum;
        maxima.push_back(chain.maximum);
      }
      tiles.push_back(tile);
      types.push_back(tile.getType());
      kinds.push_back(
          block::AccumulatorKindAttr::get(builder.getContext(), kind));
    }
  }

  // In front of all that reads it.
  builder.setInsertionPoint(ordered.front());
  auto loop = block::LoopOp::create(builder, last->getLoc(), types,
                                    /*iterations=*/1);
  Block &body = loop.getBody().emplaceBlock();
  for (Operation *op : ordered) {
    op->moveBefore(&body, body.end());
    if (auto input = dyn_cast<block::InputIterator>(op))
      input.setFmapAttr(getWholeMap(input));
  }
  for (auto [tile, result] : llvm::zip_equal(tiles, loop.getResults()))
    tile.replaceUsesWithIf(result, [&](OpOperand &use) {
      return use.getOwner()->getBlock() != &body;
    });
  builder.setInsertionPointToEnd(&body);
  block::AccumulateOp::create(builder, last->getLoc(), tiles, maxima,
                              builder.getArrayAttr(kinds),
                              SmallVector<int64_t>(tiles.size(), -1));
}

static bool mayHaveThreads(Operation *kernel, const RowChain &chain) {
  return !kernel->hasAttr(kThreadsAttr) ||
         getNumThreads(kernel) == chain.getNumThreads();
}

namespace {
class ChainProducts : public mirage::impl::ChainProductsBase<ChainProducts> {
public:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    function.walk([](kernel::GraphDefinedOp graph) {
      // What is kept in shared memory depends on it.
      dropLayouts(graph);
      graph.walk([](Operation *op) { op->removeAttr(kChainedAttr); });
    });
    keepVerdict(function, [&] {
      function.walk([](kernel::GraphDefinedOp graph) {
        if (std::optional<RowChain> chain = findRowChain(graph.getBlockGraph());
            chain && mayHaveThreads(graph, *chain)) {
          graph.walk([](Operation *op) { op->removeAttr(kDepthAttr); });
          moveIntoLoop(*chain);
        }
      });
      // They may be behind the loop.
      copyConstantsIntoLoops(function);
    });
    function.walk([](kernel::GraphDefinedOp graph) {
      for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>())
        if (std::optional<RowChain> chain =
                findRowChain(loop.getBody().front());
            chain && mayHaveThreads(graph, *chain)) {
          setDefaultThreads(graph, chain->getNumThreads());
          markRowChain(*chain);
        }
    });
  }
};
} // namespace
