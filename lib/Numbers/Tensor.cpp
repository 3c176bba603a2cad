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

/// How far apart elements are along each dimension.
static Shape getStrides(ArrayRef<int64_t> shape) {
  Shape strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= shape[d];
  }
  return strides;
}

/// Visits the runs of elements next to each other in the part of a tensor of
/// shape `whole` at `offsets`: the linear index in the part, that in the whole,
/// and the length. They are as long as can be: along the last dimensions that
/// the part has all of, and the one before.
template <typename Visit>
static void forEachRun(ArrayRef<int64_t> whole, ArrayRef<int64_t> offsets,
                       ArrayRef<int64_t> part, Visit visit) {
  size_t numOuter = whole.size();
  int64_t length = 1;
  while (numOuter > 0) {
    --numOuter;
    length *= part[numOuter];
    if (part[numOuter] != whole[numOuter])
      break;
  }
  if (length == 0)
    return;
  const Shape strides = getStrides(whole);
  int64_t index = 0;
  for (auto [offset, stride] : llvm::zip_equal(offsets, strides))
    index += offset * stride;
  const int64_t numRuns = getNumElements(part) / length;
  Shape position(numOuter, 0);
  for (int64_t run = 0; run < numRuns; ++run) {
    visit(run * length, index, length);
    for (size_t d = numOuter; d-- > 0;) {
      index += strides[d];
      if (++position[d] < part[d])
        break;
      index -= part[d] * strides[d];
      position[d] = 0;
    }
  }
}

Tensor mirage::extractSlice(const Tensor &source, ArrayRef<int64_t> offsets,
                            ArrayRef<int64_t> shape) {
  Tensor result = makeLike(source, shape);
  if (!source.undefined.empty())
    result.undefined.resize(result.getNumElements());
  forEachRun(source.shape, offsets, shape,
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
  forEachRun(target.shape, offsets, part.shape,
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

/// Copies elements to the rows of a tensor of a shape, one after the other,
/// from where they are when each dimension goes on by its stride.
template <typename T>
static void gather(const T *from, T *to, ArrayRef<int64_t> shape,
                   ArrayRef<int64_t> strides) {
  const size_t rank = shape.size();
  const int64_t length = rank ? shape.back() : 1,
                step = rank ? strides.back() : 0;
  const int64_t rows = length ? getNumElements(shape) / length : 0;
  llvm::SmallVector<int64_t, 4> index(rank, 0);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < length; ++i)
      *to++ = from[i * step];
    for (size_t d = rank - (rank ? 1 : 0); d-- > 0;) {
      from += strides[d];
      if (++index[d] < shape[d])
        break;
      from -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

/// The same for elements of some words each.
template <typename Word>
static void gather(const Plane &from, Plane &to, ArrayRef<int64_t> shape,
                   ArrayRef<int64_t> strides) {
  const int64_t words = from.elementBytes / sizeof(Word);
  if (words == 1)
    return gather(from.as<Word>(), to.as<Word>(), shape, strides);
  Shape wordShape(shape), wordStrides;
  for (int64_t stride : strides)
    wordStrides.push_back(stride * words);
  wordShape.push_back(words);
  wordStrides.push_back(1);
  gather(from.as<Word>(), to.as<Word>(), wordShape, wordStrides);
}

/// A tensor of a shape whose elements are a source's, a stride apart along each
/// dimension.
static Tensor gather(const Tensor &source, ArrayRef<int64_t> shape,
                     ArrayRef<int64_t> strides) {
  Tensor result = makeLike(source, shape);
  for (auto [from, to] : llvm::zip_equal(source.planes, result.planes)) {
    if (from.elementBytes % sizeof(uint64_t) == 0)
      gather<uint64_t>(from, to, shape, strides);
    else if (from.elementBytes % sizeof(uint32_t) == 0)
      gather<uint32_t>(from, to, shape, strides);
    else
      gather<uint8_t>(from, to, shape, strides);
  }
  if (!source.undefined.empty()) {
    result.undefined.resize(result.getNumElements());
    gather(source.undefined.data(), result.undefined.data(), shape, strides);
  }
  return result;
}

Tensor mirage::broadcast(const Tensor &source, ArrayRef<int64_t> shape) {
  if (ArrayRef<int64_t>(source.shape) == shape)
    return source;
  const size_t missing = shape.size() - source.shape.size();
  Shape strides(missing, 0);
  for (auto [size, stride] :
       llvm::zip_equal(source.shape, getStrides(source.shape)))
    strides.push_back(size == 1 ? 0 : stride);
  return gather(source, shape, strides);
}

Tensor mirage::transpose(const Tensor &source, ArrayRef<int64_t> permutation) {
  const Shape from = getStrides(source.shape);
  Shape shape, strides;
  for (int64_t dim : permutation) {
    shape.push_back(source.shape[dim]);
    strides.push_back(from[dim]);
  }
  return gather(source, shape, strides);
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
