//===- Ground.cpp - Formulas without variables ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ground.h"
#include "Mirage/Operators/Custom.h"

using namespace mirage;
using namespace mirage::prove;
using namespace mirage::solve;

/// The number that a term is, if it is one.
static std::optional<Rational> getNumber(const Poly &term) {
  if (term.isZero())
    return Rational(0, 1);
  if (term.monomials.size() == 1 && term.monomials[0].factors.empty() &&
      term.monomials[0].bound.empty())
    return term.monomials[0].coefficient;
  return std::nullopt;
}

static Ground makeConstant(bool value) {
  Ground result;
  result.kind = value ? Ground::Kind::True : Ground::Kind::False;
  return result;
}

static Ground makeAtom(Ground::Kind kind, PolyRef term, bool value,
                       bool isNumber) {
  if (isNumber)
    return makeConstant(value);
  Ground result;
  result.kind = kind;
  result.term = std::move(term);
  return result;
}

Ground Ground::makeZero(PolyRef term) {
  auto number = getNumber(*term);
  bool value = number && number->num == 0;
  return makeAtom(Kind::Zero, std::move(term), value, number.has_value());
}
Ground Ground::makeNonNegative(PolyRef term) {
  auto number = getNumber(*term);
  bool value = number && number->num >= 0;
  return makeAtom(Kind::NonNegative, std::move(term), value,
                  number.has_value());
}
Ground Ground::makePositive(PolyRef term) {
  auto number = getNumber(*term);
  bool value = number && number->num > 0;
  return makeAtom(Kind::Positive, std::move(term), value, number.has_value());
}

Ground Ground::makeNot(Ground arg) {
  if (arg.kind == Kind::True || arg.kind == Kind::False)
    return makeConstant(arg.kind == Kind::False);
  Ground result;
  result.kind = Kind::Not;
  result.args.push_back(std::move(arg));
  return result;
}

static Ground combine(Ground::Kind kind, std::vector<Ground> args) {
  // True is neutral for and, and decides or.
  bool isAnd = kind == Ground::Kind::And;
  Ground::Kind neutral = isAnd ? Ground::Kind::True : Ground::Kind::False;
  Ground::Kind decisive = isAnd ? Ground::Kind::False : Ground::Kind::True;
  if (llvm::any_of(args, [&](auto &arg) { return arg.kind == decisive; }))
    return makeConstant(!isAnd);
  llvm::erase_if(args, [&](auto &arg) { return arg.kind == neutral; });
  if (args.empty())
    return makeConstant(isAnd);
  if (args.size() == 1)
    return args[0];
  Ground result;
  result.kind = kind;
  result.args = std::move(args);
  return result;
}

Ground Ground::makeAnd(std::vector<Ground> args) {
  return combine(Kind::And, std::move(args));
}
Ground Ground::makeOr(std::vector<Ground> args) {
  return combine(Kind::Or, std::move(args));
}

Ground solve::getCondition(const Obligation &obligation) {
  if (obligation.kind == Obligation::Kind::NonZero)
    return Ground::makeNot(Ground::makeZero(obligation.term));
  return Ground::makeNonNegative(obligation.term);
}

ScalarAlgebra::Term
PolyAlgebra::function(llvm::StringRef name, llvm::ArrayRef<Term> operands,
                      llvm::function_ref<Term()> definition) {
  if (!isFunctionName(name))
    return definition();
  llvm::SmallVector<PolyRef> args;
  for (Term operand : operands)
    args.push_back(get(operand));
  return make(opaque(name, args));
}

static Ground makeGround(const Formula &formula, PolyAlgebra &algebra,
                         TermContext &context, const Assignment &assignment) {
  if (formula.lhs) {
    PolyRef lhs = algebra.get(evaluate(*formula.lhs, algebra, assignment));
    PolyRef rhs = algebra.get(evaluate(*formula.rhs, algebra, assignment));
    PolyRef difference = context.sub(rhs, lhs);
    switch (formula.kind) {
    case Formula::Kind::Equal:
      return Ground::makeZero(difference);
    case Formula::Kind::Less:
      return Ground::makePositive(difference);
    default:
      return Ground::makeNonNegative(difference);
    }
  }
  std::vector<Ground> args;
  for (const FormulaRef &arg : formula.args)
    args.push_back(makeGround(*arg, algebra, context, assignment));
  switch (formula.kind) {
  case Formula::Kind::Not:
    return Ground::makeNot(std::move(args[0]));
  case Formula::Kind::And:
    return Ground::makeAnd(std::move(args));
  case Formula::Kind::Or:
    return Ground::makeOr(std::move(args));
  default:
    args[0] = Ground::makeNot(std::move(args[0]));
    return Ground::makeOr(std::move(args));
  }
}

Ground solve::instantiate(const Formula &formula, PolyAlgebra &algebra,
                          TermContext &context, const Assignment &assignment) {
  context.takeObligations();
  std::vector<Ground> clause{makeGround(formula, algebra, context, assignment)};
  for (const Obligation &obligation : context.takeObligations())
    clause.push_back(Ground::makeNot(getCondition(obligation)));
  return Ground::makeOr(std::move(clause));
}

static void forEachBase(const BaseRef &base,
                        llvm::function_ref<void(const BaseRef &)> visit) {
  for (const PolyRef &arg : base->args)
    solve::forEachBase(*arg, visit);
  for (const Monomial &entry : base->entries)
    for (const Factor &factor : entry.factors)
      ::forEachBase(factor.base, visit);
  visit(base);
}

void solve::forEachBase(const Poly &term,
                        llvm::function_ref<void(const BaseRef &)> visit) {
  for (const Monomial &monomial : term.monomials)
    for (const Factor &factor : monomial.factors)
      ::forEachBase(factor.base, visit);
}

void solve::forEachTerm(const Ground &formula,
                        llvm::function_ref<void(const PolyRef &)> visit) {
  if (formula.term)
    visit(formula.term);
  for (const Ground &arg : formula.args)
    forEachTerm(arg, visit);
}
