//===- ExprPrinter.cpp - Abstract expressions as text ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprTables.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>

using namespace mirage;
using namespace mirage::detail;

void mirage::detail::printConstant(llvm::raw_ostream &os, double value) {
  char text[32];
  for (int digits = 1; digits <= 17; ++digits) {
    snprintf(text, sizeof(text), "%.*g", digits, value);
    if (strtod(text, nullptr) == value)
      break;
  }
  os << text;
}

void NormalForms::printFactors(llvm::raw_ostream &os,
                               const Monomial &monomial) const {
  llvm::ListSeparator times("*");
  for (const Factor &factor : monomial.factors) {
    const Atom &atom = atoms[factor.atom];
    os << times;
    if (atom.kind == Atom::Kind::Constant)
      printConstant(os, llvm::bit_cast<double>(atom.bits));
    else
      os << atom.name;
    if (atom.kind == Atom::Kind::Function) {
      os << '(';
      llvm::interleaveComma(atom.operands, os,
                            [&](PolynomialId operand) { print(os, operand); });
      os << ')';
    }
    if (factor.power != 1)
      os << '^' << factor.power;
  }
  for (auto [name, argument, absent] :
       {std::make_tuple("exp", monomial.exponent, zero),
        std::make_tuple("sqrt", monomial.radicand, one)}) {
    if (argument == absent)
      continue;
    os << times << name << '(';
    print(os, argument);
    os << ')';
  }
}

void NormalForms::printMonomial(llvm::raw_ostream &os,
                                const Monomial &monomial) const {
  if (monomial.scale != 1)
    os << "sum(" << monomial.scale << ", ";
  printFactors(os, monomial);
  if (monomial.scale != 1)
    os << ')';
  if (monomial.divisor != one) {
    os << "/(";
    print(os, monomial.divisor);
    os << ')';
  }
}

void NormalForms::print(llvm::raw_ostream &os, PolynomialId p) const {
  llvm::ListSeparator plus(" + ");
  for (const Term &term : polynomials[p].terms) {
    os << plus;
    if (term.count != 1)
      os << term.count << ' ';
    printMonomial(os, monomials[term.monomial]);
  }
}

void ExprContext::print(llvm::raw_ostream &os, Expr x) const {
  if (x)
    tables->forms.print(os, x.id);
  else
    os << "<unknown>";
}

std::string ExprContext::print(Expr x) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, x);
  return text;
}
