//===- FieldArithmetic.cpp - Arrays of residues modulo a prime ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldArithmetic.h"
#include <algorithm>
#include <array>

using namespace mirage;

// The loader picks the fastest version that the machine can run.
#if defined(__x86_64__) && defined(__ELF__)
#define MIRAGE_CLONES                                                          \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MIRAGE_CLONES
#endif

#ifdef __clang__
// Builds that don't vectorize (sanitizers) would warn.
#pragma clang diagnostic ignored "-Wpass-failed"
#define MIRAGE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define MIRAGE_INDEPENDENT _Pragma("GCC ivdep")
#endif

FieldArithmetic::FieldArithmetic(uint32_t modulus) : modulus(modulus) {
  // Newton's iteration doubles the bits of an inverse; p p = 1 mod 8.
  uint32_t inverse = modulus;
  for (int bits = 3; bits < 32; bits *= 2)
    inverse *= 2 - modulus * inverse;
  negativeInverse = -inverse;
  word = (uint64_t(1) << 32) % modulus;
  squareOfWord = static_cast<uint64_t>(word) * word % modulus;
}

uint32_t FieldArithmetic::power(uint32_t x, uint64_t exponent) const {
  uint32_t result = word;
  for (x = montgomery(x, squareOfWord); exponent;
       exponent >>= 1, x = montgomery(x, x))
    if (exponent & 1)
      result = montgomery(result, x);
  return reduce(result);
}

namespace {

// Free functions, as members have no clones. Where results are stored over
// operands, element i is over element i, which hinders no vectorizer that is
// told so.

MIRAGE_CLONES void addAll(const uint32_t *x, const uint32_t *y, uint32_t *r,
                          int64_t count, uint32_t modulus) {
  // The smaller of s and s - p, which wraps around where s is below p.
  MIRAGE_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) {
    uint32_t s = x[i] + y[i];
    r[i] = std::min(s, s - modulus);
  }
}

MIRAGE_CLONES void subtractAll(const uint32_t *x, const uint32_t *y,
                               uint32_t *r, int64_t count, uint32_t modulus) {
  MIRAGE_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) {
    uint32_t d = x[i] - y[i];
    r[i] = std::min(d, d + modulus);
  }
}

MIRAGE_CLONES void multiplyAll(const uint32_t *x, const uint32_t *y,
                               uint32_t *r, int64_t count,
                               FieldArithmetic field) {
  MIRAGE_INDEPENDENT
  for (int64_t i = 0; i < count; ++i)
    r[i] = field.multiply(x[i], y[i]);
}

/// r[i] = x[i]^exponent. The elements of a group are raised side by side: for
/// one alone, each product would wait for the last.
MIRAGE_CLONES void powerAll(const uint32_t *x, uint64_t exponent, uint32_t *r,
                            int64_t count, uint32_t one, uint32_t squareOfWord,
                            FieldArithmetic field) {
  constexpr int64_t kGroup = 64;
  uint32_t base[kGroup], result[kGroup];
  for (int64_t start = 0; start < count; start += kGroup) {
    int64_t size = std::min(kGroup, count - start);
    for (int64_t i = 0; i < size; ++i) {
      base[i] = field.montgomery(x[start + i], squareOfWord);
      result[i] = one;
    }
    for (uint64_t rest = exponent; rest; rest >>= 1) {
      if (rest & 1)
        for (int64_t i = 0; i < size; ++i)
          result[i] = field.montgomery(result[i], base[i]);
      if (rest > 1)
        for (int64_t i = 0; i < size; ++i)
          base[i] = field.montgomery(base[i], base[i]);
    }
    for (int64_t i = 0; i < size; ++i)
      r[start + i] = field.reduce(result[i]);
  }
}

/// r[i] = 1 / x[i], and 0 where x[i] is 0. Of each group one row of products is
/// inverted; the inverses of the elements are its products with the others
/// (Montgomery's trick), lane by lane.
MIRAGE_CLONES void invertAll(const uint32_t *x, uint32_t *r, int64_t count,
                             uint32_t modulus, uint32_t one,
                             uint32_t squareOfWord, FieldArithmetic field) {
  constexpr int64_t kLanes = 16, kRows = 8, kGroup = kLanes * kRows;
  // In Montgomery's form, with 1 in the place of zeros and behind the end, and
  // the products of an element and those above it.
  uint32_t elements[kGroup], products[kGroup], inverse[kLanes];
  for (int64_t start = 0; start < count; start += kGroup) {
    const int64_t size = std::min(kGroup, count - start);
    const int64_t rows = (size + kLanes - 1) / kLanes;
    for (int64_t i = 0; i < size; ++i) {
      uint32_t element = field.montgomery(x[start + i], squareOfWord);
      elements[i] = element ? element : one;
    }
    std::fill(elements + size, elements + rows * kLanes, one);
    std::copy_n(elements, kLanes, products);
    for (int64_t i = kLanes; i < rows * kLanes; i += kLanes)
      for (int64_t lane = 0; lane < kLanes; ++lane)
        products[i + lane] =
            field.montgomery(products[i + lane - kLanes], elements[i + lane]);
    uint32_t *last = products + (rows - 1) * kLanes, power[kLanes];
    std::copy_n(last, kLanes, power);
    std::fill_n(inverse, kLanes, one);
    for (uint32_t rest = modulus - 2; rest; rest >>= 1) {
      if (rest & 1)
        for (int64_t lane = 0; lane < kLanes; ++lane)
          inverse[lane] = field.montgomery(inverse[lane], power[lane]);
      for (int64_t lane = 0; lane < kLanes; ++lane)
        power[lane] = field.montgomery(power[lane], power[lane]);
    }
    for (int64_t i = (rows - 1) * kLanes; i > 0; i -= kLanes)
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        products[i + lane] =
            field.montgomery(inverse[lane], products[i + lane - kLanes]);
        inverse[lane] = field.montgomery(inverse[lane], elements[i + lane]);
      }
    std::copy_n(inverse, kLanes, products);
    for (int64_t i = 0; i < size; ++i)
      r[start + i] = x[start + i] ? field.reduce(products[i]) : 0;
  }
}

/// The sum of words; at most 2^32 of them.
MIRAGE_CLONES uint64_t sumWords(const uint32_t *x, int64_t count) {
  uint64_t total = 0;
  for (int64_t i = 0; i < count; ++i)
    total += x[i];
  return total;
}

} // namespace

void FieldArithmetic::add(const uint32_t *x, const uint32_t *y, uint32_t *r,
                          int64_t count) const {
  addAll(x, y, r, count, modulus);
}

void FieldArithmetic::subtract(const uint32_t *x, const uint32_t *y,
                               uint32_t *r, int64_t count) const {
  subtractAll(x, y, r, count, modulus);
}

void FieldArithmetic::multiply(const uint32_t *x, const uint32_t *y,
                               uint32_t *r, int64_t count) const {
  multiplyAll(x, y, r, count, *this);
}

void FieldArithmetic::invert(const uint32_t *x, uint32_t *r,
                             int64_t count) const {
  invertAll(x, r, count, modulus, word, squareOfWord, *this);
}

void FieldArithmetic::power(const uint32_t *x, uint64_t exponent, uint32_t *r,
                            int64_t count) const {
  powerAll(x, exponent, r, count, word, squareOfWord, *this);
}

void FieldArithmetic::exponentiate(uint32_t base, const uint32_t *x,
                                   uint32_t *r, int64_t count) const {
  // A table costs as much as some thirty powers.
  if (count < 32) {
    for (int64_t i = 0; i < count; ++i)
      r[i] = power(base, x[i]);
    return;
  }
  // table[d][j] is base^(j 256^d) in Montgomery's form.
  std::array<std::array<uint32_t, 256>, 4> table;
  uint32_t step = montgomery(base, squareOfWord);
  for (std::array<uint32_t, 256> &digit : table) {
    digit[0] = word;
    for (unsigned j = 1; j < 256; ++j)
      digit[j] = montgomery(digit[j - 1], step);
    step = montgomery(digit[255], step);
  }
  for (int64_t i = 0; i < count; ++i) {
    uint32_t low = montgomery(table[0][x[i] & 255], table[1][x[i] >> 8 & 255]);
    uint32_t high =
        montgomery(table[2][x[i] >> 16 & 255], table[3][x[i] >> 24]);
    r[i] = reduce(montgomery(low, high));
  }
}

void FieldArithmetic::sum(const uint32_t *x, uint32_t *r, int64_t outer,
                          int64_t size, int64_t inner) const {
  for (int64_t o = 0; o < outer; ++o, x += size * inner, r += inner) {
    if (inner == 1) {
      *r = sumWords(x, size) % modulus;
      continue;
    }
    std::fill_n(r, inner, 0);
    for (int64_t k = 0; k < size; ++k)
      addAll(r, x + k * inner, r, inner, modulus);
  }
}
