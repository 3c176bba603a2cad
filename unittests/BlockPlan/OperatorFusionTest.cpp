//===- OperatorFusionTest.cpp - Tests of elementwise operators in groups --===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/OperatorFusion.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace mirage;

namespace {

using Groups = llvm::SmallVector<unsigned>;

std::pair<int64_t, unsigned> getCost(const OperatorFusion &fusion) {
  return {fusion.storedBytes, fusion.numGroups};
}

bool canFuse(const FusionProblem &problem, unsigned a, unsigned b) {
  return problem[a].kind && problem[a].kind == problem[b].kind;
}

/// Whether reads among operators that can be fused connect each group.
bool areConnected(const FusionProblem &problem,
                  llvm::ArrayRef<unsigned> groups) {
  // The least operator that each is connected with.
  Groups least;
  for (unsigned op = 0; op < problem.size(); ++op)
    least.push_back(op);
  for (unsigned round = 0; round < problem.size(); ++round)
    for (unsigned op = 0; op < problem.size(); ++op)
      for (unsigned operand : problem[op].operands)
        if (groups[op] == groups[operand] && canFuse(problem, op, operand))
          least[op] = least[operand] = std::min(least[op], least[operand]);
  for (unsigned a = 0; a < problem.size(); ++a)
    for (unsigned b = 0; b < a; ++b)
      if (groups[a] == groups[b] && least[a] != least[b])
        return false;
  return true;
}

/// Whether groups can run one after the other.
bool haveOrder(const FusionProblem &problem, llvm::ArrayRef<unsigned> groups) {
  std::set<unsigned> waiting(groups.begin(), groups.end());
  while (!waiting.empty()) {
    auto next = llvm::find_if(waiting, [&](unsigned group) {
      for (unsigned op = 0; op < problem.size(); ++op)
        for (unsigned operand : problem[op].operands)
          if (groups[op] == group && groups[operand] != group &&
              waiting.count(groups[operand]))
            return false;
      return true;
    });
    if (next == waiting.end())
      return false;
    waiting.erase(next);
  }
  return true;
}

bool areValid(const FusionProblem &problem, llvm::ArrayRef<unsigned> groups) {
  return areConnected(problem, groups) && haveOrder(problem, groups);
}

/// The best of all partitions of the operators.
OperatorFusion tryAll(const FusionProblem &problem) {
  OperatorFusion best;
  bool found = false;
  Groups groups;
  auto extend = [&](auto &self) -> void {
    unsigned op = groups.size();
    if (op == problem.size()) {
      if (!areValid(problem, groups))
        return;
      OperatorFusion fusion = evaluateFusion(problem, groups);
      if (!found || getCost(fusion) < getCost(best))
        best = fusion;
      found = true;
      return;
    }
    for (unsigned group = 0; group <= op; ++group) {
      if (group < op && groups[group] != group)
        continue;
      groups.push_back(group);
      self(self);
      groups.pop_back();
    }
  };
  extend(extend);
  return best;
}

/// One read after the other, wherever the groups stay valid.
OperatorFusion fuseGreedily(const FusionProblem &problem) {
  Groups groups;
  for (unsigned op = 0; op < problem.size(); ++op)
    groups.push_back(op);
  for (unsigned op = 0; op < problem.size(); ++op)
    for (unsigned operand : problem[op].operands) {
      if (!canFuse(problem, op, operand))
        continue;
      Groups merged = groups;
      for (unsigned &group : merged)
        if (group == groups[op])
          group = groups[operand];
      if (areValid(problem, merged))
        groups = merged;
    }
  return evaluateFusion(problem, groups);
}

FusionProblem makeRandomProblem(std::mt19937 &generator, unsigned minOps,
                                unsigned maxOps) {
  auto pick = [&](unsigned low, unsigned high) {
    return std::uniform_int_distribution<unsigned>(low, high)(generator);
  };
  FusionProblem problem;
  unsigned count = pick(minOps, maxOps);
  bool isUniform = pick(0, 1);
  for (unsigned reader = 0; reader < count; ++reader) {
    FusionOperator op;
    // One of three operators isn't elementwise, or has another shape.
    if (unsigned kind = pick(0, 5))
      op.kind = kind == 1;
    op.bytes = op.kind ? 16 * (isUniform ? 4 : pick(1, 8)) : 0;
    op.isStored = pick(0, 5) == 0;
    op.isHandedOn = pick(0, 5) == 0;
    op.isFolded = op.kind && !op.isHandedOn && pick(0, 3) == 0;
    for (unsigned operands = reader ? pick(1, 2) : 0; operands > 0; --operands)
      op.operands.push_back(pick(reader > 5 ? reader - 5 : 0, reader - 1));
    problem.push_back(op);
  }
  return problem;
}

TEST(OperatorFusionTest, AgreesWithTryingAll) {
  std::mt19937 generator(1);
  unsigned better = 0;
  for (unsigned trial = 0; trial < 1500; ++trial) {
    FusionProblem problem = makeRandomProblem(generator, 2, 8);
    OperatorFusion fusion = fuseOperators(problem);
    EXPECT_TRUE(fusion.isOptimal);
    EXPECT_TRUE(areValid(problem, fusion.groups)) << trial;
    EXPECT_EQ(getCost(fusion), getCost(evaluateFusion(problem, fusion.groups)));
    EXPECT_EQ(getCost(fusion), getCost(tryAll(problem))) << trial;
    // The greedy one, if that is as good.
    OperatorFusion greedy = fuseGreedily(problem);
    if (getCost(fusion) == getCost(greedy))
      EXPECT_EQ(fusion.groups, greedy.groups) << trial;
    else
      ++better;
  }
  EXPECT_GT(better, 20u);
}

TEST(OperatorFusionTest, IsNeverWorseThanGreedy) {
  std::mt19937 generator(2);
  unsigned given = 0;
  for (unsigned trial = 0; trial < 200; ++trial) {
    FusionProblem problem = makeRandomProblem(generator, 1, 40);
    OperatorFusion fusion = fuseOperators(problem, /*workLimit=*/2000);
    given += !fusion.isOptimal;
    EXPECT_TRUE(areValid(problem, fusion.groups));
    EXPECT_LE(getCost(fusion), getCost(fuseGreedily(problem)));
  }
  EXPECT_GT(given, 10u);
}

TEST(OperatorFusionTest, EmptyProblem) {
  OperatorFusion fusion = fuseOperators(FusionProblem());
  EXPECT_EQ(fusion.numGroups, 0u);
  EXPECT_TRUE(fusion.isOptimal);
}

/// An operator on elements of a tile.
FusionOperator onElements(Groups operands, int64_t bytes) {
  return {operands, /*kind=*/0, bytes, /*isStored=*/false};
}
/// One of another kind.
FusionOperator other(Groups operands) {
  return {operands, std::nullopt, 0, false};
}

/// What a sum alone reads (op 4) takes nothing apart from what is stored anyway
/// (op 1), also where there is no time to search for that.
TEST(OperatorFusionTest, KeepsWhatSumsComputeApart) {
  FusionProblem problem = {other({}),  onElements({0}, 64),    other({1}),
                           other({0}), onElements({1, 3}, 64), other({4})};
  problem[4].isFolded = true;
  for (int64_t workLimit : {0, 10'000'000}) {
    OperatorFusion fusion = fuseOperators(problem, workLimit);
    EXPECT_EQ(fusion.groups, (Groups{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(fusion.storedBytes, 64);
  }
  // With another result of its group it is stored.
  EXPECT_EQ(evaluateFusion(problem, {0, 1, 2, 3, 1, 5}).storedBytes, 128);
}

/// Op 0 is stored for op 2 anyway, which stands between it and the last two:
/// op 1 is better with those.
TEST(OperatorFusionTest, NotWithWhatIsStoredAnyway) {
  FusionProblem problem = {onElements({}, 64), onElements({0}, 64), other({0}),
                           onElements({1, 2}, 64), onElements({1, 2}, 64)};
  OperatorFusion greedy = fuseGreedily(problem);
  EXPECT_EQ(greedy.groups, (Groups{0, 0, 2, 3, 4}));
  EXPECT_EQ(greedy.storedBytes, 128);
  OperatorFusion fusion = fuseOperators(problem);
  EXPECT_EQ(fusion.groups, (Groups{0, 1, 2, 1, 1}));
  EXPECT_EQ(fusion.storedBytes, 64);
  EXPECT_EQ(fusion.numGroups, 2u);
}

/// Op 4 can't be with op 1, for which op 2 waits. What is stored between is the
/// result of op 0 or of op 3, whichever is smaller.
TEST(OperatorFusionTest, CutWhereLeastIsStored) {
  for (int64_t bytes : {16, 256}) {
    FusionProblem problem = {onElements({}, 64), onElements({0}, 64),
                             other({1}), onElements({0}, bytes),
                             onElements({3, 2}, 64)};
    OperatorFusion fusion = fuseOperators(problem);
    EXPECT_EQ(fusion.groups,
              bytes < 64 ? (Groups{0, 0, 2, 0, 4}) : (Groups{0, 0, 2, 3, 3}));
    EXPECT_EQ(fusion.storedBytes, 64 + std::min<int64_t>(bytes, 64));
  }
}

/// Each of two chains is convex, but both can't be groups.
TEST(OperatorFusionTest, GroupsDoNotWaitForEachOther) {
  FusionProblem problem = {
      onElements({}, 64), onElements({}, 64),     other({0}),
      other({1}),         onElements({0, 3}, 64), onElements({1, 2}, 64)};
  EXPECT_EQ(fuseOperators(problem).groups, (Groups{0, 1, 2, 3, 0, 5}));
}

} // namespace
