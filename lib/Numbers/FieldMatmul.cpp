//===- FieldMatmul.cpp - Matrix products modulo a prime -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldMatmul.h"
#include <algorithm>
#include <vector>

using namespace mirage;

// The loader picks the fastest version that the machine can run.
#if defined(__x86_64__) && defined(__ELF__)
#define MIRAGE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MIRAGE_CLONES
#endif

namespace {

/// Columns of one panel: its accumulators (two words each) stay in the L1 cache.
constexpr int64_t kPanel = 512;

/// Adds the four products of one step to the accumulators of a row. Residues are
/// below 2^31, so four products fit in 64 bits; their sum is split into halves,
/// of which 2^32 can be added up before a word overflows.
MIRAGE_CLONES void addFourProducts(const uint32_t *a, const uint32_t *__restrict b0,
                     const uint32_t *__restrict b1,
                     const uint32_t *__restrict b2,
                     const uint32_t *__restrict b3, uint64_t *__restrict low,
                     uint64_t *__restrict high, int64_t count) {
  const uint64_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
  for (int64_t j = 0; j < count; ++j) {
    uint64_t sum = a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
    low[j] += static_cast<uint32_t>(sum);
    high[j] += sum >> 32;
  }
}

} // namespace

void mirage::fieldMatmul(const uint32_t *a, const uint32_t *b, uint32_t *c,
                         int64_t m, int64_t n, int64_t k, uint32_t modulus) {
  const uint64_t word = (uint64_t(1) << 32) % modulus;
  std::vector<uint64_t> low(kPanel), high(kPanel);
  for (int64_t j0 = 0; j0 < n; j0 += kPanel) {
    int64_t count = std::min(kPanel, n - j0);
    for (int64_t i = 0; i < m; ++i) {
      std::fill_n(low.begin(), count, 0);
      std::fill_n(high.begin(), count, 0);
      int64_t l = 0;
      for (; l + 4 <= k; l += 4) {
        const uint32_t *row = b + l * n + j0;
        addFourProducts(a + i * k + l, row, row + n, row + 2 * n, row + 3 * n,
                        low.data(), high.data(), count);
      }
      for (; l < k; ++l)
        for (int64_t j = 0; j < count; ++j) {
          uint64_t product =
              static_cast<uint64_t>(a[i * k + l]) * b[l * n + j0 + j];
          low[j] += static_cast<uint32_t>(product);
          high[j] += product >> 32;
        }
      for (int64_t j = 0; j < count; ++j)
        c[i * n + j0 + j] =
            (low[j] % modulus + high[j] % modulus * word) % modulus;
    }
  }
}
