//===- FoldPlan.h - How threads share sums and maxima --------- -*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_FOLDPLAN_H
#define MIRAGE_BLOCKPLAN_FOLDPLAN_H

#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Layout/AccessCost.h"

namespace mirage {

/// A fold of one dimension of an operator's one operand.
struct Fold {
  /// How many elements are folded, in which dimension of the operand.
  int64_t size;
  unsigned dim;
  /// Rather than a maximum.
  bool isSum;
};
/// None if an operator isn't one.
std::optional<Fold> getFold(OperatorOpInterface op);

/// How the threads of a block share a fold. All fold vectors of neighbours in
/// the folded dimension, in turns, and then with each other.
struct FoldPlan {
  /// Whether what is folded follows each other in memory: then lanes next to
  /// each other share an element of the result, otherwise elements next to each
  /// other have lanes next to each other.
  bool alongMemory = false;
  /// The neighbours that a thread folds at a time.
  int64_t width = 1;
  /// The threads that share an element of the result, a power of two. If more
  /// than a warp, there are as many for each element.
  int64_t parts = 1;

  int64_t getLanes() const { return std::min(parts, kWarpSize); }
  /// The warps that share an element.
  int64_t getWarps() const { return parts / getLanes(); }
};

/// The plan for an operator that is a fold (`getFold`), in a block of as many
/// threads as its μGraph has: from the sizes, the tile that is folded and how
/// that lies in memory, so that the passes and the lowering agree on it.
FoldPlan getFoldPlan(OperatorOpInterface op, const Fold &fold);

/// The shared memory through which warps share the elements of a fold, in
/// bytes; 0 if they don't.
int64_t getFoldScratchBytes(mlir::Operation *op);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_FOLDPLAN_H
