//===- LayoutAssignmentTest.cpp - Tests of the choice of layouts ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Layout/LayoutAssignment.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage;

namespace {

/// The cost of an assignment, if the problem allows it.
std::optional<int64_t> evaluate(const LayoutProblem &problem,
                                llvm::ArrayRef<unsigned> layouts) {
  int64_t cost = 0;
  for (unsigned tile = 0; tile < layouts.size(); ++tile) {
    std::optional<int64_t> ofTile = getLayoutCost(problem, tile, layouts[tile]);
    if (!ofTile)
      return std::nullopt;
    cost += *ofTile;
  }
  for (const LayoutProblem::Exclusion &e : problem.exclusions)
    if (layouts[e.tile] == e.layout && layouts[e.otherTile] == e.otherLayout)
      return std::nullopt;
  for (llvm::ArrayRef<unsigned> group : problem.together) {
    int64_t bytes = 0;
    for (unsigned tile : group)
      bytes += problem.tiles[tile].copies *
               llvm::alignTo(
                   problem.tiles[tile].layouts[layouts[tile]].getBytes(),
                   problem.tiles[tile].layouts[layouts[tile]].getAlignment());
    if (bytes > problem.maxBytes)
      return std::nullopt;
  }
  return cost;
}

/// The least cost of all assignments.
std::optional<int64_t> tryAll(const LayoutProblem &problem) {
  llvm::SmallVector<unsigned> layouts(problem.tiles.size(), 0);
  std::optional<int64_t> best;
  while (true) {
    std::optional<int64_t> cost = evaluate(problem, layouts);
    if (cost && (!best || *cost < *best))
      best = cost;
    unsigned tile = 0;
    while (tile < layouts.size() &&
           ++layouts[tile] == problem.tiles[tile].layouts.size())
      layouts[tile++] = 0;
    if (tile == layouts.size())
      return best;
  }
}

TEST(LayoutAssignmentTest, AgreesWithTryingAll) {
  std::mt19937 generator(1);
  auto pick = [&](unsigned low, unsigned high) {
    return std::uniform_int_distribution<unsigned>(low, high)(generator);
  };
  auto makePattern = [&]() {
    switch (pick(0, 3)) {
    case 0:
      return AccessPattern::getElements(pick(1, 2));
    case 1:
      return AccessPattern::getFold(pick(0, 1), 1 << pick(0, 5), pick(0, 1));
    case 2:
      return AccessPattern::getMatrices(/*dim=*/1, /*lineDim=*/0);
    default:
      unsigned dim = pick(0, 1);
      return AccessPattern::getFragments(dim, 1 - dim);
    }
  };
  unsigned infeasible = 0, compromises = 0;
  for (unsigned trial = 0; trial < 60; ++trial) {
    LayoutProblem problem;
    problem.bytesPerTransaction = pick(1, 64);
    unsigned count = pick(1, 4);
    llvm::SmallVector<unsigned> all;
    int64_t least = 0;
    for (unsigned tile = 0; tile < count; ++tile) {
      // Half of them have rows that are cut into no panels.
      llvm::SmallVector<int64_t> shape = {pick(1, 6), 16 * pick(1, 4)};
      if (pick(0, 1))
        shape[1] -= 2 * pick(1, 7);
      TileChoice choice{
          getCandidateLayouts(shape, 2 * pick(1, 2)), {}, pick(1, 3)};
      for (unsigned uses = pick(1, 2); uses > 0; --uses)
        choice.uses.push_back(
            {TileView::getWhole(shape), makePattern(), pick(1, 3)});
      least += choice.copies * choice.layouts[0].getBytes();
      problem.tiles.push_back(choice);
      all.push_back(tile);
    }
    problem.together = {all};
    problem.maxBytes = least + 64 * pick(0, 16);
    for (unsigned i = pick(0, 4); i > 0; --i) {
      unsigned a = pick(0, count - 1), b = pick(0, count - 1);
      problem.exclusions.push_back(
          {a, pick(0, problem.tiles[a].layouts.size() - 1), b,
           pick(0, problem.tiles[b].layouts.size() - 1)});
    }
    LayoutAssignment assignment = assignLayouts(problem, /*timeLimitMs=*/60000);
    std::optional<int64_t> best = tryAll(problem);
    if (!best) {
      EXPECT_EQ(assignment.outcome, LayoutAssignment::Outcome::Infeasible);
      ++infeasible;
      continue;
    }
    ASSERT_EQ(assignment.outcome, LayoutAssignment::Outcome::Optimal);
    EXPECT_EQ(evaluate(problem, assignment.layouts), assignment.cost);
    EXPECT_EQ(assignment.cost, *best) << "trial " << trial;
    // Where constraints cost something.
    problem.exclusions.clear();
    problem.maxBytes = 1 << 30;
    compromises += *tryAll(problem) < *best;
  }
  EXPECT_LT(infeasible, 40u);
  EXPECT_GT(compromises, 2u);
}

TEST(LayoutAssignmentTest, SwizzleForMatrices) {
  TileView view = TileView::getWhole({16, 64});
  LayoutProblem problem;
  problem.tiles.push_back(
      {getCandidateLayouts({16, 64}, 2),
       {{view, AccessPattern::getElements(8), 1},
        {view, AccessPattern::getMatrices(/*dim=*/1, /*lineDim=*/0), 1}},
       4});
  problem.together = {{0}};
  problem.maxBytes = 4 * 16 * 64 * 2;
  LayoutAssignment assignment = assignLayouts(problem);
  ASSERT_EQ(assignment.outcome, LayoutAssignment::Outcome::Optimal);
  EXPECT_EQ(problem.tiles[0].layouts[assignment.layouts[0]].getName(),
            "swizzle_128");
  EXPECT_EQ(assignment.cost, 1);
  // It has to fit.
  problem.maxBytes -= 1;
  assignment = assignLayouts(problem);
  EXPECT_EQ(assignment.outcome, LayoutAssignment::Outcome::Infeasible);
  EXPECT_EQ(problem.tiles[0].layouts[assignment.layouts[0]].getName(),
            "row_major");
}

TEST(LayoutAssignmentTest, RowMajorWhereNothingIsGained) {
  LayoutProblem problem;
  problem.tiles.push_back(
      {getCandidateLayouts({16, 64}, 2),
       {{TileView::getWhole({16, 64}), AccessPattern::getElements(4), 1}}});
  problem.maxBytes = 1 << 20;
  EXPECT_EQ(assignLayouts(problem).layouts[0], 0u);
}

/// Tiles that can't all have what they want, and one that can.
LayoutProblem makeCoupled(unsigned numTiles) {
  LayoutProblem problem;
  problem.together.emplace_back();
  for (unsigned tile = 0; tile <= numTiles; ++tile) {
    problem.tiles.push_back(
        {getCandidateLayouts({9, 64}, 2),
         {{TileView::getWhole({9, 64}),
           AccessPattern::getMatrices(/*dim=*/1, /*lineDim=*/0), 1}}});
    if (tile < numTiles)
      problem.together[0].push_back(tile);
  }
  problem.maxBytes = numTiles * (9 * 128 + 100);
  return problem;
}

TEST(LayoutAssignmentTest, FallsBackToTheFirst) {
  LayoutProblem problem = makeCoupled(3);
  LayoutAssignment assignment = assignLayouts(problem, /*timeLimitMs=*/0);
  EXPECT_EQ(assignment.outcome, LayoutAssignment::Outcome::GaveUp);
  for (unsigned tile = 0; tile < 3; ++tile)
    EXPECT_EQ(assignment.layouts[tile], 0u);
  EXPECT_GT(assignment.layouts[3], 0u);
  // With time it is better.
  LayoutAssignment best = assignLayouts(problem, /*timeLimitMs=*/60000);
  EXPECT_EQ(best.outcome, LayoutAssignment::Outcome::Optimal);
  EXPECT_LT(best.cost, assignment.cost);
}

TEST(LayoutAssignmentTest, TimeLimit) {
  LayoutProblem problem = makeCoupled(200);
  for (unsigned tile = 1; tile < 200; ++tile)
    for (unsigned layout = 0; layout < 4; ++layout)
      problem.exclusions.push_back(
          {tile, layout, tile - 1, (layout * 3 + tile) % 4});
  LayoutAssignment assignment = assignLayouts(problem, /*timeLimitMs=*/1);
  EXPECT_EQ(assignment.outcome, LayoutAssignment::Outcome::GaveUp);
  EXPECT_EQ(assignment.layouts.size(), 201u);
}

TEST(LayoutAssignmentTest, NoTiles) {
  LayoutProblem problem;
  problem.maxBytes = 0;
  EXPECT_EQ(assignLayouts(problem).outcome, LayoutAssignment::Outcome::Optimal);
}

} // namespace
