//===- Z3Theory.h - Abstract expressions in Z3 ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ORACLE_Z3THEORY_H
#define MIRAGE_LIB_ORACLE_Z3THEORY_H

#include "Mirage/AbstractExpr/Expr.h"
#include "Mirage/Solve/Axioms.h"
#include "llvm/ADT/DenseMap.h"
#include <set>
#include <z3++.h>

namespace mirage {

/// Expressions are elements of an uninterpreted sort, and operators are
/// uninterpreted functions. So are the sizes of sums and their products, with
/// the products of those that occur as facts: in arithmetic Z3 would compare
/// sizes by solving equations, and make sums of ever larger ones.
class Z3Theory {
public:
  Z3Theory(ExprContext &exprs, bool splitSums);

  z3::context &getContext() { return z3; }

  /// Axioms about what was translated since the last call; the first time A_eq
  /// and A_sub, and that the maximum of a maximum is the same one.
  std::vector<z3::expr> takeAxioms();

  /// Adds an equation to the axioms, or returns an error, with its place in
  /// `file`, when it is something else.
  llvm::Error addAxiom(const solve::Axiom &axiom, llvm::StringRef file);

  /// These throw a z3::exception for a term of more than kMaxNodes different
  /// parts: Z3 recurses over terms.
  z3::expr makeSubexpression(Expr x, Expr y);
  z3::expr makeEqual(Expr x, Expr y);
  /// True, and makes the solver look at a term.
  z3::expr makeMention(Expr x);

  static constexpr size_t kMaxNodes = 2000;

private:
  using Operands = llvm::ArrayRef<z3::expr>;

  void addPaperAxioms();
  z3::expr translate(Expr x);
  z3::expr translate(const ExprNode &node, Operands operands);
  z3::expr translate(const solve::Term &term, Operands variables);
  z3::expr makeOperator(const solve::Term &term, Operands operands);
  z3::expr makeConstant(double value);
  z3::expr makeSizeConstant(int64_t factor);
  z3::expr makeSize(int64_t factor);
  z3::func_decl makeFunction(llvm::StringRef name, size_t arity);

  ExprContext &exprs;
  bool splitSums;
  z3::context z3;
  z3::sort sort, size;
  z3::func_decl subexpr, add, mul, div, sum, times, exp, sqrt;
  /// The number of elements of the sums of a user's axiom, any.
  z3::expr anySize;
  /// Where in `terms` an expression is.
  llvm::DenseMap<Expr, unsigned> numbers;
  std::vector<z3::expr> terms;
  /// Those with axioms.
  std::set<std::pair<std::string, size_t>> functions;
  std::set<int64_t> sizes;
  std::vector<z3::expr> axioms;
};

} // namespace mirage

#endif // MIRAGE_LIB_ORACLE_Z3THEORY_H
