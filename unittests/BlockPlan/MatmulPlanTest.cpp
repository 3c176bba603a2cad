//===- MatmulPlanTest.cpp - How products are spread over warps ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/MatmulPlan.h"
#include "BlockGraphTest.h"
#include "llvm/ADT/STLExtras.h"
#include <random>

using namespace mirage;
using Kind = MatmulPlan::Kind;

namespace {

class MatmulPlanTest : public BlockGraphTest {
protected:
  /// So many warps, each with room for 16 tiles.
  static MatmulUse warps(int64_t number) {
    return {number, /*maxTilesPerWarp=*/16};
  }

  /// The plan for a product of m x k and k x n in so many batches.
  std::optional<MatmulPlan> plan(int64_t batches, int64_t m, int64_t n,
                                 int64_t k, const MatmulUse &use,
                                 const std::string &lhs = "f16",
                                 const std::string &rhs = "f16") {
    auto getSizes = [&](int64_t rows, int64_t cols, const std::string &type) {
      return "<" + std::to_string(batches) + "x" + std::to_string(rows) + "x" +
             std::to_string(cols) + "x" + type + ">";
    };
    std::string a = getSizes(m, k, lhs), b = getSizes(k, n, rhs),
                c = getSizes(m, n, "f32");
    std::string text = R"(
func.func @f(%a: tensorA, %b: tensorB) -> tensorC {
  %o = mirage_kernel.graph_defined (%a, %b) grid <x = 1> : (tensorA, tensorB) -> tensorC {
  ^bb0(%x: tensorA, %y: tensorB):
    %l = mirage_block.input_iterator %x imap <x -> replica> : tensorA -> !mirage.tileA
    %r = mirage_block.input_iterator %y imap <x -> replica> : tensorB -> !mirage.tileB
    %p = mirage_block.matmul %l, %r : (!mirage.tileA, !mirage.tileB) -> !mirage.tileC
    mirage_block.output_saver %p omap <x -> replica> : !mirage.tileC -> tensorC
  }
  return %o : tensorC
})";
    for (auto [name, sizes] : {std::pair('A', a), {'B', b}, {'C', c}})
      for (const std::string &kind :
           {std::string("tensor"), std::string("tile")})
        for (size_t at; (at = text.find(kind + name)) != std::string::npos;)
          text.replace(at + kind.size(), 1, sizes);
    parse(text);
    return planMatmul(find<OperatorOpInterface>(), getType, use);
  }

  static mlir::Type getType(mlir::Value operand) {
    return mlir::getElementTypeOrSelf(operand.getType());
  }
};

TEST_F(MatmulPlanTest, ProductsOfOneTile) {
  std::optional<MatmulPlan> found = plan(1, 16, 8, 16, warps(1));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->swapped);
  EXPECT_EQ(found->rows, 16);
  EXPECT_EQ(found->cols, 8);
  EXPECT_EQ(found->getStep(), 16);
  ASSERT_EQ(found->products.size(), 1u);
  EXPECT_EQ(found->products[0].kind, Kind::F16);
  EXPECT_EQ(found->products[0].rowOperand, 0u);
  // Eight rows are columns.
  found = plan(1, 8, 16, 16, warps(1));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->swapped);
  EXPECT_EQ(found->rows, 16);
  EXPECT_EQ(found->products[0].rowOperand, 1u);
  EXPECT_EQ(found->getNumTilesPerWarp(), 1);
}

TEST_F(MatmulPlanTest, TypesDecide) {
  EXPECT_EQ(plan(1, 16, 8, 16, warps(1), "bf16", "bf16")->products[0].kind,
            Kind::BF16);
  for (auto [lhs, rhs] : {std::pair("f16", "f32"), std::pair("f32", "bf16"),
                          std::pair("f16", "bf16")})
    EXPECT_EQ(plan(1, 16, 8, 16, warps(1), lhs, rhs)->products[0].kind,
              Kind::TF32);
  // That would lose precision.
  EXPECT_FALSE(plan(1, 16, 8, 16, warps(1), "f32", "f32"));
}

TEST_F(MatmulPlanTest, StepsAreFilledUp) {
  // In eighths of the depth: two in a step if that leaves none over.
  for (auto [depth, step] : {std::pair<int64_t, int64_t>(1, 8),
                             {8, 8},
                             {9, 16},
                             {16, 16},
                             {20, 8},
                             {24, 8},
                             {32, 16}})
    EXPECT_EQ(plan(1, 16, 8, depth, warps(1))->getStep(), step) << depth;
}

TEST_F(MatmulPlanTest, WarpsLoadAsLittleAsPossible) {
  // 4 x 8 tiles: a warp with 2 x 4 of them loads 2 times 512 and 4 times 256
  // bytes in a step, fewer than one with 1 x 8 or 4 x 2.
  std::optional<MatmulPlan> found = plan(1, 64, 64, 64, warps(4));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rowWarps, 2);
  EXPECT_EQ(found->colWarps, 2);
  EXPECT_EQ(found->depthWarps, 1);
  EXPECT_EQ(found->getScratchBytes(), 0);
  // Batches share nothing.
  found = plan(4, 16, 8, 64, warps(4));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->batchWarps, 4);
  // Where there is one tile, warps share the depth: each but one leaves its sum
  // in shared memory.
  found = plan(1, 16, 8, 1024, warps(4));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->depthWarps, 4);
  EXPECT_EQ(found->getScratchBytes(), 3 * 16 * 8 * 4);
  // With few steps, adding up takes longer than what is spared.
  EXPECT_EQ(plan(1, 16, 8, 32, warps(4))->depthWarps, 1);
  EXPECT_EQ(plan(1, 16, 8, 64, warps(4))->depthWarps, 2);
}

TEST_F(MatmulPlanTest, RegistersLimitTiles) {
  MatmulUse use = warps(1);
  use.maxTilesPerWarp = 4;
  EXPECT_TRUE(plan(1, 32, 16, 16, use));
  EXPECT_FALSE(plan(1, 32, 24, 16, use));
  use.numWarps = 3;
  EXPECT_EQ(plan(1, 32, 24, 16, use)->colWarps, 3);
  // How many are computed at a time: fewer where remainders take registers.
  MatmulPlan found = *plan(1, 32, 64, 16, warps(1));
  EXPECT_EQ(found.getTilesAtOnce(), std::pair(int64_t(2), int64_t(4)));
  found.keepsRemainders = true;
  EXPECT_EQ(found.getTilesAtOnce(), std::pair(int64_t(2), int64_t(2)));
  EXPECT_EQ(plan(1, 16, 64, 16, warps(1))->getTilesAtOnce(),
            std::pair(int64_t(1), int64_t(8)));
}

TEST_F(MatmulPlanTest, Warpgroups) {
  MatmulUse use = warps(4);
  use.inWarpgroups = true;
  use.maxTilesPerWarp = 32;
  std::optional<MatmulPlan> found = plan(1, 64, 8, 16, use);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rowWarps, 4);
  EXPECT_EQ(found->getRowTileStride(), 4);
  // Rows and columns change places where that makes 64 rows.
  found = plan(1, 8, 64, 16, use);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->swapped);
  // At most 256 columns, and no depth of 8 or that is not f16 or bf16.
  EXPECT_TRUE(plan(1, 64, 256, 16, use));
  EXPECT_FALSE(plan(1, 64, 264, 16, use));
  EXPECT_FALSE(plan(1, 48, 40, 16, use));
  EXPECT_FALSE(plan(1, 64, 64, 24, use));
  EXPECT_FALSE(plan(1, 64, 64, 20, use));
  EXPECT_FALSE(plan(1, 64, 64, 16, use, "f16", "f32"));
  // Two groups begin with panels of 64 columns, or divide the rows.
  use.numWarps = 8;
  EXPECT_EQ(plan(1, 64, 128, 16, use)->colWarps, 2);
  EXPECT_EQ(plan(1, 64, 96, 16, use)->colWarps, 1);
  EXPECT_EQ(plan(1, 128, 8, 16, use)->rowWarps, 8);
}

TEST_F(MatmulPlanTest, WarpgroupsShareTheDepthAtTheEndOfAChain) {
  // Two groups of four warps, with a part of the depth each.
  MatmulUse use = warps(8);
  use.inWarpgroups = true;
  use.endsChain = true;
  use.chainParts = 2;
  // Steps of 16, if the depth goes through rows of memory.
  use.groupUnit = 8;
  std::optional<MatmulPlan> found = plan(1, 64, 64, 32, use);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->depthWarps, 2);
  EXPECT_EQ(found->rowWarps, 4);
  EXPECT_EQ(found->colWarps, 1);
  EXPECT_FALSE(plan(1, 64, 64, 48, use));
  EXPECT_FALSE(plan(1, 32, 64, 32, use));
  // Whole panels if it is next to each other.
  use.groupUnit = 64;
  EXPECT_FALSE(plan(1, 64, 64, 32, use));
  EXPECT_TRUE(plan(1, 64, 64, 128, use));
  // The first product's depth is not shared, nor is one of no chain.
  use.endsChain = false;
  use.groupUnit = 8;
  found = plan(1, 64, 64, 32, use);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->depthWarps, 1);
  EXPECT_EQ(found->colWarps, 2);
  use.chainParts = 0;
  EXPECT_EQ(plan(1, 64, 64, 128, use)->depthWarps, 1);
}

/// What every plan has to be.
TEST_F(MatmulPlanTest, RandomPlansFit) {
  std::mt19937 generator(5);
  auto pick = [&](std::initializer_list<int64_t> from) {
    std::uniform_int_distribution<size_t> any(0, from.size() - 1);
    return from.begin()[any(generator)];
  };
  for (unsigned trial = 0; trial < 200; ++trial) {
    int64_t batches = pick({1, 2, 6}), m = pick({1, 8, 16, 40, 64, 128}),
            n = pick({1, 8, 24, 64, 256}), k = pick({4, 16, 24, 64, 512});
    MatmulUse use = warps(pick({1, 2, 4, 6, 8}));
    use.iterations = pick({1, 1, 8});
    use.maxTilesPerWarp = pick({2, 8, 32, 1000});
    use.inWarpgroups = trial % 2;
    SCOPED_TRACE(testing::Message()
                 << batches << " x " << m << " x " << n << " x " << k << ", "
                 << use.numWarps << " warps, " << use.maxTilesPerWarp
                 << " tiles");
    std::optional<MatmulPlan> found = plan(batches, m, n, k, use);
    if (!found) {
      // One warp could do it all if registers allow.
      EXPECT_TRUE(use.inWarpgroups || use.maxTilesPerWarp < 1000);
      continue;
    }
    EXPECT_LE(found->getActiveWarps(), use.numWarps);
    EXPECT_LE(found->getNumTilesPerWarp(), use.maxTilesPerWarp);
    EXPECT_EQ(found->batches % found->batchWarps, 0);
    EXPECT_EQ(found->getRowTiles() % found->rowWarps, 0);
    EXPECT_EQ(found->getColTiles() % found->colWarps, 0);
    EXPECT_EQ(found->rows * found->cols * found->batches, batches * m * n);
    EXPECT_LE(found->depthWarps, llvm::divideCeil(k, found->getStep()));
    if (use.inWarpgroups) {
      EXPECT_EQ(found->rows % 64, 0);
      EXPECT_EQ(found->rowWarps % 4, 0);
    } else {
      // Never more tiles than the other way round.
      EXPECT_LE(found->getRowTiles() * found->getColTiles(),
                llvm::divideCeil(found->cols, 16) *
                    llvm::divideCeil(found->rows, 8));
    }
  }
}

} // namespace
