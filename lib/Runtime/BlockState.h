//===- BlockState.h - The state of a thread block that runs -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the emulation library's files share: the fibers, and how they wait.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_BLOCKSTATE_H
#define MIRAGE_LIB_RUNTIME_BLOCKSTATE_H

#include "AccessCounter.h"
#include "AsyncCopies.h"
#include "BlockRunner.h"
#include "MatrixDescriptor.h"
#include "RaceDetector.h"
#include "StackPool.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <boost/context/detail/fcontext.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace mirage {

inline constexpr unsigned kWarpSize = 32;

enum class ThreadState : uint8_t { Ready, Waiting, Done };

/// Ops that the lanes of a warp execute together.
enum class WarpOp : uint8_t { SyncWarp, Elect, Shuffle, Redux, LdMatrix, Mma };

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
};

/// A barrier object in shared memory.
struct Mbarrier {
  /// Arrivals that a phase waits for, and that are still to come; bytes that
  /// were announced and not yet copied.
  uint32_t expected = 0, pending = 0;
  int64_t bytes = 0;
  uint32_t phase = 0;
  /// The fibers that wait for the end of the phase.
  std::vector<unsigned> waiting;
  /// What those have released who have arrived in this phase, and the last.
  RaceDetector::Clocks arrived, completed;
};

/// A copy that reports to the mbarrier at this offset: of consecutive bytes,
/// or, if there is a map, of a box.
struct BulkCopy {
  char *to;
  const char *from;
  uint32_t bytes;
  int64_t mbarrier;
  const HostTensorMap *map = nullptr;
  BoxPlace place{};
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
  bool isFenced = false;
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
};

struct BlockRunner::Implementation {
  explicit Implementation(const BlockLaunch &launch) : launch(launch) {}

  BlockLaunch launch;
  unsigned numThreads = 0;
  std::array<uint32_t, 3> block{};
  char *shared = nullptr;
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
  std::array<Barrier, host_abi::kNumBarriers> barriers;

  /// Null when accesses are not checked.
  std::unique_ptr<RaceDetector> races;
  RaceDetector::Clocks warpClocks, engineClocks;
  /// Null when no block is counted; `counting` says whether this one is.
  std::unique_ptr<AccessCounter> counter;
  bool counting = false;

  /// By offset in shared memory.
  std::map<int64_t, Mbarrier> mbarriers;
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
  void startBlock(uint64_t blockIndex);
  llvm::Error check();
  llvm::Error error(const llvm::Twine &what) const;
  std::string describeDeadlock() const;

  unsigned getThread() const { return threads[current]; }
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
  void reportRace(const MemoryAccess &access,
                  const RaceDetector::Report &report);
  void failAccess(const MemoryAccess &access, const llvm::Twine &where,
                  const llvm::Twine &problem);

  bool isShared(const char *address) const {
    return address >= shared && address < shared + launch.staticSharedBytes +
                                              launch.dynamicSharedBytes;
  }
  /// The number of the argument, from 1 on, that holds all of an access; 0:
  /// none.
  unsigned findArgument(const MemoryAccess &access) const;
  /// The lanes of a warp that wait at a barrier have come to the same place.
  void finishWarps(const Barrier &barrier);

  /// The engines that are threads of the race detector, behind the block's
  /// own. That of loads comes first and is never acquired for.
  unsigned getStoreEngine() const { return numThreads + 1; }
  unsigned getWgmmaEngine(unsigned thread) const {
    return numThreads + 2 + thread / kWarpSize;
  }
  unsigned getNumEngines() const { return 2 + meetings.size(); }
  /// Whether there are reads by engines that no thread has waited for.
  bool isEngineReading() const;
  /// What is ordered before now for a thread is so for an engine.
  void acquireForEngine(unsigned engine, unsigned thread);

  /// The launch's map at `address`, which must have so many dimensions.
  const HostTensorMap &getTensorMap(int32_t op, const void *address,
                                    int32_t rank);
  void countBox(const HostTensorMap &map, const BoxPlace &place, bool write);
  void readForStores(BulkStoreGroup &group);
  void writeForStores(const BulkStoreGroup &group);
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
  Mbarrier &getMbarrier(int32_t op, char *address);
  void arriveAtMbarrier(int32_t op, char *address, uint32_t count);
  void finishPhase(Mbarrier &mbarrier);
  /// Ends the oldest bulk copy; false when there is none.
  bool finishBulkCopy();
  /// Its bytes are written, for the race detector.
  void endBulkCopy(const BulkCopy &copy);
  std::optional<unsigned> findReady(unsigned from) const;
  /// Brings `mine`, on this stack, to an op of the warp. False for all lanes
  /// but the last, and only when that has called `release`: the last one does
  /// the work for all lanes of `mask`.
  bool meet(WarpOp what, uint32_t key, uint32_t mask, int32_t op, void *mine);
  void release(uint32_t mask);
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
