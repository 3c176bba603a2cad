//===- RowChain.h - Products whose rows stay in registers -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that multiplies, computes with the rows of the products, and
// multiplies the results again, as attention and its backward pass do, can do
// so without shared memory: the fragments that a warp has of some rows are
// those that it multiplies next (docs/Lowering.md, "Row chains").
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BLOCKPLAN_ROWCHAIN_H
#define MIRAGE_BLOCKPLAN_ROWCHAIN_H

#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/RowChainShape.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace mirage {

/// Products of tiles in a loop that multiply what is computed of others, and
/// what is between. Tiles have the shape of the first products' results, or one
/// column of it, and nothing but the chain and the loop's accumulators reads
/// them (or, outside of loops, what is behind the chain reads those of one
/// column).
struct RowChain {
  /// Those whose fragments the others compute on, in the order of the block;
  /// each may be a sum of several.
  llvm::SmallVector<OperatorOpInterface> firsts;
  /// Behind them, in the order of the block: elementwise operators and thread
  /// graphs, and folds of rows.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Take fragments as their left operands; the loop sums up what they make.
  /// What all of the chain do runs as a part of the last one in the block.
  llvm::SmallVector<OperatorOpInterface> lasts;
  /// By which the loop rescales all sums of the chain; null if it doesn't.
  mlir::Value maximum;
  /// Whether all that depends on the maximum are the exponentials of
  /// differences to it, which the sums are of. Then the greatest so far does as
  /// well, and columns can be taken in parts, each with a maximum of its own.
  bool mayShiftMaximum = false;
  /// How many parts of columns warps take: several if a maximum can be that of
  /// a part; or, of so few rows that there would be no chain, if nothing is
  /// rescaled and sums of rows are only accumulated. Each has its own maxima
  /// and sums of its part, which come together behind the loop.
  int64_t parts = 1;

  /// The shape of a first product's result.
  llvm::ArrayRef<int64_t> getShape() const {
    OperatorOpInterface first = firsts.front();
    return mlir::cast<TileType>(first->getResult(0).getType()).getShape();
  }
  /// As part of which all of them run.
  OperatorOpInterface getRunner() const { return lasts.back(); }
  /// Whether it is one product, of what is computed of another one.
  bool hasTwoProducts() const {
    return firsts.size() == 1 && lasts.size() == 1;
  }
  mlir::Block *getBlock() const { return getRunner()->getBlock(); }
  RowChainShape getSizes() const;
  int64_t getNumRowWarps() const { return getSizes().getNumRowWarps(); }
  int64_t getNumThreads() const { return getNumRowWarps() * parts * kWarpSize; }
  /// Of a chain in a loop: shared memory through which the parts come together,
  /// in bytes.
  int64_t getScratchBytes() const;
};

/// The chain in the body of a loop, if there is one that can stay in registers:
/// of sizes that `RowChainShape` says, with something to do for four warps. Or
/// one of a block graph without a loop, which can once it is the body of one
/// with all that makes it: then its `maximum` is that by which the loop should
/// rescale what is read behind the chain.
std::optional<RowChain> findRowChain(mlir::Block &block);

/// All that makes a chain outside of loops, with it; empty if something of that
/// is read elsewhere, or reads the chain's tiles.
llvm::SetVector<mlir::Operation *> getMakers(const RowChain &chain);

/// Marks a chain's ops but for the one as a part of which they run.
void markRowChain(const RowChain &chain);

/// Whether the ops of a loop's chain are marked.
bool hasRowChain(block::LoopOp loop);
/// The chain of a loop, or of that which an op stands in, if one is marked
/// there; none if the marks are those of no chain (`verifyRowChains`).
std::optional<RowChain> getRowChain(block::LoopOp loop);
std::optional<RowChain> getRowChain(mlir::Operation *op);

/// Whether an op is marked as one of a chain (`kChainedAttr`): all but that as
/// a part of which they run.
bool isChained(mlir::Operation *op);
/// Whether an op is a first or a last product of a marked chain, and whether
/// its ops run as a part of it.
bool beginsChain(mlir::Operation *op);
bool endsChain(mlir::Operation *op);
bool runsChain(mlir::Operation *op);

/// The type to which the fragments that one of a chain's last products takes
/// are rounded in front of tensor cores: that of the other operand if it has
/// the range for them, f32 otherwise.
mlir::Type getChainedType(OperatorOpInterface last);

/// Whether the marks are those of chains, and the kernel has their threads;
/// emits the error otherwise.
mlir::LogicalResult verifyRowChains(mlir::Block &blockGraph);

} // namespace mirage

#endif // MIRAGE_BLOCKPLAN_ROWCHAIN_H
