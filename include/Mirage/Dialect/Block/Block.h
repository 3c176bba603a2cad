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

#endif // MIRAGE_DIALECT_BLOCK_BLOCK_H
