//===- KernelSearch.h - Enumerates what stands around the last kernel ----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_KERNELSEARCH_H
#define MIRAGE_LIB_SEARCH_KERNELSEARCH_H

#include "BlockSearch.h"

namespace mirage {

/// The tensor program at proxy size, and what follows from it.
struct SearchProgram {
  KernelGraph reference, proxy;
  Roles roles;
  std::vector<double> constants;
  /// Operators with ops at the level, sorted by name.
  llvm::SmallVector<const Operator *> kernelOperators, blockOperators;

  /// The abstract expressions of the reference's tensors.
  std::vector<Expr> getExprs(ExprContext &context) const;
};

/// A kernel graph of pre-defined operators, at proxy size, that a graph-defined
/// operator on some of its tensors would complete.
struct KernelPrefix {
  /// The nodes; results are numbered from the number of inputs on, constants
  /// come first.
  KernelGraph graph;
  std::vector<DimRoles> roles;
  /// The tensors that the graph-defined operator reads; empty when the graph is
  /// complete as it is, with its outputs set.
  llvm::SmallVector<unsigned> graphInputs;
};

/// Algorithm 1 at kernel level: all prefixes of `kernels - 1` pre-defined
/// operators in canonical order, with each choice of inputs for the last kernel,
/// and all complete graphs of `kernels` pre-defined operators. Ends early, with
/// what it has, when `stop` is set.
std::vector<KernelPrefix> enumerateKernelPrefixes(const SearchProgram &program,
                                                  unsigned kernels,
                                                  SearchStatistics &statistics,
                                                  const std::atomic<bool> &stop);

/// The problem that the graph-defined operator of a prefix must solve, in the
/// given context.
BlockProblem makeBlockProblem(const SearchProgram &program,
                              const KernelPrefix &prefix, unsigned maxOps,
                              ExprContext &context);

/// A prefix, completed by a block graph whose inputs are `graphInputs`; at proxy
/// size.
KernelGraph complete(const SearchProgram &program, const KernelPrefix &prefix,
                     BlockGraph block);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_KERNELSEARCH_H
