//===- ProductReads.h - How often products read operands --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_COST_PRODUCTREADS_H
#define MIRAGE_LIB_COST_PRODUCTREADS_H

#include "Mirage/Operators/Operator.h"
#include <optional>

namespace mirage {

/// The sides of the part of a result that a warp has in registers.
inline constexpr int64_t kWarpSide = 64;
/// The depth of an mma instruction of a library.
inline constexpr int64_t kMmaDepth = 16;

/// Whether it is a product of matrices, of which there may be batches.
bool isMatrixProduct(const OperatorCost &cost,
                     const std::optional<IterationSpace> &space,
                     llvm::ArrayRef<int64_t> result);

/// The same as of CostModel.h, of what is known of the operator.
int64_t getPaddedTensorFlops(const OperatorCost &cost,
                             const std::optional<IterationSpace> &space,
                             llvm::ArrayRef<int64_t> result);

/// How often an operator reads an operand: where a product of matrices has more
/// rows (columns) than `side`, which are computed together, the right (left)
/// operand is read several times, and one that batches share for each of them.
int64_t countReads(const OperatorCost &cost,
                   const std::optional<IterationSpace> &space,
                   llvm::ArrayRef<int64_t> result, unsigned operand,
                   int64_t side);

} // namespace mirage

#endif // MIRAGE_LIB_COST_PRODUCTREADS_H
