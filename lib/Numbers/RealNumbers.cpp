//===- RealNumbers.cpp - The reals, in f64 --------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/RealNumbers.h"
#include "ElementLoops.h"
#include "Mirage/Numbers/Random.h"
#include <cmath>

using namespace mirage;
using llvm::ArrayRef;

NumberSystem::~NumberSystem() = default;

static Tensor make(ArrayRef<int64_t> shape) {
  Tensor result;
  result.shape.assign(shape.begin(), shape.end());
  result.planes.emplace_back(sizeof(double), result.getNumElements());
  return result;
}

template <typename F> static Tensor map(const Tensor &x, F f) {
  Tensor result = make(x.shape);
  mapPlane<double>(x.planes[0], result.planes[0], x.getNumElements(), f);
  return result;
}

template <typename F>
static Tensor zip(const Tensor &lhs, const Tensor &rhs, F f) {
  Tensor result = make(lhs.shape);
  zipPlanes<double>(lhs.planes[0], rhs.planes[0], result.planes[0],
                    lhs.getNumElements(), f);
  return result;
}

/// The maximum; NaN if an operand is.
static double pickLarger(double x, double y) {
  return x > y || std::isnan(x) ? x : y;
}

Tensor RealNumbers::random(ArrayRef<int64_t> shape, uint64_t seed,
                           uint64_t stream) const {
  Tensor result = make(shape);
  double *r = result.planes[0].as<double>();
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
    r[i] = static_cast<double>(randomWord(seed, stream, i) >> 11) * 0x1p-52 - 1;
  return result;
}

Tensor RealNumbers::constant(double value) const {
  Tensor result = make({});
  *result.planes[0].as<double>() = value;
  return result;
}

Tensor RealNumbers::zeros(ArrayRef<int64_t> shape) const { return make(shape); }

Tensor RealNumbers::add(const Tensor &lhs, const Tensor &rhs) const {
  return zip(lhs, rhs, [](double x, double y) { return x + y; });
}
Tensor RealNumbers::sub(const Tensor &lhs, const Tensor &rhs) const {
  return zip(lhs, rhs, [](double x, double y) { return x - y; });
}
Tensor RealNumbers::mul(const Tensor &lhs, const Tensor &rhs) const {
  return zip(lhs, rhs, [](double x, double y) { return x * y; });
}
Tensor RealNumbers::div(const Tensor &lhs, const Tensor &rhs) const {
  return zip(lhs, rhs, [](double x, double y) { return x / y; });
}
Tensor RealNumbers::max(const Tensor &lhs, const Tensor &rhs) const {
  return zip(lhs, rhs, pickLarger);
}
Tensor RealNumbers::exp(const Tensor &operand) const {
  return map(operand, [](double x) { return std::exp(x); });
}
Tensor RealNumbers::sqrt(const Tensor &operand) const {
  return map(operand, [](double x) { return std::sqrt(x); });
}
Tensor RealNumbers::log(const Tensor &operand) const {
  return map(operand, [](double x) { return std::log(x); });
}
Tensor RealNumbers::erf(const Tensor &operand) const {
  return map(operand, [](double x) { return std::erf(x); });
}

std::optional<Tensor> RealNumbers::function(llvm::StringRef,
                                            ArrayRef<Tensor>) const {
  return std::nullopt;
}

Tensor RealNumbers::sum(const Tensor &operand, unsigned dim) const {
  Shape shape = operand.shape;
  shape[dim] = 1;
  Tensor result = make(shape);
  DimSplit split(operand.shape, dim);
  const double *x = operand.planes[0].as<double>();
  double *r = result.planes[0].as<double>();
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t k = 0; k < split.size; ++k)
      for (int64_t i = 0; i < split.inner; ++i)
        r[o * split.inner + i] += x[(o * split.size + k) * split.inner + i];
  return result;
}

Tensor RealNumbers::maximum(const Tensor &operand, unsigned dim) const {
  Shape shape = operand.shape;
  shape[dim] = 1;
  Tensor result = make(shape);
  DimSplit split(operand.shape, dim);
  const double *x = operand.planes[0].as<double>();
  double *r = result.planes[0].as<double>();
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t i = 0; i < split.inner; ++i) {
      double largest = x[o * split.size * split.inner + i];
      for (int64_t k = 1; k < split.size; ++k)
        largest =
            pickLarger(largest, x[(o * split.size + k) * split.inner + i]);
      r[o * split.inner + i] = largest;
    }
  return result;
}

Tensor RealNumbers::matmul(const Tensor &lhs, const Tensor &rhs) const {
  size_t rank = lhs.shape.size();
  int64_t m = lhs.shape[rank - 2], depth = lhs.shape[rank - 1],
          n = rhs.shape[rank - 1];
  Shape shape = lhs.shape;
  shape[rank - 1] = n;
  Tensor result = make(shape);
  int64_t batches = getNumElements(shape) / (m * n);
  for (int64_t b = 0; b < batches; ++b) {
    const double *x = lhs.planes[0].as<double>() + b * m * depth;
    const double *y = rhs.planes[0].as<double>() + b * depth * n;
    double *r = result.planes[0].as<double>() + b * m * n;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t k = 0; k < depth; ++k)
        for (int64_t j = 0; j < n; ++j)
          r[i * n + j] += x[i * depth + k] * y[k * n + j];
  }
  return result;
}

std::optional<int64_t> RealNumbers::findDifference(const Tensor &lhs,
                                                   const Tensor &rhs) const {
  const double *x = lhs.planes[0].as<double>();
  const double *y = rhs.planes[0].as<double>();
  for (int64_t i = 0, e = lhs.getNumElements(); i < e; ++i) {
    if (std::isnan(x[i]) && std::isnan(y[i]))
      continue;
    double scale = std::max({std::abs(x[i]), std::abs(y[i]), 1.0});
    if (x[i] != y[i] && !(std::abs(x[i] - y[i]) <= tolerance * scale))
      return i;
  }
  return std::nullopt;
}
