//===- OperatorTypes.cpp - The operator types of the format ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperatorTypes.h"
#include "Mirage/Operators/ShapeText.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mirage;

using Kind = OperatorType::Kind;
using Accumulator = OperatorType::Accumulator;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The name of our operator for one of theirs of `numInputs` inputs, or "".
static StringRef getSingleName(StringRef name, unsigned &numInputs) {
  StringRef unary = llvm::StringSwitch<StringRef>(name)
                        .Case("exp", "exp")
                        .Case("log", "log")
                        .Case("square", "sqr")
                        .Case("sqrt", "sqrt")
                        .Case("silu", "silu")
                        .Case("sigmoid", "sigmoid")
                        .Case("gelu", "gelu")
                        .Case("relu", "relu")
                        .Default("");
  numInputs = unary.empty() ? 2 : 1;
  if (!unary.empty())
    return unary;
  return llvm::StringSwitch<StringRef>(name)
      .Case("matmul", "matmul")
      .Case("add", "add")
      .Case("sub", "sub")
      .Case("mul", "mul")
      .Case("div", "div")
      .Default("");
}

/// `N` of `<prefix>N<suffix>`, a dimension.
static std::optional<int64_t> getDimOf(StringRef name, StringRef prefix,
                                       StringRef suffix = "") {
  int64_t dim;
  if (!name.consume_front(prefix) || !name.consume_back(suffix) ||
      name.size() != 1 || name.getAsInteger(10, dim))
    return std::nullopt;
  return dim;
}

static StringRef getUnsupportedReason(StringRef name) {
  if (name == "pow")
    return "a power whose exponent is a tensor can't be expressed";
  if (getDimOf(name, "split_") || getDimOf(name, "chunk_"))
    return "parts of a tensor can't be expressed";
  if (getDimOf(name, "reduction_", "_max"))
    return "a maximum that is kept from one iteration to the next inside of "
           "the "
           "loop can't be expressed";
  if (name.starts_with("forloop_accum_") && name.ends_with("_rescale"))
    return "a sum that is rescaled by a tile in each iteration can't be "
           "expressed";
  if (name == "allreduce")
    return "programs of several GPUs can't be expressed";
  return "";
}

static std::optional<Accumulator> getAccumulator(StringRef name) {
  if (!name.consume_front("forloop_accum_") && !name.consume_front("accum_"))
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Accumulator>>(name)
      .Cases({"nored", "no_red"}, Accumulator::Sum)
      .Case("red_ld_sum", Accumulator::LastSum)
      .Case("red_ld_mean", Accumulator::LastMean)
      .Case("red_ld_rms", Accumulator::LastRMS)
      .Case("redtox_ld_sum", Accumulator::ToDimXSum)
      .Case("max", Accumulator::Max)
      .Default(std::nullopt);
}

std::optional<OperatorType> mirage::lookupOperatorType(StringRef name) {
  OperatorType type;
  if (name.consume_front("tb_"))
    type.level = Level::Block;
  else if (!name.consume_front("kn_"))
    return std::nullopt;
  if (!name.consume_back("_op"))
    return std::nullopt;

  if (name == "input" || name == "output" || name == "customized") {
    type.kind = name == "input"    ? Kind::Input
                : name == "output" ? Kind::Output
                                   : Kind::Customized;
    if (type.kind == Kind::Customized && type.level == Level::Block) {
      type.kind = Kind::Unsupported;
      type.name = "thread graphs can't be expressed";
    }
  } else if (StringRef single = getSingleName(name, type.numInputs);
             !single.empty()) {
    type.name = single;
  } else if (auto dim = getDimOf(name, "reduction_")) {
    type.kind = Kind::Reduction;
    type.dim = *dim;
    type.numInputs = 1;
  } else if (auto dim = getDimOf(name, "reduction_", "_to_dimx");
             dim && type.level == Level::Block) {
    type.kind = Kind::ReductionToDimX;
    type.dim = *dim;
    type.numInputs = 1;
  } else if (auto dim = getDimOf(name, "concat_")) {
    type.kind = Kind::Concat;
    type.dim = *dim;
    type.numInputs = 2;
  } else if (name == "rms_norm") {
    type.kind = Kind::RMSNorm;
    type.numInputs = 1;
  } else if (name == "mul_scalar") {
    type.kind = Kind::MulScalar;
    type.numInputs = 1;
  } else if (name == "clamp") {
    type.kind = Kind::Clamp;
    type.numInputs = 1;
  } else if (name == "concat_then_matmul" && type.level == Level::Block) {
    // (A || B) times C over D: the four have the same order in both.
    type.name = "concat_matmul";
    type.numInputs = 4;
  } else if (auto accumulator = getAccumulator(name);
             accumulator && type.level == Level::Block) {
    type.kind = Kind::Accumulator;
    type.accumulator = *accumulator;
    type.numInputs = 1;
  } else if (StringRef reason = getUnsupportedReason(name); !reason.empty()) {
    type.kind = Kind::Unsupported;
    type.name = reason;
  } else {
    return std::nullopt;
  }
  return type;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

FailureOr<Value> OperatorBuilder::apply(StringRef name, ValueRange operands,
                                        const Params &params,
                                        Type elementType) {
  const Operator *semantics = lookupOperator(name);
  std::string op = (getDialectName(level) + "." + name).str();
  if (!semantics || !RegisteredOperationName::lookup(op, builder.getContext()))
    return fields.fail("needs the operator '" + Twine(op) +
                       "', which doesn't exist");
  SmallVector<Shape> shapes;
  for (Value operand : operands)
    shapes.emplace_back(getShapeOf(operand));
  Shape shape;
  std::string error;
  if (!semantics->inferShape(shapes, params, shape, &error))
    return fields.fail("input_tensors", error);
  if (!isSupportedShape(shape))
    return fields.fail("the result would have the shape " +
                       getShapeText(shape) + ", which has more than " +
                       Twine(kMaxElements) + " elements");
  return buildOperator(builder, loc, level, *semantics, params, operands,
                       elementType ? elementType : computeType)
      ->getResult(0);
}

Value OperatorBuilder::getConstant(double value) {
  return ConstantOp::create(builder, loc, getTensorType(level, {}, computeType),
                            builder.getF64FloatAttr(value));
}

LogicalResult OperatorBuilder::checkDim(int64_t dim, Value input) {
  if (dim < static_cast<int64_t>(getShapeOf(input).size()))
    return success();
  return fields.fail("input_tensors", "has no dimension " + Twine(dim) +
                                          " in " +
                                          getShapeText(getShapeOf(input)));
}

FailureOr<Value> OperatorBuilder::sumTo(Value input, int64_t dim, int64_t size,
                                        Type elementType) {
  if (failed(checkDim(dim, input)))
    return failure();
  if (size == 1)
    return apply("sum", input, {dim}, elementType);
  Shape shape(getShapeOf(input));
  if (shape[dim] % size != 0)
    return fields.fail("input_tensors",
                       "can't sum groups to " + Twine(size) +
                           " elements, which don't divide the " +
                           Twine(shape[dim]) + " of dimension " + Twine(dim));
  Params groups(shape.begin(), shape.end());
  groups[dim] /= size;
  groups.insert(groups.begin() + dim + 1, size);
  FailureOr<Value> grouped = apply("reshape", input, groups);
  if (failed(grouped))
    return failure();
  FailureOr<Value> summed = apply("sum", *grouped, {dim});
  if (failed(summed))
    return failure();
  shape[dim] = size;
  return apply("reshape", *summed, Params(shape.begin(), shape.end()),
               elementType);
}

FailureOr<Value>
OperatorBuilder::compute(const OperatorType &type, ValueRange operands,
                         const TensorFields &output, Type elementType,
                         function_ref<FailureOr<int64_t>()> reductionDimX) {
  switch (type.kind) {
  case Kind::Single:
    return apply(type.name, operands, {}, elementType);
  case Kind::Reduction: {
    if (failed(checkDim(type.dim, operands[0])))
      return failure();
    // Kernels of this type may leave more than one element, which the output's
    // shape alone tells; blocks have a type of its own for that.
    int64_t size = 1;
    if (level == Level::Kernel &&
        type.dim < static_cast<int64_t>(output.shape.size()))
      size = output.shape[type.dim];
    return sumTo(operands[0], type.dim, size, elementType);
  }
  case Kind::ReductionToDimX: {
    FailureOr<int64_t> size = reductionDimX();
    if (failed(size))
      return failure();
    return sumTo(operands[0], type.dim, *size, elementType);
  }
  case Kind::RMSNorm: {
    ArrayRef<int64_t> shape = getShapeOf(operands[0]);
    int64_t last = shape.size() - 1;
    if (fields.has("normalized_size") &&
        failed(fields.getInteger("normalized_size", shape[last], shape[last])))
      return failure();
    FailureOr<Value> squares = apply("sqr", operands[0]);
    if (failed(squares))
      return failure();
    FailureOr<Value> sum = apply("sum", *squares, {last});
    if (failed(sum))
      return failure();
    FailureOr<Value> mean = apply("div", {*sum, getConstant(shape[last])});
    if (failed(mean))
      return failure();
    FailureOr<Value> root = apply("sqrt", *mean);
    if (failed(root))
      return failure();
    return apply("div", {operands[0], *root}, {}, elementType);
  }
  case Kind::MulScalar: {
    FailureOr<double> scalar = fields.getNumber("scalar");
    if (failed(scalar))
      return failure();
    return apply("mul", {operands[0], getConstant(*scalar)}, {}, elementType);
  }
  case Kind::Clamp: {
    FailureOr<double> least = fields.getNumber("min_val");
    FailureOr<double> most = fields.getNumber("max_val");
    if (failed(least) || failed(most))
      return failure();
    if (*least > *most)
      return fields.fail("min_val", "is above 'max_val'");
    return apply(
        "clamp", operands,
        {llvm::bit_cast<int64_t>(*least), llvm::bit_cast<int64_t>(*most)},
        elementType);
  }
  case Kind::Concat:
    if (failed(checkDim(type.dim, operands[0])))
      return failure();
    return apply("concat", operands, {type.dim}, elementType);
  case Kind::Input:
  case Kind::Output:
  case Kind::Customized:
  case Kind::Accumulator:
  case Kind::Unsupported:
    break;
  }
  llvm_unreachable("the readers have code of their own for these");
}

FailureOr<Value>
OperatorBuilder::build(const OperatorType &type, ValueRange operands,
                       const TensorFields &output, Type elementType,
                       function_ref<FailureOr<int64_t>()> reductionDimX) {
  // A missing dimension is no dimension of size 1 in the format.
  size_t rank = getShapeOf(operands[0]).size();
  for (Value operand : operands)
    if (getShapeOf(operand).size() != rank)
      return fields.fail("input_tensors",
                         "have the ranks " + Twine(rank) + " and " +
                             Twine(getShapeOf(operand).size()) +
                             ", which must be equal");
  FailureOr<Value> result =
      compute(type, operands, output, elementType, reductionDimX);
  if (failed(result) || failed(checkResult(*result, output)))
    return failure();
  return result;
}

LogicalResult OperatorBuilder::checkResult(Value result,
                                           const TensorFields &output) {
  if (getShapeOf(result) == ArrayRef<int64_t>(output.shape))
    return success();
  return fields.fail("output_tensors[0].dim",
                     "expected " + getShapeText(getShapeOf(result)) +
                         ", as the inputs imply, found " +
                         getShapeText(output.shape));
}
