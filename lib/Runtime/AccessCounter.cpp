//===- AccessCounter.cpp - Counts what blocks do --------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessCounter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mirage;

static constexpr unsigned kWarpSize = 32, kBanks = 32;
static constexpr int64_t kWordBytes = 4, kSectorBytes = 32;
/// What a wavefront moves at most.
static constexpr int64_t kWavefrontBytes = kBanks * kWordBytes;

AccessCounter::AccessCounter(unsigned numThreads,
                             llvm::ArrayRef<DeviceBuffer> buffers)
    : numThreads(numThreads), logs(numThreads), inFlight(numThreads + 1) {
  for (const DeviceBuffer &buffer : buffers) {
    // A kernel may take a buffer twice, as a tensor map as well.
    places.push_back(llvm::find_if(buffers,
                                   [&](const DeviceBuffer &other) {
                                     return other.begin == buffer.begin;
                                   }) -
                     buffers.begin());
    unsigned count = llvm::divideCeil(buffer.bytes, kSectorBytes);
    sectors.push_back({llvm::BitVector(count), llvm::BitVector(count)});
  }
}

void AccessCounter::addPhase(llvm::MutableArrayRef<int64_t> words) {
  llvm::sort(words);
  std::array<unsigned, kBanks> wordsOfBank{};
  unsigned most = 0;
  for (size_t i = 0; i < words.size(); ++i)
    if (i == 0 || words[i] != words[i - 1])
      most = std::max(most, ++wordsOfBank[words[i] % kBanks]);
  block.sharedWavefronts += most;
  ++block.sharedPhases;
}

void AccessCounter::addMatrix(llvm::ArrayRef<int64_t> rows) {
  llvm::SmallVector<int64_t, 32> words;
  for (int64_t row : rows)
    for (int64_t byte = 0; byte < 16; byte += kWordBytes)
      words.push_back((row + byte) / kWordBytes);
  addPhase(words);
}

void AccessCounter::addDeviceRequest(const Access &first,
                                     llvm::ArrayRef<int64_t> offsets) {
  llvm::SmallVector<int64_t, 32> numbers;
  for (int64_t offset : offsets)
    numbers.push_back(offset / kSectorBytes);
  addSectors(first.buffer, first.write, numbers);
}

void AccessCounter::addSectors(unsigned buffer, bool write,
                               llvm::SmallVectorImpl<int64_t> &numbers) {
  Sectors &touched = sectors[places[buffer - 1]];
  llvm::BitVector &bits = write ? touched.written : touched.read;
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  // What is out of bounds is for the checks to report.
  for (int64_t number : numbers)
    if (number >= 0 && number < bits.size())
      bits.set(number);
  ++(write ? block.writeRequests : block.readRequests);
  (write ? block.writtenSectors : block.readSectors) += numbers.size();
}

void AccessCounter::addBulkDevice(
    unsigned buffer, llvm::ArrayRef<std::pair<int64_t, int64_t>> ranges,
    bool write) {
  llvm::SmallVector<int64_t, 0> numbers;
  for (auto [offset, bytes] : ranges)
    for (int64_t sector = offset / kSectorBytes;
         sector * kSectorBytes < offset + bytes; ++sector)
      numbers.push_back(sector);
  addSectors(buffer, write, numbers);
}

void AccessCounter::addBulkShared(int64_t bytes) {
  // Whole lines, which have no conflicts.
  uint64_t lines = llvm::divideCeil(bytes, kWavefrontBytes);
  ++block.sharedRequests;
  block.sharedWavefronts += lines;
  block.sharedPhases += lines;
}

void AccessCounter::addRequest(llvm::ArrayRef<const Access *> lanes) {
  const Access &first = *lanes.front();
  int64_t width = first.width;
  for (int64_t part = 0; part < first.bytes; part += width) {
    llvm::SmallVector<int64_t, 32> offsets;
    for (const Access *lane : lanes)
      if (part < lane->bytes)
        offsets.push_back(lane->offset + part);
    if (first.buffer) {
      addDeviceRequest(first, offsets);
      continue;
    }
    ++block.sharedRequests;
    // As many lanes at a time as fill a wavefront.
    size_t lanesPerPhase =
        std::min<int64_t>(kWarpSize, kWavefrontBytes / width);
    for (size_t begin = 0; begin < offsets.size(); begin += lanesPerPhase) {
      llvm::SmallVector<int64_t, 32> words;
      size_t end = std::min(offsets.size(), begin + lanesPerPhase);
      for (size_t i = begin; i < end; ++i)
        for (int64_t byte = 0; byte < width; byte += kWordBytes)
          words.push_back((offsets[i] + byte) / kWordBytes);
      addPhase(words);
    }
  }
}

void AccessCounter::finishWarp(unsigned warp) {
  unsigned begin = warp * kWarpSize,
           end = std::min(begin + kWarpSize, numThreads);
  llvm::MutableArrayRef<std::vector<Access>> lanes(&logs[begin], end - begin);
  llvm::SmallVector<const Access *, kWarpSize> together;
  // Mostly the lanes have done the same.
  bool same = llvm::all_of(lanes, [&](const std::vector<Access> &lane) {
    return lane.size() == lanes[0].size() &&
           std::equal(lane.begin(), lane.end(), lanes[0].begin(),
                      [](const Access &a, const Access &b) {
                        return a.instruction == b.instruction;
                      });
  });
  if (same) {
    for (size_t i = 0; i < lanes[0].size(); ++i) {
      together.clear();
      for (const std::vector<Access> &lane : lanes)
        together.push_back(&lane[i]);
      addRequest(together);
    }
  } else {
    llvm::DenseMap<std::pair<int32_t, unsigned>, size_t> places;
    std::vector<llvm::SmallVector<const Access *, kWarpSize>> requests;
    for (const std::vector<Access> &lane : lanes) {
      llvm::DenseMap<int32_t, unsigned> times;
      for (const Access &access : lane) {
        auto [it, isNew] = places.try_emplace(
            {access.instruction, times[access.instruction]++}, requests.size());
        if (isNew)
          requests.emplace_back();
        requests[it->second].push_back(&access);
      }
    }
    for (const auto &request : requests)
      addRequest(request);
  }
  for (std::vector<Access> &lane : lanes)
    lane.clear();
}

void AccessCounter::finishBlock() {
  for (unsigned warp = 0; warp < llvm::divideCeil(numThreads, kWarpSize);
       ++warp)
    finishWarp(warp);
  for (size_t i = 0; i < specials.size(); ++i)
    if (specials[i])
      block.specialFunctions[host_abi::getName(
          static_cast<host_abi::SpecialFunction>(i))] += specials[i];
  specials = {};
  int64_t sum = 0;
  for (Copies &copies : inFlight) {
    sum += copies.most;
    copies = Copies();
  }
  mostInFlight = std::max(mostInFlight, sum);
  if (blocks++ == 0)
    firstBlock = block;
  alike = alike && block == firstBlock;
  total += block;
  block = BlockCounters();
}

KernelCounters
AccessCounter::collect(llvm::ArrayRef<std::unique_ptr<AccessCounter>> counters,
                       uint64_t blocks) {
  KernelCounters kernel;
  kernel.blocks = blocks;
  const AccessCounter *first = nullptr;
  std::vector<Sectors> touched;
  for (const auto &counter : counters) {
    if (!counter || counter->blocks == 0)
      continue;
    kernel.countedBlocks += counter->blocks;
    kernel.total += counter->total;
    kernel.bytesInFlight =
        std::max<uint64_t>(kernel.bytesInFlight, counter->mostInFlight);
    if (!first) {
      first = counter.get();
      touched = first->sectors;
    }
    kernel.alike &= counter->alike && counter->firstBlock == first->firstBlock;
    for (auto [all, own] : llvm::zip(touched, counter->sectors)) {
      all.read |= own.read;
      all.written |= own.written;
    }
  }
  for (const Sectors &buffer : touched) {
    kernel.distinctReadSectors += buffer.read.count();
    kernel.distinctWrittenSectors += buffer.written.count();
    if (buffer.read.any())
      kernel.idealReadSectors += buffer.read.size();
    if (buffer.written.any())
      kernel.idealWrittenSectors += buffer.written.size();
  }
  if (kernel.countedBlocks)
    kernel.total.scale(blocks, kernel.countedBlocks);
  return kernel;
}
