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
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_CHAINPRODUCTS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

namespace {
class ChainProducts : public mirage::impl::ChainProductsBase<ChainProducts> {
public:
  void runOnOperation() override {
    copyConstantsIntoLoops(getOperation());
    getOperation().walk([](kernel::GraphDefinedOp graph) {
      // What is kept in shared memory depends on it.
      dropLayouts(graph);
      graph.walk([](Operation *op) { op->removeAttr(kChainedAttr); });
      for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>()) {
        std::optional<RowChain> chain = findRowChain(loop);
        if (!chain)
          continue;
        setDefaultThreads(graph, chain->getNumThreads());
        if (getNumThreads(graph) == chain->getNumThreads())
          markRowChain(*chain);
      }
    });
  }
};
} // namespace
