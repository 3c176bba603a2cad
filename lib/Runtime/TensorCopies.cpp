//===- TensorCopies.cpp - What the TMA does -------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads end like other bulk copies (Mbarriers.cpp). Stores do as late as they
// may: they read shared memory when their thread waits for that, and write
// device memory when it waits for that, or when the block ends.
//
//===----------------------------------------------------------------------===//

#include "BlockState.h"
#include "Emulation.h"
#include <cstring>

using namespace mirage;
using host_abi::AccessKind;
using Implementation = BlockRunner::Implementation;

const HostTensorMap &
Implementation::getTensorMap(int32_t op, const void *address, int32_t rank) {
  const HostTensorMap *found = nullptr;
  for (const HostTensorMap &map : launch.maps)
    if (&map == address)
      found = &map;
  if (!found)
    fail(describeOp(op) +
         " uses an address where the kernel was given no tensor map");
  if (static_cast<unsigned>(rank) != found->rank)
    fail(describeOp(op) + " has " + llvm::Twine(rank) +
         " coordinates, and the tensor map has " + llvm::Twine(found->rank) +
         " dimensions");
  return *found;
}

void Implementation::checkBox(int32_t op, const HostTensorMap &map,
                              const BoxPlace &place) {
  int64_t first = place[0] * map.elementBytes;
  if (first % tensor_map::kPiece != 0)
    fail(describeOp(op) + " has a box that begins at byte " +
         llvm::Twine(first) + " of rows, expected a multiple of " +
         llvm::Twine(tensor_map::kPiece));
}

void Implementation::countBox(const HostTensorMap &map, const BoxPlace &place,
                              bool write) {
  countedRanges.clear();
  forEachRow(map, place, [&](const BoxRow &row) {
    if (row.begin < row.end)
      countedRanges.push_back({row.tensorOffset, row.end - row.begin});
  });
  getCounter().addBulkDevice(map.argument, countedRanges, write);
}

void emulation::tensorLoad(int32_t op, char *to, void *map, char *mbarrier,
                           int32_t mask, int32_t rank, int32_t c0, int32_t c1,
                           int32_t c2, int32_t c3, int32_t c4) {
  Implementation &self = getActiveBlock();
  llvm::SmallVector<unsigned, 8> destinations =
      self.getDestinations(op, mask, mbarrier);
  const HostTensorMap &from = self.getTensorMap(op, map, rank);
  BoxPlace place{c0, c1, c2, c3, c4};
  self.checkBox(op, from, place);
  auto bytes = static_cast<uint32_t>(from.getBoxBytes());
  unsigned thread = self.getThread();
  if (self.races)
    forEachRow(from, place, [&](const BoxRow &row) {
      if (row.begin < row.end)
        self.checkOrder({AccessKind::Read, thread, op,
                         from.base + row.tensorOffset,
                         static_cast<size_t>(row.end - row.begin), 1});
    });
  if (self.counting)
    self.countBox(from, place, /*write=*/false);
  for (unsigned block : destinations) {
    char *there = self.getPeer(to, block);
    self.checkPlace({AccessKind::AsyncWrite, thread, op, there, bytes,
                     tensor_map::kBoxAlignment});
    forEachSharedRange(from, there, [&](char *begin, int64_t size) {
      if (self.races)
        self.checkShared({AccessKind::AsyncWrite, thread, op, begin,
                          static_cast<size_t>(size), kPieceBytes,
                          /*ofMbarrier=*/false, /*isBulk=*/true});
      std::memset(begin, kUninitialized, size);
    });
    if (self.counting) {
      self.blocks[block].counter->addBulkShared(bytes);
      self.blocks[block].counter->addInFlight(self.numThreads, bytes);
    }
    self.bulkCopies.push_back({there, nullptr, bytes,
                               self.getPeer(mbarrier, block), &from, place, op,
                               thread, self.getEngineOf(mbarrier, block)});
  }
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

unsigned Implementation::getStoreEngine(unsigned thread) {
  unsigned block = getBlockOf(thread);
  std::optional<unsigned> &engine = bulkStores[thread].engine;
  if (!engine)
    engine = blocks[block].numStoringThreads++ % kStoreEngines;
  return getFirstStoreEngine() + block * kStoreEngines + *engine;
}

void emulation::tensorStore(int32_t op, void *map, char *from, int32_t rank,
                            int32_t c0, int32_t c1, int32_t c2, int32_t c3,
                            int32_t c4) {
  Implementation &self = getActiveBlock();
  const HostTensorMap &to = self.getTensorMap(op, map, rank);
  unsigned thread = self.getThread();
  MemoryAccess whole{AccessKind::Read,
                     thread,
                     op,
                     from,
                     static_cast<size_t>(to.getBoxBytes()),
                     tensor_map::kBoxAlignment};
  self.checkPlace(whole);
  BoxPlace place{c0, c1, c2, c3, c4};
  self.checkBox(op, to, place);
  if (self.races) {
    self.checkOverlap({AccessKind::Write, thread, op, to.base, 1, 1});
    unsigned engine = self.getStoreEngine(thread);
    self.acquireForEngine(engine, thread);
    forEachSharedRange(to, from, [&](char *begin, int64_t size) {
      self.checkAsyncRead({AccessKind::Read, thread, op, begin,
                           static_cast<size_t>(size), kPieceBytes},
                          engine);
    });
  }
  if (self.counting) {
    self.countBox(to, place, /*write=*/true);
    self.getCounter().addBulkShared(to.getBoxBytes());
    self.getCounter().addInFlight(self.getThreadInBlock(thread),
                                  to.getBoxBytes());
  }
  self.bulkStores[thread].open.push_back({&to, from, place, op, {}});
}

void emulation::bulkCommit() {
  Implementation &self = getActiveBlock();
  BulkStores &stores = self.bulkStores[self.getThread()];
  BulkStoreGroup &group = stores.groups.emplace_back();
  group.stores.swap(stores.open);
  if (self.races)
    self.races->release(self.getStoreEngine(self.getThread()), group.clocks);
}

void Implementation::readForStores(BulkStoreGroup &group) {
  if (group.isRead)
    return;
  group.isRead = true;
  unsigned thread = getThread();
  if (races)
    races->acquire(thread, group.clocks);
  for (BulkStore &store : group.stores) {
    store.bytes.resize(store.map->getBoxBytes());
    saveBox(*store.map, store.from, store.bytes.data());
    if (counting)
      getCounter().addInFlight(getThreadInBlock(thread),
                               -store.map->getBoxBytes());
  }
}

void Implementation::writeForStores(const BulkStoreGroup &group,
                                    unsigned thread) {
  for (const BulkStore &store : group.stores) {
    storeBox(*store.map, store.place, store.bytes.data());
    if (!races)
      continue;
    forEachRow(*store.map, store.place, [&](const BoxRow &row) {
      if (row.begin < row.end)
        noteWrite({AccessKind::Write, thread, store.op,
                   store.map->base + row.tensorOffset,
                   static_cast<size_t>(row.end - row.begin), 1});
    });
  }
}

void emulation::bulkWait(int32_t left, int32_t read) {
  Implementation &self = getActiveBlock();
  std::vector<BulkStoreGroup> &groups =
      self.bulkStores[self.getThread()].groups;
  if (groups.size() <= static_cast<size_t>(left))
    return;
  size_t count = groups.size() - left;
  for (size_t i = 0; i < count; ++i) {
    self.readForStores(groups[i]);
    if (!read)
      self.writeForStores(groups[i], self.getThread());
  }
  if (!read)
    groups.erase(groups.begin(), groups.begin() + count);
}

std::string Implementation::finishStores() {
  unsigned first = getCurrentBlock() * threadStride;
  for (unsigned thread = first; thread < first + numThreads; ++thread) {
    BulkStores &stores = bulkStores[thread];
    const BulkStore *unread = stores.open.empty() ? nullptr : &stores.open[0];
    for (const BulkStoreGroup &group : stores.groups) {
      if (!group.isRead && !group.stores.empty() && !unread)
        unread = &group.stores[0];
      if (group.isRead)
        writeForStores(group, thread);
    }
    if (unread)
      return (describeThread(thread) + " ends and has not waited until " +
              describeOp(unread->op) + " has read shared memory")
          .str();
  }
  return "";
}
