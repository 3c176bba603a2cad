//===- TileUse.h - Which tiles exist, and in which form ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_MIRAGETOGPU_TILEUSE_H
#define MIRAGE_LIB_CONVERSION_MIRAGETOGPU_TILEUSE_H

#include "MatmulPlan.h"
#include "TileMemory.h"

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
std::optional<TensorCoreUse> getTensorCoreUse(mlir::Operation *op,
                                              int64_t threads);

/// How a tile is laid out in shared memory: as tensor cores want it, if they
/// read or write it.
Swizzle getSwizzle(mlir::Value tile, int64_t threads);

/// The bytes that an input iterator copies at a time without registers: 16, 8
/// or 4; 0 if it can't, or somebody else than shared memory wants the elements.
int64_t getAsyncPiece(mlir::Operation *op);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_MIRAGETOGPU_TILEUSE_H
