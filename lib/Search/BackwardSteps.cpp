//===- BackwardSteps.cpp - From a value to what it is made of -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardSteps.h"

using namespace mirage;

BackwardSteps::BackwardSteps(const SearchProgram &program,
                             const ValueGraph &graph,
                             const Placement &placement,
                             const SearchOptions &options,
                             const llvm::BitVector &products)
    : graph(graph), options(options), products(products),
      steps(graph.values.size()) {
  for (const auto &[content, type] : program.elementTypes)
    leastWidth = std::min(leastWidth, type.getIntOrFloatBitWidth());
  for (const Value &value : graph.values) {
    widths.push_back(
        program.getElementType(value.parts[0]).getIntOrFloatBitWidth());
    double elements = 1;
    for (int64_t label : value.label)
      if (int role = program.roles.getRole(label); role != kNoRole)
        elements *= program.roles.size[role];
    // Two parts at least.
    bytes.push_back(elements * leastWidth / 8 * (placement.hasLoop ? 2 : 1));
  }
}

const BackwardSteps::Steps &BackwardSteps::get(unsigned value) {
  if (const Steps *known = steps[value])
    return *known;
  std::lock_guard<std::mutex> lock(mutex);
  // Another thread may have been first.
  if (!steps[value])
    steps[value] = &found.emplace_back(find(value));
  return *steps[value];
}

BackwardSteps::Steps BackwardSteps::find(unsigned value) {
  Steps result;
  const Bases from = getBases(value);
  if (isFunctionOfFew(value)) {
    auto &list = result.bases.emplace();
    for (unsigned base : from)
      list.emplace_back(base, from.size() > 1 || !isNarrow(value) ||
                                  products.test(base));
  }
  for (const ValueEdge &edge : graph.values[value].edges) {
    if (result.bases && getBases(value, edge) == from)
      continue;
    Step step;
    for (unsigned operand : edge.operands)
      if (!graph.values[operand].isConstant())
        step.operands.push_back(operand);
    step.mayEnd = mayEndBefore(value, edge);
    step.counts = edge.counts;
    if (llvm::none_of(step.operands,
                      [&](unsigned o) { return isInputInLoop(o); }))
      result.edges.push_back(std::move(step));
  }
  return result;
}

bool BackwardSteps::isInputInLoop(unsigned value) const {
  return graph.values[value].inLoop && graph.values[value].edges.empty();
}

/// Whether a kernel may end in front of an edge of a value. Not in front of an
/// elementwise operator of one tile that writes no more than it reads: that
/// goes with the kernel before, unless a pre-defined operator may be all of it.
bool BackwardSteps::mayEndBefore(unsigned value, const ValueEdge &edge) const {
  if (!edge.isElementwise() || !options.uses(SearchRule::Cuts))
    return true;
  std::optional<unsigned> tile;
  for (unsigned operand : edge.operands) {
    if (graph.values[operand].isConstant())
      continue;
    if (tile || products.test(operand))
      return true;
    tile = operand;
  }
  return !tile || widths[*tile] < widths[value];
}

/// Whether only the tiles that a value is an elementwise function of matter,
/// not how it is computed: of one tile, because that goes with one kernel; of
/// more, because there are too many arrangements to look for cuts in all.
bool BackwardSteps::isFunctionOfFew(unsigned value) {
  if (!options.uses(SearchRule::Cuts))
    return false;
  const Bases from = getBases(value);
  bool isOfOne = isNarrow(value) && from.size() == 1;
  return !llvm::is_contained(from, value) &&
         (isOfOne || hasManyArrangements(value)) &&
         llvm::none_of(from,
                       [&](unsigned base) { return isInputInLoop(base); });
}

/// Whether there are many functions of the tiles that a value is one of, or of
/// some of them: arrangements of one polynomial.
bool BackwardSteps::hasManyArrangements(unsigned value) {
  const Bases of = getBases(value);
  auto [count, isNew] = numFunctions.try_emplace(of, 0);
  if (isNew)
    for (unsigned v = 0; v < graph.values.size(); ++v)
      count->second += llvm::includes(of, getBases(v));
  constexpr unsigned kMany = 16;
  return count->second > kMany;
}

const BackwardSteps::Bases &BackwardSteps::getBases(unsigned value) {
  auto [entry, isNew] = bases.try_emplace(value, Bases{value});
  if (!isNew)
    return entry->second;
  // Of fewest, by what was there before it: so there are no cycles.
  std::optional<Bases> fewest;
  for (const ValueEdge &edge : graph.values[value].edges) {
    if (llvm::any_of(edge.operands, [&](unsigned o) { return o > value; }))
      continue;
    Bases found = getBases(value, edge);
    if (!llvm::is_contained(found, value) &&
        (!fewest || found.size() < fewest->size()))
      fewest = std::move(found);
  }
  if (fewest)
    bases[value] = std::move(*fewest);
  return bases[value];
}

BackwardSteps::Bases BackwardSteps::getBases(unsigned value,
                                             const ValueEdge &edge) {
  if (!edge.isElementwise())
    return {value};
  Bases result;
  for (unsigned operand : edge.operands)
    if (!graph.values[operand].isConstant())
      for (unsigned base : getBases(operand))
        if (!llvm::is_contained(result, base))
          result.push_back(base);
  llvm::sort(result);
  constexpr size_t kMany = 3;
  return result.empty() || result.size() > kMany ? Bases{value} : result;
}
