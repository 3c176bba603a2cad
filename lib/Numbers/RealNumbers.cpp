//===- RealNumbers.cpp - The reals, in f64 --------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/RealNumbers.h"
#include "FloatLoops.h"
#include "Mirage/Numbers/Random.h"
#include <cmath>

using namespace mirage;
using llvm::ArrayRef;

NumberSystem::~NumberSystem() = default;

Tensor RealNumbers::random(ArrayRef<int64_t> shape, uint64_t seed,
                           uint64_t stream) const {
  Tensor result = makeFloats<double>(shape);
  double *r = result.planes[0].as<double>();
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
    r[i] = static_cast<double>(randomWord(seed, stream, i) >> 11) * 0x1p-52 - 1;
  return result;
}

Tensor RealNumbers::constant(double value) const {
  Tensor result = makeFloats<double>({});
  *result.planes[0].as<double>() = value;
  return result;
}

Tensor RealNumbers::zeros(ArrayRef<int64_t> shape) const {
  return makeFloats<double>(shape);
}

Tensor RealNumbers::add(const Tensor &lhs, const Tensor &rhs) const {
  return zipFloats<double>(lhs, rhs, [](double x, double y) { return x + y; });
}
Tensor RealNumbers::sub(const Tensor &lhs, const Tensor &rhs) const {
  return zipFloats<double>(lhs, rhs, [](double x, double y) { return x - y; });
}
Tensor RealNumbers::mul(const Tensor &lhs, const Tensor &rhs) const {
  return zipFloats<double>(lhs, rhs, [](double x, double y) { return x * y; });
}
Tensor RealNumbers::div(const Tensor &lhs, const Tensor &rhs) const {
  return zipFloats<double>(lhs, rhs, [](double x, double y) { return x / y; });
}
Tensor RealNumbers::max(const Tensor &lhs, const Tensor &rhs) const {
  return zipFloats<double>(lhs, rhs, pickLarger<double>);
}
Tensor RealNumbers::exp(const Tensor &operand) const {
  return mapFloats<double>(operand, [](double x) { return std::exp(x); });
}
Tensor RealNumbers::sqrt(const Tensor &operand) const {
  return mapFloats<double>(operand, [](double x) { return std::sqrt(x); });
}
Tensor RealNumbers::log(const Tensor &operand) const {
  return mapFloats<double>(operand, [](double x) { return std::log(x); });
}
Tensor RealNumbers::erf(const Tensor &operand) const {
  return mapFloats<double>(operand, [](double x) { return std::erf(x); });
}

Tensor RealNumbers::where(const Tensor &condition, const Tensor &value) const {
  return zipFloats<double>(condition, value,
                           [](double c, double x) { return c > 0 ? x : 0; });
}

std::optional<Tensor> RealNumbers::function(llvm::StringRef,
                                            ArrayRef<Tensor>) const {
  return std::nullopt;
}

Tensor RealNumbers::sum(const Tensor &operand, unsigned dim) const {
  return sumOfFloats<double>(operand, dim);
}
Tensor RealNumbers::maximum(const Tensor &operand, unsigned dim) const {
  return maximumOfFloats<double>(operand, dim);
}
Tensor RealNumbers::matmul(const Tensor &lhs, const Tensor &rhs) const {
  return matmulOfFloats<double>(lhs, rhs);
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
