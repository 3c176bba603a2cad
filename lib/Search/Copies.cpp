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

Copies::Copies(const SearchProgram &program, const ValueGraph &graph,
               const Placement &placement)
    : program(program), graph(graph) {
  constexpr unsigned kNone = std::numeric_limits<unsigned>::max();
  size_t count = graph.values.size();
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
  while (!todo.empty()) {
    unsigned width = inputWidth[todo.back()];
    for (unsigned copy : copies[todo.pop_back_val()])
      if (width < inputWidth[copy]) {
        inputWidth[copy] = width;
        todo.push_back(copy);
      }
  }
}

bool Copies::isOfInput(unsigned value) const {
  return inputWidth[value] <= getWidth(value);
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
