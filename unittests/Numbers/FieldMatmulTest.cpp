//===- FieldMatmulTest.cpp - Matrix products modulo a prime ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldMatmul.h"
#include "FieldMatmulBlocked.h"
#include "Mirage/Numbers/Random.h"
#include "gtest/gtest.h"
#include <tuple>
#include <vector>

using namespace mirage;

namespace {

/// Primes below 2^31, 2^30 and 2^29, one just above 2^30, and the smallest that
/// the interface allows.
constexpr uint32_t kModuli[] = {2147483647, 2147481143, 1073740571,
                                1073741827, 536870909,  65537};

using Version = void (*)(const FieldMatmulArguments &);

/// AVX-512's vectors, in whatever instructions the tests are compiled to.
void multiplyWide(const FieldMatmulArguments &args) {
  BlockedMatmul<64, 2, 256, 1024>(args).run();
}
/// Blocks so small that every loop runs more than once.
void multiplyInSmallBlocks(const FieldMatmulArguments &args) {
  BlockedMatmul<16, 3, 16, 8>(args).run();
}

/// What this machine can run.
std::vector<std::pair<const char *, Version>> getVersions() {
  std::vector<std::pair<const char *, Version>> versions = {
      {"portable", fieldMatmulPortable},
      {"wide", multiplyWide},
      {"small blocks", multiplyInSmallBlocks}};
#ifdef MIRAGE_FIELD_MATMUL_X86
  if (__builtin_cpu_supports("avx2"))
    versions.emplace_back("AVX2", fieldMatmulAVX2);
  if (__builtin_cpu_supports("avx512f"))
    versions.emplace_back("AVX-512", fieldMatmulAVX512);
#endif
  return versions;
}

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

/// Compares every version with the definition, on elements from two functions
/// of the index. There are no elements beyond the ends of the arrays: a version
/// that reads them is caught by the address sanitizer.
template <typename A, typename B>
void compare(int64_t m, int64_t n, int64_t k, uint32_t modulus, A getA,
             B getB) {
  std::vector<uint32_t> a(m * k), b(k * n);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = getA(i);
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = getB(i);
  std::vector<uint32_t> expected = multiply(a, b, m, n, k, modulus);
  std::vector<uint32_t> c(m * n, 12345);
  fieldMatmul(a.data(), b.data(), c.data(), m, n, k, modulus);
  ASSERT_EQ(c, expected) << m << "x" << n << "x" << k << " mod " << modulus;
  for (auto [name, version] : getVersions()) {
    c.assign(m * n, 12345);
    version(makeFieldMatmulArguments(a.data(), b.data(), c.data(), m, n, k,
                                     modulus));
    ASSERT_EQ(c, expected) << name << ": " << m << "x" << n << "x" << k
                           << " mod " << modulus;
  }
}

void compareRandom(int64_t m, int64_t n, int64_t k, uint32_t modulus,
                   uint64_t seed) {
  compare(
      m, n, k, modulus,
      [&](uint64_t i) { return randomWord(seed, 0, i) % modulus; },
      [&](uint64_t i) { return randomWord(seed, 1, i) % modulus; });
}

TEST(FieldMatmulTest, AllSmallSizes) {
  // Every size of one dimension against sizes of the others that are awkward
  // for a tile of 4 rows and up to 16 columns and groups of 8 products.
  uint64_t seed = 0;
  for (int64_t size = 1; size <= 40; ++size)
    for (int64_t other : {1, 2, 3, 5, 7, 8, 9, 15, 17, 33})
      for (int64_t third : {1, 4, 9, 16, 31}) {
        uint32_t modulus = kModuli[++seed % std::size(kModuli)];
        compareRandom(size, other, third, modulus, seed);
        compareRandom(third, size, other, modulus, seed);
        compareRandom(other, third, size, modulus, seed);
      }
}

TEST(FieldMatmulTest, SizesAroundTheBlocks) {
  // Blocks are 256 deep and 1024 wide.
  for (uint32_t modulus : kModuli)
    for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>(3, 5, 255),
                           {3, 5, 256},
                           {3, 5, 257},
                           {2, 5, 263},
                           {2, 5, 264},
                           {2, 5, 513},
                           {5, 1023, 3},
                           {5, 1024, 3},
                           {5, 1025, 3},
                           {4, 527, 9},
                           {1, 2060, 300},
                           {5, 7, 4099}})
      compareRandom(m, n, k, modulus, 1);
}

TEST(FieldMatmulTest, ExtremeResiduesDontOverflow) {
  // The largest in magnitude: -1, 0 and 1 about 0, and about half the modulus,
  // where a centred residue is largest, with products of either sign.
  for (uint32_t modulus : kModuli) {
    uint32_t half = modulus / 2;
    for (uint32_t x : {modulus - 1, half, half + 1, 1u, 0u})
      for (uint32_t y : {modulus - 1, half, half + 1})
        for (int64_t k : {1, 7, 8, 9, 255, 256, 257, 2000, 10000})
          compare(
              2, 3, k, modulus, [&](uint64_t) { return x; },
              [&](uint64_t) { return y; });
  }
}

TEST(FieldMatmulTest, LargestSumsOfEitherSignInTurn) {
  // Groups of the largest positive products between groups of negative ones.
  for (uint32_t modulus : kModuli)
    compare(
        3, 17, 1000, modulus,
        [&](uint64_t i) { return modulus / 2 + (i / 8 % 2); },
        [&](uint64_t) { return modulus / 2; });
}

} // namespace
