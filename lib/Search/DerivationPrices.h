//===- DerivationPrices.h - What values and edges cost ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_DERIVATIONPRICES_H
#define MIRAGE_LIB_SEARCH_DERIVATIONPRICES_H

#include "UsefulValues.h"

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
  size_t numSizes;
  /// The work of an edge of a value, by size.
  llvm::function_ref<WorkBySize(unsigned value, const ValueEdge &edge)> getWork;
  /// The bytes of a value's tile, by size.
  llvm::function_ref<std::vector<double>(unsigned value)> getTileBytes;
  /// What it takes of the shared memory's traffic to write a value there, or to
  /// read it once if it is loaded, by size.
  llvm::function_ref<std::vector<double>(unsigned value)> getStoreTraffic;
  /// Whether no derivation with at least this work is of use at a size.
  llvm::function_ref<bool(size_t size, const SizedWork &)> isHopeless;
  /// How many of the cheapest are of use.
  unsigned keep;
};

/// Adds (or takes away) the operators' work and the traffic.
void addWork(WorkBySize &work, const WorkBySize &other, int sign = 1);

/// The prices of a graph's values and edges, and bounds that follow from them.
/// Without `Pricing` everything costs nothing, for no sizes.
class DerivationPrices {
public:
  DerivationPrices(const UsefulValues &values, const Pricing *pricing);

  size_t getNumSizes() const { return pricing ? pricing->numSizes : 0; }
  /// The work of an edge, and the least of all edges of a value.
  const WorkBySize &getWork(unsigned value, size_t edge) const {
    return edgeWork[value][edge];
  }
  const WorkBySize &getLeastWork(unsigned value) const {
    return leastWork[value];
  }
  /// As Pricing says, 0 for what is loaded.
  llvm::ArrayRef<double> getTileBytes(unsigned value) const {
    return tileBytes[value];
  }
  /// As Pricing says, 0 for constants.
  llvm::ArrayRef<double> getStoreTraffic(unsigned value) const {
    return storeTraffic[value];
  }
  /// The edges of a value, those first that lead to little work.
  llvm::ArrayRef<unsigned> getEdgeOrder(unsigned value) const {
    return edgeOrder[value];
  }

  /// How many derivations are asked for; none: all.
  std::optional<unsigned> getKeep() const;
  /// Whether no derivation with at least this work is of use.
  bool isHopeless(const WorkBySize &work) const;
  /// The same of this work, which has the least of the pending values in it,
  /// with what the ways down from these take: what is nearer to the inputs than
  /// all values chosen hasn't been counted yet. `lowest`: the least height of
  /// the values chosen.
  bool areWaysDownHopeless(llvm::ArrayRef<unsigned> pending,
                           const WorkBySize &work, unsigned lowest) const;

private:
  void setPrices(unsigned value);
  void orderEdges();
  void findWaysDown();
  bool
  areHopeless(llvm::function_ref<SizedWork(size_t size)> getWorkOfSize) const;

  const UsefulValues &values;
  const Pricing *pricing;
  std::vector<std::vector<WorkBySize>> edgeWork;
  std::vector<WorkBySize> leastWork, wayDown;
  std::vector<std::vector<double>> tileBytes, storeTraffic;
  std::vector<llvm::SmallVector<unsigned>> edgeOrder;
  /// A size that was not hopeless last time, and so is asked first.
  mutable size_t promising = 0;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_DERIVATIONPRICES_H
