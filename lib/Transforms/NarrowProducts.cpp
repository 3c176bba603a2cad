//===- NarrowProducts.cpp - Products of f16 and f32 in f16 ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_NARROWPRODUCTS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

namespace {
class NarrowProducts : public mirage::impl::NarrowProductsBase<NarrowProducts> {
public:
  void runOnOperation() override {
    getOperation().walk([](kernel::GraphDefinedOp graph) {
      graph.walk([](Operation *op) {
        op->removeAttr(kNarrowedAttr);
        if (canBeNarrowed(op))
          op->setAttr(kNarrowedAttr, UnitAttr::get(op->getContext()));
      });
    });
  }
};
} // namespace
