//===- NormalizeGeneric.cpp - Bodies and loops as the import reads them ---===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <limits>

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

namespace {

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Whether two scalars of a body are the same real number.
bool areEqual(linalg::GenericOp op, Value a, Value b) {
  auto skipWidening = [](Value value) {
    while (auto widened = value.getDefiningOp<arith::ExtFOp>())
      value = widened.getIn();
    return value;
  };
  a = skipWidening(a);
  b = skipWidening(b);
  if (a == b)
    return true;
  std::optional<APFloat> first = getBodyConstant(op, a);
  std::optional<APFloat> second = getBodyConstant(op, b);
  return first && second &&
         first->convertToDouble() == second->convertToDouble();
}

/// Whether a comparison is `lhs > rhs` (1) or `lhs < rhs` (-1), or either with
/// equality; 0 where it is something else. There are no NaNs among the reals.
int getDirection(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OGT:
  case P::OGE:
  case P::UGT:
  case P::UGE:
    return 1;
  case P::OLT:
  case P::OLE:
  case P::ULT:
  case P::ULE:
    return -1;
  default:
    return 0;
  }
}

/// What a select by a comparison is: one of its two values, or their extremum.
/// Null where it is something else.
Value simplifySelect(RewriterBase &rewriter, linalg::GenericOp op,
                     arith::SelectOp select) {
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return nullptr;
  using P = arith::CmpFPredicate;
  P predicate = compare.getPredicate();
  if (predicate == P::AlwaysTrue || predicate == P::ORD)
    return select.getTrueValue();
  if (predicate == P::AlwaysFalse || predicate == P::UNO)
    return select.getFalseValue();

  int direction = getDirection(predicate);
  Value a = select.getTrueValue(), b = select.getFalseValue();
  if (areEqual(op, a, compare.getRhs()) && areEqual(op, b, compare.getLhs()))
    direction = -direction;
  else if (!areEqual(op, a, compare.getLhs()) ||
           !areEqual(op, b, compare.getRhs()))
    return nullptr;
  rewriter.setInsertionPoint(select);
  if (direction > 0)
    return arith::MaximumFOp::create(rewriter, select.getLoc(), a, b);
  if (direction < 0)
    return arith::MinimumFOp::create(rewriter, select.getLoc(), a, b);
  return nullptr;
}

/// The other operand of an extremum of which one never counts, or null.
Value dropNeutral(linalg::GenericOp op, Operation *extremum) {
  Extremum kind = isa<arith::MaximumFOp, arith::MaxNumFOp>(extremum)
                      ? Extremum::Max
                      : Extremum::Min;
  for (unsigned i : {0, 1}) {
    std::optional<APFloat> bound = getBodyConstant(op, extremum->getOperand(i));
    if (bound && isNeutral(kind, *bound, op, extremum->getOperand(1 - i)))
      return extremum->getOperand(1 - i);
  }
  return nullptr;
}

/// A power by a constant integer with a float for it, or null.
Value widenExponent(RewriterBase &rewriter, math::FPowIOp power) {
  IntegerAttr exponent;
  // Every integer up to here is a bf16, and an f16.
  constexpr int64_t kMostExact = 256;
  if (!matchPattern(power.getRhs(), m_Constant(&exponent)) ||
      exponent.getValue().abs().ugt(kMostExact))
    return nullptr;
  rewriter.setInsertionPoint(power);
  Value constant = arith::ConstantOp::create(
      rewriter, power.getLoc(),
      rewriter.getFloatAttr(power.getType(),
                            static_cast<double>(exponent.getInt())));
  return math::PowFOp::create(rewriter, power.getLoc(), power.getLhs(),
                              constant);
}

Value simplifyScalarOp(RewriterBase &rewriter, linalg::GenericOp op,
                       Operation *scalarOp) {
  if (auto select = dyn_cast<arith::SelectOp>(scalarOp))
    return simplifySelect(rewriter, op, select);
  if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
          arith::MinNumFOp>(scalarOp))
    return dropNeutral(op, scalarOp);
  if (auto power = dyn_cast<math::FPowIOp>(scalarOp))
    return widenExponent(rewriter, power);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The loops of a map in the order in which it uses them.
SmallVector<unsigned> getUsedLoops(AffineMap map) {
  SmallVector<unsigned> used;
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      used.push_back(dim.getPosition());
  return used;
}

/// The order of the loops in which the fewest elements need to be transposed;
/// of several such that of a result, or the one that they have.
SmallVector<unsigned> getBestOrder(linalg::GenericOp op) {
  SmallVector<OpOperand *> operands;
  for (OpOperand &init : op.getDpsInitsMutable())
    operands.push_back(&init);
  for (OpOperand *input : op.getDpsInputOperands())
    if (!op.getMatchingBlockArgument(input).use_empty())
      operands.push_back(input);

  SmallVector<SmallVector<unsigned>> candidates;
  auto addCandidate = [&](OpOperand *operand) {
    SmallVector<unsigned> used =
        getUsedLoops(op.getMatchingIndexingMap(operand));
    if (used.size() == op.getNumLoops())
      candidates.push_back(used);
  };
  size_t numResults = op.getNumDpsInits();
  llvm::for_each(ArrayRef(operands).take_front(numResults), addCandidate);
  candidates.push_back(
      llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops())));
  llvm::for_each(ArrayRef(operands).drop_front(numResults), addCandidate);

  SmallVector<unsigned> best;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (ArrayRef<unsigned> order : candidates) {
    int64_t cost = 0;
    for (OpOperand *operand : operands) {
      auto type = dyn_cast<RankedTensorType>(operand->get().getType());
      if (!type || !isSupportedTensor(type))
        continue;
      if (!llvm::is_sorted(getUsedLoops(op.getMatchingIndexingMap(operand)),
                           [&](unsigned a, unsigned b) {
                             return llvm::find(order, a) < llvm::find(order, b);
                           }))
        cost += type.getNumElements();
    }
    if (cost >= least)
      continue;
    best.assign(order.begin(), order.end());
    least = cost;
  }
  return best;
}

} // namespace

void linalg_import::normalizeGeneric(RewriterBase &rewriter,
                                     linalg::GenericOp op) {
  for (Operation &scalarOp :
       llvm::make_early_inc_range(op.getBody()->without_terminator()))
    if (Value value = simplifyScalarOp(rewriter, op, &scalarOp))
      rewriter.replaceOp(&scalarOp, value);
  // A comparison would count as a use of what it compares.
  for (Operation &scalarOp :
       llvm::make_early_inc_range(llvm::reverse(*op.getBody())))
    if (isOpTriviallyDead(&scalarOp))
      rewriter.eraseOp(&scalarOp);

  // Diagonals and windows are for others to report or to read.
  if (llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
        return !map.isProjectedPermutation(/*allowZeroInResults=*/true);
      }))
    return;
  SmallVector<unsigned> order = getBestOrder(op);
  if (!llvm::is_sorted(order))
    (void)linalg::interchangeGenericOp(rewriter, op, order);
}
