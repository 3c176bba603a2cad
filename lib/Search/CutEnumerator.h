//===- CutEnumerator.h - The cuts through a graph of values -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_CUTENUMERATOR_H
#define MIRAGE_LIB_SEARCH_CUTENUMERATOR_H

#include "BackwardSteps.h"
#include <atomic>
#include <boost/container/flat_map.hpp>
#include <set>

namespace mirage {

/// Where a graph of values is cut in two.
struct ValueCut {
  /// The outputs that the last kernel computes.
  ValueSet outputs;
  /// Values between the parts, and iterators that the last kernel reads.
  ValueSet values, iterators;
  bool operator<(const ValueCut &other) const {
    return std::tie(outputs, values, iterators) <
           std::tie(other.outputs, other.values, other.iterators);
  }
};

/// The inputs of a problem that values can't be computed without.
class NecessaryInputs {
public:
  NecessaryInputs(const SearchProgram &program, const KernelProblem &problem,
                  const Placement &placement, const ValueGraph &graph);

  using Inputs = llvm::SmallBitVector;
  /// Those that every way to a value reads.
  const Inputs &get(unsigned value) const { return ofValue[value]; }
  /// Those that every way to a value of each list reads.
  Inputs
  getForAll(llvm::ArrayRef<llvm::SmallVector<unsigned>> alternatives) const;
  /// What it takes to read them once.
  double getBytes(const Inputs &inputs) const;

private:
  std::vector<double> bytes;
  std::vector<Inputs> ofValue;
};

/// Counts the steps on the way to the cuts of a graph. May be shared by threads
/// that look for different ones: one gives up for its steps only where all have
/// taken too many by then, so that whether there are too many in the end
/// depends on the graph alone. To be asked for that when no counter is left.
class CutSteps {
public:
  /// Counts for one thread, which tells all others now and then.
  class Counter {
  public:
    explicit Counter(CutSteps &all) : all(all) {}
    ~Counter() { all.count += mine; }
    Counter(const Counter &) = delete;
    Counter &operator=(const Counter &) = delete;
    void add() {
      constexpr size_t kMine = 1024;
      if (++mine == kMine)
        all.count += std::exchange(mine, 0);
    }
    size_t getCount() const { return all.count + mine; }

  private:
    CutSteps &all;
    size_t mine = 0;
  };

  /// No more than one above what is allowed: the rest is chance.
  int64_t getCount(const SearchOptions &options) const;
  /// Whether there are, or too many cuts (SizeLimits).
  bool areTooMany(const SearchOptions &options, size_t numCuts) const;

private:
  std::atomic<size_t> count{0};
};

/// Finds cuts by walking from the outputs towards the inputs.
class CutEnumerator {
public:
  /// `others` are values of outputs that the last kernel leaves to those
  /// before: what it reads of them need not be written for it. They take
  /// `inputsOfOthers` at least. No more than `mostBytes` may be written and
  /// read that would not be in one kernel; what is only read counts half.
  /// `numSteps` counts for the whole graph.
  CutEnumerator(const ValueGraph &graph, const Placement &placement,
                const SearchOptions &options, const NecessaryInputs &inputs,
                BackwardSteps &steps, llvm::ArrayRef<unsigned> others,
                NecessaryInputs::Inputs inputsOfOthers, double mostBytes,
                CutSteps &numSteps, const std::atomic<bool> &stop);

  /// The cuts in front of `values`, of these outputs; some of them if there are
  /// too many.
  std::set<ValueCut> run(llvm::ArrayRef<unsigned> values,
                         const ValueSet &outputs);

private:
  /// Values that are needed, and whether a kernel may end with them.
  using Pending = boost::container::flat_map<
      unsigned, bool, std::less<unsigned>,
      boost::container::small_vector<std::pair<unsigned, bool>, 16>>;
  /// A hash, of 128 bits, of what there is to decide and what is decided: the
  /// sum of those of all values in it.
  using Key = std::pair<uint64_t, uint64_t>;
  /// Of a value: it is still to be walked from, and a kernel may not, or may,
  /// end with it; it is handed on; or it is an input that is read.
  enum class Status { Pending, PendingEnd, Cut, Read };

  /// On the way to a cut.
  struct State {
    Pending pending;
    ValueSet values, iterators;
    Key key;
    /// Of the values.
    double bytes = 0;
    /// Operators so far that count, all of the last kernel's.
    unsigned counted = 0;
  };

  bool areTooMany(const std::set<ValueCut> &cuts) const;
  void expand(State state);
  /// Adds to what is pending, unless it is cut.
  void need(State &state, unsigned value, bool mayEnd) const;
  void addTo(Key &key, unsigned value, Status status) const;
  void removeFrom(Key &key, unsigned value, Status status) const;
  bool mayEndAt(unsigned value, bool mayEnd) const;
  double getBytes(unsigned value) const;
  bool fits(const ValueSet &values, const ValueSet &iterators,
            double bytes) const;

  const ValueGraph &graph;
  const Placement &placement;
  const SearchOptions &options;
  const NecessaryInputs &inputs;
  BackwardSteps &steps;
  const NecessaryInputs::Inputs inputsOfOthers;
  const double mostBytes;
  CutSteps::Counter numSteps;
  const std::atomic<bool> &stop;
  llvm::BitVector isRoot, isOther;
  /// Of each value, with each status.
  std::vector<std::array<Key, 4>> hashes;
  /// With the fewest operators that led there.
  llvm::DenseMap<Key, unsigned> seen;
  std::set<ValueCut> cuts;
  ValueSet outputs;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_CUTENUMERATOR_H
