//===- CostFixture.h - What tests of the cost model share -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_COST_COSTFIXTURE_H
#define MIRAGE_UNITTESTS_COST_COSTFIXTURE_H

#include "Mirage/Cost/CostModel.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

namespace mirage {

class CostFixture : public testing::Test {
protected:
  CostFixture() {
    context.loadDialect<MirageDialect, kernel::KernelDialect,
                        block::BlockDialect, mlir::func::FuncDialect>();
    target = TargetAttr::lookup(&context, "sm_90a");
  }

  KernelTimes getTimes(const KernelLoad &load) {
    return estimateTimes(load, TargetNumbers(target));
  }

  /// A microsecond's worth of device memory for 132 SMs, one block on each.
  KernelLoad makeLoad() {
    KernelLoad load;
    load.blocks = 132;
    load.deviceBytes = load.requestedBytes = 4.8e6;
    load.bytesPerIteration = load.sharedBytes = 4.8e6 / 132;
    return load;
  }

  mlir::MLIRContext context;
  TargetAttr target;
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_COST_COSTFIXTURE_H
