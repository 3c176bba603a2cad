//===- TileAccess.h - How tiles lie in device memory ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_COST_TILEACCESS_H
#define MIRAGE_COST_TILEACCESS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace mirage {

/// What device memory and the L2 cache transfer at least, and aligned to it, in
/// bytes.
inline constexpr int64_t kSectorBytes = 32;

/// What loading or storing one tile of a tensor takes.
struct TileAccess {
  /// The bytes of the tile itself.
  double bytes = 0;
  /// The bytes of the sectors that it touches: whole sectors for each of its
  /// contiguous runs, on average over the tiles of the tensor.
  double sectorBytes = 0;
  /// The same for each request of a warp: its threads load or store what
  /// follows each other in the tile, so that runs are cut where a request ends,
  /// and a sector that is cut is requested twice.
  double requestedBytes = 0;
  /// The bytes of one contiguous run: the trailing dimensions that the tile has
  /// whole, and its part of the first one that is cut.
  double runBytes = 0;
  /// Cycles of an SM's access to its cache: one for 8 threads, which access at
  /// most 16 bytes each, and fewer where the tile's rows are no multiples of
  /// them, or begin elsewhere.
  double cycles = 0;
  /// Cycles of an SM's tensor memory accelerator that loads it in boxes: one
  /// for each of their rows, which are whole runs of odd multiples of 16 bytes,
  /// and otherwise 128, 64 or 32 bytes, the most that divides a run; two for
  /// rows of 32 bytes. 0 if it can't.
  double boxCycles = 0;
};

/// How the tiles of shape `tile` lie in a dense row-major tensor that starts at
/// a sector's boundary. Where a dimension of the tensor is no multiple of the
/// tile's, one tile more overlaps the last, and the runs of a matrix are taken
/// to begin at any multiple of what their length and the tensor's have in
/// common. `elementBits` is the size of an element.
TileAccess getTileAccess(llvm::ArrayRef<int64_t> tensor,
                         llvm::ArrayRef<int64_t> tile, unsigned elementBits);

/// The same for tiles of `runs` contiguous runs of so many bits; the tensor has
/// `tiles` of them. `rowBits` is the last dimension's part of a run, and runs
/// begin at multiples of `startBits`, which divides a run: a whole one where
/// tiles don't overlap.
TileAccess getRunAccess(int64_t bits, int64_t runs, int64_t tiles,
                        int64_t rowBits, int64_t startBits);

/// The bytes of the sectors that a whole tensor takes.
double getSectorBytes(llvm::ArrayRef<int64_t> tensor, unsigned elementBits);

} // namespace mirage

#endif // MIRAGE_COST_TILEACCESS_H
