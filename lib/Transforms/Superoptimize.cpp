//===- Superoptimize.cpp - The search as a pass ---------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/Superoptimize.h"
#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/Database/ResultsDatabase.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Search/Interrupt.h"
#include "Mirage/Search/ProgressLine.h"
#include "Mirage/Search/Report.h"
#include "Mirage/Transforms/WriteReport.h"
#include "Mirage/Verify/VerdictAttr.h"
#include "ProgramFunctions.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

namespace mirage {
#define GEN_PASS_DEF_SUPEROPTIMIZE
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {

struct SuperoptimizePass
    : public mirage::impl::SuperoptimizeBase<SuperoptimizePass> {
  using SuperoptimizeBase::SuperoptimizeBase;
  SuperoptimizePass(const SuperoptimizeOptions &options,
                    SuperoptimizeObserver observer)
      : SuperoptimizeBase(options), observer(std::move(observer)) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SearchOptions options;
    options.target = lookUpTarget(module, target);
    if (!options.target)
      return signalPassFailure();
    options.maxKernelOps = maxKernelOps;
    options.maxBlockOps = maxBlockOps;
    options.maxWholeOps = maxWholeOps;
    options.maxGridDims = maxGridDims;
    options.threads = threads;
    options.seed = seed;
    options.keep = candidates;
    options.stabilityFactor = stabilityFactor;
    options.timeLimit = timeLimit;
    options.checkpointSeconds = checkpointSeconds;
    options.maxFreeOps = maxFreeOps;
    options.memoryLimit = static_cast<int64_t>(memoryLimit) << 20;
    options.safeExponentials = safeExponentials;
    if (failed(readRules(options)) || failed(readOracle(options)))
      return signalPassFailure();
    if (llvm::Error error = validate(options)) {
      emitError(module.getLoc(), llvm::toString(std::move(error)));
      return signalPassFailure();
    }
    ProgressLine line(llvm::errs(), timeLimit);
    options.progress = observer.progress
                           ? observer.progress
                           : [&line](const SearchStatistics &statistics) {
                               line.show(statistics);
                             };
    options.interrupt = &getInterrupted();
    InterruptibleSearch interruptible;
    std::unique_ptr<ResultsDatabase> results;
    if (!database.empty()) {
      llvm::Expected<std::unique_ptr<ResultsDatabase>> opened =
          ResultsDatabase::openNamed(database);
      if (!opened) {
        emitError(module.getLoc(), llvm::toString(opened.takeError()));
        return signalPassFailure();
      }
      results = std::move(*opened);
      options.database = results.get();
    }
    auto reportFile = openReport(module, report, results.get());
    if (failed(reportFile))
      return signalPassFailure();

    llvm::json::Array reports;
    // New functions are added on the way.
    for (func::FuncOp function : findProgramFunctions(module)) {
      LogicalResult outcome = optimize(function, options, reports, line);
      if (failed(outcome))
        return signalPassFailure();
    }
    module->setAttr(MirageDialect::kTargetAttr, options.target);
    if (failed(writeReport(module, *reportFile, std::move(reports))))
      return signalPassFailure();
  }

private:
  /// The options about what is left out.
  LogicalResult readRules(SearchOptions &options) {
    for (const std::string &name : without) {
      llvm::Expected<SearchRule> rule = parseSearchRule(name);
      if (!rule)
        return emitError(getOperation().getLoc(), "option 'without': ")
               << llvm::toString(rule.takeError());
      options.without.insert(*rule);
    }
    for (const std::string &name : operators) {
      if (!lookupOperator(name))
        return emitError(getOperation().getLoc(),
                         "option 'operators': no operator is "
                         "called '")
               << name << "'";
      options.operators.push_back(name);
    }
    return success();
  }

  LogicalResult readOracle(SearchOptions &options) {
    llvm::Expected<OracleKind> kind = parseOracleKind(oracle);
    if (!kind)
      return emitError(getOperation().getLoc(), "option 'oracle': ")
             << llvm::toString(kind.takeError());
    options.oracle = *kind;
    if (axioms.empty())
      return success();
    std::string message;
    std::unique_ptr<llvm::MemoryBuffer> buffer =
        openInputFile(axioms, &message);
    if (!buffer)
      return emitError(getOperation().getLoc(), "option 'axioms': ") << message;
    llvm::Expected<solve::Axioms> read =
        solve::readAxioms(buffer->getBuffer(), axioms);
    if (!read)
      return emitError(getOperation().getLoc(), "option 'axioms': ")
             << llvm::toString(read.takeError());
    for (unsigned number : read->unconfirmed) {
      const solve::Axiom &axiom = read->axioms[number];
      emitWarning(
          FileLineColLoc::get(&getContext(), axioms, axiom.line, axiom.column),
          "not used: it does not follow from what is known of its "
          "built-in functions");
    }
    options.axioms = std::make_shared<const solve::Axioms>(std::move(*read));
    // Whether this oracle can honour them does not depend on the program.
    ExprContext context;
    auto made = makeOracle(options.oracle, context, {}, options.axioms.get());
    if (!made)
      return emitError(getOperation().getLoc(), "option 'axioms': ")
             << llvm::toString(made.takeError());
    return success();
  }

  LogicalResult optimize(func::FuncOp function, SearchOptions &options,
                         llvm::json::Array &reports, ProgressLine &line) {
    options.function = function.getSymName();
    auto skip = [&](Operation *at, const std::string &reason) {
      emitRemark(at->getLoc(), "not searched: ") << reason;
      reports.push_back(getSkippedReport(function.getSymName(), reason));
    };
    if (auto obstacle = findObstacle(function)) {
      if (callsPrograms(function))
        return success();
      skip(obstacle->first, obstacle->second);
      return success();
    }
    // The verifier of the result would say so, but only after the search.
    int64_t bytes = getDeviceBytes(function.getBody().front());
    if (bytes > options.target.getDeviceBytes())
      return function.emitOpError()
             << "has tensors of " << bytes << " bytes, but "
             << options.target.getChip() << " has "
             << options.target.getDeviceBytes() << " bytes of device memory";
    FailureOr<KernelGraph> reference = importKernelGraph(function);
    if (failed(reference))
      return failure();
    llvm::Expected<SearchResult> result = search(*reference, options);
    line.clear();
    if (!result) {
      LogicalResult outcome = success();
      llvm::handleAllErrors(
          result.takeError(),
          [&](const NotSearchable &error) { skip(function, error.message()); },
          [&](const llvm::ErrorInfoBase &error) {
            outcome = function.emitError(error.message());
          });
      return outcome;
    }
    if (!result->databaseError.empty())
      function.emitWarning("the search is not stored: ")
          << result->databaseError;
    reports.push_back(
        getReport(function.getSymName(), *reference, *result, options));
    if (observer.finished)
      observer.finished(function, *reference, *result);
    remarkUnsearched(function, *result);
    remarkUnstable(function, *result);
    if (result->candidates.empty()) {
      InFlightDiagnostic remark = emitRemark(
          function.getLoc(), "found no μGraph that is cheaper than the "
                             "program; it stays as it is");
      StopReason stopped = result->statistics.stopped;
      if (stopped != StopReason::None)
        remark << " (not all were searched: " << getWhy(stopped) << ")";
      if (!result->unknownReason.empty())
        remark << " (one that may be could not be verified: "
               << result->unknownReason << ")";
      return success();
    }
    replace(function, *result);
    return success();
  }

  /// Whether it has no operators, and calls a program
  /// (mirage-outline-programs).
  static bool callsPrograms(func::FuncOp function) {
    bool calls = false;
    WalkResult result = function.walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op)) {
        auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            call, call.getCalleeAttr());
        calls |= callee && !findObstacle(callee);
      }
      return isKernelOperator(*op) ? WalkResult::interrupt()
                                   : WalkResult::advance();
    });
    return calls && !result.wasInterrupted();
  }

  static std::string getWhy(StopReason stopped) {
    switch (stopped) {
    case StopReason::Interrupt:
      return "the search was interrupted";
    case StopReason::UnstableLimit:
      return "too many were numerically unstable or not verified";
    case StopReason::SizeLimit:
      return "there are too many";
    case StopReason::None:
    case StopReason::TimeLimit:
    case StopReason::MemoryLimit:
      return "the " + getStopReasonName(stopped).str() + " came first";
    }
    llvm_unreachable("covered switch");
  }

  /// Says at its first operator that a part stays as it is.
  static void remarkUnsearched(func::FuncOp function,
                               const SearchResult &result) {
    for (const UnsearchedPart &part : result.unsearched)
      std::next(function.getBody().front().begin(), part.node)
              ->emitRemark("part ")
          << part.part + 1 << " of " << result.parts
          << " of the program is not searched: " << part.reason;
  }

  /// Says which cheaper μGraphs were dropped for their rounding errors.
  static void remarkUnstable(func::FuncOp function,
                             const SearchResult &result) {
    constexpr size_t kMostNotes = 8;
    if (result.unstable.empty())
      return;
    InFlightDiagnostic remark = emitRemark(function.getLoc(), "dropped ")
                                << result.unstable.size()
                                << " numerically unstable μGraph"
                                << (result.unstable.size() > 1 ? "s" : "");
    if (result.statistics.stopped == StopReason::UnstableLimit)
      remark << ", and looked for no more";
    // Many differ in nothing that matters here.
    SmallVector<std::string> texts;
    for (const UnstableCandidate &candidate : result.unstable) {
      std::string text = getStabilityText(candidate.worst);
      if (!llvm::is_contained(texts, text))
        texts.push_back(std::move(text));
    }
    for (const std::string &text : ArrayRef(texts).take_front(kMostNotes))
      remark.attachNote() << text;
    if (texts.size() > kMostNotes)
      remark.attachNote() << "the report has the others, too";
  }

  /// The best candidate takes the place of the body, the others get functions
  /// of their own.
  void replace(func::FuncOp function, const SearchResult &result) {
    SymbolTable symbols(function->getParentOfType<ModuleOp>());
    auto reference = cast<func::FuncOp>(function->clone());
    reference.setName((function.getName() + "_reference").str());
    reference.setPrivate();
    symbols.insert(reference, std::next(Block::iterator(function)));

    Block::iterator position = std::next(Block::iterator(reference));
    for (auto [i, candidate] : llvm::enumerate(result.candidates)) {
      func::FuncOp target = function;
      if (i > 0) {
        target = cast<func::FuncOp>(function->clone());
        target.setName(
            (function.getName() + "_candidate_" + llvm::Twine(i)).str());
        symbols.insert(target, position);
        position = std::next(Block::iterator(target));
      }
      setBody(target, candidate.graph);
      target->setAttr(MirageDialect::kReferenceAttr,
                      FlatSymbolRefAttr::get(reference.getSymNameAttr()));
      target->setAttr(
          MirageDialect::kVerdictAttr,
          getVerdictAttr(&getContext(), candidate.verdict, candidate.graph));
    }
  }

  static void setBody(func::FuncOp function, const KernelGraph &graph) {
    Block &body = function.getBody().front();
    while (!body.empty())
      body.back().erase();
    OpBuilder builder = OpBuilder::atBlockEnd(&body);
    SmallVector<Value> outputs = exportKernelGraph(
        graph, builder, function.getLoc(), body.getArguments());
    func::ReturnOp::create(builder, function.getLoc(), outputs);
  }

  SuperoptimizeObserver observer;
};

} // namespace

std::unique_ptr<Pass>
mirage::createSuperoptimize(const SuperoptimizeOptions &options,
                            SuperoptimizeObserver observer) {
  return std::make_unique<SuperoptimizePass>(options, std::move(observer));
}
