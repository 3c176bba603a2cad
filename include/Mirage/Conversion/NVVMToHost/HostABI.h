//===- HostABI.h - What emulated kernels call on the host -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract between convert-nvvm-to-host, which emits the calls, and the
// runtime, which answers them. The functions know from the state of the OS
// thread which CUDA thread is running.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_NVVMTOHOST_HOSTABI_H
#define MIRAGE_CONVERSION_NVVMTOHOST_HOSTABI_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>
#include <string>

namespace mirage::host_abi {

/// `i32 (i32 SpecialRegister)`: constant for a thread during a launch of its
/// block.
inline constexpr const char *kSpecialRegister = "mirage_host_special_register";
/// `ptr (i64 offset)`: an address in the block's shared memory, constant during
/// a launch of its block.
inline constexpr const char *kSharedMemory = "mirage_host_shared_memory";
/// `void ()`: waits for all threads of the block.
inline constexpr const char *kBarrier = "mirage_host_barrier";
/// `i64 (i32 ShuffleKind, i32 threadMask, i32 value, i32 offset, i32
/// maskAndClamp)`: PTX's shfl.sync. The low 32 bits are the value, bit 32 says
/// whether the source lane was in range.
inline constexpr const char *kShuffle = "mirage_host_shuffle";

/// Attribute of the module: bytes of static shared memory, in front of the
/// dynamic ones.
inline constexpr const char *kStaticSharedBytes = "mirage.static_shared_bytes";

/// Where static shared variables, and then the dynamic array, are aligned to.
inline constexpr int64_t kSharedAlignment = 1024;

enum class SpecialRegister : int32_t {
  ThreadIdX,
  ThreadIdY,
  ThreadIdZ,
  BlockIdX,
  BlockIdY,
  BlockIdZ,
  BlockDimX,
  BlockDimY,
  BlockDimZ,
  GridDimX,
  GridDimY,
  GridDimZ,
  LaneId,
  WarpId,
  WarpSize,
};

enum class ShuffleKind : int32_t { Butterfly, Up, Down, Index };

/// The host function of the kernel `kernel` in the gpu.module `module`.
inline std::string getFunctionName(llvm::StringRef module,
                                   llvm::StringRef kernel) {
  return (module + "__" + kernel).str();
}

} // namespace mirage::host_abi

#endif // MIRAGE_CONVERSION_NVVMTOHOST_HOSTABI_H
