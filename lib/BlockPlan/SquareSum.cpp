//===- SquareSum.cpp - Sums of squares on tensor cores --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/SquareSum.h"
#include "Mirage/BlockPlan/BlockPlan.h"
#include "Mirage/BlockPlan/ElementMap.h"
#include "Mirage/BlockPlan/FoldPlan.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Block/Block.h"
#include <limits>

using namespace mirage;
using namespace mlir;

/// How many fragments a warp keeps over a loop: of products it has up to 32,
/// for which there are to be registers beside these.
static constexpr int64_t kMostFragments = 4;

/// The tile of which a thread graph makes the squares and nothing else, in f32;
/// null if it does something else.
static Value getSquaredTile(Value squares) {
  auto graph = squares.getDefiningOp<block::GraphDefinedOp>();
  if (!graph || graph.getInputs().size() != 1 || !isInlined(squares) ||
      !getReadType(squares).isF32())
    return {};
  Block &body = graph.getBody().front();
  auto square =
      body.getTerminator()->getOperand(0).getDefiningOp<OperatorOpInterface>();
  if (!square || !square.getSemantics().isSquare() ||
      square->getOperand(0) != body.getArgument(0))
    return {};
  return graph.getInputs().front();
}

/// Whether an op of a loop reads a tile that is made there, and nobody else
/// does.
static bool isReadInLoop(Value tile) {
  Operation *maker = tile.getDefiningOp();
  return isa<block::LoopOp>(maker->getParentOp()) && tile.hasOneUse() &&
         !tile.user_begin()->hasTrait<OpTrait::IsTerminator>();
}

std::optional<SquareSum> mirage::getSquareSum(Operation *op) {
  auto sum = dyn_cast<OperatorOpInterface>(op);
  if (!sum || !sum.getSemantics().isReduction() ||
      !isa<TileType>(op->getResult(0).getType()) || isChained(op))
    return std::nullopt;
  bool isSummed =
      getOnlyAccumulation(op->getResult(0)) == block::AccumulatorKind::Sum;
  if (!isSummed && !isReadInLoop(op->getResult(0)))
    return std::nullopt;
  std::optional<Fold> fold = getFold(sum);
  Value tile =
      fold && fold->isSum ? getSquaredTile(op->getOperand(0)) : Value();
  if (!tile || !isa<Float16Type, BFloat16Type>(getReadType(tile)))
    return std::nullopt;
  ArrayRef<int64_t> shape = getShape(tile);
  size_t rank = shape.size();
  if (rank < 2 || fold->dim + 2 < rank)
    return std::nullopt;
  unsigned depthDim = fold->dim,
           lineDim = depthDim == rank - 1 ? rank - 2 : rank - 1;
  std::optional<TileSource> source = getSource(tile);
  if (!source)
    return std::nullopt;
  std::optional<unsigned> contiguous =
      getMatrixDim(getLayout(source->tile).elementBytes, source->view.strides,
                   source->view.offset, lineDim, depthDim, shape[lineDim]);
  if (!contiguous)
    return std::nullopt;
  SquareSum result{tile, lineDim, depthDim, *contiguous, isSummed};
  SquareSumShape sizes = result.getShape();
  if (!sizes.isPossible() || (!isSummed && !sizes.suitsWarps()))
    return std::nullopt;
  return result;
}

SquareSumShape SquareSum::getShape() const {
  ArrayRef<int64_t> shape = mirage::getShape(tile);
  return {mirage::getNumElements(shape.drop_back(2)), shape[lineDim],
          shape[depthDim]};
}

std::optional<MatmulPlan> mirage::planSquareSum(Operation *op,
                                                const SquareSum &sum) {
  auto [batches, lines, depth] = sum.getShape();
  MatmulPlan plan;
  plan.isDiagonal = true;
  plan.swapped = false;
  plan.batches = batches;
  plan.rows = lines;
  // Eight lines are half of a tile.
  plan.cols = lines > 8 ? 16 : 8;
  plan.depthHalves = depth % 16 == 0 ? 2 : 1;
  MatmulPlan::Kind kind = isa<Float16Type>(getReadType(sum.tile))
                              ? MatmulPlan::Kind::F16
                              : MatmulPlan::Kind::BF16;
  plan.products = {{kind, /*rowOperand=*/0, /*colOperand=*/0, depth}};
  MatmulUse use{getNumThreads(op) / kWarpSize,
                std::numeric_limits<int64_t>::max()};
  if (sum.isSummed) {
    use.maxTilesPerWarp = kMostFragments;
    use.iterations = cast<block::LoopOp>(op->getParentOp()).getIterations();
  }
  // Of an iteration a warp has whole sums.
  use.mayShareDepth = sum.isSummed;
  return shareAmongWarps(plan, use);
}
