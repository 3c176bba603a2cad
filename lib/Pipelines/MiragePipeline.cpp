//===- MiragePipeline.cpp - From linalg to PTX ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Pipelines/MiragePipeline.h"
#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/Conversion/MirageToGPU/Passes.h"
#include "Mirage/Pipelines/GPULowering.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mirage;

void mirage::buildMugraphLowering(OpPassManager &pm,
                                  const MiragePipelineOptions &options) {
  CompilePhase last = options.compileTo;
  if (last == CompilePhase::Import || last == CompilePhase::Search)
    return;
  ScheduleKernelsOptions schedule;
  schedule.target = options.target;
  pm.addNestedPass<func::FuncOp>(createScheduleKernels(schedule));
  if (options.sinkTransposes)
    pm.addNestedPass<func::FuncOp>(createSinkTransposes());
  if (options.dropUnitDims)
    pm.addNestedPass<func::FuncOp>(createDropUnitDims());
  pm.addNestedPass<func::FuncOp>(createMaskLoops());
  if (options.threadGraphs) {
    ConstructThreadGraphsOptions graphs;
    graphs.target = options.target;
    pm.addNestedPass<func::FuncOp>(createConstructThreadGraphs(graphs));
  }
  if (last == CompilePhase::Thread)
    return;

  if (options.chainProducts)
    pm.addNestedPass<func::FuncOp>(createChainProducts());
  if (options.keepRows)
    pm.addNestedPass<func::FuncOp>(createKeepRows());
  if (options.specializeWarps) {
    SpecializeWarpsOptions roles;
    roles.target = options.target;
    roles.clusters = options.clusters;
    roles.overlap = options.overlap;
    pm.addNestedPass<func::FuncOp>(createSpecializeWarps(roles));
  }
  if (options.narrowProducts)
    pm.addNestedPass<func::FuncOp>(createNarrowProducts());
  if (options.scheduleOperators) {
    ScheduleOperatorsOptions order;
    order.target = options.target;
    pm.addNestedPass<func::FuncOp>(createScheduleOperators(order));
  }
  if (options.assignLayouts) {
    AssignLayoutsOptions layouts;
    layouts.target = options.target;
    pm.addNestedPass<func::FuncOp>(createAssignLayouts(layouts));
  }
  if (options.planMemory) {
    PlanMemoryOptions plan;
    plan.target = options.target;
    pm.addNestedPass<func::FuncOp>(createPlanMemory(plan));
  }
  if (last == CompilePhase::Plan)
    return;

  ConvertMirageToGPUOptions lower;
  lower.target = options.target;
  // Other functions are the caller's where parts of them are.
  lower.strict = !options.outline;
  pm.addPass(createConvertMirageToGPU(lower));
  if (last == CompilePhase::GPU)
    return;

  GPUToNVVMOptions device;
  device.chip = options.target;
  if (last == CompilePhase::NVVM)
    buildGPUToNVVMPipeline(pm, device);
  else
    buildGPUToPTXPipeline(pm, device);
}

void mirage::buildMiragePipeline(OpPassManager &pm,
                                 const MiragePipelineOptions &options,
                                 SuperoptimizeObserver observer) {
  CompilePhase last = options.compileTo;
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToMirage());
  if (last == CompilePhase::Import)
    return;
  if (options.outline)
    pm.addPass(createOutlinePrograms());

  SuperoptimizeOptions search;
  search.target = options.target;
  search.threads = options.threads;
  search.seed = options.seed;
  search.maxKernelOps = options.maxKernelOps;
  search.maxBlockOps = options.maxBlockOps;
  search.maxWholeOps = options.maxWholeOps;
  search.timeLimit = options.timeLimit;
  search.database = options.database;
  search.report = options.report;
  pm.addPass(createSuperoptimize(search, std::move(observer)));
  buildMugraphLowering(pm, options);
}

void mirage::registerMiragePipeline() {
  PassPipelineRegistration<MiragePipelineOptions>(
      "mirage-pipeline", "The whole compiler: import, search, lowering to PTX",
      [](OpPassManager &pm, const MiragePipelineOptions &options) {
        buildMiragePipeline(pm, options);
      });
  PassPipelineRegistration<MiragePipelineOptions>(
      "mirage-lower-mugraphs",
      "The phases of mirage-pipeline that come after the search",
      buildMugraphLowering);
}
