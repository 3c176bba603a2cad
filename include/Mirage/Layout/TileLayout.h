//===- TileLayout.h - The elements of a tile in shared memory ---*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the elements of a tile are in shared memory, and how many transactions
// an access takes: an engine on plain numbers (docs/Layouts.md).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LAYOUT_TILELAYOUT_H
#define MIRAGE_LAYOUT_TILELAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mirage {

/// A layout of a tile: matrices of its last two dimensions, one behind the
/// other. The runs of a matrix are its rows or, column-major, its columns;
/// elements of a run are neighbours.
struct TileLayout {
  /// Outermost first. A tile of rank 1 is one row, one of rank 0 one element.
  llvm::SmallVector<int64_t> shape;
  int64_t elementBytes;
  /// Whether the runs are columns.
  bool isColumnMajor = false;
  /// Bytes behind each run. 0 with a swizzle.
  int64_t paddingBytes = 0;
  /// 0, 32, 64 or 128: as the tensor memory accelerator swizzles. A matrix is
  /// cut into panels, each a part of every run of this many bytes; in each
  /// panel pieces of 16 bytes are permuted: bits 4 and up of the offset are
  /// xor'ed with bits 7 and up, 1, 2 or 3 of them.
  int64_t swizzleBytes = 0;

  /// Whether it is one of the layouts described: a swizzle only without padding
  /// and with runs that consist of whole panels.
  bool isValid() const;
  /// The first byte of an element, from the tile's.
  int64_t getOffset(llvm::ArrayRef<int64_t> index) const;
  /// From the first byte to the last element's last, and to the end of the
  /// matrix where several follow each other.
  int64_t getBytes() const;
  /// What the offset of the tile has to be a multiple of: 16, or after how many
  /// bytes the swizzle repeats.
  int64_t getAlignment() const;

  int64_t getNumRows() const;
  int64_t getNumColumns() const;
  /// Bytes of the elements of a run.
  int64_t getRunBytes() const;
  /// "row-major", "column-major, padding 16", "row-major, swizzle 128".
  std::string str() const;

  bool operator==(const TileLayout &other) const;
};

/// What a thread of a warp loads or stores with one instruction.
struct ThreadAccess {
  int64_t offset;
  int64_t bytes;
};

/// The transactions that an instruction of a warp takes, all of whose threads
/// access as many bytes (1 to 16, a power of two, aligned). Threads that
/// together access 128 bytes go at once; of 32 banks, each with words of 4
/// bytes, each gives one word in a transaction, to all who want it.
int64_t countTransactions(llvm::ArrayRef<ThreadAccess> accesses);

/// How the threads of a warp access a tile, all of it, in turn.
enum class AccessPattern {
  LoadMatrix, ///< ldmatrix: 8 x 8 elements of 2 bytes, each row of them 16
              ///< bytes
  LoadMatrixTransposed, ///< the same with columns of 16 bytes (.trans)
  CopyRows,    ///< cp.async: 16 bytes a thread, row by row as in device memory
  ReadRows,    ///< an element a thread, along rows
  ReadColumns, ///< an element a thread, along columns
};

/// The transactions of accessing all of a tile.
struct AccessCost {
  int64_t transactions = 0;
  /// If there were no bank conflicts.
  int64_t ideal = 0;
};

/// Counts them. None if the layout does not allow the access: 16 bytes that
/// have to be neighbours, and aligned, are not.
std::optional<AccessCost> getAccessCost(const TileLayout &layout,
                                        AccessPattern pattern);

} // namespace mirage

#endif // MIRAGE_LAYOUT_TILELAYOUT_H
