//===- EvaluationCostTest.cpp - What tests may take -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EvaluationCost.h"
#include "Mirage/Operators/Elementwise.h"
#include "Mirage/Verify/Equivalence.h"
#include "RealTest.h"
#include "VerifyTest.h"

using namespace mirage;

namespace {

/// x W, through relu, with `factor` before or behind it.
KernelGraph makeLayer(int64_t rows, int64_t depth, int64_t columns,
                      bool before) {
  return makeProgram({{rows, depth}, {depth, columns}}, [&](Program &p) {
    unsigned product = p.apply("matmul", {0, 1}), factor = p.constant(3);
    return before ? p.apply("relu", {p.apply("mul", {product, factor})})
                  : p.apply("mul", {p.apply("relu", {product}), factor});
  });
}

TEST(EvaluationCostTest, CountsWhatIsAliveOnly) {
  constexpr int64_t n = 1024;
  KernelGraph graph = makeProgram({{n, n}}, [](Program &p) {
    unsigned x = 0;
    for (int i = 0; i < 10; ++i)
      x = p.apply("matmul", {x, 0});
    return x;
  });
  EXPECT_EQ(countInputElements(graph), n * n);
  EXPECT_EQ(countOutputElements(graph), n * n);
  // The input, an operand, a result and what a product might copy; not ten.
  EXPECT_GE(getPeakElements(graph), 3 * n * n);
  EXPECT_LE(getPeakElements(graph), 7 * n * n);
  EXPECT_EQ(getWork(graph), 10 * (2.0 * n * n * n + n * n));
}

TEST(EvaluationCostTest, ElementwiseOperatorsNeedNoSecondTensor) {
  constexpr int64_t n = 1 << 24;
  KernelGraph graph =
      makeProgram({{n}}, [](Program &p) { return p.apply("silu", {0}); });
  // The input, the output, and the output once more when it is returned.
  EXPECT_GE(getPeakElements(graph), 3 * n);
  EXPECT_LE(getPeakElements(graph),
            3 * n + 32 * ElementwiseOperator::kMostAtOnce);
}

TEST(EvaluationCostTest, ConvolutionsGatherTheirOperands) {
  KernelGraph graph =
      makeProgram({{1, 32, 32, 8}, {3, 3, 8, 1}}, [](Program &p) {
        return p.apply("conv_2d", {0, 1}, {1, 1, 0, 0, 0, 0});
      });
  // 9 elements of 8 channels for each of 30 x 30 results.
  EXPECT_GE(getPeakElements(graph), 30 * 30 * 72);
}

TEST(EvaluationCostTest, CountsTilesOfABlock) {
  BlockGraph block;
  block.grid = {4};
  BlockNode load, saver;
  load.kind = BlockNode::Kind::InputIterator;
  load.operands = {0};
  load.map = {0};
  load.shape = {1000};
  saver.kind = BlockNode::Kind::OutputSaver;
  saver.operands = {0};
  saver.map = {0};
  saver.shape = {4000};
  block.nodes = {load, saver};
  KernelGraph graph;
  graph.numInputs = 1;
  graph.tensors = {{{4000}, {}}, {{4000}, {}}};
  graph.outputs = {1};
  KernelNode node;
  node.kind = KernelNode::Kind::GraphDefined;
  node.graph = std::make_shared<BlockGraph>(block);
  node.operands = {0};
  node.results = {1};
  graph.nodes = {node};
  EXPECT_GE(getPeakElements(graph), 8000 + 1000);
  // Four blocks load a tile each, and what they write is written once.
  EXPECT_EQ(getWork(graph), 8000);
}

TEST(EvaluationCostTest, TestsThatDontFitAreUnknown) {
  auto product = [](Program &p) { return p.apply("matmul", {0, 1}); };
  KernelGraph graph = makeProgram({{64, 64}, {64, 64}}, product);
  RandomTestOptions options;
  options.maxBytes = 100 << 10;
  RandomTestResult result = compare(graph, graph, options);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_EQ(result.trials, 0u);
  EXPECT_NE(result.reason.find("of memory"), std::string::npos)
      << result.reason;
  options.maxBytes = 1 << 20;
  EXPECT_EQ(compare(graph, graph, options).verdict, Verdict::Accepted);
}

// The field needs 5 bytes for an element, and f64 with its error 17.
TEST(EvaluationCostTest, TheRealsMustFitWhereTheyDecide) {
  KernelGraph graph = makeLayer(64, 64, 64, true);
  RandomTestOptions options;
  options.maxBytes = 2 << 20;
  EXPECT_FALSE(RealTest::canEvaluate(graph, graph, options.maxBytes));
  RandomTestResult result = compare(graph, graph, options);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_EQ(result.trials, 0u);
  EXPECT_NE(result.reason.find("too large for f64"), std::string::npos)
      << result.reason;
  options.checkReals = false;
  EXPECT_EQ(compare(graph, graph, options).verdict, Verdict::Accepted);
  options.checkReals = true;
  options.maxBytes = 16 << 20;
  EXPECT_EQ(compare(graph, graph, options).verdict, Verdict::Accepted);
}

// What is kept from one candidate to the next changes no verdict.
TEST(EvaluationCostTest, VerdictsDontDependOnCaches) {
  KernelGraph reference = makeLayer(16, 8, 16, true),
              other = makeLayer(16, 8, 16, false);
  RandomTestOptions large, small;
  small.maxBytes = 160 << 10;
  large.trials = small.trials = 4;
  RandomTester first(reference, large), second(reference, small);
  for (const KernelGraph *candidate : {&reference, &other, &reference}) {
    RandomTestResult expected = first.test(*candidate),
                     found = second.test(*candidate);
    EXPECT_EQ(found.verdict, expected.verdict) << found.reason;
    EXPECT_EQ(found.primes, expected.primes);
    EXPECT_EQ(found.reason, expected.reason);
  }
}

// Neither normal forms nor the field know that relu(3 x) = 3 relu(x).
TEST(EvaluationCostTest, TheSolverComesFirstWhereATestTakesLonger) {
  auto check = [](int64_t rows, int64_t depth, int64_t columns) {
    KernelGraph reference = makeLayer(rows, depth, columns, true);
    return EquivalenceChecker(reference, {})
        .check(makeLayer(rows, depth, columns, false));
  };
  EquivalenceResult quick = check(8, 16, 8);
  EXPECT_EQ(quick.verdict, Verdict::Proved) << quick.reason;
  EXPECT_TRUE(quick.bySolver);
  EXPECT_TRUE(quick.random);
  EquivalenceResult slow = check(2048, 1024, 2048);
  EXPECT_EQ(slow.verdict, Verdict::Proved) << slow.reason;
  EXPECT_TRUE(slow.bySolver);
  EXPECT_FALSE(slow.random);
}

} // namespace
