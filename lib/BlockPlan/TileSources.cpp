//===- TileSources.cpp - Where the elements of a tile come from -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/TileSources.h"
#include "Mirage/BlockPlan/ElementMap.h"

using namespace mirage;
using namespace mlir;

SmallVector<TileSource> TileSources::get(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op || !isa<TileType>(tile.getType()) || isMadeWhereRead(op))
    return {};
  if (std::optional<TileSource> source = getSource(tile))
    return {*source};
  if (!isInlined(tile))
    return {};
  auto known = inlined.find(tile);
  if (known == inlined.end())
    known = inlined.try_emplace(tile, getInlined(tile)).first;
  return known->second;
}

SmallVector<TileSource> TileSources::getInlined(Value tile) {
  Operation *op = tile.getDefiningOp();
  SmallVector<TileSource> sources;
  if (auto movement = dyn_cast<OperatorOpInterface>(op)) {
    std::optional<ElementMap> map = getElementMap(movement);
    for (Value operand : op->getOperands())
      for (TileSource &source : get(operand)) {
        if (map && map->operand == operand &&
            ArrayRef(source.view.shape) == getShape(operand)) {
          std::tie(source.view.strides, source.view.offset) =
              map->apply(source.view.strides, source.view.offset);
          source.view.shape.assign(getShape(tile).begin(),
                                   getShape(tile).end());
        }
        // One element is read on one path only.
        if (!llvm::is_contained(sources, source))
          sources.push_back(std::move(source));
      }
    return sources;
  }
  for (Value operand : op->getOperands())
    for (TileSource &source : get(operand)) {
      if (ArrayRef(source.view.shape) == getShape(operand))
        source.view = source.view.broadcastTo(getShape(tile));
      sources.push_back(std::move(source));
    }
  return sources;
}
