//===- Mutations.cpp - Wrong μGraphs made from right ones -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Numbers/Random.h"
#include <cmath>

using namespace mirage;

namespace {

class Mutator {
public:
  Mutator(const KernelGraph &graph, uint64_t seed, uint64_t number)
      : graph(graph), seed(mix(seed) ^ number) {}

  std::optional<Mutant> run(llvm::StringRef kind) {
    SmallPlaces places = findPlaces();
    if (places.empty())
      return std::nullopt;
    auto [kernel, block] = places[pick(places.size())];
    KernelNode &node = graph.nodes[kernel];
    bool changed = false;
    if (node.graph) {
      auto copy = std::make_shared<BlockGraph>(*node.graph);
      changed = changeBlock(*copy, block, kind);
      node.graph = copy;
    } else {
      changed = changeKernel(node, kind);
    }
    if (!changed || !inferAllShapes())
      return std::nullopt;
    return Mutant{std::move(graph), kind};
  }

private:
  using SmallPlaces = llvm::SmallVector<std::pair<size_t, size_t>>;

  uint64_t pick(uint64_t count) { return mix(seed + next++) % count; }

  /// Every node, at both levels.
  SmallPlaces findPlaces() const {
    SmallPlaces places;
    for (auto [k, node] : llvm::enumerate(graph.nodes)) {
      size_t count = node.graph ? node.graph->nodes.size() : 1;
      for (size_t b = 0; b < count; ++b)
        places.push_back({k, b});
    }
    return places;
  }

  bool changeConstant(double &value) {
    double before = value;
    switch (pick(4)) {
    case 0:
      value = std::nextafter(value, INFINITY);
      break;
    case 1:
      value = std::nextafter(static_cast<float>(value), 0.0f);
      break;
    case 2:
      value *= 2;
      break;
    default:
      value = -value;
    }
    return value != before && std::isfinite(value);
  }

  bool changeOperator(const Operator *&op, Params &params,
                      llvm::MutableArrayRef<unsigned> operands,
                      llvm::StringRef kind) {
    if (kind == "operands swapped") {
      if (operands.size() < 2 || op->isCommutative())
        return false;
      std::swap(operands[0], operands[1]);
      return true;
    }
    if (kind == "operator") {
      static constexpr llvm::StringRef kUnary[] = {
          "exp", "sqr", "sqrt", "silu", "neg", "cast", "relu", "sigmoid"};
      static constexpr llvm::StringRef kBinary[] = {"add", "sub", "mul", "div",
                                                    "max"};
      if (!op->isElementwise() || !params.empty())
        return false;
      llvm::StringRef name = op->getNumOperands() == 1
                                 ? kUnary[pick(std::size(kUnary))]
                                 : kBinary[pick(std::size(kBinary))];
      if (name == op->getName())
        return false;
      op = &getOperator(name);
      return true;
    }
    if (kind == "reduced dimension" && op->getName() == "sum") {
      params[0] = pick(4);
      return true;
    }
    return false;
  }

  bool changeKernel(KernelNode &node, llvm::StringRef kind) {
    if (node.kind == KernelNode::Kind::Constant)
      return kind == "constant" && changeConstant(node.constant);
    if (kind == "wiring") {
      // Another tensor that is there already, of any shape that fits.
      unsigned &operand = node.operands[pick(node.operands.size())];
      unsigned before = operand;
      operand = pick(node.results[0]);
      return operand != before;
    }
    return changeOperator(node.op, node.params, node.operands, kind);
  }

  bool changeMap(llvm::SmallVectorImpl<int64_t> &map, bool canReplicate) {
    if (map.empty())
      return false;
    int64_t &dim = map[pick(map.size())];
    int64_t before = dim;
    dim = static_cast<int64_t>(pick(4)) - (canReplicate ? 1 : 0);
    return dim != before && llvm::count(map, dim) <= (dim == kReplica ? 3 : 1);
  }

  bool changeBlock(BlockGraph &block, size_t number, llvm::StringRef kind) {
    BlockNode &node = block.nodes[number];
    if (kind == "loop count") {
      // One iteration more or less, or half of them.
      if (block.iterations == 0)
        return false;
      int64_t before = block.iterations;
      int64_t counts[] = {before - 1, before + 1, before / 2, before * 2};
      block.iterations = counts[pick(4)];
      return block.iterations > 0 && block.iterations != before;
    }
    switch (node.kind) {
    case BlockNode::Kind::Constant:
      return kind == "constant" && changeConstant(node.constant);
    case BlockNode::Kind::InputIterator: {
      if (kind == "imap")
        return changeMap(node.map, /*canReplicate=*/true);
      int64_t before = node.fmap;
      if (kind == "fmap" && node.inLoop)
        node.fmap = static_cast<int64_t>(pick(4)) - 1;
      return node.fmap != before;
    }
    case BlockNode::Kind::OutputSaver:
      if (kind == "omap")
        return changeMap(node.map, /*canReplicate=*/false);
      if (kind == "wiring")
        return rewire(block, number, node.operands[0]);
      return false;
    case BlockNode::Kind::Accumulator:
      if (kind == "accumulation") {
        Accumulation before = node.accumulation;
        if (before == Accumulation::RescaledSum)
          node.operands.pop_back();
        node.accumulation = pick(2) ? Accumulation::Max : Accumulation::Sum;
        return node.accumulation != before;
      }
      if (kind == "wiring")
        return rewire(block, number, node.operands[0]);
      if (kind == "doubled")
        return insertAfterOperand(block, number, "add");
      return false;
    case BlockNode::Kind::Operator:
      if (kind == "wiring")
        return rewire(block, number, node.operands[pick(node.operands.size())]);
      if (kind == "doubled")
        return insertAfterOperand(block, number, "add");
      if (kind == "dropped") {
        // Its users read its operand instead.
        for (BlockNode &user : block.nodes)
          for (unsigned &operand : user.operands)
            if (user.kind != BlockNode::Kind::InputIterator &&
                operand == number)
              operand = node.operands[0];
        return true;
      }
      return changeOperator(node.op, node.params, node.operands, kind);
    }
    llvm_unreachable("covered switch");
  }

  /// Reads another tile that is there, on the same side of the loop.
  bool rewire(const BlockGraph &block, size_t number, unsigned &operand) {
    unsigned other = pick(number);
    const BlockNode &now = block.nodes[operand], &then = block.nodes[other];
    if (other == operand || then.inLoop != now.inLoop ||
        then.kind == BlockNode::Kind::OutputSaver)
      return false;
    operand = other;
    return true;
  }

  /// Makes a node read twice its operand.
  bool insertAfterOperand(BlockGraph &block, size_t number,
                          llvm::StringRef name) {
    BlockNode twice;
    unsigned operand = block.nodes[number].operands[0];
    twice.op = &getOperator(name);
    twice.inLoop = block.nodes[operand].inLoop;
    twice.operands = {operand, operand};
    for (BlockNode &node : block.nodes)
      if (node.kind != BlockNode::Kind::InputIterator)
        for (unsigned &i : node.operands)
          if (i >= number)
            ++i;
    block.nodes[number].operands[0] = number;
    block.nodes.insert(block.nodes.begin() + number, std::move(twice));
    return true;
  }

  /// Infers the shapes of all tensors and tiles anew; those of inputs and
  /// outputs must stay as they are.
  bool inferAllShapes() {
    KernelGraph before = graph;
    for (KernelNode &node : graph.nodes) {
      llvm::SmallVector<Shape> operands, results;
      for (unsigned operand : node.operands)
        operands.push_back(graph.tensors[operand].shape);
      if (node.kind == KernelNode::Kind::Operator &&
          !node.op->inferShape(operands, node.params,
                               graph.tensors[node.results[0]].shape))
        return false;
      if (!node.graph)
        continue;
      auto block = std::make_shared<BlockGraph>(*node.graph);
      for (unsigned result : node.results)
        results.push_back(graph.tensors[result].shape);
      if (!hasValidMaps(*block, operands, results))
        return false;
      std::string error;
      if (!inferShapes(*block, operands, results, error))
        return false;
      node.graph = block;
    }
    for (unsigned output : graph.outputs)
      if (graph.tensors[output].shape != before.tensors[output].shape)
        return false;
    return true;
  }

  /// What the IR's verifiers would refuse and `inferShapes` takes for granted.
  static bool hasValidMaps(const BlockGraph &block,
                           llvm::ArrayRef<Shape> inputs,
                           llvm::ArrayRef<Shape> outputs) {
    size_t saver = 0;
    for (const BlockNode &node : block.nodes) {
      bool isSaver = node.kind == BlockNode::Kind::OutputSaver;
      if (!isSaver && node.kind != BlockNode::Kind::InputIterator)
        continue;
      int64_t rank =
          (isSaver ? outputs[saver++] : inputs[node.operands[0]]).size();
      for (int64_t dim : node.map)
        if (dim >= rank)
          return false;
      if (node.fmap >= rank)
        return false;
    }
    return true;
  }

  KernelGraph graph;
  uint64_t seed, next = 0;
};

} // namespace

std::optional<Mutant> mirage::mutate(const KernelGraph &graph, uint64_t seed,
                                     uint64_t number) {
  static constexpr llvm::StringRef kKinds[] = {
      "operands swapped",  "imap",      "omap",   "fmap",         "operator",
      "reduced dimension", "constant",  "wiring", "accumulation", "doubled",
      "dropped",           "loop count"};
  llvm::StringRef kind = kKinds[mix(seed ^ number) % std::size(kKinds)];
  // Most places are none for most kinds.
  constexpr uint64_t kAttempts = 64;
  for (uint64_t attempt = 0; attempt < kAttempts; ++attempt)
    if (auto mutant =
            Mutator(graph, seed, number * kAttempts + attempt).run(kind))
      return mutant;
  return std::nullopt;
}
