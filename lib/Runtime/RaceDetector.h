//===- RaceDetector.h - Races and uninitialized reads -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Happens-before race detection for a block's shared memory, after FastTrack
// (Flanagan, Freund: "FastTrack: efficient and precise dynamic race detection",
// PLDI 2009). It reports a race from one run whenever two accesses are ordered
// by nothing, whichever came first.
//
// Each thread has a clock that advances when it releases (arrives at a
// barrier), and knows up to which clock it has acquired each other thread.
// Clocks are never reset: a barrier of the whole block lifts all of them above
// `ordered`, and what is at or below that is ordered before everything. So in
// code with such barriers only, no thread ever has to look at another's clock.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_RACEDETECTOR_H
#define MIRAGE_LIB_RUNTIME_RACEDETECTOR_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace mirage {

class RaceDetector {
public:
  /// What a barrier hands from those who arrive to those who wait.
  struct Clocks {
    /// By thread: up to where what it has done is ordered before.
    std::vector<uint32_t> threads;
    /// By thread that is no engine: up to where what it has done was fenced for
    /// engines. Empty: no further than all know.
    std::vector<uint32_t> fenced;
    /// By initializer of mbarriers: up to where its initializations are ordered
    /// before what is done to mbarriers, by its fence alone.
    std::vector<uint32_t> mbarriers;
    /// By thread: up to where what it has read, or, if it is an engine, has
    /// written, is ordered before, but not all else that it has done. Empty: no
    /// further than `threads` says.
    std::vector<uint32_t> seen;

    void clear() {
      threads.clear();
      seen.clear();
      fenced.clear();
      mbarriers.clear();
    }
  };

  enum class Problem {
    /// Another thread's write, or its read, is not ordered before this access.
    WriteBefore,
    ReadBefore,
    /// A copy into these bytes has not been waited for.
    Pending,
    /// A read of bytes that nothing has been written to.
    Uninitialized,
    /// A write, or a read, through the generic proxy, and an access through the
    /// async proxy without a fence between.
    WriteNotFenced,
    ReadNotFenced
  };
  struct Report {
    Problem problem;
    /// First byte of the cell concerned, from the start of shared memory.
    size_t offset;
    /// The other access, except for Uninitialized.
    unsigned thread;
    int32_t op;
  };
  using Result = std::optional<Report>;

  /// `granularity`: a power of two that divides the addresses and sizes of all
  /// accesses. The last `numEngines` threads stand for what accesses memory
  /// through the async proxy.
  RaceDetector(unsigned numThreads, size_t sharedBytes, size_t granularity,
               unsigned numEngines = 0);

  /// All memory is uninitialized again.
  void startBlock();

  /// Accesses by `thread` in the op numbered `op`. The bytes lie in shared
  /// memory. `ofMbarrier`: as an mbarrier, whose initialization may be ordered
  /// by its fence alone.
  Result read(unsigned thread, size_t offset, size_t bytes, int32_t op,
              bool ofMbarrier = false);
  Result write(unsigned thread, size_t offset, size_t bytes, int32_t op,
               bool ofMbarrier = false) {
    return write(thread, offset, bytes, op, ofMbarrier, /*isBulk=*/false);
  }
  /// An asynchronous copy begins to write, and has been waited for. `isBulk`:
  /// it writes through the async proxy.
  Result beginCopy(unsigned thread, size_t offset, size_t bytes, int32_t op,
                   bool isBulk = false);
  void endCopy(unsigned thread, size_t offset, size_t bytes);
  /// A read by an engine. It ends when somebody acquires what the engine has
  /// released since.
  Result readAsync(unsigned engine, size_t offset, size_t bytes, int32_t op);
  /// A fence between the proxies: what is ordered before it for `thread` may be
  /// read and overwritten through the async proxy by those that the fence is
  /// ordered before.
  void fenceProxies(unsigned thread);
  /// Whether another thread, or `thread`, has stored here what no fence that is
  /// ordered before what `thread` does now has shown to engines. `ofMbarrier`:
  /// the initialization of an mbarrier, for which its own fence will do, too.
  Result findUnfenced(unsigned thread, size_t offset, size_t bytes,
                      bool ofMbarrier = false) const;

  /// A barrier that all threads wait at.
  void synchronizeAll();
  /// `thread` arrives at a barrier of some threads, and goes on after it.
  void release(unsigned thread, Clocks &barrier);
  /// The same, but only what it has read, and what it knows to be copied, is
  /// ordered before what is behind the barrier: it arrives there without a
  /// release that reaches so far.
  void releaseSeen(unsigned thread, Clocks &barrier);
  /// A fence of the mbarriers that `thread` has initialized, and its arrival at
  /// a barrier that releases nothing but what it has fenced so.
  void fenceMbarriers(unsigned thread);
  void releaseMbarriers(unsigned thread, Clocks &barrier) const;
  /// The clock of what `thread` does now.
  uint32_t getClock(unsigned thread) const { return clocks[thread]; }
  void acquire(unsigned thread, const Clocks &barrier);
  /// Whether what `other` did at this clock, a read or a wait, is ordered
  /// before what `thread` does now.
  bool isKnown(unsigned thread, unsigned other, uint32_t clock) const {
    return isOrdered(thread, other, clock) || isSeen(thread, other, clock);
  }
  /// Whether what `thread` did at this clock is ordered before what is behind a
  /// barrier.
  bool isReleased(unsigned thread, uint32_t clock,
                  const Clocks &barrier) const {
    auto has = [&](const std::vector<uint32_t> &released) {
      return thread < released.size() && released[thread] >= clock;
    };
    return clock <= ordered || has(barrier.threads) || has(barrier.seen);
  }

private:
  struct Cell {
    /// Clocks of the last write and read; 0: none.
    uint32_t written = 0, read = 0;
    int32_t writeOp = 0, readOp = 0;
    uint16_t writer = 0, reader = 0;
  };
  struct Read {
    unsigned thread;
    uint32_t clock;
  };
  /// The lanes of a warp that have read a cell, by the clock they did it at.
  /// Lanes of a warp go nearly in step, so that two groups are mostly enough;
  /// what doesn't fit is in `others`.
  struct WarpReads {
    uint32_t lanes[2] = {}, clocks[2] = {};
  };
  /// Cell::reader when there are several; Cell::written of a pending copy, not
  /// ordered before anything.
  static constexpr uint16_t kMany = UINT16_MAX;
  static constexpr uint32_t kPending = UINT32_MAX;

  bool isEngine(unsigned thread) const {
    return thread >= numThreads - numEngines;
  }
  bool isOrdered(unsigned thread, unsigned other, uint32_t clock) const {
    return clock <= ordered || other == thread ||
           (!acquired.empty() &&
            acquired[size_t{thread} * numThreads + other] >= clock);
  }
  /// Whether what `other` had read or copied then is ordered before now.
  bool isSeen(unsigned thread, unsigned other, uint32_t clock) const {
    return !seen.empty() && seen[size_t{thread} * numThreads + other] >= clock;
  }
  /// Whether the last write to a cell is ordered before now.
  bool isWriteOrdered(unsigned thread, const Cell &cell, bool ofMbarrier) const;
  Result checkWrite(unsigned thread, size_t index, const Cell &cell,
                    bool ofMbarrier) const;
  /// Whether `thread` knows of a fence behind what another one has done.
  bool isFenced(unsigned thread, unsigned other, uint32_t clock) const {
    return clock <= fencedForAll[other] ||
           (!fenced[thread].empty() && clock <= fenced[thread][other]);
  }
  /// Whether the last write to a cell, or a read since, was a thread's, and not
  /// fenced for `thread`.
  bool isWriteUnfenced(unsigned thread, const Cell &cell) const;
  Result checkFences(unsigned thread, size_t index, const Cell &cell) const;
  /// Of a write, whether it was the initialization of an mbarrier and `thread`
  /// knows that it was fenced as such.
  bool isMbarrierFenced(unsigned thread, const Cell &cell) const;
  /// A reader since the last write with this property, by its number and clock.
  template <typename Property>
  std::optional<unsigned> findReader(size_t index, const Cell &cell,
                                     Property hasProperty) const;
  Result write(unsigned thread, size_t offset, size_t bytes, int32_t op,
               bool ofMbarrier, bool isBulk);
  void addReader(unsigned thread, size_t index, Cell &cell, int32_t op);
  llvm::ArrayRef<uint32_t> getRow(const std::vector<uint32_t> &ofThreads,
                                  unsigned thread) const {
    return llvm::ArrayRef(ofThreads).slice(size_t{thread} * numThreads,
                                           numThreads);
  }
  void addToSet(size_t index, WarpReads *sets, const Read &read);

  unsigned numThreads, numEngines, numWarps;
  unsigned shift;
  std::vector<Cell> cells;
  /// For cells with many readers, a place in `reads`; 0: none yet.
  std::vector<uint32_t> readSets;
  std::vector<WarpReads> reads;
  std::unordered_map<size_t, std::vector<Read>> others;

  std::vector<uint32_t> clocks;
  /// By thread that is no engine: the clock up to which its accesses have been
  /// fenced, as all know. By thread and such a thread: the same as this one
  /// knows; empty for those who know no more than all.
  std::vector<uint32_t> fencedForAll;
  std::vector<std::vector<uint32_t>> fenced;
  /// By thread and other thread; allocated when first needed. What is acquired
  /// is not in `seen` once more.
  std::vector<uint32_t> acquired, seen;
  /// The threads that have fenced mbarriers, mostly one of each block. Up to
  /// which clock of each of them all know what was fenced; by thread, the same
  /// of what it knows.
  std::vector<unsigned> initializers;
  std::vector<uint32_t> mbarriersForAll;
  std::vector<std::vector<uint32_t>> mbarriers;
  /// The last clock that is ordered before everything; the last one of any
  /// thread; the last one of the block before.
  uint32_t ordered = 1, latest = 1, blockStart = 1;
};

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_RACEDETECTOR_H
