//===- Tensor.h - Dense tensors over any number system ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_NUMBERS_TENSOR_H
#define MIRAGE_NUMBERS_TENSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace mirage {

using Shape = llvm::SmallVector<int64_t, 4>;

/// The number of elements of a shape; 1 for rank 0.
int64_t getNumElements(llvm::ArrayRef<int64_t> shape);

/// One component of every element of a tensor, in row-major order. A finite-
/// field tensor has two (mod p and mod q), a real one has one.
struct Plane {
  unsigned elementBytes = 0;
  std::vector<uint8_t> bytes;

  Plane() = default;
  Plane(unsigned elementBytes, int64_t numElements)
      : elementBytes(elementBytes), bytes(elementBytes * numElements) {}

  template <typename T> T *as() { return reinterpret_cast<T *>(bytes.data()); }
  template <typename T> const T *as() const {
    return reinterpret_cast<const T *>(bytes.data());
  }
};

/// A dense row-major tensor. What its planes hold is the business of the number
/// system that made it; moving elements about (below) is not.
struct Tensor {
  Shape shape;
  llvm::SmallVector<Plane, 2> planes;
  /// One flag per element: its value is not defined (a division by zero, the
  /// root of a non-residue, or computed from such). Empty: all are defined.
  std::vector<uint8_t> undefined;

  int64_t getNumElements() const { return mirage::getNumElements(shape); }
};

/// The tensor with no elements set, planes of the same kind as `like`'s.
Tensor makeLike(const Tensor &like, llvm::ArrayRef<int64_t> shape);

/// The part of `source` of the given shape at `offsets`.
Tensor extractSlice(const Tensor &source, llvm::ArrayRef<int64_t> offsets,
                    llvm::ArrayRef<int64_t> shape);

/// Copies `part` into `target` at `offsets`.
void insertSlice(const Tensor &part, Tensor &target,
                 llvm::ArrayRef<int64_t> offsets);

/// The source, repeated to `shape`: aligned at the last dimensions, a missing
/// dimension or one of size 1 is repeated. The shapes must allow it.
Tensor broadcast(const Tensor &source, llvm::ArrayRef<int64_t> shape);

/// The source with its dimensions in another order: dimension d of the result
/// is dimension permutation[d] of the source.
Tensor transpose(const Tensor &source, llvm::ArrayRef<int64_t> permutation);

/// The shape that `lhs` and `rhs` broadcast to; false when they don't.
bool broadcastShapes(llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs,
                     Shape &result);

} // namespace mirage

#endif // MIRAGE_NUMBERS_TENSOR_H
