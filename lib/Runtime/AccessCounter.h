//===- AccessCounter.h - Counts what blocks do ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_ACCESSCOUNTER_H
#define MIRAGE_LIB_RUNTIME_ACCESSCOUNTER_H

#include "BlockRunner.h"
#include "Mirage/Runtime/Counters.h"
#include "llvm/ADT/BitVector.h"
#include <memory>
#include <vector>

namespace mirage {

/// Counts for the blocks that one OS thread runs. The lanes of a warp run one
/// after the other here, so each one's accesses are kept until all have come to
/// the same place (an op of the warp, a barrier, the end); then those of the
/// same op, the same time around, are put together to an instruction.
class AccessCounter {
public:
  /// A load or store of one lane: of shared memory (buffer 0), or of the
  /// kernel's argument `buffer`, from 1 on.
  struct Access {
    /// Twice the number of the op, and one more for the second part of an op
    /// that reads device and writes shared memory.
    int32_t instruction;
    uint16_t buffer;
    /// The width of the widest instruction that alignment allows is a power of
    /// two, `width`.
    uint8_t width;
    bool write;
    uint32_t bytes;
    int64_t offset;
  };

  AccessCounter(unsigned numThreads, llvm::ArrayRef<DeviceBuffer> buffers);

  void add(unsigned thread, const Access &access) {
    logs[thread].push_back(access);
  }
  /// A phase of 8 rows of 16 bytes at these offsets in shared memory.
  void addMatrix(llvm::ArrayRef<int64_t> rows);
  /// A copy of these bytes (offset and size) of an argument, by an engine.
  void addBulkDevice(unsigned buffer,
                     llvm::ArrayRef<std::pair<int64_t, int64_t>> ranges,
                     bool write);
  void addBulkShared(int64_t bytes);
  void addSharedRequest() { ++block.sharedRequests; }
  void addBarrier() { ++block.barriers; }
  void addMma(const std::string &name) { ++block.mma[name]; }
  void addSpecialFunction(host_abi::SpecialFunction function, unsigned count) {
    specials[static_cast<size_t>(function)] += count;
  }
  /// A copy by a thread begins, or ends (negative). Thread `numThreads` stands
  /// for all bulk copies.
  void addInFlight(unsigned thread, int64_t bytes) {
    Copies &copies = inFlight[thread];
    copies.now += bytes;
    copies.most = std::max(copies.most, copies.now);
  }

  /// All lanes of the warp have come to the same place.
  void finishWarp(unsigned warp);
  /// The block has ended.
  void finishBlock();

  /// What several (some of them null) have counted of a launch of so many
  /// blocks.
  static KernelCounters
  collect(llvm::ArrayRef<std::unique_ptr<AccessCounter>> counters,
          uint64_t blocks);

private:
  /// Of an argument, the sectors that were read and written.
  struct Sectors {
    llvm::BitVector read, written;
  };

  void addRequest(llvm::ArrayRef<const Access *> lanes);
  void addDeviceRequest(const Access &first, llvm::ArrayRef<int64_t> offsets);
  void addSectors(unsigned buffer, bool write,
                  llvm::SmallVectorImpl<int64_t> &numbers);
  void addPhase(llvm::MutableArrayRef<int64_t> words);

  unsigned numThreads;
  std::vector<std::vector<Access>> logs;
  std::vector<Sectors> sectors;
  /// By argument, the first one that has the same buffer.
  std::vector<unsigned> places;
  std::array<uint64_t, host_abi::kNumSpecialFunctions> specials{};
  /// Of each thread, and of those of the block that had the most in sum: the
  /// threads of a GPU go in step, those here one after the other.
  struct Copies {
    int64_t now = 0, most = 0;
  };
  std::vector<Copies> inFlight;
  int64_t mostInFlight = 0;

  BlockCounters block, total, firstBlock;
  uint64_t blocks = 0;
  bool alike = true;
};

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_ACCESSCOUNTER_H
