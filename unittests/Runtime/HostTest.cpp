//===- HostTest.cpp - Kernels on the host ---------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTestUtils.h"
#include "Mirage/Numbers/Float16.h"
#include "Mirage/Pipelines/GPULowering.h"
#include "Mirage/Runtime/CompileProgram.h"
#include "Mirage/Runtime/HostExecutable.h"
#include "mlir/Pass/PassManager.h"
#include "gmock/gmock.h"
#include <cmath>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace mirage;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

TEST_F(HostTest, RunsEveryThreadOfEveryBlock) {
  std::string text = makeModule("%x: memref<4x8xf32>, %y: memref<4x8xf32>", R"(
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %v = memref.load %x[%b, %t] : memref<4x8xf32>
      %d = arith.addf %v, %v : f32
      memref.store %d, %y[%b, %t] : memref<4x8xf32>)",
                                4, 8);
  for (unsigned threads : {1, 2, 3}) {
    Array arguments[] = {makeArray({4, 8}, ElementType::F32),
                         makeArray({4, 8}, ElementType::F32)};
    for (int i = 0; i < 32; ++i)
      arguments[0].set(i, i);
    HostOptions options;
    options.threads = threads;
    ASSERT_EQ(run(text, arguments, options), "");
    for (int i = 0; i < 32; ++i)
      EXPECT_EQ(arguments[1].get(i), 2 * i);
  }
}

TEST_F(HostTest, KnowsThreeDimensions) {
  auto module = parse(R"(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%y: memref<2x3x4x4x3x2xf32>) kernel {
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %bz = gpu.block_id z
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %tz = gpu.thread_id z
      %gx = gpu.grid_dim x
      %dy = gpu.block_dim y
      %c10 = arith.constant 10 : index
      %0 = arith.muli %gx, %c10 : index
      %1 = arith.addi %0, %dy : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.sitofp %2 : i32 to f32
      memref.store %3, %y[%bx, %by, %bz, %tx, %ty, %tz] : memref<2x3x4x4x3x2xf32>
      gpu.return
    }
  }
  func.func @f(%y: memref<2x3x4x4x3x2xf32>) attributes {mirage.num_results = 1 : i64} {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @kernels::@k blocks in (%c2, %c3, %c4) threads in (%c4, %c3, %c2)
        args(%y : memref<2x3x4x4x3x2xf32>)
    return
  }
})");
  Array arguments[] = {makeArray({2, 3, 4, 4, 3, 2}, ElementType::F32)};
  ASSERT_EQ(getMessage(runOnHost(*module, "f", arguments)), "");
  for (double value : getValues(arguments[0]))
    EXPECT_EQ(value, 23);
}

/// Reverses rows of 64 through shared memory; every thread reads what another
/// one wrote.
const char *const kReverse = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %c0 = arith.constant 0 : index
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<64xf16, SPACE>
      %v = memref.load %x[%b, %t] : memref<8x64xf16>
      memref.store %v, %tile[%t] : memref<64xf16, SPACE>
      BARRIER
      %r = arith.subi %c63, %t : index
      %w = memref.load %tile[%r] : memref<64xf16, SPACE>
      memref.store %w, %y[%b, %t] : memref<8x64xf16>)";

std::string getReverse(bool barrier) {
  std::string body = kReverse;
  return body.replace(body.find("BARRIER"), 7, barrier ? "gpu.barrier" : "");
}

TEST_F(HostTest, ThreadsMeetAtBarriers) {
  std::string text = makeModule("%x: memref<8x64xf16>, %y: memref<8x64xf16>",
                                getReverse(/*barrier=*/true), 8, 64, 128);
  for (uint64_t seed : {0, 1, 2}) {
    Array arguments[] = {makeArray({8, 64}, ElementType::F16),
                         makeArray({8, 64}, ElementType::F16)};
    fillUniform(arguments[0], 1, 0);
    HostOptions options;
    options.seed = seed;
    ASSERT_EQ(run(text, arguments, options), "");
    for (int b = 0; b < 8; ++b)
      for (int t = 0; t < 64; ++t)
        EXPECT_EQ(arguments[1].get(b * 64 + t),
                  arguments[0].get(b * 64 + 63 - t));
  }
}

TEST_F(HostTest, UninitializedMemoryIsNaN) {
  // Without the barrier the first threads read what has not been written yet.
  std::string text = makeModule("%x: memref<8x64xf16>, %y: memref<8x64xf16>",
                                getReverse(/*barrier=*/false), 8, 64, 128);
  Array arguments[] = {makeArray({8, 64}, ElementType::F16),
                       makeArray({8, 64}, ElementType::F16)};
  ASSERT_EQ(run(text, arguments), "");
  for (int b = 0; b < 8; ++b) {
    EXPECT_TRUE(std::isnan(arguments[1].get(b * 64)));
    EXPECT_EQ(arguments[1].get(b * 64 + 63), 0);
  }
  // Outputs that no thread writes are NaN, too.
  Array untouched[] = {makeArray({4}, ElementType::F32)};
  ASSERT_EQ(run(makeModule("%y: memref<4xf32>", "", 1, 1), untouched), "");
  for (double value : getValues(untouched[0]))
    EXPECT_TRUE(std::isnan(value));
}

TEST_F(HostTest, StaticAndDynamicSharedMemoryDontOverlap) {
  auto module = parse(R"(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%y: memref<32x2xf32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
      %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c31 = arith.constant 31 : index
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %t = gpu.thread_id x
      %r = arith.subi %c31, %t : index
      %v = memref.view %d[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %two, %v[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %a = memref.load %s[%r] : memref<32xf32, #gpu.address_space<workgroup>>
      %b = memref.load %v[%r] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %a, %y[%t, %c0] : memref<32x2xf32>
      memref.store %b, %y[%t, %c1] : memref<32x2xf32>
      gpu.return
    }
  }
  func.func @f(%y: memref<32x2xf32>) attributes {mirage.num_results = 1 : i64} {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %shared = arith.constant 128 : i32
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        dynamic_shared_memory_size %shared args(%y : memref<32x2xf32>)
    return
  }
})");
  Array arguments[] = {makeArray({32, 2}, ElementType::F32)};
  ASSERT_EQ(getMessage(runOnHost(*module, "f", arguments)), "");
  for (int t = 0; t < 32; ++t) {
    EXPECT_EQ(arguments[0].get(2 * t), 1);
    EXPECT_EQ(arguments[0].get(2 * t + 1), 2);
  }
}

TEST_F(HostTest, RefusesMoreSharedMemoryThanItEmulates) {
  Array arguments[] = {makeArray({1}, ElementType::F16)};
  auto runWith = [&](int sharedBytes) {
    return run(makeModule("%y: memref<1xf16>", R"(
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f16
      memref.store %one, %y[%c0] : memref<1xf16>)",
                          1, 1, sharedBytes),
               arguments);
  };
  EXPECT_EQ(runWith(262144), "");
  EXPECT_THAT(runWith(262145),
              HasSubstr("a block has 262145 bytes of shared memory, of which "
                        "the host emulates at most 262144"));
}

TEST_F(HostTest, ReportsWritesPastSharedMemory) {
  std::string text = makeModule("%y: memref<1xf16>", R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      %z = arith.constant 0.0 : f16
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<64xf16, SPACE>
      memref.store %z, %tile[%t] : memref<64xf16, SPACE>)",
                                1, 64, 126);
  Array arguments[] = {makeArray({1}, ElementType::F16)};
  EXPECT_EQ(run(text, arguments), "kernel 'k', block (0, 0, 0): byte 0 past "
                                  "the end of its 126 bytes of dynamic "
                                  "shared memory was written");
}

TEST_F(HostTest, ReportsBarriersThatNotAllReach) {
  // In block 2 half of the threads leave the barrier out.
  std::string text = makeModule("%y: memref<1xf16>", R"(
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %other = arith.cmpi ne, %b, %c2 : index
      %low = arith.cmpi ult, %t, %c32 : index
      %go = arith.ori %other, %low : i1
      scf.if %go {
        gpu.barrier
      })",
                                4, 64);
  for (unsigned threads : {1, 2})
    for (uint64_t seed : {0, 5}) {
      Array arguments[] = {makeArray({1}, ElementType::F16)};
      HostOptions options;
      options.threads = threads;
      options.seed = seed;
      EXPECT_EQ(run(text, arguments, options),
                "kernel 'k', block (2, 0, 0): deadlock: of 64 threads 32 have "
                "ended, threads 0-31 wait at nvvm.barrier0 at -:14:9");
    }
}

TEST_F(HostTest, Shuffles) {
  // The four modes in segments of 8 lanes, over two warps; and whether the
  // source was in range.
  std::string text = makeModule("%x: memref<64xf32>, %y: memref<5x64xf32>", R"(
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %all = arith.constant -1 : i32
      %three = arith.constant 3 : i32
      %clamp = arith.constant 0x181f : i32
      %clamp_up = arith.constant 0x1800 : i32
      %v = memref.load %x[%t] : memref<64xf32>
      %a = nvvm.shfl.sync bfly %all, %v, %three, %clamp : f32 -> f32
      %b = nvvm.shfl.sync up %all, %v, %three, %clamp_up : f32 -> f32
      %cp = nvvm.shfl.sync down %all, %v, %three, %clamp {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
      %c = llvm.extractvalue %cp[0] : !llvm.struct<(f32, i1)>
      %p = llvm.extractvalue %cp[1] : !llvm.struct<(f32, i1)>
      %d = nvvm.shfl.sync idx %all, %v, %three, %clamp : f32 -> f32
      %e = arith.uitofp %p : i1 to f32
      memref.store %a, %y[%c0, %t] : memref<5x64xf32>
      memref.store %b, %y[%c1, %t] : memref<5x64xf32>
      memref.store %c, %y[%c2, %t] : memref<5x64xf32>
      memref.store %d, %y[%c3, %t] : memref<5x64xf32>
      memref.store %e, %y[%c4, %t] : memref<5x64xf32>)",
                                1, 64);
  for (uint64_t seed : {0, 9}) {
    Array arguments[] = {makeArray({64}, ElementType::F32),
                         makeArray({5, 64}, ElementType::F32)};
    for (int t = 0; t < 64; ++t)
      arguments[0].set(t, t);
    HostOptions options;
    options.seed = seed;
    ASSERT_EQ(run(text, arguments, options), "");
    for (int t = 0; t < 64; ++t) {
      int first = t / 8 * 8, last = first + 7;
      EXPECT_EQ(arguments[1].get(t), t ^ 3);
      EXPECT_EQ(arguments[1].get(64 + t), t - 3 >= first ? t - 3 : t);
      EXPECT_EQ(arguments[1].get(128 + t), t + 3 <= last ? t + 3 : t);
      EXPECT_EQ(arguments[1].get(192 + t), first + 3);
      EXPECT_EQ(arguments[1].get(256 + t), t + 3 <= last ? 1 : 0);
    }
  }
}

/// Adds the values of a warp in the lanes of `width`.
std::string getWarpSum(int width) {
  std::string body = R"(
      %t = gpu.thread_id x
      %width = arith.constant WIDTH : i32
      %o1 = arith.constant 1 : i32
      %o2 = arith.constant 2 : i32
      %v0 = memref.load %x[%t] : memref<32xf32>
      %s0, %p0 = gpu.shuffle xor %v0, %o1, %width : f32
      %v1 = arith.addf %v0, %s0 : f32
      %s1, %p1 = gpu.shuffle xor %v1, %o2, %width : f32
      %v2 = arith.addf %v1, %s1 : f32
      memref.store %v2, %y[%t] : memref<32xf32>)";
  return body.replace(body.find("WIDTH"), 5, std::to_string(width));
}

TEST_F(HostTest, ReportsWrongShuffles) {
  const std::string parameters = "%x: memref<32xf32>, %y: memref<32xf32>";
  Array arguments[] = {makeArray({32}, ElementType::F32),
                       makeArray({32}, ElementType::F32)};
  for (int t = 0; t < 32; ++t)
    arguments[0].set(t, t);
  ASSERT_EQ(run(makeModule(parameters, getWarpSum(32), 1, 32), arguments), "");
  for (int t = 0; t < 32; ++t)
    EXPECT_EQ(arguments[1].get(t), 16 * (t / 4) + 6);
  // gpu.shuffle of width 16 is for the first 16 lanes.
  EXPECT_EQ(run(makeModule(parameters, getWarpSum(16), 1, 32), arguments),
            "kernel 'k', block (0, 0, 0): thread 16 takes part in "
            "nvvm.shfl.sync at -:11:18, whose mask leaves it out");
  // A block of two threads has no third lane to read.
  EXPECT_EQ(run(makeModule(parameters, getWarpSum(32), 1, 2), arguments),
            "kernel 'k', block (0, 0, 0): thread 0 reads lane 2, which takes "
            "no part, in nvvm.shfl.sync at -:13:18");
}

TEST_F(HostTest, ReportsShufflesThatNotAllReach) {
  std::string text = makeModule("%y: memref<32xf32>", R"(
      %t = gpu.thread_id x
      %c8 = arith.constant 8 : index
      %low = arith.cmpi ult, %t, %c8 : index
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %v = arith.constant 1.0 : f32
      scf.if %low {
        %s, %p = gpu.shuffle xor %v, %one, %width : f32
        memref.store %s, %y[%t] : memref<32xf32>
      } else {
        gpu.barrier
      })",
                                1, 32);
  Array arguments[] = {makeArray({32}, ElementType::F32)};
  EXPECT_EQ(run(text, arguments),
            "kernel 'k', block (0, 0, 0): deadlock: of 32 threads 0 have "
            "ended, threads 0-7 wait at nvvm.shfl.sync at -:13:18, threads "
            "8-31 wait at nvvm.barrier0 at -:16:9");
}

TEST_F(HostTest, KernelsPassTemporariesOn) {
  auto module = parse(R"(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @double(%x: memref<4xbf16>, %y: memref<4xf32>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<4xbf16>
      %e = arith.extf %v : bf16 to f32
      %d = arith.addf %e, %e : f32
      memref.store %d, %y[%t] : memref<4xf32>
      gpu.return
    }
    gpu.func @add(%x: memref<4xf32>, %y: memref<4xbf16>, %z: memref<4xf16>) kernel {
      %t = gpu.block_id x
      %a = memref.load %x[%t] : memref<4xf32>
      %b = memref.load %y[%t] : memref<4xbf16>
      %e = arith.extf %b : bf16 to f32
      %s = arith.addf %a, %e : f32
      %h = arith.truncf %s : f32 to f16
      memref.store %h, %z[%t] : memref<4xf16>
      gpu.return
    }
  }
  func.func @f(%x: memref<4xbf16>, %z: memref<4xf16>) attributes {mirage.num_results = 1 : i64} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %tmp = memref.alloc() : memref<4xf32>
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%x : memref<4xbf16>, %tmp : memref<4xf32>)
    gpu.launch_func @kernels::@add blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%tmp : memref<4xf32>, %x : memref<4xbf16>, %z : memref<4xf16>)
    memref.dealloc %tmp : memref<4xf32>
    return
  }
})");
  Array arguments[] = {makeArray({4}, ElementType::BF16, {1, 2, -3, 0.5}),
                       makeArray({4}, ElementType::F16)};
  ASSERT_EQ(getMessage(runOnHost(*module, "f", arguments)), "");
  EXPECT_THAT(getValues(arguments[1]), ElementsAre(3, 6, -9, 1.5));
}

TEST_F(HostTest, Converts16BitFloatsOnEveryProcessor) {
  std::string text = makeModule("%x: memref<64xf16>, %y: memref<64xbf16>", R"(
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf16>
      %e = arith.extf %v : f16 to f32
      %third = arith.constant 0.333333343 : f32
      %m = arith.mulf %e, %third : f32
      %h = arith.truncf %m : f32 to f16
      %g = arith.extf %h : f16 to f32
      %s = arith.addf %m, %g : f32
      %b = arith.truncf %s : f32 to bf16
      memref.store %b, %y[%t] : memref<64xbf16>)",
                                1, 64);
  auto module = parse(text);
  auto program = extractProgram(*module->getOps<mlir::func::FuncOp>().begin());
  ASSERT_TRUE(mlir::succeeded(program)) << diagnostics;
  mlir::DialectRegistry registry;
  registerGPULoweringInterfaces(registry);
  context.appendDialectRegistry(registry);
  mlir::PassManager pm(&context);
  buildGPUToHostPipeline(pm);
  ASSERT_TRUE(mlir::succeeded(pm.run(*module))) << diagnostics;

  // The oldest 64-bit processor has no instructions for 16-bit floats.
  for (llvm::StringRef cpu : {"", "x86-64"}) {
#if !defined(__x86_64__)
    if (!cpu.empty())
      continue;
#endif
    auto executable = HostExecutable::create(*module, cpu);
    ASSERT_TRUE(bool(executable)) << getMessage(executable.takeError());
    Array arguments[] = {makeArray({64}, ElementType::F16),
                         makeArray({64}, ElementType::BF16)};
    fillUniform(arguments[0], 3, 0);
    ASSERT_EQ(getMessage((*executable)->run(*program, arguments)), "");
    for (int i = 0; i < 64; ++i) {
      float m = static_cast<float>(arguments[0].get(i)) * 0.333333343f;
      EXPECT_EQ(arguments[1].get(i),
                bfloatToFloat(floatToBFloat(m + halfToFloat(floatToHalf(m)))));
    }
  }
}

TEST_F(HostTest, ComputesMathWithoutALibrary) {
  std::string text = makeModule("%x: memref<32xf32>, %y: memref<6x32xf32>", R"(
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %v = memref.load %x[%t] : memref<32xf32>
      %a = math.exp2 %v : f32
      %b = math.exp %v : f32
      %c = math.sqrt %b : f32
      %d = math.rsqrt %b : f32
      %e = math.log %a : f32
      %f = math.absf %v : f32
      memref.store %a, %y[%c0, %t] : memref<6x32xf32>
      memref.store %b, %y[%c1, %t] : memref<6x32xf32>
      memref.store %c, %y[%c2, %t] : memref<6x32xf32>
      memref.store %d, %y[%c3, %t] : memref<6x32xf32>
      memref.store %e, %y[%c4, %t] : memref<6x32xf32>
      memref.store %f, %y[%c5, %t] : memref<6x32xf32>)",
                                1, 32);
  Array arguments[] = {makeArray({32}, ElementType::F32),
                       makeArray({6, 32}, ElementType::F32)};
  fillUniform(arguments[0], 1, 0);
  ASSERT_EQ(run(text, arguments), "");
  for (int t = 0; t < 32; ++t) {
    double x = arguments[0].get(t);
    EXPECT_NEAR(arguments[1].get(t), std::exp2(x), 1e-6);
    EXPECT_NEAR(arguments[1].get(32 + t), std::exp(x), 1e-6);
    EXPECT_NEAR(arguments[1].get(64 + t), std::exp(x / 2), 1e-6);
    EXPECT_NEAR(arguments[1].get(96 + t), std::exp(-x / 2), 1e-6);
    EXPECT_NEAR(arguments[1].get(128 + t), x * std::log(2), 1e-6);
    EXPECT_EQ(arguments[1].get(160 + t), std::abs(x));
  }
}

TEST_F(HostTest, ChecksArguments) {
  std::string text =
      makeModule("%x: memref<4xf16>, %y: memref<4xf16>", "", 1, 1);
  Array arguments[] = {makeArray({4}, ElementType::F16),
                       makeArray({4}, ElementType::F32)};
  EXPECT_EQ(run(text, arguments),
            "argument 1 of 'f': expected 4xf16, found 4xf32");
  EXPECT_EQ(run(text, llvm::MutableArrayRef<Array>(arguments).take_front()),
            "'f' takes 2 arrays, found 1");
  auto module = parse(text);
  EXPECT_EQ(getMessage(runOnHost(*module, "g", arguments)),
            "no function 'g' to run");
}

// The address sanitizer maps more than any limit allows.
#if !LLVM_ADDRESS_SANITIZER_BUILD
TEST_F(HostTest, NoMemoryForStacks) {
  std::string text = makeModule("%y: memref<4xf32>", "", 8, 1024);
  const std::string kernel = ") kernel {";
  text.replace(text.find(kernel), kernel.size(),
               ") kernel attributes {known_cluster_size = array<i32: 8, 1, 1>} "
               "{");
  Array y = makeArray({4}, ElementType::F32);
  // Its threads would not be there in the process of the test.
  context.disableMultithreading();
  EXPECT_EQ(run(text, y), "");
  auto runWithLittle = [&] {
    // Enough for the JIT, but not for 8,192 stacks of 60 KB.
    constexpr rlim_t kMore = rlim_t(256) << 20;
    size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlim_t bytes = pages * sysconf(_SC_PAGESIZE) + kMore;
    rlimit limit{bytes, bytes};
    if (setrlimit(RLIMIT_AS, &limit) == 0)
      std::cerr << run(text, y);
    _exit(0);
  };
  EXPECT_EXIT(runWithLittle(), testing::ExitedWithCode(0),
              "no memory for the stacks of 8192 threads");
}
#endif

TEST_F(HostTest, NoRoomForThePTX) {
  context.disableMultithreading();
  auto module = parse(makeModule("%y: memref<4xf32>", "", 1, 32));
  auto compile = [&]() -> std::string {
    CompileOptions options;
    options.chip = "sm_80";
    options.ptxas = "/bin/true";
    llvm::Expected<program_file::Program> program =
        compileProgram(*module, "f", options);
    return program ? "" : llvm::toString(program.takeError());
  };
  EXPECT_EQ(compile(), "'/bin/true' has made nothing");
  // Files that can't grow stand for a full disk.
  auto compileOnFullDisk = [&] {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{0, 0};
    bool isRight = setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
                   llvm::StringRef(compile()).starts_with("can't write '");
    _exit(isRight ? 0 : 1);
  };
  EXPECT_EXIT(compileOnFullDisk(), testing::ExitedWithCode(0), "");
}

TEST_F(HostTest, ReportsWhatItCantLower) {
  Array arguments[] = {makeArray({4}, ElementType::F32)};
  EXPECT_EQ(run(makeModule("%y: memref<4xf32>", R"(
      %t = gpu.thread_id x
      %v = memref.load %y[%t] : memref<4xf32>
      %w = math.atan %v : f32
      memref.store %w, %y[%t] : memref<4xf32>)",
                           1, 4),
                arguments),
            "lowering the kernels to the host failed");
  EXPECT_THAT(
      diagnostics,
      HasSubstr("'math.atan' op on 'f32' has no lowering to device code"));
}

} // namespace
