//===- OperatorFusion.h - Elementwise operators in groups -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which elementwise operators of a block become one thread graph (paper,
// section 4.2; docs/Optimizer.md). An engine on plain numbers: it knows
// operators by their index and their results by their bytes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_OPERATORFUSION_H
#define MIRAGE_BLOCKPLAN_OPERATORFUSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mirage {

/// An operator of a block, as the fusion sees it.
struct FusionOperator {
  /// The operators whose results it reads, each with a smaller index.
  llvm::SmallVector<unsigned> operands;
  /// Operators of one kind can be fused where they read each other. One without
  /// a kind stays by itself, and what it stores is not counted.
  std::optional<unsigned> kind;
  /// What its result takes if operators outside of its group read it.
  int64_t bytes = 0;
  /// Whether its result is stored in any case, for a reader that isn't among
  /// the operators.
  bool isStored = false;
  /// Whether a reader that isn't among the operators takes its result from
  /// registers.
  bool isHandedOn = false;
  /// Whether a sum or maximum alone reads its result, and computes it where it
  /// reads if the group has no other: then it isn't stored.
  bool isFolded = false;
};

using FusionProblem = llvm::SmallVector<FusionOperator>;

struct OperatorFusion {
  /// For each operator the first one of its group.
  llvm::SmallVector<unsigned> groups;
  /// The bytes of results that are stored: for an operator of another group, or
  /// in any case.
  int64_t storedBytes = 0;
  /// Of operators with a kind.
  unsigned numGroups = 0;
  /// Whether no other fusion is better.
  bool isOptimal = true;
};

/// What groups cost, each given by its first operator.
OperatorFusion evaluateFusion(const FusionProblem &problem,
                              llvm::ArrayRef<unsigned> groups);

/// The best fusion. A group's operators are connected by reads among operators
/// of one kind, and the graph whose nodes are the groups has no cycle. Of these
/// the fusion that stores the fewest bytes; then the one with the fewest
/// groups; then the greedy one, which merges along one read after the other, or
/// that which is found first. After about `workLimit` visits of an operator or
/// read the best that was found, which is never worse than the greedy one.
OperatorFusion fuseOperators(const FusionProblem &problem,
                             int64_t workLimit = 10'000'000);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_OPERATORFUSION_H
