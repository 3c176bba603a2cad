//===- Float16.cpp - Conversions to and from 16-bit floats ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain integer code, so that results are the same on processors with and
// without such instructions, and fast enough for arrays of 10^8 elements.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/Float16.h"
#include "llvm/ADT/bit.h"

namespace {

/// Rounds a double to a float format of 16 bits, to nearest, ties to even. NaNs
/// become quiet and keep their sign.
template <int exponentBits, int mantissaBits> uint16_t narrow(double value) {
  static_assert(exponentBits + mantissaBits == 15);
  constexpr int bias = (1 << (exponentBits - 1)) - 1;
  constexpr uint64_t infinity = ((uint64_t{1} << exponentBits) - 1)
                                << mantissaBits;
  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  uint64_t sign = bits >> 63 << 15;
  int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
  if (exponent == 1024)
    return sign | infinity | (mantissa ? uint64_t{1} << (mantissaBits - 1) : 0);
  if (exponent > bias)
    return sign | infinity;
  // How many bits of the mantissa, with its leading one, don't fit. Subnormal
  // results lose more.
  int drop = 52 - mantissaBits;
  uint64_t result = 0;
  mantissa |= uint64_t{1} << 52;
  if (exponent < 1 - bias) {
    drop += 1 - bias - exponent;
    if (drop > 54)
      return sign;
  } else {
    // The leading one of the mantissa adds the missing 1 to the exponent.
    result = static_cast<uint64_t>(exponent + bias - 1) << mantissaBits;
  }
  uint64_t half = uint64_t{1} << (drop - 1);
  uint64_t rest = mantissa & (2 * half - 1);
  result += mantissa >> drop;
  // A carry out of the mantissa raises the exponent, up to infinity, as it
  // should.
  if (rest > half || (rest == half && (result & 1)))
    ++result;
  return sign | result;
}

} // namespace

uint16_t mirage::doubleToHalf(double value) { return narrow<5, 10>(value); }
uint16_t mirage::floatToHalf(float value) { return narrow<5, 10>(value); }
uint16_t mirage::doubleToBFloat(double value) { return narrow<8, 7>(value); }
uint16_t mirage::floatToBFloat(float value) { return narrow<8, 7>(value); }

float mirage::bfloatToFloat(uint16_t bits) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

float mirage::halfToFloat(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t exponent = bits >> 10 & 0x1f, mantissa = bits & 0x3ff;
  if (exponent == 0x1f)
    return llvm::bit_cast<float>(sign | 0x7f800000 | mantissa << 13 |
                                 (mantissa ? 0x400000 : 0));
  if (exponent == 0) {
    float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return llvm::bit_cast<float>(sign | llvm::bit_cast<uint32_t>(magnitude));
  }
  return llvm::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}
