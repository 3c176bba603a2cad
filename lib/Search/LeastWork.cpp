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
    : graph(graph) {
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
  auto getRoles = [&](unsigned v) {
    RoleSet roles;
    for (int64_t label : graph.values[v].label)
      if (int role = program.roles.getRole(label); role != kNoRole)
        roles.set(role);
    return roles;
  };
  firstEdge.resize(graph.values.size());
  hashes.resize(graph.values.size());
  for (unsigned v : useful) {
    const Value &value = graph.values[v];
    if (!value.scalar.planes.empty())
      hashes[v] = {hashContent(value.scalar), hashWhole(value, program.roles)};
    firstEdge[v] = edges.size();
    for (const ValueEdge &edge : value.edges) {
      edges.push_back({v, edge.operands, {}, edge.counts, {}, getRoles(v), {}});
      for (unsigned operand : edge.operands)
        edges.back().operandRoles |= getRoles(operand);
      if (!edge.op)
        continue;
      SmallVector<Shape> operands, labels;
      for (unsigned operand : edge.operands) {
        operands.push_back(getShape(operand));
        labels.push_back(graph.values[operand].label);
      }
      edges.back().cost = edge.op->getCost(operands, getShape(v), edge.params);
      edges.back().space = edge.op->getIterationSpace(labels, edge.params);
    }
  }
}

OperatorCost LeastWork::get(ArrayRef<Alternatives> outputs,
                            const ValueSet &leaves) const {
  return get(outputs, leaves, [](const Edge &) { return true; });
}

/// Whether blocks that cut some roles can do different parts of an operator's
/// work.
bool LeastWork::canShare(const Edge &edge, const RoleSet &roles,
                         int splitRole) {
  if ((edge.roles & roles).any())
    return true;
  RoleSet reduced = edge.operandRoles & roles;
  // Blocks that sum over their parts of a dimension have partial sums, which
  // only a later kernel adds up. Of other reductions we don't know.
  if (edge.space && edge.space->reductionsAreSums)
    reduced &= splitRole == kNoRole ? RoleSet() : RoleSet().set(splitRole);
  return reduced.any();
}

std::vector<DimFates> LeastWork::getFates(ArrayRef<Alternatives> outputs,
                                          const ValueSet &leaves) const {
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
      ArrayRef<ValueEdge> to = graph.values[w].edges;
      for (size_t n = 0; n < to.size(); ++n) {
        const ValueEdge &edge = to[n];
        const auto &space = edges[firstEdge[w] + n].space;
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
  }
  return fates;
}

OperatorCost LeastWork::getRepeated(ArrayRef<Alternatives> outputs,
                                    const ValueSet &leaves,
                                    const RoleSet &roles, int splitRole) const {
  return get(outputs, leaves, [&](const Edge &edge) {
    return !canShare(edge, roles, splitRole);
  });
}

template <size_t N>
LeastWork::Amounts<N>
LeastWork::getLeast(ArrayRef<Alternatives> outputs, const ValueSet &leaves,
                    ArrayRef<Amounts<N>> edgeCosts) const {
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 2;
  Amounts<N> never;
  never.fill(kNever);
  std::vector<Amounts<N>> least(graph.values.size());
  for (unsigned v : useful)
    if (!graph.values[v].isConstant())
      least[v] = never;
  for (unsigned leaf : leaves)
    least[leaf].fill(0);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [edge, cost] : llvm::zip_equal(edges, edgeCosts))
      for (size_t n = 0; n < N; ++n) {
        int64_t most = 0;
        for (unsigned operand : edge.operands)
          most = std::max(most, least[operand][n]);
        if (most >= kNever)
          continue;
        most += cost[n];
        changed |= most < least[edge.value][n];
        least[edge.value][n] = std::min(least[edge.value][n], most);
      }
  }
  Amounts<N> result{};
  for (const Alternatives &values : outputs)
    for (size_t n = 0; n < N; ++n) {
      int64_t cheapest = kNever;
      for (unsigned value : values)
        cheapest = std::min(cheapest, least[value][n]);
      if (cheapest < kNever)
        result[n] = std::max(result[n], cheapest);
    }
  return result;
}

OperatorCost LeastWork::get(ArrayRef<Alternatives> outputs,
                            const ValueSet &leaves, Counts counts) const {
  std::vector<Amounts<3>> costs;
  for (const Edge &edge : edges) {
    Amounts<3> &cost = costs.emplace_back();
    if (counts(edge))
      cost = {edge.cost.tensorFlops, edge.cost.scalarFlops,
              edge.cost.specialFunctions};
  }
  Amounts<3> least = getLeast<3>(outputs, leaves, costs);
  OperatorCost result;
  result.tensorFlops = least[0];
  result.scalarFlops = least[1];
  result.specialFunctions = least[2];
  return result;
}

unsigned LeastWork::getOperators(ArrayRef<Alternatives> outputs,
                                 const ValueSet &leaves) const {
  std::vector<Amounts<1>> costs;
  for (const Edge &edge : edges)
    costs.push_back({edge.counts});
  return getLeast<1>(outputs, leaves, costs)[0];
}

llvm::DenseSet<uint64_t> LeastWork::getScalars(ArrayRef<unsigned> outputs,
                                               const ValueSet &leaves) const {
  llvm::DenseSet<uint64_t> scalars;
  llvm::BitVector seen(graph.values.size());
  SmallVector<unsigned> todo(outputs.begin(), outputs.end());
  while (!todo.empty()) {
    unsigned v = todo.pop_back_val();
    if (seen.test(v))
      continue;
    seen.set(v);
    if (!graph.values[v].scalar.planes.empty())
      scalars.insert_range(hashes[v]);
    if (!leaves.count(v))
      for (const ValueEdge &edge : graph.values[v].edges)
        llvm::append_range(todo, edge.operands);
  }
  return scalars;
}
