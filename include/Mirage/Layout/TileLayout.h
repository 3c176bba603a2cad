//===- TileLayout.h - The elements of a tile in shared memory ---*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the elements of a tile are in shared memory: an engine on plain numbers
// (docs/Layouts.md). AccessCost.h says how many transactions an access takes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LAYOUT_TILELAYOUT_H
#define MIRAGE_LAYOUT_TILELAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mirage {

/// A layout of a tile: its rows (of the last dimension) one behind the other,
/// whole or cut into panels, in which pieces of the rows are permuted; or whole
/// with padding behind each.
struct TileLayout {
  /// Outermost first. A tile of rank 0 is a row of one element.
  llvm::SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 1;
  /// 0: row-major, nothing is permuted. Otherwise 32, 64 or 128, which a row
  /// consists of parts of: pieces change places in them.
  int64_t swizzleBytes = 0;
  /// What is permuted: 16 bytes, or 32 for pairs of f32.
  int64_t pieceBytes = 16;
  /// Where something is permuted, whether rows are whole. Otherwise a panel
  /// holds a part of every row, one row behind the other, and panel follows
  /// panel. Panels with pieces of 16 bytes are as the tensor memory accelerator
  /// swizzles: bits 4 and up of the offset are xor'ed with bits 7 and up, 1, 2
  /// or 3 of them. With pieces of 32 bytes bits 5 and 6 are xor'ed with bits 7
  /// and 8, and with bits 9 and 10: then every other row of 8 is as good as 4
  /// that follow each other. In whole rows the bits that permute are those of
  /// the number of the row, beginning where 128 bytes would be full if rows
  /// were of swizzleBytes; for pieces of 32 bytes combined with those that
  /// follow, too.
  bool hasWholeRows = false;
  /// 0, or 128 or 256, for rows of any length: of what is stored, the halves of
  /// each 128 bytes change places in every other part of so many bytes.
  int64_t linesBytes = 0;
  /// 0, or 16 or 32: a row begins an odd multiple of so many bytes behind the
  /// one before, the least that has room for it. Nothing is permuted then.
  int64_t pitchUnit = 0;

  /// Whether it is one of the layouts described: rows that consist of whole
  /// parts; panels with pieces of 32 bytes only if the elements take a multiple
  /// of 128.
  bool isValid() const;
  bool isPermuted() const { return swizzleBytes != 0; }
  bool isRowMajor() const { return !isPermuted() && pitchUnit == 0; }
  bool hasPanels() const { return isPermuted() && !hasWholeRows; }
  /// Whether the tensor memory accelerator can fill it, a box for each panel.
  bool allowsBulkCopies() const {
    return isPermuted() ? pieceBytes == 16 && !hasWholeRows : pitchUnit == 0;
  }

  /// The first byte of an element, from the tile's.
  int64_t getOffset(llvm::ArrayRef<int64_t> index) const;
  /// The same of the element that is `place`-th in row-major order.
  int64_t getOffsetOfPlace(int64_t place) const;
  /// From the first byte to the last: what the elements take, with padding.
  int64_t getBytes() const;
  /// What the offset of the tile has to be a multiple of: 16, or after how many
  /// bytes the swizzle of bulk copies repeats.
  int64_t getAlignment() const;

  /// Rows of all matrices.
  int64_t getNumRows() const;
  int64_t getRowElements() const { return shape.empty() ? 1 : shape.back(); }
  int64_t getRowBytes() const { return getRowElements() * elementBytes; }
  /// From the beginning of a whole row to that of the next.
  int64_t getPitchBytes() const;
  int64_t getNumPanels() const;
  /// How many bits of the offset are permuted, and which is the first. They are
  /// xor'ed with as many bits of the offset or, where `isPermutedByRow`, of the
  /// row's number, from `getFirstPermutingBit` on.
  unsigned getNumPermutedBits() const;
  unsigned getFirstPermutedBit() const;
  unsigned getFirstPermutingBit() const;
  bool isPermutedByRow() const { return hasWholeRows && linesBytes == 0; }
  /// Whether the bits after those that permute do so, too.
  bool isFolded() const { return pieceBytes == 32; }

  /// "row_major"; "swizzle_128"; "pairs_64", with pieces of 32 bytes; the same
  /// in whole rows: "rows_32", "pair_rows_128"; "halves_128"; "padded_16".
  std::string getName() const;

  bool operator==(const TileLayout &other) const;
};

/// The layout of that name. It may not be valid for the tile. None if there is
/// none of that name.
std::optional<TileLayout> getNamedLayout(llvm::StringRef name,
                                         llvm::ArrayRef<int64_t> shape,
                                         int64_t elementBytes);

/// The layouts that a tile can have, row-major first.
llvm::SmallVector<TileLayout> getCandidateLayouts(llvm::ArrayRef<int64_t> shape,
                                                  int64_t elementBytes);

} // namespace mirage

#endif // MIRAGE_LAYOUT_TILELAYOUT_H
