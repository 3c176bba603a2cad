//===- MiragePipeline.h - From linalg to PTX --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PIPELINES_MIRAGEPIPELINE_H
#define MIRAGE_PIPELINES_MIRAGEPIPELINE_H

#include "Mirage/Transforms/Superoptimize.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mirage {

/// After which phase of the pipeline to stop.
enum class CompilePhase {
  Import, ///< linalg has become a kernel graph
  Search, ///< the best μGraphs have taken the place of the programs
  Thread, ///< every kernel has a block graph, with thread graphs in it
  Plan,   ///< operators have depths, and tiles places in shared memory
  GPU,    ///< kernels in the gpu dialect, and host functions that launch them
  NVVM,   ///< kernels in the LLVM and NVVM dialects
  PTX,    ///< kernels as PTX in a gpu.binary
};

struct MiragePipelineOptions
    : mlir::PassPipelineOptions<MiragePipelineOptions> {
  Option<CompilePhase> compileTo{
      *this, "compile-to", llvm::cl::desc("The last phase to run"),
      llvm::cl::init(CompilePhase::PTX),
      llvm::cl::values(
          clEnumValN(CompilePhase::Import, "import", "kernel graphs"),
          clEnumValN(CompilePhase::Search, "search", "the best μGraphs"),
          clEnumValN(CompilePhase::Thread, "thread", "with thread graphs"),
          clEnumValN(CompilePhase::Plan, "plan", "scheduled and placed"),
          clEnumValN(CompilePhase::GPU, "gpu", "the gpu dialect"),
          clEnumValN(CompilePhase::NVVM, "nvvm", "LLVM and NVVM dialects"),
          clEnumValN(CompilePhase::PTX, "ptx", "PTX"))};
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("The GPU to compile for; empty: "
                                            "the module's, or sm_90a"),
                             llvm::cl::init("")};
  Option<unsigned> threads{*this, "threads",
                           llvm::cl::desc("Threads that search"),
                           llvm::cl::init(1)};
  Option<uint64_t> seed{*this, "seed",
                        llvm::cl::desc("Seed of the random tests"),
                        llvm::cl::init(1)};
  Option<unsigned> maxKernelOps{
      *this, "max-kernel-ops",
      llvm::cl::desc(
          "Kernels of a kernel graph, at most; of each piece, if it is cut"),
      llvm::cl::init(5)};
  Option<unsigned> maxBlockOps{
      *this, "max-block-ops",
      llvm::cl::desc("Operators of a block graph, at most"),
      llvm::cl::init(11)};
  Option<unsigned> maxWholeOps{
      *this, "max-whole-ops",
      llvm::cl::desc(
          "Operators of a block graph that computes all there is, at most"),
      llvm::cl::init(32)};
  Option<double> timeLimit{
      *this, "time-limit",
      llvm::cl::desc("Seconds after which the search of a function ends with "
                     "what it has; 0: no limit"),
      llvm::cl::init(120)};
  Option<bool> outline{
      *this, "outline",
      llvm::cl::desc("Whether functions with ops that aren't imported call the "
                     "programs between these (mirage-outline-programs)"),
      llvm::cl::init(true)};
  Option<std::string> database{
      *this, "database",
      llvm::cl::desc("A file with the results of earlier searches; 'default' "
                     "for the one of this user, empty for none"),
      llvm::cl::init("")};
  Option<bool> threadGraphs{
      *this, "thread-graphs",
      llvm::cl::desc(
          "Whether to fuse elementwise operators into thread graphs"),
      llvm::cl::init(true)};
  Option<bool> sinkTransposes{
      *this, "sink-transposes",
      llvm::cl::desc("Whether tiles are transposed where products read them"),
      llvm::cl::init(true)};
  Option<bool> dropUnitDims{
      *this, "drop-unit-dims",
      llvm::cl::desc("Whether columns of one element are read as vectors"),
      llvm::cl::init(true)};
  Option<bool> chainProducts{
      *this, "chain-products",
      llvm::cl::desc("Whether rows of a product stay in registers for the next "
                     "product"),
      llvm::cl::init(true)};
  Option<bool> keepRows{
      *this, "keep-rows",
      llvm::cl::desc("Whether rows of tiles stay in registers where nothing is "
                     "multiplied"),
      llvm::cl::init(true)};
  Option<bool> specializeWarps{
      *this, "specialize-warps",
      llvm::cl::desc("Whether a warp of its own loads the tiles of a loop"),
      llvm::cl::init(true)};
  Option<bool> clusters{
      *this, "clusters",
      llvm::cl::desc("Whether blocks that load the same tiles share the loads"),
      llvm::cl::init(true)};
  Option<bool> overlap{
      *this, "overlap",
      llvm::cl::desc("Whether the last product of rows that stay in registers "
                     "may run while the next iteration computes"),
      llvm::cl::init(true)};
  Option<bool> narrowProducts{
      *this, "narrow-products",
      llvm::cl::desc("Whether products of f16 and f32 are in f16 where the "
                     "numbers fit"),
      llvm::cl::init(true)};
  Option<bool> scheduleOperators{
      *this, "schedule-operators",
      llvm::cl::desc("Whether to let operators share barriers"),
      llvm::cl::init(true)};
  Option<bool> assignLayouts{
      *this, "assign-layouts",
      llvm::cl::desc("Whether tiles may have other layouts than row-major"),
      llvm::cl::init(true)};
  Option<bool> planMemory{
      *this, "plan-memory",
      llvm::cl::desc("Whether tiles may share bytes of shared memory"),
      llvm::cl::init(true)};
  Option<std::string> report{
      *this, "report", llvm::cl::desc("A file for the search's JSON report"),
      llvm::cl::init("")};
};

/// Appends the phases up to `options.compileTo`. What the import leaves as it
/// is gets a remark, and stays, between calls to the programs around it, if
/// there are any; without `options.outline` it is an error in the GPU phase.
void buildMiragePipeline(mlir::OpPassManager &pm,
                         const MiragePipelineOptions &options,
                         SuperoptimizeObserver observer = {});

/// Appends those of the phases that come after the search: from kernel graphs
/// on. Registered as `mirage-lower-mugraphs`; options of the search mean
/// nothing there.
void buildMugraphLowering(mlir::OpPassManager &pm,
                          const MiragePipelineOptions &options);

/// Registers `mirage-pipeline` and `mirage-lower-mugraphs`.
void registerMiragePipeline();

} // namespace mirage

#endif // MIRAGE_PIPELINES_MIRAGEPIPELINE_H
