//===- ValuesTest.cpp - Values that are known -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/RealNumbers.h"
#include "Mirage/Operators/Operator.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace mirage;
using testing::ElementsAre;

namespace {

Tensor make(Shape shape, llvm::ArrayRef<double> values) {
  Tensor tensor = RealNumbers().zeros(shape);
  EXPECT_EQ(tensor.getNumElements(), static_cast<int64_t>(values.size()));
  llvm::copy(values, tensor.planes[0].as<double>());
  return tensor;
}

/// 1, 2, ..
Tensor count(Shape shape) {
  std::vector<double> values(getNumElements(shape));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i + 1;
  return make(shape, values);
}

std::vector<double> evaluate(llvm::StringRef name,
                             llvm::ArrayRef<Tensor> operands,
                             const Params &params, Shape shape) {
  llvm::SmallVector<const Tensor *> pointers;
  for (const Tensor &operand : operands)
    pointers.push_back(&operand);
  Tensor result = getOperator(name).evaluate(RealNumbers(), pointers, params);
  EXPECT_EQ(result.shape, shape);
  const double *values = result.planes[0].as<double>();
  return {values, values + result.getNumElements()};
}

int64_t bits(double value) { return llvm::bit_cast<int64_t>(value); }

TEST(OperatorValues, Convolution) {
  // 1 2 3    1 2
  // 4 5 6    3 4
  // 7 8 9
  Tensor image = count({1, 3, 3, 1}), filter = count({2, 2, 1, 1});
  EXPECT_THAT(
      evaluate("conv_2d", {image, filter}, {1, 1, 0, 0, 0, 0}, {1, 2, 2, 1}),
      ElementsAre(37, 47, 67, 77));
  // With zeros above and on the left.
  EXPECT_THAT(
      evaluate("conv_2d", {image, filter}, {2, 2, 1, 0, 1, 0}, {1, 2, 2, 1}),
      ElementsAre(4, 18, 36, 77));
  // And below and on the right; strides differ.
  EXPECT_THAT(
      evaluate("conv_2d", {image, filter}, {3, 2, 0, 1, 0, 2}, {1, 1, 2, 1}),
      ElementsAre(37, 21));
}

// Channels are summed up, filters and images are not.
TEST(OperatorValues, ConvolutionOfChannels) {
  Tensor images = count({2, 1, 1, 2});
  Tensor filter = count({1, 1, 2, 3});
  EXPECT_THAT(
      evaluate("conv_2d", {images, filter}, {1, 1, 0, 0, 0, 0}, {2, 1, 1, 3}),
      ElementsAre(9, 12, 15, 19, 26, 33));
}

// 1 2   and   1 2   5 6
// 3 4         3 4   7 8
TEST(OperatorValues, MatmulOfARepeatedOperand) {
  Tensor one = count({1, 2, 2}), two = count({2, 2, 2});
  EXPECT_THAT(evaluate("matmul", {one, two}, {}, {2, 2, 2}),
              ElementsAre(7, 10, 15, 22, 19, 22, 43, 50));
  EXPECT_THAT(evaluate("matmul", {two, one}, {}, {2, 2, 2}),
              ElementsAre(7, 10, 15, 22, 23, 34, 31, 46));
}

TEST(OperatorValues, ConcatMatmul) {
  EXPECT_THAT(evaluate("concat_matmul",
                       {count({1, 2}), count({1, 1}), count({2, 2}),
                        make({1, 2}, {10, 20})},
                       {}, {1, 2}),
              ElementsAre(17, 30));
}

TEST(OperatorValues, Reductions) {
  Tensor x = count({2, 4});
  EXPECT_THAT(evaluate("sum", {x}, {1}, {2, 1}), ElementsAre(10, 26));
  EXPECT_THAT(evaluate("sum", {x}, {1, 2}, {2, 2}), ElementsAre(3, 7, 11, 15));
  EXPECT_THAT(evaluate("sum", {x}, {0, 2}, {1, 4}), ElementsAre(6, 8, 10, 12));
  EXPECT_THAT(evaluate("reduce_max", {x}, {0}, {1, 4}),
              ElementsAre(5, 6, 7, 8));
  EXPECT_THAT(evaluate("reduce_max", {make({3}, {-3, -1, -2})}, {0}, {1}),
              ElementsAre(-1));
}

TEST(OperatorValues, DataMovements) {
  Tensor x = count({2, 3});
  EXPECT_THAT(evaluate("transpose", {x}, {1, 0}, {3, 2}),
              ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(evaluate("reshape", {x}, {3, 2}, {3, 2}),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(evaluate("broadcast", {count({2, 1})}, {2, 2}, {2, 2}),
              ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(evaluate("repeat", {count({2, 2})}, {1, 2}, {2, 4}),
              ElementsAre(1, 2, 1, 2, 3, 4, 3, 4));
  EXPECT_THAT(evaluate("repeat", {count({1, 2})}, {0, 2}, {2, 2}),
              ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(evaluate("concat", {count({2, 1}), make({2, 2}, {5, 6, 7, 8})},
                       {1}, {2, 3}),
              ElementsAre(1, 5, 6, 2, 7, 8));
  EXPECT_THAT(evaluate("slice", {x}, {1, 1, 2}, {2, 2}),
              ElementsAre(2, 3, 5, 6));
  EXPECT_THAT(evaluate("slice", {x}, {0, 1, 1}, {1, 3}), ElementsAre(4, 5, 6));
}

TEST(OperatorValues, Comparisons) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_THAT(evaluate("greater",
                       {make({5}, {1, 2, 3, -inf, 1e-300}),
                        make({5}, {2, 2, -3, 5, 0})},
                       {}, {5}),
              ElementsAre(0, 0, 1, 0, 1));
  // Whatever the value is where the condition doesn't hold.
  EXPECT_THAT(evaluate("where",
                       {make({5}, {1, 0, -1, 1e-300, -inf}),
                        make({5}, {7, inf, std::nan(""), -inf, -inf})},
                       {}, {5}),
              ElementsAre(7, 0, 0, -inf, 0));
}

TEST(OperatorValues, Functions) {
  auto at = [](llvm::StringRef name, double x, const Params &params = {}) {
    return evaluate(name, {make({}, {x})}, params, {})[0];
  };
  EXPECT_DOUBLE_EQ(at("tanh", 0.5), std::tanh(0.5));
  EXPECT_DOUBLE_EQ(at("gelu", 2), 1 + std::erf(std::sqrt(2.0)));
  EXPECT_DOUBLE_EQ(at("sigmoid", 3), 1 / (1 + std::exp(-3)));
  EXPECT_DOUBLE_EQ(at("silu", 3), 3 / (1 + std::exp(-3)));
  EXPECT_DOUBLE_EQ(at("rsqrt", 4), 0.5);
  EXPECT_DOUBLE_EQ(at("relu", -4), 0);
  EXPECT_DOUBLE_EQ(at("clamp", 7, {bits(-1), bits(2)}), 2);
  EXPECT_DOUBLE_EQ(at("clamp", 0, {bits(2), bits(1)}), 1);
  EXPECT_DOUBLE_EQ(at("pow", 3, {bits(4)}), 81);
  EXPECT_DOUBLE_EQ(at("pow", -3, {bits(3)}), -27);
  EXPECT_DOUBLE_EQ(at("pow", 4, {bits(-1.5)}), 0.125);
  EXPECT_DOUBLE_EQ(at("pow", 2, {bits(17)}), std::pow(2, 17));
  EXPECT_DOUBLE_EQ(at("pow", 2, {bits(0.3)}), std::pow(2, 0.3));
}

} // namespace
