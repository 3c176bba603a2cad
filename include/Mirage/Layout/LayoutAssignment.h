//===- LayoutAssignment.h - The best layouts of tiles -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses a layout for each tile of a kernel with Z3's optimizer (paper,
// section 6, "tensor layouts"; docs/Layouts.md).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LAYOUT_LAYOUTASSIGNMENT_H
#define MIRAGE_LAYOUT_LAYOUTASSIGNMENT_H

#include "Mirage/Layout/TileLayout.h"

namespace mirage {

/// How all of a tile is accessed, and how often while the kernel runs.
struct TileUse {
  AccessPattern pattern;
  int64_t times;
};

/// A tile, and what it can look like.
struct TileChoice {
  /// At least one. The first that all uses allow is what the tile gets when
  /// nobody chooses.
  llvm::SmallVector<TileLayout> layouts;
  llvm::SmallVector<TileUse> uses;
  /// How many of the tile there are at once (stages of a pipeline).
  int64_t copies = 1;
};

struct LayoutProblem {
  llvm::SmallVector<TileChoice> tiles;
  /// Layouts that two tiles can't have both, as an operator handles only
  /// certain pairs.
  struct Exclusion {
    unsigned tile, layout, otherTile, otherLayout;
  };
  llvm::SmallVector<Exclusion> exclusions;
  /// Tiles that are in shared memory at the same time.
  llvm::SmallVector<llvm::SmallVector<unsigned>> together;
  /// What tiles of one group may take, in bytes.
  int64_t maxBytes;
  /// How many bytes of padding cost as much as a transaction.
  int64_t bytesPerTransaction = 1024;
};

struct LayoutAssignment {
  enum class Outcome {
    Optimal,    ///< none costs less
    GaveUp,     ///< the time limit; each tile has its first layout
    Infeasible, ///< no assignment obeys the problem; the same
  };
  Outcome outcome;
  /// For each tile the layout it gets, by its index.
  llvm::SmallVector<unsigned> layouts;
  /// Of the assignment, see `getLayoutCost`.
  int64_t cost = 0;
};

/// What it costs that a tile has a layout: the transactions beyond the ideal,
/// over all uses, `bytesPerTransaction` for each, and the bytes beyond those of
/// the elements. None if the layout does not allow a use.
std::optional<int64_t> getLayoutCost(const LayoutProblem &problem,
                                     unsigned tile, unsigned layout);

/// The layouts that a tile can have: row-major and column-major, with up to 16
/// bytes of padding, with each swizzle; row-major without either first.
llvm::SmallVector<TileLayout> getCandidateLayouts(llvm::ArrayRef<int64_t> shape,
                                                  int64_t elementBytes);

/// The assignment with the least sum of costs in which each tile has a layout
/// that its uses allow, no exclusion is violated, and each group fits.
LayoutAssignment assignLayouts(const LayoutProblem &problem,
                               unsigned timeLimitMs = 1000);

} // namespace mirage

#endif // MIRAGE_LAYOUT_LAYOUTASSIGNMENT_H
