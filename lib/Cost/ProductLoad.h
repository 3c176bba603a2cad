//===- ProductLoad.h - What products of tiles take --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_COST_PRODUCTLOAD_H
#define MIRAGE_LIB_COST_PRODUCTLOAD_H

#include "Mirage/Mugraph/Mugraph.h"
#include <optional>

namespace mirage {

/// What tensor cores do for a product, with what they do in vain.
struct ProductLoad {
  int64_t flops = 0;
  /// Those of the flops that they do in tf32, which takes twice as long. What
  /// can be narrowed to f16 is none: whether it is depends on the numbers, but
  /// few programs have those with which it isn't.
  int64_t tf32Flops = 0;
};

/// Follows the lowering (BlockPlan/MatmulPlan.h): which products of a block
/// graph tensor cores compute, and how.
class ProductLoads {
public:
  ProductLoads(const BlockGraph &block, llvm::ArrayRef<KernelTensor> inputs);

  /// Of the operator that is node `i`; none if it is no product of matrices, or
  /// one that runs on elements.
  std::optional<ProductLoad> get(unsigned i) const;

  /// In which an operand's elements are read; null for f32 that the search has
  /// made.
  mlir::Type getTypeAsRead(unsigned tile) const { return tiles[tile].readType; }

  /// What tensor cores do for the operator that is node `i` if it is a sum of
  /// squares in a loop (BlockPlan/SquareSum.h); 0 if it isn't. (Of what is
  /// squared it is the type that decides, and that it was loaded: what is
  /// computed is mostly squared where it is.)
  int64_t getSquareFlops(unsigned i) const;

private:
  struct Tile {
    /// How many nodes read it, and one of them.
    unsigned numReaders = 0, reader = 0;
    /// In which its elements are read; null for f32 that the search has made.
    mlir::Type readType;
    /// Whether somebody takes its elements from registers.
    bool isSunk = false;
    /// Whether an exponential is taken of it, and whether it, or what it is
    /// summed up to, is compared (as BlockPlan/TensorCoreUse.cpp has it).
    bool isExponentiated = false, isCompared = false;
  };

  mlir::Type getReadType(const BlockNode &node, bool isSunk,
                         llvm::ArrayRef<KernelTensor> inputs) const;
  bool isNarrow(unsigned tile) const;
  bool isF16(unsigned tile) const;
  bool isF32(unsigned tile) const;

  const BlockGraph &block;
  /// Whether the grid doesn't divide what it cuts.
  const bool blocksOverlap;
  std::vector<Tile> tiles;
};

/// The elements of a product of so many rows and columns that tensor cores
/// compute: 16 rows and 8 columns at a time, or the other way round.
int64_t getPaddedElements(int64_t rows, int64_t columns);

} // namespace mirage

#endif // MIRAGE_LIB_COST_PRODUCTLOAD_H
