//===- ProfilersTest.cpp - Candidates compiled, checked and timed ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Select/Profilers.h"
#include "Mirage/Runtime/Program.h"
#include "SelectTest.h"
#include <cmath>

using namespace mirage;
using testing::HasSubstr;

namespace {

/// Computes exp, but for an error.
class FakeRunner final : public DeviceRunner {
public:
  std::string getDevice() const override { return "fake"; }
  std::string getMethod() const override { return "guessed"; }
  llvm::Error run(mlir::ModuleOp module, llvm::StringRef function,
                  llvm::MutableArrayRef<Array> arguments) override {
    if (fails)
      return llvm::createStringError("the device is gone");
    // It is given what the pipeline makes of the candidate.
    EXPECT_TRUE(module.lookupSymbol<mlir::func::FuncOp>(function)->hasAttr(
        kNumResultsAttr));
    for (int64_t i = 0; i < arguments[0].getNumElements(); ++i)
      arguments[1].set(i, std::exp(arguments[0].get(i)) + error);
    return llvm::Error::success();
  }
  llvm::Expected<double> time(mlir::ModuleOp, llvm::StringRef,
                              llvm::MutableArrayRef<Array>) override {
    ++timed;
    return 5;
  }

  double error = 0;
  bool fails = false;
  int timed = 0;
};

class ProfilersTest : public SelectTest {
protected:
  std::string getError() {
    auto profiler = makeProfiler(reference, runner, ProfilerOptions());
    llvm::Expected<double> time = profiler->measure(candidates[1]);
    return time ? "" : llvm::toString(time.takeError());
  }

  FakeRunner runner;
};

TEST_F(ProfilersTest, ChecksBeforeItTimes) {
  auto profiler = makeProfiler(reference, runner, ProfilerOptions());
  EXPECT_EQ(profiler->getDevice(), "fake");
  EXPECT_EQ(profiler->getMethod(), "guessed");
  EXPECT_EQ(must(profiler->measure(candidates[1])), 5);
  EXPECT_EQ(must(profiler->measure(candidates[2])), 5);
  EXPECT_EQ(runner.timed, 2);
  runner.error = 0.1;
  EXPECT_THAT(getError(), HasSubstr("it computes something else: the relative "
                                    "error of output 0 is 3.6"));
  runner.error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(getError(), HasSubstr("the relative error of output 0 is INF"));
  EXPECT_EQ(runner.timed, 2);
}

TEST_F(ProfilersTest, SaysWhatFailed) {
  runner.fails = true;
  EXPECT_EQ(getError(), "the device is gone");
  // What can't be compiled.
  ProfilerOptions options;
  options.chip = "sm_1";
  auto profiler = makeProfiler(reference, runner, options);
  llvm::Expected<double> time = profiler->measure(candidates[1]);
  ASSERT_FALSE(time);
  EXPECT_THAT(llvm::toString(time.takeError()),
              HasSubstr("it can't be compiled: unknown target 'sm_1'"));
}

TEST_F(ProfilersTest, TellsApartWhatTimesAreOf) {
  auto get = [&](const ProfilerOptions &options, const SelectCandidate &of) {
    return must(makeProfiler(reference, runner, options)->getFingerprint(of));
  };
  ProfilerOptions options, other, strict;
  other.seed = 2;
  strict.tolerance = 1e-3;
  const std::string fingerprint = get(options, candidates[1]);
  EXPECT_EQ(get(options, candidates[1]), fingerprint);
  EXPECT_NE(get(options, candidates[2]), fingerprint);
  EXPECT_NE(get(other, candidates[1]), fingerprint);
  EXPECT_NE(get(strict, candidates[1]), fingerprint);
  reference = candidates[1].graph;
  EXPECT_NE(get(options, candidates[1]), fingerprint);
  EXPECT_EQ(runner.timed, 0);
}

TEST_F(ProfilersTest, RunsOnTheHost) {
  auto host = makeHostRunner();
  auto profiler = makeProfiler(reference, *host, ProfilerOptions());
  for (const SelectCandidate &candidate : candidates)
    EXPECT_GT(must(profiler->measure(candidate)), 0);
}

TEST_F(ProfilersTest, SaysThatThereIsNoDriver) {
  CudaOptions options;
  options.driver = "/nonexistent/libcuda.so";
  auto made = makeCudaRunner(options);
  ASSERT_FALSE(made);
  EXPECT_THAT(llvm::toString(made.takeError()),
              HasSubstr("/nonexistent/libcuda.so"));
}

} // namespace
