//===- Reciprocals.h - Divisions of many elements by few --------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_RECIPROCALS_H
#define MIRAGE_LIB_TRANSFORMS_RECIPROCALS_H

#include "mlir/IR/Block.h"

namespace mirage {

/// Multiplies by reciprocals where a block graph or its loop divides many
/// elements by few (Mirage/Operators/Division.h), unless their tile makes the
/// graph take more shared memory than so many bytes.
void useReciprocals(mlir::Block &blockGraph, int64_t sharedBytes);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_RECIPROCALS_H
