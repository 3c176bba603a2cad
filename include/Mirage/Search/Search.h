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
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Oracle/Oracle.h"
#include "Mirage/Search/Rules.h"
#include "Mirage/Verify/Equivalence.h"
#include "Mirage/Verify/Stability.h"
#include "llvm/Support/Error.h"
#include <algorithm>
#include <atomic>
#include <functional>

namespace mirage {

class ResultsDatabase;
class SizeSpace;

/// Why a search ended before it was done.
enum class StopReason {
  None,
  TimeLimit,
  MemoryLimit,
  Interrupt,
  /// Too many of the cheapest μGraphs turned out numerically unstable, or could
  /// not be verified.
  UnstableLimit,
  /// Some graph of alternatives was too large to be closed (docs/Search.md).
  SizeLimit
};

/// "time-limit", "memory-limit", "interrupt", "unstable-limit", "size-limit",
/// or
/// "" for none.
llvm::StringRef getStopReasonName(StopReason reason);

/// What the search has done so far. docs/Search.md explains the rules.
struct SearchStatistics {
  /// Values that operators were applied to, and partial derivations.
  int64_t states = 0;
  /// Operators tried on values, and pairs of kinds of values for which
  /// operators were looked for: what it takes to make graphs of values.
  int64_t attempts = 0;
  /// What was left out, by the rule that forbade it.
  int64_t prunedByShape = 0;
  int64_t prunedByLoop = 0;
  int64_t prunedByOracle = 0;
  int64_t prunedByIndices = 0;
  int64_t prunedByWhole = 0;
  int64_t prunedByNeeded = 0;
  int64_t prunedByEqual = 0;
  int64_t prunedByDuplicate = 0;
  int64_t prunedAsDead = 0;
  int64_t prunedByArrangement = 0;
  int64_t prunedByCut = 0;
  int64_t prunedByBound = 0;
  /// What the oracles of this run were asked: unlike all others, these numbers
  /// depend on the threads, of which each remembers its own answers.
  OracleStatistics oracle;
  /// Structures: μGraphs up to the sizes of grid and loop.
  int64_t structures = 0;
  int64_t accepted = 0;
  int64_t refuted = 0;
  int64_t unknown = 0;
  /// Verified μGraphs that were dropped for their rounding errors.
  int64_t unstable = 0;
  /// Sizes tried for structures, and those whose tiles were too large.
  int64_t sizes = 0;
  int64_t sizesTooLarge = 0;
  /// Sizes of grids and loops that were bounded before the inputs were placed.
  int64_t sizesBounded = 0;
  /// States on the way to places where graphs of values are cut into kernels.
  int64_t cutSteps = 0;
  /// Sizes that cost less than their bound: 0, or else a mistake in a bound may
  /// have hidden something better.
  int64_t boundsExceeded = 0;
  /// Graphs of alternatives that were given up: too large.
  int64_t graphsTooLarge = 0;
  /// Values and partial derivations beyond which the limit of operators let
  /// nothing be tried: with 0 a larger limit finds nothing more.
  int64_t atOperatorLimit = 0;
  /// Placements of inputs (grid, imap, fmap) to search, and how many are done.
  int64_t placements = 0;
  int64_t placementsDone = 0;
  /// The largest number of kernels that was searched.
  unsigned kernels = 0;
  /// While it runs: whether it is verifying what it has found.
  bool isVerifying = false;
  double seconds = 0;
  double secondsToFirst = 0;
  /// The cost of the best μGraph so far, in nanoseconds; 0 before the first.
  double bestNanoseconds = 0;
  /// Whether nothing within the limits was left out, except by the rules
  /// (Rules.h): what can't be cheaper than the best.
  bool exhausted = false;
  /// Why it was not exhausted; None, too, if only a part can't be searched.
  StopReason stopped = StopReason::None;
  /// Whether the result was in the database.
  bool fromDatabase = false;

  /// Adds counters; times, and how it ended, stay as they are.
  SearchStatistics &operator+=(const SearchStatistics &other);
};

struct SearchOptions {
  /// Must be set.
  TargetAttr target;
  /// The paper's limits: kernels of a kernel graph; operators of a block graph
  /// that count (docs/Search.md): those that reduce or multiply matrices, and
  /// elementwise ones of two tiles.
  unsigned maxKernelOps = 5;
  static constexpr unsigned kBlockOps = 11;
  unsigned maxBlockOps = kBlockOps;
  /// Operators of a block graph that computes a whole program, or a whole part
  /// of one: see `getMostWholeOps`.
  unsigned maxWholeOps = 32;
  /// One more than the paper's, and than a GPU's (`getLaunchSizes`).
  unsigned maxGridDims = kMaxGridDims;
  /// How many operators that don't count may stand in a row.
  unsigned maxFreeOps = 6;
  unsigned threads = 1;
  /// Whether exponentials whose argument can be shifted without changing the
  /// results (a softmax's) are to be computed with a running maximum.
  bool safeExponentials = true;
  uint64_t seed = 1;
  /// What decides whether an expression can be a part of the program's, and the
  /// user's axioms, which may be null: `Z3` honours them, and `None` has no
  /// need of them (docs/AbstractExpressions.md).
  OracleKind oracle = OracleKind::NormalForm;
  std::shared_ptr<const solve::Axioms> axioms;
  /// Rules that are switched off.
  SearchRuleSet without;
  /// The names of the operators that μGraphs may have; empty: all. Accumulators
  /// that take a maximum need "reduce_max", those that rescale "exp" as well.
  std::vector<std::string> operators;
  /// How long the solver may try to prove one candidate that has no other proof
  /// (EquivalenceOptions); 0 leaves it out.
  double solverSeconds = 5;
  /// A μGraph whose rounding errors exceed the program's by this factor is
  /// dropped (docs/Stability.md): at least 1, or 0 for no check.
  double stabilityFactor = 4;
  /// Rounding errors are compared at sizes at which no program takes more
  /// operations than this to be evaluated, where that can be than 2^20; where
  /// there are none, nothing is returned.
  double stabilityWork = 1 << 26;
  /// What replaces the program must take less than this part of its time: the
  /// cost model is no more precise than that.
  double leastGain = 0.99;
  /// Which part of the limits from where on a program is too large
  /// (docs/Search.md) a search may take: less than 1 where it is one of several
  /// of a program, or for a piece of one that was too large.
  double partOfSizeLimits = 1;
  /// How many of the cheapest μGraphs to return, of different structure. One is
  /// searched for with sums as operators first, and with long elementwise
  /// functions in one piece, which may find one that costs less than the first
  /// of several (docs/Search.md).
  unsigned keep = 1;
  /// Seconds after which the search ends with what it has; 0: none. The
  /// candidates are then verified at the program's own sizes, for as long again
  /// at most (and until the trial that is running ends).
  double timeLimit = 0;
  /// Bytes by which the process may grow before the search, of all parts if
  /// there are several, ends with what it has; 0: none. Only Linux says how
  /// large a process is.
  int64_t memoryLimit = 0;
  /// Called now and then while the search runs, from any of its threads but
  /// never from two at once.
  std::function<void(const SearchStatistics &)> progress;
  /// Set by anyone to end the search with what it has, as a time limit does.
  const std::atomic<bool> *interrupt = nullptr;
  /// Where to look the program up first, to go on from where an earlier search
  /// of it was interrupted, and to keep what is found; may be null.
  ResultsDatabase *database = nullptr;
  /// How often, in seconds, the state of the search is stored there: less often
  /// where that would take more than a twentieth of the time; 0: after each
  /// round of each problem.
  double checkpointSeconds = 0.5;
  /// The name of the program's entry there, for people.
  std::string function;

  bool mayHave(llvm::StringRef op) const {
    return operators.empty() || llvm::is_contained(operators, op);
  }
  bool uses(SearchRule rule) const { return !without.contains(rule); }
  /// How many operators a block graph may have that computes all there is to
  /// compute: none can be handed to another kernel. As many as others where the
  /// limit is lowered, or little is ruled out (no oracle, or a user's axioms).
  unsigned getMostWholeOps() const {
    return wantsSmallKernels() || !trustsLaws()
               ? maxBlockOps
               : std::max(maxBlockOps, maxWholeOps);
  }
  /// Whether the limit of a block graph's operators is lowered, which then
  /// holds for kernels and functions that may have more otherwise.
  bool wantsSmallKernels() const { return maxBlockOps < kBlockOps; }
  /// Whether to rest on the laws of abstract expressions beyond what the oracle
  /// says: on the paper's axioms alone.
  bool trustsLaws() const { return oracle != OracleKind::None && !axioms; }
};

/// The program is none that can be searched; the message says why.
class NotSearchable : public llvm::ErrorInfo<NotSearchable> {
public:
  static char ID;
  explicit NotSearchable(std::string reason) : reason(std::move(reason)) {}
  void log(llvm::raw_ostream &os) const override { os << reason; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string reason;
};

struct SearchCandidate {
  KernelGraph graph;
  CostEstimate cost;
  /// At the program's own sizes.
  EquivalenceResult verdict;
  /// The same μGraph at the sizes at which it was found.
  KernelGraph proxy;
  /// The other sizes that its grids, loops and splits can have; null if it was
  /// put together from what was found for parts of the program, or for the
  /// program with functions in one piece.
  std::shared_ptr<const SizeSpace> sizes;
  /// Its rounding errors at these sizes; nothing if they weren't asked for.
  std::optional<StabilityResult> stability;
};

/// A verified μGraph that was dropped, and why.
struct UnstableCandidate {
  CostEstimate cost;
  StabilityClass worst;
};

/// A part of the program that was not searched.
struct UnsearchedPart {
  /// Which of the parts, from 0, and its first node in the program.
  unsigned part;
  unsigned node;
  std::string reason;
};

struct SearchResult {
  /// Cheapest first; every one verified. Empty when nothing is cheaper than the
  /// program as it stands.
  std::vector<SearchCandidate> candidates;
  /// Those cheaper than the program that were dropped for their rounding
  /// errors, cheapest first.
  std::vector<UnstableCandidate> unstable;
  CostEstimate referenceCost;
  /// Into how many parts the program was cut: at reshapes that merge or split
  /// dimensions, between what nothing connects, or because it is too large
  /// (docs/Search.md, "Programs in parts"). Each was searched by itself, the
  /// statistics are sums, and the candidates have no `sizes` and no `stability`
  /// (their parts are stable).
  unsigned parts = 1;
  /// Those that can't be searched and stay as they are; not all of them.
  std::vector<UnsearchedPart> unsearched;
  SearchStatistics statistics;
  /// Why a cheaper candidate was not returned though nothing refuted it: it
  /// could not be verified at the program's sizes. Empty where that did not
  /// happen.
  std::string unknownReason;
  /// What went wrong when results were to be stored in the database; empty:
  /// nothing. The candidates are good all the same.
  std::string databaseError;

  /// Takes over what went wrong in another search for the same program, or for
  /// a part of it, where nothing did in this one.
  void addErrors(const SearchResult &other) {
    for (std::string SearchResult::*text :
         {&SearchResult::unknownReason, &SearchResult::databaseError})
      if ((this->*text).empty())
        this->*text = other.*text;
  }
};

/// Whether a search can have such options: the error names the option of the
/// pass `mirage-superoptimize`, and says what it may be.
llvm::Error validate(const SearchOptions &options);

/// Searches for the cheapest μGraph that computes what `reference` does (paper,
/// Algorithm 1). The reference consists of pre-defined operators and constants.
/// The result is the same for any number of threads, unless the time limit cuts
/// the search short. Errors are NotSearchable, those of `validate`, those of
/// reading the database, and those of the oracle: axioms that it can't honour,
/// or a disagreement that a cross-check found.
llvm::Expected<SearchResult> search(const KernelGraph &reference,
                                    const SearchOptions &options);

} // namespace mirage

#endif // MIRAGE_SEARCH_SEARCH_H
