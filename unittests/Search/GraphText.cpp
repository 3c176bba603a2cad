//===- GraphText.cpp - μGraphs as terms -----------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;

namespace {

/// Computes a value for each tensor of a μGraph, from the inputs on.
template <typename T> class Walker {
public:
  virtual ~Walker() = default;

  std::vector<T> run(const KernelGraph &graph) {
    std::vector<T> tensors(graph.tensors.size());
    for (unsigned i = 0; i < graph.numInputs; ++i)
      tensors[i] = makeInput(i);
    for (const KernelNode &node : graph.nodes) {
      std::vector<T> operands;
      std::vector<Shape> shapes;
      for (unsigned operand : node.operands) {
        operands.push_back(tensors[operand]);
        shapes.push_back(graph.tensors[operand].shape);
      }
      switch (node.kind) {
      case KernelNode::Kind::Constant:
        tensors[node.results[0]] = makeConstant(node.constant);
        break;
      case KernelNode::Kind::Operator:
        tensors[node.results[0]] =
            makeOperator(*node.op, node.params, shapes, operands);
        break;
      case KernelNode::Kind::GraphDefined:
        for (auto [result, value] :
             llvm::zip(node.results, runBlock(*node.graph, operands)))
          tensors[result] = value;
      }
    }
    std::vector<T> outputs;
    for (unsigned output : graph.outputs)
      outputs.push_back(tensors[output]);
    return outputs;
  }

private:
  std::vector<T> runBlock(const BlockGraph &graph, llvm::ArrayRef<T> inputs) {
    std::vector<T> tiles, saved;
    for (const BlockNode &node : graph.nodes) {
      std::vector<T> operands;
      std::vector<Shape> shapes;
      if (node.kind != BlockNode::Kind::InputIterator)
        for (unsigned operand : node.operands) {
          operands.push_back(tiles[operand]);
          shapes.push_back(graph.nodes[operand].shape);
        }
      switch (node.kind) {
      case BlockNode::Kind::InputIterator:
        tiles.push_back(makeTile(graph, node, inputs[node.operands[0]]));
        break;
      case BlockNode::Kind::Constant:
        tiles.push_back(makeConstant(node.constant));
        break;
      case BlockNode::Kind::Operator:
        tiles.push_back(makeOperator(*node.op, node.params, shapes, operands));
        break;
      case BlockNode::Kind::Accumulator:
        tiles.push_back(makeAccumulator(graph, node, operands));
        break;
      case BlockNode::Kind::OutputSaver:
        saved.push_back(makeTile(graph, node, operands[0]));
        tiles.push_back(operands[0]);
      }
    }
    return saved;
  }

  virtual T makeInput(unsigned i) = 0;
  virtual T makeConstant(double value) = 0;
  virtual T makeOperator(const Operator &op, const Params &params,
                         llvm::ArrayRef<Shape> shapes,
                         llvm::ArrayRef<T> operands) = 0;
  virtual T makeTile(const BlockGraph &graph, const BlockNode &node, T of) = 0;
  virtual T makeAccumulator(const BlockGraph &graph, const BlockNode &node,
                            llvm::ArrayRef<T> operands) = 0;
};

std::string join(llvm::ArrayRef<int64_t> numbers) {
  return llvm::join(
      llvm::map_range(numbers, [](int64_t n) { return std::to_string(n); }),
      ",");
}

class TextWalker final : public Walker<std::string> {
  std::string makeInput(unsigned i) override {
    return "in" + std::to_string(i);
  }
  std::string makeConstant(double value) override {
    return std::to_string(value);
  }
  std::string makeOperator(const Operator &op, const Params &params,
                           llvm::ArrayRef<Shape> shapes,
                           llvm::ArrayRef<std::string> operands) override {
    std::vector<std::string> sorted(operands);
    if (op.isCommutative())
      llvm::sort(sorted);
    return llvm::formatv("{0}[{1}]({2})", op.getName(), join(params),
                         llvm::join(sorted, ", "));
  }
  std::string makeTile(const BlockGraph &graph, const BlockNode &node,
                       std::string of) override {
    return llvm::formatv("tile[{0} of {1}; {2} {3} of {4}]({5})",
                         join(node.map), join(graph.grid), node.inLoop,
                         node.fmap, graph.iterations, of);
  }
  std::string makeAccumulator(const BlockGraph &graph, const BlockNode &node,
                              llvm::ArrayRef<std::string> operands) override {
    return llvm::formatv("acc{0}({1})", static_cast<int>(node.accumulation),
                         llvm::join(operands, ", "));
  }
};

class ExprWalker final : public Walker<Expr> {
public:
  explicit ExprWalker(ExprContext &context) : context(context) {}

private:
  Expr makeInput(unsigned i) override {
    return context.variable("in" + std::to_string(i));
  }
  Expr makeConstant(double value) override { return context.constant(value); }
  Expr makeOperator(const Operator &op, const Params &params,
                    llvm::ArrayRef<Shape> shapes,
                    llvm::ArrayRef<Expr> operands) override {
    return op.getExpr(context, shapes, operands, params);
  }
  Expr makeTile(const BlockGraph &, const BlockNode &, Expr of) override {
    return of;
  }
  Expr makeAccumulator(const BlockGraph &graph, const BlockNode &node,
                       llvm::ArrayRef<Expr> operands) override {
    return node.accumulation == Accumulation::Max
               ? context.max(operands[0])
               : context.sum(graph.iterations, operands[0]);
  }

  ExprContext &context;
};

} // namespace

std::string mirage::getText(const KernelGraph &graph) {
  return llvm::join(TextWalker().run(graph), "; ");
}

std::vector<Expr> mirage::getExprs(ExprContext &context,
                                   const KernelGraph &graph) {
  return ExprWalker(context).run(graph);
}
