//===- KeptRowsShape.cpp - Room for rows in registers ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/KeptRowsShape.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <numeric>

using namespace mirage;
using llvm::ArrayRef;

/// What a thread loads or stores with one instruction, in bits.
static constexpr int64_t kVectorBits = 128;
/// Each may have 128 registers, of which 40 are for all else than elements:
/// with more ptxas spills some.
static constexpr int64_t kMostThreads = 512;
static constexpr int64_t kMostElements = 88;
/// What device memory and the cache transfer, in bits.
static constexpr int64_t kSectorBits = 256;

/// The dimensions in front of the last one become those that a tile has, too;
/// false if these don't go together.
static bool addRowShape(ArrayRef<int64_t> shape,
                        llvm::SmallVectorImpl<int64_t> &rowShape) {
  ArrayRef<int64_t> own = shape.drop_back();
  if (own.size() > rowShape.size())
    rowShape.insert(rowShape.begin(), own.size() - rowShape.size(), 1);
  for (size_t i = 1; i <= own.size(); ++i) {
    int64_t &size = rowShape[rowShape.size() - i], other = own[own.size() - i];
    if (size == 1)
      size = other;
    else if (other != 1 && other != size)
      return false;
  }
  return true;
}

static int64_t countElements(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

static int64_t countRows(ArrayRef<int64_t> tile) {
  return countElements(tile.drop_back());
}

std::optional<KeptRowsShape> KeptRowsShape::get(ArrayRef<Access> accesses,
                                                ArrayRef<Step> steps) {
  KeptRowsShape shape;
  for (const Access &access : accesses)
    if (access.shape.empty() || !addRowShape(access.shape, shape.rowShape))
      return std::nullopt;
  shape.rows = countElements(shape.rowShape);
  if (shape.rows > kMostThreads)
    return std::nullopt;
  for (const Access &access : accesses) {
    int64_t length = access.shape.back();
    // What all rows have in common each of them loads. An element of each row
    // would be loaded by all of its lanes.
    int64_t rows = countRows(access.shape);
    bool isCommon = access.isInput && rows == 1;
    if ((rows != shape.rows && !isCommon) || (access.isInput && length == 1))
      return std::nullopt;
    // Sectors that two rows share would be requested twice.
    if (shape.rows > 1 && length > 1 && !areSectors(length, access.bits))
      return std::nullopt;
    auto *known = llvm::find_if(
        shape.widths, [&](auto &width) { return width.first == length; });
    int64_t width = std::gcd(kVectorBits / access.bits, length);
    if (known == shape.widths.end())
      shape.widths.emplace_back(length, width);
    else
      known->second = std::min(known->second, width);
  }
  // What is computed goes with what is accessed.
  for (const Step &step : steps) {
    ArrayRef<int64_t> tile = step.shape;
    if (tile.empty())
      continue;
    llvm::SmallVector<int64_t, 4> rowShape(shape.rowShape);
    bool isKnown =
        tile.back() == 1 || llvm::any_of(shape.widths, [&](auto &width) {
          return width.first == tile.back();
        });
    if (!isKnown || !addRowShape(tile, rowShape) || rowShape != shape.rowShape)
      return std::nullopt;
  }
  int64_t vectors = 1;
  for (auto [length, width] : shape.widths)
    vectors = std::max(vectors, length / width);
  shape.lanes = std::min<int64_t>(
      llvm::bit_ceil(static_cast<uint64_t>(vectors)),
      llvm::bit_floor(static_cast<uint64_t>(kMostThreads / shape.rows)));
  // What the lanes of a row load together, if they do so several times.
  for (const Access &access : accesses) {
    int64_t length = access.shape.back(), width = shape.getWidth(length);
    if (shape.getNumVectors(length) > 1 &&
        !areSectors(shape.lanes * width, access.bits))
      return std::nullopt;
  }
  // All that is loaded, and what is computed from it, a tile at least.
  int64_t loaded = 0, computed = shape.countLive(steps);
  for (const Access &access : accesses) {
    int64_t elements = shape.getNumElements(access.shape.back());
    computed = std::max(computed, elements);
    loaded += access.isInput ? elements : 0;
  }
  if (loaded + computed > kMostElements)
    return std::nullopt;
  return shape;
}

int64_t KeptRowsShape::countLive(ArrayRef<Step> steps) const {
  int64_t most = 0;
  for (size_t fold = 0; fold < steps.size(); ++fold) {
    if (!steps[fold].folds)
      continue;
    llvm::BitVector isBehind(steps.size()), isKept(steps.size());
    for (size_t i = 0; i < steps.size(); ++i) {
      ArrayRef<unsigned> operands = steps[i].operands;
      if (i == fold || llvm::any_of(operands, [&](unsigned operand) {
            return isBehind.test(operand);
          }))
        isBehind.set(i);
      if (isBehind.test(i) && i != fold)
        for (unsigned operand : operands)
          isKept.set(operand);
      if (steps[i].isSaved)
        isKept.set(i);
    }
    int64_t elements = 0;
    for (unsigned i : isKept.set_bits()) {
      ArrayRef<int64_t> tile = steps[i].shape;
      if (!isBehind.test(i) && !tile.empty() && tile.back() > 1)
        elements += getNumElements(tile.back());
    }
    most = std::max(most, elements);
  }
  return most;
}

bool KeptRowsShape::foldsRows(ArrayRef<int64_t> operand,
                              ArrayRef<int64_t> result, int64_t dim) {
  return !operand.empty() && operand.back() > 1 &&
         dim + 1 == static_cast<int64_t>(operand.size()) &&
         result.size() == operand.size() && result.back() == 1 &&
         result.drop_back() == operand.drop_back();
}

bool KeptRowsShape::areSectors(int64_t elements, int64_t bits) {
  return elements * bits % kSectorBits == 0;
}

int64_t KeptRowsShape::getNumThreads() const {
  return llvm::alignTo(rows * lanes, kWarpSize);
}

int64_t KeptRowsShape::getWidth(int64_t length) const {
  for (auto [known, width] : widths)
    if (known == length)
      return width;
  assert(length == 1 && "rows of no tile");
  return 1;
}

int64_t KeptRowsShape::getNumVectors(int64_t length) const {
  return llvm::divideCeil(length / getWidth(length), lanes);
}

bool KeptRowsShape::isFull(int64_t length, int64_t vector) const {
  return length == 1 || (vector + 1) * lanes * getWidth(length) <= length;
}

int64_t KeptRowsShape::countLoads(ArrayRef<int64_t> tile) const {
  if (countRows(tile) == rows)
    return 1;
  return lanes < kWarpSize ? getNumThreads() / kWarpSize : rows;
}

int64_t KeptRowsShape::countComputed(int64_t length) const {
  return length == 1 ? getNumThreads() : rows * length;
}
