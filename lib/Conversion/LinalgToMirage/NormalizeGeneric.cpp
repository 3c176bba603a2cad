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
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
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
  if (matchPattern(select.getCondition(), m_One()))
    return select.getTrueValue();
  if (matchPattern(select.getCondition(), m_Zero()))
    return select.getFalseValue();
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return nullptr;
  using P = arith::CmpFPredicate;
  P predicate = compare.getPredicate();
  if (predicate == P::AlwaysTrue || predicate == P::ORD)
    return select.getTrueValue();
  if (predicate == P::AlwaysFalse || predicate == P::UNO)
    return select.getFalseValue();
  // As a test for NaNs.
  if (areEqual(op, compare.getLhs(), compare.getRhs())) {
    const bool holds = llvm::is_contained(
        {P::OEQ, P::UEQ, P::OGE, P::UGE, P::OLE, P::ULE}, predicate);
    return holds ? select.getTrueValue() : select.getFalseValue();
  }

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

/// Scalars of a body as functions of one of them.
class ScalarFunction {
public:
  /// `argument` is a scalar that no op widens.
  ScalarFunction(linalg::GenericOp op, Value argument, const APFloat &at)
      : op(op), argument(argument),
        at(getAttr(argument.getContext(), at.convertToDouble())) {}

  /// Whether a scalar is that value where the argument is the number.
  bool is(Value scalar, double value) {
    auto found = dyn_cast_or_null<FloatAttr>(evaluate(scalar));
    return found && found.getValueAsDouble() == value;
  }

  /// A scalar with another value in the argument's place.
  Value replace(RewriterBase &rewriter, Value scalar, Value other) {
    IRMapping mapping;
    mapping.map(argument, other);
    return clone(rewriter, scalar, mapping);
  }

private:
  /// All are f64: MLIR folds functions of few other types.
  static Attribute getAttr(MLIRContext *context, double value) {
    return FloatAttr::get(Float64Type::get(context), value);
  }

  /// A scalar's value where the argument is the number; null where it isn't
  /// known.
  Attribute evaluate(Value scalar) {
    if (scalar == argument)
      return at;
    auto [entry, isNew] = values.try_emplace(scalar);
    if (!isNew)
      return entry->second;
    Attribute result;
    if (std::optional<APFloat> number = getBodyConstant(op, scalar))
      result = getAttr(scalar.getContext(), number->convertToDouble());
    else if (Operation *scalarOp = getOp(scalar))
      result = evaluateOp(scalarOp);
    return values[scalar] = result;
  }

  Attribute evaluateOp(Operation *scalarOp) {
    SmallVector<Attribute> operands;
    for (Value operand : scalarOp->getOperands())
      operands.push_back(evaluate(operand));
    // No type rounds the values that are asked for.
    if (isa<arith::ExtFOp, arith::TruncFOp>(scalarOp))
      return operands[0];
    if (isa<arith::MulFOp>(scalarOp))
      for (unsigned i : {0, 1})
        if (auto factor = dyn_cast_or_null<FloatAttr>(operands[i]);
            factor && factor.getValue().isZero() &&
            isElement(scalarOp->getOperand(1 - i)))
          return factor;
    SmallVector<OpFoldResult> results;
    if (llvm::is_contained(operands, Attribute()) ||
        failed(scalarOp->fold(operands, results)) || results.size() != 1)
      return nullptr;
    if (auto value = dyn_cast<Value>(results[0]))
      return evaluate(value);
    return cast<Attribute>(results[0]);
  }

  /// Whether it is a real number, as inputs are; what is computed may have a
  /// pole, from which the choice keeps away.
  bool isElement(Value scalar) {
    while (auto widened = scalar.getDefiningOp<arith::ExtFOp>())
      scalar = widened.getIn();
    return isa<BlockArgument>(scalar);
  }

  /// Whether something is computed from the argument.
  bool depends(Value scalar) {
    if (scalar == argument)
      return true;
    auto [entry, isNew] = dependences.try_emplace(scalar, false);
    Operation *scalarOp = getOp(scalar);
    if (!isNew || !scalarOp)
      return entry->second;
    const bool result =
        llvm::any_of(scalarOp->getOperands(),
                     [&](Value operand) { return depends(operand); });
    return dependences[scalar] = result;
  }

  Value clone(RewriterBase &rewriter, Value scalar, IRMapping &mapping) {
    if (Value known = mapping.lookupOrNull(scalar))
      return known;
    if (!depends(scalar))
      return scalar;
    Operation *scalarOp = getOp(scalar);
    for (Value operand : scalarOp->getOperands())
      clone(rewriter, operand, mapping);
    return rewriter.clone(*scalarOp, mapping)->getResult(0);
  }

  /// The op of the body that computes a scalar; null for another one.
  Operation *getOp(Value scalar) {
    Operation *scalarOp = scalar.getDefiningOp();
    return scalarOp && scalarOp->getBlock() == op.getBody() &&
                   scalarOp->getNumResults() == 1
               ? scalarOp
               : nullptr;
  }

  linalg::GenericOp op;
  Value argument;
  Attribute at;
  llvm::DenseMap<Value, Attribute> values;
  llvm::DenseMap<Value, bool> dependences;
};

/// A choice between f(x) and g(x) by whether x is above a number at which both
/// are 0, as elu and leaky_relu are written, or both are 1, as elu + 1: one of
/// them is 0 in f(max(x, c)) + g(min(x, c)), or 1 in the product, so that
/// nothing is rounded. Null where it is something else.
Value splitSelect(RewriterBase &rewriter, linalg::GenericOp op,
                  arith::SelectOp select) {
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  int direction = compare ? getDirection(compare.getPredicate()) : 0;
  if (direction == 0)
    return nullptr;
  Value x = compare.getLhs();
  std::optional<APFloat> number = getBodyConstant(op, compare.getRhs());
  if (!number) {
    x = compare.getRhs();
    number = getBodyConstant(op, compare.getLhs());
    direction = -direction;
  }
  if (!number)
    return nullptr;
  while (auto widened = x.getDefiningOp<arith::ExtFOp>())
    x = widened.getIn();
  bool losesDigits;
  number->convert(cast<FloatType>(x.getType()).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesDigits);
  if (losesDigits)
    return nullptr;
  Value above = select.getTrueValue(), below = select.getFalseValue();
  if (direction < 0)
    std::swap(above, below);
  // What it computes may double with each choice.
  constexpr unsigned kMostOps = 256;
  if (llvm::hasNItemsOrMore(*op.getBody(), kMostOps))
    return nullptr;
  ScalarFunction function(op, x, *number);
  auto areBoth = [&](double value) {
    return function.is(above, value) && function.is(below, value);
  };
  const bool areZero = areBoth(0);
  if (!areZero && !areBoth(1))
    return nullptr;

  rewriter.setInsertionPoint(select);
  Location loc = select.getLoc();
  Value bound = arith::ConstantOp::create(rewriter, loc,
                                          FloatAttr::get(x.getType(), *number));
  const std::pair<Value, Value> choices[] = {
      {above, arith::MaximumFOp::create(rewriter, loc, x, bound)},
      {below, arith::MinimumFOp::create(rewriter, loc, x, bound)}};
  SmallVector<Value> parts;
  for (auto [scalar, extremum] : choices)
    if (!getBodyConstant(op, scalar))
      parts.push_back(function.replace(rewriter, scalar, extremum));
  if (parts.empty())
    return above;
  if (parts.size() == 1)
    return parts[0];
  if (areZero)
    return arith::AddFOp::create(rewriter, loc, parts[0], parts[1]);
  return arith::MulFOp::create(rewriter, loc, parts[0], parts[1]);
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

/// The number that a scalar is which is computed of numbers alone, or null:
/// not a root, which a formula may have.
Value foldNumbers(RewriterBase &rewriter, linalg::GenericOp op,
                  Operation *scalarOp) {
  if (op.getNumReductionLoops() > 0 ||
      !isa<arith::AddFOp, arith::ExtFOp, arith::MaximumFOp, arith::MinimumFOp,
           arith::MulFOp, arith::NegFOp, arith::SubFOp, arith::TruncFOp>(
          scalarOp))
    return nullptr;
  SmallVector<Attribute> operands;
  for (Value operand : scalarOp->getOperands()) {
    std::optional<APFloat> number = getBodyConstant(op, operand);
    if (!number)
      return nullptr;
    operands.push_back(FloatAttr::get(operand.getType(), *number));
  }
  SmallVector<OpFoldResult> results;
  if (failed(scalarOp->fold(operands, results)) || results.size() != 1)
    return nullptr;
  if (auto value = dyn_cast<Value>(results[0]))
    return value;
  auto number = dyn_cast<FloatAttr>(cast<Attribute>(results[0]));
  if (!number)
    return nullptr;
  rewriter.setInsertionPoint(scalarOp);
  return arith::ConstantOp::create(rewriter, scalarOp->getLoc(), number);
}

/// A comparison with an infinity as one with the last number of the type, which
/// only the infinity is beyond; null for another one.
Value compareWithLast(RewriterBase &rewriter, linalg::GenericOp op,
                      arith::CmpFOp compare) {
  using P = arith::CmpFPredicate;
  Value scalar = compare.getLhs();
  const P predicate = compare.getPredicate();
  int direction = getDirection(predicate);
  std::optional<APFloat> bound = getBodyConstant(op, compare.getRhs());
  if (!bound) {
    scalar = compare.getRhs();
    bound = getBodyConstant(op, compare.getLhs());
    direction = -direction;
  }
  const bool isEqual = predicate == P::OEQ || predicate == P::UEQ,
             isOther = predicate == P::ONE || predicate == P::UNE;
  if (!bound || !bound->isInfinity() || !(direction || isEqual || isOther))
    return nullptr;
  const int sign = bound->isNegative() ? -1 : 1;
  const bool allowsEqual =
      llvm::is_contained({P::OGE, P::UGE, P::OLE, P::ULE}, predicate);
  rewriter.setInsertionPoint(compare);
  Location loc = compare.getLoc();
  // Nothing is greater than inf, and all is at most inf.
  if (direction == sign && !allowsEqual)
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getBoolAttr(false));
  if (direction == -sign && allowsEqual)
    return arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
  const bool isBeyond = isEqual || direction == sign;
  const P beyond = sign > 0 ? P::OGT : P::OLT,
          within = sign > 0 ? P::OLE : P::OGE;
  auto type = cast<FloatType>(scalar.getType());
  const APFloat last =
      APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/sign < 0);
  return arith::CmpFOp::create(
      rewriter, loc, isBeyond ? beyond : within, scalar,
      arith::ConstantOp::create(rewriter, loc, FloatAttr::get(type, last)));
}

/// What is added to the accumulator of a reduction in another way than by an
/// addition, with one; null for another scalar.
Value makeAddition(RewriterBase &rewriter, linalg::GenericOp op,
                   Operation *scalarOp) {
  auto isAccumulator = [&](Value scalar) {
    return op.getNumReductionLoops() > 0 &&
           llvm::is_contained(op.getRegionOutputArgs(), scalar);
  };
  Location loc = scalarOp->getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(scalarOp);
  if (auto fma = dyn_cast<math::FmaOp>(scalarOp);
      fma && isAccumulator(fma.getC()))
    return arith::AddFOp::create(
        rewriter, loc, fma.getC(),
        arith::MulFOp::create(rewriter, loc, fma.getA(), fma.getB()));
  if (auto sub = dyn_cast<arith::SubFOp>(scalarOp);
      sub && isAccumulator(sub.getLhs()))
    return arith::AddFOp::create(
        rewriter, loc, sub.getLhs(),
        arith::NegFOp::create(rewriter, loc, sub.getRhs()));
  return nullptr;
}

Value simplifyScalarOp(RewriterBase &rewriter, linalg::GenericOp op,
                       Operation *scalarOp) {
  if (Value sum = makeAddition(rewriter, op, scalarOp))
    return sum;
  if (Value number = foldNumbers(rewriter, op, scalarOp))
    return number;
  if (auto compare = dyn_cast<arith::CmpFOp>(scalarOp))
    return compareWithLast(rewriter, op, compare);
  if (auto select = dyn_cast<arith::SelectOp>(scalarOp)) {
    Value simple = simplifySelect(rewriter, op, select);
    return simple ? simple : splitSelect(rewriter, op, select);
  }
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

void linalg_import::shareEqualScalars(RewriterBase &rewriter,
                                      linalg::GenericOp op) {
  llvm::DenseMap<std::pair<Value, AffineMap>, Value> scalars;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value scalar = op.getMatchingBlockArgument(input);
    auto [entry, isNew] = scalars.try_emplace(
        {input->get(), op.getMatchingIndexingMap(input)}, scalar);
    if (!isNew)
      rewriter.replaceAllUsesWith(scalar, entry->second);
  }
  DominanceInfo dominance(op);
  eliminateCommonSubExpressions(rewriter, dominance, op);
}

void linalg_import::normalizeGeneric(RewriterBase &rewriter,
                                     linalg::GenericOp op) {
  shareEqualScalars(rewriter, op);
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
