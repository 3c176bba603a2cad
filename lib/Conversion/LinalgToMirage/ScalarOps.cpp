//===- ScalarOps.cpp - From arith and math ops to operators ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

namespace {

/// One op of a body: the tensors that its operands stand for, and the element
/// type of its result.
struct Application {
  KernelGraphBuilder &graph;
  Operation *op;
  ValueRange operands;
  Type elementType;

  Value apply(StringRef name, ValueRange values,
              const Params &params = {}) const {
    return graph.apply(name, values, elementType, params);
  }
  /// The same in f32, for what isn't the last operator of several.
  Value applyInF32(StringRef name, ValueRange values) const {
    return graph.apply(name, values, graph.getF32Type());
  }

  /// The number that an operand is, or nothing.
  std::optional<double> getConstant(unsigned operand) const {
    auto constant = operands[operand].getDefiningOp<ConstantOp>();
    if (!constant)
      return std::nullopt;
    return constant.getValue().convertToDouble();
  }
};

/// Builds the operators; null where there are none for these operands.
using Import = std::function<Value(const Application &)>;

/// The op is the operator of that name, on the same operands.
Import as(StringRef name) {
  return [name](const Application &a) { return a.apply(name, a.operands); };
}

/// A power by a constant, by the operator that says it best.
Value importPower(const Application &a) {
  std::optional<double> exponent = a.getConstant(1);
  Value base = a.operands[0];
  if (!exponent)
    return Value();
  if (*exponent == 2)
    return a.apply("sqr", base);
  if (*exponent == 0.5)
    return a.apply("sqrt", base);
  if (*exponent == -0.5)
    return a.apply("rsqrt", base);
  if (*exponent == -1)
    return a.apply("div", {a.graph.constant(1), base});
  // Elsewhere our operator is not defined at 0, where powf is.
  if (4 * *exponent != std::floor(4 * *exponent) || std::abs(*exponent) > 1024)
    return Value();
  return a.apply("pow", base, {llvm::bit_cast<int64_t>(*exponent)});
}

/// Booleans are 1 and 0 in f32.
Value negate(const Application &a, Value condition) {
  return a.applyInF32("sub", {a.graph.constant(1), condition});
}

/// NaNs apart, of which there are none among the reals.
Value importComparison(const Application &a) {
  Value lhs = a.operands[0], rhs = a.operands[1];
  using P = arith::CmpFPredicate;
  const P predicate = cast<arith::CmpFOp>(a.op).getPredicate();
  // Ones are what is greater than 0 among ones and zeros: PositionOperands.cpp
  // reads conditions so.
  if (predicate == P::OGT && a.getConstant(1) == 0.0 && isOnesAndZeros(lhs))
    return lhs;
  auto isGreater = [&](Value x, Value y) {
    return a.applyInF32("greater", {x, y});
  };
  auto differ = [&] {
    return a.applyInF32("max", {isGreater(lhs, rhs), isGreater(rhs, lhs)});
  };
  switch (predicate) {
  case P::OGT:
  case P::UGT:
    return isGreater(lhs, rhs);
  case P::OLT:
  case P::ULT:
    return isGreater(rhs, lhs);
  case P::OGE:
  case P::UGE:
    return negate(a, isGreater(rhs, lhs));
  case P::OLE:
  case P::ULE:
    return negate(a, isGreater(lhs, rhs));
  case P::ONE:
  case P::UNE:
    return differ();
  case P::OEQ:
  case P::UEQ:
    return negate(a, differ());
  case P::AlwaysFalse:
  case P::UNO:
    return a.graph.constant(0);
  case P::AlwaysTrue:
  case P::ORD:
    return a.graph.constant(1);
  }
  llvm_unreachable("covered switch");
}

/// The elements of each value for which the condition holds, or doesn't,
/// whatever the others are.
Value importSelect(const Application &a) {
  if (a.op->getResult(0).getType().isInteger(1))
    return Value();
  auto choose = [&](Value condition, Value value) -> Value {
    auto number = value.getDefiningOp<ConstantOp>();
    if (number && number.getValue().isZero())
      return Value();
    if (number && number.getValue().isExactlyValue(1.0))
      return condition;
    return a.applyInF32("where", {condition, value});
  };
  Value first = choose(a.operands[0], a.operands[1]);
  Value second = choose(negate(a, a.operands[0]), a.operands[2]);
  if (!first && !second)
    return a.graph.constant(0);
  if (first && second)
    return a.apply("add", {first, second});
  return a.apply("cast", first ? first : second);
}

/// The one list of what the bodies of linalg ops may compute. To import a new
/// operator, add the op that programs are written with here. An operator that
/// an op stands for with certain operands only is a function on `Application`
/// that returns null elsewhere. A formula over several ops, such as silu's, is
/// a pattern in Formulas.cpp.
const std::pair<StringRef, Import> kScalarOps[] = {
    {arith::AddFOp::getOperationName(), as("add")},
    {arith::SubFOp::getOperationName(), as("sub")},
    {arith::MulFOp::getOperationName(), as("mul")},
    {arith::DivFOp::getOperationName(), as("div")},
    {arith::NegFOp::getOperationName(), as("neg")},
    {arith::MaximumFOp::getOperationName(), as("max")},
    {arith::MaxNumFOp::getOperationName(), as("max")},
    {arith::MinimumFOp::getOperationName(), as("min")},
    {arith::MinNumFOp::getOperationName(), as("min")},
    {arith::TruncFOp::getOperationName(), as("cast")},
    {math::ExpOp::getOperationName(), as("exp")},
    {math::LogOp::getOperationName(), as("log")},
    {math::SqrtOp::getOperationName(), as("sqrt")},
    {math::RsqrtOp::getOperationName(), as("rsqrt")},
    {math::TanhOp::getOperationName(), as("tanh")},
    {math::ErfOp::getOperationName(), as("erf")},
    {math::PowFOp::getOperationName(), importPower},

    {arith::CmpFOp::getOperationName(), importComparison},
    {arith::SelectOp::getOperationName(), importSelect},
    {arith::AndIOp::getOperationName(), as("mul")},
    {arith::OrIOp::getOperationName(), as("max")},
    {arith::XOrIOp::getOperationName(),
     [](const Application &a) {
       Value both = a.applyInF32("mul", a.operands),
             either = a.applyInF32("max", a.operands);
       return a.apply("sub", {either, both});
     }},
    {arith::ConstantOp::getOperationName(),
     [](const Application &a) {
       auto value =
           dyn_cast<IntegerAttr>(cast<arith::ConstantOp>(a.op).getValue());
       return value ? a.graph.constant(value.getValue().isZero() ? 0 : 1)
                    : Value();
     }},
    {arith::UIToFPOp::getOperationName(),
     [](const Application &a) {
       return a.op->getOperand(0).getType().isInteger(1)
                  ? a.graph.cast(a.operands[0], a.elementType)
                  : Value();
     }},

    // Operators compute in f32 whatever their operands' types are.
    {arith::ExtFOp::getOperationName(),
     [](const Application &a) { return a.operands[0]; }},

    {math::AbsFOp::getOperationName(),
     [](const Application &a) {
       Value negated = a.applyInF32("neg", a.operands[0]);
       return a.apply("max", {a.operands[0], negated});
     }},
    {math::FmaOp::getOperationName(),
     [](const Application &a) {
       Value product = a.applyInF32("mul", a.operands.take_front(2));
       return a.apply("add", {product, a.operands[2]});
     }},
    {math::Log1pOp::getOperationName(),
     [](const Application &a) {
       Value sum = a.applyInF32("add", {a.operands[0], a.graph.constant(1)});
       return a.apply("log", sum);
     }},
    {math::ExpM1Op::getOperationName(),
     [](const Application &a) {
       Value exp = a.applyInF32("exp", a.operands[0]);
       return a.apply("sub", {exp, a.graph.constant(1)});
     }},
    {math::ErfcOp::getOperationName(),
     [](const Application &a) {
       Value erf = a.applyInF32("erf", a.operands[0]);
       return a.apply("sub", {a.graph.constant(1), erf});
     }},
};

} // namespace

static const Import *lookup(Operation *op) {
  for (const auto &[name, import] : kScalarOps)
    if (name == op->getName().getStringRef())
      return &import;
  return nullptr;
}

static llvm::Error hasNoOperator(Operation *op, const Twine &condition = "") {
  return declined("'" + op->getName().getStringRef() + "'" + condition +
                  " has no Mirage operator yet");
}

llvm::Error linalg_import::checkScalarOp(Operation *op) {
  if (op->getNumResults() != 1 || !lookup(op))
    return hasNoOperator(op);
  Type type = op->getResult(0).getType();
  return type.isInteger(1) ? llvm::Error::success() : checkElementType(type);
}

llvm::Expected<Value> linalg_import::importScalarOp(KernelGraphBuilder &graph,
                                                    Operation *op,
                                                    ValueRange operands) {
  const Import &import = *lookup(op);
  Type type = op->getResult(0).getType();
  if (type.isInteger(1))
    type = graph.getF32Type();
  if (Value value = import({graph, op, operands, type}))
    return value;
  return hasNoOperator(op, " with these operands");
}
