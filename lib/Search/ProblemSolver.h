//===- ProblemSolver.h - The kernels for one problem ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PROBLEMSOLVER_H
#define MIRAGE_LIB_SEARCH_PROBLEMSOLVER_H

#include "BoundedPlacements.h"
#include "KernelSolver.h"
#include "Mirage/Cost/CostModel.h"

namespace mirage {

class ValueGraph;

/// Finds the cheapest single kernels for one problem. It collects the
/// placements whose costs are bounded from below by little, searches them from
/// the most promising on, then collects those with somewhat larger bounds, and
/// so on until no bound is below what was found. Placements are searched in
/// rounds of as many for any number of threads, so that the costs to beat, and
/// with them what is found and counted, don't depend on it. When many were
/// searched and nothing was found it asks whether there is anything at all.
class ProblemSolver : public PhasedWork {
public:
  ProblemSolver(KernelSolver &solver, const KernelProblem &problem,
                double bound, size_t number);
  ~ProblemSolver();

  /// To be called before it starts.
  void setMost(int64_t states, int64_t sizesBounded) {
    mostStates = states;
    mostSizesBounded = sizesBounded;
  }

  size_t startPhase() override;
  void run(size_t task, SearchWorker &worker) override;

  /// When it is done: which part of the limits of all it has taken.
  double getPartOfLimits() const;

  KernelSolutions solutions;
  /// What went wrong with the oracle; empty: nothing.
  std::string error;

private:
  struct Task;
  enum class Phase { New, Collecting, Checking, Round };

  size_t start();
  bool restore(const llvm::json::Value &logged);
  double getToBeat() const;
  double getLeastLeft() const;
  bool hasTooManySizes() const;
  int64_t getMostOfPlacement() const;
  size_t startCollecting();
  void finishCollecting();
  size_t startRound();
  void endRound();
  bool mustCheck() const;
  bool closeGraph(ValueGraph &graph, const Placement &placement) const;
  bool hasDerivation(ProblemContext &context);
  ProblemContext &getContext(SearchWorker &worker);
  void runTask(Task &task, ProblemContext &context);
  size_t finish(double nanosecondsLeft);
  void note(bool done);

  KernelSolver &solver;
  const SearchProgram &program;
  const SearchOptions &options;
  const TargetNumbers &target;
  const std::atomic<bool> &stop;
  const KernelProblem &problem;
  const double bound;
  /// Its entry in the log, and what that is known by.
  const size_t number;
  const uint64_t hash;
  /// With more states it is given up; with more sizes no further placements are
  /// collected.
  int64_t mostStates = 0, mostSizesBounded = 0;
  Phase phase = Phase::New;
  /// A grid and a loop, what is known of it, and what was collected there last.
  struct Frame {
    Placement placement;
    std::optional<FrameReads> reads;
    /// No bound of what was not collected yet is below.
    double leastLeft = 0;
    std::vector<BoundedPlacement> placements;
    int64_t numSizes = 0;
  };
  std::vector<Frame> frames;
  /// What can become of each input.
  std::vector<DimFates> fates;
  /// The bounds of the placements that are collected or searched now.
  double from = 0, to = 0;
  std::vector<Task> tasks;
  /// The round: where it begins, of how many placements it is, and where the
  /// next one begins.
  size_t first = 0, count = 0, next = 0;
  /// How many placements are searched, and how many of them still have to be
  /// collected again, since the log says so.
  size_t numSearched = 0, skip = 0;
  /// How many times placements were collected, and how many times the log says.
  int64_t numCollected = 0, collectedBefore = 0;
  /// Whether `mayExist` is known: false if no block graph computes the outputs
  /// from the inputs, even of whole tensors.
  bool isChecked = false, mayExist = true;
  /// Up to what was last noted, and since then.
  SearchStatistics statistics, counted;
  std::mutex mutex;
  llvm::DenseMap<SearchWorker *, std::unique_ptr<ProblemContext>> contexts;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_PROBLEMSOLVER_H
