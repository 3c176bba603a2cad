//===- TensorCoreUse.h - Which products tensor cores compute ----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_TENSORCOREUSE_H
#define MIRAGE_BLOCKPLAN_TENSORCOREUSE_H

#include "Mirage/BlockPlan/MatmulPlan.h"
#include "Mirage/BlockPlan/TileUse.h"

namespace mirage {

/// How a product of matrices, or a sum of squares (SquareSum.h), runs on tensor
/// cores.
struct TensorCoreUse {
  MatmulPlan plan;
  /// What an iteration adds to a loop's accumulator stays in registers, as the
  /// accumulator does.
  bool inRegisters;
};
/// None if an op doesn't run there.
std::optional<TensorCoreUse> getTensorCoreUse(mlir::Operation *op);

/// The tile in shared memory that warpgroups read an operand of a product from,
/// and how: as it is, or transposed, with rows of multiples of 32 bytes. None
/// if they can't.
std::optional<TileSource> getGroupSource(mlir::Value operand);

/// As deep are products at most that warpgroups issue behind one fence.
constexpr int64_t kMostGroupDepth = 256;

/// The operands of a product that warpgroups would read from shared memory: all
/// but the rows that a last product of a row chain has in registers.
llvm::SmallVector<mlir::Value> getGroupOperands(OperatorOpInterface product);

/// The tiles that these are of, as they are or transposed.
llvm::SmallVector<mlir::Value> getGroupTiles(OperatorOpInterface product);

/// Whether threads load elements of a tile in shared memory themselves,
/// which are not all that warpgroups multiply.
bool isReadByThreads(mlir::Value tile);

/// Whether warpgroups can compute a product of tiles: its shape suits them, and
/// its operands in shared memory have sources for them.
bool canUseWarpgroups(mlir::Operation *op);
/// Whether they shall (`kWarpgroupsAttr`). They do if the operands' layouts
/// have panels as the TMA swizzles them.
bool isForWarpgroups(mlir::Operation *op);

/// Whether it is the rows of a product (of a plan for this op) that are f32
/// while the columns are f16, or the other way round (false), so that it is
/// multiplied in tf32 as it stands, and could be in f16 as far as numbers fit.
/// None if it is another product, or f16 would gain nothing.
std::optional<bool> hasWideRows(OperatorOpInterface op, const MatmulPlan &plan,
                                const MatmulPlan::Product &product);
/// Whether an op is a product of tiles of which that holds.
bool canBeNarrowed(mlir::Operation *op);

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
/// The plan of the product that such sums are of.
std::optional<MatmulPlan> getPlanInRegisters(mlir::Value tile);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_TENSORCOREUSE_H
