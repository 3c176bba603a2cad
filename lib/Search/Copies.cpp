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

Copies::Copies(const ValueGraph &graph) : graph(graph) {
  for (unsigned v = 0; v < graph.values.size(); ++v)
    for (const ValueEdge &edge : graph.values[v].edges) {
      std::optional<unsigned> original = getOriginal(v, edge);
      // In one direction only: dividing undoes what multiplying does.
      if (original && edge.op->isElementwise() && *original < v)
        scaled[*original].push_back(v);
    }
}

bool Copies::isOfInput(unsigned value) {
  const Value &copy = graph.values[value];
  if (copy.iterator >= 0)
    return true;
  // Not by way of itself.
  auto [entry, isNew] = ofInput.try_emplace(value, false);
  if (!isNew)
    return entry->second;
  bool found = llvm::any_of(copy.edges, [&](const ValueEdge &edge) {
    std::optional<unsigned> original = getOriginal(value, edge);
    return original && isOfInput(*original);
  });
  return ofInput[value] = found;
}

ArrayRef<unsigned> Copies::getScaled(unsigned value) const {
  auto found = scaled.find(value);
  return found == scaled.end() ? ArrayRef<unsigned>()
                               : ArrayRef<unsigned>(found->second);
}

/// The one operand that isn't constant, if the operator does no more than that.
std::optional<unsigned> Copies::getOriginal(unsigned value,
                                            const ValueEdge &edge) const {
  if (!edge.op)
    return std::nullopt;
  const Value &copy = graph.values[value];
  std::optional<unsigned> original;
  SmallVector<Shape> shapes;
  for (auto [i, operand] : llvm::enumerate(edge.operands)) {
    const Value &tile = graph.values[operand];
    shapes.push_back(tile.label);
    if (tile.isConstant())
      continue;
    if (original || !edge.op->isLinearIn(i) ||
        getNumElements(tile.label) != getNumElements(copy.label))
      return std::nullopt;
    original = operand;
  }
  OperatorCost cost = edge.op->getCost(shapes, copy.label, edge.params);
  bool isMoved = cost.tensorFlops == 0 && cost.scalarFlops == 0 &&
                 cost.specialFunctions == 0;
  return isMoved || edge.op->isElementwise() ? original : std::nullopt;
}
