//===- MaskLoops.cpp - Masks for loops that don't divide what they cut ----===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maxima may have an element twice; sums may not. Of what a sum adds up, or a
// product of matrices multiplies, one operand is masked: zeros count for
// nothing.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"

namespace mirage {
#define GEN_PASS_DEF_MASKLOOPS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

/// Which operand of a sum to mask: one that is computed, as it is stored (or
/// kept in registers) anyway, and of several such the smallest.
static OpOperand &chooseOperand(OperatorOpInterface sum,
                                const block::LoopCuts &cuts) {
  auto values = llvm::map_to_vector(sum->getOperands(), [&](Value operand) {
    return cuts.values.lookup(operand);
  });
  auto getCost = [&](OpOperand &operand) {
    Value tile = operand.get();
    return std::pair(tile.getDefiningOp<block::InputIterator>() != nullptr,
                     getTileBytes(cast<TileType>(tile.getType())));
  };
  OpOperand *best = nullptr;
  for (OpOperand &operand : sum->getOpOperands())
    if (canMaskSum(sum.getSemantics(), operand.getOperandNumber(), values) &&
        (!best || getCost(operand) < getCost(*best)))
      best = &operand;
  assert(best && "followCut accepts no other sums");
  return *best;
}

/// What the mask of a loop leaves of a tile, behind it.
static Value maskTile(Value tile, const CutValue &cut, int64_t extent) {
  OpBuilder builder(tile.getContext());
  builder.setInsertionPointAfterValue(tile);
  auto type = cast<TileType>(tile.getType());
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape[cut.dim] = type.getDimSize(cut.dim);
  Value mask = block::FreshMaskOp::create(
      builder, tile.getLoc(),
      TileType::get(builder.getContext(), shape, builder.getF32Type()), cut.dim,
      extent);
  return buildOperator(builder, tile.getLoc(), Level::Block,
                       getOperator("where"), {}, {mask, tile},
                       type.getElementType())
      ->getResult(0);
}

/// Emits the errors of the loop, if it has some.
static LogicalResult maskLoop(block::LoopOp loop, Operation *kernel) {
  FailureOr<block::LoopCuts> cuts = block::followCuts(loop);
  if (failed(cuts))
    return failure();
  llvm::SmallDenseMap<Value, Value> masked;
  for (OperatorOpInterface sum : cuts->unmaskedSums) {
    OpOperand &operand = chooseOperand(sum, *cuts);
    Value &tile = masked[operand.get()];
    if (!tile)
      tile = maskTile(operand.get(), cuts->values.lookup(operand.get()),
                      cuts->extent);
    operand.set(tile);
  }
  if (!masked.empty())
    dropPlan(kernel);
  return success();
}

namespace {
class MaskLoops : public mirage::impl::MaskLoopsBase<MaskLoops> {
public:
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](kernel::GraphDefinedOp graph) {
      for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>())
        if (failed(maskLoop(loop, graph)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
