//===- UnevenCuts.cpp - Grids and loops that don't divide -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect verifies the same of ops (lib/Dialect/Block/UnevenGrid.cpp and
// UnevenLoop.cpp); what becomes of a dimension in an operator both ask
// followDim and followCut.
//
//===----------------------------------------------------------------------===//

#include "UnevenCuts.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Mugraph/UnevenLoop.h"
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

/// What the grid leaves to a block of what an iterator's loop cuts.
static int64_t getExtentOfBlock(const BlockGraph &graph, const BlockNode &node,
                                llvm::ArrayRef<Shape> inputs) {
  int64_t extent = inputs[node.operands[0]][node.fmap];
  for (auto [blocks, dim] : llvm::zip_equal(graph.grid, node.map))
    if (dim == node.fmap)
      extent /= blocks;
  return extent;
}

static bool isCutByLoop(const BlockNode &node) {
  return node.kind == BlockNode::Kind::InputIterator && node.inLoop &&
         node.fmap != kReplica;
}

int64_t mirage::getUnevenExtent(const BlockGraph &graph,
                                llvm::ArrayRef<Shape> inputs) {
  for (const BlockNode &node : graph.nodes)
    if (isCutByLoop(node))
      if (int64_t extent = getExtentOfBlock(graph, node, inputs);
          extent % graph.iterations != 0)
        return extent;
  return 0;
}

std::optional<std::vector<CutValue>>
mirage::followLoop(const BlockGraph &graph, llvm::ArrayRef<Shape> inputs) {
  const int64_t extent = getUnevenExtent(graph, inputs);
  std::vector<CutValue> values(graph.nodes.size());
  for (auto [n, node] : llvm::enumerate(graph.nodes)) {
    auto getOperand = [&, &node = node](unsigned i) -> const CutValue & {
      return values[node.operands[i]];
    };
    if (node.kind == BlockNode::Kind::Accumulator) {
      bool mayBe = false;
      switch (node.accumulation) {
      case Accumulation::Sum:
        mayBe = getOperand(0).isSum();
        break;
      case Accumulation::Max:
        mayBe = getOperand(0).isMaximum();
        break;
      case Accumulation::RescaledSum:
        mayBe = getOperand(0).isSumRescaledBy(
            graph.nodes[node.operands[0]].shape.size(), getOperand(1),
            graph.nodes[node.operands[1]].shape.size());
        break;
      case Accumulation::Concat:
        break;
      }
      if (!mayBe)
        return std::nullopt;
    }
    if (!node.inLoop)
      continue;
    if (isCutByLoop(node)) {
      if (getExtentOfBlock(graph, node, inputs) != extent)
        return std::nullopt;
      values[n].kind = CutValue::Kind::Cut;
      values[n].dim = node.fmap;
    } else if (node.kind == BlockNode::Kind::Operator) {
      llvm::SmallVector<Shape> shapes;
      llvm::SmallVector<CutValue> operands;
      for (auto [i, operand] : llvm::enumerate(node.operands)) {
        shapes.push_back(graph.nodes[operand].shape);
        operands.push_back(getOperand(i));
      }
      auto value = followCut(*node.op, node.params, shapes, operands);
      if (!value)
        return std::nullopt;
      if (value->isMaximum())
        value->maximum = n;
      values[n] = *value;
    }
  }
  return values;
}

/// Where shapes are parameters, `size` along the dimension that is followed.
static void setSize(BlockNode &node, int64_t dim, int64_t size) {
  if (node.op && node.op->hasShapeParams() && dim != kNotFollowed)
    node.params[dim] = size;
}

/// `graph` with one iteration, if its loop doesn't divide what it cuts, and one
/// block along each grid dimension that doesn't.
static std::optional<BlockGraph> withEvenCuts(const BlockGraph &graph,
                                              llvm::ArrayRef<Shape> inputs,
                                              llvm::ArrayRef<Shape> outputs) {
  BlockGraph even = graph;
  std::string error;
  if (const int64_t extent = getUnevenExtent(graph, inputs)) {
    auto values = followLoop(graph, inputs);
    if (!values)
      return std::nullopt;
    even.iterations = 1;
    for (auto [value, node] : llvm::zip_equal(*values, even.nodes))
      setSize(node, value.dim, extent);
    if (!inferShapes(even, inputs, outputs, error))
      return std::nullopt;
  }
  for (size_t g = 0; g < even.grid.size(); ++g) {
    if (cutsEvenly(even, g, inputs))
      continue;
    auto followed = followUneven(even, g, inputs);
    if (!followed)
      return std::nullopt;
    even.grid[g] = 1;
    // The tensors' sizes instead of the tiles', which the next dimension is
    // followed through.
    for (auto [dim, node] : llvm::zip_equal(followed->dims, even.nodes))
      setSize(node, dim, followed->extent);
    if (!inferShapes(even, inputs, outputs, error))
      return std::nullopt;
  }
  return even;
}

std::optional<KernelGraph> mirage::withEvenCuts(const KernelGraph &graph) {
  KernelGraph result = graph;
  for (KernelNode &node : result.nodes) {
    if (!node.graph)
      continue;
    std::vector<Shape> inputs, outputs;
    for (unsigned operand : node.operands)
      inputs.push_back(graph.tensors[operand].shape);
    for (unsigned output : node.results)
      outputs.push_back(graph.tensors[output].shape);
    bool isEven = getUnevenExtent(*node.graph, inputs) == 0;
    for (size_t g = 0; g < node.graph->grid.size(); ++g)
      isEven &= cutsEvenly(*node.graph, g, inputs);
    if (isEven)
      continue;
    auto even = ::withEvenCuts(*node.graph, inputs, outputs);
    if (!even)
      return std::nullopt;
    node.graph = std::make_shared<const BlockGraph>(std::move(*even));
  }
  return result;
}
