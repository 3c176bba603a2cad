//===- NormalForms.cpp - The semiring of abstract expressions -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalForms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mirage;
using namespace mirage::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

llvm::hash_code mirage::detail::hash_value(const Atom &atom) {
  return llvm::hash_combine(atom.kind, atom.name, atom.bits, atom.operands);
}

llvm::hash_code mirage::detail::hash_value(const Factor &factor) {
  return llvm::hash_combine(factor.atom, factor.power);
}

llvm::hash_code mirage::detail::hash_value(const Monomial &monomial) {
  return llvm::hash_combine(monomial.scale, monomial.factors, monomial.exponent,
                            monomial.radicand, monomial.divisor);
}

llvm::hash_code mirage::detail::hash_value(const Term &term) {
  return llvm::hash_combine(term.monomial, term.count);
}

llvm::hash_code mirage::detail::hash_value(const Polynomial &polynomial) {
  return llvm::hash_combine_range(polynomial.terms);
}

Atom Atom::copyInto(llvm::BumpPtrAllocator &arena) const {
  Atom copy = *this;
  copy.name = name.copy(arena);
  copy.operands = copy.operands.copy(arena);
  return copy;
}

Monomial Monomial::copyInto(llvm::BumpPtrAllocator &arena) const {
  Monomial copy = *this;
  copy.factors = copy.factors.copy(arena);
  return copy;
}

Polynomial Polynomial::copyInto(llvm::BumpPtrAllocator &arena) const {
  Polynomial copy = *this;
  copy.terms = copy.terms.copy(arena);
  return copy;
}

NormalForms::NormalForms(ExprLimits limits) : limits(limits) {
  // The monomial 1 has the polynomial 1 as radicand and divisor, so this knot
  // is tied by hand, in an order that gives `zero` and `one` their ids.
  polynomials.intern(Polynomial{}, arena);
  MonomialId unit = monomials.intern(Monomial{1, {}, zero, one, one}, arena);
  Term term{unit, 1};
  polynomials.intern(Polynomial{term}, arena);
}

PolynomialId NormalForms::makeAtom(Atom atom) {
  for (PolynomialId operand : atom.operands)
    atom.depth = std::max(atom.depth, polynomials[operand].depth + 1);
  if (atom.depth > limits.maxDepth)
    return 0;
  Factor factor{atoms.intern(atom, arena), 1};
  return makePolynomial(makeMonomial(1, factor, zero, one, one));
}

MonomialId NormalForms::makeMonomial(int64_t scale, ArrayRef<Factor> factors,
                                     PolynomialId exponent,
                                     PolynomialId radicand,
                                     PolynomialId divisor) {
  if (!exponent || !radicand || !divisor)
    return 0;
  Monomial monomial{scale, factors, exponent, radicand, divisor};
  for (const Factor &factor : factors)
    monomial.depth = std::max(monomial.depth, atoms[factor.atom].depth);
  for (PolynomialId part : {exponent, radicand, divisor})
    if (part != zero && part != one)
      monomial.depth = std::max(monomial.depth, polynomials[part].depth + 1);
  if (monomial.depth > limits.maxDepth)
    return 0;
  return monomials.intern(monomial, arena);
}

PolynomialId NormalForms::makePolynomial(MonomialId monomial) {
  if (!monomial)
    return 0;
  Term term{monomial, 1};
  return makePolynomial(ArrayRef<Term>(term));
}

PolynomialId NormalForms::makePolynomial(ArrayRef<Term> terms) {
  if (terms.size() > limits.maxMonomials)
    return 0;
  Polynomial polynomial{terms, /*isExpression=*/true};
  for (const Term &term : terms) {
    const Monomial &monomial = monomials[term.monomial];
    polynomial.isExpression &= !monomial.factors.empty() ||
                               monomial.exponent != zero ||
                               monomial.radicand != one;
    polynomial.depth = std::max(polynomial.depth, monomial.depth);
  }
  return polynomials.intern(polynomial, arena);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

template <typename T> static int compareValues(T a, T b) {
  return a < b ? -1 : a > b;
}

/// The greater one has the higher power of the first atom whose powers differ.
static int compareFactors(ArrayRef<Factor> a, ArrayRef<Factor> b) {
  for (auto [f, g] : llvm::zip(a, b)) {
    if (f.atom != g.atom)
      return compareValues(g.atom, f.atom);
    if (f.power != g.power)
      return compareValues(f.power, g.power);
  }
  return compareValues(a.size(), b.size());
}

int NormalForms::compareMonomials(MonomialId idA, MonomialId idB) const {
  if (idA == idB)
    return 0;
  const Monomial &a = monomials[idA], &b = monomials[idB];
  if (int order = compareValues(a.scale, b.scale))
    return order;
  if (int order = compareFactors(a.factors, b.factors))
    return order;
  if (int order = comparePolynomials(a.exponent, b.exponent))
    return order;
  if (int order = comparePolynomials(a.radicand, b.radicand))
    return order;
  return comparePolynomials(a.divisor, b.divisor);
}

int NormalForms::comparePolynomials(PolynomialId p, PolynomialId q) const {
  if (p == q)
    return 0;
  // The sign of the difference's greatest term.
  ArrayRef<Term> a = polynomials[p].terms, b = polynomials[q].terms;
  for (auto [s, t] : llvm::zip(a, b)) {
    if (int order = compareMonomials(s.monomial, t.monomial))
      return order;
    if (s.count != t.count)
      return compareValues(s.count, t.count);
  }
  return compareValues(a.size(), b.size());
}

//===----------------------------------------------------------------------===//
// Addition and multiplication
//===----------------------------------------------------------------------===//

PolynomialId NormalForms::add(PolynomialId p, PolynomialId q) {
  if (p == zero)
    return q;
  if (q == zero)
    return p;
  IdPair key = std::minmax(p, q);
  if (auto found = sums.find(key); found != sums.end())
    return found->second;

  ArrayRef<Term> a = polynomials[p].terms, b = polynomials[q].terms;
  Terms terms;
  bool overflow = false;
  while (!a.empty() && !b.empty()) {
    int order = compareMonomials(a.front().monomial, b.front().monomial);
    terms.push_back(order >= 0 ? a.front() : b.front());
    if (order == 0)
      overflow |= llvm::AddOverflow(a.front().count, b.front().count,
                                    terms.back().count);
    a = a.drop_front(order >= 0);
    b = b.drop_front(order <= 0);
  }
  terms.append(a.begin(), a.end());
  terms.append(b.begin(), b.end());
  return sums[key] = overflow ? 0 : makePolynomial(terms);
}

PolynomialId NormalForms::scale(int64_t k, PolynomialId p) {
  if (k == 1)
    return p;
  // Scaling keeps the order of the terms and never makes two of them equal.
  SmallVector<Term, 8> terms(polynomials[p].terms);
  for (Term &term : terms) {
    Monomial monomial = monomials[term.monomial];
    if (llvm::MulOverflow(monomial.scale, k, monomial.scale))
      return 0;
    term.monomial = monomials.intern(monomial, arena);
  }
  return makePolynomial(terms);
}

MonomialId NormalForms::multiplyMonomials(MonomialId idA, MonomialId idB) {
  const Monomial &a = monomials[idA], &b = monomials[idB];
  int64_t scale;
  if (llvm::MulOverflow(a.scale, b.scale, scale))
    return 0;

  SmallVector<Factor, 8> factors;
  ArrayRef<Factor> f = a.factors, g = b.factors;
  while (!f.empty() && !g.empty()) {
    AtomId atomF = f.front().atom, atomG = g.front().atom;
    factors.push_back(atomF <= atomG ? f.front() : g.front());
    if (atomF == atomG && llvm::AddOverflow(f.front().power, g.front().power,
                                            factors.back().power))
      return 0;
    f = f.drop_front(atomF <= atomG);
    g = g.drop_front(atomG <= atomF);
  }
  factors.append(f.begin(), f.end());
  factors.append(g.begin(), g.end());

  PolynomialId exponent = add(a.exponent, b.exponent);
  PolynomialId radicand = multiply(a.radicand, b.radicand);
  PolynomialId divisor = multiply(a.divisor, b.divisor);
  return makeMonomial(scale, factors, exponent, radicand, divisor);
}

PolynomialId NormalForms::multiply(PolynomialId p, PolynomialId q) {
  if (p == one)
    return q;
  if (q == one)
    return p;
  IdPair key = std::minmax(p, q);
  if (auto found = products.find(key); found != products.end())
    return found->second;
  PolynomialId product = computeProduct(p, q);
  return products[key] = product;
}

PolynomialId NormalForms::computeProduct(PolynomialId p, PolynomialId q) {
  Terms terms;
  llvm::SmallDenseMap<MonomialId, size_t, 16> indices;
  for (const Term &s : polynomials[p].terms) {
    for (const Term &t : polynomials[q].terms) {
      MonomialId monomial = multiplyMonomials(s.monomial, t.monomial);
      int64_t count;
      if (!monomial || llvm::MulOverflow(s.count, t.count, count))
        return 0;
      auto [entry, isNew] = indices.try_emplace(monomial, terms.size());
      if (isNew)
        terms.push_back({monomial, count});
      else if (llvm::AddOverflow(terms[entry->second].count, count,
                                 terms[entry->second].count))
        return 0;
      if (terms.size() > limits.maxMonomials)
        return 0;
    }
  }
  llvm::sort(terms, [&](const Term &a, const Term &b) {
    return compareMonomials(a.monomial, b.monomial) > 0;
  });
  return makePolynomial(terms);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

MonomialId NormalForms::divideMonomials(MonomialId idA, MonomialId idB) {
  const Monomial &a = monomials[idA], &b = monomials[idB];
  if (a.scale % b.scale != 0)
    return 0;

  SmallVector<Factor, 8> factors;
  ArrayRef<Factor> g = b.factors;
  for (Factor factor : a.factors) {
    if (!g.empty() && g.front().atom == factor.atom) {
      factor.power -= g.front().power;
      g = g.drop_front();
    }
    if (factor.power < 0)
      return 0;
    if (factor.power > 0)
      factors.push_back(factor);
  }
  if (!g.empty())
    return 0;

  // Exponents are subtracted: what is left must be a multiset, maybe the empty
  // one.
  PolynomialId exponent = a.exponent;
  if (b.exponent != zero) {
    Terms left(polynomials[a.exponent].terms);
    MonomialId unit = polynomials[one].terms.front().monomial;
    if (!subtractMultiple(left, b.exponent, unit, 1))
      return 0;
    exponent = makePolynomial(left);
  }

  // What is left under a sqrt or an inv must be nothing or an expression.
  auto divideParts = [&](PolynomialId whole,
                         PolynomialId part) -> PolynomialId {
    PolynomialId quotient = divide(whole, part);
    return quotient == 0 || quotient == one ||
                   polynomials[quotient].isExpression
               ? quotient
               : 0;
  };
  PolynomialId radicand = divideParts(a.radicand, b.radicand);
  if (!radicand)
    return 0;
  PolynomialId divisor = divideParts(a.divisor, b.divisor);
  return makeMonomial(a.scale / b.scale, factors, exponent, radicand, divisor);
}

PolynomialId NormalForms::divide(PolynomialId p, PolynomialId q) {
  if (q == one)
    return p;
  if (p == q)
    return one;
  // A product has at least as many monomials as each factor.
  if (polynomials[q].terms.size() > polynomials[p].terms.size())
    return 0;
  IdPair key(p, q);
  if (auto found = quotients.find(key); found != quotients.end())
    return found->second;
  PolynomialId quotient = computeQuotient(p, q);
  return quotients[key] = quotient;
}

PolynomialId NormalForms::computeQuotient(PolynomialId p, PolynomialId q) {
  // Long division. The order makes each step's term the only possible one, so
  // that a step that fails decides.
  Terms rest(polynomials[p].terms), quotient;
  const Term &lead = polynomials[q].terms.front();
  while (!rest.empty()) {
    Term top = rest.front();
    MonomialId monomial = divideMonomials(top.monomial, lead.monomial);
    if (!monomial || top.count % lead.count != 0)
      return 0;
    int64_t count = top.count / lead.count;
    if (!subtractMultiple(rest, q, monomial, count))
      return 0;
    quotient.push_back({monomial, count});
  }
  return makePolynomial(quotient);
}

bool NormalForms::subtractMultiple(Terms &from, PolynomialId p, MonomialId m,
                                   int64_t times) {
  // Both sequences are sorted: multiplication by m keeps the order.
  auto it = from.begin();
  for (const Term &term : polynomials[p].terms) {
    MonomialId monomial = multiplyMonomials(term.monomial, m);
    int64_t count;
    // `from` is within the limits, so a product that isn't can't be in it.
    if (!monomial || llvm::MulOverflow(term.count, times, count))
      return false;
    while (it != from.end() && it->monomial != monomial)
      ++it;
    if (it == from.end() || it->count < count)
      return false;
    it->count -= count;
    ++it;
  }
  llvm::erase_if(from, [](const Term &term) { return term.count == 0; });
  return true;
}

//===----------------------------------------------------------------------===//
// The subexpression relation
//===----------------------------------------------------------------------===//

bool NormalForms::isSubexpression(PolynomialId x, PolynomialId y) {
  ++numQueries;
  size_t numAnswers = subexpressions.size();
  bool result = isSubexpressionMemoized(x, y);
  numMemoHits += subexpressions.size() == numAnswers;
  return result;
}

bool NormalForms::isSubexpressionMemoized(PolynomialId x, PolynomialId y) {
  if (x == y)
    return true;
  if (auto found = subexpressions.find({x, y}); found != subexpressions.end())
    return found->second;
  bool result = computeSubexpression(x, y);
  return subexpressions[{x, y}] = result;
}

bool NormalForms::computeSubexpression(PolynomialId x, PolynomialId y) {
  if (hasMultipleIn(x, y))
    return true;
  for (const Term &term : polynomials[y].terms) {
    const Monomial &monomial = monomials[term.monomial];
    for (const Factor &factor : monomial.factors)
      for (PolynomialId operand : atoms[factor.atom].operands)
        if (isSubexpressionMemoized(x, operand))
          return true;
    for (PolynomialId part :
         {monomial.exponent, monomial.radicand, monomial.divisor})
      if (part != zero && part != one && isSubexpressionMemoized(x, part))
        return true;
  }
  return false;
}

bool NormalForms::hasMultipleIn(PolynomialId x, PolynomialId y) {
  ArrayRef<Term> candidates = polynomials[y].terms,
                 terms = polynomials[x].terms;
  // The product of x's greatest monomial and m has terms.size() - 1 smaller
  // ones after it.
  while (candidates.size() >= terms.size()) {
    if (candidates.front().count >= terms.front().count) {
      MonomialId m =
          divideMonomials(candidates.front().monomial, terms.front().monomial);
      if (m && isMultipleContained(x, m, y))
        return true;
    }
    candidates = candidates.drop_front();
  }
  return false;
}

bool NormalForms::isMultipleContained(PolynomialId x, MonomialId m,
                                      PolynomialId y) {
  if (polynomials[x].terms.size() == 1)
    return true;
  Terms rest(polynomials[y].terms);
  return subtractMultiple(rest, x, m, 1);
}

ExprStatistics NormalForms::getStatistics() const {
  return {numQueries, numMemoHits, polynomials.size()};
}
