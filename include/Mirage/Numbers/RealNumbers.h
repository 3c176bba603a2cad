//===- RealNumbers.h - The reals, in f64 ------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_NUMBERS_REALNUMBERS_H
#define MIRAGE_NUMBERS_REALNUMBERS_H

#include "Mirage/Numbers/NumberSystem.h"

namespace mirage {

/// One plane of doubles. Random elements are uniform in [-1, 1). Two elements
/// differ when they are further apart than `tolerance` times the larger of
/// their magnitudes and 1.
class RealNumbers : public NumberSystem {
public:
  explicit RealNumbers(double tolerance = 1e-9) : tolerance(tolerance) {}

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
  /// Nothing: functions are computed from their definitions.
  std::optional<Tensor>
  function(llvm::StringRef name,
           llvm::ArrayRef<Tensor> operands) const override;
  Tensor sum(const Tensor &operand, unsigned dim) const override;
  Tensor maximum(const Tensor &operand, unsigned dim) const override;
  Tensor matmul(const Tensor &lhs, const Tensor &rhs) const override;
  std::optional<int64_t> findDifference(const Tensor &lhs,
                                        const Tensor &rhs) const override;

private:
  double tolerance;
};

} // namespace mirage

#endif // MIRAGE_NUMBERS_REALNUMBERS_H
