//===- Float16.h - Conversions to and from 16-bit floats --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_NUMBERS_FLOAT16_H
#define MIRAGE_NUMBERS_FLOAT16_H

#include <cstdint>

namespace mirage {

/// Bits of the half-precision or bfloat16 number nearest to a value (ties to
/// even), and back. What is too large becomes an infinity.
uint16_t floatToHalf(float value);
uint16_t doubleToHalf(double value);
float halfToFloat(uint16_t bits);
uint16_t floatToBFloat(float value);
uint16_t doubleToBFloat(double value);
float bfloatToFloat(uint16_t bits);

} // namespace mirage

#endif // MIRAGE_NUMBERS_FLOAT16_H
