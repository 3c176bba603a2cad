//===- TileUse.h - Which tiles exist, and in which form ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_TILEUSE_H
#define MIRAGE_BLOCKPLAN_TILEUSE_H

#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Layout/AccessCost.h"
#include <optional>

namespace mirage {

/// An attribute of the kernel of an op of a block graph, or of a kernel; null
/// if it has none.
template <typename T>
T getKernelAttr(mlir::Operation *op, llvm::StringRef name) {
  while (op && !mlir::isa<BlockGraphOpInterface>(op))
    op = op->getParentOp();
  return op ? op->getAttrOfType<T>(name) : T();
}

/// The threads of a block that runs the kernel of an op of a block graph
/// (`kThreadsAttr`).
int64_t getNumThreads(mlir::Operation *op);
/// Whether a block can have so many: a multiple of `kWarpSize`, up to
/// `kMaxBlockThreads`.
bool isValidThreadCount(int64_t threads);

/// The tile in shared memory that has the elements of a tile.
struct TileSource {
  mlir::Value tile;
  TileView view;
  bool operator==(const TileSource &other) const {
    return tile == other.tile && view == other.view;
  }
};
/// It may be the tile itself, or that which inlined movements take the elements
/// from. None if there is no such tile.
std::optional<TileSource> getSource(mlir::Value tile);
/// The dimension in which neighbours of a tile, or of what it is computed from
/// where it is read, are next to each other in memory.
unsigned getFastDim(mlir::Value tile);

/// About how many instructions it takes to compute an element of an op's
/// result, what it computes where it reads it included.
int64_t getElementWork(mlir::Operation *op);

/// Where threads split the rows of what a thread graph or an elementwise
/// operator computes (`getElementSplit` of its shape); 0 if some of it goes to
/// device memory, where rows are better written as a whole.
int64_t getElementSplit(mlir::Operation *op);

/// Whether an operator only moves elements.
bool isMovement(mlir::Operation *op);

/// Whether a tile is never made: what reads an element computes it, from the
/// tiles that the op reads. So are movements of elements (a transpose),
/// elementwise chains whose elements are each read about once, and sums and
/// maxima that an elementwise op alone computes with, as norms are made.
bool isInlined(mlir::Value tile);

/// The sum or maximum of which an elementwise op or thread graph takes the
/// elements as they are made (`isInlined`); null if it reads none.
mlir::Operation *getInlinedFold(mlir::Operation *op);

/// The ops that read a tile, those of tiles that are computed from it where
/// they are read included.
llvm::SmallVector<mlir::Operation *> getReaders(mlir::Value tile);

/// The tiles that an op reads, inlined ones replaced by those that they are
/// computed from.
llvm::SmallVector<mlir::Value> getTilesRead(mlir::Operation *op);

/// The type of the elements that a reader of a tile gets, before it widens
/// them.
mlir::Type getReadType(mlir::Value tile);

/// How a tile is laid out in shared memory (`kLayoutsAttr`).
TileLayout getLayout(mlir::Value tile);

/// Whether an op is an input iterator that brings another tile in each
/// iteration. (A mask is another in the last one, and masks nothing but what is
/// computed of such.)
bool variesInLoop(mlir::Operation *op);

/// Whether a loop does nothing but sum up, or take maxima of, the tiles that it
/// loads, as one that combines partial results does. Each thread then runs all
/// iterations for its elements, without shared memory and barriers.
bool isStreamed(block::LoopOp loop);
/// Whether an op is an input iterator of such a loop.
bool isStreamed(mlir::Operation *op);

/// Whether an op of a loop runs once, in front of it: an input iterator that
/// brings the same tile in each iteration, or an operator on tiles of such ops.
bool isHoisted(mlir::Operation *op);

/// Whether an op is an input iterator of a loop whose tiles can be on their way
/// while the iterations before run.
bool canLoadAhead(mlir::Operation *op);

/// The largest number of which the places are multiples where the tiles of an
/// input, or of an output, begin along the last dimension (`getRowStart`). It
/// divides the tile.
int64_t getStartMultiple(block::InputIterator input);
int64_t getStartMultiple(block::OutputSaver saver);

/// The bytes that an input iterator copies at a time without registers: 16, 8
/// or 4; 0 if it can't, or somebody else than shared memory wants the elements.
int64_t getAsyncPiece(mlir::Operation *op);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_TILEUSE_H
