//===- RowChainShape.h - Sizes of row chains --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of row chains (docs/Lowering.md), apart from the ops that they
// are of: the lowering finds chains in IR (BlockPlan/RowChain.h), and the cost
// model in graphs of the search (Cost/BlockResources.h), by the same numbers.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_ROWCHAINSHAPE_H
#define MIRAGE_DIALECT_MIRAGE_ROWCHAINSHAPE_H

#include <cstdint>

namespace mirage {

/// The sizes of products of tiles of which the last multiply rows of the first,
/// and whether those have room in registers in between.
struct RowChainShape {
  /// Of the first products' results.
  int64_t rows, cols;
  /// Of the last ones', together.
  int64_t outCols;
  /// How often a loop multiplies such columns.
  int64_t iterations;
  /// How many first products there are, whose rows are there at once, and last
  /// ones.
  int64_t firsts = 1, lasts = 1;
  /// Whether what is multiplied is added to sums as they are, in 16 bits: what
  /// they become when they are rescaled, and tf32, take more registers.
  bool addsAtOnce = false;
  /// Whether it is added in 16 bits to sums that are rescaled where they are,
  /// as the greatest maximum so far does.
  bool addsToShifted = false;

  /// Whether there is such a chain at all: at most 128 rows and columns, or 256
  /// columns of 16 rows or of one iteration, and two columns at least, as tiles
  /// of one are rows. Filled up to a multiple of 8 they are one of 16, unless
  /// the number of iterations is odd. (The last product takes 16 columns of
  /// a first one in a step. Steps of 8 take as long, and are for loops of which
  /// 16 may divide no tile.)
  bool isPossible() const;
  /// A warp for each 16 rows; what the last one has beyond them is computed in
  /// vain.
  int64_t getNumRowWarps() const;
  /// With what the last warp computes in vain.
  int64_t getPaddedRows() const { return getNumRowWarps() * kRowsOfWarp; }
  bool hasPaddedRows() const { return rows != getPaddedRows(); }
  /// How many rows a lane has, eight apart: one where none has a second, of
  /// which nothing is computed.
  int64_t getRowsOfLane() const {
    return rows > kRowsOfWarp / kMostRowsOfLane ? kMostRowsOfLane : 1;
  }
  /// So many rows with those that are computed in vain.
  static int64_t getComputedRows(int64_t rows);
  /// With what the last tile of columns has beyond them, which is computed, but
  /// neither folded nor multiplied.
  int64_t getPaddedCols() const;
  bool hasPaddedCols() const { return cols != getPaddedCols(); }
  /// The tiles of 8 columns of each part.
  int64_t getColTiles(int64_t parts) const {
    return getPaddedCols() / kColsOfTile / parts;
  }
  /// In how many parts warps take the columns; 0 if there is no room, or less
  /// to do than for four warps. `mayHaveParts`: whether there may be several.
  int64_t chooseParts(bool mayHaveParts) const;
  /// The warps of a block, with one that loads.
  int64_t getNumWarps(int64_t parts) const {
    return getNumRowWarps() * parts + 1;
  }
  /// The registers that a thread takes, about. What isn't added to sums at once
  /// takes as many as their rows, and so does what several parts add (gradients
  /// of 16 rows and 128 columns spilled some on sm_80 without these), and what
  /// is added to shifted ones, unless these are so wide (heads of 192 and 256)
  /// that there would be no chain, and rows are of 64 columns at most.
  int64_t getNumThreadRegisters(int64_t parts) const;
  /// Those that it can't do without, if what is multiplied is added at once.
  int64_t getLeastThreadRegisters(int64_t parts) const;
  /// Whether a thread can also keep the rows of an iteration, in 16 bits, while
  /// the next one computes, if what is multiplied is added at once.
  bool canKeepRows(int64_t parts) const;
  /// Shared memory through which the parts come together behind the loop, with
  /// what they have of `rowTiles` tiles of one column, in bytes.
  int64_t getScratchBytes(int64_t parts, int64_t rowTiles) const;

  /// The lanes that have elements of the same row of a fragment of 16 x 8.
  static constexpr int32_t kLanesOfRow = 4;
  static constexpr int64_t kRowsOfWarp = 16, kMostRowsOfLane = 2;
  static constexpr int64_t kColsOfTile = 8;
  /// Of any chain, of one with several warps of rows in several iterations, and
  /// of a part of one with several last products, which mostly take rows of
  /// their own (with 128 columns ptxas spills some).
  static constexpr int64_t kMostCols = 256, kMostColsOfMany = 128,
                           kMostColsOfSeveral = 64;

private:
  /// What a thread can have, with as many others.
  int64_t getMostRegisters(int64_t parts) const;
};

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_ROWCHAINSHAPE_H
