//===- BoxCopies.h - How the TMA loads and stores tiles ---------*- C++ -*-===//
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
  /// The tensor's dimensions that the map has, and where in them the tensor
  /// begins that tiles are cut from, which may be a part.
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<int64_t> origin;
  llvm::SmallVector<Box> boxes;

  /// How many blocks of a cluster load a part of the tile for all of them. The
  /// boxes are those of the first; those of the next lie `partElements` further
  /// in the map's dimension `partDim`, and `partBytes` in memory.
  int64_t numSharers = 1;
  unsigned partDim = 0;
  int64_t partElements = 0, partBytes = 0;
};

/// How the TMA can load the tiles of an input iterator that brings another one
/// in each iteration, in a layout or in that of the tile; none if it can't, as
/// rows aren't multiples of 16 bytes or don't begin at one, or would have to do
/// it in very many pieces. In a cluster blocks share the tile if they can.
std::optional<BoxCopies> getBoxCopies(block::InputIterator input,
                                      const TileLayout &layout);
std::optional<BoxCopies> getBoxCopies(block::InputIterator input);

/// How the TMA can store the tile of a saver, in a layout or in that of the
/// tile; none if it can't, or would have to change the elements' type.
std::optional<BoxCopies> getBoxCopies(block::OutputSaver saver,
                                      const TileLayout &layout);
std::optional<BoxCopies> getBoxCopies(block::OutputSaver saver);

/// Of one or the other.
std::optional<BoxCopies> getBoxCopies(mlir::Operation *op);

/// Whether so many blocks could each load a part of such a tile, the same
/// number of boxes, in whichever layout it gets.
bool canShareBoxes(block::InputIterator input, int64_t numSharers);

/// The layouts in which it can.
llvm::SmallVector<TileLayout> getBoxLayouts(block::InputIterator input);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_BOXCOPIES_H
