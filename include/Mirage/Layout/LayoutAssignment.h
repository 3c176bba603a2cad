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

#include "Mirage/Layout/AccessCost.h"

namespace mirage {

/// How a tile is accessed, and how often while the kernel runs.
struct TileUse {
  TileView view;
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
  llvm::SmallVector<TileChoice, 0> tiles;
  /// Layouts that two tiles can't have both, as an operator handles only
  /// certain pairs.
  struct Exclusion {
    unsigned tile, layout, otherTile, otherLayout;
  };
  llvm::SmallVector<Exclusion> exclusions;
  /// Tiles that are in shared memory at the same time. Each takes its bytes up
  /// to the next multiple of its alignment.
  llvm::SmallVector<llvm::SmallVector<unsigned>> together;
  /// What tiles of one group may take, in bytes.
  int64_t maxBytes;
  /// How many bytes of padding cost as much as a transaction.
  int64_t bytesPerTransaction = 1024;
};

struct LayoutAssignment {
  enum class Outcome {
    Optimal,    ///< none costs less
    GaveUp,     ///< the time limit; coupled tiles have their first layout
    Infeasible, ///< no assignment obeys the problem; the same
  };
  Outcome outcome;
  /// For each tile the layout it gets, by its index.
  llvm::SmallVector<unsigned> layouts;
  /// Of the assignment, see `getLayoutCost`.
  int64_t cost = 0;
};

/// What it costs that a tile has a layout: the transactions beyond the ideal,
/// over all uses, `bytesPerTransaction` for each, the bytes that alignment
/// takes, one for each panel of what is permuted, which takes arithmetic and a
/// bulk copy, and a transaction if bulk copies are impossible. None if the
/// layout does not allow a use.
std::optional<int64_t> getLayoutCost(const LayoutProblem &problem,
                                     unsigned tile, unsigned layout);

/// The assignment with the least sum of costs in which each tile has a layout
/// that its uses allow, no exclusion is violated, and each group fits. Only
/// tiles that a constraint couples are Z3's; the others get their cheapest
/// layout. With a limit of 0 ms Z3 is not asked.
LayoutAssignment assignLayouts(const LayoutProblem &problem,
                               unsigned timeLimitMs = 1000);

} // namespace mirage

#endif // MIRAGE_LAYOUT_LAYOUTASSIGNMENT_H
