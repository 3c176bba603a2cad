//===- Structures.h - μGraphs whose sizes are still open --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_STRUCTURES_H
#define MIRAGE_LIB_SEARCH_STRUCTURES_H

#include "Placements.h"
#include <map>

namespace mirage {

/// One kernel, its sizes left open.
struct KernelStructure {
  KernelProblem problem;
  /// A graph-defined kernel: its shapes are labels.
  std::shared_ptr<const Placement> placement;
  std::shared_ptr<const BlockGraph> graph;
  /// A pre-defined one, which has no sizes; operands are inputs of the problem.
  const Operator *op = nullptr;
  Params params;
  llvm::SmallVector<unsigned, 2> operands;
};

/// One kernel with sizes. The parts of a split are the last size of its grid,
/// or the iterations of its loop.
struct SizedKernel {
  std::shared_ptr<const KernelStructure> structure;
  llvm::SmallVector<int64_t, 3> grid;
  int64_t iterations = 0;
  double nanoseconds = 0;

  /// The parts of the split that it reads (or 1), and of that which it writes.
  int64_t getPartsRead() const;
  int64_t getPartsWritten() const;
};

/// A kernel graph; kernels are in the order of their dependences.
struct Plan {
  std::vector<SizedKernel> kernels;
  double nanoseconds = 0;
};

/// Cheapest first; equals stay in their order.
template <typename T, typename GetCost>
void sortByCost(std::vector<T> &list, GetCost getCost) {
  std::vector<std::pair<double, size_t>> order;
  for (auto [i, element] : llvm::enumerate(list))
    order.emplace_back(getCost(element), i);
  llvm::sort(order);
  std::vector<T> sorted;
  for (auto [cost, i] : order)
    sorted.push_back(std::move(list[i]));
  list = std::move(sorted);
}
inline void sortByCost(std::vector<Plan> &plans) {
  sortByCost(plans, [](const Plan &plan) { return plan.nanoseconds; });
}
inline void sortByCost(std::vector<SearchCandidate> &candidates) {
  sortByCost(candidates, [](const SearchCandidate &candidate) {
    return candidate.cost.nanoseconds;
  });
}

/// The block graph at the sizes of the kernel, for the given sizes of roles.
/// Null if something does not divide.
std::shared_ptr<const BlockGraph> instantiate(const SearchProgram &program,
                                              const SizedKernel &kernel,
                                              llvm::ArrayRef<int64_t> roleSizes,
                                              int64_t partsRead,
                                              int64_t partsWritten);

/// The μGraph of a plan at the given sizes of roles. Nothing if something does
/// not divide.
std::optional<KernelGraph> instantiate(const SearchProgram &program,
                                       const Plan &plan,
                                       llvm::ArrayRef<int64_t> roleSizes);

/// The time of a kernel, in nanoseconds. Nothing if something does not divide,
/// or its tiles exceed the shared memory of the target.
std::optional<double> estimateKernel(const SearchProgram &program,
                                     const SizedKernel &kernel,
                                     TargetAttr target);

/// The size that goes with the label of a tile's dimension.
int64_t getTileSize(const SearchProgram &program, const Placement &placement,
                    llvm::ArrayRef<int64_t> roleSizes,
                    llvm::ArrayRef<int64_t> grid, int64_t iterations,
                    int64_t label);

/// Sizes of the roles at which the structure of any plan is what it is, for
/// tests: tiles have several elements, and at the smallest sizes no more.
std::vector<int64_t> getSmallSizes(const SearchProgram &program, bool smallest);
/// The plan with grids, loops and splits that go with these.
Plan withSmallSizes(Plan plan);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_STRUCTURES_H
