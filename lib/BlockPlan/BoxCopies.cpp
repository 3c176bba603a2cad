//===- BoxCopies.cpp - How the TMA loads a tile ---------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/BlockPlan/TileUse.h"

using namespace mirage;
using namespace mlir;

/// One thread issues them all, in each iteration.
static constexpr int64_t kMaxBoxes = 64;

/// The most elements of a dimension that a box can take so that all boxes are
/// alike.
static int64_t getBoxSize(int64_t size) {
  for (int64_t box = std::min(size, tensor_map::kMaxBox); box > 1; --box)
    if (size % box == 0)
      return box;
  return 1;
}

std::optional<BoxCopies> mirage::getBoxCopies(block::InputIterator input,
                                              const TileLayout &layout) {
  auto tensor = cast<ShapedType>(input.getTensor().getType()).getShape();
  auto tile = cast<TileType>(input.getTile().getType());
  if (!layout.allowsBulkCopies() || tensor.empty())
    return std::nullopt;

  BoxCopies copies;
  TensorMap &map = copies.map;
  map.elementType = tile.getElementType();
  map.swizzleBytes = layout.swizzleBytes;
  SmallVector<int64_t> sizes;
  for (auto [d, size] : llvm::enumerate(tensor))
    if (size > 1 || d + 1 == tensor.size()) {
      copies.dims.push_back(d);
      map.shape.push_back(size);
      sizes.push_back(tile.getShape()[d]);
    }
  // In a panel rows are one behind the other. A box has whole rows of it, or
  // else a part of one.
  size_t rank = sizes.size(), last = rank - 1;
  int64_t panel = layout.hasPanels() ? layout.swizzleBytes / layout.elementBytes
                                     : sizes[last];
  map.box.assign(rank, 1);
  map.box[last] = getBoxSize(panel);
  bool isWhole = map.box[last] == panel;
  for (size_t d = last; d-- > 0 && isWhole;) {
    map.box[d] = getBoxSize(sizes[d]);
    isWhole = map.box[d] == sizes[d];
  }
  if (!map.getProblem().empty())
    return std::nullopt;

  SmallVector<int64_t> counts;
  int64_t numBoxes = 1;
  for (auto [size, box] : llvm::zip_equal(sizes, map.box)) {
    counts.push_back(size / box);
    numBoxes *= size / box;
    if (numBoxes > kMaxBoxes)
      return std::nullopt;
  }
  for (int64_t b = 0; b < numBoxes; ++b) {
    BoxCopies::Box box;
    box.first.resize(rank);
    int64_t left = b;
    for (size_t d = rank; d-- > 0; left /= counts[d])
      box.first[d] = left % counts[d] * map.box[d];
    int64_t row = 0;
    for (size_t d = 0; d < last; ++d)
      row = row * sizes[d] + box.first[d];
    int64_t column = box.first[last];
    // What the swizzle changes, the hardware adds.
    row += column / panel * layout.getNumRows();
    box.offset = (row * panel + column % panel) * layout.elementBytes;
    if (box.offset % tensor_map::kBoxAlignment != 0)
      return std::nullopt;
    copies.boxes.push_back(std::move(box));
  }
  return copies;
}

std::optional<BoxCopies> mirage::getBoxCopies(block::InputIterator input) {
  return getBoxCopies(input, getLayout(input.getTile()));
}

SmallVector<TileLayout> mirage::getBoxLayouts(block::InputIterator input) {
  auto tile = cast<TileType>(input.getTile().getType());
  SmallVector<TileLayout> layouts =
      getCandidateLayouts(tile.getShape(), tile.getElementTypeBitWidth() / 8);
  llvm::erase_if(layouts, [&](const TileLayout &layout) {
    return !getBoxCopies(input, layout);
  });
  return layouts;
}
