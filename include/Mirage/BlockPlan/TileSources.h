//===- TileSources.h - Where the elements of a tile come from - -*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_TILESOURCES_H
#define MIRAGE_BLOCKPLAN_TILESOURCES_H

#include "Mirage/BlockPlan/TileUse.h"

namespace mirage {

/// The tiles in shared memory that the elements of tiles come from.
class TileSources {
public:
  /// A tile itself, or what it is computed from where it is read. Views have
  /// its shape, but where it is computed in a way that no view says.
  llvm::SmallVector<TileSource> get(mlir::Value tile);

private:
  /// Of one that is computed where it is read.
  llvm::SmallVector<TileSource> getInlined(mlir::Value tile);

  /// As many paths may lead to one.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<TileSource>> inlined;
};

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_TILESOURCES_H
