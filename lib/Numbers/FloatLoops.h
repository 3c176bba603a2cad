//===- FloatLoops.h - Tensors of one plane of floats ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What number systems share whose elements are a float or a double. Everything
// is static, since the files that include this are compiled with different
// options: whether a product and a sum may round once.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_NUMBERS_FLOATLOOPS_H
#define MIRAGE_LIB_NUMBERS_FLOATLOOPS_H

#include "ElementLoops.h"
#include <cmath>

namespace mirage {

/// All zeros.
template <typename T> static Tensor makeFloats(llvm::ArrayRef<int64_t> shape) {
  Tensor result;
  result.shape.assign(shape.begin(), shape.end());
  result.planes.emplace_back(sizeof(T), result.getNumElements());
  return result;
}

template <typename T, typename F>
static Tensor mapFloats(const Tensor &x, F f) {
  Tensor result = makeFloats<T>(x.shape);
  mapPlane<T>(x.planes[0], result.planes[0], x.getNumElements(), f);
  return result;
}

template <typename T, typename F>
static Tensor zipFloats(const Tensor &lhs, const Tensor &rhs, F f) {
  Tensor result = makeFloats<T>(lhs.shape);
  zipPlanes<T>(lhs.planes[0], rhs.planes[0], result.planes[0],
               lhs.getNumElements(), f);
  return result;
}

/// The maximum; NaN if an operand is.
template <typename T> static T pickLarger(T x, T y) {
  return x > y || std::isnan(x) ? x : y;
}

/// Adds up in the order of the index.
/// What a reduction writes its results to.
template <typename T>
static Tensor makeReduced(const Tensor &operand, unsigned dim) {
  Shape shape = operand.shape;
  shape[dim] = 1;
  return makeFloats<T>(shape);
}

template <typename T>
static Tensor sumOfFloats(const Tensor &operand, unsigned dim) {
  Tensor result = makeReduced<T>(operand, dim);
  DimSplit split(operand.shape, dim);
  const T *x = operand.planes[0].as<T>();
  T *r = result.planes[0].as<T>();
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t k = 0; k < split.size; ++k)
      for (int64_t i = 0; i < split.inner; ++i)
        r[o * split.inner + i] += x[(o * split.size + k) * split.inner + i];
  return result;
}

template <typename T>
static Tensor maximumOfFloats(const Tensor &operand, unsigned dim) {
  Tensor result = makeReduced<T>(operand, dim);
  DimSplit split(operand.shape, dim);
  const T *x = operand.planes[0].as<T>();
  T *r = result.planes[0].as<T>();
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t i = 0; i < split.inner; ++i) {
      T largest = x[o * split.size * split.inner + i];
      for (int64_t k = 1; k < split.size; ++k)
        largest =
            pickLarger(largest, x[(o * split.size + k) * split.inner + i]);
      r[o * split.inner + i] = largest;
    }
  return result;
}

/// The batched product, whose terms are added up in the order of the index.
template <typename T>
static Tensor matmulOfFloats(const Tensor &lhs, const Tensor &rhs) {
  size_t rank = lhs.shape.size();
  int64_t m = lhs.shape[rank - 2], depth = lhs.shape[rank - 1],
          n = rhs.shape[rank - 1];
  Shape shape = lhs.shape;
  shape[rank - 1] = n;
  Tensor result = makeFloats<T>(shape);
  int64_t batches = getNumElements(shape) / (m * n);
  for (int64_t b = 0; b < batches; ++b) {
    const T *x = lhs.planes[0].as<T>() + b * m * depth;
    const T *y = rhs.planes[0].as<T>() + b * depth * n;
    T *r = result.planes[0].as<T>() + b * m * n;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t k = 0; k < depth; ++k)
        for (int64_t j = 0; j < n; ++j)
          r[i * n + j] += x[i * depth + k] * y[k * n + j];
  }
  return result;
}

} // namespace mirage

#endif // MIRAGE_LIB_NUMBERS_FLOATLOOPS_H
