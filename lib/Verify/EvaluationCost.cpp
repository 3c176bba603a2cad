//===- EvaluationCost.cpp - What it takes to evaluate a program -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EvaluationCost.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Operators/Elementwise.h"
#include <cmath>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

// Elements are counted in double precision: no number of them overflows.

static double countElements(ArrayRef<int64_t> shape) {
  double count = 1;
  for (int64_t size : shape)
    count *= static_cast<double>(size);
  return count;
}

static Shape inferShape(const Operator &op, ArrayRef<Shape> operands,
                        const Params &params) {
  Shape shape;
  op.inferShape(operands, params, shape);
  return shape;
}

static double getOperatorWork(const Operator &op, ArrayRef<Shape> operands,
                              const Params &params) {
  Shape shape = inferShape(op, operands, params);
  OperatorCost cost = op.getCost(operands, shape, params);
  return countElements(shape) + cost.tensorFlops + cost.scalarFlops +
         16.0 * cost.specialFunctions;
}

/// Elements that an operator needs besides its operands and its result.
static double countScratch(const Operator &op, ArrayRef<Shape> operands,
                           const Params &params) {
  Shape shape = inferShape(op, operands, params);
  double result = countElements(shape);
  if (op.isElementwise()) {
    // Parts of operands are repeated to the shape of the result's, and so are
    // the constants of the formula, of which every step is kept.
    OperatorCost cost = op.getCost(operands, shape, params);
    double steps =
        (cost.scalarFlops + cost.specialFunctions) / std::max(result, 1.0);
    return std::min<double>(result, ElementwiseOperator::kMostAtOnce) *
           (2 * operands.size() + std::ceil(2 * steps) + 1);
  }
  // Some add up two results, and a sum of groups copies its operand.
  double scratch = 2 * result;
  if (operands.size() == 1)
    scratch += countElements(operands[0]);
  // A convolution gathers what each of its results is computed from: a product
  // without an iteration space, whose columns are channels.
  if (double flops = op.getCost(operands, shape, params).tensorFlops;
      flops > 0 && !op.getIterationSpace(operands, params))
    scratch += flops / 2 / static_cast<double>(shape.back());
  return scratch;
}

static SmallVector<Shape> getShapes(const KernelGraph &graph,
                                    ArrayRef<unsigned> operands) {
  SmallVector<Shape> shapes;
  for (unsigned operand : operands)
    shapes.push_back(graph.tensors[operand].shape);
  return shapes;
}

static SmallVector<Shape> getShapes(const BlockGraph &graph,
                                    ArrayRef<unsigned> operands) {
  SmallVector<Shape> shapes;
  for (unsigned operand : operands)
    shapes.push_back(graph.nodes[operand].shape);
  return shapes;
}

/// All tiles of a block, and what one of them needs to be computed again.
static double countScratch(const BlockGraph &graph) {
  double tiles = 0, scratch = 0;
  for (const BlockNode &node : graph.nodes) {
    // A saver has no tile.
    if (node.kind == BlockNode::Kind::OutputSaver)
      continue;
    double elements = countElements(node.shape);
    tiles += elements;
    // An accumulator that rescales makes the most copies.
    double needed = 8 * elements;
    if (node.op)
      needed +=
          countScratch(*node.op, getShapes(graph, node.operands), node.params);
    scratch = std::max(scratch, needed);
  }
  return tiles + scratch;
}

double mirage::countInputElements(const KernelGraph &graph) {
  double count = 0;
  for (unsigned i = 0; i < graph.numInputs; ++i)
    count += countElements(graph.tensors[i].shape);
  return count;
}

double mirage::countOutputElements(const KernelGraph &graph) {
  double count = 0;
  for (unsigned output : graph.outputs)
    count += countElements(graph.tensors[output].shape);
  return count;
}

double mirage::getWork(const KernelGraph &graph) {
  double work = 0;
  for (const KernelNode &node : graph.nodes) {
    if (node.op)
      work += getOperatorWork(*node.op, getShapes(graph, node.operands),
                              node.params);
    if (!node.graph)
      continue;
    for (unsigned result : node.results)
      work += countElements(graph.tensors[result].shape);
    for (const BlockNode &blockNode : node.graph->nodes) {
      if (blockNode.kind == BlockNode::Kind::OutputSaver)
        continue;
      double times = static_cast<double>(node.graph->getNumBlocks()) *
                     (blockNode.inLoop ? node.graph->iterations : 1);
      double once = countElements(blockNode.shape);
      if (blockNode.op)
        once = getOperatorWork(*blockNode.op,
                               getShapes(*node.graph, blockNode.operands),
                               blockNode.params);
      work += times * once;
    }
  }
  return work;
}

double mirage::getPeakElements(const KernelGraph &graph) {
  SmallVector<size_t> lastUse = getLastUses(graph);
  double live = countInputElements(graph), peak = live;
  for (auto [n, node] : llvm::enumerate(graph.nodes)) {
    double scratch = 0;
    if (node.op)
      scratch =
          countScratch(*node.op, getShapes(graph, node.operands), node.params);
    if (node.graph)
      scratch = countScratch(*node.graph);
    for (unsigned result : node.results)
      live += countElements(graph.tensors[result].shape);
    peak = std::max(peak, live + scratch);
    for (auto [tensor, last] : llvm::enumerate(lastUse))
      if (last == n)
        live -= countElements(graph.tensors[tensor].shape);
  }
  return std::max(peak, live + countOutputElements(graph));
}
