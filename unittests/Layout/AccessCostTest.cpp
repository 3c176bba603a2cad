//===- AccessCostTest.cpp - Tests of counting transactions ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Layout/AccessCost.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace mirage;
using Index = llvm::SmallVector<int64_t>;

namespace {

/// Transactions of accessing all of a view, -1 if that isn't possible.
int64_t count(llvm::StringRef name, Index shape, int64_t elementBytes,
              const AccessPattern &pattern, bool isTransposed = false) {
  std::optional<TileLayout> layout = getNamedLayout(name, shape, elementBytes);
  EXPECT_TRUE(layout && layout->isValid());
  TileView view = TileView::getWhole(shape);
  if (isTransposed) {
    std::swap(view.shape[0], view.shape[1]);
    std::swap(view.strides[0], view.strides[1]);
  }
  std::optional<AccessCost> cost = getAccessCost(*layout, view, pattern);
  return cost ? cost->transactions : -1;
}

TEST(AccessCostTest, Vectors) {
  EXPECT_TRUE(isVector({64, 1}, 0, 8, 1));
  EXPECT_TRUE(isVector({64, 1}, 8, 8, 1));
  EXPECT_FALSE(isVector({64, 1}, 4, 8, 1)) << "of the offset";
  EXPECT_FALSE(isVector({12, 1}, 0, 8, 1)) << "of the rows";
  EXPECT_TRUE(isVector({12, 1}, 0, 4, 1));
  EXPECT_FALSE(isVector({64, 1}, 0, 8, 0));
  EXPECT_TRUE(isVector({1, 64}, 0, 8, 0));
  // One for all.
  EXPECT_TRUE(isVector({0, 1}, 0, 8, 1));
  EXPECT_FALSE(isVector({64, 0}, 0, 8, 1));
  // A scalar always is.
  EXPECT_TRUE(isVector({}, 3, 1, 0));
  EXPECT_FALSE(isVector({}, 0, 2, 0));
}

TEST(AccessCostTest, Matrices) {
  AccessPattern rows = AccessPattern::getMatrices(/*dim=*/1, /*lineDim=*/0);
  // Rows of 128 bytes: eight of them begin in one bank.
  EXPECT_EQ(count("row_major", {16, 64}, 2, rows), 8 * 16);
  EXPECT_EQ(count("swizzle_128", {16, 64}, 2, rows), 16);
  EXPECT_EQ(count("swizzle_64", {16, 64}, 2, rows), 16);
  EXPECT_EQ(count("swizzle_128", {16, 128}, 2, rows), 32);
  // Shorter rows.
  EXPECT_EQ(count("row_major", {16, 16}, 2, rows), 4 * 2);
  EXPECT_EQ(count("swizzle_32", {16, 16}, 2, rows), 4);
  EXPECT_EQ(count("row_major", {16, 32}, 2, rows), 8 * 4);
  EXPECT_EQ(count("swizzle_64", {16, 32}, 2, rows), 8);
  EXPECT_EQ(count("row_major", {16, 8}, 2, rows), 2);
  // Those that repeat are in nobody's way.
  EXPECT_EQ(count("row_major", {1, 64}, 2, rows), 8);
  EXPECT_EQ(count("row_major", {16, 64}, 4, rows), -1);
  EXPECT_EQ(count("row_major", {16, 12}, 2, rows), -1);
  // Of a transposed tile what is next to each other are the lines.
  EXPECT_EQ(count("row_major", {16, 64}, 2, rows, /*isTransposed=*/true), -1);
  EXPECT_EQ(count("swizzle_128", {16, 64}, 2,
                  AccessPattern::getMatrices(/*dim=*/0, /*lineDim=*/1),
                  /*isTransposed=*/true),
            16);
}

TEST(AccessCostTest, Elements) {
  for (llvm::StringRef name : {"row_major", "swizzle_128"}) {
    EXPECT_EQ(count(name, {16, 64}, 2, AccessPattern::getElements(8)), 16);
    EXPECT_EQ(count(name, {16, 64}, 2, AccessPattern::getElements(4)), 16);
    EXPECT_EQ(count(name, {16, 64}, 2, AccessPattern::getElements(1)), 32);
  }
  // Columns of 32 f32: in one bank, and in 8 pieces.
  AccessPattern one = AccessPattern::getElements(1);
  EXPECT_EQ(count("row_major", {32, 32}, 4, one, /*isTransposed=*/true),
            32 * 32);
  EXPECT_EQ(count("swizzle_128", {32, 32}, 4, one, /*isTransposed=*/true),
            4 * 32);
  // A vector of 32 bytes is in two pieces, but one of pairs.
  EXPECT_EQ(count("swizzle_128", {16, 32}, 4, AccessPattern::getElements(8)),
            -1);
}

// Panels are as far apart as their banks repeat: pieces of a row in several of
// them are in each other's way, unlike those of whole rows.
TEST(AccessCostTest, WholeRows) {
  AccessPattern rows = AccessPattern::getMatrices(/*dim=*/1, /*lineDim=*/0);
  AccessPattern copies = AccessPattern::getElements(8);
  EXPECT_EQ(count("row_major", {16, 48}, 2, rows), 24);
  EXPECT_EQ(count("swizzle_32", {16, 48}, 2, rows), 12);
  EXPECT_EQ(count("rows_32", {16, 48}, 2, rows), 12);
  EXPECT_GT(count("swizzle_32", {16, 48}, 2, copies), 12);
  EXPECT_EQ(count("row_major", {16, 48}, 2, copies), 12);
  EXPECT_EQ(count("rows_32", {16, 48}, 2, copies), 12);
}

// Rows of any length: what is 128 bytes of the tile stays so, and every other
// row of eight is elsewhere.
TEST(AccessCostTest, Halves) {
  AccessPattern copies = AccessPattern::getElements(2);
  AccessPattern columns = AccessPattern::getFragments(/*dim=*/0, /*lineDim=*/1);
  EXPECT_EQ(count("row_major", {64, 30}, 2, copies), 30);
  EXPECT_EQ(count("halves_128", {64, 30}, 2, copies), 30);
  EXPECT_EQ(count("row_major", {64, 30}, 2, columns), 128);
  EXPECT_EQ(count("halves_128", {64, 30}, 2, columns), 64);
}

// Rows of 400 bytes: four begin 16 bytes after each other, which is too little
// for pairs of f32; of 416, 32.
TEST(AccessCostTest, PaddedRows) {
  AccessPattern pairs = AccessPattern::getFragments(/*dim=*/1, /*lineDim=*/0);
  AccessPattern columns = AccessPattern::getFragments(/*dim=*/0, /*lineDim=*/1);
  EXPECT_EQ(count("row_major", {16, 96}, 4, pairs), 4 * 48);
  EXPECT_EQ(count("padded_32", {16, 96}, 4, pairs), 48);
  EXPECT_EQ(count("row_major", {16, 96}, 4, columns), 4 * 48);
  EXPECT_EQ(count("padded_16", {16, 96}, 4, columns), 48);
  // `ldmatrix` reads eight rows.
  AccessPattern rows = AccessPattern::getMatrices(/*dim=*/1, /*lineDim=*/0);
  EXPECT_EQ(count("row_major", {16, 64}, 2, rows), 8 * 16);
  EXPECT_EQ(count("padded_16", {16, 64}, 2, rows), 16);
  // Copies are in their own way where a row ends within 128 bytes.
  AccessPattern copies = AccessPattern::getElements(8);
  EXPECT_EQ(count("row_major", {16, 72}, 2, copies), 18);
  EXPECT_GT(count("padded_32", {16, 72}, 2, copies), 18);
}

// Rows of 160 bytes: 128 of each go at once, then the last 32 of four rows.
TEST(AccessCostTest, SplitRows) {
  EXPECT_EQ(getElementSplit({16, 40}), 32);
  EXPECT_EQ(getElementSplit({16, 64}), 0);
  EXPECT_EQ(getElementSplit({16, 24}), 0) << "none of 128 bytes";
  EXPECT_EQ(getElementSplit({1, 40}), 0) << "one row";
  EXPECT_EQ(getElementSplit({16, 1000}), 0) << "long rows";
  EXPECT_EQ(getElementSplit({40}), 0);
  EXPECT_EQ(getElementSplit({}), 0);
  AccessPattern whole = AccessPattern::getElements(4);
  AccessPattern split = AccessPattern::getElements(4, /*split=*/32);
  EXPECT_EQ(count("row_major", {16, 40}, 4, whole), 20);
  EXPECT_EQ(count("row_major", {16, 40}, 4, split), 20);
  EXPECT_GT(count("padded_16", {16, 40}, 4, whole), 20);
  EXPECT_EQ(count("padded_32", {16, 36}, 4, split), 16 + 4);
  // A row that is read for each row.
  TileLayout row{{1, 40}, 4};
  TileView view = TileView::getWhole({1, 40}).broadcastTo({16, 40});
  EXPECT_EQ(getAccessCost(row, view, whole)->transactions, 32);
  EXPECT_EQ(getAccessCost(row, view, split)->transactions, 20);
}

TEST(AccessCostTest, Fragments) {
  AccessPattern plain = AccessPattern::getFragments(/*dim=*/1, /*lineDim=*/0);
  AccessPattern transposed =
      AccessPattern::getFragments(/*dim=*/0, /*lineDim=*/1);
  // Half a warp takes 32 bytes of each of 4 rows.
  EXPECT_EQ(count("row_major", {16, 32}, 4, plain), 4 * 2 * 4 * 2);
  EXPECT_EQ(count("swizzle_128", {16, 32}, 4, plain), 2 * 2 * 4 * 2);
  EXPECT_EQ(count("pairs_128", {16, 32}, 4, plain), 2 * 4 * 2);
  EXPECT_EQ(count("pairs_64", {16, 16}, 4, plain), 2 * 2 * 2);
  // A warp 8 elements of every other row of 8, in two instructions.
  EXPECT_EQ(count("row_major", {16, 32}, 4, transposed), 4 * 2 * 4 * 2);
  for (llvm::StringRef name : {"pairs_32", "pairs_64", "pairs_128"})
    EXPECT_EQ(count(name, {16, 32}, 4, transposed), 2 * 4 * 2);
}

// Eight lanes take columns 0, 8, 4 and 12 of two rows, by 16 bytes.
TEST(AccessCostTest, FragmentsOfFourNeighbours) {
  AccessPattern fours =
      AccessPattern::getFragments(/*dim=*/1, /*lineDim=*/0, /*width=*/4);
  EXPECT_EQ(count("row_major", {16, 32}, 4, fours), 2 * 16);
  EXPECT_EQ(count("row_major", {16, 16}, 4, fours), 8);
  // Where 32 bytes of two rows change places they are in each other's way.
  EXPECT_EQ(count("pair_rows_128", {16, 64}, 4, fours), 2 * 32);
  EXPECT_EQ(count("pairs_64", {16, 64}, 4, fours), 32);
  // Rows of one element, for all of the line.
  TileView view = TileView::getWhole({8, 1}).broadcastTo({8, 32});
  std::optional<AccessCost> cost =
      getAccessCost(TileLayout{{8, 1}, 4}, view, fours);
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->transactions, 2);
}

TEST(AccessCostTest, Folds) {
  // Lanes along a row; along columns, a lane for each; and four for each.
  EXPECT_EQ(count("row_major", {32, 32}, 4,
                  AccessPattern::getFold(/*dim=*/1, 32, /*alongLanes=*/true)),
            32);
  EXPECT_EQ(count("row_major", {32, 32}, 4,
                  AccessPattern::getFold(/*dim=*/0, 1, /*alongLanes=*/false)),
            32);
  AccessPattern four =
      AccessPattern::getFold(/*dim=*/0, 4, /*alongLanes=*/false);
  EXPECT_EQ(count("row_major", {32, 32}, 4, four), 4 * 32);
  EXPECT_EQ(count("pairs_128", {32, 32}, 4, four), 32);
}

TEST(AccessCostTest, FoldsOfVectors) {
  auto fold = [](int64_t lanes, int64_t width) {
    return AccessPattern::getFold(/*dim=*/1, lanes, /*alongLanes=*/true, width);
  };
  // Eight lanes read 128 bytes of a row; four, of two rows that begin in one
  // bank.
  for (llvm::StringRef name : {"row_major", "swizzle_128", "pairs_128"}) {
    EXPECT_EQ(count(name, {32, 64}, 4, fold(8, 4)), 64);
    EXPECT_EQ(count(name, {32, 64}, 2, fold(8, 8)), 32);
  }
  EXPECT_EQ(count("row_major", {32, 64}, 4, fold(4, 4)), 2 * 64);
  // Rows of 64 bytes follow each other.
  EXPECT_EQ(count("row_major", {32, 16}, 4, fold(4, 4)), 16);
  // Lanes for which nothing is left read what the last one does.
  EXPECT_EQ(count("row_major", {32, 24}, 4, fold(8, 4)), 32);
  EXPECT_EQ(count("row_major", {4, 77}, 4, fold(32, 1)), 4 * 3);
  // A vector is in one piece.
  EXPECT_EQ(count("swizzle_128", {32, 64}, 4, fold(8, 8)), -1);
  // Of what isn't next to each other all elements are read by themselves.
  EXPECT_EQ(count("row_major", {32, 32}, 4,
                  AccessPattern::getFold(/*dim=*/0, 8, /*alongLanes=*/true, 4)),
            8 * 32);
}

// Along the columns of a transposed tile.
TEST(AccessCostTest, FoldsOfVectorsThatAreTransposed) {
  EXPECT_EQ(count("row_major", {32, 64}, 2,
                  AccessPattern::getFold(/*dim=*/0, 8, /*alongLanes=*/true, 8),
                  /*isTransposed=*/true),
            32);
}

// What all threads want is one transaction, and so is the ideal.
TEST(AccessCostTest, Broadcasts) {
  TileLayout layout{{16, 64}, 4};
  TileView view = TileView::getWhole({16, 64});
  view.strides[1] = 0;
  std::optional<AccessCost> cost =
      getAccessCost(layout, view, AccessPattern::getElements(2));
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->transactions, 16);
  EXPECT_EQ(cost->ideal, 16);
}

/// As the hardware is described: for each group of threads that goes at once,
/// as many as the bank with the most words has.
TEST(AccessCostTest, TransactionsAgreeWithCounting) {
  std::mt19937 generator(1);
  for (unsigned trial = 0; trial < 200; ++trial) {
    int64_t bytes = int64_t(1) << (trial % 5);
    std::vector<ThreadAccess> accesses;
    for (unsigned thread = 0; thread < 32; ++thread)
      accesses.push_back(
          {static_cast<int64_t>(generator() % 64) * bytes, bytes});
    int64_t expected = 0;
    unsigned group = bytes <= 4 ? 32 : 128 / bytes;
    for (unsigned first = 0; first < 32; first += group) {
      std::set<int64_t> words;
      for (unsigned thread = first; thread < first + group; ++thread)
        for (int64_t byte = 0; byte < bytes; ++byte)
          words.insert((accesses[thread].offset + byte) / 4);
      std::map<int64_t, int64_t> ofBank;
      int64_t most = 0;
      for (int64_t word : words)
        most = std::max(most, ++ofBank[word % 32]);
      expected += most;
    }
    EXPECT_EQ(countTransactions(accesses), expected);
  }
}

} // namespace
