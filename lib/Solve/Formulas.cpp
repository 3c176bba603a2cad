//===- Formulas.cpp - Formulas over any algebra ---------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formulas.h"

using namespace mirage;
using namespace mirage::solve;
using Handle = ScalarAlgebra::Term;

static Handle makeNumber(ScalarAlgebra &algebra, const Term &number) {
  Handle value = algebra.constant(number.significand);
  // Powers of ten up to 10^22 are doubles.
  for (int left = std::abs(number.exponent); left > 0;) {
    int step = std::min(left, 22);
    double power = 1;
    for (int i = 0; i < step; ++i)
      power *= 10;
    value = number.exponent > 0 ? algebra.mul(value, algebra.constant(power))
                                : algebra.div(value, algebra.constant(power));
    left -= step;
  }
  return value;
}

Handle solve::evaluate(const Term &term, ScalarAlgebra &algebra,
                       const Assignment &assignment, unsigned index) {
  if (term.kind == Term::Kind::Sum) {
    Handle sum = evaluate(*term.args[0], algebra, assignment, 0);
    for (unsigned i = 1; i < assignment.count; ++i)
      sum = algebra.add(sum, evaluate(*term.args[0], algebra, assignment, i));
    return sum;
  }
  llvm::SmallVector<Handle> args;
  for (const TermRef &arg : term.args)
    args.push_back(evaluate(*arg, algebra, assignment, index));
  switch (term.kind) {
  case Term::Kind::Number:
    return makeNumber(algebra, term);
  case Term::Kind::Variable: {
    const auto &values = assignment.values[term.variable];
    return values[values.size() > 1 ? index : 0];
  }
  case Term::Kind::Add:
    return algebra.add(args[0], args[1]);
  case Term::Kind::Sub:
    return algebra.sub(args[0], args[1]);
  case Term::Kind::Mul:
    return algebra.mul(args[0], args[1]);
  case Term::Kind::Div:
    return algebra.div(args[0], args[1]);
  case Term::Kind::Operator:
    return term.op->getFormula(algebra, args, term.params);
  case Term::Kind::Function:
    return algebra.function(term.name, args,
                            [&] { return algebra.constant(0); });
  case Term::Kind::Sum:
    break;
  }
  llvm_unreachable("handled above");
}

static void collectNumbers(const Term &term,
                           std::vector<const Term *> &numbers) {
  if (term.kind == Term::Kind::Number)
    numbers.push_back(&term);
  for (const TermRef &arg : term.args)
    ::collectNumbers(*arg, numbers);
}

void solve::collectNumbers(const Formula &formula,
                           std::vector<const Term *> &numbers) {
  for (const TermRef &side : {formula.lhs, formula.rhs})
    if (side)
      ::collectNumbers(*side, numbers);
  for (const FormulaRef &arg : formula.args)
    solve::collectNumbers(*arg, numbers);
}
