//===- Counters.cpp - What a kernel does to the machine -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Counters.h"
#include <tuple>

using namespace mirage;

BlockCounters &BlockCounters::operator+=(const BlockCounters &other) {
  readRequests += other.readRequests;
  writeRequests += other.writeRequests;
  readSectors += other.readSectors;
  writtenSectors += other.writtenSectors;
  sharedRequests += other.sharedRequests;
  sharedWavefronts += other.sharedWavefronts;
  sharedPhases += other.sharedPhases;
  barriers += other.barriers;
  for (const auto &[name, count] : other.mma)
    mma[name] += count;
  for (const auto &[name, count] : other.specialFunctions)
    specialFunctions[name] += count;
  return *this;
}

bool BlockCounters::operator==(const BlockCounters &other) const {
  auto fields = [](const BlockCounters &c) {
    return std::tie(c.readRequests, c.writeRequests, c.readSectors,
                    c.writtenSectors, c.sharedRequests, c.sharedWavefronts,
                    c.sharedPhases, c.barriers, c.mma, c.specialFunctions);
  };
  return fields(*this) == fields(other);
}

void BlockCounters::scale(uint64_t numerator, uint64_t denominator) {
  auto apply = [&](uint64_t &count) {
    // In two parts, which stay small.
    count = count / denominator * numerator +
            count % denominator * numerator / denominator;
  };
  for (uint64_t *count :
       {&readRequests, &writeRequests, &readSectors, &writtenSectors,
        &sharedRequests, &sharedWavefronts, &sharedPhases, &barriers})
    apply(*count);
  for (auto *counts : {&mma, &specialFunctions})
    for (auto &[name, count] : *counts)
      apply(count);
}

static llvm::json::Object
toJSON(const std::map<std::string, uint64_t> &counts) {
  llvm::json::Object object;
  for (const auto &[name, count] : counts)
    object[name] = count;
  return object;
}

static llvm::json::Value getRatio(uint64_t have, uint64_t ideal) {
  if (ideal == 0)
    return nullptr;
  return static_cast<double>(have) / static_cast<double>(ideal);
}

static llvm::json::Object toJSON(const KernelCounters &kernel) {
  const BlockCounters &total = kernel.total;
  bool all = kernel.countedBlocks == kernel.blocks;
  // What some of the blocks touch says little of what all touch.
  auto ifAll = [&](llvm::json::Value value) {
    return all ? std::move(value) : llvm::json::Value(nullptr);
  };
  return llvm::json::Object{
      {"kernel", kernel.kernel},
      {"blocks", kernel.blocks},
      {"counted_blocks", kernel.countedBlocks},
      {"alike", kernel.alike},
      {"threads_per_block", kernel.threadsPerBlock},
      {"device",
       llvm::json::Object{
           {"read_requests", total.readRequests},
           {"write_requests", total.writeRequests},
           {"read_sectors", total.readSectors},
           {"written_sectors", total.writtenSectors},
           {"distinct_read_sectors", ifAll(kernel.distinctReadSectors)},
           {"distinct_written_sectors", ifAll(kernel.distinctWrittenSectors)},
           {"ideal_read_sectors", kernel.idealReadSectors},
           {"ideal_written_sectors", kernel.idealWrittenSectors},
           {"distinct_over_ideal",
            ifAll(getRatio(
                kernel.distinctReadSectors + kernel.distinctWrittenSectors,
                kernel.idealReadSectors + kernel.idealWrittenSectors))},
           {"requested_over_ideal",
            getRatio(total.readSectors + total.writtenSectors,
                     kernel.idealReadSectors + kernel.idealWrittenSectors)}}},
      {"shared",
       llvm::json::Object{
           {"requests", total.sharedRequests},
           {"wavefronts", total.sharedWavefronts},
           {"ideal_wavefronts", total.sharedPhases},
           {"bank_conflicts", total.sharedWavefronts - total.sharedPhases},
           {"wavefronts_over_ideal",
            getRatio(total.sharedWavefronts, total.sharedPhases)}}},
      {"barriers", total.barriers},
      {"mma", toJSON(total.mma)},
      {"special_functions", toJSON(total.specialFunctions)},
      {"most_bytes_in_flight", kernel.bytesInFlight}};
}

llvm::json::Value mirage::toJSON(llvm::ArrayRef<KernelCounters> kernels) {
  llvm::json::Array array;
  for (const KernelCounters &kernel : kernels)
    array.push_back(::toJSON(kernel));
  return llvm::json::Object{{"kernels", std::move(array)}};
}
