//===- mirage-verify.cpp - Do two tensor programs compute the same? -------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Thread/Thread.h"
#include "Programs.h"
#include "Report.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include <chrono>
#include <cmath>

using namespace mlir;
using namespace mirage;
namespace cl = llvm::cl;

namespace {

/// What the tool says of the whole, and its exit status.
enum ExitStatus {
  AllEqual = 0,
  SomeRefuted = 1,
  SomeUnknown = 2,
  BadInput = 3
};

struct CommandLine {
  cl::OptionCategory category{"mirage-verify options"};
  cl::opt<std::string> reference{cl::Positional, cl::Required,
                                 cl::desc("REFERENCE.mlir"), cl::cat(category)};
  cl::opt<std::string> candidate{cl::Positional, cl::Required,
                                 cl::desc("CANDIDATE"), cl::cat(category)};
  cl::opt<std::string> function{
      "function",
      cl::desc("The reference, when the file has several functions"),
      cl::cat(category)};
  cl::opt<VerifyMethod> method{
      "method", cl::desc("How to verify"), cl::init(VerifyMethod::Both),
      cl::values(clEnumValN(VerifyMethod::Random, "random",
                            "by random testing over finite fields"),
                 clEnumValN(VerifyMethod::Prove, "prove", "by symbolic proof"),
                 clEnumValN(VerifyMethod::Both, "both",
                            "by proof, and where that fails by testing")),
      cl::cat(category)};
  cl::opt<unsigned> trials{"trials",
                           cl::desc("Trials that a random test must pass"),
                           cl::init(2), cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::desc("The seed of the random inputs"),
                         cl::init(1), cl::cat(category)};
  cl::opt<std::string> axioms{
      "axioms", cl::desc("A file that says what holds for opaque operators"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<double> solverSeconds{
      "solver-seconds",
      cl::desc("How long Z3 may try to prove a candidate; 0: not at all"),
      cl::init(5), cl::cat(category)};
  cl::opt<bool> json{"json", cl::desc("Print one JSON object"),
                     cl::cat(category)};
};

int fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "mirage-verify") << message << "\n";
  return BadInput;
}

/// Reads and checks a file of axioms; prints its errors, and warns of axioms
/// that no proof may use.
std::optional<solve::Axioms> openAxioms(StringRef path) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer) {
    fail(message);
    return std::nullopt;
  }
  llvm::Expected<solve::Axioms> axioms =
      solve::readAxioms(buffer->getBuffer(), path);
  if (!axioms) {
    llvm::errs() << llvm::toString(axioms.takeError()) << "\n";
    return std::nullopt;
  }
  for (unsigned number : axioms->unconfirmed) {
    const solve::Axiom &axiom = axioms->axioms[number];
    llvm::errs()
        << path << ":" << axiom.line << ":" << axiom.column
        << ": warning: not used: it does not follow from what is known "
           "of its built-in functions\n";
  }
  return std::move(*axioms);
}

StringRef getMethodName(VerifyMethod method) {
  switch (method) {
  case VerifyMethod::Random:
    return "random";
  case VerifyMethod::Prove:
    return "prove";
  case VerifyMethod::Both:
    return "both";
  }
  llvm_unreachable("covered switch");
}

int run(const CommandLine &options, MLIRContext &context) {
  if (options.trials == 0)
    return fail("--trials must be at least 1");
  const double seconds = options.solverSeconds;
  if (!(seconds >= 0) || std::isinf(seconds))
    return fail(llvm::formatv("--solver-seconds must be a number of seconds, "
                              "or 0 for no solver, found {0}",
                              llvm::format("%g", seconds))
                    .str());
  if (options.reference == "-" && options.candidate == "-")
    return fail("only one of the two programs can come from stdin");
  ProgramFile referenceFile, candidateFile;
  if (!referenceFile.open(options.reference, context))
    return BadInput;
  std::optional<Program> reference =
      referenceFile.getReference(options.function);
  if (!reference || !candidateFile.open(options.candidate, context))
    return BadInput;
  bool complete = true;
  std::vector<Program> candidates = candidateFile.getCandidates(complete);

  EquivalenceOptions equivalence;
  equivalence.method = options.method;
  equivalence.random.trials = options.trials;
  equivalence.random.maxTrials =
      std::max(equivalence.random.maxTrials, options.trials.getValue());
  equivalence.random.seed = options.seed;
  equivalence.solverSeconds = seconds;
  if (!options.axioms.empty()) {
    std::optional<solve::Axioms> axioms = openAxioms(options.axioms);
    if (!axioms)
      return BadInput;
    equivalence.axioms =
        std::make_shared<const solve::Axioms>(std::move(*axioms));
  }
  EquivalenceChecker checker(reference->graph, equivalence);
  bool someRefuted = false, someUnknown = false;
  llvm::json::Array reports;
  for (const Program &candidate : candidates) {
    std::string difference;
    if (!haveSameSignature(reference->graph, candidate.graph, difference)) {
      candidateFile.printError(candidate, difference);
      complete = false;
      continue;
    }
    auto start = std::chrono::steady_clock::now();
    Report report;
    report.index = candidate.index;
    report.name = candidate.name;
    report.result = checker.check(candidate.graph);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    someRefuted |= report.result.verdict == Verdict::Refuted;
    someUnknown |= report.result.verdict == Verdict::Unknown;
    if (options.json) {
      reports.push_back(report.toJSON());
    } else {
      report.print(llvm::outs());
      llvm::outs().flush();
    }
  }
  if (options.json)
    llvm::outs() << llvm::formatv(
        "{0:2}\n", llvm::json::Value(llvm::json::Object{
                       {"reference", reference->name},
                       {"method", getMethodName(options.method)},
                       {"trials", options.trials.getValue()},
                       {"seed", static_cast<uint64_t>(options.seed)},
                       {"complete", complete},
                       {"candidates", std::move(reports)}}));
  if (!complete)
    return BadInput;
  return someRefuted ? SomeRefuted : someUnknown ? SomeUnknown : AllEqual;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CommandLine options;
  cl::HideUnrelatedOptions(options.category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Says whether tensor programs compute the same as a reference\n",
          &llvm::errs()))
    return BadInput;
  DialectRegistry registry;
  registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                  thread::ThreadDialect>();
  registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                  math::MathDialect, scf::SCFDialect, tensor::TensorDialect,
                  tosa::TosaDialect>();
  MLIRContext context(registry);
  // What the import builds.
  context.loadDialect<MirageDialect, kernel::KernelDialect, arith::ArithDialect,
                      math::MathDialect>();
  // The place in the source says it; the op may be the whole function.
  context.printOpOnDiagnostic(false);
  return run(options, context);
}
