//===- OutlinePrograms.cpp - Programs in functions of their own -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators of the kernel dialect have no effects, so that they can wait for
// whatever needs them, in front of which they become a call. What needs one is
// met before the end of its block: none is moved behind a use.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Transforms/Passes.h"
#include "ProgramFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mirage {
#define GEN_PASS_DEF_OUTLINEPROGRAMS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {

/// Moves the operators of one block.
class BlockOutliner {
public:
  /// Parts come behind the function `last`, which is the last of them then.
  BlockOutliner(func::FuncOp function, Block &block, SymbolTable &symbols,
                func::FuncOp &last, unsigned &numParts)
      : function(function), block(block), symbols(symbols), last(last),
        numParts(numParts) {}

  /// An operator waits until something else needs it, so that as many as
  /// possible are together. What others wait for stays where it is, since it
  /// may have effects.
  void run() {
    // What nobody needs would be a result of its part.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isKernelOperator(op) && op.use_empty())
        op.erase();
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isKernelOperator(op)) {
        waiting.insert(&op);
        continue;
      }
      llvm::SetVector<Operation *> needed;
      for (Value operand : op.getOperands())
        addProducer(operand, needed);
      visitUsedValuesDefinedAbove(op.getRegions(), [&](OpOperand *operand) {
        addProducer(operand->get(), needed);
      });
      if (&op == &block.back())
        for (Operation *other : waiting)
          if (other->isUsedOutsideOfBlock(&block))
            addWithOperands(other, needed);
      if (!needed.empty())
        outline(needed, &op);
    }
    assert(waiting.empty() && "what is used is used in front of the end");
  }

private:
  void addProducer(Value value, llvm::SetVector<Operation *> &needed) {
    Operation *producer = value.getDefiningOp();
    if (producer && waiting.contains(producer))
      addWithOperands(producer, needed);
  }

  void addWithOperands(Operation *op, llvm::SetVector<Operation *> &needed) {
    SmallVector<Operation *> todo = {op};
    while (!todo.empty()) {
      Operation *next = todo.pop_back_val();
      if (!needed.insert(next))
        continue;
      for (Value operand : next->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && waiting.contains(producer))
          todo.push_back(producer);
    }
  }

  /// A function of these operators, and a call to it in front of `user`.
  void outline(const llvm::SetVector<Operation *> &needed, Operation *user) {
    SmallVector<Operation *> ops = llvm::filter_to_vector(
        waiting, [&](Operation *op) { return needed.contains(op); });
    llvm::SetVector<Value> inputs, outputs;
    llvm::SetVector<Operation *> constants;
    for (Operation *op : ops) {
      for (Value operand : op->getOperands()) {
        if (auto constant = operand.getDefiningOp<ConstantOp>())
          constants.insert(constant);
        else if (!needed.contains(operand.getDefiningOp()))
          inputs.insert(operand);
      }
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *other) {
              return !needed.contains(other);
            }))
          outputs.insert(result);
    }

    OpBuilder builder(function.getContext());
    auto part = func::FuncOp::create(
        builder, ops.front()->getLoc(),
        (function.getName() + "_part_" + llvm::Twine(numParts++)).str(),
        builder.getFunctionType(TypeRange(inputs.getArrayRef()),
                                TypeRange(outputs.getArrayRef())));
    part.setPrivate();
    symbols.insert(part, std::next(Block::iterator(last)));
    last = part;
    Block *body = part.addEntryBlock();
    builder.setInsertionPointToEnd(body);
    IRMapping mapping;
    mapping.map(inputs.getArrayRef(), body->getArguments());
    for (Operation *op : constants)
      builder.clone(*op, mapping);
    for (Operation *op : ops)
      builder.clone(*op, mapping);
    SmallVector<Value> results = llvm::map_to_vector(
        outputs, [&](Value output) { return mapping.lookup(output); });
    func::ReturnOp::create(builder, ops.back()->getLoc(), results);
    // Its arguments can have reshapes that what they come from couldn't.
    importLinalg(part);

    builder.setInsertionPoint(user);
    auto call = func::CallOp::create(builder, ops.front()->getLoc(), part,
                                     inputs.getArrayRef());
    SmallVector<Value> moved = outputs.takeVector();
    for (auto [output, result] : llvm::zip_equal(moved, call.getResults()))
      output.replaceAllUsesWith(result);
    for (Operation *op : llvm::reverse(ops)) {
      waiting.remove(op);
      op->erase();
    }
  }

  func::FuncOp function;
  Block &block;
  SymbolTable &symbols;
  func::FuncOp &last;
  unsigned &numParts;
  /// In the order of the block.
  llvm::SetVector<Operation *> waiting;
};

class OutlinePrograms
    : public mirage::impl::OutlineProgramsBase<OutlinePrograms> {
public:
  using OutlineProgramsBase::OutlineProgramsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    for (func::FuncOp function : findProgramFunctions(module)) {
      // A whole program needs nothing, and one with such a kernel can't have
      // it.
      auto obstacle = findObstacle(function);
      if (!obstacle || isKernelOperator(*obstacle->first))
        continue;
      func::FuncOp last = function;
      unsigned numParts = 0;
      SmallVector<Block *> blocks;
      function.walk<WalkOrder::PreOrder>([&](Block *block) {
        if (!isKernelOperator(*block->getParentOp()))
          blocks.push_back(block);
      });
      for (Block *block : blocks)
        BlockOutliner(function, *block, symbols, last, numParts).run();
      // The caller's constants are of its own dialects.
      function.walk([](ConstantOp constant) {
        if (!isa<RankedTensorType>(constant.getType()))
          return;
        if (!constant.use_empty()) {
          OpBuilder builder(constant);
          auto type = cast<RankedTensorType>(constant.getType());
          auto element = cast<FloatType>(type.getElementType());
          constant.replaceAllUsesWith(
              arith::ConstantOp::create(
                  builder, constant.getLoc(),
                  DenseElementsAttr::get(
                      type,
                      builder.getFloatAttr(
                          element, constant.getValue().convertToDouble())))
                  .getResult());
        }
        constant.erase();
      });
    }
  }
};

} // namespace
