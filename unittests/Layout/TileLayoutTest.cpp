//===- TileLayoutTest.cpp - Tests of layouts of tiles ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Layout/LayoutAssignment.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace mirage;
using Index = llvm::SmallVector<int64_t>;

namespace {

TileLayout makeLayout(Index shape, int64_t elementBytes,
                      bool isColumnMajor = false, int64_t padding = 0,
                      int64_t swizzle = 0) {
  TileLayout layout{shape, elementBytes, isColumnMajor, padding, swizzle};
  EXPECT_TRUE(layout.isValid()) << layout.str();
  return layout;
}

int64_t getTransactions(const TileLayout &layout, AccessPattern pattern) {
  std::optional<AccessCost> cost = getAccessCost(layout, pattern);
  return cost ? cost->transactions : -1;
}

/// All indices of a shape.
std::vector<Index> getIndices(const Index &shape) {
  std::vector<Index> indices(1);
  for (int64_t size : shape) {
    std::vector<Index> longer;
    for (const Index &index : indices)
      for (int64_t i = 0; i < size; ++i) {
        longer.push_back(index);
        longer.back().push_back(i);
      }
    indices = std::move(longer);
  }
  return indices;
}

TEST(TileLayoutTest, Offsets) {
  EXPECT_EQ(makeLayout({4, 8}, 2).getOffset({3, 5}), 3 * 16 + 10);
  EXPECT_EQ(makeLayout({4, 8}, 2, true).getOffset({3, 5}), 5 * 8 + 6);
  EXPECT_EQ(makeLayout({4, 8}, 2, false, 16).getOffset({3, 5}), 3 * 32 + 10);
  EXPECT_EQ(makeLayout({2, 4, 8}, 2).getOffset({1, 3, 5}), 64 + 3 * 16 + 10);
  EXPECT_EQ(makeLayout({5}, 4).getOffset({3}), 12);
  EXPECT_EQ(makeLayout({}, 4).getOffset({}), 0);
  EXPECT_EQ(makeLayout({4, 8}, 2, false, 16).getBytes(), 4 * 32 - 16);
}

// The permutations of the tensor memory accelerator: pieces of 16 bytes in 8, 4
// and 2 rows.
TEST(TileLayoutTest, Swizzles) {
  for (int64_t row = 0; row < 32; ++row)
    for (int64_t piece = 0; piece < 8; ++piece) {
      EXPECT_EQ(
          makeLayout({32, 64}, 2, false, 0, 128).getOffset({row, piece * 8}),
          row * 128 + (piece ^ (row & 7)) * 16);
      if (piece < 4)
        EXPECT_EQ(
            makeLayout({32, 32}, 2, false, 0, 64).getOffset({row, piece * 8}),
            row * 64 + (piece ^ ((row >> 1) & 3)) * 16);
      if (piece < 2)
        EXPECT_EQ(
            makeLayout({32, 16}, 2, false, 0, 32).getOffset({row, piece * 8}),
            row * 32 + (piece ^ ((row >> 2) & 1)) * 16);
    }
  // Wider rows are cut into panels.
  TileLayout wide = makeLayout({8, 128}, 2, false, 0, 128);
  EXPECT_EQ(wide.getOffset({3, 64 + 8}), 1024 + 3 * 128 + (1 ^ 3) * 16);
  EXPECT_EQ(wide.getAlignment(), 1024);
  EXPECT_FALSE((TileLayout{{8, 24}, 2, false, 0, 32}).isValid());
  EXPECT_FALSE((TileLayout{{8, 16}, 2, false, 16, 32}).isValid());
  EXPECT_FALSE((TileLayout{{8, 16}, 2, false, 0, 48}).isValid());
  EXPECT_FALSE((TileLayout{{8, 0}, 2}).isValid());
}

TEST(TileLayoutTest, ElementsDontOverlap) {
  for (int64_t elementBytes : {2, 4})
    for (const Index &shape :
         {Index{16, 64}, Index{64, 16}, Index{3, 5}, Index{2, 8, 32},
          Index{2, 2, 16, 16}, Index{7}, Index{}})
      for (const TileLayout &layout :
           getCandidateLayouts(shape, elementBytes)) {
        SCOPED_TRACE(layout.str());
        std::set<int64_t> offsets;
        for (const Index &index : getIndices(shape)) {
          int64_t offset = layout.getOffset(index);
          EXPECT_EQ(offset % elementBytes, 0);
          EXPECT_GE(offset, 0);
          EXPECT_LE(offset + elementBytes, layout.getBytes());
          EXPECT_TRUE(offsets.insert(offset).second);
        }
      }
}

TEST(TileLayoutTest, BankConflicts) {
  using P = AccessPattern;
  // Rows of 128 bytes: eight of them begin in one bank.
  TileLayout plain = makeLayout({16, 64}, 2);
  std::optional<AccessCost> cost = getAccessCost(plain, P::LoadMatrix);
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->ideal, 16);
  EXPECT_EQ(cost->transactions, 8 * 16);
  EXPECT_EQ(getTransactions(plain, P::CopyRows), 16);
  EXPECT_EQ(getTransactions(plain, P::ReadRows), 2 * 16);
  // A column of 16: all in one bank.
  EXPECT_EQ(getTransactions(plain, P::ReadColumns), 64 * 16);
  EXPECT_EQ(getTransactions(plain, P::LoadMatrixTransposed), -1);
  // Padding, and a swizzle, spread them.
  for (const TileLayout &spread : {makeLayout({16, 64}, 2, false, 16),
                                   makeLayout({16, 64}, 2, false, 0, 128)}) {
    EXPECT_EQ(getTransactions(spread, P::LoadMatrix), 16);
    EXPECT_EQ(getTransactions(spread, P::CopyRows), 16);
  }
  // 4 bytes would, too, but then pieces are not aligned.
  EXPECT_EQ(getTransactions(makeLayout({16, 64}, 2, false, 4), P::LoadMatrix),
            -1);
  EXPECT_EQ(getTransactions(makeLayout({16, 64}, 2, false, 4), P::ReadColumns),
            64);
  // Shorter rows.
  EXPECT_EQ(getTransactions(makeLayout({16, 16}, 2), P::LoadMatrix), 4 * 2);
  EXPECT_EQ(
      getTransactions(makeLayout({16, 16}, 2, false, 0, 32), P::LoadMatrix), 4);
  EXPECT_EQ(getTransactions(makeLayout({16, 32}, 2), P::LoadMatrix), 8 * 4);
  EXPECT_EQ(
      getTransactions(makeLayout({16, 32}, 2, false, 0, 64), P::LoadMatrix), 8);
  // Column-major, where columns are what rows were.
  EXPECT_EQ(
      getTransactions(makeLayout({64, 16}, 2, true), P::LoadMatrixTransposed),
      8 * 16);
  EXPECT_EQ(getTransactions(makeLayout({64, 16}, 2, true), P::CopyRows), -1);
}

/// As the hardware is described: for each group of threads that goes at once,
/// as many as the bank with the most words has.
TEST(TileLayoutTest, TransactionsAgreeWithCounting) {
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
