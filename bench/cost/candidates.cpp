//===- candidates.cpp - μGraphs to measure the cost model by --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// candidates FILE.mlir --out FOLDER
//
// Searches the function of a linalg program and writes μGraphs that compute it
// into files of their own: of several structures, at sizes whose estimates are
// spread from the cheapest to some times that. bench/gpu measures them.

#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/InitAll.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Search/Search.h"
#include "Mirage/Search/SizeSpace.h"
#include "Mirage/Verify/VerdictAttr.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace mlir;
using namespace mirage;
namespace cl = llvm::cl;

static cl::opt<std::string> file(cl::Positional, cl::Required,
                                 cl::desc("FILE.mlir"));
static cl::opt<std::string> folder("out", cl::Required,
                                   cl::desc("An existing folder"));
static cl::opt<std::string> chip("target", cl::init("sm_90a"),
                                 cl::desc("The GPU"));
static cl::opt<unsigned> count("count", cl::init(10),
                               cl::desc("How many μGraphs to write at most"));
static cl::opt<unsigned> structures("structures", cl::init(3),
                                    cl::desc("How many structures to size"));
static cl::opt<double>
    slowest("slowest", cl::init(4),
            cl::desc("The largest estimate, in multiples of the least"));
static cl::opt<unsigned> jobs("jobs", cl::init(1),
                              cl::desc("Threads of the search"));
static cl::opt<double> timeLimit("time-limit", cl::init(120),
                                 cl::desc("Seconds of the search"));

namespace {
struct Sized {
  size_t structure;
  SizeSpace::Point point;
  double logCost;
};

struct Verified {
  double logCost;
  KernelGraph graph;
  EquivalenceResult verdict;
};
} // namespace

/// All sizes of all structures, the first of them the cheapest.
static std::vector<Sized> rank(const SearchResult &result, TargetAttr target) {
  std::vector<Sized> all;
  for (auto [i, candidate] : llvm::enumerate(result.candidates)) {
    if (!candidate.sizes)
      continue;
    auto getCost = [&](const KernelGraph &graph) {
      return estimateCost(graph, target).nanoseconds;
    };
    for (auto &[point, cost] : candidate.sizes->rank(getCost, ~size_t(0)))
      all.push_back({i, point, std::log(cost)});
  }
  llvm::sort(all, [](const Sized &a, const Sized &b) {
    return std::tie(a.logCost, a.structure, a.point) <
           std::tie(b.logCost, b.structure, b.point);
  });
  return all;
}

/// Some of `all`, cheapest first: those nearest to logarithms that are evenly
/// spaced, of each structure in turn, as far as they are proved.
static std::vector<Verified> spread(std::vector<Sized> all,
                                    const SearchResult &result,
                                    EquivalenceChecker &checker) {
  double least = all.front().logCost, most = least + std::log(slowest);
  llvm::erase_if(all, [&](const Sized &sized) { return sized.logCost > most; });
  most = all.back().logCost;
  std::vector<Verified> chosen;
  while (chosen.size() < count && !all.empty()) {
    size_t i = chosen.size();
    double wanted = least + (most - least) * i / std::max(count - 1, 1u);
    auto getDistance = [&](const Sized &sized) {
      return std::pair(sized.structure != i % result.candidates.size(),
                       std::abs(sized.logCost - wanted));
    };
    auto nearest = llvm::min_element(all, [&](const Sized &a, const Sized &b) {
      return getDistance(a) < getDistance(b);
    });
    std::optional<KernelGraph> graph =
        result.candidates[nearest->structure].sizes->instantiate(
            nearest->point);
    EquivalenceResult verdict = checker.check(*graph);
    if (verdict.verdict == Verdict::Proved)
      chosen.push_back({nearest->logCost, *graph, verdict});
    all.erase(nearest);
  }
  llvm::sort(chosen, [](const Verified &a, const Verified &b) {
    return a.logCost < b.logCost;
  });
  return chosen;
}

/// Writes a module with the function as a μGraph, which is its own reference:
/// the program itself is needed neither to compile nor to estimate it.
static LogicalResult write(func::FuncOp function, const Verified &candidate,
                           const llvm::Twine &name, TargetAttr target) {
  Location loc = function.getLoc();
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  (*module)->setAttr(MirageDialect::kTargetAttr, target);
  OpBuilder builder(module->getBodyRegion());
  auto copy = func::FuncOp::create(builder, loc, name.str(),
                                   function.getFunctionType());
  copy->setAttr(MirageDialect::kReferenceAttr,
                FlatSymbolRefAttr::get(copy.getSymNameAttr()));
  copy->setAttr(MirageDialect::kVerdictAttr,
                getVerdictAttr(function.getContext(), candidate.verdict,
                               candidate.graph));
  builder.setInsertionPointToStart(copy.addEntryBlock());
  SmallVector<Value> outputs =
      exportKernelGraph(candidate.graph, builder, loc, copy.getArguments());
  func::ReturnOp::create(builder, loc, outputs);

  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name + ".mlir");
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error) {
    llvm::errs() << path << ": " << error.message() << "\n";
    return failure();
  }
  os << *module << "\n";
  return success();
}

static LogicalResult writeCandidates(func::FuncOp function, TargetAttr target) {
  FailureOr<KernelGraph> program = importKernelGraph(function);
  if (failed(program))
    return failure();
  SearchOptions options;
  options.target = target;
  options.threads = jobs;
  options.timeLimit = timeLimit;
  options.keep = structures;
  llvm::Expected<SearchResult> result = search(*program, options);
  if (!result) {
    llvm::errs() << file << ": " << llvm::toString(result.takeError()) << "\n";
    return failure();
  }
  std::vector<Sized> all = rank(*result, target);
  if (all.empty()) {
    llvm::errs() << file << ": no μGraph was found whose sizes are free\n";
    return failure();
  }
  // A proof or nothing: random tests at full size take too long.
  EquivalenceOptions proof;
  proof.method = VerifyMethod::Prove;
  proof.random.maxBytes = 0;
  proof.solverSeconds = 0;
  EquivalenceChecker checker(*program, proof);
  for (auto [i, candidate] :
       llvm::enumerate(spread(std::move(all), *result, checker)))
    if (failed(write(function, candidate,
                     function.getName() + "_candidate_" + llvm::Twine(i),
                     target)))
      return failure();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv,
                              "μGraphs to measure the cost model by\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  TargetAttr target = TargetAttr::lookup(&context, chip);
  if (!target) {
    llvm::errs() << "unknown target '" << chip << "'\n";
    return 1;
  }
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(file, ParserConfig(&context));
  PassManager passes(&context);
  passes.addNestedPass<func::FuncOp>(createConvertLinalgToMirage());
  if (!module || failed(passes.run(*module)))
    return 1;
  for (auto function : module->getOps<func::FuncOp>())
    if (!function.isExternal() && failed(writeCandidates(function, target)))
      return 1;
  return 0;
}
