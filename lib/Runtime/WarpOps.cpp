//===- WarpOps.cpp - What the lanes of a warp do together -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that arrive leave their operands on their stacks and wait; the last one
// does the work for all. Ops with a mask meet wherever they stand in the code,
// as PTX defines them; the aligned ones, such as ldmatrix and mma, have to be
// the same op and need the whole warp.
//
//===----------------------------------------------------------------------===//

#include "BlockState.h"
#include "Emulation.h"
#include "MatrixMultiply.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace mirage;
using host_abi::ReduxKind;
using host_abi::ShuffleKind;

static constexpr uint32_t kAllLanes = ~0u;

uint32_t BlockRunner::Implementation::getLanes() const {
  unsigned lanes =
      std::min(kWarpSize, numThreads - getWarpInBlock(getThread()) * kWarpSize);
  return lanes == kWarpSize ? kAllLanes : (1u << lanes) - 1;
}

bool BlockRunner::Implementation::meet(WarpOp what, uint32_t key, uint32_t mask,
                                       int32_t op, void *mine) {
  unsigned thread = getThread(), lane = thread % kWarpSize;
  if (!(mask >> lane & 1))
    fail(describeThread(thread) + " takes part in " + describeOp(op) +
         ", whose mask leaves it out");
  operands[thread] = mine;
  auto &waiting = meetings[thread / kWarpSize];
  auto *meeting = llvm::find_if(waiting, [&](const WarpMeeting &other) {
    return other.op == what && other.key == key && other.mask == mask;
  });
  if (meeting == waiting.end()) {
    waiting.push_back({what, key, mask, 0});
    meeting = &waiting.back();
  }
  meeting->arrived |= 1u << lane;
  if (meeting->arrived == mask) {
    waiting.erase(meeting);
    if (counting && mask == getLanes())
      getCounter().finishWarp(getWarpInBlock(thread));
    return true;
  }
  wait(op);
  return false;
}

void BlockRunner::Implementation::release(uint32_t mask) {
  unsigned warp = getThread() / kWarpSize * kWarpSize;
  for (uint32_t left = mask; left; left &= left - 1)
    if (unsigned fiber = fibers[warp + llvm::countr_zero(left)];
        fiber != current)
      wake(fiber);
}

void BlockRunner::Implementation::align(int32_t op) {
  if (meet(WarpOp::Aligned, op, getLanes(), op, nullptr))
    release(getLanes());
}

void emulation::syncWarp(int32_t op, int32_t threadMask) {
  BlockRunner::Implementation &self = getActiveBlock();
  // Lanes that the block doesn't have can't take part.
  uint32_t mask = threadMask & self.getLanes();
  if (!self.meet(WarpOp::SyncWarp, 0, mask, op, nullptr))
    return;
  if (self.races) {
    unsigned warp = self.getThread() / kWarpSize * kWarpSize;
    self.warpClocks.clear();
    for (uint32_t left = mask; left; left &= left - 1)
      self.races->release(warp + llvm::countr_zero(left), self.warpClocks);
    for (uint32_t left = mask; left; left &= left - 1)
      self.races->acquire(warp + llvm::countr_zero(left), self.warpClocks);
  }
  self.release(mask);
}

int32_t emulation::elect(int32_t op, int32_t threadMask) {
  BlockRunner::Implementation &self = getActiveBlock();
  uint32_t mask = threadMask & self.getLanes();
  if (self.meet(WarpOp::Elect, 0, mask, op, nullptr))
    self.release(mask);
  // Any lane, but always the same one.
  uint32_t left = mask;
  if (self.launch.seed)
    for (uint64_t skipped =
             SplitMix64(self.launch.seed)() % llvm::popcount(mask);
         skipped > 0; --skipped)
      left &= left - 1;
  return self.getThread() % kWarpSize ==
         static_cast<unsigned>(llvm::countr_zero(left));
}

//===----------------------------------------------------------------------===//
// Shuffles and reductions
//===----------------------------------------------------------------------===//

namespace {

struct Shuffle {
  ShuffleKind kind;
  uint32_t value, offset, maskAndClamp;
  /// As emulation::shuffle returns it.
  int64_t result;
};

struct Redux {
  uint32_t value, result;
};

} // namespace

/// The lane that `lane` reads in a shuffle, and whether it is in range; as the
/// PTX manual defines shfl.sync.
static std::pair<unsigned, bool> getSourceLane(const Shuffle &shuffle,
                                               unsigned lane) {
  int clamp = shuffle.maskAndClamp & 31,
      segment = shuffle.maskAndClamp >> 8 & 31;
  int offset = shuffle.offset & 31, self = static_cast<int>(lane), source = 0;
  int last = (self & segment) | (clamp & ~segment), first = self & segment;
  bool valid = false;
  switch (shuffle.kind) {
  case ShuffleKind::Butterfly:
    source = self ^ offset;
    valid = source <= last;
    break;
  case ShuffleKind::Up:
    source = self - offset;
    valid = source >= last;
    break;
  case ShuffleKind::Down:
    source = self + offset;
    valid = source <= last;
    break;
  case ShuffleKind::Index:
    source = first | (offset & ~segment);
    valid = source <= last;
    break;
  }
  return {valid ? source : self, valid};
}

int64_t emulation::shuffle(int32_t op, int32_t kind, int32_t threadMask,
                           int32_t value, int32_t offset,
                           int32_t maskAndClamp) {
  BlockRunner::Implementation &self = getActiveBlock();
  uint32_t mask = threadMask & self.getLanes();
  Shuffle mine{static_cast<ShuffleKind>(kind), static_cast<uint32_t>(value),
               static_cast<uint32_t>(offset),
               static_cast<uint32_t>(maskAndClamp), 0};
  if (!self.meet(WarpOp::Shuffle, kind, mask, op, &mine))
    return mine.result;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = llvm::countr_zero(left);
    auto &shuffle = self.getOperands<Shuffle>(lane);
    auto [source, valid] = getSourceLane(shuffle, lane);
    if (!(mask >> source & 1))
      self.fail(
          self.describeThread(self.getThread() / kWarpSize * kWarpSize + lane) +
          " reads lane " + llvm::Twine(source) + ", which takes no part, in " +
          self.describeOp(op));
    shuffle.result = int64_t{self.getOperands<Shuffle>(source).value} |
                     static_cast<int64_t>(valid) << 32;
  }
  self.release(mask);
  return mine.result;
}

static uint32_t combine(ReduxKind kind, uint32_t a, uint32_t b) {
  auto x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
  switch (kind) {
  case ReduxKind::Add:
    return a + b;
  case ReduxKind::And:
    return a & b;
  case ReduxKind::Max:
    return std::max(x, y);
  case ReduxKind::Min:
    return std::min(x, y);
  case ReduxKind::Or:
    return a | b;
  case ReduxKind::UMax:
    return std::max(a, b);
  case ReduxKind::UMin:
    return std::min(a, b);
  case ReduxKind::Xor:
    return a ^ b;
  }
  return a;
}

int32_t emulation::redux(int32_t op, int32_t kind, int32_t threadMask,
                         int32_t value) {
  BlockRunner::Implementation &self = getActiveBlock();
  uint32_t mask = threadMask & self.getLanes();
  Redux mine{static_cast<uint32_t>(value), 0};
  if (!self.meet(WarpOp::Redux, kind, mask, op, &mine))
    return mine.result;
  uint32_t first = llvm::countr_zero(mask);
  uint32_t result = self.getOperands<Redux>(first).value;
  for (uint32_t left = mask & (mask - 1); left; left &= left - 1)
    result = combine(static_cast<ReduxKind>(kind), result,
                     self.getOperands<Redux>(llvm::countr_zero(left)).value);
  for (uint32_t left = mask; left; left &= left - 1)
    self.getOperands<Redux>(llvm::countr_zero(left)).result = result;
  self.release(mask);
  return result;
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// An error unless the block has all lanes of the current warp.
static void requireWholeWarp(BlockRunner::Implementation &self, int32_t op) {
  if (self.getLanes() != kAllLanes)
    self.fail(self.describeOp(op) + " needs a warp of 32 threads, and " +
              self.describeThread(self.getThread()) + " is in one of " +
              llvm::Twine(llvm::popcount(self.getLanes())));
}

namespace {
struct LdMatrix {
  uint16_t *row;
  uint32_t *results;
};
} // namespace

void emulation::ldmatrix(int32_t op, int32_t matrices, int32_t transposed,
                         uint16_t *row, uint32_t *results) {
  BlockRunner::Implementation &self = getActiveBlock();
  requireWholeWarp(self, op);
  if (self.races && self.getThread() % kWarpSize < 8u * matrices)
    self.checkShared({host_abi::AccessKind::Read, self.getThread(), op,
                      reinterpret_cast<char *>(row), 16, 16});
  LdMatrix mine{row, results};
  if (!self.meet(WarpOp::LdMatrix, op, kAllLanes, op, &mine))
    return;
  for (int matrix = 0; matrix < matrices; ++matrix) {
    // Lanes 8 * matrix and on have the addresses of the rows; a lane gets two
    // neighbours in a row, or in a column.
    const uint16_t *rows[8];
    for (unsigned r = 0; r < 8; ++r)
      rows[r] = self.getOperands<LdMatrix>(8 * matrix + r).row;
    if (self.counting) {
      std::array<int64_t, 8> offsets;
      for (unsigned r = 0; r < 8; ++r)
        offsets[r] =
            self.getPlace(reinterpret_cast<const char *>(rows[r])).offset;
      if (matrix == 0)
        self.getCounter().addSharedRequest();
      self.getCounter().addMatrix(offsets);
    }
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      unsigned i = lane / 4, j = lane % 4 * 2;
      uint32_t low = transposed ? rows[j][i] : rows[i][j];
      uint32_t high = transposed ? rows[j + 1][i] : rows[i][j + 1];
      self.getOperands<LdMatrix>(lane).results[matrix] = low | high << 16;
    }
  }
  self.release(kAllLanes);
}

void emulation::mma(int32_t op, int32_t element, int32_t k, int32_t half,
                    uint32_t *fragments) {
  BlockRunner::Implementation &self = getActiveBlock();
  requireWholeWarp(self, op);
  MmaKind kind{static_cast<host_abi::MmaElement>(element),
               static_cast<unsigned>(k), half != 0};
  if (!self.meet(WarpOp::Mma, op, kAllLanes, op, fragments))
    return;
  uint32_t *lanes[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    lanes[lane] = &self.getOperands<uint32_t>(lane);
  multiplyMatrices(kind, lanes);
  if (self.counting)
    self.getCounter().addMma(getName(kind));
  self.release(kAllLanes);
}
