//===- RowChainShape.cpp - Sizes of row chains ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/RowChainShape.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mirage;

/// The columns that a step of the last product takes.
static int64_t getStep(int64_t cols) { return cols % 16 == 0 ? 16 : 8; }

bool RowChainShape::isPossible() const {
  constexpr int64_t kMostRows = 128;
  bool areSteps = getPaddedCols() % 16 == 0 || iterations % 2 != 0;
  bool mayHaveMostCols = getNumRowWarps() == 1 || iterations == 1;
  return rows <= kMostRows && areSteps && outCols % kColsOfTile == 0 &&
         cols > 1 && cols <= (mayHaveMostCols ? kMostCols : kMostColsOfMany);
}

int64_t RowChainShape::getPaddedCols() const {
  return llvm::alignTo(cols, kColsOfTile);
}

int64_t RowChainShape::getComputedRows(int64_t rows) {
  constexpr int64_t kLeast = kRowsOfWarp / kMostRowsOfLane;
  return rows > kLeast ? llvm::alignTo(rows, kRowsOfWarp) : kLeast;
}

int64_t RowChainShape::getNumRowWarps() const {
  return llvm::divideCeil(rows, kRowsOfWarp);
}

/// A thread's registers for a fragment, and for all that is none.
static constexpr int64_t kOfTile = 4, kOther = 56;

int64_t RowChainShape::getNumThreadRegisters(int64_t parts) const {
  constexpr int64_t kWideSums = 128, kMostColsOfWide = 64;
  const bool areWide =
      outCols > kWideSums && getPaddedCols() <= kMostColsOfWide;
  if (parts == 1 && (addsAtOnce || (addsToShifted && areWide)))
    return getLeastThreadRegisters(parts);
  // What is added to the rows of the sums, too.
  return getLeastThreadRegisters(parts) +
         outCols / kColsOfTile * kOfTile * getRowsOfLane() / kMostRowsOfLane;
}

int64_t RowChainShape::getLeastThreadRegisters(int64_t parts) const {
  return (firsts * getColTiles(parts) + outCols / kColsOfTile) * kOfTile +
         kOther;
}

bool RowChainShape::canKeepRows(int64_t parts) const {
  constexpr int64_t kOfRows = kOfTile / 2;
  return getLeastThreadRegisters(parts) + getColTiles(parts) * kOfRows <=
         getMostRegisters(parts);
}

int64_t RowChainShape::getMostRegisters(int64_t parts) const {
  // Each scheduler has a quarter of the registers.
  constexpr int64_t kSchedulers = 4;
  int64_t ofThread = kRegistersPerSm / kSchedulers / kWarpSize /
                     llvm::divideCeil(getNumWarps(parts), kSchedulers);
  return std::min(ofThread, kMaxThreadRegisters);
}

int64_t RowChainShape::getScratchBytes(int64_t parts, int64_t rowTiles) const {
  // Of each lane two columns of its rows in each tile, and an element of each.
  const int64_t rowBytes = getRowsOfLane() * kWarpSize * 4,
                fragmentBytes = 2 * rowBytes;
  if (parts == 1)
    return 0;
  return parts * getNumRowWarps() *
         (outCols / kColsOfTile * fragmentBytes + rowTiles * rowBytes);
}

int64_t RowChainShape::chooseParts(bool mayHaveParts) const {
  // Two warps for each scheduler, each with 16 rows and a step or more of the
  // columns. With fewer warps than schedulers some would do nothing. The most
  // rows that there can be are as many warps.
  constexpr int64_t kMostWarps = 8, kLeastWarps = 4;
  for (int64_t parts = mayHaveParts ? kMostWarps / getNumRowWarps() : 1;
       parts > 0; --parts)
    if (getPaddedCols() % (getStep(getPaddedCols()) * parts) == 0 &&
        (lasts == 1 ||
         getColTiles(parts) * kColsOfTile <= kMostColsOfSeveral) &&
        getNumThreadRegisters(parts) <= getMostRegisters(parts))
      return getNumRowWarps() * parts < kLeastWarps ? 0 : parts;
  return 0;
}
