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

namespace {

/// What is added to a result's accumulator in each iteration.
llvm::Expected<Value> getTerm(linalg::GenericOp op, unsigned index) {
  BlockArgument accumulator = op.getRegionOutputArgs()[index];
  Value yielded = op.getBody()->getTerminator()->getOperand(index);
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner || !llvm::is_contained(combiner->getOperands(), accumulator))
    return declined("the reduction is not a sum: what the body yields is not "
                    "the accumulator plus something");
  if (!isa<arith::AddFOp>(combiner))
    return declined("a reduction by '" + combiner->getName().getStringRef() +
                    "' has no Mirage operator yet");
  if (!accumulator.hasOneUse())
    return declined("the accumulator is used for more than adding to it");
  return combiner->getOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
}

/// An operand of a product: an input, perhaps rounded to other types first.
struct Factor {
  OpOperand *input;
  SmallVector<Type, 1> roundings;
};

std::optional<Factor> getFactor(linalg::GenericOp op, Value scalar) {
  SmallVector<Type, 1> roundings;
  while (Operation *cast = scalar.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(cast))
      return std::nullopt;
    if (isa<arith::TruncFOp>(cast))
      roundings.insert(roundings.begin(), scalar.getType());
    scalar = cast->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(scalar);
  if (!argument || argument.getOwner() != op.getBody())
    return std::nullopt;
  OpOperand &operand = op->getOpOperand(argument.getArgNumber());
  if (!op.isDpsInput(&operand))
    return std::nullopt;
  return Factor{&operand, roundings};
}

/// Whether the maps are [(b.., m, k), (b.., k, n)] -> (b.., m, n) for one
/// reduction loop k, whatever the order of the loops.
bool areMatmulMaps(AffineMap lhs, AffineMap rhs, AffineMap result,
                   const Loops &loops) {
  unsigned rank = result.getNumResults();
  if (rank < 2 || rank + 1 != loops.sizes.size() ||
      llvm::count(loops.reduced, true) != 1)
    return false;
  unsigned reduction = llvm::find(loops.reduced, true) - loops.reduced.begin();
  AffineExpr k = getAffineDimExpr(reduction, result.getContext());
  SmallVector<AffineExpr> wantedLhs(result.getResults());
  SmallVector<AffineExpr> wantedRhs(result.getResults());
  wantedLhs[rank - 1] = k;
  wantedRhs[rank - 2] = k;
  return result.isProjectedPermutation() &&
         lhs.getResults() == ArrayRef(wantedLhs) &&
         rhs.getResults() == ArrayRef(wantedRhs);
}

/// The reduction as a matmul in f32; null where it isn't one.
llvm::Expected<Value> importMatmul(KernelGraphBuilder &graph,
                                   linalg::GenericOp op, Value term,
                                   AffineMap resultMap, const Loops &loops) {
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (!product)
    return Value();
  std::optional<Factor> lhs = getFactor(op, product.getLhs());
  std::optional<Factor> rhs = getFactor(op, product.getRhs());
  if (!lhs || !rhs)
    return Value();
  AffineMap lhsMap = op.getMatchingIndexingMap(lhs->input);
  AffineMap rhsMap = op.getMatchingIndexingMap(rhs->input);
  if (areMatmulMaps(rhsMap, lhsMap, resultMap, loops))
    std::swap(lhs, rhs);
  else if (!areMatmulMaps(lhsMap, rhsMap, resultMap, loops))
    return Value();

  SmallVector<Value> operands;
  for (const Factor &factor : {*lhs, *rhs}) {
    Value value = factor.input->get();
    if (isUninitialized(value) || getSplat(value))
      return declined("operand " + Twine(factor.input->getOperandNumber()) +
                      " of a matmul is a constant");
    for (Type type : factor.roundings)
      value = graph.cast(value, type);
    operands.push_back(value);
  }
  return graph.apply("matmul", operands,
                     Float32Type::get(op.getContext()));
}

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

/// The reduction as the sum of a tensor with a dimension for each loop, in f32,
/// the summed dimensions kept with size 1.
llvm::Expected<Value> importSum(KernelGraphBuilder &graph, linalg::GenericOp op,
                                Value term, AffineMap resultMap,
                                const Loops &loops, GenericBody &body) {
  if (llvm::Error error = getLoopShape(resultMap, loops).takeError())
    return error;
  for (auto [loop, reduced] : llvm::enumerate(loops.reduced))
    if (reduced == resultMap.isFunctionOfDim(loop) &&
        (reduced || loops.sizes[loop] != 1))
      return declined("the result is not indexed by the parallel loops alone");
  llvm::Expected<Value> terms = body.get(term);
  if (!terms)
    return terms;
  if (!hasFullInput(op, loops) || !spansLoops(*terms, loops))
    return declined("no operand has all dimensions that the reduction runs "
                    "over, and it is not a matmul with maps (m, k), (k, n) -> "
                    "(m, n)");
  Type f32 = Float32Type::get(op.getContext());
  Value value = graph.reshape(*terms, loops.sizes);
  for (auto [loop, reduced] : llvm::enumerate(loops.reduced))
    if (reduced && loops.sizes[loop] != 1)
      value = graph.apply("sum", value, f32, {static_cast<int64_t>(loop)});
  return value;
}

/// Adds what the accumulator starts with, which `align` brings into the shape
/// of the sum.
llvm::Expected<Value>
addInit(KernelGraphBuilder &graph, Value sum, Value init,
        function_ref<llvm::Expected<Value>(Value)> align) {
  Value start;
  if (std::optional<APFloat> value = getSplat(init)) {
    if (value->isZero())
      return sum;
    llvm::Expected<Value> constant = graph.constant(*value);
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
  return graph.apply("add", {sum, start}, getElementTypeOrSelf(sum));
}

} // namespace

llvm::Expected<Value> linalg_import::importReduction(KernelGraphBuilder &graph,
                                                     linalg::GenericOp op,
                                                     unsigned index,
                                                     const Loops &loops,
                                                     GenericBody &body) {
  OpOperand *init = op.getDpsInitOperand(index);
  AffineMap map = op.getMatchingIndexingMap(init);
  llvm::Expected<Value> term = getTerm(op, index);
  if (!term)
    return term;

  llvm::Expected<Value> value = importMatmul(graph, op, *term, map, loops);
  if (!value)
    return value;
  if (*value) {
    value = addInit(graph, *value, init->get(),
                    [](Value tensor) { return tensor; });
  } else {
    value = importSum(graph, op, *term, map, loops, body);
    if (!value)
      return value;
    value = addInit(graph, *value, init->get(), [&](Value tensor) {
      return alignOperand(graph, tensor, map, loops);
    });
  }
  if (!value)
    return value;
  auto type = cast<RankedTensorType>(init->get().getType());
  return graph.reshape(graph.cast(*value, type.getElementType()),
                       type.getShape());
}
