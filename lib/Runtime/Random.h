//===- Random.h - Random numbers that are the same everywhere ---*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_RANDOM_H
#define MIRAGE_LIB_RUNTIME_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mirage {

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
class SplitMix64 {
public:
  explicit SplitMix64(uint64_t seed) : state(seed) {}

  uint64_t operator()() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

private:
  uint64_t state;
};

/// Puts elements in any order, the same for the same seed with every standard
/// library.
template <typename T> void shuffle(std::vector<T> &list, SplitMix64 &random) {
  for (size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[random() % i]);
}

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_RANDOM_H
