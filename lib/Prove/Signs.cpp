//===- Signs.cpp - Signs, and where terms are defined ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rationals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage::prove;

static bool isEven(const Rational &value) {
  return value.num % value.den == 0 && value.num / value.den % 2 == 0;
}

bool TermContext::isNonNegative(const Base &base) const {
  switch (base.kind) {
  case Base::Kind::Exp:
  case Base::Kind::Indicator:
  case Base::Kind::Constant:
  case Base::Kind::Size:
    return true;
  case Base::Kind::Poly:
    return isNonNegative(*base.args[0]);
  case Base::Kind::Max:
    return llvm::any_of(base.entries,
                        [&](const Monomial &entry) {
                          return isNonNegative(*entry.factors[0].base);
                        }) ||
           isAbsolute(base);
  case Base::Kind::Read:
  case Base::Kind::Function:
    return false;
  }
  llvm_unreachable("covered switch");
}

/// Whether it is max(x, -x) for some x.
bool TermContext::isAbsolute(const Base &base) const {
  if (base.entries.size() != 2 || !base.entries[0].bound.empty() ||
      !base.entries[1].bound.empty())
    return false;
  const auto &a = base.entries[0].factors[0].base->args[0]->monomials;
  const auto &b = base.entries[1].factors[0].base->args[0]->monomials;
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           auto &[x, y] = pair;
           return x.id == y.id && x.coefficient == -y.coefficient;
         });
}

bool TermContext::isNonNegative(const Factor &factor) const {
  // Where a root is defined it isn't negative.
  return isEven(factor.exponent) || !isInteger(factor.exponent) ||
         isNonNegative(*factor.base);
}

bool TermContext::isNonNegative(const Poly &term) const {
  if (auto known = nonNegative.find(term.id); known != nonNegative.end())
    return known->second;
  bool result = llvm::all_of(term.monomials, [&](const Monomial &monomial) {
    return monomial.coefficient.num > 0 &&
           llvm::all_of(monomial.factors, [&](const Factor &factor) {
             return isNonNegative(factor);
           });
  });
  return nonNegative[term.id] = result;
}

bool TermContext::isPositive(const Factor &factor) const {
  switch (factor.base->kind) {
  case Base::Kind::Exp:
  case Base::Kind::Constant:
  case Base::Kind::Size:
    return true;
  case Base::Kind::Poly:
    return isPositive(*factor.base->args[0]);
  case Base::Kind::Max:
    return llvm::any_of(factor.base->entries, [&](const Monomial &entry) {
      return isPositive(entry.factors[0]);
    });
  case Base::Kind::Indicator:
  case Base::Kind::Read:
  case Base::Kind::Function:
    return false;
  }
  llvm_unreachable("covered switch");
}

bool TermContext::isPositive(const Poly &term) const {
  if (auto known = positive.find(term.id); known != positive.end())
    return known->second;
  bool result =
      isNonNegative(term) &&
      llvm::any_of(term.monomials, [&](const Monomial &monomial) {
        return llvm::all_of(monomial.factors, [&](const Factor &factor) {
          return isPositive(factor);
        });
      });
  return positive[term.id] = result;
}

void TermContext::require(Obligation::Kind kind, const PolyRef &term) {
  if (hasFailed())
    return;
  if (kind == Obligation::Kind::NonNegative) {
    if (isNonNegative(*term))
      return;
    // A factor that may be zero counts: -x^2 is not negative where x is 0.
    auto [content, rest] = extractContent(term, /*onlyNonNegative=*/true);
    bool isPositiveContent = llvm::all_of(
        content.factors, [&](const Factor &f) { return isPositive(f); });
    obligations.push_back({kind, isPositiveContent ? rest : term});
    return;
  }
  // A product is not zero where no factor is.
  auto [content, rest] = extractContent(term, /*onlyNonNegative=*/false);
  for (const Factor &factor : content.factors)
    if (!isPositive(factor))
      obligations.push_back({kind, makeFactor(factor.base, Rational(1, 1))});
  bool isConstant =
      rest->monomials.size() == 1 && rest->monomials[0].factors.empty();
  if (!isConstant && !isPositive(*rest))
    obligations.push_back({kind, rest});
}

std::vector<Obligation> TermContext::takeObligations() {
  return std::exchange(obligations, {});
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void print(const Poly &term, llvm::raw_ostream &out, size_t maxLength);

/// Nothing more when there are more than so many characters: terms share parts,
/// so that all of the text may be exponentially longer than they are large.
static void print(const Base &base, llvm::raw_ostream &out, size_t maxLength) {
  if (out.tell() > maxLength)
    return;
  switch (base.kind) {
  case Base::Kind::Read:
    out << "x" << base.number;
    break;
  case Base::Kind::Exp:
    out << "exp";
    break;
  case Base::Kind::Poly:
    break;
  case Base::Kind::Function:
    out << base.name;
    break;
  case Base::Kind::Max:
    out << "max";
    break;
  case Base::Kind::Indicator:
    out << "below" << base.number;
    break;
  case Base::Kind::Constant:
  case Base::Kind::Size:
    out << base.number;
    break;
  }
  if (!base.indices.empty()) {
    out << '[';
    llvm::interleaveComma(base.indices, out,
                          [&](const Index &index) { index.print(out); });
    out << ']';
  }
  if (!base.args.empty()) {
    out << '(';
    llvm::interleaveComma(base.args, out, [&](const PolyRef &arg) {
      print(*arg, out, maxLength);
    });
    out << ')';
  }
  for (const Monomial &entry : base.entries) {
    out << '{';
    for (const Bound &bound : entry.bound)
      out << 'v' << bound.var << '<' << bound.extent << ' ';
    print(*entry.factors[0].base, out, maxLength);
    out << '}';
  }
}

static void print(const Poly &term, llvm::raw_ostream &out, size_t maxLength) {
  if (term.isZero())
    out << '0';
  llvm::interleave(
      term.monomials, out,
      [&](const Monomial &monomial) {
        monomial.coefficient.print(out);
        for (const Bound &bound : monomial.bound)
          out << " sum v" << bound.var << '<' << bound.extent;
        for (const Factor &factor : monomial.factors) {
          out << ' ';
          print(*factor.base, out, maxLength);
          if (factor.exponent != Rational(1, 1))
            factor.exponent.print(out << '^');
        }
      },
      " + ");
}

std::string TermContext::print(const PolyRef &term, size_t maxLength) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  ::print(*term, out, maxLength);
  if (text.size() > maxLength)
    text.replace(maxLength, std::string::npos, "...");
  return text;
}
