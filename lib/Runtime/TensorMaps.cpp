//===- TensorMaps.cpp - Tensor maps and swizzles on the host --------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMaps.h"
#include <algorithm>
#include <cstring>

using namespace mirage;

int64_t HostTensorMap::getBoxBytes() const {
  int64_t bytes = elementBytes;
  for (unsigned i = 0; i < rank; ++i)
    bytes *= box[i];
  return bytes;
}

HostTensorMap
mirage::makeHostTensorMap(const program_file::Argument &description,
                          const Buffer &buffer, void *address,
                          unsigned argument) {
  const program_file::TensorMap &from = *description.map;
  HostTensorMap map{static_cast<char *>(address), argument,
                    static_cast<int64_t>(getElementSize(buffer.type)),
                    from.swizzleBytes,
                    static_cast<unsigned>(from.shape.size())};
  std::reverse_copy(from.shape.begin(), from.shape.end(), map.shape.begin());
  std::reverse_copy(from.box.begin(), from.box.end(), map.box.begin());
  return map;
}

void mirage::forEachRow(const HostTensorMap &map, const BoxPlace &place,
                        llvm::function_ref<void(const BoxRow &)> row) {
  const int64_t rowBytes = map.box[0] * map.elementBytes;
  // Of the innermost dimension, the elements that the tensor has.
  int64_t first = std::clamp<int64_t>(-int64_t{place[0]}, 0, map.box[0]);
  int64_t last =
      std::clamp<int64_t>(map.shape[0] - place[0], first, map.box[0]);
  std::array<int64_t, tensor_map::kMaxRank> at{};
  for (int64_t boxOffset = 0;; boxOffset += rowBytes) {
    bool inside = true;
    int64_t element = place[0] + first, stride = map.shape[0];
    for (unsigned i = 1; i < map.rank; ++i) {
      int64_t index = place[i] + at[i];
      inside &= index >= 0 && index < map.shape[i];
      element += index * stride;
      stride *= map.shape[i];
    }
    if (inside && first < last)
      row({boxOffset, first * map.elementBytes, last * map.elementBytes,
           element * map.elementBytes});
    else
      row({boxOffset, 0, 0, 0});
    unsigned i = 1;
    while (i < map.rank && ++at[i] == map.box[i])
      at[i++] = 0;
    if (i >= map.rank)
      return;
  }
}

/// Calls `piece` with the swizzled address of each piece of a box, and its
/// offset in the box.
static void forEachPiece(const HostTensorMap &map, const char *shared,
                         llvm::function_ref<void(char *, int64_t)> piece) {
  auto base = reinterpret_cast<uint64_t>(shared);
  for (int64_t offset = 0, end = map.getBoxBytes(); offset < end;
       offset += kPieceBytes)
    piece(reinterpret_cast<char *>(swizzle(base + offset, map.swizzleBytes)),
          offset);
}

void mirage::forEachSharedRange(
    const HostTensorMap &map, char *shared,
    llvm::function_ref<void(char *, int64_t)> range) {
  int64_t bytes = map.getBoxBytes();
  // A swizzle moves pieces within 128 bytes.
  if (map.swizzleBytes == 0 || bytes % tensor_map::kBoxAlignment == 0)
    return range(shared, bytes);
  forEachPiece(map, shared,
               [&](char *address, int64_t) { range(address, kPieceBytes); });
}

void mirage::loadBox(const HostTensorMap &map, const BoxPlace &place,
                     char *shared) {
  auto base = reinterpret_cast<uint64_t>(shared);
  int64_t rowBytes = map.box[0] * map.elementBytes;
  forEachRow(map, place, [&](const BoxRow &row) {
    for (int64_t at = 0; at < rowBytes; at += kPieceBytes) {
      char *to = reinterpret_cast<char *>(
          swizzle(base + row.boxOffset + at, map.swizzleBytes));
      int64_t begin = std::clamp(row.begin - at, int64_t{0}, kPieceBytes),
              end = std::clamp(row.end - at, begin, kPieceBytes);
      if (end - begin < kPieceBytes)
        std::memset(to, 0, kPieceBytes);
      if (begin < end)
        std::memcpy(to + begin,
                    map.base + row.tensorOffset + at + begin - row.begin,
                    end - begin);
    }
  });
}

void mirage::saveBox(const HostTensorMap &map, const char *shared,
                     char *bytes) {
  forEachPiece(map, shared, [&](char *address, int64_t offset) {
    std::memcpy(bytes + offset, address, kPieceBytes);
  });
}

void mirage::storeBox(const HostTensorMap &map, const BoxPlace &place,
                      const char *bytes) {
  forEachRow(map, place, [&](const BoxRow &row) {
    std::memcpy(map.base + row.tensorOffset, bytes + row.boxOffset + row.begin,
                row.end - row.begin);
  });
}
