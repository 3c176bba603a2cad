//===- ClustersTest.cpp - Which blocks share what they load ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/Clusters.h"
#include "BlockGraphTest.h"

using namespace mirage;

namespace {

/// Of an H200.
constexpr int64_t kMultiprocessors = 132;

class ClustersTest : public BlockGraphTest {
protected:
  /// The size of the cluster of a kernel whose blocks each load tiles of
  /// `shared` rows that are the same for all of them, and of `own` that are
  /// not, in each of 4 iterations; 1 if there is none.
  int64_t choose(int64_t blocks, int64_t shared, int64_t own,
                 int64_t numMultiprocessors = kMultiprocessors) {
    auto str = [](int64_t number) { return std::to_string(number); };
    std::string a = "tensor<" + str(4 * shared) + "x64xf16>",
                b = "tensor<" + str(4 * own) + "x" + str(64 * blocks) + "xf16>",
                c = "tensor<1x" + str(64 * blocks) + "xf32>";
    std::string s = "!mirage.tile<" + str(shared) + "x64xf16>",
                o = "!mirage.tile<" + str(own) + "x64xf16>",
                row = "!mirage.tile<1x64xf32>";
    parse("func.func @f(%a: " + a + ", %b: " + b + ") -> " + c +
          " {\n%r = mirage_kernel.graph_defined (%a, %b) grid <x = " +
          str(blocks) + "> : (" + a + ", " + b + ") -> " + c +
          " {\n^bb0(%A: " + a + ", %B: " + b +
          "):\n%l:2 = mirage_block.loop iterations 4 -> " + row + ", " + row +
          " attributes {mirage.producer_warp} {\n"
          "%s = mirage_block.input_iterator %A imap <x -> replica> fmap <i -> "
          "0> : " +
          a + " -> " + s +
          "\n%o = mirage_block.input_iterator %B imap <x -> 1> fmap <i -> 0> "
          ": " +
          b + " -> " + o + "\n%p = mirage_block.sum %s dim 0 : (" + s +
          ") -> " + row + "\n%q = mirage_block.sum %o dim 0 : (" + o + ") -> " +
          row + "\nmirage_block.accumulate sum %p, sum %q : " + row + ", " +
          row + "\n}\n%t = mirage_block.add %l#0, %l#1 : (" + row + ", " + row +
          ") -> " + row + "\nmirage_block.output_saver %t omap <x -> 1> : " +
          row + " -> " + c + "\n}\nreturn %r : " + c + "\n}");
    auto kernel = find<BlockGraphOpInterface>();
    std::optional<BlockCluster> cluster =
        chooseCluster(kernel, numMultiprocessors);
    return cluster ? cluster->size : 1;
  }
};

TEST_F(ClustersTest, AQuarterOfWhatIsLoaded) {
  // Four blocks spare 3/4 of what they share: just a quarter of all.
  EXPECT_EQ(choose(8, 32, 64), 4);
  EXPECT_EQ(choose(8, 32, 72), 1);
  // Two spare a half.
  EXPECT_EQ(choose(2, 32, 32), 2);
  EXPECT_EQ(choose(2, 32, 40), 1);
}

TEST_F(ClustersTest, DivideTheGrid) {
  EXPECT_EQ(choose(6, 64, 8), 2);
  EXPECT_EQ(choose(7, 64, 8), 1);
}

TEST_F(ClustersTest, NoMoreRounds) {
  // Clusters of four surely run on 113 of 132 multiprocessors, pairs on all.
  EXPECT_EQ(choose(112, 64, 8), 4);
  EXPECT_EQ(choose(116, 64, 8), 2);
  EXPECT_EQ(choose(132, 64, 8), 2);
  // Three rounds in any case.
  EXPECT_EQ(choose(264, 64, 8), 2);
  EXPECT_EQ(choose(268, 64, 8), 4);
  EXPECT_EQ(choose(336, 64, 8), 4);
  EXPECT_EQ(choose(8, 64, 8, 10), 4);
}

// Blocks along z follow each other, along w they don't.
TEST(Clusters, NoneAlongTheFourthDimension) {
  auto choose = [](unsigned shared) {
    return chooseCluster(
        {1, 1, 4, 4},
        [&](int64_t) {
          BulkLoads loads;
          loads.loaded = loads.shared[shared] = 1024;
          return loads;
        },
        kMultiprocessors);
  };
  std::optional<BlockCluster> along = choose(2);
  ASSERT_TRUE(along);
  EXPECT_EQ(along->dim, 2u);
  EXPECT_EQ(along->size, 4);
  EXPECT_FALSE(choose(3));
}

} // namespace
