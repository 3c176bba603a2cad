//===- ReshapedRegion.h - Operators on other dimensions ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_RESHAPEDREGION_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_RESHAPEDREGION_H

#include "DimGroups.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace mirage::linalg_import {

/// Operators that hand each other dimensions which are to become others.
class ReshapedRegion {
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
  explicit ReshapedRegion(llvm::ArrayRef<DimGroup> groups,
                          Kind kind = Kind::Plain);

  /// Adds an operator and all that it hands dimensions of a group to or has
  /// them from, up to reshapes, arguments and results. Returns false if some of
  /// it can't be on the other dimensions, or only moves an argument.
  bool add(mlir::Operation *op);

  /// Whether an operator that was added takes a value on the dimensions that
  /// are to become others.
  bool takes(mlir::Operation *op, mlir::Value value) const;

  /// Whether dimensions are split for some that read it, and merged again for
  /// others.
  bool isMergedForOthers() const;

  bool hasSplitReduction() const;

  /// Whether all of it is elementwise, between reshapes that make dimensions of
  /// it, or arguments, and reshapes to the other ones: on these it needs none.
  bool isEnclosed() const;

  /// Whether all of it is elementwise or reductions, and what else reads or
  /// makes it are reshapes, and what broadcasts.
  bool isBetweenReshapes() const;

  /// Whether some of it is reshaped to the other dimensions, but for those of
  /// size 1.
  bool isReshapedLikewise() const;

  /// Whether some of it is reshaped to other dimensions again.
  bool isReshapedBehind() const;

  /// Whether some of it reduces what a value with all of the split dimensions
  /// is computed of from tensors that have some of them only: reshapes can't
  /// move on to these.
  bool reducesWhatReadsSomeOf(mlir::Value source) const;

  void rewrite(mlir::PatternRewriter &rewriter);

private:
  /// Whether all of it are movements of arguments, behind which another reshape
  /// would come that belongs to the argument (SimplifyKernelGraph.cpp).
  bool onlyMovesArgument() const;

  /// Whether what reads a value of the region belongs to it.
  bool isBehind(mlir::Operation *user) const;

  /// Whether an op does something along one dimension.
  static bool hasDim(mlir::Operation *op);

  static int64_t getDim(mlir::Operation *op);

  /// The dimensions that one, of a tensor with all dimensions, becomes; none if
  /// it is one of a group.
  llvm::SmallVector<int64_t> getNewDims(int64_t dim) const;

  /// Those that one is split into; none if it isn't.
  llvm::SmallVector<int64_t> getSplitDims(int64_t dim) const;

  bool isSplitReduction(mlir::Operation *op) const;

  /// The same reduction of what is split, rounded once, in the end.
  mlir::Value reduce(mlir::Operation *op, mlir::Value operand,
                     mlir::PatternRewriter &rewriter) const;

  bool hasAllDims(mlir::Value value) const;
  bool hasAllDimsSplit(mlir::Value value) const;

  /// Whether it is a matrix, or one for each of the batches that stay, by which
  /// a product multiplies rows that become batches: those have it in common.
  bool isWeight(mlir::OpOperand &operand) const;

  /// Whether it is a matrix that the batches which become rows have in common.
  bool isShared(mlir::OpOperand &operand) const;

  /// Whether an operand isn't on the dimensions that are to become others.
  bool isApart(mlir::OpOperand &operand) const;

  /// Whether a reshape, which can't be on the other dimensions, makes these
  /// from something else: it is one anyway.
  bool isOtherReshape(mlir::Operation *op) const;

  /// Whether a value is one, or a part of one, transposed, which can be split
  /// there (SimplifyKernelGraph.cpp, MoveSlices.cpp).
  bool isReshaped(mlir::Value value) const;

  /// Whether all dimensions that are dropped or added are of size 1.
  bool isOfUnits() const;

  /// Whether a reshape stays, and what is behind it as it was: where batches of
  /// one row each become rows it makes another one of the same elements.
  bool isBoundary(mlir::Operation *op) const;

  /// Whether it can be split, or lose or gain dimensions of size 1, where it is
  /// still an argument (SimplifyKernelGraph.cpp).
  bool isSplitAtArgument(mlir::Value value) const;

  /// Whether what is split can be merged where it is only moved: to results, or
  /// to other reshapes.
  bool isMergedBehind(mlir::Operation *op) const;

  static bool isOnlyMoved(mlir::Operation *op);

  /// The dimensions of a product that are merged with its rows.
  std::pair<int64_t, int64_t> getMergedBatches() const;

  /// Whether the operand of a product has none of the batches that are merged,
  /// and can be had without these dimensions: as an argument, which a reshape
  /// costs nothing, or what is reshaped anyway.
  bool isWithoutBatches(mlir::Value matrix) const;

  /// Whether an operator computes the same on the other dimensions: elementwise
  /// or along others.
  bool canMove(mlir::Operation *op) const;

  /// Whether a reshape changes dimensions behind all groups only: one that
  /// stands for a transpose of dimensions of size 1.
  bool keepsGroups(mlir::Value from, mlir::Value to) const;

  /// The same transpose of the other dimensions; none if it moves some of a
  /// group.
  llvm::SmallVector<int64_t>
  getNewPermutation(kernel::TransposeOp transpose) const;

  /// The size of a dimension; tensors are aligned at their last dimensions.
  int64_t getSize(mlir::Value value, int64_t dim) const;

  /// The sizes that a tensor has of each group.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>>
  getSizes(mlir::Value value) const;

  static bool isOne(int64_t size);

  /// Whether a tensor has dimensions that are to become others.
  bool hasGroup(mlir::Value value) const;

  /// What becomes of a tensor's shape; none if it has some dimensions of a
  /// group and lacks others.
  std::optional<llvm::SmallVector<int64_t>>
  getNewShape(mlir::Value value) const;

  mlir::Type getNewType(mlir::Value value) const;

  /// What a reshape made from the other dimensions, or null.
  mlir::Value getOriginal(mlir::Value value) const;

  /// Whether this makes the other dimensions.
  bool isLeaving(mlir::Operation *op) const;

  mlir::Value getMoved(mlir::Value value,
                       mlir::PatternRewriter &rewriter) const;

  /// A matrix as a batch, of which all others are repetitions. What is
  /// transposed is so behind the reshape, which may then be one of an argument.
  mlir::Value getBatchOfOne(mlir::Value matrix,
                            mlir::PatternRewriter &rewriter) const;

  /// A matrix without the dimensions of batches that it doesn't have. What is
  /// transposed is so behind the reshape, which may then be one of an argument.
  mlir::Value getWithoutBatches(mlir::Value matrix,
                                mlir::PatternRewriter &rewriter) const;

  static mlir::Value dropDims(mlir::Value value, llvm::ArrayRef<bool> isDropped,
                              mlir::PatternRewriter &rewriter);

  /// Those of a tensor with all dimensions, in their order.
  llvm::ArrayRef<DimGroup> groups;
  size_t rank = 0;
  /// Whether dimensions are split, or merged.
  bool isSplit = false;
  const bool mergesBatches, splitsReductions;
  llvm::SetVector<mlir::Operation *> ops;
};

} // namespace mirage::linalg_import

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_RESHAPEDREGION_H
