//===- DeviceWrites.cpp - Who has written device memory -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceWrites.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <cstring>

using namespace mirage;

/// Of a cell: what is left is for the numbers of clusters.
static constexpr unsigned kValueBits = 32;

DeviceWrites::DeviceWrites(llvm::ArrayRef<Buffer> buffers, size_t granularity)
    : granularity(granularity) {
  assert(granularity * 8 <= kValueBits && "the value has to fit");
  for (const Buffer &buffer : buffers)
    all.push_back({buffer, std::make_unique<Cell[]>(
                               llvm::divideCeil(buffer.bytes, granularity))});
  llvm::sort(all, [](const Cells &a, const Cells &b) {
    return a.buffer.begin < b.buffer.begin;
  });
}

void DeviceWrites::startLaunch(uint64_t numClusters) {
  first = next;
  next += numClusters;
}

const DeviceWrites::Cells *DeviceWrites::find(const char *address) const {
  auto it = llvm::upper_bound(all, address,
                              [](const char *address, const Cells &cells) {
                                return address < cells.buffer.begin;
                              });
  if (it == all.begin())
    return nullptr;
  --it;
  return address < it->buffer.begin + it->buffer.bytes ? &*it : nullptr;
}

uint64_t DeviceWrites::makeCell(const char *address, uint64_t cluster) const {
  uint32_t value = 0;
  std::memcpy(&value, address, granularity);
  return (first + cluster) << kValueBits | value;
}

std::optional<DeviceWrites::Found>
DeviceWrites::read(const char *address, size_t bytes, uint64_t cluster) const {
  const Cells *cells = find(address);
  if (!cells)
    return std::nullopt;
  for (const char *end = address + bytes; address < end;
       address += granularity) {
    uint64_t cell = getCell(*cells, address).load(std::memory_order_relaxed);
    if (cell == 0)
      return Found{address, std::nullopt};
    uint64_t writer = cell >> kValueBits;
    if (writer >= first && writer != first + cluster)
      return Found{address, writer - first};
  }
  return std::nullopt;
}

void DeviceWrites::beginWrite(const char *address, size_t bytes) {
  const Cells *cells = find(address);
  if (!cells)
    return;
  for (const char *end = address + bytes; address < end;
       address += granularity) {
    uint64_t none = 0;
    getCell(*cells, address)
        .compare_exchange_strong(none, kBegun, std::memory_order_relaxed);
  }
}

std::optional<DeviceWrites::Found>
DeviceWrites::endWrite(const char *address, size_t bytes, uint64_t cluster) {
  const Cells *cells = find(address);
  if (!cells)
    return std::nullopt;
  for (const char *end = address + bytes; address < end;
       address += granularity) {
    uint64_t mine = makeCell(address, cluster);
    uint64_t other =
        getCell(*cells, address).exchange(mine, std::memory_order_relaxed);
    uint64_t writer = other >> kValueBits;
    if (writer >= first && writer != first + cluster &&
        static_cast<uint32_t>(other) != static_cast<uint32_t>(mine))
      return Found{address, writer - first};
  }
  return std::nullopt;
}
