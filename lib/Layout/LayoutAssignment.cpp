//===- LayoutAssignment.cpp - The best layouts of tiles -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One Boolean for each tile and layout; what operators allow are constraints on
// them, and the cost is the objective.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Layout/LayoutAssignment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>
#include <z3++.h>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

static int64_t getBytes(const TileChoice &tile, unsigned layout) {
  const TileLayout &chosen = tile.layouts[layout];
  return tile.copies * llvm::alignTo(chosen.getBytes(), chosen.getAlignment());
}

std::optional<int64_t> mirage::getLayoutCost(const LayoutProblem &problem,
                                             unsigned tile, unsigned layout) {
  const TileChoice &choice = problem.tiles[tile];
  const TileLayout &chosen = choice.layouts[layout];
  int64_t conflicts = 0;
  for (const TileUse &use : choice.uses) {
    std::optional<AccessCost> cost =
        getAccessCost(chosen, use.view, use.pattern);
    if (!cost)
      return std::nullopt;
    conflicts += use.times * (cost->transactions - cost->ideal);
  }
  int64_t elements = chosen.getNumRows() * chosen.getRowBytes();
  return conflicts * problem.bytesPerTransaction + getBytes(choice, layout) -
         choice.copies * elements +
         (chosen.isPermuted() ? chosen.getNumPanels() : 0) +
         (chosen.allowsBulkCopies() ? 0 : problem.bytesPerTransaction);
}

namespace {

/// The problem, and the part of it that is Z3's.
class Solver {
public:
  Solver(const LayoutProblem &problem, unsigned timeLimitMs);

  LayoutAssignment solve();

private:
  /// Which tiles' layouts some constraint may make depend on each other, and
  /// what can be seen to be infeasible.
  void findCoupled();
  /// The least and the most bytes that layouts can give a tile.
  std::pair<int64_t, int64_t> getBytesRange(unsigned tile) const;
  /// The layout that a tile gets: the cheapest, or the first, of those that its
  /// uses allow; the first if there are none.
  unsigned pick(unsigned tile, bool cheapest) const;
  /// Whether layouts violate no exclusion, and each group fits.
  bool areAllowed(ArrayRef<unsigned> layouts) const;
  /// Asks Z3 for the layouts of coupled tiles.
  LayoutAssignment::Outcome solveCoupled(SmallVectorImpl<unsigned> &layouts);

  const LayoutProblem &problem;
  unsigned timeLimitMs;
  /// costs[tile][layout]; none where a use doesn't allow it.
  SmallVector<SmallVector<std::optional<int64_t>>> costs;
  SmallVector<bool> isCoupled;
  bool isInfeasible = false;
  /// Of the groups those that not all layouts fit.
  SmallVector<ArrayRef<unsigned>> tightGroups;
};

} // namespace

Solver::Solver(const LayoutProblem &problem, unsigned timeLimitMs)
    : problem(problem), timeLimitMs(timeLimitMs) {
  for (unsigned tile = 0; tile < problem.tiles.size(); ++tile) {
    costs.emplace_back();
    for (unsigned layout = 0; layout < problem.tiles[tile].layouts.size();
         ++layout)
      costs.back().push_back(getLayoutCost(problem, tile, layout));
  }
  findCoupled();
}

std::pair<int64_t, int64_t> Solver::getBytesRange(unsigned tile) const {
  int64_t least = std::numeric_limits<int64_t>::max(), most = 0;
  for (unsigned layout = 0; layout < costs[tile].size(); ++layout) {
    int64_t bytes = getBytes(problem.tiles[tile], layout);
    least = std::min(least, bytes);
    most = std::max(most, bytes);
  }
  return {least, most};
}

void Solver::findCoupled() {
  isCoupled.assign(costs.size(), false);
  for (const LayoutProblem::Exclusion &exclusion : problem.exclusions)
    isCoupled[exclusion.tile] = isCoupled[exclusion.otherTile] = true;
  for (ArrayRef<unsigned> group : problem.together) {
    int64_t least = 0, most = 0;
    for (unsigned tile : group) {
      auto [leastOfTile, mostOfTile] = getBytesRange(tile);
      least += leastOfTile;
      most += mostOfTile;
    }
    isInfeasible |= least > problem.maxBytes;
    if (most <= problem.maxBytes)
      continue;
    tightGroups.push_back(group);
    for (unsigned tile : group)
      isCoupled[tile] = true;
  }
  for (auto &ofTile : costs)
    isInfeasible |=
        llvm::none_of(ofTile, [](auto &cost) { return cost.has_value(); });
}

unsigned Solver::pick(unsigned tile, bool cheapest) const {
  std::optional<unsigned> best;
  for (auto [layout, cost] : llvm::enumerate(costs[tile]))
    if (cost && (!best || (cheapest && *cost < *costs[tile][*best])))
      best = layout;
  return best.value_or(0);
}

/// Checks, and interrupts that when the time is up, again and again: Z3's own
/// timer does so once, which it may miss between two of its tactics.
static z3::check_result checkWithin(unsigned milliseconds, z3::context &z3,
                                    z3::optimize &optimizer) {
  std::mutex mutex;
  std::condition_variable changed;
  bool isDone = false;
  std::thread timer([&] {
    constexpr std::chrono::milliseconds kAgain(50);
    std::chrono::milliseconds wait(milliseconds);
    std::unique_lock<std::mutex> lock(mutex);
    while (!changed.wait_for(lock, wait, [&] { return isDone; })) {
      z3.interrupt();
      wait = kAgain;
    }
  });
  llvm::scope_exit end([&] {
    {
      std::lock_guard<std::mutex> lock(mutex);
      isDone = true;
    }
    changed.notify_one();
    timer.join();
  });
  return optimizer.check();
}

LayoutAssignment::Outcome
Solver::solveCoupled(SmallVectorImpl<unsigned> &layouts) {
  using Outcome = LayoutAssignment::Outcome;
  if (isInfeasible)
    return Outcome::Infeasible;
  if (timeLimitMs == 0)
    return Outcome::GaveUp;
  try {
    z3::context z3;
    z3::optimize optimizer(z3);
    z3::params params(z3);
    params.set("timeout", timeLimitMs);
    optimizer.set(params);
    // has[tile][layout]
    std::vector<std::vector<z3::expr>> has(costs.size());
    // The sum of `getValue(layout)` over the one layout that a tile has.
    auto select = [&](unsigned tile, auto getValue) {
      z3::expr sum = z3.int_val(0);
      for (unsigned layout = 0; layout < has[tile].size(); ++layout)
        sum = sum + z3::ite(has[tile][layout], z3.int_val(getValue(layout)),
                            z3.int_val(0));
      return sum;
    };
    z3::expr cost = z3.int_val(0);
    for (unsigned tile = 0; tile < costs.size(); ++tile) {
      if (!isCoupled[tile])
        continue;
      z3::expr_vector choices(z3);
      for (unsigned layout = 0; layout < costs[tile].size(); ++layout) {
        std::string name =
            "t" + std::to_string(tile) + "_" + std::to_string(layout);
        has[tile].push_back(z3.bool_const(name.c_str()));
        choices.push_back(has[tile].back());
        if (!costs[tile][layout])
          optimizer.add(!has[tile].back());
      }
      optimizer.add(z3::mk_or(choices));
      optimizer.add(z3::atmost(choices, 1));
      cost = cost + select(tile, [&](unsigned layout) {
               return costs[tile][layout].value_or(0);
             });
    }
    for (const LayoutProblem::Exclusion &e : problem.exclusions)
      optimizer.add(!has[e.tile][e.layout] || !has[e.otherTile][e.otherLayout]);
    for (ArrayRef<unsigned> group : tightGroups) {
      z3::expr bytes = z3.int_val(0);
      for (unsigned tile : group)
        bytes = bytes + select(tile, [&](unsigned layout) {
                  return getBytes(problem.tiles[tile], layout);
                });
      optimizer.add(bytes <= z3.int_val(problem.maxBytes));
    }
    optimizer.minimize(cost);
    switch (checkWithin(timeLimitMs, z3, optimizer)) {
    case z3::unsat:
      return Outcome::Infeasible;
    case z3::unknown:
      return Outcome::GaveUp;
    case z3::sat:
      break;
    }
    z3::model model = optimizer.get_model();
    for (unsigned tile = 0; tile < costs.size(); ++tile)
      for (unsigned layout = 0; layout < has[tile].size(); ++layout)
        if (model.eval(has[tile][layout], /*model_completion=*/true).is_true())
          layouts[tile] = layout;
    return Outcome::Optimal;
  } catch (const z3::exception &) {
    // Out of memory, or interrupted.
    return Outcome::GaveUp;
  }
}

bool Solver::areAllowed(ArrayRef<unsigned> layouts) const {
  return llvm::none_of(problem.exclusions,
                       [&](const LayoutProblem::Exclusion &e) {
                         return layouts[e.tile] == e.layout &&
                                layouts[e.otherTile] == e.otherLayout;
                       }) &&
         llvm::all_of(problem.together, [&](ArrayRef<unsigned> group) {
           int64_t bytes = 0;
           for (unsigned tile : group)
             bytes += getBytes(problem.tiles[tile], layouts[tile]);
           return bytes <= problem.maxBytes;
         });
}

LayoutAssignment Solver::solve() {
  LayoutAssignment assignment{LayoutAssignment::Outcome::Optimal, {}};
  for (unsigned tile = 0; tile < costs.size(); ++tile)
    assignment.layouts.push_back(pick(tile, /*cheapest=*/true));
  // Mostly the cheapest of each tile obey the constraints, too.
  if (isInfeasible || !areAllowed(assignment.layouts)) {
    for (unsigned tile = 0; tile < costs.size(); ++tile)
      if (isCoupled[tile])
        assignment.layouts[tile] = pick(tile, /*cheapest=*/false);
    assignment.outcome = solveCoupled(assignment.layouts);
  }
  for (unsigned tile = 0; tile < costs.size(); ++tile)
    assignment.cost += costs[tile][assignment.layouts[tile]].value_or(0);
  return assignment;
}

LayoutAssignment mirage::assignLayouts(const LayoutProblem &problem,
                                       unsigned timeLimitMs) {
  return Solver(problem, timeLimitMs).solve();
}
