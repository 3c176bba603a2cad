//===- UsefulValues.cpp - The values that derivations can use -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UsefulValues.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::BitVector;
using llvm::SmallVector;

namespace {

/// A value, and what it can be computed from.
struct ValueNode {
  unsigned value = 0;
  SmallVector<const ValueNode *, 4> operands;
};

} // namespace

template <> struct llvm::GraphTraits<const ValueNode *> {
  using NodeRef = const ValueNode *;
  using ChildIteratorType = SmallVector<const ValueNode *, 4>::const_iterator;
  static NodeRef getEntryNode(NodeRef node) { return node; }
  static ChildIteratorType child_begin(NodeRef node) {
    return node->operands.begin();
  }
  static ChildIteratorType child_end(NodeRef node) {
    return node->operands.end();
  }
};

UsefulValues::UsefulValues(const ValueGraph &graph,
                           const KernelProblem &problem,
                           const Placement &placement)
    : graph(graph) {
  // What is read is noted in the bits of a number.
  constexpr size_t kMostIterators = 63;
  if (placement.iterators.size() > kMostIterators)
    return;
  for (auto [output, omap] : llvm::zip(problem.outputs, placement.omaps)) {
    candidates.push_back(graph.findOutput(*output, omap));
    if (candidates.back().empty())
      return;
  }
  findUseful();
  llvm::SmallBitVector read(placement.iterators.size());
  for (unsigned v : useful.set_bits())
    if (get(v).iterator >= 0)
      read.set(get(v).iterator);
  if (!read.all())
    return;
  findNeeded();
  findReached();
  findStages();
  mayExist = true;
}

void UsefulValues::findUseful() {
  SmallVector<unsigned> roots;
  for (const auto &list : candidates)
    llvm::append_range(roots, list);
  useful = graph.getWaysTo(roots);
  findHeights();
}

void UsefulValues::findHeights() {
  // The last one stands for whoever reads all.
  const size_t count = graph.values.size();
  std::vector<ValueNode> nodes(count + 1);
  ValueNode &all = nodes.back();
  all.value = count;
  for (unsigned v : useful.set_bits()) {
    nodes[v].value = v;
    all.operands.push_back(&nodes[v]);
    for (const ValueEdge &edge : get(v).edges)
      for (unsigned operand : edge.operands)
        nodes[v].operands.push_back(&nodes[operand]);
  }
  height.assign(count + 1, 0);
  // What values are computed from comes first.
  std::vector<unsigned> component(nodes.size());
  unsigned number = 0;
  for (auto scc = llvm::scc_begin<const ValueNode *>(&all); !scc.isAtEnd();
       ++scc) {
    ++number;
    for (const ValueNode *node : *scc)
      component[node->value] = number;
    unsigned least = 0;
    for (const ValueNode *node : *scc)
      for (const ValueNode *operand : node->operands)
        if (component[operand->value] != number)
          least = std::max(least, height[operand->value] + 1);
    for (const ValueNode *node : *scc)
      height[node->value] = least;
    if (scc.hasCycle())
      for (const ValueNode *node : *scc)
        inCycles.push_back(node->value);
  }
  height.resize(count);
  llvm::sort(inCycles);
}

void UsefulValues::findNeeded() {
  size_t count = graph.values.size();
  order.assign(useful.set_bits_begin(), useful.set_bits_end());
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::tie(height[a], a) < std::tie(height[b], b);
  });
  // Sets of thousands of values cost more than they spare.
  constexpr size_t kMostValues = 1500;
  if (!graph.uses(SearchRule::Needed) || order.size() > kMostValues) {
    needed.assign(count, BitVector());
    return;
  }
  needed.assign(count, BitVector(count, true));
  for (unsigned v : order)
    if (get(v).edges.empty())
      needed[v] = BitVector(count);
  for (bool changed = true; changed && !graph.isStopped();) {
    changed = false;
    for (unsigned v : order) {
      if (get(v).edges.empty())
        continue;
      BitVector meet(count, true);
      bool counts = true;
      for (const ValueEdge &edge : get(v).edges) {
        BitVector all(count);
        for (unsigned operand : edge.operands)
          all |= needed[operand];
        meet &= all;
        counts &= edge.counts;
      }
      if (counts)
        meet.set(v);
      if (meet != needed[v]) {
        needed[v] = std::move(meet);
        changed = true;
      }
    }
  }
}

void UsefulValues::findReached() {
  reached.assign(graph.values.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned v : useful.set_bits()) {
      uint64_t bits = get(v).iterator >= 0 ? uint64_t(1) << get(v).iterator : 0;
      for (const ValueEdge &edge : get(v).edges)
        for (unsigned operand : edge.operands)
          bits |= reached[operand];
      changed |= bits != reached[v];
      reached[v] = bits;
    }
  }
}

void UsefulValues::findStages() {
  constexpr unsigned kNone = std::numeric_limits<unsigned>::max();
  constexpr unsigned kMostStages = 64;
  firstStage.assign(graph.values.size(), kNone);
  lastStage.assign(graph.values.size(), 0);
  auto getStage = [&](const ValueEdge &edge, ArrayRef<unsigned> stages) {
    unsigned stage = 0;
    for (unsigned operand : edge.operands)
      stage = std::max(stage, stages[operand]);
    if (stage == kNone)
      return kNone;
    // What a loop accumulates is there when those begin that read it.
    if (!edge.op)
      return 0u;
    return edge.op->isElementwise() ? stage : stage + 1;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned v : order) {
      unsigned first = get(v).edges.empty() ? 0 : kNone, last = 0;
      for (const ValueEdge &edge : get(v).edges) {
        first = std::min(first, getStage(edge, firstStage));
        last = std::max(last, getStage(edge, lastStage));
      }
      // Cycles of movements have no last one.
      if (last > kMostStages)
        last = kNone;
      changed |= first != firstStage[v] || last != lastStage[v];
      firstStage[v] = first;
      lastStage[v] = last;
    }
  }
}

double
UsefulValues::getLargestTile(llvm::function_ref<double(unsigned)> bytes) const {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  size_t count = graph.values.size();
  std::vector<double> size(count, 0), largest(count, kNone);
  for (unsigned v : useful.set_bits()) {
    if (get(v).edges.empty())
      largest[v] = 0;
    // What is moved is read where it was.
    else if (!get(v).mayBeView())
      size[v] = bytes(v);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned v : order) {
      double least = largest[v];
      for (const ValueEdge &edge : get(v).edges) {
        double most = edge.op ? 0 : size[v];
        for (unsigned operand : edge.operands) {
          most = std::max(most, largest[operand]);
          if (edge.op && !edge.op->isElementwise())
            most = std::max(most, size[operand]);
        }
        least = std::min(least, most);
      }
      if (least < largest[v]) {
        largest[v] = least;
        changed = true;
      }
    }
  }
  double result = 0;
  for (const auto &list : candidates) {
    double least = kNone;
    for (unsigned root : list)
      least = std::min(least, largest[root]);
    result = std::max(result, least);
  }
  return result;
}
