//===- FiniteField.h - Z_p x Z_q --------------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_NUMBERS_FINITEFIELD_H
#define MIRAGE_NUMBERS_FINITEFIELD_H

#include "Mirage/Numbers/BallNumbers.h"
#include <array>

namespace mirage {

/// Pairs (mod p, mod q) with q = (p - 1) / 2, both prime (paper, section 5 and
/// Table 3). Arithmetic is componentwise; exp(x) = w^(x mod q) mod p, where w
/// has order q, and the result has no component mod q: a program that takes
/// exp of an exp is outside of what this system can test, and `exp` then gives
/// an undefined tensor.
///
/// p, w and the functions outside of LAX are drawn at random, so that no
/// program can be written to be equal to another one modulo p only. Without
/// exponents p is one of the 25,348,667 primes = 3 mod 4 in [2^30, 2^31), and
/// there is no q; with them it is one of the 817,344 of these whose q is such a
/// prime, too.
///
/// Both are congruent 3 mod 4, so that x^((p+1)/4) is a root of every x that
/// has one, and sqrt(a) sqrt(b) = sqrt(a b), sqrt(a) sqrt(a) = a hold among
/// these. Division by zero and roots of others are undefined; what is computed
/// from undefined elements is undefined. docs/Verification.md states which
/// equal programs are never refuted, and proves it.
class FiniteField : public NumberSystem {
public:
  /// log2 of the numbers of primes p that it is drawn from, rounded down.
  static constexpr double kLogPrimes = 24.59, kLogPrimePairs = 19.64;

  /// The component mod q costs as much as the one mod p and is only needed by
  /// programs with exponentiation. The same seed gives the same field.
  /// `total` makes exp and sqrt total functions that keep the laws exp(a)
  /// exp(b) = exp(a + b) and sqrt(a) sqrt(b) = sqrt(a b), for telling values
  /// apart: sqrt(x) sqrt(x) is then x or -x, and the exponential of every
  /// exponential is the same.
  explicit FiniteField(bool withExponents, uint64_t seed = 1,
                       bool total = false);

  /// From now on functions outside of LAX are those of the table, as far as it
  /// has them.
  void setFunctions(FunctionTable table) { functions = std::move(table); }

  /// Whether n is prime; for any n.
  static bool isPrime(uint32_t n);

  uint32_t getP() const { return moduli[0]; }
  /// 0 without exponents.
  uint32_t getQ() const { return withExponents ? moduli[1] : 0; }
  /// exp(1).
  uint32_t getOmega() const { return omega; }

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
  /// What the table says; else a pseudo-random function of the operands' values
  /// mod p, keyed by the name and the field's seed.
  std::optional<Tensor>
  function(llvm::StringRef name,
           llvm::ArrayRef<Tensor> operands) const override;
  Tensor sum(const Tensor &operand, unsigned dim) const override;
  Tensor maximum(const Tensor &operand, unsigned dim) const override;
  Tensor matmul(const Tensor &lhs, const Tensor &rhs) const override;
  std::optional<int64_t> findDifference(const Tensor &lhs,
                                        const Tensor &rhs) const override;

private:
  FunctionTable functions;
  Tensor makeMaxima(llvm::ArrayRef<int64_t> shape,
                    std::vector<uint64_t> members) const;

  bool withExponents, total;
  std::array<uint32_t, 2> moduli;
  uint32_t omega = 0;
  /// Of the functions outside of LAX.
  uint64_t key = 0;
};

} // namespace mirage

#endif // MIRAGE_NUMBERS_FINITEFIELD_H
