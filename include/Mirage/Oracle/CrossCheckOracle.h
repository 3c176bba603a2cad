//===- CrossCheckOracle.h - Normal form and Z3 ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ORACLE_CROSSCHECKORACLE_H
#define MIRAGE_ORACLE_CROSSCHECKORACLE_H

#include "Mirage/AbstractExpr/RandomModel.h"
#include "Mirage/Oracle/Z3Oracle.h"
#include <functional>

namespace mirage {

/// Two ways to an answer that disagree.
struct OracleDisagreement {
  enum class Kind {
    /// Z3 proves that `expr` is part of a target, the normal form denies it.
    WronglyDenied,
    /// The normal form affirms it, but has no witness, or one that doesn't make
    /// a
    /// target.
    WronglyAffirmed,
  };
  Kind kind = Kind::WronglyDenied;
  Expr expr;
  /// What the error says: the expressions in question, as terms.
  std::string text;
};

/// Asks the normal form and Z3 about every expression, and fails when they
/// disagree: when Z3 proves what the normal form denies. What the normal form
/// affirms is checked without Z3, which doesn't find every proof: the normal
/// form has to name a witness, a term that is equal to a target when the
/// expression is put into its hole, and both sides must have one value in a
/// RandomModel.
///
/// The answers are those of the normal form, or yes after a disagreement.
class CrossCheckOracle final : public SubexpressionOracle {
public:
  CrossCheckOracle(std::unique_ptr<SubexpressionOracle> normalForm,
                   std::unique_ptr<SubexpressionOracle> z3,
                   ExprContext &context, llvm::ArrayRef<Expr> targets,
                   uint64_t seed);

  /// The usual one. `options` must not have axioms of a user: the normal form
  /// doesn't know them.
  static llvm::Expected<std::unique_ptr<CrossCheckOracle>>
  create(ExprContext &context, llvm::ArrayRef<Expr> targets,
         const Z3OracleOptions &options = Z3OracleOptions(), uint64_t seed = 1);

  /// Called with each disagreement when it is found.
  void setCallback(std::function<void(const OracleDisagreement &)> function) {
    callback = std::move(function);
  }

  llvm::Error takeError() override;

private:
  bool decide(Expr x) override;
  bool isWitnessRight(Expr x, std::string &text);
  void report(OracleDisagreement::Kind kind, Expr x, llvm::StringRef reason);

  std::unique_ptr<SubexpressionOracle> normalForm, z3;
  RandomModel model;
  std::function<void(const OracleDisagreement &)> callback;
  std::vector<OracleDisagreement> disagreements;
};

} // namespace mirage

#endif // MIRAGE_ORACLE_CROSSCHECKORACLE_H
