//===- TileAccessTest.cpp - How tiles lie in device memory ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Cost/TileAccess.h"
#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage;
using Shape = llvm::SmallVector<int64_t>;

namespace {

/// Counts the sectors of every tile, element by element.
double countSectorBytes(const Shape &tensor, const Shape &tile, unsigned bits) {
  Shape tiles;
  int64_t numTiles = 1, numElements = 1;
  for (auto [size, part] : llvm::zip(tensor, tile)) {
    tiles.push_back(size / part);
    numTiles *= tiles.back();
    numElements *= size;
  }
  // A sector counts once for each run.
  int64_t total = 0, lastTile = -1, lastSector = -1, lastElement = -2;
  for (int64_t e = 0; e < numElements; ++e) {
    int64_t rest = e, number = 0, scale = 1;
    for (size_t d = tensor.size(); d-- > 0;) {
      number += rest % tensor[d] / tile[d] * scale;
      scale *= tiles[d];
      rest /= tensor[d];
    }
    int64_t first = e * bits / (8 * kSectorBytes);
    int64_t last = (e * bits + bits - 1) / (8 * kSectorBytes);
    bool isSameRun = number == lastTile && e == lastElement + 1;
    total += last - first + 1 - (isSameRun && first == lastSector);
    lastTile = number;
    lastSector = last;
    lastElement = e;
  }
  return static_cast<double>(total) * kSectorBytes / numTiles;
}

TEST(TileAccess, WholeRowsAreOneRun) {
  TileAccess access = getTileAccess({16, 4096}, {4, 4096}, 16);
  EXPECT_EQ(access.runBytes, 4 * 8192);
  EXPECT_EQ(access.bytes, 4 * 8192);
  EXPECT_EQ(access.sectorBytes, 4 * 8192);
}

TEST(TileAccess, PartsOfRowsAreRuns) {
  TileAccess access = getTileAccess({4096, 4096}, {64, 32}, 16);
  EXPECT_EQ(access.runBytes, 64);
  EXPECT_EQ(access.bytes, 4096);
  EXPECT_EQ(access.sectorBytes, 4096);
}

TEST(TileAccess, ShortRowsTakeWholeSectors) {
  TileAccess access = getTileAccess({2, 4096, 8192}, {1, 4096, 4}, 16);
  EXPECT_EQ(access.runBytes, 8);
  EXPECT_EQ(access.bytes, 4096 * 8);
  EXPECT_EQ(access.sectorBytes, 4096 * 32);
}

TEST(TileAccess, RowsAcrossBoundariesTakeTwo) {
  // Rows of 24 bytes: at 0 and 8 of a sector they touch one, at 16 and 24 two.
  TileAccess access = getTileAccess({8, 48}, {8, 12}, 16);
  EXPECT_EQ(access.runBytes, 24);
  EXPECT_EQ(access.sectorBytes, 8 * 1.5 * 32);
}

TEST(TileAccess, NarrowAccessesTakeLonger) {
  auto getCycles = [](int64_t columns) {
    return getTileAccess({4, 4096 * columns}, {1, columns}, 16).cycles;
  };
  EXPECT_EQ(getCycles(64), 1);
  EXPECT_EQ(getCycles(128), 2);
  // 8, 4 and 2 bytes a thread.
  EXPECT_EQ(getCycles(500), 16);
  EXPECT_EQ(getCycles(86), 6);
  EXPECT_EQ(getCycles(43), 6);
}

TEST(TileAccess, CyclesOfBoxes) {
  auto count = [](int64_t columns) {
    return getTileAccess({4, 4096 * columns}, {1, columns}, 16).boxCycles;
  };
  EXPECT_EQ(count(64), 1);
  EXPECT_EQ(count(128), 2);
  EXPECT_EQ(count(32), 1);
  // Three panels of 32 bytes.
  EXPECT_EQ(count(48), 6);
  // 400 bytes are in different banks as they are.
  EXPECT_EQ(count(200), 1);
  EXPECT_EQ(count(36), 0);
}

TEST(TileAccess, TilesThatOverlapBeginElsewhere) {
  // Rows of 1234 f16, and so their tiles of 16, begin at multiples of 4 bytes.
  TileAccess access = getTileAccess({8, 1234}, {8, 16}, 16);
  EXPECT_EQ(access.sectorBytes, 8 * (32 + 32 - 4) / 32. * 32);
  EXPECT_EQ(access.cycles, 8);
  EXPECT_EQ(access.boxCycles, 0);
  // At multiples of 2: 16 threads for a row.
  EXPECT_EQ(getTileAccess({8, 4099}, {8, 16}, 16).cycles, 16);
  // At multiples of 16, as boxes do: three panels of 32 bytes.
  access = getTileAccess({8, 4936}, {8, 48}, 16);
  EXPECT_EQ(access.sectorBytes, 8 * (96 + 32 - 16) / 32. * 32);
  EXPECT_EQ(access.boxCycles, 8 * 6);
  // Of a vector only the last tile does.
  EXPECT_EQ(getTileAccess({1234}, {16}, 16).sectorBytes, 32);
}

TEST(TileAccess, SmallTensorsTakeASector) {
  EXPECT_EQ(getSectorBytes({}, 16), 32);
  EXPECT_EQ(getSectorBytes({10}, 16), 32);
  EXPECT_EQ(getSectorBytes({17}, 16), 64);
  EXPECT_EQ(getSectorBytes({100}, 1), 32);
}

/// Counts the sectors that warps request of every tile, element by element.
double countRequestedBytes(const Shape &tensor, const Shape &tile,
                           unsigned bits) {
  int64_t inTile = 1, numTiles = 1, rowBytes = tile.back() * bits / 8;
  for (auto [size, part] : llvm::zip(tensor, tile)) {
    inTile *= part;
    numTiles *= size / part;
  }
  int64_t inRequest =
      32 * std::min<int64_t>(rowBytes & -rowBytes, 16) * 8 / bits;
  int64_t total = 0;
  for (int64_t number = 0; number < numTiles; ++number) {
    int64_t lastPlace = -2, lastSector = -1;
    for (int64_t e = 0; e < inTile; ++e) {
      int64_t rest = e, tiles = number, place = 0, stride = 1;
      for (size_t d = tensor.size(); d-- > 0;) {
        int64_t parts = tensor[d] / tile[d];
        place += (tiles % parts * tile[d] + rest % tile[d]) * stride;
        stride *= tensor[d];
        tiles /= parts;
        rest /= tile[d];
      }
      int64_t sector = place * bits / (8 * kSectorBytes);
      bool isSame = e % inRequest != 0 && place == lastPlace + 1;
      total += !isSame || sector != lastSector;
      lastPlace = place;
      lastSector = sector;
    }
  }
  return static_cast<double>(total) * kSectorBytes / numTiles;
}

TEST(TileAccess, RequestsOfWarpsCutSectors) {
  // 32 threads with 4 bytes each: of 16 rows of 60 bytes 7 are cut in two, and
  // of these cuts one in eight is between sectors.
  TileAccess access = getTileAccess({1000, 2880}, {1000, 30}, 16);
  EXPECT_EQ(access.sectorBytes, 1000 * 2.75 * 32);
  EXPECT_NEAR(access.requestedBytes,
              access.sectorBytes + 1000 * 7.0 / 16 * 7 / 8 * 32, 32);
  // 2 bytes each, in half of the rows of 97.
  access = getTileAccess({77, 97}, {1, 97}, 16);
  EXPECT_NEAR(access.requestedBytes, access.sectorBytes + 3 * 15.0 / 16 * 32,
              2);
  // A row begins on a sector.
  EXPECT_EQ(getTileAccess({24, 4096}, {1, 4096}, 16).requestedBytes, 8192);
  EXPECT_EQ(getTileAccess({5000}, {5000}, 16).requestedBytes, 10016);
}

TEST(TileAccess, RequestsAgreeWithCounting) {
  std::mt19937 random(2);
  auto pick = [&](std::initializer_list<int64_t> list) {
    return list.begin()[random() % list.size()];
  };
  for (int i = 0; i < 150; ++i) {
    Shape tensor, tile;
    bool isRun = true;
    for (int d = 0, rank = 1 + random() % 3; d < rank; ++d) {
      tile.push_back(pick({1, 2, 3, 4, 5, 7, 8, 12, 30, 97}));
      tensor.push_back(tile.back());
    }
    // Runs are cut from as many places as a sector has.
    for (size_t d = tile.size(); d-- > 0;) {
      if (random() % 2)
        continue;
      tensor[d] *= isRun ? 32 : pick({2, 3});
      isRun = false;
    }
    unsigned bits = pick({8, 16, 32});
    TileAccess access = getTileAccess(tensor, tile, bits);
    SCOPED_TRACE(i);
    EXPECT_NEAR(access.requestedBytes, countRequestedBytes(tensor, tile, bits),
                1e-9 * access.requestedBytes);
    EXPECT_LE(access.sectorBytes, access.requestedBytes);
  }
}

TEST(TileAccess, AgreesWithCounting) {
  std::mt19937 random(1);
  auto pick = [&](std::initializer_list<int64_t> list) {
    return list.begin()[random() % list.size()];
  };
  for (int i = 0; i < 300; ++i) {
    Shape tensor, tile;
    for (int d = 0, rank = 1 + random() % 3; d < rank; ++d) {
      tile.push_back(pick({1, 2, 3, 4, 5, 7, 8, 12}));
      tensor.push_back(tile.back() * pick({1, 1, 2, 3, 4, 5}));
    }
    unsigned bits = pick({8, 16, 32});
    TileAccess access = getTileAccess(tensor, tile, bits);
    SCOPED_TRACE(i);
    EXPECT_DOUBLE_EQ(access.sectorBytes, countSectorBytes(tensor, tile, bits));
    EXPECT_LE(access.bytes, access.sectorBytes);
  }
}

} // namespace
