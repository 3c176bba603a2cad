//===- SpecializeWarps.cpp - Warps that load, warps that multiply ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/ChipFeatures.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

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
    if (!isValidThreadCount(threads)) {
      getOperation().emitError("the number of threads must be a multiple of 32 "
                               "from 32 to 1024, found ")
          << threads.getValue();
      return signalPassFailure();
    }
    auto chip = TargetAttr::lookup(&getContext(), target);
    if (!chip) {
      getOperation().emitError("unknown target '")
          << target << "', expected one of "
          << llvm::join(TargetAttr::getKnownChips(), ", ");
      return signalPassFailure();
    }
    bool hasTMA = hasTensorMemoryAccelerator(chip.getChip());
    getOperation().walk([&](kernel::GraphDefinedOp graph) {
      if (!graph->hasAttr(kThreadsAttr))
        graph->setAttr(kThreadsAttr,
                       Builder(&getContext()).getI64IntegerAttr(threads));
      // Places depend on who loads.
      graph->removeAttr(kSharedBytesAttr);
      graph.walk([](Operation *op) { op->removeAttr(kOffsetsAttr); });
      graph.walk([&](OperatorOpInterface op) {
        op->removeAttr(kWarpgroupsAttr);
        if (hasWarpgroupProducts(chip.getChip()) && canUseWarpgroups(op))
          op->setAttr(kWarpgroupsAttr, UnitAttr::get(&getContext()));
      });
      bool hasRoom = isValidThreadCount(getNumThreads(graph) + kWarpSize);
      for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>()) {
        loop->removeAttr(kProducerWarpAttr);
        // One iteration has nothing to run ahead of.
        if (hasTMA && hasRoom && loop.getIterations() > 1 &&
            canHaveProducerWarp(loop))
          loop->setAttr(kProducerWarpAttr, UnitAttr::get(&getContext()));
      }
    });
  }
};
} // namespace
