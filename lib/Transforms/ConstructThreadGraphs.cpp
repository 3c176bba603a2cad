//===- ConstructThreadGraphs.cpp - Elementwise chains in registers --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks the fusion which elementwise operators become one thread graph (paper,
// section 4.2), and writes the graphs into the IR.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/BlockPlan.h"
#include "Mirage/BlockPlan/OperatorFusion.h"
#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Thread/Thread.h"
#include "Mirage/Mugraph/VerdictState.h"
#include "Mirage/Transforms/Passes.h"
#include "Reciprocals.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mirage {
#define GEN_PASS_DEF_CONSTRUCTTHREADGRAPHS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

static bool isElementwise(Operation *op) {
  auto semantics = dyn_cast_or_null<OperatorOpInterface>(op);
  return semantics && semantics.getSemantics().isElementwise();
}

static ArrayRef<int64_t> getResultShape(Operation *op) {
  return cast<ShapedType>(op->getResult(0).getType()).getShape();
}

/// Replaces elementwise ops, given in an order in which they can run, by one
/// thread graph in front of the last of them.
static void fuse(ArrayRef<Operation *> ops) {
  llvm::SetVector<Value> inputs, outputs;
  SmallVector<ConstantOp> constants;
  auto inGroup = [&](Operation *op) { return llvm::is_contained(ops, op); };
  for (Operation *op : ops) {
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (auto constant = dyn_cast_or_null<ConstantOp>(producer)) {
        if (!llvm::is_contained(constants, constant))
          constants.push_back(constant);
      } else if (!inGroup(producer)) {
        inputs.insert(operand);
      }
    }
    Value result = op->getResult(0);
    if (!llvm::all_of(result.getUsers(), inGroup) || result.use_empty())
      outputs.insert(result);
  }

  OpBuilder builder(ops.back());
  SmallVector<Location> locs;
  for (Operation *op : ops)
    locs.push_back(op->getLoc());
  Location loc = builder.getFusedLoc(locs);
  auto graph = block::GraphDefinedOp::create(
      builder, loc, ValueRange(outputs.getArrayRef()).getTypes(),
      inputs.getArrayRef());
  auto getFragmentType = [](Value tile, Type elementType) {
    return getTensorType(Level::Thread,
                         cast<ShapedType>(tile.getType()).getShape(),
                         elementType);
  };
  Block &body = graph.getBody().emplaceBlock();
  IRMapping fragments;
  for (Value input : inputs)
    fragments.map(input,
                  body.addArgument(getFragmentType(input, getElementTypeOrSelf(
                                                              input.getType())),
                                   input.getLoc()));

  builder.setInsertionPointToStart(&body);
  for (ConstantOp constant : constants)
    fragments.map(
        constant.getResult(),
        ConstantOp::create(
            builder, constant.getLoc(),
            getFragmentType(constant, getElementTypeOrSelf(constant.getType())),
            constant.getValueAttr()));
  for (Operation *op : ops) {
    auto semantics = cast<OperatorOpInterface>(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(fragments.lookup(operand));
    Operation *onFragments = buildOperator(
        builder, op->getLoc(), Level::Thread, semantics.getSemantics(),
        semantics.getParams(), operands, builder.getF32Type());
    fragments.map(op->getResult(0), onFragments->getResult(0));
  }
  SmallVector<Value> yielded;
  for (Value output : outputs)
    yielded.push_back(fragments.lookup(output));
  thread::YieldOp::create(builder, loc, yielded);

  for (auto [output, result] :
       llvm::zip_equal(outputs.getArrayRef(), graph.getOutputs()))
    Value(output).replaceAllUsesWith(result);
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  for (ConstantOp constant : constants)
    if (constant->use_empty())
      constant.erase();
}

/// Fuses the elementwise ops of a block graph or of its loop.
static void constructThreadGraphs(Block &block, int64_t workLimit) {
  FusionProblem problem;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> positions;
  // Elementwise ops of one shape are of one kind.
  llvm::DenseMap<ArrayRef<int64_t>, unsigned> kinds;
  for (Operation &op : block) {
    // No path leads through these, and no op of the block reads them.
    if (isSink(&op) || isMadeWhereRead(&op))
      continue;
    positions[&op] = ops.size();
    ops.push_back(&op);
    FusionOperator &operation = problem.emplace_back();
    for (Value operand : op.getOperands())
      if (auto producer = positions.find(operand.getDefiningOp());
          producer != positions.end())
        operation.operands.push_back(producer->second);
    if (!isElementwise(&op))
      continue;
    operation.kind =
        kinds.try_emplace(getResultShape(&op), kinds.size()).first->second;
    Value result = op.getResult(0);
    operation.bytes = getTileBytes(cast<TileType>(result.getType()));
    operation.isStored = llvm::any_of(result.getUses(), isRescaled);
    operation.isHandedOn = llvm::any_of(result.getUsers(), isSink);
    auto reader = result.hasOneUse()
                      ? dyn_cast<OperatorOpInterface>(*result.user_begin())
                      : OperatorOpInterface();
    operation.isFolded = reader && reader->getBlock() == &block &&
                         reader.getSemantics().isReduction();
  }

  OperatorFusion best = fuseOperators(problem, workLimit);
  if (!best.isOptimal)
    block.getParentOp()->emitRemark()
        << "has elementwise operators that can be fused in several ways, too "
           "many to try all; the best thread graphs that were found store "
        << best.storedBytes << " bytes";
  llvm::MapVector<unsigned, SmallVector<Operation *>> groups;
  for (auto [op, operation, group] : llvm::zip_equal(ops, problem, best.groups))
    if (operation.kind)
      groups[group].push_back(op);
  for (auto &[first, group] : groups)
    fuse(group);

  // A thread graph stands where its last op stood, and a user of an earlier one
  // may be in front of it. Savers stay in their order: result i is what the
  // i-th one writes.
  SmallVector<Operation *> savers;
  for (Operation &op : block)
    if (isa<block::OutputSaver>(op))
      savers.push_back(&op);
  for (Operation *saver : savers)
    saver->moveBefore(&block, block.end());
  Block::iterator end =
      savers.empty() ? block.end() : savers.front()->getIterator();
  if (savers.empty() && !block.empty() &&
      block.back().hasTrait<OpTrait::IsTerminator>())
    --end;
  sortTopologically(&block, llvm::make_range(block.begin(), end));
}

namespace {
class ConstructThreadGraphs
    : public mirage::impl::ConstructThreadGraphsBase<ConstructThreadGraphs> {
public:
  using ConstructThreadGraphsBase::ConstructThreadGraphsBase;

  void runOnOperation() override {
    TargetAttr chip = lookUpTarget(getOperation(), target);
    if (!chip)
      return signalPassFailure();
    copyConstantsIntoLoops(getOperation());
    keepVerdict(getOperation(), [&] {
      getOperation().walk([&](kernel::GraphDefinedOp graph) {
        if (reciprocals)
          useReciprocals(graph.getBlockGraph(), chip.getSharedBytes());
        for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>())
          constructThreadGraphs(loop.getBody().front(), workLimit);
        constructThreadGraphs(graph.getBlockGraph(), workLimit);
      });
    });
  }
};
} // namespace
