//===- KeptRows.cpp - Rows that stay in registers -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/KeptRows.h"
#include "Mirage/BlockPlan/ElementMap.h"
#include "Mirage/BlockPlan/FoldPlan.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Dialect/Mirage/TensorView.h"

using namespace mirage;
using namespace mlir;

static bool foldsRows(OperatorOpInterface op) {
  std::optional<Fold> fold = getFold(op);
  return fold &&
         KeptRowsShape::foldsRows(getShape(op->getOperand(0)),
                                  getShape(op->getResult(0)), fold->dim);
}

namespace {
/// Takes the operators of a kernel as steps, those in thread graphs, too.
class Steps {
public:
  /// Whether what an op makes of rows is rows again, or an element of each.
  bool add(Operation *op) {
    if (auto graph = dyn_cast<block::GraphDefinedOp>(op)) {
      addThreadGraph(graph);
      return true;
    }
    auto semantics = dyn_cast<OperatorOpInterface>(op);
    if (!semantics)
      return false;
    bool folds = foldsRows(semantics);
    if (!semantics.getSemantics().isElementwise() && !folds)
      return false;
    addOperator(op, folds);
    return true;
  }

  void save(Value tile) {
    if (auto step = numbers.find(tile); step != numbers.end())
      steps[step->second].isSaved = true;
  }

  ArrayRef<KeptRowsShape::Step> get() const { return steps; }

private:
  void addOperator(Operation *op, bool folds) {
    Value result = op->getResult(0);
    KeptRowsShape::Step step{getShape(result), {}, folds};
    for (Value operand : op->getOperands())
      if (auto other = numbers.find(operand); other != numbers.end())
        step.operands.push_back(other->second);
    numbers[result] = steps.size();
    steps.push_back(std::move(step));
  }

  void addThreadGraph(block::GraphDefinedOp graph) {
    Block &body = graph.getBody().front();
    auto pass = [&](Value from, Value to) {
      if (auto step = numbers.find(from); step != numbers.end())
        numbers[to] = step->second;
    };
    for (auto [input, argument] :
         llvm::zip_equal(graph.getInputs(), body.getArguments()))
      pass(input, argument);
    for (Operation &op : body.without_terminator())
      if (isa<OperatorOpInterface>(op))
        addOperator(&op, /*folds=*/false);
    for (auto [fragment, output] : llvm::zip_equal(
             body.getTerminator()->getOperands(), graph.getOutputs()))
      pass(fragment, output);
  }

  SmallVector<KeptRowsShape::Step> steps;
  /// Of the values that they compute.
  llvm::DenseMap<Value, unsigned> numbers;
};
} // namespace

/// Whether rows of a tensor that are parts of another one's rows begin as whole
/// ones do.
static bool isAligned(Value tensor) {
  TensorView view = getTensorView(tensor);
  auto whole = cast<ShapedType>(view.whole.getType());
  if (getShape(tensor).empty() ||
      whole.getShape().back() == getShape(tensor).back())
    return true;
  int64_t bits = whole.getElementTypeBitWidth();
  return KeptRowsShape::areSectors(whole.getShape().back(), bits) &&
         KeptRowsShape::areSectors(view.offsets.back(), bits);
}

std::optional<KeptRowsShape>
mirage::findKeptRows(BlockGraphOpInterface kernel) {
  SmallVector<KeptRowsShape::Access> accesses;
  Steps steps;
  bool areAligned = true;
  for (Operation &op : kernel->getRegion(0).front()) {
    auto addAccess = [&](Value tensor, Value tile, bool isInput) {
      int64_t bits =
          cast<ShapedType>(tensor.getType()).getElementTypeBitWidth();
      accesses.push_back({getShape(tile), bits, isInput});
      areAligned &= isAligned(tensor);
    };
    if (auto input = dyn_cast<block::InputIterator>(op)) {
      addAccess(input.getTensor(), input.getTile(), /*isInput=*/true);
    } else if (auto saver = dyn_cast<block::OutputSaver>(op)) {
      addAccess(saver.getTensor(), saver.getTile(), /*isInput=*/false);
      steps.save(saver.getTile());
    } else if (!isa<ConstantOp>(op) && !op.hasTrait<OpTrait::IsTerminator>() &&
               !steps.add(&op)) {
      return std::nullopt;
    }
  }
  return areAligned ? KeptRowsShape::get(accesses, steps.get()) : std::nullopt;
}

bool mirage::keepsRows(Operation *op) {
  return getKernelAttr<UnitAttr>(op, kKeptRowsAttr) != nullptr;
}

LogicalResult mirage::verifyKeptRows(BlockGraphOpInterface kernel) {
  if (!keepsRows(kernel))
    return success();
  std::optional<KeptRowsShape> rows = findKeptRows(kernel);
  if (!rows)
    return kernel->emitOpError()
           << "has '" << kKeptRowsAttr
           << "', but does not compute with rows that its threads have "
              "registers for";
  if (getNumThreads(kernel) == rows->getNumThreads())
    return success();
  return kernel->emitOpError()
         << "has '" << kKeptRowsAttr << "' and " << getNumThreads(kernel)
         << " threads, but its rows need " << rows->getNumThreads();
}
