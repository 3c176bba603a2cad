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
#include "Mirage/Layout/TileLayout.h"

namespace mirage {

/// The threads of a block that runs the kernel of an op of a block graph
/// (`kThreadsAttr`).
int64_t getNumThreads(mlir::Operation *op);
/// Whether a block can have so many: a multiple of 32 from 32 to 1024.
bool isValidThreadCount(int64_t threads);

/// How many neighbours in the last dimension a thread should compute together
/// when it computes elements of a tile one after the other.
int64_t getElementWidth(llvm::ArrayRef<int64_t> shape, int64_t threads);

/// How many lanes of a warp share the fold of `size` elements, of which
/// there are `count`. Those that follow each other in memory are folded by
/// lanes next to each other, otherwise as many share one as there are threads
/// to spare.
int64_t getFoldLanes(bool alongMemory, int64_t size, int64_t count,
                     int64_t threads);

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
/// Whether they shall (`kWarpgroupsAttr`). They do if the operands' layouts
/// have panels as the TMA swizzles them.
bool isForWarpgroups(mlir::Operation *op);

/// Along which of two dimensions of an operand `ldmatrix` takes its 16 bytes:
/// the depth, or that of the lines (rows or columns, `numLines`), which are
/// transposed then. None if the memory that the operand has, in elements,
/// doesn't allow it.
std::optional<unsigned> getMatrixDim(int64_t elementBytes,
                                     llvm::ArrayRef<int64_t> strides,
                                     int64_t offset, unsigned lineDim,
                                     unsigned depthDim, int64_t numLines);

/// Whether the sums of an accumulator of a loop stay in registers until its
/// end.
bool isSummedInRegisters(mlir::OpResult accumulated);

/// Whether they stay there until the one op behind the loop that wants them: a
/// thread graph of tiles of their shape, or a saver. Sums that are computed
/// transposed do not, as a thread has no neighbours of a row.
bool isReadFromRegisters(mlir::Value tile);

/// How a tile is laid out in shared memory (`kLayoutsAttr`).
TileLayout getLayout(mlir::Value tile);

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
