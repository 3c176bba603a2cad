//===- CutEnumerator.h - The cuts through a graph of values -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_CUTENUMERATOR_H
#define MIRAGE_LIB_SEARCH_CUTENUMERATOR_H

#include "ValueGraph.h"
#include <set>

namespace mirage {

/// Where a graph of values is cut in two.
struct ValueCut {
  /// The outputs that the last kernel computes.
  std::set<unsigned> outputs;
  /// Values between the parts, and iterators that the last kernel reads.
  std::set<unsigned> values, iterators;
  bool operator<(const ValueCut &other) const {
    return std::tie(outputs, values, iterators) <
           std::tie(other.outputs, other.values, other.iterators);
  }
};

/// Finds cuts by walking from the outputs towards the inputs.
class CutEnumerator {
public:
  /// `others` are values of outputs that the last kernel leaves to those
  /// before: what it reads of them need not be written for it. No more than
  /// `mostBytes` may be handed on.
  CutEnumerator(const SearchProgram &program, const ValueGraph &graph,
                const Placement &placement, const SearchOptions &options,
                llvm::ArrayRef<unsigned> others, double mostBytes,
                const std::atomic<bool> &stop);

  /// The cuts in front of `values`, of these outputs.
  std::set<ValueCut> run(llvm::ArrayRef<unsigned> values,
                         const std::set<unsigned> &outputs);

private:
  /// Values that are needed, and whether a kernel may end with them.
  using Pending = std::map<unsigned, bool>;
  /// What there is to decide, and what is decided.
  using Key = llvm::SmallVector<unsigned>;
  /// The tiles of which a value is an elementwise function: itself, if it is of
  /// none or many.
  using Bases = llvm::SmallVector<unsigned, 2>;

  void expand(Pending pending, ValueCut cut);
  static Key getKey(const Pending &pending, const ValueCut &cut);
  bool mayEndAt(unsigned value, bool mayCut) const;
  bool mayEndBefore(const Value &value, const ValueEdge &edge) const;
  bool isFunctionOfFew(unsigned value);
  bool hasManyArrangements(unsigned value);
  const Bases &getBases(unsigned value);
  Bases getBases(unsigned value, const ValueEdge &edge);
  double getBytes(const std::set<unsigned> &values) const;
  unsigned getWidth(const Value &value) const;
  bool isNarrow(const Value &value) const;

  const SearchProgram &program;
  const ValueGraph &graph;
  const Placement &placement;
  const SearchOptions &options;
  llvm::ArrayRef<unsigned> others;
  const double mostBytes;
  const std::atomic<bool> &stop;
  llvm::ArrayRef<unsigned> roots;
  std::map<unsigned, Bases> bases;
  std::map<Bases, unsigned> numFunctions;
  /// Of the program's element types.
  unsigned leastWidth = 64;
  llvm::DenseSet<Key> seen;
  std::set<ValueCut> cuts;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_CUTENUMERATOR_H
