//===- FieldMatmulBlocked.h - A blocked matrix product ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_NUMBERS_FIELDMATMULBLOCKED_H
#define MIRAGE_LIB_NUMBERS_FIELDMATMULBLOCKED_H

#include "FieldMatmulVersions.h"
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

// Included by one source for each instruction set, which is compiled with the
// compiler's flags for it: everything here is in an unnamed namespace, so that
// the linker can't take one's code for the other's, and uses nothing of the C++
// library.
//
// What it costs: sgemm multiplies and adds 8 numbers of 32 bits in one AVX2
// instruction. The only multiplication that keeps all bits (vpmuldq) takes 4,
// and the addition is a second instruction. So four times the instructions are
// the least, and what keeps sums from overflowing must be little. The choices
// were:
// - Unsigned products of residues below 2^31: 4 fit in a sum of 64 bits, which
//   must then be split in two (shift, add, mask: 3 instructions).
// - The same, but with a multiple of the modulus subtracted from large sums:
//   2 instructions (choose by the sign, subtract), again for 4 products, as the
//   other half of the range must stay free.
// - Floating point, with 53 bits: numbers of 31 bits must be cut in two, which
//   doubles the products.
// - Taken: residues are centred on 0, below 2^30 in magnitude, so that 8 signed
//   products fit. The upper half of a sum is then added to a second sum and
//   taken from the first: 3 instructions for 8 products. Few of the second sums
//   fit in AVX2's 16 registers, so most lie on the stack.
// The final division by the modulus is Montgomery's (FieldArithmetic.h).
//
// Blocks: kDepth rows of b by kWidth columns are centred and packed into panels
// as wide as the registers' tile. Each panel fits in the L1 cache, and all
// panels in the L2 or L3 cache, while rows of a, centred as well, pass by. A
// wide block is better for the memory: it is read in longer runs.

namespace {

// Checks of undefined behaviour after each of so many unrolled steps take
// compilers minutes. The arithmetic is all unsigned; addresses stay checked.
#define MIRAGE_INLINE_LAMBDA                                                   \
  __attribute__((always_inline, no_sanitize("undefined")))
#define MIRAGE_INLINE inline MIRAGE_INLINE_LAMBDA

template <int kBytes> struct Vectors {
  typedef uint64_t Words __attribute__((vector_size(kBytes)));
  typedef uint32_t Halves __attribute__((vector_size(kBytes)));
};

/// The products of the lower halves of words, as signed numbers.
template <typename Words> MIRAGE_INLINE Words multiplySigned(Words x, Words y) {
#ifdef __AVX512F__
  if constexpr (sizeof(Words) == 64)
    return (Words)_mm512_mul_epi32((__m512i)x, (__m512i)y);
#endif
#ifdef __AVX2__
  if constexpr (sizeof(Words) == 32)
    return (Words)_mm256_mul_epi32((__m256i)x, (__m256i)y);
#endif
  typedef int64_t Signed __attribute__((vector_size(sizeof(Words))));
  return (Words)(((Signed)(x << 32) >> 32) * ((Signed)(y << 32) >> 32));
}

/// The products of the lower halves of words, as unsigned numbers.
template <typename Words>
MIRAGE_INLINE Words multiplyUnsigned(Words x, Words y) {
  return (x & 0xffffffff) * (y & 0xffffffff);
}

template <typename Vector> MIRAGE_INLINE Vector load(const void *address) {
  Vector result;
  std::memcpy(&result, address, sizeof(Vector));
  return result;
}

/// f(0), ..., f(kCount - 1), without a loop: what f indexes is in registers.
template <int kCount, typename F> MIRAGE_INLINE void repeat(const F &f) {
  if constexpr (kCount > 1)
    repeat<kCount - 1>(f);
  f(kCount - 1);
}

/// Keeps the compiler from adding products to each other before they are added
/// to the sum, for which it would need more registers than there are.
template <typename Words> MIRAGE_INLINE void keep(Words &sum) {
#ifdef __AVX2__
  asm("" : "+v"(sum));
#endif
}

template <int kBytes, int kTileRows, int kDepth, int kWidth>
class BlockedMatmul {
  using Words = typename Vectors<kBytes>::Words;
  using Halves = typename Vectors<kBytes>::Halves;

  /// Columns of a tile: those with even numbers in one register, and those with
  /// odd numbers in another.
  static constexpr int kTileColumns = kBytes / 4;
  /// Products that fit in a sum.
  static constexpr int kGroup = 8;
  /// Panels and rows don't begin at the same place of a page, or they would
  /// compete for one place in the cache.
  static constexpr int kPad = 16;
  static constexpr int kStripStride = kDepth + kPad;

  const uint32_t *a, *b;
  uint32_t *c;
  int64_t m, n, k;
  uint32_t modulus, negativeInverse, cubeOfWord;
  /// Minus what the upper sums have in excess, mod p.
  uint32_t correction = 0;
  int64_t panelStride = 0;
  uint32_t *panels = nullptr, *strip = nullptr;

public:
  explicit BlockedMatmul(const mirage::FieldMatmulArguments &args)
      : a(args.a), b(args.b), c(args.c), m(args.m), n(args.n), k(args.k),
        modulus(args.modulus), negativeInverse(args.negativeInverse),
        cubeOfWord(args.cubeOfWord) {}

  void run() {
    int64_t width = min(n, kWidth), depth = min(k, kDepth);
    panelStride = roundUp(depth, kGroup) * kTileColumns + kPad;
    int64_t panelWords =
        roundUp(width, kTileColumns) / kTileColumns * panelStride;
    struct alignas(64) Line {
      uint32_t words[16];
    };
    Line *lines = new Line[(panelWords + kTileRows * kStripStride) / 16];
    panels = lines->words;
    strip = panels + panelWords;
    for (int64_t j = 0; j < n; j += kWidth)
      for (int64_t l = 0; l < k; l += kDepth)
        addBlock(j, min(n - j, kWidth), l, min(k - l, kDepth));
    delete[] lines;
  }

private:
  static constexpr int64_t min(int64_t x, int64_t y) { return x < y ? x : y; }
  static constexpr int64_t roundUp(int64_t x, int64_t unit) {
    return (x + unit - 1) / unit * unit;
  }

  /// r[i] = x[i] mod p, between -p/2 and p/2.
  MIRAGE_INLINE void center(const uint32_t *x, uint32_t *__restrict r,
                            int64_t count) const {
    for (int64_t i = 0; i < count; ++i)
      r[i] = x[i] - (x[i] > modulus / 2 ? modulus : 0);
  }

  /// c += a b, for `width` columns from j and the terms [l, l + depth).
  void addBlock(int64_t j, int64_t width, int64_t l, int64_t depth) {
    int64_t padded = roundUp(depth, kGroup);
    // Every group adds 2^31 too much to the upper sum.
    correction =
        modulus - (static_cast<uint64_t>(padded / kGroup) << 31) % modulus;
    packPanels(b + l * n + j, width, depth, padded);
    for (int64_t i = 0; i < m; i += kTileRows) {
      int64_t rows = min(m - i, kTileRows);
      for (int64_t r = 0; r < rows; ++r) {
        uint32_t *row = strip + r * kStripStride;
        center(a + (i + r) * k + l, row, depth);
        for (int64_t s = depth; s < padded; ++s)
          row[s] = 0;
      }
      for (int64_t t = 0; t < width; t += kTileColumns)
        addTile<kTileRows>(rows, panels + t / kTileColumns * panelStride,
                           padded, c + i * n + j + t,
                           min(width - t, kTileColumns), /*first=*/l == 0);
    }
  }

  void packPanels(const uint32_t *from, int64_t width, int64_t depth,
                  int64_t padded) {
    int64_t full = width / kTileColumns * kTileColumns;
    for (int64_t l = 0; l < padded; ++l) {
      uint32_t *to = panels + l * kTileColumns;
      if (l >= depth) {
        for (int64_t t = 0; t < width; t += kTileColumns, to += panelStride)
          std::memset(to, 0, kBytes);
        continue;
      }
      const uint32_t *row = from + l * n;
      // Rows are far apart in memory, and the hardware foresees no jumps.
      const uint32_t *later = row + min(depth - 1 - l, 2) * n;
      for (int64_t t = 0; t < full; t += kTileColumns, to += panelStride) {
        __builtin_prefetch(later + t);
        center(row + t, to, kTileColumns);
      }
      if (full < width) {
        std::memset(to, 0, kBytes);
        center(row + full, to, width - full);
      }
    }
  }

  /// Picks the tile of as many rows.
  template <int kRows>
  MIRAGE_INLINE void addTile(int64_t rows, const uint32_t *panel, int64_t depth,
                             uint32_t *target, int64_t columns, bool first) {
    if (rows == kRows)
      return multiplyTile<kRows>(panel, depth, target, columns, first);
    if constexpr (kRows > 1)
      addTile<kRows - 1>(rows, panel, depth, target, columns, first);
  }

  template <int kRows>
  __attribute__((noinline, no_sanitize("undefined"))) void
  multiplyTile(const uint32_t *panel, int64_t depth, uint32_t *target,
               int64_t columns, bool first) {
    // Sums begin at 2^63: their upper half is then an unsigned number.
    const Words bias = Words{} + (uint64_t(1) << 63);
    const Halves upperHalves = (Halves)(Words{} + (~uint64_t(0) << 32));
    Words sums[kRows][2], upper[kRows][2];
    repeat<kRows>([&](int r) MIRAGE_INLINE_LAMBDA {
      sums[r][0] = sums[r][1] = bias;
      upper[r][0] = upper[r][1] = Words{};
    });
    const uint32_t *x = strip;
    for (int64_t l = 0; l < depth; l += kGroup) {
      repeat<kGroup>([&](int) MIRAGE_INLINE_LAMBDA {
        Words even = load<Words>(panel), odd = even >> 32;
        repeat<kRows>([&](int r) MIRAGE_INLINE_LAMBDA {
          Words factor = (Words)(Halves{} + x[r * kStripStride]);
          sums[r][0] += multiplySigned(factor, even);
          keep(sums[r][0]);
          sums[r][1] += multiplySigned(factor, odd);
          keep(sums[r][1]);
        });
        ++x;
        panel += kTileColumns;
      });
      repeat<2 * kRows>([&](int i) MIRAGE_INLINE_LAMBDA {
        Words &sum = sums[i / 2][i % 2];
        upper[i / 2][i % 2] += sum >> 32;
        sum = (Words)(upperHalves ? (Halves)bias : (Halves)sum);
      });
    }
    repeat<kRows>([&](int r) MIRAGE_INLINE_LAMBDA {
      storeRow(sums[r], upper[r], target + r * n, columns, first);
    });
  }

  /// Adds a row of sums to the result, or makes it the result.
  MIRAGE_INLINE void storeRow(const Words (&sums)[2], const Words (&upper)[2],
                              uint32_t *target, int64_t columns,
                              bool first) const {
    Halves residues =
        (Halves)(reduceSums(sums[0] & 0xffffffff, upper[0]) |
                 reduceSums(sums[1] & 0xffffffff, upper[1]) << 32);
    if (columns == kTileColumns) {
      if (!first)
        residues = subtractOnce(residues + load<Halves>(target));
      std::memcpy(target, &residues, kBytes);
      return;
    }
    Halves old = {};
    if (!first) {
      std::memcpy(&old, target, 4 * columns);
      residues = subtractOnce(residues + old);
    }
    std::memcpy(target, &residues, 4 * columns);
  }

  /// Residues from numbers below 2 p.
  MIRAGE_INLINE Halves subtractOnce(Halves x) const {
    Halves less = x - modulus;
    return less < x ? less : x;
  }

  /// (t + (-t / p mod 2^32) p) / 2^32, congruent t / 2^32.
  MIRAGE_INLINE Words reduce(Words t) const {
    Words factor = multiplyUnsigned(t, Words{} + negativeInverse);
    return (t + multiplyUnsigned(factor, Words{} + modulus)) >> 32;
  }

  /// (2^32 (upper + correction) + lower) mod p. The upper sum is below 2^38.
  MIRAGE_INLINE Words reduceSums(Words lower, Words upper) const {
    Words t = reduce(lower) + upper + correction;          // below 2^39
    t = reduce(t);                                         // at most p + 2^7
    t = reduce(multiplyUnsigned(t, Words{} + cubeOfWord)); // below 2 p
    return (Words)subtractOnce((Halves)t);
  }
};

} // namespace

#endif // MIRAGE_LIB_NUMBERS_FIELDMATMULBLOCKED_H
