//===- Options.h - The options of mirage-run --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGERUN_OPTIONS_H
#define MIRAGE_TOOLS_MIRAGERUN_OPTIONS_H

#include "Mirage/Pipelines/MiragePipeline.h"
#include "Timing.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace mirage {

enum class Backend { Host, Cuda, None };

/// Passes of the μGraph optimizer, and parts of them.
enum class OptimizerPass {
  SinkTransposes,
  DropUnitDims,
  ThreadGraphs,
  ChainProducts,
  KeepRows,
  SpecializeWarps,
  Clusters,
  Overlap,
  NarrowProducts,
  ScheduleOperators,
  AssignLayouts,
  PlanMemory
};

struct CommandLine {
  llvm::cl::OptionCategory category{"mirage-run options"};
  llvm::cl::opt<std::string> file{llvm::cl::Positional,
                                  llvm::cl::desc("FILE.mlir or program"),
                                  llvm::cl::init("-"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> function{
      "function",
      llvm::cl::desc("The function to run; the only public one by default"),
      llvm::cl::cat(category)};
  llvm::cl::opt<Backend> backend{
      "backend", llvm::cl::desc("Where to run"), llvm::cl::init(Backend::Host),
      llvm::cl::values(clEnumValN(Backend::Host, "host", "this machine's CPU"),
                       clEnumValN(Backend::Cuda, "cuda", "an NVIDIA GPU"),
                       clEnumValN(Backend::None, "none", "compile only")),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> check{
      "check",
      llvm::cl::desc("Compare with an f64 evaluation of the input program"),
      llvm::cl::cat(category)};
  llvm::cl::opt<double> rtol{
      "rtol",
      llvm::cl::desc(
          "Largest error over largest magnitude that --check allows; "
          "2e-3 by default, 8e-3 for outputs in bf16, "
          "or 1.5 times what the program has as it is written"),
      llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> seed{
      "seed",
      llvm::cl::desc("Seed of the random inputs and of the "
                     "verifier"),
      llvm::cl::init(1), llvm::cl::cat(category)};
  llvm::cl::list<std::string> inputs{
      "inputs", llvm::cl::CommaSeparated,
      llvm::cl::desc("The inputs as .npy files, in order; "
                     "uniform in [-1, 1] by default"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> outputDir{
      "output-dir",
      llvm::cl::desc("A directory for the results, out0.npy and so on"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> target{
      "target",
      llvm::cl::desc("The GPU to optimize for; by default the module's "
                     "(mirage.target), or the one it is to run on, or sm_90a"),
      llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> threads{
      "jobs", llvm::cl::desc("Threads that search and that run blocks"),
      llvm::cl::init(2), llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> maxKernelOps{
      "max-kernel-ops", llvm::cl::desc("Kernels, at most"), llvm::cl::init(5),
      llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> maxBlockOps{
      "max-block-ops", llvm::cl::desc("Operators of a block graph, at most"),
      llvm::cl::init(11), llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> maxWholeOps{
      "max-whole-ops",
      llvm::cl::desc(
          "Operators of a block graph that computes all there is, at most"),
      llvm::cl::init(32), llvm::cl::cat(category)};
  llvm::cl::opt<double> timeLimit{
      "time-limit", llvm::cl::desc("Seconds for the search; 0: no limit"),
      llvm::cl::init(120), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> database{
      "database",
      llvm::cl::desc(
          "A file with the results of earlier searches; 'default' for the "
          "one of this user"),
      llvm::cl::cat(category)};
  llvm::cl::list<OptimizerPass> without{
      "without", llvm::cl::CommaSeparated,
      llvm::cl::desc(
          "Passes of the μGraph optimizer to leave out, to see what they "
          "are worth"),
      llvm::cl::values(
          clEnumValN(OptimizerPass::SinkTransposes, "sink-transposes",
                     "tiles that are transposed where products read them"),
          clEnumValN(OptimizerPass::DropUnitDims, "drop-unit-dims",
                     "columns of one element that are read as vectors"),
          clEnumValN(OptimizerPass::ThreadGraphs, "thread-graphs",
                     "fusion into thread graphs"),
          clEnumValN(OptimizerPass::ChainProducts, "chain-products",
                     "products whose rows stay in registers"),
          clEnumValN(OptimizerPass::KeepRows, "keep-rows",
                     "rows that stay in registers where nothing is multiplied"),
          clEnumValN(OptimizerPass::SpecializeWarps, "specialize-warps",
                     "a warp that loads tiles"),
          clEnumValN(OptimizerPass::Clusters, "clusters",
                     "blocks that share what they load"),
          clEnumValN(OptimizerPass::Overlap, "overlap",
                     "products that run an iteration behind"),
          clEnumValN(OptimizerPass::NarrowProducts, "narrow-products",
                     "products of f16 where numbers of f32 fit it"),
          clEnumValN(OptimizerPass::ScheduleOperators, "schedule-operators",
                     "shared barriers"),
          clEnumValN(OptimizerPass::AssignLayouts, "assign-layouts",
                     "layouts of tiles without bank conflicts"),
          clEnumValN(OptimizerPass::PlanMemory, "plan-memory",
                     "shared places of tiles")),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> report{
      "report", llvm::cl::desc("A file for the search's JSON report"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> ptx{"ptx",
                                 llvm::cl::desc("A file for the kernels' PTX"),
                                 llvm::cl::cat(category)};
  llvm::cl::opt<bool> checks{
      "checks",
      llvm::cl::desc(
          "Check the kernels' memory accesses, with --backend=host: races, "
          "bounds, alignment, uninitialized reads"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> counters{
      "counters",
      llvm::cl::desc(
          "A file for what the kernels do to the machine, as JSON, with "
          "--backend=host"),
      llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> countersBlocks{
      "counters-blocks",
      llvm::cl::desc("Blocks of each kernel that are counted; 0: all"),
      llvm::cl::init(0), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> emitProgram{
      "emit-program",
      llvm::cl::desc("A file for the compiled program, for libMirageRuntime"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> ptxas{
      "ptxas", llvm::cl::value_desc("path"),
      llvm::cl::desc(
          "With --emit-program: add the machine code that this makes"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> reference{
      "reference",
      llvm::cl::desc(
          "The program to --check a compiled one, or kernels, against"),
      llvm::cl::cat(category)};
  llvm::cl::opt<int> device{
      "device", llvm::cl::desc("Which GPU, as the driver counts them"),
      llvm::cl::init(0), llvm::cl::cat(category)};
  TimingCommandLine timing{category};
  llvm::cl::opt<bool> explain{
      "explain",
      llvm::cl::desc("Print the program, the best μGraph and how it was found"),
      llvm::cl::cat(category)};

  /// What can be said of the options before anything is read.
  llvm::Error validate() const;
  /// What --rtol says, if anything.
  std::optional<double> getTolerance() const;
  /// Sets the options of the whole compiler, for this target.
  void set(MiragePipelineOptions &pipeline, llvm::StringRef target) const;
};

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGERUN_OPTIONS_H
