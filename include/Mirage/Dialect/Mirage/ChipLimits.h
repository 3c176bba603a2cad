//===- ChipLimits.h - What all GPUs have in common --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits of the hardware that hold for every target (CUDA programming guide,
// technical specifications by compute capability). What differs from one to
// another is in `TargetAttr`.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_CHIPLIMITS_H
#define MIRAGE_DIALECT_MIRAGE_CHIPLIMITS_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace mirage {

/// Threads of a warp, and of a block at most.
constexpr int64_t kWarpSize = 32, kMaxBlockThreads = 1024;

/// Blocks of a grid, and threads of a block, along x, y and z at most.
constexpr std::array<int64_t, 3> kMaxGridSizes{2147483647, 65535, 65535},
    kMaxBlockSizes{kMaxBlockThreads, kMaxBlockThreads, 64};

/// Dimensions of a kernel's grid at most: `getLaunchSizes` puts them in x, y
/// and z.
constexpr size_t kMaxGridDims = kMaxGridSizes.size() + 1;

/// Registers of 32 bits: of a multiprocessor, and of a thread at most.
constexpr int64_t kRegistersPerSm = 65536, kMaxThreadRegisters = 255;

/// What the system keeps of each block's shared memory, in bytes. A
/// multiprocessor has as much more than a block can use.
constexpr int64_t kReservedSharedBytes = 1024;

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_CHIPLIMITS_H
