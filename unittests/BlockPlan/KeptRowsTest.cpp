//===- KeptRowsTest.cpp ---------------------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which kernels keep their rows in registers, how threads share them, and that
// the cost model, which looks for them in graphs of the search, finds the same.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/KeptRows.h"
#include "BlockGraphTest.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "llvm/ADT/StringExtras.h"

using namespace mirage;
using namespace mlir;

namespace {

using Access = KeptRowsShape::Access;

std::optional<KeptRowsShape> get(ArrayRef<int64_t> tile, int64_t bits,
                                 unsigned inputs = 1) {
  SmallVector<Access> accesses(inputs, Access{tile, bits, true});
  accesses.push_back({tile, bits, false});
  return KeptRowsShape::get(accesses, {});
}

TEST(KeptRowsShapeTest, LanesHaveVectors) {
  // 512 vectors of eight f16, one for each thread.
  std::optional<KeptRowsShape> rows = get({1, 4096}, 16);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->getNumRows(), 1);
  EXPECT_EQ(rows->getNumLanes(), 512);
  EXPECT_EQ(rows->getNumThreads(), 512);
  EXPECT_EQ(rows->getWidth(4096), 8);
  EXPECT_EQ(rows->getNumVectors(4096), 1);
  EXPECT_TRUE(rows->isFull(4096, 0));
  // Each of three rows has twelve vectors, for 16 lanes; two lanes share a warp
  // with nobody.
  rows = get({3, 96}, 16);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->getNumLanes(), 16);
  EXPECT_EQ(rows->getNumThreads(), 64);
  EXPECT_FALSE(rows->isFull(96, 0));
  // 97 elements don't fill vectors.
  rows = get({1, 97}, 16);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->getWidth(97), 1);
  EXPECT_EQ(rows->getNumLanes(), 128);
  // Dimensions in front are rows.
  rows = get({2, 3, 64}, 32);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->getNumRows(), 6);
  EXPECT_EQ(rows->getRowShape(), ArrayRef<int64_t>({2, 3}));
  EXPECT_EQ(rows->getNumLanes(), 16);
}

TEST(KeptRowsShapeTest, CountsWhatThreadsDo) {
  std::optional<KeptRowsShape> rows = get({3, 96}, 16);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->countComputed(96), 3 * 96);
  EXPECT_EQ(rows->countComputed(1), 64);
  EXPECT_EQ(rows->countLoads({3, 96}), 1);
  // Two rows of a warp load together what all have in common.
  EXPECT_EQ(rows->countLoads({96}), 2);
  rows = get({3, 1024}, 16);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->getNumLanes(), 128);
  EXPECT_EQ(rows->countLoads({1024}), 3);
}

TEST(KeptRowsShapeTest, NeedsRegistersAndSectors) {
  // 24 elements of each tensor, and as many that are computed.
  EXPECT_TRUE(get({1, 12288}, 16, 2));
  EXPECT_FALSE(get({1, 12288}, 16, 3));
  EXPECT_TRUE(get({256, 8}, 32));
  // One thread would load the halves of a sector one after the other.
  EXPECT_FALSE(get({257, 8}, 32));
  EXPECT_FALSE(get({513, 4}, 32));
  // Rows of 200 bytes begin in the middle of sectors.
  EXPECT_FALSE(get({4, 100}, 16));
  EXPECT_TRUE(get({1, 100}, 16));
}

TEST(KeptRowsShapeTest, WhatFoldsAreBetweenTakesRegisters) {
  // Functions of a row and their sums, which all go into the last function.
  auto areKept = [](unsigned functions, bool readsRows, bool isSaved) {
    constexpr std::array<int64_t, 2> kRow{1, 12288}, kSum{1, 1};
    std::vector<KeptRowsShape::Step> steps;
    KeptRowsShape::Step last{kRow, {}};
    for (unsigned i = 0; i < functions; ++i) {
      steps.push_back({kRow, {}, false, isSaved});
      steps.push_back({kSum, {2 * i}, true});
      last.operands.push_back(2 * i + 1);
      if (readsRows)
        last.operands.push_back(2 * i);
    }
    steps.push_back(std::move(last));
    return KeptRowsShape::get({{kRow, 16, true}, {kRow, 16, false}}, steps)
        .has_value();
  };
  EXPECT_TRUE(areKept(5, /*readsRows=*/false, /*isSaved=*/false));
  EXPECT_TRUE(areKept(2, /*readsRows=*/true, /*isSaved=*/false));
  EXPECT_FALSE(areKept(3, /*readsRows=*/true, /*isSaved=*/false));
  EXPECT_FALSE(areKept(3, /*readsRows=*/false, /*isSaved=*/true));
}

TEST(KeptRowsShapeTest, FoldsRows) {
  EXPECT_TRUE(KeptRowsShape::foldsRows({4, 64}, {4, 1}, 1));
  EXPECT_FALSE(KeptRowsShape::foldsRows({4, 64}, {1, 64}, 0));
  EXPECT_FALSE(KeptRowsShape::foldsRows({4, 64}, {4}, 1));
  // All lanes have the one element.
  EXPECT_FALSE(KeptRowsShape::foldsRows({4, 1}, {4, 1}, 1));
}

TEST(KeptRowsShapeTest, TilesGoTogether) {
  auto areKept = [](ArrayRef<int64_t> other, bool isInput) {
    return KeptRowsShape::get({{{4, 64}, 16, true},
                               {other, 16, isInput},
                               {{4, 64}, 16, false}},
                              {})
        .has_value();
  };
  EXPECT_TRUE(areKept({4, 64}, true));
  EXPECT_TRUE(areKept({4, 32}, true));
  EXPECT_TRUE(areKept({1, 64}, true));
  EXPECT_TRUE(areKept({64}, true));
  EXPECT_FALSE(areKept({2, 64}, true));
  EXPECT_FALSE(areKept({4, 1}, true));
  EXPECT_FALSE(areKept({}, true));
  EXPECT_TRUE(areKept({4, 1}, false));
  EXPECT_FALSE(areKept({1, 64}, false));
  auto areComputed = [](ArrayRef<int64_t> computed) {
    return KeptRowsShape::get({{{4, 64}, 16, true}, {{4, 64}, 16, false}},
                              {{computed, {}}})
        .has_value();
  };
  EXPECT_TRUE(areComputed({4, 1}));
  EXPECT_TRUE(areComputed({1, 64}));
  EXPECT_TRUE(areComputed({}));
  EXPECT_FALSE(areComputed({4, 16}));
  EXPECT_FALSE(areComputed({2, 4, 64}));
}

class KeptRowsTest : public BlockGraphTest {
protected:
  /// Rows normed by a root of their sums along `dim`, times what they have in
  /// common.
  static std::string getText(int64_t rows, int64_t length, unsigned dim,
                             const char *element) {
    std::string m = std::to_string(rows), n = std::to_string(length);
    std::string text = R"(
func.func @f(%x: TX, %g: TG) -> TX {
  %y = mirage_kernel.graph_defined (%x, %g) grid <x = 2> : (TX, TG) -> TX {
  ^bb0(%X: TX, %G: TG):
    %a = mirage_block.input_iterator %X imap <x -> 0> : TX -> TILE
    %b = mirage_block.input_iterator %G imap <x -> replica> : TG -> COMMON
    %e = mirage_block.exp %a : (TILE) -> FULL
    %s = mirage_block.sum %e dim DIM : (FULL) -> SUM
    %r = mirage_block.sqrt %s : (SUM) -> SUM
    %p = mirage_block.mul %e, %r : (FULL, SUM) -> FULL
    %o = mirage_block.mul %p, %b : (FULL, COMMON) -> FULL
    mirage_block.output_saver %o omap <x -> 0> : FULL -> TX
  }
  return %y : TX
})";
    replaceAll(
        text, {{"DIM", std::to_string(dim)},
               {"TILE", "!mirage.tile<" + m + "x" + n + "x" + element + ">"},
               {"COMMON", "!mirage.tile<" + n + "x" + element + ">"},
               {"FULL", "!mirage.tile<" + m + "x" + n + "xf32>"},
               {"SUM", "!mirage.tile<" + (dim ? m + "x1" : "1x" + n) + "xf32>"},
               {"TX", "tensor<" + std::to_string(2 * rows) + "x" + n + "x" +
                          element + ">"},
               {"TG", "tensor<" + n + "x" + element + ">"}});
    return text;
  }
};

TEST_F(KeptRowsTest, CostModelFindsTheSame) {
  unsigned found = 0, others = 0;
  TargetNumbers numbers(TargetAttr::lookup(&context, "sm_90a"));
  for (const char *element : {"f16", "f32"})
    for (unsigned dim : {0u, 1u})
      for (int64_t rows : {1, 2, 3, 16, 100, 600})
        for (int64_t length : {1, 8, 48, 97, 100, 512, 5000, 40000}) {
          SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(length) +
                       " " + element + " along " + std::to_string(dim));
          parse(getText(rows, length, dim, element));
          ASSERT_FALSE(HasFatalFailure());
          std::optional<KeptRowsShape> kept =
              findKeptRows(cast<BlockGraphOpInterface>(
                  find<kernel::GraphDefinedOp>().getOperation()));
          auto graph = importKernelGraph(find<func::FuncOp>());
          ASSERT_TRUE(succeeded(graph));
          KernelLoad load = getKernelLoad(*graph, graph->nodes[0], numbers);
          if (!kept) {
            ++others;
            EXPECT_EQ(load.repeatedFunctions, 0);
            continue;
          }
          ++found;
          // A root of each row, by each thread.
          EXPECT_EQ(load.work.specialFunctions, 2 * (rows * length + rows));
          EXPECT_EQ(load.repeatedFunctions, 2 * (kept->getNumThreads() - rows));
        }
  EXPECT_GT(found, 20u);
  EXPECT_GT(others, 20u);
}

} // namespace
