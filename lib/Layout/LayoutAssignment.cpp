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
#include <z3++.h>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

SmallVector<TileLayout> mirage::getCandidateLayouts(ArrayRef<int64_t> shape,
                                                    int64_t elementBytes) {
  SmallVector<TileLayout> layouts;
  for (bool isColumnMajor : {false, true}) {
    TileLayout layout;
    layout.shape.assign(shape.begin(), shape.end());
    layout.elementBytes = elementBytes;
    layout.isColumnMajor = isColumnMajor;
    layouts.push_back(layout);
    for (int64_t padding : {4, 16}) {
      layout.paddingBytes = padding;
      if (layout.isValid())
        layouts.push_back(layout);
    }
    layout.paddingBytes = 0;
    for (int64_t swizzle : {32, 64, 128}) {
      layout.swizzleBytes = swizzle;
      if (layout.isValid())
        layouts.push_back(layout);
    }
  }
  return layouts;
}

/// The bytes of all elements of a tile.
static int64_t getElementBytes(const TileLayout &layout) {
  int64_t bytes = layout.elementBytes;
  for (int64_t size : layout.shape)
    bytes *= size;
  return bytes;
}

static int64_t getBytes(const TileChoice &tile, unsigned layout) {
  return tile.copies * tile.layouts[layout].getBytes();
}

std::optional<int64_t> mirage::getLayoutCost(const LayoutProblem &problem,
                                             unsigned tile, unsigned layout) {
  const TileChoice &choice = problem.tiles[tile];
  int64_t conflicts = 0;
  for (const TileUse &use : choice.uses) {
    std::optional<AccessCost> cost =
        getAccessCost(choice.layouts[layout], use.pattern);
    if (!cost)
      return std::nullopt;
    conflicts += use.times * (cost->transactions - cost->ideal);
  }
  return conflicts * problem.bytesPerTransaction + getBytes(choice, layout) -
         choice.copies * getElementBytes(choice.layouts[layout]);
}

namespace {

/// The problem for Z3.
class Model {
public:
  Model(const LayoutProblem &problem, unsigned timeLimitMs);

  LayoutAssignment solve();

private:
  /// The layouts in which tiles are when nobody chooses.
  LayoutAssignment getFallback(LayoutAssignment::Outcome outcome) const;
  void addTile(unsigned tile);
  /// The sum of `getValue(layout)` over the one layout that a tile has.
  template <typename GetValue>
  z3::expr select(unsigned tile, GetValue getValue);

  const LayoutProblem &problem;
  z3::context z3;
  z3::optimize optimizer;
  /// costs[tile][layout]; none where a use doesn't allow it.
  SmallVector<SmallVector<std::optional<int64_t>>> costs;
  /// has[tile][layout]
  std::vector<std::vector<z3::expr>> has;
};

} // namespace

Model::Model(const LayoutProblem &problem, unsigned timeLimitMs)
    : problem(problem), optimizer(z3) {
  z3::params params(z3);
  params.set("timeout", timeLimitMs);
  optimizer.set(params);
  for (unsigned tile = 0; tile < problem.tiles.size(); ++tile) {
    costs.emplace_back();
    for (unsigned layout = 0; layout < problem.tiles[tile].layouts.size();
         ++layout)
      costs.back().push_back(getLayoutCost(problem, tile, layout));
  }
}

void Model::addTile(unsigned tile) {
  has.emplace_back();
  z3::expr_vector choices(z3);
  for (unsigned layout = 0; layout < costs[tile].size(); ++layout) {
    std::string name =
        "t" + std::to_string(tile) + "_" + std::to_string(layout);
    has.back().push_back(z3.bool_const(name.c_str()));
    choices.push_back(has.back().back());
    if (!costs[tile][layout])
      optimizer.add(!has.back().back());
  }
  optimizer.add(z3::mk_or(choices));
  optimizer.add(z3::atmost(choices, 1));
}

template <typename GetValue>
z3::expr Model::select(unsigned tile, GetValue getValue) {
  z3::expr sum = z3.int_val(0);
  for (unsigned layout = 0; layout < has[tile].size(); ++layout)
    sum = sum + z3::ite(has[tile][layout], z3.int_val(getValue(layout)),
                        z3.int_val(0));
  return sum;
}

LayoutAssignment Model::getFallback(LayoutAssignment::Outcome outcome) const {
  LayoutAssignment assignment{outcome, {}};
  for (const auto &ofTile : costs) {
    unsigned first = 0;
    while (first + 1 < ofTile.size() && !ofTile[first])
      ++first;
    if (!ofTile[first])
      first = 0;
    assignment.layouts.push_back(first);
    assignment.cost += ofTile[first].value_or(0);
  }
  return assignment;
}

LayoutAssignment Model::solve() {
  try {
    z3::expr cost = z3.int_val(0);
    for (unsigned tile = 0; tile < problem.tiles.size(); ++tile) {
      addTile(tile);
      cost = cost + select(tile, [&](unsigned layout) {
               return costs[tile][layout].value_or(0);
             });
    }
    for (const LayoutProblem::Exclusion &e : problem.exclusions)
      optimizer.add(!has[e.tile][e.layout] || !has[e.otherTile][e.otherLayout]);
    for (ArrayRef<unsigned> group : problem.together) {
      z3::expr bytes = z3.int_val(0);
      for (unsigned tile : group)
        bytes = bytes + select(tile, [&](unsigned layout) {
                  return getBytes(problem.tiles[tile], layout);
                });
      optimizer.add(bytes <= z3.int_val(problem.maxBytes));
    }
    optimizer.minimize(cost);
    switch (optimizer.check()) {
    case z3::unsat:
      return getFallback(LayoutAssignment::Outcome::Infeasible);
    case z3::unknown:
      return getFallback(LayoutAssignment::Outcome::GaveUp);
    case z3::sat:
      break;
    }
    z3::model model = optimizer.get_model();
    LayoutAssignment assignment{LayoutAssignment::Outcome::Optimal, {}};
    for (unsigned tile = 0; tile < problem.tiles.size(); ++tile)
      for (unsigned layout = 0; layout < has[tile].size(); ++layout)
        if (model.eval(has[tile][layout], /*model_completion=*/true)
                .is_true()) {
          assignment.layouts.push_back(layout);
          assignment.cost += *costs[tile][layout];
        }
    return assignment;
  } catch (const z3::exception &) {
    // Out of memory, or interrupted.
    return getFallback(LayoutAssignment::Outcome::GaveUp);
  }
}

LayoutAssignment mirage::assignLayouts(const LayoutProblem &problem,
                                       unsigned timeLimitMs) {
  return Model(problem, timeLimitMs).solve();
}
