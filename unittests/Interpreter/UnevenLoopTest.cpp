//===- UnevenLoopTest.cpp - Which loops may cut unevenly ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random block graphs with a loop that doesn't divide what it cuts: the dialect
// and values of block graphs accept the same ones, and of those an iteration
// that has all elements computes the same.
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

/// Three iterations have 4 of 11 columns each.
constexpr int64_t kColumns = 11, kTileColumns = 4, kIterations = 3;

class RandomGraph {
public:
  RandomGraph(MLIRContext &context, unsigned seed)
      : f32(Float32Type::get(&context)), random(seed) {
    block.grid = {1};
    block.iterations = kIterations;
    // What is cut, along either dimension, and what isn't, of sizes that meet.
    addIterator({8, kColumns}, 1);
    addIterator({kColumns, 8}, 0);
    addIterator({1, kColumns}, 1);
    addIterator({8, kTileColumns}, kReplica);
    addIterator({8, 8}, kReplica);
    addIterator({8, 1}, kReplica);
    const unsigned numInputs = block.nodes.size();
    for (unsigned i = 0, e = 1 + choose(3); i < e; ++i)
      addOperator();
    if (choose(2) == 0)
      addSoftmax();
    for (unsigned i = 0, e = choose(3); i < e; ++i)
      addOperator();
    const unsigned numTiles = block.nodes.size();
    for (unsigned i = 0; i < 2; ++i) {
      // A sum or maximum, mostly.
      unsigned tile = numTiles - 1;
      for (unsigned attempt = 0; attempt < 6; ++attempt) {
        tile = numInputs + choose(numTiles - numInputs);
        if (isFold(tile))
          break;
      }
      addAccumulator(tile);
    }
    for (unsigned tile = numTiles; tile < numTiles + 2; ++tile) {
      BlockNode saver;
      saver.kind = BlockNode::Kind::OutputSaver;
      saver.operands = {tile};
      saver.map = {kReplica};
      saver.shape = block.nodes[tile].shape;
      block.nodes.push_back(std::move(saver));
    }
  }

  KernelGraph makeKernel() const {
    KernelGraph graph;
    graph.numInputs = tensors.size();
    graph.tensors = tensors;
    KernelNode node;
    node.kind = KernelNode::Kind::GraphDefined;
    node.graph = std::make_shared<const BlockGraph>(block);
    for (unsigned i = 0; i < tensors.size(); ++i)
      node.operands.push_back(i);
    for (const BlockNode &saver : block.nodes)
      if (saver.kind == BlockNode::Kind::OutputSaver) {
        node.results.push_back(graph.tensors.size());
        graph.outputs.push_back(graph.tensors.size());
        graph.tensors.push_back({saver.shape, f32});
      }
    graph.nodes.push_back(node);
    return graph;
  }

  BlockGraph block;

private:
  unsigned choose(unsigned count) { return random() % count; }

  void addIterator(Shape shape, int64_t fmap) {
    BlockNode node;
    node.kind = BlockNode::Kind::InputIterator;
    node.operands = {static_cast<unsigned>(tensors.size())};
    node.map = {kReplica};
    node.fmap = fmap;
    node.inLoop = true;
    node.shape = shape;
    if (fmap != kReplica)
      node.shape[fmap] = kTileColumns;
    block.nodes.push_back(std::move(node));
    tensors.push_back({std::move(shape), f32});
  }

  bool add(llvm::StringRef name, llvm::ArrayRef<unsigned> operands,
           Params params = {}) {
    BlockNode node;
    node.op = &getOperator(name);
    node.inLoop = true;
    node.operands.assign(operands.begin(), operands.end());
    node.params = std::move(params);
    llvm::SmallVector<Shape> shapes;
    for (unsigned operand : operands)
      shapes.push_back(block.nodes[operand].shape);
    std::string error;
    if (!node.op->inferShape(shapes, node.params, node.shape, &error))
      return false;
    block.nodes.push_back(std::move(node));
    return true;
  }

  /// None that chooses: over finite fields that is a function like others, and
  /// no multiple of what is chosen.
  void addOperator() {
    static const std::pair<const char *, unsigned> kinds[] = {
        {"sqr", 1},    {"exp", 1},    {"sum", 1},       {"reduce_max", 1},
        {"slice", 1},  {"concat", 2}, {"transpose", 1}, {"reshape", 1},
        {"add", 2},    {"sub", 2},    {"mul", 2},       {"div", 2},
        {"matmul", 2}, {"matmul", 2}};
    for (unsigned attempt = 0; attempt < 20; ++attempt) {
      auto [name, arity] = kinds[choose(std::size(kinds))];
      llvm::SmallVector<unsigned> operands;
      for (unsigned i = 0; i < arity; ++i)
        operands.push_back(choose(block.nodes.size()));
      if (add(name, operands, makeParams(name, operands[0])))
        return;
    }
  }

  Params makeParams(llvm::StringRef name, unsigned operand) {
    const Shape &shape = block.nodes[operand].shape;
    const int64_t dim = choose(shape.size());
    if (name == "sum" || name == "reduce_max" || name == "concat")
      return {dim};
    if (name == "slice")
      return {dim, 0, std::max<int64_t>(shape[dim] / 2, 1)};
    Params params(shape.begin(), shape.end());
    if (name == "transpose") {
      params.clear();
      for (size_t d = shape.size(); d-- > 0;)
        params.push_back(d);
      return params;
    }
    if (name == "reshape") {
      if (choose(2) == 0)
        params.insert(params.begin() + choose(params.size() + 1), 1);
      else
        std::swap(params.front(), params.back());
      return params;
    }
    return {};
  }

  /// Of some tile: exponentials of what is below its maximum, and sums of them.
  void addSoftmax() {
    for (unsigned attempt = 0; attempt < 8; ++attempt) {
      const unsigned tile = choose(block.nodes.size());
      const int64_t dim = choose(2);
      if (block.nodes[tile].shape.size() != 2)
        continue;
      const unsigned maximum = block.nodes.size();
      if (!add("reduce_max", tile, {dim}) || !add("sub", {tile, maximum}) ||
          !add("exp", maximum + 1))
        continue;
      // Perhaps with a factor, or what is none.
      static const char *const kinds[] = {"mul", "div", "add", "sub"};
      unsigned of = maximum + 2;
      const unsigned other = choose(block.nodes.size());
      const unsigned kind = choose(2 * std::size(kinds));
      unsigned operands[] = {of, other};
      if (choose(2) == 0)
        std::swap(operands[0], operands[1]);
      const bool isChanged =
          kind < std::size(kinds)
              ? add(kinds[kind], operands)
              : kind == std::size(kinds) && add("transpose", of, {1, 0});
      if (isChanged)
        of = block.nodes.size() - 1;
      add("sum", of, {static_cast<int64_t>(choose(2))});
      const unsigned with = choose(block.nodes.size());
      if (choose(2) == 0)
        add("matmul", {of, with});
      else
        add("matmul", {with, of});
      return;
    }
  }

  bool isFold(unsigned tile) const {
    const Operator *op = block.nodes[tile].op;
    return op && (op->isReduction() || !op->getMatrixProducts().empty());
  }

  void addAccumulator(unsigned tile) {
    BlockNode node;
    node.kind = BlockNode::Kind::Accumulator;
    node.operands = {tile};
    node.shape = block.nodes[tile].shape;
    const Shape &shape = node.shape;
    switch (choose(4)) {
    case 0:
      node.accumulation = Accumulation::Max;
      break;
    case 1:
      if (!shape.empty()) {
        node.accumulation = Accumulation::Concat;
        node.params = {static_cast<int64_t>(choose(shape.size()))};
        node.shape[node.params[0]] *= kIterations;
      }
      break;
    case 2:
      // By a maximum in front of it, if there is one.
      for (unsigned maximum = tile; maximum-- > 0;) {
        Shape result;
        if (block.nodes[maximum].op && block.nodes[maximum].op->isMaximum() &&
            getOperator("mul").inferShape({shape, block.nodes[maximum].shape},
                                          {}, result) &&
            result == shape) {
          node.accumulation = Accumulation::RescaledSum;
          node.operands.push_back(maximum);
          break;
        }
      }
      break;
    default:
      break;
    }
    block.nodes.push_back(std::move(node));
  }

  Type f32;
  std::mt19937 random;
  std::vector<KernelTensor> tensors;
};

TEST(UnevenLoop, WhatIsAcceptedDoesNotDependOnIterations) {
  DialectRegistry registry;
  registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                  func::FuncDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  // Refusals are expected.
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  const FiniteField field(/*withExponents=*/true);
  unsigned numAccepted = 0, numRescaled = 0, numRefused = 0;
  for (unsigned seed = 0; seed < 80000; ++seed) {
    RandomGraph random(context, seed);
    const KernelGraph graph = random.makeKernel();
    std::vector<Shape> inputs, outputs;
    for (auto [i, tensor] : llvm::enumerate(graph.tensors))
      (i < graph.numInputs ? inputs : outputs).push_back(tensor.shape);
    std::string error;
    const bool isValue = inferShapes(random.block, inputs, outputs, error);
    const std::optional<KernelGraph> even = withEvenCuts(graph);
    EXPECT_EQ(even.has_value(), isValue) << seed;
    if (!isValue)
      ++numRefused;
    // Most are refused.
    if (!isValue && seed % 16 != 0)
      continue;

    OwningOpRef<ModuleOp> module = makeKernelModule(context, graph);
    EXPECT_EQ(succeeded(verify(*module)), isValue) << seed << ": " << error;
    if (!isValue)
      continue;
    ++numAccepted;
    numRescaled += llvm::any_of(random.block.nodes, [](const BlockNode &node) {
      return node.accumulation == Accumulation::RescaledSum;
    });
    EXPECT_EQ(even->nodes[0].graph->iterations, 1);
    std::vector<Tensor> tensors;
    for (unsigned i = 0; i < graph.numInputs; ++i)
      tensors.push_back(field.random(graph.tensors[i].shape, seed, i));
    const std::vector<Tensor> uneven = evaluate(graph, field, tensors),
                              whole = evaluate(*even, field, tensors);
    for (auto [have, want] : llvm::zip_equal(uneven, whole))
      EXPECT_EQ(field.findDifference(have, want), std::nullopt) << seed;
  }
  EXPECT_GT(numAccepted, 300u);
  EXPECT_GT(numRescaled, 30u);
  EXPECT_GT(numRefused, 300u);
}

} // namespace
