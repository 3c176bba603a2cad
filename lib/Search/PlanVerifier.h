//===- PlanVerifier.h - From plans to candidates ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PLANVERIFIER_H
#define MIRAGE_LIB_SEARCH_PLANVERIFIER_H

#include "SearchPool.h"
#include "Structures.h"

namespace mirage {

/// How candidates are verified.
EquivalenceOptions getEquivalenceOptions(const SearchOptions &options);

/// Turns plans into candidates: those that are equal to the program at its own
/// sizes, and lose no more to rounding.
class PlanVerifier {
public:
  /// What is the same for all plans is begun as the pool's spare work, unless
  /// it takes long, or the search is stopped.
  PlanVerifier(std::shared_ptr<const SearchProgram> program,
               const SearchOptions &options, SearchPool &pool,
               const std::atomic<bool> &stop);
  ~PlanVerifier();

  /// Puts the first `options.keep` of them into the result, in place of what is
  /// there, and counts the others; keeps of the plans those, and what is
  /// dropped for its rounding errors, which needs no verdict. Has a time limit
  /// of its own, as long as the search's, or a short one after an interrupt;
  /// returns what came before it was done, if anything.
  StopReason run(std::vector<Plan> &plans, SearchStatistics &statistics,
                 SearchResult &result);
  /// Whether the program is too large for its rounding errors to be compared:
  /// no plan has a chance.
  bool isHopeless() const { return stability && !stability->isPossible(); }
  /// Whether some plan has no verdict since the solver ran out of time, which
  /// it may not do the next time.
  bool didSolverRunOut() const { return solverRanOut; }

private:
  bool prepareNext();
  std::optional<SearchCandidate> makeCandidate(const Plan &plan) const;
  std::optional<SearchCandidate> check(const Plan &plan,
                                       EquivalenceChecker &checker) const;
  std::optional<std::pair<Plan, SearchCandidate>>
  findOtherSizes(const Plan &plan, double mostNanoseconds,
                 EquivalenceChecker &checker) const;
  bool fitsDevice(const KernelGraph &graph) const;
  /// A plan at small sizes, and how it rounds there; nothing if that can't be
  /// found out in time.
  struct Rounding {
    std::optional<KernelGraph> proxy;
    std::optional<StabilityResult> report;
    bool isUnstable() const { return report && !report->stable; }
  };
  /// Does something else meanwhile, on another thread, or behind it if the plan
  /// isn't unstable.
  Rounding getRounding(const Plan &plan, llvm::function_ref<void()> beside);
  bool checksStability() const;

  std::shared_ptr<const SearchProgram> program;
  const SearchOptions &options;
  SearchPool &pool;
  const std::atomic<bool> &stop;
  /// The sizes at which rounding errors are compared, if not the program's own,
  /// and the program at these.
  std::optional<std::vector<int64_t>> smallSizes;
  std::optional<StabilityChecker> stability;
  std::atomic<size_t> nextSample{0};
  std::atomic<bool> stopVerifying{false};
  bool solverRanOut = false;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_PLANVERIFIER_H
