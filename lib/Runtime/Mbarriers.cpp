//===- Mbarriers.cpp - Barrier objects in shared memory, bulk copies ------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A phase of an mbarrier ends when all expected arrivals have come and as many
// bytes have been copied as were announced. Bulk copies end as late as they
// can: one by one, when no thread can run. There is no order among them: it is
// that of their issue, or, with a seed, any.
//
//===----------------------------------------------------------------------===//

#include "BlockState.h"
#include "Emulation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using namespace mirage;
using host_abi::AccessKind;
using Implementation = BlockRunner::Implementation;

/// PTX's limit of the number of arrivals.
static constexpr uint32_t kMostArrivals = (1 << 20) - 1;

Mbarrier &Implementation::getMbarrier(int32_t op, char *address) {
  if (races)
    checkShared({AccessKind::Read, getThread(), op, address, kMbarrierBytes,
                 kMbarrierBytes, /*ofMbarrier=*/true});
  auto it = mbarriers.find(address);
  if (it == mbarriers.end())
    fail(describeOp(op) + ": there is no mbarrier at " +
         describeShared(address));
  return it->second;
}

void Implementation::finishPhase(Mbarrier &mbarrier) {
  if (mbarrier.pending || mbarrier.bytes)
    return;
  for (const MbarrierWait &wait : mbarrier.waits)
    if (wait.observed == mbarrier.phase &&
        !races->isReleased(wait.thread, wait.clock, mbarrier.arrived))
      fail(describeThread(wait.thread) + " waits in " + describeOp(wait.op) +
           " for the end of a phase, and the next one may have ended by then: "
           "nothing orders it before the arrivals");
  llvm::erase_if(mbarrier.waits, [&](const MbarrierWait &wait) {
    return wait.observed <= mbarrier.phase;
  });
  ++mbarrier.phase;
  mbarrier.pending = mbarrier.expected;
  if (races) {
    std::swap(mbarrier.completed, mbarrier.arrived);
    mbarrier.arrived.clear();
  }
  for (unsigned fiber : mbarrier.waiting)
    wake(fiber);
  mbarrier.waiting.clear();
}

void Implementation::arriveAtMbarrier(int32_t op, char *address, uint32_t count,
                                      bool ofCluster) {
  bool isRemote = getReachedBlock(op, address) != getCurrentBlock();
  Mbarrier &mbarrier = getMbarrier(op, address);
  if (count == 0 || count > mbarrier.pending)
    fail(describeOp(op) + ": " + llvm::Twine(count) +
         " arrivals at an mbarrier that waits for " +
         llvm::Twine(mbarrier.pending));
  if (races && isRemote) {
    // One that was seen to come, with its phase, was before the block's end.
    llvm::erase_if(mbarrier.remoteArrivals, [&](const RemoteArrival &arrival) {
      return arrival.phase < mbarrier.observed;
    });
    mbarrier.remoteArrivals.push_back(
        {getThread(), op, races->getClock(getThread()), mbarrier.phase});
  }
  if (races && isRemote && !ofCluster)
    races->releaseSeen(getThread(), mbarrier.arrived);
  else if (races)
    races->release(getThread(), mbarrier.arrived);
  mbarrier.pending -= count;
  finishPhase(mbarrier);
}

void Implementation::endBulkCopy(const BulkCopy &copy) {
  if (!races)
    return;
  if (!copy.map)
    return races->endCopy(copy.engine, getCellOffset(copy.to), copy.bytes);
  forEachSharedRange(*copy.map, copy.to, [&](char *begin, int64_t bytes) {
    races->endCopy(copy.engine, getCellOffset(begin), bytes);
  });
}

bool Implementation::finishBulkCopy() {
  if (nextBulkCopy == bulkCopies.size())
    return false;
  if (launch.seed)
    std::swap(bulkCopies[nextBulkCopy],
              bulkCopies[nextBulkCopy +
                         random() % (bulkCopies.size() - nextBulkCopy)]);
  BulkCopy copy = bulkCopies[nextBulkCopy++];
  unsigned block = getPlace(copy.to).block;
  if (blocks[block].running == 0)
    fail(describeThread(copy.thread) + " copies in " + describeOp(copy.op) +
         " to the shared memory of a block that has ended" +
         describeOtherBlock(block));
  if (block != getBlockOf(copy.thread))
    noteRemoteAccess(block, copy.engine, copy.op);
  if (copy.map)
    loadBox(*copy.map, copy.place, copy.to);
  else
    std::memcpy(copy.to, copy.from, copy.bytes);
  // The mbarrier was there when the copy was issued, and may be gone.
  auto it = mbarriers.find(copy.mbarrier);
  if (it == mbarriers.end())
    return true;
  Mbarrier &mbarrier = it->second;
  if (races) {
    endBulkCopy(copy);
    races->release(copy.engine, mbarrier.arrived);
  }
  if (counting)
    blocks[block].counter->addInFlight(numThreads, -int64_t{copy.bytes});
  mbarrier.bytes -= copy.bytes;
  mbarrier.lastCopy = copy.op;
  mbarrier.copied = mbarrier.phase + 1;
  finishPhase(mbarrier);
  return true;
}

std::string Implementation::findUnobservedCopy(unsigned block) const {
  for (const auto &[address, mbarrier] : mbarriers)
    if (mbarrier.observed < mbarrier.copied && getPlace(address).block == block)
      return (describeOp(mbarrier.lastCopy) +
              " may be under way to its shared memory when it ends: nobody has "
              "waited at the mbarrier at " +
              describeShared(address))
          .str();
  return "";
}

bool Implementation::isCopyUnobserved() const {
  return llvm::any_of(llvm::make_second_range(mbarriers),
                      [](const Mbarrier &mbarrier) {
                        return mbarrier.observed < mbarrier.copied;
                      });
}

llvm::SmallVector<unsigned, 8>
Implementation::getDestinations(int32_t op, uint32_t mask, char *mbarrier) {
  llvm::SmallVector<unsigned, 8> destinations;
  // Who waits for the copy knows that its thread has gone on, wherever it
  // waited, though no clock says so.
  if (races)
    for (Mbarrier &any : llvm::make_second_range(mbarriers))
      llvm::erase_if(any.waits, [&](const MbarrierWait &wait) {
        return wait.thread == getThread();
      });
  if (mask == host_abi::kOwnBlock)
    mask = 1u << getCurrentBlock();
  if (mask == 0)
    fail(describeOp(op) + ": its mask has no block");
  if (mask >> blocks.size())
    fail(describeOp(op) + ": its mask has block " +
         llvm::Twine(llvm::Log2_32(mask)) + " of a cluster of " +
         llvm::Twine(blocks.size()));
  for (unsigned block = 0; block < blocks.size(); ++block) {
    if (!(mask >> block & 1))
      continue;
    char *there = getPeer(mbarrier, block);
    if (blocks[block].running == 0)
      fail(describeOp(op) + " reaches " + describeShared(there) +
           ", which has ended");
    if (block != getCurrentBlock())
      checkBegun(block, op);
    // The copy reports there through the async proxy.
    Mbarrier &reported = getMbarrier(op, there);
    // The phase doesn't end without it.
    if (races)
      llvm::erase_if(reported.waits, [&](const MbarrierWait &wait) {
        return races->isKnown(getThread(), wait.thread, wait.clock);
      });
    if (races)
      if (RaceDetector::Result report =
              races->findUnfenced(getThread(), getCellOffset(there),
                                  kMbarrierBytes, /*ofMbarrier=*/true))
        fail(describeThread(getThread()) + " gives " + describeOp(op) +
             " the mbarrier at " + describeShared(there) + ", which " +
             describeThread(report->thread) +
             " has initialized with no fence.mbarrier_init or "
             "fence.proxy.async behind");
    destinations.push_back(block);
  }
  return destinations;
}

void emulation::mbarrierInit(int32_t op, char *address, int32_t count) {
  Implementation &self = getActiveBlock();
  if (count < 1 || static_cast<uint32_t>(count) > kMostArrivals)
    self.fail(self.describeOp(op) + ": an mbarrier for " + llvm::Twine(count) +
              " arrivals, expected 1 to " + llvm::Twine(kMostArrivals));
  if (self.races)
    self.checkShared({AccessKind::Write, self.getThread(), op, address,
                      kMbarrierBytes, kMbarrierBytes});
  auto [entry, isNew] = self.mbarriers.try_emplace(address);
  if (!isNew)
    self.fail(self.describeOp(op) + ": there is an mbarrier at " +
              self.describeShared(address) + " already");
  Mbarrier &mbarrier = entry->second;
  mbarrier.expected = mbarrier.pending = count;
  unsigned block = self.getPlace(address).block;
  mbarrier.engine =
      self.getLoadEngine(block, self.blocks[block].numMbarriers++);
}

void emulation::mbarrierFence() {
  Implementation &self = getActiveBlock();
  if (self.races)
    self.races->fenceMbarriers(self.getThread());
}

void emulation::mbarrierInvalidate(int32_t op, char *address) {
  Implementation &self = getActiveBlock();
  self.getMbarrier(op, address);
  if (self.races)
    self.checkShared({AccessKind::Write, self.getThread(), op, address,
                      kMbarrierBytes, kMbarrierBytes, /*ofMbarrier=*/true});
  self.mbarriers.erase(address);
}

void emulation::mbarrierArrive(int32_t op, char *address, int32_t count,
                               int32_t ofCluster) {
  getActiveBlock().arriveAtMbarrier(op, address, count, ofCluster);
}

void emulation::mbarrierExpect(int32_t op, char *address, int32_t bytes) {
  Implementation &self = getActiveBlock();
  self.reach(op, address);
  self.getMbarrier(op, address).bytes += bytes;
}

void emulation::mbarrierWait(int32_t op, char *address, int32_t parity) {
  Implementation &self = getActiveBlock();
  if (parity != 0 && parity != 1)
    self.fail(self.describeOp(op) + ": a parity of " + llvm::Twine(parity) +
              ", expected 0 or 1");
  Mbarrier &mbarrier = self.getMbarrier(op, address);
  const bool isPending = (mbarrier.phase & 1) == static_cast<uint32_t>(parity);
  const uint32_t observed = mbarrier.phase + isPending;
  const unsigned thread = self.getThread();
  if (self.races)
    mbarrier.waits.push_back(
        {thread, op, self.races->getClock(thread), observed});
  if (isPending) {
    // Others may end before it goes on.
    mbarrier.waiting.push_back(self.current);
    self.wait(op);
  }
  // It may have been invalidated since.
  auto it = self.mbarriers.find(address);
  if (it == self.mbarriers.end())
    return;
  it->second.observed = std::max(it->second.observed, observed);
  if (self.races)
    self.races->acquire(thread, it->second.completed);
}

void emulation::bulkCopy(int32_t op, int32_t argument, char *to, char *from,
                         char *mbarrier, int32_t bytes, int32_t mask) {
  Implementation &self = getActiveBlock();
  llvm::SmallVector<unsigned, 8> destinations =
      self.getDestinations(op, mask, mbarrier);
  if (bytes <= 0 || bytes % 16)
    self.fail(self.describeOp(op) + " copies " + llvm::Twine(bytes) +
              " bytes, expected a multiple of 16");
  auto size = static_cast<size_t>(bytes);
  unsigned thread = self.getThread();
  MemoryAccess read{AccessKind::Read, thread, op, from, size, 16};
  if (self.races)
    self.checkDevice(read, argument);
  if (self.counting) {
    auto number = static_cast<unsigned>(argument);
    if (number == 0)
      number = self.findArgument(read);
    if (number > 0 && number <= self.launch.buffers.size())
      self.getCounter().addBulkDevice(
          number, {{from - self.launch.buffers[number - 1].begin, bytes}},
          /*write=*/false);
  }
  for (unsigned block : destinations) {
    char *there = self.getPeer(to, block);
    if (self.races)
      self.checkShared({AccessKind::AsyncWrite, thread, op, there, size, 16,
                        /*ofMbarrier=*/false, /*isBulk=*/true});
    if (self.counting) {
      self.blocks[block].counter->addBulkShared(bytes);
      self.blocks[block].counter->addInFlight(self.numThreads, bytes);
    }
    std::memset(there, kUninitialized, size);
    self.bulkCopies.push_back({there, from, static_cast<uint32_t>(bytes),
                               self.getPeer(mbarrier, block), nullptr,
                               BoxPlace(), op, thread,
                               self.getEngineOf(mbarrier, block)});
  }
}
