//===- Clusters.cpp - When blocks should load tiles together --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Cost/Clusters.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Numbers/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace mirage;

/// The blocks of a cluster run on multiprocessors of one GPC. Those of Hopper
/// have 14 to 18, not alike on all GPUs: pairs of blocks fill them, and
/// clusters of 4 at least 12 of 14.
static constexpr int64_t kUsable = 12, kOfMultiprocessors = 14;

/// A block must be spared the `kLeastPart`-th part of what it loads: waiting
/// for each other costs blocks something, too.
static constexpr int64_t kLeastPart = 4;

/// In how many rounds multiprocessors run so many blocks, one at a time each,
/// when clusters have to be on one GPC.
static int64_t getNumWaves(int64_t blocks, int64_t clusterSize,
                           int64_t numMultiprocessors) {
  int64_t usable = numMultiprocessors;
  if (clusterSize > 2)
    usable = std::max<int64_t>(usable * kUsable / kOfMultiprocessors, 1);
  return llvm::divideCeil(blocks, usable);
}

std::optional<BlockCluster>
mirage::chooseCluster(llvm::ArrayRef<int64_t> grid,
                      llvm::function_ref<BulkLoads(int64_t size)> getLoads,
                      int64_t numMultiprocessors) {
  std::optional<BlockCluster> best;
  double mostSaved = 0;
  int64_t blocks = 1;
  for (int64_t count : grid)
    blocks *= count;
  for (int64_t size : kClusterSizes) {
    if (getNumWaves(blocks, size, numMultiprocessors) >
        getNumWaves(blocks, 1, numMultiprocessors))
      continue;
    BulkLoads loads = getLoads(size);
    for (auto [dim, count] :
         llvm::enumerate(grid.take_front(kMaxClusterDims))) {
      BlockCluster cluster{static_cast<unsigned>(dim), size};
      double saved = loads.getSaved(cluster);
      if (count % size != 0 || saved <= mostSaved ||
          saved * kLeastPart < loads.loaded)
        continue;
      mostSaved = saved;
      best = cluster;
    }
  }
  return best;
}

/// Where boxes begin.
static constexpr int64_t kBoxAlignmentBits = 128 * 8;

/// The panels that a swizzled row is cut into have so many bits at least.
static constexpr int64_t kLeastPanelBits = 32 * 8;

bool mirage::mayLoadInBulk(llvm::ArrayRef<int64_t> shape, int64_t bits,
                           int64_t rowStart) {
  constexpr int64_t kMostInRow = 256, kMostBoxes = 64;
  if (shape.empty() || rowStart * bits % kBulkRowBits != 0)
    return false;
  int64_t rowBits = shape.back() * bits;
  if (rowBits % kBulkRowBits != 0)
    return false;
  if (shape.back() <= kMostInRow || rowBits % kBoxAlignmentBits == 0)
    return true;
  // Swizzled rows are cut into panels, which follow each other.
  int64_t panelBits = std::gcd(rowBits, kBoxAlignmentBits);
  return panelBits >= kLeastPanelBits && rowBits / panelBits <= kMostBoxes;
}

bool mirage::mayShare(llvm::ArrayRef<int64_t> shape, int64_t bits,
                      int64_t numSharers) {
  if (shape.empty())
    return false;
  // Of rows that can be swizzled 8 repeat the pattern.
  int64_t rowBits = shape.back() * bits;
  int64_t panelBits = std::gcd(rowBits, kBoxAlignmentBits);
  int64_t alignment = std::max(
      kBoxAlignmentBits, panelBits >= kLeastPanelBits ? 8 * panelBits : 0);
  int64_t partBits = bits;
  for (size_t d = shape.size(); d-- > 0;) {
    partBits *= shape[d];
    // Parts of rows become panels, which follow each other.
    bool ofRows = d + 1 == shape.size();
    int64_t rows = ofRows ? mirage::getNumElements(shape.drop_back()) : 1;
    if (shape[d] % numSharers == 0 &&
        partBits / numSharers % kBoxAlignmentBits == 0 &&
        partBits / numSharers * rows % alignment == 0)
      return true;
  }
  return false;
}

void BulkLoads::add(double bytes, llvm::ArrayRef<int64_t> imap, bool mayShare) {
  loaded += bytes;
  for (auto [dim, cut] : llvm::enumerate(imap))
    if (cut == kReplica && mayShare)
      shared[dim] += bytes;
}

BulkLoads &BulkLoads::operator+=(const BulkLoads &other) {
  loaded += other.loaded;
  for (auto [bytes, more] : llvm::zip(shared, other.shared))
    bytes += more;
  return *this;
}

double
mirage::getSavedByCluster(llvm::ArrayRef<int64_t> grid,
                          llvm::function_ref<BulkLoads(int64_t size)> getLoads,
                          int64_t numMultiprocessors) {
  std::optional<BlockCluster> cluster =
      chooseCluster(grid, getLoads, numMultiprocessors);
  return cluster ? getLoads(cluster->size).getSaved(*cluster) : 0;
}
