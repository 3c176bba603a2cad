//===- Interpreter.cpp - The value of a μGraph ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Mugraph/UnevenLoop.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"

using namespace mirage;
using llvm::ArrayRef;

/// What is left of a value in a place of an element type; null: in a register,
/// or in f32, which is what all is computed in.
static void store(const NumberSystem &numbers, Tensor &value, mlir::Type type) {
  if (auto format = llvm::dyn_cast_if_present<mlir::FloatType>(type))
    numbers.store(value, format.getFloatSemantics());
}

namespace {

/// Runs one thread block at a time.
class BlockInterpreter {
public:
  BlockInterpreter(const BlockGraph &graph, const NumberSystem &numbers,
                   ArrayRef<const Tensor *> inputs)
      : graph(graph), numbers(numbers), inputs(inputs),
        tiles(graph.nodes.size()) {
    std::vector<Shape> shapes;
    for (const Tensor *input : inputs)
      shapes.push_back(input->shape);
    unevenExtent = getUnevenExtent(graph, shapes);
    if (unevenExtent > 0)
      makeLastNodes(shapes);
  }

  std::vector<Tensor> run() {
    std::vector<Tensor> outputs(
        llvm::count_if(graph.nodes, [](const BlockNode &node) {
          return node.kind == BlockNode::Kind::OutputSaver;
        }));
    for (int64_t b = 0, e = graph.getNumBlocks(); b < e; ++b)
      runBlock(b, outputs);
    return outputs;
  }

private:
  void runBlock(int64_t linear, std::vector<Tensor> &outputs) {
    // x varies fastest.
    llvm::SmallVector<int64_t, 3> block;
    for (int64_t size : graph.grid) {
      block.push_back(linear % size);
      linear /= size;
    }
    for (int64_t i = 0; i < graph.iterations; ++i) {
      const bool isLast = i + 1 == graph.iterations && unevenExtent > 0;
      const std::vector<BlockNode> &nodes = isLast ? lastNodes : graph.nodes;
      for (size_t n = 0; n < graph.nodes.size(); ++n)
        if (graph.nodes[n].inLoop)
          tiles[n] = makeTile(nodes[n], block, i);
      for (size_t n = 0; n < graph.nodes.size(); ++n) {
        const BlockNode &node = graph.nodes[n];
        if (node.kind != BlockNode::Kind::Accumulator)
          continue;
        accumulate(n, i);
        store(numbers, tiles[n], node.elementType);
      }
    }
    unsigned saver = 0;
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const BlockNode &node = graph.nodes[n];
      if (node.inLoop || node.kind == BlockNode::Kind::Accumulator)
        continue;
      if (node.kind == BlockNode::Kind::OutputSaver) {
        const Tensor &tile = tiles[node.operands[0]];
        Tensor &output = outputs[saver++];
        if (output.planes.empty())
          output = makeLike(tile, node.shape);
        insertSlice(tile, output,
                    getOffsets(node, node.shape, tile.shape, block, 0));
        continue;
      }
      tiles[n] = makeTile(node, block, 0);
    }
  }

  void accumulate(size_t n, int64_t iteration) {
    const BlockNode &node = graph.nodes[n];
    const Tensor &tile = tiles[node.operands[0]];
    Tensor &total = tiles[n];
    switch (node.accumulation) {
    case Accumulation::Sum:
      total = iteration == 0 ? tile : numbers.add(total, tile);
      break;
    case Accumulation::Max:
      total = iteration == 0 ? tile : numbers.max(total, tile);
      break;
    case Accumulation::Concat: {
      if (iteration == 0)
        total = makeLike(tile, node.shape);
      Shape offsets(node.shape.size(), 0);
      offsets[node.params[0]] = iteration * tile.shape[node.params[0]];
      insertSlice(tile, total, offsets);
      break;
    }
    case Accumulation::RescaledSum: {
      const Tensor &maximum = tiles[node.operands[1]];
      if (iteration == 0) {
        total = tile;
        runningMaxima[n] = maximum;
        break;
      }
      Tensor &running = runningMaxima[n];
      Tensor larger = numbers.max(running, maximum);
      auto rescale = [&](const Tensor &values, const Tensor &from) {
        Tensor factor = numbers.exp(numbers.sub(from, larger));
        return numbers.mul(values, broadcast(factor, values.shape));
      };
      total = numbers.add(rescale(total, running), rescale(tile, maximum));
      running = std::move(larger);
      break;
    }
    }
  }

  /// The last iteration has fewer of the elements that iterations don't divide.
  void makeLastNodes(ArrayRef<Shape> shapes) {
    const auto cuts = followLoop(graph, shapes);
    assert(cuts && "depends on how its loop cuts (inferShapes tells)");
    lastNodes = graph.nodes;
    for (auto [node, cut] : llvm::zip_equal(lastNodes, *cuts)) {
      if (cut.kind != CutValue::Kind::Cut)
        continue;
      int64_t &size = node.shape[cut.dim];
      size = unevenExtent - (graph.iterations - 1) * size;
      if (node.op && node.op->hasShapeParams())
        node.params[cut.dim] = size;
    }
  }

  Tensor makeTile(const BlockNode &node, ArrayRef<int64_t> block,
                  int64_t iteration) {
    Tensor tile = computeNode(node, block, iteration);
    store(numbers, tile, node.elementType);
    return tile;
  }

  Tensor computeNode(const BlockNode &node, ArrayRef<int64_t> block,
                     int64_t iteration) {
    if (node.kind == BlockNode::Kind::Constant)
      return numbers.constant(node.constant);
    if (node.kind == BlockNode::Kind::InputIterator) {
      const Tensor &tensor = *inputs[node.operands[0]];
      return extractSlice(
          tensor, getOffsets(node, tensor.shape, node.shape, block, iteration),
          node.shape);
    }
    llvm::SmallVector<const Tensor *> operands;
    for (unsigned operand : node.operands)
      operands.push_back(&tiles[operand]);
    return node.op->evaluate(numbers, operands, node.params);
  }

  /// Where a tile lies in its tensor. A dimension that both the grid and the
  /// loop partition is first cut by the grid.
  Shape getOffsets(const BlockNode &node, ArrayRef<int64_t> tensor,
                   ArrayRef<int64_t> tile, ArrayRef<int64_t> block,
                   int64_t iteration) {
    Shape offsets(tile.size(), 0);
    bool looped = node.inLoop && node.fmap != kReplica;
    for (auto [blocks, index, dim] :
         llvm::zip_equal(graph.grid, block, node.map)) {
      if (dim == kReplica)
        continue;
      // What both cut the grid divides.
      int64_t part =
          looped && node.fmap == dim ? tensor[dim] / blocks : tile[dim];
      offsets[dim] += getTileStart(tensor[dim], part, index);
    }
    if (looped) {
      // The last iteration may have less than the others, and has the end.
      int64_t size = tile[node.fmap];
      bool hasEnd = unevenExtent > 0 && iteration + 1 == graph.iterations;
      offsets[node.fmap] += hasEnd ? unevenExtent - size : iteration * size;
    }
    return offsets;
  }

  const BlockGraph &graph;
  const NumberSystem &numbers;
  ArrayRef<const Tensor *> inputs;
  std::vector<Tensor> tiles;
  /// What the loop cuts and doesn't divide (or 0), and the nodes with the sizes
  /// that they have in its last iteration.
  int64_t unevenExtent = 0;
  std::vector<BlockNode> lastNodes;
  /// The maxima so far of the accumulators that rescale, by node.
  llvm::DenseMap<size_t, Tensor> runningMaxima;
};

} // namespace

std::vector<Tensor> mirage::evaluate(const BlockGraph &graph,
                                     const NumberSystem &numbers,
                                     ArrayRef<const Tensor *> inputs) {
  return BlockInterpreter(graph, numbers, inputs).run();
}

llvm::SmallVector<size_t> mirage::getLastUses(const KernelGraph &graph) {
  llvm::SmallVector<size_t> last(graph.tensors.size(), graph.nodes.size());
  for (auto [n, node] : llvm::enumerate(graph.nodes)) {
    for (unsigned result : node.results)
      last[result] = n;
    for (unsigned operand : node.operands)
      if (operand >= graph.numInputs)
        last[operand] = n;
  }
  for (unsigned output : graph.outputs)
    last[output] = graph.nodes.size();
  return last;
}

std::vector<Tensor> mirage::evaluate(const KernelGraph &graph,
                                     const NumberSystem &numbers,
                                     ArrayRef<Tensor> inputs,
                                     const std::atomic<bool> *stop) {
  std::vector<Tensor> computed(graph.tensors.size());
  auto get = [&](unsigned tensor) -> const Tensor & {
    return tensor < graph.numInputs ? inputs[tensor] : computed[tensor];
  };
  const llvm::SmallVector<size_t> lastUses = getLastUses(graph);
  for (auto [n, node] : llvm::enumerate(graph.nodes)) {
    if (stop && stop->load(std::memory_order_relaxed))
      return {};
    llvm::SmallVector<const Tensor *> operands;
    for (unsigned operand : node.operands)
      operands.push_back(&get(operand));
    switch (node.kind) {
    case KernelNode::Kind::Constant:
      computed[node.results[0]] = numbers.constant(node.constant);
      break;
    case KernelNode::Kind::Operator:
      computed[node.results[0]] =
          node.op->evaluate(numbers, operands, node.params);
      break;
    case KernelNode::Kind::GraphDefined:
      for (auto [result, value] :
           llvm::zip(node.results, evaluate(*node.graph, numbers, operands)))
        computed[result] = std::move(value);
      break;
    }
    for (unsigned result : node.results)
      store(numbers, computed[result], graph.tensors[result].elementType);
    auto drop = [&, n = n](unsigned tensor) {
      if (lastUses[tensor] == n)
        computed[tensor] = Tensor();
    };
    llvm::for_each(node.operands, drop);
    llvm::for_each(node.results, drop);
  }
  std::vector<Tensor> outputs;
  for (unsigned output : graph.outputs)
    outputs.push_back(get(output));
  return outputs;
}
