//===- Copies.cpp - Values that are others, moved or scaled ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The role of the dimension along which elements follow each other.
static int getLastRole(const Roles &roles, ArrayRef<int64_t> label) {
  return label.empty() ? kNoRole : roles.getRole(label.back());
}

/// The roles of dimensions that all outputs have, and none as its last.
static RoleSet getRolesAcrossRows(const Roles &roles,
                                  const KernelProblem &problem) {
  RoleSet result = ~RoleSet();
  for (const SearchTensor *output : problem.outputs) {
    RoleSet across;
    for (int64_t label : output->label)
      if (int role = roles.getRole(label); role != kNoRole)
        across.set(role);
    if (int last = getLastRole(roles, output->label); last != kNoRole)
      across.reset(last);
    result &= across;
  }
  return result;
}

Copies::Copies(const SearchProgram &program, const ValueGraph &graph,
               const KernelProblem &problem, const Placement &placement)
    : program(program), graph(graph) {
  constexpr unsigned kNone = std::numeric_limits<unsigned>::max();
  size_t count = graph.values.size();
  const RoleSet acrossRows = getRolesAcrossRows(program.roles, problem);
  gathered.resize(count);
  inputWidth.assign(count, kNone);
  // No pre-defined operator computes partial results.
  products.resize(count);
  if (!placement.hasLoop)
    for (unsigned v = 0; v < count; ++v)
      products[v] = isProduct(graph.values[v]);
  std::vector<SmallVector<unsigned, 1>> copies(count);
  SmallVector<unsigned> todo;
  for (unsigned v = 0; v < count; ++v) {
    if (graph.values[v].iterator >= 0) {
      inputWidth[v] = getWidth(v);
      todo.push_back(v);
    }
    for (const ValueEdge &edge : graph.values[v].edges) {
      std::optional<unsigned> original = getOriginal(v, edge);
      if (!original)
        continue;
      copies[*original].push_back(v);
      // In one direction only: dividing undoes what multiplying does.
      if (edge.op->isElementwise() && *original < v &&
          getWidth(v) <= getWidth(*original) && !products.test(*original))
        scaled[*original].push_back(v);
    }
  }
  std::vector<int> lastOfInput(count, kNoRole);
  for (unsigned v : todo)
    lastOfInput[v] = getLastRole(program.roles, graph.values[v].label);
  while (!todo.empty()) {
    const unsigned original = todo.pop_back_val();
    const unsigned width = inputWidth[original];
    const int role = lastOfInput[original];
    for (unsigned copy : copies[original]) {
      const bool isGathered =
          role != kNoRole && acrossRows.test(role) &&
          role != getLastRole(program.roles, graph.values[copy].label);
      // Of several inputs one that isn't gathered is read.
      if (width > inputWidth[copy] ||
          (width == inputWidth[copy] && (isGathered || !gathered.test(copy))))
        continue;
      inputWidth[copy] = width;
      lastOfInput[copy] = role;
      gathered[copy] = isGathered;
      todo.push_back(copy);
    }
  }
}

bool Copies::isOfInput(unsigned value) const {
  return inputWidth[value] <= getWidth(value) && !gathered.test(value);
}

unsigned Copies::getWidth(unsigned value) const {
  return program.getElementType(graph.values[value].parts[0])
      .getIntOrFloatBitWidth();
}

bool Copies::isProduct(const Value &value) const {
  return llvm::any_of(value.edges,
                      [&](const ValueEdge &edge) { return edge.isProduct(); });
}

ArrayRef<unsigned> Copies::getScaled(unsigned value) const {
  auto found = scaled.find(value);
  return found == scaled.end() ? ArrayRef<unsigned>()
                               : ArrayRef<unsigned>(found->second);
}

/// The sizes of dimensions, in any order.
static Shape getSizes(ArrayRef<int64_t> label) {
  Shape sizes(
      llvm::make_filter_range(label, [](int64_t size) { return size != 1; }));
  llvm::sort(sizes);
  return sizes;
}

/// The one operand that isn't constant, if the operator does no more than that.
std::optional<unsigned> Copies::getOriginal(unsigned value,
                                            const ValueEdge &edge) const {
  if (!edge.op)
    return std::nullopt;
  const Value &copy = graph.values[value];
  std::optional<unsigned> original;
  for (auto [i, operand] : llvm::enumerate(edge.operands)) {
    const Value &tile = graph.values[operand];
    if (tile.isConstant())
      continue;
    if (original || !edge.op->isLinearIn(i) ||
        getSizes(tile.label) != getSizes(copy.label))
      return std::nullopt;
    original = operand;
  }
  return edge.op->isMovement() || edge.op->isElementwise() ? original
                                                           : std::nullopt;
}
