//===- Functions.cpp - Exponentials, maxima, choices and the like ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rationals.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage::prove;

PolyRef TermContext::exp(const PolyRef &operand) {
  PolyRef result = constant(kOne);
  for (Monomial monomial : operand->monomials) {
    Rational power = monomial.coefficient;
    monomial.coefficient = kOne;
    bool isLog = monomial.bound.empty() && monomial.factors.size() == 1 &&
                 monomial.factors[0].exponent == kOne &&
                 monomial.factors[0].base->kind == Base::Kind::Function &&
                 monomial.factors[0].base->name == "log";
    if (isLog && isInteger(power * Rational(2, 1)) && power < Rational(32, 1) &&
        Rational(-32, 1) < power) {
      result = mul(result, pow(monomial.factors[0].base->args[0], power));
      continue;
    }
    Base base(Base::Kind::Exp);
    base.args = {makePoly({monomial})};
    result = mul(result, makeFactor(finishBase(std::move(base)), power));
  }
  return result;
}

PolyRef TermContext::log(const PolyRef &operand) {
  require(Obligation::Kind::NonZero, operand);
  require(Obligation::Kind::NonNegative, operand);
  return function("log", operand);
}

/// The base that a polynomial is, if it is one.
static BaseRef getOnlyBase(const Poly &term, Base::Kind kind) {
  if (term.monomials.size() != 1)
    return nullptr;
  const Monomial &only = term.monomials[0];
  if (only.coefficient != kOne || !only.bound.empty() ||
      only.factors.size() != 1 || only.factors[0].exponent != kOne ||
      only.factors[0].base->kind != kind)
    return nullptr;
  return only.factors[0].base;
}

Obligation TermContext::guard(const Obligation &obligation,
                              const PolyRef &condition) {
  // Of a term that elsewhere is what it has to be: 0, or 1 where it is not to
  // be zero.
  const auto &[kind, term] = obligation;
  if (kind == Obligation::Kind::NonNegative)
    return {kind, function("where", {condition, term})};
  const PolyRef one = constant(kOne);
  return {kind, add(function("where", {condition, sub(term, one)}), one)};
}

std::optional<std::pair<PolyRef, Obligation>>
TermContext::splitGuard(const Obligation &obligation) {
  const bool isNonZero = obligation.kind == Obligation::Kind::NonZero;
  const PolyRef one = constant(kOne);
  const PolyRef choice =
      isNonZero ? sub(obligation.term, one) : obligation.term;
  const BaseRef base = getOnlyBase(*choice, Base::Kind::Function);
  if (!base || base->name != "where")
    return std::nullopt;
  const PolyRef &condition = base->args[0], &value = base->args[1];
  return std::pair(condition, Obligation{obligation.kind,
                                         isNonZero ? add(value, one) : value});
}

void TermContext::sortEntries(std::vector<Monomial> &entries) {
  llvm::sort(entries, [](auto &a, auto &b) { return a.id < b.id; });
  entries.erase(std::unique(entries.begin(), entries.end(),
                            [](auto &a, auto &b) { return a.id == b.id; }),
                entries.end());
}

PolyRef TermContext::makeMax(std::vector<Monomial> entries) {
  if (hasFailed())
    return zero();
  std::vector<Monomial> finished;
  for (Monomial &entry : entries) {
    // The bound indices of an entry are brought into normal form like those of
    // a sum, except that the maximum of equal terms is the term.
    PolyRef value = entry.factors[0].base->args[0];
    llvm::SmallVector<Bound, 2> bound = entry.bound;
    while (true) {
      llvm::erase_if(bound, [&](const Bound &b) {
        return !llvm::is_contained(value->free, b.var);
      });
      auto reindexing =
          findReindexing(bound, Factor{makePolyBase(value), kOne});
      if (!reindexing)
        break;
      for (auto &[var, replacement] : *reindexing)
        value = substitute(value, var, replacement);
    }
    finished.push_back(finishScope(kOne, bound, {{makePolyBase(value), kOne}}));
  }
  auto getValue = [](const Monomial &entry) {
    return entry.factors[0].base->args[0]->getConstant();
  };
  sortEntries(finished);
  std::optional<Rational> largest;
  for (const Monomial &entry : finished)
    if (auto value = getValue(entry))
      largest = largest ? std::max(*largest, *value) : *value;
  llvm::erase_if(finished, [&](const Monomial &entry) {
    auto value = getValue(entry);
    return value && *value < *largest;
  });
  if (finished.size() == 1 && finished[0].bound.empty())
    return finished[0].factors[0].base->args[0];
  Base base(Base::Kind::Max);
  base.entries = std::move(finished);
  return makeFactor(finishBase(std::move(base)), kOne);
}

PolyRef TermContext::max(const PolyRef &lhs, const PolyRef &rhs) {
  std::vector<Monomial> entries;
  for (const PolyRef &side : {lhs, rhs}) {
    if (BaseRef base = getOnlyBase(*side, Base::Kind::Max)) {
      for (const Monomial &entry : base->entries)
        entries.push_back(openScope(entry));
      continue;
    }
    Monomial entry;
    entry.factors = {{makePolyBase(side), kOne}};
    entries.push_back(std::move(entry));
  }
  return makeMax(std::move(entries));
}

PolyRef TermContext::maxOver(Var var, const PolyRef &term) {
  std::vector<Monomial> entries;
  if (BaseRef base = getOnlyBase(*term, Base::Kind::Max)) {
    for (const Monomial &entry : base->entries)
      entries.push_back(openScope(entry));
  } else {
    entries.emplace_back();
    entries.back().factors = {{makePolyBase(term), kOne}};
  }
  for (Monomial &entry : entries)
    entry.bound.push_back({var, getExtent(var)});
  return makeMax(std::move(entries));
}
