//===- Terms.cpp - Terms of expressions -----------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprTables.h"
#include "Mirage/AbstractExpr/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;
using namespace mirage::detail;
using llvm::ArrayRef;
using llvm::SmallVector;
using Kind = ExprNode::Kind;

//===----------------------------------------------------------------------===//
// Normal forms
//===----------------------------------------------------------------------===//

bool NormalForms::isMaximum(const Atom &atom) {
  return atom.kind == Atom::Kind::Function && atom.name == "max" &&
         atom.operands.size() == 1;
}

bool NormalForms::isMaximum(PolynomialId p) const {
  ArrayRef<Term> terms = polynomials[p].terms;
  if (terms.size() != 1 || terms[0].count != 1)
    return false;
  const Monomial &monomial = monomials[terms[0].monomial];
  if (monomial.scale != 1 || monomial.factors.size() != 1 ||
      monomial.factors[0].power != 1 || monomial.exponent != zero ||
      monomial.radicand != one || monomial.divisor != one)
    return false;
  return isMaximum(atoms[monomial.factors[0].atom]);
}

NormalForms::Operation NormalForms::takeApart(PolynomialId p) {
  ArrayRef<Term> terms = polynomials[p].terms;
  // Halves, so that a count of 2^62 is 62 additions.
  if (size_t half = terms.size() / 2)
    return {Kind::Add, makePolynomial(terms.take_front(half)),
            makePolynomial(terms.drop_front(half))};
  Term term = terms.front();
  if (int64_t half = term.count / 2)
    return {Kind::Add, makePolynomial(Term{term.monomial, half}),
            makePolynomial(Term{term.monomial, term.count - half})};

  auto make = [&](ArrayRef<Factor> factors, PolynomialId exponent,
                  PolynomialId radicand, PolynomialId divisor) {
    return makePolynomial(
        makeMonomial(1, factors, exponent, radicand, divisor));
  };
  const Monomial &monomial = monomials[term.monomial];
  ArrayRef<Factor> factors = monomial.factors;
  PolynomialId exponent = monomial.exponent, radicand = monomial.radicand,
               divisor = monomial.divisor;
  if (monomial.scale != 1)
    return {Kind::Sum, make(factors, exponent, radicand, divisor), 0,
            monomial.scale};
  if (divisor != one)
    return {Kind::Div, getNumerator(monomial), divisor};
  bool hasOthers = exponent != zero || radicand != one;
  if (factors.size() > 1 || (!factors.empty() && hasOthers))
    return {Kind::Mul, make(factors.take_front(), zero, one, one),
            make(factors.drop_front(), exponent, radicand, one)};
  if (!factors.empty()) {
    auto [atom, power] = factors.front();
    if (int64_t half = power / 2)
      return {Kind::Mul, make(Factor{atom, half}, zero, one, one),
              make(Factor{atom, power - half}, zero, one, one)};
    Operation leaf;
    leaf.kind = atoms[atom].kind == Atom::Kind::Variable   ? Kind::Variable
                : atoms[atom].kind == Atom::Kind::Constant ? Kind::Constant
                                                           : Kind::Function;
    leaf.atom = atom;
    leaf.hole = atoms[atom].operands.size();
    return leaf;
  }
  if (exponent == zero)
    return {Kind::Sqrt, radicand};
  if (radicand == one)
    return {Kind::Exp, exponent};
  return {Kind::Mul, make({}, exponent, one, one),
          make({}, zero, radicand, one)};
}

PolynomialId NormalForms::getNumerator(const Monomial &monomial) {
  return makePolynomial(makeMonomial(1, monomial.factors, monomial.exponent,
                                     monomial.radicand, one));
}

void NormalForms::explainProduct(const Monomial &monomial,
                                 llvm::SmallVectorImpl<Operation> &steps) {
  if (PolynomialId numerator = getNumerator(monomial); numerator != one)
    steps.push_back({Kind::Mul, 0, numerator});
  if (monomial.divisor != one)
    steps.push_back({Kind::Div, 0, monomial.divisor});
  if (monomial.scale != 1)
    steps.push_back({Kind::Sum, 0, 0, monomial.scale});
}

void NormalForms::explainSum(PolynomialId part, PolynomialId y,
                             llvm::SmallVectorImpl<Operation> &steps) {
  MonomialId unit = polynomials[one].terms.front().monomial;
  Terms rest(polynomials[y].terms);
  subtractMultiple(rest, part, unit, 1);
  if (!rest.empty())
    steps.push_back({Kind::Add, 0, makePolynomial(rest)});
}

void NormalForms::explain(PolynomialId x, PolynomialId y,
                          llvm::SmallVectorImpl<Operation> &steps) {
  if (x == y)
    return;
  if (MonomialId m = findMultiple(x, y)) {
    explainProduct(monomials[m], steps);
    return explainSum(multiply(x, makePolynomial(m)), y, steps);
  }
  for (const Term &term : polynomials[y].terms) {
    // The monomial is a function of what x is in, times others.
    Monomial others = monomials[term.monomial];
    Operation step;
    PolynomialId inside = 0;
    SmallVector<Factor, 8> factors(others.factors);
    auto isInside = [&](PolynomialId p, PolynomialId absent) {
      bool result = !inside && p != absent && isSubexpressionMemoized(x, p);
      if (result)
        inside = p;
      return result;
    };
    for (const Factor &factor : others.factors)
      for (auto [i, operand] : llvm::enumerate(atoms[factor.atom].operands))
        if (isInside(operand, 0)) {
          step.kind = Kind::Function;
          step.atom = factor.atom;
          step.hole = i;
          Factor &left = factors[&factor - others.factors.begin()];
          if (--left.power == 0)
            factors.erase(&left);
        }
    others.factors = factors;
    if (isInside(others.exponent, zero)) {
      step.kind = Kind::Exp;
      others.exponent = zero;
    }
    if (isInside(others.radicand, one)) {
      step.kind = Kind::Sqrt;
      others.radicand = one;
    }
    if (isInside(others.divisor, one)) {
      step = {Kind::Div, getNumerator(others), 0};
      others = {others.scale, {}, zero, one, one};
    }
    if (!inside)
      continue;
    explain(x, inside, steps);
    steps.push_back(step);
    explainProduct(others, steps);
    return explainSum(makePolynomial(term.monomial), y, steps);
  }
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// `leaves` makes a handle of an id; holes are null.
template <typename F>
static ExprNode makeNode(const NormalForms &forms,
                         const NormalForms::Operation &operation, F getExpr) {
  ExprNode node;
  node.kind = operation.kind;
  node.factor = operation.factor;
  switch (operation.kind) {
  case Kind::Add:
  case Kind::Mul:
  case Kind::Div:
    node.operands = {getExpr(operation.a), getExpr(operation.b)};
    break;
  case Kind::Sum:
  case Kind::Exp:
  case Kind::Sqrt:
    node.operands = {getExpr(operation.a)};
    break;
  case Kind::Variable:
  case Kind::Constant:
  case Kind::Function: {
    const Atom &atom = forms.getAtom(operation.atom);
    node.name = atom.name;
    node.value = llvm::bit_cast<double>(atom.bits);
    for (auto [i, operand] : llvm::enumerate(atom.operands))
      node.operands.push_back(getExpr(i == operation.hole ? 0 : operand));
    break;
  }
  }
  return node;
}

ExprNode ExprContext::getNode(Expr x) {
  return makeNode(tables->forms, tables->getOperation(x.id),
                  [](PolynomialId p) { return Expr(p); });
}

std::optional<std::vector<Expr>> ExprContext::getTerm(Expr x, size_t maxNodes) {
  std::vector<Expr> result;
  llvm::DenseSet<Expr> done;
  // A node is met a second time when its operands are done.
  struct Visit {
    Expr expr;
    bool operandsDone;
  };
  SmallVector<Visit> stack{{x, false}};
  while (!stack.empty()) {
    Visit visit = stack.pop_back_val();
    if (visit.operandsDone) {
      result.push_back(visit.expr);
      continue;
    }
    if (!done.insert(visit.expr).second)
      continue;
    if (done.size() > maxNodes)
      return std::nullopt;
    stack.push_back({visit.expr, true});
    for (Expr operand : getNode(visit.expr).operands)
      stack.push_back({operand, false});
  }
  return result;
}

std::optional<ExprWitness> ExprContext::explain(Expr x, Expr y) {
  if (!x || !y || !isSubexpression(x, y))
    return std::nullopt;
  SmallVector<NormalForms::Operation> steps;
  tables->forms.explain(x.id, y.id, steps);
  ExprWitness witness;
  for (const NormalForms::Operation &step : steps)
    witness.push_back(
        makeNode(tables->forms, step, [](PolynomialId p) { return Expr(p); }));
  return witness;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// Prints s-expressions of bounded length.
class TermPrinter {
public:
  TermPrinter(ExprContext &context, llvm::raw_ostream &os)
      : context(context), os(os) {}

  void print(Expr x) {
    if (!x) {
      os << "<unknown>";
      return;
    }
    if (left == 0) {
      os << "...";
      return;
    }
    --left;
    print(context.getNode(x), [&](Expr operand) { print(operand); });
  }

  /// What the first so many nodes of a witness make.
  void print(const ExprWitness &witness, size_t count) {
    if (count == 0) {
      os << '_';
      return;
    }
    print(witness[count - 1], [&](Expr operand) {
      if (operand)
        print(operand);
      else
        print(witness, count - 1);
    });
  }

private:
  template <typename F> void print(const ExprNode &node, F printOperand) {
    if (node.kind == Kind::Variable || node.kind == Kind::Constant) {
      if (node.kind == Kind::Variable)
        os << node.name;
      else
        printConstant(os, node.value);
      return;
    }
    static constexpr const char *names[] = {"",    "",    "add", "mul",
                                            "div", "sum", "exp", "sqrt"};
    os << '(';
    if (node.kind == Kind::Function)
      os << node.name;
    else
      os << names[static_cast<size_t>(node.kind)];
    if (node.kind == Kind::Sum)
      os << ' ' << node.factor;
    for (Expr operand : node.operands) {
      os << ' ';
      printOperand(operand);
    }
    os << ')';
  }

  ExprContext &context;
  llvm::raw_ostream &os;
  /// How many nodes may still be printed; this bounds the depth as well.
  unsigned left = 500;
};
} // namespace

void ExprContext::printTerm(llvm::raw_ostream &os, Expr x) {
  TermPrinter(*this, os).print(x);
}

void ExprContext::printTerm(llvm::raw_ostream &os, const ExprWitness &witness) {
  TermPrinter(*this, os).print(witness, witness.size());
}
