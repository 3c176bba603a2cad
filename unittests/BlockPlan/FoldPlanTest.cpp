//===- FoldPlanTest.cpp - Tests of how threads share folds ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/FoldPlan.h"
#include "BlockGraphTest.h"
#include "Mirage/BlockPlan/BlockPlan.h"
#include "Mirage/Dialect/Thread/Thread.h"

using namespace mirage;

namespace {

TEST(FoldPartsTest, LanesThatGoAtOnceReadARow) {
  // Of many rows each has as few lanes as that takes.
  EXPECT_EQ(getFoldParts(64, 128, /*width=*/4, /*bytes=*/4, 128), 8);
  EXPECT_EQ(getFoldParts(64, 128, /*width=*/8, /*bytes=*/2, 128), 8);
  EXPECT_EQ(getFoldParts(64, 128, /*width=*/4, /*bytes=*/2, 128), 16);
  EXPECT_EQ(getFoldParts(64, 77, /*width=*/1, /*bytes=*/4, 128), 32);
  EXPECT_EQ(getFoldParts(64, 77, /*width=*/1, /*bytes=*/2, 128), 32);
  // Not more than have something to fold.
  EXPECT_EQ(getFoldParts(64, 16, /*width=*/4, /*bytes=*/4, 128), 4);
  EXPECT_EQ(getFoldParts(16, 24, /*width=*/4, /*bytes=*/4, 128), 8);
  EXPECT_EQ(getFoldParts(64, 8, /*width=*/8, /*bytes=*/2, 128), 1);
}

TEST(FoldPartsTest, LanesShareVectorsEvenly) {
  // Of 10 vectors two lanes have five each, of 12 four have three, if there are
  // rows for all threads.
  EXPECT_EQ(getFoldParts(200, 80, /*width=*/8, /*bytes=*/2, 128), 2);
  EXPECT_EQ(getFoldParts(112, 96, /*width=*/8, /*bytes=*/2, 128), 4);
  EXPECT_EQ(getFoldParts(16, 80, /*width=*/8, /*bytes=*/2, 128), 8);
  // Rows of odd numbers of f16 are no whole words apart.
  EXPECT_EQ(getFoldParts(128, 577, /*width=*/1, /*bytes=*/2, 128), 32);
  // Of 125 each of eight lanes has 16 at most, and all are busy.
  EXPECT_EQ(getFoldParts(200, 1000, /*width=*/8, /*bytes=*/2, 128), 8);
}

TEST(FoldPartsTest, ThreadsToSpareShareLongRows) {
  EXPECT_EQ(getFoldParts(2, 1024, /*width=*/8, /*bytes=*/2, 128), 32);
  EXPECT_EQ(getFoldParts(1, 4096, /*width=*/8, /*bytes=*/2, 128), 128);
  EXPECT_EQ(getFoldParts(2, 4096, /*width=*/8, /*bytes=*/2, 128), 64);
  EXPECT_EQ(getFoldParts(3, 4096, /*width=*/8, /*bytes=*/2, 128), 32);
  EXPECT_EQ(getFoldParts(1, 4096, /*width=*/8, /*bytes=*/2, 96), 64);
  // Each thread keeps four vectors; a barrier spares twelve, and where there is
  // one each keeps two.
  EXPECT_EQ(getFoldParts(1, 512, /*width=*/8, /*bytes=*/2, 128), 16);
  EXPECT_EQ(getFoldParts(1, 4088, /*width=*/8, /*bytes=*/2, 128), 32);
  EXPECT_EQ(getFoldParts(1, 4096, /*width=*/8, /*bytes=*/2, 256), 256);
  EXPECT_EQ(getFoldParts(1, 4096, /*width=*/8, /*bytes=*/2, 1024), 256);
}

class FoldPlanTest : public BlockGraphTest {
protected:
  FoldPlanTest() { context.loadDialect<thread::ThreadDialect>(); }

  /// Of the sum in a graph of 128 threads on tiles %h of 64x4096xf16, %f of
  /// 64x4096xf32, and %r of 64x1xf32.
  FoldPlan getPlan(const std::string &body, const std::string &result) {
    parse("func.func @f(%a: tensor<64x4096xf16>, %b: tensor<64x4096xf32>, %c: "
          "tensor<64x1xf32>) -> tensor<" +
          result + R"(> {
  %0 = mirage_kernel.graph_defined (%a, %b, %c) grid <x = 1> : (tensor<64x4096xf16>, tensor<64x4096xf32>, tensor<64x1xf32>) -> tensor<)" +
          result + R"(> {
  ^bb0(%A: tensor<64x4096xf16>, %B: tensor<64x4096xf32>, %C: tensor<64x1xf32>):
    %h = mirage_block.input_iterator %A imap <x -> replica> : tensor<64x4096xf16> -> !mirage.tile<64x4096xf16>
    %f = mirage_block.input_iterator %B imap <x -> replica> : tensor<64x4096xf32> -> !mirage.tile<64x4096xf32>
    %r = mirage_block.input_iterator %C imap <x -> replica> : tensor<64x1xf32> -> !mirage.tile<64x1xf32>
)" + body +
          R"(
    mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<)" +
          result + "> -> tensor<" + result + R"(>
  }
  return %0 : tensor<)" +
          result + ">\n}");
    OperatorOpInterface sum = find<block::SumOp>();
    std::optional<Fold> fold = getFold(sum);
    EXPECT_TRUE(fold);
    return getFoldPlan(sum, *fold);
  }

  /// A thread graph of two operands.
  static std::string getProduct(const std::string &other,
                                const std::string &type) {
    return "%p = mirage_block.graph_defined(%h, " + other +
           ") : (!mirage.tile<64x4096xf16>, !mirage.tile<" + type +
           ">) -> !mirage.tile<64x4096xf32> {\n^bb0(%x: "
           "!mirage.fragment<64x4096xf16>, %y: !mirage.fragment<" +
           type +
           ">):\n%z = mirage_thread.mul %x, %y : "
           "(!mirage.fragment<64x4096xf16>, !mirage.fragment<" +
           type +
           ">) -> !mirage.fragment<64x4096xf32>\n"
           "mirage_thread.yield %z : !mirage.fragment<64x4096xf32>\n}\n"
           "%s = mirage_block.sum %p dim 1 : (!mirage.tile<64x4096xf32>) -> "
           "!mirage.tile<64x1xf32>";
  }
};

TEST_F(FoldPlanTest, SixteenBytesAtATime) {
  FoldPlan half =
      getPlan("%s = mirage_block.sum %h dim 1 : (!mirage.tile<64x4096xf16>) -> "
              "!mirage.tile<64x1xf32>",
              "64x1xf32");
  EXPECT_TRUE(half.alongMemory);
  EXPECT_EQ(half.width, 8);
  EXPECT_EQ(half.parts, 8);
  FoldPlan full =
      getPlan("%s = mirage_block.sum %f dim 1 : (!mirage.tile<64x4096xf32>) -> "
              "!mirage.tile<64x1xf32>",
              "64x1xf32");
  EXPECT_EQ(full.width, 4);
  EXPECT_EQ(full.parts, 8);
}

// Along the columns of a transposed tile.
TEST_F(FoldPlanTest, OfMovedElements) {
  FoldPlan plan =
      getPlan("%t = mirage_block.transpose %h permutation [1, 0] : "
              "(!mirage.tile<64x4096xf16>) -> !mirage.tile<4096x64xf16>\n"
              "%s = mirage_block.sum %t dim 0 : (!mirage.tile<4096x64xf16>) -> "
              "!mirage.tile<1x64xf32>",
              "1x64xf32");
  EXPECT_TRUE(plan.alongMemory);
  EXPECT_EQ(plan.width, 8);
  EXPECT_EQ(plan.parts, 8);
}

// What is the same for a row says nothing of widths; of operands of two sizes
// the larger elements are 16 bytes at a time, the smaller ones of as many lanes
// as read 128 bytes.
TEST_F(FoldPlanTest, OfComputedElements) {
  FoldPlan rows = getPlan(getProduct("%r", "64x1xf32"), "64x1xf32");
  EXPECT_EQ(rows.width, 8);
  EXPECT_EQ(rows.parts, 8);
  FoldPlan mixed = getPlan(getProduct("%f", "64x4096xf32"), "64x1xf32");
  EXPECT_EQ(mixed.width, 4);
  EXPECT_EQ(mixed.parts, 16);
}

TEST_F(FoldPlanTest, AcrossRows) {
  FoldPlan plan =
      getPlan("%t = mirage_block.reshape %r : (!mirage.tile<64x1xf32>) -> "
              "!mirage.tile<4x16xf32>\n"
              "%s = mirage_block.sum %t dim 0 : (!mirage.tile<4x16xf32>) -> "
              "!mirage.tile<1x16xf32>",
              "1x16xf32");
  EXPECT_FALSE(plan.alongMemory);
  EXPECT_EQ(plan.width, 1);
  EXPECT_EQ(plan.parts, 4);
}

// Warps share a row through 16 bytes of shared memory.
TEST_F(FoldPlanTest, Scratch) {
  FoldPlan plan = getPlan(
      "%t = mirage_block.reshape %h : (!mirage.tile<64x4096xf16>) -> "
      "!mirage.tile<2x131072xf16>\n"
      "%s = mirage_block.sum %t dim 1 : (!mirage.tile<2x131072xf16>) -> "
      "!mirage.tile<2x1xf32>",
      "2x1xf32");
  EXPECT_EQ(plan.getLanes(), 32);
  EXPECT_EQ(plan.getWarps(), 2);
  EXPECT_EQ(getScratchBytes(find<block::SumOp>()), 16);
  getPlan("%s = mirage_block.sum %h dim 1 : (!mirage.tile<64x4096xf16>) -> "
          "!mirage.tile<64x1xf32>",
          "64x1xf32");
  EXPECT_EQ(getScratchBytes(find<block::SumOp>()), 0);
}

} // namespace
