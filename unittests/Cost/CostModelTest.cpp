//===- CostModelTest.cpp - The formulae of the cost model -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostFixture.h"
#include <cmath>
#include <limits>
#include <random>

using namespace mirage;

namespace {

using CostModelTest = CostFixture;

TEST_F(CostModelTest, StreamsAtTheBandwidth) {
  KernelTimes times = getTimes(makeLoad());
  double l2 = 4.8e6 / (5120 * 1.7);
  EXPECT_DOUBLE_EQ(times.device, 1000);
  EXPECT_DOUBLE_EQ(times.l2, l2);
  EXPECT_DOUBLE_EQ(times.exposed, 700);
  EXPECT_DOUBLE_EQ(times.total, 2000 + 1000 + 0.1 * l2 + 700);
}

/// Blocks share device memory, of which an SM can take in more than its share.
TEST_F(CostModelTest, FewBlocksDrawTheBandwidth) {
  KernelLoad load = makeLoad();
  load.bytesPerIteration = load.sharedBytes = 200 * 1024;
  load.blocks = 80;
  EXPECT_DOUBLE_EQ(getTimes(load).device, 1000);
  // 132 SMs have 5120 bytes a cycle from the L2 cache.
  load.blocks = 33;
  EXPECT_DOUBLE_EQ(getTimes(load).device, 4.8e6 / (5120 * 1.7 / 4));
  EXPECT_DOUBLE_EQ(getTimes(load).l2, 4.8e6 / (5120 * 1.7 / 4));
  // Two blocks on some SMs and one on others.
  load.blocks = 140;
  load.bytesPerIteration = load.sharedBytes = 100 * 1024;
  EXPECT_DOUBLE_EQ(getTimes(load).device, 1000);
}

TEST_F(CostModelTest, NeedsBytesInFlight) {
  KernelLoad load = makeLoad();
  // Half of what hides 700 ns at 4800 bytes/ns.
  load.bytesPerIteration = 4800.0 * 700 / 132 / 2;
  EXPECT_DOUBLE_EQ(getTimes(load).throughput, 0.5);
  EXPECT_DOUBLE_EQ(getTimes(load).device, 2000);
  // Two blocks on each SM have twice as many.
  load.blocks = 264;
  EXPECT_DOUBLE_EQ(getTimes(load).device, 1000);
}

TEST_F(CostModelTest, CountsWaves) {
  KernelLoad load = makeLoad();
  load.sharedBytes = 120 * 1024;
  load.blocks = 133;
  KernelTimes times = getTimes(load);
  EXPECT_EQ(times.blocksPerSm, 1);
  EXPECT_EQ(times.waves, 2);
  // The last block takes in what an SM can.
  EXPECT_DOUBLE_EQ(times.device,
                   (132 / 4800.0 + 132 / (5120 * 1.7)) * 4.8e6 / 133);
  EXPECT_DOUBLE_EQ(times.exposed, 1400);
  // Half as much shared memory: two of them on an SM. Each has 1 KiB more.
  load.sharedBytes = 113 * 1024;
  EXPECT_EQ(getTimes(load).blocksPerSm, 2);
  EXPECT_EQ(getTimes(load).waves, 1);
}

TEST_F(CostModelTest, TakesStagesThatFit) {
  KernelLoad load = makeLoad();
  load.iterations = 8;
  load.bytesPerIteration = load.stageBytes = load.sharedBytes = 8192;
  KernelTimes times = getTimes(load);
  EXPECT_EQ(times.stages, 4);
  EXPECT_DOUBLE_EQ(times.throughput, 3 * 8192 / (4800.0 * 700 / 132));
  EXPECT_DOUBLE_EQ(times.exposed, 700 + 8 * 70);
  // Enough is in flight with three.
  load.bytesPerIteration = load.stageBytes = load.sharedBytes = 65536;
  EXPECT_EQ(getTimes(load).stages, 3);
  // There is room for one: each iteration waits for its load.
  load.bytesPerIteration = load.stageBytes = load.sharedBytes = 120 * 1024;
  EXPECT_EQ(getTimes(load).stages, 1);
  EXPECT_DOUBLE_EQ(getTimes(load).exposed, 8 * 770);
}

TEST_F(CostModelTest, TwoTilesDrawLess) {
  KernelLoad load = makeLoad();
  load.iterations = 8;
  load.bytesPerIteration = load.stageBytes = load.sharedBytes = 100 * 1024;
  EXPECT_EQ(getTimes(load).stages, 2);
  EXPECT_DOUBLE_EQ(getTimes(load).throughput, 0.85);
  EXPECT_DOUBLE_EQ(getTimes(load).device, 1000 / 0.85);
  // With two iterations there are no more.
  load.iterations = 2;
  EXPECT_DOUBLE_EQ(getTimes(load).throughput, 1);
  // Two blocks have four tiles.
  load.iterations = 8;
  load.blocks = 264;
  load.bytesPerIteration = load.stageBytes = load.sharedBytes = 50 * 1024;
  EXPECT_EQ(getTimes(load).stages, 2);
  EXPECT_DOUBLE_EQ(getTimes(load).throughput, 1);
  // Loops that only accumulate have theirs in registers.
  load.blocks = 132;
  load.bytesPerIteration = load.stageBytes = load.sharedBytes = 100 * 1024;
  load.streams = true;
  EXPECT_DOUBLE_EQ(getTimes(load).throughput, 1);
}

/// What is there behind a loop takes the place of all stages.
TEST_F(CostModelTest, StagesAreOfTheLoop) {
  KernelLoad load = makeLoad();
  load.iterations = 8;
  load.bytesPerIteration = load.stageBytes = load.sharedBytes = 50 * 1024;
  load.behindBytes = 150 * 1024;
  EXPECT_EQ(getTimes(load).stages, 3);
  EXPECT_EQ(getTimes(load).blocksPerSm, 1);
  // It keeps a second block away, too.
  load.iterations = 0;
  load.stageBytes = 0;
  EXPECT_EQ(getTimes(load).blocksPerSm, 1);
  load.behindBytes = 100 * 1024;
  EXPECT_EQ(getTimes(load).blocksPerSm, 2);
}

TEST_F(CostModelTest, RegistersLimitBlocks) {
  KernelLoad load = makeLoad();
  load.blocks = 264;
  EXPECT_EQ(getTimes(load).blocksPerSm, 6);
  load.registers = 30000;
  EXPECT_EQ(getTimes(load).blocksPerSm, 2);
  EXPECT_EQ(getTimes(load).waves, 1);
  load.registers = 40000;
  EXPECT_EQ(getTimes(load).blocksPerSm, 1);
  EXPECT_EQ(getTimes(load).waves, 2);
}

TEST_F(CostModelTest, CountsOnChipWork) {
  KernelLoad load = makeLoad();
  load.deviceBytes = load.requestedBytes = 0;
  load.accessCycles = 132 * 1700;
  load.sharedTraffic = 132 * 128 * 1700;
  load.work.scalarFlops = 132 * 128 * 1700;
  load.work.specialFunctions = 132 * 16 * 1700;
  load.work.tensorFlops = 990000 * int64_t(1000);
  KernelTimes times = getTimes(load);
  EXPECT_DOUBLE_EQ(times.onChip, 2000);
  EXPECT_DOUBLE_EQ(times.arithmetic, 2000);
  EXPECT_DOUBLE_EQ(times.tensor, 1000);
  EXPECT_DOUBLE_EQ(times.total, 2000 + 2000 + 0.1 * 3000 + 700);
  load.tf32Flops = load.work.tensorFlops / 2;
  EXPECT_DOUBLE_EQ(getTimes(load).tensor, 1500);
}

/// What the search's lower bounds rest on.
TEST_F(CostModelTest, IsMonotone) {
  std::mt19937 random(1);
  TargetNumbers numbers(target);
  auto pick = [&](double most) {
    // Of any order of magnitude.
    return std::pow(most, std::uniform_real_distribution<>(0, 1)(random)) - 1;
  };
  for (int i = 0; i < 2000; ++i) {
    KernelLoad load;
    load.blocks = 1 + static_cast<int64_t>(pick(1e4));
    load.iterations = static_cast<int64_t>(pick(1e3));
    load.streams = random() % 2;
    load.deviceBytes = pick(1e9);
    load.requestedBytes = pick(1e10);
    load.accessCycles = pick(1e8);
    load.sharedTraffic = pick(1e10);
    load.bytesPerIteration = pick(2e5);
    load.sharedBytes = pick(2e5);
    load.stageBytes = pick(2e5);
    load.behindBytes = pick(2e5);
    load.registers = random() % 2 ? pick(1e5) : 0;
    load.steps = static_cast<int64_t>(pick(1e4));
    load.waits = pick(1e3);
    load.work.tensorFlops = static_cast<int64_t>(pick(1e12));
    load.work.scalarFlops = static_cast<int64_t>(pick(1e9));
    load.work.specialFunctions = static_cast<int64_t>(pick(1e9));
    double before = estimateNanoseconds(load, numbers);
    SCOPED_TRACE(i);
    for (double KernelLoad::*field :
         {&KernelLoad::deviceBytes, &KernelLoad::requestedBytes,
          &KernelLoad::accessCycles, &KernelLoad::sharedTraffic,
          &KernelLoad::sharedBytes, &KernelLoad::stageBytes,
          &KernelLoad::behindBytes, &KernelLoad::registers,
          &KernelLoad::waits}) {
      KernelLoad more = load;
      more.*field += pick(1e6);
      EXPECT_GE(estimateNanoseconds(more, numbers), before);
    }
    for (int64_t OperatorCost::*field :
         {&OperatorCost::tensorFlops, &OperatorCost::scalarFlops,
          &OperatorCost::specialFunctions}) {
      KernelLoad more = load;
      more.work.*field += static_cast<int64_t>(pick(1e9));
      EXPECT_GE(estimateNanoseconds(more, numbers), before);
    }
    KernelLoad later = load;
    later.steps += static_cast<int64_t>(pick(1e3));
    EXPECT_GE(estimateNanoseconds(later, numbers), before);
    // A timer is for any work.
    KernelLoad other = load;
    other.work = OperatorCost();
    other.sharedTraffic = 0;
    EXPECT_EQ(KernelTimer(other, numbers)
                  .getNanoseconds(load.work, load.sharedTraffic),
              before);
    KernelLoad more = load;
    more.bytesPerIteration += pick(1e6);
    EXPECT_LE(estimateNanoseconds(more, numbers), before);
    EXPECT_LE(getLeastNanoseconds(load, numbers), before);
    if (load.iterations <= 1)
      EXPECT_EQ(getLeastNanoseconds(load, numbers), before);
    // Of any loop with more iterations, whatever they load.
    if (load.iterations >= 2) {
      KernelLoad fewer = load;
      fewer.iterations = 2 + random() % (load.iterations - 1);
      fewer.bytesPerIteration = std::numeric_limits<double>::infinity();
      EXPECT_LE(estimateNanoseconds(fewer, numbers), before);
    }
    // The lower bound of any kernel that moves the bytes and does the work.
    KernelLoad ideal;
    ideal.blocks = numbers.smCount;
    ideal.deviceBytes = ideal.requestedBytes =
        std::min(load.deviceBytes, load.requestedBytes);
    ideal.bytesPerIteration = std::numeric_limits<double>::infinity();
    ideal.work = load.work;
    EXPECT_LE(estimateNanoseconds(ideal, numbers), before);
    more = load;
    more.streams = true;
    load.streams = false;
    EXPECT_LE(estimateNanoseconds(more, numbers),
              estimateNanoseconds(load, numbers));
    more = load;
    more.launches = 2;
    EXPECT_GE(estimateNanoseconds(more, numbers),
              estimateNanoseconds(load, numbers));
  }
}

} // namespace
