//===- FoldGenerics.cpp - Generics whose results are known ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frontends compute with numbers as with tensors: a variance's number of
// elements, and whether there are some. And no operator reduces booleans: but
// whether all of a row is masked out often has the same answer for every row,
// as with causal masks. What is known is a constant, so that all that depends
// on it is gone before the import.
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"
#include <limits>

using namespace mlir;
using namespace mirage;
using namespace mirage::linalg_import;

namespace {

/// What tells of each row whether something holds in all of it, or somewhere in
/// it: a result of a generic.
struct BooleanReduction {
  OpResult result;
  Value term;
  bool isAll;
};

std::optional<BooleanReduction> getBooleanReduction(linalg::GenericOp op,
                                                    unsigned i) {
  const OpResult result = op->getResult(i);
  if (op.getNumReductionLoops() == 0 || result.use_empty())
    return std::nullopt;
  Operation *combiner =
      op.getBody()->getTerminator()->getOperand(i).getDefiningOp();
  Value accumulator = op.getRegionOutputArgs()[i];
  if (!isa_and_nonnull<arith::AndIOp, arith::OrIOp>(combiner) ||
      !accumulator.getType().isInteger(1) || !accumulator.hasOneUse() ||
      *accumulator.user_begin() != combiner)
    return std::nullopt;
  const bool isAll = isa<arith::AndIOp>(combiner);
  // What starts with something else doesn't occur.
  auto fill = op.getDpsInits()[i].getDefiningOp<linalg::FillOp>();
  Value start = fill ? fill.getDpsInputOperand(0)->get() : Value();
  if (!start ||
      !(isAll ? matchPattern(start, m_One()) : matchPattern(start, m_Zero())))
    return std::nullopt;
  return BooleanReduction{
      result, combiner->getOperand(combiner->getOperand(0) == accumulator),
      isAll};
}

/// The elementwise generic that makes an input of another one; null if there is
/// none.
linalg::GenericOp getProducer(OpOperand &input) {
  auto producer = input.get().getDefiningOp<linalg::GenericOp>();
  const bool isElementwise =
      producer && producer.getNumReductionLoops() == 0 &&
      producer.getIndexingMapMatchingResult(cast<OpResult>(input.get()))
          .isPermutation();
  return isElementwise ? producer : linalg::GenericOp();
}

/// The scalar that such a generic makes, and the dimension of its result that
/// each of its loops is.
Value getScalar(OpOperand &input) {
  auto result = cast<OpResult>(input.get());
  return cast<linalg::GenericOp>(result.getOwner())
      .getBody()
      ->getTerminator()
      ->getOperand(result.getResultNumber());
}
AffineMap getResultDims(OpOperand &input) {
  auto result = cast<OpResult>(input.get());
  return inversePermutation(cast<linalg::GenericOp>(result.getOwner())
                                .getIndexingMapMatchingResult(result));
}

/// An element of a tensor that is a constant; null of others.
Attribute getElement(Value tensor, ArrayRef<int64_t> position) {
  ElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)))
    return nullptr;
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t place = 0;
  for (auto [index, size] : llvm::zip_equal(position, type.getShape())) {
    if (index < 0 || index >= size)
      return nullptr;
    place = place * size + index;
  }
  if (auto dense = dyn_cast<DenseElementsAttr>(elements))
    return dense.isSplat() ? dense.getSplatValue<Attribute>()
                           : dense.getValues<Attribute>()[place];
  auto resource = dyn_cast<DenseI64ResourceElementsAttr>(elements);
  std::optional<ArrayRef<int64_t>> values =
      resource ? resource.tryGetAsArrayRef() : std::nullopt;
  if (!values || place >= static_cast<int64_t>(values->size()))
    return nullptr;
  return IntegerAttr::get(type.getElementType(), (*values)[place]);
}

/// Scalars of positions, through the generics that make what is read for them.
class PositionFunction {
public:
  explicit PositionFunction(linalg::GenericOp op) : op(op) {}

  /// Marks the loops on which a scalar depends: all, if that takes too long to
  /// find out, as it may double with each op.
  void markLoops(Value scalar, llvm::SmallBitVector &loops) {
    if (left-- <= 0) {
      loops.set();
      return;
    }
    if (OpOperand *input = getInput(scalar)) {
      if (auto producer = getProducer(*input)) {
        llvm::SmallBitVector inner(producer.getNumLoops());
        PositionFunction(producer, left).markLoops(getScalar(*input), inner);
        const AffineMap map =
            getResultDims(*input).compose(op.getMatchingIndexingMap(input));
        for (unsigned d : inner.set_bits())
          for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
            if (map.getResult(d).isFunctionOfDim(loop))
              loops.set(loop);
      }
      return;
    }
    Operation *scalarOp = scalar.getDefiningOp();
    if (auto index = dyn_cast_or_null<linalg::IndexOp>(scalarOp))
      loops.set(index.getDim());
    else if (scalarOp)
      for (Value operand : scalarOp->getOperands())
        markLoops(operand, loops);
  }

  /// The value at a position; null where it depends on more.
  Attribute evaluate(Value scalar, ArrayRef<int64_t> position) {
    if (left-- <= 0)
      return nullptr;
    if (OpOperand *input = getInput(scalar)) {
      if (Attribute element = getElement(
              input->get(), op.getMatchingIndexingMap(input).compose(position)))
        return element;
      auto producer = getProducer(*input);
      if (!producer)
        return nullptr;
      const SmallVector<int64_t> inner =
          getResultDims(*input)
              .compose(op.getMatchingIndexingMap(input))
              .compose(position);
      return PositionFunction(producer, left)
          .evaluate(getScalar(*input), inner);
    }
    Operation *scalarOp = scalar.getDefiningOp();
    if (!scalarOp || scalarOp->getNumResults() != 1 ||
        scalarOp->getNumRegions() != 0)
      return nullptr;
    if (auto index = dyn_cast<linalg::IndexOp>(scalarOp))
      return IntegerAttr::get(index.getType(), position[index.getDim()]);
    SmallVector<Attribute> operands;
    for (Value operand : scalarOp->getOperands()) {
      operands.push_back(evaluate(operand, position));
      if (!operands.back())
        return nullptr;
    }
    SmallVector<OpFoldResult> results;
    if (failed(scalarOp->fold(operands, results)) || results.size() != 1)
      return nullptr;
    auto value = dyn_cast<Value>(results[0]);
    return value ? evaluate(value, position) : cast<Attribute>(results[0]);
  }

private:
  static constexpr int64_t kMostSteps = 1 << 10;

  PositionFunction(linalg::GenericOp op, int64_t left) : op(op), left(left) {}

  /// The input of the generic that a scalar is an element of, or null.
  OpOperand *getInput(Value scalar) {
    auto argument = dyn_cast<BlockArgument>(scalar);
    const bool isInput = argument && argument.getOwner() == op.getBody() &&
                         argument.getArgNumber() < op.getNumDpsInputs();
    return isInput ? op.getMatchingOpOperand(argument) : nullptr;
  }

  linalg::GenericOp op;
  int64_t left = kMostSteps;
};

/// Visits the positions of some loops; ends when the function says so, and
/// returns whether it did.
bool anyPosition(SmallVector<int64_t> &position, ArrayRef<int64_t> sizes,
                 ArrayRef<unsigned> loops,
                 llvm::function_ref<bool()> function) {
  if (loops.empty())
    return function();
  for (int64_t i = 0; i < sizes[loops[0]]; ++i) {
    position[loops[0]] = i;
    if (anyPosition(position, sizes, loops.drop_front(), function))
      return true;
  }
  return false;
}

/// The value that all rows have, if a few elements of each show it.
std::optional<bool> evaluate(const BooleanReduction &reduction) {
  auto op = cast<linalg::GenericOp>(reduction.result.getOwner());
  const SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (ShapedType::isDynamicShape(sizes) || llvm::is_contained(sizes, 0))
    return std::nullopt;
  llvm::SmallBitVector loops(op.getNumLoops());
  PositionFunction(op).markLoops(reduction.term, loops);
  SmallVector<unsigned> rows, columns;
  for (unsigned loop : loops.set_bits())
    (op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel
         ? rows
         : columns)
        .push_back(loop);
  // A mask of a few thousand rows takes some milliseconds.
  int64_t left = 1 << 16;
  SmallVector<int64_t> position(sizes.size(), 0);
  auto decides = [&] {
    if (left-- <= 0)
      return false;
    auto value = dyn_cast_or_null<IntegerAttr>(
        PositionFunction(op).evaluate(reduction.term, position));
    if (!value)
      left = 0;
    return value && value.getValue().isZero() == reduction.isAll;
  };
  // The first elements of a row decide about causal masks, the last about
  // their opposites, and those on the diagonal about windows.
  auto isUndecided = [&] {
    SmallVector<int64_t> tries = {0, std::numeric_limits<int64_t>::max()};
    for (unsigned row : rows)
      tries.push_back(position[row]);
    for (int64_t column : tries) {
      for (unsigned d : columns)
        position[d] = std::min(column, sizes[d] - 1);
      if (decides())
        return false;
    }
    return !anyPosition(position, sizes, columns, decides);
  };
  if (anyPosition(position, sizes, rows, isUndecided))
    return std::nullopt;
  return !reduction.isAll;
}

/// Replaces elements of tensors that are all true, or all false, and choices
/// by them. Returns whether there were some.
bool inlineBooleans(RewriterBase &rewriter, linalg::GenericOp op) {
  bool changed = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    SplatElementsAttr splat;
    BlockArgument scalar = op.getMatchingBlockArgument(input);
    if (!scalar.getType().isInteger(1) || scalar.use_empty() ||
        !matchPattern(input->get(), m_Constant(&splat)))
      continue;
    changed = true;
    rewriter.setInsertionPointToStart(op.getBody());
    rewriter.replaceAllUsesWith(
        scalar, arith::ConstantOp::create(
                    rewriter, op.getLoc(),
                    rewriter.getBoolAttr(splat.getSplatValue<bool>())));
  }
  // A reduction is to be read as one.
  if (!changed || op.getNumReductionLoops() > 0)
    return changed;
  for (Operation &scalarOp :
       llvm::make_early_inc_range(op.getBody()->without_terminator())) {
    SmallVector<Value> folded;
    if (succeeded(rewriter.tryFold(&scalarOp, folded)) && !folded.empty())
      rewriter.replaceOp(&scalarOp, folded);
  }
  return true;
}

/// Makes constants of the results that are one number, or boolean.
void foldElementwise(RewriterBase &rewriter, linalg::GenericOp op) {
  if (op.getNumReductionLoops() > 0 || op.hasDynamicShape())
    return;
  const SmallVector<int64_t> position(op.getNumLoops(), 0);
  for (OpResult result : op->getResults()) {
    Value scalar =
        op.getBody()->getTerminator()->getOperand(result.getResultNumber());
    llvm::SmallBitVector loops(op.getNumLoops());
    PositionFunction(op).markLoops(scalar, loops);
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (loops.any() || !type)
      continue;
    auto value = dyn_cast_or_null<TypedAttr>(
        PositionFunction(op).evaluate(scalar, position));
    if (!value || value.getType() != type.getElementType() ||
        !isa<IntegerAttr, FloatAttr>(value))
      continue;
    rewriter.setInsertionPoint(op);
    rewriter.replaceAllUsesWith(
        result, arith::ConstantOp::create(
                    rewriter, op.getLoc(),
                    DenseElementsAttr::get(type, Attribute(value))));
  }
}

/// The tensor of which a generic reads all elements in their order, at places
/// that are known: of the means of a group norm one for each channel, as
/// torch-mlir has it. Null if it does something else.
Value getRereadTensor(linalg::GenericOp op) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() != 0 ||
      !op.getIndexingMapMatchingResult(op->getResult(0)).isIdentity())
    return {};
  auto extract = op.getBody()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract->getBlock() != op.getBody())
    return {};
  auto from = dyn_cast<RankedTensorType>(extract.getTensor().getType()),
       to = cast<RankedTensorType>(op->getResult(0).getType());
  // Some milliseconds.
  constexpr int64_t kMostElements = 1 << 16;
  if (!from || !from.hasStaticShape() || !to.hasStaticShape() ||
      from.getRank() == 0 || to.getRank() == 0 ||
      from.getNumElements() != to.getNumElements() ||
      from.getNumElements() > kMostElements)
    return {};
  int64_t next = 0;
  SmallVector<int64_t> position(to.getRank(), 0);
  auto isElsewhere = [&] {
    int64_t place = 0;
    for (auto [index, size] :
         llvm::zip_equal(extract.getIndices(), from.getShape())) {
      auto value = dyn_cast_or_null<IntegerAttr>(
          PositionFunction(op).evaluate(index, position));
      if (!value || value.getInt() < 0 || value.getInt() >= size)
        return true;
      place = place * size + value.getInt();
    }
    return place != next++;
  };
  const auto loops = llvm::to_vector(llvm::seq<unsigned>(0, to.getRank()));
  return anyPosition(position, to.getShape(), loops, isElsewhere)
             ? Value()
             : extract.getTensor();
}

/// All elements in their order, as a tensor of that type.
Value reshape(RewriterBase &rewriter, Location loc, Value tensor,
              RankedTensorType type) {
  auto getOneGroup = [](int64_t rank) {
    ReassociationIndices group;
    llvm::append_range(group, llvm::seq<int64_t>(0, rank));
    return SmallVector<ReassociationIndices>{group};
  };
  if (int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
      rank > 1)
    tensor = tensor::CollapseShapeOp::create(rewriter, loc, tensor,
                                             getOneGroup(rank));
  if (type.getRank() > 1)
    tensor = tensor::ExpandShapeOp::create(rewriter, loc, type, tensor,
                                           getOneGroup(type.getRank()));
  return tensor;
}

} // namespace

void linalg_import::foldGenerics(RewriterBase &rewriter,
                                 func::FuncOp function) {
  SmallVector<Operation *> changed;
  for (Block &block : function.getBody())
    for (Operation &each : llvm::make_early_inc_range(block)) {
      if (auto extract = dyn_cast<tensor::ExtractOp>(each)) {
        SmallVector<Value> folded;
        if (succeeded(rewriter.tryFold(&each, folded)) && !folded.empty())
          rewriter.replaceOp(&each, folded);
        continue;
      }
      auto op = dyn_cast<linalg::GenericOp>(each);
      if (!op || !op.hasPureTensorSemantics())
        continue;
      if (Value tensor = getRereadTensor(op)) {
        rewriter.setInsertionPoint(op);
        rewriter.replaceOp(
            op, reshape(rewriter, op.getLoc(), tensor,
                        cast<RankedTensorType>(op->getResult(0).getType())));
        continue;
      }
      foldElementwise(rewriter, op);
      if (inlineBooleans(rewriter, op) && op.getNumReductionLoops() == 0)
        changed.push_back(op);
      bool isLeft = false;
      for (unsigned i = 0; i < op->getNumResults(); ++i) {
        const auto reduction = getBooleanReduction(op, i);
        const auto value = reduction ? evaluate(*reduction) : std::nullopt;
        isLeft |= reduction && !value;
        if (!value)
          continue;
        auto type = cast<RankedTensorType>(op.getResult(i).getType());
        rewriter.setInsertionPoint(op);
        rewriter.replaceAllUsesWith(
            op.getResult(i),
            arith::ConstantOp::create(rewriter, op.getLoc(),
                                      DenseElementsAttr::get(type, *value)));
      }
      if (isLeft)
        changed.push_back(mergeProducers(rewriter, op));
    }
  dropUnused(changed);
}
