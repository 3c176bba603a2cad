//===- SquareSum.cpp - Sums of squares on tensor cores --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/SquareSum.h"
#include "Mirage/BlockPlan/ElementMap.h"
#include "Mirage/BlockPlan/FoldPlan.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Block/Block.h"

using namespace mirage;
using namespace mlir;

/// How many tiles of 16 lines a warp keeps over a loop, beside all else.
static constexpr int64_t kMostTiles = 2;

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

/// The loop that only adds up what an op makes; null if there is none.
static block::LoopOp getSummingLoop(Operation *op) {
  Value result = op->getResult(0);
  if (!result.hasOneUse())
    return {};
  OpOperand &use = *result.use_begin();
  auto accumulate = dyn_cast<block::AccumulateOp>(use.getOwner());
  unsigned i = use.getOperandNumber();
  if (!accumulate || i >= accumulate.getTiles().size() ||
      accumulate.getKind(i) != block::AccumulatorKind::Sum)
    return {};
  return cast<block::LoopOp>(accumulate->getParentOp());
}

std::optional<SquareSum> mirage::getSquareSum(Operation *op) {
  auto sum = dyn_cast<OperatorOpInterface>(op);
  if (!sum || !sum.getSemantics().isReduction() ||
      !isa<TileType>(op->getResult(0).getType()) || !getSummingLoop(op) ||
      isChained(op))
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
  SquareSum squares{tile, static_cast<unsigned>(2 * rank - 3 - fold->dim),
                    fold->dim};
  int64_t numLines = shape[squares.lineDim];
  std::optional<TileSource> source = getSource(tile);
  if (numLines < 2 || fold->size % 8 != 0 || !source ||
      !getMatrixDim(getLayout(source->tile).elementBytes, source->view.strides,
                    source->view.offset, squares.lineDim, squares.depthDim,
                    numLines))
    return std::nullopt;
  return squares;
}

std::optional<MatmulPlan> mirage::planSquareSum(Operation *op,
                                                const SquareSum &sum) {
  ArrayRef<int64_t> shape = getShape(sum.tile);
  MatmulPlan plan;
  plan.isDiagonal = true;
  plan.swapped = false;
  plan.batches = mirage::getNumElements(shape.drop_back(2));
  plan.rows = shape[sum.lineDim];
  plan.cols = 8;
  int64_t depth = shape[sum.depthDim];
  plan.depthHalves = depth % 16 == 0 ? 2 : 1;
  MatmulPlan::Kind kind = isa<Float16Type>(getReadType(sum.tile))
                              ? MatmulPlan::Kind::F16
                              : MatmulPlan::Kind::BF16;
  plan.products = {{kind, /*rowOperand=*/0, /*colOperand=*/0, depth}};
  MatmulUse use{getNumThreads(op) / kWarpSize,
                /*maxTilesPerWarp=*/kMostTiles,
                static_cast<int64_t>(getSummingLoop(op).getIterations())};
  return shareAmongWarps(plan, use);
}
