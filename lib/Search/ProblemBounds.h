//===- ProblemBounds.h - What the kernels of a problem must do --*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_PROBLEMBOUNDS_H
#define MIRAGE_LIB_SEARCH_PROBLEMBOUNDS_H

#include "LeastWork.h"
#include "Placements.h"

namespace mirage {

/// All ways to compute some values of a graph, which this keeps alive, from
/// others.
struct Ways {
  std::shared_ptr<const LeastWork> leastWork;
  std::vector<LeastWork::Alternatives> outputs;
  ValueSet leaves;
};

/// Values of a graph, with the tensors that they are read from.
using Leaves = std::vector<std::pair<const SearchTensor *, unsigned>>;

/// The iterators of a graph.
ValueSet getIterators(const ValueGraph &graph);
/// The same, with the tensors that they read.
Leaves getLeaves(const KernelProblem &problem, const Placement &placement,
                 const ValueGraph &graph);

/// Says what a kernel of the problem has to do at least. The kernel before a
/// split of `splitRole` (or kNoRole) leaves its reductions to the last one.
void setBounds(std::shared_ptr<const Ways> ways, const SearchOptions &options,
               int splitRole, KernelProblem &problem);
/// Says what can become of the inputs of a problem, each of which is some
/// values of the graph.
void setFates(std::shared_ptr<const Ways> ways,
              std::shared_ptr<const Leaves> leaves, KernelProblem &problem);
/// Says which ways to read its inputs go together in a kernel of the problem,
/// each output of which is one of some values of the graph. The graph of the
/// ways keeps the placement alive, too.
void setReadSets(const SearchProgram &program, std::shared_ptr<const Ways> ways,
                 std::vector<LeastWork::Alternatives> outputs,
                 std::shared_ptr<const Leaves> leaves,
                 const Placement &placement, const SearchOptions &options,
                 KernelProblem &problem);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_PROBLEMBOUNDS_H
