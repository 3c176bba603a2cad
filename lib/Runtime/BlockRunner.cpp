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

#include "BlockRunner.h"
#include "Random.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Alignment.h"
#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <numeric>
#include <sys/mman.h>

using namespace mirage;
using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

constexpr unsigned kWarpSize = 32;
/// Emulated threads call only leaf functions; what a kernel keeps in arrays of
/// its own has to fit, too.
constexpr size_t kStackBytes = 64 << 10;
constexpr size_t kGuardBytes = 4 << 10;
/// Behind dynamic shared memory, to see writes past its end.
constexpr size_t kCanaryBytes = 256;
constexpr uint8_t kUninitialized = 0xff;

enum class State : uint8_t { Ready, AtBarrier, InShuffle, Done };

struct Shuffle {
  uint32_t kind, threadMask, value, offset, maskAndClamp;
  /// As emulation::shuffle returns it.
  int64_t result;
};

/// One mapping for the stacks of all fibers, each with an inaccessible page
/// below it.
class StackPool {
public:
  StackPool() = default;
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;
  ~StackPool() {
    if (base)
      munmap(base, bytes);
  }

  bool allocate(size_t count) {
    bytes = count * kStride;
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return false;
    base = static_cast<char *>(memory);
    for (size_t i = 0; i < count; ++i)
      if (mprotect(base + i * kStride, kGuardBytes, PROT_NONE))
        return false;
    return true;
  }

  /// The top of stack `i`. The tops are staggered within their page: were they
  /// all at the same offset, the fibers would compete for the same few cache
  /// sets.
  char *getTop(size_t i) const {
    return base + (i + 1) * kStride - i % 16 * 256;
  }

private:
  static constexpr size_t kStride = kGuardBytes + kStackBytes;
  char *base = nullptr;
  size_t bytes = 0;
};

} // namespace

struct BlockRunner::Implementation {
  explicit Implementation(const BlockLaunch &launch) : launch(launch) {}

  BlockLaunch launch;
  unsigned numThreads = 0;
  std::array<uint32_t, 3> block{};
  char *shared = nullptr;
  std::vector<char> sharedStorage;

  /// By fiber. Fiber i runs the CUDA thread threads[i], which has the index
  /// indices[i] in its block.
  std::vector<State> states;
  std::vector<fcontext_t> contexts;
  std::vector<unsigned> threads;
  std::vector<std::array<uint32_t, 3>> indices;
  StackPool stacks;

  /// By CUDA thread: its fiber, and the shuffle that it waits in.
  std::vector<unsigned> fibers;
  std::vector<Shuffle> shuffles;

  unsigned current = 0, atBarrier = 0;
  fcontext_t scheduler = nullptr;
  /// Set by a thread that can't go on.
  std::string fault;

  bool allocate();
  void startBlock(uint64_t blockIndex);
  llvm::Error check();
  llvm::Error error(const llvm::Twine &what) const;

  void yield();
  void fail(std::string what);
  void waitAtBarrier();
  int64_t shuffle(const Shuffle &mine);
  [[noreturn]] void runThreads();
};

/// The block that this OS thread is running.
static thread_local BlockRunner::Implementation *active = nullptr;

//===----------------------------------------------------------------------===//
// Fibers
//===----------------------------------------------------------------------===//

/// Wherever a context goes on, the one that it was switched from arrives with
/// the address to keep it at.
static void keepContext(transfer_t from) {
  *static_cast<fcontext_t *>(from.data) = from.fctx;
}

/// Lets the next thread run that can; returns when this one can again and its
/// turn comes.
void BlockRunner::Implementation::yield() {
  unsigned from = current, next = from;
  do {
    next = next + 1 == numThreads ? 0 : next + 1;
    if (next == from) {
      keepContext(jump_fcontext(scheduler, &contexts[from]));
      return;
    }
  } while (states[next] != State::Ready);
  current = next;
  keepContext(jump_fcontext(contexts[next], &contexts[from]));
}

/// Ends the block with an error. Does not return.
void BlockRunner::Implementation::fail(std::string what) {
  fault = std::move(what);
  keepContext(jump_fcontext(scheduler, &contexts[current]));
}

/// The life of a fiber: the kernel, once for each block.
void BlockRunner::Implementation::runThreads() {
  while (true) {
    launch.kernel(launch.arguments);
    states[current] = State::Done;
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

bool BlockRunner::Implementation::allocate() {
  numThreads = launch.block[0] * launch.block[1] * launch.block[2];
  states.resize(numThreads);
  contexts.resize(numThreads);
  threads.resize(numThreads);
  indices.resize(numThreads);
  fibers.resize(numThreads);
  shuffles.resize(numThreads);
  if (!stacks.allocate(numThreads))
    return false;
  for (unsigned i = 0; i < numThreads; ++i)
    contexts[i] =
        make_fcontext(stacks.getTop(i), kStackBytes - 4096, enterFiber);
  size_t bytes =
      launch.staticSharedBytes + launch.dynamicSharedBytes + kCanaryBytes;
  sharedStorage.resize(bytes + host_abi::kSharedAlignment);
  shared = reinterpret_cast<char *>(llvm::alignAddr(
      sharedStorage.data(), llvm::Align(host_abi::kSharedAlignment)));
  std::memset(shared, kUninitialized, bytes);
  return true;
}

void BlockRunner::Implementation::startBlock(uint64_t blockIndex) {
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
    states[i] = State::Ready;
  }
  atBarrier = 0;
  std::memset(shared, kUninitialized,
              launch.staticSharedBytes + launch.dynamicSharedBytes);
}

llvm::Error BlockRunner::Implementation::error(const llvm::Twine &what) const {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "block (" + llvm::Twine(block[0]) + ", " +
                                     llvm::Twine(block[1]) + ", " +
                                     llvm::Twine(block[2]) + "): " + what);
}

/// After no thread could run any more: are they done, and is memory as it
/// should be?
llvm::Error BlockRunner::Implementation::check() {
  if (!fault.empty())
    return error(fault);
  size_t done = llvm::count(states, State::Done),
         shuffling = llvm::count(states, State::InShuffle);
  if (done != numThreads)
    return error("deadlock: of " + llvm::Twine(numThreads) + " threads " +
                 llvm::Twine(atBarrier) + " wait at a barrier and " +
                 llvm::Twine(shuffling) + " in a shuffle, and " +
                 llvm::Twine(done) + " have ended");
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

llvm::Error BlockRunner::run(uint64_t blockIndex) {
  Implementation &self = *implementation;
  self.startBlock(blockIndex);
  active = &self;
  self.current = 0;
  transfer_t from = jump_fcontext(self.contexts[0], &self.scheduler);
  keepContext(from);
  active = nullptr;
  return self.check();
}

//===----------------------------------------------------------------------===//
// What kernels call
//===----------------------------------------------------------------------===//

void BlockRunner::Implementation::waitAtBarrier() {
  // All threads of the block, also those that have ended: a barrier that some
  // threads don't reach is undefined behaviour in CUDA, so it is left to end as
  // a deadlock, which is reported.
  if (++atBarrier < numThreads) {
    states[current] = State::AtBarrier;
    yield();
    return;
  }
  atBarrier = 0;
  llvm::fill(states, State::Ready);
}

/// The lane that `lane` reads in a shuffle, and whether it is in range; as the
/// PTX manual defines shfl.sync.
static std::pair<unsigned, bool> getSourceLane(const Shuffle &shuffle,
                                               unsigned lane) {
  int clamp = shuffle.maskAndClamp & 31,
      segment = shuffle.maskAndClamp >> 8 & 31;
  int offset = shuffle.offset & 31, self = static_cast<int>(lane), source = 0;
  int last = (self & segment) | (clamp & ~segment), first = self & segment;
  bool valid = false;
  switch (static_cast<host_abi::ShuffleKind>(shuffle.kind)) {
  case host_abi::ShuffleKind::Butterfly:
    source = self ^ offset;
    valid = source <= last;
    break;
  case host_abi::ShuffleKind::Up:
    source = self - offset;
    valid = source >= last;
    break;
  case host_abi::ShuffleKind::Down:
    source = self + offset;
    valid = source <= last;
    break;
  case host_abi::ShuffleKind::Index:
    source = first | (offset & ~segment);
    valid = source <= last;
    break;
  }
  return {valid ? source : self, valid};
}

int64_t BlockRunner::Implementation::shuffle(const Shuffle &mine) {
  unsigned thread = threads[current], lane = thread % kWarpSize,
           warp = thread - lane;
  unsigned lanes = std::min(kWarpSize, numThreads - warp);
  // Lanes that the block doesn't have can't take part.
  uint32_t mask = lanes == kWarpSize ? mine.threadMask
                                     : mine.threadMask & ((1u << lanes) - 1);
  if (!(mask >> lane & 1)) {
    fail("thread " + std::to_string(thread) +
         " takes part in a shuffle whose mask leaves it out");
  }
  shuffles[thread] = mine;
  shuffles[thread].threadMask = mask;
  states[current] = State::InShuffle;
  for (unsigned other = 0; other < lanes; ++other)
    if ((mask >> other & 1) &&
        (states[fibers[warp + other]] != State::InShuffle ||
         shuffles[warp + other].threadMask != mask)) {
      yield();
      return shuffles[thread].result;
    }
  // The last lane to arrive computes the results of all.
  for (unsigned other = 0; other < lanes; ++other) {
    if (!(mask >> other & 1))
      continue;
    auto [source, valid] = getSourceLane(shuffles[warp + other], other);
    if (source >= lanes || !(mask >> source & 1)) {
      fail("thread " + std::to_string(warp + other) + " reads lane " +
           std::to_string(source) + ", which takes no part in its shuffle");
    }
    shuffles[warp + other].result =
        static_cast<int64_t>(shuffles[warp + source].value) |
        static_cast<int64_t>(valid) << 32;
    states[fibers[warp + other]] = State::Ready;
  }
  return shuffles[thread].result;
}

int32_t emulation::specialRegister(int32_t which) {
  using host_abi::SpecialRegister;
  const BlockRunner::Implementation &self = *active;
  const BlockLaunch &launch = self.launch;
  switch (static_cast<SpecialRegister>(which)) {
  case SpecialRegister::ThreadIdX:
  case SpecialRegister::ThreadIdY:
  case SpecialRegister::ThreadIdZ:
    return self.indices[self.current][which - static_cast<int32_t>(
                                                  SpecialRegister::ThreadIdX)];
  case SpecialRegister::BlockIdX:
  case SpecialRegister::BlockIdY:
  case SpecialRegister::BlockIdZ:
    return self.block[which - static_cast<int32_t>(SpecialRegister::BlockIdX)];
  case SpecialRegister::BlockDimX:
  case SpecialRegister::BlockDimY:
  case SpecialRegister::BlockDimZ:
    return launch
        .block[which - static_cast<int32_t>(SpecialRegister::BlockDimX)];
  case SpecialRegister::GridDimX:
  case SpecialRegister::GridDimY:
  case SpecialRegister::GridDimZ:
    return launch.grid[which - static_cast<int32_t>(SpecialRegister::GridDimX)];
  case SpecialRegister::LaneId:
    return self.threads[self.current] % kWarpSize;
  case SpecialRegister::WarpId:
    return self.threads[self.current] / kWarpSize;
  case SpecialRegister::WarpSize:
    return kWarpSize;
  }
  return 0;
}

void *emulation::sharedMemory(int64_t offset) {
  return active->shared + offset;
}

void emulation::barrier() { active->waitAtBarrier(); }

int64_t emulation::shuffle(int32_t kind, int32_t threadMask, int32_t value,
                           int32_t offset, int32_t maskAndClamp) {
  return active->shuffle(
      {static_cast<uint32_t>(kind), static_cast<uint32_t>(threadMask),
       static_cast<uint32_t>(value), static_cast<uint32_t>(offset),
       static_cast<uint32_t>(maskAndClamp), 0});
}
