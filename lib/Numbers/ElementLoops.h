//===- ElementLoops.h - Loops over the elements of planes -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_NUMBERS_ELEMENTLOOPS_H
#define MIRAGE_LIB_NUMBERS_ELEMENTLOOPS_H

#include "Mirage/Numbers/Tensor.h"
#include <algorithm>

namespace mirage {

/// out[i] = f(in[i])
template <typename T, typename F>
void mapPlane(const Plane &in, Plane &out, int64_t count, F f) {
  const T *x = in.as<T>();
  T *r = out.as<T>();
  for (int64_t i = 0; i < count; ++i)
    r[i] = f(x[i]);
}

/// out[i] = f(lhs[i], rhs[i])
template <typename T, typename F>
void zipPlanes(const Plane &lhs, const Plane &rhs, Plane &out, int64_t count,
               F f) {
  const T *x = lhs.as<T>(), *y = rhs.as<T>();
  T *r = out.as<T>();
  for (int64_t i = 0; i < count; ++i)
    r[i] = f(x[i], y[i]);
}

/// The result of an elementwise function: an element is undefined where an
/// operand's is.
inline std::vector<uint8_t> mergeUndefined(const Tensor &lhs,
                                           const Tensor &rhs) {
  if (lhs.undefined.empty())
    return rhs.undefined;
  std::vector<uint8_t> merged = lhs.undefined;
  for (size_t i = 0; i < rhs.undefined.size(); ++i)
    merged[i] |= rhs.undefined[i];
  return merged;
}

/// The sizes before, at and after a dimension: a tensor as outer x size x
/// inner.
struct DimSplit {
  int64_t outer = 1, size = 1, inner = 1;
  DimSplit(llvm::ArrayRef<int64_t> shape, unsigned dim)
      : outer(getNumElements(shape.take_front(dim))), size(shape[dim]),
        inner(getNumElements(shape.drop_front(dim + 1))) {}
};

/// Which elements of a sum over `dim` are undefined: those with an undefined
/// summand.
inline std::vector<uint8_t> sumUndefined(const Tensor &operand, unsigned dim) {
  if (operand.undefined.empty())
    return {};
  DimSplit split(operand.shape, dim);
  std::vector<uint8_t> result(split.outer * split.inner);
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t k = 0; k < split.size; ++k)
      for (int64_t i = 0; i < split.inner; ++i)
        result[o * split.inner + i] |=
            operand.undefined[(o * split.size + k) * split.inner + i];
  return result;
}

/// Which elements of a batched matrix product are undefined: those of rows of
/// `lhs` and columns of `rhs` that have an undefined element.
inline std::vector<uint8_t> matmulUndefined(const Tensor &lhs,
                                            const Tensor &rhs) {
  if (lhs.undefined.empty() && rhs.undefined.empty())
    return {};
  size_t rank = lhs.shape.size();
  int64_t m = lhs.shape[rank - 2], k = lhs.shape[rank - 1],
          n = rhs.shape[rank - 1];
  int64_t batches = lhs.getNumElements() / (m * k);
  std::vector<uint8_t> result(batches * m * n);
  for (int64_t b = 0; b < batches; ++b) {
    std::vector<uint8_t> rows(m), columns(n);
    for (int64_t i = 0; i < m && !lhs.undefined.empty(); ++i)
      for (int64_t j = 0; j < k; ++j)
        rows[i] |= lhs.undefined[(b * m + i) * k + j];
    for (int64_t i = 0; i < k && !rhs.undefined.empty(); ++i)
      for (int64_t j = 0; j < n; ++j)
        columns[j] |= rhs.undefined[(b * k + i) * n + j];
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        result[(b * m + i) * n + j] = rows[i] | columns[j];
  }
  return result;
}

} // namespace mirage

#endif // MIRAGE_LIB_NUMBERS_ELEMENTLOOPS_H
