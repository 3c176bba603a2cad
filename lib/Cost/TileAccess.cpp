//===- TileAccess.cpp - How tiles lie in device memory --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Cost/TileAccess.h"
#include <algorithm>
#include <numeric>

using namespace mirage;
using llvm::ArrayRef;

/// In bits.
static constexpr int64_t kSector = kSectorBytes * 8, kWidestAccess = 16 * 8,
                         kBoxAlignment = 16 * 8, kWidestBoxRow = 128 * 8;
/// How many of a warp's threads are served in a cycle, however little each of
/// them accesses.
static constexpr int64_t kThreadsPerCycle = 8;

/// The bits of the sectors that runs of `bits` bits touch on average, when
/// `count` of them follow one another from a sector's boundary on.
static double getSectorBits(int64_t bits, int64_t count) {
  // They begin at all multiples of the common divisor alike, and touch another
  // sector wherever they pass a boundary.
  int64_t step = std::gcd(bits, kSector);
  if (step == kSector)
    return bits;
  int64_t period = kSector / step;
  int64_t inPeriod = (bits + kSector - step) / step;
  int64_t sectors = count / period * inPeriod;
  for (int64_t i = 0, e = count % period; i < e; ++i)
    sectors += (i * bits + bits - 1) / kSector - i * bits / kSector + 1;
  return static_cast<double>(kSector * sectors) / count;
}

TileAccess mirage::getRunAccess(int64_t bits, int64_t runs, int64_t tiles) {
  if (bits <= 0 || runs <= 0 || tiles <= 0)
    return {};
  TileAccess access;
  access.runBytes = bits / 8.0;
  access.bytes = access.runBytes * runs;
  access.sectorBytes = runs * getSectorBits(bits, runs * tiles) / 8;
  int64_t width = std::min(bits & -bits, kWidestAccess);
  int64_t inCycle = kThreadsPerCycle * width;
  access.cycles = static_cast<double>(runs) * ((bits + inCycle - 1) / inCycle);
  // Odd multiples of 16 bytes are in different banks as they are; others are
  // cut into panels that are swizzled (docs/Layouts.md).
  if (bits % (2 * kBoxAlignment) == kBoxAlignment)
    access.boxRows = runs;
  else if (bits % kBoxAlignment == 0)
    access.boxRows = static_cast<double>(runs) * bits /
                     std::min(bits & -bits, kWidestBoxRow);
  return access;
}

TileAccess mirage::getTileAccess(ArrayRef<int64_t> tensor,
                                 ArrayRef<int64_t> tile, unsigned elementBits) {
  int64_t run = elementBits, runs = 1, tiles = 1;
  bool isContiguous = true;
  for (size_t d = tensor.size(); d-- > 0;) {
    (isContiguous ? run : runs) *= tile[d];
    isContiguous &= tile[d] == tensor[d];
    tiles *= tile[d] > 0 ? tensor[d] / tile[d] : 0;
  }
  return getRunAccess(run, runs, tiles);
}

double mirage::getSectorBytes(ArrayRef<int64_t> tensor, unsigned elementBits) {
  return getTileAccess(tensor, tensor, elementBits).sectorBytes;
}
