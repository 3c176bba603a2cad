//===- SquareSumTest.cpp --------------------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which sums of squares tensor cores compute, how warps share them, and that
// the cost model, which looks for them in graphs of the search, finds the same.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/SquareSum.h"
#include "BlockGraphTest.h"
#include "Mirage/BlockPlan/TensorCoreUse.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Dialect/Thread/Thread.h"
#include "Mirage/Mugraph/Conversion.h"

using namespace mirage;
using namespace mlir;

namespace {

class SquareSumTest : public BlockGraphTest {
protected:
  SquareSumTest() { context.loadDialect<thread::ThreadDialect>(); }

  /// A tile of rows and columns, whose squares are summed along a dimension.
  struct Sum {
    int64_t rows, cols;
    unsigned dim;
    std::string element;
    /// Whether the same iteration divides the tile by their roots; otherwise
    /// the loop adds them up.
    bool isRead = false;
    /// Whether the tile is the transpose of what is loaded.
    bool isTransposed = false;
  };

  /// A loop of four iterations. The search has squares as operators, the
  /// lowering as thread graphs.
  static std::string getText(const Sum &sum, bool inThreadGraph) {
    std::string text = R"(
func.func @f(%x: WHOLE) -> RESULT {
  %y = mirage_kernel.graph_defined (%x) grid <x = 1> : (WHOLE) -> RESULT {
  ^bb0(%X: WHOLE):
    %l = mirage_block.loop iterations 4 -> SUM {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> CUT> : WHOLE -> LOADED
      TRANSPOSE
      %q = SQUARES
      %s = mirage_block.sum %q dim DIM : (FULL) -> SUM
      USE
    }
    mirage_block.output_saver %l omap <x -> replica> : SUM -> RESULT
  }
  return %y : RESULT
})";
    const auto &[rows, cols, dim, element, isRead, isTransposed] = sum;
    auto getSizes = [](int64_t m, int64_t n, bool swaps = false) {
      if (swaps)
        std::swap(m, n);
      return "<" + std::to_string(m) + "x" + std::to_string(n) + "x";
    };
    std::string loaded = getSizes(rows, cols, isTransposed),
                whole = getSizes(dim ? rows : 4 * rows, dim ? 4 * cols : cols,
                                 isTransposed),
                tile = getSizes(rows, cols),
                result = dim ? getSizes(rows, 1) : getSizes(1, cols);
    unsigned cut = isTransposed ? 1 - dim : dim;
    replaceAll(
        text,
        {{"USE", isRead ? "%n = mirage_block.sqrt %s : (SUM) -> SUM\n"
                          "%d = mirage_block.div %v, %n : (TILE, SUM) -> FULL\n"
                          "%m = mirage_block.reduce_max %d dim DIM : (FULL) -> "
                          "SUM\n"
                          "mirage_block.accumulate max %m : SUM"
                        : "mirage_block.accumulate sum %s : SUM"},
         {"SQUARES", inThreadGraph
                         ? "mirage_block.graph_defined(%v) : (TILE) -> FULL {\n"
                           "^bb0(%a: FROM):\n"
                           "%b = mirage_thread.sqr %a : (FROM) -> TO\n"
                           "mirage_thread.yield %b : TO\n}"
                         : "mirage_block.sqr %v : (TILE) -> FULL"},
         {"TRANSPOSE", isTransposed
                           ? "%v = mirage_block.transpose %t permutation [1, "
                             "0] : (LOADED) -> TILE"
                           : ""},
         {"%v", isTransposed ? "%v" : "%t"},
         {"DIM", std::to_string(dim)},
         {"CUT", std::to_string(cut)},
         {"FROM", "!mirage.fragment" + tile + element + ">"},
         {"TO", "!mirage.fragment" + tile + "f32>"},
         {"TILE", "!mirage.tile" + tile + element + ">"},
         {"LOADED", "!mirage.tile" + loaded + element + ">"},
         {"FULL", "!mirage.tile" + tile + "f32>"},
         {"SUM", "!mirage.tile" + result + "f32>"},
         {"WHOLE", "tensor" + whole + element + ">"},
         {"RESULT", "tensor" + result + "f32>"}});
    return text;
  }

  std::optional<TensorCoreUse> getUse(const Sum &sum) {
    parse(getText(sum, /*inThreadGraph=*/true));
    return getTensorCoreUse(find<block::SumOp>());
  }
};

TEST_F(SquareSumTest, WarpsShareRowsAndDepth) {
  // Two tiles of 16 rows, and 16 steps, for four warps.
  std::optional<TensorCoreUse> use = getUse({32, 256, 1, "f16"});
  ASSERT_TRUE(use);
  EXPECT_TRUE(use->inRegisters);
  const MatmulPlan &plan = use->plan;
  EXPECT_TRUE(plan.isDiagonal);
  EXPECT_EQ(plan.products.front().kind, MatmulPlan::Kind::F16);
  EXPECT_EQ(plan.getStep(), 16);
  EXPECT_EQ(plan.rowWarps, 2);
  EXPECT_EQ(plan.depthWarps, 2);
  EXPECT_EQ(plan.colWarps, 1);
  EXPECT_EQ(plan.getNumTilesPerWarp(), 2);
  // Columns, of a depth of an odd number of eights.
  use = getUse({24, 40, 0, "bf16"});
  ASSERT_TRUE(use);
  EXPECT_EQ(use->plan.rows, 40);
  EXPECT_EQ(use->plan.getStep(), 8);
  EXPECT_EQ(use->plan.products.front().kind, MatmulPlan::Kind::BF16);
  EXPECT_EQ(use->plan.products.front().depth, 24);
  EXPECT_FALSE(getUse({32, 256, 1, "f32"}));
  EXPECT_FALSE(getUse({1, 256, 1, "f16"}));
  EXPECT_FALSE(getUse({32, 4, 1, "f16"}));
}

TEST_F(SquareSumTest, WarpsHaveWholeSumsOfAnIteration) {
  // Eight tiles of 16 rows for four warps.
  std::optional<TensorCoreUse> use =
      getUse({128, 64, 1, "f16", /*isRead=*/true});
  ASSERT_TRUE(use);
  EXPECT_FALSE(use->inRegisters);
  EXPECT_TRUE(use->plan.isDiagonal);
  EXPECT_EQ(use->plan.rowWarps, 4);
  EXPECT_EQ(use->plan.depthWarps, 1);
  use = getUse({64, 120, 0, "bf16", /*isRead=*/true});
  ASSERT_TRUE(use);
  EXPECT_EQ(use->plan.rows, 120);
  EXPECT_EQ(use->plan.rowWarps, 4);
  // Threads share what four warps can't, or is longer.
  EXPECT_TRUE(getUse({56, 256, 1, "f16", /*isRead=*/true}));
  EXPECT_FALSE(getUse({48, 256, 1, "f16", /*isRead=*/true}));
  EXPECT_FALSE(getUse({80, 256, 1, "f16", /*isRead=*/true}));
  EXPECT_FALSE(getUse({64, 264, 1, "f16", /*isRead=*/true}));
  EXPECT_FALSE(getUse({128, 64, 1, "f32", /*isRead=*/true}));
}

TEST_F(SquareSumTest, CostModelFindsTheSame) {
  TargetNumbers numbers(TargetAttr::lookup(&context, "sm_90a"));
  unsigned found = 0, others = 0;
  for (const char *element : {"f16", "bf16", "f32"})
    for (unsigned form = 0; form < 8; ++form)
      for (int64_t rows : {1, 2, 7, 8, 9, 16, 24, 100, 128, 144})
        for (int64_t cols : {1, 2, 8, 12, 16, 24, 120, 128, 1000}) {
          Sum sum{rows,
                  cols,
                  /*dim=*/form % 2,
                  element,
                  /*isRead=*/form / 2 % 2 != 0,
                  /*isTransposed=*/form / 4 != 0};
          SCOPED_TRACE(getText(sum, /*inThreadGraph=*/false));
          std::optional<TensorCoreUse> use = getUse(sum);
          ASSERT_FALSE(HasFatalFailure());
          parse(getText(sum, /*inThreadGraph=*/false));
          ASSERT_FALSE(HasFatalFailure());
          auto graph = importKernelGraph(find<func::FuncOp>());
          ASSERT_TRUE(succeeded(graph));
          KernelLoad load = getKernelLoad(*graph, graph->nodes[0], numbers);
          if (!use) {
            ++others;
            EXPECT_EQ(load.squareFlops, 0);
            continue;
          }
          ++found;
          // Instructions of 16 rows and 8 columns for each half of the rows.
          const MatmulPlan &plan = use->plan;
          const int64_t halves = plan.rows > 8 ? 2 : 1,
                        steps = plan.products.front().depth / plan.getStep();
          EXPECT_EQ(load.squareFlops, 4 * plan.getRowTiles() * halves * steps *
                                          2 * 16 * 8 * plan.getStep());
        }
  EXPECT_GT(found, 50u);
  EXPECT_GT(others, 50u);
}

} // namespace
