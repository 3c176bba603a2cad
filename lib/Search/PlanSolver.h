//===- PlanSolver.h - Kernel graphs of several kernels ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PLANSOLVER_H
#define MIRAGE_LIB_SEARCH_PLANSOLVER_H

#include "Frontiers.h"
#include "KernelSolver.h"
#include <array>
#include <unordered_map>

namespace mirage {

/// Finds the cheapest plans of several kernels: a last kernel, and plans for
/// what it needs.
class PlanSolver {
public:
  PlanSolver(const SearchOptions &options, FrontierFinder &frontiers,
             KernelSolver &solver)
      : options(options), frontiers(frontiers), solver(solver),
        leastOfKernel(solver.getLowerBound(KernelProblem())) {}

  /// The plans for a problem: for each number of parts in which its outputs are
  /// written (1 unless they are a split's), cheapest first.
  using Plans = std::map<int64_t, std::vector<Plan>>;

  /// The plans of exactly `kernels` kernels that are cheaper than `bound`
  /// nanoseconds; of equal parts the `keep` cheapest. Asked again, it
  /// remembers.
  Plans solve(const KernelProblem &problem, unsigned kernels, double bound);

  /// What no plan of so many kernels can undercut.
  double getLowerBound(const KernelProblem &problem, unsigned kernels) const;

private:
  /// As above, if one kernel takes at least so long.
  double getLowerBound(double leastOfOne, unsigned kernels) const;
  /// Problems are the same when their outputs are.
  using Key = std::pair<unsigned, std::vector<unsigned>>;
  static Key getKey(const KernelProblem &problem, unsigned kernels);

  double getPruningBound(double nanoseconds) const;
  /// Takes the plans into `memo`, and returns what that has now.
  const Plans &remember(const Key &key, double bound, Plans plans);
  Plans solveMany(const KernelProblem &problem, unsigned kernels, double bound);
  /// Frontiers with the least that a plan through them takes, in its order.
  using FrontierOrder = llvm::ArrayRef<std::pair<double, const Frontier *>>;
  /// The `keep` cheapest plans through frontiers that are cheaper than `bound`.
  std::vector<Plan> solveManyBelow(const KernelProblem &problem,
                                   unsigned kernels, double bound);
  std::vector<Plan> joinAll(FrontierOrder order, unsigned kernels,
                            double bound);
  /// All kernels for problems.
  std::vector<KernelSolutions>
  solveKernels(llvm::ArrayRef<KernelSolver::Question> questions);
  /// Shared with what is remembered of them.
  using SharedSolutions = std::shared_ptr<const KernelSolutions>;
  /// Those that aren't pre-defined, as far as they are cheaper than those that
  /// are. Asked again, it remembers.
  std::vector<SharedSolutions>
  searchKernels(llvm::ArrayRef<KernelSolver::Question> questions,
                llvm::ArrayRef<KernelSolutions> predefined);
  void solveRest(llvm::ArrayRef<const Frontier *> frontiers,
                 llvm::ArrayRef<SharedSolutions> last, double hopeless);
  void joinPlans(const Frontier &frontier, unsigned kernels,
                 const KernelSolutions &last, std::vector<Plan> &best,
                 double &toBeat);

  const SearchOptions &options;
  FrontierFinder &frontiers;
  KernelSolver &solver;
  /// What a kernel takes that does nothing.
  const double leastOfKernel;
  /// What was found, for which bound.
  std::map<Key, std::pair<double, Plans>> memo;
  /// Kernels that were found (null: none were looked for), for which bound; and
  /// the number of the question, while that is open.
  struct KnownKernels {
    double bound = 0;
    SharedSolutions solutions;
    std::optional<size_t> question;
  };
  /// By tensors read and written, the least work, and a hash of the tensors
  /// that are of use, which a graph of more operators can have more of.
  using KernelKey = std::tuple<std::vector<unsigned>, std::vector<unsigned>,
                               std::array<int64_t, 3>, uint64_t>;
  static KernelKey getKernelKey(const KernelProblem &problem);
  struct HashOfKey {
    size_t operator()(const KernelKey &key) const;
  };
  std::unordered_map<KernelKey, KnownKernels, HashOfKey> known;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_PLANSOLVER_H
