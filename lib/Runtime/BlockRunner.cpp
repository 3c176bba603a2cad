//===- BlockRunner.cpp - Runs thread blocks as fibers ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that has to wait jumps straight to the next thread that can run; the
// scheduler is entered only when none can, which is the end of the block or a
// deadlock. Boost's fcontext is used rather than its fiber class: the latter's
// destructor unwinds a suspended fiber, and the frames of JIT-compiled kernels
// can't be unwound. A fiber that is stuck in a kernel is abandoned by freeing
// its stack.
//
//===----------------------------------------------------------------------===//

#include "BlockState.h"
#include "Random.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <map>
#include <numeric>

using namespace mirage;
using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;
using Implementation = BlockRunner::Implementation;

/// Shared memory begins where the low 18 bits of an address are zero: those are
/// what wgmma's descriptors have of it.
static constexpr size_t kSharedWindow = 1 << 18;

/// From the shared memory of a block of a cluster to that of the next. Far more
/// than a block has, so that what lies past the end of one is not in another.
static constexpr size_t kSharedStride = 2 * kSharedWindow;

/// Behind dynamic shared memory, to see writes past its end.
static constexpr size_t kCanaryBytes = 256;

/// The most that host_abi::kAccessGranularity is.
static constexpr size_t kMostGranularity = 16;

/// The block that this OS thread is running.
static thread_local Implementation *active = nullptr;

Implementation &mirage::getActiveBlock() { return *active; }

//===----------------------------------------------------------------------===//
// Fibers
//===----------------------------------------------------------------------===//

/// Wherever a context goes on, the one that it was switched from arrives with
/// the address to keep it at.
static void keepContext(transfer_t from) {
  *static_cast<fcontext_t *>(from.data) = from.fctx;
}

/// The next ready fiber behind `from`, the last one before the first; none when
/// no fiber is ready.
std::optional<unsigned> Implementation::findReady(unsigned from) const {
  unsigned word = from / 64;
  uint64_t bits = ready[word] & (~uint64_t{0} << from % 64 << 1);
  for (size_t i = 0; !bits; ++i) {
    if (i == ready.size())
      return std::nullopt;
    word = word + 1 == ready.size() ? 0 : word + 1;
    bits = ready[word];
  }
  return word * 64 + llvm::countr_zero(bits);
}

void Implementation::yield() {
  unsigned from = current;
  std::optional<unsigned> next;
  // Bulk copies end as late as they can.
  while (!(next = findReady(from)))
    if (!finishBulkCopy()) {
      keepContext(jump_fcontext(scheduler, &contexts[from]));
      return;
    }
  current = *next;
  if (current != from)
    keepContext(jump_fcontext(contexts[current], &contexts[from]));
}

void Implementation::wait(int32_t op) {
  states[current] = ThreadState::Waiting;
  places[current] = op;
  ready[current / 64] &= ~(uint64_t{1} << current % 64);
  yield();
}

void Implementation::wake(unsigned fiber) {
  states[fiber] = ThreadState::Ready;
  ready[fiber / 64] |= uint64_t{1} << fiber % 64;
}

void Implementation::fail(const llvm::Twine &what) {
  fault = what.str();
  keepContext(jump_fcontext(scheduler, &contexts[current]));
}

llvm::StringRef Implementation::describeOp(int32_t op) const {
  return static_cast<size_t>(op) < launch.ops.size()
             ? llvm::StringRef(launch.ops[op])
             : llvm::StringRef("an op");
}

/// The life of a fiber: the kernel, once for each block.
void Implementation::runThreads() {
  while (true) {
    launch.kernel(launch.arguments);
    states[current] = ThreadState::Done;
    ready[current / 64] &= ~(uint64_t{1} << current % 64);
    finishThread();
    yield();
  }
}

static void enterFiber(transfer_t from) {
  keepContext(from);
  active->runThreads();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

bool Implementation::allocate() {
  numThreads = launch.block[0] * launch.block[1] * launch.block[2];
  blocks.resize(launch.getBlocksPerCluster());
  // No warpgroup has threads of two blocks.
  threadStride = blocks.size() == 1 ? numThreads
                                    : llvm::alignTo(numThreads, 4 * kWarpSize);
  numClusterThreads = threadStride * blocks.size();
  size_t numFibers = numThreads * blocks.size();
  states.resize(numFibers);
  contexts.resize(numFibers);
  threads.resize(numFibers);
  indices.resize(numFibers);
  places.resize(numFibers);
  ready.resize(llvm::divideCeil(numFibers, 64));
  fibers.resize(numClusterThreads);
  operands.resize(numClusterThreads);
  asyncCopies.resize(numClusterThreads);
  bulkStores.resize(numClusterThreads);
  wgmmas.resize(numClusterThreads);
  clusterArrivals.resize(numClusterThreads);
  warpgroupMeetings.resize(llvm::divideCeil(numClusterThreads, 4 * kWarpSize));
  meetings.resize(llvm::divideCeil(numClusterThreads, kWarpSize));
  if (!stacks.allocate(numFibers))
    return false;
  for (size_t i = 0; i < numFibers; ++i)
    contexts[i] =
        make_fcontext(stacks.getTop(i), StackPool::kBytes, enterFiber);
  size_t bytes = getSharedBytes() + kCanaryBytes;
  sharedStorage.resize((blocks.size() - 1) * kSharedStride + bytes +
                       kSharedWindow);
  char *shared = reinterpret_cast<char *>(
      llvm::alignAddr(sharedStorage.data(), llvm::Align(kSharedWindow)));
  for (ClusterBlock &block : blocks) {
    block.shared = shared;
    std::memset(shared, kUninitialized, bytes);
    shared += kSharedStride;
    if (launch.counts)
      block.counter =
          std::make_unique<AccessCounter>(numThreads, launch.buffers);
  }
  cellStride = llvm::alignTo(getSharedBytes(), kMostGranularity);
  if (launch.checks)
    races = std::make_unique<RaceDetector>(
        numClusterThreads + getNumEngines(), cellStride * blocks.size(),
        launch.accessGranularity, getNumEngines());
  return true;
}

Implementation::SharedPlace
Implementation::getPlace(const char *address) const {
  if (blocks.size() == 1)
    return {0, address - blocks[0].shared};
  int64_t offset = address - blocks[0].shared;
  auto stride = static_cast<int64_t>(kSharedStride);
  auto end = static_cast<int64_t>(stride * blocks.size());
  if (offset >= 0 && offset < end)
    return {static_cast<unsigned>(offset / stride), offset % stride};
  unsigned block = getCurrentBlock();
  return {block, address - blocks[block].shared};
}

char *Implementation::getPeer(const char *address, unsigned block) const {
  return blocks[block].shared + getPlace(address).offset;
}

std::array<uint32_t, 3>
Implementation::getFirstBlock(uint64_t clusterIndex) const {
  std::array<uint32_t, 3> first{};
  for (unsigned d = 0; d < 3; ++d) {
    uint32_t count = launch.grid[d] / launch.cluster[d];
    first[d] = clusterIndex % count * launch.cluster[d];
    clusterIndex /= count;
  }
  return first;
}

void Implementation::startCluster(uint64_t clusterIndex) {
  cluster = clusterIndex;
  written.clear();
  const std::array<uint32_t, 3> first = getFirstBlock(clusterIndex);
  for (auto [rank, block] : llvm::enumerate(blocks)) {
    auto number = static_cast<uint32_t>(rank);
    for (unsigned d = 0; d < 3; ++d) {
      block.index[d] = first[d] + number % launch.cluster[d];
      number /= launch.cluster[d];
    }
    block.running = numThreads;
    block.hasWaitedForGrids = false;
    block.numMbarriers = block.numStoringThreads = 0;
    block.ended.clear();
    block.remoteAccesses.clear();
  }
  for (size_t i = 0; i < threads.size(); ++i)
    threads[i] = i / numThreads * threadStride + i % numThreads;
  random = SplitMix64(launch.seed + clusterIndex * 0x9e3779b97f4a7c15);
  if (launch.seed)
    shuffle(threads, random);
  for (size_t i = 0; i < threads.size(); ++i) {
    fibers[threads[i]] = i;
    unsigned thread = getThreadInBlock(threads[i]);
    indices[i] = {thread % launch.block[0],
                  thread / launch.block[0] % launch.block[1],
                  thread / launch.block[0] / launch.block[1]};
    wake(i);
  }
  clusterBarrier = ClusterBarrier();
  clusterBarrier.pending = threads.size();
  std::fill(clusterArrivals.begin(), clusterArrivals.end(), ClusterArrivals());
  for (AsyncCopies &copies : asyncCopies)
    copies.clear([&](const AsyncCopy &copy) {
      if (races)
        races->endCopy(0, getCellOffset(copy.to), copy.bytes);
    });
  for (; nextBulkCopy < bulkCopies.size(); ++nextBulkCopy)
    endBulkCopy(bulkCopies[nextBulkCopy]);
  for (BulkStores &stores : bulkStores)
    stores = BulkStores();
  for (WgmmaState &state : wgmmas)
    state = WgmmaState();
  bulkCopies.clear();
  nextBulkCopy = 0;
  mbarriers.clear();
  if (races)
    races->startBlock();
  for (ClusterBlock &block : blocks) {
    for (Barrier &barrier : block.barriers) {
      barrier.arrived = 0;
      barrier.clocks.clear();
      barrier.arrivals.clear();
    }
    std::memset(block.shared, kUninitialized, getSharedBytes());
  }
}

llvm::Error Implementation::error(const ClusterBlock &block,
                                  const llvm::Twine &what) const {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 describeBlock(block.index) + ": " + what);
}

Implementation::Text
Implementation::describeBlock(const std::array<uint32_t, 3> &index) {
  Text text;
  ("block (" + llvm::Twine(index[0]) + ", " + llvm::Twine(index[1]) + ", " +
   llvm::Twine(index[2]) + ")")
      .toVector(text);
  return text;
}

Implementation::Text Implementation::describeOtherBlock(unsigned block) const {
  Text text;
  if (block != getCurrentBlock())
    (" of " + describeBlock(blocks[block].index)).toVector(text);
  return text;
}

Implementation::Text Implementation::describeThread(unsigned thread) const {
  Text text;
  ("thread " + llvm::Twine(getThreadInBlock(thread)) +
   describeOtherBlock(getBlockOf(thread)))
      .toVector(text);
  return text;
}

/// Numbers as ranges: "0-31, 64".
static void printRanges(llvm::raw_ostream &os,
                        llvm::ArrayRef<unsigned> sorted) {
  for (size_t i = 0, end; i < sorted.size(); i = end) {
    for (end = i + 1;
         end < sorted.size() && sorted[end] == sorted[end - 1] + 1;)
      ++end;
    os << (i ? ", " : "") << sorted[i];
    if (end - i > 1)
      os << "-" << sorted[end - 1];
  }
}

std::string Implementation::describeDeadlock() const {
  // By the op that they wait at, and the block.
  std::map<std::pair<int32_t, unsigned>, std::vector<unsigned>> waiting;
  size_t done = 0;
  std::vector<unsigned> sorted(threads);
  llvm::sort(sorted);
  for (unsigned thread : sorted) {
    unsigned fiber = fibers[thread];
    if (states[fiber] == ThreadState::Done)
      ++done;
    else
      waiting[{places[fiber], getBlockOf(thread)}].push_back(
          getThreadInBlock(thread));
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "deadlock: of " << threads.size() << " threads ";
  if (blocks.size() > 1)
    os << "of the " << blocks.size() << " blocks of its cluster ";
  os << done << " have ended";
  for (const auto &[where, threads] : waiting) {
    os << (threads.size() == 1 ? ", thread " : ", threads ");
    printRanges(os, threads);
    if (where.second > 0)
      os << " of " << describeBlock(blocks[where.second].index);
    os << (threads.size() == 1 ? " waits at " : " wait at ")
       << describeOp(where.first);
  }
  return text;
}

/// After no thread could run any more: are they done, and is memory as it
/// should be?
llvm::Error Implementation::check() {
  if (!fault.empty())
    return error(getBlock(), fault);
  if (!llvm::all_of(states,
                    [](ThreadState s) { return s == ThreadState::Done; }))
    return error(blocks[0], describeDeadlock());
  for (ClusterBlock &block : blocks) {
    // What others say of a block's threads, they say in its name.
    current = fibers[(&block - blocks.data()) * threadStride];
    if (std::string late = findLateAccess(); !late.empty())
      return error(block, late);
    if (std::string copy = findUnobservedCopy(&block - blocks.data());
        !copy.empty())
      return error(block, copy);
    if (std::string unread = finishStores(); !unread.empty())
      return error(block, unread);
    const char *end = block.shared + getSharedBytes();
    for (size_t i = 0; i < kCanaryBytes; ++i)
      if (static_cast<uint8_t>(end[i]) != kUninitialized)
        return error(block, "byte " + llvm::Twine(i) + " past the end of its " +
                                llvm::Twine(launch.dynamicSharedBytes) +
                                " bytes of dynamic shared memory was written");
  }
  current = 0;
  if (std::string other = findOtherWrite(); !other.empty())
    return error(getBlock(), other);
  return llvm::Error::success();
}

BlockRunner::BlockRunner(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}

BlockRunner::~BlockRunner() = default;

llvm::Expected<std::unique_ptr<BlockRunner>>
BlockRunner::create(const BlockLaunch &launch) {
  auto implementation = std::make_unique<Implementation>(launch);
  if (size_t bytes = implementation->getSharedBytes(); bytes > kSharedWindow)
    return llvm::createStringError("a block has %zu bytes of shared memory, of "
                                   "which the host emulates at most %zu",
                                   bytes, kSharedWindow);
  if (!implementation->allocate())
    return llvm::createStringError("no memory for the stacks of %zu threads",
                                   implementation->threads.size());
  return std::unique_ptr<BlockRunner>(
      new BlockRunner(std::move(implementation)));
}

std::vector<std::unique_ptr<AccessCounter>> BlockRunner::takeCounters() {
  std::vector<std::unique_ptr<AccessCounter>> counters;
  for (ClusterBlock &block : implementation->blocks)
    counters.push_back(std::move(block.counter));
  return counters;
}

llvm::Error BlockRunner::run(uint64_t clusterIndex, bool count) {
  Implementation &self = *implementation;
  self.counting = count && self.launch.counts;
  self.startCluster(clusterIndex);
  active = &self;
  self.current = 0;
  transfer_t from = jump_fcontext(self.contexts[0], &self.scheduler);
  keepContext(from);
  active = nullptr;
  if (self.counting)
    for (ClusterBlock &block : self.blocks)
      block.counter->finishBlock();
  return self.check();
}
