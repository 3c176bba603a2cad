//===- TileMemory.h - Where the elements of a tile are ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_MIRAGETOGPU_TILEMEMORY_H
#define MIRAGE_LIB_CONVERSION_MIRAGETOGPU_TILEMEMORY_H

#include "Mirage/BlockPlan/ElementMap.h"
#include "Mirage/BlockPlan/TileUse.h"

namespace mirage {

/// The elements of a tensor in device memory, or of a tile in shared memory:
/// element `index` is the one that is `offset + sum(index[d] * strides[d])`-th
/// in row-major order, of a memref of one dimension in which the layout says
/// where it is. Strides and offset are in elements, not negative, and no index
/// of a row steps into the next.
struct TileMemory {
  mlir::Value flat;
  llvm::SmallVector<int64_t, 4> strides;
  int64_t offset = 0;
  /// Of the tile that this is a view of; without panels for tensors.
  TileLayout layout = TileLayout();
  /// Of a tensor: tiles begin at multiples of so many elements of the last
  /// dimension. 0 of a tile, which begins with itself.
  int64_t startMultiple = 0;

  explicit operator bool() const { return static_cast<bool>(flat); }
  mlir::Type getElementType() const;
  /// In bytes.
  int64_t getElementSize() const;
  bool isShared() const;
  /// Whether `width` neighbours in a dimension, the last or that so many in
  /// front of it, from where vectors of `width` begin, follow each other in
  /// memory at a multiple of their size, whatever the index; provided that the
  /// memref itself begins at such a multiple.
  bool isVector(int64_t width, size_t fromLast = 0) const;

  /// 32, 64 or 128 if the rows of a panel are swizzled as the TMA does it; 0
  /// for any other layout.
  int64_t getSwizzleBytes() const;

  /// The place of the element at `index`.
  mlir::Value getPlace(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::ValueRange index) const;
  /// `width` elements from `index` on as f32, or (raw) as they are; a scalar if
  /// the width is 1. Reads them in pieces where they aren't a vector.
  mlir::Value load(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::ValueRange index, int64_t width, bool raw = false,
                   size_t fromLast = 0) const;
  /// Stores a scalar or a vector of any float type, rounded; in pieces where it
  /// can't be stored at once.
  void store(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
             mlir::ValueRange index) const;

private:
  /// Into pieces of how many elements `width` neighbours are cut: vectors of a
  /// tensor, or elements. (Elements of tiles, as layouts are chosen for them.)
  int64_t getPiece(int64_t width) const;
  /// The number of the row, of all matrices.
  mlir::Value getRow(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::ValueRange index) const;
  /// `getPlace` of a layout that permutes pieces.
  mlir::Value getPermutedPlace(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::ValueRange index) const;
  /// Every `steps` steps of a stride lead to the same place of a pattern of the
  /// permutation, so many `places` a step further on; 0 steps if none do.
  struct Stride {
    int64_t steps = 0, places = 0;
  };
  Stride getRegularStride(int64_t stride) const;
  /// The place in whole rows before pieces are permuted.
  mlir::Value getPlaceInRows(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::ValueRange index) const;
  /// The place in panels before pieces are permuted.
  mlir::Value getPlaceInPanels(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::ValueRange index) const;
};

llvm::SmallVector<int64_t, 4> getRowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// A memref of another shape on the same row-major elements.
mlir::Value reinterpretMemRef(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value memref,
                              llvm::ArrayRef<int64_t> shape);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_MIRAGETOGPU_TILEMEMORY_H
