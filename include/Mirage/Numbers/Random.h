//===- Random.h - A counter-based generator ---------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_NUMBERS_RANDOM_H
#define MIRAGE_NUMBERS_RANDOM_H

#include <cstdint>

namespace mirage {

/// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): a bijection of
/// 64-bit words that scatters neighbouring ones.
inline uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Word `index` of the stream that `seed` and `stream` name. A pure function,
/// so that tensors can be filled in any order and by any number of threads.
inline uint64_t randomWord(uint64_t seed, uint64_t stream, uint64_t index) {
  return mix(mix(mix(seed) ^ stream) ^ index);
}

} // namespace mirage

#endif // MIRAGE_NUMBERS_RANDOM_H
