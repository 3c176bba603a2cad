//===- Counters.h - What a kernel does to the machine -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_COUNTERS_H
#define MIRAGE_RUNTIME_COUNTERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace mirage {

/// What some blocks of a kernel did. A request is an instruction of a warp: the
/// accesses of its lanes by the same op, the same time around. An access whose
/// alignment allows only narrower instructions counts as several.
struct BlockCounters {
  /// Requests to device memory, and the sectors of 32 bytes that they touch,
  /// each sector once for each request: what the L1 cache, or, if nothing hits
  /// there, the L2 cache is asked for.
  uint64_t readRequests = 0, writeRequests = 0;
  uint64_t readSectors = 0, writtenSectors = 0;
  /// Requests to shared memory; the wavefronts that they take, one for each
  /// word of the most used of 32 banks of 4 bytes, in each phase; and the
  /// phases, which is how many it would be without bank conflicts. A phase
  /// serves all lanes for accesses up to 4 bytes, half of them for 8, a quarter
  /// for 16, and one matrix of an ldmatrix.
  uint64_t sharedRequests = 0, sharedWavefronts = 0, sharedPhases = 0;
  /// Barriers of threads of a block that were completed.
  uint64_t barriers = 0;
  /// By instruction, such as "m16n8k16.f16.f32", and by function, such as
  /// "exp2": the former for each warp (of wgmma, "m64n128k16.f16.f32", for each
  /// warpgroup), the latter for each thread.
  std::map<std::string, uint64_t> mma, specialFunctions;

  BlockCounters &operator+=(const BlockCounters &other);
  bool operator==(const BlockCounters &other) const;
  /// Multiplies all by a fraction, rounding down.
  void scale(uint64_t numerator, uint64_t denominator);
};

/// What one launch of a kernel did.
struct KernelCounters {
  std::string kernel;
  uint64_t blocks = 0, threadsPerBlock = 0;
  /// Blocks that were counted, and whether they all did the same. `total` is
  /// scaled up from them to all blocks: exact if all are counted, or if the
  /// others are like them, too.
  uint64_t countedBlocks = 0;
  bool alike = true;
  BlockCounters total;
  /// Sectors of device memory that the counted blocks touch, each once: what
  /// an L2 cache that loses nothing reads and writes. Not scaled up.
  uint64_t distinctReadSectors = 0, distinctWrittenSectors = 0;
  /// Sectors of the buffers that are read, and of those that are written, each
  /// whole: what no kernel that computes the same can stay below.
  uint64_t idealReadSectors = 0, idealWrittenSectors = 0;
  /// The most bytes of asynchronous copies that were under way in a block, if
  /// each of its threads is where it has the most.
  uint64_t bytesInFlight = 0;
};

/// The counters of a run as JSON; docs/HostBackend.md says what the fields are.
llvm::json::Value toJSON(llvm::ArrayRef<KernelCounters> kernels);

} // namespace mirage

#endif // MIRAGE_RUNTIME_COUNTERS_H
