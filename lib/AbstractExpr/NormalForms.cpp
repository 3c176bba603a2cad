//===- NormalForms.cpp - The semiring of abstract expressions -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalForms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

using namespace mirage;
using namespace mirage::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Scatters what differs in few bits.
static uint64_t combine(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

uint64_t mirage::detail::getHash(const Atom &atom) {
  uint64_t hash = combine(llvm::xxh3_64bits(atom.name), atom.bits);
  for (PolynomialId operand : atom.operands)
    hash = combine(hash, operand);
  return combine(hash, static_cast<uint64_t>(atom.kind));
}

uint64_t mirage::detail::getHash(const Monomial &monomial) {
  uint64_t hash = monomial.scale;
  for (const Factor &factor : monomial.factors)
    hash = combine(hash, uint64_t(factor.atom) << 32 ^ factor.power);
  hash = combine(hash, uint64_t(monomial.exponent) << 32 ^ monomial.radicand);
  return combine(hash, monomial.divisor);
}

uint64_t mirage::detail::getHash(const Polynomial &polynomial) {
  uint64_t hash = 0;
  for (const Term &term : polynomial.terms)
    hash = combine(hash, uint64_t(term.monomial) << 32 ^ term.count);
  return hash;
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
  auto asItIs = [](auto &) { return true; };
  polynomials.intern(Polynomial{}, arena, asItIs);
  MonomialId unit =
      monomials.intern(Monomial{1, {}, zero, one, one}, arena, asItIs);
  Term term{unit, 1};
  polynomials.intern(Polynomial{term}, arena, asItIs);
}

PolynomialId NormalForms::makeAtom(Atom atom) {
  AtomId id = atoms.intern(atom, arena, [&](Atom &atom) {
    for (PolynomialId operand : atom.operands)
      atom.depth = std::max(atom.depth, polynomials[operand].depth + 1);
    return atom.depth <= limits.maxDepth;
  });
  if (!id)
    return 0;
  Factor factor{id, 1};
  return makePolynomial(makeMonomial(1, factor, zero, one, one));
}

MonomialId NormalForms::makeMonomial(int64_t scale, ArrayRef<Factor> factors,
                                     PolynomialId exponent,
                                     PolynomialId radicand,
                                     PolynomialId divisor) {
  if (!exponent || !radicand || !divisor)
    return 0;
  Monomial monomial{scale, factors, exponent, radicand, divisor};
  return monomials.intern(monomial, arena, [&](Monomial &monomial) {
    monomial.bits = (exponent != zero) | (radicand != one) << 1 |
                    (divisor != one ? kDivisorBit : 0) | (scale != 1) << 3;
    for (const Factor &factor : factors) {
      monomial.depth = std::max(monomial.depth, atoms[factor.atom].depth);
      monomial.bits |= uint64_t(1) << (4 + factor.atom % 60);
    }
    for (PolynomialId part : {exponent, radicand, divisor})
      if (part != zero && part != one)
        monomial.depth = std::max(monomial.depth, polynomials[part].depth + 1);
    return monomial.depth <= limits.maxDepth;
  });
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
  return polynomials.intern(
      Polynomial{terms}, arena, [&](Polynomial &polynomial) {
        polynomial.isExpression = true;
        for (const Term &term : terms) {
          const Monomial &monomial = monomials[term.monomial];
          polynomial.isExpression &= !monomial.factors.empty() ||
                                     monomial.exponent != zero ||
                                     monomial.radicand != one;
          polynomial.depth = std::max(polynomial.depth, monomial.depth);
        }
        return true;
      });
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
    const Monomial &monomial = monomials[term.monomial];
    int64_t scale;
    if (llvm::MulOverflow(monomial.scale, k, scale))
      return 0;
    term.monomial = makeMonomial(scale, monomial.factors, monomial.exponent,
                                 monomial.radicand, monomial.divisor);
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

  PolynomialId radicand = divideParts(a.radicand, b.radicand);
  if (!radicand)
    return 0;
  PolynomialId divisor = divideParts(a.divisor, b.divisor);
  return makeMonomial(a.scale / b.scale, factors, exponent, radicand, divisor);
}

PolynomialId NormalForms::divideParts(PolynomialId whole, PolynomialId part) {
  PolynomialId quotient = divide(whole, part);
  return quotient == 0 || quotient == one || polynomials[quotient].isExpression
             ? quotient
             : 0;
}

bool NormalForms::isDivisible(MonomialId idA, MonomialId idB) {
  const Monomial &a = monomials[idA], &b = monomials[idB];
  if ((a.bits & b.bits) != b.bits || a.scale % b.scale != 0)
    return false;
  auto f = a.factors.begin();
  for (const Factor &factor : b.factors) {
    while (f != a.factors.end() && f->atom < factor.atom)
      ++f;
    if (f == a.factors.end() || f->atom != factor.atom ||
        f->power < factor.power)
      return false;
  }
  if (b.exponent != zero) {
    ArrayRef<Term> terms = polynomials[a.exponent].terms;
    auto t = terms.begin();
    for (const Term &term : polynomials[b.exponent].terms) {
      while (t != terms.end() && t->monomial != term.monomial)
        ++t;
      if (t == terms.end() || t->count < term.count)
        return false;
    }
  }
  return divideParts(a.radicand, b.radicand) &&
         divideParts(a.divisor, b.divisor);
}

FactorOutline NormalForms::getFactorOutline(PolynomialId p) const {
  ArrayRef<Term> terms = polynomials[p].terms;
  if (terms.empty())
    return {p, 0, 0, 0};
  return {p, static_cast<uint32_t>(terms.size()),
          monomials[terms.front().monomial].bits,
          monomials[terms.back().monomial].bits};
}

PolynomialId NormalForms::divide(PolynomialId p, PolynomialId q) {
  if (q == one)
    return p;
  if (p == q)
    return one;
  // Most don't take a place in the table.
  if (!getFactorOutline(p).mayHaveFactor(getFactorOutline(q)))
    return 0;
  IdPair key(p, q);
  if (auto found = quotients.find(key); found != quotients.end())
    return found->second;
  Terms quotient;
  PolynomialId id =
      computeQuotient(p, q, quotient) ? makePolynomial(quotient) : 0;
  return quotients[key] = id;
}

bool NormalForms::hasFactor(const FactorOutline &p, const FactorOutline &q) {
  Terms quotient;
  return q.id == one || p.id == q.id ||
         (p.mayHaveFactor(q) && computeQuotient(p.id, q.id, quotient));
}

bool NormalForms::computeQuotient(PolynomialId p, PolynomialId q,
                                  Terms &quotient) {
  // Long division. The order makes each step's term the only possible one, so
  // that a step that fails decides.
  Terms rest(polynomials[p].terms);
  const Term &lead = polynomials[q].terms.front();
  while (!rest.empty()) {
    Term top = rest.front();
    MonomialId monomial = divideMonomials(top.monomial, lead.monomial);
    if (!monomial || top.count % lead.count != 0)
      return false;
    int64_t count = top.count / lead.count;
    if (!subtractMultiple(rest, q, monomial, count))
      return false;
    quotient.push_back({monomial, count});
  }
  return true;
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
// Parts
//===----------------------------------------------------------------------===//

std::vector<PolynomialId>
NormalForms::getParts(ArrayRef<PolynomialId> roots) const {
  llvm::SetVector<PolynomialId> parts;
  auto add = [&](PolynomialId p) {
    if (p != 0 && p != zero && p != one)
      parts.insert(p);
  };
  for (PolynomialId root : roots)
    add(root);
  for (size_t i = 0; i < parts.size(); ++i)
    visitNested(parts[i],
                [&](PolynomialId nested, int64_t, bool) { add(nested); });
  return {parts.begin(), parts.end()};
}

void NormalForms::visitNested(
    PolynomialId p,
    llvm::function_ref<void(PolynomialId, int64_t, bool)> visit) const {
  for (const Term &term : polynomials[p].terms) {
    const Monomial &m = monomials[term.monomial];
    for (PolynomialId nested : {m.exponent, m.radicand, m.divisor})
      if (nested != zero && nested != one)
        visit(nested, m.scale, false);
    for (const Factor &factor : m.factors) {
      const Atom &atom = atoms[factor.atom];
      for (PolynomialId operand : atom.operands)
        visit(operand, m.scale, isMaximum(atom));
    }
  }
}

void NormalForms::visitMonomials(
    ArrayRef<PolynomialId> roots,
    llvm::function_ref<void(MonomialId)> visit) const {
  for (PolynomialId part : getParts(roots))
    for (const Term &term : polynomials[part].terms)
      visit(term.monomial);
}

std::vector<std::pair<llvm::StringRef, uint64_t>>
NormalForms::getFunctions(PolynomialId p) const {
  std::vector<std::pair<llvm::StringRef, uint64_t>> result;
  visitMonomials(p, [&](MonomialId monomial) {
    for (const Factor &factor : monomials[monomial].factors) {
      const Atom &atom = atoms[factor.atom];
      if (atom.kind != Atom::Kind::Variable)
        result.emplace_back(atom.name, atom.bits);
    }
  });
  return result;
}

ExprStatistics NormalForms::getStatistics() const {
  return {numQueries, numMemoHits, polynomials.size()};
}
