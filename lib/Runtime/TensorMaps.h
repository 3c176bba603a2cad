//===- TensorMaps.h - Tensor maps and swizzles on the host ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_TENSORMAPS_H
#define MIRAGE_LIB_RUNTIME_TENSORMAPS_H

#include "Mirage/Runtime/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <cstdint>

namespace mirage {

/// What the TMA moves as a whole.
inline constexpr int64_t kPieceBytes = tensor_map::kPiece;

/// Where a swizzle of 0, 32, 64 or 128 bytes puts what is at `address`.
inline uint64_t swizzle(uint64_t address, int64_t swizzleBytes) {
  uint64_t mask = swizzleBytes ? swizzleBytes / kPieceBytes - 1 : 0;
  return address ^ (address >> 7 & mask) << 4;
}

/// A tensor map as a kernel on the host gets it: by its address.
struct HostTensorMap {
  char *base;
  /// The number of the kernel's argument, from 1 on.
  unsigned argument;
  int64_t elementBytes, swizzleBytes;
  unsigned rank;
  /// In elements, innermost first.
  std::array<int64_t, tensor_map::kMaxRank> shape{}, box{};

  int64_t getBoxBytes() const;
};

/// The map that a launch's argument, number `argument`, describes.
HostTensorMap makeHostTensorMap(const program_file::Argument &description,
                                const Buffer &buffer, void *address,
                                unsigned argument);

/// Where a box is, by its coordinates: innermost first, in elements; they may
/// lie outside of the tensor.
using BoxPlace = std::array<int32_t, tensor_map::kMaxRank>;

/// A row of a box: bytes from `boxOffset` on of the box, as it is before
/// swizzling, of which those from `begin` to `end` are in the tensor, from
/// `tensorOffset` on.
struct BoxRow {
  int64_t boxOffset, begin, end, tensorOffset;
};
void forEachRow(const HostTensorMap &map, const BoxPlace &place,
                llvm::function_ref<void(const BoxRow &)> row);

/// The bytes that a box at `shared` takes, as one range if they are one.
void forEachSharedRange(const HostTensorMap &map, char *shared,
                        llvm::function_ref<void(char *, int64_t)> range);

/// Copies a box to shared memory, with zeros for what is outside of the tensor;
/// from shared memory to `bytes`, which are in the order before swizzling; from
/// there to the tensor.
void loadBox(const HostTensorMap &map, const BoxPlace &place, char *shared);
void saveBox(const HostTensorMap &map, const char *shared, char *bytes);
void storeBox(const HostTensorMap &map, const BoxPlace &place,
              const char *bytes);

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_TENSORMAPS_H
