//===- SharedPlan.h - The places of tiles in shared memory ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block graph keeps in shared memory, for how long, and where. The pass
// that plans memory and the lowering have their view of it from here.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_SHAREDPLAN_H
#define MIRAGE_BLOCKPLAN_SHAREDPLAN_H

#include "Mirage/BlockPlan/BlockPlan.h"
#include "Mirage/Dialect/Block/Block.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace mirage {

/// Something that takes bytes of shared memory from one step of a kernel to
/// another.
struct SharedBuffer {
  enum class Role {
    Tile,           ///< what an op makes and others read
    RunningMaximum, ///< the maximum over iterations that sums are rescaled by,
                    ///< and an iteration's factors
    Scratch         ///< what an op takes while it runs
  };
  Role role;
  /// The op that makes the tile, accumulates the maximum or takes the scratch.
  mlir::Operation *op;
  /// Which entry of its `kOffsetsAttr` says where the buffer is.
  unsigned position;
  /// The tile, or the maximum; none for scratch.
  mlir::Value value;
  /// All stages of a tile, with their padding.
  int64_t bytes;
  int64_t alignment;
  /// Both included.
  unsigned firstStep, lastStep;
  /// The loop of which each iteration fills it anew, if any.
  block::LoopOp loop;
};

/// A step is a stretch of a kernel between two barriers: a stage of the block
/// graph, or of the loop in it, or one of the two by which an iteration with
/// rescaled sums ends (docs/Lowering.md). They are counted in the order in
/// which they run first.
struct SharedBuffers {
  llvm::SmallVector<SharedBuffer> buffers;
  /// Pairs that are in use at once, though at different steps: those of two
  /// loops without a barrier in between.
  llvm::SmallVector<std::pair<unsigned, unsigned>> conflicts;
  /// For each loop its first and last step.
  llvm::MapVector<mlir::Operation *, std::pair<unsigned, unsigned>> loopSteps;

  bool conflict(unsigned a, unsigned b) const;
};

/// The buffers of a block graph whose depths are those of a schedule.
SharedBuffers getSharedBuffers(mlir::Block &blockGraph);

/// The values in an op's `kOffsetsAttr`: its results, its running maxima, and
/// its scratch.
unsigned getNumOffsets(mlir::Operation *op);

/// Where the tiles are that are kept in shared memory, in bytes from its start.
/// The others are immediates (constants), or their elements go from the
/// registers of the thread that makes them into sinks.
struct SharedPlan {
  llvm::MapVector<mlir::Value, int64_t> offsets;
  /// For each maximum that sums are rescaled by, its maximum over iterations.
  llvm::MapVector<mlir::Value, int64_t> runningMaxima;
  /// For each op that takes some while it runs (`getScratchBytes`): where warps
  /// add up, a loop's mbarriers.
  llvm::MapVector<mlir::Operation *, int64_t> scratch;
  /// In bytes.
  int64_t size = 0;

  /// What `kOffsetsAttr` says, which must have been verified; in a graph
  /// without `kSharedBytesAttr` every buffer has a place of its own.
  explicit SharedPlan(mlir::Block &blockGraph);

  int64_t getOffset(const SharedBuffer &buffer) const;
};

/// Whether a graph's depths are those of a schedule, and its offsets, if it has
/// some, those of a plan: for each buffer one, aligned, within
/// `kSharedBytesAttr`, and apart from all that is in use at the same time.
/// Emits the error otherwise.
mlir::LogicalResult verifyPlan(mlir::Block &blockGraph);

/// A pair of buffers, by their index, of which the first is still in use at the
/// last step of a loop's iteration when a thread that does not wait stores to
/// the second at the first step of the next. They may be the same.
using BackEdgePair = std::pair<unsigned, unsigned>;
llvm::SmallVector<BackEdgePair> getBackEdgePairs(const SharedBuffers &buffers,
                                                 block::LoopOp loop,
                                                 bool stagesTakeTurns);

/// Whether threads must wait for each other at the end of an iteration: one
/// that begins the next could overwrite what another still uses, since two
/// buffers of `getBackEdgePairs` share bytes. Any other two accesses have a
/// barrier between two steps in between. `stagesTakeTurns` says that iterations
/// use the stages of a tile (`kStagesAttr`) in turn, so that none overwrites
/// what the last one reads.
bool needsBarrierAtBackEdge(block::LoopOp loop, const SharedPlan &plan,
                            bool stagesTakeTurns = false);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_SHAREDPLAN_H
