//===- VerifyEquivalence.cpp - Verification as passes ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Transforms/Passes.h"
#include "Mirage/Verify/VerdictAttr.h"

namespace mirage {
#define GEN_PASS_DEF_PROVEEQUIVALENCE
#define GEN_PASS_DEF_VERIFYEQUIVALENCE
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

/// The function that `mirage.reference` names; emits an error when there is
/// none of the same type.
static func::FuncOp findReference(func::FuncOp function) {
  auto name =
      function->getAttrOfType<FlatSymbolRefAttr>(MirageDialect::kReferenceAttr);
  func::FuncOp reference;
  if (name)
    reference =
        function->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
            name.getAttr());
  if (!reference) {
    function.emitError("'") << MirageDialect::kReferenceAttr
                            << "' must name a function of the module";
    return {};
  }
  if (function.getFunctionType() != reference.getFunctionType()) {
    InFlightDiagnostic diagnostic = function.emitError("has type ")
                                    << function.getFunctionType()
                                    << ", but its reference has type "
                                    << reference.getFunctionType();
    diagnostic.attachNote(reference.getLoc()) << "the reference is here";
    return {};
  }
  return reference;
}

/// Compares a function with its reference: a verdict on the function, or an
/// error.
static LogicalResult verify(func::FuncOp function,
                            const EquivalenceOptions &options) {
  func::FuncOp reference = findReference(function);
  if (!reference)
    return failure();
  FailureOr<KernelGraph> referenceGraph = importKernelGraph(reference);
  if (failed(referenceGraph))
    return failure();
  FailureOr<KernelGraph> graph = importKernelGraph(function);
  if (failed(graph))
    return failure();
  EquivalenceResult result =
      EquivalenceChecker(*referenceGraph, options).check(*graph);
  switch (result.verdict) {
  case Verdict::Proved:
  case Verdict::Accepted:
    function->setAttr(MirageDialect::kVerdictAttr,
                      getVerdictAttr(function.getContext(), result, *graph));
    return success();
  case Verdict::Refuted: {
    const RandomTestResult &random = *result.random;
    InFlightDiagnostic diagnostic = function.emitError("differs from '")
                                    << reference.getSymName() << "' at output "
                                    << random.output << " [";
    llvm::interleaveComma(random.index, diagnostic);
    diagnostic << "], on the random " << (random.overReals ? "real " : "")
               << "input of seed " << random.failingSeed;
    diagnostic.attachNote(reference.getLoc()) << "the reference is here";
    return diagnostic;
  }
  case Verdict::Unknown:
    return function.emitError("could not be compared with '")
           << reference.getSymName() << "': " << result.reason;
  }
  llvm_unreachable("covered switch");
}

static LogicalResult verifyAll(ModuleOp module,
                               const EquivalenceOptions &options) {
  bool failedAny = false;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(MirageDialect::kReferenceAttr))
      failedAny |= failed(verify(function, options));
  return failure(failedAny);
}

namespace {

struct VerifyEquivalencePass
    : public mirage::impl::VerifyEquivalenceBase<VerifyEquivalencePass> {
  using VerifyEquivalenceBase::VerifyEquivalenceBase;

  void runOnOperation() override {
    if (trials == 0) {
      emitError(getOperation().getLoc(), "option 'trials' must be at least 1");
      return signalPassFailure();
    }
    EquivalenceOptions options;
    options.method = method;
    options.random.trials = trials;
    options.random.maxTrials =
        std::max(options.random.maxTrials, trials.getValue());
    options.random.seed = seed;
    if (failed(verifyAll(getOperation(), options)))
      signalPassFailure();
  }
};

struct ProveEquivalencePass
    : public mirage::impl::ProveEquivalenceBase<ProveEquivalencePass> {
  using ProveEquivalenceBase::ProveEquivalenceBase;

  void runOnOperation() override {
    EquivalenceOptions options;
    options.method = VerifyMethod::Prove;
    options.random.seed = seed;
    if (failed(verifyAll(getOperation(), options)))
      signalPassFailure();
  }
};

} // namespace
