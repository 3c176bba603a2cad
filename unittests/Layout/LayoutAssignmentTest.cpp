//===- LayoutAssignmentTest.cpp - Tests of the choice of layouts ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Layout/LayoutAssignment.h"
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
               problem.tiles[tile].layouts[layouts[tile]].getBytes();
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
  unsigned infeasible = 0;
  for (unsigned trial = 0; trial < 40; ++trial) {
    LayoutProblem problem;
    problem.bytesPerTransaction = pick(1, 64);
    unsigned count = pick(1, 3);
    llvm::SmallVector<unsigned> all;
    int64_t least = 0;
    for (unsigned tile = 0; tile < count; ++tile) {
      llvm::SmallVector<int64_t> shape = {8 * pick(1, 2), 16 * pick(1, 4)};
      TileChoice choice{getCandidateLayouts(shape, 2), {}, pick(1, 3)};
      for (unsigned uses = pick(1, 2); uses > 0; --uses)
        choice.uses.push_back(
            {static_cast<AccessPattern>(pick(0, 4)), pick(1, 3)});
      least += choice.copies * choice.layouts[0].getBytes();
      problem.tiles.push_back(choice);
      all.push_back(tile);
    }
    problem.together = {all};
    problem.maxBytes = least + 16 * pick(0, 40);
    for (unsigned i = 0; i < 8; ++i) {
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
  }
  EXPECT_LT(infeasible, 30u);
}

TEST(LayoutAssignmentTest, SwizzleForLoadMatrix) {
  LayoutProblem problem;
  problem.tiles.push_back(
      {getCandidateLayouts({16, 64}, 2),
       {{AccessPattern::CopyRows, 1}, {AccessPattern::LoadMatrix, 1}},
       4});
  problem.together = {{0}};
  problem.maxBytes = 4 * 16 * 64 * 2;
  LayoutAssignment assignment = assignLayouts(problem);
  ASSERT_EQ(assignment.outcome, LayoutAssignment::Outcome::Optimal);
  EXPECT_EQ(problem.tiles[0].layouts[assignment.layouts[0]].str(),
            "row-major, swizzle 128");
  EXPECT_EQ(assignment.cost, 0);
  // It has to fit.
  problem.maxBytes -= 1;
  assignment = assignLayouts(problem);
  EXPECT_EQ(assignment.outcome, LayoutAssignment::Outcome::Infeasible);
  EXPECT_EQ(problem.tiles[0].layouts[assignment.layouts[0]].str(), "row-major");
}

TEST(LayoutAssignmentTest, FallsBackToTheFirst) {
  // Many tiles, and no time.
  LayoutProblem problem;
  problem.maxBytes = 1 << 20;
  problem.together.emplace_back();
  for (unsigned tile = 0; tile < 60; ++tile) {
    problem.tiles.push_back(
        {getCandidateLayouts({16, 64}, 2),
         {{AccessPattern::ReadColumns, 1}, {AccessPattern::ReadRows, 1}}});
    problem.together[0].push_back(tile);
    for (unsigned layout = 0; tile > 0 && layout < 8; ++layout)
      problem.exclusions.push_back({tile, layout, tile - 1, (layout * 3) % 8});
  }
  problem.maxBytes = 60 * 16 * 64 * 2 + 1000;
  LayoutAssignment assignment = assignLayouts(problem, /*timeLimitMs=*/1);
  EXPECT_EQ(assignment.outcome, LayoutAssignment::Outcome::GaveUp);
  EXPECT_EQ(assignment.layouts, llvm::SmallVector<unsigned>(60, 0));
}

TEST(LayoutAssignmentTest, NoTiles) {
  LayoutProblem problem;
  problem.maxBytes = 0;
  EXPECT_EQ(assignLayouts(problem).outcome, LayoutAssignment::Outcome::Optimal);
}

} // namespace
