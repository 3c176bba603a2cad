//===- TileAccess.cpp - How tiles lie in device memory --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Cost/TileAccess.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace mirage;
using llvm::ArrayRef;

/// In bits.
static constexpr int64_t kSector = kSectorBytes * 8, kBoxAlignment = 16 * 8,
                         kWidestBoxRow = 128 * 8;
static constexpr unsigned kLog2Byte = 3,
                          kLog2Sector = llvm::ConstantLog2<kSector>(),
                          kLog2WidestAccess = llvm::ConstantLog2<16 * 8>();
/// How many of a warp's threads are served in a cycle, however little each of
/// them accesses.
static constexpr int64_t kThreadsPerCycle = 8;
/// Of a row of 32 bytes of a box (measured, docs/CostModel.md).
static constexpr double kCyclesOfNarrowRow = 2;

/// n / 2^shift, rounded up; n > 0.
static int64_t ceilShift(int64_t n, unsigned shift) {
  return ((n - 1) >> shift) + 1;
}

/// The bits of the sectors that runs of `bits` bits, multiples of 2^log2Step,
/// touch on average, when `count` of them follow one another from a sector's
/// boundary on.
static double getSectorBits(int64_t bits, unsigned log2Step, int64_t count) {
  // They begin at all multiples of the step alike, and touch another sector
  // wherever they pass a boundary.
  unsigned log2Period = kLog2Sector - log2Step;
  int64_t inPeriod = (bits + kSector - (int64_t(1) << log2Step)) >> log2Step;
  int64_t sectors = (count >> log2Period) * inPeriod;
  int64_t rest = count & ((int64_t(1) << log2Period) - 1);
  for (int64_t i = 0; i < rest; ++i)
    sectors += (i * bits + bits - 1) / kSector - i * bits / kSector + 1;
  return static_cast<double>(kSector * sectors) / count;
}

/// The bits of the sectors that are requested twice for a tile, since runs are
/// cut where a warp's request of 2^log2Request bits ends.
static double getCutBits(int64_t bits, unsigned log2Step, unsigned log2Request,
                         int64_t runs, int64_t tiles) {
  // Where a run ends, too, none is cut.
  const unsigned log2Run =
      std::min<unsigned>(llvm::countr_zero<uint64_t>(bits), log2Request);
  int64_t cuts = ceilShift(runs * bits, log2Request) -
                 ceilShift(runs, log2Request - log2Run);
  // Requests are whole sectors, so that a cut is on a boundary if its run
  // begins on one: of all that are cut at the same place, those of one tile in
  // a period.
  int64_t aligned = ceilShift(tiles, kLog2Sector - log2Step);
  return static_cast<double>(kSector * cuts) * (tiles - aligned) / tiles;
}

TileAccess mirage::getRunAccess(int64_t bits, int64_t runs, int64_t tiles,
                                int64_t rowBits, int64_t startBits) {
  if (bits <= 0 || runs <= 0 || tiles <= 0)
    return {};
  TileAccess access;
  access.runBytes = bits / 8.0;
  access.bytes = access.runBytes * runs;
  unsigned log2Width =
      std::clamp<unsigned>(llvm::countr_zero<uint64_t>(rowBits | startBits),
                           kLog2Byte, kLog2WidestAccess);
  // Of a vector's tiles only the last begins elsewhere, of a matrix' many rows.
  const int64_t spread = runs == 1 ? bits : startBits;
  int64_t step = spread & -spread;
  if (step >= kSector) {
    access.sectorBytes = access.requestedBytes = access.bytes;
  } else {
    unsigned log2Step = llvm::countr_zero<uint64_t>(spread);
    access.sectorBytes = runs * getSectorBits(bits, log2Step, runs * tiles) / 8;
    access.requestedBytes = access.sectorBytes;
    // Requests end where runs do that are powers of two.
    if (bits != step)
      access.requestedBytes +=
          getCutBits(bits, log2Step,
                     log2Width + llvm::ConstantLog2<kWarpSize>(), runs, tiles) /
          8;
  }
  access.cycles =
      static_cast<double>(runs) *
      ceilShift(bits, log2Width + llvm::ConstantLog2<kThreadsPerCycle>());
  // Odd multiples of 16 bytes are in different banks as they are; others are
  // cut into panels that are swizzled (docs/Layouts.md).
  const int64_t panel = bits & -bits;
  if (startBits % kBoxAlignment != 0)
    return access;
  if (panel == kBoxAlignment)
    access.boxCycles = runs;
  else if (panel > kBoxAlignment)
    access.boxCycles = static_cast<double>(runs) * bits /
                       std::min(panel, kWidestBoxRow) *
                       (panel == kSector ? kCyclesOfNarrowRow : 1);
  return access;
}

TileAccess mirage::getTileAccess(ArrayRef<int64_t> tensor,
                                 ArrayRef<int64_t> tile, unsigned elementBits) {
  int64_t run = elementBits, runs = 1, tiles = 1;
  int64_t row = tile.empty() ? elementBits : tile.back() * elementBits;
  // From where one run may begin to where that does which is in the same place
  // of what is cut next.
  int64_t pitch = elementBits;
  bool isContiguous = true;
  for (size_t d = tensor.size(); d-- > 0;) {
    if (isContiguous)
      pitch *= tensor[d];
    (isContiguous ? run : runs) *= tile[d];
    isContiguous &= tile[d] == tensor[d];
    tiles *= tile[d] > 0 ? llvm::divideCeil(tensor[d], tile[d]) : 0;
  }
  return getRunAccess(run, runs, tiles, row, std::gcd(run, pitch));
}

double mirage::getSectorBytes(ArrayRef<int64_t> tensor, unsigned elementBits) {
  return getTileAccess(tensor, tensor, elementBits).sectorBytes;
}
