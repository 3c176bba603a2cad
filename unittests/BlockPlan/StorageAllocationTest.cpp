//===- StorageAllocationTest.cpp - Tests of dynamic storage allocation ----===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/StorageAllocation.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage;

namespace {

/// That a plan obeys the problem and has the size that it says.
void expectValid(const StorageProblem &problem, const StoragePlan &plan) {
  ASSERT_EQ(plan.offsets.size(), problem.buffers.size());
  int64_t size = 0;
  for (unsigned a = 0; a < problem.buffers.size(); ++a) {
    int64_t begin = plan.offsets[a], end = begin + problem.buffers[a].bytes;
    EXPECT_GE(begin, 0);
    EXPECT_EQ(begin % problem.buffers[a].alignment, 0);
    size = std::max(size, end);
    for (unsigned b = 0; b < a; ++b)
      if (conflict(problem, a, b)) {
        int64_t other = plan.offsets[b];
        EXPECT_TRUE(end <= other || other + problem.buffers[b].bytes <= begin)
            << a << " and " << b;
      }
  }
  EXPECT_EQ(plan.size, size);
  EXPECT_GE(plan.size, getLiveBytes(problem));
}

/// The smallest size, by trying all offsets.
void tryAll(const StorageProblem &problem, llvm::SmallVector<int64_t> &offsets,
            int64_t size, int64_t &best) {
  unsigned next = offsets.size();
  if (next == problem.buffers.size()) {
    best = std::min(best, size);
    return;
  }
  const StorageBuffer &buffer = problem.buffers[next];
  for (int64_t offset = 0; offset + buffer.bytes < best;
       offset += buffer.alignment) {
    bool fits = true;
    for (unsigned other = 0; other < next && fits; ++other)
      fits = !conflict(problem, next, other) ||
             offset + buffer.bytes <= offsets[other] ||
             offsets[other] + problem.buffers[other].bytes <= offset;
    if (!fits)
      continue;
    offsets.push_back(offset);
    tryAll(problem, offsets, std::max(size, offset + buffer.bytes), best);
    offsets.pop_back();
  }
}

class Random {
public:
  explicit Random(unsigned seed) : generator(seed) {}

  unsigned pick(unsigned low, unsigned high) {
    return std::uniform_int_distribution<unsigned>(low, high)(generator);
  }

  StorageProblem makeProblem(unsigned count, unsigned maxBytes, unsigned steps,
                             unsigned maxLog2Alignment, bool conflicts) {
    StorageProblem problem;
    for (unsigned i = 0; i < count; ++i) {
      unsigned first = pick(0, steps - 1);
      problem.buffers.push_back({pick(1, maxBytes),
                                 int64_t(1) << pick(0, maxLog2Alignment), first,
                                 std::min(first + pick(0, 3), steps - 1)});
    }
    for (unsigned i = 0; conflicts && count > 1 && i < pick(0, 2); ++i)
      problem.conflicts.emplace_back(pick(0, count - 1), pick(0, count - 1));
    return problem;
  }

private:
  std::mt19937 generator;
};

TEST(StorageAllocationTest, AgreesWithTryingAll) {
  Random random(1);
  unsigned aboveBound = 0;
  for (unsigned trial = 0; trial < 500; ++trial) {
    StorageProblem problem =
        random.makeProblem(random.pick(1, 6), 5, 6, 2, /*conflicts=*/true);
    int64_t most = 1;
    for (const StorageBuffer &buffer : problem.buffers)
      most += buffer.bytes + buffer.alignment;
    llvm::SmallVector<int64_t> offsets;
    tryAll(problem, offsets, 0, most);
    StoragePlan plan = allocateStorage(problem);
    expectValid(problem, plan);
    EXPECT_TRUE(plan.isOptimal);
    EXPECT_EQ(plan.size, most) << "trial " << trial;
    aboveBound += plan.size > getLiveBytes(problem);
  }
  // Some plans need more than what lives at one step.
  EXPECT_GT(aboveBound, 10u);
}

TEST(StorageAllocationTest, ManyBuffers) {
  Random random(2);
  unsigned optimal = 0;
  for (unsigned trial = 0; trial < 20; ++trial) {
    StorageProblem problem =
        random.makeProblem(30, 64, 12, 0, /*conflicts=*/false);
    for (StorageBuffer &buffer : problem.buffers) {
      buffer.bytes *= 1024;
      buffer.alignment = random.pick(0, 3) ? 16 : 1024;
    }
    StoragePlan plan = allocateStorage(problem);
    expectValid(problem, plan);
    optimal += plan.isOptimal;
  }
  EXPECT_GE(optimal, 18u);
}

TEST(StorageAllocationTest, GivesUpWithAPlan) {
  Random random(3);
  StorageProblem problem =
      random.makeProblem(60, 1000, 40, 0, /*conflicts=*/true);
  StoragePlan plan = allocateStorage(problem, /*workLimit=*/1);
  expectValid(problem, plan);
  StoragePlan better = allocateStorage(problem);
  expectValid(problem, better);
  EXPECT_LE(better.size, plan.size);
}

/// No more than what lives at one step, though sizes and steps don't nest.
TEST(StorageAllocationTest, ReachesLiveBytes) {
  StorageProblem problem;
  problem.buffers = {{4, 1, 0, 1}, {3, 1, 1, 3}, {3, 1, 0, 0},
                     {2, 1, 2, 4}, {5, 1, 4, 5}, {2, 1, 3, 3}};
  StoragePlan plan = allocateStorage(problem);
  expectValid(problem, plan);
  EXPECT_EQ(plan.size, 7);
  EXPECT_TRUE(plan.isOptimal);
}

TEST(StorageAllocationTest, EmptyBuffers) {
  StoragePlan plan = allocateStorage(StorageProblem());
  EXPECT_EQ(plan.size, 0);
  EXPECT_TRUE(plan.isOptimal);
  StorageProblem problem;
  problem.buffers = {{0, 16, 0, 3}, {8, 16, 1, 2}, {0, 1, 0, 0}};
  plan = allocateStorage(problem);
  expectValid(problem, plan);
  EXPECT_EQ(plan.size, 8);
}

} // namespace
