//===- Export.cpp - μGraphs to IR -----------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"

using namespace mlir;
using namespace mirage;

/// The element type of a node's tile: see exportKernelGraph.
static Type getTileElementType(const BlockNode &node,
                               ArrayRef<KernelTensor> inputs,
                               MLIRContext *context) {
  Type type = node.getElementType(inputs);
  return type ? type : Float32Type::get(context);
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
