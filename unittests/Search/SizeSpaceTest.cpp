//===- SizeSpaceTest.cpp - The sizes that a structure leaves open ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/SizeSpace.h"
#include "GraphText.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Verify/Equivalence.h"
#include "SearchFixture.h"

using namespace mirage;
using Decision = SizeSpace::Decision;

namespace {

class SizeSpaceTest : public SearchFixture {
protected:
  /// The cheapest candidate of a program.
  SearchCandidate find(llvm::StringRef text) {
    reference = parse(text);
    SearchResult result = run(reference);
    EXPECT_FALSE(result.candidates.empty());
    return result.candidates.empty() ? SearchCandidate()
                                     : std::move(result.candidates.front());
  }

  double getCost(const KernelGraph &graph) const {
    return estimateCost(graph, options.target).nanoseconds;
  }

  KernelGraph reference;
};

constexpr const char *kSiluOfProduct = R"(
func.func @f(%x: tensor<16x1024xf16>, %w: tensor<1024x2048xf16>) -> tensor<16x2048xf16> {
  %a = mirage_kernel.matmul %x, %w : (tensor<16x1024xf16>, tensor<1024x2048xf16>) -> tensor<16x2048xf16>
  %b = mirage_kernel.silu %a : (tensor<16x2048xf16>) -> tensor<16x2048xf16>
  return %b : tensor<16x2048xf16>
})";

TEST_F(SizeSpaceTest, ChosenPointIsTheCandidate) {
  options.maxKernelOps = 1;
  SearchCandidate candidate = find(kSiluOfProduct);
  ASSERT_TRUE(candidate.sizes);
  const SizeSpace &space = *candidate.sizes;
  for (const Decision &decision : space.getDecisions()) {
    EXPECT_GT(decision.choices.size(), 1u);
    for (int64_t choice : decision.choices) {
      EXPECT_GT(choice, 1);
      EXPECT_EQ(decision.extent % choice, 0);
    }
  }
  auto graph = space.instantiate(space.getChosen());
  ASSERT_TRUE(graph);
  EXPECT_EQ(getText(*graph), getText(candidate.graph));
}

/// The search has ranked the same points, so that it comes first.
TEST_F(SizeSpaceTest, ChosenPointIsTheCheapest) {
  options.maxKernelOps = 1;
  SearchCandidate candidate = find(kSiluOfProduct);
  ASSERT_TRUE(candidate.sizes);
  auto ranked = candidate.sizes->rank(
      [&](const KernelGraph &graph) { return getCost(graph); }, 5);
  ASSERT_EQ(ranked.size(), 5u);
  EXPECT_EQ(ranked.front().cost, candidate.cost.nanoseconds);
  for (size_t i = 1; i < ranked.size(); ++i)
    EXPECT_LE(ranked[i - 1].cost, ranked[i].cost);
}

TEST_F(SizeSpaceTest, EveryPointIsEqualToTheProgram) {
  options.maxKernelOps = 1;
  SearchCandidate candidate = find(kSiluOfProduct);
  ASSERT_TRUE(candidate.sizes);
  EquivalenceChecker checker(reference, EquivalenceOptions());
  size_t points = 0, visited = 0;
  candidate.sizes->enumerate(
      [&](const SizeSpace::Point &, const KernelGraph &graph) {
        ++points;
        EXPECT_EQ(checker.check(graph).verdict, Verdict::Proved);
        return true;
      });
  EXPECT_GT(points, 4u);
  candidate.sizes->enumerate(
      [&](const SizeSpace::Point &, const KernelGraph &) {
        return ++visited < 3;
      });
  EXPECT_EQ(visited, 3u);
}

// 67 rows have no divisor between 16 and 64.
TEST_F(SizeSpaceTest, UnevenGridsAreEqualToTheProgram) {
  options.maxKernelOps = 1;
  SearchCandidate candidate = find(R"(
func.func @f(%x: tensor<67x64xf16>, %w: tensor<64x48xf16>) -> tensor<67x48xf16> {
  %a = mirage_kernel.matmul %x, %w : (tensor<67x64xf16>, tensor<64x48xf16>) -> tensor<67x48xf16>
  %b = mirage_kernel.silu %a : (tensor<67x48xf16>) -> tensor<67x48xf16>
  return %b : tensor<67x48xf16>
})");
  ASSERT_TRUE(candidate.sizes);
  EquivalenceChecker checker(reference, EquivalenceOptions());
  llvm::SmallVector<int64_t> choices;
  for (const Decision &decision : candidate.sizes->getDecisions())
    if (decision.extent == 67)
      choices = decision.choices;
  // Of 64 (48, so that the second has rows of its own), 32 and 16 rows.
  EXPECT_EQ(llvm::ArrayRef<int64_t>(choices),
            llvm::ArrayRef<int64_t>({2, 3, 5, 67}));
  std::set<int64_t> tiles;
  candidate.sizes->enumerate([&](const SizeSpace::Point &,
                                 const KernelGraph &graph) {
    EXPECT_EQ(checker.check(graph).verdict, Verdict::Proved);
    for (const BlockNode &node : graph.nodes[0].graph->nodes)
      if (node.kind == BlockNode::Kind::OutputSaver)
        tiles.insert(graph.nodes[0].graph->nodes[node.operands[0]].shape[0]);
    return true;
  });
  EXPECT_EQ(tiles, (std::set<int64_t>{1, 16, 32, 48}));
  // Four blocks of 17 rows would be possible, but are no choice.
  SizeSpace::Point point = candidate.sizes->getChosen();
  for (auto [size, decision] :
       llvm::zip(point, candidate.sizes->getDecisions()))
    if (decision.extent == 67)
      size = 4;
  EXPECT_FALSE(candidate.sizes->instantiate(point));
}

// Of 131 keys no tile of whole eights divides all; the loop cuts them all the
// same, so that sums are taken of each once.
TEST_F(SizeSpaceTest, UnevenLoopsAreEqualToTheProgram) {
  options.maxKernelOps = 1;
  SearchCandidate candidate = find(R"(
func.func @f(%x: tensor<16x64xf16>, %k: tensor<64x131xf32>, %v: tensor<131x64xf16>) -> tensor<16x64xf16> {
  %s = mirage_kernel.matmul %x, %k : (tensor<16x64xf16>, tensor<64x131xf32>) -> tensor<16x131xf32>
  %e = mirage_kernel.exp %s : (tensor<16x131xf32>) -> tensor<16x131xf32>
  %l = mirage_kernel.sum %e dim 1 : (tensor<16x131xf32>) -> tensor<16x1xf32>
  %p = mirage_kernel.div %e, %l : (tensor<16x131xf32>, tensor<16x1xf32>) -> tensor<16x131xf32>
  %o = mirage_kernel.matmul %p, %v : (tensor<16x131xf32>, tensor<131x64xf16>) -> tensor<16x64xf16>
  return %o : tensor<16x64xf16>
})");
  ASSERT_TRUE(candidate.sizes);
  llvm::SmallVector<int64_t> choices;
  for (const Decision &decision : candidate.sizes->getDecisions())
    if (decision.kind == Decision::Kind::Loop)
      choices = decision.choices;
  // Of 80 (as 128 in two), 48, 32 and 16 keys, 66 rounded up.
  EXPECT_EQ(llvm::ArrayRef<int64_t>(choices),
            llvm::ArrayRef<int64_t>({2, 3, 5, 9, 131}));
  EquivalenceChecker checker(reference, EquivalenceOptions());
  std::set<int64_t> tiles;
  candidate.sizes->enumerate(
      [&](const SizeSpace::Point &, const KernelGraph &graph) {
        EXPECT_EQ(checker.check(graph).verdict, Verdict::Proved);
        const BlockGraph &block = *graph.nodes[0].graph;
        for (const BlockNode &node : block.nodes)
          if (node.kind == BlockNode::Kind::InputIterator && node.fmap >= 0)
            tiles.insert(node.shape[node.fmap]);
        return true;
      });
  EXPECT_EQ(tiles, (std::set<int64_t>{1, 16, 32, 48, 80}));
}

TEST_F(SizeSpaceTest, InvalidPointsAreNoGraphs) {
  options.maxKernelOps = 1;
  SearchCandidate candidate = find(kSiluOfProduct);
  ASSERT_TRUE(candidate.sizes);
  const SizeSpace &space = *candidate.sizes;
  EXPECT_FALSE(space.instantiate({}));
  SizeSpace::Point point = space.getChosen();
  point[0] = 3; // divides no power of two
  EXPECT_FALSE(space.instantiate(point));
  point[0] = 0;
  EXPECT_FALSE(space.instantiate(point));
  // Whole rows and columns don't fit in a block.
  point = space.getChosen();
  for (auto [size, decision] : llvm::zip(point, space.getDecisions()))
    size = decision.choices.front();
  EXPECT_FALSE(space.instantiate(point));
}

/// A split is one decision, though two kernels have its number.
TEST_F(SizeSpaceTest, PartsOfASplitAreOneDecision) {
  options.maxKernelOps = 2;
  SearchCandidate candidate = find(R"(
func.func @f(%q: tensor<2x8x128xf16>, %k: tensor<2x128x65536xf16>, %v: tensor<2x65536x128xf16>) -> tensor<2x8x128xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<2x8x128xf16>, tensor<2x128x65536xf16>) -> tensor<2x8x65536xf16>
  %e = mirage_kernel.exp %s : (tensor<2x8x65536xf16>) -> tensor<2x8x65536xf16>
  %o = mirage_kernel.matmul %e, %v : (tensor<2x8x65536xf16>, tensor<2x65536x128xf16>) -> tensor<2x8x128xf16>
  %l = mirage_kernel.sum %e dim 2 : (tensor<2x8x65536xf16>) -> tensor<2x8x1xf32>
  %r = mirage_kernel.div %o, %l : (tensor<2x8x128xf16>, tensor<2x8x1xf32>) -> tensor<2x8x128xf16>
  return %r : tensor<2x8x128xf16>
})");
  ASSERT_TRUE(candidate.sizes);
  ASSERT_EQ(candidate.graph.nodes.size(), 2u);
  auto decisions = candidate.sizes->getDecisions();
  size_t splits = llvm::count_if(decisions, [](const Decision &decision) {
    return decision.kind == Decision::Kind::Split;
  });
  EXPECT_EQ(splits, 1u);
  auto graph = candidate.sizes->instantiate(candidate.sizes->getChosen());
  ASSERT_TRUE(graph);
  EXPECT_EQ(getText(*graph), getText(candidate.graph));
  for (const Decision &decision : decisions)
    EXPECT_NE(decision.getName(), "");
}

/// A grid's fourth dimension has a name, and shares its blocks with the third.
TEST_F(SizeSpaceTest, FourDimensions) {
  options.maxKernelOps = 1;
  SearchCandidate candidate = find(R"(
func.func @f(%x: tensor<4x4x4x4x2048xf16>) -> tensor<4x4x4x4x2048xf16> {
  %t = mirage_kernel.transpose %x permutation [3, 2, 1, 0, 4] : (tensor<4x4x4x4x2048xf16>) -> tensor<4x4x4x4x2048xf16>
  %e = mirage_kernel.exp %t : (tensor<4x4x4x4x2048xf16>) -> tensor<4x4x4x4x2048xf16>
  return %e : tensor<4x4x4x4x2048xf16>
})");
  ASSERT_TRUE(candidate.sizes);
  EXPECT_TRUE(llvm::any_of(candidate.sizes->getDecisions(),
                           [](const Decision &decision) {
                             return decision.getName() == "kernel 0: grid w";
                           }));
  auto graph = candidate.sizes->instantiate(candidate.sizes->getChosen());
  ASSERT_TRUE(graph);
  EXPECT_EQ(getText(*graph), getText(candidate.graph));
}

TEST(GridSizes, FourthDimensionIsInZ) {
  EXPECT_EQ(getLaunchSizes({2}), (std::array<int64_t, 3>{2, 1, 1}));
  EXPECT_EQ(getLaunchSizes({2, 3, 4, 5}), (std::array<int64_t, 3>{2, 3, 20}));
  EXPECT_TRUE(canLaunch({2147483647, 65535, 257, 255}));
  EXPECT_FALSE(canLaunch({1, 1, 256, 256}));
  EXPECT_FALSE(canLaunch({1, 65536}));
}

} // namespace
