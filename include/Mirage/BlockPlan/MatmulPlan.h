//===- MatmulPlan.h - How warps compute a matrix product --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_MATMULPLAN_H
#define MIRAGE_BLOCKPLAN_MATMULPLAN_H

#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include <optional>

namespace mirage {

/// How the tensor cores compute a sum of matrix products: tiles of 16 rows and
/// 8 columns, spread over the warps of a block, in steps along the depth (what
/// is summed over), which warps can share, too.
struct MatmulPlan {
  /// What is multiplied: f16 or bf16 in steps of 16 (or 8), or f32 rounded to
  /// tf32. Sums are f32.
  enum class Kind { F16, BF16, TF32 };
  /// A product of the operand that gives the rows and the one that gives the
  /// columns.
  struct Product {
    Kind kind;
    unsigned rowOperand, colOperand;
    int64_t depth;
    /// Instructions for an element of each before tensor cores take it.
    double rowWork = 0, colWork = 0;
  };

  /// Whether what rounding to tf32 cuts off is multiplied, too.
  bool keepsRemainders = false;
  /// Four warps multiply 64 rows together (`wgmma`), each of which has 16 of
  /// them: tile r of a warp is r warpgroups' rows from its first.
  bool inWarpgroups = false;
  /// Of a row chain: neighbouring warps have neighbouring rows, then come the
  /// parts of columns or depth.
  bool inRowChain = false;
  /// Rows times themselves, of which only the diagonal is wanted (SquareSum.h):
  /// each tile of 16 rows is multiplied by its own first 8 rows as columns, and
  /// by the others, by one warp.
  bool isDiagonal = false;
  /// Rows are the result's last dimension, and columns the one before: so
  /// that a dimension of up to 8 fills the 8 columns of a tile.
  bool swapped;
  llvm::SmallVector<Product, 2> products;
  int64_t batches, rows, cols;
  /// Of 8: how many in a step.
  int64_t depthHalves;
  /// How many parts the warps make of batches, rows, columns and depth. The
  /// product is at most the number of warps; those beyond it do nothing.
  int64_t batchWarps = 1, rowWarps = 1, colWarps = 1, depthWarps = 1;

  static constexpr int64_t kWarpsPerGroup = 4;
  /// How many tiles of rows are between two of a warp.
  int64_t getRowTileStride() const { return inWarpgroups ? kWarpsPerGroup : 1; }

  int64_t getRowTiles() const { return llvm::divideCeil(rows, 16); }
  int64_t getColTiles() const { return llvm::divideCeil(cols, 8); }
  int64_t getStep() const { return 8 * depthHalves; }
  /// Steps of a warp's part of the depth, if there is one product and the parts
  /// are alike.
  int64_t getStepsPerWarp() const {
    return llvm::divideCeil(products.front().depth, getStep()) / depthWarps;
  }
  int64_t getActiveWarps() const {
    return batchWarps * rowWarps * colWarps * depthWarps;
  }
  /// Tiles of a warp: batches, rows, columns.
  std::array<int64_t, 3> getTilesPerWarp() const {
    return {batches / batchWarps, getRowTiles() / rowWarps,
            getColTiles() / colWarps};
  }
  int64_t getNumTilesPerWarp() const {
    auto [b, r, c] = getTilesPerWarp();
    return b * r * c;
  }
  /// How many rows and columns of its tiles a warp computes at a time, unless a
  /// loop sums them: as many as leave registers for what is multiplied, and for
  /// its remainders.
  std::pair<int64_t, int64_t> getTilesAtOnce() const {
    constexpr int64_t kMaxRows = 2;
    int64_t rows = std::min(getTilesPerWarp()[1], kMaxRows);
    return {rows, (keepsRemainders ? 4 : 8) / rows};
  }
  /// Whether each thread has the same elements of two results of one shape.
  bool hasSameFragments(const MatmulPlan &other) const {
    return inWarpgroups == other.inWarpgroups &&
           inRowChain == other.inRowChain && isDiagonal == other.isDiagonal &&
           swapped == other.swapped && batchWarps == other.batchWarps &&
           rowWarps == other.rowWarps && colWarps == other.colWarps &&
           depthWarps == other.depthWarps;
  }
  /// How many neighbours of a row of the result a thread hands on together, of
  /// so many tiles of 8 columns: the pair of a tile; or four, if those are
  /// wanted and lanes can trade halves of two tiles; else single elements.
  int64_t getNeighboursTogether(int64_t numCols, bool prefersWide) const {
    if (swapped || cols % 2 != 0)
      return 1;
    return prefersWide && cols % 8 == 0 && numCols % 2 == 0 ? 4 : 2;
  }
  /// Shared memory in which warps that share the depth add up, in bytes.
  int64_t getScratchBytes() const {
    constexpr int64_t kTileBytes = 16 * 8 * 4;
    return (depthWarps - 1) * batchWarps * rowWarps * colWarps *
           getNumTilesPerWarp() * kTileBytes;
  }
};

/// How often a product's result is added up over warps, and how many registers
/// of a thread its fragments may take.
struct MatmulUse {
  int64_t numWarps;
  int64_t maxTilesPerWarp;
  /// Its fragments stay in registers over so many iterations; 1 otherwise.
  int64_t iterations = 1;
  /// Whether it runs by `wgmma`: f16 or bf16, a multiple of 64 rows and of 8
  /// columns, and of 16 deep.
  bool inWarpgroups = false;
  /// Whether warps may share the depth.
  bool mayShareDepth = true;
  /// Each of several warpgroups that share columns (or, at the end of a row
  /// chain, the depth) has a multiple of so many: of a panel of the widest
  /// swizzle, in elements of 2 bytes, or of the rows of memory that are
  /// swizzled together if those are what is shared.
  int64_t groupUnit = 64;
  /// In a row chain (RowChain.h): how many parts warps make of its columns,
  /// which are a first product's, or a last one's depth. Each warp has one
  /// tile of rows, and nothing is swapped. 0: in no chain.
  int64_t chainParts = 0;
  bool endsChain = false;
};

/// The plan for an operator on tiles; none if it isn't a product of matrices,
/// or no operand is read as f16 or bf16: what is f32 throughout would lose
/// precision. A depth that steps don't divide ends in one filled up with zeros.
/// `getType` says in which type the elements of an operand are read. A use
/// within fewer tiles per warp than asked for may not exist.
std::optional<MatmulPlan>
planMatmul(OperatorOpInterface op,
           llvm::function_ref<mlir::Type(mlir::Value operand)> getType,
           const MatmulUse &use);

/// Shares a plan's tiles and depth out to warps, in the way that takes the
/// least time; none if no way suits the use.
std::optional<MatmulPlan> shareAmongWarps(MatmulPlan plan,
                                          const MatmulUse &use);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_MATMULPLAN_H
