//===- RandomModel.h - Abstract expressions as numbers ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ABSTRACTEXPR_RANDOMMODEL_H
#define MIRAGE_ABSTRACTEXPR_RANDOMMODEL_H

#include "Mirage/AbstractExpr/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include <array>

namespace mirage {

/// A model of the axioms A_eq, chosen at random: numbers, with operators for
/// which the axioms hold and, as good as certainly, no other equation between
/// terms. It knows nothing of normal forms, so it can check them: terms whose
/// values differ are not equal. docs/AbstractExpressions.md describes it.
class RandomModel {
public:
  static constexpr unsigned kLevels = 4, kWidth = 2;
  /// Residues modulo the prime of each level.
  using Value = std::array<std::array<uint64_t, kWidth>, kLevels>;

  /// `context` must outlive the model.
  RandomModel(ExprContext &context, uint64_t seed);

  /// The value of the term that made `x`, which must not be null.
  Value evaluate(Expr x);
  /// The value of a witness with a term of this value in its hole.
  Value evaluate(const ExprWitness &witness, Value inHole);
  /// The value of one operator on operands of these values.
  Value evaluate(const ExprNode &node, llvm::ArrayRef<Value> operands) const;

private:
  Value makeRandom(uint64_t key) const;
  Value applyFunction(const ExprNode &node,
                      llvm::ArrayRef<Value> operands) const;
  uint64_t makeTag(const Value &value) const;

  ExprContext &context;
  uint64_t seed;
  llvm::DenseMap<Expr, Value> values;
};

} // namespace mirage

#endif // MIRAGE_ABSTRACTEXPR_RANDOMMODEL_H
