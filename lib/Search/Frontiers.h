//===- Frontiers.h - Where a kernel graph can be cut in two -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_FRONTIERS_H
#define MIRAGE_LIB_SEARCH_FRONTIERS_H

#include "CutEnumerator.h"
#include "Derivations.h"
#include "ProblemBounds.h"
#include "SearchPool.h"
#include <deque>

namespace mirage {

/// Two parts of a problem: `rest` computes what `last`, one kernel, needs
/// beyond the program's inputs.
struct Frontier {
  KernelProblem last, rest;
  /// What no kernel for either can undercut (getLeastNanoseconds).
  double leastOfLast = 0, leastOfRest = 0;
  /// Whether there is another way that is no worse, unless the last kernel is a
  /// pre-defined one.
  bool isDominated = false;
};

/// Finds the sets of intermediate tensors through which all ways to the outputs
/// of a problem can be cut, in the graph of all values that the problem's
/// inputs have in common with its outputs: whole tensors, or the partial
/// results of a split of one reduction.
class FrontierFinder {
public:
  FrontierFinder(SearchProgram &program, SearchPool &pool,
                 const SearchOptions &options, SearchStatistics &statistics,
                 const std::atomic<bool> &stop);

  /// Destroys what was found, which takes long, side by side: the pool must be
  /// there, and at nothing else, and nobody may read any of it any more.
  ~FrontierFinder();
  FrontierFinder(const FrontierFinder &) = delete;
  FrontierFinder &operator=(const FrontierFinder &) = delete;

  using Frontiers = std::shared_ptr<const std::vector<Frontier>>;
  /// All frontiers through which at most so many bytes are handed (or more, if
  /// they are known), for graphs of so many kernels. `problem` has no split.
  /// Asked again, it remembers.
  Frontiers find(const KernelProblem &problem, double mostBytes,
                 unsigned kernels);

  /// What went wrong with the oracle; empty: nothing.
  const std::string &getError() const { return error; }

  /// Finds out what every kernel that computes a problem, which has no split,
  /// has to do, and what can be of use to it. Once, before `find`.
  void analyze(KernelProblem &problem);

private:
  struct Graph;
  struct FoundCut;
  struct Found;
  class CutSearch;
  struct CutPlace;
  /// Finds everything that so many operators can reach.
  void closeValues(Graph &graph, const KernelProblem &problem,
                   unsigned operators, SearchWorker &worker) const;
  /// The same, and lets go of what that alone needs.
  void close(Graph &graph, const KernelProblem &problem, unsigned operators,
             SearchWorker &worker) const;
  /// Notes what came of it, in the order of the graphs, whatever the threads.
  void noteClosed(Found &entry, Graph &graph, unsigned operators);
  static std::vector<ValueSet> getOutputsOfLast(const Graph &graph);
  std::optional<FoundCut> makeCut(const std::shared_ptr<Graph> &graph,
                                  const ValueCut &cut,
                                  const std::set<ValueCut> &cuts) const;
  /// Finds the cuts of all graphs, unless one has too many.
  void findCuts(Found &entry, std::deque<CutSearch> &searches);
  void addPlaces(const CutSearch &search, const FoundCut &found,
                 const KernelProblem &problem,
                 std::shared_ptr<const Leaves> inputs,
                 std::vector<CutPlace> &places);
  Frontier makeFrontier(const CutPlace &place,
                        const KernelProblem &problem) const;
  std::vector<Frontier> makeFrontiers(const std::deque<CutSearch> &searches,
                                      const KernelProblem &problem);
  /// The tensor that holds a value, the partial results of a split along a
  /// dimension (or -1).
  const SearchTensor *makeTensor(const ValueGraph &graph, unsigned value,
                                 const KernelProblem &problem,
                                 const Placement &placement, int splitDim);

  SearchProgram &program;
  SearchPool &pool;
  const SearchOptions &options;
  const TargetNumbers target;
  SearchStatistics &statistics;
  const std::atomic<bool> &stop;
  llvm::DenseMap<uint64_t, const SearchTensor *> known;
  /// What was found for problems, which are the same when their outputs are.
  struct Found {
    double mostBytes = 0;
    /// The operators that were allowed, and those that the deepest value takes:
    /// where it takes fewer, more would add nothing.
    unsigned allowed = 0, taken = 0;
    /// First that of whole tensors, then those of splits, if they are there.
    std::vector<std::shared_ptr<Graph>> graphs;
    bool hasSplits = false;
    std::shared_ptr<std::vector<Frontier>> frontiers;
    /// With so many bytes there are too many cuts.
    double tooMany = std::numeric_limits<double>::infinity();
  };
  std::map<std::vector<unsigned>, Found> found;
  std::string error;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_FRONTIERS_H
