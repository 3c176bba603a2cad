//===- LinalgReferenceTest.cpp - Linalg programs in f64 -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/LinalgReference.h"
#include "Mirage/Numbers/Float16.h"
#include "TestUtils.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace mirage;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class LinalgReferenceTest : public RuntimeTest {
protected:
  llvm::Expected<std::vector<Array>> evaluate(const std::string &text,
                                              llvm::ArrayRef<Array> inputs) {
    auto module = parse(text);
    if (!module)
      return llvm::createStringError("no module");
    return evaluateLinalgF64(*module->getOps<mlir::func::FuncOp>().begin(),
                             inputs);
  }
};

TEST_F(LinalgReferenceTest, Matmul) {
  auto results = evaluate(
      R"(
func.func @exp(%a: tensor<2x3xf16>, %b: tensor<3x2xf16>) -> tensor<2x2xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = linalg.matmul ins(%a, %b : tensor<2x3xf16>, tensor<3x2xf16>) outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
  %half = tensor.empty() : tensor<2x2xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<2x2xf32>) outs(%half : tensor<2x2xf16>) {
    ^bb0(%x: f32, %o: f16):
      %h = arith.truncf %x : f32 to f16
      linalg.yield %h : f16
  } -> tensor<2x2xf16>
  return %r : tensor<2x2xf16>
})",
      {makeArray({2, 3}, ElementType::F16, {1, 2, 3, 4, 5, 6}),
       makeArray({3, 2}, ElementType::F64, {1, 10, 2, 20, 3, 30.0001})});
  ASSERT_TRUE(bool(results)) << getMessage(results.takeError()) << diagnostics;
  ASSERT_EQ(results->size(), 1u);
  EXPECT_EQ((*results)[0].type, ElementType::F64);
  // Exactly what f64 gives: nothing is rounded to f16 or f32.
  EXPECT_THAT(
      getValues((*results)[0]),
      ElementsAre(14, 10 + 40 + 3 * 30.0001, 32, 40 + 100 + 6 * 30.0001));
}

TEST_F(LinalgReferenceTest, RmsNorm) {
  auto results =
      evaluate(R"(
func.func @norm(%x: tensor<2x4xf16>) -> tensor<2x4xf16> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2xf32>) -> tensor<2xf32>
  %ss = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x4xf16>) outs(%init : tensor<2xf32>) {
    ^bb0(%a: f16, %acc: f32):
      %e = arith.extf %a : f16 to f32
      %q = arith.mulf %e, %e : f32
      %r = arith.addf %acc, %q : f32
      linalg.yield %r : f32
  } -> tensor<2xf32>
  %s1 = tensor.expand_shape %ss [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
  %e1 = tensor.empty() : tensor<2x4xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s1 : tensor<2x4xf16>, tensor<2x1xf32>) outs(%e1 : tensor<2x4xf16>) {
    ^bb0(%a: f16, %s: f32, %o: f16):
      %e = arith.extf %a : f16 to f32
      %n = arith.constant 4.0 : f32
      %eps = arith.constant 1.000000e-05 : f32
      %mean = arith.divf %s, %n : f32
      %t = arith.addf %mean, %eps : f32
      %i = math.rsqrt %t : f32
      %f = arith.mulf %e, %i : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
  } -> tensor<2x4xf16>
  return %y : tensor<2x4xf16>
})",
               {makeArray({2, 4}, ElementType::F16, {1, 2, 3, 4, 0, 0, 0, 1})});
  ASSERT_TRUE(bool(results)) << getMessage(results.takeError()) << diagnostics;
  // eps is the f32 that the program names.
  double eps = 1e-5f;
  for (int j = 0; j < 4; ++j) {
    EXPECT_DOUBLE_EQ((*results)[0].get(j), (j + 1) / std::sqrt(30 / 4.0 + eps));
    EXPECT_DOUBLE_EQ((*results)[0].get(4 + j),
                     (j == 3) / std::sqrt(0.25 + eps));
  }
}

TEST_F(LinalgReferenceTest, BatchMatmulTransposeAndExp) {
  auto results =
      evaluate(R"(
func.func @f(%a: tensor<2x1x2xbf16>, %b: tensor<2x3x2xbf16>) -> (tensor<2x1x3xf32>, tensor<2x2x3xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x2x3xbf16>
  %t = linalg.transpose ins(%b : tensor<2x3x2xbf16>) outs(%e0 : tensor<2x2x3xbf16>) permutation = [0, 2, 1]
  %e1 = tensor.empty() : tensor<2x1x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  %c = linalg.batch_matmul ins(%a, %t : tensor<2x1x2xbf16>, tensor<2x2x3xbf16>) outs(%init : tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  %e2 = tensor.empty() : tensor<2x1x3xf32>
  %x = linalg.exp ins(%c : tensor<2x1x3xf32>) outs(%e2 : tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  return %x, %t : tensor<2x1x3xf32>, tensor<2x2x3xbf16>
})",
               {makeArray({2, 1, 2}, ElementType::BF16, {1, 2, 3, 4}),
                makeArray({2, 3, 2}, ElementType::BF16,
                          {0, 1, 2, 3, 4, 5, -1, 1, 0, 0, 1, -1})});
  ASSERT_TRUE(bool(results)) << getMessage(results.takeError()) << diagnostics;
  ASSERT_EQ(results->size(), 2u);
  EXPECT_THAT(getValues((*results)[0]),
              ElementsAre(std::exp(2.0), std::exp(8.0), std::exp(14.0),
                          std::exp(1.0), 1, std::exp(-1.0)));
  EXPECT_THAT(getValues((*results)[1]),
              ElementsAre(0, 2, 4, 1, 3, 5, -1, 0, 1, 1, 0, -1));
}

TEST_F(LinalgReferenceTest, DenseConstantsAndReturnedArguments) {
  auto results = evaluate(R"(
func.func @f(%a: tensor<3xf16>) -> (tensor<3xf16>, tensor<3xf16>) {
  %c = arith.constant dense<[1.0, 0.1, 3.0]> : tensor<3xf16>
  %s = arith.constant dense<0.5> : tensor<3xf16>
  %e = tensor.empty() : tensor<3xf16>
  %r = linalg.add ins(%c, %s : tensor<3xf16>, tensor<3xf16>) outs(%e : tensor<3xf16>) -> tensor<3xf16>
  return %a, %r : tensor<3xf16>, tensor<3xf16>
})",
                          {makeArray({3}, ElementType::F64, {0.1, 0.2, 0.3})});
  ASSERT_TRUE(bool(results)) << getMessage(results.takeError()) << diagnostics;
  EXPECT_THAT(getValues((*results)[0]), ElementsAre(0.1, 0.2, 0.3));
  EXPECT_THAT(getValues((*results)[1]),
              ElementsAre(1.5, halfToFloat(doubleToHalf(0.1)) + 0.5, 3.5));
}

TEST_F(LinalgReferenceTest, RejectsWhatItCantEvaluate) {
  auto expectError = [&](const std::string &text, llvm::ArrayRef<Array> inputs,
                         const std::string &message) {
    diagnostics.clear();
    auto results = evaluate(text, inputs);
    ASSERT_FALSE(bool(results));
    EXPECT_THAT(getMessage(results.takeError()) + "\n" + diagnostics,
                HasSubstr(message));
  };
  const std::string identity = "func.func @f(%a: tensor<3xf16>) -> "
                               "tensor<3xf16> { return %a : tensor<3xf16> }";
  expectError(identity, {}, "'f' takes 1 arrays, found 0");
  expectError(identity, {makeArray({4}, ElementType::F16)},
              "argument 0 of 'f': the shape of 4xf16 doesn't fit");
  expectError("func.func @f(%a: tensor<?xf16>) -> tensor<?xf16> { return %a : "
              "tensor<?xf16> }",
              {makeArray({4}, ElementType::F16)},
              "'tensor<?xf16>' in its signature, expected tensors of floats");
  expectError("func.func @f(%a: tensor<3xi32>) -> tensor<3xi32> { return %a : "
              "tensor<3xi32> }",
              {makeArray({3}, ElementType::F16)},
              "'tensor<3xi32>' in its signature");
  expectError(R"(
func.func @f(%a: tensor<3xf32>) -> tensor<3xf32> {
  %b = arith.bitcast %a : tensor<3xf32> to tensor<3xi32>
  %c = arith.bitcast %b : tensor<3xi32> to tensor<3xf32>
  return %c : tensor<3xf32>
})",
              {makeArray({3}, ElementType::F32)},
              "'arith.bitcast' op can't be evaluated in f64");
}

} // namespace
