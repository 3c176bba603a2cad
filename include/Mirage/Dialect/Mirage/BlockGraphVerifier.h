//===- BlockGraphVerifier.h - Rules of whole block graphs -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_BLOCKGRAPHVERIFIER_H
#define MIRAGE_DIALECT_MIRAGE_BLOCKGRAPHVERIFIER_H

#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/IR/DialectInterface.h"

namespace mirage {

/// An interface of the block dialect, through which the ops that have block
/// graphs, and don't know its ops, verify them.
class BlockGraphVerifier
    : public mlir::DialectInterface::Base<BlockGraphVerifier> {
public:
  explicit BlockGraphVerifier(mlir::Dialect *dialect) : Base(dialect) {}

  /// Verifies what concerns several ops of a block graph, all of which have
  /// been verified.
  virtual mlir::LogicalResult
  verifyBlockGraph(BlockGraphOpInterface kernel) const = 0;
};

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_BLOCKGRAPHVERIFIER_H
