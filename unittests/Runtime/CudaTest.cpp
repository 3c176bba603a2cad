//===- CudaTest.cpp - What the runtime asks of a CUDA driver --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Runtime.h"
#include "TestUtils.h"
#include "gmock/gmock.h"
#include <cmath>
#include <cstdlib>

using namespace mirage;
using testing::HasSubstr;

namespace {

/// Runs against the driver of FakeCuda.cpp.
class CudaTest : public RuntimeTest {
protected:
  void SetUp() override {
    module = parse(R"(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<2xf32>, %y: memref<9xf32>) kernel { gpu.return }
  }
  func.func @f(%x: memref<2xf32>, %y: memref<9xf32>)
      attributes {mirage.num_results = 1 : i64} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %shared = arith.constant 65536 : i32
    gpu.launch_func @kernels::@k blocks in (%c1, %c2, %c3)
        threads in (%c3, %c2, %c1) dynamic_shared_memory_size %shared
        args(%x : memref<2xf32>, %y : memref<9xf32>)
    return
  }
})");
    arguments.push_back(makeArray({2}, ElementType::F32, {1.5, -2}));
    arguments.push_back(makeArray({9}, ElementType::F32));
    options.driver = MIRAGE_FAKE_CUDA;
  }

  std::string run() {
    return getMessage(runOnCuda(*module, "f", arguments, options));
  }

  /// The error of a run with an environment variable of the fake set.
  std::string runWith(const char *name, const char *value = "1") {
    setenv(name, value, /*overwrite=*/1);
    std::string message = run();
    unsetenv(name);
    return message;
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Array> arguments;
  CudaOptions options;
};

TEST_F(CudaTest, LaunchesWithTheRightParameters) {
  // Twice, and nothing is left over from the first run.
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(run(), "");
    const Array &y = arguments[1];
    EXPECT_EQ(y.get(0), 123) << "grid";
    EXPECT_EQ(y.get(1), 321) << "block";
    EXPECT_EQ(y.get(2), 65536) << "shared memory";
    EXPECT_EQ(y.get(3), 65536) << "shared memory asked for";
    EXPECT_EQ(y.get(4), 1.5);
    EXPECT_EQ(y.get(5), -2);
    EXPECT_EQ(y.get(6), 90) << "chip";
    EXPECT_EQ(y.get(7), 112) << "contexts, modules, allocations";
    EXPECT_TRUE(std::isnan(y.get(8))) << "what no thread writes";
  }
}

TEST_F(CudaTest, PicksTheChip) {
  ASSERT_EQ(runWith("FAKE_CUDA_MAJOR", "8"), "");
  EXPECT_EQ(arguments[1].get(6), 80);
  ASSERT_EQ(runWith("FAKE_CUDA_MAJOR", "10"), "");
  EXPECT_EQ(arguments[1].get(6), 80);
  options.chip = "sm_80";
  ASSERT_EQ(run(), "");
  EXPECT_EQ(arguments[1].get(6), 80);
  options.chip = "sm_12";
  EXPECT_EQ(run(), "compiling the kernels to PTX failed");
  EXPECT_THAT(diagnostics, HasSubstr("unknown chip 'sm_12'"));
}

TEST_F(CudaTest, ReportsErrors) {
  EXPECT_EQ(runWith("FAKE_CUDA_NO_DEVICE"),
            "CUDA: starting the driver failed: no CUDA-capable device is "
            "detected (CUDA_ERROR_NO_DEVICE)");
  EXPECT_EQ(runWith("FAKE_CUDA_MAJOR", "7"),
            "the device has compute capability 7.0, expected 8.0 or newer");
  EXPECT_EQ(runWith("FAKE_CUDA_BAD_PTX"),
            "CUDA: loading the PTX (ptxas: line 7: oops) failed: a PTX JIT "
            "compilation failed (CUDA_ERROR_INVALID_PTX)");
  EXPECT_EQ(runWith("FAKE_CUDA_FAULT"),
            "CUDA: kernel 'k': run failed: an illegal memory access was "
            "encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
  options.device = 1;
  EXPECT_EQ(run(), "no CUDA device 1, the driver knows 1");
}

TEST_F(CudaTest, NeedsADriver) {
  options.driver = "libnonexistent-cuda.so.1";
  EXPECT_EQ(run(),
            "no CUDA driver: libnonexistent-cuda.so.1 could not be opened");
  // A library, but no driver.
  options.driver = "libm.so.6";
  EXPECT_EQ(run(), "the CUDA driver libm.so.6 lacks the function cuInit");
}

} // namespace
