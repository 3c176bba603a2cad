//===- Expr.cpp - Abstract expressions and the subexpression relation -----===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/Expr.h"
#include "NormalForms.h"
#include "llvm/ADT/bit.h"

using namespace mirage;
using detail::Atom;
using detail::PolynomialId;

ExprContext::ExprContext(ExprLimits limits)
    : forms(std::make_unique<detail::NormalForms>(limits)) {}
ExprContext::~ExprContext() = default;
ExprContext::ExprContext(ExprContext &&) = default;
ExprContext &ExprContext::operator=(ExprContext &&) = default;

Expr ExprContext::variable(llvm::StringRef name) {
  Atom atom;
  atom.kind = Atom::Kind::Variable;
  atom.name = name;
  return Expr(forms->makeAtom(atom));
}

Expr ExprContext::constant(double value) {
  Atom atom;
  atom.kind = Atom::Kind::Constant;
  atom.bits = llvm::bit_cast<uint64_t>(value);
  return Expr(forms->makeAtom(atom));
}

Expr ExprContext::add(Expr x, Expr y) {
  return x && y ? Expr(forms->add(x.id, y.id)) : Expr();
}

Expr ExprContext::mul(Expr x, Expr y) {
  return x && y ? Expr(forms->multiply(x.id, y.id)) : Expr();
}

Expr ExprContext::div(Expr x, Expr y) {
  if (!x || !y)
    return Expr();
  PolynomialId inverse = forms->makeInv(y.id);
  return inverse ? Expr(forms->multiply(x.id, inverse)) : Expr();
}

Expr ExprContext::sum(int64_t k, Expr x) {
  return x && k >= 1 ? Expr(forms->scale(k, x.id)) : Expr();
}

Expr ExprContext::exp(Expr x) {
  return x ? Expr(forms->makeExp(x.id)) : Expr();
}

Expr ExprContext::sqrt(Expr x) {
  return x ? Expr(forms->makeSqrt(x.id)) : Expr();
}

Expr ExprContext::apply(llvm::StringRef function,
                        llvm::ArrayRef<Expr> operands) {
  llvm::SmallVector<PolynomialId, 4> ids;
  for (Expr operand : operands) {
    if (!operand)
      return Expr();
    ids.push_back(operand.id);
  }
  Atom atom;
  atom.kind = Atom::Kind::Function;
  atom.name = function;
  atom.operands = ids;
  return Expr(forms->makeAtom(atom));
}

bool ExprContext::isSubexpression(Expr x, Expr y) {
  if (x && y)
    return forms->isSubexpression(x.id, y.id);
  forms->countTrivialQuery();
  return true;
}

bool ExprContext::canOccurTogether(llvm::ArrayRef<Expr> parts, Expr y) {
  llvm::SmallVector<PolynomialId, 8> ids;
  for (Expr part : parts) {
    if (!part)
      return true;
    ids.push_back(part.id);
  }
  return !y || forms->canOccurTogether(ids, y.id);
}

ExprStatistics ExprContext::getStatistics() const {
  return forms->getStatistics();
}
