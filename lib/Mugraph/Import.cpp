//===- Import.cpp - IR to μGraphs -----------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Operators/Operator.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mirage;

static Shape getShape(Type type) {
  return Shape(cast<ShapedType>(type).getShape());
}

namespace {

/// Reads one block graph. The verifiers have checked its form.
class BlockGraphImporter {
public:
  BlockGraph import(kernel::GraphDefinedOp op) {
    graph.grid.assign(op.getGrid().getSizes().begin(),
                      op.getGrid().getSizes().end());
    for (Operation &nested : op.getBlockGraph())
      visit(nested);
    // Savers come last.
    for (BlockNode &saver : savers)
      graph.nodes.push_back(std::move(saver));
    return std::move(graph);
  }

private:
  unsigned add(BlockNode node) {
    graph.nodes.push_back(std::move(node));
    return graph.nodes.size() - 1;
  }

  void visit(Operation &op) {
    if (auto loop = dyn_cast<block::LoopOp>(op))
      return visitLoop(loop);
    if (auto threadGraph = dyn_cast<block::GraphDefinedOp>(op))
      return visitThreadGraph(threadGraph);
    // A loop doesn't count again what is masked: as the mask says, for kernels.
    if (isa<block::FreshMaskOp>(op))
      return;
    if (block::getFreshMask(&op)) {
      values[op.getResult(0)] = values.lookup(op.getOperand(1));
      return;
    }
    BlockNode node;
    node.inLoop = inLoop;
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      node.kind = BlockNode::Kind::Constant;
      node.constant = constant.getValue().convertToDouble();
    } else if (auto iterator = dyn_cast<block::InputIterator>(op)) {
      node.kind = BlockNode::Kind::InputIterator;
      node.operands = {
          cast<BlockArgument>(iterator.getTensor()).getArgNumber()};
      node.map.assign(iterator.getImap().getDims().begin(),
                      iterator.getImap().getDims().end());
      node.fmap = iterator.getFmap() ? iterator.getFmap()->getDim() : kReplica;
    } else if (auto saver = dyn_cast<block::OutputSaver>(op)) {
      node.kind = BlockNode::Kind::OutputSaver;
      node.operands = {values.lookup(saver.getTile())};
      node.map.assign(saver.getOmap().getDims().begin(),
                      saver.getOmap().getDims().end());
      node.shape = getShape(saver.getType());
      savers.push_back(std::move(node));
      return;
    } else {
      auto operation = cast<OperatorOpInterface>(op);
      node.op = &operation.getSemantics();
      node.params = operation.getParams();
      for (Value operand : op.getOperands())
        node.operands.push_back(values.lookup(operand));
    }
    node.shape = getShape(op.getResult(0).getType());
    node.elementType = getStoredType(node, op.getResult(0));
    values[op.getResult(0)] = add(std::move(node));
  }

  /// The type of a tile's elements where BlockNode::elementType names it.
  static Type getStoredType(const BlockNode &node, Value tile) {
    Type type = cast<ShapedType>(tile.getType()).getElementType();
    bool isImplied =
        type.isF32() || node.kind == BlockNode::Kind::InputIterator;
    return isImplied ? Type() : type;
  }

  void visitLoop(block::LoopOp loop) {
    graph.iterations = loop.getIterations();
    inLoop = true;
    Block &body = loop.getBody().front();
    // What the loop uses of the block graph's constants is in the loop here.
    llvm::SmallMapVector<Value, unsigned, 4> outside;
    for (Operation &op : body)
      for (Value operand : op.getOperands())
        if (auto constant = operand.getDefiningOp<ConstantOp>();
            constant && constant->getBlock() != &body &&
            outside.insert({operand, values.lookup(operand)}).second)
          visit(*constant);
    for (Operation &op : body.without_terminator())
      visit(op);
    inLoop = false;
    auto accumulate = cast<block::AccumulateOp>(body.getTerminator());
    for (auto [i, tile, result] :
         llvm::enumerate(accumulate.getTiles(), loop.getResults())) {
      BlockNode node;
      node.kind = BlockNode::Kind::Accumulator;
      node.operands = {values.lookup(tile)};
      // The enumerators are the same, in the same order.
      node.accumulation = static_cast<Accumulation>(accumulate.getKind(i));
      if (node.accumulation == Accumulation::Concat)
        node.params = {accumulate.getDims()[i]};
      if (node.accumulation == Accumulation::RescaledSum)
        node.operands.push_back(values.lookup(accumulate.getMaximum(i)));
      node.shape = getShape(result.getType());
      node.elementType = getStoredType(node, result);
      values[result] = add(std::move(node));
    }
    for (auto [constant, node] : outside)
      values[constant] = node;
  }

  /// A thread graph computes what its operators would as block operators.
  void visitThreadGraph(block::GraphDefinedOp threadGraph) {
    Block &body = threadGraph.getBody().front();
    for (auto [argument, input] :
         llvm::zip(body.getArguments(), threadGraph.getInputs()))
      values[argument] = values.lookup(input);
    for (Operation &op : body.without_terminator())
      visit(op);
    for (auto [value, result] : llvm::zip(body.getTerminator()->getOperands(),
                                          threadGraph.getResults()))
      values[result] = getRounded(value, result);
  }

  /// What a thread graph hands out is rounded to the tile's type, but not what
  /// it goes on with.
  unsigned getRounded(Value fragment, Value tile) {
    unsigned known = values.lookup(fragment);
    Type own = getElementTypeOrSelf(fragment.getType());
    Type type = getElementTypeOrSelf(tile.getType());
    // f32 holds all of them.
    if (type == own || type.isF32())
      return known;
    bool isOnlyUse = fragment.hasOneUse();
    while (Operation *maker = fragment.getDefiningOp()) {
      if (!block::getFreshMask(maker))
        break;
      fragment = maker->getOperand(1);
      isOnlyUse &= fragment.hasOneUse();
    }
    bool isComputed =
        own.isF32() && fragment.getDefiningOp<OperatorOpInterface>();
    if (isComputed && isOnlyUse) {
      graph.nodes[known].elementType = type;
      return known;
    }
    BlockNode node;
    if (isComputed) {
      node = graph.nodes[known];
    } else {
      // It is rounded already, or another tile's.
      node.inLoop = inLoop;
      node.op = &getOperator("cast");
      node.operands = {known};
      node.shape = getShape(tile.getType());
    }
    node.elementType = type;
    return add(std::move(node));
  }

  BlockGraph graph;
  std::vector<BlockNode> savers;
  DenseMap<Value, unsigned> values;
  bool inLoop = false;
};

} // namespace

static bool isOfKernelLevel(Operation &op) {
  if (isa<ConstantOp>(op))
    return isa<RankedTensorType>(op.getResult(0).getType());
  return isa<kernel::KernelDialect>(op.getDialect());
}

static int64_t countLoops(kernel::GraphDefinedOp op) {
  return llvm::count_if(op.getBlockGraph(),
                        [](Operation &o) { return isa<block::LoopOp>(o); });
}

Operation *mirage::findForeignOp(mlir::Block &block) {
  auto isForeign = [](Operation &op) {
    return !isa<func::ReturnOp>(op) &&
           (!op.isRegistered() || !isOfKernelLevel(op));
  };
  Operation *last = nullptr;
  for (Operation &op : llvm::make_filter_range(block, isForeign)) {
    if (llvm::any_of(op.getOperands(), [&](Value operand) {
          Operation *producer = operand.getDefiningOp();
          return !producer || !isForeign(*producer);
        }))
      return &op;
    last = &op;
  }
  return last;
}

std::optional<std::pair<Operation *, std::string>>
mirage::findObstacle(func::FuncOp function) {
  if (function.isExternal())
    return {{function, "the function has no body"}};
  if (!function.getBody().hasOneBlock())
    return {{function, "the function has control flow"}};
  for (Type type : function.getArgumentTypes())
    if (!isSupportedTensor(type)) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "an argument is a " << type << ", not " << kSupportedTensor;
      return {{function, text}};
    }
  if (Operation *op = findForeignOp(function.getBody().front()))
    return {{op, ("'" + op->getName().getStringRef() +
                  "' is not an operator of the kernel dialect")
                     .str()}};
  for (Operation &op : function.getBody().front()) {
    if (isa<func::ReturnOp>(op)) {
      for (Type type : op.getOperandTypes())
        if (!isSupportedTensor(type))
          return {{&op, ("a result is not " + kSupportedTensor).str()}};
      continue;
    }
    if (auto graph = dyn_cast<kernel::GraphDefinedOp>(op))
      if (countLoops(graph) > 1)
        return {{&op, "a block graph has more than one loop"}};
  }
  return std::nullopt;
}

FailureOr<KernelGraph> mirage::importKernelGraph(func::FuncOp function) {
  if (auto obstacle = findObstacle(function)) {
    obstacle->first->emitError("not a kernel graph: ") << obstacle->second;
    return failure();
  }
  KernelGraph graph;
  DenseMap<Value, unsigned> tensors;
  auto addTensor = [&](Value value) {
    tensors[value] = graph.tensors.size();
    graph.tensors.push_back(
        {getShape(value.getType()),
         cast<ShapedType>(value.getType()).getElementType()});
    return tensors[value];
  };
  graph.numInputs = function.getNumArguments();
  for (BlockArgument argument : function.getArguments())
    addTensor(argument);
  for (Operation &op : function.getBody().front()) {
    if (isa<func::ReturnOp>(op)) {
      for (Value output : op.getOperands())
        graph.outputs.push_back(tensors.lookup(output));
      break;
    }
    KernelNode node;
    for (Value operand : op.getOperands())
      node.operands.push_back(tensors.lookup(operand));
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      node.kind = KernelNode::Kind::Constant;
      node.constant = constant.getValue().convertToDouble();
    } else if (auto defined = dyn_cast<kernel::GraphDefinedOp>(op)) {
      node.kind = KernelNode::Kind::GraphDefined;
      node.graph = std::make_shared<const BlockGraph>(
          BlockGraphImporter().import(defined));
    } else {
      auto operation = cast<OperatorOpInterface>(op);
      node.op = &operation.getSemantics();
      node.params = operation.getParams();
    }
    for (Value result : op.getResults())
      node.results.push_back(addTensor(result));
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}
