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

std::optional<BlockCluster> mirage::chooseCluster(BlockGraphOpInterface kernel,
                                                  int64_t numMultiprocessors) {
  ArrayRef<int64_t> grid = kernel.getGrid().getSizes();
  Block &blockGraph = kernel->getRegion(0).front();
  auto getLoads = [&](int64_t size) {
    BulkLoads loads;
    for (auto loop : blockGraph.getOps<block::LoopOp>())
      for (auto input : loop.getBody().front().getOps<block::InputIterator>()) {
        if (!isLoadedByProducer(input))
          continue;
        double bytes = static_cast<double>(loop.getIterations()) *
                       getTileBytes(cast<TileType>(input.getTile().getType()));
        loads.loaded += bytes;
        for (unsigned dim = 0; dim < grid.size(); ++dim)
          if (isSharedBy(input, {dim, size}) && canShareBoxes(input, size))
            loads.shared[dim] += bytes;
      }
    return loads;
  };
  return chooseCluster(grid, getLoads, numMultiprocessors);
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
  if (getCluster(kernel).dim >= kMaxClusterDims)
    return kernel->emitOpError()
           << "has '" << kClusterAttr
           << "' with clusters along w, where no blocks follow each other";
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
