//===- Explain.cpp - Tells a person what the compiler did -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Verify/VerdictAttr.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mirage;

void Explainer::printProgram(ModuleOp module) {
  out << "== The program as given\n\n" << module << "\n\n";
  out.flush();
}

SuperoptimizeObserver Explainer::getObserver() {
  SuperoptimizeObserver observer;
  observer.progress = [this](const SearchStatistics &statistics) {
    progress.show(statistics);
  };
  observer.finished = [this](func::FuncOp function,
                             const KernelGraph &reference,
                             const SearchResult &result) {
    printResult(function, reference, result);
  };
  return observer;
}

void Explainer::printResult(func::FuncOp function, const KernelGraph &,
                            const SearchResult &result) {
  progress.clear();
  const SearchStatistics &s = result.statistics;
  if (result.candidates.empty()) {
    out << "== No cheaper μGraph found\n\n";
  } else {
    out << "== The best μGraph\n\n";
    const SearchCandidate &best = result.candidates.front();
    OwningOpRef<func::FuncOp> copy = function.clone();
    Block &body = copy->getBody().front();
    while (!body.empty())
      body.back().erase();
    OpBuilder builder = OpBuilder::atBlockEnd(&body);
    SmallVector<Value> outputs = exportKernelGraph(
        best.graph, builder, function.getLoc(), body.getArguments());
    func::ReturnOp::create(builder, function.getLoc(), outputs);
    out << **copy << "\n\n";
  }
  std::string end = "ended by " + getStopReasonName(s.stopped).str();
  if (s.stopped == StopReason::None)
    end = s.exhausted ? "space exhausted" : "a part can't be searched";
  out << "== The search\n\n"
      << llvm::formatv("{0:f2} s (first μGraph after {1:f2} s), {2}\n",
                       s.seconds, s.secondsToFirst, end)
      << llvm::formatv("{0} states visited; operators pruned: {1} by the "
                       "abstract expression, {2} by shape, {3} by loop, {4} as "
                       "no part of a whole tensor, {5} as never used, {6} as "
                       "equal to others, {7} as duplicates, {8} as too slow\n",
                       s.states, s.prunedByOracle + s.prunedByIndices,
                       s.prunedByShape, s.prunedByLoop, s.prunedByWhole,
                       s.prunedByNeeded + s.prunedAsDead, s.prunedByEqual,
                       s.prunedByDuplicate + s.prunedByArrangement,
                       s.prunedByBound)
      << llvm::formatv(
             "{0} structures: {1} verified, {2} refuted, {3} unknown; "
             "{4} sizes tried, {5} too large for shared memory\n",
             s.structures, s.accepted, s.refuted, s.unknown, s.sizes,
             s.sizesTooLarge)
      << llvm::formatv("{0} μGraphs dropped as numerically unstable\n\n",
                       s.unstable);
  if (result.candidates.empty())
    return;
  const SearchCandidate &best = result.candidates.front();
  out << "== The verdict\n\n"
      << getVerdictText(best.verdict) << "\n\n"
      << "== The estimate\n\n"
      << llvm::formatv("{0,-10} {1,10} {2,14} {3,10}\n", "", "launches",
                       "device bytes", "time")
      << llvm::formatv("{0,-10} {1,10} {2,14} {3,7:f1} us\n", "unfused",
                       result.referenceCost.kernels,
                       result.referenceCost.deviceBytes,
                       result.referenceCost.nanoseconds / 1e3)
      << llvm::formatv("{0,-10} {1,10} {2,14} {3,7:f1} us\n\n", "best",
                       best.cost.kernels, best.cost.deviceBytes,
                       best.cost.nanoseconds / 1e3);
  out.flush();
}
