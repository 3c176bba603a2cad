//===- BlockState.h - The state of a thread block that runs -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the emulation library's files share: the fibers, and how they wait. The
// blocks of a cluster run together; mostly a cluster is one block.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_BLOCKSTATE_H
#define MIRAGE_LIB_RUNTIME_BLOCKSTATE_H

#include "AccessCounter.h"
#include "AsyncCopies.h"
#include "BlockRunner.h"
#include "DeviceWrites.h"
#include "MatrixDescriptor.h"
#include "RaceDetector.h"
#include "Random.h"
#include "StackPool.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <boost/context/detail/fcontext.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace mirage {

inline constexpr unsigned kWarpSize = 32;
inline constexpr size_t kMbarrierBytes = 8;

enum class ThreadState : uint8_t { Ready, Waiting, Done };

/// Ops that the lanes of a warp execute together.
enum class WarpOp : uint8_t {
  SyncWarp,
  Elect,
  Shuffle,
  Redux,
  LdMatrix,
  Mma,
  /// One that does nothing together, but must be the same.
  Aligned
};

/// Lanes that have arrived at the same op of a warp.
struct WarpMeeting {
  WarpOp op;
  /// What else has to be the same for the lanes to meet.
  uint32_t key;
  /// Who takes part, and who has arrived.
  uint32_t mask, arrived;
};

/// One of a block's barriers. Idle when none has arrived.
struct Barrier {
  unsigned expected = 0, arrived = 0;
  /// The fibers that wait; others have only arrived.
  llvm::SmallVector<unsigned, 0> waiting;
  RaceDetector::Clocks clocks;
  /// The threads that have arrived, and by which op; with checks only.
  std::vector<std::pair<unsigned, int32_t>> arrivals;
};

/// An arrival at an mbarrier of another block of the cluster.
struct RemoteArrival {
  unsigned thread;
  int32_t op;
  /// The thread's, and the mbarrier's phase that it belongs to.
  uint32_t clock, phase;
};

/// A wait at an mbarrier that has seen so many phases end. When one more has
/// ended, it would wait for another.
struct MbarrierWait {
  unsigned thread;
  int32_t op;
  uint32_t clock, observed;
};

/// A barrier object in shared memory.
struct Mbarrier {
  /// Arrivals that a phase waits for, and that are still to come; bytes that
  /// were announced and not yet copied.
  uint32_t expected = 0, pending = 0;
  int64_t bytes = 0;
  uint32_t phase = 0;
  /// How many phases had ended when somebody last waited, and when one does
  /// that the last bulk copy was for.
  uint32_t observed = 0, copied = 0;
  int32_t lastCopy = 0;
  /// Of the engines that load to its block's shared memory, the one whose
  /// copies report to it.
  unsigned engine = 0;
  /// By other blocks, those that nobody is known to have seen; with checks
  /// only.
  std::vector<RemoteArrival> remoteArrivals;
  /// Those that no copy of the next phase is known to follow; with checks only.
  std::vector<MbarrierWait> waits;
  /// The fibers that wait for the end of the phase.
  std::vector<unsigned> waiting;
  /// What those have released who have arrived in this phase, and the last.
  RaceDetector::Clocks arrived, completed;
};

/// A copy that reports to the mbarrier at this address: of consecutive bytes,
/// or, if there is a map, of a box.
struct BulkCopy {
  char *to;
  const char *from;
  uint32_t bytes;
  char *mbarrier;
  const HostTensorMap *map = nullptr;
  BoxPlace place{};
  /// The op and the thread that began it, and the engine that it is done by.
  int32_t op = 0;
  unsigned thread = 0, engine = 0;
};

/// A copy of a box to device memory; its bytes, once they are read.
struct BulkStore {
  const HostTensorMap *map;
  char *from;
  BoxPlace place;
  int32_t op;
  std::vector<char> bytes;
};

struct BulkStoreGroup {
  std::vector<BulkStore> stores;
  bool isRead = false;
  /// Of the engine, when the group was committed.
  RaceDetector::Clocks clocks;
};

/// A thread's: those of no group yet, and the groups that are not written yet.
struct BulkStores {
  /// Which of its block's engines they are done by.
  std::optional<unsigned> engine;
  std::vector<BulkStore> open;
  std::vector<BulkStoreGroup> groups;
};

/// What a wait for a group of wgmmas ends: all that were issued up to `end`.
struct WgmmaGroup {
  uint32_t end;
  /// Of the engine of the thread's warp, when the group was committed.
  RaceDetector::Clocks clocks;
};

/// A thread's.
struct WgmmaState {
  /// Whether there was a fence since accumulators were used, and by which op
  /// they were.
  bool isFenced = false;
  std::optional<int32_t> user;
  uint32_t fences = 0;
  uint32_t issued = 0;
  /// The ops of those that have not been waited for, the last ones issued.
  std::vector<int32_t> pending;
  std::vector<WgmmaGroup> groups;
};

/// A thread's load or store.
struct MemoryAccess {
  host_abi::AccessKind kind;
  unsigned thread;
  int32_t op;
  char *address;
  size_t bytes, alignment;
  bool ofMbarrier = false;
  /// A write through the async proxy.
  bool isBulk = false;
};

/// The last time that a thread or an engine has reached a block of its cluster
/// that is not its own; clock 0: never.
struct RemoteAccess {
  uint32_t clock = 0;
  int32_t op = 0;
};

/// Device memory that a thread has written.
struct DeviceRange {
  const char *address;
  size_t bytes;
  unsigned thread;
  int32_t op;
};

/// What a block of a cluster has for itself.
struct ClusterBlock {
  /// In the grid.
  std::array<uint32_t, 3> index{};
  char *shared = nullptr;
  std::array<Barrier, host_abi::kNumBarriers> barriers;
  /// How many threads have not ended; what those that have had released.
  unsigned running = 0;
  RaceDetector::Clocks ended;
  /// Whether a thread has waited until earlier launches have ended.
  bool hasWaitedForGrids = false;
  /// Mbarriers that were initialized, and threads that have stored in bulk.
  unsigned numMbarriers = 0, numStoringThreads = 0;
  /// By thread of the cluster, engines behind them; with checks only.
  std::vector<RemoteAccess> remoteAccesses;
  /// Null when no block is counted.
  std::unique_ptr<AccessCounter> counter;
};

/// The barrier of all threads of a cluster.
struct ClusterBarrier {
  /// How many are still to arrive, or to end, and how many have arrived.
  unsigned pending = 0, numArrived = 0;
  uint32_t phase = 0;
  /// The threads that have waited, and know that all blocks have begun: each at
  /// the clock of its first wait; with checks only.
  std::vector<std::pair<unsigned, uint32_t>> observers;
  llvm::SmallVector<unsigned, 0> waiting;
  RaceDetector::Clocks arrived, completed;
};

/// At which phases of the cluster's barrier a thread has arrived, and which it
/// has waited for, counted from the first.
struct ClusterArrivals {
  uint32_t arrived = 0, waited = 0;
};

/// A thread is known by its number in the cluster: those of a block follow each
/// other, and blocks begin at multiples of `threadStride`.
struct BlockRunner::Implementation {
  explicit Implementation(const BlockLaunch &launch) : launch(launch) {}

  /// Text on the stack, which may be abandoned.
  using Text = llvm::SmallString<80>;

  BlockLaunch launch;
  /// Of a block; of a cluster, with numbers that no thread has.
  unsigned numThreads = 0, threadStride = 0, numClusterThreads = 0;
  std::vector<ClusterBlock> blocks;
  /// The cluster's number in the grid, and what its blocks have written; with
  /// checks only.
  uint64_t cluster = 0;
  std::vector<DeviceRange> written;
  std::vector<char> sharedStorage;

  /// By fiber. Fiber i runs the CUDA thread threads[i], which has the index
  /// indices[i] in its block.
  std::vector<ThreadState> states;
  std::vector<boost::context::detail::fcontext_t> contexts;
  std::vector<unsigned> threads;
  std::vector<std::array<uint32_t, 3>> indices;
  /// The op that a fiber waits at.
  std::vector<int32_t> places;
  /// A bit for each fiber: those that can run.
  std::vector<uint64_t> ready;
  StackPool stacks;

  /// By CUDA thread: its fiber, what it brings to its warp's op (on its stack),
  /// and its asynchronous copies.
  std::vector<unsigned> fibers;
  std::vector<void *> operands;
  std::vector<AsyncCopies> asyncCopies;

  /// By warp.
  std::vector<llvm::SmallVector<WarpMeeting, 1>> meetings;
  ClusterBarrier clusterBarrier;
  std::vector<ClusterArrivals> clusterArrivals;

  /// Null when accesses are not checked.
  std::unique_ptr<RaceDetector> races;
  RaceDetector::Clocks warpClocks, engineClocks;
  /// Whether the blocks of this cluster are counted.
  bool counting = false;

  /// What is left to chance, with a seed.
  SplitMix64 random{0};

  /// By address in shared memory.
  std::map<const char *, Mbarrier> mbarriers;
  /// Those from `nextBulkCopy` on are under way.
  std::vector<BulkCopy> bulkCopies;
  size_t nextBulkCopy = 0;

  /// By CUDA thread.
  std::vector<BulkStores> bulkStores;
  std::vector<std::pair<int64_t, int64_t>> countedRanges;
  std::vector<WgmmaState> wgmmas;

  /// By warpgroup: the ops that some of its threads have come to, and how many.
  std::vector<llvm::SmallVector<std::pair<int32_t, unsigned>, 1>>
      warpgroupMeetings;

  unsigned current = 0;
  boost::context::detail::fcontext_t scheduler = nullptr;
  /// Set by a thread that can't go on.
  std::string fault;

  bool allocate();
  void startCluster(uint64_t clusterIndex);
  /// The place in the grid of a cluster's first block.
  std::array<uint32_t, 3> getFirstBlock(uint64_t clusterIndex) const;
  /// "block (1, 0, 0)".
  static Text describeBlock(const std::array<uint32_t, 3> &index);
  llvm::Error check();
  llvm::Error error(const ClusterBlock &block, const llvm::Twine &what) const;
  std::string describeDeadlock() const;

  unsigned getThread() const { return threads[current]; }
  unsigned getBlockOf(unsigned thread) const {
    return blocks.size() == 1 ? 0 : thread / threadStride;
  }
  unsigned getCurrentBlock() const { return getBlockOf(getThread()); }
  ClusterBlock &getBlock() { return blocks[getCurrentBlock()]; }
  const ClusterBlock &getBlock() const { return blocks[getCurrentBlock()]; }
  AccessCounter &getCounter() { return *getBlock().counter; }
  unsigned getThreadInBlock(unsigned thread) const {
    return thread - getBlockOf(thread) * threadStride;
  }
  unsigned getWarpInBlock(unsigned thread) const {
    return getThreadInBlock(thread) / kWarpSize;
  }

  /// "thread 3"; if it isn't of the current block, " of block (1, 0, 0)".
  Text describeThread(unsigned thread) const;
  /// The same of an engine, of which it says what it does.
  Text describeParty(unsigned thread) const;
  /// " of block (1, 0, 0)", or nothing for the current one.
  Text describeOtherBlock(unsigned block) const;
  /// "offset 16 of shared memory".
  Text describeShared(const char *address) const;
  /// Which op, and where it is.
  llvm::StringRef describeOp(int32_t op) const;

  /// The current thread waits at `op` until somebody wakes it.
  void wait(int32_t op);
  void wake(unsigned fiber);
  /// Lets the next thread run that can; returns when this one can again and its
  /// turn comes.
  void yield();
  /// Ends the block with an error. Does not return: the stack is abandoned, so
  /// nothing on it may own memory.
  void fail(const llvm::Twine &what);

  /// Each ends the block when the access is not right; with `races` only.
  void checkAccess(const MemoryAccess &access, host_abi::MemorySpace space,
                   unsigned argument);
  void countAccess(const MemoryAccess &access, unsigned argument,
                   unsigned part = 0);
  /// Bounds and alignment in shared memory; with and without `races`.
  void checkPlace(const MemoryAccess &access);
  void checkShared(const MemoryAccess &access);
  /// A read by an engine, which stands for the access's thread.
  void checkAsyncRead(const MemoryAccess &access, unsigned engine);
  void checkDevice(const MemoryAccess &access, unsigned argument);
  /// Whether what an access meets in device memory doesn't depend on when other
  /// blocks run.
  void checkOrder(const MemoryAccess &access);
  /// Other launches may still be under way.
  void checkOverlap(const MemoryAccess &access);
  /// The current thread writes.
  void noteWrite(const MemoryAccess &access);
  /// Says who has written something else where the cluster has, or nothing.
  std::string findOtherWrite();
  /// "byte 16 of argument 2".
  Text describeDevice(const MemoryAccess &access, unsigned argument) const;
  void reportRace(const MemoryAccess &access,
                  const RaceDetector::Report &report);
  void failAccess(const MemoryAccess &access, const llvm::Twine &where,
                  const llvm::Twine &problem);

  size_t getSharedBytes() const {
    return launch.staticSharedBytes + launch.dynamicSharedBytes;
  }
  /// A byte of the shared memory of a block of the cluster.
  struct SharedPlace {
    unsigned block;
    int64_t offset;
  };
  /// Of an address in nobody's shared memory: its distance from the current
  /// block's.
  SharedPlace getPlace(const char *address) const;
  bool isShared(const char *address) const {
    int64_t offset = getPlace(address).offset;
    return offset >= 0 && static_cast<size_t>(offset) < getSharedBytes();
  }
  /// For the race detector, which knows one memory.
  size_t getCellOffset(const char *address) const {
    SharedPlace place = getPlace(address);
    return place.block * cellStride + place.offset;
  }
  size_t cellStride = 0;
  /// The same place of another block of the cluster.
  char *getPeer(const char *address, unsigned block) const;
  /// The current thread reaches shared memory of a block, at once.
  void reach(int32_t op, const char *address);
  /// Whether another block of the cluster is known to have begun.
  void checkBegun(unsigned block, int32_t op);
  /// The block that an address belongs to, which must not have ended.
  unsigned getReachedBlock(int32_t op, const char *address);
  void noteRemoteAccess(unsigned block, unsigned thread, int32_t op);
  /// Says who reaches a block that may have ended by then, or nothing.
  std::string findLateAccess();
  /// The current thread has ended.
  void finishThread();
  /// The number of the argument, from 1 on, that holds all of an access; 0:
  /// none.
  unsigned findArgument(const MemoryAccess &access) const;
  /// The lanes of a warp that wait at a barrier have come to the same place.
  void finishWarps(const Barrier &barrier);

  /// The engines that are threads of the race detector, behind the cluster's
  /// own: those that load to a block's shared memory, which are never acquired
  /// for, those that store from it, and those of the warps' wgmmas. Copies of
  /// one engine end one after the other, and nothing is known of those of
  /// several: each mbarrier has one, and each thread that stores, as far as
  /// there are enough.
  static constexpr unsigned kLoadEngines = 16, kStoreEngines = 4;
  unsigned getLoadEngine(unsigned block, unsigned number) const {
    return numClusterThreads + block * kLoadEngines + number % kLoadEngines;
  }
  unsigned getFirstStoreEngine() const {
    return numClusterThreads + blocks.size() * kLoadEngines;
  }
  unsigned getStoreEngine(unsigned thread);
  /// Of copies that report to this place of a block, where there is an
  /// mbarrier.
  unsigned getEngineOf(const char *mbarrier, unsigned block) const {
    return mbarriers.at(getPeer(mbarrier, block)).engine;
  }
  unsigned getWgmmaEngine(unsigned thread) const {
    return getFirstStoreEngine() + blocks.size() * kStoreEngines +
           thread / kWarpSize;
  }
  unsigned getNumEngines() const {
    return blocks.size() * (kLoadEngines + kStoreEngines) + meetings.size();
  }
  /// Whether there are reads by engines that no thread has waited for.
  bool isEngineReading() const;
  /// Whether there are copies that have ended, and that no thread has waited
  /// for.
  bool isCopyUnobserved() const;
  /// What is ordered before now for a thread is so for an engine.
  void acquireForEngine(unsigned engine, unsigned thread);

  /// The launch's map at `address`, which must have so many dimensions.
  const HostTensorMap &getTensorMap(int32_t op, const void *address,
                                    int32_t rank);
  /// Boxes begin at multiples of 16 bytes; others are illegal instructions.
  void checkBox(int32_t op, const HostTensorMap &map, const BoxPlace &place);
  void countBox(const HostTensorMap &map, const BoxPlace &place, bool write);
  void readForStores(BulkStoreGroup &group);
  void writeForStores(const BulkStoreGroup &group, unsigned thread);
  /// At the end of a block; says what is wrong, or nothing.
  std::string finishStores();

  /// Like `meet`, for the 128 threads of a warpgroup at one op; true for the
  /// last of them.
  bool meetWarpgroup(int32_t op, void *mine);
  void checkDescriptor(int32_t op, const char *which,
                       const MatrixDescriptor &descriptor);
  /// Whether the current warpgroup may read all of an operand.
  void checkOperand(int32_t op, const MatrixDescriptor &operand, bool isA);

  void arriveAtBarrier(int32_t op, uint32_t id, uint32_t count, bool waits);
  /// Those who have arrived have to be whole warps, each by one op.
  void checkWarps(const Barrier &barrier);
  /// By warp: the op by which lanes have arrived, and how many.
  std::vector<std::pair<int32_t, unsigned>> arrivedLanes;
  /// The current thread arrives at the cluster's barrier.
  void arriveAtCluster(int32_t op, bool isAligned, bool isRelaxed);
  /// One thread less to wait for at the cluster's barrier.
  void countClusterArrival();
  Mbarrier &getMbarrier(int32_t op, char *address);
  /// The blocks that a copy with this mask goes to, none for the current one;
  /// there is an mbarrier in each.
  llvm::SmallVector<unsigned, 8> getDestinations(int32_t op, uint32_t mask,
                                                 char *mbarrier);
  /// `ofCluster`: it releases to all threads of the cluster, not of the block.
  void arriveAtMbarrier(int32_t op, char *address, uint32_t count,
                        bool ofCluster);
  void finishPhase(Mbarrier &mbarrier);
  /// Ends a bulk copy, the oldest one or, with a seed, any; false when there is
  /// none.
  bool finishBulkCopy();
  /// Says which copy to a block's shared memory nobody has waited for, or
  /// nothing.
  std::string findUnobservedCopy(unsigned block) const;
  /// Its bytes are written, for the race detector.
  void endBulkCopy(const BulkCopy &copy);
  std::optional<unsigned> findReady(unsigned from) const;
  /// Brings `mine`, on this stack, to an op of the warp. False for all lanes
  /// but the last, and only when that has called `release`: the last one does
  /// the work for all lanes of `mask`.
  bool meet(WarpOp what, uint32_t key, uint32_t mask, int32_t op, void *mine);
  void release(uint32_t mask);
  /// An op that PTX calls aligned: waits for the other lanes of the warp, which
  /// have to come to the same op.
  void align(int32_t op);
  /// The lanes of the current warp that the block has.
  uint32_t getLanes() const;
  /// What a lane of the current warp has brought.
  template <typename T> T &getOperands(unsigned lane) const {
    return *static_cast<T *>(
        operands[getThread() / kWarpSize * kWarpSize + lane]);
  }
  [[noreturn]] void runThreads();
};

/// The block that this OS thread is running.
BlockRunner::Implementation &getActiveBlock();

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_BLOCKSTATE_H
