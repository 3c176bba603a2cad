//===- TileMemory.cpp - Where the elements of a tile are ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileMemory.h"
#include "ElementCode.h"
#include "IndexCode.h"
#include "Mirage/Layout/AccessCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mirage;
using namespace mlir;

Type TileMemory::getElementType() const {
  return cast<MemRefType>(flat.getType()).getElementType();
}

int64_t TileMemory::getElementSize() const {
  return getElementType().getIntOrFloatBitWidth() / 8;
}

bool TileMemory::isShared() const {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
      cast<MemRefType>(flat.getType()));
}

bool TileMemory::isVector(int64_t width, size_t fromLast) const {
  if (width == 1)
    return true;
  if (fromLast >= strides.size())
    return false;
  if (layout.isPermuted() && width * getElementSize() > layout.pieceBytes)
    return false;
  if (fromLast == 0 && startMultiple % width != 0)
    return false;
  return mirage::isVector(strides, offset, width,
                          strides.size() - 1 - fromLast);
}

int64_t TileMemory::getPiece(int64_t width) const {
  int64_t piece = isShared() ? 1 : width;
  while (piece > 1 && (width % piece != 0 || !isVector(piece)))
    piece /= 2;
  return piece;
}

int64_t TileMemory::getSwizzleBytes() const {
  return layout.hasPanels() && layout.allowsBulkCopies() ? layout.swizzleBytes
                                                         : 0;
}

/// `sum(index[d] * strides[d]) + offset`.
static Value getSum(OpBuilder &builder, Location loc, ValueRange index,
                    ArrayRef<int64_t> strides, int64_t offset) {
  Value sum = makeIndex(builder, loc, offset);
  for (auto [i, stride] : llvm::zip_equal(index, strides))
    sum = addIndices(builder, loc, sum, multiplyIndex(builder, loc, i, stride));
  return sum;
}

Value TileMemory::getRow(OpBuilder &builder, Location loc,
                         ValueRange index) const {
  int64_t row = layout.getRowElements();
  SmallVector<int64_t, 4> ofRows;
  for (int64_t stride : strides)
    ofRows.push_back(stride / row);
  return getSum(builder, loc, index, ofRows, offset / row);
}

Value TileMemory::getPlaceInRows(OpBuilder &builder, Location loc,
                                 ValueRange index) const {
  if (layout.pitchUnit == 0)
    return getSum(builder, loc, index, strides, offset);
  int64_t row = layout.getRowElements(),
          pitch = layout.getPitchBytes() / layout.elementBytes;
  auto pad = [&](int64_t places) {
    return places + places / row * (pitch - row);
  };
  return getSum(builder, loc, index, llvm::map_to_vector<4>(strides, pad),
                pad(offset));
}

Value TileMemory::getPlaceInPanels(OpBuilder &builder, Location loc,
                                   ValueRange index) const {
  int64_t panel = layout.swizzleBytes / getElementSize();
  int64_t row = layout.getRowElements(), numRows = layout.getNumRows();
  // With one panel, or one row, panels are nothing but the rows.
  if (layout.getNumPanels() == 1 || numRows == 1)
    return getSum(builder, loc, index, strides, offset);
  SmallVector<int64_t, 4> inRow;
  for (int64_t stride : strides)
    inRow.push_back(stride % row);
  Value first = multiplyIndex(builder, loc, getRow(builder, loc, index), panel);
  Value column = getSum(builder, loc, index, inRow, offset % row);
  // A panel's part of the row is behind all rows of those before.
  Value number = divideIndex(builder, loc, column, panel);
  Value skipped = multiplyIndex(builder, loc, number, (numRows - 1) * panel);
  return addIndices(builder, loc, addIndices(builder, loc, first, column),
                    skipped);
}

TileMemory::Stride TileMemory::getRegularStride(int64_t stride) const {
  int64_t row = layout.getRowElements(), numRows = layout.getNumRows();
  if (stride > row && stride % row != 0)
    return {};
  bool hasPanels = layout.getNumPanels() > 1 && numRows > 1;
  int64_t panel = hasPanels ? layout.swizzleBytes / getElementSize() : row;
  // No bit that is read or changed to permute pieces may depend on what is
  // skipped: neither of the row, nor of the place.
  unsigned size = llvm::Log2_64(getElementSize()),
           count = layout.getNumPermutedBits(),
           numRead = (layout.isFolded() ? 2 : 1) * count;
  unsigned readEnd = layout.getFirstPermutingBit() + numRead,
           end = layout.getFirstPermutedBit() - size + count;
  bool byRow = layout.isPermutedByRow();
  if (!byRow)
    end = std::max(end, readEnd - size);
  constexpr int64_t kMostSteps = 1 << 12;
  for (int64_t steps = 1; steps <= kMostSteps; steps *= 2) {
    int64_t elements = steps * stride, places = elements;
    if (stride % row == 0) {
      int64_t rows = elements / row;
      if (byRow && rows % (int64_t(1) << readEnd) != 0)
        continue;
      places = rows * panel;
    } else if (hasPanels) {
      if (elements % panel != 0)
        continue;
      places = elements * numRows;
    }
    if (places % (int64_t(1) << end) == 0)
      return {steps, places / steps};
  }
  return {};
}

Value TileMemory::getPlace(OpBuilder &builder, Location loc,
                           ValueRange index) const {
  if (!layout.isPermuted())
    return getPlaceInRows(builder, loc, index);
  // Steps over whole patterns of the permutation are added to the place, which
  // then is the same in all iterations, and for all lanes that differ by them.
  SmallVector<Value> within(index);
  Value skipped = makeIndex(builder, loc, 0);
  for (auto [i, stride] : llvm::zip_equal(within, strides)) {
    Stride regular = stride == 0 ? Stride() : getRegularStride(stride);
    if (regular.steps == 0)
      continue;
    auto [multiple, rest] = splitMultiple(builder, loc, i, regular.steps);
    skipped = addIndices(
        builder, loc, skipped,
        multiplyIndex(builder, loc, multiple, regular.steps * regular.places));
    i = rest;
  }
  return addIndices(builder, loc, getPermutedPlace(builder, loc, within),
                    skipped);
}

Value TileMemory::getPermutedPlace(OpBuilder &builder, Location loc,
                                   ValueRange index) const {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  // Bits of an offset in bytes are further up than those of a place.
  unsigned size = llvm::Log2_64(getElementSize());
  Value place, permuting;
  unsigned first = layout.getFirstPermutingBit();
  place = permuting = layout.hasPanels() ? getPlaceInPanels(builder, loc, index)
                                         : getPlaceInRows(builder, loc, index);
  if (layout.isPermutedByRow())
    permuting = getRow(builder, loc, index);
  else
    first -= size;
  auto shift = [&](unsigned by) -> Value {
    return by == 0
               ? permuting
               : arith::ShRUIOp::create(builder, loc, permuting, constant(by))
                     .getResult();
  };
  unsigned count = layout.getNumPermutedBits();
  int64_t mask = (int64_t(1) << count) - 1;
  Value bits = shift(first);
  if (layout.isFolded())
    bits = arith::XOrIOp::create(builder, loc, bits, shift(first + count));
  bits = arith::AndIOp::create(builder, loc, bits, constant(mask));
  return arith::XOrIOp::create(
      builder, loc, place,
      arith::ShLIOp::create(builder, loc, bits,
                            constant(layout.getFirstPermutedBit() - size)));
}

Value TileMemory::load(OpBuilder &builder, Location loc, ValueRange index,
                       int64_t width, bool raw, size_t fromLast) const {
  Type wanted = raw ? getElementType() : builder.getF32Type();
  if (width == 1) {
    Value element = memref::LoadOp::create(builder, loc, flat,
                                           getPlace(builder, loc, index));
    return convertFloat(builder, loc, element, wanted);
  }
  auto type = VectorType::get(width, getElementType());
  if (isVector(width, fromLast)) {
    Value elements = vector::LoadOp::create(
        builder, loc, type, flat, getPlace(builder, loc, index),
        /*nontemporal=*/false, llvm::MaybeAlign(width * getElementSize()));
    return convertFloat(builder, loc, elements, wanted);
  }
  const size_t dim = index.size() - 1 - fromLast;
  const int64_t piece = fromLast == 0 ? getPiece(width) : 1;
  SmallVector<Value> elements, position(index);
  for (int64_t i = 0; i < width; i += piece) {
    position[dim] = addIndices(builder, loc, index[dim], i);
    Value part = load(builder, loc, position, piece, raw);
    if (piece == 1) {
      elements.push_back(part);
      continue;
    }
    for (int64_t j = 0; j < piece; ++j)
      elements.push_back(vector::ExtractOp::create(builder, loc, part, j));
  }
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get(width, wanted), elements);
}

void TileMemory::store(OpBuilder &builder, Location loc, Value value,
                       ValueRange index) const {
  value = convertFloat(builder, loc, value, getElementType());
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type) {
    memref::StoreOp::create(builder, loc, value, flat,
                            getPlace(builder, loc, index));
    return;
  }
  int64_t width = type.getNumElements();
  if (isVector(width)) {
    vector::StoreOp::create(
        builder, loc, value, flat, getPlace(builder, loc, index),
        /*nontemporal=*/false, llvm::MaybeAlign(width * getElementSize()));
    return;
  }
  const int64_t piece = getPiece(width);
  SmallVector<Value> position(index);
  for (int64_t i = 0; i < width; i += piece) {
    SmallVector<Value> elements;
    for (int64_t j = i; j < i + piece; ++j)
      elements.push_back(vector::ExtractOp::create(builder, loc, value, j));
    position.back() = addIndices(builder, loc, index.back(), i);
    store(builder, loc,
          piece == 1 ? elements[0]
                     : vector::FromElementsOp::create(
                           builder, loc,
                           VectorType::get(piece, getElementType()), elements)
                           .getResult(),
          position);
  }
}

SmallVector<int64_t, 4> mirage::getRowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
    strides[d] = stride;
  return strides;
}

Value mirage::reinterpretMemRef(OpBuilder &builder, Location loc, Value memref,
                                ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getShape() == shape)
    return memref;
  return memref::ReinterpretCastOp::create(
      builder, loc, MemRefType::get(shape, type.getElementType()), memref,
      /*offset=*/0, shape, getRowMajorStrides(shape));
}
