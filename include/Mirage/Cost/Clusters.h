//===- Clusters.h - When blocks should load tiles together ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_COST_CLUSTERS_H
#define MIRAGE_COST_CLUSTERS_H

#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <cstdint>
#include <optional>

namespace mirage {

/// The blocks of a cluster: so many that follow each other along a dimension of
/// the grid, x, y or z. Along w no blocks do.
struct BlockCluster {
  unsigned dim = 0;
  int64_t size = 1;
};

/// The dimensions of a grid along which there may be clusters.
inline constexpr size_t kMaxClusterDims = kMaxGridSizes.size();

/// The sizes that a cluster may have.
inline constexpr std::array<int64_t, 2> kClusterSizes = {2, 4};

/// The bits of which rows of tiles must be multiples for the tensor memory
/// accelerator.
inline constexpr int64_t kBulkRowBits = 128;

/// Whether the tensor memory accelerator may load a tile of such elements as
/// boxes: rows of more elements than a box has are cut where boxes can begin.
/// Tiles begin at multiples of `rowStart` elements of a tensor's rows.
bool mayLoadInBulk(llvm::ArrayRef<int64_t> shape, int64_t bits,
                   int64_t rowStart);

/// Whether so many blocks may each load a part of it, whatever its layout:
/// parts begin where boxes can.
bool mayShare(llvm::ArrayRef<int64_t> shape, int64_t bits, int64_t numSharers);

/// What the loops of a block load by the tensor memory accelerator, in bytes.
struct BulkLoads {
  double loaded = 0;
  /// By dimension of the grid, those of tiles that all blocks along it load.
  std::array<double, kMaxGridDims> shared = {};

  /// Adds a tile that is read through an imap, with the bytes of all
  /// iterations, and whether blocks may share it.
  void add(double bytes, llvm::ArrayRef<int64_t> imap, bool mayShare = true);
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
double getSavedByCluster(llvm::ArrayRef<int64_t> grid,
                         llvm::function_ref<BulkLoads(int64_t size)> getLoads,
                         int64_t numMultiprocessors);

} // namespace mirage

#endif // MIRAGE_COST_CLUSTERS_H
