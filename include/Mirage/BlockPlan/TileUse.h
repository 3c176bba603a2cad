//===- TileUse.h - Which tiles exist, and in which form ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_TILEUSE_H
#define MIRAGE_BLOCKPLAN_TILEUSE_H

#include "Mirage/BlockPlan/MatmulPlan.h"

namespace mirage {

/// Which pieces of 16 bytes change places in a row, so that pieces of one
/// column in rows that are read together are in different banks: bits
/// `firstRowBit` on of the number of the row, as many as `mask` has, are
/// combined (xor) with those of the place from `firstBit` on. A mask of 0:
/// none.
struct Swizzle {
  int64_t rowElements = 1;
  unsigned firstRowBit = 0, firstBit = 0;
  int64_t mask = 0;
  /// Whether the row's next bits are combined with them, too: then every other
  /// row of 8 is as good as 4 that follow each other.
  bool isFolded = false;
};

/// The threads of a block that runs the kernel of an op of a block graph
/// (`kThreadsAttr`).
int64_t getNumThreads(mlir::Operation *op);
/// Whether a block can have so many: a multiple of 32 from 32 to 1024.
bool isValidThreadCount(int64_t threads);

/// Whether a tile is never made: what reads an element computes it, from the
/// tiles that the op reads. So are movements of elements (a transpose), and
/// elementwise chains whose elements are each read about once.
bool isInlined(mlir::Value tile);

/// The ops that read a tile, those of tiles that are computed from it where
/// they are read included.
llvm::SmallVector<mlir::Operation *> getReaders(mlir::Value tile);

/// The tiles that an op reads, inlined ones replaced by those that they are
/// computed from.
llvm::SmallVector<mlir::Value> getTilesRead(mlir::Operation *op);

/// The type of the elements that a reader of a tile gets, before it widens
/// them.
mlir::Type getReadType(mlir::Value tile);

/// How a product of matrices runs on tensor cores.
struct TensorCoreUse {
  MatmulPlan plan;
  /// What an iteration adds to a loop's accumulator stays in registers, as the
  /// accumulator does.
  bool inRegisters;
};
/// None if an op doesn't run there.
std::optional<TensorCoreUse> getTensorCoreUse(mlir::Operation *op);

/// Whether warpgroups can compute a product of tiles: its operands are in
/// shared memory as they are, or transposed, with rows of multiples of 32
/// bytes.
bool canUseWarpgroups(mlir::Operation *op);

/// Whether the sums of an accumulator of a loop stay in registers until its
/// end.
bool isSummedInRegisters(mlir::OpResult accumulated);

/// Whether they stay there until the one op behind the loop that wants them: a
/// thread graph of tiles of their shape, or a saver. Sums that are computed
/// transposed do not, as a thread has no neighbours of a row.
bool isReadFromRegisters(mlir::Value tile);

/// How a tile is laid out in shared memory: as tensor cores want it, if they
/// read or write it.
Swizzle getSwizzle(mlir::Value tile);

/// Whether an op is an input iterator that brings another tile in each
/// iteration.
bool variesInLoop(mlir::Operation *op);

/// Whether an op is an input iterator of a loop that loads once, before it.
bool isHoisted(mlir::Operation *op);

/// Whether an op is an input iterator of a loop whose tiles can be on their way
/// while the iterations before run.
bool canLoadAhead(mlir::Operation *op);

/// The bytes that an input iterator copies at a time without registers: 16, 8
/// or 4; 0 if it can't, or somebody else than shared memory wants the elements.
int64_t getAsyncPiece(mlir::Operation *op);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_TILEUSE_H
