//===- ThreadsTest.cpp - Any number of threads finds the same -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Also built with ThreadSanitizer, together with the search itself: there it is
// the test that threads don't race.

#include "GraphText.h"
#include "SearchFixture.h"
#include "TemporaryDatabase.h"

using namespace mirage;

namespace {

class ThreadsTest : public SearchFixture {
protected:
  /// Everything that must not depend on the number of threads.
  std::string search(const KernelGraph &reference, unsigned threads) {
    // Checkpoints and progress are seen by no two threads at once.
    TemporaryDatabase database;
    options.database = database.get();
    options.checkpointSeconds = 0.05;
    int64_t reports = 0;
    options.progress = [&](const SearchStatistics &) { ++reports; };
    options.threads = threads;
    SearchResult result = run(reference);
    EXPECT_GT(reports, 0);
    EXPECT_EQ(result.databaseError, "");
    std::string text;
    llvm::raw_string_ostream out(text);
    for (const SearchCandidate &candidate : result.candidates)
      out << getText(candidate.graph) << candidate.cost.nanoseconds << "\n";
    const SearchStatistics &s = result.statistics;
    out << s.states << " " << s.structures << " " << s.sizes << " "
        << s.placements << " " << s.sizesBounded << " " << s.prunedByBound
        << " " << s.prunedByOracle << " " << s.prunedByIndices << " "
        << s.prunedByWhole << " " << s.prunedByDuplicate << " " << s.prunedByCut
        << " " << s.cutSteps << " " << s.attempts << " " << s.graphsTooLarge
        << " " << s.exhausted << "\n";
    cutSteps = s.cutSteps;
    return text;
  }

  /// Whatever the number of threads, μGraphs are found that have an operator.
  void expectTheSame(const KernelGraph &reference, llvm::StringRef op) {
    options.maxKernelOps = 3;
    options.keep = 8;
    std::string one = search(reference, 1);
    EXPECT_NE(one.find(op), std::string::npos) << one;
    EXPECT_EQ(search(reference, 2), one);
    EXPECT_EQ(search(reference, 8), one);
  }

  /// Of the last search.
  int64_t cutSteps = 0;
};

TEST_F(ThreadsTest, FindTheSame) {
  expectTheSame(parse(kAttention), "reduce_max");
}

TEST_F(ThreadsTest, FindTheSameForSeveralOutputs) {
  constexpr llvm::StringLiteral text = R"(
func.func @f(%x: tensor<16x64xf32>, %v: tensor<64x32xf32>, %w: tensor<64x8xf32>) -> (tensor<16x32xf32>, tensor<16x8xf32>) {
  %e = mirage_kernel.exp %x : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %a = mirage_kernel.matmul %e, %v : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %b = mirage_kernel.matmul %e, %w : (tensor<16x64xf32>, tensor<64x8xf32>) -> tensor<16x8xf32>
  return %a, %b : tensor<16x32xf32>, tensor<16x8xf32>
})";
  expectTheSame(parse(text), "matmul");
}

TEST_F(ThreadsTest, FindTheSameInParts) {
  expectTheSame(parse(kTwoNorms), "sqr");
}

/// Layer norm in front of products with the same weights' shapes.
static std::string getLayerNormWithProducts(unsigned count) {
  std::string weights, products, types, results;
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i), comma = i ? ", " : "";
    weights += ", %w" + n + ": tensor<4096x6144xf16>";
    products += "%p" + n + " = mirage_kernel.matmul %i, %w" + n +
                " : (tensor<128x4096xf16>, tensor<4096x6144xf16>) -> "
                "tensor<128x6144xf16>\n";
    types += comma + "tensor<128x6144xf16>";
    results += comma + "%p" + n;
  }
  return "func.func @f(%x: tensor<128x4096xf16>, %g: tensor<4096xf16>, "
         "%b: tensor<4096xf16>" +
         weights + ") -> (" + types +
         ") {"
         R"(
  %n = mirage.constant 4.096e+03 : tensor<f32>
  %eps = mirage.constant 1.0e-5 : tensor<f32>
  %s = mirage_kernel.sum %x dim 1 : (tensor<128x4096xf16>) -> tensor<128x1xf32>
  %m = mirage_kernel.div %s, %n : (tensor<128x1xf32>, tensor<f32>) -> tensor<128x1xf32>
  %c = mirage_kernel.sub %x, %m : (tensor<128x4096xf16>, tensor<128x1xf32>) -> tensor<128x4096xf32>
  %q = mirage_kernel.sqr %c : (tensor<128x4096xf32>) -> tensor<128x4096xf32>
  %t = mirage_kernel.sum %q dim 1 : (tensor<128x4096xf32>) -> tensor<128x1xf32>
  %v = mirage_kernel.div %t, %n : (tensor<128x1xf32>, tensor<f32>) -> tensor<128x1xf32>
  %e = mirage_kernel.add %v, %eps : (tensor<128x1xf32>, tensor<f32>) -> tensor<128x1xf32>
  %r = mirage_kernel.sqrt %e : (tensor<128x1xf32>) -> tensor<128x1xf32>
  %d = mirage_kernel.div %c, %r : (tensor<128x4096xf32>, tensor<128x1xf32>) -> tensor<128x4096xf32>
  %h = mirage_kernel.mul %d, %g : (tensor<128x4096xf32>, tensor<4096xf16>) -> tensor<128x4096xf32>
  %i = mirage_kernel.add %h, %b : (tensor<128x4096xf32>, tensor<4096xf16>) -> tensor<128x4096xf16>
)" + products +
         "return " + results + " : " + types + "\n}";
}

/// Of layer norm in front of a product there are so many states on the way to
/// cuts that threads share the walks.
TEST_F(ThreadsTest, FindTheSameCuts) {
  expectTheSame(parse(getLayerNormWithProducts(1)), "matmul");
  EXPECT_GT(cutSteps, 10000);
}

/// In front of three there are too many cuts. Where that shows is chance.
TEST_F(ThreadsTest, GiveCutsUpInTheSameWay) {
  KernelGraph reference = parse(getLayerNormWithProducts(3));
  options.maxKernelOps = 2;
  const std::string one = search(reference, 1);
  EXPECT_GT(cutSteps, 1000000);
  EXPECT_EQ(search(reference, 2), one);
  EXPECT_EQ(search(reference, 5), one);
}

TEST_F(ThreadsTest, CanBeInterrupted) {
  KernelGraph reference = parse(kAttention);
  options.maxKernelOps = 3;
  std::atomic<bool> interrupt{false};
  options.interrupt = &interrupt;
  options.threads = 4;
  // As soon as there is something to return.
  options.progress = [&](const SearchStatistics &statistics) {
    interrupt = statistics.bestNanoseconds > 0;
  };
  SearchResult result = run(reference);
  EXPECT_FALSE(result.statistics.exhausted);
  EXPECT_EQ(result.statistics.stopped, StopReason::Interrupt);
  ASSERT_FALSE(result.candidates.empty());
  for (const SearchCandidate &candidate : result.candidates)
    EXPECT_EQ(candidate.verdict.verdict, Verdict::Proved);
}

} // namespace
