//===- LeastWork.h - What any derivation has to compute ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_LEASTWORK_H
#define MIRAGE_LIB_SEARCH_LEASTWORK_H

#include "ValueGraph.h"
#include <array>

namespace mirage {

/// A lower bound on the work of all block graphs that compute values of a graph
/// of whole tensors (or of the parts of a split) from others.
///
/// A block graph with its grid and its loop taken away is a derivation in the
/// graph of whole tensors: its operators, applied to all tiles, do at least the
/// work that they do on the whole tensors. So what every way to a value costs
/// there, at least, bounds the kernel from below. For each resource apart it is
/// the cheapest edge, with the most expensive of its operands.
class LeastWork {
public:
  /// The values that will be asked for are on some way to the roots.
  LeastWork(const SearchProgram &program, const ValueGraph &graph,
            llvm::ArrayRef<unsigned> roots);

  /// The work of computing one value of each list from `leaves`; iterators that
  /// are no leaves can't be read. It counts operators only: that accumulators
  /// cost something, too, as they do in the cost model, is what makes reducing
  /// after a loop no cheaper than reducing in it.
  using Alternatives = llvm::SmallVector<unsigned>;
  OperatorCost get(llvm::ArrayRef<Alternatives> outputs,
                   const ValueSet &leaves) const;
  /// That of the operators alone that a grid over `roles` can't share out among
  /// its blocks in any of these dimensions: each block has to do it all.
  /// `splitRole` is the role whose reductions a kernel may leave to a later
  /// one, or none.
  OperatorCost getRepeated(llvm::ArrayRef<Alternatives> outputs,
                           const ValueSet &leaves, const RoleSet &roles,
                           int splitRole) const;

  /// How many operators that count it takes, at least.
  unsigned getOperators(llvm::ArrayRef<Alternatives> outputs,
                        const ValueSet &leaves) const;

  /// Hashes of the values on the ways from `leaves` to `outputs`, these
  /// included: of their scalars alone, and with the roles of their dimensions.
  llvm::DenseSet<uint64_t> getScalars(llvm::ArrayRef<unsigned> outputs,
                                      const ValueSet &leaves) const;

  /// What can become of each value between `leaves` and `outputs`, by value.
  std::vector<DimFates> getFates(llvm::ArrayRef<Alternatives> outputs,
                                 const ValueSet &leaves) const;

  const ValueGraph &getGraph() const { return graph; }
  /// The loops of an edge of a value on some way to the roots; none: not known.
  const std::optional<IterationSpace> &getSpace(unsigned value,
                                                size_t edge) const {
    return edges[firstEdge[value] + edge].space;
  }

private:
  /// An edge of a value.
  struct Edge {
    unsigned value;
    llvm::ArrayRef<unsigned> operands;
    OperatorCost cost;
    bool counts = false;
    std::optional<IterationSpace> space;
    /// Of the dimensions of the value, and of the operands.
    RoleSet roles, operandRoles;
  };
  using Counts = llvm::function_ref<bool(const Edge &edge)>;
  OperatorCost get(llvm::ArrayRef<Alternatives> outputs, const ValueSet &leaves,
                   Counts counts) const;
  /// Some numbers, each of which is looked at by itself.
  template <size_t N> using Amounts = std::array<int64_t, N>;
  /// With amounts for each edge: the most over the outputs of what each takes
  /// at least.
  template <size_t N>
  Amounts<N> getLeast(llvm::ArrayRef<Alternatives> outputs,
                      const ValueSet &leaves,
                      llvm::ArrayRef<Amounts<N>> edgeCosts) const;
  static bool canShare(const Edge &edge, const RoleSet &roles, int splitRole);

  const ValueGraph &graph;
  /// The values on some way to the roots, and their edges.
  llvm::SmallVector<unsigned> useful;
  std::vector<Edge> edges;
  /// By value, where its edges begin; by useful value, its hashes.
  std::vector<size_t> firstEdge;
  std::vector<std::array<uint64_t, 2>> hashes;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_LEASTWORK_H
