//===- TileLayout.cpp - The elements of a tile in shared memory -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Layout/TileLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

/// What the hardware moves at once, and swizzles permute.
constexpr int64_t kPieceBytes = 16;
/// A lane's pair of f32, of the four lanes that have a row of a fragment.
constexpr int64_t kPairsBytes = 32;

/// What all banks give at once, half of it, and which bit of an offset is the
/// first of the number of such a row of banks.
constexpr int64_t kBanksBytes = 128, kHalfBytes = 64;
constexpr unsigned kFirstBanksBit = 7;

namespace {
struct Kind {
  StringRef name;
  int64_t swizzleBytes, pieceBytes;
  bool hasWholeRows;
  int64_t linesBytes = 0, pitchUnit = 0;

  TileLayout make(ArrayRef<int64_t> shape, int64_t elementBytes) const {
    return {SmallVector<int64_t, 4>(shape),
            elementBytes,
            swizzleBytes,
            pieceBytes,
            hasWholeRows,
            linesBytes,
            pitchUnit};
  }
};
} // namespace

static constexpr Kind kKinds[] = {
    {"row_major", 0, kPieceBytes, false},
    {"swizzle_32", 32, kPieceBytes, false},
    {"swizzle_64", 64, kPieceBytes, false},
    {"swizzle_128", 128, kPieceBytes, false},
    {"rows_32", 32, kPieceBytes, true},
    {"rows_64", 64, kPieceBytes, true},
    {"rows_128", 128, kPieceBytes, true},
    {"pairs_32", 32, kPairsBytes, false},
    {"pairs_64", 64, kPairsBytes, false},
    {"pairs_128", 128, kPairsBytes, false},
    {"pair_rows_64", 64, kPairsBytes, true},
    {"pair_rows_128", 128, kPairsBytes, true},
    {"halves_128", kBanksBytes, kHalfBytes, true, 128},
    {"halves_256", kBanksBytes, kHalfBytes, true, 256},
    {"padded_16", 0, kPieceBytes, false, 0, 16},
    {"padded_32", 0, kPieceBytes, false, 0, 32},
};

static bool isOf(const Kind &kind, const TileLayout &layout) {
  return kind.swizzleBytes == layout.swizzleBytes &&
         kind.pieceBytes == layout.pieceBytes &&
         kind.hasWholeRows == layout.hasWholeRows &&
         kind.linesBytes == layout.linesBytes &&
         kind.pitchUnit == layout.pitchUnit;
}

int64_t TileLayout::getNumRows() const {
  int64_t rows = 1;
  for (int64_t size : ArrayRef(shape).drop_back(shape.empty() ? 0 : 1))
    rows *= size;
  return rows;
}

int64_t TileLayout::getNumPanels() const {
  return hasPanels() ? getRowBytes() / swizzleBytes : 1;
}

unsigned TileLayout::getNumPermutedBits() const {
  if (!isPermuted())
    return 0;
  // Pieces of 32 bytes change places in all of a row of banks, of which narrow
  // panels have several rows.
  if (hasPanels() && isFolded())
    return 2;
  return llvm::Log2_64(swizzleBytes / pieceBytes);
}

unsigned TileLayout::getFirstPermutingBit() const {
  if (linesBytes != 0)
    return llvm::Log2_64(linesBytes);
  return hasWholeRows ? kFirstBanksBit - llvm::Log2_64(swizzleBytes)
                      : kFirstBanksBit;
}

unsigned TileLayout::getFirstPermutedBit() const {
  return llvm::Log2_64(pieceBytes);
}

bool TileLayout::isValid() const {
  if (elementBytes < 1 || elementBytes > kPieceBytes ||
      !llvm::isPowerOf2_64(elementBytes) ||
      llvm::any_of(shape, [](int64_t size) { return size < 1; }))
    return false;
  return llvm::any_of(kKinds,
                      [&](const Kind &kind) { return isOf(kind, *this); }) &&
         (!isPermuted() || linesBytes != 0 ||
          getRowBytes() % swizzleBytes == 0) &&
         (!hasPanels() || !isFolded() || getBytes() % kBanksBytes == 0);
}

int64_t TileLayout::getAlignment() const {
  // Bulk copies permute by bits of the address, others by those of the offset.
  if (!hasPanels() || !allowsBulkCopies())
    return kPieceBytes;
  return int64_t(1) << (getFirstPermutingBit() + getNumPermutedBits());
}

int64_t TileLayout::getOffset(ArrayRef<int64_t> index) const {
  int64_t place = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    place = place * size + i;
  return getOffsetOfPlace(place);
}

int64_t TileLayout::getOffsetOfPlace(int64_t place) const {
  int64_t offset = place * elementBytes;
  int64_t row = offset / getRowBytes(), inRow = offset % getRowBytes();
  if (!isPermuted())
    return row * getPitchBytes() + inRow;
  if (hasPanels())
    offset = (inRow / swizzleBytes * getNumRows() + row) * swizzleBytes +
             inRow % swizzleBytes;
  int64_t bits = (isPermutedByRow() ? row : offset) >> getFirstPermutingBit();
  unsigned count = getNumPermutedBits();
  if (isFolded())
    bits ^= bits >> count;
  int64_t mask = (int64_t(1) << count) - 1;
  return offset ^ (bits & mask) << getFirstPermutedBit();
}

int64_t TileLayout::getPitchBytes() const {
  if (pitchUnit == 0)
    return getRowBytes();
  return llvm::alignTo(getRowBytes(), 2 * pitchUnit, pitchUnit);
}

int64_t TileLayout::getBytes() const {
  int64_t bytes = getNumRows() * getPitchBytes();
  return linesBytes == 0 ? bytes : llvm::alignTo(bytes, kBanksBytes);
}

std::string TileLayout::getName() const {
  for (const Kind &kind : kKinds)
    if (isOf(kind, *this))
      return kind.name.str();
  return "invalid";
}

bool TileLayout::operator==(const TileLayout &other) const {
  return shape == other.shape && elementBytes == other.elementBytes &&
         swizzleBytes == other.swizzleBytes && pieceBytes == other.pieceBytes &&
         hasWholeRows == other.hasWholeRows && linesBytes == other.linesBytes &&
         pitchUnit == other.pitchUnit;
}

std::optional<TileLayout> mirage::getNamedLayout(StringRef name,
                                                 ArrayRef<int64_t> shape,
                                                 int64_t elementBytes) {
  for (const Kind &kind : kKinds)
    if (kind.name == name)
      return kind.make(shape, elementBytes);
  return std::nullopt;
}

SmallVector<TileLayout> mirage::getCandidateLayouts(ArrayRef<int64_t> shape,
                                                    int64_t elementBytes) {
  SmallVector<TileLayout> layouts;
  for (const Kind &kind : kKinds) {
    // Pairs of other elements take pieces of 16 bytes or less.
    if (kind.pieceBytes == kPairsBytes && elementBytes != 4)
      continue;
    TileLayout layout = kind.make(shape, elementBytes);
    if (!layout.isValid())
      continue;
    // One row is in nobody's way, and padding may be none.
    if ((layout.linesBytes != 0 && layout.getNumRows() == 1) ||
        (layout.pitchUnit != 0 &&
         (layout.getNumRows() == 1 ||
          layout.getPitchBytes() == layout.getRowBytes())))
      continue;
    layouts.push_back(std::move(layout));
  }
  return layouts;
}
