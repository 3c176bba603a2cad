//===- BallNumbers.cpp - Reals with error bounds --------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Numbers/BallNumbers.h"
#include "Mirage/Numbers/Random.h"
#include <cmath>
#include <limits>

using namespace mirage;
using llvm::ArrayRef;

namespace {

template <typename T> struct Ball {
  T value = 0, error = 0;
  bool undefined = false;

  static Ball makeUnknown() { return {0, std::numeric_limits<T>::infinity()}; }
  static Ball makeUndefined() { return {0, 0, true}; }
  bool isExact() const { return error == 0; }
};

/// A bound of the relative error of one operation.
template <typename T> constexpr T kRounding = std::numeric_limits<T>::epsilon();
/// What an underflow may cost.
template <typename T> constexpr T kTiny = std::numeric_limits<T>::min();

template <typename T> Ball<T> normalize(T value, T error) {
  // Also where either is NaN.
  if (!(std::abs(value) <= std::numeric_limits<T>::max()) ||
      !(error <= std::numeric_limits<T>::max()))
    return Ball<T>::makeUnknown();
  return {value, error};
}

template <typename T> Ball<T> addBalls(Ball<T> x, Ball<T> y) {
  T r = x.value + y.value;
  return normalize<T>(r, x.error + y.error + kRounding<T> * std::abs(r));
}

template <typename T> Ball<T> subtractBalls(Ball<T> x, Ball<T> y) {
  y.value = -y.value;
  return addBalls(x, y);
}

template <typename T> Ball<T> multiplyBalls(Ball<T> x, Ball<T> y) {
  T r = x.value * y.value;
  T error =
      std::abs(x.value) * y.error + (std::abs(y.value) + y.error) * x.error;
  // 0 times a number is 0.
  bool zero = (x.isExact() && x.value == 0) || (y.isExact() && y.value == 0);
  if (zero && error == 0)
    return {};
  return normalize<T>(r, error + kRounding<T> * std::abs(r) + kTiny<T>);
}

template <typename T> Ball<T> divideBalls(Ball<T> x, Ball<T> y) {
  T least = std::abs(y.value) - y.error;
  if (!(least > 0))
    return y.isExact() ? Ball<T>::makeUndefined() : Ball<T>::makeUnknown();
  T r = x.value / y.value;
  return normalize<T>(r, (x.error + std::abs(r) * y.error) / least +
                             kRounding<T> * std::abs(r) + kTiny<T>);
}

template <typename T> Ball<T> maxOfBalls(Ball<T> x, Ball<T> y) {
  if (x.value - x.error > y.value + y.error)
    return x;
  if (y.value - y.error > x.value + x.error)
    return y;
  return normalize<T>(std::max(x.value, y.value), std::max(x.error, y.error));
}

template <typename T> Ball<T> expOfBall(Ball<T> x) {
  T r = std::exp(x.value);
  return normalize<T>(r, (r + kTiny<T>)*std::expm1(x.error) +
                             8 * kRounding<T> * r + kTiny<T>);
}

template <typename T> Ball<T> sqrtOfBall(Ball<T> x) {
  if (x.value + x.error < 0)
    return Ball<T>::makeUndefined();
  if (x.isExact() && x.value == 0)
    return {};
  T least = x.value - x.error;
  if (!(least > 0))
    return Ball<T>::makeUnknown();
  T r = std::sqrt(x.value);
  return normalize<T>(r, x.error / (std::sqrt(least) + r) + kRounding<T> * r);
}

template <typename T> Ball<T> logOfBall(Ball<T> x) {
  if (x.value + x.error < 0)
    return Ball<T>::makeUndefined();
  T least = x.value - x.error;
  if (!(least > 0))
    return Ball<T>::makeUnknown();
  T r = std::log(x.value);
  return normalize<T>(r, x.error / least + 8 * kRounding<T> * std::abs(r) +
                             kTiny<T>);
}

template <typename T> Ball<T> erfOfBall(Ball<T> x) {
  T r = std::erf(x.value);
  // The derivative is at most 2 / sqrt(pi).
  return normalize<T>(r, T(1.13) * x.error + 8 * kRounding<T> * std::abs(r) +
                             kTiny<T>);
}

/// The value doesn't matter, undefined or not, where it isn't chosen.
template <typename T> Ball<T> chooseBall(Ball<T> condition, Ball<T> x) {
  if (condition.undefined)
    return condition;
  if (condition.value - condition.error > 0)
    return x;
  if (condition.value + condition.error <= 0)
    return {T(0), T(0), false};
  return Ball<T>::makeUnknown();
}

template <typename T> Tensor make(ArrayRef<int64_t> shape) {
  Tensor result;
  result.shape.assign(shape.begin(), shape.end());
  for (unsigned c = 0; c < 2; ++c)
    result.planes.emplace_back(sizeof(T), result.getNumElements());
  return result;
}

template <typename T> Ball<T> get(const Tensor &tensor, int64_t i) {
  return {tensor.planes[0].as<T>()[i], tensor.planes[1].as<T>()[i],
          !tensor.undefined.empty() && tensor.undefined[i]};
}

template <typename T> void set(Tensor &tensor, int64_t i, Ball<T> ball) {
  tensor.planes[0].as<T>()[i] = ball.value;
  tensor.planes[1].as<T>()[i] = ball.error;
  if (!ball.undefined)
    return;
  if (tensor.undefined.empty())
    tensor.undefined.resize(tensor.getNumElements());
  tensor.undefined[i] = 1;
}

/// What is computed from something undefined is undefined.
template <typename T, typename F> Ball<T> apply(F f, Ball<T> x) {
  return x.undefined ? x : f(x);
}
template <typename T, typename F> Ball<T> apply(F f, Ball<T> x, Ball<T> y) {
  return x.undefined ? x : y.undefined ? y : f(x, y);
}

template <typename T, typename F> Tensor map(const Tensor &x, F f) {
  Tensor result = make<T>(x.shape);
  for (int64_t i = 0, e = x.getNumElements(); i < e; ++i)
    set(result, i, apply(f, get<T>(x, i)));
  return result;
}

template <typename T, typename F>
Tensor zip(const Tensor &lhs, const Tensor &rhs, F f) {
  Tensor result = make<T>(lhs.shape);
  for (int64_t i = 0, e = lhs.getNumElements(); i < e; ++i)
    set(result, i, apply(f, get<T>(lhs, i), get<T>(rhs, i)));
  return result;
}

template <typename T, typename F>
Tensor fold(const Tensor &operand, unsigned dim, F f) {
  ArrayRef<int64_t> from = operand.shape;
  Shape shape = operand.shape;
  shape[dim] = 1;
  Tensor result = make<T>(shape);
  int64_t size = from[dim], inner = getNumElements(from.drop_front(dim + 1));
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    int64_t first = i / inner * size * inner + i % inner;
    Ball<T> total = get<T>(operand, first);
    for (int64_t k = 1; k < size; ++k)
      total = apply(f, total, get<T>(operand, first + k * inner));
    set(result, i, total);
  }
  return result;
}

/// Which rows (or, `byColumn`, columns) of a matrix have an undefined element.
std::vector<bool> findUndefined(const Tensor &tensor, int64_t begin,
                                int64_t rows, int64_t columns, bool byColumn) {
  std::vector<bool> result(byColumn ? columns : rows);
  if (!tensor.undefined.empty())
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        if (tensor.undefined[begin + i * columns + j])
          result[byColumn ? j : i] = true;
  return result;
}

} // namespace

template <typename T>
Tensor BallNumbers<T>::random(ArrayRef<int64_t> shape, uint64_t seed,
                              uint64_t stream) const {
  Tensor result = make<T>(shape);
  T *r = result.planes[0].as<T>();
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    double unit =
        static_cast<double>((randomWord(seed, stream, i) >> 11) + 1) * 0x1p-53;
    r[i] = magnitude * (positive ? unit : 2 * unit - 1);
  }
  return result;
}

template <typename T> Tensor BallNumbers<T>::constant(double value) const {
  Tensor result = make<T>({});
  set<T>(result, 0, {value});
  return result;
}
template <typename T>
Tensor BallNumbers<T>::zeros(ArrayRef<int64_t> shape) const {
  return make<T>(shape);
}
template <typename T>
Tensor BallNumbers<T>::add(const Tensor &lhs, const Tensor &rhs) const {
  return zip<T>(lhs, rhs, addBalls<T>);
}
template <typename T>
Tensor BallNumbers<T>::sub(const Tensor &lhs, const Tensor &rhs) const {
  return zip<T>(lhs, rhs, subtractBalls<T>);
}
template <typename T>
Tensor BallNumbers<T>::mul(const Tensor &lhs, const Tensor &rhs) const {
  return zip<T>(lhs, rhs, multiplyBalls<T>);
}
template <typename T>
Tensor BallNumbers<T>::div(const Tensor &lhs, const Tensor &rhs) const {
  return zip<T>(lhs, rhs, divideBalls<T>);
}
template <typename T>
Tensor BallNumbers<T>::max(const Tensor &lhs, const Tensor &rhs) const {
  return zip<T>(lhs, rhs, maxOfBalls<T>);
}
template <typename T> Tensor BallNumbers<T>::exp(const Tensor &operand) const {
  return map<T>(operand, expOfBall<T>);
}
template <typename T> Tensor BallNumbers<T>::sqrt(const Tensor &operand) const {
  return map<T>(operand, sqrtOfBall<T>);
}
template <typename T> Tensor BallNumbers<T>::log(const Tensor &operand) const {
  return map<T>(operand, logOfBall<T>);
}
template <typename T> Tensor BallNumbers<T>::erf(const Tensor &operand) const {
  return map<T>(operand, erfOfBall<T>);
}
template <typename T>
Tensor BallNumbers<T>::where(const Tensor &condition,
                             const Tensor &value) const {
  Tensor result = make<T>(condition.shape);
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
    set(result, i, chooseBall(get<T>(condition, i), get<T>(value, i)));
  return result;
}
template <typename T>
std::optional<Tensor>
BallNumbers<T>::function(llvm::StringRef name,
                         ArrayRef<Tensor> operands) const {
  return functions ? functions(*this, name, operands) : std::nullopt;
}
template <typename T>
Tensor BallNumbers<T>::sum(const Tensor &operand, unsigned dim) const {
  return fold<T>(operand, dim, addBalls<T>);
}
template <typename T>
Tensor BallNumbers<T>::maximum(const Tensor &operand, unsigned dim) const {
  return fold<T>(operand, dim, maxOfBalls<T>);
}

template <typename T>
Tensor BallNumbers<T>::matmul(const Tensor &lhs, const Tensor &rhs) const {
  size_t rank = lhs.shape.size();
  int64_t m = lhs.shape[rank - 2], depth = lhs.shape[rank - 1],
          n = rhs.shape[rank - 1];
  Shape shape = lhs.shape;
  shape[rank - 1] = n;
  Tensor result = make<T>(shape);
  // Of each sum of products, relative to the sum of their magnitudes.
  T rounding = (depth + 1) * kRounding<T>;
  for (int64_t b = 0, e = getNumElements(shape) / (m * n); b < e; ++b) {
    for (int64_t i = 0; i < m; ++i) {
      T *r = result.planes[0].as<T>() + (b * m + i) * n;
      T *error = result.planes[1].as<T>() + (b * m + i) * n;
      for (int64_t k = 0; k < depth; ++k) {
        Ball<T> x = get<T>(lhs, (b * m + i) * depth + k);
        T magnitude = std::abs(x.value);
        const T *y = rhs.planes[0].as<T>() + (b * depth + k) * n;
        const T *yError = rhs.planes[1].as<T>() + (b * depth + k) * n;
        for (int64_t j = 0; j < n; ++j) {
          r[j] += x.value * y[j];
          error[j] += std::abs(y[j]) * (x.error + rounding * magnitude) +
                      yError[j] * (magnitude + x.error);
        }
      }
    }
    std::vector<bool> rows = findUndefined(lhs, b * m * depth, m, depth, false);
    std::vector<bool> columns =
        findUndefined(rhs, b * depth * n, depth, n, true);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        int64_t at = (b * m + i) * n + j;
        Ball<T> ball = get<T>(result, at);
        set(result, at,
            rows[i] || columns[j]
                ? Ball<T>::makeUndefined()
                : normalize<T>(ball.value, ball.error + depth * kTiny<T>));
      }
  }
  return result;
}

template <typename T>
std::optional<int64_t> BallNumbers<T>::findDifference(const Tensor &lhs,
                                                      const Tensor &rhs) const {
  for (int64_t i = 0, e = lhs.getNumElements(); i < e; ++i) {
    Ball<T> x = get<T>(lhs, i), y = get<T>(rhs, i);
    // An infinite error is larger than anything.
    if (x.undefined || std::isinf(x.error))
      continue;
    if (y.undefined ||
        std::abs(x.value - y.value) > 2 * (x.error + y.error) + kTiny<T>)
      return i;
  }
  return std::nullopt;
}

template class mirage::BallNumbers<double>;
template class mirage::BallNumbers<long double>;
