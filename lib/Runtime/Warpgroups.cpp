//===- Warpgroups.cpp - What a warpgroup does together: wgmma -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The product is computed when the last of 128 threads has come to the op. For
// the race detector its reads go on, as those of an engine of each warp, until
// a thread has waited for the group; that accumulators are used after that only
// is checked by what convert-nvvm-to-host adds (TrackAccumulators.cpp).
//
//===----------------------------------------------------------------------===//

#include "BlockState.h"
#include "Emulation.h"
#include "MatrixDescriptor.h"
#include "MatrixMultiply.h"
#include "Mirage/Numbers/Float16.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cstring>

using namespace mirage;
using host_abi::AccessKind;
using host_abi::MmaElement;
using host_abi::WgmmaInfo;
using Implementation = BlockRunner::Implementation;

static constexpr unsigned kThreads = 128, kWarps = 4, kRows = 64;

namespace {

/// What a thread brings.
struct Wgmma {
  /// A is in shared memory if `rows` is null, and else there.
  uint64_t descriptorA, descriptorB;
  const uint32_t *rows;
  float *sums;
};

/// Elements as f32: of A by row and k, of B by k and column.
struct Elements {
  float a[kRows * 16], b[16 * 256];
};

} // namespace

bool Implementation::meetWarpgroup(int32_t op, void *mine) {
  unsigned thread = getThread(), group = thread / kThreads;
  unsigned groupInBlock = getThreadInBlock(thread) / kThreads;
  if ((groupInBlock + 1) * kThreads > numThreads)
    fail(describeThread(thread) + " takes part in " + describeOp(op) +
         ", which needs warpgroups of 128 threads, in a block of " +
         llvm::Twine(numThreads));
  operands[thread] = mine;
  auto &waiting = warpgroupMeetings[group];
  auto *meeting = llvm::find_if(
      waiting, [&](const auto &other) { return other.first == op; });
  if (meeting == waiting.end()) {
    waiting.push_back({op, 0});
    meeting = &waiting.back();
  }
  if (++meeting->second < kThreads) {
    wait(op);
    return false;
  }
  waiting.erase(meeting);
  if (counting)
    for (unsigned warp = 0; warp < kWarps; ++warp)
      getCounter().finishWarp(groupInBlock * kWarps + warp);
  return true;
}

void Implementation::checkDescriptor(int32_t op, const char *which,
                                     const MatrixDescriptor &descriptor) {
  if (descriptor.reserved)
    fail(describeOp(op) + ": the descriptor of " + which +
         " has bits set that mean nothing");
  if (descriptor.baseOffset)
    fail(describeOp(op) + ": the descriptor of " + which +
         " has a base offset, which is not emulated");
  // Such as 8 rows of 128 bytes; otherwise it needs a base offset.
  if (descriptor.swizzleBytes &&
      (descriptor.start / 128) % (descriptor.swizzleBytes / kPieceBytes))
    fail(describeOp(op) + ": the descriptor of " + which +
         " doesn't start where its swizzle does");
}

void Implementation::checkOperand(int32_t op, const MatrixDescriptor &operand,
                                  bool isA) {
  unsigned first = getThread() / kThreads * kThreads;
  char *shared = getBlock().shared;
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    unsigned thread = first + warp * kWarpSize;
    // Of A a warp reads its 16 rows.
    unsigned begin = isA ? warp * kRows / kWarps : 0,
             end = isA ? begin + kRows / kWarps : operand.size;
    operand.forEachPiece(begin, end, [&](uint32_t offset) {
      MemoryAccess access{AccessKind::Read, thread,      op,
                          shared + offset,  kPieceBytes, kPieceBytes};
      if (offset + kPieceBytes > getSharedBytes())
        checkPlace(access);
      if (races)
        checkAsyncRead(access, getWgmmaEngine(thread));
    });
  }
}

static float widen(MmaElement element, const char *from) {
  if (element == MmaElement::TF32) {
    uint32_t bits;
    std::memcpy(&bits, from, sizeof(bits));
    return llvm::bit_cast<float>(bits & 0xffffe000);
  }
  uint16_t bits;
  std::memcpy(&bits, from, sizeof(bits));
  return element == MmaElement::F16
             ? halfToFloat(bits)
             : llvm::bit_cast<float>(uint32_t{bits} << 16);
}

/// Where thread `thread` of the group has its accumulators: pairs, in the rows
/// lane / 4 and lane / 4 + 8 of its warp's 16.
template <typename Function>
static void forEachSum(unsigned thread, unsigned n, Function function) {
  unsigned lane = thread % kWarpSize, row = thread / kWarpSize * 16 + lane / 4;
  for (unsigned i = 0; i < n / 2; ++i)
    function(i, row + i / 2 % 2 * 8, i / 4 * 8 + lane % 4 * 2 + i % 2);
}

/// What thread `thread` of the group has in its registers of A, two elements of
/// 2 bytes in each: those of the rows lane / 4 and lane / 4 + 8 of its warp's
/// 16, then the same of 8 deeper ones.
template <typename Function>
static void forEachRowElement(unsigned thread, Function function) {
  unsigned lane = thread % kWarpSize, row = thread / kWarpSize * 16 + lane / 4;
  for (unsigned i = 0; i < host_abi::kWgmmaRowRegisters; ++i)
    for (unsigned half = 0; half < 2; ++half)
      function(i, half, row + i % 2 * 8, i / 2 * 8 + lane % 4 * 2 + half);
}

/// A thread comes to a wgmma. The last of its warpgroup multiplies.
static void multiply(int32_t op, int32_t encoded, Wgmma mine) {
  Implementation &self = getActiveBlock();
  WgmmaInfo info = WgmmaInfo::decode(encoded);
  WgmmaState &state = self.wgmmas[self.getThread()];
  if (!state.isFenced)
    self.fail(self.describeThread(self.getThread()) + " comes to " +
              self.describeOp(op) + " without a wgmma.fence " +
              (state.user ? "since it has used accumulators in " +
                                self.describeOp(*state.user)
                          : "before"));
  state.pending.push_back(op);
  ++state.issued;
  if (!self.meetWarpgroup(op, &mine))
    return;

  unsigned first = self.getThread() / kThreads * kThreads;
  auto getOperands = [&](unsigned thread) -> Wgmma & {
    return *static_cast<Wgmma *>(self.operands[first + thread]);
  };
  for (unsigned thread = 0; thread < kThreads; ++thread)
    if (getOperands(thread).descriptorA != mine.descriptorA ||
        getOperands(thread).descriptorB != mine.descriptorB)
      self.fail(self.describeOp(op) +
                ": the threads of a warpgroup have different descriptors");
  unsigned k = info.element == MmaElement::TF32 ? 8 : 16, n = info.n;
  int elementBytes = info.element == MmaElement::TF32 ? 4 : 2;
  std::optional<MatrixDescriptor> a;
  if (!mine.rows) {
    a.emplace(mine.descriptorA, kRows, info.transposesA);
    self.checkDescriptor(op, "A", *a);
  }
  MatrixDescriptor b(mine.descriptorB, n, info.transposesB);
  self.checkDescriptor(op, "B", b);
  if (self.races)
    for (unsigned thread = first; thread < first + kThreads; ++thread)
      self.acquireForEngine(self.getWgmmaEngine(thread), thread);
  if (a)
    self.checkOperand(op, *a, /*isA=*/true);
  self.checkOperand(op, b, /*isA=*/false);

  // Not on this small stack.
  static thread_local Elements elements;
  const char *shared = self.getBlock().shared;
  if (mine.rows)
    for (unsigned thread = 0; thread < kThreads; ++thread)
      forEachRowElement(
          thread, [&](unsigned i, unsigned half, unsigned row, unsigned j) {
            auto *pair =
                reinterpret_cast<const char *>(getOperands(thread).rows + i);
            elements.a[row * k + j] = widen(info.element, pair + 2 * half);
          });
  for (unsigned j = 0; j < k; ++j) {
    for (unsigned i = 0; a && i < kRows; ++i) {
      float value =
          widen(info.element, shared + a->getOffset(i, j, elementBytes));
      elements.a[i * k + j] = info.negatesA ? -value : value;
    }
    for (unsigned i = 0; i < n; ++i) {
      float value =
          widen(info.element, shared + b.getOffset(i, j, elementBytes));
      elements.b[j * n + i] = info.negatesB ? -value : value;
    }
  }
  static thread_local float d[kRows][256];
  for (unsigned thread = 0; thread < kThreads; ++thread)
    forEachSum(thread, n, [&](unsigned i, unsigned row, unsigned column) {
      d[row][column] = info.accumulates ? getOperands(thread).sums[i] : 0.0f;
    });
  for (unsigned i = 0; i < kRows; ++i)
    for (unsigned j = 0; j < k; ++j) {
      float factor = elements.a[i * k + j];
      const float *row = &elements.b[j * n];
      for (unsigned c = 0; c < n; ++c)
        d[i][c] += factor * row[c];
    }
  for (unsigned thread = 0; thread < kThreads; ++thread)
    forEachSum(thread, n, [&](unsigned i, unsigned row, unsigned column) {
      getOperands(thread).sums[i] = d[row][column];
    });

  if (self.counting) {
    self.getCounter().addMma(getName(info));
    for (const MatrixDescriptor *operand : {a ? &*a : nullptr, &b}) {
      if (!operand)
        continue;
      self.getCounter().addSharedRequest();
      operand->forEachCoreMatrix([&](llvm::ArrayRef<int64_t> rows) {
        self.getCounter().addMatrix(rows);
      });
    }
  }
  for (unsigned thread = first; thread < first + kThreads; ++thread)
    if (unsigned fiber = self.fibers[thread]; fiber != self.current)
      self.wake(fiber);
}

void emulation::wgmma(int32_t op, int64_t descriptorA, int64_t descriptorB,
                      int32_t encoded, float *sums) {
  multiply(op, encoded,
           {static_cast<uint64_t>(descriptorA),
            static_cast<uint64_t>(descriptorB), /*rows=*/nullptr, sums});
}

void emulation::registerWgmma(int32_t op, uint32_t *rows, int64_t descriptorB,
                              int32_t encoded, float *sums) {
  multiply(op, encoded,
           {/*descriptorA=*/0, static_cast<uint64_t>(descriptorB), rows, sums});
}

void emulation::wgmmaFence(int32_t op) {
  Implementation &self = getActiveBlock();
  self.align(op);
  WgmmaState &state = self.wgmmas[self.getThread()];
  state.isFenced = true;
  ++state.fences;
}

void emulation::wgmmaCommit(int32_t op) {
  Implementation &self = getActiveBlock();
  self.align(op);
  unsigned thread = self.getThread();
  WgmmaState &state = self.wgmmas[thread];
  WgmmaGroup &group = state.groups.emplace_back();
  group.end = state.issued;
  if (self.races)
    self.races->release(self.getWgmmaEngine(thread), group.clocks);
}

void emulation::wgmmaWait(int32_t op, int32_t left) {
  Implementation &self = getActiveBlock();
  self.align(op);
  unsigned thread = self.getThread();
  WgmmaState &state = self.wgmmas[thread];
  if (state.groups.size() <= static_cast<size_t>(left))
    return;
  size_t count = state.groups.size() - left;
  const WgmmaGroup &last = state.groups[count - 1];
  if (self.races)
    self.races->acquire(thread, last.clocks);
  state.pending.erase(state.pending.begin(),
                      state.pending.end() - (state.issued - last.end));
  state.groups.erase(state.groups.begin(), state.groups.begin() + count);
}

int32_t emulation::wgmmaIssued() {
  Implementation &self = getActiveBlock();
  return static_cast<int32_t>(self.wgmmas[self.getThread()].issued);
}

void emulation::wgmmaUse(int32_t op, int32_t issued) {
  Implementation &self = getActiveBlock();
  WgmmaState &state = self.wgmmas[self.getThread()];
  if (!self.races)
    return;
  // Those that are pending are the last ones.
  size_t after = state.issued - static_cast<uint32_t>(issued);
  if (after < state.pending.size())
    self.fail(self.describeThread(self.getThread()) + " uses in " +
              self.describeOp(op) + " what it has not waited for of " +
              self.describeOp(state.pending[state.pending.size() - 1 - after]));
  state.isFenced = false;
  state.user = op;
}

int32_t emulation::wgmmaFences() {
  Implementation &self = getActiveBlock();
  return static_cast<int32_t>(self.wgmmas[self.getThread()].fences);
}

void emulation::wgmmaRead(int32_t op, int32_t fences) {
  Implementation &self = getActiveBlock();
  if (self.races &&
      self.wgmmas[self.getThread()].fences == static_cast<uint32_t>(fences))
    self.fail(self.describeThread(self.getThread()) + " comes to " +
              self.describeOp(op) +
              " without a wgmma.fence since it has written the rows that it "
              "multiplies");
}
