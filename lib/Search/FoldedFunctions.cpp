//===- FoldedFunctions.cpp - Elementwise functions in one piece -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldedFunctions.h"
#include "Mirage/Operators/Custom.h"
#include "Mirage/Operators/Elementwise.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Shorter functions leave the search enough to do with.
static constexpr size_t kFewestOperators = 3;

FoldedFunctions::FoldedFunctions(const KernelGraph &program) {
  // The tensor that each one is an elementwise function of: itself, if of
  // several others or of another shape.
  size_t numTensors = program.tensors.size();
  std::vector<unsigned> root(numTensors);
  std::vector<SmallVector<unsigned>> nodesOf(numTensors);
  llvm::BitVector isConstant(numTensors);
  for (unsigned t = 0; t < numTensors; ++t)
    root[t] = t;
  for (auto [n, node] : llvm::enumerate(program.nodes)) {
    unsigned result = node.results[0];
    if (node.kind == KernelNode::Kind::Constant) {
      isConstant.set(result);
      continue;
    }
    if (node.kind != KernelNode::Kind::Operator || !node.op->isElementwise())
      continue;
    llvm::SmallSetVector<unsigned, 2> roots;
    for (unsigned operand : node.operands)
      if (!isConstant.test(operand))
        roots.insert(root[operand]);
    if (roots.size() != 1 ||
        program.tensors[roots[0]].shape != program.tensors[result].shape)
      continue;
    root[result] = roots[0];
    nodesOf[roots[0]].push_back(n);
  }
  // What is used outside of each function.
  std::vector<SmallVector<unsigned>> results(numTensors);
  auto use = [&](unsigned tensor, unsigned by) {
    if (root[tensor] != tensor && by != root[tensor] &&
        !llvm::is_contained(results[root[tensor]], tensor))
      results[root[tensor]].push_back(tensor);
  };
  for (const KernelNode &node : program.nodes)
    for (unsigned operand : node.operands)
      use(operand, root[node.results[0]]);
  for (unsigned output : program.outputs)
    use(output, output);

  // The program without the functions' operators, and without the constants
  // that only these read.
  std::vector<KernelNode> nodes;
  llvm::BitVector isRead(numTensors);
  for (const KernelNode &node : program.nodes) {
    unsigned result = node.results[0], from = root[result];
    bool isInside = from != result && results[from].size() == 1 &&
                    nodesOf[from].size() >= kFewestOperators;
    if (isInside && results[from][0] != result)
      continue;
    KernelNode &kept = nodes.emplace_back(node);
    if (isInside) {
      kept.op = &getOperator("custom");
      kept.operands = {from};
      kept.params = {define(program, nodesOf[from], from, result)};
    }
    for (unsigned operand : kept.operands)
      isRead.set(operand);
  }
  folded.numInputs = program.numInputs;
  std::vector<unsigned> number(numTensors);
  auto add = [&](unsigned tensor) {
    number[tensor] = folded.tensors.size();
    folded.tensors.push_back(program.tensors[tensor]);
  };
  for (unsigned input = 0; input < program.numInputs; ++input)
    add(input);
  for (KernelNode &node : nodes) {
    unsigned &result = node.results[0];
    if (node.kind == KernelNode::Kind::Constant && !isRead.test(result))
      continue;
    for (unsigned &operand : node.operands)
      operand = number[operand];
    add(result);
    result = number[result];
    folded.nodes.push_back(std::move(node));
  }
  for (unsigned output : program.outputs)
    folded.outputs.push_back(number[output]);
}

/// Of what stands in a program there, the number of an operator that computes
/// it.
int64_t FoldedFunctions::define(const KernelGraph &program,
                                ArrayRef<unsigned> nodes, unsigned operand,
                                unsigned result) {
  Function function;
  llvm::DenseMap<unsigned, unsigned> number{{operand, 0}};
  std::string text;
  llvm::raw_string_ostream out(text);
  auto add = [&](const KernelNode &node) {
    Step &step = function.emplace_back();
    step.op = node.op;
    step.params = node.params;
    step.constant = node.constant;
    step.elementType = program.tensors[node.results[0]].elementType;
    for (unsigned from : node.operands)
      step.operands.push_back(number.at(from));
    number[node.results[0]] = function.size();
    out << (node.op ? node.op->getName() : "constant") << ' '
        << llvm::bit_cast<uint64_t>(node.constant);
    for (int64_t param : node.params)
      out << ' ' << param;
    for (unsigned from : step.operands)
      out << " %" << from;
    out << ' ' << step.elementType << '\n';
  };
  llvm::DenseMap<unsigned, const KernelNode *> constants;
  for (const KernelNode &node : program.nodes)
    if (node.kind == KernelNode::Kind::Constant)
      constants[node.results[0]] = &node;
  for (unsigned n : nodes) {
    const KernelNode &node = program.nodes[n];
    for (unsigned from : node.operands)
      if (!number.contains(from))
        add(*constants.at(from));
    add(node);
    if (node.results[0] == result)
      break;
  }
  int64_t name = internFunctionName("mirage_folded_" +
                                    llvm::utohexstr(llvm::xxh3_64bits(text)));
  defineFunction(name, [function](ScalarAlgebra &algebra,
                                  ArrayRef<ScalarAlgebra::Term> operands) {
    std::vector<ScalarAlgebra::Term> terms{operands[0]};
    for (const Step &step : function) {
      SmallVector<ScalarAlgebra::Term> read;
      for (unsigned operand : step.operands)
        read.push_back(terms[operand]);
      terms.push_back(
          step.op
              ? static_cast<const ElementwiseOperator *>(step.op)->getFormula(
                    algebra, read, step.params)
              : algebra.constant(step.constant));
    }
    return terms.back();
  });
  functions[name] = std::move(function);
  return name;
}

/// The function that a folded graph's operator stands for, or null.
const FoldedFunctions::Function *
FoldedFunctions::find(const Operator *op, const Params &params) const {
  if (!op || !op->isOpaque())
    return nullptr;
  auto found = functions.find(params[0]);
  return found == functions.end() ? nullptr : &found->second;
}

KernelGraph FoldedFunctions::unfold(const KernelGraph &graph) const {
  KernelGraph result;
  result.numInputs = graph.numInputs;
  std::vector<unsigned> number(graph.tensors.size());
  auto add = [&](KernelTensor tensor) -> unsigned {
    result.tensors.push_back(std::move(tensor));
    return result.tensors.size() - 1;
  };
  for (unsigned input = 0; input < graph.numInputs; ++input)
    number[input] = add(graph.tensors[input]);
  for (const KernelNode &node : graph.nodes) {
    const Function *function = find(node.op, node.params);
    if (!function) {
      KernelNode copy = node;
      if (copy.graph)
        copy.graph = unfold(*copy.graph);
      for (unsigned &operand : copy.operands)
        operand = number[operand];
      for (unsigned &to : copy.results)
        to = number[to] = add(graph.tensors[to]);
      result.nodes.push_back(std::move(copy));
      continue;
    }
    const KernelTensor &whole = graph.tensors[node.results[0]];
    SmallVector<unsigned> steps{number[node.operands[0]]};
    for (const Step &step : *function) {
      KernelNode next;
      next.kind =
          step.op ? KernelNode::Kind::Operator : KernelNode::Kind::Constant;
      next.op = step.op;
      next.params = step.params;
      next.constant = step.constant;
      for (unsigned operand : step.operands)
        next.operands.push_back(steps[operand]);
      steps.push_back(add({step.op ? whole.shape : Shape(), step.elementType}));
      next.results = {steps.back()};
      result.nodes.push_back(std::move(next));
    }
    result.tensors[steps.back()] = whole;
    number[node.results[0]] = steps.back();
  }
  for (unsigned output : graph.outputs)
    result.outputs.push_back(number[output]);
  return result;
}

std::shared_ptr<const BlockGraph>
FoldedFunctions::unfold(const BlockGraph &graph) const {
  auto result = std::make_shared<BlockGraph>(graph);
  result->nodes.clear();
  std::vector<unsigned> number;
  for (const BlockNode &node : graph.nodes) {
    BlockNode copy = node;
    // An iterator's operand is an input of the kernel.
    if (node.kind != BlockNode::Kind::InputIterator)
      for (unsigned &operand : copy.operands)
        operand = number[operand];
    if (const Function *function = find(node.op, node.params)) {
      SmallVector<unsigned> steps{copy.operands[0]};
      for (const Step &step : *function) {
        BlockNode next;
        next.kind =
            step.op ? BlockNode::Kind::Operator : BlockNode::Kind::Constant;
        next.inLoop = node.inLoop;
        next.op = step.op;
        next.params = step.params;
        next.constant = step.constant;
        for (unsigned operand : step.operands)
          next.operands.push_back(steps[operand]);
        if (step.op)
          next.shape = node.shape;
        steps.push_back(result->nodes.size());
        result->nodes.push_back(std::move(next));
      }
      result->nodes.back().elementType = node.elementType;
      number.push_back(steps.back());
      continue;
    }
    number.push_back(result->nodes.size());
    result->nodes.push_back(std::move(copy));
  }
  return result;
}
