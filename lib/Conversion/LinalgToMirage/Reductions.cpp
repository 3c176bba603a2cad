//===- Reductions.cpp - Sums and matrix products --------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

llvm::Expected<Reduction> linalg_import::getReduction(linalg::GenericOp op,
                                                      unsigned index) {
  BlockArgument accumulator = op.getRegionOutputArgs()[index];
  Value yielded = op.getBody()->getTerminator()->getOperand(index);
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner || !llvm::is_contained(combiner->getOperands(), accumulator))
    return declined("the reduction is not a sum or an extremum: what the body "
                    "yields is not the accumulator combined with something");
  Reduction::Kind kind;
  if (isa<arith::AddFOp>(combiner))
    kind = Reduction::Kind::Sum;
  else if (isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner))
    kind = Reduction::Kind::Max;
  else if (isa<arith::MinimumFOp, arith::MinNumFOp>(combiner))
    kind = Reduction::Kind::Min;
  else
    return declined("a reduction by '" + combiner->getName().getStringRef() +
                    "' has no Mirage operator yet");
  if (!accumulator.hasOneUse())
    return declined("the accumulator is used for more than being reduced to");
  return Reduction{
      kind, combiner->getOperand(combiner->getOperand(0) == accumulator)};
}

namespace {

/// The most terms of a reduction that may be more than what the program reads:
/// if the search finds nothing better, they are written, 256 MiB of f32.
constexpr int64_t kMostTerms = int64_t(1) << 26;

/// Whether the elements of an input already make up all of the iterations, so
/// that the terms of the sum are no larger than what the program reads.
bool hasFullInput(linalg::GenericOp op, const Loops &loops) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (op.getMatchingBlockArgument(input).use_empty())
      continue;
    AffineMap map = op.getMatchingIndexingMap(input);
    bool full = true;
    for (auto [loop, size] : llvm::enumerate(loops.sizes))
      full &= size == 1 || map.isFunctionOfDim(loop);
    if (full)
      return true;
  }
  return false;
}

/// The reduction of a tensor with a dimension for each loop, in f32, the
/// reduced dimensions kept with size 1.
llvm::Expected<Value> reduceTerms(KernelGraphBuilder &graph,
                                  linalg::GenericOp op,
                                  const Reduction &reduction,
                                  AffineMap resultMap, const Loops &loops,
                                  GenericBody &body) {
  if (llvm::Error error = getDimLoops(resultMap).takeError())
    return error;
  for (auto [loop, reduced] : llvm::enumerate(loops.reduced))
    if (reduced == resultMap.isFunctionOfDim(loop) &&
        (reduced || loops.sizes[loop] != 1))
      return declined("the result is not indexed by the parallel loops alone");
  llvm::Expected<Value> terms = body.get(reduction.term);
  if (!terms)
    return terms;
  if (!spansLoops(*terms, loops))
    return declined("what is reduced does not depend on all loops");
  if (!hasFullInput(op, loops) && getNumElements(loops.sizes) > kMostTerms)
    return declined("it has more than 2^26 terms, no operand has all "
                    "dimensions that the reduction runs over, and it is not a "
                    "matrix product");
  Value value = graph.reshape(*terms, loops.sizes);
  bool isMin = reduction.kind == Reduction::Kind::Min;
  if (isMin)
    value = graph.apply("neg", value, graph.getF32Type());
  StringRef name =
      reduction.kind == Reduction::Kind::Sum ? "sum" : "reduce_max";
  for (auto [loop, reduced] : llvm::enumerate(loops.reduced))
    if (reduced && loops.sizes[loop] != 1)
      value = graph.apply(name, value, graph.getF32Type(),
                          {static_cast<int64_t>(loop)});
  return isMin ? graph.apply("neg", value, graph.getF32Type()) : value;
}

/// Combines a reduced value with what the accumulator starts with, which
/// `align` brings into its shape. `isNeutralStart` tells numbers that change
/// nothing.
llvm::Expected<Value>
combineWithInit(KernelGraphBuilder &graph, StringRef combiner, Value value,
                Value init, function_ref<bool(const APFloat &)> isNeutralStart,
                function_ref<llvm::Expected<Value>(Value)> align) {
  Value start;
  if (std::optional<APFloat> number = getSplat(init)) {
    if (isNeutralStart(*number))
      return value;
    llvm::Expected<Value> constant = graph.constant(*number);
    if (!constant)
      return constant;
    start = *constant;
  } else if (isUninitialized(init)) {
    return declined("the reduction starts from a tensor that nothing was "
                    "written to");
  } else {
    llvm::Expected<Value> aligned = align(init);
    if (!aligned)
      return aligned;
    start = *aligned;
  }
  return graph.apply(combiner, {value, start}, graph.getF32Type());
}

} // namespace

llvm::Expected<Value> linalg_import::addInit(KernelGraphBuilder &graph,
                                             Value sum, Value init) {
  return combineWithInit(
      graph, "add", sum, init,
      [](const APFloat &number) { return number.isZero(); },
      [](Value tensor) { return tensor; });
}

llvm::Expected<Value> linalg_import::importReduction(KernelGraphBuilder &graph,
                                                     linalg::GenericOp op,
                                                     unsigned index,
                                                     const Loops &loops,
                                                     GenericBody &body) {
  OpOperand *init = op.getDpsInitOperand(index);
  AffineMap map = op.getMatchingIndexingMap(init);
  auto type = cast<RankedTensorType>(init->get().getType());
  llvm::Expected<Reduction> reduction = getReduction(op, index);
  if (!reduction)
    return reduction.takeError();

  if (reduction->kind == Reduction::Kind::Sum) {
    llvm::Expected<Value> product =
        importContraction(graph, op, index, reduction->term, loops);
    if (product && *product)
      product = addInit(graph, *product, init->get());
    if (!product)
      return product;
    if (*product)
      return graph.cast(*product, type.getElementType());
  }

  llvm::Expected<Value> value =
      reduceTerms(graph, op, *reduction, map, loops, body);
  if (!value)
    return value;
  bool isMin = reduction->kind == Reduction::Kind::Min;
  auto isNeutralStart = [&](const APFloat &number) {
    if (reduction->kind == Reduction::Kind::Sum)
      return number.isZero();
    return isNeutral(isMin ? Extremum::Min : Extremum::Max, number, op,
                     reduction->term);
  };
  StringRef combiner = isMin ? "min" : "max";
  if (reduction->kind == Reduction::Kind::Sum)
    combiner = "add";
  value = combineWithInit(
      graph, combiner, *value, init->get(), isNeutralStart,
      [&](Value tensor) { return alignOperand(graph, tensor, map, loops); });
  if (!value)
    return value;
  return arrangeResult(graph, graph.cast(*value, type.getElementType()), map,
                       type.getShape());
}
