//===- BackwardSteps.h - From a value to what it is made of -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_BACKWARDSTEPS_H
#define MIRAGE_LIB_SEARCH_BACKWARDSTEPS_H

#include "ValueGraph.h"
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

namespace mirage {

/// The steps from the values of a graph towards its inputs, as far as cuts may
/// depend on them, whatever the outputs are. Threads may share them.
class BackwardSteps {
public:
  /// `products`: values that a pre-defined operator may compute.
  BackwardSteps(const SearchProgram &program, const ValueGraph &graph,
                const Placement &placement, const SearchOptions &options,
                const llvm::BitVector &products);

  /// From a value to operands that are no constants.
  struct Step {
    llvm::SmallVector<unsigned, 4> operands;
    /// Whether a kernel may end with the operands.
    bool mayEnd;
    /// Whether the operator counts.
    bool counts;
  };
  struct Steps {
    /// Of a function of a few tiles: to these, however it is computed; after
    /// that, those of all other edges.
    std::optional<llvm::SmallVector<std::pair<unsigned, bool>, 2>> bases;
    std::vector<Step> edges;
  };
  /// Valid as long as this is.
  const Steps &get(unsigned value);
  /// The least bytes that are written and read if a value is handed on.
  double getBytes(unsigned value) const { return bytes[value]; }

private:
  /// The tiles of which a value is an elementwise function: itself, if it is of
  /// none or many.
  using Bases = llvm::SmallVector<unsigned, 2>;

  Steps find(unsigned value);
  bool mayEndBefore(unsigned value, const ValueEdge &edge) const;
  bool isFunctionOfFew(unsigned value);
  bool hasManyArrangements(unsigned value);
  const Bases &getBases(unsigned value);
  Bases getBases(unsigned value, const ValueEdge &edge);
  /// A loop over an input as it is needs no split.
  bool isInputInLoop(unsigned value) const;
  bool isNarrow(unsigned value) const { return widths[value] <= leastWidth; }

  const ValueGraph &graph;
  const SearchOptions &options;
  const llvm::BitVector &products;
  /// Of the program's element types, and of each value's.
  unsigned leastWidth = 64;
  std::vector<unsigned> widths;
  std::vector<double> bytes;
  /// Of each value; null until it is asked for.
  std::vector<std::atomic<const Steps *>> steps;
  /// Guards what follows: who asks for new steps finds out alone.
  std::mutex mutex;
  std::deque<Steps> found;
  std::map<unsigned, Bases> bases;
  std::map<Bases, unsigned> numFunctions;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_BACKWARDSTEPS_H
