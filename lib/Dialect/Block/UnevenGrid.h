//===- UnevenGrid.h - Grids that don't divide what they cut -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_DIALECT_BLOCK_UNEVENGRID_H
#define MIRAGE_LIB_DIALECT_BLOCK_UNEVENGRID_H

#include "Mirage/Dialect/Block/Block.h"

namespace mirage::block {

/// Verifies that blocks whose tiles overlap, since the grid doesn't divide what
/// it cuts, compute the same elements (kernel graph_defined, C4). The ops of
/// the block graph have been verified.
mlir::LogicalResult verifyUnevenGrid(BlockGraphOpInterface kernel);

} // namespace mirage::block

#endif // MIRAGE_LIB_DIALECT_BLOCK_UNEVENGRID_H
