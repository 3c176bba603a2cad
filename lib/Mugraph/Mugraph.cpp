//===- Mugraph.cpp - μGraphs as compact values ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Mugraph/Mugraph.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Operators/FollowDim.h"
#include "Mirage/Operators/ShapeText.h"

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
    if (!part || dim == loopDim ||
        dim + 1 == static_cast<int64_t>(shape.size())) {
      error = "the grid does not divide a dimension";
      return false;
    }
    shape[dim] = *part;
  }
  return true;
}

/// Whether a grid dimension divides all that it cuts.
static bool cutsEvenly(const BlockGraph &graph, unsigned gridDim,
                       llvm::ArrayRef<Shape> inputs) {
  return llvm::all_of(graph.nodes, [&](const BlockNode &node) {
    const bool isSaver = node.kind == BlockNode::Kind::OutputSaver;
    if (!isSaver && node.kind != BlockNode::Kind::InputIterator)
      return true;
    const Shape &tensor = isSaver ? node.shape : inputs[node.operands[0]];
    int64_t dim = node.map[gridDim];
    return dim == kReplica || tensor[dim] % graph.grid[gridDim] == 0;
  });
}

namespace {
/// What a grid dimension doesn't divide: its elements, and along which
/// dimension each tile has a part of them.
struct FollowedCut {
  int64_t extent = 0;
  std::vector<int64_t> dims;
};
} // namespace

/// None if C4 of mirage_kernel.graph_defined doesn't hold.
static std::optional<FollowedCut> followUneven(const BlockGraph &graph,
                                               unsigned gridDim,
                                               llvm::ArrayRef<Shape> inputs) {
  FollowedCut cut;
  auto isOfExtent = [&](int64_t size) {
    if (cut.extent == 0)
      cut.extent = size;
    return size == cut.extent;
  };
  for (const BlockNode &node : graph.nodes) {
    int64_t dim = kNotFollowed;
    const int64_t mapped = node.map.empty() ? kReplica : node.map[gridDim];
    llvm::SmallVector<Shape> shapes;
    llvm::SmallVector<int64_t> ofOperands;
    if (node.kind != BlockNode::Kind::InputIterator)
      for (unsigned operand : node.operands) {
        shapes.push_back(graph.nodes[operand].shape);
        ofOperands.push_back(cut.dims[operand]);
      }
    const bool isFollowed =
        llvm::any_of(ofOperands, [](int64_t d) { return d != kNotFollowed; });
    switch (node.kind) {
    case BlockNode::Kind::Constant:
      break;
    case BlockNode::Kind::InputIterator:
      if (mapped == kReplica)
        break;
      if (!isOfExtent(inputs[node.operands[0]][mapped]))
        return std::nullopt;
      dim = mapped;
      break;
    case BlockNode::Kind::Operator:
      if (isFollowed) {
        auto next = followDim(*node.op, node.params, shapes, ofOperands);
        if (!next)
          return std::nullopt;
        dim = *next;
      }
      break;
    case BlockNode::Kind::Accumulator:
      dim = ofOperands[0];
      if ((node.accumulation == Accumulation::Concat && isFollowed &&
           dim == node.params[0]) ||
          // A sum is multiplied by factors that have the maximum's shape.
          (node.accumulation == Accumulation::RescaledSum && isFollowed &&
           followDim(getOperator("mul"), {}, shapes, ofOperands) != dim))
        return std::nullopt;
      break;
    case BlockNode::Kind::OutputSaver:
      if (mapped == kReplica || ofOperands[0] != mapped ||
          !isOfExtent(node.shape[mapped]))
        return std::nullopt;
      break;
    }
    cut.dims.push_back(dim);
  }
  return cut;
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
      if (node.shape[node.fmap] % graph.iterations != 0) {
        error = "the loop does not divide a dimension";
        return false;
      }
      node.shape[node.fmap] /= graph.iterations;
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
  return true;
}

/// `graph` with one block along each grid dimension that doesn't divide what it
/// cuts.
static std::optional<BlockGraph> withEvenGrid(const BlockGraph &graph,
                                              llvm::ArrayRef<Shape> inputs,
                                              llvm::ArrayRef<Shape> outputs) {
  BlockGraph even = graph;
  for (size_t g = 0; g < even.grid.size(); ++g) {
    if (cutsEvenly(graph, g, inputs))
      continue;
    auto followed = followUneven(graph, g, inputs);
    if (!followed)
      return std::nullopt;
    even.grid[g] = 1;
    // The tensors' sizes instead of the tiles', in shapes that are parameters,
    // too.
    for (auto [dim, node] : llvm::zip_equal(followed->dims, even.nodes))
      if (node.op && node.op->hasShapeParams() && dim != kNotFollowed)
        node.params[dim] = followed->extent;
  }
  std::string error;
  if (!inferShapes(even, inputs, outputs, error))
    return std::nullopt;
  return even;
}

std::optional<KernelGraph> mirage::withEvenGrids(const KernelGraph &graph) {
  KernelGraph result = graph;
  for (KernelNode &node : result.nodes) {
    if (!node.graph)
      continue;
    std::vector<Shape> inputs, outputs;
    for (unsigned operand : node.operands)
      inputs.push_back(graph.tensors[operand].shape);
    for (unsigned output : node.results)
      outputs.push_back(graph.tensors[output].shape);
    bool isEven = true;
    for (size_t g = 0; g < node.graph->grid.size(); ++g)
      isEven &= cutsEvenly(*node.graph, g, inputs);
    if (isEven)
      continue;
    auto even = withEvenGrid(*node.graph, inputs, outputs);
    if (!even)
      return std::nullopt;
    node.graph = std::make_shared<const BlockGraph>(std::move(*even));
  }
  return result;
}
