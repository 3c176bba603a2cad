//===- LeastWork.cpp - What any derivation has to compute -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeastWork.h"
#include "llvm/ADT/BitVector.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

LeastWork::LeastWork(const SearchProgram &program, const ValueGraph &graph,
                     ArrayRef<unsigned> roots)
    : program(program), graph(graph) {
  const llvm::BitVector ways = graph.getWaysTo(roots);
  useful.assign(ways.set_bits_begin(), ways.set_bits_end());

  // All parts of a split together cover the whole dimension.
  auto getShape = [&](unsigned v) {
    Shape shape;
    for (int64_t label : graph.values[v].label) {
      int role = program.roles.getRole(label);
      shape.push_back(role == kNoRole ? 1 : program.roles.size[role]);
    }
    return shape;
  };
  edgeCosts.resize(graph.values.size());
  spaces.resize(graph.values.size());
  for (unsigned v : useful)
    for (const ValueEdge &edge : graph.values[v].edges) {
      OperatorCost &cost = edgeCosts[v].emplace_back();
      std::optional<IterationSpace> &space = spaces[v].emplace_back();
      if (!edge.op)
        continue;
      SmallVector<Shape> operands, labels;
      for (unsigned operand : edge.operands) {
        operands.push_back(getShape(operand));
        labels.push_back(graph.values[operand].label);
      }
      cost = edge.op->getCost(operands, getShape(v), edge.params);
      space = edge.op->getIterationSpace(labels, edge.params);
    }
}

OperatorCost LeastWork::get(ArrayRef<Alternatives> outputs,
                            const std::set<unsigned> &leaves) const {
  return get(outputs, leaves, [](unsigned, size_t) { return true; });
}

/// Whether blocks that cut a role can do different parts of an operator's work.
bool LeastWork::canShare(unsigned value, size_t e, int role,
                         int splitRole) const {
  const ValueEdge &edge = graph.values[value].edges[e];
  const std::optional<IterationSpace> &space = spaces[value][e];
  auto has = [&](unsigned v) {
    return llvm::any_of(graph.values[v].label, [&](int64_t label) {
      return program.roles.getRole(label) == role;
    });
  };
  if (has(value))
    return true;
  if (!llvm::any_of(edge.operands, has))
    return false;
  // Blocks that sum over their parts of a dimension have partial sums, which
  // only a later kernel adds up. Of other reductions we don't know.
  return role == splitRole || !space || !space->reductionsAreSums;
}

std::vector<DimFates>
LeastWork::getFates(ArrayRef<Alternatives> outputs,
                    const std::set<unsigned> &leaves) const {
  std::vector<DimFates> fates(graph.values.size());
  // From the outputs down to the leaves.
  llvm::BitVector seen(graph.values.size());
  SmallVector<unsigned> reached;
  auto reach = [&](unsigned v) {
    if (seen.test(v))
      return;
    seen.set(v);
    reached.push_back(v);
    fates[v].survive.resize(graph.values[v].label.size());
    fates[v].vanish.resize(graph.values[v].label.size());
  };
  for (const Alternatives &values : outputs)
    for (unsigned v : values) {
      reach(v);
      fates[v].survive.set();
    }
  for (size_t i = 0; i < reached.size(); ++i)
    if (!leaves.count(reached[i]))
      for (const ValueEdge &edge : graph.values[reached[i]].edges)
        for (unsigned operand : edge.operands)
          reach(operand);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned w : reached) {
      if (leaves.count(w))
        continue;
      const DimFates after = fates[w];
      for (auto [edge, space] : llvm::zip(graph.values[w].edges, spaces[w]))
        for (auto [i, v] : llvm::enumerate(edge.operands))
          for (size_t d = 0, e = graph.values[v].label.size(); d < e; ++d) {
            bool survives = true, vanishes = true; // who knows
            if (!edge.op) {
              survives = after.survive.test(d);
              vanishes = after.vanish.test(d);
            } else if (space) {
              int64_t loop = space->operandLoops[i][d];
              if (loop == IterationSpace::kNoLoop)
                continue;
              bool isKept = loop < static_cast<int64_t>(after.survive.size());
              survives =
                  isKept ? after.survive.test(loop) : !space->reductionsAreSums;
              vanishes = !isKept || after.vanish.test(loop);
            }
            changed |= (survives && !fates[v].survive.test(d)) ||
                       (vanishes && !fates[v].vanish.test(d));
            if (survives)
              fates[v].survive.set(d);
            if (vanishes)
              fates[v].vanish.set(d);
          }
    }
  }
  return fates;
}

OperatorCost LeastWork::getRepeated(ArrayRef<Alternatives> outputs,
                                    const std::set<unsigned> &leaves,
                                    const RoleSet &roles, int splitRole) const {
  return get(outputs, leaves, [&](unsigned value, size_t edge) {
    for (size_t role = 0; role < roles.size(); ++role)
      if (roles.test(role) && canShare(value, edge, role, splitRole))
        return false;
    return true;
  });
}

OperatorCost LeastWork::get(ArrayRef<Alternatives> outputs,
                            const std::set<unsigned> &leaves,
                            Counts counts) const {
  std::vector<std::vector<OperatorCost>> costs = edgeCosts;
  for (unsigned v : useful)
    for (auto [e, cost] : llvm::enumerate(costs[v]))
      if (!counts(v, e))
        cost = OperatorCost();
  OperatorCost result;
  std::vector<int64_t> least(graph.values.size());
  for (int64_t OperatorCost::*resource :
       {&OperatorCost::tensorFlops, &OperatorCost::scalarFlops,
        &OperatorCost::specialFunctions}) {
    constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 2;
    for (unsigned v : useful)
      least[v] = leaves.count(v) || graph.values[v].isConstant() ? 0 : kNever;
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned v : useful)
        for (auto [edge, cost] : llvm::zip(graph.values[v].edges, costs[v])) {
          int64_t most = 0;
          for (unsigned operand : edge.operands)
            most = std::max(most, least[operand]);
          if (most < kNever && most + cost.*resource < least[v]) {
            least[v] = most + cost.*resource;
            changed = true;
          }
        }
    }
    for (const Alternatives &values : outputs) {
      int64_t cheapest = kNever;
      for (unsigned value : values)
        cheapest = std::min(cheapest, least[value]);
      if (cheapest < kNever)
        result.*resource = std::max(result.*resource, cheapest);
    }
  }
  return result;
}

std::shared_ptr<const llvm::DenseSet<uint64_t>>
LeastWork::getScalars(ArrayRef<unsigned> outputs,
                      const std::set<unsigned> &leaves) const {
  auto scalars = std::make_shared<llvm::DenseSet<uint64_t>>();
  llvm::BitVector seen(graph.values.size());
  SmallVector<unsigned> todo(outputs.begin(), outputs.end());
  while (!todo.empty()) {
    unsigned v = todo.pop_back_val();
    if (seen.test(v))
      continue;
    seen.set(v);
    if (!graph.values[v].scalar.planes.empty()) {
      scalars->insert(hashContent(graph.values[v].scalar));
      scalars->insert(hashWhole(graph.values[v], program.roles));
    }
    if (!leaves.count(v))
      for (const ValueEdge &edge : graph.values[v].edges)
        llvm::append_range(todo, edge.operands);
  }
  return scalars;
}
