//===- Z3Theory.cpp - Abstract expressions in Z3 --------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Z3Theory.h"
#include "Mirage/Operators/Elementwise.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using Kind = ExprNode::Kind;

/// Z3 adds up weights along the chain of instances that led to an instance, and
/// makes none beyond a cost of 20: with this weight those six deep. A_sub makes
/// no terms, only relates them, and its chains are long: it weighs nothing.
static constexpr unsigned kEqualityWeight = 3, kPartWeight = 0;

/// Instances are made for terms that match the pattern, if there is one.
static z3::expr makeForall(llvm::ArrayRef<z3::expr> variables,
                           const z3::expr &body, unsigned weight,
                           const z3::expr *pattern = nullptr) {
  z3::context &z3 = body.ctx();
  if (variables.empty())
    return body;
  std::vector<Z3_app> bound(variables.begin(), variables.end());
  std::vector<Z3_pattern> patterns;
  if (pattern) {
    Z3_ast terms[] = {*pattern};
    patterns.push_back(Z3_mk_pattern(z3, 1, terms));
  }
  Z3_ast result = Z3_mk_forall_const(z3, weight, bound.size(), bound.data(),
                                     patterns.size(), patterns.data(), body);
  z3.check_error();
  return z3::expr(z3, result);
}

Z3Theory::Z3Theory(ExprContext &exprs, bool splitSums)
    : exprs(exprs), splitSums(splitSums), sort(z3.uninterpreted_sort("Expr")),
      size(z3.uninterpreted_sort("Size")),
      subexpr(z3.function("subexpr", sort, sort, z3.bool_sort())),
      add(z3.function("add", sort, sort, sort)),
      mul(z3.function("mul", sort, sort, sort)),
      div(z3.function("div", sort, sort, sort)),
      sum(z3.function("sum", size, sort, sort)),
      times(z3.function("times", size, size, size)),
      exp(z3.function("exp", sort, sort)),
      sqrt(z3.function("sqrt", sort, sort)), anySize(z3.constant("k", size)) {
  addPaperAxioms();
}

void Z3Theory::addPaperAxioms() {
  z3::expr x = z3.constant("x", sort), y = z3.constant("y", sort),
           z = z3.constant("z", sort);
  z3::expr i = z3.constant("i", size), j = z3.constant("j", size);
  auto addEqual = [&](llvm::ArrayRef<z3::expr> variables, const z3::expr &lhs,
                      const z3::expr &rhs) {
    axioms.push_back(makeForall(variables, lhs == rhs, kEqualityWeight));
  };
  auto addPart = [&](llvm::ArrayRef<z3::expr> variables, const z3::expr &body) {
    axioms.push_back(makeForall(variables, body, kPartWeight));
  };
  // Table 1.
  addEqual({x, y}, add(x, y), add(y, x));
  addEqual({x, y}, mul(x, y), mul(y, x));
  addEqual({x, y, z}, add(x, add(y, z)), add(add(x, y), z));
  addEqual({x, y, z}, mul(x, mul(y, z)), mul(mul(x, y), z));
  addEqual({x, y, z}, add(mul(x, z), mul(y, z)), mul(add(x, y), z));
  addEqual({x, y, z}, add(div(x, z), div(y, z)), div(add(x, y), z));
  addEqual({x, y, z}, mul(x, div(y, z)), div(mul(x, y), z));
  addEqual({x, y, z}, div(div(x, y), z), div(x, mul(y, z)));
  addEqual({i, j, x}, sum(i, sum(j, x)), sum(times(i, j), x));
  addEqual({i, x, y}, sum(i, add(x, y)), add(sum(i, x), sum(i, y)));
  addEqual({i, x, y}, sum(i, mul(x, y)), mul(sum(i, x), y));
  addEqual({i, x, y}, sum(i, div(x, y)), div(sum(i, x), y));
  addEqual({x, y}, mul(exp(x), exp(y)), exp(add(x, y)));
  addEqual({x, y}, mul(sqrt(x), sqrt(y)), sqrt(mul(x, y)));
  // Not in the paper.
  z3::func_decl max = makeFunction("max", 1);
  addEqual({x}, max(max(x)), max(x));
  // Table 2; functions bring their own.
  addPart({x}, subexpr(x, x));
  addPart({x, y, z},
          z3::implies(subexpr(x, y) && subexpr(y, z), subexpr(x, z)));
  addPart({x, y}, subexpr(x, add(x, y)));
  addPart({x, y}, subexpr(x, mul(x, y)));
  addPart({x, y}, subexpr(x, div(x, y)));
  addPart({x, y}, subexpr(y, div(x, y)));
  addPart({i, x}, subexpr(x, sum(i, x)));
  addPart({x}, subexpr(x, exp(x)));
  addPart({x}, subexpr(x, sqrt(x)));
}

std::vector<z3::expr> Z3Theory::takeAxioms() {
  return std::exchange(axioms, {});
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

z3::func_decl Z3Theory::makeFunction(llvm::StringRef name, size_t arity) {
  z3::sort_vector domain(z3);
  z3::expr_vector operands(z3);
  std::vector<z3::expr> variables;
  for (size_t i = 0; i < arity; ++i) {
    domain.push_back(sort);
    variables.push_back(z3.constant(("x" + std::to_string(i)).c_str(), sort));
    operands.push_back(variables.back());
  }
  z3::func_decl function =
      z3.function(("f:" + name.str()).c_str(), domain, sort);
  if (functions.emplace(name.str(), arity).second)
    for (const z3::expr &operand : variables)
      axioms.push_back(makeForall(
          variables, subexpr(operand, function(operands)), kPartWeight));
  return function;
}

z3::expr Z3Theory::makeConstant(double value) {
  std::string name = "c:" + std::to_string(llvm::bit_cast<uint64_t>(value));
  return z3.constant(name.c_str(), sort);
}

z3::expr Z3Theory::makeSizeConstant(int64_t factor) {
  return z3.constant(("n:" + std::to_string(factor)).c_str(), size);
}

z3::expr Z3Theory::makeSize(int64_t factor) {
  z3::expr constant = makeSizeConstant(factor);
  if (!sizes.insert(factor).second)
    return constant;
  for (int64_t other : sizes) {
    int64_t product;
    if (llvm::MulOverflow(factor, other, product))
      continue;
    z3::expr operand = makeSizeConstant(other),
             result = makeSizeConstant(product);
    axioms.push_back(times(constant, operand) == result);
    axioms.push_back(times(operand, constant) == result);
  }
  // The axiom of nested sums splits one only if its parts are there already. So
  // here it is for all parts of the sums that occur.
  constexpr int64_t kMostParts = 4096;
  int64_t mostParts = splitSums ? std::min(factor / 2, kMostParts) : 0;
  z3::expr x = z3.constant("x", sort), whole = sum(constant, x);
  for (int64_t part = 2; part <= mostParts; ++part)
    if (factor % part == 0) {
      z3::expr split = sum(makeSize(part), sum(makeSize(factor / part), x));
      axioms.push_back(
          makeForall({x}, whole == split, kEqualityWeight, &whole));
    }
  return constant;
}

z3::expr Z3Theory::translate(const ExprNode &node, Operands operands) {
  switch (node.kind) {
  case Kind::Variable:
    return z3.constant(("v:" + node.name.str()).c_str(), sort);
  case Kind::Constant:
    return makeConstant(node.value);
  case Kind::Add:
    return add(operands[0], operands[1]);
  case Kind::Mul:
    return mul(operands[0], operands[1]);
  case Kind::Div:
    return div(operands[0], operands[1]);
  case Kind::Sum:
    return sum(makeSize(node.factor), operands[0]);
  case Kind::Exp:
    return exp(operands[0]);
  case Kind::Sqrt:
    return sqrt(operands[0]);
  case Kind::Function: {
    z3::expr_vector arguments(z3);
    for (const z3::expr &operand : operands)
      arguments.push_back(operand);
    return makeFunction(node.name, operands.size())(arguments);
  }
  }
  llvm_unreachable("covered switch");
}

z3::expr Z3Theory::translate(Expr x) {
  if (auto found = numbers.find(x); found != numbers.end())
    return terms[found->second];
  std::optional<std::vector<Expr>> parts = exprs.getTerm(x, kMaxNodes);
  if (!parts)
    throw z3::exception("a term is too large");
  for (Expr part : *parts) {
    if (numbers.count(part))
      continue;
    ExprNode node = exprs.getNode(part);
    std::vector<z3::expr> operands;
    for (Expr operand : node.operands)
      operands.push_back(terms[numbers.lookup(operand)]);
    terms.push_back(translate(node, operands));
    numbers[part] = terms.size() - 1;
  }
  return terms[numbers.lookup(x)];
}

z3::expr Z3Theory::makeSubexpression(Expr x, Expr y) {
  return subexpr(translate(x), translate(y));
}

z3::expr Z3Theory::makeEqual(Expr x, Expr y) {
  return translate(x) == translate(y);
}

z3::expr Z3Theory::makeMention(Expr x) {
  std::string name = "t:" + std::to_string(x.getId());
  return z3.constant(name.c_str(), sort) == translate(x);
}

//===----------------------------------------------------------------------===//
// Axioms of users
//===----------------------------------------------------------------------===//

llvm::Error Z3Theory::addAxiom(const solve::Axiom &axiom,
                               llvm::StringRef file) {
  if (axiom.formula->kind != solve::Formula::Kind::Equal)
    return llvm::createStringError(
        file + ":" + llvm::Twine(axiom.line) + ":" + llvm::Twine(axiom.column) +
        ": error: abstract expressions have no order and no truth values: the "
        "oracle takes axioms of the form 'forall x, .. . term = term' only");
  std::vector<z3::expr> variables;
  for (const std::string &name : axiom.variables)
    variables.push_back(z3.constant(("a:" + name).c_str(), sort));
  z3::expr lhs = translate(*axiom.formula->lhs, variables),
           rhs = translate(*axiom.formula->rhs, variables);
  if (axiom.hasSums)
    variables.push_back(anySize);
  axioms.push_back(makeForall(variables, lhs == rhs, kEqualityWeight));
  return llvm::Error::success();
}

z3::expr Z3Theory::translate(const solve::Term &term, Operands variables) {
  std::vector<z3::expr> operands;
  for (const solve::TermRef &arg : term.args)
    operands.push_back(translate(*arg, variables));
  switch (term.kind) {
  case solve::Term::Kind::Number: {
    // The nearest double, as constants of programs are.
    std::string text = std::to_string(static_cast<int64_t>(term.significand)) +
                       "e" + std::to_string(term.exponent);
    return makeConstant(std::strtod(text.c_str(), nullptr));
  }
  case solve::Term::Kind::Variable:
    return variables[term.variable];
  case solve::Term::Kind::Add:
    return add(operands[0], operands[1]);
  case solve::Term::Kind::Sub: {
    // As in the expression of the operator, and of a negation.
    const z3::expr negated = mul(makeConstant(-1), operands[1]);
    const solve::Term &from = *term.args[0];
    if (from.kind == solve::Term::Kind::Number && from.significand == 0)
      return negated;
    return add(operands[0], negated);
  }
  case solve::Term::Kind::Mul:
    return mul(operands[0], operands[1]);
  case solve::Term::Kind::Div:
    return div(operands[0], operands[1]);
  case solve::Term::Kind::Sum:
    // All sums of an axiom run over one index.
    return sum(anySize, operands[0]);
  case solve::Term::Kind::Operator:
    return makeOperator(term, operands);
  case solve::Term::Kind::Function: {
    ExprNode node;
    node.kind = Kind::Function;
    node.name = term.name;
    return translate(node, operands);
  }
  }
  llvm_unreachable("covered switch");
}

/// An operator's expression over unknowns, and these replaced.
z3::expr Z3Theory::makeOperator(const solve::Term &term, Operands operands) {
  ExprContext context;
  std::vector<Expr> unknowns;
  for (size_t i = 0; i < operands.size(); ++i)
    unknowns.push_back(context.variable(std::to_string(i)));
  Expr x = term.op->getExpr(context, {}, unknowns, term.params);
  llvm::DenseMap<Expr, unsigned> places;
  std::vector<z3::expr> parts;
  for (size_t i = 0; i < operands.size(); ++i) {
    places[unknowns[i]] = parts.size();
    parts.push_back(operands[i]);
  }
  std::optional<std::vector<Expr>> nodes = context.getTerm(x, kMaxNodes);
  for (Expr part : *nodes) {
    if (places.count(part))
      continue;
    ExprNode node = context.getNode(part);
    std::vector<z3::expr> inner;
    for (Expr operand : node.operands)
      inner.push_back(parts[places.lookup(operand)]);
    parts.push_back(translate(node, inner));
    places[part] = parts.size() - 1;
  }
  return parts[places.lookup(x)];
}
