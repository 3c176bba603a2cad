//===- UnevenGrids.cpp - Grids that don't divide what they cut ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect verifies the same of ops (lib/Dialect/Block/UnevenGrid.cpp); what
// becomes of a dimension in an operator both ask followDim.
//
//===----------------------------------------------------------------------===//

#include "UnevenGrids.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Operators/FollowDim.h"

using namespace mirage;

bool mirage::cutsEvenly(const BlockGraph &graph, unsigned gridDim,
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

std::optional<FollowedCut> mirage::followUneven(const BlockGraph &graph,
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
