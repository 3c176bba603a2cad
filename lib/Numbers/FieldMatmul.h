//===- FieldMatmul.h - Matrix products modulo a prime -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_NUMBERS_FIELDMATMUL_H
#define MIRAGE_LIB_NUMBERS_FIELDMATMUL_H

#include <cstdint>

namespace mirage {

/// c = a b mod `modulus`, for row-major m x k, k x n and m x n matrices of
/// residues. The modulus is odd, above 2^16 and below 2^31; k is at least 1.
void fieldMatmul(const uint32_t *a, const uint32_t *b, uint32_t *c, int64_t m,
                 int64_t n, int64_t k, uint32_t modulus);

} // namespace mirage

#endif // MIRAGE_LIB_NUMBERS_FIELDMATMUL_H
