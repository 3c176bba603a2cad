//===- Mugraph.cpp - μGraphs as compact values ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Mugraph/Mugraph.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Mugraph/UnevenLoop.h"
#include "Mirage/Operators/ShapeText.h"
#include "UnevenCuts.h"

using namespace mirage;

mlir::Type
BlockNode::getElementType(llvm::ArrayRef<KernelTensor> inputs) const {
  if (elementType || kind != Kind::InputIterator)
    return elementType;
  return inputs[operands[0]].elementType;
}

/// Whether an operator's operands have the element type of its result.
static bool keepsElementType(const KernelGraph &graph, const KernelNode &node) {
  return llvm::all_of(node.operands, [&](unsigned operand) {
    return graph.tensors[operand].elementType ==
           graph.tensors[node.results[0]].elementType;
  });
}

/// Whether a node is another shape of its operand's buffer.
static bool isReinterpretation(const KernelGraph &graph,
                               const KernelNode &node) {
  return node.op && node.op->isReinterpretation() &&
         keepsElementType(graph, node);
}

/// Whether all that read a tensor are kernels, which can read a part.
static bool isReadByKernels(const KernelGraph &graph, unsigned tensor) {
  return !llvm::is_contained(graph.outputs, tensor) &&
         llvm::none_of(graph.nodes, [&](const KernelNode &reader) {
           return isReinterpretation(graph, reader) &&
                  llvm::is_contained(reader.operands, tensor);
         });
}

/// Whether a tensor is computed by a kernel, which can write it as a part.
static bool isWrittenAsPart(const KernelGraph &graph, unsigned tensor) {
  int64_t joins = 0;
  for (const KernelNode &node : graph.nodes) {
    if (node.op && node.op->isJoin() && keepsElementType(graph, node))
      joins += llvm::count(node.operands, tensor);
    if (llvm::is_contained(node.results, tensor) &&
        (node.kind == KernelNode::Kind::Constant ||
         isReinterpretation(graph, node) || (node.op && node.op->isView())))
      return false;
  }
  return tensor >= graph.numInputs && joins == 1 &&
         isReadByKernels(graph, tensor);
}

bool KernelGraph::isWithoutKernel(const KernelNode &node) const {
  if (node.kind != KernelNode::Kind::Operator)
    return node.kind == KernelNode::Kind::Constant;
  if (!keepsElementType(*this, node))
    return false;
  if (node.op->isReinterpretation())
    return true;
  if (node.op->isView())
    return isReadByKernels(*this, node.results[0]);
  return node.op->isJoin() && llvm::all_of(node.operands, [&](unsigned part) {
           return isWrittenAsPart(*this, part);
         });
}

unsigned KernelGraph::getNumKernels() const {
  return llvm::count_if(
      nodes, [&](const KernelNode &node) { return !isWithoutKernel(node); });
}

bool KernelGraph::usesExponentiation() const {
  for (const KernelNode &node : nodes) {
    if (node.op && node.op->usesExponentiation(node.params))
      return true;
    if (!node.graph)
      continue;
    for (const BlockNode &blockNode : node.graph->nodes)
      if ((blockNode.op &&
           blockNode.op->usesExponentiation(blockNode.params)) ||
          blockNode.accumulation == Accumulation::RescaledSum)
        return true;
  }
  return false;
}

/// Divides the dimensions that `map` names by the sizes of the grid: rounded up
/// where it doesn't divide them, if it may.
static bool partition(Shape &shape, llvm::ArrayRef<int64_t> map,
                      llvm::ArrayRef<int64_t> grid, int64_t loopDim,
                      std::string &error) {
  for (auto [dim, parts] : llvm::zip_equal(map, grid)) {
    if (dim == kReplica)
      continue;
    if (shape[dim] % parts == 0) {
      shape[dim] /= parts;
      continue;
    }
    const std::optional<int64_t> part = getUnevenPart(shape[dim], parts);
    if (!part || dim == loopDim) {
      error = "the grid does not divide a dimension";
      return false;
    }
    shape[dim] = *part;
  }
  return true;
}

/// Infers the shape of a node whose operands have theirs; of a saver that of
/// the tensor is known.
static bool inferShape(BlockGraph &graph, BlockNode &node,
                       llvm::ArrayRef<Shape> inputs, std::string &error) {
  switch (node.kind) {
  case BlockNode::Kind::Constant:
    node.shape.clear();
    return true;
  case BlockNode::Kind::InputIterator:
    node.shape = inputs[node.operands[0]];
    if (!partition(node.shape, node.map, graph.grid,
                   node.inLoop ? node.fmap : kReplica, error))
      return false;
    if (node.inLoop && node.fmap != kReplica) {
      int64_t &size = node.shape[node.fmap];
      if (size % graph.iterations == 0) {
        size /= graph.iterations;
        return true;
      }
      const std::optional<int64_t> part = getUnevenPart(size, graph.iterations);
      if (!part) {
        error = "the loop does not divide a dimension";
        return false;
      }
      size = *part;
    }
    return true;
  case BlockNode::Kind::Operator: {
    llvm::SmallVector<Shape> shapes;
    for (unsigned operand : node.operands)
      shapes.push_back(graph.nodes[operand].shape);
    return node.op->inferShape(shapes, node.params, node.shape, &error);
  }
  case BlockNode::Kind::Accumulator:
    node.shape = graph.nodes[node.operands[0]].shape;
    if (node.accumulation == Accumulation::Concat)
      node.shape[node.params[0]] *= graph.iterations;
    return true;
  case BlockNode::Kind::OutputSaver: {
    Shape tile = node.shape;
    if (!partition(tile, node.map, graph.grid, kReplica, error))
      return false;
    if (tile != graph.nodes[node.operands[0]].shape) {
      error = "a saver's tile has shape " +
              getShapeText(graph.nodes[node.operands[0]].shape) + ", not " +
              getShapeText(tile);
      return false;
    }
    return true;
  }
  }
  llvm_unreachable("covered switch");
}

bool mirage::inferShapes(BlockGraph &graph, llvm::ArrayRef<Shape> inputs,
                         llvm::ArrayRef<Shape> outputs, std::string &error) {
  unsigned saver = 0;
  for (BlockNode &node : graph.nodes) {
    if (node.kind == BlockNode::Kind::OutputSaver)
      node.shape = outputs[saver++];
    if (!inferShape(graph, node, inputs, error))
      return false;
  }
  for (size_t g = 0; g < graph.grid.size(); ++g)
    if (!cutsEvenly(graph, g, inputs) && !followUneven(graph, g, inputs)) {
      error = "the grid does not divide a dimension whose elements are not "
              "treated one by one";
      return false;
    }
  if (getUnevenExtent(graph, inputs) > 0 && !followLoop(graph, inputs)) {
    error = "the loop does not divide a dimension, and what it computes "
            "depends on how it is cut";
    return false;
  }
  return true;
}
