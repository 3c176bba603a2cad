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
#include "SearchPool.h"
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

/// What the cuts of a graph depend on, whatever its outputs are.
struct CutGraph {
  const ValueGraph &values;
  const Placement &placement;
  const SearchOptions &options;
  const NecessaryInputs &inputs;
  /// No more may be written and read that would not be in one kernel; what is
  /// only read counts half.
  double mostBytes;
  const std::atomic<bool> &stop;
  BackwardSteps steps;
  CutSteps numSteps;
};

/// Finds the cuts of a graph behind which one kernel computes some of its
/// outputs, by walking from these towards the inputs: in one task, unless a
/// walk is long, which several take part in then.
class CutEnumerator : public PhasedWork {
public:
  using Alternatives = llvm::SmallVector<unsigned>;
  /// `values`: the values that each output of the graph may be. The last kernel
  /// computes `outputs`, by number; what it reads of the others need not be
  /// written for it. No more than `threads` take part.
  CutEnumerator(CutGraph &graph, llvm::ArrayRef<Alternatives> values,
                ValueSet outputs, unsigned threads);

  size_t startPhase() override;
  void run(size_t task, SearchWorker &worker) override;

  /// When all phases are over; some of them if there are too many.
  std::set<ValueCut> cuts;

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

  /// States by their keys, with the fewest operators that led there.
  class SeenStates {
  public:
    enum class Kind { New, WithFewer, Known };
    Kind add(const State &state);
    void clear();

  private:
    /// Threads seldom ask for the same one at a time.
    struct alignas(64) Part {
      std::mutex mutex;
      llvm::DenseMap<Key, unsigned> fewest;
    };
    std::array<Part, 16> parts;
  };

  /// A part of what is to be walked, the next last, and what was found there.
  struct Walk {
    std::vector<State> open;
    std::vector<ValueCut> cuts;
  };

  bool start();
  bool startNext();
  void startChosen();
  void startWalk();
  bool joinCuts(llvm::ArrayRef<ValueCut> more);
  size_t share(std::vector<State> open);
  bool areTooMany(size_t numCuts) const;
  void walk(Walk &walk, size_t mostSteps);
  void expand(State state, Walk &walk);
  /// Adds to what is pending, unless it is cut.
  void need(State &state, unsigned value, bool mayEnd) const;
  void addTo(Key &key, unsigned value, Status status) const;
  void removeFrom(Key &key, unsigned value, Status status) const;
  bool mayEndAt(unsigned value, bool mayEnd) const;
  double getBytes(unsigned value) const;
  bool fits(const ValueSet &values, const ValueSet &iterators,
            double bytes) const;

  CutGraph &graph;
  const ValueSet outputs;
  const unsigned threads;
  /// Of each output that the last kernel computes the values that it may be,
  /// the number of the one that it is, and that one.
  std::vector<llvm::ArrayRef<unsigned>> alternatives;
  std::vector<size_t> numbers;
  std::vector<unsigned> chosen;
  NecessaryInputs::Inputs inputsOfOthers;
  llvm::BitVector isRoot, isOther;
  /// Of each value, with each status.
  std::vector<std::array<Key, 4>> hashes;
  SeenStates seen;
  /// In front of the values that are chosen as far as walks have come.
  std::set<ValueCut> joined;
  size_t numJoined = 0;
  std::vector<Walk> walks;
  enum class Phase { New, Alone, Shared, Done } phase = Phase::New;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_CUTENUMERATOR_H
