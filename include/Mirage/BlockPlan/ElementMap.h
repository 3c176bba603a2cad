//===- ElementMap.h - Where moved elements come from ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_ELEMENTMAP_H
#define MIRAGE_BLOCKPLAN_ELEMENTMAP_H

#include "Mirage/Dialect/Mirage/Mirage.h"
#include <optional>

namespace mirage {

/// What an operator does that only moves elements of one operand, evenly:
/// element `index` of its result is the operand's at
/// `starts[d] + sum(steps[d][e] * index[e])` in each dimension d. Neither is
/// negative.
struct ElementMap {
  mlir::Value operand;
  llvm::SmallVector<int64_t, 4> starts;
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 4> steps;
  /// Of the result.
  size_t rank;

  /// The strides and the offset of the result where the operand has these.
  std::pair<llvm::SmallVector<int64_t, 4>, int64_t>
  apply(llvm::ArrayRef<int64_t> strides, int64_t offset) const;
};

/// None if the operator does something else.
std::optional<ElementMap> getElementMap(OperatorOpInterface op);

/// The shape of a tile.
inline llvm::ArrayRef<int64_t> getShape(mlir::Value tile) {
  return llvm::cast<mlir::ShapedType>(tile.getType()).getShape();
}

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_ELEMENTMAP_H
