//===- Z3Problem.cpp - Ground formulas for Z3 -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Z3Problem.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <limits>

using namespace mirage;
using namespace mirage::prove;
using namespace mirage::solve;

static bool isInteger(const Rational &value) {
  return value.num % value.den == 0;
}

z3::expr Z3Problem::makeNumber(const Rational &number) {
  std::string text;
  llvm::raw_string_ostream(text) << number.num << '/' << number.den;
  return z3.real_val(text.c_str());
}

z3::expr Z3Problem::makeConstant(char kind, int64_t id) {
  return z3.real_const((kind + std::to_string(id)).c_str());
}

z3::expr Z3Problem::getValue(const BaseRef &base) {
  std::string key = "v" + std::to_string(base->id);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  z3::expr value = makeConstant('v', base->id);
  switch (base->kind) {
  case Base::Kind::Read:
    break;
  case Base::Kind::Function:
    if (base->name == "where")
      value = z3::ite(translate(base->args[0]) > 0, translate(base->args[1]),
                      z3.real_val(0));
    break;
  case Base::Kind::Exp:
  case Base::Kind::Size:
    facts.push_back(value > 0);
    break;
  case Base::Kind::Poly:
    value = translate(base->args[0]);
    break;
  case Base::Kind::Max:
    value = getMaximum(*base);
    break;
  case Base::Kind::Indicator:
    facts.push_back(value == 0 || value == 1);
    break;
  case Base::Kind::Constant:
    value = makeNumber(Rational(base->number, 1));
    break;
  }
  return known.emplace(key, value).first->second;
}

z3::expr Z3Problem::getRoot(const BaseRef &base) {
  std::string key = "r" + std::to_string(base->id);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  z3::expr value = getValue(base), root = makeConstant('r', base->id);
  facts.push_back(z3::implies(value >= 0, root >= 0 && root * root == value));
  return known.emplace(key, root).first->second;
}

z3::expr Z3Problem::getInverse(const BaseRef &base, bool ofRoot) {
  std::string key = (ofRoot ? "j" : "i") + std::to_string(base->id);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  z3::expr value = ofRoot ? getRoot(base) : getValue(base);
  z3::expr inverse = makeConstant(ofRoot ? 'j' : 'i', base->id);
  facts.push_back(z3::implies(value != 0, value * inverse == 1));
  return known.emplace(key, inverse).first->second;
}

z3::expr Z3Problem::getMaximum(const Base &base) {
  z3::expr maximum = makeConstant('m', base.id);
  z3::expr attained = z3.bool_val(false);
  for (const Monomial &entry : base.entries) {
    Monomial opened = context.openScope(entry);
    z3::expr value = translate(opened.factors[0].base->args[0]);
    facts.push_back(maximum >= value);
    attained = attained || maximum == value;
    if (!opened.bound.empty())
      boundEntries.push_back({maximum, opened});
  }
  facts.push_back(attained);
  return maximum;
}

/// A maximum is at least its entry at the indices where another one is
/// attained.
void Z3Problem::addMaximumFacts() {
  constexpr size_t kMaxEntries = 8;
  for (; numRelated < std::min(boundEntries.size(), kMaxEntries);
       ++numRelated) {
    for (size_t i = 0; i <= numRelated; ++i)
      for (auto [a, b] : {std::pair(i, numRelated), std::pair(numRelated, i)}) {
        // Copies, since translating may add entries.
        BoundEntry entry = boundEntries[a], other = boundEntries[b];
        auto haveSameExtents = [](const Bound &x, const Bound &y) {
          return x.extent == y.extent;
        };
        if (a == b || entry.opened.bound.size() != other.opened.bound.size() ||
            !std::equal(entry.opened.bound.begin(), entry.opened.bound.end(),
                        other.opened.bound.begin(), haveSameExtents))
          continue;
        PolyRef value = entry.opened.factors[0].base->args[0];
        for (auto [from, to] :
             llvm::zip_equal(entry.opened.bound, other.opened.bound))
          value = context.substitute(value, from.var,
                                     Index::fromVar(to.var, to.extent));
        facts.push_back(entry.maximum >= translate(value));
      }
  }
}

z3::expr Z3Problem::translate(const Factor &factor) {
  auto raise = [&](const z3::expr &value, int64_t times) {
    z3::expr power = value;
    for (int64_t i = 1; i < times; ++i)
      power = power * value;
    return power;
  };
  constexpr int64_t kMaxPower = 8;
  Rational doubled = factor.exponent * Rational(2, 1);
  if (isInteger(doubled) && doubled.num != 0) {
    bool whole = isInteger(factor.exponent);
    int64_t times(whole ? factor.exponent.num / factor.exponent.den
                        : doubled.num / doubled.den);
    bool negative = times < 0;
    times = std::abs(times);
    if (times <= kMaxPower && factor.base->kind == Base::Kind::Exp && !whole)
      ; // A constant of its own, below.
    else if (times <= kMaxPower)
      return raise(negative ? getInverse(factor.base, !whole)
                   : whole  ? getValue(factor.base)
                            : getRoot(factor.base),
                   times);
  }
  // Nothing is known of other powers, but that those of exponentials are
  // positive.
  std::string key;
  llvm::raw_string_ostream out(key);
  out << 'p' << factor.base->id << '^';
  factor.exponent.print(out);
  z3::expr power = z3.real_const(key.c_str());
  if (factor.base->kind == Base::Kind::Exp && !known.count(key))
    facts.push_back(power > 0);
  return known.emplace(key, power).first->second;
}

z3::expr Z3Problem::translate(const Monomial &monomial) {
  auto isBound = [&](const Factor &factor) {
    return llvm::any_of(monomial.bound, [&](const Bound &b) {
      return llvm::is_contained(factor.base->free, b.var);
    });
  };
  z3::expr product = makeNumber(monomial.coefficient);
  std::vector<Factor> inner;
  for (const Factor &factor : monomial.factors) {
    if (isBound(factor))
      inner.push_back(factor);
    else
      product = product * translate(factor);
  }
  if (monomial.bound.empty())
    return product;
  // What doesn't depend on the index is taken out of the sum.
  Monomial rest = monomial;
  rest.coefficient = Rational(1, 1);
  rest.factors = inner;
  Monomial opened = context.openScope(rest);
  PolyRef term = context.product(Rational(1, 1), opened.factors);
  bool isNonNegative = context.isNonNegative(*term);
  for (const Bound &bound : opened.bound)
    term = context.sumOver(bound.var, term);
  z3::expr sum = makeConstant('s', term->id);
  if (isNonNegative)
    facts.push_back(sum >= 0);
  return product * sum;
}

z3::expr Z3Problem::translate(const PolyRef &term) {
  std::string key = "t" + std::to_string(term->id);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  z3::expr sum = z3.real_val(0);
  for (const Monomial &monomial : term->monomials)
    sum = sum + translate(monomial);
  return known.emplace(key, sum.simplify()).first->second;
}

z3::expr Z3Problem::translate(const Ground &formula) {
  switch (formula.kind) {
  case Ground::Kind::True:
    return z3.bool_val(true);
  case Ground::Kind::False:
    return z3.bool_val(false);
  case Ground::Kind::Zero:
    return translate(formula.term) == 0;
  case Ground::Kind::NonNegative:
    return translate(formula.term) >= 0;
  case Ground::Kind::Positive:
    return translate(formula.term) > 0;
  case Ground::Kind::Not:
    return !translate(formula.args[0]);
  case Ground::Kind::And:
  case Ground::Kind::Or: {
    z3::expr_vector args(z3);
    for (const Ground &arg : formula.args)
      args.push_back(translate(arg));
    return formula.kind == Ground::Kind::And ? z3::mk_and(args)
                                             : z3::mk_or(args);
  }
  }
  llvm_unreachable("covered switch");
}

void Z3Problem::require(const Ground &formula) {
  facts.push_back(translate(formula));
}

Satisfiability Z3Problem::check(double seconds) {
  addMaximumFacts();
  if (context.hasFailed() || !(seconds > 0))
    return Satisfiability::Unknown;
  // The general solver is quick on what is nearly linear; the other one is
  // complete for real arithmetic.
  for (bool complete : {false, true}) {
    try {
      z3::solver solver = complete ? z3::tactic(z3, "qfnra-nlsat").mk_solver()
                                   : z3::tactic(z3, "smt").mk_solver();
      z3::params params(z3);
      // In milliseconds; half of the time for each solver.
      constexpr double kMost = std::numeric_limits<unsigned>::max();
      params.set("timeout",
                 static_cast<unsigned>(std::clamp(seconds * 500, 1.0, kMost)));
      solver.set(params);
      for (const z3::expr &fact : facts)
        solver.add(fact);
      z3::check_result result = solver.check();
      if (result != z3::unknown)
        return result == z3::sat ? Satisfiability::Satisfiable
                                 : Satisfiability::Unsatisfiable;
    } catch (const z3::exception &) {
      // What Z3 can't do is unknown.
    }
  }
  return Satisfiability::Unknown;
}
