//===- GenericBody.cpp - Bodies of several scalar ops ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

GenericBody::GenericBody(KernelGraphBuilder &graph, linalg::GenericOp op,
                         const Loops &loops)
    : graph(graph), op(op), loops(loops) {
  for (Operation &scalarOp : op.getBody()->without_terminator()) {
    auto import = [&]() -> llvm::Expected<Value> {
      if (llvm::Error error = checkScalarOp(&scalarOp))
        return error;
      SmallVector<Value> operands;
      for (Value operand : scalarOp.getOperands()) {
        llvm::Expected<Value> value = get(operand);
        if (!value)
          return value.takeError();
        operands.push_back(*value);
      }
      return importScalarOp(graph, &scalarOp, operands);
    };
    if (scalarOp.getNumResults() == 1 &&
        getScalarConstant(scalarOp.getResult(0)))
      continue;
    llvm::Expected<Value> value = import();
    if (value) {
      values[scalarOp.getResult(0)] = *value;
      continue;
    }
    std::string reason = llvm::toString(value.takeError());
    for (Value result : scalarOp.getResults())
      reasons[result] = reason;
  }
}

llvm::Expected<Value> GenericBody::get(Value scalar) {
  if (Value value = values.lookup(scalar))
    return value;
  if (auto it = reasons.find(scalar); it != reasons.end())
    return declined(it->second);
  llvm::Expected<Value> value = importLeaf(scalar);
  if (value)
    values[scalar] = *value;
  return value;
}

/// A constant, or an element of an operand.
llvm::Expected<Value> GenericBody::importLeaf(Value scalar) {
  if (std::optional<APFloat> value = getBodyConstant(op, scalar))
    return graph.constant(*value);
  if (llvm::Error error = checkElementType(scalar.getType()))
    return error;
  auto argument = dyn_cast<BlockArgument>(scalar);
  if (!argument || argument.getOwner() != op.getBody())
    return declined("the body uses a value from outside that isn't a constant");

  OpOperand &operand = op->getOpOperand(argument.getArgNumber());
  if (loops.hasReduction() && op.isDpsInit(&operand))
    return declined("the accumulator is used for more than being reduced to");
  if (!isa<RankedTensorType>(operand.get().getType()))
    return declined("operand " + Twine(operand.getOperandNumber()) +
                    " is a scalar that isn't a constant");
  if (isUninitialized(operand.get()))
    return declined("the body uses an element of a tensor that nothing was "
                    "written to");
  return alignOperand(graph, operand.get(), op.getMatchingIndexingMap(&operand),
                      loops);
}

/// One result of an all-parallel generic.
static llvm::Expected<Value>
importElementwise(KernelGraphBuilder &graph, linalg::GenericOp op,
                  unsigned index, const Loops &loops, GenericBody &body) {
  OpOperand *init = op.getDpsInitOperand(index);
  AffineMap map = op.getMatchingIndexingMap(init);
  if (!map.isPermutation())
    return declined("the result is not indexed by all loops");
  if (llvm::Error error = checkTensorType(init->get().getType()))
    return error;
  llvm::Expected<Value> value =
      body.get(op.getBody()->getTerminator()->getOperand(index));
  if (!value)
    return value;
  auto type = cast<RankedTensorType>(init->get().getType());
  Value result =
      spansLoops(*value, loops)
          ? graph.reshape(graph.cast(*value, type.getElementType()),
                          loops.sizes)
          : graph.broadcast(*value, loops.sizes, type.getElementType());
  return arrangeResult(graph, result, map, type.getShape());
}

llvm::Expected<SmallVector<Value>>
linalg_import::importGeneric(KernelGraphBuilder &graph, linalg::GenericOp op) {
  for (OpOperand &init : op.getDpsInitsMutable())
    if (llvm::Error error = checkTensorType(init.get().getType()))
      return error;
  llvm::Expected<Value> convolution = importConvolution(graph, op);
  if (!convolution)
    return convolution.takeError();
  if (*convolution)
    return SmallVector<Value>{*convolution};
  llvm::Expected<Loops> loops = getLoops(op);
  if (!loops)
    return loops.takeError();

  GenericBody body(graph, op, *loops);
  SmallVector<Value> results;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    llvm::Expected<Value> value =
        loops->hasReduction() ? importReduction(graph, op, i, *loops, body)
                              : importElementwise(graph, op, i, *loops, body);
    if (!value)
      return value.takeError();
    results.push_back(*value);
  }
  return results;
}
