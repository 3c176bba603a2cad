//===- Derivations.h - The block graphs in a graph of values ----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_DERIVATIONS_H
#define MIRAGE_LIB_SEARCH_DERIVATIONS_H

#include "ValueGraph.h"
#include <optional>

namespace mirage {

/// What a derivation costs in a grid, for one choice of sizes: the work of the
/// whole kernel, what it adds to one read of each iterator of the shared
/// memory's traffic (as KernelLoad::sharedTraffic), and the bytes of the tiles
/// that a block keeps there, iterators apart.
struct SizedWork {
  OperatorCost cost;
  double sharedTraffic = 0, sharedBytes = 0;
};
using WorkBySize = std::vector<SizedWork>;

/// How derivations are priced while they are chosen.
struct Pricing {
  /// The work of an edge of a value, by size.
  llvm::function_ref<WorkBySize(unsigned value, const ValueEdge &edge)> getWork;
  /// The bytes of a value's tile, by size.
  llvm::function_ref<std::vector<double>(unsigned value)> getTileBytes;
  /// What it takes of the shared memory's traffic to write a value there, or to
  /// read it once if it is loaded, by size.
  llvm::function_ref<std::vector<double>(unsigned value)> getStoreTraffic;
  /// Whether no derivation with at least this work is of use.
  llvm::function_ref<bool(const WorkBySize &)> isHopeless;
  /// How many of the cheapest are of use.
  unsigned keep;
};

/// The block graphs (with labels for shapes, and parts of labels for the sizes
/// of grid and loop) in a graph of values that compute the outputs with at most
/// `maxOps` counting operators, use every iterator of the placement, and
/// compute no value twice.
class Derivations {
public:
  Derivations(const ValueGraph &graph, const KernelProblem &problem,
              const Placement &placement, unsigned maxOps);
  ~Derivations();

  /// False if there are none; true may be wrong.
  bool mayExist() const;
  /// Every one of them keeps a tile of at least this many bytes in shared
  /// memory, iterators apart, if a value takes `bytes`.
  double getLargestTile(llvm::function_ref<double(unsigned)> bytes) const;

  /// Calls `found` with each of them that isn't hopeless and its work (none
  /// without pricing), exactly once, as long as it returns true.
  void
  enumerate(SearchStatistics &statistics, const Pricing *pricing,
            llvm::function_ref<bool(BlockGraph, const WorkBySize &)> found);

private:
  class Enumerator;
  std::unique_ptr<Enumerator> enumerator;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_DERIVATIONS_H
