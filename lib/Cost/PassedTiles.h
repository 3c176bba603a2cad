//===- PassedTiles.h - What steps of an iteration pass on -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_COST_PASSEDTILES_H
#define MIRAGE_LIB_COST_PASSEDTILES_H

#include "Mirage/Mugraph/Mugraph.h"

namespace mirage {

struct BlockResources;
class ProductLoads;

/// What an iteration of a loop, or a graph outside of its loop, computes in
/// several steps, and stores in shared memory from one step to another.
struct PassedTiles {
  struct Tile {
    /// 0 if it isn't passed on.
    int64_t bytes = 0;
    /// The steps that read it otherwise than by a product of matrices.
    int64_t readers = 0;
  };
  /// By node.
  llvm::SmallVector<Tile> tiles;
  /// As in KernelLoad.
  int64_t steps = 0;
};

/// Of graphs that have no row chain, but could be cut so that they have one
/// (docs/CostModel.md, "What is counted"). `tileBytes`: of getSharedTileBytes.
PassedTiles findPassedTiles(const BlockGraph &block,
                            llvm::ArrayRef<int64_t> tileBytes,
                            const ProductLoads &products,
                            const BlockResources &resources);

} // namespace mirage

#endif // MIRAGE_LIB_COST_PASSEDTILES_H
