//===- KeepRows.cpp - Rows of tiles that stay in registers ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/KeptRows.h"
#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_KEEPROWS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

namespace {
class KeepRows : public mirage::impl::KeepRowsBase<KeepRows> {
public:
  void runOnOperation() override {
    getOperation().walk([](kernel::GraphDefinedOp graph) {
      // What is kept in shared memory, and when ops run, depends on it.
      dropLayouts(graph);
      graph->removeAttr(kKeptRowsAttr);
      std::optional<KeptRowsShape> rows =
          findKeptRows(cast<BlockGraphOpInterface>(graph.getOperation()));
      if (!rows)
        return;
      setDefaultThreads(graph, rows->getNumThreads());
      if (getNumThreads(graph) != rows->getNumThreads())
        return;
      graph.walk([](Operation *op) { op->removeAttr(kDepthAttr); });
      graph->setAttr(kKeptRowsAttr, UnitAttr::get(graph.getContext()));
    });
  }
};
} // namespace
