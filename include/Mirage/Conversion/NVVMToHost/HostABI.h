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
// thread which CUDA thread is running. An `op` is the number of the op that a
// call stands for, an index into the module's attribute kOps.
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
/// `void (i32 op, i32 id, i32 threads)`: PTX's bar.sync: waits until so many
/// threads (0: all of the block) have arrived at barrier `id`, 0 to 15.
inline constexpr const char *kBarrier = "mirage_host_barrier";
/// `void (i32 op, i32 id, i32 threads)`: PTX's bar.arrive: arrives without
/// waiting.
inline constexpr const char *kBarrierArrive = "mirage_host_barrier_arrive";
/// `void (i32 op, i32 threadMask)`: PTX's bar.warp.sync.
inline constexpr const char *kSyncWarp = "mirage_host_sync_warp";
/// `i64 (i32 op, i32 ShuffleKind, i32 threadMask, i32 value, i32 offset, i32
/// maskAndClamp)`: PTX's shfl.sync. The low 32 bits are the value, bit 32 says
/// whether the source lane was in range.
inline constexpr const char *kShuffle = "mirage_host_shuffle";
/// `i32 (i32 op, i32 ReduxKind, i32 threadMask, i32 value)`: PTX's redux.sync.
inline constexpr const char *kRedux = "mirage_host_redux";
/// `void (i32 op, i32 matrices, i32 transposed, ptr row, ptr results)`: PTX's
/// ldmatrix of 8x8 matrices of 16-bit elements, with a result of 32 bits for
/// each matrix.
inline constexpr const char *kLdMatrix = "mirage_host_ldmatrix";
/// `void (i32 op, i32 MmaElement, i32 k, i32 half, ptr fragments)`: PTX's
/// mma.sync of shape m16n8k<k>, with accumulators of f16 (half) or f32. The
/// fragments are kMmaRegisters registers of 32 bits: those of A from kMmaA on,
/// and so on; D is written.
inline constexpr const char *kMma = "mirage_host_mma";
/// `void (i32 op, i32 argument, ptr to, ptr from, i32 bytes, i32 sourceBytes)`:
/// PTX's cp.async: copies `sourceBytes` and fills the rest with zeros.
/// `argument` says where `from` is, as AccessInfo does.
inline constexpr const char *kAsyncCopy = "mirage_host_async_copy";
/// `void ()`: PTX's cp.async.commit_group.
inline constexpr const char *kAsyncCommit = "mirage_host_async_commit";
/// `void (i32 groups)`: PTX's cp.async.wait_group.
inline constexpr const char *kAsyncWait = "mirage_host_async_wait";

/// `void (i32 op, ptr mbarrier, i32 arrivals)`: PTX's mbarrier.init.
inline constexpr const char *kMbarrierInit = "mirage_host_mbarrier_init";
/// `void (i32 op, ptr mbarrier, i32 arrivals, i32 ofCluster)`: PTX's
/// mbarrier.arrive, whose release is of the block's scope or the cluster's.
inline constexpr const char *kMbarrierArrive = "mirage_host_mbarrier_arrive";
/// `void (i32 op, ptr mbarrier)`: PTX's mbarrier.inval.
inline constexpr const char *kMbarrierInvalidate =
    "mirage_host_mbarrier_invalidate";
/// `void (i32 op, ptr mbarrier, i32 bytes)`: PTX's mbarrier.expect_tx.
inline constexpr const char *kMbarrierExpect = "mirage_host_mbarrier_expect";
/// `void (i32 op, ptr mbarrier, i32 parity)`: waits until the phase of this
/// parity has ended.
inline constexpr const char *kMbarrierWait = "mirage_host_mbarrier_wait";
/// `void (i32 op, i32 argument, ptr to, ptr from, ptr mbarrier, i32 bytes, i32
/// mask)`: PTX's cp.async.bulk from device to shared memory, of the blocks of
/// the cluster in the mask, or, if that is kOwnBlock, of the own one.
inline constexpr const char *kBulkCopy = "mirage_host_bulk_copy";
/// More than a mask of 16 bits.
inline constexpr int32_t kOwnBlock = 1 << 16;
/// `void (i32 op, ptr to, ptr map, ptr mbarrier, i32 mask, i32 rank, i32
/// coordinates...)`: PTX's cp.async.bulk.tensor from device to shared memory,
/// of a box of the tensor of a HostTensorMap. There are five coordinates,
/// innermost first, of which `rank` count. The mask is as above.
inline constexpr const char *kTensorLoad = "mirage_host_tensor_load";
/// `void (i32 op, ptr map, ptr from, i32 rank, i32 coordinates...)`: the same
/// from shared to device memory, in bulk groups.
inline constexpr const char *kTensorStore = "mirage_host_tensor_store";
/// `void ()`: PTX's cp.async.bulk.commit_group.
inline constexpr const char *kBulkCommit = "mirage_host_bulk_commit";
/// `void (i32 groups, i32 read)`: PTX's cp.async.bulk.wait_group, or with
/// .read.
inline constexpr const char *kBulkWait = "mirage_host_bulk_wait";
/// `void (i32 op, i64 descriptorA, i64 descriptorB, i32 WgmmaInfo, ptr sums)`:
/// PTX's wgmma.mma_async with both operands in shared memory. A thread's sums,
/// n / 2 of them, are read and written.
inline constexpr const char *kWgmma = "mirage_host_wgmma";
/// `void (i32 op, ptr rows, i64 descriptorB, i32 WgmmaInfo, ptr sums)`: the
/// same with A in kWgmmaRowRegisters registers of each thread.
inline constexpr const char *kRegisterWgmma = "mirage_host_register_wgmma";
/// `void (i32 op)`: PTX's wgmma.fence and wgmma.commit_group.
inline constexpr const char *kWgmmaFence = "mirage_host_wgmma_fence";
inline constexpr const char *kWgmmaCommit = "mirage_host_wgmma_commit";
/// `void (i32 op, i32 groups)`: PTX's wgmma.wait_group.
inline constexpr const char *kWgmmaWait = "mirage_host_wgmma_wait";
/// `i32 ()`: with traced accesses, how many wgmmas the thread has issued.
inline constexpr const char *kWgmmaIssued = "mirage_host_wgmma_issued";
/// `void (i32 op, i32 issued)`: with traced accesses, called in front of an op
/// that uses the sums of the wgmma that was the thread's `issued`-th (from 1
/// on; 0: none).
inline constexpr const char *kWgmmaUse = "mirage_host_wgmma_use";
/// `i32 ()`: with traced accesses, how many times the thread has come to a
/// wgmma.fence.
inline constexpr const char *kWgmmaFences = "mirage_host_wgmma_fences";
/// `void (i32 op, i32 fences)`: with traced accesses, called in front of a
/// wgmma that reads registers which were written after so many fences.
inline constexpr const char *kWgmmaRead = "mirage_host_wgmma_read";
/// `ptr (i32 op, ptr address, i32 rank)`: PTX's mapa: the same place of shared
/// memory of a block of the cluster.
inline constexpr const char *kMapShared = "mirage_host_map_shared";
/// `void (i32 op, i32 aligned)`: PTX's barrier.cluster.arrive, the same with
/// .relaxed, and barrier.cluster.wait; with .aligned or not.
inline constexpr const char *kClusterArrive = "mirage_host_cluster_arrive";
inline constexpr const char *kClusterArriveRelaxed =
    "mirage_host_cluster_arrive_relaxed";
inline constexpr const char *kClusterWait = "mirage_host_cluster_wait";
/// `void ()`: PTX's fence.proxy.async and fence.mbarrier_init.
inline constexpr const char *kProxyFence = "mirage_host_proxy_fence";
inline constexpr const char *kMbarrierFence = "mirage_host_mbarrier_fence";
/// `void ()`: PTX's griddepcontrol.wait.
inline constexpr const char *kGridWait = "mirage_host_grid_wait";
/// `void (i32 op)`: PTX's trap.
inline constexpr const char *kTrap = "mirage_host_trap";
/// `void (i32 op, i32 isZero, i32 overflows)`: called in front of an integer
/// division, with whether it is by zero, or of the least number by -1, which
/// the host's processor may not have.
inline constexpr const char *kDivision = "mirage_host_division";
/// `i32 (i32 op, i32 threadMask)`: PTX's elect.sync: 1 for one of the lanes.
inline constexpr const char *kElect = "mirage_host_elect";
/// `void (i32 op, ptr address, i64 bytes, i32 AccessInfo)`: with traced
/// accesses, called in front of each load and store.
inline constexpr const char *kAccess = "mirage_host_access";

/// `void (i32 SpecialFunction, i32 count)`: with traced accesses, called in
/// front of an op that computes `count` of these.
inline constexpr const char *kSpecialFunction = "mirage_host_special_function";

/// Attribute of the module, only with traced accesses: a power of two, at most
/// 16, that divides the sizes and required alignments of all accesses, in
/// bytes.
inline constexpr const char *kAccessGranularity = "mirage.access_granularity";
/// Attribute of the module: an array of the gpu.modules, by their names, of
/// which some kernel has a griddepcontrol.wait, so that the runtime lets
/// launches of theirs begin before earlier ones have ended.
inline constexpr const char *kWaitsForGrids = "mirage.waits_for_grids";
/// Attribute of the module: bytes of static shared memory, in front of the
/// dynamic ones.
inline constexpr const char *kStaticSharedBytes = "mirage.static_shared_bytes";
/// Attribute of the module: an array of strings that say which op, and where it
/// is, by its number.
inline constexpr const char *kOps = "mirage.ops";

/// Where static shared variables, and then the dynamic array, are aligned to.
inline constexpr int64_t kSharedAlignment = 1024;

/// What a function's own variables may take of a thread's stack, in bytes.
inline constexpr uint64_t kMostStackBytes = 24576;

/// Barriers that a block has, numbered from 0.
inline constexpr unsigned kNumBarriers = 16;

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
  BlockInClusterX,
  BlockInClusterY,
  BlockInClusterZ,
  ClusterDimBlocksX,
  ClusterDimBlocksY,
  ClusterDimBlocksZ,
  BlockRank,
  BlocksPerCluster,
};

enum class ShuffleKind : int32_t { Butterfly, Up, Down, Index };

enum class ReduxKind : int32_t { Add, And, Max, Min, Or, UMax, UMin, Xor };

/// What the operands A and B of an mma are.
enum class MmaElement : int32_t { F16, BF16, TF32 };
/// Where a lane's fragments of an mma begin, in registers of 32 bits.
inline constexpr unsigned kMmaA = 0, kMmaB = 4, kMmaC = 8, kMmaD = 12,
                          kMmaRegisters = 16;

/// Registers of 32 bits for the accumulators of a wgmma, at most.
inline constexpr unsigned kWgmmaRegisters = 128;
/// Registers of 32 bits for the rows of one that has them there.
inline constexpr unsigned kWgmmaRowRegisters = 4;

/// Which wgmma.mma_async: D (64xn) = A (64xk) * B (kxn) [+ D], with f32 sums;
/// k is 8 for tf32 and else 16.
struct WgmmaInfo {
  MmaElement element = MmaElement::F16;
  unsigned n = 0;
  /// Whether an operand is not K-major; whether it is multiplied by -1; whether
  /// D is added.
  bool transposesA = false, transposesB = false, negatesA = false,
       negatesB = false, accumulates = false;

  int32_t encode() const {
    return static_cast<int32_t>(element) | transposesA << 2 | transposesB << 3 |
           negatesA << 4 | negatesB << 5 | accumulates << 6 |
           static_cast<int32_t>(n << 8);
  }
  static WgmmaInfo decode(int32_t bits) {
    return {static_cast<MmaElement>(bits & 3),
            static_cast<unsigned>(bits) >> 8,
            (bits & 4) != 0,
            (bits & 8) != 0,
            (bits & 16) != 0,
            (bits & 32) != 0,
            (bits & 64) != 0};
  }
};

/// What the special function units compute, or what is built on them.
enum class SpecialFunction : int32_t {
  Exp2,
  Log2,
  Sqrt,
  Rsqrt,
  Sine,
  Tanh,
  Divide
};
inline constexpr size_t kNumSpecialFunctions = 7;

inline const char *getName(SpecialFunction function) {
  switch (function) {
  case SpecialFunction::Exp2:
    return "exp2";
  case SpecialFunction::Log2:
    return "log2";
  case SpecialFunction::Sqrt:
    return "sqrt";
  case SpecialFunction::Rsqrt:
    return "rsqrt";
  case SpecialFunction::Sine:
    return "sin";
  case SpecialFunction::Tanh:
    return "tanh";
  case SpecialFunction::Divide:
    return "div";
  }
  return "";
}

enum class AccessKind : int32_t { Read, Write, Atomic, AsyncWrite };
enum class MemorySpace : int32_t { Unknown, Device, Shared };

/// What is known of a memory access at compile time, packed into 32 bits.
struct AccessInfo {
  AccessKind kind;
  MemorySpace space;
  /// Logarithm of the alignment in bytes that the op requires.
  unsigned logAlignment;
  /// The number of the kernel's argument, from 1 on, that the address was
  /// computed from; 0 when that isn't known.
  unsigned argument;

  int32_t encode() const {
    return static_cast<int32_t>(kind) | static_cast<int32_t>(space) << 2 |
           static_cast<int32_t>(logAlignment << 4 | argument << 8);
  }
  static AccessInfo decode(int32_t bits) {
    return {static_cast<AccessKind>(bits & 3),
            static_cast<MemorySpace>(bits >> 2 & 3),
            static_cast<unsigned>(bits >> 4 & 15),
            static_cast<unsigned>(bits) >> 8};
  }
};

/// The host function of the kernel `kernel` in the gpu.module `module`.
inline std::string getFunctionName(llvm::StringRef module,
                                   llvm::StringRef kernel) {
  return (module + "__" + kernel).str();
}

} // namespace mirage::host_abi

#endif // MIRAGE_CONVERSION_NVVMTOHOST_HOSTABI_H
