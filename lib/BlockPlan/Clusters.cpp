//===- Clusters.cpp - Blocks that share what they load --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/Clusters.h"
#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/Dialect/Mirage/ChipFeatures.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using namespace mlir;

/// The blocks of a cluster run on multiprocessors of one GPC. A GPC of Hopper
/// has 16 of them, some have two more, which pairs of blocks fill.
static constexpr int64_t kMultiprocessorsPerGPC = 16;

/// A block must be spared the `kLeastPart`-th part of what it loads: waiting
/// for each other costs blocks something, too.
static constexpr int64_t kLeastPart = 4;

static DenseI64ArrayAttr getClusterAttr(Operation *op) {
  return getKernelAttr<DenseI64ArrayAttr>(op, kClusterAttr);
}

BlockCluster mirage::getCluster(Operation *op) {
  BlockCluster cluster;
  if (DenseI64ArrayAttr sizes = getClusterAttr(op))
    for (auto [dim, size] : llvm::enumerate(sizes.asArrayRef()))
      if (size > 1)
        cluster = {static_cast<unsigned>(dim), size};
  return cluster;
}

SmallVector<int32_t, 3> mirage::getClusterSizes(Operation *op) {
  SmallVector<int32_t, 3> sizes(3, 1);
  BlockCluster cluster = getCluster(op);
  sizes[cluster.dim] = static_cast<int32_t>(cluster.size);
  return sizes;
}

bool mirage::isSharedBy(block::InputIterator input,
                        const BlockCluster &cluster) {
  ArrayRef<int64_t> dims = input.getImap().getDims();
  return cluster.size > 1 && cluster.dim < dims.size() &&
         dims[cluster.dim] == kReplica;
}

int64_t mirage::getNumSharers(block::LoopOp loop) {
  bool isShared = false;
  for (auto input : loop.getBody().front().getOps<block::InputIterator>())
    if (isLoadedByProducer(input))
      if (std::optional<BoxCopies> copies = getBoxCopies(input))
        isShared |= copies->numSharers > 1;
  return isShared ? getCluster(loop).size : 1;
}

namespace {
/// What blocks get through multicast that they would otherwise have to read.
struct ClusterSavings {
  /// Bytes that a block's producer warps load without a cluster, and how many
  /// fewer leave the L2 cache for it with one.
  int64_t loaded = 0, saved = 0;
};
} // namespace

static ClusterSavings getClusterSavings(Block &blockGraph,
                                        const BlockCluster &cluster) {
  ClusterSavings savings;
  for (auto loop : blockGraph.getOps<block::LoopOp>())
    for (auto input : loop.getBody().front().getOps<block::InputIterator>()) {
      if (!isLoadedByProducer(input))
        continue;
      int64_t bytes = loop.getIterations() *
                      getTileBytes(cast<TileType>(input.getTile().getType()));
      savings.loaded += bytes;
      if (isSharedBy(input, cluster) && canShareBoxes(input, cluster.size))
        savings.saved += bytes - bytes / cluster.size;
    }
  return savings;
}

/// In how many rounds multiprocessors run so many blocks, one at a time each,
/// when clusters have to be on one GPC.
static int64_t getNumWaves(int64_t blocks, int64_t clusterSize,
                           int64_t numMultiprocessors) {
  int64_t usable = numMultiprocessors;
  if (clusterSize > 2 && usable > kMultiprocessorsPerGPC)
    usable -= usable % kMultiprocessorsPerGPC;
  return llvm::divideCeil(blocks, usable);
}

std::optional<BlockCluster> mirage::chooseCluster(BlockGraphOpInterface kernel,
                                                  int64_t numMultiprocessors) {
  std::optional<BlockCluster> best;
  int64_t mostSaved = 0;
  Block &blockGraph = kernel->getRegion(0).front();
  int64_t blocks = kernel.getGrid().getNumBlocks();
  for (auto [dim, count] : llvm::enumerate(kernel.getGrid().getSizes()))
    for (int64_t size : {2, 4}) {
      if (count % size != 0 || getNumWaves(blocks, size, numMultiprocessors) >
                                   getNumWaves(blocks, 1, numMultiprocessors))
        continue;
      BlockCluster cluster{static_cast<unsigned>(dim), size};
      ClusterSavings savings = getClusterSavings(blockGraph, cluster);
      if (savings.saved > mostSaved &&
          savings.saved * kLeastPart >= savings.loaded) {
        mostSaved = savings.saved;
        best = cluster;
      }
    }
  return best;
}

LogicalResult mirage::verifyCluster(BlockGraphOpInterface kernel,
                                    StringRef chip) {
  DenseI64ArrayAttr sizes = getClusterAttr(kernel);
  if (!sizes)
    return success();
  ArrayRef<int64_t> grid = kernel.getGrid().getSizes();
  if (sizes.asArrayRef().size() != grid.size())
    return kernel->emitOpError()
           << "has '" << kClusterAttr << "' with " << sizes.asArrayRef().size()
           << " sizes, but its grid " << grid.size() << " dimensions";
  for (auto [size, count] : llvm::zip_equal(sizes.asArrayRef(), grid))
    if (count % size != 0)
      return kernel->emitOpError()
             << "has '" << kClusterAttr << "' with a size of " << size
             << ", which doesn't divide its grid's " << count;
  if (llvm::count_if(sizes.asArrayRef(), [](int64_t s) { return s > 1; }) > 1)
    return kernel->emitOpError()
           << "has '" << kClusterAttr
           << "' with clusters along several dimensions of the grid";
  if (!hasTensorMemoryAccelerator(chip))
    return kernel->emitOpError() << "has '" << kClusterAttr << "', but " << chip
                                 << " has no clusters of blocks";
  bool isUsed = false;
  for (auto loop : kernel->getRegion(0).front().getOps<block::LoopOp>())
    isUsed |= hasProducerWarp(loop) && getNumSharers(loop) > 1;
  if (getCluster(kernel).size > 1 && !isUsed)
    return kernel->emitOpError()
           << "has '" << kClusterAttr
           << "', but no tile that a warp of each block could load a part of";
  return success();
}
