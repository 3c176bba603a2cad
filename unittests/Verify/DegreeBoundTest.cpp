//===- DegreeBoundTest.cpp - Bounds of benchmark programs -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DegreeBound.h"
#include "VerifyTest.h"
#include <cmath>

using namespace mirage;

namespace {

KernelGraph makeMatmul(int64_t n) {
  return makeProgram({{n, n}, {n, n}},
                     [](Program &p) { return p.apply("matmul", {0, 1}); });
}

KernelGraph makeRMSNorm(int64_t rows, int64_t n, int64_t columns) {
  return makeProgram({{rows, n}, {n}, {n, columns}}, [&](Program &p) {
    unsigned sum = p.apply("sum", {p.apply("sqr", {0})}, {1});
    unsigned mean = p.apply("div", {sum, p.constant(n)});
    unsigned shifted = p.apply("add", {mean, p.constant(1e-5)});
    unsigned normal = p.apply("div", {0, p.apply("sqrt", {shifted})});
    return p.apply("matmul", {p.apply("mul", {normal, 1}), 2});
  });
}

KernelGraph makeGatedMLP(int64_t rows, int64_t n, int64_t columns) {
  return makeProgram({{rows, n}, {n, columns}, {n, columns}}, [](Program &p) {
    unsigned gate = p.apply("silu", {p.apply("matmul", {0, 1})});
    return p.apply("mul", {gate, p.apply("matmul", {0, 2})});
  });
}

KernelGraph makeLoRA(int64_t rows, int64_t n, int64_t rank) {
  return makeProgram({{rows, n}, {n, n}, {n, rank}, {rank, n}}, [](Program &p) {
    unsigned low = p.apply("matmul", {0, 2});
    return p.apply("add",
                   {p.apply("matmul", {0, 1}), p.apply("matmul", {low, 3})});
  });
}

KernelGraph makeAttention(int64_t queries, int64_t keys, int64_t size) {
  return makeProgram({{queries, size}, {size, keys}, {keys, size}},
                     [](Program &p) {
                       unsigned e = p.apply("exp", {p.apply("matmul", {0, 1})});
                       unsigned sum = p.apply("sum", {e}, {1});
                       return p.apply("matmul", {p.apply("div", {e, sum}), 2});
                     });
}

ElementForm getForm(const KernelGraph &graph) {
  return getOutputForms(graph)->front();
}

TEST(DegreeBoundTest, Matmul) {
  ElementForm form = getForm(makeMatmul(64));
  EXPECT_EQ(form.numeratorDegree, 2);
  EXPECT_EQ(form.denominatorDegree, 0);
  EXPECT_EQ(form.numeratorHeight, 6);
  EXPECT_EQ(form.roots, 0);
  EXPECT_EQ(form.arguments, 0);
  EXPECT_FALSE(form.exponentials);
}

// The root of a row is one for all terms of a sum over the row.
TEST(DegreeBoundTest, RMSNorm) {
  ElementForm form = getForm(makeRMSNorm(16, 4096, 6144));
  // The root y of a quadratic form counts 1. x g w / y
  EXPECT_EQ(form.numeratorDegree, 3);
  EXPECT_EQ(form.denominatorDegree, 1);
  EXPECT_EQ(form.roots, 1);
}

TEST(DegreeBoundTest, SumsOverDivisors) {
  // The sum of x_i / y_i over n: numerators get the other n - 1 divisors.
  KernelGraph graph = makeProgram({{10}, {10}}, [](Program &p) {
    return p.apply("sum", {p.apply("div", {0, 1})}, {0});
  });
  ElementForm form = getForm(graph);
  EXPECT_EQ(form.numeratorDegree, 10);
  EXPECT_EQ(form.denominatorDegree, 10);
  // One divisor for all.
  graph = makeProgram({{10}, {1}}, [](Program &p) {
    return p.apply("sum", {p.apply("div", {0, 1})}, {0});
  });
  form = getForm(graph);
  EXPECT_EQ(form.numeratorDegree, 1);
  EXPECT_EQ(form.denominatorDegree, 1);
  // Through a broadcast and a reshape, which have no loops.
  graph = makeProgram({{4, 6}, {4, 1}}, [](Program &p) {
    unsigned y = p.apply("broadcast", {1}, {4, 6});
    unsigned q = p.apply("div", {p.apply("exp", {0}), y});
    return p.apply("sum", {q}, {1});
  });
  EXPECT_EQ(getForm(graph).denominatorDegree, 1);
}

TEST(DegreeBoundTest, SumsOfQuotients) {
  // a / b + c / d, and a / b + c / b
  auto sum = [](unsigned second) {
    return makeProgram({{1}, {1}, {1}, {1}}, [=](Program &p) {
      return p.apply("add",
                     {p.apply("div", {0, 1}), p.apply("div", {2, second})});
    });
  };
  EXPECT_EQ(getForm(sum(3)).numeratorDegree, 2);
  EXPECT_EQ(getForm(sum(3)).denominatorDegree, 2);
  EXPECT_EQ(getForm(sum(1)).numeratorDegree, 1);
  EXPECT_EQ(getForm(sum(1)).denominatorDegree, 1);
}

TEST(DegreeBoundTest, Constants) {
  // x / 8 + 5 * 2^-4: one integer polynomial over 2^7.
  KernelGraph graph = makeProgram({{1}}, [](Program &p) {
    unsigned x = p.apply("mul", {0, p.constant(0.125)});
    return p.apply("add", {x, p.constant(5.0 / 16)});
  });
  ElementForm form = getForm(graph);
  EXPECT_NEAR(form.numeratorHeight, std::log2(2 + 5), 1e-9);
  EXPECT_EQ(form.denominatorHeight, 4);
}

TEST(DegreeBoundTest, FunctionsAndExponentials) {
  ElementForm form = getForm(makeGatedMLP(8, 64, 32));
  EXPECT_EQ(form.arguments, 1);
  EXPECT_EQ(form.argumentDegree, 2);
  EXPECT_EQ(form.numeratorDegree, 1 + 2);
  form = getForm(makeAttention(4, 64, 16));
  EXPECT_TRUE(form.exponentials);
  EXPECT_EQ(form.exponentDegree, 2);
  EXPECT_EQ(form.logDenominatorTerms, 6);
  EXPECT_EQ(form.logNumeratorTerms, 6);
  EXPECT_EQ(form.numeratorDegree, 1);
  // A maximum has as many arguments as it has elements.
  form = getForm(makeProgram(
      {{4, 32}}, [](Program &p) { return p.apply("reduce_max", {0}, {1}); }));
  EXPECT_EQ(form.arguments, 32);
}

//===----------------------------------------------------------------------===//
// The table of docs/Verification.md
//===----------------------------------------------------------------------===//

/// log2 of the bound of a program with itself, at two trials.
std::optional<double> getBound(const KernelGraph &graph, unsigned redrawn = 0) {
  TrialFacts facts;
  facts.trials = facts.comparisons = 2;
  facts.exponents = graph.usesExponentiation();
  facts.redrawn = redrawn;
  return computeErrorBound(graph, graph, facts).log2Bound;
}

TEST(DegreeBoundTest, Table) {
  auto expectBound = [](const KernelGraph &graph, double bound,
                        unsigned redrawn = 0) {
    auto found = getBound(graph, redrawn);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(*found, bound, 0.05);
  };
  expectBound(makeMatmul(4096), -58);
  expectBound(makeLoRA(16, 4096, 16), -56.8);
  expectBound(makeGatedMLP(8, 4096, 4096), -53.1);
  expectBound(makeRMSNorm(16, 4096, 6144), -38.0, /*redrawn=*/1);
  expectBound(makeAttention(1, 2, 64), -0.9);
  EXPECT_EQ(getBound(makeAttention(16, 1024, 64)), std::nullopt);
}

TEST(DegreeBoundTest, VacuousOnes) {
  TrialFacts facts;
  facts.trials = facts.comparisons = 2;
  KernelGraph attention = makeAttention(16, 1024, 64);
  facts.exponents = true;
  EXPECT_EQ(computeErrorBound(attention, attention, facts).note,
            "vacuous: Theorem 2 of the paper");
  facts.exponents = false;
  facts.redrawn = std::nullopt;
  KernelGraph matmul = makeMatmul(8);
  EXPECT_EQ(computeErrorBound(matmul, matmul, facts).log2Bound, std::nullopt);
  // One comparison in many trials says less than one in one.
  facts = {1, 1};
  double one = *computeErrorBound(matmul, matmul, facts).log2Bound;
  facts = {64, 1};
  EXPECT_NEAR(*computeErrorBound(matmul, matmul, facts).log2Bound, one + 6,
              1e-9);
}

// A graph-defined kernel has the degrees of what it computes.
TEST(DegreeBoundTest, GraphDefinedKernels) {
  // A matrix product in 2 x 2 blocks, the depth in 4 iterations.
  auto block = std::make_shared<BlockGraph>();
  block->grid = {2, 2};
  block->iterations = 4;
  auto addNode = [&](BlockNode::Kind kind) -> BlockNode & {
    block->nodes.emplace_back();
    block->nodes.back().kind = kind;
    return block->nodes.back();
  };
  BlockNode &x = addNode(BlockNode::Kind::InputIterator);
  x.inLoop = true;
  x.operands = {0};
  x.map = {0, -1};
  x.fmap = 1;
  x.shape = {4, 2};
  BlockNode &y = addNode(BlockNode::Kind::InputIterator);
  y.inLoop = true;
  y.operands = {1};
  y.map = {-1, 1};
  y.fmap = 0;
  y.shape = {2, 4};
  BlockNode &product = addNode(BlockNode::Kind::Operator);
  product.inLoop = true;
  product.op = &getOperator("matmul");
  product.operands = {0, 1};
  product.shape = {4, 4};
  BlockNode &total = addNode(BlockNode::Kind::Accumulator);
  total.operands = {2};
  total.shape = {4, 4};
  BlockNode &saver = addNode(BlockNode::Kind::OutputSaver);
  saver.operands = {3};
  saver.map = {0, 1};
  saver.shape = {8, 8};
  KernelGraph graph = makeMatmul(8);
  graph.nodes[0].op = nullptr;
  graph.nodes[0].kind = KernelNode::Kind::GraphDefined;
  graph.nodes[0].graph = block;
  ElementForm form = getForm(graph);
  EXPECT_EQ(form.numeratorDegree, 2);
  EXPECT_EQ(form.numeratorHeight, 3);
  RandomTestResult result = compare(makeMatmul(8), graph);
  EXPECT_EQ(result.verdict, Verdict::Accepted);
  EXPECT_LT(*result.log2Bound, -50);
}

} // namespace
