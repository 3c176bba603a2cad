//===- RoundedNumbers.h - Floats as kernels have them -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_NUMBERS_ROUNDEDNUMBERS_H
#define MIRAGE_NUMBERS_ROUNDEDNUMBERS_H

#include "Mirage/Numbers/NumberSystem.h"

namespace mirage {

/// One plane of floats. Every operation is one of f32 and rounds; sums and
/// matrix products add their terms up in the order of the index; exp is the
/// power of two of a rounded product, as in the kernels that the lowering
/// makes. What is stored in f16, bf16 or any other format is rounded to it, to
/// nearest, ties to even. Random elements are uniform in [-1, 1).
class RoundedNumbers final : public NumberSystem {
public:
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
  void store(Tensor &value, const llvm::fltSemantics &format) const override;
  /// Compares bits, but for zeros and NaNs.
  std::optional<int64_t> findDifference(const Tensor &lhs,
                                        const Tensor &rhs) const override;
};

/// The number of a format that is nearest to `value`, ties to even; infinite if
/// there is none.
float roundToFormat(float value, const llvm::fltSemantics &format);

} // namespace mirage

#endif // MIRAGE_NUMBERS_ROUNDEDNUMBERS_H
