//===- ElementwiseOperators.cpp - The elementwise operators' formulas -----===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperatorDefinitions.h"
#include "Mirage/Operators/Elementwise.h"

using namespace mirage;

namespace {

class Add final : public ElementwiseOperator {
public:
  Add() : ElementwiseOperator("add", 2) {}
  bool isLinearIn(unsigned) const override { return true; }
  bool isCommutative() const override { return true; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x) const override {
    return a.add(x[0], x[1]);
  }
};

class Sub final : public ElementwiseOperator {
public:
  Sub() : ElementwiseOperator("sub", 2) {}
  bool isLinearIn(unsigned) const override { return true; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x) const override {
    return a.sub(x[0], x[1]);
  }
};

class Mul final : public ElementwiseOperator {
public:
  Mul() : ElementwiseOperator("mul", 2) {}
  bool isLinearIn(unsigned) const override { return true; }
  bool isCommutative() const override { return true; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x) const override {
    return a.mul(x[0], x[1]);
  }
};

class Div final : public ElementwiseOperator {
public:
  Div() : ElementwiseOperator("div", 2) {}
  bool isLinearIn(unsigned operand) const override { return operand == 0; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x) const override {
    return a.div(x[0], x[1]);
  }
};

class Sqr final : public ElementwiseOperator {
public:
  Sqr() : ElementwiseOperator("sqr", 1) {}
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x) const override {
    return a.mul(x[0], x[0]);
  }
};

class Sqrt final : public ElementwiseOperator {
public:
  Sqrt() : ElementwiseOperator("sqrt", 1) {}
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x) const override {
    return a.sqrt(x[0]);
  }
};

class Exp final : public ElementwiseOperator {
public:
  Exp() : ElementwiseOperator("exp", 1) {}
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x) const override {
    return a.exp(x[0]);
  }
};

class Silu final : public ElementwiseOperator {
public:
  Silu() : ElementwiseOperator("silu", 1) {}
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x) const override {
    return a.function("silu", x, [&] {
      Term negated = a.sub(a.constant(0), x[0]);
      return a.div(x[0], a.add(a.constant(1), a.exp(negated)));
    });
  }
};

class Cast final : public ElementwiseOperator {
public:
  Cast() : ElementwiseOperator("cast", 1) {}
  bool isLinearIn(unsigned) const override { return true; }
  Term getFormula(ScalarAlgebra &, llvm::ArrayRef<Term> x) const override {
    return x[0];
  }
};

} // namespace

void mirage::addElementwiseOperators(OperatorList &list) {
  list.push_back(std::make_unique<Add>());
  list.push_back(std::make_unique<Sub>());
  list.push_back(std::make_unique<Mul>());
  list.push_back(std::make_unique<Div>());
  list.push_back(std::make_unique<Sqr>());
  list.push_back(std::make_unique<Sqrt>());
  list.push_back(std::make_unique<Exp>());
  list.push_back(std::make_unique<Silu>());
  list.push_back(std::make_unique<Cast>());
}
