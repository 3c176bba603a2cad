//===- FoldedFunctionsTest.cpp - Elementwise functions in one piece -------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldedFunctions.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "Program.h"
#include "SearchFixture.h"

using namespace mirage;

namespace {

using FoldedFunctionsTest = SearchFixture;

/// Whoever doesn't ask for safe exponentials has no unsafe ones.
llvm::BitVector findNone(const KernelGraph &program) {
  return llvm::BitVector(program.nodes.size());
}

constexpr const char *kPolynomial = R"(
func.func @f(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %three = mirage.constant 3.0 : tensor<f32>
  %a = mirage_kernel.matmul %x, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
  %s = mirage_kernel.sqr %a : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = mirage_kernel.add %s, %three : (tensor<16x32xf32>, tensor<f32>) -> tensor<16x32xf32>
  %g = mirage_kernel.mul %a, %t : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf16>
  return %g : tensor<16x32xf16>
})";

TEST_F(FoldedFunctionsTest, AFunctionIsOneOperator) {
  KernelGraph program = parse(kPolynomial);
  FoldedFunctions folded(program, FoldedFunctions::Kind::OfOne, 11, findNone);
  ASSERT_FALSE(folded.isEmpty());
  // The product and the function; the constant is only its.
  ASSERT_EQ(folded.getProgram().nodes.size(), 2u);
  EXPECT_TRUE(folded.getProgram().nodes[1].op->isOpaque());
  EXPECT_EQ(getCanonicalText(folded.unfold(folded.getProgram())),
            getCanonicalText(program));
}

/// One of its operators counts.
TEST_F(FoldedFunctionsTest, AFunctionKeepsTheLimitOfOperators) {
  KernelGraph program = parse(kPolynomial);
  using Kind = FoldedFunctions::Kind;
  EXPECT_FALSE(FoldedFunctions(program, Kind::OfOne, 1, findNone).isEmpty());
  EXPECT_TRUE(FoldedFunctions(program, Kind::OfOne, 0, findNone).isEmpty());
}

/// What no output is computed from goes, also behind a function's result.
TEST_F(FoldedFunctionsTest, UnusedOperatorsGo) {
  KernelGraph program = parse(R"(
func.func @f(%unused: tensor<7xf32>, %x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %a = mirage_kernel.matmul %x, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
  %s = mirage_kernel.sqr %a : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = mirage_kernel.exp %s : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %u = mirage_kernel.relu %t : (tensor<16x32xf32>) -> tensor<16x32xf16>
  %dead = mirage_kernel.relu %s : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %more = mirage_kernel.sum %dead dim 1 : (tensor<16x32xf32>) -> tensor<16x1xf32>
  return %u : tensor<16x32xf16>
})");
  FoldedFunctions folded(program, FoldedFunctions::Kind::OfOne, 11, findNone);
  ASSERT_FALSE(folded.isEmpty());
  ASSERT_EQ(folded.getProgram().nodes.size(), 2u);
  EXPECT_EQ(getCanonicalText(folded.unfold(folded.getProgram())),
            getCanonicalText(program));
}

TEST_F(FoldedFunctionsTest, DefinitionsAreKnown) {
  KernelGraph program = parse(kPolynomial);
  FoldedFunctions folded(program, FoldedFunctions::Kind::OfOne, 11, findNone);
  RealNumbers numbers;
  std::vector<Tensor> inputs;
  for (unsigned i = 0; i < program.numInputs; ++i)
    inputs.push_back(numbers.random(program.tensors[i].shape, /*seed=*/1, i));
  Tensor expected = evaluate(program, numbers, inputs)[0],
         actual = evaluate(folded.getProgram(), numbers, inputs)[0];
  EXPECT_FALSE(numbers.findDifference(expected, actual));
  // As much is computed, in fewer kernels.
  const KernelNode &function = folded.getProgram().nodes[1];
  Shape shape{16, 32};
  EXPECT_EQ(function.op->getCost({shape}, shape, function.params).scalarFlops,
            3 * 16 * 32);
}

// The same function twice, once with an intermediate value that is rounded.
TEST_F(FoldedFunctionsTest, IntermediateValuesKeepTheirTypes) {
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<8x8xf16>, %y: tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
  %a = mirage_kernel.exp %x : (tensor<8x8xf16>) -> tensor<8x8xf32>
  %b = mirage_kernel.sqr %a : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = mirage_kernel.relu %b : (tensor<8x8xf32>) -> tensor<8x8xf16>
  %d = mirage_kernel.exp %y : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %e = mirage_kernel.sqr %d : (tensor<8x8xf16>) -> tensor<8x8xf32>
  %g = mirage_kernel.relu %e : (tensor<8x8xf32>) -> tensor<8x8xf16>
  return %c, %g : tensor<8x8xf16>, tensor<8x8xf16>
})");
  FoldedFunctions folded(program, FoldedFunctions::Kind::OfOne, 11, findNone);
  ASSERT_EQ(folded.getProgram().nodes.size(), 2u);
  EXPECT_EQ(getCanonicalText(folded.unfold(folded.getProgram())),
            getCanonicalText(program));
}

TEST_F(FoldedFunctionsTest, OthersStay) {
  // Too short; of two tensors; of which more than the end is used.
  for (const char *text : {
           R"(
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %a = mirage_kernel.exp %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = mirage_kernel.relu %a : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %b : tensor<8x8xf32>
})",
           R"(
func.func @f(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %a = mirage_kernel.exp %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = mirage_kernel.mul %a, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = mirage_kernel.relu %b : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
})",
           R"(
func.func @f(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %a = mirage_kernel.exp %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = mirage_kernel.mul %a, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = mirage_kernel.relu %b : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %b, %c : tensor<8x8xf32>, tensor<8x8xf32>
})"})
    EXPECT_TRUE(
        FoldedFunctions(parse(text), FoldedFunctions::Kind::OfOne, 11, findNone)
            .isEmpty());
}

/// What overflows, and could be made safe, isn't taken in one piece; another
/// exponential is.
TEST_F(FoldedFunctionsTest, UnsafeExponentialsStay) {
  KernelGraph softmax = parse(R"(
func.func @f(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %two = mirage.constant 2.0 : tensor<f32>
  %a = mirage_kernel.mul %x, %two : (tensor<8x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %b = mirage_kernel.sub %a, %two : (tensor<8x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %c = mirage_kernel.exp %b : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %s = mirage_kernel.sum %c dim 1 : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %y = mirage_kernel.div %c, %s : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
})");
  KernelGraph sigmoid = parse(R"(
func.func @f(%x: tensor<8x64xf32>) -> tensor<8x1xf32> {
  %one = mirage.constant 1.0 : tensor<f32>
  %a = mirage_kernel.exp %x : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %b = mirage_kernel.add %a, %one : (tensor<8x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %c = mirage_kernel.div %a, %b : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %s = mirage_kernel.sum %c dim 1 : (tensor<8x64xf32>) -> tensor<8x1xf32>
  return %s : tensor<8x1xf32>
})");
  constexpr auto kOfOne = FoldedFunctions::Kind::OfOne;
  auto find = [&](const KernelGraph &program) {
    return findUnsafeExponentials(program, options);
  };
  EXPECT_TRUE(FoldedFunctions(softmax, kOfOne, 11, find).isEmpty());
  EXPECT_FALSE(FoldedFunctions(softmax, kOfOne, 11, findNone).isEmpty());
  EXPECT_FALSE(FoldedFunctions(sigmoid, kOfOne, 11, find).isEmpty());
  options.safeExponentials = false;
  EXPECT_FALSE(FoldedFunctions(softmax, kOfOne, 11, find).isEmpty());
}

constexpr FoldedFunctions::Kind kOfSeveral = FoldedFunctions::Kind::OfSeveral;

/// How many opaque operators stand in the folded program.
size_t countFunctions(const FoldedFunctions &folded) {
  return llvm::count_if(folded.getProgram().nodes, [](const KernelNode &node) {
    return node.op && node.op->isOpaque();
  });
}

// Queries rotated by their positions: two functions of four inputs each, of
// which some broadcast.
constexpr const char *kRotated = R"(
func.func @f(%a: tensor<4x8x16xf16>, %b: tensor<4x8x16xf16>, %c: tensor<8x16xf16>, %s: tensor<8x16xf16>, %k: tensor<4x16x32xf16>, %l: tensor<4x16x32xf16>) -> tensor<4x8x32xf32> {
  %0 = mirage_kernel.mul %a, %c : (tensor<4x8x16xf16>, tensor<8x16xf16>) -> tensor<4x8x16xf16>
  %1 = mirage_kernel.mul %b, %s : (tensor<4x8x16xf16>, tensor<8x16xf16>) -> tensor<4x8x16xf16>
  %2 = mirage_kernel.sub %0, %1 : (tensor<4x8x16xf16>, tensor<4x8x16xf16>) -> tensor<4x8x16xf16>
  %3 = mirage_kernel.mul %b, %c : (tensor<4x8x16xf16>, tensor<8x16xf16>) -> tensor<4x8x16xf16>
  %4 = mirage_kernel.mul %a, %s : (tensor<4x8x16xf16>, tensor<8x16xf16>) -> tensor<4x8x16xf16>
  %5 = mirage_kernel.add %3, %4 : (tensor<4x8x16xf16>, tensor<4x8x16xf16>) -> tensor<4x8x16xf16>
  %6 = mirage_kernel.concat_matmul %2, %5, %k, %l : (tensor<4x8x16xf16>, tensor<4x8x16xf16>, tensor<4x16x32xf16>, tensor<4x16x32xf16>) -> tensor<4x8x32xf32>
  return %6 : tensor<4x8x32xf32>
})";

TEST_F(FoldedFunctionsTest, WhatBeginsTheProgramIsOneOperator) {
  KernelGraph program = parse(kRotated);
  EXPECT_TRUE(
      FoldedFunctions(program, FoldedFunctions::Kind::OfOne, 11, findNone)
          .isEmpty());
  FoldedFunctions folded(program, kOfSeveral, 11, findNone);
  EXPECT_TRUE(folded.hasKind());
  // They have three operators.
  EXPECT_FALSE(FoldedFunctions(program, kOfSeveral, 2, findNone).hasKind());
  ASSERT_EQ(folded.getProgram().nodes.size(), 3u);
  EXPECT_EQ(folded.getProgram().nodes[0].operands.size(), 4u);
  EXPECT_EQ(countFunctions(folded), 2u);
  EXPECT_EQ(getCanonicalText(folded.unfold(folded.getProgram())),
            getCanonicalText(program));
  RealNumbers numbers;
  std::vector<Tensor> inputs;
  for (unsigned i = 0; i < program.numInputs; ++i)
    inputs.push_back(numbers.random(program.tensors[i].shape, /*seed=*/1, i));
  EXPECT_FALSE(numbers.findDifference(
      evaluate(program, numbers, inputs)[0],
      evaluate(folded.getProgram(), numbers, inputs)[0]));
}

/// Queries of heads that come behind their positions, as a projection makes
/// them: what is transposed is an input as well.
TEST_F(FoldedFunctionsTest, FunctionsOfTransposedInputsBeginTheProgram) {
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<8x4x16xf16>, %y: tensor<8x4x16xf16>, %c: tensor<8x16xf16>, %s: tensor<8x16xf16>, %k: tensor<4x16x32xf16>) -> tensor<4x8x32xf32> {
  %a = mirage_kernel.transpose %x permutation [1, 0, 2] : (tensor<8x4x16xf16>) -> tensor<4x8x16xf16>
  %b = mirage_kernel.transpose %y permutation [1, 0, 2] : (tensor<8x4x16xf16>) -> tensor<4x8x16xf16>
  %0 = mirage_kernel.mul %a, %c : (tensor<4x8x16xf16>, tensor<8x16xf16>) -> tensor<4x8x16xf16>
  %1 = mirage_kernel.mul %b, %s : (tensor<4x8x16xf16>, tensor<8x16xf16>) -> tensor<4x8x16xf16>
  %2 = mirage_kernel.sub %0, %1 : (tensor<4x8x16xf16>, tensor<4x8x16xf16>) -> tensor<4x8x16xf16>
  %3 = mirage_kernel.matmul %2, %k : (tensor<4x8x16xf16>, tensor<4x16x32xf16>) -> tensor<4x8x32xf32>
  return %3 : tensor<4x8x32xf32>
})");
  FoldedFunctions folded(program, kOfSeveral, 11, findNone);
  EXPECT_EQ(countFunctions(folded), 1u);
  EXPECT_EQ(folded.getProgram().nodes.size(), 4u);
  EXPECT_EQ(getCanonicalText(folded.unfold(folded.getProgram())),
            getCanonicalText(program));
}

// Both are found in the block graph of one kernel, and unfolded there.
TEST_F(FoldedFunctionsTest, BlocksComputeFunctionsOfSeveralTensors) {
  KernelGraph program = parse(kRotated);
  SearchResult result = run(program);
  EXPECT_TRUE(result.statistics.exhausted);
  ASSERT_EQ(result.candidates.size(), 1u);
  const KernelGraph &best = result.candidates[0].graph;
  EXPECT_EQ(best.getNumKernels(), 1u);
  EXPECT_EQ(result.candidates[0].verdict.verdict, Verdict::Proved);
  for (const KernelNode &node : best.nodes)
    if (node.graph)
      for (const BlockNode &inner : node.graph->nodes)
        EXPECT_FALSE(inner.op && inner.op->isOpaque());
}

// The state of an LSTM, which is an output, and what is computed from it.
TEST_F(FoldedFunctionsTest, WhatEndsTheProgramIsOneOperator) {
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<8x16xf16>, %w: tensor<16x32xf16>, %u: tensor<16x32xf16>, %v: tensor<16x32xf16>, %c: tensor<8x32xf16>) -> (tensor<8x32xf16>, tensor<8x32xf16>) {
  %f = mirage_kernel.matmul %x, %w : (tensor<8x16xf16>, tensor<16x32xf16>) -> tensor<8x32xf16>
  %i = mirage_kernel.matmul %x, %u : (tensor<8x16xf16>, tensor<16x32xf16>) -> tensor<8x32xf16>
  %o = mirage_kernel.matmul %x, %v : (tensor<8x16xf16>, tensor<16x32xf16>) -> tensor<8x32xf16>
  %0 = mirage_kernel.mul %f, %c : (tensor<8x32xf16>, tensor<8x32xf16>) -> tensor<8x32xf16>
  %1 = mirage_kernel.silu %i : (tensor<8x32xf16>) -> tensor<8x32xf16>
  %2 = mirage_kernel.mul %1, %o : (tensor<8x32xf16>, tensor<8x32xf16>) -> tensor<8x32xf16>
  %3 = mirage_kernel.add %0, %2 : (tensor<8x32xf16>, tensor<8x32xf16>) -> tensor<8x32xf16>
  %4 = mirage_kernel.silu %3 : (tensor<8x32xf16>) -> tensor<8x32xf16>
  %5 = mirage_kernel.mul %4, %o : (tensor<8x32xf16>, tensor<8x32xf16>) -> tensor<8x32xf16>
  return %3, %5 : tensor<8x32xf16>, tensor<8x32xf16>
})");
  FoldedFunctions folded(program, kOfSeveral, 11, findNone);
  // Three products, the state, and what is too short to be folded.
  EXPECT_EQ(countFunctions(folded), 1u);
  EXPECT_EQ(folded.getProgram().nodes.size(), 6u);
  EXPECT_EQ(getCanonicalText(folded.unfold(folded.getProgram())),
            getCanonicalText(program));
}

/// Where what the exponentials of a softmax are relative to cancels is no part
/// of a function, or of sums; a gate behind it is.
TEST_F(FoldedFunctionsTest, QuotientsOfUnsafeExponentialsStay) {
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<8x64xf32>, %g: tensor<8x64xf32>, %r: tensor<8x64xf32>, %b: tensor<64xf32>) -> tensor<8x64xf32> {
  %e = mirage_kernel.exp %x : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %t = mirage_kernel.add %e, %s : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %p = mirage_kernel.div %t, %s : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %q = mirage_kernel.mul %p, %g : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %u = mirage_kernel.add %q, %r : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %v = mirage_kernel.mul %u, %b : (tensor<8x64xf32>, tensor<64xf32>) -> tensor<8x64xf32>
  return %v : tensor<8x64xf32>
})");
  auto find = [&](const KernelGraph &graph) {
    return findUnsafeExponentials(graph, options);
  };
  auto count = [](const KernelGraph &graph, llvm::StringRef name) {
    return llvm::count_if(graph.nodes, [&](const KernelNode &node) {
      return node.op && node.op->getName() == name;
    });
  };
  FoldedFunctions folded(program, kOfSeveral, 11, find);
  EXPECT_EQ(countFunctions(folded), 1u);
  EXPECT_EQ(count(folded.getProgram(), "add"), 1);
  EXPECT_EQ(count(folded.getProgram(), "div"), 1);
  EXPECT_EQ(count(folded.getProgram(), "mul"), 0);
  FoldedFunctions sums(program, FoldedFunctions::Kind::Sums, 11, find);
  EXPECT_EQ(count(sums.getProgram(), "add"), 1);
  // Safe as they are, all of it is one function.
  FoldedFunctions unchanged(program, kOfSeveral, 11, findNone);
  EXPECT_EQ(count(unchanged.getProgram(), "div"), 0);
}

/// The difference from the mean, and the sum of two results; not that of which
/// the exponential is taken.
TEST_F(FoldedFunctionsTest, SumsAreOneOperatorEach) {
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<16x64xf16>, %m: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %s = mirage_kernel.sum %x dim 1 : (tensor<16x64xf16>) -> tensor<16x1xf32>
  %c = mirage_kernel.sub %x, %s : (tensor<16x64xf16>, tensor<16x1xf32>) -> tensor<16x64xf32>
  %q = mirage_kernel.sqr %c : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %y = mirage_kernel.add %x, %m : (tensor<16x64xf16>, tensor<16x64xf16>) -> tensor<16x64xf32>
  %two = mirage.constant 2.0 : tensor<f32>
  %z = mirage_kernel.mul %y, %two : (tensor<16x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  %e = mirage_kernel.exp %z : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %r = mirage_kernel.add %q, %e : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf16>
  %p = mirage_kernel.matmul %r, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  return %p : tensor<16x32xf16>
})");
  FoldedFunctions folded(program, FoldedFunctions::Kind::Sums, 11, findNone);
  EXPECT_TRUE(folded.hasKind());
  EXPECT_EQ(llvm::count_if(folded.getProgram().nodes,
                           [](const KernelNode &node) {
                             return node.op && node.op->isOpaque();
                           }),
            2);
  EXPECT_EQ(llvm::count_if(folded.getProgram().nodes,
                           [](const KernelNode &node) {
                             return node.op && node.op->getName() == "add";
                           }),
            1);
  EXPECT_EQ(getCanonicalText(folded.unfold(folded.getProgram())),
            getCanonicalText(program));
}

/// Parts of a program with functions in one piece are searched in this way,
/// too.
TEST_F(FoldedFunctionsTest, SumsOfAFoldedProgram) {
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>, %b: tensor<32xf16>, %v: tensor<32x32xf16>) -> tensor<16x32xf16> {
  %a = mirage_kernel.matmul %x, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
  %c = mirage_kernel.add %a, %b : (tensor<16x32xf32>, tensor<32xf16>) -> tensor<16x32xf32>
  %s = mirage_kernel.sqr %c : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = mirage_kernel.add %c, %s : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  %g = mirage_kernel.mul %c, %t : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf16>
  %p = mirage_kernel.matmul %g, %v : (tensor<16x32xf16>, tensor<32x32xf16>) -> tensor<16x32xf16>
  return %p : tensor<16x32xf16>
})");
  FoldedFunctions functions(program, FoldedFunctions::Kind::OfOne, 11,
                            findNone);
  ASSERT_TRUE(functions.hasKind());
  const KernelGraph &folded = functions.getProgram();
  FoldedFunctions sums(folded, FoldedFunctions::Kind::Sums, 11, findNone);
  ASSERT_TRUE(sums.hasKind());
  EXPECT_EQ(sums.getProgram().nodes.size(), 4u);
  const KernelGraph unfolded = sums.unfold(sums.getProgram());
  EXPECT_EQ(getCanonicalText(unfolded), getCanonicalText(folded));
  EXPECT_EQ(getCanonicalText(functions.unfold(unfolded)),
            getCanonicalText(program));
}

/// A sum in a function of one tensor is a part of that, and no other is left.
TEST_F(FoldedFunctionsTest, FunctionsComeBeforeSums) {
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>, %b: tensor<32xf16>) -> tensor<16x32xf16> {
  %a = mirage_kernel.matmul %x, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
  %s = mirage_kernel.sqr %a : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = mirage_kernel.add %a, %s : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  %g = mirage_kernel.mul %a, %t : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf16>
  return %g : tensor<16x32xf16>
})");
  FoldedFunctions folded(program, FoldedFunctions::Kind::Sums, 11, findNone);
  EXPECT_EQ(folded.getProgram().nodes.size(), 2u);
  EXPECT_FALSE(folded.hasKind());
}

TEST_F(FoldedFunctionsTest, OthersOfSeveralStay) {
  // Between products; of inputs, with an exponential; too few of several
  // tensors.
  for (const char *text : {
           R"(
func.func @f(%x: tensor<8x8xf16>, %w: tensor<8x8xf16>, %a: tensor<8x8xf16>, %b: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %1 = mirage_kernel.mul %0, %a : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %2 = mirage_kernel.add %1, %b : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %3 = mirage_kernel.mul %2, %x : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %4 = mirage_kernel.matmul %3, %w : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  return %4 : tensor<8x8xf16>
})",
           R"(
func.func @f(%x: tensor<8x8xf16>, %w: tensor<8x8xf16>, %a: tensor<8x8xf16>, %b: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %0 = mirage_kernel.mul %x, %a : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %1 = mirage_kernel.add %0, %b : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %2 = mirage_kernel.exp %1 : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %3 = mirage_kernel.mul %2, %a : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %4 = mirage_kernel.matmul %3, %w : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  return %4 : tensor<8x8xf16>
})",
           R"(
func.func @f(%x: tensor<8x8xf16>, %y: tensor<8x8xf16>, %z: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %0 = mirage_kernel.mul %x, %y : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %1 = mirage_kernel.silu %0 : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %2 = mirage_kernel.mul %1, %z : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  return %2 : tensor<8x8xf16>
})"})
    EXPECT_FALSE(
        FoldedFunctions(parse(text), kOfSeveral, 11, findNone).hasKind());
}

} // namespace
