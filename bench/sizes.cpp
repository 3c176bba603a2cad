//===- sizes.cpp - Every size of the best μGraph, ranked ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// sizes FILE.mlir..
//
// Searches each linalg program and ranks all points of its best μGraph's
// SizeSpace with the cost model, as whoever has another model would. Prints a
// row of a table for each: docs/results/search.md.

#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/InitAll.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Search/Search.h"
#include "Mirage/Search/SizeSpace.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include <chrono>

using namespace mlir;
using namespace mirage;
namespace cl = llvm::cl;

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("FILE.mlir.."));

static double getSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static void rank(llvm::StringRef name, const KernelGraph &program,
                 TargetAttr target) {
  SearchOptions options;
  options.target = target;
  llvm::Expected<SearchResult> result = search(program, options);
  if (!result)
    llvm::reportFatalUsageError(
        llvm::Twine(llvm::toString(result.takeError())));
  if (result->candidates.empty() || !result->candidates[0].sizes) {
    llvm::outs() << "| " << name << " | - | - | - | - | - | - |\n";
    return;
  }
  const SizeSpace &space = *result->candidates[0].sizes;
  int64_t combinations = 1;
  for (const SizeSpace::Decision &decision : space.getDecisions())
    combinations *= decision.choices.size();
  double begin = getSeconds();
  std::vector<SizeSpace::Ranked> ranked = space.rank(
      [&](const KernelGraph &graph) {
        return estimateCost(graph, options.target).nanoseconds;
      },
      /*keep=*/~size_t(0));
  double seconds = getSeconds() - begin;
  auto chosen = llvm::find_if(ranked, [&](const SizeSpace::Ranked &point) {
    return point.point == space.getChosen();
  });
  llvm::outs() << llvm::formatv(
      "| {0} | {1} | {2} | {3} | {4:f1} | {5:f3} "
      "| {6} |\n",
      name, space.getDecisions().size(), combinations, ranked.size(),
      1e6 * seconds / std::max(ranked.size(), size_t(1)), seconds,
      chosen - ranked.begin() + 1);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "every size, ranked\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  llvm::outs() << "| program | decisions | combinations | valid | us each | "
                  "seconds | rank of the chosen one |\n"
                  "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const std::string &file : files) {
    OwningOpRef<ModuleOp> module =
        parseSourceFile<ModuleOp>(file, ParserConfig(&context));
    PassManager passes(&context);
    passes.addNestedPass<func::FuncOp>(createConvertLinalgToMirage());
    if (!module || failed(passes.run(*module)))
      return 1;
    for (auto function : module->getOps<func::FuncOp>())
      if (auto program = importKernelGraph(function); succeeded(program))
        rank(llvm::sys::path::stem(file), *program,
             TargetAttr::lookup(&context, "sm_90a"));
  }
  return 0;
}
