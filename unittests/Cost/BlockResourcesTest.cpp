//===- BlockResourcesTest.cpp ---------------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the cost model takes the lowering to need of an SM for a block.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Cost/CostModel.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mirage;

namespace {

class BlockResourcesTest : public testing::Test {
protected:
  BlockResourcesTest() {
    context.loadDialect<MirageDialect, kernel::KernelDialect,
                        block::BlockDialect, mlir::func::FuncDialect>();
  }

  KernelLoad getLoad(const std::string &text) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    auto graph =
        importKernelGraph(*module->getOps<mlir::func::FuncOp>().begin());
    EXPECT_TRUE(mlir::succeeded(graph));
    return getKernelLoad(*graph, graph->nodes[0],
                         TargetNumbers(TargetAttr::lookup(&context, "sm_90a")));
  }

  using Replacements =
      std::initializer_list<std::pair<llvm::StringRef, std::string>>;

  static std::string fill(std::string text, Replacements replacements) {
    for (const auto &[from, to] : replacements)
      for (size_t at = 0; (at = text.find(from.str(), at)) != text.npos;
           at += to.size())
        text.replace(at, from.size(), to);
    return text;
  }

  /// A softmax of q times k^T, without safety, times v; `rows` of q, and 256
  /// keys of 64 elements that a block takes `cols` at a time.
  static std::string getAttention(int64_t rows, int64_t cols) {
    std::string full = llvm::formatv("!mirage.tile<{0}x{1}xf32>", rows, cols),
                q = llvm::formatv("tensor<{0}x64xf16>", rows),
                sum = llvm::formatv("!mirage.tile<{0}x64xf32>", rows);
    return fill(R"(
func.func @f(%q: TQ, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> TQ {
  %y = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (TQ, tensor<64x256xf16>, tensor<256x64xf16>) -> TQ {
  ^bb0(%Q: TQ, %K: tensor<64x256xf16>, %V: tensor<256x64xf16>):
    %o = mirage_block.loop iterations ITERATIONS -> SUM {
      %a = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : TQ -> !mirage.tile<ROWSx64xf16>
      %b = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64xCOLSxf16>
      %c = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<COLSx64xf16>
      %s = mirage_block.matmul %a, %b : (!mirage.tile<ROWSx64xf16>, !mirage.tile<64xCOLSxf16>) -> FULL
      %p = mirage_block.exp %s : (FULL) -> FULL
      %r = mirage_block.matmul %p, %c : (FULL, !mirage.tile<COLSx64xf16>) -> SUM
      mirage_block.accumulate sum %r : SUM
    }
    mirage_block.output_saver %o omap <x -> replica> : SUM -> TQ
  }
  return %y : TQ
})",
                {{"ITERATIONS", std::to_string(256 / cols)},
                 {"FULL", full},
                 {"ROWS", std::to_string(rows)},
                 {"COLS", std::to_string(cols)},
                 {"SUM", sum},
                 {"TQ", q}});
  }

  /// The same of so many keys at once, without a loop.
  static std::string getWhole(int64_t rows, int64_t keys) {
    const std::string sum = "!mirage.tile<" + std::to_string(rows) + "x64xf32>",
                      count = std::to_string(keys);
    return fill(getAttention(rows, keys),
                {{"%o = mirage_block.loop iterations " +
                      std::to_string(256 / keys) + " -> " + sum + " {",
                  ""},
                 {"mirage_block.accumulate sum %r : " + sum + "\n    }", ""},
                 {"output_saver %o", "output_saver %r"},
                 {"tensor<64x256xf16>", "tensor<64x" + count + "xf16>"},
                 {"tensor<256x64xf16>", "tensor<" + count + "x64xf16>"},
                 {" fmap <i -> replica>", ""},
                 {" fmap <i -> 1>", ""},
                 {" fmap <i -> 0>", ""}});
  }

  /// The same with the sums of the exponentials' rows, which nobody reads.
  static std::string getWholeWithSums(int64_t rows, int64_t keys) {
    const std::string m = "!mirage.tile<" + std::to_string(rows) + "x";
    return fill(
        getWhole(rows, keys),
        {{"%r = mirage_block.matmul",
          "%z = mirage_block.sum %p dim 1 : (" + m + std::to_string(keys) +
              "xf32>) -> " + m + "1xf32>\n      %r = mirage_block.matmul"}});
  }

  /// The scores and themselves, added up 64 times, and the last sum's name.
  static std::pair<std::string, std::string>
  addToItself(const std::string &shape) {
    std::string adds, last = "%s", tile = "!mirage.tile<" + shape + "xf32>";
    for (int i = 0; i < 64; ++i) {
      std::string next = "%t" + std::to_string(i);
      adds += next + " = mirage_block.add " + last + ", " + last + " : (" +
              tile + ", " + tile + ") -> " + tile + "\n";
      last = next;
    }
    return {adds, last};
  }

  mlir::MLIRContext context;
};

TEST_F(BlockResourcesTest, ChainsStayInRegisters) {
  KernelLoad load = getLoad(getAttention(64, 64));
  // Queries, and one stage of keys and values; no scores and no sum.
  EXPECT_EQ(load.stageBytes, 2 * 64 * 64 * 2);
  EXPECT_EQ(load.sharedBytes, load.stageBytes + 64 * 64 * 2);
  // Of five warps, with fragments of 64 columns and twice those of the sum.
  EXPECT_EQ(load.registers, 5 * 32 * ((8 + 2 * 8) * 4 + 56));
  // Of more columns than warps of as many rows can have.
  load = getLoad(getAttention(128, 256));
  EXPECT_EQ(load.registers, 0);
  EXPECT_EQ(load.sharedBytes,
            load.stageBytes + 128 * 64 * 2 + 2 * 128 * 256 * 4);
}

TEST_F(BlockResourcesTest, ChainsEndWhereOthersRead) {
  // The scores go to a product as its other operand, too.
  std::string text =
      fill(getAttention(64, 64), {{"matmul %p, %c : (!mirage.tile<64x64xf32>, "
                                   "!mirage.tile<64x64xf16>)",
                                   "matmul %p, %s : (!mirage.tile<64x64xf32>, "
                                   "!mirage.tile<64x64xf32>)"}});
  EXPECT_EQ(getLoad(text).registers, 0);
}

/// Of 64 sums of a tile and itself there are 2^64 ways to the product.
TEST_F(BlockResourcesTest, LooksAtEachTileOnce) {
  auto [adds, last] = addToItself("64x64");
  std::string text = fill(
      getAttention(64, 64),
      {{"%p = mirage_block.exp %s", adds + "%p = mirage_block.exp " + last}});
  EXPECT_GT(getLoad(text).registers, 0);
}

TEST_F(BlockResourcesTest, FewRowsAreNoChain) {
  // There are not enough for four warps with a step of columns each.
  EXPECT_EQ(getLoad(getAttention(16, 32)).registers, 0);
  KernelLoad load = getLoad(getAttention(8, 32));
  EXPECT_EQ(load.registers, 0);
  EXPECT_EQ(load.sharedBytes, load.stageBytes + 8 * 64 * 2 + 2 * 8 * 32 * 4);
  // Sums that nothing rescales are those of their parts, unless rows are
  // divided by something that is of all columns.
  const std::string few = getAttention(8, 64);
  EXPECT_EQ(getLoad(few).registers, 5 * 32 * ((2 + 8) * 4 + 8 * 2 + 56));
  EXPECT_EQ(
      getLoad(fill(few, {{"%r = mirage_block.matmul %p,",
                          "%l = mirage_block.sum %p dim 1 : "
                          "(!mirage.tile<8x64xf32>) -> !mirage.tile<8x1xf32>\n"
                          "%d = mirage_block.div %p, %l : "
                          "(!mirage.tile<8x64xf32>, !mirage.tile<8x1xf32>) -> "
                          "!mirage.tile<8x64xf32>\n"
                          "%r = mirage_block.matmul %d,"}}))
          .registers,
      0);
}

TEST_F(BlockResourcesTest, StepsPassTilesOn) {
  // A chain has no steps, and reads each operand of its products once.
  KernelLoad load = getLoad(getAttention(64, 64));
  EXPECT_EQ(load.steps, 0);
  // Scores, exponentials and their product, in each of eight iterations.
  load = getLoad(getAttention(16, 32));
  EXPECT_EQ(load.steps, 8 * (3 - 1));
  // Queries, keys and values are read once. Scores and exponentials are written
  // and read, in f32, and count twice.
  const int64_t loads = 16 * 64 * 2 + 2 * 32 * 64 * 2, passed = 16 * 32 * 4;
  EXPECT_EQ(load.sharedTraffic, 8 * (loads + 2 * 2 * 2 * passed));
}

TEST_F(BlockResourcesTest, ChainsWithoutALoopAreMovedIntoOne) {
  KernelLoad load = getLoad(getWhole(64, 77));
  // Queries, keys and values; the product is saved from registers.
  EXPECT_EQ(load.sharedBytes, (64 + 2 * 77) * 64 * 2);
  EXPECT_EQ(load.behindBytes, 0);
  // Of five warps, with fragments of 80 columns and twice those of the sum.
  EXPECT_EQ(load.registers, 5 * 32 * ((10 + 2 * 8) * 4 + 56));
  EXPECT_EQ(load.steps, 0);
  // What is filled up to 80 columns is computed.
  EXPECT_EQ(load.work.specialFunctions, 64 * 80);
  EXPECT_EQ(load.work.tensorFlops, 2 * 2 * 64 * 80 * 64);
}

TEST_F(BlockResourcesTest, MakersOfChainsAreReadByThemAlone) {
  // The scores of what else reads the queries are in shared memory.
  std::string full = "!mirage.tile<64x64xf32>";
  KernelLoad load = getLoad(fill(getWholeWithSums(64, 64),
                                 {{"mirage_block.output_saver %r",
                                   "%y = mirage_block.add %r, %a : (" + full +
                                       ", !mirage.tile<64x64xf16>) -> " + full +
                                       "\nmirage_block.output_saver %y"}}));
  EXPECT_EQ(load.registers, 0);
  EXPECT_EQ(load.steps, 4 - 1);
}

TEST_F(BlockResourcesTest, StepsWithoutALoop) {
  // Scores, exponentials and their product, as there are too few rows.
  EXPECT_EQ(getLoad(getWholeWithSums(16, 48)).steps, 3 - 1);
  // Nothing is folded, or only what comes of both.
  EXPECT_EQ(getLoad(getWhole(16, 77)).steps, 0);
  EXPECT_EQ(getLoad(fill(getWhole(16, 64), {{"mirage_block.output_saver %r",
                                             "%z = mirage_block.sum %r dim 1 : "
                                             "(!mirage.tile<16x64xf32>) -> "
                                             "!mirage.tile<16x1xf32>\n"
                                             "mirage_block.output_saver %r"}}))
                .steps,
            0);
  // A product of computed columns, which could be rows.
  std::string text = fill(getWholeWithSums(64, 64),
                          {{"matmul %p, %c : (!mirage.tile<64x64xf32>, "
                            "!mirage.tile<64x64xf16>)",
                            "matmul %c, %p : (!mirage.tile<64x64xf16>, "
                            "!mirage.tile<64x64xf32>)"}});
  EXPECT_EQ(getLoad(text).registers, 0);
  EXPECT_EQ(getLoad(text).steps, 3 - 1);
  // More keys than a chain can have at once: a loop could cut them, unevenly if
  // there is no other way.
  EXPECT_EQ(getLoad(getWholeWithSums(16, 300)).steps, 3 - 1);
  EXPECT_EQ(getLoad(getWholeWithSums(16, 257)).steps, 3 - 1);
  // The same in a loop.
  auto getInLoop = [&](int64_t keys, int64_t iterations) {
    const std::string all = std::to_string(keys * iterations);
    return getLoad(
        fill(getAttention(16, keys),
             {{"iterations " + std::to_string(256 / keys),
               "iterations " + std::to_string(iterations)},
              {"tensor<64x256xf16>", "tensor<64x" + all + "xf16>"},
              {"tensor<256x64xf16>", "tensor<" + all + "x64xf16>"}}));
  };
  EXPECT_EQ(getInLoop(/*keys=*/7, /*iterations=*/143).steps, 143 * (3 - 1));
  EXPECT_EQ(getInLoop(/*keys=*/2, /*iterations=*/1021).steps, 1021 * (3 - 1));
}

/// Deeper products than heads' are summed up by loops, and no chain's.
TEST_F(BlockResourcesTest, StepsBehindSums) {
  auto getWith = [&](int64_t iterations) {
    const std::string depth = std::to_string(64 * iterations);
    return getLoad(fill(R"(
func.func @f(%q: tensor<64xDEPTHxf16>, %k: tensor<DEPTHx64xf16>, %v: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %y = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64xDEPTHxf16>, tensor<DEPTHx64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16> {
  ^bb0(%Q: tensor<64xDEPTHxf16>, %K: tensor<DEPTHx64xf16>, %V: tensor<64x64xf16>):
    %s = mirage_block.loop iterations ITERATIONS -> FULL {
      %a = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> 1> : tensor<64xDEPTHxf16> -> HALF
      %b = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 0> : tensor<DEPTHx64xf16> -> HALF
      %t = mirage_block.matmul %a, %b : (HALF, HALF) -> FULL
      mirage_block.accumulate sum %t : FULL
    }
    %c = mirage_block.input_iterator %V imap <x -> replica> : tensor<64x64xf16> -> HALF
    %p = mirage_block.exp %s : (FULL) -> FULL
    %m = mirage_block.reduce_max %p dim 1 : (FULL) -> !mirage.tile<64x1xf32>
    %r = mirage_block.matmul %p, %c : (FULL, HALF) -> FULL
    mirage_block.output_saver %r omap <x -> 0> : FULL -> tensor<64x64xf16>
  }
  return %y : tensor<64x64xf16>
})",
                        {{"DEPTH", depth},
                         {"ITERATIONS", std::to_string(iterations)},
                         {"FULL", "!mirage.tile<64x64xf32>"},
                         {"HALF", "!mirage.tile<64x64xf16>"}}));
  };
  EXPECT_EQ(getWith(4).steps, 2 - 1);
  EXPECT_EQ(getWith(5).steps, 0);
}

/// As `LooksAtEachTileOnce`, without a chain.
TEST_F(BlockResourcesTest, StepsRunTogether) {
  auto [adds, last] = addToItself("16x32");
  // They are of one step with the exponentials.
  std::string text = getAttention(16, 32);
  KernelLoad load =
      getLoad(fill(text, {{"%p = mirage_block.exp %s",
                           adds + "%p = mirage_block.exp " + last}}));
  EXPECT_EQ(load.steps, 8 * (3 - 1));
  EXPECT_EQ(load.sharedTraffic, getLoad(text).sharedTraffic);
  // Without exponentials tensor cores compute them where they read.
  load = getLoad(fill(text, {{"%p = mirage_block.exp %s",
                              adds + "%p = mirage_block.relu " + last}}));
  EXPECT_EQ(load.steps, 8 * (2 - 1));
}

/// What is computed behind a loop takes the place of all stages of its tiles.
TEST_F(BlockResourcesTest, BehindLoops) {
  auto getWith = [&](int64_t times) {
    // Powers of the sum, each of which reads the one before.
    std::string ops, last = "%o";
    for (int64_t i = 0; i < times; ++i) {
      std::string next = "%n" + std::to_string(i);
      ops += next + " = mirage_block.matmul " + last + ", " + last +
             " : (!mirage.tile<64x64xf32>, !mirage.tile<64x64xf32>) -> "
             "!mirage.tile<64x64xf32>\n";
      last = next;
    }
    return getLoad(fill(getAttention(64, 64),
                        {{"mirage_block.output_saver %o",
                          ops + "mirage_block.output_saver " + last}}));
  };
  constexpr double kTile = 64 * 64 * 4;
  for (int64_t times : {0, 1, 2, 4}) {
    KernelLoad load = getWith(times);
    EXPECT_EQ(load.sharedBytes, 3 * 64 * 64 * 2);
    // A sum is saved from registers, and read from shared memory by others, as
    // is what they make but for the last.
    EXPECT_EQ(load.behindBytes, times * kTile);
  }
}

/// Sums of products are in registers while a loop runs, rescaled ones, too;
/// what else accumulates is not.
TEST_F(BlockResourcesTest, Accumulators) {
  // Nothing of this is a chain: of 32 columns there are too few, and 64 are
  // read by something else.
  constexpr double kLoaded = (8 + 2 * 64) * 64 * 2, kScores = 8 * 64 * 4;
  std::string full = "!mirage.tile<8x64xf32>", row = "!mirage.tile<8x1xf32>";
  EXPECT_EQ(getLoad(getAttention(8, 32)).sharedBytes,
            (8 + 2 * 32) * 64 * 2 + 2 * 8 * 32 * 4);
  auto getWith = [&](const std::string &op, const std::string &accumulators,
                     const std::string &types, const std::string &results) {
    return getLoad(fill(
        getAttention(8, 64),
        {{"mirage_block.accumulate sum %r : " + full,
          op + "\nmirage_block.accumulate " + accumulators + " : " + types},
         {"%o = mirage_block.loop iterations 4 -> " + full,
          "%o:2 = mirage_block.loop iterations 4 -> " + results},
         {"output_saver %o ", "output_saver %o#0 "}}));
  };
  // A maximum of the scores in shared memory beside them.
  EXPECT_EQ(
      getWith("", "sum %r, max %s", full + ", " + full, full + ", " + full)
          .sharedBytes,
      kLoaded + 3 * kScores);
  // Four times the scores.
  EXPECT_EQ(getWith("", "sum %r, concat %s dim 1", full + ", " + full,
                    full + ", !mirage.tile<8x256xf32>")
                .sharedBytes,
            kLoaded + 6 * kScores);
  // The row that sums are rescaled by, with the greatest so far of it and what
  // it is rescaled by (kTilesOfRunningMaximum); and the rows that are summed.
  KernelLoad load = getWith(
      "%m = mirage_block.reduce_max %s dim 1 : (" + full + ") -> " + row +
          "\n%t = mirage_block.sum %p dim 1 : (" + full + ") -> " + row,
      "rescaled_sum %r by %m, rescaled_sum %t by %m",
      full + " by " + row + ", " + row + " by " + row, full + ", " + row);
  constexpr double kRow = 8 * 4;
  EXPECT_EQ(load.sharedBytes,
            kLoaded + 2 * kScores +
                (1 + block::kTilesOfRunningMaximum + 2) * kRow);
}

} // namespace
