//===- FiniteFieldTest.cpp - The laws of Z_p x Z_q ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/FiniteField.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;

namespace {

using Wide = unsigned __int128;
constexpr uint32_t kModuli[] = {FiniteField::kP, FiniteField::kQ};

Wide power(Wide base, Wide exponent, Wide modulus) {
  Wide result = 1;
  for (; exponent; exponent >>= 1, base = base * base % modulus)
    if (exponent & 1)
      result = result * base % modulus;
  return result;
}

/// Random elements, among them 0, 1 and -1 in either component.
Tensor makeElements(const FiniteField &field, uint64_t stream) {
  Tensor tensor = field.random({97}, 3, stream);
  for (auto [c, plane] : llvm::enumerate(tensor.planes)) {
    uint32_t *x = plane.as<uint32_t>();
    x[stream] = 0;
    x[2 + stream] = 1;
    x[4 + stream] = kModuli[c] - 1;
    x[6] = kModuli[c] - 1;
  }
  return tensor;
}

uint32_t get(const Tensor &tensor, unsigned component, int64_t i) {
  return tensor.planes[component].as<uint32_t>()[i];
}

bool isUndefined(const Tensor &tensor, int64_t i) {
  return !tensor.undefined.empty() && tensor.undefined[i];
}

class FiniteFieldTest : public testing::Test {
protected:
  FiniteField field{/*withExponents=*/true};
  Tensor x = makeElements(field, 0), y = makeElements(field, 1);
};

TEST_F(FiniteFieldTest, ModuliArePrimesWithTheStatedProperties) {
  for (uint32_t modulus : kModuli) {
    EXPECT_EQ(modulus % 4, 3u);
    for (uint32_t d = 2; static_cast<uint64_t>(d) * d <= modulus; ++d)
      ASSERT_NE(modulus % d, 0u) << modulus;
  }
  EXPECT_EQ(FiniteField::kP, 2 * FiniteField::kQ + 1);
}

TEST_F(FiniteFieldTest, RandomElementsAreResidues) {
  Tensor large = field.random({100000}, 1, 0);
  double means[2] = {0, 0};
  for (unsigned c = 0; c < 2; ++c)
    for (int64_t i = 0; i < 100000; ++i) {
      ASSERT_LT(get(large, c, i), kModuli[c]);
      means[c] += static_cast<double>(get(large, c, i)) / kModuli[c] / 1e5;
    }
  EXPECT_NEAR(means[0], 0.5, 0.005);
  EXPECT_NEAR(means[1], 0.5, 0.005);
  EXPECT_NE(field.findDifference(large, field.random({100000}, 2, 0)),
            std::nullopt);
  EXPECT_NE(field.findDifference(large, field.random({100000}, 1, 1)),
            std::nullopt);
  EXPECT_EQ(field.findDifference(large, field.random({100000}, 1, 0)),
            std::nullopt);
}

TEST_F(FiniteFieldTest, ArithmeticIsThatOfIntegers) {
  Tensor sum = field.add(x, y), difference = field.sub(x, y),
         product = field.mul(x, y);
  for (unsigned c = 0; c < 2; ++c)
    for (int64_t i = 0; i < 97; ++i) {
      Wide a = get(x, c, i), b = get(y, c, i), m = kModuli[c];
      EXPECT_EQ(get(sum, c, i), (a + b) % m);
      EXPECT_EQ(get(difference, c, i), (a + m - b) % m);
      EXPECT_EQ(get(product, c, i), a * b % m);
    }
}

TEST_F(FiniteFieldTest, DivisionUndoesMultiplication) {
  Tensor quotient = field.div(x, y), back = field.mul(quotient, y);
  for (int64_t i = 0; i < 97; ++i) {
    bool zero = get(y, 0, i) == 0 || get(y, 1, i) == 0;
    EXPECT_EQ(isUndefined(quotient, i), zero) << i;
    for (unsigned c = 0; c < 2 && !zero; ++c)
      EXPECT_EQ(get(back, c, i), get(x, c, i));
  }
  EXPECT_TRUE(isUndefined(quotient, 1));
}

TEST_F(FiniteFieldTest, Constants) {
  auto value = [&](double number, unsigned c) {
    Tensor tensor = field.constant(number);
    EXPECT_EQ(tensor.getNumElements(), 1);
    return get(tensor, c, 0);
  };
  for (unsigned c = 0; c < 2; ++c) {
    Wide m = kModuli[c], half = (m + 1) / 2;
    EXPECT_EQ(value(0, c), 0u);
    EXPECT_EQ(value(-0.0, c), 0u);
    EXPECT_EQ(value(1, c), 1u);
    EXPECT_EQ(value(-1, c), m - 1);
    EXPECT_EQ(value(4096, c), 4096u);
    EXPECT_EQ(value(0.5, c), half);
    EXPECT_EQ(value(-0.75, c), (m - 3 * half * half % m) % m);
    EXPECT_EQ(value(0x1p-1074, c), power(half, 1074, m));
    EXPECT_EQ(value(0x1p+1023, c), power(2, 1023, m));
    // 2^1024 - 2^971, the largest double.
    EXPECT_EQ(value(0x1.fffffffffffffp+1023, c),
              (power(2, 1024, m) + m - power(2, 971, m)) % m);
    EXPECT_EQ(value(1e308, c),
              (Wide(0x11ccf385ebc8a0) % m) * power(2, 971, m) % m);
    // Neighbours differ.
    EXPECT_NE(value(1e-5, c), value(std::nextafter(1e-5, 1), c));
    // Sums and products of constants that are exact in f64.
    EXPECT_EQ((Wide(value(0.125, c)) * value(24, c)) % m, 3u);
  }
}

TEST_F(FiniteFieldTest, ExpTurnsSumsIntoProducts) {
  Tensor product = field.mul(field.exp(x), field.exp(y));
  Tensor sum = field.exp(field.add(x, y));
  EXPECT_EQ(field.findDifference(product, sum), std::nullopt);
  EXPECT_EQ(sum.planes.size(), 1u);
  EXPECT_TRUE(sum.undefined.empty());
  // exp(0) = 1, and exp is no constant.
  Tensor one = field.exp(field.zeros({1}));
  EXPECT_EQ(get(one, 0, 0), 1u);
  EXPECT_NE(field.findDifference(field.exp(x), field.exp(y)), std::nullopt);
}

TEST_F(FiniteFieldTest, ExpOfExpIsUndefined) {
  Tensor twice = field.exp(field.exp(x));
  for (int64_t i = 0; i < 97; ++i)
    EXPECT_TRUE(isUndefined(twice, i));
}

TEST_F(FiniteFieldTest, Roots) {
  Tensor a = field.mul(x, x), root = field.sqrt(a);
  // A square has a root, and it squares to it.
  EXPECT_TRUE(root.undefined.empty());
  EXPECT_EQ(field.findDifference(field.mul(root, root), a), std::nullopt);
  // sqrt(a) sqrt(b) = sqrt(ab) where all are defined.
  Tensor r = field.sqrt(x), s = field.sqrt(y), t = field.sqrt(field.mul(x, y));
  EXPECT_EQ(field.findDifference(field.mul(r, s), t), std::nullopt);
  int64_t undefined = 0;
  for (int64_t i = 0; i < 97; ++i) {
    bool both = !isUndefined(r, i) && !isUndefined(s, i);
    EXPECT_FALSE(both && isUndefined(t, i));
    undefined += isUndefined(r, i);
  }
  // A quarter of the pairs have roots in both components.
  EXPECT_NEAR(undefined, 97 * 3 / 4, 20);
}

TEST_F(FiniteFieldTest, UndefinedElementsPoisonWhatIsComputedFromThem) {
  Tensor a = field.random({3, 4}, 1, 0), b = field.random({4, 5}, 1, 1);
  a.undefined.assign(12, 0);
  a.undefined[1 * 4 + 2] = 1;
  Tensor product = field.matmul(a, b), sum = field.sum(a, 1),
         columns = field.sum(a, 0), square = field.mul(a, a);
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(isUndefined(sum, i), i == 1);
    for (int64_t j = 0; j < 5; ++j)
      EXPECT_EQ(isUndefined(product, i * 5 + j), i == 1);
    for (int64_t j = 0; j < 4; ++j)
      EXPECT_EQ(isUndefined(square, i * 4 + j), i == 1 && j == 2);
  }
  for (int64_t j = 0; j < 4; ++j)
    EXPECT_EQ(isUndefined(columns, j), j == 2);
  // On the right a column is poisoned.
  b.undefined.assign(20, 0);
  b.undefined[3 * 5 + 4] = 1;
  product = field.matmul(field.random({3, 4}, 1, 0), b);
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 5; ++j)
      EXPECT_EQ(isUndefined(product, i * 5 + j), j == 4);
}

TEST_F(FiniteFieldTest, DifferencesAreFoundWhereBothAreDefined) {
  Tensor changed = x;
  changed.planes[1].as<uint32_t>()[50] ^= 1;
  EXPECT_EQ(field.findDifference(x, changed), 50);
  changed.planes[0].as<uint32_t>()[20] ^= 1;
  EXPECT_EQ(field.findDifference(x, changed), 20);
  changed.undefined.assign(97, 0);
  changed.undefined[20] = 1;
  EXPECT_EQ(field.findDifference(x, changed), 50);
  EXPECT_EQ(field.findDifference(changed, x), 50);
}

TEST_F(FiniteFieldTest, FunctionsDependOnTheirNameAndEveryOperand) {
  Tensor silu = *field.function("silu", {x});
  EXPECT_EQ(field.findDifference(silu, *field.function("silu", {x})),
            std::nullopt);
  EXPECT_NE(field.findDifference(silu, *field.function("gelu", {x})),
            std::nullopt);
  EXPECT_NE(field.findDifference(*field.function("f", {x, y}),
                                 *field.function("f", {y, x})),
            std::nullopt);
  EXPECT_EQ(field.findDifference(field.max(x, y), field.max(y, x)),
            std::nullopt);
}

} // namespace
