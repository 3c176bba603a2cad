//===- KernelSolver.h - The cheapest kernels from some tensors to others ----*-
// C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_KERNELSOLVER_H
#define MIRAGE_LIB_SEARCH_KERNELSOLVER_H

#include "SolveLog.h"
#include "Structures.h"
#include "ValueGraph.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>

namespace mirage {

/// Runs numbered tasks on a pool; each worker thread keeps its state from one
/// task to the next.
class SearchPool {
public:
  SearchPool(const SearchProgram &program, const SearchOptions &options);

  /// Calls `run(task, worker)` for each task below `count` and waits.
  void forEach(size_t count,
               llvm::function_ref<void(size_t, SearchWorker &)> run);

private:
  const SearchProgram &program;
  const SearchOptions &options;
  llvm::StdThreadPool pool;
  std::mutex mutex;
  std::vector<std::unique_ptr<SearchWorker>> idle;
};

/// What is known of the single kernels that solve a problem. Sizes of splits
/// that other kernels must share come first.
struct KernelSolutions {
  /// For the parts read and written: the cheapest kernels, at most `keep`.
  std::map<std::pair<int64_t, int64_t>, std::vector<SizedKernel>> best;
};

/// Finds the cheapest single kernels for problems.
class KernelSolver {
public:
  KernelSolver(const SearchProgram &program, const SearchOptions &options,
               SearchPool &pool, SearchStatistics &statistics,
               const std::atomic<bool> &stop, SolveLog &log,
               size_t numSolvedBefore, std::function<void()> roundDone);

  /// All kernels that are among the `keep` cheapest of their parts and cheaper
  /// than `bound` nanoseconds. What is found depends on nothing else. What the
  /// log has of this problem already is taken from there.
  KernelSolutions solve(const KernelProblem &problem, double bound);

  /// What no kernel for the problem can undercut: its launch, and each tensor
  /// moved once.
  double getLowerBound(const KernelProblem &problem) const;

  /// Whether the log had something that this search can't have written.
  bool isLogCorrupt() const { return logIsCorrupt; }
  /// What went wrong with the oracle; empty: nothing. Then all solutions since
  /// are incomplete.
  const std::string &getError() const { return error; }
  /// The problems that were solved, and those before.
  size_t getNumSolved() const { return numSolved; }

private:
  struct Task;
  std::optional<double> price(const KernelProblem &problem,
                              const SizedKernel &kernel) const;
  bool restore(const KernelProblem &problem,
               llvm::ArrayRef<Placement> placements,
               const SolveLog::Kernel &logged, KernelSolutions &solutions);

  void addPredefined(const KernelProblem &problem, double bound,
                     KernelSolutions &solutions);
  void runTask(Task &task, const KernelProblem &problem,
               ProblemContext &context, double bound,
               const KernelSolutions &known);

  const SearchProgram &program;
  const SearchOptions &options;
  TargetNumbers target;
  SearchPool &pool;
  SearchStatistics &statistics;
  const std::atomic<bool> &stop;
  SolveLog &log;
  std::function<void()> roundDone;
  size_t numSolved = 0;
  bool logIsCorrupt = false;
  std::string error;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_KERNELSOLVER_H
