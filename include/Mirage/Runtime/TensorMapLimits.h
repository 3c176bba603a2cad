//===- TensorMapLimits.h - What the TMA can do ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain numbers, for the compiler and for the runtime, which is without LLVM
// (PTX ISA, "Tensors"; CUDA driver API, `cuTensorMapEncodeTiled`).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_TENSORMAPLIMITS_H
#define MIRAGE_RUNTIME_TENSORMAPLIMITS_H

#include <cstddef>
#include <cstdint>

namespace mirage::tensor_map {

inline constexpr size_t kMaxRank = 5;
/// Elements of a dimension: coordinates are 32 bits.
inline constexpr int64_t kMaxSize = (int64_t(1) << 31) - 1;
/// Elements of a dimension of a box.
inline constexpr int64_t kMaxBox = 256;
/// Bytes from one element of a dimension to the next, and what they are a
/// multiple of but in the innermost one. So are the rows of a box.
inline constexpr int64_t kMaxStride = (int64_t(1) << 40) - 1, kPiece = 16;
/// What a box's place in shared memory is a multiple of, in bytes.
inline constexpr int64_t kBoxAlignment = 128;

/// Whether the TMA swizzles so: 0 (not at all), 32, 64 or 128 bytes.
constexpr bool isSwizzle(int64_t bytes) {
  return bytes == 0 || bytes == 32 || bytes == 64 || bytes == 128;
}

} // namespace mirage::tensor_map

#endif // MIRAGE_RUNTIME_TENSORMAPLIMITS_H
