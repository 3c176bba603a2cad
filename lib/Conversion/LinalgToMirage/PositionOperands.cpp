//===- PositionOperands.cpp - Scalars of positions as operands ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No operator knows where in a tensor it is, and none has integers, booleans,
// or scalars that are no tensors. But what a body computes of these alone, such
// as a causal mask, can be computed in front of it, by a generic that is left
// to others, and be one more operand.
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

namespace {

class PositionOperands {
public:
  PositionOperands(RewriterBase &rewriter, linalg::GenericOp op)
      : rewriter(rewriter), op(op), body(*op.getBody()) {}

  linalg::GenericOp run();

private:
  /// Of what has been added nothing is known.
  std::optional<APFloat> getConstant(Value scalar) {
    return llvm::is_contained(scalars, scalar) ? std::nullopt
                                               : getBodyConstant(op, scalar);
  }
  /// Whether a scalar is a function of positions, integers, booleans and
  /// scalars from outside. A constant is none: it can be an operand as it is.
  bool isOfPositions(Value scalar);
  /// Whether it is a function of elements of the function's arguments, too.
  bool isGiven(Value scalar);
  /// Whether it is worth computing a choice's condition in front of the body:
  /// always where nothing else is read for it.
  bool isComputedInFront(arith::SelectOp select);

  /// What a scalar is computed of, and which loops that takes.
  struct Slice {
    llvm::SetVector<Operation *> ops;
    SmallVector<OpOperand *> inputs;
    llvm::SmallBitVector loops;
  };
  Slice getSlice(Value scalar);

  /// The value, of a type that a tensor of an operator can have, of a scalar of
  /// positions in each iteration, as a scalar of one more operand.
  Value addOperand(Value scalar, FloatType type,
                   llvm::function_ref<Value(Value)> convert);
  /// Whether a scalar may be no finite number for some elements: something is
  /// computed for it that overflows easily, or has a pole.
  bool mayHavePole(Value scalar);
  /// A condition of positions, from an operand of ones and zeros.
  Value addMask(Value condition);
  /// Inverts a condition by which only choices between 0 and something are
  /// made, so that it need not be inverted where it is an operand.
  void invertForZeros(Value condition);
  /// Makes a choice between something and an infinity add the infinity, or 0.
  void replaceSelect(arith::SelectOp select);
  linalg::GenericOp rebuild();
  Value getNumber(FloatType type, double number) {
    return arith::ConstantOp::create(rewriter, op.getLoc(),
                                     rewriter.getFloatAttr(type, number));
  }

  RewriterBase &rewriter;
  linalg::GenericOp op;
  Block &body;
  llvm::DenseMap<Value, bool> known, given;
  /// What is added: tensors, and the maps by which they are read.
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  /// Stands for the scalars of `tensors` until the op has them as operands.
  SmallVector<Value> scalars;
};

} // namespace

bool PositionOperands::isOfPositions(Value scalar) {
  if (llvm::is_contained(scalars, scalar) || getConstant(scalar))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(scalar);
      argument && argument.getOwner() == &body)
    return argument.getArgNumber() < op.getNumDpsInputs() &&
           !(isa<FloatType>(scalar.getType()) &&
             isa<ShapedType>(
                 op.getMatchingOpOperand(argument)->get().getType()));
  Operation *scalarOp = scalar.getDefiningOp();
  if (!scalarOp || scalarOp->getBlock() != &body)
    return !scalarOp || !scalarOp->hasTrait<OpTrait::ConstantLike>();
  auto [entry, isNew] = known.try_emplace(scalar, false);
  if (!isNew)
    return entry->second;
  const bool result =
      isa<linalg::IndexOp>(scalarOp) ||
      (isMemoryEffectFree(scalarOp) && scalarOp->getNumRegions() == 0 &&
       scalarOp->getNumOperands() > 0 &&
       llvm::any_of(scalarOp->getOperands(),
                    [&](Value operand) { return isOfPositions(operand); }) &&
       llvm::all_of(scalarOp->getOperands(), [&](Value operand) {
         return isOfPositions(operand) || getConstant(operand) ||
                (operand.getDefiningOp() &&
                 operand.getDefiningOp()->hasTrait<OpTrait::ConstantLike>());
       }));
  return known[scalar] = result;
}

bool PositionOperands::isGiven(Value scalar) {
  if (isOfPositions(scalar) || getConstant(scalar))
    return true;
  if (auto argument = dyn_cast<BlockArgument>(scalar)) {
    if (argument.getOwner() != &body ||
        argument.getArgNumber() >= op.getNumDpsInputs())
      return false;
    auto tensor = dyn_cast<BlockArgument>(
        op.getDpsInputOperand(argument.getArgNumber())->get());
    return tensor && isa<func::FuncOp>(tensor.getOwner()->getParentOp());
  }
  Operation *scalarOp = scalar.getDefiningOp();
  if (scalarOp->getBlock() != &body)
    return scalarOp->hasTrait<OpTrait::ConstantLike>();
  auto [entry, isNew] = given.try_emplace(scalar, false);
  if (!isNew)
    return entry->second;
  const bool result =
      isMemoryEffectFree(scalarOp) && scalarOp->getNumRegions() == 0 &&
      llvm::all_of(scalarOp->getOperands(),
                   [&](Value operand) { return isGiven(operand); });
  return given[scalar] = result;
}

bool PositionOperands::isComputedInFront(arith::SelectOp select) {
  Value condition = select.getCondition();
  if (isOfPositions(condition))
    return true;
  if (!isGiven(condition))
    return false;
  // If it is as large as all that is read, and that is given, too, as much is
  // read in front of the body as in it.
  return !getSlice(condition).loops.all() || !isGiven(select.getTrueValue()) ||
         !isGiven(select.getFalseValue());
}

PositionOperands::Slice PositionOperands::getSlice(Value scalar) {
  Slice slice;
  slice.loops.resize(op.getNumLoops());
  auto visit = [&](auto &self, Value value) -> void {
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &body) {
      OpOperand *input = op.getMatchingOpOperand(argument);
      if (llvm::is_contained(slice.inputs, input))
        return;
      slice.inputs.push_back(input);
      for (unsigned d = 0; d < op.getNumLoops(); ++d)
        if (op.getMatchingIndexingMap(input).isFunctionOfDim(d))
          slice.loops.set(d);
      return;
    }
    Operation *scalarOp = value.getDefiningOp();
    if (!scalarOp || scalarOp->getBlock() != &body ||
        slice.ops.contains(scalarOp))
      return;
    if (auto index = dyn_cast<linalg::IndexOp>(scalarOp))
      slice.loops.set(index.getDim());
    for (Value operand : scalarOp->getOperands())
      self(self, operand);
    slice.ops.insert(scalarOp);
  };
  visit(visit, scalar);
  return slice;
}

Value PositionOperands::addOperand(Value scalar, FloatType type,
                                   llvm::function_ref<Value(Value)> convert) {
  const Slice slice = getSlice(scalar);

  MLIRContext *context = rewriter.getContext();
  const auto numLoops = static_cast<unsigned>(slice.loops.count());
  SmallVector<AffineExpr> newDims(op.getNumLoops(),
                                  getAffineConstantExpr(0, context)),
      oldDims;
  SmallVector<unsigned> numbers(op.getNumLoops());
  SmallVector<int64_t> shape, sizes = op.getStaticLoopRanges();
  for (unsigned d : slice.loops.set_bits()) {
    numbers[d] = shape.size();
    newDims[d] = getAffineDimExpr(shape.size(), context);
    oldDims.push_back(getAffineDimExpr(d, context));
    shape.push_back(sizes[d]);
  }
  if (ShapedType::isDynamicShape(shape))
    return nullptr;
  SmallVector<Value> operands;
  SmallVector<AffineMap> operandMaps;
  for (OpOperand *input : slice.inputs) {
    operands.push_back(input->get());
    operandMaps.push_back(
        op.getMatchingIndexingMap(input).replaceDimsAndSymbols(newDims, {},
                                                               numLoops, 0));
  }
  operandMaps.push_back(rewriter.getMultiDimIdentityMap(numLoops));
  rewriter.setInsertionPoint(op);
  Location loc = scalar.getLoc();
  Value init = tensor::EmptyOp::create(rewriter, loc, shape, type);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, init.getType(), operands, init, operandMaps,
      SmallVector<utils::IteratorType>(numLoops, utils::IteratorType::parallel),
      [&](OpBuilder &builder, Location, ValueRange arguments) {
        IRMapping mapping;
        for (auto [input, argument] : llvm::zip(slice.inputs, arguments))
          mapping.map(op.getMatchingBlockArgument(input), argument);
        for (Operation *scalarOp : slice.ops) {
          Operation *clone = builder.clone(*scalarOp, mapping);
          if (auto index = dyn_cast<linalg::IndexOp>(clone))
            index.setDim(numbers[index.getDim()]);
        }
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToEnd(builder.getInsertionBlock());
        linalg::YieldOp::create(rewriter, loc,
                                convert(mapping.lookupOrDefault(scalar)));
      });
  tensors.push_back(generic.getResult(0));
  maps.push_back(AffineMap::get(op.getNumLoops(), 0, oldDims, context));
  scalars.push_back(body.addArgument(type, loc));
  // Of ops that are replaced now, others may have the place.
  known.clear();
  given.clear();
  return scalars.back();
}

bool PositionOperands::mayHavePole(Value scalar) {
  auto isUnsafe = [](Operation *producer) {
    return isa<arith::DivFOp, math::ExpOp, math::ExpM1Op, math::Log1pOp,
               math::LogOp, math::PowFOp, math::RsqrtOp, math::SqrtOp,
               kernel::DivOp, kernel::ExpOp, kernel::LogOp, kernel::PowOp,
               kernel::RsqrtOp, kernel::SqrtOp>(producer);
  };
  const Slice slice = getSlice(scalar);
  if (llvm::any_of(slice.ops, isUnsafe))
    return true;
  // Element by element, through what is imported: sums and products are taken
  // for numbers.
  llvm::SetVector<Operation *> producers;
  auto add = [&](Value tensor) {
    if (Operation *producer = tensor.getDefiningOp())
      producers.insert(producer);
  };
  for (OpOperand *input : slice.inputs)
    add(input->get());
  for (size_t i = 0; i < producers.size(); ++i) {
    if (isUnsafe(producers[i]))
      return true;
    auto computation = dyn_cast<OperatorOpInterface>(producers[i]);
    if (computation &&
        (computation.getSemantics().isElementwise() ||
         isa<kernel::ConcatOp, kernel::ReshapeOp, kernel::SliceOp,
             kernel::TransposeOp, kernel::BroadcastOp>(producers[i])))
      llvm::for_each(producers[i]->getOperands(), add);
  }
  return false;
}

Value PositionOperands::addMask(Value condition) {
  FloatType type = rewriter.getF16Type();
  Location loc = condition.getLoc();
  Value mask = addOperand(condition, type, [&](Value value) -> Value {
    return arith::SelectOp::create(rewriter, loc, value, getNumber(type, 1),
                                   getNumber(type, 0));
  });
  if (!mask)
    return nullptr;
  rewriter.setInsertionPointToStart(&body);
  return arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OGT, mask,
                               getNumber(type, 0));
}

void PositionOperands::invertForZeros(Value condition) {
  auto isZeroFirst = [&](Operation *user) {
    auto select = dyn_cast<arith::SelectOp>(user);
    if (!select || select.getCondition() != condition ||
        select.getFalseValue() == condition)
      return false;
    const std::optional<APFloat> first = getConstant(select.getTrueValue());
    return first && first->isZero() && !getConstant(select.getFalseValue()) &&
           !isOfPositions(select.getResult());
  };
  // One from outside may have others.
  SmallVector<Operation *> users;
  for (Operation *user : condition.getUsers())
    if (user->getBlock() == &body)
      users.push_back(user);
  if (!condition.getType().isInteger(1) || users.empty() ||
      !isOfPositions(condition) || !llvm::all_of(users, isZeroFirst))
    return;
  Operation *producer = condition.getDefiningOp();
  if (producer && producer->getBlock() == &body)
    rewriter.setInsertionPointAfter(producer);
  else
    rewriter.setInsertionPointToStart(&body);
  Location loc = condition.getLoc();
  Value inverse = arith::XOrIOp::create(
      rewriter, loc, condition,
      arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true)));
  for (Operation *user : users) {
    auto select = cast<arith::SelectOp>(user);
    Value zero = select.getTrueValue();
    rewriter.modifyOpInPlace(select, [&] {
      select->setOperands({inverse, select.getFalseValue(), zero});
    });
  }
  known.clear();
  given.clear();
}

void PositionOperands::replaceSelect(arith::SelectOp select) {
  auto type = dyn_cast<FloatType>(select.getType());
  if (!type || !isSupportedElementType(type))
    return;
  std::optional<APFloat> infinity;
  Value other;
  bool isFirst = false;
  for (unsigned i : {1, 2})
    if (std::optional<APFloat> number = getConstant(select->getOperand(i));
        number && number->isInfinity()) {
      infinity = number;
      other = select->getOperand(3 - i);
      isFirst = i == 1;
    }
  if (!infinity || getConstant(other) || !isComputedInFront(select))
    return;
  Location loc = select.getLoc();
  // Both have infinities.
  FloatType maskType = type.isBF16() ? type : rewriter.getF16Type();
  Value mask =
      addOperand(select.getCondition(), maskType, [&](Value value) -> Value {
        Value zero = getNumber(maskType, 0),
              extreme = getNumber(maskType, infinity->convertToDouble());
        return arith::SelectOp::create(rewriter, loc, value,
                                       isFirst ? extreme : zero,
                                       isFirst ? zero : extreme);
      });
  if (!mask)
    return;
  rewriter.setInsertionPoint(select);
  if (maskType != type)
    mask = arith::ExtFOp::create(rewriter, loc, type, mask);
  if (mayHavePole(other)) {
    // Where the infinity is added, a pole would make no number of the sum.
    const bool isNegative = infinity->isNegative();
    Value isZero = arith::CmpFOp::create(
        rewriter, loc,
        isNegative ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT,
        mask, getNumber(type, isNegative ? -1 : 1));
    other = arith::SelectOp::create(rewriter, loc, isZero, other,
                                    getNumber(type, 0));
  }
  rewriter.replaceOpWithNewOp<arith::AddFOp>(select, other, mask);
}

linalg::GenericOp PositionOperands::rebuild() {
  // What is no operand of an operator, and no longer read, goes.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> all;
  llvm::BitVector dropped(body.getNumArguments());
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (argument.use_empty() && !isSupportedElementType(argument.getType())) {
      dropped.set(argument.getArgNumber());
      continue;
    }
    inputs.push_back(input->get());
    all.push_back(op.getMatchingIndexingMap(input));
  }
  body.eraseArguments(dropped);
  const size_t numInputs = inputs.size();
  llvm::append_range(inputs, tensors);
  llvm::append_range(all, maps);
  for (OpOperand &init : op.getDpsInitsMutable())
    all.push_back(op.getMatchingIndexingMap(&init));
  rewriter.setInsertionPoint(op);
  auto result = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), all,
      op.getIteratorTypesArray());
  for (auto [i, scalar] : llvm::enumerate(scalars)) {
    BlockArgument argument =
        body.insertArgument(numInputs + i, scalar.getType(), scalar.getLoc());
    scalar.replaceAllUsesWith(argument);
  }
  body.eraseArguments(body.getNumArguments() - scalars.size(), scalars.size());
  rewriter.inlineRegionBefore(op.getRegion(), result.getRegion(),
                              result.getRegion().end());
  rewriter.replaceOp(op, result.getResults());
  return result;
}

/// Lets index arithmetic read the positions that it depends on only: where MLIR
/// has merged generics it has all of them as operands.
static void simplifyIndices(RewriterBase &rewriter, Block &body) {
  for (auto apply :
       llvm::make_early_inc_range(body.getOps<affine::AffineApplyOp>())) {
    rewriter.setInsertionPoint(apply);
    OpFoldResult simple = affine::makeComposedFoldedAffineApply(
        rewriter, apply.getLoc(), apply.getAffineMap(),
        getAsOpFoldResult(apply.getMapOperands()));
    rewriter.replaceOp(apply, getValueOrCreateConstantIndexOp(
                                  rewriter, apply.getLoc(), simple));
  }
}

linalg::GenericOp PositionOperands::run() {
  simplifyIndices(rewriter, body);
  // Of nothing else: it is what others read.
  if (llvm::all_of(body.getTerminator()->getOperands(),
                   [&](Value scalar) { return isOfPositions(scalar); }))
    return op;
  // While conditions are of positions.
  for (auto select : llvm::make_early_inc_range(body.getOps<arith::SelectOp>()))
    if (!isOfPositions(select.getResult()))
      replaceSelect(select);
  for (auto select : llvm::to_vector(body.getOps<arith::SelectOp>()))
    invertForZeros(select.getCondition());
  for (Operation &scalarOp : llvm::make_early_inc_range(body)) {
    if (llvm::any_of(scalarOp.getResults(),
                     [&](Value scalar) { return isOfPositions(scalar); }))
      continue;
    for (OpOperand &operand : scalarOp.getOpOperands()) {
      Value scalar = operand.get();
      auto type = dyn_cast<FloatType>(scalar.getType());
      const bool isCondition = scalar.getType().isInteger(1);
      if (!(isCondition || (type && isSupportedElementType(type))) ||
          !isOfPositions(scalar))
        continue;
      Value added = isCondition ? addMask(scalar)
                                : addOperand(scalar, type,
                                             [](Value value) { return value; });
      if (added)
        rewriter.replaceUsesWithIf(scalar, added, [&](OpOperand &use) {
          return use.getOwner()->getBlock() == &body &&
                 llvm::none_of(use.getOwner()->getResults(),
                               [&](Value r) { return isOfPositions(r); });
        });
    }
  }
  if (tensors.empty())
    return op;
  for (Operation &scalarOp : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&scalarOp))
      rewriter.eraseOp(&scalarOp);
  return rebuild();
}

linalg::GenericOp linalg_import::addPositionOperands(RewriterBase &rewriter,
                                                     linalg::GenericOp op) {
  return PositionOperands(rewriter, op).run();
}

bool linalg_import::isOnesAndZeros(Value tensor) {
  while (isa_and_nonnull<kernel::ReshapeOp, kernel::TransposeOp>(
      tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  auto generic = tensor.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumReductionLoops() > 0)
    return false;
  auto select = generic.getBody()
                    ->getTerminator()
                    ->getOperand(cast<OpResult>(tensor).getResultNumber())
                    .getDefiningOp<arith::SelectOp>();
  return select && matchPattern(select.getTrueValue(), m_OneFloat()) &&
         matchPattern(select.getFalseValue(), m_AnyZeroFloat());
}
