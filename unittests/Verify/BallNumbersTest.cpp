//===- BallNumbersTest.cpp - Reals with error bounds ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/BallNumbers.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "VerifyTest.h"
#include <cmath>

using namespace mirage;

namespace {

using Doubles = BallNumbers<double>;
using LongDoubles = BallNumbers<long double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Ball {
  double value, error;
  bool undefined;
};

Ball get(const Tensor &tensor, int64_t i = 0) {
  return {tensor.planes[0].as<double>()[i], tensor.planes[1].as<double>()[i],
          !tensor.undefined.empty() && tensor.undefined[i] != 0};
}

/// A number known up to `error`.
Tensor makeBall(double value, double error) {
  Tensor result = Doubles(1, false).constant(value);
  *result.planes[1].as<double>() = error;
  return result;
}

TEST(BallNumbersTest, BoundsHoldWhatLongDoubleGives) {
  // Against the type with 11 bits more.
  Doubles fast(4, /*positive=*/true);
  LongDoubles precise(4, /*positive=*/true);
  auto compute = [](const NumberSystem &numbers) {
    Tensor x = numbers.random({8, 16}, 1, 0), y = numbers.random({16, 8}, 1, 1);
    Tensor product = numbers.matmul(x, y);
    Tensor sums = numbers.sum(numbers.log(product), 1);
    Tensor roots = numbers.sqrt(numbers.add(numbers.exp(sums), sums));
    Tensor all = numbers.div(product, broadcast(roots, {8, 8}));
    all = numbers.max(all, numbers.sub(numbers.erf(product), all));
    return numbers.add(all, broadcast(numbers.maximum(all, 0), {8, 8}));
  };
  Tensor a = compute(fast), b = compute(precise);
  for (int64_t i = 0; i < 64; ++i) {
    Ball ball = get(a, i);
    long double exact = b.planes[0].as<long double>()[i];
    EXPECT_LE(std::abs(ball.value - exact), ball.error);
    // And not by far too large.
    EXPECT_LT(ball.error, 1e-10 * std::abs(exact));
    EXPECT_LT(b.planes[1].as<long double>()[i], ball.error / 100);
  }
}

TEST(BallNumbersTest, CertainlyUndefined) {
  Doubles numbers(1, false);
  EXPECT_TRUE(get(numbers.sqrt(makeBall(-1, 0.5))).undefined);
  EXPECT_TRUE(get(numbers.log(makeBall(-1, 0.5))).undefined);
  EXPECT_TRUE(get(numbers.div(makeBall(1, 0), makeBall(0, 0))).undefined);
  Tensor undefined = numbers.sqrt(makeBall(-1, 0));
  EXPECT_TRUE(get(numbers.mul(undefined, makeBall(0, 0))).undefined);
  EXPECT_TRUE(get(numbers.max(makeBall(2, 0), undefined)).undefined);
  // Nothing known, but perhaps defined.
  for (const Tensor &unknown :
       {numbers.sqrt(makeBall(0, 1e-20)), numbers.log(makeBall(1, 2)),
        numbers.log(makeBall(0, 0)),
        numbers.div(makeBall(1, 0), makeBall(1, 1)),
        numbers.exp(makeBall(1e4, 0)),
        numbers.mul(makeBall(1e200, 0), makeBall(1e200, 0))}) {
    EXPECT_FALSE(get(unknown).undefined);
    EXPECT_EQ(get(unknown).error, kInfinity);
  }
  // Exactly 0.
  EXPECT_EQ(get(numbers.sqrt(makeBall(0, 0))).error, 0);
}

TEST(BallNumbersTest, Choices) {
  Doubles numbers(1, /*positive=*/false);
  Tensor value = makeBall(3, 0.5), unknown = numbers.div(value, makeBall(0, 1));
  // The condition holds, or doesn't, for all that it may be.
  Ball holds = get(numbers.where(makeBall(2, 1), value));
  EXPECT_EQ(holds.value, 3);
  EXPECT_EQ(holds.error, 0.5);
  for (const Tensor &condition : {makeBall(-2, 1), makeBall(-1, 1)}) {
    Ball fails = get(numbers.where(condition, unknown));
    EXPECT_EQ(fails.value, 0);
    EXPECT_EQ(fails.error, 0);
  }
  // Or nobody knows.
  EXPECT_EQ(get(numbers.where(makeBall(1, 1), value)).error, kInfinity);
  // A value has to be defined where it is chosen only, a condition everywhere.
  Tensor undefined = numbers.sqrt(makeBall(-1, 0));
  EXPECT_TRUE(get(numbers.where(makeBall(2, 1), undefined)).undefined);
  EXPECT_TRUE(get(numbers.where(undefined, value)).undefined);
  Ball notChosen = get(numbers.where(makeBall(-1, 1), undefined));
  EXPECT_FALSE(notChosen.undefined);
  EXPECT_EQ(notChosen.value, 0);
  EXPECT_EQ(notChosen.error, 0);
  Ball perhaps = get(numbers.where(makeBall(1, 1), undefined));
  EXPECT_FALSE(perhaps.undefined);
  EXPECT_EQ(perhaps.error, kInfinity);
}

TEST(BallNumbersTest, MatrixProductsWithUndefinedElements) {
  Doubles numbers(1, false);
  Tensor x = numbers.random({3, 4}, 1, 0), y = numbers.random({4, 5}, 1, 1);
  x.undefined.assign(12, 0);
  x.undefined[1 * 4 + 2] = 1;
  *(y.planes[1].as<double>() + 3) = kInfinity;
  Tensor product = numbers.matmul(x, y);
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 5; ++j) {
      EXPECT_EQ(get(product, i * 5 + j).undefined, i == 1);
      EXPECT_EQ(std::isinf(get(product, i * 5 + j).error), j == 3 && i != 1);
    }
}

TEST(BallNumbersTest, DifferencesMustBeCertain) {
  Doubles numbers(1, false);
  auto differ = [&](const Tensor &a, const Tensor &b) {
    return numbers.findDifference(a, b).has_value();
  };
  EXPECT_TRUE(differ(makeBall(1, 0.1), makeBall(2, 0.1)));
  EXPECT_FALSE(differ(makeBall(1, 0.3), makeBall(2, 0.3)));
  EXPECT_FALSE(differ(makeBall(1, kInfinity), makeBall(2, 0)));
  Tensor undefined = numbers.sqrt(makeBall(-1, 0));
  EXPECT_TRUE(differ(makeBall(1, 0), undefined));
  EXPECT_FALSE(differ(undefined, makeBall(1, 0)));
  EXPECT_FALSE(differ(makeBall(1, kInfinity), undefined));
}

TEST(BallNumbersTest, RandomElementsAreInTheirRange) {
  for (bool positive : {false, true}) {
    Tensor x = Doubles(16, positive).random({1000}, 1, 0);
    double least = kInfinity, largest = -kInfinity;
    for (int64_t i = 0; i < 1000; ++i) {
      least = std::min(least, get(x, i).value);
      largest = std::max(largest, get(x, i).value);
    }
    EXPECT_NEAR(least, positive ? 0 : -16, 0.2);
    EXPECT_NEAR(largest, 16, 0.2);
  }
}

} // namespace
