//===- KernelGraphBuilder.cpp - From linalg's values to kernel ops --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Operators/DataMovement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

llvm::Error linalg_import::declined(const Twine &reason) {
  return llvm::createStringError(reason);
}

static std::string getText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

bool linalg_import::isSupportedElementType(Type type) {
  return type.isF16() || type.isBF16() || type.isF32();
}

llvm::Error linalg_import::checkElementType(Type type) {
  if (isSupportedElementType(type))
    return llvm::Error::success();
  return declined("element type " + getText(type) + " is not f16, bf16 or f32");
}

llvm::Error linalg_import::checkTensorType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return declined("type " + getText(type) + " is not a ranked tensor");
  if (llvm::Error error = checkElementType(tensor.getElementType()))
    return error;
  if (!tensor.hasStaticShape())
    return declined("shape of " + getText(type) + " is dynamic");
  if (tensor.getEncoding())
    return declined("encoding of " + getText(type) + " is not supported");
  if (llvm::is_contained(tensor.getShape(), 0))
    return declined(getText(type) + " has no elements");
  if (!isSupportedShape(tensor.getShape()))
    return declined(getText(type) + " has more than 2^40 elements");
  return llvm::Error::success();
}

ArrayRef<int64_t> linalg_import::getShape(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getShape();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Numbers may be f64, too.
static bool isNumber(Type elementType) {
  return elementType.isF16() || elementType.isBF16() || elementType.isF32() ||
         elementType.isF64();
}

/// What a tensor is a reshape of.
static Value skipReshapes(Value tensor) {
  while (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return tensor;
}

std::optional<APFloat> linalg_import::getScalarConstant(Value scalar) {
  FloatAttr attribute;
  if (!isNumber(scalar.getType()) ||
      !matchPattern(scalar, m_Constant(&attribute)))
    return std::nullopt;
  return attribute.getValue();
}

std::optional<APFloat> linalg_import::getSplat(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !isNumber(type.getElementType()))
    return std::nullopt;
  tensor = skipReshapes(tensor);
  SplatElementsAttr attribute;
  if (matchPattern(tensor, m_Constant(&attribute)))
    return attribute.getSplatValue<APFloat>();
  if (auto splat = tensor.getDefiningOp<tensor::SplatOp>())
    return getScalarConstant(splat.getInput());
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  if (!fill || fill.getNumDpsInputs() != 1)
    return std::nullopt;
  return getScalarConstant(fill.getDpsInputOperand(0)->get());
}

std::optional<APFloat> linalg_import::getBodyConstant(linalg::GenericOp op,
                                                      Value scalar) {
  auto argument = dyn_cast<BlockArgument>(scalar);
  if (!argument || argument.getOwner() != op.getBody())
    return getScalarConstant(scalar);
  OpOperand &operand = op->getOpOperand(argument.getArgNumber());
  // A result that is accumulated is no constant, whatever it starts from.
  if (op.isDpsInit(&operand) && op.getNumReductionLoops() != 0)
    return std::nullopt;
  if (isa<RankedTensorType>(operand.get().getType()))
    return getSplat(operand.get());
  return getScalarConstant(operand.get());
}

/// What a scalar of a body is an element of, or null.
static Value getTensorOf(linalg::GenericOp op, Value scalar) {
  auto argument = dyn_cast<BlockArgument>(scalar);
  if (!argument || argument.getOwner() != op.getBody())
    return nullptr;
  return op->getOperand(argument.getArgNumber());
}

bool linalg_import::isNeutral(Extremum extremum, const APFloat &bound,
                              linalg::GenericOp op, Value scalar) {
  if (bound.isNaN() || bound.isNegative() != (extremum == Extremum::Max))
    return false;
  if (bound.isInfinity())
    return true;
  while (auto widened = scalar.getDefiningOp<arith::ExtFOp>())
    scalar = widened.getIn();
  // A computed value may be any real number; an element of an input is one of
  // its type.
  auto input = dyn_cast_or_null<BlockArgument>(getTensorOf(op, scalar));
  if (!input || !isa<func::FuncOp>(input.getOwner()->getParentOp()))
    return false;
  APFloat last = APFloat::getLargest(
      cast<FloatType>(scalar.getType()).getFloatSemantics());
  bool inexact;
  last.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  APFloat size = bound;
  size.clearSign();
  size.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return size >= last;
}

bool linalg_import::isUninitialized(Value tensor) {
  return skipReshapes(tensor).getDefiningOp<tensor::EmptyOp>() != nullptr;
}

//===----------------------------------------------------------------------===//
// KernelGraphBuilder
//===----------------------------------------------------------------------===//

Value KernelGraphBuilder::apply(StringRef name, ValueRange operands,
                                Type elementType, const Params &params) {
  return buildOperator(builder, loc, Level::Kernel, getOperator(name), params,
                       operands, elementType)
      ->getResult(0);
}

llvm::Expected<Value> KernelGraphBuilder::constant(const APFloat &value) {
  if (!value.isFinite()) {
    SmallString<16> text;
    value.toString(text);
    return declined("constant " + text + " is not finite");
  }
  // Exact: every f16, bf16 and f32 is an f64.
  APFloat exact = value;
  bool inexact;
  exact.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return constant(exact.convertToDouble());
}

Value KernelGraphBuilder::constant(double value) {
  return ConstantOp::create(builder, loc,
                            RankedTensorType::get({}, builder.getF32Type()),
                            builder.getF64FloatAttr(value));
}

Value KernelGraphBuilder::cast(Value value, Type elementType) {
  if (getElementTypeOrSelf(value) == elementType)
    return value;
  return apply("cast", value, elementType);
}

Value KernelGraphBuilder::reshape(Value value, ArrayRef<int64_t> shape) {
  if (getShape(value) == shape)
    return value;
  return apply("reshape", value, getElementTypeOrSelf(value), Params(shape));
}

Value KernelGraphBuilder::broadcast(Value value, ArrayRef<int64_t> shape,
                                    Type elementType) {
  // A constant is always f32.
  if (!value.getDefiningOp<ConstantOp>())
    value = cast(value, elementType);
  return apply("broadcast", value, elementType, Params(shape));
}

Value KernelGraphBuilder::transpose(Value value,
                                    ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return value;
  ArrayRef<int64_t> shape = getShape(value);
  if (!isInOrder(permutation, shape))
    return apply("transpose", value, getElementTypeOrSelf(value),
                 Params(permutation));
  SmallVector<int64_t> moved;
  for (int64_t dim : permutation)
    moved.push_back(shape[dim]);
  return reshape(value, moved);
}

Value KernelGraphBuilder::concat(ValueRange values, int64_t dim) {
  Value all = values.front();
  for (Value value : values.drop_front())
    all = apply("concat", {all, value}, getElementTypeOrSelf(all), {dim});
  return all;
}
