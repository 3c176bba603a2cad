//===- AccessCost.h - Transactions of accesses to a tile --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How kernels access tiles in shared memory, and how many transactions that
// takes in a layout: an engine on plain numbers (docs/Layouts.md).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LAYOUT_ACCESSCOST_H
#define MIRAGE_LAYOUT_ACCESSCOST_H

#include "Mirage/Layout/TileLayout.h"

namespace mirage {

/// What a thread of a warp loads or stores with one instruction, in bytes.
struct ThreadAccess {
  int64_t offset;
  int64_t bytes;
};

/// The transactions that an instruction of a warp takes, all of whose threads
/// access as many bytes (1 to 16, a power of two, aligned). Threads that
/// together access 128 bytes go at once; of 32 banks, each with words of 4
/// bytes, each gives one word in a transaction, to all who want it.
int64_t countTransactions(llvm::ArrayRef<ThreadAccess> accesses);

/// Whether `width` neighbours in dimension `dim`, from a multiple of `width`
/// on, are neighbours in memory, at a multiple of `width`, where element
/// `index` is at `offset + sum(index[d] * strides[d])`.
bool isVector(llvm::ArrayRef<int64_t> strides, int64_t offset, int64_t width,
              size_t dim);

/// The elements of a tile as somebody sees them (of a transposed tile, say):
/// element `index` is the one that is `offset + sum(index[d] * strides[d])`-th
/// of the tile in row-major order.
struct TileView {
  llvm::SmallVector<int64_t, 4> shape, strides;
  int64_t offset = 0;

  bool operator==(const TileView &other) const {
    return shape == other.shape && strides == other.strides &&
           offset == other.offset;
  }
  /// All of a tile, as it is.
  static TileView getWhole(llvm::ArrayRef<int64_t> shape);
  /// As operators see it that apply it to each element of a tile of a shape.
  TileView broadcastTo(llvm::ArrayRef<int64_t> shape) const;
  /// Of places in the tile.
  bool isVector(int64_t width, size_t dim) const {
    return mirage::isVector(strides, offset, width, dim);
  }
  /// In the last dimension.
  bool isVector(int64_t width) const {
    return isVector(width, shape.size() - 1);
  }
};

/// How the threads of a block access all of a view, in turn.
struct AccessPattern {
  enum class Kind {
    Elements, ///< a thread `width` neighbours of the last dimension, threads in
              ///< row-major order; of the first `split` of each row, if that is
              ///< not 0, before of the others
    Fold,     ///< `lanes` threads take turns along `dim`, each with `width`
              ///< neighbours, for each element of the others in row-major
              ///< order; next to each other if `alongLanes`, otherwise those
              ///< of an element are
    Matrices, ///< ldmatrix: 8 lines along `lineDim` of 16 bytes along `dim`
    Fragments ///< lane 4 g + t elements 2 t and 2 t + 1 along `dim` of line g
              ///< along `lineDim`, at once if they are a vector; with a `width`
              ///< of 4, of each 16 the four from 4 (t / 2) + 8 (t % 2) on
  };
  Kind kind = Kind::Elements;
  int64_t width = 1;
  unsigned dim = 0, lineDim = 0;
  int64_t lanes = 1;
  bool alongLanes = false;
  int64_t split = 0;

  static AccessPattern getElements(int64_t width, int64_t split = 0);
  static AccessPattern getFold(unsigned dim, int64_t lanes, bool alongLanes,
                               int64_t width = 1);
  static AccessPattern getMatrices(unsigned dim, unsigned lineDim);
  static AccessPattern getFragments(unsigned dim, unsigned lineDim,
                                    int64_t width = 2);
};

/// How many neighbours in the last dimension a thread should compute together
/// when so many threads compute the elements of a tile one after the other.
int64_t getElementWidth(llvm::ArrayRef<int64_t> shape, int64_t threads);

/// How many elements of each row they should compute before the others, so that
/// no 128 bytes of f32 that are accessed at once go past a row's end; 0: all.
int64_t getElementSplit(llvm::ArrayRef<int64_t> shape);

/// What a thread reads at a time of what is folded, at most.
constexpr int64_t kWidestFoldBytes = 16;

/// Of elements that begin anywhere, less than 4 bytes each, a thread loads so
/// many at a time, as they can't be copied in the background.
constexpr int64_t kNarrowLoadsAtOnce = 32;

/// Of a tile, four vectors of 16 bytes in f16. A block that runs once through
/// what it loads, without products, as norms of rows do, has twice the threads
/// if each had as many or more: all wait for each other.
constexpr int64_t kManyElementsPerThread = 32;

/// The threads that share an element of a fold along memory, a power of two
/// (`FoldPlan::parts`): each of `count` elements is folded from `size` others
/// of (at least) so many bytes, `width` at a time.
int64_t getFoldParts(int64_t count, int64_t size, int64_t width, int64_t bytes,
                     int64_t threads);

/// The same of a fold across rows of memory, at most a warp.
int64_t getFoldPartsAcross(int64_t count, int64_t size, int64_t threads);

/// The transactions of accessing all of a view.
struct AccessCost {
  int64_t transactions = 0;
  /// If there were no bank conflicts.
  int64_t ideal = 0;
};

/// Counts them. None if the layout does not allow the access: what has to be
/// neighbours, and aligned, is not.
std::optional<AccessCost> getAccessCost(const TileLayout &layout,
                                        const TileView &view,
                                        const AccessPattern &pattern);

} // namespace mirage

#endif // MIRAGE_LAYOUT_ACCESSCOST_H
