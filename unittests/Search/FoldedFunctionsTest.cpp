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
#include "SearchFixture.h"

using namespace mirage;

namespace {

using FoldedFunctionsTest = SearchFixture;

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
  FoldedFunctions folded(program);
  ASSERT_FALSE(folded.isEmpty());
  // The product and the function; the constant is only its.
  ASSERT_EQ(folded.getProgram().nodes.size(), 2u);
  EXPECT_TRUE(folded.getProgram().nodes[1].op->isOpaque());
  EXPECT_EQ(getCanonicalText(folded.unfold(folded.getProgram())),
            getCanonicalText(program));
}

TEST_F(FoldedFunctionsTest, DefinitionsAreKnown) {
  KernelGraph program = parse(kPolynomial);
  FoldedFunctions folded(program);
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
  FoldedFunctions folded(program);
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
    EXPECT_TRUE(FoldedFunctions(parse(text)).isEmpty());
}

} // namespace
