//===- BoxCopies.h - How the TMA loads a tile -------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_BOXCOPIES_H
#define MIRAGE_BLOCKPLAN_BOXCOPIES_H

#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/TensorMap.h"
#include "Mirage/Layout/TileLayout.h"
#include <optional>

namespace mirage {

/// The boxes that a tile in shared memory consists of.
struct BoxCopies {
  /// A box begins at this element of the tile, and at this byte of its memory.
  struct Box {
    llvm::SmallVector<int64_t> first;
    int64_t offset;
  };
  /// Of the tensor, without dimensions of one element.
  TensorMap map;
  /// The tensor's dimensions that the map has.
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<Box> boxes;
};

/// What a box's place in shared memory is a multiple of, in bytes.
constexpr int64_t kBoxAlignment = 128;

/// How the TMA can load the tiles of an input iterator that brings another one
/// in each iteration, in a layout or in that of the tile; none if it can't, as
/// rows aren't multiples of 16 bytes, or would have to do it in very many
/// pieces.
std::optional<BoxCopies> getBoxCopies(block::InputIterator input,
                                      const TileLayout &layout);
std::optional<BoxCopies> getBoxCopies(block::InputIterator input);

/// The layouts in which it can.
llvm::SmallVector<TileLayout> getBoxLayouts(block::InputIterator input);

/// Whether a loop has tiles to load, all of which the TMA can load.
bool canHaveProducerWarp(block::LoopOp loop);

/// Whether a loop has a warp that loads its tiles (`kProducerWarpAttr`).
bool hasProducerWarp(block::LoopOp loop);
/// Whether some loop of a block graph has.
bool hasProducerWarp(mlir::Block &blockGraph);

/// Whether a producer warp loads the tiles of an input iterator.
bool isLoadedByProducer(mlir::Operation *op);

/// All of them in a block graph; a kernel takes a tensor map for each, in this
/// order.
llvm::SmallVector<block::InputIterator>
getProducerInputs(mlir::Block &blockGraph);

/// How many iterations' tiles a loop has room for: of its inputs that load
/// ahead the least `kStagesAttr`; 0 if there are none.
int64_t getNumLoopStages(block::LoopOp loop);

/// Two mbarriers for each stage, "full" and "empty".
constexpr int64_t kMbarrierBytes = 8;

/// Emits an error at the loop or product whose marks (`kProducerWarpAttr`,
/// `kWarpgroupsAttr`) mean nothing, or ask for what a chip doesn't have.
mlir::LogicalResult verifyWarpRoles(mlir::Block &blockGraph,
                                    llvm::StringRef chip);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_BOXCOPIES_H
