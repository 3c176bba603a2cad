//===- Search.h - The superoptimizer ----------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SEARCH_H
#define MIRAGE_SEARCH_SEARCH_H

#include "Mirage/Cost/CostModel.h"
#include "Mirage/Verify/Equivalence.h"
#include "Mirage/Verify/Stability.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace mirage {

/// What the search has done so far. docs/Search.md explains the rules.
struct SearchStatistics {
  /// Prefixes of block graphs and of kernel graphs that were extended.
  int64_t states = 0;
  /// Operators not added, by the rule that forbade them.
  int64_t prunedByShape = 0;
  int64_t prunedByLoop = 0;
  int64_t prunedByOracle = 0;
  int64_t prunedByUnused = 0;
  int64_t prunedByTogether = 0;
  int64_t prunedByDuplicate = 0;
  /// Structures: μGraphs up to the sizes of grid and loop.
  int64_t structures = 0;
  int64_t accepted = 0;
  int64_t refuted = 0;
  int64_t unknown = 0;
  /// Verified μGraphs that were dropped for their rounding errors.
  int64_t unstable = 0;
  /// Sizes tried for accepted structures, and those whose tiles were too large.
  int64_t sizes = 0;
  int64_t sizesTooLarge = 0;
  /// Placements of inputs (grid, imap, fmap) to search, and how many are done.
  int64_t placements = 0;
  int64_t placementsDone = 0;
  /// The largest number of kernels that was searched.
  unsigned kernels = 0;
  double seconds = 0;
  double secondsToFirst = 0;
  /// The cost of the best μGraph so far, in nanoseconds; 0 before the first.
  double bestNanoseconds = 0;
  /// Whether nothing within the limits was left out, except what provably can't
  /// be cheaper than the best.
  bool exhausted = false;

  SearchStatistics &operator+=(const SearchStatistics &other);
};

struct SearchOptions {
  TargetAttr target;
  /// The paper's limits: kernels of a kernel graph; operators and accumulators
  /// (not iterators, savers or constants) of a block graph.
  unsigned maxKernelOps = 5;
  unsigned maxBlockOps = 11;
  unsigned maxGridDims = 2;
  unsigned threads = 1;
  uint64_t seed = 1;
  /// A μGraph whose rounding errors exceed the program's by this factor is
  /// dropped (docs/Stability.md): at least 1, or 0 for no check.
  double stabilityFactor = 4;
  /// How many of the cheapest μGraphs to return, of different structure.
  unsigned keep = 1;
  /// Seconds after which the search ends with what it has; 0: none. The candidates
  /// are then verified at the program's own sizes, for as long again at most (and
  /// until the trial that is running ends).
  double timeLimit = 0;
  /// Called now and then while the search runs, from any of its threads but
  /// never from two at once.
  std::function<void(const SearchStatistics &)> progress;
};

struct SearchCandidate {
  KernelGraph graph;
  CostEstimate cost;
  /// At the program's own sizes.
  EquivalenceResult verdict;
  /// The same μGraph at the sizes at which it was found.
  KernelGraph proxy;
  /// Its rounding errors at these sizes; nothing if they weren't asked for.
  std::optional<StabilityResult> stability;
};

/// A verified μGraph that was dropped, and why.
struct UnstableCandidate {
  CostEstimate cost;
  StabilityClass worst;
};

struct SearchResult {
  /// Cheapest first; every one verified. Empty when nothing is cheaper than the
  /// program as it stands.
  std::vector<SearchCandidate> candidates;
  /// Those cheaper than the program that were dropped for their rounding errors,
  /// cheapest first for each number of kernels.
  std::vector<UnstableCandidate> unstable;
  CostEstimate referenceCost;
  SearchStatistics statistics;
  /// Why a cheaper candidate was not returned though nothing refuted it: it could
  /// not be verified at the program's sizes. Empty where that did not happen.
  std::string unknownReason;
};

/// Searches for the cheapest μGraph that computes what `reference` does (paper,
/// Algorithm 1). The reference consists of pre-defined operators and constants.
/// The result is the same for any number of threads, unless the time limit cuts
/// the search short. An error when the program
/// is not one that can be searched, saying why.
llvm::Expected<SearchResult> search(const KernelGraph &reference,
                                    const SearchOptions &options);

} // namespace mirage

#endif // MIRAGE_SEARCH_SEARCH_H
