//===- BallNumbers.h - Reals with error bounds ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_NUMBERS_BALLNUMBERS_H
#define MIRAGE_NUMBERS_BALLNUMBERS_H

#include "Mirage/Numbers/NumberSystem.h"
#include <functional>

namespace mirage {

/// The value of a function by its name; nothing where its definition is to be
/// used.
using FunctionTable = std::function<std::optional<Tensor>(
    const NumberSystem &, llvm::StringRef, llvm::ArrayRef<Tensor>)>;

/// Real numbers, known up to an error: an element is a value of type T (double
/// or long double) and a bound of how far the real number that it stands for is
/// from it, both in planes. The bound is infinite where nothing is known (after
/// an overflow, or the root of what may be negative). An element that is
/// undefined for certain (the root of a negative number) is `undefined`.
///
/// Bounds are themselves computed with rounding, and libm's functions are taken
/// to be right up to 8 units in the last place; `findDifference` leaves a
/// factor of 2 for it.
template <typename T> class BallNumbers final : public NumberSystem {
public:
  /// Random elements are in [-1, 1), or (0, 1], times `magnitude`.
  BallNumbers(double magnitude, bool positive, FunctionTable functions = {})
      : magnitude(magnitude), positive(positive),
        functions(std::move(functions)) {}

  Tensor random(llvm::ArrayRef<int64_t> shape, uint64_t seed,
                uint64_t stream) const override;
  Tensor constant(double value) const override;
  Tensor zeros(llvm::ArrayRef<int64_t> shape) const override;
  Tensor add(const Tensor &lhs, const Tensor &rhs) const override;
  Tensor sub(const Tensor &lhs, const Tensor &rhs) const override;
  Tensor mul(const Tensor &lhs, const Tensor &rhs) const override;
  Tensor div(const Tensor &lhs, const Tensor &rhs) const override;
  Tensor max(const Tensor &lhs, const Tensor &rhs) const override;
  Tensor exp(const Tensor &operand) const override;
  Tensor sqrt(const Tensor &operand) const override;
  Tensor log(const Tensor &operand) const override;
  Tensor erf(const Tensor &operand) const override;
  Tensor where(const Tensor &condition, const Tensor &value) const override;
  /// What the table says; else they are computed from their definitions.
  std::optional<Tensor>
  function(llvm::StringRef name,
           llvm::ArrayRef<Tensor> operands) const override;
  Tensor sum(const Tensor &operand, unsigned dim) const override;
  Tensor maximum(const Tensor &operand, unsigned dim) const override;
  Tensor matmul(const Tensor &lhs, const Tensor &rhs) const override;
  /// The first element for which it is certain that `rhs` is another number
  /// than `lhs`, or that `rhs` is undefined and `lhs` is not.
  std::optional<int64_t> findDifference(const Tensor &lhs,
                                        const Tensor &rhs) const override;

private:
  double magnitude;
  bool positive;
  FunctionTable functions;
};

extern template class BallNumbers<double>;
extern template class BallNumbers<long double>;

} // namespace mirage

#endif // MIRAGE_NUMBERS_BALLNUMBERS_H
