//===- Clusters.cpp - What the blocks of a cluster do together ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cluster's barrier, and the shared memory of other blocks. A block's
// memory is gone when its last thread has ended, so that everything that
// reaches it from another block has to come before: not only in the order in
// which threads happen to run, but, with checks, in every order.
//
//===----------------------------------------------------------------------===//

#include "BlockState.h"
#include "Emulation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using Implementation = BlockRunner::Implementation;

//===----------------------------------------------------------------------===//
// Shared memory of other blocks
//===----------------------------------------------------------------------===//

void *emulation::mapShared(int32_t op, char *address, int32_t rank) {
  Implementation &self = getActiveBlock();
  if (rank < 0 || static_cast<size_t>(rank) >= self.blocks.size())
    self.fail(self.describeOp(op) + ": block " + llvm::Twine(rank) +
              " of a cluster of " + llvm::Twine(self.blocks.size()));
  if (!self.isShared(address))
    self.fail(self.describeOp(op) +
              ": an address that is not in shared memory");
  return self.getPeer(address, rank);
}

void Implementation::noteRemoteAccess(unsigned block, unsigned thread,
                                      int32_t op) {
  if (!races)
    return;
  auto &accesses = blocks[block].remoteAccesses;
  accesses.resize(numClusterThreads + getNumEngines());
  accesses[thread] = {races->getClock(thread), op};
}

unsigned Implementation::getReachedBlock(int32_t op, const char *address) {
  unsigned block = getPlace(address).block;
  if (blocks[block].running == 0)
    fail(describeThread(getThread()) + " reaches " + describeShared(address) +
         " in " + describeOp(op) + ", and that block has ended");
  return block;
}

void Implementation::checkBegun(unsigned block, int32_t op) {
  // It knows from its own wait at the cluster's barrier, or from another
  // thread's.
  const unsigned thread = getThread();
  if (!races || clusterArrivals[thread].waited > 0)
    return;
  if (llvm::none_of(clusterBarrier.observers, [&](const auto &observer) {
        return races->isKnown(thread, observer.first, observer.second);
      }))
    fail(describeThread(getThread()) + " reaches shared memory" +
         describeOtherBlock(block) + " in " + describeOp(op) +
         ", which may not have begun: no barrier of the cluster is before");
}

void Implementation::reach(int32_t op, const char *address) {
  unsigned block = getReachedBlock(op, address);
  if (block == getCurrentBlock())
    return;
  checkBegun(block, op);
  noteRemoteAccess(block, getThread(), op);
}

std::string Implementation::findLateAccess() {
  ClusterBlock &block = getBlock();
  auto describe = [&](unsigned thread, int32_t op) {
    return (describeParty(thread) + " reaches its shared memory in " +
            describeOp(op) +
            ", and it may have ended by then: no barrier of the cluster is "
            "between")
        .str();
  };
  for (unsigned thread = 0; thread < block.remoteAccesses.size(); ++thread) {
    auto [clock, op] = block.remoteAccesses[thread];
    if (clock > 0 && clock > block.ended.threads[thread])
      return describe(thread, op);
  }
  for (const auto &[address, mbarrier] : mbarriers) {
    if (getPlace(address).block != getCurrentBlock())
      continue;
    for (const RemoteArrival &arrival : mbarrier.remoteArrivals)
      if (arrival.phase >= mbarrier.observed &&
          arrival.clock > block.ended.threads[arrival.thread])
        return describe(arrival.thread, arrival.op);
  }
  return "";
}

//===----------------------------------------------------------------------===//
// The barrier
//===----------------------------------------------------------------------===//

void Implementation::countClusterArrival() {
  ClusterBarrier &barrier = clusterBarrier;
  if (--barrier.pending > 0)
    return;
  ++barrier.phase;
  for (const ClusterBlock &block : blocks)
    barrier.pending += block.running;
  std::swap(barrier.completed, barrier.arrived);
  barrier.arrived.clear();
  for (unsigned fiber : barrier.waiting)
    wake(fiber);
  barrier.waiting.clear();
  if (counting && barrier.numArrived > 0)
    for (ClusterBlock &block : blocks)
      block.counter->addBarrier();
  barrier.numArrived = 0;
}

void Implementation::finishThread() {
  unsigned thread = getThread();
  ClusterBlock &block = getBlock();
  --block.running;
  if (blocks.size() == 1)
    return;
  if (races)
    races->release(thread, block.ended);
  // The barrier waits for those that haven't ended.
  if (clusterArrivals[thread].arrived == clusterBarrier.phase)
    countClusterArrival();
}

void Implementation::arriveAtCluster(int32_t op, bool isAligned,
                                     bool isRelaxed) {
  if (isAligned)
    align(op);
  ClusterArrivals &mine = clusterArrivals[getThread()];
  if (mine.arrived != mine.waited)
    fail(describeThread(getThread()) + " arrives in " + describeOp(op) +
         " again, and has not waited in between");
  ++mine.arrived;
  ++clusterBarrier.numArrived;
  if (races && isRelaxed)
    races->releaseMbarriers(getThread(), clusterBarrier.arrived);
  else if (races)
    races->release(getThread(), clusterBarrier.arrived);
  countClusterArrival();
}

void emulation::clusterArrive(int32_t op, int32_t aligned) {
  getActiveBlock().arriveAtCluster(op, aligned, /*isRelaxed=*/false);
}

void emulation::clusterArriveRelaxed(int32_t op, int32_t aligned) {
  getActiveBlock().arriveAtCluster(op, aligned, /*isRelaxed=*/true);
}

void emulation::clusterWait(int32_t op, int32_t aligned) {
  Implementation &self = getActiveBlock();
  if (aligned)
    self.align(op);
  ClusterArrivals &mine = self.clusterArrivals[self.getThread()];
  if (mine.arrived == mine.waited)
    self.fail(self.describeThread(self.getThread()) + " waits in " +
              self.describeOp(op) + ", and has not arrived");
  if (self.clusterBarrier.phase < mine.arrived) {
    self.clusterBarrier.waiting.push_back(self.current);
    self.wait(op);
  }
  if (self.races && mine.waited == 0)
    self.clusterBarrier.observers.emplace_back(
        self.getThread(), self.races->getClock(self.getThread()));
  mine.waited = mine.arrived;
  if (self.races)
    self.races->acquire(self.getThread(), self.clusterBarrier.completed);
}
