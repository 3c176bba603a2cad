//===- VerifyEquivalence.cpp - Random testing as a pass -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Transforms/Superoptimize.h"
#include "Mirage/Verify/RandomTest.h"

namespace mirage {
#define GEN_PASS_DEF_VERIFYEQUIVALENCE
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {

struct VerifyEquivalencePass
    : public mirage::impl::VerifyEquivalenceBase<VerifyEquivalencePass> {
  using VerifyEquivalenceBase::VerifyEquivalenceBase;

  void runOnOperation() override {
    if (trials == 0) {
      getOperation().emitError("option 'trials' must be at least 1");
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(MirageDialect::kReferenceAttr) &&
          failed(verify(function)))
        signalPassFailure();
  }

private:
  LogicalResult verify(func::FuncOp function) {
    auto name = function->getAttrOfType<FlatSymbolRefAttr>(
        MirageDialect::kReferenceAttr);
    func::FuncOp reference;
    if (name)
      reference = getOperation().lookupSymbol<func::FuncOp>(name.getAttr());
    if (!reference)
      return function.emitError("'")
             << MirageDialect::kReferenceAttr
             << "' must name a function of the module";
    if (function.getFunctionType() != reference.getFunctionType()) {
      InFlightDiagnostic diagnostic = function.emitError("has type ")
                                      << function.getFunctionType()
                                      << ", but its reference has type "
                                      << reference.getFunctionType();
      diagnostic.attachNote(reference.getLoc()) << "the reference is here";
      return diagnostic;
    }
    FailureOr<KernelGraph> referenceGraph = importKernelGraph(reference);
    if (failed(referenceGraph))
      return failure();
    FailureOr<KernelGraph> graph = importKernelGraph(function);
    if (failed(graph))
      return failure();
    RandomTestOptions options;
    options.trials = trials;
    options.maxTrials = std::max(options.maxTrials, trials.getValue());
    options.seed = seed;
    RandomTestResult result =
        RandomTester(*referenceGraph, options).test(*graph);
    switch (result.verdict) {
    case Verdict::Accepted:
      function->setAttr(MirageDialect::kVerdictAttr,
                        getVerdictAttr(&getContext(), result));
      return success();
    case Verdict::Refuted: {
      InFlightDiagnostic diagnostic = function.emitError("differs from '")
                                      << reference.getSymName()
                                      << "' at output " << result.output
                                      << " [";
      llvm::interleaveComma(result.index, diagnostic);
      diagnostic << "], on the random input of seed " << result.failingSeed;
      diagnostic.attachNote(reference.getLoc()) << "the reference is here";
      return diagnostic;
    }
    case Verdict::Unknown:
      return function.emitError("could not be compared with '")
             << reference.getSymName() << "': " << result.reason;
    }
    llvm_unreachable("covered switch");
  }
};

} // namespace
