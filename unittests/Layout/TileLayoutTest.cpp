//===- TileLayoutTest.cpp - Tests of layouts of tiles ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Layout/TileLayout.h"
#include "gtest/gtest.h"
#include <set>

using namespace mirage;
using Index = llvm::SmallVector<int64_t>;

namespace {

TileLayout makeLayout(llvm::StringRef name, Index shape, int64_t elementBytes) {
  std::optional<TileLayout> layout = getNamedLayout(name, shape, elementBytes);
  EXPECT_TRUE(layout && layout->isValid()) << name.str();
  EXPECT_EQ(layout->getName(), name);
  return *layout;
}

bool isValid(llvm::StringRef name, Index shape, int64_t elementBytes) {
  return getNamedLayout(name, shape, elementBytes)->isValid();
}

TEST(TileLayoutTest, RowMajor) {
  EXPECT_EQ(makeLayout("row_major", {4, 8}, 2).getOffset({3, 5}), 3 * 16 + 10);
  EXPECT_EQ(makeLayout("row_major", {2, 3, 5}, 2).getOffset({1, 2, 4}), 58);
  EXPECT_EQ(makeLayout("row_major", {5}, 4).getOffset({3}), 12);
  EXPECT_EQ(makeLayout("row_major", {}, 4).getOffset({}), 0);
  EXPECT_EQ(makeLayout("row_major", {4, 8}, 2).getBytes(), 64);
  EXPECT_EQ(makeLayout("row_major", {4, 8}, 2).getAlignment(), 16);
}

// The permutations of the tensor memory accelerator: pieces of 16 bytes in 8, 4
// and 2 rows.
TEST(TileLayoutTest, Swizzles) {
  for (int64_t row = 0; row < 32; ++row)
    for (int64_t piece = 0; piece < 8; ++piece) {
      EXPECT_EQ(
          makeLayout("swizzle_128", {32, 64}, 2).getOffset({row, piece * 8}),
          row * 128 + (piece ^ (row & 7)) * 16);
      if (piece < 4)
        EXPECT_EQ(
            makeLayout("swizzle_64", {32, 32}, 2).getOffset({row, piece * 8}),
            row * 64 + (piece ^ ((row >> 1) & 3)) * 16);
      if (piece < 2)
        EXPECT_EQ(
            makeLayout("swizzle_32", {32, 16}, 2).getOffset({row, piece * 8}),
            row * 32 + (piece ^ ((row >> 2) & 1)) * 16);
    }
  EXPECT_EQ(makeLayout("swizzle_128", {8, 128}, 2).getAlignment(), 1024);
  EXPECT_EQ(makeLayout("swizzle_64", {8, 128}, 2).getAlignment(), 512);
  EXPECT_EQ(makeLayout("swizzle_32", {8, 128}, 2).getAlignment(), 256);
}

// Wider rows are cut, and all matrices are in one panel.
TEST(TileLayoutTest, Panels) {
  TileLayout wide = makeLayout("swizzle_128", {8, 128}, 2);
  EXPECT_EQ(wide.getNumPanels(), 2);
  EXPECT_EQ(wide.getOffset({3, 64 + 8}), 1024 + 3 * 128 + (1 ^ 3) * 16);
  TileLayout several = makeLayout("swizzle_64", {2, 4, 64}, 2);
  EXPECT_EQ(several.getOffset({0, 0, 32}), 2 * 4 * 64);
  EXPECT_EQ(several.getOffset({1, 1, 32}),
            2 * 4 * 64 + 5 * 64 + ((5 >> 1) & 3) * 16);
}

// Pieces of 32 bytes: 4 rows that follow each other, and every other row of 8,
// have them in different banks.
TEST(TileLayoutTest, Pairs) {
  for (const TileLayout &layout : {makeLayout("pairs_128", {16, 32}, 4),
                                   makeLayout("pairs_64", {16, 16}, 4),
                                   makeLayout("pairs_128", {16, 64}, 4),
                                   makeLayout("pairs_64", {16, 48}, 4)})
    for (int64_t column = 0; column < layout.getRowElements(); column += 8)
      for (int64_t first = 0; first < 8; first += 4) {
        std::set<int64_t> next, everyOther;
        for (int64_t i = 0; i < 4; ++i) {
          next.insert(layout.getOffset({first + i, column}) / 32 % 4);
          everyOther.insert(layout.getOffset({first / 4 + 2 * i, column}) / 32 %
                            4);
        }
        EXPECT_EQ(next.size(), 4u) << layout.getName();
        EXPECT_EQ(everyOther.size(), 4u) << layout.getName();
      }
  EXPECT_EQ(makeLayout("pairs_128", {16, 32}, 4).getAlignment(), 16);
  EXPECT_FALSE(makeLayout("pairs_128", {16, 32}, 4).allowsBulkCopies());
}

// 6 pieces of 16 bytes in a row, 8 rows: every piece of a column elsewhere; and
// the pieces of a row, too.
TEST(TileLayoutTest, WholeRows) {
  TileLayout layout = makeLayout("rows_32", {16, 48}, 2);
  EXPECT_EQ(layout.getNumPanels(), 1);
  EXPECT_EQ(layout.getAlignment(), 16);
  EXPECT_FALSE(layout.allowsBulkCopies());
  EXPECT_EQ(layout.getOffset({3, 8}), 3 * 96 + 16);
  EXPECT_EQ(layout.getOffset({5, 8}), 5 * 96);
  EXPECT_EQ(makeLayout("pair_rows_64", {16, 48}, 4).getOffset({2, 8}), 2 * 192);
  EXPECT_EQ(makeLayout("pair_rows_64", {16, 48}, 4).getOffset({6, 8}),
            6 * 192 + 32);
}

// Rows of 20 bytes: 64 bytes change places in the second and fourth 128 bytes,
// or in the third and fourth, wherever rows begin.
TEST(TileLayoutTest, Halves) {
  TileLayout each = makeLayout("halves_128", {20, 10}, 2);
  TileLayout other = makeLayout("halves_256", {20, 10}, 2);
  EXPECT_EQ(each.getOffset({6, 3}), 126);
  EXPECT_EQ(each.getOffset({6, 4}), 128 + 64);
  EXPECT_EQ(each.getOffset({9, 9}), 198 - 64);
  EXPECT_EQ(each.getOffset({13, 0}), 260);
  EXPECT_EQ(other.getOffset({9, 9}), 198);
  EXPECT_EQ(other.getOffset({13, 0}), 260 + 64);
  EXPECT_EQ(each.getAlignment(), 16);
  EXPECT_FALSE(each.allowsBulkCopies());
  // The last 128 bytes are taken whole.
  EXPECT_EQ(each.getBytes(), 512);
}

// The next row begins at an odd multiple of 16 or 32 bytes.
TEST(TileLayoutTest, Padding) {
  auto getPitch = [](llvm::StringRef name, int64_t columns) {
    return makeLayout(name, {8, columns}, 2).getPitchBytes();
  };
  EXPECT_EQ(getPitch("padded_16", 10), 48);
  EXPECT_EQ(getPitch("padded_16", 64), 144);
  EXPECT_EQ(getPitch("padded_16", 500), 1008);
  EXPECT_EQ(getPitch("padded_32", 10), 32);
  EXPECT_EQ(getPitch("padded_32", 64), 160);
  EXPECT_EQ(getPitch("padded_32", 200), 416);
  TileLayout layout = makeLayout("padded_16", {2, 4, 64}, 2);
  EXPECT_EQ(layout.getOffset({1, 2, 5}), 6 * 144 + 10);
  EXPECT_EQ(layout.getBytes(), 8 * 144);
  EXPECT_FALSE(layout.allowsBulkCopies());
  EXPECT_FALSE(layout.isPermuted());
  EXPECT_FALSE(layout.isRowMajor());
}

// Not where there is one row, or rows have such a pitch as they are.
TEST(TileLayoutTest, CandidatesForAnyRows) {
  auto getNames = [](Index shape) {
    std::set<std::string> names;
    for (const TileLayout &layout : getCandidateLayouts(shape, 2))
      names.insert(layout.getName());
    return names;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(getNames({1, 10}), Names({"row_major"}));
  EXPECT_EQ(getNames({4, 10}), Names({"row_major", "halves_128", "halves_256",
                                      "padded_16", "padded_32"}));
  EXPECT_EQ(getNames({4, 40}),
            Names({"row_major", "halves_128", "halves_256", "padded_32"}));
}

TEST(TileLayoutTest, Invalid) {
  EXPECT_FALSE(isValid("swizzle_32", {8, 24}, 2));
  EXPECT_FALSE(isValid("pairs_64", {8, 24}, 4));
  EXPECT_FALSE(isValid("pairs_32", {6, 8}, 4));
  EXPECT_FALSE(isValid("row_major", {8, 0}, 2));
  EXPECT_FALSE((TileLayout{{8, 24}, 2, 48}).isValid());
  EXPECT_FALSE((TileLayout{{8, 16}, 3}).isValid());
  EXPECT_FALSE(getNamedLayout("swizzle_256", {8, 128}, 2));
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

TEST(TileLayoutTest, ElementsDontOverlap) {
  std::set<std::string> names;
  for (int64_t elementBytes : {2, 4})
    for (const Index &shape :
         {Index{16, 64}, Index{64, 16}, Index{3, 5}, Index{37, 10},
          Index{2, 8, 32}, Index{2, 3, 3, 48}, Index{1, 96}, Index{64},
          Index{}})
      for (const TileLayout &layout :
           getCandidateLayouts(shape, elementBytes)) {
        SCOPED_TRACE(layout.getName());
        names.insert(layout.getName());
        std::set<int64_t> offsets;
        for (const Index &index : getIndices(shape)) {
          int64_t offset = layout.getOffset(index);
          EXPECT_EQ(offset % elementBytes, 0);
          EXPECT_GE(offset, 0);
          EXPECT_LE(offset + elementBytes, layout.getBytes());
          EXPECT_TRUE(offsets.insert(offset).second);
          // 16 bytes of a row stay together.
          if (layout.getRowBytes() % 16 == 0)
            EXPECT_EQ(offset % 16, index.back() * elementBytes % 16);
        }
      }
  EXPECT_EQ(names.size(), 16u);
}

} // namespace
