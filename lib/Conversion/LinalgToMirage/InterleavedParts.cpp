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
// stands between them, or between them and a product, keeps that dimension.
// Elsewhere dimensions of size 1 are in the way: this is done once all else is.
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

static bool isRounding(SliceOp slice) {
  return getElementTypeOrSelf(slice.getInput()) != getElementTypeOrSelf(slice);
}

/// The part of pairs, or of more, that a value is without their dimension, and
/// perhaps with other ones of size 1; null if it is none.
static SliceOp getEntry(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape || !linalg_import::isMovement(reshape))
    return nullptr;
  auto slice = reshape.getInput().getDefiningOp<SliceOp>();
  const bool isPart =
      slice && !isRounding(slice) && slice.getSize() == 1 &&
      isOfUnits(reshape) &&
      static_cast<int64_t>(slice.getDim()) == slice.getType().getRank() - 1;
  return isPart ? slice : SliceOp();
}

static bool isEntry(Value value) { return getEntry(value) != nullptr; }

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
  if (auto slice = value.getDefiningOp<SliceOp>(); slice && !isRounding(slice))
    value = slice.getInput();
  if (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  return isa<BlockArgument>(value);
}

/// Whether an op is a product, or transposes what only products read.
static bool isOfProducts(Operation *op) {
  return isa<MatmulOp, ConcatMatmulOp>(op) ||
         (isa<TransposeOp>(op) && !op->use_empty() &&
          llvm::all_of(op->getUsers(),
                       llvm::IsaPred<MatmulOp, ConcatMatmulOp>));
}

/// A reshape of what is reshaped is one reshape.
static Value reshapeOnce(RewriterBase &rewriter, Value value,
                         ArrayRef<int64_t> shape) {
  const Location loc = value.getLoc();
  if (auto reshape = value.getDefiningOp<ReshapeOp>();
      reshape && linalg_import::isMovement(reshape))
    value = reshape.getInput();
  return KernelGraphBuilder(rewriter, loc).reshape(value, shape);
}

static bool isScalar(Value value) {
  return linalg_import::getShape(value).empty();
}

namespace {

/// Operators between parts of pairs and their concatenations, or products.
class PairedOps {
public:
  explicit PairedOps(Block &block) : block(&block) {}

  /// Whether all that `entry` leads to can keep the dimension.
  bool grow(Value entry);
  void rewrite(RewriterBase &rewriter);
  bool isReadByProducts() const { return !ofProducts.empty(); }

private:
  bool add(Operation *op);
  Value getWide(Value value, RewriterBase &rewriter);

  Block *block;
  llvm::SetVector<Operation *> ops;
  SmallVector<ReshapeOp> exits;
  /// What of all this products read.
  llvm::SetVector<Value> ofProducts;
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
      else if (isOfProducts(user))
        ofProducts.insert(value);
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
  return !ops.empty() && (!exits.empty() || !ofProducts.empty());
}

Value PairedOps::getWide(Value value, RewriterBase &rewriter) {
  if (Value known = wide.lookup(value))
    return known;
  if (isScalar(value))
    return value;
  if (SliceOp entry = getEntry(value)) {
    if (entry.getType() == getWideType(value))
      return entry;
    SmallVector<int64_t> shape(linalg_import::getShape(value));
    shape.push_back(linalg_import::getShape(entry.getInput()).back());
    Value pairs = reshapeOnce(rewriter, entry.getInput(), shape);
    return linalg_import::createSlice(rewriter, pairs, shape.size() - 1,
                                      entry.getOffset(), 1);
  }
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
  for (Value value : ofProducts) {
    Value kept = wide.lookup(value);
    if (!kept)
      continue;
    rewriter.setInsertionPointAfterValue(kept);
    Value narrow =
        ReshapeOp::create(rewriter, value.getLoc(), value.getType(), kept);
    rewriter.replaceUsesWithIf(value, narrow, [](OpOperand &use) {
      return isOfProducts(use.getOwner());
    });
  }
}

namespace {

/// What leads from parts of pairs to a product, without the dimensions of size
/// 1 in front of all others: with them and without what is the same would have
/// two shapes.
class LeadingUnits {
public:
  /// Of what a product reads, perhaps transposed.
  static bool drop(ReshapeOp read, RewriterBase &rewriter);

private:
  LeadingUnits(ReshapeOp read, int64_t count) : read(read), count(count) {}
  bool add(Value value);
  bool isUsedOnlyHere() const;
  SmallVector<int64_t> getNewShape(Value value);
  Value rebuild(Value value, RewriterBase &rewriter);

  ReshapeOp read;
  /// How many of them the values have.
  int64_t count;
  llvm::SetVector<Operation *> ops;
  DenseMap<Value, Value> rebuilt;
};

} // namespace

bool LeadingUnits::drop(ReshapeOp read, RewriterBase &rewriter) {
  ArrayRef<int64_t> from = linalg_import::getShape(read.getInput()),
                    to = linalg_import::getShape(read.getResult());
  const int64_t count = static_cast<int64_t>(from.size()) - to.size() - 1;
  if (count < 1 || from.back() != 1 || !isOfUnits(read) ||
      from.drop_front(count).drop_back() != to)
    return false;
  LeadingUnits units(read, count);
  if (!units.add(read.getInput()) || !units.isUsedOnlyHere())
    return false;
  rewriter.setInsertionPoint(read);
  Value input = units.rebuild(read.getInput(), rewriter);
  rewriter.modifyOpInPlace(read, [&] { read.getInputMutable().assign(input); });
  return true;
}

/// Whether a value, and what it is computed of, is of slices and arguments
/// alone.
bool LeadingUnits::add(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto slice = dyn_cast_or_null<SliceOp>(op);
      slice && static_cast<int64_t>(slice.getDim()) < count)
    return false;
  if (isScalar(value) || isOfArgument(value) || ops.contains(op))
    return true;
  auto semantics = dyn_cast_or_null<OperatorOpInterface>(op);
  if (!semantics || op->getBlock() != read->getBlock() ||
      op->getNumResults() != 1)
    return false;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    for (int64_t dim = 0; dim < count; ++dim)
      if (transpose.getPermutation()[dim] != dim)
        return false;
  } else if (!semantics.getSemantics().isElementwise()) {
    return false;
  }
  ops.insert(op);
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return add(operand); });
}

bool LeadingUnits::isUsedOnlyHere() const {
  return llvm::all_of(ops, [&](Operation *op) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return ops.contains(user) ||
             (isa<ReshapeOp>(user) &&
              llvm::all_of(user->getUsers(), isOfProducts));
    });
  });
}

SmallVector<int64_t> LeadingUnits::getNewShape(Value value) {
  const auto rank =
      static_cast<int64_t>(linalg_import::getShape(read.getInput()).size());
  ArrayRef<int64_t> shape = linalg_import::getShape(value);
  const int64_t missing = rank - static_cast<int64_t>(shape.size());
  shape = shape.drop_front(std::max<int64_t>(count - missing, 0));
  // What isn't computed here is broadcast, unless it is transposed: without
  // all of its leading ones tables have one shape, whatever is rotated by them.
  const bool isBroadcast =
      llvm::none_of(value.getUsers(), [&](Operation *user) {
        return ops.contains(user) && isa<TransposeOp>(user);
      });
  if (isBroadcast && !ops.contains(value.getDefiningOp()) &&
      !value.getDefiningOp<SliceOp>())
    shape = shape.drop_while([](int64_t size) { return size == 1; });
  return llvm::to_vector(shape);
}

Value LeadingUnits::rebuild(Value value, RewriterBase &rewriter) {
  if (isScalar(value))
    return value;
  Value &known = rebuilt[value];
  if (known)
    return known;
  const SmallVector<int64_t> shape = getNewShape(value);
  Operation *op = value.getDefiningOp();
  Value result;
  if (!ops.contains(op)) {
    if (auto slice = dyn_cast_or_null<SliceOp>(op)) {
      const int64_t dropped =
          linalg_import::getShape(value).size() - shape.size();
      ArrayRef<int64_t> whole =
          linalg_import::getShape(slice.getInput()).drop_front(dropped);
      result = linalg_import::createSlice(
          rewriter, reshapeOnce(rewriter, slice.getInput(), whole),
          static_cast<int64_t>(slice.getDim()) - dropped, slice.getOffset(),
          slice.getSize());
    } else {
      result = reshapeOnce(rewriter, value, shape);
    }
  } else {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(rebuild(operand, rewriter));
    Type type = cast<ShapedType>(value.getType()).clone(shape);
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      SmallVector<int64_t> permutation;
      for (int64_t dim : transpose.getPermutation().drop_front(count))
        permutation.push_back(dim - count);
      result = TransposeOp::create(rewriter, op->getLoc(), type, operands[0],
                                   permutation);
    } else {
      Operation *moved = rewriter.clone(*op);
      rewriter.modifyOpInPlace(moved, [&] {
        moved->setOperands(operands);
        moved->getResult(0).setType(type);
      });
      result = moved->getResult(0);
    }
  }
  return rebuilt[value] = result;
}

bool linalg_import::keepInterleavedParts(RewriterBase &rewriter,
                                         func::FuncOp function) {
  bool isAny = false;
  for (Block &block : function.getBody()) {
    SmallVector<Value> entries;
    for (Operation &op : block)
      if (op.getNumResults() == 1 && isEntry(op.getResult(0)))
        entries.push_back(op.getResult(0));
    for (Value entry : entries)
      if (PairedOps paired(block); !entry.use_empty() && paired.grow(entry)) {
        paired.rewrite(rewriter);
        isAny |= paired.isReadByProducts();
      }
    for (auto reshape : llvm::make_early_inc_range(block.getOps<ReshapeOp>()))
      if (llvm::any_of(reshape->getUsers(), isOfProducts))
        isAny |= LeadingUnits::drop(reshape, rewriter);
  }
  return isAny;
}
