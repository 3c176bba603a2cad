//===- RoundedNumbers.cpp - Floats, as kernels compute with them ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/RoundedNumbers.h"
#include "FloatLoops.h"
#include "Mirage/Numbers/Float16.h"
#include "Mirage/Numbers/Random.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace mirage;
using llvm::ArrayRef;

Tensor RoundedNumbers::random(ArrayRef<int64_t> shape, uint64_t seed,
                              uint64_t stream) const {
  Tensor result = makeFloats<float>(shape);
  float *r = result.planes[0].as<float>();
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
    r[i] = static_cast<float>(randomWord(seed, stream, i) >> 40) * 0x1p-23f - 1;
  return result;
}

Tensor RoundedNumbers::constant(double value) const {
  Tensor result = makeFloats<float>({});
  *result.planes[0].as<float>() = static_cast<float>(value);
  return result;
}

Tensor RoundedNumbers::zeros(ArrayRef<int64_t> shape) const {
  return makeFloats<float>(shape);
}

Tensor RoundedNumbers::add(const Tensor &lhs, const Tensor &rhs) const {
  return zipFloats<float>(lhs, rhs, [](float x, float y) { return x + y; });
}
Tensor RoundedNumbers::sub(const Tensor &lhs, const Tensor &rhs) const {
  return zipFloats<float>(lhs, rhs, [](float x, float y) { return x - y; });
}
Tensor RoundedNumbers::mul(const Tensor &lhs, const Tensor &rhs) const {
  return zipFloats<float>(lhs, rhs, [](float x, float y) { return x * y; });
}
Tensor RoundedNumbers::div(const Tensor &lhs, const Tensor &rhs) const {
  return zipFloats<float>(lhs, rhs, [](float x, float y) { return x / y; });
}
Tensor RoundedNumbers::max(const Tensor &lhs, const Tensor &rhs) const {
  return zipFloats<float>(lhs, rhs, pickLarger<float>);
}
// Special functions are computed in f64 and rounded once, so that results don't
// depend on the machine's library.
Tensor RoundedNumbers::exp(const Tensor &operand) const {
  return mapFloats<float>(operand, [](float x) {
    constexpr float kLog2E = 1.4426950408889634f;
    float scaled = x * kLog2E;
    return static_cast<float>(std::exp2(static_cast<double>(scaled)));
  });
}
Tensor RoundedNumbers::sqrt(const Tensor &operand) const {
  return mapFloats<float>(operand, [](float x) { return std::sqrt(x); });
}
Tensor RoundedNumbers::log(const Tensor &operand) const {
  return mapFloats<float>(operand, [](float x) {
    return static_cast<float>(std::log(static_cast<double>(x)));
  });
}
Tensor RoundedNumbers::erf(const Tensor &operand) const {
  return mapFloats<float>(operand, [](float x) {
    return static_cast<float>(std::erf(static_cast<double>(x)));
  });
}

Tensor RoundedNumbers::where(const Tensor &condition,
                             const Tensor &value) const {
  return zipFloats<float>(condition, value,
                          [](float c, float x) { return c > 0 ? x : 0; });
}

std::optional<Tensor> RoundedNumbers::function(llvm::StringRef,
                                               ArrayRef<Tensor>) const {
  return std::nullopt;
}

Tensor RoundedNumbers::sum(const Tensor &operand, unsigned dim) const {
  return sumOfFloats<float>(operand, dim);
}
Tensor RoundedNumbers::maximum(const Tensor &operand, unsigned dim) const {
  return maximumOfFloats<float>(operand, dim);
}
Tensor RoundedNumbers::matmul(const Tensor &lhs, const Tensor &rhs) const {
  return matmulOfFloats<float>(lhs, rhs);
}

float mirage::roundToFormat(float value, const llvm::fltSemantics &format) {
  if (&format == &llvm::APFloat::IEEEhalf())
    return halfToFloat(floatToHalf(value));
  if (&format == &llvm::APFloat::BFloat())
    return bfloatToFloat(floatToBFloat(value));
  // Wider ones hold every f32.
  if (&format == &llvm::APFloat::IEEEsingle() ||
      &format == &llvm::APFloat::IEEEdouble())
    return value;
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(format, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  number.convert(llvm::APFloat::IEEEsingle(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToFloat();
}

void RoundedNumbers::store(Tensor &value,
                           const llvm::fltSemantics &format) const {
  float *x = value.planes[0].as<float>();
  for (int64_t i = 0, e = value.getNumElements(); i < e; ++i)
    x[i] = roundToFormat(x[i], format);
}

std::optional<int64_t> RoundedNumbers::findDifference(const Tensor &lhs,
                                                      const Tensor &rhs) const {
  const float *x = lhs.planes[0].as<float>();
  const float *y = rhs.planes[0].as<float>();
  for (int64_t i = 0, e = lhs.getNumElements(); i < e; ++i)
    if (x[i] != y[i] && !(std::isnan(x[i]) && std::isnan(y[i])))
      return i;
  return std::nullopt;
}
