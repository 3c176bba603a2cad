//===- OperatorScheduleTest.cpp - Tests of the depths of operators --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/OperatorSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>
#include <tuple>

using namespace mirage;

namespace {

/// What schedules are compared by.
auto getCost(const OperatorSchedule &schedule) {
  return std::make_tuple(schedule.numDepths, schedule.barrierAtBackEdge,
                         schedule.peakBytes, schedule.totalBytes,
                         std::accumulate(schedule.depths.begin(),
                                         schedule.depths.end(), int64_t(0)));
}

bool obeysDependences(const OperatorScheduleProblem &problem,
                      llvm::ArrayRef<unsigned> depths) {
  for (const ScheduledTile &tile : problem.tiles)
    for (unsigned reader : tile.readers)
      if (depths[reader] <= depths[tile.maker])
        return false;
  for (unsigned op = 0; op < problem.getNumOps(); ++op) {
    bool reads = llvm::any_of(problem.tiles, [&](const ScheduledTile &tile) {
      return llvm::is_contained(tile.readers, op);
    });
    if (problem.isHoisted[op] && !reads && depths[op] != 0)
      return false;
  }
  return true;
}

/// The best of all assignments of up to as many depths as there are operators.
OperatorSchedule tryAll(const OperatorScheduleProblem &problem) {
  unsigned count = problem.getNumOps();
  llvm::SmallVector<unsigned> depths(count, 0);
  OperatorSchedule best;
  while (true) {
    if (obeysDependences(problem, depths)) {
      OperatorSchedule schedule = evaluateSchedule(problem, depths);
      if (best.depths.empty() || getCost(schedule) < getCost(best))
        best = schedule;
    }
    unsigned op = 0;
    while (op < count && ++depths[op] == count)
      depths[op++] = 0;
    if (op == count)
      return best;
  }
}

OperatorScheduleProblem makeRandomProblem(std::mt19937 &generator,
                                          unsigned maxOps) {
  auto pick = [&](unsigned low, unsigned high) {
    return std::uniform_int_distribution<unsigned>(low, high)(generator);
  };
  OperatorScheduleProblem problem;
  unsigned count = pick(1, maxOps);
  problem.repeats = pick(0, 1);
  for (unsigned op = 0; op < count; ++op) {
    problem.scratchBytes.push_back(pick(0, 3) ? 0 : 16 * pick(1, 4));
    problem.isHoisted.push_back(op < 2 && pick(0, 1));
    for (unsigned results = pick(0, 2); results > 0; --results) {
      ScheduledTile tile{
          op, {}, 16 * pick(1, 8), pick(0, 9) == 0, pick(0, 9) == 0};
      for (unsigned reader = std::max(op + 1, 2u); reader < count; ++reader)
        if (pick(0, 2) == 0)
          tile.readers.push_back(reader);
      problem.tiles.push_back(tile);
    }
  }
  return problem;
}

TEST(OperatorScheduleTest, AgreesWithTryingAll) {
  std::mt19937 generator(1);
  for (unsigned trial = 0; trial < 400; ++trial) {
    OperatorScheduleProblem problem = makeRandomProblem(generator, 6);
    OperatorSchedule schedule = scheduleOperators(problem);
    EXPECT_TRUE(schedule.isOptimal);
    EXPECT_TRUE(obeysDependences(problem, schedule.depths));
    EXPECT_EQ(getCost(schedule),
              getCost(evaluateSchedule(problem, schedule.depths)));
    EXPECT_EQ(getCost(schedule), getCost(tryAll(problem))) << trial;
  }
}

TEST(OperatorScheduleTest, IsNeverWorseThanAsEarlyAsPossible) {
  std::mt19937 generator(2);
  unsigned given = 0;
  for (unsigned trial = 0; trial < 200; ++trial) {
    OperatorScheduleProblem problem = makeRandomProblem(generator, 24);
    llvm::SmallVector<unsigned> early(problem.getNumOps(), 0);
    for (const ScheduledTile &tile : problem.tiles)
      for (unsigned reader : tile.readers)
        early[reader] = std::max(early[reader], early[tile.maker] + 1);
    OperatorSchedule schedule = scheduleOperators(problem, /*workLimit=*/2000);
    given += !schedule.isOptimal;
    EXPECT_TRUE(obeysDependences(problem, schedule.depths));
    EXPECT_LE(getCost(schedule), getCost(evaluateSchedule(problem, early)));
  }
  EXPECT_GT(given, 10u);
}

TEST(OperatorScheduleTest, EmptyProblem) {
  OperatorSchedule schedule = scheduleOperators(OperatorScheduleProblem());
  EXPECT_EQ(schedule.numDepths, 0u);
  EXPECT_TRUE(schedule.isOptimal);
}

/// Ops 0 to 2 are a chain; op 3 makes a large tile for op 2, and is better
/// late.
TEST(OperatorScheduleTest, LateWhereThatSavesMemory) {
  OperatorScheduleProblem problem;
  problem.scratchBytes.assign(4, 0);
  problem.isHoisted.assign(4, false);
  problem.scratchBytes[0] = 256;
  problem.tiles = {{0, {1}, 16}, {1, {3}, 16}, {2, {3}, 256}};
  OperatorSchedule schedule = scheduleOperators(problem);
  EXPECT_EQ(schedule.depths, (llvm::SmallVector<unsigned>{0, 1, 1, 2}));
  EXPECT_EQ(schedule.peakBytes, 16 + 16 + 256);

  // Hoisted, it is early all the same.
  problem.isHoisted[2] = true;
  schedule = scheduleOperators(problem);
  EXPECT_EQ(schedule.depths, (llvm::SmallVector<unsigned>{0, 1, 0, 2}));
  EXPECT_EQ(schedule.peakBytes, 16 + 256 + 256);
}

/// What the first depth makes is not left to the last to read, even if that
/// takes more memory.
TEST(OperatorScheduleTest, BarrierAtBackEdge) {
  OperatorScheduleProblem problem;
  problem.scratchBytes.assign(4, 0);
  problem.isHoisted.assign(4, false);
  // 0 -> 1 -> 3, and op 2 reads what op 0 makes.
  problem.tiles = {{0, {1, 2}, 16}, {1, {3}, 1024}};
  problem.scratchBytes[2] = 512;
  problem.scratchBytes[1] = 2048;
  OperatorSchedule schedule = scheduleOperators(problem);
  EXPECT_EQ(schedule.depths[2], 2u);
  EXPECT_FALSE(schedule.barrierAtBackEdge);
  problem.repeats = true;
  schedule = scheduleOperators(problem);
  EXPECT_EQ(schedule.depths[2], 1u);
  EXPECT_FALSE(schedule.barrierAtBackEdge);
  // Where it can't be avoided.
  problem.tiles[0].readers.push_back(3);
  EXPECT_TRUE(scheduleOperators(problem).barrierAtBackEdge);
  problem.tiles[0].isPipelined = true;
  EXPECT_FALSE(scheduleOperators(problem).barrierAtBackEdge);
}

} // namespace
