//===- BlockSearch.cpp - Enumerates the block graphs of one kernel --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockSearch.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include <functional>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

BlockSearch::BlockSearch(const BlockProblem &problem, ExprContext &context,
                         SubexpressionOracle &oracle,
                         SearchStatistics &statistics,
                         const std::atomic<bool> &stop)
    : problem(problem), context(context), oracle(oracle),
      statistics(statistics), stop(stop) {}

void BlockSearch::run(const Placement &where,
                      llvm::function_ref<void(BlockGraph)> callback) {
  placement = &where;
  found = callback;
  values.clear();
  numOps = numUnused = numUnusedInLoop = 0;
  for (double constant : problem.constants) {
    Value value;
    value.node.kind = BlockNode::Kind::Constant;
    value.node.constant = constant;
    value.expr = context.constant(constant);
    values.push_back(std::move(value));
  }
  for (const InputPlacement &input : where.inputs) {
    const SearchTensor &tensor = problem.inputs[input.input];
    Value value;
    value.node.kind = BlockNode::Kind::InputIterator;
    value.node.operands = {input.input};
    value.node.inLoop = input.inLoop;
    value.node.map = input.imap;
    value.node.fmap = input.fmap;
    value.node.shape = tensor.shape;
    for (int64_t dim : input.imap)
      if (dim != kReplica)
        value.node.shape[dim] /= kProxyGrid;
    if (input.inLoop && input.fmap != kReplica)
      value.node.shape[input.fmap] /= kProxyLoop;
    value.expr = tensor.expr;
    values.push_back(std::move(value));
    ++numUnused;
    numUnusedInLoop += input.inLoop;
  }
  extend(Rank());
}

void BlockSearch::extend(const Rank &last) {
  ++statistics.states;
  if (numOps == problem.maxOps || stop.load(std::memory_order_relaxed))
    return;
  // An operator that uses the newest value ranks above all before it, so only
  // pairs from the last operator's on are left.
  for (int latest = std::max(last.latest, 0),
           count = static_cast<int>(values.size());
       latest < count; ++latest) {
    if (isConstant(latest))
      continue;
    for (int earlier = latest == last.latest ? last.earlier : -1;
         earlier <= latest; ++earlier)
      tryOperators(latest, earlier, last);
  }
}

/// Tries all operators on one value (earlier = -1) or on two.
void BlockSearch::tryOperators(int latest, int earlier, const Rank &last) {
  const BlockNode &a = values[latest].node;
  unsigned arity = earlier < 0 ? 1 : 2;
  bool mixed = arity == 2 && !isConstant(earlier) &&
               values[earlier].node.inLoop != a.inLoop;
  if (mixed) {
    ++statistics.prunedByLoop;
    return;
  }
  // Elementwise operators of the same operands with equal formulas have equal
  // values: one is enough.
  SmallVector<std::pair<Expr, Shape>> siblings;
  int type = 0;
  if (arity == 1 && a.inLoop) {
    BlockNode node;
    node.kind = BlockNode::Kind::Accumulator;
    node.operands = {static_cast<unsigned>(latest)};
    tryAdd(std::move(node), {latest, earlier, type, 0}, last, siblings);
  }
  for (const Operator *op : problem.operators) {
    ++type;
    if (op->getNumOperands() != arity)
      continue;
    unsigned orders = arity == 2 && earlier != latest && !op->isCommutative()
                          ? 2
                          : 1;
    for (unsigned order = 0; order < orders; ++order) {
      SmallVector<unsigned, 2> operands{static_cast<unsigned>(latest)};
      if (arity == 2)
        operands.insert(order ? operands.end() : operands.begin(),
                        static_cast<unsigned>(earlier));
      SmallVector<Shape> shapes;
      for (unsigned operand : operands)
        shapes.push_back(values[operand].node.shape);
      int variant = order;
      op->enumerateParams(shapes, [&](const Params &params) {
        BlockNode node;
        node.op = op;
        node.params = params;
        node.operands = operands;
        node.inLoop = values[latest].node.inLoop;
        tryAdd(std::move(node), {latest, earlier, type, variant}, last,
               siblings);
        variant += 2;
      });
    }
  }
}

void BlockSearch::tryAdd(BlockNode node, const Rank &rank, const Rank &last,
                         llvm::SmallVectorImpl<std::pair<Expr, Shape>> &siblings) {
  if (!(last < rank))
    return;
  Expr expr;
  if (node.kind == BlockNode::Kind::Accumulator) {
    node.shape = values[node.operands[0]].node.shape;
    expr = context.sum(kProxyLoop, values[node.operands[0]].expr);
  } else {
    SmallVector<Shape> shapes;
    SmallVector<Expr> exprs;
    for (unsigned operand : node.operands) {
      shapes.push_back(values[operand].node.shape);
      exprs.push_back(values[operand].expr);
    }
    if (!node.op->inferShape(shapes, node.params, node.shape)) {
      ++statistics.prunedByShape;
      return;
    }
    expr = node.op->getExpr(context, shapes, exprs, node.params);
  }
  if (!oracle.mayContribute(expr)) {
    ++statistics.prunedByOracle;
    return;
  }
  if (node.op && node.op->isElementwise()) {
    Expr formula = getFormula(node);
    if (formula == context.variable("operand0") ||
        formula == context.variable("operand1") ||
        llvm::is_contained(siblings, std::make_pair(formula, node.shape))) {
      ++statistics.prunedByDuplicate;
      return;
    }
    siblings.emplace_back(formula, node.shape);
  }

  // Add it.
  unsigned unusedBefore = numUnused, unusedInLoopBefore = numUnusedInLoop;
  for (unsigned operand : node.operands) {
    Value &value = values[operand];
    if (value.uses++ == 0 && value.node.kind != BlockNode::Kind::Constant) {
      --numUnused;
      numUnusedInLoop -= value.node.inLoop;
    }
  }
  ++numUnused;
  numUnusedInLoop += node.inLoop;
  ++numOps;
  // Each further operator leaves at best one unused value less, and a value of
  // the loop needs an accumulator, which leaves as many.
  unsigned outputs = problem.outputs.size();
  unsigned needed = (numUnused > outputs ? numUnused - outputs : 0) +
                    (numUnusedInLoop ? 1 : 0);
  SmallVector<unsigned, 2> operands = node.operands;
  if (numOps + needed > problem.maxOps) {
    ++statistics.prunedByUnused;
  } else if (!canUseAll(expr)) {
    ++statistics.prunedByTogether;
  } else {
    Value value;
    value.node = std::move(node);
    value.expr = expr;
    values.push_back(std::move(value));
    emitIfComplete();
    extend(rank);
    values.pop_back();
  }
  --numOps;
  for (unsigned operand : operands)
    --values[operand].uses;
  numUnused = unusedBefore;
  numUnusedInLoop = unusedInLoopBefore;
}

/// The expression of an elementwise operator over its operands as unknowns.
/// Operators on the same values with equal formulas have equal values (which
/// equal expressions alone don't show: they forget where elements stand).
Expr BlockSearch::getFormula(const BlockNode &node) {
  SmallVector<Shape> shapes;
  SmallVector<Expr> unknowns;
  unsigned first = *std::min_element(node.operands.begin(),
                                     node.operands.end());
  for (unsigned operand : node.operands) {
    shapes.push_back(values[operand].node.shape);
    unknowns.push_back(
        context.variable(operand == first ? "operand0" : "operand1"));
  }
  return node.op->getExpr(context, shapes, unknowns, node.params);
}

/// Whether the unused values, with one of expression `newest` that is being
/// added, can all become parts of the outputs. None is computed from another, so
/// they must fit at places that don't overlap.
bool BlockSearch::canUseAll(Expr newest) {
  SmallVector<Expr, 8> unused{newest};
  for (const Value &value : values)
    if (value.uses == 0 && value.node.kind != BlockNode::Kind::Constant)
      unused.push_back(value.expr);
  if (problem.outputs.size() == 1)
    return context.canOccurTogether(unused, problem.outputs[0].expr);
  // With several outputs each value alone must fit in one.
  return true;
}

/// If every output is there and nothing else is unused, reports the graph, once
/// for each choice of values for the outputs.
void BlockSearch::emitIfComplete() {
  if (numUnused > problem.outputs.size() || numUnusedInLoop)
    return;
  SmallVector<unsigned> chosen;
  std::function<void()> choose = [&] {
    if (chosen.size() == problem.outputs.size()) {
      unsigned unusedChosen = llvm::count_if(
          chosen, [&](unsigned v) { return values[v].uses == 0; });
      // The newest value must be among them, or the graph was reported before.
      if (unusedChosen == numUnused &&
          llvm::is_contained(chosen, values.size() - 1))
        emit(chosen);
      return;
    }
    const SearchTensor &output = problem.outputs[chosen.size()];
    for (unsigned v = 0; v < values.size(); ++v) {
      const Value &value = values[v];
      if (value.node.inLoop || value.node.kind == BlockNode::Kind::Constant ||
          value.expr != output.expr || llvm::is_contained(chosen, v))
        continue;
      chosen.push_back(v);
      choose();
      chosen.pop_back();
    }
  };
  choose();
}

/// The omap that makes a tensor of tiles, if there is one: each grid dimension
/// concatenates a dimension of its role.
static bool findOMap(const Placement &placement, const Shape &tile,
                     const SearchTensor &output,
                     llvm::SmallVectorImpl<int64_t> &omap) {
  if (tile.size() != output.shape.size())
    return false;
  Shape shape = tile;
  for (int role : placement.gridRoles) {
    bool mapped = false;
    for (size_t d = 0; d < shape.size() && !mapped; ++d) {
      if (output.roles[d] != role || llvm::is_contained(omap, d) ||
          shape[d] * kProxyGrid != output.shape[d])
        continue;
      shape[d] *= kProxyGrid;
      omap.push_back(d);
      mapped = true;
    }
    if (!mapped)
      return false;
  }
  return shape == output.shape;
}

void BlockSearch::emit(ArrayRef<unsigned> outputs) {
  BlockGraph graph;
  graph.grid.assign(placement->gridRoles.size(), kProxyGrid);
  bool oneBlock = graph.grid.empty();
  if (oneBlock)
    graph.grid = {1};
  graph.iterations = placement->loopRole == kNoRole ? 0 : kProxyLoop;
  // Constants of the loop's operators must be made in the loop, so each operator
  // gets constants of its own.
  SmallVector<unsigned> number(values.size());
  auto append = [&](BlockNode node) {
    graph.nodes.push_back(std::move(node));
    return graph.nodes.size() - 1;
  };
  for (unsigned v = 0; v < values.size(); ++v) {
    BlockNode node = values[v].node;
    if (node.kind == BlockNode::Kind::Constant)
      continue;
    if (node.kind == BlockNode::Kind::InputIterator && oneBlock)
      node.map = {kReplica};
    if (node.kind != BlockNode::Kind::InputIterator)
      for (unsigned &operand : node.operands) {
        if (!isConstant(operand)) {
          operand = number[operand];
          continue;
        }
        BlockNode constant = values[operand].node;
        constant.inLoop = node.inLoop;
        operand = append(std::move(constant));
      }
    number[v] = append(std::move(node));
  }
  for (auto [v, output] : llvm::zip_equal(outputs, problem.outputs)) {
    BlockNode saver;
    saver.kind = BlockNode::Kind::OutputSaver;
    saver.operands = {number[v]};
    saver.shape = output.shape;
    SmallVector<int64_t> omap;
    if (!findOMap(*placement, values[v].node.shape, output, omap))
      return;
    saver.map.assign(omap.begin(), omap.end());
    if (oneBlock)
      saver.map = {kReplica};
    graph.nodes.push_back(std::move(saver));
  }
  found(std::move(graph));
}
