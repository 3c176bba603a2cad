//===- Clusters.h - When blocks should load tiles together ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_COST_CLUSTERS_H
#define MIRAGE_COST_CLUSTERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <cstdint>
#include <optional>

namespace mirage {

/// The blocks of a cluster: so many that follow each other along a dimension of
/// the grid.
struct BlockCluster {
  unsigned dim = 0;
  int64_t size = 1;
};

/// The bits of which rows of tiles must be multiples for the tensor memory
/// accelerator.
inline constexpr int64_t kBulkRowBits = 128;

/// What the loops of a block load by the tensor memory accelerator, in bytes.
struct BulkLoads {
  double loaded = 0;
  /// By dimension of the grid, those of tiles that all blocks along it load.
  std::array<double, 3> shared = {};

  /// Adds a tile that is read through an imap, with the bytes of all
  /// iterations.
  void add(double bytes, llvm::ArrayRef<int64_t> imap);
  BulkLoads &operator+=(const BulkLoads &other);
  /// What a block need not load as one of a cluster.
  double getSaved(const BlockCluster &cluster) const {
    return shared[cluster.dim] * (cluster.size - 1) / cluster.size;
  }
};

/// The cluster of 2 or 4 blocks of a grid that saves most, if that is at least
/// a quarter of what a block loads, on a GPU with so many multiprocessors; none
/// if there is none (docs/Optimizer.md). What blocks can share may depend on
/// how many they are.
std::optional<BlockCluster>
chooseCluster(llvm::ArrayRef<int64_t> grid,
              llvm::function_ref<BulkLoads(int64_t size)> getLoads,
              int64_t numMultiprocessors);

/// What a block need not load if it is one of the cluster that would be chosen.
double getSavedByCluster(llvm::ArrayRef<int64_t> grid, const BulkLoads &loads,
                         int64_t numMultiprocessors);

} // namespace mirage

#endif // MIRAGE_COST_CLUSTERS_H
