//===- Block.h - The block dialect ------------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_BLOCK_BLOCK_H
#define MIRAGE_DIALECT_BLOCK_BLOCK_H

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Operators/FollowCut.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Mirage/Dialect/Block/Dialect.h.inc"
#include "Mirage/Dialect/Block/Enums.h.inc"

namespace mirage::block {
/// What the scratch of a maximum that sums are rescaled by has, each of its
/// shape: the maximum over iterations, and the factors by which an iteration
/// scales the sums so far and what it adds.
inline constexpr int64_t kTilesOfRunningMaximum = 3;
/// For how many iterations a thread loads at a time, of a loop that only
/// accumulates what it loads.
inline constexpr int64_t kStreamedIterations = 16;
} // namespace mirage::block

#define GET_OP_CLASSES
#include "Mirage/Dialect/Block/Ops.h.inc"

namespace mirage::block {
/// The mask with which an operator, of a loop or a thread graph in it, masks
/// its second operand; null if it is none that does.
FreshMaskOp getFreshMask(mlir::Operation *op);

/// What becomes, in a loop, of a dimension that its iterations don't divide.
struct LoopCuts {
  /// The elements that they cut; 0: they divide all.
  int64_t extent = 0;
  /// Of tiles, and of fragments of thread graphs.
  llvm::DenseMap<mlir::Value, CutValue> values;
  /// Operators of the loop that sum up elements which an iteration before has
  /// had, as nothing masks them.
  llvm::SmallVector<OperatorOpInterface> unmaskedSums;
};
/// None, with an error, where something depends on which iteration has which
/// elements (C5 of loop). The loop's ops have been verified.
mlir::FailureOr<LoopCuts> followCuts(LoopOp loop);
} // namespace mirage::block

#endif // MIRAGE_DIALECT_BLOCK_BLOCK_H
