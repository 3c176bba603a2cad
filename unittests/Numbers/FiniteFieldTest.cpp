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
#include <set>

using namespace mirage;

namespace {

using Wide = unsigned __int128;
Wide power(Wide base, Wide exponent, Wide modulus) {
  Wide result = 1;
  for (; exponent; exponent >>= 1, base = base * base % modulus)
    if (exponent & 1)
      result = result * base % modulus;
  return result;
}

uint32_t getModulus(const FiniteField &field, unsigned component) {
  return component == 0 ? field.getP() : field.getQ();
}

/// Random elements, among them 0, 1 and -1 in either component.
Tensor makeElements(const FiniteField &field, uint64_t stream) {
  Tensor tensor = field.random({97}, 3, stream);
  for (auto [c, plane] : llvm::enumerate(tensor.planes)) {
    uint32_t *x = plane.as<uint32_t>();
    x[stream] = 0;
    x[2 + stream] = 1;
    x[4 + stream] = getModulus(field, c) - 1;
    x[6] = getModulus(field, c) - 1;
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

bool isPrimeByDivision(uint32_t n) {
  for (uint32_t d = 2; static_cast<uint64_t>(d) * d <= n; ++d)
    if (n % d == 0)
      return false;
  return n >= 2;
}

TEST_F(FiniteFieldTest, PrimesAreToldFromOthers) {
  for (uint32_t n = 0; n < 20000; ++n)
    ASSERT_EQ(FiniteField::isPrime(n), isPrimeByDivision(n)) << n;
  for (uint32_t n = 0x7fffff01; n < 0x80000000; ++n)
    ASSERT_EQ(FiniteField::isPrime(n), isPrimeByDivision(n)) << n;
  // Strong pseudoprimes to base 2, to 2 and 3, to 2, 3 and 5; squares; the
  // largest word.
  for (uint32_t n : {2047u, 3215031751u, 1373653u, 25326001u, 4294836225u,
                     3721u, 4294967295u})
    EXPECT_FALSE(FiniteField::isPrime(n)) << n;
  EXPECT_TRUE(FiniteField::isPrime(4294967291u));
}

TEST_F(FiniteFieldTest, FieldsAreDrawnFromThePools) {
  std::set<uint32_t> primes, pairs, roots;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    FiniteField single(/*withExponents=*/false, seed);
    uint32_t p = single.getP();
    EXPECT_TRUE(p >= 1u << 30 && p < 1u << 31 && p % 4 == 3);
    ASSERT_TRUE(isPrimeByDivision(p));
    EXPECT_EQ(single.getQ(), 0u);
    primes.insert(p);

    FiniteField pair(/*withExponents=*/true, seed);
    p = pair.getP();
    uint32_t q = pair.getQ(), omega = pair.getOmega();
    EXPECT_TRUE(p >= 1u << 30 && p < 1u << 31 && p == 2 * q + 1);
    EXPECT_EQ(q % 4, 3u);
    ASSERT_TRUE(isPrimeByDivision(p) && isPrimeByDivision(q));
    // Of order q.
    EXPECT_TRUE(omega > 1 && omega < p);
    EXPECT_EQ(power(omega, q, p), 1u);
    pairs.insert(p);
    roots.insert(omega);
    // The same seed, the same field.
    EXPECT_EQ(FiniteField(true, seed).getP(), p);
    EXPECT_EQ(FiniteField(true, seed).getOmega(), omega);
  }
  EXPECT_GT(primes.size(), 195u);
  EXPECT_GT(pairs.size(), 195u);
  EXPECT_GT(roots.size(), 195u);
  // Spread over the whole range.
  EXPECT_LT(*primes.begin(), (1u << 30) + (1u << 26));
  EXPECT_GT(*primes.rbegin(), (1u << 31) - (1u << 26));
}

TEST_F(FiniteFieldTest, RandomElementsAreResidues) {
  Tensor large = field.random({100000}, 1, 0);
  double means[2] = {0, 0};
  for (unsigned c = 0; c < 2; ++c)
    for (int64_t i = 0; i < 100000; ++i) {
      ASSERT_LT(get(large, c, i), getModulus(field, c));
      means[c] +=
          static_cast<double>(get(large, c, i)) / getModulus(field, c) / 1e5;
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
      Wide a = get(x, c, i), b = get(y, c, i), m = getModulus(field, c);
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
    Wide m = getModulus(field, c), half = (m + 1) / 2;
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

TEST_F(FiniteFieldTest, NoNumbers) {
  for (double value : {HUGE_VAL, -HUGE_VAL, std::nan("")})
    EXPECT_TRUE(isUndefined(field.constant(value), 0));
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
  // Another field has other functions, even where the values are equal.
  FiniteField other(/*withExponents=*/true, 2);
  EXPECT_NE(field.findDifference(silu, *other.function("silu", {x})),
            std::nullopt);
}

TEST_F(FiniteFieldTest, MaximaAreCommutativeAndAssociative) {
  Tensor z = field.random({97}, 3, 5);
  auto expectEqual = [&](const Tensor &lhs, const Tensor &rhs) {
    EXPECT_EQ(field.findDifference(lhs, rhs), std::nullopt);
  };
  expectEqual(field.max(x, y), field.max(y, x));
  expectEqual(field.max(x, field.max(y, z)), field.max(field.max(z, x), y));
  // Parts of a maximum over a dimension.
  Tensor all = field.random({4, 6}, 1, 1);
  Tensor parts = field.max(field.maximum(extractSlice(all, {0, 0}, {4, 2}), 1),
                           field.maximum(extractSlice(all, {0, 2}, {4, 4}), 1));
  expectEqual(field.maximum(all, 1), parts);
  EXPECT_NE(field.findDifference(field.max(x, y), field.max(x, z)),
            std::nullopt);
}

} // namespace
