//===- SquareSum.h - Sums of squares on tensor cores ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_SQUARESUM_H
#define MIRAGE_BLOCKPLAN_SQUARESUM_H

#include "Mirage/BlockPlan/MatmulPlan.h"
#include "Mirage/Dialect/Mirage/SquareSumShape.h"

namespace mirage {

/// A sum of the squares of lines (rows or columns) of a tile of f16 or bf16:
/// the diagonal of the tile times its transpose, which tensor cores compute
/// without widening an element and without trading parts between lanes.
struct SquareSum {
  /// What is squared, in shared memory so that `ldmatrix` can load it.
  mlir::Value tile;
  unsigned lineDim, depthDim;
  /// The one of them along which memory has neighbours.
  unsigned contiguous;
  /// Whether a loop adds that up. If not, another op of the iteration reads it.
  bool isSummed;

  SquareSumShape getShape() const;
};

/// What an op of a loop sums up, if the loop adds that up, or another op of the
/// iteration takes it, and nobody else needs it; none for other ops, for single
/// lines, and for lines that steps of 8 don't divide.
std::optional<SquareSum> getSquareSum(mlir::Operation *op);

/// How the warps of the op's block share it.
std::optional<MatmulPlan> planSquareSum(mlir::Operation *op,
                                        const SquareSum &sum);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_SQUARESUM_H
