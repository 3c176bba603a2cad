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

static void add(SizedWork &to, const SizedWork &from, int sign) {
  to.cost.tensorFlops += sign * from.cost.tensorFlops;
  to.cost.scalarFlops += sign * from.cost.scalarFlops;
  to.cost.specialFunctions += sign * from.cost.specialFunctions;
  to.sharedTraffic += sign * from.sharedTraffic;
}

void mirage::addWork(WorkBySize &work, const WorkBySize &other, int sign) {
  for (auto [to, from] : llvm::zip_equal(work, other))
    add(to, from, sign);
}

/// The larger or the smaller of each amount.
static void combine(SizedWork &work, const SizedWork &other, bool takesMost) {
  auto update = [&](auto &a, auto b) {
    a = takesMost ? std::max(a, b) : std::min(a, b);
  };
  update(work.cost.tensorFlops, other.cost.tensorFlops);
  update(work.cost.scalarFlops, other.cost.scalarFlops);
  update(work.cost.specialFunctions, other.cost.specialFunctions);
  update(work.sharedTraffic, other.sharedTraffic);
}

static WorkBySize combine(WorkBySize work, const WorkBySize &other,
                          bool takesMost) {
  for (auto [of, with] : llvm::zip_equal(work, other))
    combine(of, with, takesMost);
  return work;
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

/// Whether all sizes are, with the work that each of them has.
bool DerivationPrices::areHopeless(
    llvm::function_ref<SizedWork(size_t size)> getWorkOfSize) const {
  const size_t count = getNumSizes();
  for (size_t i = 0; i < count; ++i) {
    const size_t size = (promising + i) % count;
    if (!pricing->isHopeless(size, getWorkOfSize(size))) {
      promising = size;
      return false;
    }
  }
  return true;
}

bool DerivationPrices::isHopeless(const WorkBySize &work) const {
  return pricing && areHopeless([&](size_t size) { return work[size]; });
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
  return areHopeless([&](size_t size) {
    SizedWork chosen = work[size], most;
    for (unsigned v : pending) {
      add(chosen, leastWork[v][size], -1);
      if (values.height[v] <= lowest)
        combine(most, wayDown[v][size], /*takesMost=*/true);
    }
    add(chosen, most, 1);
    return chosen;
  });
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
