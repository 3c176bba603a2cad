//===- WgmmaTest.cpp - wgmma on the host ----------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaTestUtils.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace mirage;
using testing::HasSubstr;
using testing::MatchesRegex;

namespace {

/// Operands of two steps of k, which a kernel copies to shared memory as they
/// are and multiplies: D = A · B of the first step, plus that of the second.
constexpr int kBytesA = 16 << 10, kBytes = 64 << 10;

const char *const kProduct = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %c0 = arith.constant 0 : index
      %c4096 = arith.constant 4096 : index
      %c128 = arith.constant 128 : index
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<4096xvector<4xf32>, SPACE>
      %t = gpu.thread_id x
      scf.for %i = %t to %c4096 step %c128 {
        %c4 = arith.constant 4 : index
        %from = arith.muli %i, %c4 : index
        %v = vector.load %image[%from] : memref<16384xf32>, vector<4xf32>
        memref.store %v, %tile[%i] : memref<4096xvector<4xf32>, SPACE>
      }
      FENCEPROXY
      nvvm.barrier0
      %p = memref.extract_aligned_pointer_as_index %descriptors : memref<8xf32> -> index
      %p64 = arith.index_cast %p : index to i64
      %at0 = llvm.inttoptr %p64 : i64 to !llvm.ptr
      %at1 = llvm.getelementptr %at0[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %at2 = llvm.getelementptr %at0[2] : (!llvm.ptr) -> !llvm.ptr, i64
      %at3 = llvm.getelementptr %at0[3] : (!llvm.ptr) -> !llvm.ptr, i64
      %a0 = llvm.load %at0 : !llvm.ptr -> i64
      %b0 = llvm.load %at1 : !llvm.ptr -> i64
      %a1 = llvm.load %at2 : !llvm.ptr -> i64
      %b1 = llvm.load %at3 : !llvm.ptr -> i64
      %garbage = llvm.mlir.undef : SUMS
      WGMMAFENCE
      %s0 = nvvm.wgmma.mma_async %a0, %b0, %garbage, #nvvm.shape<m = 64, n = COLUMNS, k = DEPTH>,
          D [<f32>, #nvvm.wgmma_scale_out<zero>], A [<ELEMENT>, #nvvm.wgmma_scale_in<one>, <LAYOUTA>],
          B [<ELEMENT>, #nvvm.wgmma_scale_in<one>, <LAYOUTB>] : SUMS -> SUMS
      BETWEEN
      %s1 = nvvm.wgmma.mma_async %a1, %b1, %s0, #nvvm.shape<m = 64, n = COLUMNS, k = DEPTH>,
          D [<f32>, #nvvm.wgmma_scale_out<one>], A [<ELEMENT>, #nvvm.wgmma_scale_in<SIGN>, <LAYOUTA>],
          B [<ELEMENT>, #nvvm.wgmma_scale_in<one>, <LAYOUTB>] : SUMS -> SUMS
      nvvm.wgmma.commit.group.sync.aligned
      WAIT
      %c32 = arith.constant 32 : index
      %c16 = arith.constant 16 : index
      %c4 = arith.constant 4 : index
      %c2 = arith.constant 2 : index
      %lane = arith.remui %t, %c32 : index
      %warp = arith.divui %t, %c32 : index
      %warpRow = arith.muli %warp, %c16 : index
      %laneRow = arith.divui %lane, %c4 : index
      %row = arith.addi %warpRow, %laneRow : index
      %quad = arith.remui %lane, %c4 : index
      %column = arith.muli %quad, %c2 : index
)";

struct Operands {
  int swizzleA = 128, swizzleB = 128;
  /// Changes of the first step's descriptors.
  uint64_t setA = 0, setB = 0;
};

class WgmmaTest : public CompiledKernelTest {
protected:
  struct Kernel {
    ElementType type;
    bool transposesA, transposesB;
    int n;
    std::string sign = "one";
    WgmmaEdits edits = {};
  };

  Compiled compile(const Kernel &kernel, int threads = 128) {
    std::string body = kProduct;
    body += getWgmmaStores("%s1", "%y", kernel.n);
    for (const auto &[what, with] : kernel.edits)
      body = replaceAll(body, what, with);
    bool isTF32 = kernel.type == ElementType::F32;
    std::string element = isTF32                            ? "tf32"
                          : kernel.type == ElementType::F16 ? "f16"
                                                            : "bf16";
    for (auto [what, with] :
         {std::pair<std::string, std::string>("SUMS", getWgmmaSums(kernel.n)),
          {"COLUMNS", std::to_string(kernel.n)},
          {"DEPTH", isTF32 ? "8" : "16"},
          {"ELEMENT", element},
          {"LAYOUTA", kernel.transposesA ? "col" : "row"},
          {"LAYOUTB", kernel.transposesB ? "row" : "col"},
          {"SIGN", kernel.sign},
          {"BETWEEN", ""},
          {"WGMMAFENCE", "nvvm.wgmma.fence.aligned"},
          {"FENCEPROXY", "nvvm.fence.proxy {kind = "
                         "#nvvm.proxy_kind<async.shared>, space = "
                         "#nvvm.shared_space<cta>}"},
          {"WAIT", "nvvm.wgmma.wait.group.sync.aligned 0"}})
      body = replaceAll(body, what, with);
    return compileModule(makeModule("%image: memref<16384xf32>, %descriptors: "
                                    "memref<8xf32>, %y: memref<64x" +
                                        std::to_string(kernel.n) + "xf32>",
                                    body, 1, threads, kBytes));
  }

  /// An error, or "wrong results", or nothing.
  std::string multiply(const Kernel &kernel, const Compiled &compiled,
                       const Operands &operands = {},
                       std::vector<KernelCounters> *counters = nullptr,
                       uint64_t seed = 0) {
    if (!compiled.executable)
      return "not compiled: " + diagnostics;
    int k = kernel.type == ElementType::F32 ? 8 : 16;
    WgmmaOperand a{64, 2 * k, kernel.type, kernel.transposesA,
                   operands.swizzleA},
        b{kernel.n, 2 * k, kernel.type, kernel.transposesB, operands.swizzleB};
    Array arrayA = makeArray({64, 2 * k}, kernel.type),
          arrayB = makeArray({kernel.n, 2 * k}, kernel.type);
    fillUniform(arrayA, 11, 0);
    fillUniform(arrayB, 11, 1);
    Array arguments[] = {makeArray({16384}, ElementType::F32),
                         makeArray({8}, ElementType::F32),
                         makeArray({64, kernel.n}, ElementType::F32)};
    a.pack(arrayA, 0, arguments[0].bytes);
    b.pack(arrayB, kBytesA, arguments[0].bytes);
    uint64_t bits[] = {a.getDescriptor(0, 0) ^ operands.setA,
                       b.getDescriptor(kBytesA, 0) ^ operands.setB,
                       a.getDescriptor(0, 1), b.getDescriptor(kBytesA, 1)};
    std::memcpy(arguments[1].bytes.data(), bits, sizeof(bits));
    HostOptions options;
    options.checks = true;
    options.seed = seed;
    options.counters = counters;
    std::string report = getMessage(
        compiled.executable->run(*compiled.program, arguments, options));
    if (!report.empty())
      return report;
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < kernel.n; ++j) {
        double sum = 0;
        for (int l = 0; l < 2 * k; ++l) {
          double x = arrayA.get(i * 2 * k + l), y = arrayB.get(j * 2 * k + l);
          if (kernel.type == ElementType::F32) {
            x = cutToTF32(x);
            y = cutToTF32(y);
          }
          sum += l >= k && kernel.sign == "neg" ? -x * y : x * y;
        }
        if (!(std::abs(sum - arguments[2].get(i * kernel.n + j)) < 1e-4))
          return "wrong results";
      }
    return "";
  }

  static double cutToTF32(double value) {
    auto narrow = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof(bits));
    bits &= 0xffffe000;
    std::memcpy(&narrow, &bits, sizeof(bits));
    return narrow;
  }

  std::string runKernel(const Kernel &kernel, const Operands &operands = {},
                        int threads = 128) {
    return multiply(kernel, compile(kernel, threads), operands);
  }

  const Kernel plain{ElementType::F16, false, false, 16};
};

TEST_F(WgmmaTest, AllLayouts) {
  for (ElementType type : {ElementType::F16, ElementType::BF16})
    for (bool transposesA : {false, true})
      for (bool transposesB : {false, true})
        for (int n : {8, 16, 64, 256}) {
          Kernel kernel{type, transposesA, transposesB, n};
          Compiled compiled = compile(kernel);
          for (int swizzleA : {0, 32, 64, 128})
            for (int swizzleB : {0, 32, 64, 128})
              EXPECT_EQ(multiply(kernel, compiled, {swizzleA, swizzleB}), "")
                  << transposesA << transposesB << " n = " << n << ", "
                  << swizzleA << " and " << swizzleB;
        }
}

TEST_F(WgmmaTest, TF32) {
  Kernel kernel{ElementType::F32, false, false, 24};
  Compiled compiled = compile(kernel);
  for (int swizzle : {0, 32, 64, 128})
    EXPECT_EQ(multiply(kernel, compiled, {swizzle, swizzle}), "");
}

TEST_F(WgmmaTest, Signs) {
  Kernel kernel = plain;
  kernel.sign = "neg";
  EXPECT_EQ(runKernel(kernel), "");
}

TEST_F(WgmmaTest, OrderOfThreads) {
  Compiled compiled = compile(plain);
  for (uint64_t seed : {1, 2, 3, 4, 5})
    EXPECT_EQ(multiply(plain, compiled, {}, nullptr, seed), "");
}

TEST_F(WgmmaTest, Descriptors) {
  Compiled compiled = compile(plain);
  auto check = [&](uint64_t setA, uint64_t setB) {
    return multiply(plain, compiled, {128, 128, setA, setB});
  };
  const std::string where = ".*nvvm.wgmma.mma_async at .*: the descriptor of ";
  EXPECT_THAT(check(1ull << 14, 0),
              MatchesRegex(where + "A has bits set that mean nothing"));
  EXPECT_THAT(check(0, 1ull << 61),
              MatchesRegex(where + "B has bits set that mean nothing"));
  EXPECT_THAT(check(0, 1ull << 49),
              MatchesRegex(where + "B has a base offset, which is not "
                                   "emulated"));
  // Another swizzle: other elements.
  EXPECT_EQ(check(3ull << 62, 0), "wrong results");
  EXPECT_EQ(check(1ull << 62, 0), "wrong results");
  // Far away: 64 KB is the end.
  EXPECT_THAT(check(0, 1ull << 12),
              MatchesRegex(".*thread 0 reads 16 bytes at offset .* of shared "
                           "memory in nvvm.wgmma.mma_async at .*, which has "
                           "65536 bytes"));
  Kernel different = plain;
  different.edits = {{"%garbage = ", R"(
      %t64 = arith.index_cast %t : index to i64
      %c1i = arith.constant 4 : i64
      %one = arith.cmpi eq, %t64, %c1i : i64
      %b2 = arith.select %one, %a0, %b0 : i64
      %garbage = )"},
                     {"%a0, %b0, %garbage", "%a0, %b2, %garbage"}};
  EXPECT_THAT(runKernel(different),
              HasSubstr(": the threads of a warpgroup have different "
                        "descriptors"));
}

TEST_F(WgmmaTest, Warpgroups) {
  EXPECT_THAT(runKernel(plain, {}, 96),
              MatchesRegex(".*thread .* takes part in nvvm.wgmma.mma_async at "
                           ".*, which needs warpgroups of 128 threads, in a "
                           "block of 96"));
  Kernel kernel = plain;
  kernel.edits = {{"%garbage = ", R"(
      %c96 = arith.constant 96 : index
      %last = arith.cmpi uge, %t, %c96 : index
      scf.if %last {
        nvvm.barrier0
      }
      %garbage = )"}};
  EXPECT_THAT(runKernel(kernel),
              MatchesRegex(".*deadlock: of 128 threads 0 have ended, threads "
                           "96-127 wait at nvvm.barrier0 at .*, threads 0-95 "
                           "wait at nvvm.wgmma.mma_async at .*"));
}

TEST_F(WgmmaTest, Waits) {
  Kernel kernel = plain;
  const std::string use = ".*thread .* uses in llvm.store at .* what it has "
                          "not waited for of nvvm.wgmma.mma_async at .*";
  kernel.edits = {{"WAIT", ""}};
  EXPECT_THAT(runKernel(kernel), MatchesRegex(use));
  kernel.edits = {{"WAIT", "nvvm.wgmma.wait.group.sync.aligned 1"}};
  EXPECT_THAT(runKernel(kernel), MatchesRegex(use));
  // A group for each, of which the first is waited for.
  kernel.edits = {{"BETWEEN", "nvvm.wgmma.commit.group.sync.aligned"},
                  {"WAIT", "nvvm.wgmma.wait.group.sync.aligned 1"}};
  EXPECT_THAT(runKernel(kernel), MatchesRegex(use));
  kernel.edits = {{"BETWEEN", "nvvm.wgmma.commit.group.sync.aligned"}};
  EXPECT_EQ(runKernel(kernel), "");
  // What belongs to no group can't be waited for.
  kernel.edits = {{"nvvm.wgmma.commit.group.sync.aligned", ""}};
  EXPECT_THAT(runKernel(kernel), MatchesRegex(use));
}

/// Sums that go through a loop, of which those of the iteration before are
/// used while the next ones are computed.
TEST_F(WgmmaTest, WaitsInLoops) {
  Kernel kernel = plain;
  auto loop = [&](const std::string &wait) {
    kernel.edits = {
        {"BETWEEN", R"(
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      nvvm.wgmma.commit.group.sync.aligned
      %last:2 = scf.for %i = %c0 to %c3 step %c1
          iter_args(%before = %s0, %sum = %zerof) -> (SUMS, f32) {
        nvvm.wgmma.fence.aligned
        %now = nvvm.wgmma.mma_async %a0, %b0, %garbage, #nvvm.shape<m = 64, n = COLUMNS, k = DEPTH>,
          D [<f32>, #nvvm.wgmma_scale_out<zero>], A [<ELEMENT>, #nvvm.wgmma_scale_in<one>, <LAYOUTA>],
          B [<ELEMENT>, #nvvm.wgmma_scale_in<one>, <LAYOUTB>] : SUMS -> SUMS
        nvvm.wgmma.commit.group.sync.aligned
        nvvm.wgmma.wait.group.sync.aligned )" +
                        wait + R"(
        %x = llvm.extractvalue %before[3] : SUMS
        %next = arith.addf %sum, %x : f32
        scf.yield %now, %next : SUMS, f32
      }
      memref.store %last#1, %y[%c0, %c0] : memref<64x16xf32>)"},
        {"%garbage = ", "%zerof = arith.constant 0.0 : f32\n%garbage = "},
        {"%b1, %s0", "%b1, %last#0"},
        {"%s1 =", "nvvm.wgmma.fence.aligned\n%s1 ="}};
    return runKernel(kernel);
  };
  EXPECT_EQ(loop("1"), "");
  EXPECT_THAT(loop("2"),
              MatchesRegex(".*thread .* uses in llvm.fadd at .* what it has "
                           "not waited for of nvvm.wgmma.mma_async at .*"));
}

TEST_F(WgmmaTest, Fences) {
  Kernel kernel = plain;
  kernel.edits = {{"WGMMAFENCE", ""}};
  EXPECT_THAT(runKernel(kernel),
              MatchesRegex(".*thread .* comes to nvvm.wgmma.mma_async at .* "
                           "without a wgmma.fence before"));
  kernel.edits = {{"FENCEPROXY", ""}};
  EXPECT_THAT(runKernel(kernel),
              MatchesRegex(".*thread .* reads 16 bytes at offset .* of shared "
                           "memory in nvvm.wgmma.mma_async at .*, and thread "
                           ".* writes there in llvm.store at .* with no "
                           "fence.proxy.async between"));
  // Only what this thread knows of is fenced.
  kernel.edits = {{"FENCEPROXY", R"(
      %fences = arith.cmpi eq, %t, %c0 : index
      scf.if %fences {
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
      })"}};
  EXPECT_THAT(runKernel(kernel),
              HasSubstr(" with no fence.proxy.async between"));
}

TEST_F(WgmmaTest, OperandsAreReadUntilTheWait) {
  Kernel kernel = plain;
  // The first bytes of B, which all warps read.
  const std::string overwrite = R"(
      %some = arith.constant dense<1.0> : vector<4xf32>
      %c1024 = arith.constant 1024 : index
      memref.store %some, %tile[%c1024] : memref<4096xvector<4xf32>, SPACE>)";
  auto onlyFirst = [&](const std::string &before) {
    return before +
           "%isFirst = arith.cmpi eq, %t, %c0 : index\n"
           "scf.if %isFirst {" +
           overwrite + "\n}\n";
  };
  const std::string wait = "nvvm.wgmma.wait.group.sync.aligned 0\n";
  kernel.edits = {{"WAIT", onlyFirst("nvvm.barrier0\n") + wait}};
  EXPECT_THAT(
      runKernel(kernel),
      MatchesRegex(".*thread 0 writes 16 bytes at offset 16384 of shared "
                   "memory in llvm.store at .*, and a wgmma reads there "
                   "in nvvm.wgmma.mma_async at .* with no barrier "
                   "between: a race"));
  // Others may not have waited yet.
  kernel.edits = {{"WAIT", wait + onlyFirst("")}};
  EXPECT_THAT(runKernel(kernel), HasSubstr(": a race"));
  kernel.edits = {{"WAIT", wait + onlyFirst("nvvm.barrier0\n")}};
  EXPECT_EQ(runKernel(kernel), "");
}

TEST_F(WgmmaTest, NoBarrierInFront) {
  Kernel kernel = plain;
  kernel.edits = {{"nvvm.barrier0", ""}};
  EXPECT_THAT(
      runKernel(kernel),
      MatchesRegex(".*thread .* reads 16 bytes at offset .* of shared "
                   "memory in nvvm.wgmma.mma_async at .*(a race|nothing "
                   "has been written at offset .*)"));
}

TEST_F(WgmmaTest, Counts) {
  std::vector<KernelCounters> counters;
  Kernel kernel{ElementType::F16, false, false, 64};
  EXPECT_EQ(multiply(kernel, compile(kernel), {}, &counters), "");
  ASSERT_EQ(counters.size(), 1u);
  const BlockCounters &total = counters[0].total;
  ASSERT_EQ(total.mma.size(), 1u);
  EXPECT_EQ(total.mma.begin()->first, "m64n64k16.f16.f32");
  EXPECT_EQ(total.mma.begin()->second, 2u);
  // Of each operand and step 16 core matrices, without conflicts; and 64 KB
  // that are stored.
  EXPECT_EQ(total.sharedWavefronts, 64u + 512);
  EXPECT_EQ(total.sharedPhases, 64u + 512);
}

} // namespace
