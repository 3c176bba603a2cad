//===- CandidateVerifier.cpp - Candidates that no plan stands for ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateVerifier.h"
#include "PlanVerifier.h"

using namespace mirage;

static EquivalenceOptions getOptions(const SearchOptions &options,
                                     const std::atomic<bool> &stop) {
  EquivalenceOptions result = getEquivalenceOptions(options);
  result.random.stop = &stop;
  return result;
}

CandidateVerifier::CandidateVerifier(const KernelGraph &reference,
                                     const SearchOptions &options)
    : options(options), watch(options, stop, kSecondsToVerifyAfterInterrupt),
      checker(reference, getOptions(options, stop)) {}

EquivalenceResult CandidateVerifier::verify(const KernelGraph &graph,
                                            ProofOfParts known) {
  EquivalenceResult proved;
  proved.verdict = Verdict::Proved;
  proved.inParts = true;
  // What is proved part by part is tested against mistakes of joining only.
  constexpr EquivalenceChecker::Effort kLittle{ProofEffort::Little,
                                               /*testSeconds=*/1};
  switch (known) {
  case ProofOfParts::Sufficient:
    return proved;
  case ProofOfParts::None:
    return checker.check(graph);
  case ProofOfParts::Complete: {
    EquivalenceResult result = checker.check(graph, kLittle);
    return result.verdict == Verdict::Unknown ||
                   result.verdict == Verdict::Accepted
               ? proved
               : result;
  }
  }
  llvm_unreachable("covered switch");
}

void CandidateVerifier::add(SearchCandidate candidate, ProofOfParts known,
                            SearchResult &result) {
  candidate.cost = estimateCost(candidate.graph, options.target);
  if (candidate.cost.nanoseconds >=
      options.leastGain * result.referenceCost.nanoseconds)
    return;
  candidate.verdict = verify(candidate.graph, known);
  switch (candidate.verdict.verdict) {
  case Verdict::Proved:
  case Verdict::Accepted:
    result.candidates.push_back(std::move(candidate));
    break;
  case Verdict::Refuted:
    ++result.statistics.refuted;
    break;
  case Verdict::Unknown:
    ++result.statistics.unknown;
    if (result.unknownReason.empty())
      result.unknownReason = candidate.verdict.reason;
    break;
  }
}
