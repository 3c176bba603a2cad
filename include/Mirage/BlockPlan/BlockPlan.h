//===- BlockPlan.h - When the operators of a block run ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What has to be known of a block graph before its kernel is emitted: which ops
// run by themselves, which tiles are kept in shared memory, and where threads
// must wait. The passes that decide it and the lowering that obeys ask here.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_BLOCKPLAN_H
#define MIRAGE_BLOCKPLAN_BLOCKPLAN_H

#include "Mirage/Dialect/Block/Block.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mirage {

/// Whether `op` takes a tile and hands its elements on, to memory that the
/// thread which has computed an element alone touches: an output saver or a
/// loop's accumulators. The op that makes the tile can do it at once.
bool isSink(mlir::Operation *op);

/// Whether the op that makes a tile also does what its sinks do: it stands in
/// the block of the sinks and isn't a loop, whose results are complete at its
/// end only.
bool absorbsSinks(mlir::Value tile);

/// Whether a loop's accumulators use a tile in a rescaled sum, as what is
/// summed or as the maximum. It is read there when the tiles of an iteration
/// are complete.
bool isRescaled(mlir::OpOperand &use);
/// How a loop accumulates a tile that nobody else needs; none if somebody does,
/// or it is no loop.
std::optional<block::AccumulatorKind> getOnlyAccumulation(mlir::Value tile);

/// Whether the elements of a tile go through shared memory.
bool isInSharedMemory(mlir::Value tile);

/// The places that iterations take in turn with the tile of an op
/// (`kStagesAttr`).
int64_t getNumStages(mlir::Operation *op);

/// What a tile's offset in shared memory is a multiple of, in bytes:
/// `kTileAlignment`, or what its layout needs, or `kTileAlignmentsAttr` says.
int64_t getPlacedAlignment(mlir::Value tile);

/// How far the stages of a tile are apart, in bytes: what its elements take, or
/// its layout (`kTileBytesAttr`) if that is more, up to the next aligned
/// offset.
int64_t getStageBytes(mlir::Value tile);

/// The shared memory that a tile takes when it is there, in bytes: all stages.
int64_t getPlacedBytes(mlir::Value tile);

/// The shared memory that an op takes while it runs, beyond its tiles, in
/// bytes.
int64_t getScratchBytes(mlir::Operation *op);

/// Whether an op of a block graph runs by itself: not as a part of the op whose
/// tile it takes, and not for nothing, as a constant that is only read.
bool isStaged(mlir::Operation *op);

/// The ops of a block graph, or of the loop in it, that run by themselves, by
/// depth (`kDepthAttr`); empty depths are left out. There is a barrier between
/// one stage and the next. Without depths every op is a stage of its own, in
/// the order of the block.
using Stages = llvm::SmallVector<llvm::SmallVector<mlir::Operation *>>;
Stages getStages(mlir::Block &block);

/// Whether depths are those of a schedule: in the graph and in each loop either
/// all ops that run by themselves have one or none has, and what reads a tile
/// is deeper than what makes it. Emits the error otherwise, at the op.
mlir::LogicalResult verifyDepths(mlir::Block &blockGraph);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_BLOCKPLAN_H
