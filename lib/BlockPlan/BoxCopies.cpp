//===- BoxCopies.cpp - How the TMA loads and stores tiles -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/BlockPlan/Clusters.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Mirage/TensorView.h"
#include "mlir/IR/TypeUtilities.h"
#include <numeric>

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

/// A tile as a tensor map sees it: without dimensions in which the tensor has
/// one element.
namespace {
struct MappedTile {
  const TileLayout &layout;
  SmallVector<int64_t> sizes;
  /// Of the rows that are one behind the other.
  int64_t panel;

  /// The byte of an element before it is swizzled, which the hardware adds.
  int64_t getOffset(ArrayRef<int64_t> index) const {
    int64_t row = 0;
    for (auto [size, i] : llvm::drop_end(llvm::zip_equal(sizes, index)))
      row = row * size + i;
    int64_t column = index.back();
    row += column / panel * layout.getNumRows();
    return (row * panel + column % panel) * layout.elementBytes;
  }
};
} // namespace

/// Cuts the part of a tile that begins at its first element into boxes; false
/// if that can't be done.
static bool addBoxes(BoxCopies &copies, const MappedTile &tile,
                     ArrayRef<int64_t> part) {
  TensorMap &map = copies.map;
  size_t rank = part.size(), last = rank - 1;
  // In a panel rows are one behind the other. A box has whole rows of it, or
  // else a part of one.
  map.box.assign(rank, 1);
  map.box[last] = getBoxSize(std::min(tile.panel, part[last]));
  bool isWhole = map.box[last] == tile.panel;
  for (size_t d = last; d-- > 0 && isWhole;) {
    map.box[d] = getBoxSize(part[d]);
    isWhole = map.box[d] == tile.sizes[d];
  }
  if (!map.getProblem().empty())
    return false;

  SmallVector<int64_t> counts;
  int64_t numBoxes = 1;
  for (auto [size, box] : llvm::zip_equal(part, map.box)) {
    counts.push_back(size / box);
    numBoxes *= size / box;
    if (numBoxes > kMaxBoxes)
      return false;
  }
  copies.boxes.clear();
  for (int64_t b = 0; b < numBoxes; ++b) {
    BoxCopies::Box box;
    box.first.resize(rank);
    int64_t left = b;
    for (size_t d = rank; d-- > 0; left /= counts[d])
      box.first[d] = left % counts[d] * map.box[d];
    box.offset = tile.getOffset(box.first);
    if (box.offset % tensor_map::kBoxAlignment != 0)
      return false;
    copies.boxes.push_back(std::move(box));
  }
  return true;
}

/// The same of the first of `numSharers` parts of the whole tile along a
/// dimension, if the others are like it.
static std::optional<BoxCopies> getSharedBoxes(const BoxCopies &whole,
                                               const MappedTile &tile,
                                               int64_t numSharers,
                                               unsigned dim) {
  SmallVector<int64_t> part = tile.sizes;
  if (part[dim] % numSharers != 0)
    return std::nullopt;
  part[dim] /= numSharers;
  // Of a row with several panels, whole ones.
  if (dim + 1 == part.size() && tile.layout.hasPanels() &&
      part[dim] % tile.panel != 0)
    return std::nullopt;
  BoxCopies copies = whole;
  copies.numSharers = numSharers;
  copies.partDim = dim;
  copies.partElements = part[dim];
  SmallVector<int64_t> first(part.size());
  first[dim] = part[dim];
  copies.partBytes = tile.getOffset(first);
  // What the swizzle does to a part is what it does to the first.
  if (copies.partBytes % tile.layout.getAlignment() != 0 ||
      copies.partBytes % tensor_map::kBoxAlignment != 0 ||
      !addBoxes(copies, tile, part))
    return std::nullopt;
  for (const BoxCopies::Box &box : copies.boxes)
    for (int64_t i = 1; i < numSharers; ++i) {
      first = box.first;
      first[dim] += i * copies.partElements;
      if (tile.getOffset(first) != box.offset + i * copies.partBytes)
        return std::nullopt;
    }
  return copies;
}

/// How `numSharers` blocks load a tile, or how one does if they can't share it.
/// Tiles begin at multiples of `startMultiple` elements of rows.
static std::optional<BoxCopies>
getBoxCopies(ArrayRef<int64_t> tensor, ArrayRef<int64_t> origin,
             int64_t startMultiple, TileType type, const TileLayout &layout,
             int64_t numSharers) {
  if (!layout.allowsBulkCopies() || tensor.empty())
    return std::nullopt;
  // Boxes that begin elsewhere are illegal instructions.
  if (std::gcd(origin.back(), startMultiple) * layout.elementBytes %
          tensor_map::kPiece !=
      0)
    return std::nullopt;

  BoxCopies copies;
  TensorMap &map = copies.map;
  map.elementType = type.getElementType();
  map.swizzleBytes = layout.swizzleBytes;
  MappedTile tile{layout, {}, 0};
  for (auto [d, size] : llvm::enumerate(tensor))
    if (size > 1 || d + 1 == tensor.size()) {
      copies.dims.push_back(d);
      copies.origin.push_back(origin[d]);
      map.shape.push_back(size);
      tile.sizes.push_back(type.getShape()[d]);
    }
  tile.panel = layout.hasPanels() ? layout.swizzleBytes / layout.elementBytes
                                  : tile.sizes.back();
  if (!addBoxes(copies, tile, tile.sizes))
    return std::nullopt;
  // The parts with the fewest boxes.
  std::optional<BoxCopies> best;
  for (unsigned d = 0; d < tile.sizes.size() && numSharers > 1; ++d) {
    std::optional<BoxCopies> shared =
        getSharedBoxes(copies, tile, numSharers, d);
    if (shared && (!best || shared->boxes.size() < best->boxes.size()))
      best = std::move(shared);
  }
  return best ? best : copies;
}

static std::optional<BoxCopies> getBoxCopies(block::InputIterator input,
                                             const TileLayout &layout,
                                             int64_t numSharers) {
  TensorView view = getTensorView(input.getTensor());
  return ::getBoxCopies(view.getShape(), view.offsets, getStartMultiple(input),
                        cast<TileType>(input.getTile().getType()), layout,
                        numSharers);
}

std::optional<BoxCopies> mirage::getBoxCopies(block::OutputSaver saver,
                                              const TileLayout &layout) {
  auto tile = cast<TileType>(saver.getTile().getType());
  if (getElementTypeOrSelf(saver.getType()) != tile.getElementType())
    return std::nullopt;
  TensorView view = getTensorView(saver.getTensor());
  return ::getBoxCopies(view.getShape(), view.offsets, getStartMultiple(saver),
                        tile, layout, /*numSharers=*/1);
}

std::optional<BoxCopies> mirage::getBoxCopies(block::OutputSaver saver) {
  return getBoxCopies(saver, getLayout(saver.getTile()));
}

std::optional<BoxCopies> mirage::getBoxCopies(Operation *op) {
  if (auto saver = dyn_cast<block::OutputSaver>(op))
    return getBoxCopies(saver);
  return getBoxCopies(cast<block::InputIterator>(op));
}

std::optional<BoxCopies> mirage::getBoxCopies(block::InputIterator input,
                                              const TileLayout &layout) {
  BlockCluster cluster = getCluster(input);
  return ::getBoxCopies(input, layout,
                        isSharedBy(input, cluster) ? cluster.size : 1);
}

bool mirage::canShareBoxes(block::InputIterator input, int64_t numSharers) {
  return llvm::all_of(getBoxLayouts(input), [&](const TileLayout &layout) {
    return ::getBoxCopies(input, layout, numSharers)->numSharers > 1;
  });
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
