//===- UnevenLoop.cpp - Loops that don't divide what they cut -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is accumulated must be the same however the elements are dealt out to
// iterations: then it is what one iteration makes that has all of them, which
// is what is proved, and no element counts twice where those that an iteration
// before had are left out of its sums.
//
//===----------------------------------------------------------------------===//

#include "UnevenLoop.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::block;

namespace {

/// Follows what a loop doesn't divide through its body.
class Follower {
public:
  explicit Follower(LoopOp loop) : loop(loop) {}

  FailureOr<LoopCuts> follow();

private:
  LogicalResult visit(Block &block);
  LogicalResult visitIterator(InputIterator iterator);
  LogicalResult visitThreadGraph(GraphDefinedOp graph);
  LogicalResult visitMask(FreshMaskOp mask);
  LogicalResult visitMasking(Operation *op, FreshMaskOp mask);
  LogicalResult visitOperator(OperatorOpInterface op);
  LogicalResult visitAccumulators(AccumulateOp accumulate);

  InFlightDiagnostic emitError(Operation *op) const {
    return op->emitOpError()
           << "stands in a loop whose iterations don't divide the "
           << cuts.extent << " elements of what they cut, and ";
  }

  LoopOp loop;
  LoopCuts cuts;
  /// What is 0 where tiles are masked: they, and multiples of them.
  DenseSet<Value> zeroed;
  unsigned numMaxima = 0;
};

} // namespace

static int64_t getRank(Value tile) {
  return cast<ShapedType>(tile.getType()).getRank();
}

LogicalResult Follower::visitIterator(InputIterator iterator) {
  int64_t dim = iterator.getFmap()->getDim();
  if (dim == kReplica)
    return success();
  if (int64_t extent = iterator.getExtentOfBlock(dim); extent != cuts.extent)
    return emitError(iterator) << "cuts " << extent << " elements";
  CutValue &value = cuts.values[iterator.getTile()];
  value.kind = CutValue::Kind::Cut;
  value.dim = dim;
  return success();
}

LogicalResult Follower::visitThreadGraph(GraphDefinedOp graph) {
  Block &body = graph.getBody().front();
  auto handOn = [&](Value from, Value to) {
    cuts.values[to] = cuts.values.lookup(from);
    if (zeroed.contains(from))
      zeroed.insert(to);
  };
  for (auto [input, argument] :
       llvm::zip_equal(graph.getInputs(), body.getArguments()))
    handOn(input, argument);
  if (failed(visit(body)))
    return failure();
  for (auto [value, result] : llvm::zip_equal(
           body.getTerminator()->getOperands(), graph->getResults()))
    handOn(value, result);
  return success();
}

LogicalResult Follower::visitMask(FreshMaskOp mask) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : mask.getMask().getUses()) {
    auto graph = dyn_cast<GraphDefinedOp>(use.getOwner());
    if (!graph) {
      uses.push_back(&use);
      continue;
    }
    Value argument = graph.getBody().getArgument(use.getOperandNumber());
    for (OpOperand &inner : argument.getUses())
      uses.push_back(&inner);
  }
  for (OpOperand *use : uses) {
    if (use->getOperandNumber() == 0 && getFreshMask(use->getOwner()))
      continue;
    InFlightDiagnostic diagnostic =
        mask.emitOpError("masks tiles alone, and this is not the condition of "
                         "a 'where'");
    diagnostic.attachNote(use->getOwner()->getLoc()) << "used here";
    return diagnostic;
  }
  return success();
}

LogicalResult Follower::visitMasking(Operation *op, FreshMaskOp mask) {
  const CutValue value = cuts.values.lookup(op->getOperand(1));
  if (value.kind != CutValue::Kind::Cut ||
      value.dim != static_cast<int64_t>(mask.getDim()) ||
      getRank(mask.getMask()) != getRank(op->getOperand(1)) ||
      static_cast<int64_t>(mask.getExtent()) != cuts.extent)
    return emitError(op) << "masks what isn't cut like its mask";
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (!type.isF32() &&
      type != getElementTypeOrSelf(op->getOperand(1).getType()))
    return emitError(op) << "rounds what it masks";
  cuts.values[op->getResult(0)] = value;
  zeroed.insert(op->getResult(0));
  return success();
}

LogicalResult Follower::visitOperator(OperatorOpInterface op) {
  if (FreshMaskOp mask = getFreshMask(op))
    return visitMasking(op, mask);
  SmallVector<Shape> shapes;
  SmallVector<CutValue> values;
  for (Value operand : op->getOperands()) {
    shapes.emplace_back(cast<ShapedType>(operand.getType()).getShape());
    values.push_back(cuts.values.lookup(operand));
  }
  std::optional<CutValue> result =
      followCut(op.getSemantics(), op.getParams(), shapes, values);
  if (!result)
    return emitError(op) << "makes of them what depends on how they are cut";
  bool readsZeros = false, isZeroed = false;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (zeroed.contains(operand)) {
      readsZeros = true;
      isZeroed |= op.getSemantics().isHomogeneousIn(i);
    }
  // What becomes of zeros that aren't elements would be masked no more.
  if (readsZeros && !isZeroed)
    return emitError(op) << "doesn't keep the zeros of what is masked";
  if (isZeroed)
    zeroed.insert(op->getResult(0));
  else if (result->kind == CutValue::Kind::Sum)
    cuts.unmaskedSums.push_back(op);
  if (result->isMaximum())
    result->maximum = numMaxima++;
  cuts.values[op->getResult(0)] = *result;
  return success();
}

LogicalResult Follower::visit(Block &block) {
  for (Operation &op : block) {
    LogicalResult result =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case(
                [&](InputIterator iterator) { return visitIterator(iterator); })
            .Case([&](GraphDefinedOp graph) { return visitThreadGraph(graph); })
            .Case([&](FreshMaskOp mask) { return visitMask(mask); })
            .Case([&](AccumulateOp op) { return visitAccumulators(op); })
            .Case([&](OperatorOpInterface op) { return visitOperator(op); })
            // Constants, and the terminators of thread graphs.
            .Default([](Operation *) { return success(); });
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult Follower::visitAccumulators(AccumulateOp accumulate) {
  for (auto [i, tile] : llvm::enumerate(accumulate.getTiles())) {
    const CutValue value = cuts.values.lookup(tile);
    bool mayBe = false;
    switch (accumulate.getKind(i)) {
    case AccumulatorKind::Sum:
      mayBe = value.isSum();
      break;
    case AccumulatorKind::Max:
      mayBe = value.isMaximum();
      break;
    case AccumulatorKind::RescaledSum:
      mayBe = value.isSumRescaledBy(
          getRank(tile), cuts.values.lookup(accumulate.getMaximum(i)),
          getRank(accumulate.getMaximum(i)));
      break;
    case AccumulatorKind::Concat:
      break;
    }
    if (!mayBe)
      return emitError(accumulate)
             << "accumulator " << i << " depends on how they are cut";
  }
  return success();
}

FailureOr<LoopCuts> Follower::follow() {
  Block &body = loop.getBody().front();
  for (auto iterator : body.getOps<InputIterator>()) {
    int64_t dim = iterator.getFmap()->getDim();
    if (dim == kReplica)
      continue;
    int64_t extent = iterator.getExtentOfBlock(dim);
    if (extent % static_cast<int64_t>(loop.getIterations()) != 0)
      cuts.extent = extent;
  }
  if (cuts.extent > 0 && failed(visit(body)))
    return failure();
  if (auto masks = body.getOps<FreshMaskOp>();
      cuts.extent == 0 && !masks.empty())
    return (*masks.begin())
        .emitOpError(
            "stands in a loop whose iterations divide all that they cut");
  return std::move(cuts);
}

FailureOr<LoopCuts> block::followCuts(LoopOp loop) {
  return Follower(loop).follow();
}

LogicalResult block::verifyUnevenLoops(BlockGraphOpInterface kernel) {
  for (auto loop : kernel->getRegion(0).front().getOps<LoopOp>())
    if (failed(followCuts(loop)))
      return failure();
  return success();
}
