//===- verify.cpp - Verdicts on mutants of right μGraphs ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// verify REFERENCE.mlir CANDIDATES --mutants=N --seed=S [--full-size]
//
// Mutates the candidates, asks for a verdict on each mutant, and evaluates it
// in f64: a mutant that is proved or accepted must agree with the reference,
// and one that is refuted must not. By default sizes are small, with the same
// grids and loops, so that f64 is quick; `--full-size` keeps those of the
// files. Prints one line of JSON; bench/verify.py makes a table of many.

#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/InitAll.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "Mirage/Prove/SymbolicSizes.h"
#include "Mirage/Target/MugraphJSON.h"
#include "Mirage/Verify/VerdictAttr.h"
#include "Mutations.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <cmath>

using namespace mlir;
using namespace mirage;
namespace cl = llvm::cl;

static cl::opt<std::string> referenceFile(cl::Positional, cl::Required,
                                          cl::desc("REFERENCE.mlir"));
static cl::opt<std::string> candidateFile(cl::Positional, cl::Required,
                                          cl::desc("CANDIDATES"));
static cl::opt<unsigned> mutants("mutants", cl::init(1000),
                                 cl::desc("mutants to judge"));
static cl::opt<uint64_t> seed("seed", cl::init(1), cl::desc("seed"));
static cl::opt<bool> fullSize("full-size",
                              cl::desc("at the sizes of the files"));
static cl::opt<bool> verbose("verbose", cl::desc("a line per mutant"));

static std::vector<KernelGraph> load(const std::string &path,
                                     MLIRContext &context) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    llvm::reportFatalUsageError(llvm::Twine(message));
  OwningOpRef<ModuleOp> module;
  if (looksLikeMugraphJSON(buffer->getBuffer())) {
    module = importMugraphJSON(buffer->getBuffer(), &context).module;
  } else {
    module = parseSourceString<ModuleOp>(buffer->getBuffer(), &context);
    PassManager pm(&context);
    pm.addNestedPass<func::FuncOp>(createConvertLinalgToMirage());
    if (!module || failed(pm.run(*module)))
      llvm::reportFatalUsageError("can't read the program");
  }
  std::vector<KernelGraph> graphs;
  for (auto function : module->getOps<func::FuncOp>())
    if (auto graph = importKernelGraph(function); succeeded(graph))
      graphs.push_back(std::move(*graph));
  return graphs;
}

namespace {

/// What f64 says of two programs.
enum class Reals { Equal, Different, Close };

/// The outputs of a program in f64 on several inputs.
class RealOutputs {
public:
  explicit RealOutputs(const KernelGraph &reference) {
    // Of several magnitudes, and positive ones for roots.
    for (double scale : {1.0, 0.125, 4.0})
      for (bool positive : {false, true})
        inputs.push_back(makeInputs(reference, scale, positive));
    for (const std::vector<Tensor> &input : inputs)
      outputs.push_back(evaluate(reference, numbers, input));
  }

  /// Equal up to 1e-9 of the tensor's magnitude, different by more than 1e-6 or
  /// in where they are defined, or something between.
  Reals compare(const KernelGraph &candidate) const {
    Reals worst = Reals::Equal;
    for (size_t trial = 0; trial < inputs.size(); ++trial) {
      std::vector<Tensor> found = evaluate(candidate, numbers, inputs[trial]);
      for (size_t o = 0; o < found.size(); ++o) {
        const double *x = outputs[trial][o].planes[0].as<double>();
        const double *y = found[o].planes[0].as<double>();
        double scale = 0;
        int64_t count = found[o].getNumElements();
        for (int64_t i = 0; i < count; ++i)
          if (std::isfinite(x[i]))
            scale = std::max(scale, std::abs(x[i]));
        for (int64_t i = 0; i < count; ++i) {
          if (!std::isfinite(x[i]))
            continue;
          double error = std::abs(x[i] - y[i]) / scale;
          if (!(error <= 1e-6))
            return Reals::Different;
          if (error > 1e-9)
            worst = Reals::Close;
        }
      }
    }
    return worst;
  }

private:
  std::vector<Tensor> makeInputs(const KernelGraph &graph, double scale,
                                 bool positive) const {
    std::vector<Tensor> result;
    for (unsigned i = 0; i < graph.numInputs; ++i) {
      Tensor tensor = numbers.random(graph.tensors[i].shape, 99 + positive, i);
      double *values = tensor.planes[0].as<double>();
      for (int64_t k = 0, e = tensor.getNumElements(); k < e; ++k)
        values[k] = scale * (positive ? std::abs(values[k]) : values[k]);
      result.push_back(std::move(tensor));
    }
    return result;
  }

  RealNumbers numbers;
  std::vector<std::vector<Tensor>> inputs, outputs;
};

/// One right μGraph and its reference, at the sizes that are tested.
struct Original {
  KernelGraph reference, candidate;
};

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "verdicts on mutants\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::vector<KernelGraph> references = load(referenceFile, context);
  std::vector<KernelGraph> candidates = load(candidateFile, context);
  if (references.size() != 1 || candidates.empty())
    llvm::reportFatalUsageError("expected one reference, and candidates");

  std::vector<Original> originals;
  unsigned notProved = 0, keptSizes = 0;
  for (KernelGraph &candidate : candidates) {
    notProved += !proveEquivalence(references[0], candidate).proved;
    std::string reason;
    // Dimensions alike, so that many maps fit, or all different.
    int64_t factor = 1;
    bool alike = originals.size() % 2 == 0;
    auto nextFactor = [&] {
      static constexpr int64_t kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 19};
      return alike ? 4 : kPrimes[factor++ % std::size(kPrimes)];
    };
    auto small =
        prove::resizePrograms(references[0], candidate, nextFactor, reason);
    if (small && !fullSize) {
      originals.push_back({small->reference, small->candidate});
      continue;
    }
    ++keptSizes;
    originals.push_back({references[0], std::move(candidate)});
  }

  std::vector<std::unique_ptr<EquivalenceChecker>> checkers;
  std::vector<std::unique_ptr<RealOutputs>> reals;
  for (const Original &original : originals) {
    EquivalenceOptions options;
    options.random.seed = seed;
    checkers.push_back(
        std::make_unique<EquivalenceChecker>(original.reference, options));
    reals.push_back(nullptr);
  }

  unsigned judged = 0, proved = 0, accepted = 0, refuted = 0, unknown = 0;
  unsigned wrong = 0, invisible = 0;
  double seconds = 0, slowest = 0;
  std::map<std::string, unsigned> kinds;
  for (uint64_t number = 0; judged < mutants && number < 200ull * mutants;
       ++number) {
    size_t which = number % originals.size();
    const Original &original = originals[which];
    std::optional<Mutant> mutant = mutate(original.candidate, seed, number);
    if (!mutant)
      continue;
    ++judged;
    ++kinds[mutant->kind.str()];
    auto begin = std::chrono::steady_clock::now();
    EquivalenceResult result = checkers[which]->check(mutant->graph);
    std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - begin;
    seconds += taken.count();
    slowest = std::max(slowest, taken.count());
    // At full size one of them is a gigabyte or two.
    if (!reals[which]) {
      if (fullSize)
        for (auto &other : reals)
          other.reset();
      reals[which] = std::make_unique<RealOutputs>(original.reference);
    }
    Reals truth = reals[which]->compare(mutant->graph);
    bool equal = result.verdict == Verdict::Proved ||
                 result.verdict == Verdict::Accepted;
    proved += result.verdict == Verdict::Proved;
    accepted += result.verdict == Verdict::Accepted;
    refuted += result.verdict == Verdict::Refuted;
    unknown += result.verdict == Verdict::Unknown;
    // A constant that is off by one unit in the last place is not seen by f64.
    bool isWrong = equal ? truth == Reals::Different
                         : result.verdict == Verdict::Refuted &&
                               truth == Reals::Equal &&
                               mutant->kind != "constant";
    invisible += result.verdict == Verdict::Refuted && truth == Reals::Equal;
    wrong += isWrong;
    if (verbose || isWrong)
      llvm::errs() << llvm::formatv(
          "mutant {0} of {1} ({2}): {3}; in f64 {4}\n", number, which,
          mutant->kind, getVerdictText(result),
          truth == Reals::Equal       ? "equal"
          : truth == Reals::Different ? "different"
                                      : "close");
  }
  llvm::json::Object byKind;
  for (auto &[kind, count] : kinds)
    byKind[kind] = count;
  llvm::outs() << llvm::json::Value(llvm::json::Object{
                      {"originals", static_cast<int64_t>(originals.size())},
                      {"originals_not_proved", notProved},
                      {"originals_at_full_size", keptSizes},
                      {"mutants", judged},
                      {"refuted", refuted},
                      {"proved", proved},
                      {"accepted", accepted},
                      {"unknown", unknown},
                      {"wrong", wrong},
                      {"refuted_not_seen_in_f64", invisible},
                      {"milliseconds_each",
                       judged ? 1e3 * seconds / judged : 0},
                      {"slowest_milliseconds", 1e3 * slowest},
                      {"kinds", std::move(byKind)}})
               << "\n";
  return wrong ? 1 : 0;
}
