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

/// Behind dynamic shared memory, to see writes past its end.
static constexpr size_t kCanaryBytes = 256;

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
  states.resize(numThreads);
  contexts.resize(numThreads);
  threads.resize(numThreads);
  indices.resize(numThreads);
  fibers.resize(numThreads);
  places.resize(numThreads);
  operands.resize(numThreads);
  asyncCopies.resize(numThreads);
  bulkStores.resize(numThreads);
  wgmmas.resize(numThreads);
  warpgroupMeetings.resize(llvm::divideCeil(numThreads, 4 * kWarpSize));
  ready.resize(llvm::divideCeil(numThreads, 64));
  meetings.resize(llvm::divideCeil(numThreads, kWarpSize));
  if (!stacks.allocate(numThreads))
    return false;
  for (unsigned i = 0; i < numThreads; ++i)
    contexts[i] =
        make_fcontext(stacks.getTop(i), StackPool::kBytes, enterFiber);
  size_t bytes =
      launch.staticSharedBytes + launch.dynamicSharedBytes + kCanaryBytes;
  sharedStorage.resize(bytes + kSharedWindow);
  shared = reinterpret_cast<char *>(
      llvm::alignAddr(sharedStorage.data(), llvm::Align(kSharedWindow)));
  std::memset(shared, kUninitialized, bytes);
  if (launch.checks)
    races = std::make_unique<RaceDetector>(
        numThreads + getNumEngines(),
        launch.staticSharedBytes + launch.dynamicSharedBytes,
        launch.accessGranularity, getNumEngines());
  if (launch.counts)
    counter = std::make_unique<AccessCounter>(numThreads, launch.buffers);
  return true;
}

void Implementation::startBlock(uint64_t blockIndex) {
  block = {static_cast<uint32_t>(blockIndex % launch.grid[0]),
           static_cast<uint32_t>(blockIndex / launch.grid[0] % launch.grid[1]),
           static_cast<uint32_t>(blockIndex / launch.grid[0] / launch.grid[1])};
  std::iota(threads.begin(), threads.end(), 0);
  if (launch.seed) {
    SplitMix64 random(launch.seed + blockIndex * 0x9e3779b97f4a7c15);
    for (unsigned i = numThreads - 1; i > 0; --i)
      std::swap(threads[i], threads[random() % (i + 1)]);
  }
  for (unsigned i = 0; i < numThreads; ++i) {
    unsigned thread = threads[i];
    fibers[thread] = i;
    indices[i] = {thread % launch.block[0],
                  thread / launch.block[0] % launch.block[1],
                  thread / launch.block[0] / launch.block[1]};
    wake(i);
  }
  for (AsyncCopies &copies : asyncCopies)
    copies.clear([&](const AsyncCopy &copy) {
      if (races)
        races->endCopy(0, copy.to - shared, copy.bytes);
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
  for (Barrier &barrier : barriers) {
    barrier.arrived = 0;
    barrier.clocks.clear();
  }
  std::memset(shared, kUninitialized,
              launch.staticSharedBytes + launch.dynamicSharedBytes);
}

llvm::Error Implementation::error(const llvm::Twine &what) const {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "block (" + llvm::Twine(block[0]) + ", " +
                                     llvm::Twine(block[1]) + ", " +
                                     llvm::Twine(block[2]) + "): " + what);
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
  // By the op that they wait at.
  std::map<int32_t, std::vector<unsigned>> waiting;
  size_t done = 0;
  for (unsigned thread = 0; thread < numThreads; ++thread) {
    unsigned fiber = fibers[thread];
    if (states[fiber] == ThreadState::Done)
      ++done;
    else
      waiting[places[fiber]].push_back(thread);
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "deadlock: of " << numThreads << " threads " << done << " have ended";
  for (const auto &[op, threads] : waiting) {
    os << (threads.size() == 1 ? ", thread " : ", threads ");
    printRanges(os, threads);
    os << (threads.size() == 1 ? " waits at " : " wait at ") << describeOp(op);
  }
  return text;
}

/// After no thread could run any more: are they done, and is memory as it
/// should be?
llvm::Error Implementation::check() {
  if (!fault.empty())
    return error(fault);
  if (!llvm::all_of(states,
                    [](ThreadState s) { return s == ThreadState::Done; }))
    return error(describeDeadlock());
  if (std::string unread = finishStores(); !unread.empty())
    return error(unread);
  const char *end =
      shared + launch.staticSharedBytes + launch.dynamicSharedBytes;
  for (size_t i = 0; i < kCanaryBytes; ++i)
    if (static_cast<uint8_t>(end[i]) != kUninitialized)
      return error("byte " + llvm::Twine(i) + " past the end of its " +
                   llvm::Twine(launch.dynamicSharedBytes) +
                   " bytes of dynamic shared memory was written");
  return llvm::Error::success();
}

BlockRunner::BlockRunner(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}

BlockRunner::~BlockRunner() = default;

llvm::Expected<std::unique_ptr<BlockRunner>>
BlockRunner::create(const BlockLaunch &launch) {
  auto implementation = std::make_unique<Implementation>(launch);
  if (!implementation->allocate())
    return llvm::createStringError("no memory for the stacks of %u threads",
                                   implementation->numThreads);
  return std::unique_ptr<BlockRunner>(
      new BlockRunner(std::move(implementation)));
}

std::unique_ptr<AccessCounter> BlockRunner::takeCounter() {
  return std::move(implementation->counter);
}

llvm::Error BlockRunner::run(uint64_t blockIndex, bool count) {
  Implementation &self = *implementation;
  self.counting = count && self.counter;
  self.startBlock(blockIndex);
  active = &self;
  self.current = 0;
  transfer_t from = jump_fcontext(self.contexts[0], &self.scheduler);
  keepContext(from);
  active = nullptr;
  if (self.counting)
    self.counter->finishBlock();
  return self.check();
}
