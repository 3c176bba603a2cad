//===- TosaToMirage.cpp - From TOSA to kernel graphs ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Pipelines/TosaToMirage.h"
#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void mirage::buildTosaToLinalgPipeline(OpPassManager &pm) {
  // Without its validation, which is for conformance to a profile.
  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(), std::nullopt);
  pm.addNestedPass<func::FuncOp>(createTosaToArithPass());
  pm.addNestedPass<func::FuncOp>(createTosaToTensorPass());
}

void mirage::buildTosaToMiragePipeline(OpPassManager &pm) {
  buildTosaToLinalgPipeline(pm);
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToMirage());
}

void mirage::registerTosaToMiragePipeline() {
  registerTosaToArithPass();
  registerTosaToLinalg();
  registerTosaToLinalgNamed();
  registerTosaToTensorPass();
  PassPipelineRegistration<>("tosa-to-mirage",
                             "Lower TOSA to linalg and import that",
                             buildTosaToMiragePipeline);
}
