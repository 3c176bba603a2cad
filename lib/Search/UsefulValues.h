//===- UsefulValues.h - The values that derivations can use -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_USEFULVALUES_H
#define MIRAGE_LIB_SEARCH_USEFULVALUES_H

#include "ValueGraph.h"
#include "llvm/ADT/BitVector.h"

namespace mirage {

/// The values of a graph from which the outputs of a problem can be computed,
/// and what all ways to compute each of them have in common.
class UsefulValues {
public:
  UsefulValues(const ValueGraph &graph, const KernelProblem &problem,
               const Placement &placement);

  const Value &get(unsigned value) const { return graph.values[value]; }
  /// The least over all ways to a value of the largest tile on the way: of
  /// those that accumulate, or that other than elementwise operators read.
  double getLargestTile(llvm::function_ref<double(unsigned)> bytes) const;

  const ValueGraph &graph;
  /// Whether all outputs may be computed with all iterators. If not, nothing
  /// below is known.
  bool mayExist = false;
  /// For each output the values that are its tile.
  std::vector<llvm::SmallVector<unsigned>> candidates;
  llvm::BitVector useful;
  /// How far from the inputs each value is: farther than all that it can be
  /// computed from, but for those that can be computed from it, too, which are
  /// as far.
  std::vector<unsigned> height;
  /// The values that can be computed by way of themselves.
  llvm::SmallVector<unsigned> inCycles;
  /// The useful values, those nearer to the inputs first.
  std::vector<unsigned> order;
  /// For each value the counting values that every way to it goes through.
  std::vector<llvm::BitVector> needed;
  /// The iterators that a value can be computed from, as bits.
  std::vector<uint64_t> reached;
  /// The stages of `getSharedBytes` (Mugraph/SharedMemory.h) that a value can
  /// be computed at: operators that aren't elementwise open new ones.
  std::vector<unsigned> firstStage, lastStage;

private:
  void findUseful();
  void findHeights();
  /// The greatest solution of needed(v) = {v} + the meet over edges of the
  /// union over operands.
  void findNeeded();
  void findReached();
  void findStages();
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_USEFULVALUES_H
