//===- ReshapedRegion.cpp - Operators on other dimensions -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshapedRegion.h"
#include "Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

ReshapedRegion::ReshapedRegion(ArrayRef<DimGroup> groups, Kind kind)
    : groups(groups), mergesBatches(kind == Kind::MergesBatches),
      splitsReductions(kind == Kind::SplitsReductions) {
  for (const DimGroup &group : groups) {
    rank += group.from.size();
    isSplit |= group.to.size() > 1;
  }
}

bool ReshapedRegion::add(Operation *op) {
  SmallVector<Operation *> todo{op};
  while (!todo.empty()) {
    Operation *next = todo.pop_back_val();
    if (!ops.insert(next))
      continue;
    if (next->getBlock() != op->getBlock() || !canMove(next))
      return false;
    for (OpOperand &operand : next->getOpOperands())
      if (Value value = operand.get();
          !isApart(operand) && hasGroup(value) && !isa<BlockArgument>(value) &&
          !getOriginal(value) && !isBoundary(value.getDefiningOp()) &&
          !isSplitAtArgument(value) && !isReshaped(value))
        todo.push_back(value.getDefiningOp());
    // What else reads the same: a sum, and what is divided by it.
    for (OpOperand &operand : next->getOpOperands())
      if (splitsReductions && !isApart(operand) && hasGroup(operand.get()))
        for (Operation *user : operand.get().getUsers())
          if (isSplitReduction(user) ||
              (operand.get().getDefiningOp<ReshapeOp>() && isBehind(user)))
            todo.push_back(user);
    for (Operation *user : next->getUsers())
      if (!isSplitReduction(next) && isBehind(user))
        todo.push_back(user);
  }
  if (onlyMovesArgument())
    return false;
  // Nothing takes a weight of one product for the rows of another.
  return llvm::none_of(ops, [&](Operation *member) {
    return llvm::any_of(member->getOpOperands(), [&](OpOperand &operand) {
      return isApart(operand) && ops.contains(operand.get().getDefiningOp());
    });
  });
}

bool ReshapedRegion::takes(Operation *op, Value value) const {
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return operand.get() == value && !isApart(operand);
  });
}

bool ReshapedRegion::isMergedForOthers() const {
  return isSplit && llvm::any_of(ops, [&](Operation *op) {
           return llvm::any_of(op->getUsers(), [&](Operation *user) {
             return !ops.contains(user) && !isLeaving(user) &&
                    !isOpTriviallyDead(user);
           });
         });
}

bool ReshapedRegion::hasSplitReduction() const {
  return llvm::any_of(ops, [&](Operation *op) { return isSplitReduction(op); });
}

bool ReshapedRegion::isEnclosed() const {
  return llvm::all_of(ops, [&](Operation *op) {
    return cast<OperatorOpInterface>(op).getSemantics().isElementwise() &&
           llvm::all_of(op->getUsers(),
                        [&](Operation *user) {
                          return ops.contains(user) || isLeaving(user);
                        }) &&
           llvm::all_of(op->getOperands(), [&](Value value) {
             return ops.contains(value.getDefiningOp()) ||
                    getNewType(value) == value.getType() ||
                    getOriginal(value) || isa<BlockArgument>(value) ||
                    isSplitAtArgument(value);
           });
  });
}

bool ReshapedRegion::isBetweenReshapes() const {
  return llvm::all_of(ops, [&](Operation *op) {
    const Operator &semantics = cast<OperatorOpInterface>(op).getSemantics();
    return (semantics.isReduction() || semantics.isElementwise()) &&
           llvm::all_of(op->getUsers(),
                        [&](Operation *user) {
                          return ops.contains(user) || isa<ReshapeOp>(user);
                        }) &&
           llvm::all_of(op->getOperands(), [&](Value value) {
             Operation *maker = value.getDefiningOp();
             return ops.contains(maker) ||
                    getNewType(value) == value.getType() ||
                    isa_and_nonnull<ReshapeOp>(maker);
           });
  });
}

bool ReshapedRegion::isReshapedLikewise() const {
  auto withoutUnits = [](ArrayRef<int64_t> shape) {
    return llvm::to_vector(llvm::make_filter_range(shape, std::not_fn(isOne)));
  };
  return llvm::any_of(ops, [&](Operation *op) {
    auto shape = getNewShape(op->getResult(0));
    return shape && llvm::any_of(op->getUsers(), [&](Operation *user) {
             return isa<ReshapeOp>(user) &&
                    withoutUnits(getShape(user->getResult(0))) ==
                        withoutUnits(*shape);
           });
  });
}

bool ReshapedRegion::isReshapedBehind() const {
  return llvm::any_of(ops, [&](Operation *op) {
    return !isSplitReduction(op) &&
           llvm::any_of(op->getUsers(), llvm::IsaPred<ReshapeOp>);
  });
}

bool ReshapedRegion::reducesWhatReadsSomeOf(Value source) const {
  return hasAllDimsSplit(source) && llvm::any_of(ops, [&](Operation *op) {
           return isSplitReduction(op) &&
                  readsSomeOf(source, getSplitDims(getDim(op)));
         });
}

void ReshapedRegion::rewrite(PatternRewriter &rewriter) {
  SmallVector<Operation *> inOrder = ops.takeVector();
  llvm::sort(inOrder,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  llvm::DenseMap<Value, Value> moved;
  for (Operation *op : inOrder) {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      if (isWeight(operand)) {
        operands.push_back(getBatchOfOne(operand.get(), rewriter));
        continue;
      }
      if (isShared(operand)) {
        operands.push_back(getWithoutBatches(operand.get(), rewriter));
        continue;
      }
      Value &value = moved[operand.get()];
      if (!value)
        value = getMoved(operand.get(), rewriter);
      operands.push_back(value);
    }
    if (isSplitReduction(op)) {
      moved[op->getResult(0)] = reduce(op, operands[0], rewriter);
      continue;
    }
    Operation *copy = rewriter.clone(*op);
    Value result = copy->getResult(0);
    rewriter.modifyOpInPlace(copy, [&] {
      copy->setOperands(operands);
      result.setType(getNewType(result));
      if (hasDim(op))
        copy->setAttr(
            "dim", rewriter.getI64IntegerAttr(getNewDims(getDim(op)).front()));
      else if (auto transpose = dyn_cast<TransposeOp>(copy))
        transpose.setPermutation(getNewPermutation(transpose));
    });
    moved[op->getResult(0)] = result;
  }
  // Those that read others first.
  for (Operation *op : llvm::reverse(inOrder)) {
    Value result = moved[op->getResult(0)];
    rewriter.setInsertionPointAfterValue(result);
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      if (isLeaving(user))
        rewriter.replaceOp(user, result);
    // A reshape for what is dead would be moved back.
    const llvm::SmallSetVector<Operation *, 4> users(op->user_begin(),
                                                     op->user_end());
    for (Operation *user : users)
      if (isOpTriviallyDead(user))
        rewriter.eraseOp(user);
    // It is returned, too.
    if (!op->use_empty())
      rewriter.replaceOpWithNewOp<ReshapeOp>(op, op->getResult(0).getType(),
                                             result);
    else
      rewriter.eraseOp(op);
  }
}

bool ReshapedRegion::onlyMovesArgument() const {
  return llvm::all_of(ops, [&](Operation *op) {
    return isa<TransposeOp, ReshapeOp, SliceOp>(op) &&
           llvm::none_of(op->getUsers(),
                         [&](Operation *user) { return isLeaving(user); }) &&
           (ops.contains(op->getOperand(0).getDefiningOp()) ||
            linalg_import::isMovedArgument(op->getOperand(0)));
  });
}

bool ReshapedRegion::isBehind(Operation *user) const {
  return !isa<func::ReturnOp>(user) && !isLeaving(user) && !isBoundary(user) &&
         !isMergedBehind(user) && !isOtherReshape(user);
}

bool ReshapedRegion::hasDim(Operation *op) {
  return isa<ReduceMaxOp, SumOp, SliceOp, ConcatOp>(op);
}

int64_t ReshapedRegion::getDim(Operation *op) {
  return op->getAttrOfType<IntegerAttr>("dim").getInt();
}

SmallVector<int64_t> ReshapedRegion::getNewDims(int64_t dim) const {
  int64_t from = 0, to = 0;
  for (const DimGroup &group : groups) {
    if (from == dim && !group.isChanged())
      return {to};
    from += group.from.size();
    to += group.to.size();
  }
  return {};
}

SmallVector<int64_t> ReshapedRegion::getSplitDims(int64_t dim) const {
  int64_t from = 0, to = 0;
  for (const DimGroup &group : groups) {
    const auto numNew = static_cast<int64_t>(group.to.size());
    if (from == dim && group.from.size() == 1 && numNew > 1)
      return llvm::to_vector(llvm::seq(to, to + numNew));
    from += group.from.size();
    to += numNew;
  }
  return {};
}

bool ReshapedRegion::isSplitReduction(Operation *op) const {
  if (!splitsReductions || !isa<ReduceMaxOp, SumOp>(op))
    return false;
  auto sum = dyn_cast<SumOp>(op);
  return !(sum && sum.getSize()) && hasAllDims(op->getOperand(0)) &&
         !getSplitDims(getDim(op)).empty();
}

Value ReshapedRegion::reduce(Operation *op, Value operand,
                             PatternRewriter &rewriter) const {
  const SmallVector<int64_t> dims = getSplitDims(getDim(op));
  for (int64_t dim : llvm::reverse(dims)) {
    SmallVector<int64_t> shape(getShape(operand));
    shape[dim] = 1;
    const Type element = dim == dims.front()
                             ? getElementTypeOrSelf(op->getResult(0))
                             : rewriter.getF32Type();
    Operation *copy = rewriter.clone(*op);
    rewriter.modifyOpInPlace(copy, [&] {
      copy->setOperands(operand);
      copy->setAttr("dim", rewriter.getI64IntegerAttr(dim));
      copy->getResult(0).setType(
          cast<ShapedType>(op->getResult(0).getType()).clone(shape, element));
    });
    operand = copy->getResult(0);
  }
  return operand;
}

bool ReshapedRegion::hasAllDims(Value value) const {
  return getShape(value).size() == rank;
}

bool ReshapedRegion::hasAllDimsSplit(Value value) const {
  SmallVector<int64_t> shape;
  for (const DimGroup &group : groups)
    llvm::append_range(shape, group.to);
  return getShape(value) == ArrayRef(shape);
}

bool ReshapedRegion::isWeight(OpOperand &operand) const {
  if (!isa<MatmulOp>(operand.getOwner()) || operand.getOperandNumber() != 1 ||
      groups.size() < 2 || !groups.drop_back().back().isChanged())
    return false;
  return getShape(operand.get()).size() == 2 ||
         (isSplit && hasAllDims(operand.get()) &&
          llvm::none_of(groups.drop_back(2), [](const DimGroup &group) {
            return group.isChanged();
          }));
}

bool ReshapedRegion::isShared(OpOperand &operand) const {
  return mergesBatches && isa<MatmulOp>(operand.getOwner()) &&
         operand.getOperandNumber() == 1;
}

bool ReshapedRegion::isApart(OpOperand &operand) const {
  return isWeight(operand) || isShared(operand);
}

bool ReshapedRegion::isOtherReshape(Operation *op) const {
  return isa<ReshapeOp>(op) && !mergesBatches && !canMove(op) &&
         getElementTypeOrSelf(op->getOperand(0)) ==
             getElementTypeOrSelf(op->getResult(0));
}

bool ReshapedRegion::isReshaped(Value value) const {
  Operation *op = value.getDefiningOp();
  if (isOtherReshape(op))
    return true;
  return isSplit && !mergesBatches && !canMove(op) &&
         linalg_import::isMovedReshape(value);
}

bool ReshapedRegion::isOfUnits() const {
  return llvm::all_of(groups, [](const DimGroup &group) {
    return llvm::count_if(group.from, std::not_fn(isOne)) <= 1;
  });
}

bool ReshapedRegion::isBoundary(Operation *op) const {
  return mergesBatches && isa<ReshapeOp>(op) && isOfUnits();
}

bool ReshapedRegion::isSplitAtArgument(Value value) const {
  if (!(isSplit || isOfUnits()) || mergesBatches ||
      canMove(value.getDefiningOp()))
    return false;
  // What the whole is split for.
  if (auto slice = value.getDefiningOp<SliceOp>(); slice && !isOfUnits())
    value = slice.getInput();
  return isPartOfMovedArgument(value);
}

bool ReshapedRegion::isMergedBehind(Operation *op) const {
  return isSplit && !mergesBatches && !canMove(op) && isOnlyMoved(op);
}

bool ReshapedRegion::isOnlyMoved(Operation *op) {
  return isa<ReshapeOp>(op) ||
         (isa<TransposeOp>(op) &&
          llvm::all_of(op->getUsers(), [](Operation *user) {
            return isa<func::ReturnOp>(user) || isOnlyMoved(user);
          }));
}

std::pair<int64_t, int64_t> ReshapedRegion::getMergedBatches() const {
  const int64_t rows = rank - 2;
  return {rows + 1 - groups.drop_back().back().from.size(), rows};
}

bool ReshapedRegion::isWithoutBatches(Value matrix) const {
  if (!hasAllDims(matrix))
    return false;
  auto [begin, end] = getMergedBatches();
  if (!llvm::all_of(getShape(matrix).slice(begin, end - begin), isOne))
    return false;
  if (auto transpose = matrix.getDefiningOp<TransposeOp>())
    matrix = transpose.getInput();
  return isa<BlockArgument>(matrix) || matrix.getDefiningOp<ReshapeOp>();
}

bool ReshapedRegion::canMove(Operation *op) const {
  auto computation = dyn_cast<OperatorOpInterface>(op);
  // Casts move on their own (SimplifyKernelGraph.cpp).
  if (!computation || op->getNumResults() != 1 || isa<CastOp, CustomOp>(op))
    return false;
  Value result = op->getResult(0);
  if (isSplitReduction(op))
    return getNewShape(op->getOperand(0)) && getNewShape(result);
  if (hasDim(op)) {
    auto sum = dyn_cast<SumOp>(op);
    if ((sum && sum.getSize()) || !hasAllDims(op->getOperand(0)) ||
        getNewDims(getDim(op)).empty())
      return false;
  } else if (isa<MatmulOp>(op) && mergesBatches) {
    if (!hasAllDims(result) || !isWithoutBatches(op->getOperand(1)))
      return false;
  } else if (isa<MatmulOp>(op)) {
    // Its batches; several that are merged may be those of one operand.
    if (!isSplit || !hasAllDims(result) || groups.size() < 2 ||
        groups.back().isChanged() ||
        (groups.drop_back().back().isChanged() &&
         !isWeight(op->getOpOperand(1))))
      return false;
  } else if (isa<ConcatMatmulOp>(op)) {
    if (mergesBatches || !isSplit || !hasAllDims(result) || groups.size() < 2 ||
        groups.back().isChanged() || groups.drop_back().back().isChanged())
      return false;
  } else if (isa<ReshapeOp>(op)) {
    if (!hasAllDims(result) || !hasAllDims(op->getOperand(0)) ||
        getElementTypeOrSelf(op->getOperand(0)) !=
            getElementTypeOrSelf(result) ||
        !keepsGroups(op->getOperand(0), result))
      return false;
  } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
    if (!hasAllDims(result) || getNewPermutation(transpose).empty())
      return false;
  } else if (!computation.getSemantics().isElementwise()) {
    return false;
  }
  auto isKnown = [&](Value value) { return getNewShape(value).has_value(); };
  return hasGroup(result) && isKnown(result) &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           return isApart(operand) || isKnown(operand.get());
         });
}

bool ReshapedRegion::keepsGroups(Value from, Value to) const {
  size_t end = 0, dim = 0;
  for (const DimGroup &group : groups) {
    dim += group.from.size();
    if (group.isChanged())
      end = dim;
  }
  return getShape(from).take_front(end) == getShape(to).take_front(end);
}

SmallVector<int64_t>
ReshapedRegion::getNewPermutation(TransposeOp transpose) const {
  ArrayRef<int64_t> old = transpose.getPermutation();
  SmallVector<int64_t> permutation;
  int64_t dim = 0;
  for (const DimGroup &group : groups) {
    if (!group.isChanged()) {
      SmallVector<int64_t> source = getNewDims(old[dim++]);
      if (source.empty())
        return {};
      permutation.push_back(source.front());
      continue;
    }
    for (size_t i = 0; i < group.from.size(); ++i, ++dim)
      if (old[dim] != dim)
        return {};
    for (size_t i = 0; i < group.to.size(); ++i)
      permutation.push_back(permutation.size());
  }
  return permutation;
}

int64_t ReshapedRegion::getSize(Value value, int64_t dim) const {
  ArrayRef<int64_t> shape = getShape(value);
  int64_t missing = rank - shape.size();
  return dim < missing ? 1 : shape[dim - missing];
}

SmallVector<SmallVector<int64_t, 2>>
ReshapedRegion::getSizes(Value value) const {
  SmallVector<SmallVector<int64_t, 2>> sizes(groups.size());
  int64_t dim = 0;
  for (auto [group, list] : llvm::zip(groups, sizes))
    for (size_t i = 0; i < group.from.size(); ++i)
      list.push_back(getSize(value, dim++));
  return sizes;
}

bool ReshapedRegion::isOne(int64_t size) { return size == 1; }

bool ReshapedRegion::hasGroup(Value value) const {
  return getShape(value).size() <= rank &&
         llvm::any_of(llvm::zip(groups, getSizes(value)), [](auto pair) {
           auto &[group, sizes] = pair;
           return group.isChanged() && !llvm::all_of(sizes, isOne);
         });
}

std::optional<SmallVector<int64_t>>
ReshapedRegion::getNewShape(Value value) const {
  ArrayRef<int64_t> shape = getShape(value);
  if (shape.size() > rank)
    return std::nullopt;
  SmallVector<int64_t> result;
  for (auto [group, sizes] : llvm::zip(groups, getSizes(value))) {
    if (!group.isChanged())
      llvm::append_range(result, sizes);
    else if (llvm::all_of(sizes, isOne))
      result.append(group.to.size(), 1);
    else if (ArrayRef(sizes) == ArrayRef(group.from))
      llvm::append_range(result, group.to);
    else
      return std::nullopt;
  }
  // What has only dimensions behind all groups is as it was.
  size_t behind = 0;
  for (const DimGroup &group : llvm::reverse(groups)) {
    if (group.isChanged())
      break;
    ++behind;
  }
  return shape.size() <= behind ? SmallVector<int64_t>(shape) : result;
}

Type ReshapedRegion::getNewType(Value value) const {
  return cast<ShapedType>(value.getType()).clone(*getNewShape(value));
}

Value ReshapedRegion::getOriginal(Value value) const {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  return reshape && reshape.getInput().getType() == getNewType(value)
             ? reshape.getInput()
             : Value();
}

bool ReshapedRegion::isLeaving(Operation *op) const {
  auto reshape = dyn_cast<ReshapeOp>(op);
  return reshape && getNewShape(reshape.getInput()) &&
         reshape.getType() == getNewType(reshape.getInput());
}

Value ReshapedRegion::getMoved(Value value, PatternRewriter &rewriter) const {
  Type type = getNewType(value);
  if (type == value.getType())
    return value;
  if (Value original = getOriginal(value))
    return original;
  return ReshapeOp::create(rewriter, value.getLoc(), type, value);
}

Value ReshapedRegion::getBatchOfOne(Value matrix,
                                    PatternRewriter &rewriter) const {
  size_t newRank = 0;
  for (const DimGroup &group : groups)
    newRank += group.to.size();
  if (ArrayRef<int64_t> old = getShape(matrix); old.size() > 2) {
    SmallVector<int64_t> shape(old);
    shape.insert(shape.end() - 2, newRank - old.size(), 1);
    return ReshapeOp::create(rewriter, matrix.getLoc(),
                             cast<ShapedType>(matrix.getType()).clone(shape),
                             matrix);
  }
  auto transpose = matrix.getDefiningOp<TransposeOp>();
  Value source = transpose ? transpose.getInput() : matrix;
  auto getBatchType = [&](Value of) {
    SmallVector<int64_t> shape(newRank - getShape(of).size(), 1);
    llvm::append_range(shape, getShape(of));
    return cast<ShapedType>(of.getType()).clone(shape);
  };
  Value batch = ReshapeOp::create(rewriter, matrix.getLoc(),
                                  getBatchType(source), source);
  if (!transpose)
    return batch;
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, newRank));
  std::swap(permutation[newRank - 1], permutation[newRank - 2]);
  return TransposeOp::create(rewriter, transpose.getLoc(), getBatchType(matrix),
                             batch, permutation);
}

Value ReshapedRegion::getWithoutBatches(Value matrix,
                                        PatternRewriter &rewriter) const {
  auto [begin, end] = getMergedBatches();
  SmallVector<bool> isDropped(rank, false);
  std::fill(isDropped.begin() + begin, isDropped.begin() + end, true);
  auto transpose = matrix.getDefiningOp<TransposeOp>();
  if (!transpose)
    return dropDims(matrix, isDropped, rewriter);
  // By the dimensions of what is transposed.
  SmallVector<bool> isDroppedBefore(rank, false);
  SmallVector<int64_t> permutation, shape;
  for (auto [to, from] : llvm::enumerate(transpose.getPermutation())) {
    isDroppedBefore[from] = isDropped[to];
    if (isDropped[to])
      continue;
    permutation.push_back(from);
    shape.push_back(getShape(matrix)[to]);
  }
  for (int64_t &from : permutation)
    from -= llvm::count(ArrayRef(isDroppedBefore).take_front(from), true);
  Value source = dropDims(transpose.getInput(), isDroppedBefore, rewriter);
  return TransposeOp::create(rewriter, transpose.getLoc(),
                             transpose.getType().clone(shape), source,
                             permutation);
}

Value ReshapedRegion::dropDims(Value value, ArrayRef<bool> isDropped,
                               PatternRewriter &rewriter) {
  SmallVector<int64_t> shape;
  for (auto [size, drop] : llvm::zip_equal(getShape(value), isDropped))
    if (!drop)
      shape.push_back(size);
  return ReshapeOp::create(rewriter, value.getLoc(),
                           cast<ShapedType>(value.getType()).clone(shape),
                           value);
}
