//===- MoveReshapes.cpp - Operators on merged dimensions ------------------===//
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
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;

namespace {

using Groups = SmallVector<ReassociationIndices>;

ArrayRef<int64_t> getShape(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

/// Which dimensions of `split` one of `merged` stands for; none if that is not
/// the difference. Dimensions of size 1 that come or go are no obstacle to the
/// search.
std::optional<Groups> getGroups(ArrayRef<int64_t> split,
                                ArrayRef<int64_t> merged) {
  if (split.size() <= merged.size())
    return std::nullopt;
  std::optional<Groups> groups =
      getReassociationIndicesForCollapse(split, merged);
  if (!groups || groups->size() != merged.size() ||
      llvm::none_of(*groups, [&](const ReassociationIndices &group) {
        return llvm::count_if(group, [&](int64_t d) { return split[d] != 1; }) >
               1;
      }))
    return std::nullopt;
  return groups;
}

/// Operators on split dimensions that are applied to merged ones instead.
class Region {
public:
  Region(ArrayRef<int64_t> split, const Groups &groups)
      : split(split), groups(groups) {}

  /// Adds an operator and all that it hands dimensions of a group to or has
  /// them from, up to reshapes, arguments and results. Returns false if some of
  /// it can't be on merged dimensions.
  bool add(Operation *op) {
    SmallVector<Operation *> todo{op};
    while (!todo.empty()) {
      Operation *next = todo.pop_back_val();
      if (!ops.insert(next))
        continue;
      if (next->getBlock() != op->getBlock() || !canMerge(next))
        return false;
      for (Value operand : next->getOperands())
        if (hasGroup(operand) && !isa<BlockArgument>(operand) &&
            !getMergedInput(operand))
          todo.push_back(operand.getDefiningOp());
      for (Operation *user : next->getUsers())
        if (!isa<func::ReturnOp>(user) && !isMerge(user))
          todo.push_back(user);
    }
    return true;
  }

  void rewrite(PatternRewriter &rewriter) {
    SmallVector<Operation *> inOrder = ops.takeVector();
    llvm::sort(inOrder, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    llvm::DenseMap<Value, Value> merged;
    for (Operation *op : inOrder) {
      rewriter.setInsertionPoint(op);
      SmallVector<Value> operands;
      for (Value operand : op->getOperands()) {
        Value &value = merged[operand];
        if (!value)
          value = getMerged(operand, rewriter);
        operands.push_back(value);
      }
      Operation *copy = rewriter.clone(*op);
      Value result = copy->getResult(0);
      rewriter.modifyOpInPlace(copy, [&] {
        copy->setOperands(operands);
        result.setType(getMergedType(result));
        if (isReduction(op))
          copy->setAttr("dim", rewriter.getI64IntegerAttr(getReducedGroup(op)));
      });
      merged[op->getResult(0)] = result;
    }
    // Those that read others first.
    for (Operation *op : llvm::reverse(inOrder)) {
      Value result = merged[op->getResult(0)];
      rewriter.setInsertionPointAfterValue(result);
      for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
        if (isMerge(user))
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
  static bool isReduction(Operation *op) { return isa<ReduceMaxOp, SumOp>(op); }

  size_t getReducedGroup(Operation *op) const {
    int64_t dim = op->getAttrOfType<IntegerAttr>("dim").getInt();
    auto group = llvm::find_if(groups, [&](const ReassociationIndices &group) {
      return llvm::is_contained(group, dim);
    });
    return group - groups.begin();
  }

  /// Whether an operator computes the same on merged dimensions: elementwise,
  /// or along a whole dimension that isn't merged.
  bool canMerge(Operation *op) const {
    auto computation = dyn_cast<OperatorOpInterface>(op);
    // Casts move on their own (SimplifyKernelGraph.cpp).
    if (!computation || op->getNumResults() != 1 || isa<CastOp, CustomOp>(op))
      return false;
    if (isReduction(op)) {
      auto sum = dyn_cast<SumOp>(op);
      if ((sum && sum.getSize()) ||
          getShape(op->getOperand(0)).size() != split.size() ||
          groups[getReducedGroup(op)].size() != 1)
        return false;
    } else if (!computation.getSemantics().isElementwise()) {
      return false;
    }
    auto isKnown = [&](Value value) {
      return getMergedShape(value).has_value();
    };
    return hasGroup(op->getResult(0)) && isKnown(op->getResult(0)) &&
           llvm::all_of(op->getOperands(), isKnown);
  }

  /// The size of a dimension; tensors are aligned at their last dimensions.
  int64_t getSize(Value value, int64_t dim) const {
    ArrayRef<int64_t> shape = getShape(value);
    int64_t missing = split.size() - shape.size();
    return dim < missing ? 1 : shape[dim - missing];
  }

  /// Whether a tensor has dimensions that are to be merged.
  bool hasGroup(Value value) const {
    return getShape(value).size() <= split.size() &&
           llvm::any_of(groups, [&](const ReassociationIndices &group) {
             return group.size() > 1 && llvm::any_of(group, [&](int64_t d) {
                      return getSize(value, d) != 1;
                    });
           });
  }

  /// A tensor's shape with each group merged; none if it has some dimensions of
  /// a group and lacks others.
  std::optional<SmallVector<int64_t>> getMergedShape(Value value) const {
    ArrayRef<int64_t> shape = getShape(value);
    if (shape.size() > split.size())
      return std::nullopt;
    SmallVector<int64_t> merged;
    for (const ReassociationIndices &group : groups) {
      int64_t size = 1;
      bool isWhole = true;
      for (int64_t d : group) {
        size *= getSize(value, d);
        isWhole &= getSize(value, d) == split[d];
      }
      if (group.size() > 1 && size != 1 && !isWhole)
        return std::nullopt;
      merged.push_back(size);
    }
    // What has only dimensions behind all groups is as it was.
    size_t leading = groups.size() - std::min(groups.size(), shape.size());
    if (llvm::all_of(llvm::drop_begin(groups, leading),
                     [](const ReassociationIndices &group) {
                       return group.size() == 1;
                     }))
      return SmallVector<int64_t>(shape);
    return merged;
  }

  Type getMergedType(Value value) const {
    return cast<ShapedType>(value.getType()).clone(*getMergedShape(value));
  }

  /// What a reshape has split, or null.
  Value getMergedInput(Value value) const {
    auto reshape = value.getDefiningOp<ReshapeOp>();
    return reshape && reshape.getInput().getType() == getMergedType(value)
               ? reshape.getInput()
               : Value();
  }

  bool isMerge(Operation *op) const {
    auto reshape = dyn_cast<ReshapeOp>(op);
    return reshape && getMergedShape(reshape.getInput()) &&
           reshape.getType() == getMergedType(reshape.getInput());
  }

  Value getMerged(Value value, PatternRewriter &rewriter) const {
    Type type = getMergedType(value);
    if (type == value.getType())
      return value;
    if (Value input = getMergedInput(value))
      return input;
    return ReshapeOp::create(rewriter, value.getLoc(), type, value);
  }

  /// The shape that all tensors have, but for missing dimensions.
  ArrayRef<int64_t> split;
  const Groups &groups;
  llvm::SetVector<Operation *> ops;
};

/// Operators between reshapes that split and reshapes that merge.
struct MergeBetweenReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp reshape,
                                PatternRewriter &rewriter) const override {
    Value input = reshape.getInput(), result = reshape.getResult();
    if (getElementTypeOrSelf(input) != getElementTypeOrSelf(result))
      return failure();
    Operation *neighbour = nullptr;
    SmallVector<int64_t> split;
    std::optional<Groups> groups;
    if ((groups = getGroups(getShape(input), getShape(result)))) {
      split.assign(getShape(input));
      neighbour = input.getDefiningOp();
    } else if ((groups = getGroups(getShape(result), getShape(input)))) {
      split.assign(getShape(result));
      for (Operation *user : reshape->getUsers())
        if (!neighbour && !isa<func::ReturnOp>(user))
          neighbour = user;
    }
    if (!neighbour)
      return failure();
    Region region(split, *groups);
    if (!region.add(neighbour))
      return failure();
    region.rewrite(rewriter);
    return success();
  }
};

} // namespace

void linalg_import::populateMoveReshapesPatterns(RewritePatternSet &patterns) {
  patterns.add<MergeBetweenReshapes>(patterns.getContext());
}
