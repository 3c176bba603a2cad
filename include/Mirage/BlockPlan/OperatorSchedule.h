//===- OperatorSchedule.h - The depths of operators -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operators of a block graph run between the same two barriers (paper,
// section 6, "operator scheduling"; docs/Optimizer.md). An engine on plain
// numbers: it knows operators by their index and tiles by their bytes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_OPERATORSCHEDULE_H
#define MIRAGE_BLOCKPLAN_OPERATORSCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mirage {

/// A tile in shared memory, as the scheduler sees it.
struct ScheduledTile {
  /// The operator that stores it.
  unsigned maker;
  /// The operators that read it, each with a greater index than the maker.
  llvm::SmallVector<unsigned> readers;
  int64_t bytes;
  /// Whether it is read once more when all operators have run (what a loop's
  /// rescaled sums take).
  bool livesToEnd = false;
  /// Whether it has several places that iterations take in turn. They are kept
  /// for the whole loop, and an iteration doesn't overwrite what the one before
  /// may still read.
  bool isPipelined = false;
};

struct OperatorScheduleProblem {
  /// For each operator the bytes that are kept while it runs, beyond its tiles.
  llvm::SmallVector<int64_t> scratchBytes;
  /// The operators to run at depth 0. One that reads a tile is left where it
  /// has to be.
  llvm::SmallVector<bool> isHoisted;
  llvm::SmallVector<ScheduledTile> tiles;
  /// Whether the operators run again and again, with no barrier between the
  /// last depth and the first but one that a tile makes necessary.
  bool repeats = false;

  unsigned getNumOps() const { return scratchBytes.size(); }
};

struct OperatorSchedule {
  /// For each operator its depth, from 0 to `numDepths` - 1.
  llvm::SmallVector<unsigned> depths;
  /// One more than there are barriers between depths.
  unsigned numDepths = 0;
  /// Whether one more barrier is needed at the end of a repetition: a tile that
  /// is not pipelined is stored at the first depth and read at the last.
  bool barrierAtBackEdge = false;
  /// The most bytes that live at one depth: of tiles from the depth that stores
  /// them to the last that reads them, and of scratch.
  int64_t peakBytes = 0;
  /// The sum over all depths of what lives there.
  int64_t totalBytes = 0;
  /// Whether no other schedule is better.
  bool isOptimal = true;
};

/// What the depths of a problem's operators cost; `depths` must obey the
/// dependences.
OperatorSchedule evaluateSchedule(const OperatorScheduleProblem &problem,
                                  llvm::ArrayRef<unsigned> depths);

/// The best schedule, in which every reader of a tile has a greater depth than
/// its maker, and hoisted operators have depth 0. Of these the one with the
/// fewest depths, which is the number of operators on the longest path; then
/// without a barrier at the back edge; then with the least peak; then with the
/// least total; then with the least sum of depths. After about `workLimit`
/// visits of an operator or tile the best that was found, which is never worse
/// than to run each operator as early as possible.
OperatorSchedule scheduleOperators(const OperatorScheduleProblem &problem,
                                   int64_t workLimit = 50'000'000);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_OPERATORSCHEDULE_H
