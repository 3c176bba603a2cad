//===- Derivations.h - The block graphs in a graph of values ----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_DERIVATIONS_H
#define MIRAGE_LIB_SEARCH_DERIVATIONS_H

#include "DerivationPrices.h"
#include <optional>

namespace mirage {

/// The block graphs (with labels for shapes, and parts of labels for the sizes
/// of grid and loop) in a graph of values that compute the outputs with at most
/// `maxOps` counting operators, use every iterator of the placement, and
/// compute no value twice.
class Derivations {
public:
  Derivations(const ValueGraph &graph, const KernelProblem &problem,
              const Placement &placement, unsigned maxOps);

  /// False if there are none; true may be wrong.
  bool mayExist() const { return values.mayExist; }
  /// Every one of them keeps a tile of at least this many bytes in shared
  /// memory, iterators apart, if a value takes `bytes`.
  double getLargestTile(llvm::function_ref<double(unsigned)> bytes) const {
    return values.getLargestTile(bytes);
  }

  /// Calls `found` with each of them that isn't hopeless and its work (none
  /// without pricing), exactly once, as long as it returns true, and until
  /// `most` partial ones were begun.
  void
  enumerate(SearchStatistics &statistics, const Pricing *pricing, int64_t most,
            llvm::function_ref<bool(BlockGraph, const WorkBySize &)> found);

private:
  class Enumerator;
  const KernelProblem &problem;
  const Placement &placement;
  unsigned maxOps;
  UsefulValues values;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_DERIVATIONS_H
