//===- Subexpressions.cpp - What is part of what --------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalForms.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mirage;
using namespace mirage::detail;
using llvm::ArrayRef;

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

std::vector<NormalForms::Candidate>
NormalForms::getCandidates(ArrayRef<PolynomialId> roots) const {
  std::vector<Candidate> result;
  for (PolynomialId part : getParts(roots)) {
    ArrayRef<Term> terms = polynomials[part].terms;
    for (; !terms.empty(); terms = terms.drop_front())
      result.push_back({monomials[terms.front().monomial].bits, terms.front(),
                        static_cast<unsigned>(terms.size()), part});
  }
  return result;
}

bool NormalForms::computeSubexpression(PolynomialId x, PolynomialId y) {
  auto [entry, isNew] = candidates.try_emplace(y);
  if (isNew)
    entry->second = getCandidates(y);
  ArrayRef<Term> terms = polynomials[x].terms;
  Term lead = terms.front();
  uint64_t bits = monomials[lead.monomial].bits;
  // The product of x's greatest monomial and m has terms.size() - 1 smaller
  // ones after it.
  for (const Candidate &candidate : entry->second) {
    if (!candidate.mayHold(bits, terms.size()) ||
        candidate.term.count < lead.count)
      continue;
    if (terms.size() == 1) {
      if (isDivisible(candidate.term.monomial, lead.monomial))
        return true;
      continue;
    }
    MonomialId m = divideMonomials(candidate.term.monomial, lead.monomial);
    if (m && isMultipleContained(x, m, candidate.part))
      return true;
  }
  return false;
}

MonomialId
NormalForms::findMultiple(PolynomialId x, PolynomialId y,
                          llvm::function_ref<bool(MonomialId)> accepts) {
  ArrayRef<Term> candidates = polynomials[y].terms,
                 terms = polynomials[x].terms;
  // The product of x's greatest monomial and m has terms.size() - 1 smaller
  // ones after it.
  while (candidates.size() >= terms.size()) {
    if (candidates.front().count >= terms.front().count) {
      MonomialId m =
          divideMonomials(candidates.front().monomial, terms.front().monomial);
      if (m && (!accepts || accepts(m)) && isMultipleContained(x, m, y))
        return m;
    }
    candidates = candidates.drop_front();
  }
  return 0;
}

bool NormalForms::hasMultiple(
    PolynomialId x, PolynomialId y,
    llvm::function_ref<bool(const Monomial &)> accepts) {
  return findMultiple(x, y,
                      [&](MonomialId m) { return accepts(monomials[m]); });
}

bool NormalForms::isMultipleContained(PolynomialId x, MonomialId m,
                                      PolynomialId y) {
  if (polynomials[x].terms.size() == 1)
    return true;
  Terms rest(polynomials[y].terms);
  return subtractMultiple(rest, x, m, 1);
}

//===----------------------------------------------------------------------===//
// What is part of some target
//===----------------------------------------------------------------------===//

void NormalForms::setFocus(ArrayRef<PolynomialId> targets) {
  Atom atom;
  atom.name = "<hopeless>";
  hopeless = makeAtom(atom);
  focus = getCandidates(targets);
  outlines.clear();
  for (const Candidate &candidate : focus) {
    Outline outline{candidate.bits, 0, candidate.numLeft};
    PolynomialId divisor = monomials[candidate.term.monomial].divisor;
    if (divisor != one)
      outline.divisorBits = getGreatest(divisor).bits;
    if (llvm::any_of(outlines, [&](const Outline &other) {
          return other.holds(outline);
        }))
      continue;
    llvm::erase_if(outlines,
                   [&](const Outline &other) { return outline.holds(other); });
    outlines.push_back(outline);
  }
}

const Monomial &NormalForms::getGreatest(PolynomialId p) const {
  return monomials[polynomials[p].terms.front().monomial];
}

bool NormalForms::isOutOfFocus(const Outline &outline) const {
  return hopeless && llvm::none_of(outlines, [&](const Outline &other) {
           return other.holds(outline);
         });
}

bool NormalForms::isProductOutOfFocus(PolynomialId p, PolynomialId q) const {
  size_t least = polynomials[p].terms.size() + polynomials[q].terms.size() - 1;
  return isOutOfFocus({getGreatest(p).bits | getGreatest(q).bits, 0, least});
}

bool NormalForms::isSumOutOfFocus(PolynomialId p, PolynomialId q) const {
  if (!hopeless)
    return false;
  int order = comparePolynomials(p, q);
  if (order < 0)
    std::swap(p, q);
  ArrayRef<Term> a = polynomials[p].terms, b = polynomials[q].terms;
  // A monomial that is greater than all of q's is none of these.
  bool isInBoth = a.front().monomial == b.front().monomial;
  return isOutOfFocus(
      {getGreatest(p).bits, 0, std::max(a.size(), b.size() + !isInBoth)});
}

bool NormalForms::isQuotientOutOfFocus(PolynomialId p, PolynomialId q) const {
  return isOutOfFocus({getGreatest(p).bits | kDivisorBit, getGreatest(q).bits,
                       polynomials[p].terms.size()});
}

PolynomialId NormalForms::multiplyInFocus(PolynomialId p, PolynomialId q) {
  return hopeless && isHopelessProduct(p, q) ? hopeless : multiply(p, q);
}

PolynomialId NormalForms::addInFocus(PolynomialId p, PolynomialId q) {
  return hopeless && isHopelessSum(p, q) ? hopeless : add(p, q);
}

bool NormalForms::isHopelessProduct(PolynomialId p, PolynomialId q) {
  if (p == hopeless || q == hopeless)
    return true;
  ArrayRef<Term> a = polynomials[p].terms, b = polynomials[q].terms;
  // The products of a's greatest monomial and b's are different, and so are
  // those of a's others and b's smallest.
  size_t least = a.size() + b.size() - 1;
  MonomialId greatest =
      multiplyMonomials(a.front().monomial, b.front().monomial);
  MonomialId smallest =
      least == 1 ? greatest
                 : multiplyMonomials(a.back().monomial, b.back().monomial);
  return greatest && smallest && !mayHaveMultiple(greatest, smallest, least);
}

bool NormalForms::isHopelessSum(PolynomialId p, PolynomialId q) {
  if (p == hopeless || q == hopeless)
    return true;
  ArrayRef<Term> a = polynomials[p].terms, b = polynomials[q].terms;
  MonomialId first = a.front().monomial, second = b.front().monomial;
  if (compareMonomials(first, second) < 0)
    std::swap(first, second);
  return !mayHaveMultiple(first, second, std::max(a.size(), b.size()));
}

bool NormalForms::mayHaveMultiple(MonomialId greatest, MonomialId other,
                                  size_t least) {
  uint64_t bits = monomials[greatest].bits;
  return llvm::any_of(focus, [&](const Candidate &candidate) {
    if (!candidate.mayHold(bits, least))
      return false;
    if (other == greatest)
      return isDivisible(candidate.term.monomial, greatest);
    MonomialId m = divideMonomials(candidate.term.monomial, greatest);
    MonomialId product = m ? multiplyMonomials(other, m) : 0;
    return product &&
           llvm::any_of(
               polynomials[candidate.part].terms.take_back(candidate.numLeft),
               [&](const Term &term) { return term.monomial == product; });
  });
}
