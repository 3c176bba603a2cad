//===- SymbolicSizes.cpp - Programs whose sizes stand for all -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Prove/SymbolicSizes.h"
#include "Mirage/Numbers/FiniteField.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <map>
#include <numeric>
#include <set>

using namespace mirage;
using namespace mirage::prove;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// One dimension of a tensor or tile, by number.
using Dim = int64_t;

/// Numbers the dimensions of all tensors and tiles of both programs and finds
/// out which have to grow together.
class Dimensions {
public:
  /// The dimensions of a tensor, or of a tile of kernel node `kernel`.
  ArrayRef<Dim> get(unsigned program, int kernel, unsigned number,
                    const Shape &shape) {
    auto [it, isNew] = numbers.try_emplace({program, kernel, number});
    if (isNew)
      for (int64_t size : shape) {
        it->second.push_back(sizes.size());
        classes.insert(sizes.size());
        sizes.push_back(size);
      }
    return it->second;
  }

  void unite(Dim a, Dim b) {
    // What has size 1 is broadcast, unless it is a part of something larger.
    if (sizes[a] == 1 && sizes[b] == 1 && (parts.count(a) || parts.count(b)))
      parts.insert({a, b});
    auto canVary = [&](Dim dim) { return sizes[dim] != 1 || parts.count(dim); };
    if (canVary(a) && canVary(b))
      classes.unionSets(a, b);
  }
  /// For what is saved: a dimension whose tiles have size 1, and are no parts
  /// of something larger, counts blocks.
  void uniteSaved(ArrayRef<Dim> whole, ArrayRef<Dim> tile) {
    for (auto [w, t] : llvm::zip_equal(whole, tile)) {
      if (sizes[t] == 1 && sizes[w] != 1 && !parts.count(t))
        frozen.insert(w);
      unite(w, t);
    }
  }
  /// For what is loaded: a dimension of size 1 may be a part of one that isn't.
  void unitePart(ArrayRef<Dim> whole, ArrayRef<Dim> part) {
    for (auto [w, p] : llvm::zip_equal(whole, part)) {
      if (sizes[p] == 1 && sizes[w] != 1)
        parts.insert(p);
      unite(w, p);
    }
  }
  void unite(ArrayRef<Dim> a, ArrayRef<Dim> b) {
    for (auto [x, y] : llvm::zip(a, b))
      unite(x, y);
  }
  void freeze(ArrayRef<Dim> dims) { frozen.insert(dims.begin(), dims.end()); }

  /// Chooses the new sizes; the factors that were used.
  SmallVector<int64_t> chooseSizes(llvm::function_ref<int64_t()> nextFactor);
  int64_t getNewSize(Dim dim) const { return newSizes[dim]; }
  bool isVaried(Dim dim) const { return sizes[dim] == 1 || varied.count(dim); }

private:
  std::map<std::tuple<unsigned, int, unsigned>, SmallVector<Dim>> numbers;
  std::vector<int64_t> sizes, newSizes;
  llvm::EquivalenceClasses<Dim> classes;
  std::set<Dim> frozen;
  /// Dimensions of size 1 that are parts of larger ones.
  std::set<Dim> parts;
  std::set<Dim> varied;
};

} // namespace

SmallVector<int64_t>
Dimensions::chooseSizes(llvm::function_ref<int64_t()> nextFactor) {
  newSizes = sizes;
  SmallVector<int64_t> factors;
  std::set<Dim> leaders, frozenLeaders;
  for (Dim dim : frozen)
    frozenLeaders.insert(classes.getLeaderValue(dim));
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    Dim leader = classes.getLeaderValue(dim);
    if (frozenLeaders.count(leader) || (sizes[dim] == 1 && !parts.count(dim)) ||
        !leaders.insert(leader).second)
      continue;
    // The smallest tile becomes the factor, everything else a multiple of it.
    int64_t unit = 0;
    for (size_t other = 0; other < sizes.size(); ++other)
      if (classes.getLeaderValue(other) == leader)
        unit = std::gcd(unit, sizes[other]);
    int64_t factor = nextFactor();
    factors.push_back(factor);
    for (size_t other = 0; other < sizes.size(); ++other)
      if (classes.getLeaderValue(other) == leader) {
        newSizes[other] = sizes[other] / unit * factor;
        varied.insert(other);
      }
  }
  return factors;
}

/// How the dimensions of an operator hang together.
static void relate(Dimensions &dims, const Operator &op, const Params &params,
                   ArrayRef<Shape> shapes, ArrayRef<ArrayRef<Dim>> operands,
                   const Shape &resultShape, ArrayRef<Dim> result) {
  if (auto space = op.getIterationSpace(shapes, params)) {
    std::vector<std::optional<Dim>> loops(space->sizes.size());
    for (auto [d, dim] : llvm::enumerate(result))
      loops[d] = dim;
    for (auto [operand, operandLoops] :
         llvm::zip_equal(operands, space->operandLoops))
      for (auto [dim, loop] : llvm::zip_equal(operand, operandLoops)) {
        if (loop == IterationSpace::kNoLoop)
          continue;
        if (!loops[loop])
          loops[loop] = dim;
        dims.unite(*loops[loop], dim);
      }
    return;
  }
  if (operands.size() == 1) {
    // Runs of dimensions with equal products of sizes correspond. Of one that
    // becomes several, the last varies with it.
    const Shape &from = shapes[0], &to = resultShape;
    if (mirage::getNumElements(from) == mirage::getNumElements(to)) {
      size_t i = 0, j = 0;
      while (i < from.size() && j < to.size()) {
        size_t firstFrom = i, firstTo = j;
        int64_t left = from[i++], right = to[j++];
        while (left != right)
          if (left < right)
            left *= from[i++];
          else
            right *= to[j++];
        if (i - firstFrom > 1 && j - firstTo > 1) {
          dims.freeze(operands[0].slice(firstFrom, i - firstFrom));
          dims.freeze(result.slice(firstTo, j - firstTo));
          continue;
        }
        dims.unite(operands[0][i - 1], result[j - 1]);
        dims.freeze(operands[0].slice(firstFrom, i - 1 - firstFrom));
        dims.freeze(result.slice(firstTo, j - 1 - firstTo));
      }
      return;
    }
    // The dimensions, aligned at the last, vary together where a size is a
    // multiple of the other's: a broadcast, a repetition, sums of groups.
    size_t missing = result.size() - operands[0].size();
    if (result.size() >= operands[0].size())
      return dims.unite(operands[0], result.drop_front(missing));
  }
  for (ArrayRef<Dim> operand : operands)
    dims.freeze(operand);
  dims.freeze(result);
}

static void relate(Dimensions &dims, unsigned program,
                   const KernelGraph &graph) {
  auto getTensor = [&](unsigned tensor) {
    return dims.get(program, -1, tensor, graph.tensors[tensor].shape);
  };
  for (auto [k, node] : llvm::enumerate(graph.nodes)) {
    SmallVector<ArrayRef<Dim>> operands;
    SmallVector<Shape> shapes;
    for (unsigned operand : node.operands) {
      operands.push_back(getTensor(operand));
      shapes.push_back(graph.tensors[operand].shape);
    }
    if (node.kind == KernelNode::Kind::Operator)
      relate(dims, *node.op, node.params, shapes, operands,
             graph.tensors[node.results[0]].shape, getTensor(node.results[0]));
    if (node.kind != KernelNode::Kind::GraphDefined)
      continue;
    const auto &nodes = node.graph->nodes;
    auto getTile = [&, k = k](unsigned tile) {
      return dims.get(program, k, tile, nodes[tile].shape);
    };
    unsigned saver = 0;
    for (auto [n, blockNode] : llvm::enumerate(nodes)) {
      switch (blockNode.kind) {
      case BlockNode::Kind::Constant:
        break;
      case BlockNode::Kind::InputIterator:
        dims.unitePart(operands[blockNode.operands[0]], getTile(n));
        break;
      case BlockNode::Kind::Accumulator:
        dims.unite(getTile(blockNode.operands[0]), getTile(n));
        break;
      case BlockNode::Kind::OutputSaver:
        dims.uniteSaved(getTensor(node.results[saver++]),
                        getTile(blockNode.operands[0]));
        break;
      case BlockNode::Kind::Operator: {
        SmallVector<ArrayRef<Dim>> tiles;
        SmallVector<Shape> tileShapes;
        for (unsigned operand : blockNode.operands) {
          tiles.push_back(getTile(operand));
          tileShapes.push_back(nodes[operand].shape);
        }
        relate(dims, *blockNode.op, blockNode.params, tileShapes, tiles,
               blockNode.shape, getTile(n));
        break;
      }
      }
    }
  }
}

/// Gives a program its new sizes; false when an operator doesn't agree.
static bool resize(Dimensions &dims, unsigned program, KernelGraph &graph,
                   std::string &error) {
  KernelGraph before = graph;
  for (auto [t, tensor] : llvm::enumerate(graph.tensors))
    for (auto [size, dim] : llvm::zip_equal(
             tensor.shape, dims.get(program, -1, t, before.tensors[t].shape)))
      size = dims.getNewSize(dim);
  for (auto [k, node] : llvm::enumerate(graph.nodes)) {
    SmallVector<Shape> shapes;
    for (unsigned operand : node.operands)
      shapes.push_back(graph.tensors[operand].shape);
    if (node.kind == KernelNode::Kind::Operator) {
      const Shape &expected = graph.tensors[node.results[0]].shape;
      if (node.op->hasShapeParams())
        node.params.assign(expected.begin(), expected.end());
      Shape result;
      if (!node.op->inferShape(shapes, node.params, result, &error))
        return false;
      if (result != expected) {
        error =
            ("the shapes of '" + node.op->getName() + "' depend on their sizes")
                .str();
        return false;
      }
    }
    if (node.kind != KernelNode::Kind::GraphDefined)
      continue;
    auto resized = std::make_shared<BlockGraph>(*node.graph);
    for (auto [n, blockNode] : llvm::enumerate(resized->nodes)) {
      if (!blockNode.op || !blockNode.op->hasShapeParams())
        continue;
      ArrayRef<Dim> tile = dims.get(program, k, n, blockNode.shape);
      blockNode.params.clear();
      for (Dim dim : tile)
        blockNode.params.push_back(dims.getNewSize(dim));
    }
    SmallVector<Shape> results;
    for (unsigned result : node.results)
      results.push_back(graph.tensors[result].shape);
    if (!inferShapes(*resized, shapes, results, error))
      return false;
    node.graph = std::move(resized);
  }
  return true;
}

/// The largest count of a program: of blocks along a dimension, of iterations.
static int64_t getLargestCount(const KernelGraph &graph) {
  int64_t largest = 1;
  for (const KernelNode &node : graph.nodes) {
    if (!node.graph)
      continue;
    largest = std::max(largest, node.graph->iterations);
    for (int64_t blocks : node.graph->grid)
      largest = std::max(largest, blocks);
  }
  return largest;
}

std::optional<ResizedPrograms> mirage::prove::resizePrograms(
    const KernelGraph &reference, const KernelGraph &candidate,
    llvm::function_ref<int64_t()> nextFactor, std::string &reason) {
  Dimensions dims;
  auto getDims = [&](unsigned program, unsigned tensor) {
    const KernelGraph &graph = program ? candidate : reference;
    return dims.get(program, -1, tensor, graph.tensors[tensor].shape);
  };
  SmallVector<Dim> outside;
  for (unsigned i = 0; i < reference.numInputs; ++i) {
    dims.unite(getDims(0, i), getDims(1, i));
    llvm::append_range(outside, getDims(0, i));
  }
  for (auto [a, b] : llvm::zip_equal(reference.outputs, candidate.outputs)) {
    dims.unite(getDims(0, a), getDims(1, b));
    llvm::append_range(outside, getDims(0, a));
  }
  relate(dims, 0, reference);
  relate(dims, 1, candidate);
  for (unsigned program : {0, 1})
    for (size_t t = 0; t < (program ? candidate : reference).tensors.size();
         ++t)
      (void)getDims(program, t);

  ResizedPrograms result{reference, candidate, {}};
  result.factors = dims.chooseSizes(nextFactor);
  for (Dim dim : outside)
    if (!dims.isVaried(dim)) {
      reason = "the size " + std::to_string(dims.getNewSize(dim)) +
               " of an input or output is tied to other sizes";
      return std::nullopt;
    }
  if (!resize(dims, 0, result.reference, reason) ||
      !resize(dims, 1, result.candidate, reason))
    return std::nullopt;
  return result;
}

std::optional<ResizedPrograms>
mirage::prove::makeSymbolic(const KernelGraph &reference,
                            const KernelGraph &candidate, std::string &reason) {
  int64_t above = 1000;
  for (const KernelGraph *graph : {&reference, &candidate}) {
    above = std::max(above, getLargestCount(*graph));
    auto include = [&](const Shape &shape) {
      for (int64_t size : shape)
        above = std::max(above, size);
    };
    for (const KernelTensor &tensor : graph->tensors)
      include(tensor.shape);
    for (const KernelNode &node : graph->nodes)
      if (node.graph)
        for (const BlockNode &blockNode : node.graph->nodes)
          include(blockNode.shape);
  }
  // Products of the sizes of a tensor have to fit in 64 bits.
  constexpr int64_t kLargestSymbol = int64_t(1) << 24;
  if (above < kLargestSymbol) {
    int64_t prime = above;
    auto nextPrime = [&] {
      do
        ++prime;
      while (!FiniteField::isPrime(static_cast<uint32_t>(prime)));
      return prime;
    };
    return resizePrograms(reference, candidate, nextPrime, reason);
  }
  reason = "a size or count is larger than " + std::to_string(kLargestSymbol);
  return std::nullopt;
}
