//===- ProblemSolver.h - The kernels for one problem ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PROBLEMSOLVER_H
#define MIRAGE_LIB_SEARCH_PROBLEMSOLVER_H

#include "KernelSolver.h"
#include "Mirage/Cost/CostModel.h"

namespace mirage {

/// Finds the cheapest single kernels for one problem. First it collects the
/// placements and bounds the cost of each from below; then it searches them in
/// rounds, from the most promising on. Rounds are of as many placements for any
/// number of threads, so that bounds, and with them what is found and counted,
/// don't depend on it.
class ProblemSolver : public PhasedWork {
public:
  ProblemSolver(KernelSolver &solver, const KernelProblem &problem,
                double bound, size_t number);
  ~ProblemSolver();

  size_t startPhase() override;
  void run(size_t task, SearchWorker &worker) override;

  KernelSolutions solutions;
  /// What went wrong with the oracle; empty: nothing.
  std::string error;

private:
  struct Task;
  enum class Phase { New, Placements, Bounds, Rounds };

  size_t startPlacements();
  bool restore(const llvm::json::Value &logged);
  size_t startBounds();
  void boundPlacements(size_t chunk);
  void startRounds();
  size_t startRound();
  void endRound();
  void runTask(Task &task, ProblemContext &context);
  void note(bool done);

  KernelSolver &solver;
  const SearchProgram &program;
  const SearchOptions &options;
  const TargetNumbers &target;
  const std::atomic<bool> &stop;
  const KernelProblem &problem;
  const double bound;
  /// Its entry in the log.
  const size_t number;
  Phase phase = Phase::New;
  std::vector<Placement> placements;
  std::vector<Task> tasks;
  std::vector<Task *> order;
  /// The round: where it begins, of how many placements it is, and where the
  /// next one begins.
  size_t first = 0, count = 0, next = 0;
  /// Up to what was last noted, and since then.
  SearchStatistics statistics, counted;
  std::mutex mutex;
  llvm::DenseMap<SearchWorker *, std::unique_ptr<ProblemContext>> contexts;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_PROBLEMSOLVER_H
