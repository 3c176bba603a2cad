//===- Contractions.cpp - Matrix products ---------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrangement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

Value Factor::getValue(KernelGraphBuilder &graph) const {
  return getValue(graph, input->get());
}

Value Factor::getValue(KernelGraphBuilder &graph, Value tensor) const {
  for (Type type : roundings)
    tensor = graph.cast(tensor, type);
  return tensor;
}

static std::optional<Factor> getFactor(linalg::GenericOp op, Value scalar) {
  SmallVector<Type, 1> roundings;
  while (Operation *cast = scalar.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(cast) || scalar.getType().isF64())
      return std::nullopt;
    if (isa<arith::TruncFOp>(cast))
      roundings.insert(roundings.begin(), scalar.getType());
    scalar = cast->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(scalar);
  if (!argument || argument.getOwner() != op.getBody())
    return std::nullopt;
  OpOperand &operand = op->getOpOperand(argument.getArgNumber());
  if (!op.isDpsInput(&operand) ||
      !isa<RankedTensorType>(operand.get().getType()))
    return std::nullopt;
  return Factor{&operand, roundings};
}

std::optional<std::pair<Factor, Factor>>
linalg_import::getFactors(linalg::GenericOp op, Value term) {
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  std::optional<Factor> lhs = getFactor(op, product.getLhs());
  std::optional<Factor> rhs = getFactor(op, product.getRhs());
  if (!lhs || !rhs)
    return std::nullopt;
  return std::pair(*lhs, *rhs);
}

llvm::Expected<Value>
linalg_import::importContraction(KernelGraphBuilder &graph,
                                 linalg::GenericOp op, unsigned index,
                                 Value term, const Loops &loops) {
  auto factors = getFactors(op, term);
  if (!factors)
    return Value();
  OpOperand *init = op.getDpsInitOperand(index);
  LoopProduct product;
  product.loops = loops;
  for (auto [operand, tensor] : {std::pair(factors->first.input, &product.lhs),
                                 {factors->second.input, &product.rhs},
                                 {init, &product.result}}) {
    llvm::Expected<LoopList> dims =
        getDimLoops(op.getMatchingIndexingMap(operand));
    if (!dims)
      return dims.takeError();
    *tensor = {*dims, isArgument(operand->get())};
  }
  // It is computed, whatever it is added to.
  product.result.isArgument = false;
  std::optional<Arrangement> arrangement =
      product.arrange(/*asInFactors=*/false);
  if (!arrangement)
    return Value();
  for (const Factor *factor : {&factors->first, &factors->second})
    if (isUninitialized(factor->input->get()))
      return declined("operand " + Twine(factor->input->getOperandNumber()) +
                      " is a tensor that nothing was written to");
  Value result = product.multiply(graph, factors->first.getValue(graph),
                                  factors->second.getValue(graph), *arrangement,
                                  graph.getF32Type());
  return graph.reshape(result, getShape(init->get()));
}
