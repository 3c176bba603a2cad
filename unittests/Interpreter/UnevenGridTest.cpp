//===- UnevenGridTest.cpp - Which tiles may overlap -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random block graphs on a grid that doesn't divide what it cuts: the dialect
// and values of block graphs accept the same ones, and of those every block
// computes what one block with whole tensors does.
//
//===----------------------------------------------------------------------===//

#include "KernelModule.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Numbers/FiniteField.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage;
using namespace mlir;

namespace {

/// Two blocks have 6 of 11 rows each, or columns.
constexpr int64_t kRows = 11, kTileRows = 6, kBlocks = 2, kLoop = 2;

class RandomGraph {
public:
  RandomGraph(MLIRContext &context, unsigned seed)
      : f32(Float32Type::get(&context)), random(seed) {
    // What is cut, what isn't (of a tile's size, so that they meet), a matrix
    // of products, and columns.
    addTensor({kRows, 8});
    addTensor({kTileRows, 8});
    addTensor({8, kTileRows});
    addTensor({8, kRows});
    hasLoop = choose(2) == 1;
    if (hasLoop)
      block.iterations = kLoop;
    block.grid = {kBlocks};
    const bool inLoop = hasLoop;
    addIterator(0, {0}, inLoop ? 1 : kReplica, inLoop);
    addIterator(choose(2), {kReplica}, inLoop ? 1 : kReplica, inLoop);
    if (choose(3) == 0)
      addIterator(0, {0}, inLoop ? 1 : kReplica, inLoop);
    if (choose(3) == 0)
      addIterator(3, {1}, inLoop ? 0 : kReplica, inLoop);
    for (unsigned i = 0, e = 1 + choose(4); i < e; ++i)
      addOperator(inLoop);
    if (!hasLoop)
      return;
    const unsigned numTiles = block.nodes.size();
    for (unsigned tile = numTiles - 1; tile > 0 && tile + 3 > numTiles; --tile)
      addAccumulator(tile);
    for (unsigned i = 0, e = choose(3); i < e; ++i)
      addOperator(/*inLoop=*/false);
  }

  /// Saves a tile that the loop has left, if one may be.
  bool save() {
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned tile = choose(block.nodes.size());
      const Shape shape = block.nodes[tile].shape;
      if (shape.empty() || block.nodes[tile].inLoop)
        continue;
      const unsigned dim = choose(shape.size());
      if (shape[dim] != kTileRows)
        continue;
      BlockNode saver;
      saver.kind = BlockNode::Kind::OutputSaver;
      saver.operands = {tile};
      saver.map = {dim};
      saver.shape = shape;
      saver.shape[dim] = kRows;
      block.nodes.push_back(saver);
      return true;
    }
    return false;
  }

  KernelGraph makeKernel() const {
    KernelGraph graph;
    graph.numInputs = tensors.size();
    graph.tensors = tensors;
    graph.tensors.push_back({block.nodes.back().shape, f32});
    KernelNode node;
    node.kind = KernelNode::Kind::GraphDefined;
    node.graph = std::make_shared<const BlockGraph>(block);
    for (unsigned i = 0; i < tensors.size(); ++i)
      node.operands.push_back(i);
    node.results = {graph.numInputs};
    graph.outputs = {graph.numInputs};
    graph.nodes.push_back(node);
    return graph;
  }

  BlockGraph block;

private:
  unsigned choose(unsigned count) { return random() % count; }
  void addTensor(Shape shape) { tensors.push_back({std::move(shape), f32}); }

  void addIterator(unsigned tensor, llvm::SmallVector<int64_t, 3> map,
                   int64_t fmap, bool inLoop) {
    BlockNode node;
    node.kind = BlockNode::Kind::InputIterator;
    node.operands = {tensor};
    node.map = std::move(map);
    node.fmap = fmap;
    node.inLoop = inLoop;
    node.shape = tensors[tensor].shape;
    if (node.map[0] != kReplica)
      node.shape[node.map[0]] = kTileRows;
    if (inLoop)
      node.shape[fmap] /= kLoop;
    block.nodes.push_back(std::move(node));
  }

  void addOperator(bool inLoop) {
    static const std::pair<const char *, unsigned> kinds[] = {
        {"sqr", 1},     {"relu", 1},  {"sum", 1},    {"reduce_max", 1},
        {"reshape", 1}, {"slice", 1}, {"concat", 2}, {"transpose", 1},
        {"add", 2},     {"mul", 2},   {"matmul", 2}};
    for (unsigned attempt = 0; attempt < 20; ++attempt) {
      auto [name, arity] = kinds[choose(std::size(kinds))];
      BlockNode node;
      node.op = &getOperator(name);
      node.inLoop = inLoop;
      llvm::SmallVector<Shape> shapes;
      for (unsigned i = 0; i < arity; ++i) {
        unsigned operand = choose(block.nodes.size());
        if (block.nodes[operand].inLoop != inLoop)
          break;
        node.operands.push_back(operand);
        shapes.push_back(block.nodes[operand].shape);
      }
      if (node.operands.size() != arity || shapes[0].empty())
        continue;
      node.params = makeParams(name, shapes[0]);
      std::string error;
      if (!node.op->inferShape(shapes, node.params, node.shape, &error))
        continue;
      block.nodes.push_back(std::move(node));
      return;
    }
  }

  Params makeParams(llvm::StringRef name, const Shape &shape) {
    const int64_t dim = choose(shape.size());
    if (name == "sum" || name == "reduce_max" || name == "concat")
      return {dim};
    if (name == "slice")
      return {dim, 0, std::max<int64_t>(shape[dim] / 2, 1)};
    if (name == "transpose") {
      Params order;
      for (size_t d = shape.size(); d-- > 0;)
        order.push_back(d);
      return order;
    }
    if (name == "reshape") {
      Params sizes(shape.begin(), shape.end());
      if (choose(2) == 0)
        sizes.insert(sizes.begin() + choose(sizes.size() + 1), 1);
      else if (sizes.size() == 2)
        std::swap(sizes[0], sizes[1]);
      return sizes;
    }
    return {};
  }

  void addAccumulator(unsigned tile) {
    BlockNode node;
    node.kind = BlockNode::Kind::Accumulator;
    node.operands = {tile};
    node.shape = block.nodes[tile].shape;
    switch (choose(4)) {
    case 0:
      node.accumulation = Accumulation::Max;
      break;
    case 1:
      if (!node.shape.empty()) {
        node.accumulation = Accumulation::Concat;
        node.params = {static_cast<int64_t>(choose(node.shape.size()))};
        node.shape[node.params[0]] *= kLoop;
      }
      break;
    case 2: {
      unsigned maximum = choose(tile + 1);
      Shape result;
      if (block.nodes[maximum].inLoop &&
          getOperator("mul").inferShape(
              {node.shape, block.nodes[maximum].shape}, {}, result) &&
          result == node.shape) {
        node.accumulation = Accumulation::RescaledSum;
        node.operands.push_back(maximum);
      }
      break;
    }
    default:
      break;
    }
    block.nodes.push_back(std::move(node));
  }

  Type f32;
  std::mt19937 random;
  bool hasLoop = false;
  std::vector<KernelTensor> tensors;
};

TEST(UnevenGrid, WhatIsAcceptedIsTheSameInAllTiles) {
  DialectRegistry registry;
  registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                  func::FuncDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  // Refusals are expected.
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  const FiniteField field(/*withExponents=*/true);
  unsigned numAccepted = 0, numRefused = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomGraph random(context, seed);
    if (!random.save())
      continue;
    const KernelGraph graph = random.makeKernel();
    std::vector<Shape> inputs, outputs{graph.tensors.back().shape};
    for (unsigned i = 0; i < graph.numInputs; ++i)
      inputs.push_back(graph.tensors[i].shape);
    std::string error;
    const bool isValue = inferShapes(random.block, inputs, outputs, error);

    OwningOpRef<ModuleOp> module = makeKernelModule(context, graph);
    EXPECT_EQ(succeeded(verify(*module)), isValue) << seed << ": " << error;
    EXPECT_EQ(withEvenCuts(graph).has_value(), isValue) << seed;
    if (!isValue) {
      ++numRefused;
      continue;
    }
    ++numAccepted;
    std::vector<Tensor> tensors;
    for (unsigned i = 0; i < graph.numInputs; ++i)
      tensors.push_back(field.random(graph.tensors[i].shape, seed, i));
    std::vector<Tensor> uneven = evaluate(graph, field, tensors);
    std::vector<Tensor> even = evaluate(*withEvenCuts(graph), field, tensors);
    EXPECT_EQ(field.findDifference(uneven[0], even[0]), std::nullopt) << seed;
  }
  EXPECT_GT(numAccepted, 300u);
  EXPECT_GT(numRefused, 300u);
}

} // namespace
