//===- HostSynchronizationTest.cpp - Barriers and copies on the host ------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTestUtils.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace mirage;
using testing::HasSubstr;
using testing::MatchesRegex;

namespace {

class HostSynchronizationTest : public HostTest {
protected:
  static std::string replace(std::string text, const std::string &what,
                             const std::string &with) {
    for (size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
      text.replace(at, what.size(), with);
    return text;
  }
};

/// Two groups of 64 threads that each reverse 64 numbers in shared memory; the
/// second one does so a second time. A barrier for each group.
const char *const kTwoGroups = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %t = gpu.thread_id x
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<2x64xf32, SPACE>
      %group = arith.divui %t, %c64 : index
      %i = arith.remui %t, %c64 : index
      %r = arith.subi %c63, %i : index
      %times = arith.addi %group, %c1 : index
      %v = memref.load %x[%t] : memref<128xf32>
      %id = arith.index_cast %times : index to i32
      %n = arith.constant COUNT : i32
      %w = scf.for %k = %c0 to %times step %c1 iter_args(%a = %v) -> (f32) {
        memref.store %a, %tile[%group, %i] : memref<2x64xf32, SPACE>
        nvvm.barrier id = %id number_of_threads = %n
        %b = memref.load %tile[%group, %r] : memref<2x64xf32, SPACE>
        nvvm.barrier id = %id number_of_threads = %n
        scf.yield %b : f32
      }
      memref.store %w, %y[%t] : memref<128xf32>)";

TEST_F(HostSynchronizationTest, BarriersWithNumbers) {
  std::string text =
      makeModule("%x: memref<128xf32>, %y: memref<128xf32>",
                 replace(kTwoGroups, "COUNT", "64"), 1, 128, 512);
  for (uint64_t seed : {0, 1, 2}) {
    Array arguments[] = {makeArray({128}, ElementType::F32),
                         makeArray({128}, ElementType::F32)};
    for (int i = 0; i < 128; ++i)
      arguments[0].set(i, i);
    HostOptions options;
    options.seed = seed;
    ASSERT_EQ(run(text, arguments, options), "");
    for (int i = 0; i < 128; ++i)
      EXPECT_EQ(arguments[1].get(i), i < 64 ? 63 - i : i);
  }
}

TEST_F(HostSynchronizationTest, ReportsWrongBarriers) {
  const std::string parameters = "%x: memref<128xf32>, %y: memref<128xf32>";
  Array arguments[] = {makeArray({128}, ElementType::F32),
                       makeArray({128}, ElementType::F32)};
  auto runWith = [&](const std::string &count) {
    return run(makeModule(parameters, replace(kTwoGroups, "COUNT", count), 1,
                          128, 512),
               arguments);
  };
  EXPECT_THAT(runWith("48"), HasSubstr("a barrier of 48 threads in a block of "
                                       "128, expected at most as many and "
                                       "whole warps"));
  EXPECT_THAT(runWith("160"), HasSubstr("a barrier of 160 threads in a block"));
  EXPECT_THAT(runWith("128"),
              MatchesRegex(".*deadlock: of 128 threads 0 have ended, threads "
                           "0-127 wait at nvvm.barrier at .*:23:.*"));
  Array one[] = {makeArray({1}, ElementType::F32)};
  EXPECT_THAT(run(makeModule("%y: memref<1xf32>", R"(
      %id = arith.constant 16 : i32
      nvvm.barrier id = %id)",
                             1, 1),
                  one),
              HasSubstr(": there is no barrier 16"));
  // Half of the threads wait for 64, the other half for all.
  EXPECT_THAT(run(makeModule("%y: memref<1xf32>", R"(
      %id = arith.constant 3 : i32
      %n = arith.constant 64 : i32
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %low = arith.cmpi ult, %t, %c32 : index
      scf.if %low {
        nvvm.barrier id = %id number_of_threads = %n
      } else {
        nvvm.barrier id = %id
      })",
                             1, 128),
                  one),
              HasSubstr(": barrier 3 is for 128 threads here, and for 64 where "
                        "others have arrived"));
}

TEST_F(HostSynchronizationTest, ArrivalsDontWait) {
  // The first warp produces, the second one consumes.
  std::string text = makeModule("%y: memref<32xf32>", R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %i = arith.remui %t, %c32 : index
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<32xf32, SPACE>
      %id = arith.constant 1 : i32
      %n = arith.constant 64 : i32
      %one = arith.constant 1.0 : f32
      %low = arith.cmpi ult, %t, %c32 : index
      scf.if %low {
        memref.store %one, %tile[%i] : memref<32xf32, SPACE>
        nvvm.barrier.arrive id = %id number_of_threads = %n
      } else {
        nvvm.barrier id = %id number_of_threads = %n
        %v = memref.load %tile[%i] : memref<32xf32, SPACE>
        memref.store %v, %y[%i] : memref<32xf32>
      })",
                                1, 64, 128);
  for (uint64_t seed : {0, 1, 2}) {
    Array arguments[] = {makeArray({32}, ElementType::F32)};
    HostOptions options;
    options.seed = seed;
    ASSERT_EQ(run(text, arguments, options), "");
    for (double value : getValues(arguments[0]))
      EXPECT_EQ(value, 1);
  }
}

TEST_F(HostSynchronizationTest, WarpsMeet) {
  std::string text = makeModule("%y: memref<64xf32>", R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id x
      %other = arith.xori %t, %c1 : index
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<64xf32, SPACE>
      %all = arith.constant -1 : i32
      %t32 = arith.index_cast %t : index to i32
      %f = arith.uitofp %t32 : i32 to f32
      memref.store %f, %tile[%t] : memref<64xf32, SPACE>
      nvvm.bar.warp.sync %all : i32
      %v = memref.load %tile[%other] : memref<64xf32, SPACE>
      memref.store %v, %y[%t] : memref<64xf32>)",
                                1, 64, 256);
  for (uint64_t seed : {0, 1, 2}) {
    Array arguments[] = {makeArray({64}, ElementType::F32)};
    HostOptions options;
    options.seed = seed;
    ASSERT_EQ(run(text, arguments, options), "");
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(arguments[0].get(i), i ^ 1);
  }
}

/// Each thread copies BYTES bytes (ELEMENTS numbers) twice, in two groups, to
/// two places in shared memory; waits until at most LEFT groups are under way;
/// and stores all that it then finds in its places.
const char *const kCopies = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %stride = arith.constant ELEMENTS : index
      %first = arith.muli %t, %stride : index
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<2x32x4xf32, SPACE>
      %base = memref.extract_aligned_pointer_as_index %tile : memref<2x32x4xf32, SPACE> -> index
      %base64 = arith.index_cast %base : index to i64
      %ptr = llvm.inttoptr %base64 : i64 to !llvm.ptr<3>
      %from = memref.extract_aligned_pointer_as_index %x : memref<128xf32> -> index
      %from64 = arith.index_cast %from : index to i64
      %source = llvm.inttoptr %from64 : i64 to !llvm.ptr<1>
      %first64 = arith.index_cast %first : index to i64
      %src = llvm.getelementptr %source[%first64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %row = arith.muli %t, %c4 : index
      %row64 = arith.index_cast %row : index to i64
      %dst = llvm.getelementptr %ptr[%row64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %dst1 = llvm.getelementptr %dst[128] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
      %n = arith.constant SOURCE : i32
      nvvm.cp.async.shared.global %dst, %src, BYTES, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
      nvvm.cp.async.commit.group
      nvvm.cp.async.shared.global %dst1, %src, BYTES, cache = ca, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
      COMMIT
      nvvm.cp.async.wait.group LEFT
      scf.for %s = %c0 to %stride step %c1 {
        %a = memref.load %tile[%c0, %t, %s] : memref<2x32x4xf32, SPACE>
        %b = memref.load %tile[%c1, %t, %s] : memref<2x32x4xf32, SPACE>
        memref.store %a, %y[%c0, %t, %s] : memref<2x32x4xf32>
        memref.store %b, %y[%c1, %t, %s] : memref<2x32x4xf32>
      })";

TEST_F(HostSynchronizationTest, CopiesArriveAtTheWait) {
  struct Case {
    int elements, sourceBytes, left;
    bool commit;
    /// Whether the two copies have arrived.
    bool first, second;
  };
  const Case cases[] = {
      {4, 16, 0, true, true, true},   {2, 8, 0, true, true, true},
      {1, 4, 0, true, true, true},    {4, 8, 0, true, true, true},
      {4, 0, 0, true, true, true},    {4, 16, 1, true, true, false},
      {4, 16, 2, true, false, false}, {4, 16, 0, false, true, false},
      {4, 16, 1, false, false, false}};
  for (const Case &test : cases) {
    std::string body = kCopies;
    body = replace(body, "ELEMENTS", std::to_string(test.elements));
    body = replace(body, "BYTES", std::to_string(4 * test.elements));
    body = replace(body, "SOURCE", std::to_string(test.sourceBytes));
    body = replace(body, "LEFT", std::to_string(test.left));
    body = replace(body, "COMMIT",
                   test.commit ? "nvvm.cp.async.commit.group" : "");
    Array arguments[] = {makeArray({128}, ElementType::F32),
                         makeArray({2, 32, 4}, ElementType::F32)};
    for (int i = 0; i < 128; ++i)
      arguments[0].set(i, i);
    ASSERT_EQ(run(makeModule("%x: memref<128xf32>, %y: memref<2x32x4xf32>",
                             body, 1, 32, 1024),
                  arguments),
              "")
        << diagnostics;
    for (int t = 0; t < 32; ++t)
      for (int e = 0; e < test.elements; ++e) {
        double first = arguments[1].get(t * 4 + e),
               second = arguments[1].get(128 + t * 4 + e);
        int want = t * test.elements + e;
        if (test.first)
          EXPECT_EQ(first, want);
        else
          EXPECT_TRUE(std::isnan(first));
        if (test.second)
          EXPECT_EQ(second, 4 * e < test.sourceBytes ? want : 0);
        else
          EXPECT_TRUE(std::isnan(second));
      }
  }
}

TEST_F(HostSynchronizationTest, ReportsCopiesOfTooManyBytes) {
  std::string body = replace(replace(kCopies, "ELEMENTS", "1"), "BYTES", "4");
  body = replace(replace(body, "SOURCE", "5"), "LEFT", "0");
  Array arguments[] = {makeArray({128}, ElementType::F32),
                       makeArray({2, 32, 4}, ElementType::F32)};
  EXPECT_THAT(run(makeModule("%x: memref<128xf32>, %y: memref<2x32x4xf32>",
                             replace(body, "COMMIT", ""), 1, 32, 1024),
                  arguments),
              MatchesRegex(".*nvvm.cp.async.shared.global at .* copies 5 bytes "
                           "into 4"));
}

} // namespace
