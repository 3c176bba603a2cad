//===- Clusters.h - Blocks that share what they load ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks that differ only in a dimension of the grid along which a tile is a
// replica load the same tile. As a cluster each loads a part of it, to the
// shared memory of all.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_CLUSTERS_H
#define MIRAGE_BLOCKPLAN_CLUSTERS_H

#include "Mirage/Cost/Clusters.h"
#include "Mirage/Dialect/Block/Block.h"
#include <optional>

namespace mirage {

/// The cluster of the kernel of an op of a block graph (`kClusterAttr`, which
/// must be valid); one block if it has none.
BlockCluster getCluster(mlir::Operation *op);

/// The same in x, y and z.
llvm::SmallVector<int32_t, 3> getClusterSizes(mlir::Operation *op);

/// Whether all blocks of a cluster want the same tiles of an input iterator.
bool isSharedBy(block::InputIterator input, const BlockCluster &cluster);

/// Of how many blocks each loads a part of the tiles that the producer warp of
/// a loop loads: the cluster's, if some tile is shared, and otherwise 1.
int64_t getNumSharers(block::LoopOp loop);

/// The cluster of blocks for a kernel (`Cost/Clusters.h`), in which producer
/// warps must have been chosen.
std::optional<BlockCluster> chooseCluster(BlockGraphOpInterface kernel,
                                          int64_t numMultiprocessors);

/// Emits an error at a kernel whose `kClusterAttr` doesn't fit its grid, means
/// nothing, or asks for what a chip doesn't have.
mlir::LogicalResult verifyCluster(BlockGraphOpInterface kernel,
                                  llvm::StringRef chip);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_CLUSTERS_H
