//===- WarpRoles.h - Warps that load, that multiply together ----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_WARPROLES_H
#define MIRAGE_BLOCKPLAN_WARPROLES_H

#include "Mirage/Dialect/Block/Block.h"

namespace mirage {

/// Whether a loop has tiles to load, all of which the TMA can load.
bool canHaveProducerWarp(block::LoopOp loop);

/// Whether a loop has a warp that loads its tiles (`kProducerWarpAttr`).
bool hasProducerWarp(block::LoopOp loop);
/// Whether some loop of a block graph has.
bool hasProducerWarp(mlir::Block &blockGraph);

/// Whether a producer warp loads the tiles of an input iterator.
bool isLoadedByProducer(mlir::Operation *op);

/// Whether the tile of a saver is in shared memory, so that the TMA can store
/// it.
bool canStoreInBulk(block::OutputSaver saver);

/// Whether the TMA stores the tile of a saver (`kBulkStoreAttr`).
bool isStoredInBulk(mlir::Operation *op);

/// The input iterators whose tiles producer warps load, then the savers whose
/// tiles the TMA stores; a kernel takes a tensor map for each, in this order.
llvm::SmallVector<mlir::Operation *> getMappedOps(mlir::Block &blockGraph);

/// How many iterations' tiles a loop has room for: of its inputs that load
/// ahead the least `kStagesAttr`; 0 if there are none.
int64_t getNumLoopStages(block::LoopOp loop);

/// Whether the last product of a loop's row chain can run one iteration behind:
/// a producer warp loads what it multiplies, warpgroups compute it and the
/// first one, which is a single product, each iteration adds to the same sums,
/// and threads can keep the rows.
bool canOverlapProducts(block::LoopOp loop);
/// Whether it does (`kOverlappedAttr`): where layouts suit the warpgroups, and
/// there are three stages, for the tiles of two iterations and of one on its
/// way.
bool overlapsProducts(block::LoopOp loop);

/// Two mbarriers for each stage, "full" and "empty".
constexpr int64_t kMbarrierBytes = 8;

/// Emits an error at the loop, saver or product whose marks
/// (`kProducerWarpAttr`, `kOverlappedAttr`, `kBulkStoreAttr`,
/// `kWarpgroupsAttr`) mean nothing, or ask for what a chip doesn't have.
mlir::LogicalResult verifyWarpRoles(mlir::Block &blockGraph,
                                    llvm::StringRef chip);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_WARPROLES_H
