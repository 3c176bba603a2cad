//===- KeptRows.h - Rows that stay in registers -----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that only computes with rows, their sums and maxima (norms, softmax)
// has no use for shared memory but for sums over warps: each thread loads its
// part of a row, and keeps what it has and makes of it in registers.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_KEPTROWS_H
#define MIRAGE_BLOCKPLAN_KEPTROWS_H

#include "Mirage/Dialect/Mirage/KeptRowsShape.h"
#include "Mirage/Dialect/Mirage/Mirage.h"

namespace mirage {

/// How the threads of a graph-defined kernel could keep its rows. None if it
/// has a loop, operators that are neither elementwise nor sums or maxima along
/// rows, parts of tensors whose rows begin within sectors, or no room.
std::optional<KeptRowsShape> findKeptRows(BlockGraphOpInterface kernel);

/// Whether an op of a block graph, or a kernel, is of a kernel that keeps its
/// rows (`kKeptRowsAttr`).
bool keepsRows(mlir::Operation *op);

/// Whether a kernel with that attribute can keep its rows, and has as many
/// threads as that takes; emits the error otherwise.
mlir::LogicalResult verifyKeptRows(BlockGraphOpInterface kernel);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_KEPTROWS_H
