//===- KernelGraphReader.cpp - Reads kernel graphs ------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGraphReader.h"
#include "BlockGraphReader.h"
#include "Mirage/Operators/ShapeText.h"

using namespace mlir;
using namespace mirage;
namespace json = llvm::json;

LogicalResult KernelGraphReader::fail(const Twine &message) {
  if (error.message.empty())
    error.message = (where + ": " + message).str();
  return failure();
}

LogicalResult KernelGraphReader::read(const json::Array &operators) {
  for (auto [i, value] : llvm::enumerate(operators)) {
    const json::Object *object = value.getAsObject();
    if (!object)
      return fail("operator " + Twine(i) + " is not an object");
    if (failed(readOperator(*object, i)))
      return failure();
  }
  if (results.empty())
    return fail("has no kn_output_op");
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setFunctionType(FunctionType::get(
      context, function.front().getArgumentTypes(), TypeRange(results)));
  return success();
}

LogicalResult KernelGraphReader::readOperator(const json::Object &object,
                                              unsigned index) {
  Fields unnamed = Fields(object, where, {}, error).asOperator(index);
  FailureOr<StringRef> opType = unnamed.getString("op_type");
  if (failed(opType))
    return failure();
  std::optional<OperatorType> type = lookupOperatorType(*opType);
  if (!type || type->level != Level::Kernel)
    return unnamed.fail("op_type", "is not an operator of a kernel graph: '" +
                                       getPrintable(*opType) + "'");
  Fields fields = unnamed.renamed(" (" + *opType + ")");
  if (!results.empty() && type->kind != OperatorType::Kind::Output)
    return fields.fail("stands after a kn_output_op");
  Location loc = NameLoc::get(StringAttr::get(context, fields.getWhere()));
  switch (type->kind) {
  case OperatorType::Kind::Input:
    return readInput(fields, loc);
  case OperatorType::Kind::Output:
    return readOutput(fields);
  case OperatorType::Kind::Unsupported:
    return fields.fail(type->name);
  default:
    return readComputation(*type, fields, loc);
  }
}

LogicalResult KernelGraphReader::checkGPUMap(const Fields &fields,
                                             StringRef key) {
  if (!fields.has(key))
    return success();
  FailureOr<Fields> map = fields.getObject(key);
  if (failed(map))
    return failure();
  for (StringRef dim : {"x", "y", "z"})
    if (failed(map->getInteger(dim, kReplica, kReplica)))
      return failure();
  return success();
}

FailureOr<TensorFields> KernelGraphReader::findTensor(const Fields &input,
                                                      Value &value) {
  FailureOr<TensorFields> tensor = readTensor(input, context);
  if (failed(tensor))
    return failure();
  auto it = tensors.find(tensor->guid);
  if (it == tensors.end())
    return input.fail("guid", Twine(tensor->guid) +
                                  " is not the guid of a tensor that an "
                                  "earlier operator makes");
  if (it->second.shape != tensor->shape)
    return input.fail("dim", "expected " + getShapeText(it->second.shape) +
                                 ", as where the tensor is made, found " +
                                 getShapeText(tensor->shape));
  value = it->second.value;
  return tensor;
}

LogicalResult KernelGraphReader::define(const Fields &output,
                                        const TensorFields &tensor,
                                        Value value) {
  if (!tensors.insert({tensor.guid, {tensor.shape, value}}).second)
    return output.fail("guid", Twine(tensor.guid) +
                                   " is the guid of an earlier tensor");
  return success();
}

LogicalResult KernelGraphReader::readInput(const Fields &fields, Location loc) {
  FailureOr<std::vector<Fields>> outputs =
      fields.getObjects("output_tensors", 1);
  if (failed(outputs) || failed(checkGPUMap(fields, "input_map")))
    return failure();
  FailureOr<TensorFields> tensor = readTensor(outputs->front(), context);
  if (failed(tensor))
    return failure();
  Value argument = function.front().addArgument(
      RankedTensorType::get(tensor->shape, tensor->elementType), loc);
  return define(outputs->front(), *tensor, argument);
}

LogicalResult KernelGraphReader::readOutput(const Fields &fields) {
  FailureOr<std::vector<Fields>> inputs = fields.getObjects("input_tensors", 1);
  if (failed(inputs) || failed(checkGPUMap(fields, "output_map")))
    return failure();
  Value value;
  if (failed(findTensor(inputs->front(), value)))
    return failure();
  results.push_back(value);
  return success();
}

LogicalResult KernelGraphReader::readComputation(const OperatorType &type,
                                                 const Fields &fields,
                                                 Location loc) {
  bool isCustomized = type.kind == OperatorType::Kind::Customized;
  FailureOr<std::vector<Fields>> inputFields = fields.getObjects(
      "input_tensors", isCustomized ? -1 : int64_t(type.numInputs));
  if (failed(inputFields))
    return failure();
  SmallVector<TensorFields> inputs, outputs;
  SmallVector<Value> operands;
  for (const Fields &input : *inputFields) {
    FailureOr<TensorFields> tensor = findTensor(input, operands.emplace_back());
    if (failed(tensor))
      return failure();
    inputs.push_back(*tensor);
  }
  FailureOr<std::vector<Fields>> outputFields =
      fields.getObjects("output_tensors", isCustomized ? -1 : 1);
  if (failed(outputFields))
    return failure();
  for (const Fields &output : *outputFields) {
    FailureOr<TensorFields> tensor = readTensor(output, context);
    if (failed(tensor))
      return failure();
    outputs.push_back(*tensor);
  }
  SmallVector<Value> values;
  if (isCustomized) {
    FailureOr<SmallVector<Value>> read =
        BlockGraphReader(builder, fields, inputs, outputs, operands, loc)
            .read();
    if (failed(read))
      return failure();
    values = *read;
  } else {
    auto noDimX = [&]() -> FailureOr<int64_t> { return failure(); };
    FailureOr<Value> value =
        OperatorBuilder(builder, loc, Level::Kernel, fields)
            .build(type, operands, outputs[0], outputs[0].elementType, noDimX);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  for (auto [output, tensor, value] : llvm::zip(*outputFields, outputs, values))
    if (failed(define(output, tensor, value)))
      return failure();
  return success();
}
