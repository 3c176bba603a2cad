//===- BlockResources.h - What a block takes of an SM -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_COST_BLOCKRESOURCES_H
#define MIRAGE_LIB_COST_BLOCKRESOURCES_H

#include "Mirage/Mugraph/Mugraph.h"
#include "llvm/ADT/BitVector.h"

namespace mirage {

class ProductLoads;

/// What a block takes of an SM.
struct BlockResources {
  /// As in KernelLoad.
  int64_t sharedBytes = 0, behindBytes = 0, registers = 0;
  /// The nodes of a row chain but its last products, if there is one, and in
  /// how many parts its warps take the columns.
  llvm::BitVector chain;
  int64_t chainParts = 0;
  /// The last products of the chain, and those of them that run in tf32: what
  /// is in registers has a type of its own (getChainedType,
  /// BlockPlan/RowChain.h).
  llvm::BitVector lastsOfChain, lastsInTF32;
  /// Of a chain outside of loops: it and all that makes it, which the lowering
  /// moves into a loop of one iteration, and the maximum by which that rescales
  /// its sums, if it does.
  llvm::BitVector moved;
  std::optional<unsigned> movedMaximum;
  /// The nodes whose tiles are in registers while the loop runs.
  llvm::BitVector held;
};

/// Follows the lowering where it takes less than `getSharedBytes` counts, which
/// is room for all tiles of a graph at once: what is there behind a loop takes
/// the place of the loop's tiles, sums of products are in registers, and so are
/// the rows of chains of products (BlockPlan/RowChain.h). `tileBytes`: of
/// getSharedTileBytes.
BlockResources getBlockResources(const BlockGraph &block,
                                 llvm::ArrayRef<int64_t> tileBytes,
                                 const ProductLoads &products);

} // namespace mirage

#endif // MIRAGE_LIB_COST_BLOCKRESOURCES_H
