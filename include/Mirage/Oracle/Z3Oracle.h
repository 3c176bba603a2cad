//===- Z3Oracle.h - The axioms as they stand, for a solver ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ORACLE_Z3ORACLE_H
#define MIRAGE_ORACLE_Z3ORACLE_H

#include "Mirage/AbstractExpr/SubexpressionOracle.h"
#include "Mirage/Solve/Axioms.h"

namespace mirage {

struct Z3OracleOptions {
  /// How much work Z3 may do for one question, and before the first one to draw
  /// conclusions from the targets: in its own units, so that the answers are
  /// the same on every machine, unlike with a time limit.
  unsigned resources = 10000;
  unsigned targetResources = 1000000;
  /// Whether Z3 gets the axiom of nested sums once more for each way to split a
  /// sum that occurs, S_k = S_i S_j. Without, it can't prove that a part of a
  /// sum contributes to it.
  bool splitSums = true;
  /// A user's axioms; may be null.
  const solve::Axioms *axioms = nullptr;
};

/// Hands the axioms A_eq and A_sub (Tables 1 and 2 of the paper) and a user's
/// own to Z3, as quantified formulas over an uninterpreted sort, and asks
/// whether they entail that an expression is a subexpression of a target.
/// Expressions are handed over as they were made first, so nothing here rests
/// on normal forms.
///
/// It says no unless Z3 finds a proof, as the paper does. That something is not
/// entailed Z3 can't show, and some proofs it doesn't find: pruning with this
/// oracle can lose solutions. docs/AbstractExpressions.md says how many.
class Z3Oracle final : public SubexpressionOracle {
public:
  /// An error says which axiom is no law of abstract expressions, and why.
  static llvm::Expected<std::unique_ptr<Z3Oracle>>
  create(ExprContext &context, llvm::ArrayRef<Expr> targets,
         const Z3OracleOptions &options = Z3OracleOptions());
  ~Z3Oracle() override;

  /// When there are axioms of a user, what they make equal to the target
  /// counts.
  bool isTarget(Expr x, size_t i) override;

private:
  class Solver;

  Z3Oracle(ExprContext &context, llvm::ArrayRef<Expr> targets,
           std::unique_ptr<Solver> solver);
  bool decide(Expr x) override;

  std::unique_ptr<Solver> solver;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, bool> equalities;
};

} // namespace mirage

#endif // MIRAGE_ORACLE_Z3ORACLE_H
