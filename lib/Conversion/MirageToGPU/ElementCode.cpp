//===- ElementCode.cpp - Code for one element of a tile -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mirage;
using namespace mlir;

Value mirage::convertFloat(OpBuilder &builder, Location loc, Value value,
                           Type type) {
  if (value.getType() == type)
    return value;
  Type f32 = builder.getF32Type();
  if (value.getType() != f32)
    value = arith::ExtFOp::create(builder, loc, f32, value);
  if (type != f32)
    value = arith::TruncFOp::create(builder, loc, type, value);
  return value;
}

Value mirage::emitConstant(OpBuilder &builder, ConstantOp constant) {
  Type type = cast<ShapedType>(constant.getType()).getElementType();
  llvm::APFloat value = constant.getValue();
  bool losesInfo;
  value.convert(cast<FloatType>(type).getFloatSemantics(),
                llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return arith::ConstantOp::create(
      builder, constant.getLoc(),
      builder.getFloatAttr(builder.getF32Type(), value));
}

namespace {

class OperandReader final : public ElementEmitter {
public:
  OperandReader(OpBuilder &builder, Operation *op, ElementReader readElement)
      : builder(builder), op(op), readElement(readElement) {}

  OpBuilder &getBuilder() override { return builder; }
  Location getLoc() override { return op->getLoc(); }
  Value read(unsigned operand, ValueRange index) override {
    return readElement(op->getOperand(operand), index);
  }
  ArrayRef<int64_t> getOperandShape(unsigned operand) override {
    return cast<ShapedType>(op->getOperand(operand).getType()).getShape();
  }
  Value reduce(int64_t count, double init,
               function_ref<Value(Value, Value)> step) override {
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(builder, getLoc(), value);
    };
    Value first = arith::ConstantOp::create(builder, getLoc(),
                                            builder.getF32FloatAttr(init));
    auto loop = scf::ForOp::create(builder, getLoc(), index(0), index(count),
                                   index(1), first);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value next = step(loop.getInductionVar(), loop.getRegionIterArg(0));
    scf::YieldOp::create(builder, getLoc(), next);
    return loop.getResult(0);
  }

private:
  OpBuilder &builder;
  Operation *op;
  ElementReader readElement;
};

} // namespace

Value mirage::emitOperatorElement(OpBuilder &builder, OperatorOpInterface op,
                                  ValueRange index, ElementReader read) {
  OperandReader emitter(builder, op, read);
  return op.getSemantics().emitElement(emitter, index, op.getParams());
}

Value ThreadGraphEmitter::emit(Value fragment, ValueRange index) {
  // An index that is a constant (a broadcast dimension) is compared by value.
  Key key(fragment, getAsOpFoldResult(index));
  for (auto &[known, value] : emitted)
    if (known == key)
      return value;

  Value value;
  if (auto argument = dyn_cast<BlockArgument>(fragment)) {
    value = read(operands[argument.getArgNumber()], index);
  } else if (auto constant = fragment.getDefiningOp<ConstantOp>()) {
    value = emitConstant(builder, constant);
  } else {
    auto op = cast<OperatorOpInterface>(fragment.getDefiningOp());
    value = emitOperatorElement(builder, op, index,
                                [&](Value operand, ValueRange position) {
                                  return emit(operand, position);
                                });
    // Between operators a fragment has its own precision.
    Type type = cast<ShapedType>(fragment.getType()).getElementType();
    value = convertFloat(builder, op.getLoc(), value, type);
    value = convertFloat(builder, op.getLoc(), value, builder.getF32Type());
  }
  emitted.emplace_back(key, value);
  return value;
}
