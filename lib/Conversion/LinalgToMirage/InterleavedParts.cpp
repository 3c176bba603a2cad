//===- InterleavedParts.cpp - Operators on every other element ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is computed of every other element (rotary embeddings whose pairs are
// next to each other) is computed of slices of pairs, one element wide, and
// becomes pairs again by a concatenation. Both are views, and take no kernel;
// reshapes that drop and add the dimension of the pairs in between do. So what
// stands between them keeps that dimension. Elsewhere dimensions of size 1 are
// in the way: this is done once all else is.
//
//===----------------------------------------------------------------------===//

#include "Import.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::kernel;
using namespace mirage::linalg_import;

static SmallVector<int64_t> widen(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> wide(shape);
  wide.push_back(1);
  return wide;
}

static Type getWideType(Value value) {
  return cast<ShapedType>(value.getType())
      .clone(widen(linalg_import::getShape(value)));
}

/// A part of pairs, or of more, without their dimension.
static bool isEntry(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape || reshape.getInput().getType() != getWideType(value))
    return false;
  auto slice = reshape.getInput().getDefiningOp<SliceOp>();
  return slice &&
         static_cast<int64_t>(slice.getDim()) == slice.getType().getRank() - 1;
}

/// What makes a part of pairs again, for a concatenation.
static bool isExit(Operation *op) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  return reshape && reshape.getType() == getWideType(reshape.getInput()) &&
         llvm::any_of(reshape->getUsers(), [&](Operation *user) {
           auto concat = dyn_cast<ConcatOp>(user);
           return concat && static_cast<int64_t>(concat.getDim()) ==
                                reshape.getType().getRank() - 1;
         });
}

/// Whether a value is an argument, perhaps reshaped, or a slice of one: it may
/// have a dimension of size 1 more without a kernel.
static bool isOfArgument(Value value) {
  if (auto slice = value.getDefiningOp<SliceOp>())
    value = slice.getInput();
  if (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  return isa<BlockArgument>(value);
}

static bool isScalar(Value value) {
  return linalg_import::getShape(value).empty();
}

namespace {

/// Operators between parts of pairs and their concatenations.
class PairedOps {
public:
  explicit PairedOps(Block &block) : block(&block) {}

  /// Whether all that `entry` leads to can keep the dimension.
  bool grow(Value entry);
  void rewrite(RewriterBase &rewriter);

private:
  bool add(Operation *op);
  Value getWide(Value value, RewriterBase &rewriter);

  Block *block;
  llvm::SetVector<Operation *> ops;
  SmallVector<ReshapeOp> exits;
  DenseMap<Value, Value> wide;
};

} // namespace

bool PairedOps::add(Operation *op) {
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  if (!semantics || op->getBlock() != block || op->getNumResults() != 1 ||
      isScalar(op->getResult(0)) ||
      !(semantics.getSemantics().isElementwise() || isa<TransposeOp>(op)) ||
      static_cast<int64_t>(linalg_import::getShape(op->getResult(0)).size()) >=
          kMostSplitDims)
    return false;
  ops.insert(op);
  return true;
}

bool PairedOps::grow(Value entry) {
  auto addReaders = [&](Value value) {
    for (Operation *user : value.getUsers()) {
      if (user->getBlock() == block && isExit(user))
        exits.push_back(cast<ReshapeOp>(user));
      else if (!ops.contains(user) && !add(user))
        return false;
    }
    return true;
  };
  if (!addReaders(entry))
    return false;
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!addReaders(ops[i]->getResult(0)))
      return false;
    for (Value operand : ops[i]->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (isScalar(operand) || isEntry(operand) || isOfArgument(operand) ||
          ops.contains(maker))
        continue;
      if (!maker || !add(maker))
        return false;
    }
  }
  return !exits.empty();
}

Value PairedOps::getWide(Value value, RewriterBase &rewriter) {
  if (Value known = wide.lookup(value))
    return known;
  if (isScalar(value))
    return value;
  if (isEntry(value))
    return value.getDefiningOp<ReshapeOp>().getInput();
  // A slice of what is reshaped, rather than a reshaped slice.
  if (auto slice = value.getDefiningOp<SliceOp>())
    return SliceOp::create(rewriter, slice.getLoc(), getWideType(value),
                           getWide(slice.getInput(), rewriter), slice.getDim(),
                           slice.getOffset(), slice.getSize());
  Value source = value;
  if (auto reshape = value.getDefiningOp<ReshapeOp>();
      reshape &&
      getElementTypeOrSelf(reshape.getInput()) == getElementTypeOrSelf(value))
    source = reshape.getInput();
  if (source.getType() == getWideType(value))
    return source;
  return ReshapeOp::create(rewriter, value.getLoc(), getWideType(value),
                           source);
}

void PairedOps::rewrite(RewriterBase &rewriter) {
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    if (!ops.contains(&op))
      continue;
    rewriter.setInsertionPoint(&op);
    Value result = op.getResult(0);
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(getWide(operand, rewriter));
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      SmallVector<int64_t> permutation(transpose.getPermutation());
      permutation.push_back(permutation.size());
      wide[result] = TransposeOp::create(
          rewriter, op.getLoc(), getWideType(result), operands[0], permutation);
      continue;
    }
    Operation *moved = rewriter.clone(op);
    rewriter.modifyOpInPlace(moved, [&] {
      moved->setOperands(operands);
      moved->getResult(0).setType(getWideType(result));
    });
    wide[result] = moved->getResult(0);
  }
  for (ReshapeOp exit : exits) {
    rewriter.setInsertionPoint(exit);
    rewriter.replaceOp(exit, getWide(exit.getInput(), rewriter));
  }
}

void linalg_import::keepInterleavedParts(RewriterBase &rewriter,
                                         func::FuncOp function) {
  for (Block &block : function.getBody()) {
    SmallVector<Value> entries;
    for (Operation &op : block)
      if (op.getNumResults() == 1 && isEntry(op.getResult(0)))
        entries.push_back(op.getResult(0));
    for (Value entry : entries)
      if (PairedOps paired(block); !entry.use_empty() && paired.grow(entry))
        paired.rewrite(rewriter);
  }
}
