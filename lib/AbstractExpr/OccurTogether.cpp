//===- OccurTogether.cpp - Whether several parts fit in one term ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A term equal to y that has all parts as disjoint subterms expands to y's
// monomials. Each part contributes its monomials, multiplied by what surrounds
// it, to some of them, or lies under an exp, a sqrt, an inv or a function of
// one. Parts that contribute to the same occurrence of a monomial are
// multiplied there. It is enough to follow one monomial of each part: what
// follows is necessary, and cheap.
//
//===----------------------------------------------------------------------===//

#include "NormalForms.h"
#include <algorithm>

using namespace mirage;
using namespace mirage::detail;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;

bool NormalForms::canOccurTogether(ArrayRef<PolynomialId> parts,
                                   PolynomialId y) {
  if (parts.empty())
    return true;
  if (parts.size() == 1)
    return isSubexpressionMemoized(parts.front(), y);
  std::vector<uint32_t> key(parts.begin(), parts.end());
  std::sort(key.begin(), key.end());
  key.push_back(y);
  if (auto found = togethers.find(key); found != togethers.end())
    return found->second;

  bool result = true;
  for (PolynomialId part : parts)
    result = result && isSubexpressionMemoized(part, y);
  if (result) {
    SmallVector<Occurrence, 4> occurrences;
    for (Term term : polynomials[y].terms)
      for (int64_t i = 0, count = std::min<int64_t>(term.count, parts.size());
           i < count; ++i)
        occurrences.push_back({term.monomial, {}});
    result = placeParts(parts, occurrences);
  }
  togethers[std::move(key)] = result;
  return result;
}

/// Tries every place for every part.
bool NormalForms::placeParts(ArrayRef<PolynomialId> parts,
                             MutableArrayRef<Occurrence> occurrences) {
  if (parts.empty())
    return std::all_of(occurrences.begin(), occurrences.end(),
                       [&](const Occurrence &occurrence) {
                         return placeNested(occurrence.nested, occurrence.rest);
                       });
  PolynomialId part = parts.front();
  MonomialId monomial = polynomials[part].terms.front().monomial;
  for (Occurrence &occurrence : occurrences) {
    MonomialId rest = occurrence.rest;
    if (MonomialId quotient = divideMonomials(rest, monomial)) {
      occurrence.rest = quotient;
      if (placeParts(parts.drop_front(), occurrences))
        return true;
      occurrence.rest = rest;
    }
    occurrence.nested.push_back(part);
    if (placeNested(part, rest) && placeParts(parts.drop_front(), occurrences))
      return true;
    occurrence.nested.pop_back();
  }
  return false;
}

/// Whether the parts fit under the functions of a monomial.
bool NormalForms::placeNested(ArrayRef<PolynomialId> parts,
                              MonomialId monomial) {
  if (parts.empty())
    return true;
  // The polynomials under the functions, and whether each is there once.
  SmallVector<std::pair<PolynomialId, bool>, 4> arguments;
  const Monomial &m = monomials[monomial];
  if (m.exponent != zero)
    arguments.emplace_back(m.exponent, true);
  if (m.radicand != one)
    arguments.emplace_back(m.radicand, true);
  if (m.divisor != one)
    arguments.emplace_back(m.divisor, true);
  for (const Factor &factor : m.factors)
    for (PolynomialId operand : atoms[factor.atom].operands)
      arguments.emplace_back(operand, factor.power == 1);

  SmallVector<SmallVector<PolynomialId, 4>, 4> placed(arguments.size());
  auto place = [&](auto &self, ArrayRef<PolynomialId> left) -> bool {
    if (left.empty())
      return true;
    for (size_t a = 0; a < arguments.size(); ++a) {
      auto [argument, once] = arguments[a];
      placed[a].push_back(left.front());
      // Several copies of a function can hold a part each.
      bool fits = once ? canOccurTogether(placed[a], argument)
                       : isSubexpressionMemoized(left.front(), argument);
      if (fits && self(self, left.drop_front()))
        return true;
      placed[a].pop_back();
    }
    return false;
  };
  return place(place, parts);
}
