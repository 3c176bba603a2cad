//===- Clusters.cpp - When blocks should load tiles together --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Cost/Clusters.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

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
  for (int64_t size : {2, 4}) {
    if (getNumWaves(blocks, size, numMultiprocessors) >
        getNumWaves(blocks, 1, numMultiprocessors))
      continue;
    BulkLoads loads = getLoads(size);
    for (auto [dim, count] : llvm::enumerate(grid)) {
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

void BulkLoads::add(double bytes, llvm::ArrayRef<int64_t> imap) {
  loaded += bytes;
  for (auto [dim, cut] : llvm::enumerate(imap))
    if (cut == kReplica)
      shared[dim] += bytes;
}

BulkLoads &BulkLoads::operator+=(const BulkLoads &other) {
  loaded += other.loaded;
  for (auto [bytes, more] : llvm::zip(shared, other.shared))
    bytes += more;
  return *this;
}

double mirage::getSavedByCluster(llvm::ArrayRef<int64_t> grid,
                                 const BulkLoads &loads,
                                 int64_t numMultiprocessors) {
  std::optional<BlockCluster> cluster =
      chooseCluster(grid, [&](int64_t) { return loads; }, numMultiprocessors);
  return cluster ? loads.getSaved(*cluster) : 0;
}
