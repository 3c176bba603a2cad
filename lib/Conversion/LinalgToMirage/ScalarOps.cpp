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

  Value apply(StringRef name, ValueRange values) const {
    return graph.apply(name, values, elementType);
  }

  /// Whether an operand is that number.
  bool isConstant(unsigned operand, double value) const {
    auto constant = operands[operand].getDefiningOp<ConstantOp>();
    return constant && constant.getValue().convertToDouble() == value;
  }
};

/// Builds the operators; null where there are none for these operands.
using Import = std::function<Value(const Application &)>;

/// The op is the operator of that name, on the same operands.
Import as(StringRef name) {
  return [name](const Application &a) { return a.apply(name, a.operands); };
}

/// The one list of what the bodies of linalg ops may compute. To import a new
/// operator, add the op that programs are written with here. An operator that an
/// op stands for with certain operands only is a function on `Application`:
/// with an operator named relu,
///
///   {arith::MaximumFOp::getOperationName(),
///    [](const Application &a) {
///      return a.isConstant(1, 0) ? a.apply("relu", a.operands[0]) : Value();
///    }},
///
/// A formula over several ops, such as silu's, is a pattern in
/// SimplifyKernelGraph.cpp.
const std::pair<StringRef, Import> kScalarOps[] = {
    {arith::AddFOp::getOperationName(), as("add")},
    {arith::SubFOp::getOperationName(), as("sub")},
    {arith::MulFOp::getOperationName(), as("mul")},
    {arith::DivFOp::getOperationName(), as("div")},
    {arith::TruncFOp::getOperationName(), as("cast")},
    {math::ExpOp::getOperationName(), as("exp")},
    {math::SqrtOp::getOperationName(), as("sqrt")},

    // Operators compute in f32 whatever their operands' types are.
    {arith::ExtFOp::getOperationName(),
     [](const Application &a) { return a.operands[0]; }},

    {arith::NegFOp::getOperationName(),
     [](const Application &a) {
       return a.apply("sub", {a.graph.constant(0), a.operands[0]});
     }},

    // The root isn't rounded to f16 before the division.
    {math::RsqrtOp::getOperationName(),
     [](const Application &a) {
       Type f32 = Float32Type::get(a.op->getContext());
       Value root = a.graph.apply("sqrt", a.operands[0], f32);
       return a.apply("div", {a.graph.constant(1), root});
     }},

    {math::PowFOp::getOperationName(),
     [](const Application &a) {
       return a.isConstant(1, 2) ? a.apply("sqr", a.operands[0]) : Value();
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
  return checkElementType(op->getResult(0).getType());
}

llvm::Expected<Value> linalg_import::importScalarOp(KernelGraphBuilder &graph,
                                                    Operation *op,
                                                    ValueRange operands) {
  const Import &import = *lookup(op);
  if (Value value = import({graph, op, operands, op->getResult(0).getType()}))
    return value;
  return hasNoOperator(op, " with these operands");
}
