//===- DerivationPrices.cpp - What values and edges cost ------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DerivationPrices.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The larger or the smaller of each amount.
static WorkBySize combine(WorkBySize work, const WorkBySize &other,
                          bool takesMost) {
  auto update = [&](auto &a, auto b) {
    a = takesMost ? std::max(a, b) : std::min(a, b);
  };
  for (auto [of, with] : llvm::zip(work, other)) {
    update(of.cost.tensorFlops, with.cost.tensorFlops);
    update(of.cost.scalarFlops, with.cost.scalarFlops);
    update(of.cost.specialFunctions, with.cost.specialFunctions);
    update(of.sharedTraffic, with.sharedTraffic);
  }
  return work;
}

void mirage::addWork(WorkBySize &work, const WorkBySize &other, int sign) {
  for (auto [to, from] : llvm::zip_equal(work, other)) {
    to.cost.tensorFlops += sign * from.cost.tensorFlops;
    to.cost.scalarFlops += sign * from.cost.scalarFlops;
    to.cost.specialFunctions += sign * from.cost.specialFunctions;
    to.sharedTraffic += sign * from.sharedTraffic;
  }
}

DerivationPrices::DerivationPrices(const UsefulValues &values,
                                   const Pricing *pricing)
    : values(values), pricing(pricing) {
  size_t count = values.graph.values.size();
  edgeWork.resize(count);
  leastWork.resize(count, WorkBySize(getNumSizes()));
  edgeOrder.resize(count);
  tileBytes.resize(count, std::vector<double>(getNumSizes()));
  storeTraffic.resize(count, std::vector<double>(getNumSizes()));
  for (unsigned v : values.useful.set_bits())
    setPrices(v);
  orderEdges();
  findWaysDown();
}

void DerivationPrices::setPrices(unsigned value) {
  const Value &of = values.get(value);
  edgeWork[value].resize(of.edges.size());
  if (!pricing)
    return;
  if (!of.edges.empty())
    tileBytes[value] = pricing->getTileBytes(value);
  if (!of.isConstant())
    storeTraffic[value] = pricing->getStoreTraffic(value);
  for (auto [e, edge] : llvm::enumerate(of.edges)) {
    WorkBySize work = pricing->getWork(value, edge);
    leastWork[value] =
        e == 0 ? work : combine(work, leastWork[value], /*takesMost=*/false);
    edgeWork[value][e] = std::move(work);
  }
}

std::optional<unsigned> DerivationPrices::getKeep() const {
  return pricing ? std::optional(pricing->keep) : std::nullopt;
}

bool DerivationPrices::isHopeless(const WorkBySize &work) const {
  return pricing && pricing->isHopeless(work);
}

/// For each value the least work of a way down to the iterators, of all that
/// are needed for an edge the one that takes most. Only values that are nearer
/// to the inputs count.
void DerivationPrices::findWaysDown() {
  WorkBySize none(getNumSizes());
  wayDown.resize(edgeWork.size(), none);
  for (unsigned v : values.order)
    for (auto [e, edge] : llvm::enumerate(values.get(v).edges)) {
      WorkBySize most = none;
      for (unsigned operand : edge.operands)
        if (values.height[operand] < values.height[v])
          most = combine(most, wayDown[operand], /*takesMost=*/true);
      addWork(most, edgeWork[v][e]);
      wayDown[v] =
          e == 0 ? most : combine(most, wayDown[v], /*takesMost=*/false);
    }
}

bool DerivationPrices::areWaysDownHopeless(ArrayRef<unsigned> pending,
                                           const WorkBySize &work,
                                           unsigned lowest) const {
  if (!pricing)
    return false;
  WorkBySize chosen = work, most(work.size());
  for (unsigned v : pending) {
    addWork(chosen, leastWork[v], -1);
    if (values.height[v] <= lowest)
      most = combine(std::move(most), wayDown[v], /*takesMost=*/true);
  }
  addWork(chosen, most);
  return pricing->isHopeless(chosen);
}

/// Sorts edges by what they cost with all that is below them, as if nothing was
/// shared, so that derivations that cost little are found early.
void DerivationPrices::orderEdges() {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<double> least(edgeWork.size(), kNever);
  auto getCost = [&](unsigned v, size_t e) {
    double cost = 0;
    if (const WorkBySize &work = edgeWork[v][e]; !work.empty())
      cost = work[0].cost.tensorFlops / 64. + work[0].cost.scalarFlops +
             8. * work[0].cost.specialFunctions;
    for (unsigned operand : values.get(v).edges[e].operands)
      cost += least[operand];
    return cost;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned v : values.order) {
      double cost = values.get(v).edges.empty() ? 0 : kNever;
      for (size_t e = 0; e < edgeWork[v].size(); ++e)
        cost = std::min(cost, getCost(v, e));
      changed |= cost < least[v];
      least[v] = std::min(least[v], cost);
    }
  }
  for (unsigned v : values.order) {
    std::vector<std::pair<double, unsigned>> byCost;
    for (size_t e = 0; e < edgeWork[v].size(); ++e)
      byCost.emplace_back(getCost(v, e), e);
    llvm::sort(byCost);
    for (auto [cost, e] : byCost)
      edgeOrder[v].push_back(e);
  }
}
