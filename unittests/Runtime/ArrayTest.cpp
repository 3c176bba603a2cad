//===- ArrayTest.cpp - Arrays, 16-bit floats, random fill -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Array.h"
#include "Mirage/Numbers/Float16.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace mirage;
using llvm::APFloat;

namespace {

uint16_t roundByAPFloat(APFloat value, const llvm::fltSemantics &semantics) {
  bool losesInfo;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

TEST(Float16, WidensEveryHalfAndBFloatAsAPFloatDoes) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    for (bool half : {true, false}) {
      const llvm::fltSemantics &semantics =
          half ? APFloat::IEEEhalf() : APFloat::BFloat();
      APFloat expected(semantics, llvm::APInt(16, bits));
      float actual = half ? halfToFloat(bits) : bfloatToFloat(bits);
      if (expected.isNaN()) {
        EXPECT_TRUE(std::isnan(actual)) << bits;
        continue;
      }
      bool losesInfo;
      expected.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                       &losesInfo);
      EXPECT_TRUE(APFloat(actual).bitwiseIsEqual(expected)) << bits;
      // What came from 16 bits goes back to them.
      EXPECT_EQ(half ? floatToHalf(actual) : floatToBFloat(actual), bits);
    }
  }
}

TEST(Float16, RoundsAsAPFloatDoes) {
  // Every value half way between two neighbours, a little less, and a little
  // more; all magnitudes of f32.
  for (unsigned bits = 0; bits < 0x10000; ++bits)
    for (uint32_t low : {0x0000u, 0x0001u, 0x0fffu, 0x1000u, 0x1001u, 0x7fffu,
                         0x8000u, 0x8001u, 0xf000u}) {
      uint32_t word = bits << 16 | low;
      float value;
      std::memcpy(&value, &word, sizeof value);
      if (std::isnan(value))
        continue;
      EXPECT_EQ(floatToHalf(value),
                roundByAPFloat(APFloat(value), APFloat::IEEEhalf()))
          << value;
      EXPECT_EQ(floatToBFloat(value),
                roundByAPFloat(APFloat(value), APFloat::BFloat()))
          << value;
    }
}

TEST(Float16, RoundsDoublesOnce) {
  // Just above half way between 1 and the next half: rounding to f32 first
  // would give a tie, and 1.
  double value = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(doubleToHalf(value), 0x3c01);
  EXPECT_EQ(doubleToBFloat(1 + 0x1p-8 + 0x1p-40), 0x3f81);
  EXPECT_EQ(doubleToHalf(65520), 0x7c00);
  EXPECT_EQ(doubleToHalf(-1e300), 0xfc00);
  EXPECT_EQ(doubleToHalf(0x1p-25), 0);
  EXPECT_EQ(doubleToHalf(0x1.8p-25), 1);
  EXPECT_EQ(doubleToHalf(-5e-324), 0x8000);
  EXPECT_TRUE(std::isnan(halfToFloat(doubleToHalf(std::nan("")))));
}

TEST(Array, ConvertsElements) {
  Array array({2, 2}, ElementType::F64);
  array.set(0, 0.1);
  array.set(3, -3);
  for (ElementType type :
       {ElementType::F16, ElementType::BF16, ElementType::F32}) {
    Array converted = array.convertTo(type);
    EXPECT_EQ(converted.bytes.size(), 4 * getElementSize(type));
    EXPECT_NEAR(converted.get(0), 0.1, type == ElementType::F32 ? 1e-8 : 1e-3);
    EXPECT_NE(converted.get(0), 0.1);
    EXPECT_EQ(converted.get(1), 0);
    EXPECT_EQ(converted.get(3), -3);
  }
  EXPECT_EQ(describeArray(array.shape, array.type), "2x2xf64");
  EXPECT_EQ(Array({}, ElementType::F16).getNumElements(), 1);
}

TEST(FillUniform, IsTheSameEverywhere) {
  // Pinned: results that people report by seed must not change.
  Array array({4}, ElementType::F64);
  fillUniform(array, /*seed=*/1, /*index=*/0);
  double first = array.get(0);
  EXPECT_EQ(first, -0x1.586d9399bde4ap-1);
  Array again({4}, ElementType::F64), other({4}, ElementType::F64),
      seed({4}, ElementType::F64);
  fillUniform(again, 1, 0);
  fillUniform(other, 1, 1);
  fillUniform(seed, 2, 0);
  EXPECT_EQ(array.bytes, again.bytes);
  EXPECT_NE(array.bytes, other.bytes);
  EXPECT_NE(array.bytes, seed.bytes);
}

TEST(FillUniform, CoversTheInterval) {
  Array array({100, 100}, ElementType::F16);
  fillUniform(array, 7, 3);
  double sum = 0, squares = 0, least = 1, most = -1;
  for (int i = 0; i < 10000; ++i) {
    double value = array.get(i);
    sum += value;
    squares += value * value;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  EXPECT_NEAR(sum / 10000, 0, 0.03);
  EXPECT_NEAR(squares / 10000, 1.0 / 3, 0.02);
  EXPECT_LT(least, -0.99);
  EXPECT_GT(most, 0.99);
  EXPECT_GE(least, -1);
  EXPECT_LE(most, 1);
}

} // namespace
