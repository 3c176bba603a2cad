//===- UnevenLoop.h - Loops that don't divide what they cut -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_DIALECT_BLOCK_UNEVENLOOP_H
#define MIRAGE_LIB_DIALECT_BLOCK_UNEVENLOOP_H

#include "Mirage/Dialect/Block/Block.h"

namespace mirage::block {

/// Verifies that loops which don't divide what they cut compute what does not
/// depend on which iteration has which elements (C5 of loop). The ops of the
/// block graph have been verified.
mlir::LogicalResult verifyUnevenLoops(BlockGraphOpInterface kernel);

} // namespace mirage::block

#endif // MIRAGE_LIB_DIALECT_BLOCK_UNEVENLOOP_H
