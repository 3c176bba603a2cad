//===- ElementwiseOperators.cpp - The elementwise operators' formulas -----===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Operators/Elementwise.h"
#include "OperatorDefinitions.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mirage;

namespace {

using Term = ScalarAlgebra::Term;

Term negate(ScalarAlgebra &a, Term x) { return a.sub(a.constant(0), x); }

Term sigmoid(ScalarAlgebra &a, Term x) {
  return a.div(a.constant(1), a.add(a.constant(1), a.exp(negate(a, x))));
}

Term min(ScalarAlgebra &a, Term x, Term y) {
  return negate(a, a.max(negate(a, x), negate(a, y)));
}

/// Parameters are integers; a number is kept as the bits of a double.
int64_t readNumber(mlir::Operation *op, llvm::StringRef name) {
  return llvm::bit_cast<int64_t>(
      op->getAttrOfType<mlir::FloatAttr>(name).getValueAsDouble());
}

void writeNumber(mlir::OperationState &state, llvm::StringRef name,
                 int64_t bits) {
  state.addAttribute(name, mlir::Builder(state.getContext())
                               .getF64FloatAttr(llvm::bit_cast<double>(bits)));
}

class Add final : public ElementwiseOperator {
public:
  Add() : ElementwiseOperator("add", 2) {}
  bool isLinearIn(unsigned) const override { return true; }
  bool isCommutative() const override { return true; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.add(x[0], x[1]);
  }
};

class Sub final : public ElementwiseOperator {
public:
  Sub() : ElementwiseOperator("sub", 2) {}
  bool isDifference() const override { return true; }
  bool isLinearIn(unsigned) const override { return true; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.sub(x[0], x[1]);
  }
};

class Mul final : public ElementwiseOperator {
public:
  Mul() : ElementwiseOperator("mul", 2) {}
  bool isLinearIn(unsigned) const override { return true; }
  bool isHomogeneousIn(unsigned) const override { return true; }
  bool isCommutative() const override { return true; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.mul(x[0], x[1]);
  }
};

class Div final : public ElementwiseOperator {
public:
  Div() : ElementwiseOperator("div", 2) {}
  bool isQuotient() const override { return true; }
  bool isLinearIn(unsigned operand) const override { return operand == 0; }
  bool isHomogeneousIn(unsigned operand) const override { return operand == 0; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.div(x[0], x[1]);
  }
};

class Sqr final : public ElementwiseOperator {
public:
  Sqr() : ElementwiseOperator("sqr", 1) {}
  bool isSquare() const override { return true; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.mul(x[0], x[0]);
  }
};

class Sqrt final : public ElementwiseOperator {
public:
  Sqrt() : ElementwiseOperator("sqrt", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. sqrt(x) >= 0
      axiom forall x. sqrt(x) * sqrt(x) = x
      axiom forall x, y. sqrt(x) < sqrt(y) => x < y
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.sqrt(x[0]);
  }
};

class Exp final : public ElementwiseOperator {
public:
  Exp() : ElementwiseOperator("exp", 1) {}
  bool isExponential() const override { return true; }
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. exp(x) > 0
      axiom forall x. exp(x) >= 1 + x
      axiom forall x, y. x < y => exp(x) < exp(y)
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.exp(x[0]);
  }
};

class Neg final : public ElementwiseOperator {
public:
  Neg() : ElementwiseOperator("neg", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. neg(neg(x)) = x
    )";
  }
  bool isLinearIn(unsigned) const override { return true; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return negate(a, x[0]);
  }
};

class Rsqrt final : public ElementwiseOperator {
public:
  Rsqrt() : ElementwiseOperator("rsqrt", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. rsqrt(x) > 0
      axiom forall x. rsqrt(x) * sqrt(x) = 1
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.div(a.constant(1), a.sqrt(x[0]));
  }
};

class Log final : public ElementwiseOperator {
public:
  Log() : ElementwiseOperator("log", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. log(exp(x)) = x
      axiom forall x. exp(log(x)) = x
      axiom forall x, y. x > 0 and y > 0 => log(x * y) = log(x) + log(y)
      axiom forall x, y. x > 0 and y > 0 => log(x / y) = log(x) - log(y)
      axiom forall x, y. x < y => log(x) < log(y)
      axiom log(1) = 0
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.log(x[0]);
  }
};

class Erf final : public ElementwiseOperator {
public:
  Erf() : ElementwiseOperator("erf", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. erf(-x) = -erf(x)
      axiom forall x. -1 <= erf(x) and erf(x) <= 1
      axiom forall x, y. x <= y => erf(x) <= erf(y)
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.erf(x[0]);
  }
};

class Relu final : public ElementwiseOperator {
public:
  Relu() : ElementwiseOperator("relu", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall c, x. c >= 0 => relu(c * x) = c * relu(x)
      axiom forall x. relu(relu(x)) = relu(x)
      axiom forall x. relu(x) - relu(-x) = x
      axiom forall x. relu(x) >= 0 and relu(x) >= x
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.max(x[0], a.constant(0));
  }
};

class Sigmoid final : public ElementwiseOperator {
public:
  Sigmoid() : ElementwiseOperator("sigmoid", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. 0 <= sigmoid(x) and sigmoid(x) <= 1
      axiom forall x. sigmoid(-x) = 1 - sigmoid(x)
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.function("sigmoid", x, [&] { return sigmoid(a, x[0]); });
  }
};

class Silu final : public ElementwiseOperator {
public:
  Silu() : ElementwiseOperator("silu", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. silu(x) = x * sigmoid(x)
      axiom forall x. silu(x) - silu(-x) = x
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.function("silu", x, [&] { return a.mul(x[0], sigmoid(a, x[0])); });
  }
};

class Tanh final : public ElementwiseOperator {
public:
  Tanh() : ElementwiseOperator("tanh", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. tanh(-x) = -tanh(x)
      axiom forall x. -1 <= tanh(x) and tanh(x) <= 1
      axiom forall x. tanh(x) = 2 * sigmoid(2 * x) - 1
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.function("tanh", x, [&] {
      // 2 sigmoid(2x) - 1: it overflows to the right limits.
      Term twice = a.add(x[0], x[0]);
      return a.sub(a.mul(a.constant(2), sigmoid(a, twice)), a.constant(1));
    });
  }
};

class Gelu final : public ElementwiseOperator {
public:
  Gelu() : ElementwiseOperator("gelu", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. gelu(x) - gelu(-x) = x
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.function("gelu", x, [&] {
      Term half = a.mul(a.constant(0.5), x[0]);
      Term scaled = a.mul(x[0], a.sqrt(a.constant(0.5)));
      return a.mul(half, a.add(a.constant(1), a.erf(scaled)));
    });
  }
};

class Max final : public ElementwiseOperator {
public:
  Max() : ElementwiseOperator("max", 2) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x, y. max(x, y) = max(y, x)
      axiom forall x, y, z. max(max(x, y), z) = max(x, max(y, z))
      axiom forall x. max(x, x) = x
      axiom forall x, y, z. max(x + z, y + z) = max(x, y) + z
      axiom forall c, x, y. c >= 0 => max(c * x, c * y) = c * max(x, y)
    )";
  }
  bool isCommutative() const override { return true; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.max(x[0], x[1]);
  }
};

class Min final : public ElementwiseOperator {
public:
  Min() : ElementwiseOperator("min", 2) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x, y. min(x, y) = -max(-x, -y)
      axiom forall x, y. min(x, y) + max(x, y) = x + y
    )";
  }
  bool isCommutative() const override { return true; }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return min(a, x[0], x[1]);
  }
};

class Greater final : public ElementwiseOperator {
public:
  Greater() : ElementwiseOperator("greater", 2) {}
  bool isDiscontinuousIn(unsigned operand) const override { return true; }
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x, y. 0 <= greater(x, y) and greater(x, y) <= 1
      axiom forall x, y. greater(x, y) * greater(y, x) = 0
      axiom forall x. greater(x, x) = 0
      axiom forall x, y, z. greater(x + z, y + z) = greater(x, y)
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.function("greater", x, [&] {
      return a.where(a.sub(x[0], x[1]), a.constant(1));
    });
  }
};

class Where final : public ElementwiseOperator {
public:
  Where() : ElementwiseOperator("where", 2) {}
  bool isMasking() const override { return true; }
  bool isDiscontinuousIn(unsigned operand) const override {
    return operand == 0;
  }
  bool isHomogeneousIn(unsigned operand) const override { return operand == 1; }
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall c, x, y. where(c, x + y) = where(c, x) + where(c, y)
      axiom forall c, x. where(c, where(c, x)) = where(c, x)
    )";
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return a.where(x[0], x[1]);
  }
};

/// Parameters: the bounds.
class Clamp final : public ElementwiseOperator {
public:
  Clamp() : ElementwiseOperator("clamp", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. clamp(x, -1, 1) = -clamp(-x, -1, 1)
      axiom forall x. clamp(clamp(x, 0, 6), 0, 6) = clamp(x, 0, 6)
    )";
  }
  unsigned getNumNumbers() const override { return 2; }
  Params readParams(mlir::Operation *op) const override {
    return {readNumber(op, "lower"), readNumber(op, "upper")};
  }
  void writeParams(mlir::OperationState &state,
                   const Params &params) const override {
    writeNumber(state, "lower", params[0]);
    writeNumber(state, "upper", params[1]);
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &params) const override {
    Term lower = a.constant(llvm::bit_cast<double>(params[0]));
    Term upper = a.constant(llvm::bit_cast<double>(params[1]));
    return min(a, a.max(x[0], lower), upper);
  }
};

/// One parameter: the exponent.
class Pow final : public ElementwiseOperator {
public:
  Pow() : ElementwiseOperator("pow", 1) {}
  llvm::StringRef getAxioms() const override {
    return R"(
      axiom forall x. pow(x, 2) = x * x
      axiom forall x. x > 0 => pow(x, 0.7) > 0
      axiom forall x. x > 0 => pow(x, -0.5) * sqrt(x) = 1
    )";
  }
  unsigned getNumNumbers() const override { return 1; }
  Params readParams(mlir::Operation *op) const override {
    return {readNumber(op, "exponent")};
  }
  void writeParams(mlir::OperationState &state,
                   const Params &params) const override {
    writeNumber(state, "exponent", params[0]);
  }
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &params) const override {
    double exponent = llvm::bit_cast<double>(params[0]);
    double quarters = 4 * std::abs(exponent);
    if (quarters != std::floor(quarters) || quarters > kMostQuarters) {
      Term factor = a.constant(exponent);
      return a.function("pow", {x[0], factor},
                        [&] { return a.exp(a.mul(factor, a.log(x[0]))); });
    }
    // Products and roots, which the laws are about.
    auto count = static_cast<unsigned>(quarters);
    std::optional<Term> product;
    auto multiply = [&](Term factor) {
      product = product ? a.mul(*product, factor) : factor;
    };
    if (count & 2)
      multiply(a.sqrt(x[0]));
    if (count & 1)
      multiply(a.sqrt(a.sqrt(x[0])));
    Term square = x[0];
    for (unsigned bits = count / 4; bits; bits >>= 1) {
      if (bits & 1)
        multiply(square);
      if (bits > 1)
        square = a.mul(square, square);
    }
    if (!product)
      return a.constant(1);
    return exponent < 0 ? a.div(a.constant(1), *product) : *product;
  }

private:
  /// Four times the largest exponent that is computed by products.
  static constexpr unsigned kMostQuarters = 4096;
};

class Cast final : public ElementwiseOperator {
public:
  Cast() : ElementwiseOperator("cast", 1) {}
  bool isLinearIn(unsigned) const override { return true; }
  Term getFormula(ScalarAlgebra &, llvm::ArrayRef<Term> x,
                  const Params &) const override {
    return x[0];
  }
};

} // namespace

void mirage::addElementwiseOperators(OperatorList &list) {
  list.push_back(std::make_unique<Add>());
  list.push_back(std::make_unique<Sub>());
  list.push_back(std::make_unique<Mul>());
  list.push_back(std::make_unique<Div>());
  list.push_back(std::make_unique<Max>());
  list.push_back(std::make_unique<Min>());
  list.push_back(std::make_unique<Greater>());
  list.push_back(std::make_unique<Where>());
  list.push_back(std::make_unique<Neg>());
  list.push_back(std::make_unique<Sqr>());
  list.push_back(std::make_unique<Sqrt>());
  list.push_back(std::make_unique<Rsqrt>());
  list.push_back(std::make_unique<Exp>());
  list.push_back(std::make_unique<Log>());
  list.push_back(std::make_unique<Erf>());
  list.push_back(std::make_unique<Relu>());
  list.push_back(std::make_unique<Sigmoid>());
  list.push_back(std::make_unique<Silu>());
  list.push_back(std::make_unique<Tanh>());
  list.push_back(std::make_unique<Gelu>());
  list.push_back(std::make_unique<Clamp>());
  list.push_back(std::make_unique<Pow>());
  list.push_back(std::make_unique<Cast>());
}
