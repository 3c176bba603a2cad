//===- IndexTest.cpp - Symbolic indices -----------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Prove/Index.h"
#include "gtest/gtest.h"

using namespace mirage::prove;

namespace {

Index var(Var name, int64_t extent) { return Index::fromVar(name, extent); }

TEST(Index, SplitsAndJoinsADimension) {
  // 24 = 2 x 3 x 4
  Index i = var(1, 24);
  auto outer = Index::divide(i, 12);
  ASSERT_TRUE(outer);
  auto inner = Index::divide(outer->remainder, 4);
  ASSERT_TRUE(inner);
  EXPECT_TRUE(inner->byDivisibility);
  EXPECT_EQ(outer->quotient.getMax(), 1);
  EXPECT_EQ(inner->quotient.getMax(), 2);
  EXPECT_EQ(inner->remainder.getMax(), 3);
  Index joined = *Index::add(
      *Index::mul(outer->quotient, 12),
      *Index::add(*Index::mul(inner->quotient, 4), inner->remainder));
  EXPECT_EQ(joined, i);
}

TEST(Index, DividesWhatHasBeenPutTogether) {
  Index block = var(1, 8), local = var(2, 16);
  Index position = *Index::add(*Index::mul(block, 16), local);
  auto parts = Index::divide(position, 16);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->quotient, block);
  EXPECT_EQ(parts->remainder, local);
}

TEST(Index, RefusesUnevenSplits) {
  EXPECT_FALSE(Index::divide(var(1, 10), 4));
  EXPECT_FALSE(Index::divide(*Index::mul(var(1, 8), 3), 4));
  // Two digits that together reach beyond the divisor.
  Index sum = *Index::add(var(1, 4), var(2, 4));
  EXPECT_FALSE(Index::divide(sum, 4));
}

TEST(Index, ConstantRemaindersAreComparisons) {
  Index shifted = *Index::add(*Index::mul(var(1, 4), 8), Index(3));
  auto parts = Index::divide(shifted, 8);
  ASSERT_TRUE(parts);
  EXPECT_FALSE(parts->byDivisibility);
  EXPECT_EQ(parts->remainder, Index(3));
  // 3 + 2 v reaches 9.
  Index overlapping = *Index::add(*Index::mul(var(1, 4), 2), Index(3));
  EXPECT_FALSE(Index::divide(overlapping, 8));
}

TEST(Index, ReportsOverflow) {
  Index large = *Index::mul(var(1, 4), int64_t(1) << 62);
  EXPECT_FALSE(Index::mul(large, 4));
  EXPECT_FALSE(Index::add(Index(INT64_MAX), Index(1)));
  // 3 * 2^62 and its negative.
  Index negative = *Index::mul(large, -1);
  EXPECT_EQ(large.getMin(), 0);
  EXPECT_FALSE(large.getMax());
  EXPECT_FALSE(negative.getMin());
  EXPECT_EQ(negative.getMax(), 0);
}

/// Every value of every division agrees with integer division.
TEST(Index, AgreesWithIntegers) {
  for (int64_t a : {1, 2, 3, 4, 6}) {
    for (int64_t b : {1, 2, 3, 4}) {
      for (int64_t divisor = 1; divisor <= 24; ++divisor) {
        Index index = *Index::add(*Index::mul(var(1, a), b), var(2, b));
        auto parts = Index::divide(index, divisor);
        if (!parts)
          continue;
        for (int64_t x = 0; x < a; ++x) {
          for (int64_t y = 0; y < b; ++y) {
            auto evaluate = [&](const Index &i) {
              int64_t value = i.getConstant();
              for (const Digit &d : i.getDigits())
                value +=
                    d.coefficient * (((d.var == 1 ? x : y) / d.div) % d.extent);
              return value;
            };
            int64_t value = x * b + y;
            EXPECT_EQ(evaluate(index), value);
            EXPECT_EQ(evaluate(parts->quotient), value / divisor);
            EXPECT_EQ(evaluate(parts->remainder), value % divisor);
          }
        }
      }
    }
  }
}

} // namespace
