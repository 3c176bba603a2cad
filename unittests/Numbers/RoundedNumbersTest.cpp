//===- RoundedNumbersTest.cpp - Rounding against LLVM's -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/RoundedNumbers.h"
#include "Mirage/Numbers/Random.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using llvm::APFloat;

namespace {

/// What LLVM's own arithmetic rounds a float to.
float roundWithLLVM(float value, const llvm::fltSemantics &format) {
  APFloat number(value);
  bool losesInfo;
  number.convert(format, APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToFloat();
}

void expectRounded(float value, const llvm::fltSemantics &format) {
  float expected = roundWithLLVM(value, format);
  float actual = roundToFormat(value, format);
  if (std::isnan(expected))
    ASSERT_TRUE(std::isnan(actual)) << llvm::bit_cast<uint32_t>(value);
  else
    ASSERT_EQ(llvm::bit_cast<uint32_t>(actual),
              llvm::bit_cast<uint32_t>(expected))
        << value;
}

Tensor makeTensor(const Shape &shape, std::vector<float> values) {
  Tensor tensor = RoundedNumbers().zeros(shape);
  std::copy(values.begin(), values.end(), tensor.planes[0].as<float>());
  return tensor;
}

std::vector<float> getValues(const Tensor &tensor) {
  const float *begin = tensor.planes[0].as<float>();
  return std::vector<float>(begin, begin + tensor.getNumElements());
}

TEST(RoundedNumbers, FormatsHoldTheirOwnNumbers) {
  for (const llvm::fltSemantics *format :
       {&APFloat::IEEEhalf(), &APFloat::BFloat()})
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      APFloat number(*format, llvm::APInt(16, bits));
      float value = number.convertToFloat();
      if (number.isNaN())
        ASSERT_TRUE(std::isnan(roundToFormat(value, *format))) << bits;
      else
        ASSERT_EQ(llvm::bit_cast<uint32_t>(roundToFormat(value, *format)),
                  llvm::bit_cast<uint32_t>(value))
            << bits;
      // A little more and less, and half-way to the next one.
      auto word = llvm::bit_cast<uint32_t>(value);
      uint32_t half = format == &APFloat::IEEEhalf() ? 0x1000 : 0x8000;
      for (uint32_t near :
           {word + 1, word - 1, word + half - 1, word + half, word + half + 1})
        expectRounded(llvm::bit_cast<float>(near), *format);
    }
}

TEST(RoundedNumbers, RandomFloatsRoundAsInLLVM) {
  for (const llvm::fltSemantics *format :
       {&APFloat::IEEEhalf(), &APFloat::BFloat(), &APFloat::IEEEsingle(),
        &APFloat::Float8E5M2()})
    for (uint64_t i = 0; i < 200000; ++i) {
      auto bits = static_cast<uint32_t>(randomWord(1, 0, i));
      // Most floats are out of f16's range: half of them get into it.
      if (i % 2)
        bits = (bits & 0x807fffff) | (96 + bits % 48) << 23;
      expectRounded(llvm::bit_cast<float>(bits), *format);
    }
}

TEST(RoundedNumbers, StoreOverflowsToInfinity) {
  RoundedNumbers numbers;
  Tensor value = makeTensor({5}, {65519, 65520, -1e5, 0x1p-24f, 0x1p-25f});
  numbers.store(value, APFloat::IEEEhalf());
  EXPECT_EQ(getValues(value),
            (std::vector<float>{65504, INFINITY, -INFINITY, 0x1p-24f, 0}));
}

TEST(RoundedNumbers, SumsRoundAfterEachTerm) {
  RoundedNumbers numbers;
  // In order each 1 is lost; in f64, or from the other end, none is.
  Tensor terms = makeTensor({1, 4}, {0x1p25f, 1, 1, 1});
  EXPECT_EQ(getValues(numbers.sum(terms, 1)), std::vector<float>{0x1p25f});
  Tensor reversed = makeTensor({1, 4}, {1, 1, 1, 0x1p25f});
  EXPECT_EQ(getValues(numbers.sum(reversed, 1)),
            std::vector<float>{0x1p25f + 4});
  Tensor ones = makeTensor({4, 1}, {1, 1, 1, 1});
  EXPECT_EQ(getValues(numbers.matmul(terms, ones)),
            std::vector<float>{0x1p25f});
}

TEST(RoundedNumbers, ProductsRoundBeforeTheyAreAdded) {
  RoundedNumbers numbers;
  // (1 + e)^2 - (1 + 2e) is e^2 exactly, and 0 when the product is rounded.
  float x = 1 + 0x1p-12f;
  Tensor lhs = makeTensor({1, 2}, {-(x * x), x});
  Tensor rhs = makeTensor({2, 1}, {1, x});
  EXPECT_EQ(getValues(numbers.matmul(lhs, rhs)), std::vector<float>{0});
}

TEST(RoundedNumbers, SpecialFunctions) {
  RoundedNumbers numbers;
  Tensor x = makeTensor({4}, {0, 1, 89, -110});
  std::vector<float> powers = getValues(numbers.exp(x));
  EXPECT_EQ(powers[0], 1);
  EXPECT_FLOAT_EQ(powers[1], std::exp(1.0f));
  EXPECT_EQ(powers[2], INFINITY);
  EXPECT_EQ(powers[3], 0);
  // The product in the exponent is rounded: its error grows with the exponent.
  float large = getValues(numbers.exp(makeTensor({1}, {80.1f})))[0];
  double exact = std::exp(static_cast<double>(80.1f));
  EXPECT_GT(std::abs(large - exact) / exact, 1e-7);
  EXPECT_LT(std::abs(large - exact) / exact, 1e-5);
  Tensor positive = makeTensor({2}, {2, -1});
  EXPECT_EQ(getValues(numbers.sqrt(positive))[0], std::sqrt(2.0f));
  EXPECT_TRUE(std::isnan(getValues(numbers.sqrt(positive))[1]));
  EXPECT_FLOAT_EQ(getValues(numbers.log(positive))[0], std::log(2.0f));
  EXPECT_FLOAT_EQ(getValues(numbers.erf(positive))[0], std::erf(2.0f));
}

TEST(RoundedNumbers, MaximumKeepsNaN) {
  RoundedNumbers numbers;
  Tensor x = makeTensor({2, 2}, {1, 3, NAN, 2});
  std::vector<float> rows = getValues(numbers.maximum(x, 1));
  EXPECT_EQ(rows[0], 3);
  EXPECT_TRUE(std::isnan(rows[1]));
  std::vector<float> columns = getValues(numbers.maximum(x, 0));
  EXPECT_TRUE(std::isnan(columns[0]));
  EXPECT_EQ(columns[1], 3);
}

TEST(RoundedNumbers, DifferencesAreOfBits) {
  RoundedNumbers numbers;
  Tensor x = makeTensor({3}, {0, NAN, 1});
  Tensor y = makeTensor({3}, {-0.0f, NAN, 1 + 0x1p-23f});
  EXPECT_EQ(numbers.findDifference(x, y), 2);
  EXPECT_EQ(numbers.findDifference(x, x), std::nullopt);
}

} // namespace
