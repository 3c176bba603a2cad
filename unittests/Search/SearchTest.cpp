//===- SearchTest.cpp - The search as a library ---------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "Mirage/Mugraph/SharedMemory.h"
#include "SearchFixture.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"
#include <chrono>
#include <set>

using namespace mirage;
using namespace mlir;

namespace {

class SearchTest : public SearchFixture {};

/// x w1 and x w2, added: the sum can be taken before or after the loop ends.
constexpr const char *kTwoMatmuls = R"(
func.func @f(%x: tensor<16x1024xf16>, %v: tensor<1024x2048xf16>, %w: tensor<1024x2048xf16>) -> tensor<16x2048xf16> {
  %a = mirage_kernel.matmul %x, %v : (tensor<16x1024xf16>, tensor<1024x2048xf16>) -> tensor<16x2048xf16>
  %b = mirage_kernel.matmul %x, %w : (tensor<16x1024xf16>, tensor<1024x2048xf16>) -> tensor<16x2048xf16>
  %c = mirage_kernel.add %a, %b : (tensor<16x2048xf16>, tensor<16x2048xf16>) -> tensor<16x2048xf16>
  return %c : tensor<16x2048xf16>
})";

TEST_F(SearchTest, FactorsTheMatmulOut) {
  // x (v + w) has one matmul less.
  options.keep = 400;
  SearchResult result = run(parse(kTwoMatmuls));
  ASSERT_FALSE(result.candidates.empty());
  unsigned fewestMatmuls = 9;
  for (const SearchCandidate &candidate : result.candidates) {
    EXPECT_EQ(candidate.verdict.verdict, Verdict::Proved);
    unsigned matmuls = 0;
    for (const BlockNode &node : candidate.graph.nodes.back().graph->nodes)
      if (node.op)
        matmuls += node.op->getName() == "matmul"          ? 1
                   : node.op->getName() == "concat_matmul" ? 2
                                                           : 0;
    fewestMatmuls = std::min(fewestMatmuls, matmuls);
  }
  EXPECT_EQ(fewestMatmuls, 1u);
}

TEST_F(SearchTest, CandidatesComeCheapestFirst) {
  options.keep = 100;
  SearchResult result = run(parse(kTwoMatmuls));
  ASSERT_GT(result.candidates.size(), 1u);
  for (size_t i = 1; i < result.candidates.size(); ++i)
    EXPECT_LE(result.candidates[i - 1].cost.nanoseconds,
              result.candidates[i].cost.nanoseconds);
}

TEST_F(SearchTest, ThreadsDontChangeTheNumbers) {
  KernelGraph reference = parse(kTwoMatmuls);
  SearchResult one = run(reference);
  options.threads = 4;
  SearchResult four = run(reference);
  EXPECT_EQ(one.statistics.states, four.statistics.states);
  EXPECT_EQ(one.statistics.prunedByOracle, four.statistics.prunedByOracle);
  EXPECT_EQ(one.statistics.prunedByBound, four.statistics.prunedByBound);
  EXPECT_EQ(one.statistics.structures, four.statistics.structures);
  EXPECT_EQ(one.statistics.accepted, four.statistics.accepted);
  EXPECT_EQ(one.statistics.sizes, four.statistics.sizes);
}

// Prime sizes, so that one grid doesn't serve both.
TEST_F(SearchTest, OrdersOfIndependentKernelsAreOneCandidate) {
  options.maxKernelOps = 2;
  options.keep = 8;
  SearchResult result = run(parse(R"(
func.func @f(%x: tensor<509x512xf16>, %y: tensor<769x256xf16>) -> (tensor<509x512xf16>, tensor<769x256xf16>) {
  %a = mirage_kernel.exp %x : (tensor<509x512xf16>) -> tensor<509x512xf16>
  %s = mirage_kernel.sum %a dim 1 : (tensor<509x512xf16>) -> tensor<509x1xf16>
  %d = mirage_kernel.div %a, %s : (tensor<509x512xf16>, tensor<509x1xf16>) -> tensor<509x512xf16>
  %e = mirage_kernel.sqr %y : (tensor<769x256xf16>) -> tensor<769x256xf16>
  %t = mirage_kernel.sum %e dim 1 : (tensor<769x256xf16>) -> tensor<769x1xf16>
  %u = mirage_kernel.div %y, %t : (tensor<769x256xf16>, tensor<769x1xf16>) -> tensor<769x256xf16>
  return %d, %u : tensor<509x512xf16>, tensor<769x256xf16>
})"));
  // Terms of the outputs don't tell the order of kernels.
  std::set<std::string> terms;
  for (const SearchCandidate &candidate : result.candidates)
    terms.insert(getText(candidate.graph));
  EXPECT_EQ(result.candidates.size(), 8u);
  EXPECT_EQ(terms.size(), 8u);
}

TEST_F(SearchTest, TooFewOperatorsFindNothing) {
  options.maxBlockOps = 1;
  SearchResult result = run(parse(kTwoMatmuls));
  EXPECT_TRUE(result.candidates.empty());
  EXPECT_TRUE(result.statistics.exhausted);
}

TEST_F(SearchTest, LimitsOfSizeEndTheSearch) {
  KernelGraph reference = parse(kAttention);
  options.maxKernelOps = 2;
  SearchResult all = run(reference);
  EXPECT_TRUE(all.statistics.exhausted);
  // Of states, sizes and problems alike.
  options.partOfSizeLimits = 1e-3;
  SearchResult some = run(reference);
  EXPECT_FALSE(some.statistics.exhausted);
  EXPECT_EQ(some.statistics.stopped, StopReason::SizeLimit);
  EXPECT_GT(some.statistics.graphsTooLarge, 0);
  EXPECT_LT(some.statistics.placementsDone, all.statistics.placementsDone);
}

TEST_F(SearchTest, TimeLimitEndsTheSearch) {
  options.timeLimit = 1e-6;
  options.maxKernelOps = 5;
  SearchResult result = run(parse(kTwoMatmuls));
  EXPECT_FALSE(result.statistics.exhausted);
  EXPECT_EQ(result.statistics.stopped, StopReason::TimeLimit);
}

/// Operators of one operand, one after the other, on a tensor with dimensions
/// of this size.
std::string makeChain(unsigned rank, int64_t size,
                      llvm::ArrayRef<std::string> operators) {
  std::string type = "tensor<";
  for (unsigned d = 0; d < rank; ++d)
    type += std::to_string(size) + "x";
  type += "f16>";
  std::string text = "func.func @f(%v0: " + type + ") -> " + type + " {\n";
  for (auto [i, op] : llvm::enumerate(operators)) {
    auto [name, attributes] = llvm::StringRef(op).split(' ');
    text +=
        llvm::formatv("%v{0} = mirage_kernel.{1} %v{2} {3} : ({4}) -> {4}\n",
                      i + 1, name, i, attributes, type);
  }
  return text +
         llvm::formatv("return %v{0} : {1} }", operators.size(), type).str();
}

// Nothing but what is being evaluated when the time is up may come after it. A
// machine that does other things needs some more.
TEST_F(SearchTest, TimeLimitHoldsForTheWholeSearch) {
  constexpr double kLimit = 0.2, kMost = 10;
  options.timeLimit = kLimit;
  options.maxKernelOps = 5;
  auto measure = [&](const std::string &text) {
    KernelGraph program = parse(text);
    auto begin = std::chrono::steady_clock::now();
    run(program);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin)
        .count();
  };
  // Evaluating all at small sizes takes most of a minute.
  std::vector<std::string> exponentials(32, "exp");
  EXPECT_LT(measure(makeChain(10, 2, exponentials)), kMost);
  // Two permutations that make 40,320.
  EXPECT_LT(measure(makeChain(
                8, 2,
                {"transpose permutation [1, 0, 2, 3, 4, 5, 6, 7]", "exp",
                 "transpose permutation [1, 2, 3, 4, 5, 6, 7, 0]", "relu"})),
            kMost);
}

// At the usual small sizes 27 million elements, though the program has 256.
TEST_F(SearchTest, RoundingErrorsOfManyDimensions) {
  KernelGraph program = parse(makeChain(8, 2, {"exp", "relu"}));
  for (double work : {double(1 << 26), 1e5}) {
    options.stabilityWork = work;
    SearchResult result = run(program);
    ASSERT_EQ(result.candidates.size(), 1u);
    EXPECT_TRUE(result.candidates[0].stability.has_value());
    // Four elements a dimension, or the program's own.
    EXPECT_EQ(result.candidates[0].proxy.tensors[0].shape,
              Shape(8, work == 1e5 ? 2 : 4));
  }
  options.stabilityWork = 100;
  SearchResult result = run(program);
  EXPECT_TRUE(result.candidates.empty());
  EXPECT_EQ(result.statistics.unknown, 1);
  EXPECT_EQ(result.unknownReason,
            "to compare its rounding errors takes too long");
}

// What of so many dimensions takes a second with four elements of each takes
// none with fewer.
TEST_F(SearchTest, RoundingErrorsAreComparedInTime) {
  options.timeLimit = 0.5;
  std::vector<std::string> operators;
  for (int i = 0; i < 6; ++i)
    for (const char *op : {"exp", "relu", "log", "relu"})
      operators.push_back(op);
  EXPECT_TRUE(run(parse(makeChain(6, 24, operators))).statistics.exhausted);
  SearchResult result = run(parse(makeChain(8, 8, operators)));
  EXPECT_TRUE(result.candidates.empty());
  EXPECT_EQ(result.unknownReason,
            "its rounding errors were not compared in time");
  EXPECT_FALSE(result.statistics.exhausted);
  EXPECT_EQ(result.statistics.stopped, StopReason::TimeLimit);
}

TEST_F(SearchTest, OptionsAreValidated) {
  KernelGraph program = parse(kTwoMatmuls);
  auto getError = [&](const SearchOptions &wrong) {
    return llvm::toString(search(program, wrong).takeError());
  };
  SearchOptions wrong = options;
  wrong.keep = 0;
  EXPECT_EQ(getError(wrong), "option 'candidates' must be at least 1");
  wrong = options;
  wrong.maxGridDims = 5;
  EXPECT_EQ(getError(wrong),
            "option 'max-grid-dims' must be at most 4, found 5");
  wrong = options;
  wrong.timeLimit = -1;
  EXPECT_THAT(getError(wrong), testing::HasSubstr("option 'time-limit' must"));
  wrong = options;
  wrong.stabilityFactor = 0.5;
  EXPECT_THAT(getError(wrong),
              testing::HasSubstr("option 'stability-factor' must"));
}

TEST_F(SearchTest, EndsBeforeItHasBegun) {
  std::atomic<bool> interrupt{true};
  options.interrupt = &interrupt;
  SearchResult result = run(parse(makeChain(10, 2, {"exp", "relu", "exp"})));
  EXPECT_TRUE(result.candidates.empty());
  EXPECT_GT(result.referenceCost.nanoseconds, 0);
  EXPECT_FALSE(result.statistics.exhausted);
  EXPECT_EQ(result.statistics.stopped, StopReason::Interrupt);
}

TEST_F(SearchTest, TilesFitTheTarget) {
  options.keep = 100;
  SearchResult result = run(parse(kTwoMatmuls));
  ASSERT_FALSE(result.candidates.empty());
  for (const SearchCandidate &candidate : result.candidates) {
    const KernelNode &node = candidate.graph.nodes.back();
    std::vector<KernelTensor> inputs;
    for (unsigned operand : node.operands)
      inputs.push_back(candidate.graph.tensors[operand]);
    EXPECT_LE(getSharedBytes(*node.graph, inputs),
              options.target.getSharedBytes());
  }
}

/// Squared distances of rows: sums of the loop and of tiles meet behind it,
/// some transposed.
constexpr const char *kDistances = R"(
func.func @f(%x: tensor<256x128xf16>, %y: tensor<256x128xf16>) -> tensor<256x256xf16> {
  %t = mirage_kernel.transpose %y permutation [1, 0] : (tensor<256x128xf16>) -> tensor<128x256xf16>
  %p = mirage_kernel.matmul %x, %t : (tensor<256x128xf16>, tensor<128x256xf16>) -> tensor<256x256xf16>
  %d = mirage_kernel.add %p, %p : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf16>
  %a = mirage_kernel.sqr %x : (tensor<256x128xf16>) -> tensor<256x128xf16>
  %r = mirage_kernel.sum %a dim 1 : (tensor<256x128xf16>) -> tensor<256x1xf16>
  %b = mirage_kernel.sqr %t : (tensor<128x256xf16>) -> tensor<128x256xf16>
  %c = mirage_kernel.sum %b dim 0 : (tensor<128x256xf16>) -> tensor<1x256xf16>
  %s = mirage_kernel.add %r, %c : (tensor<256x1xf16>, tensor<1x256xf16>) -> tensor<256x256xf16>
  %e = mirage_kernel.sub %s, %d : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf16>
  return %e : tensor<256x256xf16>
})";

// Or else what the search finds is no valid IR.
TEST_F(SearchTest, SharedBytesAreThoseOfTheIR) {
  options.keep = 300;
  options.maxKernelOps = 2;
  unsigned compared = 0;
  for (const char *text : {kDistances, kTwoMatmuls, kAttention}) {
    const KernelGraph reference = parse(text);
    auto function = *module->getOps<func::FuncOp>().begin();
    Block &body = function.getBody().front();
    const SearchResult result = run(reference);
    for (const SearchCandidate &candidate : result.candidates) {
      while (!body.empty())
        body.back().erase();
      OpBuilder builder = OpBuilder::atBlockEnd(&body);
      func::ReturnOp::create(builder, function.getLoc(),
                             exportKernelGraph(candidate.graph, builder,
                                               function.getLoc(),
                                               body.getArguments()));
      auto kernels = function.getOps<kernel::GraphDefinedOp>();
      auto kernel = kernels.begin();
      for (const KernelNode &node : candidate.graph.nodes) {
        if (!node.graph)
          continue;
        std::vector<KernelTensor> inputs;
        for (unsigned operand : node.operands)
          inputs.push_back(candidate.graph.tensors[operand]);
        EXPECT_EQ(getSharedBytes(*node.graph, inputs),
                  getSharedBytes((*kernel++).getBlockGraph()))
            << getText(candidate.graph);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500u);
}

// A split's partial results stand side by side along any dimension, also where
// the grid cuts the split's role behind it.
TEST_F(SearchTest, SplitsAndCutsOneRole) {
  options.keep = 2000;
  options.maxKernelOps = 3;
  options.stabilityFactor = 0;
  options.leastGain = 10;
  const SearchResult result = run(parse(R"(
func.func @f(%x: tensor<1x1024x1024xf16>, %y: tensor<1x1024x16xf16>) -> tensor<1x1024x16xf16> {
  %a = mirage_kernel.matmul %x, %y : (tensor<1x1024x1024xf16>, tensor<1x1024x16xf16>) -> tensor<1x1024x16xf16>
  %b = mirage_kernel.relu %a : (tensor<1x1024x16xf16>) -> tensor<1x1024x16xf16>
  %c = mirage_kernel.matmul %x, %b : (tensor<1x1024x1024xf16>, tensor<1x1024x16xf16>) -> tensor<1x1024x16xf16>
  %d = mirage_kernel.relu %c : (tensor<1x1024x16xf16>) -> tensor<1x1024x16xf16>
  return %d : tensor<1x1024x16xf16>
})"));
  EXPECT_TRUE(
      llvm::any_of(result.candidates, [](const SearchCandidate &candidate) {
        return llvm::any_of(candidate.graph.nodes, [](const KernelNode &node) {
          return node.graph &&
                 llvm::any_of(node.graph->nodes, [](const BlockNode &saver) {
                   return saver.kind == BlockNode::Kind::OutputSaver &&
                          saver.map.size() >= 2 && saver.map.front() == 1 &&
                          saver.map.back() == 0;
                 });
        });
      }));
}

TEST_F(SearchTest, ExpressionsForgetPositionsButNothingIsLost) {
  // A B and B A have one expression, and so have their differences. More
  // kernels make it worth while to run all in one block.
  std::string kernels;
  for (int i = 1; i <= 12; ++i)
    kernels += "%r" + std::to_string(i) + " = mirage_kernel.relu " +
               (i == 1 ? "%c" : "%r" + std::to_string(i - 1)) +
               " : (tensor<64x64xf16>) -> tensor<64x64xf16>\n";
  options.maxFreeOps = 12;
  for (const char *difference : {"%ab, %ba", "%ba, %ab"}) {
    options.maxBlockOps = 3;
    SearchResult result = run(
        parse(std::string(R"(
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %ab = mirage_kernel.matmul %a, %b : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %ba = mirage_kernel.matmul %b, %a : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %c = mirage_kernel.sub )") +
              difference +
              R"( : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
)" + kernels + "return %r12 : tensor<64x64xf16> }"));
    EXPECT_EQ(result.candidates.size(), 1u) << difference;
  }
}

TEST_F(SearchTest, ArgumentsThatNothingUses) {
  SearchResult result = run(parse(R"(
func.func @f(%x: tensor<512x1024xf16>, %unused: tensor<4096x8192xf16>) -> tensor<512x1024xf16> {
  %e = mirage_kernel.exp %x : (tensor<512x1024xf16>) -> tensor<512x1024xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<512x1024xf32>) -> tensor<512x1xf32>
  %r = mirage_kernel.div %e, %s : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1024xf16>
  return %r : tensor<512x1024xf16>
})"));
  ASSERT_EQ(result.candidates.size(), 1u);
  EXPECT_EQ(result.candidates[0].graph.nodes.back().operands.size(), 1u);
}

TEST_F(SearchTest, RejectsGraphDefinedOperators) {
  KernelGraph reference = parse(kTwoMatmuls);
  KernelGraph found = run(reference).candidates.at(0).graph;
  llvm::Expected<SearchResult> result = search(found, options);
  ASSERT_FALSE(static_cast<bool>(result));
  EXPECT_THAT(llvm::toString(result.takeError()),
              testing::HasSubstr("graph-defined operators already"));
}

TEST_F(SearchTest, ReportsProgress) {
  int64_t last = 0;
  options.progress = [&](const SearchStatistics &statistics) {
    EXPECT_GE(statistics.placementsDone, last);
    last = statistics.placementsDone;
  };
  SearchResult result = run(parse(kTwoMatmuls));
  EXPECT_GT(last, 0);
  EXPECT_EQ(last, result.statistics.placementsDone);
}

TEST_F(SearchTest, ProgressOfPartsNeverGetsWorse) {
  KernelGraph program = parse(kTwoNorms);
  // 0: nothing found so far.
  std::vector<double> best = {0};
  SearchStatistics last;
  options.progress = [&](const SearchStatistics &now) {
    EXPECT_GE(now.placementsDone, last.placementsDone);
    EXPECT_GE(now.states, last.states);
    EXPECT_GE(now.seconds, last.seconds);
    if (last.bestNanoseconds > 0)
      EXPECT_GT(now.bestNanoseconds, 0);
    if (now.bestNanoseconds != best.back())
      best.push_back(now.bestNanoseconds);
    last = now;
  };
  SearchResult result = run(program);
  EXPECT_EQ(result.parts, 2u);
  EXPECT_TRUE(result.statistics.exhausted);
  ASSERT_EQ(result.candidates.size(), 1u);
  EXPECT_EQ(result.candidates[0].graph.getNumKernels(), 2u);
  // One step for each part at least, down to what is returned.
  ASSERT_GE(best.size(), 3u);
  EXPECT_LT(best[1], result.referenceCost.nanoseconds);
  EXPECT_TRUE(std::is_sorted(best.begin() + 1, best.end(), std::greater<>()));
  EXPECT_NEAR(best.back(), result.candidates[0].cost.nanoseconds, 1e-3);
}

} // namespace
