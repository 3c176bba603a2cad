//===- Synchronization.cpp - Barriers and asynchronous copies -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockState.h"
#include "Emulation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using namespace mirage;

void BlockRunner::Implementation::arriveAtBarrier(int32_t op, uint32_t id,
                                                  uint32_t count, bool waits) {
  if (id >= host_abi::kNumBarriers)
    fail(describeOp(op) + ": there is no barrier " + llvm::Twine(id));
  // Without a count all threads of the block, also those that have ended: a
  // barrier that some threads don't reach is undefined behaviour in CUDA, so it
  // is left to end as a deadlock, which is reported.
  if (count == 0)
    count = numThreads;
  else if (count % kWarpSize || count > numThreads)
    fail(describeOp(op) + ": a barrier of " + llvm::Twine(count) +
         " threads in a block of " + llvm::Twine(numThreads) +
         ", expected at most as many and whole warps");
  Barrier &barrier = getBlock().barriers[id];
  if (barrier.arrived && barrier.expected != count)
    fail(describeOp(op) + ": barrier " + llvm::Twine(id) + " is for " +
         llvm::Twine(count) + " threads here, and for " +
         llvm::Twine(barrier.expected) + " where others have arrived");
  barrier.expected = count;
  if (races)
    barrier.arrivals.emplace_back(getThread(), op);
  if (waits)
    barrier.waiting.push_back(current);
  else if (races)
    races->release(getThread(), barrier.clocks);
  if (++barrier.arrived < count) {
    if (waits)
      wait(op);
    return;
  }
  if (races)
    checkWarps(barrier);
  // Which would order what engines read after the barrier, too, and what they
  // have written for those who haven't waited for that.
  if (races && blocks.size() == 1 && barrier.waiting.size() == numThreads &&
      !isEngineReading() && !isCopyUnobserved()) {
    races->synchronizeAll();
  } else if (races) {
    for (unsigned fiber : barrier.waiting)
      races->release(threads[fiber], barrier.clocks);
    for (unsigned fiber : barrier.waiting)
      races->acquire(threads[fiber], barrier.clocks);
  }
  if (counting) {
    getCounter().addBarrier();
    finishWarps(barrier);
  }
  for (unsigned fiber : barrier.waiting)
    wake(fiber);
  barrier.arrived = 0;
  barrier.clocks.clear();
  barrier.waiting.clear();
  barrier.arrivals.clear();
}

// A bar.sync is aligned: what it does is undefined where lanes of a warp come
// to different ones, though they are of the same barrier.
void BlockRunner::Implementation::checkWarps(const Barrier &barrier) {
  arrivedLanes.assign(llvm::divideCeil(numThreads, kWarpSize), {0, 0});
  for (auto [thread, op] : barrier.arrivals) {
    auto &[first, lanes] = arrivedLanes[getWarpInBlock(thread)];
    if (lanes++ == 0)
      first = op;
    else if (first != op)
      fail(describeThread(thread) + " comes to " + describeOp(op) +
           ", and other lanes of its warp to " + describeOp(first));
  }
  for (auto [thread, op] : barrier.arrivals) {
    unsigned warp = getWarpInBlock(thread);
    if (arrivedLanes[warp].second <
        std::min(kWarpSize, numThreads - warp * kWarpSize))
      fail(describeThread(thread) + " comes to " + describeOp(op) +
           " without the other lanes of its warp");
  }
}

bool BlockRunner::Implementation::isEngineReading() const {
  return llvm::any_of(
             wgmmas,
             [](const WgmmaState &state) { return !state.pending.empty(); }) ||
         llvm::any_of(bulkStores, [](const BulkStores &stores) {
           return !stores.open.empty() ||
                  llvm::any_of(stores.groups, [](const BulkStoreGroup &group) {
                    return !group.isRead;
                  });
         });
}

void BlockRunner::Implementation::finishWarps(const Barrier &barrier) {
  std::vector<unsigned> lanes(llvm::divideCeil(numThreads, kWarpSize));
  for (unsigned fiber : barrier.waiting)
    ++lanes[getWarpInBlock(threads[fiber])];
  for (auto [warp, count] : llvm::enumerate(lanes))
    if (count == std::min<size_t>(kWarpSize, numThreads - warp * kWarpSize))
      getCounter().finishWarp(warp);
}

void emulation::barrier(int32_t op, int32_t id, int32_t threads) {
  getActiveBlock().arriveAtBarrier(op, id, threads, /*waits=*/true);
}

void emulation::barrierArrive(int32_t op, int32_t id, int32_t threads) {
  getActiveBlock().arriveAtBarrier(op, id, threads, /*waits=*/false);
}

void emulation::asyncCopy(int32_t op, int32_t argument, char *to, char *from,
                          int32_t bytes, int32_t sourceBytes) {
  BlockRunner::Implementation &self = getActiveBlock();
  if (sourceBytes < 0 || sourceBytes > bytes)
    self.fail(self.describeOp(op) + " copies " + llvm::Twine(sourceBytes) +
              " bytes into " + llvm::Twine(bytes));
  auto size = static_cast<size_t>(bytes);
  MemoryAccess read{host_abi::AccessKind::Read,
                    self.getThread(),
                    op,
                    from,
                    static_cast<size_t>(sourceBytes),
                    size};
  MemoryAccess write{
      host_abi::AccessKind::AsyncWrite, self.getThread(), op, to, size, size};
  if (self.races) {
    if (sourceBytes)
      self.checkDevice(read, argument);
    self.checkShared(write);
  }
  if (self.counting) {
    if (sourceBytes)
      self.countAccess(read, argument);
    self.countAccess(write, 0, /*part=*/1);
    self.getCounter().addInFlight(self.getThreadInBlock(self.getThread()),
                                  bytes);
  }
  // Until the data is there, nothing sensible is.
  std::memset(to, kUninitialized, bytes);
  self.asyncCopies[self.getThread()].add(
      {to, from, static_cast<uint32_t>(bytes),
       static_cast<uint32_t>(sourceBytes), op});
}

void emulation::asyncCommit() {
  BlockRunner::Implementation &self = getActiveBlock();
  self.asyncCopies[self.getThread()].commit();
}

void emulation::asyncWait(int32_t groups) {
  BlockRunner::Implementation &self = getActiveBlock();
  self.asyncCopies[self.getThread()].wait(groups, [&](const AsyncCopy &copy) {
    if (self.races)
      self.races->endCopy(self.getThread(), self.getCellOffset(copy.to),
                          copy.bytes);
    if (self.counting)
      self.getCounter().addInFlight(self.getThreadInBlock(self.getThread()),
                                    -int64_t{copy.bytes});
    std::memcpy(copy.to, copy.from, copy.sourceBytes);
    std::memset(copy.to + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
  });
}

void emulation::proxyFence() {
  BlockRunner::Implementation &self = getActiveBlock();
  if (self.races)
    self.races->fenceProxies(self.getThread());
}

void emulation::gridWait() {
  getActiveBlock().getBlock().hasWaitedForGrids = true;
}
