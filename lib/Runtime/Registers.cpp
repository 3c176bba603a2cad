//===- Registers.cpp - Special registers, and the table of functions ------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockState.h"
#include "Emulation.h"

using namespace mirage;
using host_abi::SpecialRegister;

int32_t emulation::specialRegister(int32_t which) {
  const BlockRunner::Implementation &self = getActiveBlock();
  const BlockLaunch &launch = self.launch;
  // Registers with three parts are numbered one after the other.
  auto part = [&](SpecialRegister first) {
    return which - static_cast<int32_t>(first);
  };
  switch (static_cast<SpecialRegister>(which)) {
  case SpecialRegister::ThreadIdX:
  case SpecialRegister::ThreadIdY:
  case SpecialRegister::ThreadIdZ:
    return self.indices[self.current][part(SpecialRegister::ThreadIdX)];
  case SpecialRegister::BlockIdX:
  case SpecialRegister::BlockIdY:
  case SpecialRegister::BlockIdZ:
    return self.getBlock().index[part(SpecialRegister::BlockIdX)];
  case SpecialRegister::BlockDimX:
  case SpecialRegister::BlockDimY:
  case SpecialRegister::BlockDimZ:
    return launch.block[part(SpecialRegister::BlockDimX)];
  case SpecialRegister::GridDimX:
  case SpecialRegister::GridDimY:
  case SpecialRegister::GridDimZ:
    return launch.grid[part(SpecialRegister::GridDimX)];
  case SpecialRegister::LaneId:
    return self.getThread() % kWarpSize;
  case SpecialRegister::WarpId:
    return self.getWarpInBlock(self.getThread());
  case SpecialRegister::WarpSize:
    return kWarpSize;
  case SpecialRegister::BlockInClusterX:
  case SpecialRegister::BlockInClusterY:
  case SpecialRegister::BlockInClusterZ: {
    int d = part(SpecialRegister::BlockInClusterX);
    return self.getBlock().index[d] % launch.cluster[d];
  }
  case SpecialRegister::ClusterDimBlocksX:
  case SpecialRegister::ClusterDimBlocksY:
  case SpecialRegister::ClusterDimBlocksZ:
    return launch.cluster[part(SpecialRegister::ClusterDimBlocksX)];
  case SpecialRegister::BlockRank:
    return static_cast<int32_t>(self.getCurrentBlock());
  case SpecialRegister::BlocksPerCluster:
    return static_cast<int32_t>(self.blocks.size());
  }
  return 0;
}

void *emulation::sharedMemory(int64_t offset) {
  return getActiveBlock().getBlock().shared + offset;
}

void emulation::trap(int32_t op) {
  BlockRunner::Implementation &self = getActiveBlock();
  self.fail(self.describeThread(self.getThread()) + " traps in " +
            self.describeOp(op));
}

void emulation::division(int32_t op, int32_t isZero, int32_t overflows) {
  BlockRunner::Implementation &self = getActiveBlock();
  if (isZero || overflows)
    self.fail(self.describeThread(self.getThread()) + " divides " +
              (isZero ? "by zero in " : "the least number by -1 in ") +
              self.describeOp(op));
}

llvm::ArrayRef<std::pair<llvm::StringRef, void *>> emulation::getSymbols() {
  static const std::pair<llvm::StringRef, void *> symbols[] = {
      {host_abi::kSpecialRegister, reinterpret_cast<void *>(specialRegister)},
      {host_abi::kSharedMemory, reinterpret_cast<void *>(sharedMemory)},
      {host_abi::kTrap, reinterpret_cast<void *>(trap)},
      {host_abi::kDivision, reinterpret_cast<void *>(division)},
      {host_abi::kBarrier, reinterpret_cast<void *>(barrier)},
      {host_abi::kBarrierArrive, reinterpret_cast<void *>(barrierArrive)},
      {host_abi::kGridWait, reinterpret_cast<void *>(gridWait)},
      {host_abi::kAsyncCopy, reinterpret_cast<void *>(asyncCopy)},
      {host_abi::kAsyncCommit, reinterpret_cast<void *>(asyncCommit)},
      {host_abi::kAsyncWait, reinterpret_cast<void *>(asyncWait)},
      {host_abi::kMbarrierInit, reinterpret_cast<void *>(mbarrierInit)},
      {host_abi::kMbarrierInvalidate,
       reinterpret_cast<void *>(mbarrierInvalidate)},
      {host_abi::kMbarrierArrive, reinterpret_cast<void *>(mbarrierArrive)},
      {host_abi::kMbarrierExpect, reinterpret_cast<void *>(mbarrierExpect)},
      {host_abi::kMbarrierWait, reinterpret_cast<void *>(mbarrierWait)},
      {host_abi::kBulkCopy, reinterpret_cast<void *>(bulkCopy)},
      {host_abi::kMapShared, reinterpret_cast<void *>(mapShared)},
      {host_abi::kClusterArrive, reinterpret_cast<void *>(clusterArrive)},
      {host_abi::kClusterArriveRelaxed,
       reinterpret_cast<void *>(clusterArriveRelaxed)},
      {host_abi::kClusterWait, reinterpret_cast<void *>(clusterWait)},
      {host_abi::kProxyFence, reinterpret_cast<void *>(proxyFence)},
      {host_abi::kMbarrierFence, reinterpret_cast<void *>(mbarrierFence)},
      {host_abi::kTensorLoad, reinterpret_cast<void *>(tensorLoad)},
      {host_abi::kTensorStore, reinterpret_cast<void *>(tensorStore)},
      {host_abi::kBulkCommit, reinterpret_cast<void *>(bulkCommit)},
      {host_abi::kBulkWait, reinterpret_cast<void *>(bulkWait)},
      {host_abi::kWgmma, reinterpret_cast<void *>(wgmma)},
      {host_abi::kRegisterWgmma, reinterpret_cast<void *>(registerWgmma)},
      {host_abi::kWgmmaFence, reinterpret_cast<void *>(wgmmaFence)},
      {host_abi::kWgmmaCommit, reinterpret_cast<void *>(wgmmaCommit)},
      {host_abi::kWgmmaWait, reinterpret_cast<void *>(wgmmaWait)},
      {host_abi::kWgmmaIssued, reinterpret_cast<void *>(wgmmaIssued)},
      {host_abi::kWgmmaUse, reinterpret_cast<void *>(wgmmaUse)},
      {host_abi::kWgmmaFences, reinterpret_cast<void *>(wgmmaFences)},
      {host_abi::kWgmmaRead, reinterpret_cast<void *>(wgmmaRead)},
      {host_abi::kElect, reinterpret_cast<void *>(elect)},
      {host_abi::kAccess, reinterpret_cast<void *>(access)},
      {host_abi::kSpecialFunction, reinterpret_cast<void *>(specialFunction)},
      {host_abi::kSyncWarp, reinterpret_cast<void *>(syncWarp)},
      {host_abi::kShuffle, reinterpret_cast<void *>(shuffle)},
      {host_abi::kRedux, reinterpret_cast<void *>(redux)},
      {host_abi::kLdMatrix, reinterpret_cast<void *>(ldmatrix)},
      {host_abi::kMma, reinterpret_cast<void *>(mma)},
  };
  return symbols;
}
