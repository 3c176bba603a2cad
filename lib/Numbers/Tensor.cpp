//===- Tensor.cpp - Moving elements about ---------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/Tensor.h"
#include <cstring>

using namespace mirage;
using llvm::ArrayRef;

int64_t mirage::getNumElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

Tensor mirage::makeLike(const Tensor &like, ArrayRef<int64_t> shape) {
  Tensor result;
  result.shape.assign(shape.begin(), shape.end());
  for (const Plane &plane : like.planes)
    result.planes.emplace_back(plane.elementBytes, result.getNumElements());
  return result;
}

/// Visits the rows (runs along the last dimension) of the part of a tensor of
/// shape `whole` at `offsets`: the linear index in the part, that in the whole,
/// and the length.
template <typename Visit>
static void forEachRow(ArrayRef<int64_t> whole, ArrayRef<int64_t> offsets,
                       ArrayRef<int64_t> part, Visit visit) {
  size_t rank = whole.size();
  int64_t length = rank ? part.back() : 1;
  int64_t rows = getNumElements(part) / std::max<int64_t>(length, 1);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t rest = row, index = 0, stride = 1;
    for (size_t d = rank; d-- > 0;) {
      int64_t position = offsets[d];
      if (d + 1 < rank) {
        position += rest % part[d];
        rest /= part[d];
      }
      index += position * stride;
      stride *= whole[d];
    }
    visit(row * length, index, length);
  }
}

Tensor mirage::extractSlice(const Tensor &source, ArrayRef<int64_t> offsets,
                            ArrayRef<int64_t> shape) {
  Tensor result = makeLike(source, shape);
  if (!source.undefined.empty())
    result.undefined.resize(result.getNumElements());
  forEachRow(source.shape, offsets, shape,
             [&](int64_t to, int64_t from, int64_t length) {
               for (auto [in, out] : llvm::zip(source.planes, result.planes))
                 std::memcpy(&out.bytes[to * in.elementBytes],
                             &in.bytes[from * in.elementBytes],
                             length * in.elementBytes);
               if (!source.undefined.empty())
                 std::memcpy(&result.undefined[to], &source.undefined[from],
                             length);
             });
  return result;
}

void mirage::insertSlice(const Tensor &part, Tensor &target,
                         ArrayRef<int64_t> offsets) {
  if (!part.undefined.empty() && target.undefined.empty())
    target.undefined.resize(target.getNumElements());
  // A part whose elements lost a component (see FiniteField::exp) makes the
  // whole lose it.
  size_t common = 0;
  while (common < std::min(target.planes.size(), part.planes.size()) &&
         target.planes[common].elementBytes == part.planes[common].elementBytes)
    ++common;
  target.planes.truncate(common);
  forEachRow(target.shape, offsets, part.shape,
             [&](int64_t from, int64_t to, int64_t length) {
               for (auto [in, out] : llvm::zip(part.planes, target.planes))
                 std::memcpy(&out.bytes[to * in.elementBytes],
                             &in.bytes[from * in.elementBytes],
                             length * in.elementBytes);
               if (!part.undefined.empty())
                 std::memcpy(&target.undefined[to], &part.undefined[from],
                             length);
               else if (!target.undefined.empty())
                 std::memset(&target.undefined[to], 0, length);
             });
}

Tensor mirage::broadcast(const Tensor &source, ArrayRef<int64_t> shape) {
  if (ArrayRef<int64_t>(source.shape) == shape)
    return source;
  Tensor result = makeLike(source, shape);
  int64_t count = result.getNumElements();
  if (!source.undefined.empty())
    result.undefined.resize(count);
  size_t rank = shape.size(), missing = rank - source.shape.size();
  // The stride in the source of each dimension of the result.
  llvm::SmallVector<int64_t, 4> strides(rank, 0), index(rank, 0);
  int64_t stride = 1;
  for (size_t d = rank; d-- > missing;) {
    if (source.shape[d - missing] != 1)
      strides[d] = stride;
    stride *= source.shape[d - missing];
  }
  int64_t from = 0;
  for (int64_t to = 0; to < count; ++to) {
    for (auto [in, out] : llvm::zip(source.planes, result.planes))
      std::memcpy(&out.bytes[to * in.elementBytes],
                  &in.bytes[from * in.elementBytes], in.elementBytes);
    if (!source.undefined.empty())
      result.undefined[to] = source.undefined[from];
    for (size_t d = rank; d-- > 0;) {
      from += strides[d];
      if (++index[d] < shape[d])
        break;
      from -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
  return result;
}

bool mirage::broadcastShapes(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs,
                             Shape &result) {
  if (lhs.size() < rhs.size())
    std::swap(lhs, rhs);
  result.assign(lhs.begin(), lhs.end());
  size_t missing = lhs.size() - rhs.size();
  for (size_t d = 0; d < rhs.size(); ++d) {
    int64_t &size = result[missing + d];
    if (size == 1)
      size = rhs[d];
    else if (rhs[d] != 1 && rhs[d] != size)
      return false;
  }
  return true;
}
