//===- FiniteField.h - Z_p x Z_q --------------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_NUMBERS_FINITEFIELD_H
#define MIRAGE_NUMBERS_FINITEFIELD_H

#include "Mirage/Numbers/NumberSystem.h"

namespace mirage {

/// Pairs (mod p, mod q) with q = (p - 1) / 2, both prime (paper, section 5 and
/// Table 3). Arithmetic is componentwise; exp(x) = w^(x mod q) mod p, where w
/// has order q, and the result has no component mod q: a program that takes
/// exp of an exp is outside of what this system can test, and `exp` then gives
/// an undefined tensor.
///
/// Both are congruent 3 mod 4, so that x^((p+1)/4) is a root of every x that has
/// one, and sqrt(a) sqrt(b) = sqrt(a b), sqrt(a) sqrt(a) = a hold among these.
/// Division by zero and roots of others are undefined; what is computed from
/// undefined elements is undefined. docs/Verification.md states which equal
/// programs are never refuted, and proves it.
class FiniteField final : public NumberSystem {
public:
  /// The largest such pair with p below 2^31.
  static constexpr uint32_t kP = 2147481143;
  static constexpr uint32_t kQ = (kP - 1) / 2;

  /// The component mod q costs as much as the one mod p and is only needed by
  /// programs with exponentiation.
  explicit FiniteField(bool withExponents) : withExponents(withExponents) {}

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
  /// A pseudo-random function of the operands' values mod p, keyed by the name.
  std::optional<Tensor>
  function(llvm::StringRef name,
           llvm::ArrayRef<Tensor> operands) const override;
  Tensor sum(const Tensor &operand, unsigned dim) const override;
  Tensor matmul(const Tensor &lhs, const Tensor &rhs) const override;
  std::optional<int64_t> findDifference(const Tensor &lhs,
                                        const Tensor &rhs) const override;

private:
  bool withExponents;
};

} // namespace mirage

#endif // MIRAGE_NUMBERS_FINITEFIELD_H
