//===- KernelSolver.h - The cheapest kernels --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_KERNELSOLVER_H
#define MIRAGE_LIB_SEARCH_KERNELSOLVER_H

#include "Mirage/Cost/CostModel.h"
#include "SearchPool.h"
#include "SolveLog.h"
#include "Structures.h"

namespace mirage {

/// The parts read and written: what kernels that share a split agree on.
using PartsKey = std::pair<int64_t, int64_t>;

/// What is known of the single kernels that solve a problem. Sizes of splits
/// that other kernels must share come first.
struct KernelSolutions {
  /// For the parts read and written: the cheapest kernels, at most `keep`.
  std::map<PartsKey, std::vector<SizedKernel>> best;
  /// No graph-defined kernel that is missing costs less; it may be more than
  /// what was asked for.
  double nanosecondsLeft = 0;

  /// The cost that a kernel of these parts must undercut.
  double getBound(PartsKey parts, double bound, size_t keep) const;
  /// Adds a kernel behind all that are as cheap.
  void insert(PartsKey parts, SizedKernel kernel, size_t keep);
};

/// What no kernel for a problem can undercut: its launch, its work, and each
/// tensor moved once. With `moreBytes` moved, no graph of several kernels can
/// undercut it, further launches apart, since what overlaps least overlaps best
/// in one kernel.
double getLeastNanoseconds(const SearchProgram &program,
                           const KernelProblem &problem,
                           const TargetNumbers &target, double moreBytes = 0);

/// Finds the cheapest single kernels for problems.
class KernelSolver {
public:
  KernelSolver(const SearchProgram &program, const SearchOptions &options,
               SearchPool &pool, SearchStatistics &statistics,
               const std::atomic<bool> &stop, SolveLog &log, size_t &numSolved,
               std::function<void()> roundDone);

  struct Question {
    const KernelProblem *problem;
    double bound;
  };
  /// For each problem those that are pre-defined operators on the inputs, in
  /// every order, among the `keep` cheapest and cheaper than `bound`
  /// nanoseconds. They take no search.
  std::vector<KernelSolutions>
  findPredefined(llvm::ArrayRef<Question> questions);
  /// All others that are among the `keep` cheapest of their parts and cheaper
  /// than `bound`. What is found depends on nothing else. What the log has of
  /// these problems already is taken from there.
  std::vector<KernelSolutions> search(llvm::ArrayRef<Question> questions);

  /// See getLeastNanoseconds.
  double getLowerBound(const KernelProblem &problem,
                       double moreBytes = 0) const;
  /// The most bytes that kernels can hand to each other, each written and read,
  /// so that this bound is below some nanoseconds; none: not even 0 are.
  std::optional<double> getMostBytesHandedOn(const KernelProblem &problem,
                                             double nanoseconds) const;

  /// What the log has of a problem.
  SolveLog::Entry getLogEntry(size_t number);
  /// Writes to the log how far a problem has come, and to the statistics what
  /// has been counted since the last time.
  void note(size_t number, SolveLog::Entry entry,
            const SearchStatistics &counted);

  /// Whether the log had something that this search can't have written.
  bool isLogCorrupt() const { return logIsCorrupt; }
  void setLogCorrupt() { logIsCorrupt = true; }
  /// What went wrong with the oracle; empty: nothing. Then all solutions since
  /// are incomplete.
  const std::string &getError() const { return error; }
  /// Whether so many states were tested, or problems solved, that nothing more
  /// will be.
  bool isTooLong();
  /// Whether it was when that was asked for last.
  bool wasFoundTooLong() const { return wasTooLong; }
  /// Whether what was asked for last may not have been searched to the end.
  bool isGivenUp() const { return stop || wasTooLong; }
  /// How many problems are solved before that is asked again.
  size_t getMostAtOnce() const;

  const SearchProgram &program;
  const SearchOptions &options;
  const TargetNumbers target;
  const std::atomic<bool> &stop;
  /// The limits of all problems (SizeLimits.h).
  const int64_t mostStates, mostStatesOfOne, mostSizesBounded, mostCutSteps,
      mostAttempts;
  const size_t mostProblems;

private:
  void addPredefined(const Question &question, size_t &numStructures,
                     KernelSolutions &solutions) const;

  SearchPool &pool;
  std::mutex mutex;
  /// Guarded by the mutex while problems are being solved, as is what
  /// `roundDone` looks at.
  SearchStatistics &statistics;
  SolveLog &log;
  std::function<void()> roundDone;
  /// Problems that were solved by all solvers that write to the log.
  size_t &numSolved;
  std::atomic<bool> logIsCorrupt{false};
  bool wasTooLong = false;
  /// Which part of the limits the largest problem of all that were solved
  /// takes; none: none was.
  std::optional<double> mostOfOne;
  std::string error;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_KERNELSOLVER_H
