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

  /// What becomes of the sums of squares: the loop adds them up, or divides the
  /// tile by their roots in the same iteration.
  enum class Use { Summed, Read };

  /// A loop of four iterations, each of a tile of rows and columns, whose
  /// squares are summed along a dimension. The search has squares as operators,
  /// the lowering as thread graphs.
  static std::string getText(int64_t rows, int64_t cols, unsigned dim,
                             const std::string &element, Use use,
                             bool inThreadGraph) {
    std::string text = R"(
func.func @f(%x: WHOLE) -> RESULT {
  %y = mirage_kernel.graph_defined (%x) grid <x = 1> : (WHOLE) -> RESULT {
  ^bb0(%X: WHOLE):
    %l = mirage_block.loop iterations 4 -> SUM {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> DIM> : WHOLE -> TILE
      %q = SQUARES
      %s = mirage_block.sum %q dim DIM : (FULL) -> SUM
      USE
    }
    mirage_block.output_saver %l omap <x -> replica> : SUM -> RESULT
  }
  return %y : RESULT
})";
    auto getSizes = [&](int64_t m, int64_t n) {
      return "<" + std::to_string(m) + "x" + std::to_string(n) + "x";
    };
    std::string tile = getSizes(rows, cols),
                sum = dim ? getSizes(rows, 1) : getSizes(1, cols),
                whole =
                    dim ? getSizes(rows, 4 * cols) : getSizes(4 * rows, cols);
    replaceAll(
        text,
        {{"USE", use == Use::Summed
                     ? "mirage_block.accumulate sum %s : SUM"
                     : "%n = mirage_block.sqrt %s : (SUM) -> SUM\n"
                       "%d = mirage_block.div %t, %n : (TILE, SUM) -> FULL\n"
                       "%m = mirage_block.reduce_max %d dim DIM : (FULL) -> "
                       "SUM\n"
                       "mirage_block.accumulate max %m : SUM"},
         {"SQUARES", inThreadGraph
                         ? "mirage_block.graph_defined(%t) : (TILE) -> FULL {\n"
                           "^bb0(%a: FROM):\n"
                           "%b = mirage_thread.sqr %a : (FROM) -> TO\n"
                           "mirage_thread.yield %b : TO\n}"
                         : "mirage_block.sqr %t : (TILE) -> FULL"},
         {"DIM", std::to_string(dim)},
         {"FROM", "!mirage.fragment" + tile + element + ">"},
         {"TO", "!mirage.fragment" + tile + "f32>"},
         {"TILE", "!mirage.tile" + tile + element + ">"},
         {"FULL", "!mirage.tile" + tile + "f32>"},
         {"SUM", "!mirage.tile" + sum + "f32>"},
         {"WHOLE", "tensor" + whole + element + ">"},
         {"RESULT", "tensor" + sum + "f32>"}});
    return text;
  }

  std::optional<TensorCoreUse> getUse(int64_t rows, int64_t cols, unsigned dim,
                                      const std::string &element,
                                      Use use = Use::Summed) {
    parse(getText(rows, cols, dim, element, use, /*inThreadGraph=*/true));
    return getTensorCoreUse(find<block::SumOp>());
  }
};

TEST_F(SquareSumTest, WarpsShareRowsAndDepth) {
  // Two tiles of 16 rows, and 16 steps, for four warps.
  std::optional<TensorCoreUse> use = getUse(32, 256, 1, "f16");
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
  use = getUse(24, 40, 0, "bf16");
  ASSERT_TRUE(use);
  EXPECT_EQ(use->plan.rows, 40);
  EXPECT_EQ(use->plan.getStep(), 8);
  EXPECT_EQ(use->plan.products.front().kind, MatmulPlan::Kind::BF16);
  EXPECT_EQ(use->plan.products.front().depth, 24);
  EXPECT_FALSE(getUse(32, 256, 1, "f32"));
  EXPECT_FALSE(getUse(1, 256, 1, "f16"));
  EXPECT_FALSE(getUse(32, 4, 1, "f16"));
}

TEST_F(SquareSumTest, WarpsHaveWholeSumsOfAnIteration) {
  // Eight tiles of 16 rows for four warps.
  std::optional<TensorCoreUse> use = getUse(128, 64, 1, "f16", Use::Read);
  ASSERT_TRUE(use);
  EXPECT_FALSE(use->inRegisters);
  EXPECT_TRUE(use->plan.isDiagonal);
  EXPECT_EQ(use->plan.rowWarps, 4);
  EXPECT_EQ(use->plan.depthWarps, 1);
  // Five tiles, which one warp has, with all of the depth.
  use = getUse(64, 80, 0, "bf16", Use::Read);
  ASSERT_TRUE(use);
  EXPECT_EQ(use->plan.rows, 80);
  EXPECT_EQ(use->plan.getActiveWarps(), 1);
  // Threads share what is fewer lines, or longer ones.
  EXPECT_TRUE(getUse(64, 256, 1, "f16", Use::Read));
  EXPECT_FALSE(getUse(56, 256, 1, "f16", Use::Read));
  EXPECT_FALSE(getUse(64, 264, 1, "f16", Use::Read));
  EXPECT_FALSE(getUse(128, 64, 1, "f32", Use::Read));
}

TEST_F(SquareSumTest, CostModelFindsTheSame) {
  TargetNumbers numbers(TargetAttr::lookup(&context, "sm_90a"));
  unsigned found = 0, others = 0;
  for (const char *element : {"f16", "bf16", "f32"})
    for (auto [of, dim] : {std::pair(Use::Summed, 0u),
                           {Use::Summed, 1u},
                           {Use::Read, 0u},
                           {Use::Read, 1u}})
      for (int64_t rows : {1, 2, 7, 8, 9, 16, 24, 100, 128, 144})
        for (int64_t cols : {1, 2, 8, 12, 16, 24, 120, 128, 1000}) {
          SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols) +
                       " " + element + " along " + std::to_string(dim) +
                       (of == Use::Summed ? ", summed" : ", read"));
          std::optional<TensorCoreUse> use =
              getUse(rows, cols, dim, element, of);
          ASSERT_FALSE(HasFatalFailure());
          parse(getText(rows, cols, dim, element, of, /*inThreadGraph=*/false));
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
