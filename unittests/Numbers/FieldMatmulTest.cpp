//===- FieldMatmulTest.cpp - Matrix products modulo a prime ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldMatmul.h"
#include "Mirage/Numbers/FiniteField.h"
#include "Mirage/Numbers/Random.h"
#include "gtest/gtest.h"
#include <vector>

using namespace mirage;

namespace {

/// The product by the definition, in 128 bits.
std::vector<uint32_t> multiply(const std::vector<uint32_t> &a,
                               const std::vector<uint32_t> &b, int64_t m,
                               int64_t n, int64_t k, uint32_t modulus) {
  std::vector<uint32_t> c(m * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      unsigned __int128 sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += static_cast<unsigned __int128>(a[i * k + l]) * b[l * n + j];
      c[i * n + j] = sum % modulus;
    }
  return c;
}

void compare(int64_t m, int64_t n, int64_t k, uint32_t modulus, bool largest) {
  std::vector<uint32_t> a(m * k), b(k * n), c(m * n, 12345);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = largest ? modulus - 1 : randomWord(1, 0, i) % modulus;
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = largest ? modulus - 1 : randomWord(1, 1, i) % modulus;
  fieldMatmul(a.data(), b.data(), c.data(), m, n, k, modulus);
  EXPECT_EQ(c, multiply(a, b, m, n, k, modulus))
      << m << "x" << n << "x" << k << " mod " << modulus;
}

TEST(FieldMatmulTest, AgreesWithTheDefinition) {
  // Depths that four divides and doesn't, widths around a panel's 512 columns.
  for (uint32_t modulus : {FiniteField::kP, FiniteField::kQ})
    for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>(1, 1, 1),
                           {1, 1, 4},
                           {3, 5, 7},
                           {2, 511, 3},
                           {2, 512, 5},
                           {2, 513, 6},
                           {3, 1030, 9},
                           {5, 7, 4099}})
      compare(m, n, k, modulus, /*largest=*/false);
}

TEST(FieldMatmulTest, LargestResiduesDontOverflow) {
  compare(2, 3, 4097, FiniteField::kP, /*largest=*/true);
  compare(1, 513, 70000, FiniteField::kP, /*largest=*/true);
}

} // namespace
