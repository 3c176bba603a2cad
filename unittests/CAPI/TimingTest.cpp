//===- TimingTest.cpp - How long programs take ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestUtils.h"
#include <algorithm>
#include <numeric>

using namespace mirage;
using namespace mirage::runtime_test;

namespace {

class TimingTest : public RuntimeTest {
protected:
  void SetUp() override {
    ASSERT_EQ(open(), "");
    ASSERT_EQ(load(getSums()), "");
    for (void *&memory : arguments)
      ASSERT_EQ(get(mirageRuntimeAllocate(device, 32, &memory)), "");
    reset();
  }
  void TearDown() override {
    for (void *memory : arguments)
      mirageRuntimeFree(device, memory);
  }
  std::string time() {
    samples.assign(options.iterations ? options.iterations : 100, -1);
    return get(mirageRuntimeTime(program, arguments, &options, &timing,
                                 samples.data()));
  }
  /// Whether `timing` is what `samples` say.
  void checkStatistics() {
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    size_t n = sorted.size();
    EXPECT_EQ(timing.iterations, n);
    EXPECT_EQ(timing.minimum, sorted[0]);
    EXPECT_EQ(timing.median,
              n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2);
    EXPECT_NEAR(timing.mean,
                std::accumulate(sorted.begin(), sorted.end(), 0.0) / n, 1e-9);
  }

  void *arguments[3] = {};
  MirageRuntimeTimingOptions options = {};
  MirageRuntimeTiming timing = {};
  std::vector<double> samples;
};

/// The fake's kernels take 5, 7, 9, 5, ... us as they are enqueued.
TEST_F(TimingTest, Graphs) {
  options.iterations = 7;
  options.warmup = 3;
  ASSERT_EQ(time(), "");
  checkStatistics();
  EXPECT_NEAR(timing.median, 12, 1e-3);
  // Captured once, and launched again and again: to warm up, and twice for each
  // iteration, so that the device is busy when the measurement is enqueued.
  EXPECT_EQ(countCalls("cuLaunchKernel"), 2);
  EXPECT_EQ(countCalls("cuGraphLaunch"), 3 + 2 * 7);
  EXPECT_EQ(countCalls("cuMemAlloc_v2"), 0);
}

TEST_F(TimingTest, Repeats) {
  options.iterations = 2;
  options.repeats = 3;
  ASSERT_EQ(time(), "");
  EXPECT_EQ(countCalls("cuLaunchKernel"), 6);
  EXPECT_NEAR(timing.median, 14, 1e-3) << "42 us, by three";
}

TEST_F(TimingTest, Kernels) {
  options.iterations = 4;
  options.withoutGraph = 1;
  ASSERT_EQ(time(), "");
  checkStatistics();
  EXPECT_GT(timing.mean, timing.minimum);
  EXPECT_EQ(countCalls("cuGraphLaunch"), 0);
  EXPECT_EQ(countCalls("cuLaunchKernel"), 2 * 2 * 4);
}

TEST_F(TimingTest, Cold) {
  options.iterations = 5;
  options.cold = 1;
  ASSERT_EQ(time(), "");
  // Written once, and read each time: dirty lines would be written back while
  // the program runs.
  EXPECT_EQ(countCalls("cuMemsetD8_v2"), 1);
  EXPECT_EQ(countCalls("cuLaunchKernel"), 2 + 5);
  EXPECT_EQ(countCalls("cuGraphLaunch"), 5);
  EXPECT_NEAR(timing.median, 12, 1e-3) << "clearing is not measured";
  options.repeats = 2;
  EXPECT_EQ(time(), "invalid argument: only the first of several runs is cold: "
                    "repeats must be 1");
}

TEST_F(TimingTest, Defaults) {
  ASSERT_EQ(get(mirageRuntimeTime(program, arguments, nullptr, &timing,
                                  /*samples=*/nullptr)),
            "");
  EXPECT_EQ(timing.iterations, 100u);
}

TEST_F(TimingTest, TooManyIterations) {
  options.iterations = (1 << 24) + 1;
  EXPECT_EQ(get(mirageRuntimeTime(program, arguments, &options, &timing,
                                  /*samples=*/nullptr)),
            "invalid argument: can't measure more than 2^24 times");
  EXPECT_EQ(countCalls("cuLaunchKernel"), 0);
}

TEST_F(TimingTest, Faults) {
  Variable fault("FAKE_CUDA_FAULT", "1");
  EXPECT_EQ(time(),
            "CUDA error: CUDA: running 'sums' failed: an illegal memory access "
            "was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
}

} // namespace
