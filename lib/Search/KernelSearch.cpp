//===- KernelSearch.cpp - Enumerates what stands around the last kernel ---===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSearch.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mirage;
using llvm::SmallVector;

/// The expression of one node's result, from those of all tensors.
static Expr getExpr(const KernelGraph &graph, const KernelNode &node,
                    llvm::ArrayRef<Expr> exprs, ExprContext &context) {
  if (node.kind == KernelNode::Kind::Constant)
    return context.constant(node.constant);
  SmallVector<Shape> shapes;
  SmallVector<Expr> operands;
  for (unsigned operand : node.operands) {
    shapes.push_back(graph.tensors[operand].shape);
    operands.push_back(exprs[operand]);
  }
  return node.op->getExpr(context, shapes, operands, node.params);
}

static std::vector<Expr> getTensorExprs(const KernelGraph &graph,
                                        ExprContext &context) {
  std::vector<Expr> exprs;
  for (unsigned i = 0; i < graph.numInputs; ++i)
    exprs.push_back(context.variable("in" + std::to_string(i)));
  exprs.resize(graph.tensors.size());
  for (const KernelNode &node : graph.nodes)
    exprs[node.results[0]] = getExpr(graph, node, exprs, context);
  return exprs;
}

std::vector<Expr> SearchProgram::getExprs(ExprContext &context) const {
  return getTensorExprs(proxy, context);
}

namespace {

/// Adds pre-defined operators to a kernel graph, depth first.
class PrefixEnumerator {
public:
  PrefixEnumerator(const SearchProgram &program, unsigned kernels,
                   SearchStatistics &statistics,
                   const std::atomic<bool> &stop,
                   std::vector<KernelPrefix> &result)
      : program(program), kernels(kernels), statistics(statistics), stop(stop),
        result(result) {
    std::vector<Expr> all = program.getExprs(context);
    SmallVector<Expr> targets;
    for (unsigned output : program.proxy.outputs)
      targets.push_back(all[output]);
    outputs = targets;
    oracle.emplace(context, targets);

    prefix.graph.numInputs = program.proxy.numInputs;
    for (unsigned i = 0; i < program.proxy.numInputs; ++i)
      addTensor(program.proxy.tensors[i], program.roles.ofTensor[i],
                context.variable("in" + std::to_string(i)));
    for (double constant : program.constants) {
      KernelNode node;
      node.kind = KernelNode::Kind::Constant;
      node.constant = constant;
      node.results = {static_cast<unsigned>(exprs.size())};
      addTensor({Shape(), getF32()}, {}, context.constant(constant));
      prefix.graph.nodes.push_back(std::move(node));
    }
    firstResult = exprs.size();
  }

  void run() { extend(0, {-1, -1, -1, -1}); }

private:
  using Rank = std::tuple<int, int, int, int>;

  mlir::Type getF32() const {
    return mlir::Float32Type::get(
        program.reference.tensors[0].elementType.getContext());
  }

  void addTensor(KernelTensor tensor, DimRoles roles, Expr expr) {
    prefix.graph.tensors.push_back(std::move(tensor));
    prefix.roles.push_back(std::move(roles));
    exprs.push_back(expr);
    uses.push_back(0);
  }

  bool isConstant(unsigned tensor) const {
    return tensor >= program.proxy.numInputs && tensor < firstResult;
  }

  void extend(unsigned used, const Rank &last) {
    ++statistics.states;
    if (stop.load(std::memory_order_relaxed))
      return;
    if (used + 1 == kernels)
      chooseGraphInputs();
    if (used == kernels)
      return;
    for (int latest = std::max(std::get<0>(last), 0),
             count = static_cast<int>(exprs.size());
         latest < count; ++latest) {
      if (isConstant(latest))
        continue;
      for (int earlier = -1; earlier <= latest; ++earlier)
        tryOperators(latest, earlier, used, last);
    }
  }

  void tryOperators(int latest, int earlier, unsigned used, const Rank &last) {
    unsigned arity = earlier < 0 ? 1 : 2;
    int type = 0;
    for (const Operator *op : program.kernelOperators) {
      ++type;
      if (op->getNumOperands() != arity)
        continue;
      unsigned orders =
          arity == 2 && earlier != latest && !op->isCommutative() ? 2 : 1;
      for (unsigned order = 0; order < orders; ++order) {
        SmallVector<unsigned, 4> operands{static_cast<unsigned>(latest)};
        if (arity == 2)
          operands.insert(order ? operands.end() : operands.begin(),
                          static_cast<unsigned>(earlier));
        SmallVector<Shape> shapes;
        for (unsigned operand : operands)
          shapes.push_back(prefix.graph.tensors[operand].shape);
        int variant = order;
        op->enumerateParams(shapes, [&](const Params &params) {
          Rank rank{latest, earlier, type, variant};
          variant += 2;
          if (last < rank)
            tryAdd(*op, params, operands, shapes, used, rank);
        });
      }
    }
  }

  /// The expression of an elementwise operator over its operands as unknowns,
  /// the lowest-numbered first: see BlockSearch::getFormula.
  Expr getFormula(const KernelNode &node, llvm::ArrayRef<Shape> shapes) {
    unsigned first =
        *std::min_element(node.operands.begin(), node.operands.end());
    SmallVector<Expr> unknowns;
    for (unsigned operand : node.operands)
      unknowns.push_back(
          context.variable(operand == first ? "operand0" : "operand1"));
    return node.op->getExpr(context, shapes, unknowns, node.params);
  }

  /// Whether an elementwise operator gives an operand over again, or the value
  /// of another such operator on the same operands.
  bool isDuplicate(const KernelNode &node, llvm::ArrayRef<Shape> shapes) {
    if (!node.op->isElementwise())
      return false;
    Expr formula = getFormula(node, shapes);
    if (formula == context.variable("operand0") ||
        formula == context.variable("operand1"))
      return true;
    auto sorted = [](llvm::ArrayRef<unsigned> operands) {
      SmallVector<unsigned, 4> copy(operands);
      llvm::sort(copy);
      return copy;
    };
    return llvm::any_of(prefix.graph.nodes, [&](const KernelNode &other) {
      return other.op && other.op->isElementwise() &&
             sorted(other.operands) == sorted(node.operands) &&
             getFormula(other, shapes) == formula;
    });
  }

  void tryAdd(const Operator &op, const Params &params,
              const SmallVector<unsigned, 4> &operands,
              llvm::ArrayRef<Shape> shapes, unsigned used, const Rank &rank) {
    KernelTensor tensor{Shape(), getF32()};
    if (!op.inferShape(shapes, params, tensor.shape)) {
      ++statistics.prunedByShape;
      return;
    }
    KernelNode node;
    node.op = &op;
    node.params = params;
    node.operands = operands;
    node.results = {static_cast<unsigned>(exprs.size())};
    Expr expr = getExpr(prefix.graph, node, exprs, context);
    if (!oracle->mayContribute(expr)) {
      ++statistics.prunedByOracle;
      return;
    }
    if (isDuplicate(node, shapes)) {
      ++statistics.prunedByDuplicate;
      return;
    }
    SmallVector<DimRoles> operandRoles;
    for (unsigned operand : operands) {
      operandRoles.push_back(prefix.roles[operand]);
      ++uses[operand];
    }
    DimRoles roles = getResultRoles(op, shapes, operandRoles, params);
    addTensor(tensor, std::move(roles), expr);
    prefix.graph.nodes.push_back(std::move(node));
    if (used + 1 == kernels)
      reportIfComplete();
    else
      extend(used + 1, rank);
    prefix.graph.nodes.pop_back();
    prefix.graph.tensors.pop_back();
    prefix.roles.pop_back();
    exprs.pop_back();
    uses.pop_back();
    for (unsigned operand : operands)
      --uses[operand];
  }

  /// Reports the graph if its last results are the outputs and nothing else is
  /// left unused.
  void reportIfComplete() {
    SmallVector<unsigned, 1> chosen;
    for (auto [output, expr] : llvm::zip(program.proxy.outputs, outputs)) {
      for (unsigned t = firstResult; t < exprs.size(); ++t)
        if (exprs[t] == expr &&
            prefix.graph.tensors[t].shape ==
                program.proxy.tensors[output].shape &&
            !llvm::is_contained(chosen, t)) {
          chosen.push_back(t);
          break;
        }
    }
    if (chosen.size() != outputs.size())
      return;
    for (unsigned t = firstResult; t < exprs.size(); ++t)
      if (!uses[t] && !llvm::is_contained(chosen, t))
        return;
    KernelPrefix complete = prefix;
    complete.graph.outputs = chosen;
    for (auto [t, output] : llvm::zip(chosen, program.proxy.outputs))
      complete.graph.tensors[t].elementType =
          program.proxy.tensors[output].elementType;
    result.push_back(std::move(complete));
  }

  /// Every tensor that nothing has used yet must go into the last kernel, unless
  /// the outputs don't depend on it; those that were used may.
  void chooseGraphInputs() {
    SmallVector<unsigned> required, optional;
    for (unsigned t = 0; t < exprs.size(); ++t)
      if (!isConstant(t) && oracle->mayContribute(exprs[t]))
        (uses[t] ? optional : required).push_back(t);
    for (uint64_t set = 0; set < (uint64_t(1) << optional.size()); ++set) {
      KernelPrefix chosen = prefix;
      chosen.graphInputs.assign(required.begin(), required.end());
      for (auto [i, t] : llvm::enumerate(optional))
        if (set >> i & 1)
          chosen.graphInputs.push_back(t);
      llvm::sort(chosen.graphInputs);
      if (!chosen.graphInputs.empty())
        result.push_back(std::move(chosen));
    }
  }

  const SearchProgram &program;
  unsigned kernels;
  SearchStatistics &statistics;
  const std::atomic<bool> &stop;
  std::vector<KernelPrefix> &result;
  ExprContext context;
  std::optional<NormalFormOracle> oracle;
  SmallVector<Expr> outputs;
  KernelPrefix prefix;
  std::vector<Expr> exprs;
  std::vector<unsigned> uses;
  unsigned firstResult = 0;
};

} // namespace

std::vector<KernelPrefix>
mirage::enumerateKernelPrefixes(const SearchProgram &program, unsigned kernels,
                                SearchStatistics &statistics,
                                const std::atomic<bool> &stop) {
  std::vector<KernelPrefix> result;
  PrefixEnumerator(program, kernels, statistics, stop, result).run();
  return result;
}

BlockProblem mirage::makeBlockProblem(const SearchProgram &program,
                                      const KernelPrefix &prefix,
                                      unsigned maxOps, ExprContext &context) {
  BlockProblem problem;
  std::vector<Expr> exprs = getTensorExprs(prefix.graph, context);
  for (unsigned t : prefix.graphInputs)
    problem.inputs.push_back(
        {exprs[t], prefix.graph.tensors[t].shape, prefix.roles[t]});
  std::vector<Expr> all = program.getExprs(context);
  for (unsigned t : program.proxy.outputs)
    problem.outputs.push_back(
        {all[t], program.proxy.tensors[t].shape, program.roles.ofTensor[t]});
  problem.constants = program.constants;
  problem.operators = program.blockOperators;
  problem.maxOps = maxOps;
  return problem;
}

KernelGraph mirage::complete(const SearchProgram &program,
                             const KernelPrefix &prefix, BlockGraph block) {
  KernelGraph graph = prefix.graph;
  KernelNode node;
  node.kind = KernelNode::Kind::GraphDefined;
  node.graph = std::make_shared<const BlockGraph>(std::move(block));
  node.operands.assign(prefix.graphInputs.begin(), prefix.graphInputs.end());
  for (unsigned output : program.proxy.outputs) {
    node.results.push_back(graph.tensors.size());
    graph.outputs.push_back(graph.tensors.size());
    graph.tensors.push_back(program.proxy.tensors[output]);
  }
  graph.nodes.push_back(std::move(node));
  return graph;
}
