//===- Report.cpp - The result of a search as JSON ------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Report.h"
#include "Mirage/Verify/VerdictAttr.h"

using namespace mirage;
using llvm::json::Object;

static Object getCost(const CostEstimate &cost) {
  return Object{{"kernels", cost.kernels},
                {"device_bytes", cost.deviceBytes},
                {"requested_bytes", cost.requestedBytes},
                {"nanoseconds", cost.nanoseconds}};
}

/// An infinite error, which JSON has no number for, is null.
static llvm::json::Value getUlps(const StabilityError &error) {
  if (error.overflows)
    return nullptr;
  return error.ulps;
}

static Object getStability(const StabilityClass &worst) {
  return Object{{"inputs", worst.inputs},
                {"output", worst.output ? llvm::json::Value(*worst.output)
                                        : llvm::json::Value(nullptr)},
                {"ulps", getUlps(worst.candidate)},
                {"overflows", worst.candidate.overflows},
                {"reference_ulps", getUlps(worst.reference)},
                {"reference_overflows", worst.reference.overflows}};
}

llvm::json::Object mirage::getReport(llvm::StringRef function,
                                     const KernelGraph &reference,
                                     const SearchResult &result,
                                     const SearchOptions &options) {
  const SearchStatistics &s = result.statistics;
  Object report{
      {"function", function},
      {"target", options.target.getChip()},
      {"max_kernel_ops", options.maxKernelOps},
      {"max_block_ops", options.maxBlockOps},
      {"max_whole_ops", options.getMostWholeOps()},
      {"max_grid_dims", options.maxGridDims},
      {"max_free_ops", options.maxFreeOps},
      {"threads", options.threads},
      {"oracle", getOracleName(options.oracle)},
      {"oracle_queries", s.oracle.queries},
      {"oracle_decided", s.oracle.queries - s.oracle.memoHits},
      {"oracle_affirmed", s.oracle.affirmed},
      {"oracle_unproved", s.oracle.unknowns},
      {"oracle_microseconds", s.oracle.microseconds},
      {"axioms", options.axioms ? llvm::json::Value(options.axioms->file)
                                : llvm::json::Value(nullptr)},
      {"without", llvm::json::Array(options.without.getNames())},
      {"operators", llvm::json::Array(options.operators)},
      {"parts", result.parts},
      {"exhausted", s.exhausted},
      {"stopped_by", getStopReasonName(s.stopped)},
      {"from_database", s.fromDatabase},
      {"safe_exponentials", options.safeExponentials},
      {"kernels_searched", s.kernels},
      {"states", s.states},
      {"pruned", Object{{"shape", s.prunedByShape},
                        {"loop", s.prunedByLoop},
                        {"oracle", s.prunedByOracle},
                        {"indices", s.prunedByIndices},
                        {"whole", s.prunedByWhole},
                        {"needed", s.prunedByNeeded},
                        {"bound", s.prunedByBound},
                        {"equal", s.prunedByEqual},
                        {"duplicate", s.prunedByDuplicate},
                        {"dead", s.prunedAsDead},
                        {"arrangement", s.prunedByArrangement},
                        {"cut", s.prunedByCut},
                        {"memory", s.sizesTooLarge}}},
      {"placements", s.placements},
      {"too_large", s.graphsTooLarge},
      {"attempts", s.attempts},
      {"structures", s.structures},
      {"verified", s.accepted},
      {"refuted", s.refuted},
      {"unknown", s.unknown},
      {"unknown_reason", result.unknownReason},
      {"unstable", s.unstable},
      {"stability_factor", options.stabilityFactor},
      {"sizes", s.sizes},
      {"sizes_bounded", s.sizesBounded},
      {"cut_steps", s.cutSteps},
      {"bounds_exceeded", s.boundsExceeded},
      {"seconds", s.seconds},
      {"seconds_to_first", s.secondsToFirst},
      {"reference", getCost(result.referenceCost)},
  };
  llvm::json::Array candidates;
  for (const SearchCandidate &candidate : result.candidates) {
    Object entry = getCost(candidate.cost);
    entry["verdict"] = getVerdictName(candidate.verdict.verdict);
    entry["verdict_text"] = getVerdictText(candidate.verdict);
    if (candidate.verdict.random) {
      entry["trials"] = candidate.verdict.random->trials;
      entry["seed"] = candidate.verdict.random->seed;
    }
    if (candidate.stability)
      entry["stability"] = getStability(candidate.stability->getWorst());
    candidates.push_back(std::move(entry));
  }
  report["candidates"] = std::move(candidates);
  llvm::json::Array dropped;
  for (const UnstableCandidate &candidate : result.unstable) {
    Object entry = getCost(candidate.cost);
    entry["stability"] = getStability(candidate.worst);
    dropped.push_back(std::move(entry));
  }
  report["dropped"] = std::move(dropped);
  llvm::json::Array unsearched;
  for (const UnsearchedPart &part : result.unsearched)
    unsearched.push_back(
        Object{{"part", part.part + 1}, {"reason", part.reason}});
  report["unsearched"] = std::move(unsearched);
  return report;
}

llvm::json::Object mirage::getSkippedReport(llvm::StringRef function,
                                            llvm::StringRef reason) {
  return Object{{"function", function}, {"not_searched", reason.str()}};
}
