//===- CandidateVerifier.h - Candidates that no plan stands for -*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_CANDIDATEVERIFIER_H
#define MIRAGE_LIB_SEARCH_CANDIDATEVERIFIER_H

#include "Mirage/Search/Search.h"
#include "Mirage/Verify/Equivalence.h"
#include "Watch.h"

namespace mirage {

/// Whether this can be a piece of a proof. What the solver has proved may rest
/// on axioms of a user, which would have to be said.
inline bool isProvedByNormalForm(const EquivalenceResult &result) {
  return result.verdict == Verdict::Proved && !result.bySolver;
}

/// What is known of a graph that is the program with some of its parts replaced
/// by what is proved to be equal to each, or with functions taken as operators.
enum class ProofOfParts {
  /// Some part has no proof.
  None,
  /// It is equal, even if that can't be proved at once, which is tried.
  Complete,
  /// The same, and what is made of it will be verified in turn: no more is
  /// tried.
  Sufficient
};

/// Verifies graphs that were put together from what was found for other
/// programs. The time limit is that of the search: verifying has as long again.
class CandidateVerifier {
public:
  CandidateVerifier(const KernelGraph &reference, const SearchOptions &options);

  /// Estimates the cost of a graph, and puts it into the result if it is
  /// cheaper than the reference, whose cost that has, and not refuted.
  /// Otherwise counts it there.
  void add(SearchCandidate candidate, ProofOfParts known, SearchResult &result);

private:
  EquivalenceResult verify(const KernelGraph &graph, ProofOfParts known);

  const SearchOptions &options;
  std::atomic<bool> stop{false};
  Watch watch;
  EquivalenceChecker checker;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_CANDIDATEVERIFIER_H
