//===- Expr.cpp - Abstract expressions and the subexpression relation -----===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/AbstractExpr/Expr.h"
#include "ExprTables.h"
#include "llvm/ADT/bit.h"

using namespace mirage;
using detail::Atom;
using detail::PolynomialId;
using Kind = ExprNode::Kind;

ExprContext::ExprContext(ExprLimits limits)
    : tables(std::make_unique<detail::ExprTables>(limits)) {}
ExprContext::~ExprContext() = default;
ExprContext::ExprContext(ExprContext &&) = default;
ExprContext &ExprContext::operator=(ExprContext &&) = default;

Expr ExprContext::variable(llvm::StringRef name) {
  uint32_t symbol = tables->getSymbol(name);
  return Expr(tables->call(Kind::Variable, symbol, 0, 0, [&] {
    Atom atom;
    atom.kind = Atom::Kind::Variable;
    atom.name = name;
    return tables->setOrigin(tables->forms.makeAtom(atom), Kind::Variable);
  }));
}

Expr ExprContext::constant(double value) {
  auto bits = llvm::bit_cast<uint64_t>(value);
  return Expr(tables->call(Kind::Constant, 0, bits >> 32, bits, [&] {
    Atom atom;
    atom.kind = Atom::Kind::Constant;
    atom.bits = bits;
    return tables->setOrigin(tables->forms.makeAtom(atom), Kind::Constant);
  }));
}

bool ExprContext::hasOnlyFunctionsOf(Expr x, Expr y) {
  if (!x || !y)
    return true;
  auto known = tables->forms.getFunctions(y.id);
  return llvm::all_of(tables->forms.getFunctions(x.id), [&](auto function) {
    return llvm::is_contained(known, function);
  });
}

void ExprContext::setFocus(llvm::ArrayRef<Expr> targets) {
  llvm::SmallVector<PolynomialId> ids;
  for (Expr target : targets) {
    if (!target)
      return;
    ids.push_back(target.id);
  }
  tables->forms.setFocus(ids);
  // It wasn't made of anything.
  variable("<hopeless>");
}

/// The result of an operator; beyond a limit of normal forms there is none.
/// What is made of an expression is within no limit that it exceeds: no law
/// takes anything away. So it is a part of no target, all of which have a
/// normal form.
Expr ExprContext::inFocus(uint32_t result) const {
  return Expr(result ? result : tables->forms.getHopeless());
}

Expr ExprContext::add(Expr x, Expr y) {
  if (!x || !y)
    return Expr();
  if (tables->forms.isSumOutOfFocus(x.id, y.id))
    return Expr(tables->forms.getHopeless());
  auto [a, b] = std::minmax(x.id, y.id);
  return inFocus(tables->call(Kind::Add, 0, a, b, [&] {
    return tables->setOrigin(tables->forms.addInFocus(x.id, y.id), Kind::Add,
                             x.id, y.id);
  }));
}

Expr ExprContext::mul(Expr x, Expr y) {
  if (!x || !y)
    return Expr();
  if (tables->forms.isProductOutOfFocus(x.id, y.id))
    return Expr(tables->forms.getHopeless());
  auto [a, b] = std::minmax(x.id, y.id);
  return inFocus(tables->call(Kind::Mul, 0, a, b, [&] {
    return tables->setOrigin(tables->forms.multiplyInFocus(x.id, y.id),
                             Kind::Mul, x.id, y.id);
  }));
}

Expr ExprContext::div(Expr x, Expr y) {
  if (!x || !y)
    return Expr();
  if (tables->forms.isQuotientOutOfFocus(x.id, y.id))
    return Expr(tables->forms.getHopeless());
  return inFocus(tables->call(Kind::Div, 0, x.id, y.id, [&] {
    PolynomialId inverse = tables->forms.makeInv(y.id);
    return inverse
               ? tables->setOrigin(tables->forms.multiplyInFocus(x.id, inverse),
                                   Kind::Div, x.id, y.id)
               : 0;
  }));
}

Expr ExprContext::sum(int64_t k, Expr x) {
  if (!x || k < 1)
    return Expr();
  if (k == 1)
    return x;
  auto compute = [&] {
    return tables->setOrigin(tables->forms.scale(k, x.id), Kind::Sum, x.id, 0,
                             k);
  };
  if (k > UINT32_MAX)
    return inFocus(compute());
  return inFocus(tables->call(Kind::Sum, 0, x.id, k, compute));
}

Expr ExprContext::exp(Expr x) {
  if (!x)
    return Expr();
  return inFocus(tables->call(Kind::Exp, 0, x.id, 0, [&] {
    return tables->setOrigin(tables->forms.makeExp(x.id), Kind::Exp, x.id);
  }));
}

Expr ExprContext::sqrt(Expr x) {
  if (!x)
    return Expr();
  return inFocus(tables->call(Kind::Sqrt, 0, x.id, 0, [&] {
    return tables->setOrigin(tables->forms.makeSqrt(x.id), Kind::Sqrt, x.id);
  }));
}

Expr ExprContext::apply(llvm::StringRef function,
                        llvm::ArrayRef<Expr> operands) {
  if (operands.size() == 1 && function == "max")
    return max(operands[0]);
  llvm::SmallVector<PolynomialId, 4> ids;
  for (Expr operand : operands) {
    if (!operand)
      return Expr();
    ids.push_back(operand.id);
  }
  auto compute = [&] {
    Atom atom;
    atom.kind = Atom::Kind::Function;
    atom.name = function;
    atom.operands = ids;
    return tables->setOrigin(tables->forms.makeAtom(atom), Kind::Function);
  };
  // An absent operand is 0, which is no expression.
  if (ids.size() > 2)
    return inFocus(compute());
  uint32_t symbol = tables->getSymbol(function);
  ids.resize(2);
  uint32_t a = ids[0], b = ids[1];
  ids.resize(operands.size());
  return inFocus(tables->call(Kind::Function, symbol, a, b, compute));
}

Expr ExprContext::max(Expr x) {
  if (!x)
    return Expr();
  return inFocus(
      tables->call(Kind::Function, tables->getMaxSymbol(), x.id, 0, [&] {
        if (tables->forms.isMaximum(x.id))
          return x.id;
        Atom atom;
        atom.kind = Atom::Kind::Function;
        atom.name = "max";
        atom.operands = x.id;
        return tables->setOrigin(tables->forms.makeAtom(atom), Kind::Function);
      }));
}

bool ExprContext::isSubexpression(Expr x, Expr y) {
  if (x && y)
    return tables->forms.isSubexpression(x.id, y.id);
  tables->forms.countTrivialQuery();
  return true;
}

bool ExprContext::canOccurTogether(llvm::ArrayRef<Expr> parts, Expr y) {
  llvm::SmallVector<PolynomialId, 8> ids;
  for (Expr part : parts) {
    if (!part)
      return true;
    ids.push_back(part.id);
  }
  return !y || tables->forms.canOccurTogether(ids, y.id);
}

ExprStatistics ExprContext::getStatistics() const {
  return tables->forms.getStatistics();
}
