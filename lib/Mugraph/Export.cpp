//===- Export.cpp - μGraphs to IR -----------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/FoldScratch.h"
#include "Mirage/Mugraph/Conversion.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;

/// The element type of a node's tile: see exportKernelGraph.
static Type getTileElementType(const BlockNode &node,
                               ArrayRef<KernelTensor> inputs,
                               MLIRContext *context) {
  if (node.elementType)
    return node.elementType;
  if (node.kind == BlockNode::Kind::InputIterator)
    return inputs[node.operands[0]].elementType;
  return Float32Type::get(context);
}

int64_t mirage::getSharedBytes(const BlockGraph &graph,
                               ArrayRef<KernelTensor> inputs) {
  // Elementwise operators run in registers, right behind the last of their
  // operands: at the stage of that one, where every other operator opens a new
  // stage.
  size_t count = graph.nodes.size();
  // What is rescaled is read when the tiles of an iteration are complete.
  bool rescales = llvm::any_of(graph.nodes, [](const BlockNode &node) {
    return node.kind == BlockNode::Kind::Accumulator &&
           node.accumulation == Accumulation::RescaledSum;
  });
  SmallVector<unsigned> stages(count, 0);
  SmallVector<bool> isStored(count, false), isSunk(count, false);
  // Whether an elementwise operator would be fused with one that it reads, and
  // whether a sum or maximum alone reads it, and computes it where it reads.
  SmallVector<bool> readsFused(count, false), isFolded(count, false);
  SmallVector<unsigned> numReaders(count, 0);
  for (auto [i, node] : llvm::enumerate(graph.nodes)) {
    bool isElementwise = node.op && node.op->isElementwise();
    bool isSink = node.kind == BlockNode::Kind::OutputSaver ||
                  (node.kind == BlockNode::Kind::Accumulator && !rescales);
    // What is loaded goes to shared memory, whoever reads it.
    if (node.kind == BlockNode::Kind::InputIterator) {
      isStored[i] = true;
      continue;
    }
    // What a loop accumulates is there when those begin that read it.
    if (node.kind != BlockNode::Kind::Accumulator)
      for (unsigned operand : node.operands)
        stages[i] = std::max(stages[i], stages[operand] + !isElementwise);
    for (unsigned operand : node.operands) {
      isSunk[operand] |= node.kind == BlockNode::Kind::OutputSaver ||
                         node.kind == BlockNode::Kind::Accumulator;
      const BlockNode &tile = graph.nodes[operand];
      bool isFused = isElementwise && tile.op && tile.op->isElementwise() &&
                     stages[operand] == stages[i] && tile.shape == node.shape;
      isStored[operand] |= !isFused && !isSink;
      readsFused[i] |= isFused;
      isFolded[operand] = numReaders[operand]++ == 0 && tile.op &&
                          tile.op->isElementwise() && !readsFused[operand] &&
                          node.op && node.op->isReduction() &&
                          node.inLoop == tile.inLoop;
    }
  }
  auto getTileBytes = [&](const BlockNode &node) {
    Type type = getTileElementType(node, inputs,
                                   inputs.front().elementType.getContext());
    return llvm::alignTo(mirage::getNumElements(node.shape) *
                             type.getIntOrFloatBitWidth() / 8,
                         kTileAlignment);
  };
  int64_t bytes = 0;
  for (auto [i, node] : llvm::enumerate(graph.nodes)) {
    bool isAccumulator = node.kind == BlockNode::Kind::Accumulator;
    // What is moved is read where it was.
    bool isView = node.isMovement() && !isSunk[i];
    if (node.kind == BlockNode::Kind::Constant ||
        node.kind == BlockNode::Kind::OutputSaver || isView ||
        (!isAccumulator && !isStored[i]))
      continue;
    int64_t own = getTileBytes(node);
    bytes += isFolded[i] ? std::min(own, kFoldScratchBytes) : own;
  }
  // What AccumulateOp::getScratchTypes names: that of maxima of rescaled sums.
  llvm::SmallSetVector<unsigned, 2> maxima;
  for (const BlockNode &node : graph.nodes)
    if (node.kind == BlockNode::Kind::Accumulator &&
        node.accumulation == Accumulation::RescaledSum)
      maxima.insert(node.operands[1]);
  for (unsigned i : maxima)
    bytes += block::kTilesOfRunningMaximum * getTileBytes(graph.nodes[i]);
  return bytes;
}

namespace {

/// Builds the region of a graph-defined kernel.
class BlockGraphExporter {
public:
  BlockGraphExporter(const BlockGraph &graph, ArrayRef<KernelTensor> inputs,
                     ArrayRef<KernelTensor> outputs, OpBuilder &builder,
                     Location loc)
      : graph(graph), inputs(inputs), outputs(outputs), builder(builder),
        loc(loc), values(graph.nodes.size()) {}

  void build(Block &block) {
    builder.setInsertionPointToEnd(&block);
    if (graph.iterations)
      buildLoop(block);
    unsigned saver = 0;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      const BlockNode &node = graph.nodes[i];
      if (node.inLoop || node.kind == BlockNode::Kind::Accumulator)
        continue;
      if (node.kind == BlockNode::Kind::OutputSaver) {
        const KernelTensor &output = outputs[saver++];
        block::OutputSaver::create(
            builder, loc, values[node.operands[0]],
            OMapAttr::get(builder.getContext(), node.map),
            TypeAttr::get(
                RankedTensorType::get(output.shape, output.elementType)));
        continue;
      }
      values[i] = buildNode(node, block);
    }
  }

private:
  void buildLoop(Block &block) {
    SmallVector<unsigned> accumulators;
    SmallVector<Type> types;
    for (auto [i, node] : llvm::enumerate(graph.nodes)) {
      if (node.kind != BlockNode::Kind::Accumulator)
        continue;
      accumulators.push_back(i);
      types.push_back(getType(node));
    }
    auto loop = block::LoopOp::create(builder, loc, types, graph.iterations);
    OpBuilder::InsertionGuard guard(builder);
    Block &body = loop.getBody().emplaceBlock();
    builder.setInsertionPointToEnd(&body);
    for (auto [i, node] : llvm::enumerate(graph.nodes))
      if (node.inLoop)
        values[i] = buildNode(node, block);
    SmallVector<Value> tiles, maxima;
    SmallVector<Attribute> kinds;
    SmallVector<int64_t> dims;
    for (unsigned i : accumulators) {
      const BlockNode &node = graph.nodes[i];
      tiles.push_back(values[node.operands[0]]);
      dims.push_back(node.accumulation == Accumulation::Concat ? node.params[0]
                                                               : kReplica);
      if (node.accumulation == Accumulation::RescaledSum)
        maxima.push_back(values[node.operands[1]]);
      // The enumerators are the same, in the same order.
      kinds.push_back(block::AccumulatorKindAttr::get(
          builder.getContext(),
          static_cast<block::AccumulatorKind>(node.accumulation)));
    }
    block::AccumulateOp::create(builder, loc, tiles, maxima,
                                builder.getArrayAttr(kinds), dims);
    for (auto [i, result] : llvm::zip(accumulators, loop.getResults()))
      values[i] = result;
  }

  Type getType(const BlockNode &node) {
    return getTensorType(
        Level::Block, node.shape,
        getTileElementType(node, inputs, builder.getContext()));
  }

  Value buildNode(const BlockNode &node, Block &arguments) {
    if (node.kind == BlockNode::Kind::Constant)
      return ConstantOp::create(builder, loc, getType(node),
                                builder.getF64FloatAttr(node.constant));
    if (node.kind == BlockNode::Kind::InputIterator)
      return block::InputIterator::create(
          builder, loc, getType(node), arguments.getArgument(node.operands[0]),
          IMapAttr::get(builder.getContext(), node.map),
          node.inLoop ? FMapAttr::get(builder.getContext(), node.fmap)
                      : FMapAttr());
    SmallVector<Value> operands;
    for (unsigned operand : node.operands)
      operands.push_back(values[operand]);
    return buildOperator(builder, loc, Level::Block, *node.op, node.params,
                         operands,
                         getTileElementType(node, inputs, builder.getContext()))
        ->getResult(0);
  }

  const BlockGraph &graph;
  ArrayRef<KernelTensor> inputs, outputs;
  OpBuilder &builder;
  Location loc;
  SmallVector<Value> values;
};

} // namespace

SmallVector<Value> mirage::exportKernelGraph(const KernelGraph &graph,
                                             OpBuilder &builder, Location loc,
                                             ValueRange inputs) {
  SmallVector<Value> values(graph.tensors.size());
  llvm::copy(inputs, values.begin());
  // Constants that became part of block graphs are left out.
  llvm::SmallDenseSet<unsigned> used(graph.outputs.begin(),
                                     graph.outputs.end());
  for (const KernelNode &node : graph.nodes)
    used.insert(node.operands.begin(), node.operands.end());
  for (const KernelNode &node : graph.nodes) {
    if (node.kind == KernelNode::Kind::Constant &&
        !used.contains(node.results[0]))
      continue;
    SmallVector<Value> operands;
    SmallVector<KernelTensor> operandTensors, resultTensors;
    SmallVector<Type> resultTypes;
    for (unsigned operand : node.operands) {
      operands.push_back(values[operand]);
      operandTensors.push_back(graph.tensors[operand]);
    }
    for (unsigned result : node.results) {
      const KernelTensor &tensor = graph.tensors[result];
      resultTensors.push_back(tensor);
      resultTypes.push_back(
          RankedTensorType::get(tensor.shape, tensor.elementType));
    }
    switch (node.kind) {
    case KernelNode::Kind::Constant:
      values[node.results[0]] = ConstantOp::create(
          builder, loc, resultTypes[0], builder.getF64FloatAttr(node.constant));
      break;
    case KernelNode::Kind::Operator: {
      OperationState state(
          loc,
          (getDialectName(Level::Kernel) + "." + node.op->getName()).str());
      state.addOperands(operands);
      state.addTypes(resultTypes);
      node.op->writeParams(state, node.params);
      values[node.results[0]] = builder.create(state)->getResult(0);
      break;
    }
    case KernelNode::Kind::GraphDefined: {
      auto op = kernel::GraphDefinedOp::create(
          builder, loc, resultTypes, operands,
          GridAttr::get(builder.getContext(), node.graph->grid));
      OpBuilder::InsertionGuard guard(builder);
      Block &block = op.getBody().emplaceBlock();
      for (Value operand : operands)
        block.addArgument(operand.getType(), loc);
      BlockGraphExporter(*node.graph, operandTensors, resultTensors, builder,
                         loc)
          .build(block);
      for (auto [result, value] : llvm::zip(node.results, op.getResults()))
        values[result] = value;
      break;
    }
    }
  }
  SmallVector<Value> outputs;
  for (unsigned output : graph.outputs)
    outputs.push_back(values[output]);
  return outputs;
}
