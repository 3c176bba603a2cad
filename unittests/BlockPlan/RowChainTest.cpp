//===- RowChainTest.cpp ---------------------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which loops and graphs without one have row chains, and that the cost model,
// which looks for them in graphs of the search, finds the same.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/RowChain.h"
#include "BlockGraphTest.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mirage;
using namespace mlir;

namespace {

/// What a loop, or a graph without one, does between two products, and with
/// what they make.
struct Variant {
  const char *name;
  /// Behind the first product, %s, up to %p, which the last one takes.
  std::string between;
  /// Beside the last product, %r, which is the first accumulator.
  const char *accumulators;
  /// The types of the others, and of all, as the loop's results.
  const char *types, *results;
};

constexpr const char *kSafe = R"(
      %m = mirage_block.reduce_max %s dim 1 : (FULL) -> ROW
      %d = mirage_block.sub %s, %m : (FULL, ROW) -> FULL
      %p = mirage_block.exp %d : (FULL) -> FULL
      %t = mirage_block.sum %p dim 1 : (FULL) -> ROW)";

const Variant kVariants[] = {
    {"plain", "\n      %p = mirage_block.exp %s : (FULL) -> FULL", "sum %r",
     "OUT", "OUT"},
    {"rows", R"(
      %p = mirage_block.exp %s : (FULL) -> FULL
      %t = mirage_block.sum %p dim 1 : (FULL) -> ROW)",
     "sum %r, sum %t", "OUT, ROW", "OUT, ROW"},
    {"safe", kSafe, "rescaled_sum %r by %m, rescaled_sum %t by %m, max %m",
     "OUT by ROW, ROW by ROW, ROW", "OUT, ROW, ROW"},
    // The maximum is read for something else than differences.
    {"seen", R"(
      %m = mirage_block.reduce_max %s dim 1 : (FULL) -> ROW
      %d = mirage_block.sub %s, %m : (FULL, ROW) -> FULL
      %e = mirage_block.exp %d : (FULL) -> FULL
      %p = mirage_block.mul %e, %m : (FULL, ROW) -> FULL)",
     "rescaled_sum %r by %m", "OUT by ROW", "OUT"},
    // Sums are read for something else than to be added up, which can be
    // behind a chain that is in no loop.
    {"computed", std::string(kSafe) + R"(
      %u = mirage_block.sqr %t : (ROW) -> ROW)",
     "rescaled_sum %r by %m, sum %u", "OUT by ROW, ROW", "OUT, ROW"},
    // A maximum that is raised before it is subtracted.
    {"raised", R"(
      %m0 = mirage_block.reduce_max %s dim 1 : (FULL) -> ROW
      %m = mirage_block.sqr %m0 : (ROW) -> ROW
      %d = mirage_block.sub %s, %m : (FULL, ROW) -> FULL
      %p = mirage_block.exp %d : (FULL) -> FULL
      %t = mirage_block.sum %p dim 1 : (FULL) -> ROW)",
     "sum %r, sum %t", "OUT, ROW", "OUT, ROW"},
    // What the last product multiplies is made of the chain's rows.
    {"circle", std::string(kSafe) + R"(
      %u = mirage_block.sum %t dim 0 : (ROW) -> ONE
      %c = mirage_block.mul %c0, %u : (V, ONE) -> V)",
     "rescaled_sum %r by %m, rescaled_sum %t by %m", "OUT by ROW, ROW by ROW",
     "OUT, ROW"},
    // It is rounded.
    {"rounded", R"(
      %m = mirage_block.reduce_max %s dim 1 : (FULL) -> ROW
      %h = mirage_block.add %s, %s : (FULL, FULL) -> HALF
      %d = mirage_block.sub %h, %m : (HALF, ROW) -> FULL
      %p = mirage_block.exp %d : (FULL) -> FULL)",
     "rescaled_sum %r by %m", "OUT by ROW", "OUT"},
    // Two maxima.
    {"two", std::string(kSafe) + R"(
      %n = mirage_block.reduce_max %p dim 1 : (FULL) -> ROW)",
     "rescaled_sum %r by %m, rescaled_sum %t by %n", "OUT by ROW, ROW by ROW",
     "OUT, ROW"},
    // All of the scores are added up.
    {"scores", "\n      %p = mirage_block.exp %s : (FULL) -> FULL",
     "sum %r, sum %s", "OUT, FULL", "OUT, FULL"},
    // Columns are.
    {"columns", R"(
      %p = mirage_block.exp %s : (FULL) -> FULL
      %t = mirage_block.sum %p dim 0 : (FULL) -> COLUMN)",
     "sum %r, sum %t", "OUT, COLUMN", "OUT, COLUMN"},
    // Of two products.
    {"products", R"(
      %s2 = mirage_block.matmul %a, %b : (Q, K) -> FULL
      %p = mirage_block.mul %s, %s2 : (FULL, FULL) -> FULL)",
     "sum %r", "OUT", "OUT"},
    // Two products of what is computed, one of which begins with another one,
    // too: gradients of values and keys.
    {"gradients", R"(
      %s2 = mirage_block.matmul %a, %b : (Q, K) -> FULL
      %p = mirage_block.exp %s : (FULL) -> FULL
      %p2 = mirage_block.mul %p, %s2 : (FULL, FULL) -> FULL
      %r2 = mirage_block.matmul %p2, %c : (FULL, V) -> OUT)",
     "sum %r, sum %r2", "OUT, OUT", "OUT, OUT"},
    {"maximum of two", std::string(kSafe) + R"(
      %r2 = mirage_block.matmul %d, %c : (FULL, V) -> OUT)",
     "rescaled_sum %r by %m, rescaled_sum %r2 by %m", "OUT by ROW, OUT by ROW",
     "OUT, OUT"},
    // Another product is computed with.
    {"squared product", R"(
      %p = mirage_block.exp %s : (FULL) -> FULL
      %r1 = mirage_block.matmul %p, %c : (FULL, V) -> OUT
      %r2 = mirage_block.sqr %r1 : (OUT) -> OUT)",
     "sum %r, sum %r2", "OUT, OUT", "OUT, OUT"},
    // Of a sum of two.
    {"joined", R"(
      %s2 = mirage_block.concat_matmul %a, %a, %b, %b : (Q, Q, K, K) -> FULL
      %p = mirage_block.exp %s2 : (FULL) -> FULL)",
     "sum %r", "OUT", "OUT"},
    // Sums are kept apart.
    {"concatenated", "\n      %p = mirage_block.exp %s : (FULL) -> FULL",
     "sum %r, concat %s dim 1", "OUT, FULL", "OUT, ALL"},
};

class RowChainTest : public BlockGraphTest {
protected:
  /// The pass makes a chain without a loop the same in one.
  void expectMoves(const RowChain &chain) {
    const int64_t parts = chain.parts;
    const bool mayShift = chain.mayShiftMaximum;
    const unsigned numOps = chain.ops.size();
    PassManager pm(&context);
    pm.addNestedPass<func::FuncOp>(createChainProducts());
    ASSERT_TRUE(succeeded(pm.run(*module)));
    auto loop = find<block::LoopOp>();
    ASSERT_TRUE(hasRowChain(loop));
    std::optional<RowChain> moved = getRowChain(loop);
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->parts, parts);
    EXPECT_EQ(moved->mayShiftMaximum, mayShift);
    EXPECT_EQ(moved->ops.size(), numOps);
  }

  /// `iterations`: 0 without a loop.
  static std::string getText(const Variant &variant, int64_t rows, int64_t cols,
                             int64_t outCols, int64_t iterations) {
    std::string m = std::to_string(rows), n = std::to_string(cols),
                o = std::to_string(outCols),
                all = std::to_string(std::max<int64_t>(iterations, 1) * cols);
    auto tile = [](const std::string &shape, const char *type = "f32") {
      return "!mirage.tile<" + shape + "x" + type + ">";
    };
    std::string savers, tensors, values;
    SmallVector<StringRef> results, accumulators;
    StringRef(variant.results).split(results, ", ");
    StringRef(variant.accumulators).split(accumulators, ", ");
    for (auto [i, result] : llvm::enumerate(results)) {
      std::string shape = result == "OUT"      ? m + "x" + o
                          : result == "FULL"   ? m + "x" + n
                          : result == "ALL"    ? m + "x" + all
                          : result == "COLUMN" ? "1x" + n
                                               : m + "x1",
                  tensor = "tensor<" + shape + "xf32>",
                  number = results.size() > 1 ? "#" + std::to_string(i) : "";
      std::string saved =
          iterations > 0
              ? "%o" + number
              : accumulators[i].split(' ').second.take_front(2).str();
      savers += "    mirage_block.output_saver " + saved +
                " omap <x -> replica> : " + tile(shape) + " -> " + tensor +
                "\n";
      tensors += (i ? ", " : "") + tensor;
      values += (i ? ", " : "") + ("%y" + number);
    }
    std::string count =
        results.size() > 1 ? ":" + std::to_string(results.size()) : "";
    std::string text = R"(
func.func @f(%q: TQ, %k: TK, %v: TV) -> (TENSORS) {
  %yCOUNT = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (TQ, TK, TV) -> (TENSORS) {
  ^bb0(%Q: TQ, %K: TK, %V: TV):
    BEGIN
      %a = mirage_block.input_iterator %Q imap <x -> replica> FMAP<i -> replica> : TQ -> Q
      %b = mirage_block.input_iterator %K imap <x -> replica> FMAP<i -> 1> : TK -> K
      VALUE_NAME = mirage_block.input_iterator %V imap <x -> replica> FMAP<i -> 0> : TV -> V
      %s = mirage_block.matmul %a, %b : (Q, K) -> FULLBETWEEN
      %r = mirage_block.matmul %p, %c : (FULL, V) -> OUT
      END
SAVERS  }
  return VALUES : TENSORS
})";
    if (iterations > 0)
      replaceAll(text,
                 {{"BEGIN", "%oCOUNT = mirage_block.loop iterations " +
                                std::to_string(iterations) + " -> RESULTS {"},
                  {"END", "mirage_block.accumulate ACCUMULATORS : TYPES\n"
                          "    }"},
                  {"FMAP", "fmap "}});
    else
      replaceAll(text, {{"BEGIN", ""},
                        {"END", ""},
                        {"FMAP<i -> replica>", ""},
                        {"FMAP<i -> 0>", ""},
                        {"FMAP<i -> 1>", ""}});
    // In this order: what comes later stands in what comes first.
    replaceAll(text, {{"COUNT", count},
                      {"RESULTS", variant.results},
                      {"BETWEEN", variant.between},
                      {"ACCUMULATORS", variant.accumulators},
                      {"TYPES", variant.types},
                      {"SAVERS", savers},
                      {"TENSORS", tensors},
                      {"VALUES", values},
                      {"TQ", "tensor<" + m + "x64xf16>"},
                      {"TK", "tensor<64x" + all + "xf16>"},
                      {"TV", "tensor<" + all + "x" + o + "xf16>"},
                      {"COLUMN", tile("1x" + n)},
                      {"FULL", tile(m + "x" + n)},
                      {"HALF", tile(m + "x" + n, "f16")},
                      {"ALL", tile(m + "x" + all)},
                      {"OUT", tile(m + "x" + o)},
                      {"ROW", tile(m + "x1")},
                      {"ONE", tile("1x1")},
                      {"VALUE_NAME",
                       variant.name == StringRef("circle") ? "%c0" : "%c"},
                      {" Q", " " + tile(m + "x64", "f16")},
                      {"(Q", "(" + tile(m + "x64", "f16")},
                      {" K", " " + tile("64x" + n, "f16")},
                      {"(V", "(" + tile(n + "x" + o, "f16")},
                      {" V", " " + tile(n + "x" + o, "f16")}});
    return text;
  }
};

TEST_F(RowChainTest, CostModelFindsTheSame) {
  // In loops of odd and even numbers of iterations, and outside.
  std::map<int64_t, unsigned> found, parts;
  std::map<std::pair<size_t, size_t>, unsigned> ofProducts;
  TargetNumbers numbers(TargetAttr::lookup(&context, "sm_90a"));
  for (const Variant &variant : kVariants)
    for (int64_t rows : {1, 8, 16, 24, 32, 64, 100, 128, 144})
      for (auto [cols, iterations] : {std::pair<int64_t, int64_t>{16, 4},
                                      {24, 4},
                                      {48, 4},
                                      {50, 4},
                                      {64, 4},
                                      {128, 4},
                                      {200, 4},
                                      {256, 4},
                                      {24, 3},
                                      {60, 3},
                                      {77, 3},
                                      {16, 0},
                                      {49, 0},
                                      {77, 0},
                                      {128, 0},
                                      {197, 0},
                                      {256, 0},
                                      {272, 0}})
        for (int64_t outCols : {20, 64, 128, 256}) {
          if (variant.accumulators == StringRef("sum %r, concat %s dim 1") &&
              iterations == 0)
            continue;
          SCOPED_TRACE(variant.name + std::string(" ") + std::to_string(rows) +
                       " " + std::to_string(cols) + " " +
                       std::to_string(outCols) + " in " +
                       std::to_string(iterations));
          parse(getText(variant, rows, cols, outCols, iterations));
          ASSERT_FALSE(HasFatalFailure());
          std::optional<RowChain> chain =
              findRowChain(*find<OperatorOpInterface>()->getBlock());
          auto graph = importKernelGraph(find<func::FuncOp>());
          ASSERT_TRUE(succeeded(graph));
          KernelLoad load = getKernelLoad(*graph, graph->nodes[0], numbers);
          int64_t registers = 0;
          if (chain) {
            RowChainShape sizes = chain->getSizes();
            registers = sizes.getNumThreadRegisters(chain->parts) * kWarpSize *
                        sizes.getNumWarps(chain->parts);
            // What is in registers has a type of its own: f16 if it is relative
            // to a maximum.
            EXPECT_EQ(load.tf32Flops > 0,
                      llvm::any_of(chain->lasts, [](OperatorOpInterface last) {
                        return getChainedType(last).isF32();
                      }));
            ++ofProducts[{chain->firsts.size(), chain->lasts.size()}];
            if (iterations == 0)
              expectMoves(*chain);
            else
              EXPECT_GE(load.behindBytes, chain->getScratchBytes());
            ++found[iterations];
            parts[iterations] += chain->parts > 1;
          }
          EXPECT_EQ(load.registers, registers);
        }
  for (int64_t iterations : {0, 3, 4}) {
    EXPECT_GT(found[iterations], 20u) << iterations;
    EXPECT_GT(parts[iterations], 5u) << iterations;
  }
  // First products, and last ones.
  for (auto [firsts, lasts] : {std::pair(1, 1), {2, 1}, {1, 2}, {2, 2}})
    EXPECT_GT((ofProducts[{firsts, lasts}]), 5u) << firsts << " " << lasts;
}

TEST(RowChainShapeTest, FillsWarpsUp) {
  EXPECT_EQ((RowChainShape{8, 128, 64, 4}.getPaddedRows()), 16);
  EXPECT_EQ((RowChainShape{8, 128, 64, 4}.chooseParts(true)), 8);
  EXPECT_EQ((RowChainShape{17, 128, 64, 4}.getPaddedRows()), 32);
  EXPECT_EQ((RowChainShape{100, 64, 64, 4}.getNumRowWarps()), 7);
  EXPECT_EQ((RowChainShape{100, 64, 64, 4}.chooseParts(true)), 1);
  EXPECT_EQ((RowChainShape{64, 77, 64, 1}.getPaddedCols()), 80);
  EXPECT_EQ((RowChainShape{64, 77, 64, 1}.getColTiles(/*parts=*/2)), 5);
  EXPECT_FALSE((RowChainShape{64, 80, 64, 1}.hasPaddedCols()));
}

TEST(RowChainShapeTest, HasStepsOfEightInOddNumbersOfIterations) {
  EXPECT_TRUE((RowChainShape{64, 50, 64, 5}.isPossible()));
  EXPECT_FALSE((RowChainShape{64, 50, 64, 4}.isPossible()));
  EXPECT_TRUE((RowChainShape{64, 60, 64, 4}.isPossible()));
}

TEST(RowChainShapeTest, HasMoreColumnsInOneIteration) {
  EXPECT_TRUE((RowChainShape{64, 197, 64, 1}.isPossible()));
  EXPECT_FALSE((RowChainShape{64, 197, 64, 3}.isPossible()));
  EXPECT_FALSE((RowChainShape{64, 257, 64, 1}.isPossible()));
  EXPECT_EQ((RowChainShape{64, 197, 64, 1}.chooseParts(true)), 1);
}

TEST(RowChainShapeTest, HasRoomForFourWarpsAtLeast) {
  // Warps for 16 rows each, and a step of columns at least.
  EXPECT_EQ((RowChainShape{64, 128, 64, 4}.chooseParts(false)), 1);
  EXPECT_EQ((RowChainShape{64, 128, 64, 4}.chooseParts(true)), 2);
  EXPECT_EQ((RowChainShape{16, 128, 64, 4}.chooseParts(true)), 8);
  EXPECT_EQ((RowChainShape{16, 64, 64, 4}.chooseParts(true)), 4);
  EXPECT_EQ((RowChainShape{16, 32, 64, 4}.chooseParts(true)), 0);
  EXPECT_EQ((RowChainShape{32, 128, 64, 4}.chooseParts(false)), 0);
  // Parts have whole steps, of 16 if columns are a multiple of that.
  EXPECT_EQ((RowChainShape{16, 200, 64, 5}.chooseParts(true)), 5);
  EXPECT_EQ((RowChainShape{16, 40, 64, 25}.chooseParts(true)), 5);
  EXPECT_EQ((RowChainShape{32, 48, 64, 4}.chooseParts(true)), 3);
  EXPECT_EQ((RowChainShape{32, 64, 64, 4}.chooseParts(true)), 4);
  EXPECT_EQ((RowChainShape{64, 40, 64, 25}.chooseParts(true)), 1);
  EXPECT_EQ((RowChainShape{32, 40, 64, 25}.chooseParts(true)), 0);
  // Registers for sums of 128 columns, twice, are those of few warps.
  EXPECT_EQ((RowChainShape{64, 128, 128, 4}.chooseParts(true)), 1);
  EXPECT_EQ((RowChainShape{64, 128, 256, 4}.chooseParts(true)), 0);
}

TEST(RowChainShapeTest, HasWideSumsWhereTheyAreShifted) {
  RowChainShape sizes{64, 64, 256, 4};
  EXPECT_EQ(sizes.chooseParts(true), 0);
  sizes.addsToShifted = true;
  EXPECT_EQ(sizes.chooseParts(true), 1);
  // Eight warps have less room each, and more columns take more of it.
  sizes.rows = 128;
  EXPECT_EQ(sizes.chooseParts(true), 0);
  sizes.rows = 64;
  sizes.cols = 128;
  EXPECT_EQ(sizes.chooseParts(true), 0);
  // Narrow ones have registers twice, shifted or not.
  sizes = {64, 128, 128, 4};
  const int64_t registers = sizes.getNumThreadRegisters(/*parts=*/1);
  sizes.addsToShifted = true;
  EXPECT_EQ(sizes.getNumThreadRegisters(/*parts=*/1), registers);
}

TEST(RowChainShapeTest, HasRoomForEachFirstProduct) {
  RowChainShape one{64, 128, 64, 4}, two = one, three = one;
  two.firsts = 2;
  three.firsts = 3;
  EXPECT_EQ(two.getNumThreadRegisters(1) - one.getNumThreadRegisters(1),
            128 / 8 * 4);
  EXPECT_EQ(two.chooseParts(false), 1);
  EXPECT_EQ(three.chooseParts(false), 0);
}

TEST(RowChainShapeTest, HasNoTermsBesideSumsThatAreAddedToAtOnce) {
  RowChainShape shape{64, 64, 256, 4};
  shape.firsts = 2;
  EXPECT_EQ(shape.chooseParts(false), 0);
  shape.addsAtOnce = true;
  EXPECT_EQ(shape.getNumThreadRegisters(1), shape.getLeastThreadRegisters(1));
  EXPECT_EQ(shape.chooseParts(false), 1);
}

TEST(RowChainShapeTest, IsPossibleForMultiples) {
  EXPECT_TRUE((RowChainShape{128, 128, 8, 4}.isPossible()));
  EXPECT_FALSE((RowChainShape{144, 128, 8, 4}.isPossible()));
  EXPECT_FALSE((RowChainShape{128, 144, 8, 4}.isPossible()));
  EXPECT_TRUE((RowChainShape{1, 128, 8, 4}.isPossible()));
  EXPECT_TRUE((RowChainShape{16, 256, 8, 4}.isPossible()));
  EXPECT_FALSE((RowChainShape{17, 256, 8, 4}.isPossible()));
  // Odd multiples of 8, of a loop over one.
  EXPECT_FALSE((RowChainShape{16, 24, 8, 4}.isPossible()));
  EXPECT_TRUE((RowChainShape{16, 24, 8, 5}.isPossible()));
  // What a tile of 8 is filled up to.
  EXPECT_TRUE((RowChainShape{16, 20, 8, 5}.isPossible()));
  EXPECT_FALSE((RowChainShape{16, 20, 8, 4}.isPossible()));
  EXPECT_FALSE((RowChainShape{16, 16, 12, 4}.isPossible()));
}

TEST(RowChainShapeTest, PartsComeTogether) {
  RowChainShape shape{64, 128, 64, 4};
  EXPECT_EQ(shape.getScratchBytes(1, 3), 0);
  EXPECT_EQ(shape.getScratchBytes(2, 3), 2 * 4 * (8 * 16 * 8 * 4 + 3 * 64 * 4));
  // Of eight rows a lane has one.
  shape.rows = 8;
  EXPECT_EQ(shape.getScratchBytes(2, 3), 2 * (8 * 8 * 8 * 4 + 3 * 32 * 4));
  EXPECT_EQ(shape.getRowsOfLane(), 1);
  shape.rows = 9;
  EXPECT_EQ(shape.getRowsOfLane(), 2);
  for (auto [rows, computed] :
       {std::pair(1, 8), std::pair(8, 8), std::pair(9, 16), std::pair(17, 32)})
    EXPECT_EQ(RowChainShape::getComputedRows(rows), computed);
}

TEST(RowChainShapeTest, FewRowsLeaveRegistersForParts) {
  EXPECT_EQ((RowChainShape{8, 128, 128, 4}.chooseParts(true)), 8);
  EXPECT_EQ((RowChainShape{9, 128, 128, 4}.chooseParts(true)), 4);
}

} // namespace
