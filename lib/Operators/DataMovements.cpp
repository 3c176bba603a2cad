//===- DataMovements.cpp - Operators that only move elements --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperatorDefinitions.h"
#include "Mirage/Operators/ShapeText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mirage;
using namespace mlir;

namespace {

/// Its parameters are the shape of the result, read off the op's result type.
class Reshape final : public Operator {
public:
  Reshape() : Operator("reshape", 1) {}

  bool isLinearIn(unsigned) const override { return true; }
  bool isReinterpretation() const override { return true; }

  Params readParams(Operation *op) const override {
    return Params(cast<ShapedType>(op->getResult(0).getType()).getShape());
  }

  bool inferShape(ArrayRef<Shape> operands, const Params &params, Shape &result,
                  std::string *error) const override {
    result.assign(params.begin(), params.end());
    if (mirage::getNumElements(operands[0]) != mirage::getNumElements(params)) {
      if (error)
        *error = getShapeText(operands[0]) + " and " + getShapeText(params) +
              " have different numbers of elements";
      return false;
    }
    return true;
  }

  std::optional<IterationSpace>
  getIterationSpace(ArrayRef<Shape>, const Params &) const override {
    return std::nullopt;
  }

  Tensor evaluate(const NumberSystem &, ArrayRef<const Tensor *> operands,
                  const Params &params) const override {
    Tensor result = *operands[0];
    result.shape.assign(params.begin(), params.end());
    return result;
  }

  Expr getExpr(ExprContext &, ArrayRef<Shape>, ArrayRef<Expr> operands,
               const Params &) const override {
    return operands[0];
  }

  OperatorCost getCost(ArrayRef<Shape>, ArrayRef<int64_t>) const override {
    return {};
  }

  Value emitElement(ElementEmitter &emitter, ValueRange index,
                    const Params &params) const override {
    OpBuilder &builder = emitter.getBuilder();
    Location loc = emitter.getLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value linear = constant(0);
    for (auto [i, size] : llvm::zip_equal(index, params))
      linear = arith::AddIOp::create(
          builder, loc,
          arith::MulIOp::create(builder, loc, linear, constant(size)), i);
    ArrayRef<int64_t> shape = emitter.getOperandShape(0);
    SmallVector<Value> position(shape.size());
    for (size_t d = shape.size(); d-- > 0;) {
      position[d] =
          arith::RemUIOp::create(builder, loc, linear, constant(shape[d]));
      linear = arith::DivUIOp::create(builder, loc, linear, constant(shape[d]));
    }
    return emitter.read(0, position);
  }
};

} // namespace

void mirage::addDataMovements(OperatorList &list) {
  list.push_back(std::make_unique<Reshape>());
}
