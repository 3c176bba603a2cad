//===- FieldMatmulVersions.h - One for each processor -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_NUMBERS_FIELDMATMULVERSIONS_H
#define MIRAGE_LIB_NUMBERS_FIELDMATMULVERSIONS_H

#include <cstdint>

namespace mirage {

/// The arguments of fieldMatmul, and what follows from the modulus p.
struct FieldMatmulArguments {
  const uint32_t *a, *b;
  uint32_t *c;
  int64_t m, n, k;
  uint32_t modulus;
  /// -1 / p mod 2^32, for Montgomery's reduction.
  uint32_t negativeInverse;
  /// 2^96 mod p, which undoes three reductions.
  uint32_t cubeOfWord;
};

FieldMatmulArguments makeFieldMatmulArguments(const uint32_t *a,
                                              const uint32_t *b, uint32_t *c,
                                              int64_t m, int64_t n, int64_t k,
                                              uint32_t modulus);

// Each needs a machine that has the instructions of its name.
void fieldMatmulPortable(const FieldMatmulArguments &args);
#ifdef MIRAGE_FIELD_MATMUL_X86
void fieldMatmulAVX2(const FieldMatmulArguments &args);
void fieldMatmulAVX512(const FieldMatmulArguments &args);
#endif

} // namespace mirage

#endif // MIRAGE_LIB_NUMBERS_FIELDMATMULVERSIONS_H
