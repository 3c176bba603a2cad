//===- RegisterWgmmaTest.cpp - wgmma of rows in registers, on the host ----===//
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

/// A kernel copies B to shared memory as it is and multiplies, in two steps of
/// k, what each thread loads of A: D = A · B.
const char *const kProduct = R"(
      %smem = gpu.dynamic_shared_memory : memref<?xi8, SPACE>
      %c0 = arith.constant 0 : index
      %c2048 = arith.constant 2048 : index
      %c128 = arith.constant 128 : index
      %tile = memref.view %smem[%c0][] : memref<?xi8, SPACE> to memref<2048xvector<4xf32>, SPACE>
      %t = gpu.thread_id x
      scf.for %i = %t to %c2048 step %c128 {
        %c4 = arith.constant 4 : index
        %from = arith.muli %i, %c4 : index
        %v = vector.load %image[%from] : memref<8192xf32>, vector<4xf32>
        memref.store %v, %tile[%i] : memref<2048xvector<4xf32>, SPACE>
      }
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier0
      %p = memref.extract_aligned_pointer_as_index %descriptors : memref<4xf32> -> index
      %p64 = arith.index_cast %p : index to i64
      %at0 = llvm.inttoptr %p64 : i64 to !llvm.ptr
      %at1 = llvm.getelementptr %at0[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %b0 = llvm.load %at0 : !llvm.ptr -> i64
      %b1 = llvm.load %at1 : !llvm.ptr -> i64
      %zero = arith.constant 0.0 : f32
      BEFORE
ROWS
      FENCE
PRODUCTS
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
STORES
)";

constexpr int kDepth = 16, kSteps = 2, kRegisters = 4;

std::string join(const std::string &separator, int count,
                 const std::function<std::string(int)> &get) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i ? separator : "") + get(i);
  return text;
}

struct Kernel {
  ElementType type = ElementType::F16;
  bool transposesB = false;
  int n = 16;
  WgmmaEdits edits = {};
};

/// The instruction as PTX has it, of the sums before and the rows and columns
/// of a step.
std::string getProduct(const Kernel &kernel, int step) {
  int sums = kernel.n / 2;
  std::string s = std::to_string(step), text;
  if (step)
    for (int i = 0; i < sums; ++i)
      text += "%before" + std::to_string(i) + " = llvm.extractvalue %s" +
              std::to_string(step - 1) + "[" + std::to_string(i) + "] : SUMS\n";
  auto registers = [](int first, int count) {
    return join(", ", count,
                [=](int i) { return "$" + std::to_string(first + i); });
  };
  std::string type = kernel.type == ElementType::F16 ? "f16" : "bf16";
  text += "%s" + s +
          " = llvm.inline_asm has_side_effects asm_dialect = att "
          "\"{\\0A.reg .pred p;\\0Asetp.ne.b32 p, 1, 0;\\0A"
          "wgmma.mma_async.sync.aligned.m64n" +
          std::to_string(kernel.n) + "k16.f32." + type + "." + type + " {" +
          registers(0, sums) + "}, {" + registers(2 * sums, kRegisters) +
          "}, $" + std::to_string(2 * sums + kRegisters) + ", p, 1, 1, " +
          (kernel.transposesB ? "1" : "0") + ";\\0A}\", \"" +
          join(",", sums, [](int) { return "=f"; }) + "," +
          join(",", sums, [](int i) { return std::to_string(i); }) +
          ",r,r,r,r,l\" ";
  text += join(", ", sums, [&](int i) {
    return step ? "%before" + std::to_string(i) : "%zero";
  });
  for (int i = 0; i < kRegisters; ++i)
    text += ", %x" + std::to_string(kRegisters * step + i);
  text += ", %b" + s + " : (" + join(", ", sums, [](int) { return "f32"; }) +
          ", i32, i32, i32, i32, i64) -> SUMS\n";
  return text;
}

class RegisterWgmmaTest : public CompiledKernelTest {
protected:
  Compiled compile(const Kernel &kernel) {
    std::string rows = "%rp = memref.extract_aligned_pointer_as_index %rows : "
                       "memref<1024xf32> -> index\n"
                       "%c8 = arith.constant 8 : index\n"
                       "%own = arith.muli %t, %c8 : index\n"
                       "%own64 = arith.index_cast %own : index to i64\n"
                       "%rp64 = arith.index_cast %rp : index to i64\n"
                       "%all = llvm.inttoptr %rp64 : i64 to !llvm.ptr\n"
                       "%mine = llvm.getelementptr %all[%own64] : (!llvm.ptr, "
                       "i64) -> !llvm.ptr, i32\n";
    for (int i = 0; i < kSteps * kRegisters; ++i) {
      std::string s = std::to_string(i);
      rows += "%ax" + s + " = llvm.getelementptr %mine[" + s +
              "] : (!llvm.ptr) -> !llvm.ptr, i32\n%x" + s + " = llvm.load %ax" +
              s + " : !llvm.ptr -> i32\n";
    }
    std::string body = kProduct;
    for (const auto &[what, with] : kernel.edits)
      body = replaceAll(body, what, with);
    for (auto [what, with] :
         {std::pair<std::string, std::string>("ROWS", rows),
          {"PRODUCTS", getProduct(kernel, 0) + getProduct(kernel, 1)},
          {"STORES", getWgmmaStores("%s1", "%y", kernel.n)},
          {"SUMS", getWgmmaSums(kernel.n)},
          {"BEFORE", ""},
          {"FENCE", "nvvm.wgmma.fence.aligned"},
          {"WAIT", "nvvm.wgmma.wait.group.sync.aligned 0"}})
      body = replaceAll(body, what, with);
    // What the text of an instruction is made into.
    for (const auto &[what, with] : kernel.edits)
      body = replaceAll(body, what, with);
    return compileModule(makeModule("%rows: memref<1024xf32>, %image: "
                                    "memref<8192xf32>, %descriptors: "
                                    "memref<4xf32>, %y: memref<64x" +
                                        std::to_string(kernel.n) + "xf32>",
                                    body, 1, 128, 32 << 10));
  }

  /// An error, or "wrong results", or nothing.
  std::string multiply(const Kernel &kernel, const Compiled &compiled,
                       int swizzle = 128,
                       std::vector<KernelCounters> *counters = nullptr,
                       uint64_t seed = 0) {
    if (!compiled.executable)
      return "not compiled: " + diagnostics;
    constexpr int kK = kSteps * kDepth;
    WgmmaOperand b{kernel.n, kK, kernel.type, kernel.transposesB, swizzle};
    Array arrayA = makeArray({64, kK}, kernel.type),
          arrayB = makeArray({kernel.n, kK}, kernel.type);
    fillUniform(arrayA, 11, 0);
    fillUniform(arrayB, 11, 1);
    Array arguments[] = {makeArray({1024}, ElementType::F32),
                         makeArray({8192}, ElementType::F32),
                         makeArray({4}, ElementType::F32),
                         makeArray({64, kernel.n}, ElementType::F32)};
    // Where an element of A is (PTX ISA, "Register fragments for
    // wgmma.mma_async", matrix A).
    for (int row = 0; row < 64; ++row)
      for (int k = 0; k < kK; ++k) {
        int thread = row / 16 * 32 + row % 8 * 4 + k % 8 / 2;
        int number = k / 16 * 4 + k % 16 / 8 * 2 + row % 16 / 8;
        std::memcpy(&arguments[0].bytes[(thread * 8 + number) * 4 + k % 2 * 2],
                    &arrayA.bytes[(row * kK + k) * 2], 2);
      }
    b.pack(arrayB, 0, arguments[1].bytes);
    uint64_t bits[] = {b.getDescriptor(0, 0), b.getDescriptor(0, 1)};
    std::memcpy(arguments[2].bytes.data(), bits, sizeof(bits));
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
        for (int k = 0; k < kK; ++k)
          sum += arrayA.get(i * kK + k) * arrayB.get(j * kK + k);
        if (!(std::abs(sum - arguments[3].get(i * kernel.n + j)) < 1e-4))
          return "wrong results";
      }
    return "";
  }

  std::string run(const WgmmaEdits &edits) {
    Kernel kernel;
    kernel.edits = edits;
    return multiply(kernel, compile(kernel));
  }
};

TEST_F(RegisterWgmmaTest, AllLayouts) {
  for (ElementType type : {ElementType::F16, ElementType::BF16})
    for (bool transposesB : {false, true})
      for (int n : {8, 24, 128, 256}) {
        Kernel kernel{type, transposesB, n};
        Compiled compiled = compile(kernel);
        for (int swizzle : {0, 32, 64, 128})
          EXPECT_EQ(multiply(kernel, compiled, swizzle), "")
              << transposesB << ", n = " << n << ", " << swizzle;
      }
}

TEST_F(RegisterWgmmaTest, OrderOfThreads) {
  Kernel kernel;
  Compiled compiled = compile(kernel);
  for (uint64_t seed : {1, 2, 3, 4, 5})
    EXPECT_EQ(multiply(kernel, compiled, 128, nullptr, seed), "");
}

TEST_F(RegisterWgmmaTest, OnlyColumnsAreRead) {
  Kernel kernel;
  Compiled compiled = compile(kernel);
  std::vector<KernelCounters> counters;
  ASSERT_EQ(multiply(kernel, compiled, 128, &counters), "");
  ASSERT_EQ(counters.size(), 1u);
  // What is copied there, by 16 bytes a lane, and both steps' columns.
  EXPECT_EQ(counters[0].total.mma.at("m64n16k16.f16.f32"), 2u);
  EXPECT_EQ(counters[0].total.sharedRequests, 2048u / 32 + 2);
}

TEST_F(RegisterWgmmaTest, Fences) {
  // None at all, or one in front of the rows alone.
  for (const char *before : {"", "nvvm.wgmma.fence.aligned"})
    EXPECT_THAT(run({{"FENCE", ""}, {"BEFORE", before}}),
                MatchesRegex(".*thread .* comes to llvm.inline_asm at .* "
                             "without a wgmma.fence since it has written the "
                             "rows that it multiplies"));
}

TEST_F(RegisterWgmmaTest, NotWaitedFor) {
  EXPECT_THAT(run({{"WAIT", ""}}),
              MatchesRegex(".*thread .* uses in llvm.store at .* what it has "
                           "not waited for of llvm.inline_asm at .*"));
}

TEST_F(RegisterWgmmaTest, UnwrittenSums) {
  EXPECT_THAT(run({{"%zero = arith.constant 0.0 : f32",
                    "%zero = llvm.mlir.undef : f32"}}),
              HasSubstr("'llvm.inline_asm' op adds to accumulators that nobody "
                        "has written"));
}

TEST_F(RegisterWgmmaTest, OthersHaveNoEmulation) {
  const std::string message =
      "'llvm.inline_asm' op has no emulation on the host";
  // Negated rows; other sums; a register less; another predicate; what may be
  // moved or left out.
  for (const auto &[what, with] :
       WgmmaEdits{{"p, 1, 1, 0;", "p, -1, 1, 0;"},
                  {"k16.f32.", "k16.f16."},
                  {"m64n16k16", "m64n24k16"},
                  {"m64n16k16", "m64nk16"},
                  {"setp.ne.b32 p, 1, 0", "setp.ne.b32 p, 0, 0"},
                  {",r,r,r,r,l", ",r,r,r,r,r"},
                  {"llvm.inline_asm has_side_effects", "llvm.inline_asm"}})
    EXPECT_THAT(run({{what, with}}), HasSubstr(message)) << with;
}

} // namespace
