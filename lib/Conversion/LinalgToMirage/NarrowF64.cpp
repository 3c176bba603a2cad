//===- NarrowF64.cpp - f64 between f32 ------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frontends have constants in f64, and some compute variances in it. Where a
// function neither takes nor returns f64, what is between is computed in f32,
// which is taken for real numbers. Tensors of f64 that are imported are f32
// behind an `arith.extf`, which the next op looks through.
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

namespace {

bool isF64(Type type) { return getElementTypeOrSelf(type).isF64(); }

/// The same with f32 elements.
Type getNarrow(Type type) {
  if (!isF64(type))
    return type;
  Type f32 = Float32Type::get(type.getContext());
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(f32)) : f32;
}

/// A number as a constant of f32, or of f32 elements; null where it isn't in
/// the range of the type.
TypedAttr getNarrow(APFloat number, Type type) {
  bool losesDigits;
  const APFloat exact = number;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesDigits);
  if (number.isInfinity() != exact.isInfinity() ||
      number.isZero() != exact.isZero())
    return nullptr;
  auto attribute = FloatAttr::get(Float32Type::get(type.getContext()), number);
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? TypedAttr(DenseElementsAttr::get(
                      cast<ShapedType>(getNarrow(type)), Attribute(attribute)))
                : attribute;
}

llvm::Error isOutOfRange() {
  return declined("a number of f64 is out of the range of f32");
}

class NarrowF64 {
public:
  explicit NarrowF64(RewriterBase &rewriter) : rewriter(rewriter) {}

  llvm::Error narrow(Operation *op);

private:
  /// The f32 that a value of f64 is widened from, or a constant is rounded to.
  llvm::Expected<Value> narrowOperand(Value value);
  /// Makes f32 of an op's operands, and of the types of its results.
  llvm::Error narrowValues(Operation *op);
  /// The same for an op of a body, which computes.
  llvm::Error narrowScalarOp(Operation *op);

  RewriterBase &rewriter;
};

} // namespace

llvm::Expected<Value> NarrowF64::narrowOperand(Value value) {
  if (!isF64(value.getType()))
    return value;
  std::optional<APFloat> number = isa<ShapedType>(value.getType())
                                      ? getSplat(value)
                                      : getScalarConstant(value);
  if (number) {
    TypedAttr attribute = getNarrow(*number, value.getType());
    if (!attribute)
      return isOutOfRange();
    return arith::ConstantOp::create(rewriter, value.getLoc(), attribute)
        .getResult();
  }
  if (isUninitialized(value))
    return tensor::EmptyOp::create(
               rewriter, value.getLoc(),
               cast<RankedTensorType>(getNarrow(value.getType())), ValueRange())
        .getResult();
  auto widened = value.getDefiningOp<arith::ExtFOp>();
  if (widened && getElementTypeOrSelf(widened.getIn()).isF32())
    return widened.getIn();
  return checkElementType(getElementTypeOrSelf(value));
}

/// A constant as the program rounds it to another type; null for other ops.
static TypedAttr roundConstant(Operation *op) {
  if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
    return nullptr;
  std::optional<APFloat> number = getScalarConstant(op->getOperand(0));
  auto type = cast<FloatType>(op->getResult(0).getType());
  if (!number || type.isF64())
    return nullptr;
  bool losesDigits;
  number->convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesDigits);
  return FloatAttr::get(type, *number);
}

llvm::Error NarrowF64::narrowValues(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    llvm::Expected<Value> value = narrowOperand(operand.get());
    if (!value)
      return value.takeError();
    operand.set(*value);
  }
  for (Value result : op->getResults())
    result.setType(getNarrow(result.getType()));
  return llvm::Error::success();
}

llvm::Error NarrowF64::narrowScalarOp(Operation *op) {
  const bool isCast = isa<arith::ExtFOp, arith::TruncFOp>(op);
  auto isNoCast = [&] {
    return isCast && op->getOperand(0).getType() == op->getResult(0).getType();
  };
  // Its operand is narrow by now.
  if (isNoCast()) {
    rewriter.replaceOp(op, op->getOperand(0));
    return llvm::Error::success();
  }
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      (llvm::none_of(op->getOperandTypes(), isF64) &&
       llvm::none_of(op->getResultTypes(), isF64)))
    return llvm::Error::success();
  rewriter.setInsertionPoint(op);
  if (TypedAttr number = roundConstant(op)) {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, number);
    return llvm::Error::success();
  }
  if (!isCast && !op->hasTrait<OpTrait::SameOperandsAndResultType>() &&
      !isa<arith::CmpFOp, arith::SelectOp, math::FPowIOp, linalg::YieldOp>(op))
    return declined("'" + op->getName().getStringRef() +
                    "' of f64 has no Mirage operator yet");
  if (llvm::Error error = narrowValues(op))
    return error;
  if (isNoCast())
    rewriter.replaceOp(op, op->getOperand(0));
  return llvm::Error::success();
}

llvm::Error NarrowF64::narrow(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (llvm::Error error = narrowValues(op))
    return error;
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        argument.setType(getNarrow(argument.getType()));
      for (Operation &scalarOp : llvm::make_early_inc_range(block))
        if (llvm::Error error = narrowScalarOp(&scalarOp))
          return error;
    }
  return llvm::Error::success();
}

bool linalg_import::hasF64(Operation *op) {
  auto isWide = [](Operation *inner) {
    return llvm::any_of(inner->getOperandTypes(), isF64) ||
           llvm::any_of(inner->getResultTypes(), isF64);
  };
  return op
      ->walk([&](Operation *inner) {
        return isWide(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::Error linalg_import::narrowF64(RewriterBase &rewriter, Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  if (llvm::any_of(function.getArgumentTypes(), isF64) ||
      llvm::any_of(function.getResultTypes(), isF64))
    return checkElementType(rewriter.getF64Type());
  return NarrowF64(rewriter).narrow(op);
}

Value linalg_import::widenTo(RewriterBase &rewriter, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::ExtFOp::create(rewriter, value.getLoc(), type, value);
}
