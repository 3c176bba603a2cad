//===- FieldArithmeticTest.cpp - Arrays of residues modulo a prime --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldArithmetic.h"
#include "Mirage/Numbers/Random.h"
#include "gtest/gtest.h"
#include <vector>

using namespace mirage;

namespace {

using Wide = unsigned __int128;

uint32_t power(Wide base, uint64_t exponent, uint32_t modulus) {
  Wide result = 1;
  for (; exponent; exponent >>= 1, base = base * base % modulus)
    if (exponent & 1)
      result = result * base % modulus;
  return result;
}

class FieldArithmeticTest : public testing::TestWithParam<uint32_t> {
protected:
  /// Random residues after the extreme ones.
  std::vector<uint32_t> make(int64_t count, uint64_t stream) const {
    std::vector<uint32_t> x(count);
    const uint32_t extremes[] = {0, 1, p - 1, p / 2, p / 2 + 1, p - 2, 2};
    for (int64_t i = 0; i < count; ++i)
      x[i] = i < 49 ? extremes[(stream ? i / 7 : i) % 7]
                    : randomWord(1, stream, i) % p;
    return x;
  }

  uint32_t p = GetParam();
  FieldArithmetic field{p};
};

TEST_P(FieldArithmeticTest, Elementwise) {
  // Sizes with and without a rest after whole vectors and groups.
  for (int64_t count : {1, 3, 63, 64, 65, 200}) {
    std::vector<uint32_t> x = make(count, 0), y = make(count, 1), r(count);
    field.add(x.data(), y.data(), r.data(), count);
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(r[i], (Wide(x[i]) + y[i]) % p);
    field.subtract(x.data(), y.data(), r.data(), count);
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(r[i], (Wide(x[i]) + p - y[i]) % p);
    field.multiply(x.data(), y.data(), r.data(), count);
    for (int64_t i = 0; i < count; ++i) {
      EXPECT_EQ(r[i], Wide(x[i]) * y[i] % p);
      EXPECT_EQ(field.multiply(x[i], y[i]), r[i]);
    }
    field.invert(x.data(), r.data(), count);
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(Wide(x[i]) * r[i] % p, x[i] != 0) << x[i];
    for (uint64_t exponent :
         {uint64_t(0), uint64_t(1), uint64_t(p), (uint64_t(p) + 1) / 4}) {
      field.power(x.data(), exponent, r.data(), count);
      for (int64_t i = 0; i < count; ++i) {
        EXPECT_EQ(r[i], power(x[i], exponent, p)) << x[i] << "^" << exponent;
        EXPECT_EQ(field.power(x[i], exponent), r[i]);
      }
    }
  }
}

TEST_P(FieldArithmeticTest, ResultsOverOperands) {
  std::vector<uint32_t> x = make(200, 0), y = make(200, 1), r = x;
  field.multiply(r.data(), y.data(), r.data(), 200);
  field.add(r.data(), r.data(), r.data(), 200);
  field.subtract(y.data(), r.data(), r.data(), 200);
  field.power(r.data(), 3, r.data(), 200);
  // Twice is nothing.
  field.invert(r.data(), r.data(), 200);
  field.invert(r.data(), r.data(), 200);
  for (int64_t i = 0; i < 200; ++i) {
    Wide product = Wide(x[i]) * y[i] % p;
    EXPECT_EQ(r[i], power((y[i] + 2 * (p - product)) % p, 3, p));
  }
}

TEST_P(FieldArithmeticTest, PowersOfOneBase) {
  // Few are computed one by one, many from a table.
  for (int64_t count : {5, 100}) {
    std::vector<uint32_t> x = make(count, 0), r(count);
    x.back() = 0xffffffff;
    for (uint32_t base : {4u, 0u, 1u, p - 1}) {
      field.exponentiate(base, x.data(), r.data(), count);
      for (int64_t i = 0; i < count; ++i)
        EXPECT_EQ(r[i], power(base, x[i], p)) << base << "^" << x[i];
    }
  }
}

TEST_P(FieldArithmeticTest, Sums) {
  for (auto [outer, size, inner] :
       {std::tuple<int64_t, int64_t, int64_t>(1, 1, 1),
        {3, 50, 1},
        {2, 9, 33},
        {1, 300, 2}}) {
    std::vector<uint32_t> x = make(outer * size * inner, 0), r(outer * inner);
    field.sum(x.data(), r.data(), outer, size, inner);
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t i = 0; i < inner; ++i) {
        Wide sum = 0;
        for (int64_t k = 0; k < size; ++k)
          sum += x[(o * size + k) * inner + i];
        EXPECT_EQ(r[o * inner + i], sum % p);
      }
  }
}

TEST_P(FieldArithmeticTest, UniformResidues) {
  EXPECT_EQ(field.makeUniform(0), 0u);
  EXPECT_EQ(field.makeUniform(~uint64_t(0)), p - 1);
  // Sixteen parts of the field are hit equally often: 4096 times, give or take
  // five standard deviations.
  std::vector<int> hits(16);
  for (uint64_t i = 0; i < 16 * 4096; ++i)
    ++hits[static_cast<uint64_t>(field.makeUniform(randomWord(1, 0, i))) * 16 /
           p];
  for (int count : hits)
    EXPECT_NEAR(count, 4096, 5 * 64);
}

INSTANTIATE_TEST_SUITE_P(Moduli, FieldArithmeticTest,
                         testing::Values(2147483647, 2147481143, 1073740571,
                                         1073741827, 65537));

} // namespace
