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
#include <array>
#include <atomic>
#include <boost/container/flat_map.hpp>
#include <mutex>
#include <set>
#include <vector>

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

/// Counts the states on the way to the cuts of a graph, and notes whether it
/// has too many of either (SizeLimits). May be shared by threads, which give up
/// when it has: that depends on the graph alone, where they are then on chance.
class CutLimits {
public:
  explicit CutLimits(const SearchOptions &options);
  CutLimits(const CutLimits &) = delete;
  CutLimits &operator=(const CutLimits &) = delete;

  /// Counts for one thread, which tells all others now and then.
  class Counter {
  public:
    explicit Counter(CutLimits &all) : all(all) {}
    ~Counter() { all.addStates(mine); }
    Counter(const Counter &) = delete;
    Counter &operator=(const Counter &) = delete;
    void add() {
      constexpr size_t kMine = 1024;
      if (++mine == kMine)
        all.addStates(std::exchange(mine, 0));
    }

  private:
    CutLimits &all;
    size_t mine = 0;
  };

  void checkCuts(size_t count) {
    if (count > mostCuts)
      exceeded = true;
  }
  /// May come to say so as long as there is a counter.
  bool areExceeded() const { return exceeded.load(std::memory_order_relaxed); }
  /// When no counter is left. A constant where it was given up.
  int64_t getNumStates() const;

private:
  void addStates(size_t more) {
    if ((numStates += more) > mostStates)
      exceeded = true;
  }

  const size_t mostCuts, mostStates;
  std::atomic<size_t> numStates{0};
  std::atomic<bool> exceeded{false};
};

/// What the cuts of a graph depend on, whatever its outputs are. All that it
/// refers to must outlive it.
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
  CutLimits limits;
};

/// Finds the cuts of a graph behind which one kernel computes some of its
/// outputs, by walking from these towards the inputs: in one task, unless a
/// walk is long, which is then shared out.
class CutEnumerator {
public:
  using Alternatives = llvm::SmallVector<unsigned>;
  /// `values`: the values that each output of the graph may be, which must
  /// outlive this. The last kernel computes `outputs`, by number; what it reads
  /// of the others need not be written for it. `threads`: how many there are to
  /// take part.
  CutEnumerator(CutGraph &graph, llvm::ArrayRef<Alternatives> values,
                ValueSet outputs, unsigned threads);

  /// As those of PhasedWork.
  size_t startPhase();
  void run(size_t task);

  /// When all phases are over. None if it was stopped, or the limits of the
  /// graph are exceeded.
  std::set<ValueCut> takeCuts();

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
  struct alignas(64) Walk {
    std::vector<State> open;
    std::vector<ValueCut> cuts;
  };

  bool start();
  bool startNext();
  void startChosen();
  void startWalk();
  bool isGivenUp() const { return graph.stop || graph.limits.areExceeded(); }
  bool joinCuts();
  size_t goOn();
  size_t share(std::vector<State> open);
  void runAlone();
  size_t walk(Walk &walk, size_t mostExpansions);
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
  static constexpr size_t kNumStatuses = 4;
  std::vector<std::array<Key, kNumStatuses>> hashes;
  SeenStates seen;
  /// In front of the values that are chosen as far as walks have come.
  std::set<ValueCut> joined;
  size_t numJoined = 0;
  /// Parts of one walk; the first is all of it unless that is shared out.
  std::vector<Walk> walks;
  /// Cuts that the walk has found.
  std::atomic<size_t> numFound{0};
  std::set<ValueCut> cuts;
  enum class Phase { New, Alone, Shared, Done } phase = Phase::New;
};

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_CUTENUMERATOR_H
