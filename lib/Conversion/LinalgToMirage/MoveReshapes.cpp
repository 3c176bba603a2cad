//===- MoveReshapes.cpp - Operators on merged or split dimensions ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction merges the dimensions that one operand has alone (the heads of
// a group and the rows of attention with grouped queries) and splits them again
// behind it. The search doesn't look across such reshapes. Where operators that
// treat merged and split dimensions alike stand between such reshapes, the
// arguments and the results of the function, all of them stay on merged ones.
//
// Where they can't, because the split dimensions are transposed (heads and
// rows) or a mask has some of them only, what stands between reshapes on merged
// ones is done on split ones: products of batches, and of rows that become
// batches (the latent of keys and values, times the weights of both).
//
// Where the batches of one operand of a product share the other (queries whose
// heads have keys in common, all of which broadcasts wrote out), they become
// rows, with all that works on them: one larger product, whose operand is read
// once. And what stands between reshapes that add dimensions of size 1 and
// reshapes that drop them works without.
//
// Where a reshape merges and splits at once (channels become groups of
// channels, whose positions are merged with them), what is reduced along merged
// dimensions between such reshapes is so along each of them.
//
//===----------------------------------------------------------------------===//

#include "DimGroups.h"
#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

namespace {

ArrayRef<int64_t> getShape(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

/// Operators that hand each other dimensions which are to become others.
class Region {
public:
  enum class Kind {
    Plain,
    /// The dimensions that are merged are batches and the rows of products,
    /// whose other operands don't have these batches.
    MergesBatches,
    /// What is reduced along dimensions that are split is so along each of
    /// them.
    SplitsReductions
  };
  explicit Region(ArrayRef<DimGroup> groups, Kind kind = Kind::Plain)
      : groups(groups), mergesBatches(kind == Kind::MergesBatches),
        splitsReductions(kind == Kind::SplitsReductions) {
    for (const DimGroup &group : groups) {
      rank += group.from.size();
      isSplit |= group.to.size() > 1;
    }
  }

  /// Adds an operator and all that it hands dimensions of a group to or has
  /// them from, up to reshapes, arguments and results. Returns false if some of
  /// it can't be on the other dimensions, or only moves an argument.
  bool add(Operation *op) {
    SmallVector<Operation *> todo{op};
    while (!todo.empty()) {
      Operation *next = todo.pop_back_val();
      if (!ops.insert(next))
        continue;
      if (next->getBlock() != op->getBlock() || !canMove(next))
        return false;
      for (OpOperand &operand : next->getOpOperands())
        if (Value value = operand.get();
            !isApart(operand) && hasGroup(value) &&
            !isa<BlockArgument>(value) && !getOriginal(value) &&
            !isBoundary(value.getDefiningOp()) && !isSplitAtArgument(value) &&
            !isReshaped(value))
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

  bool hasSplitReduction() const {
    return llvm::any_of(ops,
                        [&](Operation *op) { return isSplitReduction(op); });
  }

  /// Whether all of it is elementwise, between reshapes that make dimensions of
  /// it, or arguments, and reshapes to the other ones: on these it needs none.
  bool isEnclosed() const {
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

  /// Whether all of it is elementwise or reductions, and what else reads or
  /// makes it are reshapes, and what broadcasts.
  bool isBetweenReshapes() const {
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

  /// Whether some of it is reshaped to other dimensions again.
  bool isReshapedBehind() const {
    return llvm::any_of(ops, [&](Operation *op) {
      return !isSplitReduction(op) &&
             llvm::any_of(op->getUsers(), llvm::IsaPred<ReshapeOp>);
    });
  }

  /// Whether some of it reduces what a value with all of the split dimensions
  /// is computed of from tensors that have some of them only: reshapes can't
  /// move on to these.
  bool reducesWhatReadsSomeOf(Value source) const {
    return hasAllDimsSplit(source) && llvm::any_of(ops, [&](Operation *op) {
             return isSplitReduction(op) &&
                    readsSomeOf(source, getSplitDims(getDim(op)));
           });
  }

  void rewrite(PatternRewriter &rewriter) {
    SmallVector<Operation *> inOrder = ops.takeVector();
    llvm::sort(inOrder, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
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
          copy->setAttr("dim", rewriter.getI64IntegerAttr(
                                   getNewDims(getDim(op)).front()));
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
      // It is returned, too.
      if (!op->use_empty())
        rewriter.replaceOpWithNewOp<ReshapeOp>(op, op->getResult(0).getType(),
                                               result);
      else
        rewriter.eraseOp(op);
    }
  }

private:
  /// Whether all of it are movements of arguments, behind which another reshape
  /// would come that belongs to the argument (SimplifyKernelGraph.cpp).
  bool onlyMovesArgument() const {
    return llvm::all_of(ops, [&](Operation *op) {
      return isa<TransposeOp, ReshapeOp>(op) &&
             llvm::none_of(op->getUsers(),
                           [&](Operation *user) { return isLeaving(user); }) &&
             (ops.contains(op->getOperand(0).getDefiningOp()) ||
              linalg_import::isMovedArgument(op->getOperand(0)));
    });
  }

  /// Whether what reads a value of the region belongs to it.
  bool isBehind(Operation *user) const {
    return !isa<func::ReturnOp>(user) && !isLeaving(user) &&
           !isBoundary(user) && !isMergedBehind(user) && !isOtherReshape(user);
  }

  /// Whether an op does something along one dimension.
  static bool hasDim(Operation *op) {
    return isa<ReduceMaxOp, SumOp, SliceOp, ConcatOp>(op);
  }

  static int64_t getDim(Operation *op) {
    return op->getAttrOfType<IntegerAttr>("dim").getInt();
  }

  /// The dimensions that one, of a tensor with all dimensions, becomes; none if
  /// it is one of a group.
  SmallVector<int64_t> getNewDims(int64_t dim) const {
    int64_t from = 0, to = 0;
    for (const DimGroup &group : groups) {
      if (from == dim && !group.isChanged())
        return {to};
      from += group.from.size();
      to += group.to.size();
    }
    return {};
  }

  /// Those that one is split into; none if it isn't.
  SmallVector<int64_t> getSplitDims(int64_t dim) const {
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

  bool isSplitReduction(Operation *op) const {
    if (!splitsReductions || !isa<ReduceMaxOp, SumOp>(op))
      return false;
    auto sum = dyn_cast<SumOp>(op);
    return !(sum && sum.getSize()) && hasAllDims(op->getOperand(0)) &&
           !getSplitDims(getDim(op)).empty();
  }

  /// The same reduction of what is split, rounded once, in the end.
  Value reduce(Operation *op, Value operand, PatternRewriter &rewriter) const {
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

  bool hasAllDims(Value value) const { return getShape(value).size() == rank; }
  bool hasAllDimsSplit(Value value) const {
    SmallVector<int64_t> shape;
    for (const DimGroup &group : groups)
      llvm::append_range(shape, group.to);
    return getShape(value) == ArrayRef(shape);
  }

  /// Whether it is a matrix, or one for each of the batches that stay, by which
  /// a product multiplies rows that become batches: those have it in common.
  bool isWeight(OpOperand &operand) const {
    if (!isa<MatmulOp>(operand.getOwner()) || operand.getOperandNumber() != 1 ||
        groups.size() < 2 || !groups.drop_back().back().isChanged())
      return false;
    return getShape(operand.get()).size() == 2 ||
           (isSplit && hasAllDims(operand.get()) &&
            llvm::none_of(groups.drop_back(2), [](const DimGroup &group) {
              return group.isChanged();
            }));
  }

  /// Whether it is a matrix that the batches which become rows have in common.
  bool isShared(OpOperand &operand) const {
    return mergesBatches && isa<MatmulOp>(operand.getOwner()) &&
           operand.getOperandNumber() == 1;
  }

  /// Whether an operand isn't on the dimensions that are to become others.
  bool isApart(OpOperand &operand) const {
    return isWeight(operand) || isShared(operand);
  }

  /// Whether a reshape, which can't be on the other dimensions, makes these
  /// from something else: it is one anyway.
  bool isOtherReshape(Operation *op) const {
    return isa<ReshapeOp>(op) && !mergesBatches && !canMove(op) &&
           getElementTypeOrSelf(op->getOperand(0)) ==
               getElementTypeOrSelf(op->getResult(0));
  }

  /// Whether a value is one, or a part of one, transposed, which can be split
  /// there (SimplifyKernelGraph.cpp, MoveSlices.cpp).
  bool isReshaped(Value value) const {
    Operation *op = value.getDefiningOp();
    if (isOtherReshape(op))
      return true;
    return isSplit && !mergesBatches && !canMove(op) &&
           linalg_import::isMovedReshape(value);
  }

  /// Whether all dimensions that are dropped or added are of size 1.
  bool isOfUnits() const {
    return llvm::all_of(groups, [](const DimGroup &group) {
      return llvm::count_if(group.from, std::not_fn(isOne)) <= 1;
    });
  }

  /// Whether a reshape stays, and what is behind it as it was: where batches of
  /// one row each become rows it makes another one of the same elements.
  bool isBoundary(Operation *op) const {
    return mergesBatches && isa<ReshapeOp>(op) && isOfUnits();
  }

  /// Whether it can be split, or lose or gain dimensions of size 1, where it is
  /// still an argument (SimplifyKernelGraph.cpp).
  bool isSplitAtArgument(Value value) const {
    if (!(isSplit || isOfUnits()) || mergesBatches ||
        canMove(value.getDefiningOp()))
      return false;
    // A part of it, which the whole is split for (MoveSlices.cpp), but for one
    // element of rows, which can't be dropped there.
    if (auto slice = value.getDefiningOp<SliceOp>()) {
      if (isOfUnits() && slice.getSize() == 1 &&
          llvm::all_of(getShape(value).drop_front(slice.getDim() + 1), isOne))
        return false;
      value = slice.getInput();
    }
    // A reshape becomes one with that which splits.
    auto reshape = value.getDefiningOp<ReshapeOp>();
    return linalg_import::isMovedArgument(reshape ? Value(reshape.getInput())
                                                  : value);
  }

  /// Whether what is split can be merged where it is only moved: to results, or
  /// to other reshapes.
  bool isMergedBehind(Operation *op) const {
    return isSplit && !mergesBatches && !canMove(op) && isOnlyMoved(op);
  }

  static bool isOnlyMoved(Operation *op) {
    return isa<ReshapeOp>(op) ||
           (isa<TransposeOp>(op) &&
            llvm::all_of(op->getUsers(), [](Operation *user) {
              return isa<func::ReturnOp>(user) || isOnlyMoved(user);
            }));
  }

  /// The dimensions of a product that are merged with its rows.
  std::pair<int64_t, int64_t> getMergedBatches() const {
    const int64_t rows = rank - 2;
    return {rows + 1 - groups.drop_back().back().from.size(), rows};
  }

  /// Whether the operand of a product has none of the batches that are merged,
  /// and can be had without these dimensions: as an argument, which a reshape
  /// costs nothing, or what is reshaped anyway.
  bool isWithoutBatches(Value matrix) const {
    if (!hasAllDims(matrix))
      return false;
    auto [begin, end] = getMergedBatches();
    if (!llvm::all_of(getShape(matrix).slice(begin, end - begin), isOne))
      return false;
    if (auto transpose = matrix.getDefiningOp<TransposeOp>())
      matrix = transpose.getInput();
    return isa<BlockArgument>(matrix) || matrix.getDefiningOp<ReshapeOp>();
  }

  /// Whether an operator computes the same on the other dimensions: elementwise
  /// or along others.
  bool canMove(Operation *op) const {
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
      if (mergesBatches || !isSplit || !hasAllDims(result) ||
          groups.size() < 2 || groups.back().isChanged() ||
          groups.drop_back().back().isChanged())
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

  /// Whether a reshape changes dimensions behind all groups only: one that
  /// stands for a transpose of dimensions of size 1.
  bool keepsGroups(Value from, Value to) const {
    size_t end = 0, dim = 0;
    for (const DimGroup &group : groups) {
      dim += group.from.size();
      if (group.isChanged())
        end = dim;
    }
    return getShape(from).take_front(end) == getShape(to).take_front(end);
  }

  /// The same transpose of the other dimensions; none if it moves some of a
  /// group.
  SmallVector<int64_t> getNewPermutation(TransposeOp transpose) const {
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

  /// The size of a dimension; tensors are aligned at their last dimensions.
  int64_t getSize(Value value, int64_t dim) const {
    ArrayRef<int64_t> shape = getShape(value);
    int64_t missing = rank - shape.size();
    return dim < missing ? 1 : shape[dim - missing];
  }

  /// The sizes that a tensor has of each group.
  SmallVector<SmallVector<int64_t, 2>> getSizes(Value value) const {
    SmallVector<SmallVector<int64_t, 2>> sizes(groups.size());
    int64_t dim = 0;
    for (auto [group, list] : llvm::zip(groups, sizes))
      for (size_t i = 0; i < group.from.size(); ++i)
        list.push_back(getSize(value, dim++));
    return sizes;
  }

  static bool isOne(int64_t size) { return size == 1; }

  /// Whether a tensor has dimensions that are to become others.
  bool hasGroup(Value value) const {
    return getShape(value).size() <= rank &&
           llvm::any_of(llvm::zip(groups, getSizes(value)), [](auto pair) {
             auto &[group, sizes] = pair;
             return group.isChanged() && !llvm::all_of(sizes, isOne);
           });
  }

  /// What becomes of a tensor's shape; none if it has some dimensions of a
  /// group and lacks others.
  std::optional<SmallVector<int64_t>> getNewShape(Value value) const {
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

  Type getNewType(Value value) const {
    return cast<ShapedType>(value.getType()).clone(*getNewShape(value));
  }

  /// What a reshape made from the other dimensions, or null.
  Value getOriginal(Value value) const {
    auto reshape = value.getDefiningOp<ReshapeOp>();
    return reshape && reshape.getInput().getType() == getNewType(value)
               ? reshape.getInput()
               : Value();
  }

  /// Whether this makes the other dimensions.
  bool isLeaving(Operation *op) const {
    auto reshape = dyn_cast<ReshapeOp>(op);
    return reshape && getNewShape(reshape.getInput()) &&
           reshape.getType() == getNewType(reshape.getInput());
  }

  Value getMoved(Value value, PatternRewriter &rewriter) const {
    Type type = getNewType(value);
    if (type == value.getType())
      return value;
    if (Value original = getOriginal(value))
      return original;
    return ReshapeOp::create(rewriter, value.getLoc(), type, value);
  }

  /// A matrix as a batch, of which all others are repetitions. What is
  /// transposed is so behind the reshape, which may then be one of an argument.
  Value getBatchOfOne(Value matrix, PatternRewriter &rewriter) const {
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
    return TransposeOp::create(rewriter, transpose.getLoc(),
                               getBatchType(matrix), batch, permutation);
  }

  /// A matrix without the dimensions of batches that it doesn't have. What is
  /// transposed is so behind the reshape, which may then be one of an argument.
  Value getWithoutBatches(Value matrix, PatternRewriter &rewriter) const {
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

  static Value dropDims(Value value, ArrayRef<bool> isDropped,
                        PatternRewriter &rewriter) {
    SmallVector<int64_t> shape;
    for (auto [size, drop] : llvm::zip_equal(getShape(value), isDropped))
      if (!drop)
        shape.push_back(size);
    return ReshapeOp::create(rewriter, value.getLoc(),
                             cast<ShapedType>(value.getType()).clone(shape),
                             value);
  }

  /// Those of a tensor with all dimensions, in their order.
  ArrayRef<DimGroup> groups;
  size_t rank = 0;
  /// Whether dimensions are split, or merged.
  bool isSplit = false;
  const bool mergesBatches, splitsReductions;
  llvm::SetVector<Operation *> ops;
};

/// The operators at one side of a reshape work on the dimensions of its other
/// side: the split ones on merged dimensions where that can be, or else the
/// merged ones on split dimensions.
struct MoveReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    Value input = reshape.getInput(), result = reshape.getResult();
    // Two reshapes are to become one first: what stands between them and others
    // would be moved in both directions.
    if (getElementTypeOrSelf(input) != getElementTypeOrSelf(result) ||
        input.getDefiningOp<ReshapeOp>())
      return failure();
    Operation *before = input.getDefiningOp(), *after = nullptr;
    for (Operation *user : reshape->getUsers())
      if (!after && !isa<func::ReturnOp>(user))
        after = user;
    std::optional<SmallVector<DimGroup>> groups =
        getMerges(getShape(input), getShape(result));
    if (!groups) {
      groups = getMerges(getShape(result), getShape(input));
      std::swap(before, after);
    }
    // What is in front of the first reshape, or behind the last, is no
    // operator.
    if (!groups)
      return success(moveUnits(reshape, rewriter) ||
                     splitReductions(reshape, rewriter));
    if (!before)
      return failure();
    if (move(before, *groups, rewriter))
      return success();
    groups = reversed(std::move(*groups));
    int64_t numDims = 0;
    for (const DimGroup &group : *groups)
      numDims += group.to.size();
    if (after && numDims <= linalg_import::kMostSplitDims &&
        move(after, *groups, rewriter))
      return success();
    return success(splitReductions(reshape, rewriter));
  }

private:
  /// Those at the side with dimensions of size 1 work without these.
  static bool moveUnits(ReshapeOp reshape, PatternRewriter &rewriter) {
    Value input = reshape.getInput(), result = reshape.getResult();
    if (auto groups = getUnitMerges(getShape(input), getShape(result))) {
      if (!input.getDefiningOp())
        return false;
      // Where those in front can't (what a reduction keeps), those behind work
      // with them, if all are added again.
      return move(input.getDefiningOp(), *groups, rewriter) ||
             moveBehind(reshape, reversed(std::move(*groups)),
                        &Region::isEnclosed, rewriter);
    }
    if (isOfUnits(reshape))
      if (auto groups = getMovedUnits(getShape(input), getShape(result)))
        return moveBehind(reshape, *groups, &Region::isBetweenReshapes,
                          rewriter);
    auto groups = getUnitMerges(getShape(result), getShape(input));
    if (!groups || isa<BlockArgument>(input))
      return false;
    for (Operation *user : reshape->getUsers())
      if (!isa<func::ReturnOp>(user))
        return move(user, *groups, rewriter);
    return false;
  }

  /// How dimensions of size 1 are dropped that change places.
  static std::optional<SmallVector<DimGroup>>
  getMovedUnits(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    if (from.size() != to.size() || from == to)
      return std::nullopt;
    size_t begin = 0, end = to.size();
    while (from[begin] == to[begin])
      ++begin;
    while (from[end - 1] == to[end - 1])
      --end;
    SmallVector<int64_t> without(to);
    without.erase(
        std::remove(without.begin() + begin, without.begin() + end, 1),
        without.begin() + end);
    return getUnitMerges(to, without);
  }

  /// Those behind a reshape, which isn't an argument's, work on other
  /// dimensions if that is wanted of all of them.
  static bool moveBehind(ReshapeOp reshape, ArrayRef<DimGroup> groups,
                         bool (Region::*isWanted)() const,
                         PatternRewriter &rewriter) {
    if (isa<BlockArgument>(reshape.getInput()))
      return false;
    for (Operation *user : reshape->getUsers()) {
      if (isa<func::ReturnOp, ReshapeOp>(user))
        continue;
      Region region(groups);
      if (!region.add(user) || !(region.*isWanted)())
        continue;
      region.rewrite(rewriter);
      return true;
    }
    return false;
  }

  /// Those at either side that reduce what they have merged, if that spares a
  /// reshape behind them, or in front.
  static bool splitReductions(ReshapeOp reshape, PatternRewriter &rewriter) {
    auto split = getCommonSplit(getShape(reshape.getInput()),
                                getShape(reshape.getResult()));
    if (!split || split->size() > linalg_import::kMostSplitDims)
      return false;
    SmallVector<Operation *> candidates(reshape->getUsers());
    if (Operation *before = reshape.getInput().getDefiningOp())
      candidates.push_back(before);
    for (Operation *op : candidates) {
      if (isa<func::ReturnOp>(op))
        continue;
      Value merged = op == reshape.getInput().getDefiningOp()
                         ? reshape.getInput()
                         : reshape.getResult();
      auto merges = getMerges(*split, getShape(merged));
      if (!merges)
        continue;
      const SmallVector<DimGroup> groups = reversed(std::move(*merges));
      Region region(groups, Region::Kind::SplitsReductions);
      if (!region.add(op) || !region.hasSplitReduction() ||
          !(region.isReshapedBehind() ||
            region.reducesWhatReadsSomeOf(reshape.getInput())))
        continue;
      region.rewrite(rewriter);
      return true;
    }
    return false;
  }

  static bool move(Operation *op, ArrayRef<DimGroup> groups,
                   PatternRewriter &rewriter) {
    Region region(groups);
    if (!region.add(op))
      return false;
    region.rewrite(rewriter);
    return true;
  }
};

/// The batches of a product that share its other operand become rows, with all
/// that works on them.
struct MergeBatches : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp matmul,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> result = getShape(matmul.getResult());
    ArrayRef<int64_t> rhs = getShape(matmul.getRhs());
    const int64_t batch = static_cast<int64_t>(result.size()) - 3;
    if (batch < 0 || result[batch] == 1 || rhs[batch] != 1)
      return failure();
    SmallVector<DimGroup> groups;
    for (int64_t size : result.take_front(batch))
      groups.push_back({{size}, {size}});
    groups.push_back({{result[batch], result[batch + 1]},
                      {result[batch] * result[batch + 1]}});
    groups.push_back({{result.back()}, {result.back()}});
    Region region(groups, Region::Kind::MergesBatches);
    if (!region.add(matmul))
      return failure();
    region.rewrite(rewriter);
    return success();
  }
};

} // namespace

void linalg_import::populateMoveReshapesPatterns(RewritePatternSet &patterns) {
  patterns.add<MoveReshape, MergeBatches>(patterns.getContext());
}
