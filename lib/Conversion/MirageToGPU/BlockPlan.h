//===- BlockPlan.h - Where tiles live and when operators run ---*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What has to be known of a block graph before its kernel is emitted: which
// tiles are kept in shared memory, at which offsets, and where threads must
// wait.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_MIRAGETOGPU_BLOCKPLAN_H
#define MIRAGE_LIB_CONVERSION_MIRAGETOGPU_BLOCKPLAN_H

#include "TileUse.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

namespace mirage {

/// Whether an op is an input iterator that brings another tile in each
/// iteration.
bool variesInLoop(mlir::Operation *op);

/// The places of a block graph in shared memory, in bytes from its start, each
/// at a multiple of `kTileAlignment`.
struct SharedPlan {
  /// Of the tiles that are kept there. The others are immediates (constants),
  /// computed where they are read, or their elements go from the registers of
  /// the thread that makes them into sinks.
  llvm::MapVector<mlir::Value, int64_t> offsets;
  /// For each maximum that sums are rescaled by, its maximum over iterations.
  llvm::MapVector<mlir::Value, int64_t> runningMaxima;
  /// For products whose warps share the depth, where they add up.
  llvm::MapVector<mlir::Operation *, int64_t> scratch;
  /// For the input iterators of a loop that load ahead, of how many iterations
  /// there are tiles, one behind the other.
  llvm::MapVector<mlir::Operation *, int64_t> stages;
  /// In bytes.
  int64_t size = 0;

  /// For blocks of `threads` threads. Loads ahead as far as `maxBytes` allow.
  SharedPlan(mlir::Block &blockGraph, int64_t threads, int64_t maxBytes);
};

/// The ops of a block graph, or of the loop in it, that run as such (not as a
/// part of the op whose tile they take), by depth: one of depth d reads a tile
/// that one of depth d - 1 makes, and none of a greater depth. So a barrier
/// between one depth and the next is both enough and needed.
using Stages = llvm::SmallVector<llvm::SmallVector<mlir::Operation *>>;
Stages getStages(mlir::Block &block);

/// Whether a thread that begins the next iteration could overwrite a tile that
/// another still reads: a tile made at the first depth is read at the last. Any
/// other pair has the barrier between two depths in between.
bool needsBarrierAtBackEdge(const Stages &stages);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_MIRAGETOGPU_BLOCKPLAN_H
