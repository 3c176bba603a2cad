//===- Options.cpp - The options of mirage-run ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

using namespace mirage;

llvm::Error CommandLine::validate() const {
  if (threads < 1 || threads > 1024)
    return llvm::createStringError("--jobs must be from 1 to 1024");
  if (!(timeLimit >= 0))
    return llvm::createStringError("--time-limit must be 0 or more");
  if (!(getTolerance().value_or(0) >= 0))
    return llvm::createStringError("--rtol must be 0 or more");
  if ((checks || !counters.empty()) && backend != Backend::Host)
    return llvm::createStringError(
        "--checks and --counters need --backend=host");
  if (countersBlocks && counters.empty())
    return llvm::createStringError("--counters-blocks needs --counters");
  if (llvm::Error error = timing.check())
    return error;
  if (timing.time && backend == Backend::None)
    return llvm::createStringError("--time needs a --backend");
  if (!ptxas.empty() && emitProgram.empty())
    return llvm::createStringError(
        "--ptxas is of use with --emit-program only");
  return llvm::Error::success();
}

std::optional<double> CommandLine::getTolerance() const {
  return rtol.getNumOccurrences() ? std::optional<double>(rtol) : std::nullopt;
}

void CommandLine::set(MiragePipelineOptions &pipeline,
                      llvm::StringRef target) const {
  pipeline.compileTo = CompilePhase::GPU;
  pipeline.outline = false;
  pipeline.target = target.str();
  pipeline.threads = threads.getValue();
  pipeline.seed = seed.getValue();
  pipeline.maxKernelOps = maxKernelOps.getValue();
  pipeline.maxBlockOps = maxBlockOps.getValue();
  pipeline.maxWholeOps = maxWholeOps.getValue();
  pipeline.timeLimit = timeLimit.getValue();
  pipeline.database = database.getValue();
  pipeline.report = report.getValue();
  auto has = [&](OptimizerPass pass) {
    return !llvm::is_contained(without, pass);
  };
  pipeline.sinkTransposes = has(OptimizerPass::SinkTransposes);
  pipeline.dropUnitDims = has(OptimizerPass::DropUnitDims);
  pipeline.threadGraphs = has(OptimizerPass::ThreadGraphs);
  pipeline.chainProducts = has(OptimizerPass::ChainProducts);
  pipeline.keepRows = has(OptimizerPass::KeepRows);
  pipeline.specializeWarps = has(OptimizerPass::SpecializeWarps);
  pipeline.clusters = has(OptimizerPass::Clusters);
  pipeline.overlap = has(OptimizerPass::Overlap);
  pipeline.narrowProducts = has(OptimizerPass::NarrowProducts);
  pipeline.scheduleOperators = has(OptimizerPass::ScheduleOperators);
  pipeline.assignLayouts = has(OptimizerPass::AssignLayouts);
  pipeline.planMemory = has(OptimizerPass::PlanMemory);
}
