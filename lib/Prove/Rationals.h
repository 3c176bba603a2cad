//===- Rationals.h - Numbers in normal forms --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_PROVE_RATIONALS_H
#define MIRAGE_LIB_PROVE_RATIONALS_H

#include "Mirage/Prove/NormalForm.h"

namespace mirage::prove {

inline const Rational kOne(1, 1), kHalf(1, 2), kMinusOne(-1, 1);

inline bool isInteger(const Rational &value) {
  return value.num % value.den == 0;
}

/// Whether a number is so large that a proof is given up: a power of a power of
/// a constant has any number of bits.
bool isTooLarge(const Rational &value);
/// The same of the exponent of a sum, which is multiplied out, or a number.
bool isTooLargeExponent(const Rational &value);

/// A power, of what isn't 0 if the exponent is negative.
Rational raise(const Rational &base, int64_t exponent);

} // namespace mirage::prove

#endif // MIRAGE_LIB_PROVE_RATIONALS_H
