//===- FieldArithmetic.h - Arrays of residues modulo a prime ----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_NUMBERS_FIELDARITHMETIC_H
#define MIRAGE_LIB_NUMBERS_FIELDARITHMETIC_H

#include <cstdint>

namespace mirage {

/// Elementwise arithmetic of residues in [0, modulus), for an odd prime below
/// 2^31. Results may be stored over operands.
///
/// No function divides: products are reduced as Montgomery does (1985), with
/// three products of 32-bit words, which vector units have. reduce(t) is
/// t / 2^32 modulo the modulus, so a product of two residues is off by 2^-32
/// and a second one with 2^64 mod p puts that right; chains of products pay for
/// this once.
class FieldArithmetic {
public:
  explicit FieldArithmetic(uint32_t modulus);

  uint32_t getModulus() const { return modulus; }

  /// t / 2^32 mod p, for t < 2^32 p.
  uint32_t reduce(uint64_t t) const {
    uint32_t factor = static_cast<uint32_t>(t) * negativeInverse;
    uint32_t r = (t + static_cast<uint64_t>(factor) * modulus) >> 32;
    return r < modulus ? r : r - modulus;
  }
  /// x y / 2^32 mod p.
  uint32_t montgomery(uint32_t x, uint32_t y) const {
    return reduce(static_cast<uint64_t>(x) * y);
  }
  uint32_t multiply(uint32_t x, uint32_t y) const {
    return montgomery(montgomery(x, y), squareOfWord);
  }
  /// The residue of a uniformly random word: uniform up to 2^-33, and cheaper
  /// than its remainder.
  uint32_t makeUniform(uint64_t word) const {
    return static_cast<unsigned __int128>(word) * modulus >> 64;
  }
  /// x^exponent; 0^0 is 1.
  uint32_t power(uint32_t x, uint64_t exponent) const;

  /// r[i] = x[i] + y[i]
  void add(const uint32_t *x, const uint32_t *y, uint32_t *r,
           int64_t count) const;
  /// r[i] = x[i] - y[i]
  void subtract(const uint32_t *x, const uint32_t *y, uint32_t *r,
                int64_t count) const;
  /// r[i] = x[i] y[i]
  void multiply(const uint32_t *x, const uint32_t *y, uint32_t *r,
                int64_t count) const;
  /// r[i] = 1 / x[i], and 0 where x[i] is 0.
  void invert(const uint32_t *x, uint32_t *r, int64_t count) const;
  /// r[i] = x[i]^exponent
  void power(const uint32_t *x, uint64_t exponent, uint32_t *r,
             int64_t count) const;
  /// r[i] = base^x[i], for any words x[i].
  void exponentiate(uint32_t base, const uint32_t *x, uint32_t *r,
                    int64_t count) const;
  /// The sums over the middle dimension of an outer x size x inner array.
  void sum(const uint32_t *x, uint32_t *r, int64_t outer, int64_t size,
           int64_t inner) const;

private:
  uint32_t modulus;
  /// -1 / p mod 2^32.
  uint32_t negativeInverse;
  /// 2^32 and 2^64 mod p: 1 in Montgomery's form, and what puts words into it.
  uint32_t word, squareOfWord;
};

} // namespace mirage

#endif // MIRAGE_LIB_NUMBERS_FIELDARITHMETIC_H
