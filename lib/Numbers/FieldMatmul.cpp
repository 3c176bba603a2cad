//===- FieldMatmul.cpp - Matrix products modulo a prime -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldMatmul.h"
#include "FieldMatmulVersions.h"

using namespace mirage;

using Version = void (*)(const FieldMatmulArguments &);

/// The fastest version that this machine can run.
static Version pickVersion() {
#ifdef MIRAGE_FIELD_MATMUL_X86
  if (__builtin_cpu_supports("avx512f"))
    return fieldMatmulAVX512;
  if (__builtin_cpu_supports("avx2"))
    return fieldMatmulAVX2;
#endif
  return fieldMatmulPortable;
}

FieldMatmulArguments mirage::makeFieldMatmulArguments(const uint32_t *a,
                                                      const uint32_t *b,
                                                      uint32_t *c, int64_t m,
                                                      int64_t n, int64_t k,
                                                      uint32_t modulus) {
  // Newton's iteration doubles the bits of an inverse; p p = 1 mod 8.
  uint32_t inverse = modulus;
  for (int bits = 3; bits < 32; bits *= 2)
    inverse *= 2 - modulus * inverse;
  uint64_t word = (uint64_t(1) << 32) % modulus;
  uint32_t cubeOfWord = word * word % modulus * word % modulus;
  return {a, b, c, m, n, k, modulus, -inverse, cubeOfWord};
}

void mirage::fieldMatmul(const uint32_t *a, const uint32_t *b, uint32_t *c,
                         int64_t m, int64_t n, int64_t k, uint32_t modulus) {
  static const Version version = pickVersion();
  version(makeFieldMatmulArguments(a, b, c, m, n, k, modulus));
}
