//===- RaceDetectorTest.cpp - Races and uninitialized reads ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Runtime/RaceDetector.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>

using namespace mirage;
using Problem = RaceDetector::Problem;

namespace {

TEST(RaceDetectorTest, BarriersOrderAccesses) {
  RaceDetector races(64, 256, 4);
  races.startBlock();
  EXPECT_FALSE(races.write(0, 16, 16, 1));
  EXPECT_FALSE(races.read(0, 16, 4, 2));
  auto report = races.read(1, 24, 8, 3);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->problem, Problem::WriteBefore);
  EXPECT_EQ(report->offset, 24u);
  EXPECT_EQ(report->thread, 0u);
  EXPECT_EQ(report->op, 1);
  races.synchronizeAll();
  EXPECT_FALSE(races.read(1, 24, 8, 3));
  EXPECT_FALSE(races.read(40, 24, 8, 4));
  report = races.write(0, 28, 4, 5);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->problem, Problem::ReadBefore);
  EXPECT_EQ(report->thread, 1u);
  races.synchronizeAll();
  EXPECT_FALSE(races.write(0, 28, 4, 5));
}

// An arrival whose release doesn't reach so far: reads, and copies that have
// been waited for, are ordered before what is behind it, and writes are not.
TEST(RaceDetectorTest, WhatIsSeenIsRead) {
  constexpr unsigned kEngine = 64;
  RaceDetector races(kEngine + 1, 64, 4, /*numEngines=*/1);
  races.startBlock();
  RaceDetector::Clocks copied, arrived;
  EXPECT_FALSE(races.beginCopy(0, 0, 16, 1, /*isBulk=*/true));
  races.endCopy(kEngine, 0, 16);
  races.release(kEngine, copied);
  races.acquire(1, copied);
  EXPECT_FALSE(races.read(1, 0, 16, 2));
  EXPECT_FALSE(races.write(1, 16, 4, 3));
  races.releaseSeen(1, arrived);
  auto report = races.write(2, 0, 16, 4);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->problem, Problem::WriteBefore);
  races.acquire(2, arrived);
  // Through the other proxy it takes a fence, which may be behind.
  report = races.beginCopy(2, 0, 16, 4, /*isBulk=*/true);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->problem, Problem::ReadNotFenced);
  races.fenceProxies(2);
  EXPECT_FALSE(races.beginCopy(2, 0, 16, 4, /*isBulk=*/true));
  report = races.read(2, 16, 4, 5);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->problem, Problem::WriteBefore);
  // It is handed on, as what is released otherwise.
  RaceDetector::Clocks further;
  races.release(1, further);
  races.acquire(2, further);
  EXPECT_FALSE(races.read(2, 16, 4, 5));
}

TEST(RaceDetectorTest, EachBlockStartsAnew) {
  RaceDetector races(32, 64, 2);
  for (int block = 0; block < 3; ++block) {
    races.startBlock();
    auto report = races.read(3, 8, 2, 1);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->problem, Problem::Uninitialized);
    EXPECT_EQ(report->offset, 8u);
    EXPECT_FALSE(races.write(3, 8, 2, 1));
    EXPECT_FALSE(races.read(3, 8, 2, 1));
    report = races.read(3, 8, 4, 1);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->offset, 10u);
  }
}

TEST(RaceDetectorTest, CopiesArePendingUntilTheWait) {
  RaceDetector races(32, 64, 4);
  races.startBlock();
  EXPECT_FALSE(races.beginCopy(5, 0, 16, 7));
  for (unsigned thread : {5, 6}) {
    auto report = races.read(thread, 4, 4, 8);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->problem, Problem::Pending);
    EXPECT_EQ(report->thread, 5u);
    EXPECT_EQ(report->op, 7);
    ASSERT_TRUE(races.write(thread, 4, 4, 8));
  }
  races.synchronizeAll();
  ASSERT_TRUE(races.read(6, 4, 4, 8));
  races.endCopy(5, 0, 16);
  EXPECT_FALSE(races.read(5, 4, 4, 8));
  // The barrier was before the wait.
  auto report = races.read(6, 4, 4, 8);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->problem, Problem::WriteBefore);
  races.synchronizeAll();
  EXPECT_FALSE(races.read(6, 4, 4, 8));
}

/// The definition: whole vector clocks, and each access ever made.
class NaiveDetector {
public:
  explicit NaiveDetector(unsigned threads)
      : known(threads, std::vector<uint64_t>(threads, 0)) {
    for (unsigned t = 0; t < threads; ++t)
      known[t][t] = 1;
  }

  bool isRace(unsigned thread, size_t cell, bool write) {
    bool race = false;
    for (const Access &other : accesses)
      race |= other.cell == cell && (write || other.write) &&
              other.thread != thread &&
              known[thread][other.thread] < other.clock;
    accesses.push_back({cell, thread, write, known[thread][thread]});
    return race;
  }

  void synchronize(const std::vector<unsigned> &threads) {
    std::vector<uint64_t> joined(known.size());
    for (unsigned t : threads) {
      for (size_t i = 0; i < known.size(); ++i)
        joined[i] = std::max(joined[i], known[t][i]);
    }
    for (unsigned t : threads) {
      known[t] = joined;
      ++known[t][t];
    }
  }

private:
  struct Access {
    size_t cell;
    unsigned thread;
    bool write;
    uint64_t clock;
  };
  std::vector<std::vector<uint64_t>> known;
  std::vector<Access> accesses;
};

TEST(RaceDetectorTest, AgreesWithTheDefinition) {
  constexpr unsigned kThreads = 40, kCells = 4;
  int races = 0, steps = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    std::mt19937 random(seed);
    RaceDetector fast(kThreads, kCells * 4, 4);
    fast.startBlock();
    NaiveDetector naive(kThreads);
    std::vector<unsigned> all;
    for (unsigned t = 0; t < kThreads; ++t)
      all.push_back(t);
    // Some that are close together, since few threads make more of the cases.
    unsigned active = 2 + random() % (kThreads - 1);
    // Everything has been written.
    for (size_t cell = 0; cell < kCells; ++cell) {
      fast.write(0, cell * 4, 4, 0);
      naive.isRace(0, cell, true);
    }
    fast.synchronizeAll();
    naive.synchronize(all);
    unsigned writes = random() % 30, barriers = 10 + random() % 60;
    for (int step = 0; step < 400; ++step, ++steps) {
      if (random() % 100 < barriers) {
        std::vector<unsigned> some;
        unsigned chance = 20 + random() % 80;
        for (unsigned t = 0; t < active; ++t)
          if (random() % 100 < chance)
            some.push_back(t);
        naive.synchronize(some);
        RaceDetector::Clocks clocks;
        for (unsigned t : some)
          fast.release(t, clocks);
        for (unsigned t : some)
          fast.acquire(t, clocks);
        if (random() % 50 == 0) {
          naive.synchronize(all);
          fast.synchronizeAll();
        }
        continue;
      }
      unsigned thread = random() % active;
      size_t cell = random() % kCells;
      bool write = random() % 100 < writes;
      bool expected = naive.isRace(thread, cell, write);
      bool found = write ? bool(fast.write(thread, cell * 4, 4, step))
                         : bool(fast.read(thread, cell * 4, 4, step));
      ASSERT_EQ(found, expected) << "seed " << seed << ", step " << step;
      if (found) {
        // What comes after a race doesn't matter.
        ++races;
        break;
      }
    }
  }
  EXPECT_GT(races, 100);
  EXPECT_GT(steps, 10000);
}

/// Two threads, and an engine, number 2, that reads for thread 0.
TEST(RaceDetectorTest, EnginesReadUntilTheyAreWaitedFor) {
  RaceDetector races(3, 64, 4, /*numEngines=*/1);
  races.startBlock();
  EXPECT_FALSE(races.write(0, 0, 16, 1));
  races.fenceProxies(0);
  RaceDetector::Clocks issue, group, barrier;
  races.release(0, issue);
  // What the engine doesn't know of.
  auto report = races.readAsync(2, 0, 16, 2);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->problem, Problem::WriteBefore);
  races.acquire(2, issue);
  EXPECT_FALSE(races.readAsync(2, 0, 16, 2));
  races.release(2, group);
  report = races.write(0, 4, 4, 3);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->problem, Problem::ReadBefore);
  EXPECT_EQ(report->thread, 2u);
  races.acquire(0, group);
  EXPECT_FALSE(races.write(0, 4, 4, 3));
  // Another thread hears of it by a barrier.
  EXPECT_TRUE(races.write(1, 8, 4, 4));
  races.release(0, barrier);
  races.acquire(1, barrier);
  EXPECT_FALSE(races.write(1, 8, 4, 4));
}

TEST(RaceDetectorTest, EnginesReadWhatIsFenced) {
  RaceDetector races(3, 64, 4, /*numEngines=*/1);
  races.startBlock();
  auto readsUnfenced = [&](size_t offset) {
    auto report = races.readAsync(2, offset, 4, 9);
    return report && report->problem == Problem::WriteNotFenced;
  };
  EXPECT_FALSE(races.write(0, 0, 4, 1));
  races.fenceProxies(0);
  EXPECT_FALSE(races.write(0, 4, 4, 1));
  EXPECT_FALSE(races.write(1, 8, 4, 1));
  EXPECT_FALSE(races.beginCopy(0, 12, 4, 1));
  races.endCopy(2, 12, 4);
  races.synchronizeAll();
  EXPECT_FALSE(readsUnfenced(0));
  EXPECT_TRUE(readsUnfenced(4)) << "written behind the fence";
  EXPECT_TRUE(readsUnfenced(8)) << "another thread's";
  EXPECT_FALSE(readsUnfenced(12)) << "written by an engine";
  // Behind the barrier a thread fences for all, if they know of the fence.
  races.fenceProxies(1);
  EXPECT_TRUE(readsUnfenced(4));
  EXPECT_TRUE(readsUnfenced(8));
  RaceDetector::Clocks issue;
  races.release(1, issue);
  races.acquire(2, issue);
  EXPECT_FALSE(readsUnfenced(4));
  EXPECT_FALSE(readsUnfenced(8));
}

/// Threads 0, 1 and 2, of which 0 writes, and an engine.
TEST(RaceDetectorTest, FencesAreOnTheWay) {
  RaceDetector races(4, 64, 4, /*numEngines=*/1);
  races.startBlock();
  auto isUnfenced = [&](unsigned thread) {
    return races.findUnfenced(thread, 0, 4).has_value();
  };
  EXPECT_FALSE(races.write(0, 0, 4, 1));
  races.synchronizeAll();
  EXPECT_TRUE(isUnfenced(0));
  races.fenceProxies(1);
  EXPECT_FALSE(isUnfenced(1));
  EXPECT_TRUE(isUnfenced(0)) << "which the fence isn't ordered before";
  EXPECT_TRUE(isUnfenced(2));
  // From one to the next.
  RaceDetector::Clocks first, second;
  races.release(1, first);
  races.acquire(2, first);
  EXPECT_FALSE(isUnfenced(2));
  races.release(2, second);
  races.acquire(0, second);
  EXPECT_FALSE(isUnfenced(0));
  // A later write has its own fence, in front of a barrier of all.
  EXPECT_FALSE(races.write(0, 0, 4, 1));
  EXPECT_TRUE(isUnfenced(0));
  races.fenceProxies(0);
  EXPECT_FALSE(isUnfenced(0));
  EXPECT_TRUE(isUnfenced(2));
  races.synchronizeAll();
  EXPECT_FALSE(isUnfenced(2));
  EXPECT_FALSE(isUnfenced(3));
}

/// An mbarrier's fence is one for engines, too, where it is known of.
TEST(RaceDetectorTest, EnginesReachFencedMbarriers) {
  RaceDetector races(3, 64, 4);
  races.startBlock();
  auto isUnfenced = [&](unsigned thread) {
    return races.findUnfenced(thread, 0, 8, /*ofMbarrier=*/true).has_value();
  };
  EXPECT_FALSE(races.write(0, 0, 8, 1));
  EXPECT_TRUE(isUnfenced(0));
  races.fenceMbarriers(1);
  EXPECT_TRUE(isUnfenced(1)) << "another thread's";
  races.fenceMbarriers(0);
  EXPECT_FALSE(isUnfenced(0));
  EXPECT_TRUE(races.findUnfenced(0, 0, 8)) << "not as an mbarrier";
  EXPECT_TRUE(isUnfenced(1));
  RaceDetector::Clocks relaxed;
  races.releaseMbarriers(0, relaxed);
  races.acquire(1, relaxed);
  EXPECT_FALSE(isUnfenced(1));
  EXPECT_TRUE(isUnfenced(2));
  races.synchronizeAll();
  EXPECT_FALSE(isUnfenced(2));
  // Behind the barrier it is another one.
  EXPECT_FALSE(races.write(0, 0, 8, 1));
  races.synchronizeAll();
  EXPECT_TRUE(isUnfenced(2));
  races.fenceMbarriers(0);
  EXPECT_TRUE(isUnfenced(2));
}

TEST(RaceDetectorTest, EnginesWriteBehindAFence) {
  RaceDetector races(3, 64, 4, /*numEngines=*/1);
  races.startBlock();
  EXPECT_FALSE(races.write(0, 4, 4, 1));
  races.synchronizeAll();
  constexpr bool kIsBulk = true;
  auto report = races.beginCopy(/*thread=*/1, 0, 16, 9, kIsBulk);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->problem, Problem::WriteNotFenced);
  EXPECT_EQ(report->thread, 0u);
  EXPECT_EQ(report->op, 1);
  // Other copies go the way of stores.
  EXPECT_FALSE(races.beginCopy(/*thread=*/1, 4, 4, 9));
  races.endCopy(1, 4, 4);
  races.synchronizeAll();
  races.fenceProxies(0);
  EXPECT_TRUE(races.beginCopy(1, 0, 16, 9, kIsBulk));
  RaceDetector::Clocks barrier;
  races.release(0, barrier);
  races.acquire(1, barrier);
  EXPECT_FALSE(races.beginCopy(1, 0, 16, 9, kIsBulk));
}

TEST(RaceDetectorTest, EnginesOverwriteBehindAFence) {
  RaceDetector races(35, 256, 4, /*numEngines=*/1);
  constexpr unsigned kEngine = 34;
  constexpr bool kIsBulk = true;
  auto getUnfenced = [&](size_t offset) -> std::optional<unsigned> {
    auto report = races.beginCopy(0, offset, 4, 9, kIsBulk);
    if (!report)
      return std::nullopt;
    EXPECT_EQ(report->problem, Problem::ReadNotFenced);
    EXPECT_EQ(report->op, 5);
    return report->thread;
  };
  races.startBlock();
  EXPECT_FALSE(races.write(0, 0, 256, 1));
  races.fenceProxies(0);
  races.synchronizeAll();
  EXPECT_FALSE(races.read(3, 0, 4, 5));
  // Several threads' reads, one of them behind its fence.
  for (unsigned thread : {3, 4, 33}) {
    EXPECT_FALSE(races.read(thread, 4, 4, 5));
    EXPECT_FALSE(races.read(thread, 8, 4, 5));
    races.fenceProxies(thread);
  }
  EXPECT_FALSE(races.read(33, 4, 4, 5));
  // An engine's, and a thread's before it.
  EXPECT_FALSE(races.readAsync(kEngine, 12, 4, 5));
  for (size_t offset : {16, 20})
    EXPECT_FALSE(races.read(5, offset, 4, 5));
  EXPECT_FALSE(races.read(6, 20, 4, 5));
  // A race comes first.
  auto report = races.beginCopy(0, 16, 4, 9, kIsBulk);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->problem, Problem::ReadBefore);
  races.synchronizeAll();
  for (size_t offset : {16, 20})
    EXPECT_FALSE(races.readAsync(kEngine, offset, 4, 5));
  races.synchronizeAll();
  EXPECT_EQ(getUnfenced(0), std::nullopt);
  EXPECT_EQ(getUnfenced(4), 33u);
  EXPECT_EQ(getUnfenced(8), std::nullopt);
  EXPECT_EQ(getUnfenced(12), std::nullopt);
  EXPECT_EQ(getUnfenced(16), 5u);
  EXPECT_EQ(getUnfenced(20), 5u);
  // Behind the barrier a thread fences for all.
  races.fenceProxies(7);
  RaceDetector::Clocks barrier;
  races.release(7, barrier);
  races.acquire(0, barrier);
  EXPECT_EQ(getUnfenced(4), std::nullopt);
  EXPECT_EQ(getUnfenced(16), std::nullopt);
  EXPECT_EQ(getUnfenced(20), std::nullopt);
  // What an earlier block has done is nothing.
  EXPECT_FALSE(races.write(0, 100, 4, 1));
  EXPECT_FALSE(races.read(0, 100, 4, 5));
  races.startBlock();
  EXPECT_EQ(getUnfenced(100), std::nullopt);
}

/// Thread 0 initializes and fences mbarriers; what it arrives at releases
/// nothing else.
TEST(RaceDetectorTest, FencesOfMbarriersOrderNothingElse) {
  RaceDetector races(5, 64, 4);
  races.startBlock();
  constexpr bool kOfMbarrier = true;
  EXPECT_FALSE(races.write(0, 0, 8, 1));
  EXPECT_FALSE(races.write(0, 16, 4, 2));
  races.fenceMbarriers(0);
  EXPECT_FALSE(races.write(0, 8, 8, 3));
  EXPECT_FALSE(races.write(3, 24, 8, 4));
  RaceDetector::Clocks relaxed, barrier, later;
  races.releaseMbarriers(0, relaxed);
  // Which has fenced nothing.
  races.releaseMbarriers(3, relaxed);
  EXPECT_TRUE(races.read(1, 0, 8, 5, kOfMbarrier)) << "before the barrier";
  races.acquire(1, relaxed);
  EXPECT_FALSE(races.read(1, 0, 8, 5, kOfMbarrier));
  EXPECT_TRUE(races.read(1, 0, 8, 5)) << "not as an mbarrier";
  EXPECT_TRUE(races.read(1, 16, 4, 5)) << "no mbarrier";
  EXPECT_TRUE(races.read(1, 8, 8, 5, kOfMbarrier)) << "behind the fence";
  EXPECT_TRUE(races.read(1, 24, 8, 5, kOfMbarrier)) << "another thread's";
  // Who hears of it from thread 1 knows as much, and may end it, too.
  races.release(1, barrier);
  EXPECT_TRUE(races.write(2, 0, 8, 6, kOfMbarrier));
  races.acquire(2, barrier);
  EXPECT_TRUE(races.write(2, 0, 8, 6));
  EXPECT_FALSE(races.write(2, 0, 8, 6, kOfMbarrier));
  // A thread that knows of another's has not fenced that itself.
  races.fenceMbarriers(2);
  races.releaseMbarriers(2, later);
  races.acquire(4, later);
  EXPECT_FALSE(races.read(4, 0, 8, 7, kOfMbarrier));
  EXPECT_TRUE(races.read(4, 8, 8, 7, kOfMbarrier));
  // Nor does it know of what comes in the next block.
  races.startBlock();
  EXPECT_FALSE(races.write(0, 0, 8, 8));
  EXPECT_TRUE(races.read(1, 0, 8, 9, kOfMbarrier));
}

} // namespace
