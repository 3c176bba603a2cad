//===- Driver.h - The CUDA driver, opened at run time -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CAPI_RUNTIME_DRIVER_H
#define MIRAGE_LIB_CAPI_RUNTIME_DRIVER_H

#include "Status.h"
#include <cstddef>
#include <string>
#include <string_view>

namespace mirage::runtime {

// Types and values of the CUDA driver API, as far as they are needed here.
using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;
using CUgraph = struct CUgraph_st *;
using CUgraphExec = struct CUgraphExec_st *;

inline constexpr int kErrorOutOfMemory = 2;
inline constexpr int kErrorNoDevice = 100;
inline constexpr int kErrorNoBinaryForGpu = 209;
inline constexpr int kJitErrorLogBuffer = 5;
inline constexpr int kJitErrorLogBufferSize = 6;
inline constexpr int kMultiprocessorCount = 16;
inline constexpr int kL2CacheSize = 38;
inline constexpr int kComputeCapabilityMajor = 75;
inline constexpr int kComputeCapabilityMinor = 76;
inline constexpr int kMaxSharedMemoryPerBlockOptin = 97;
inline constexpr int kMaxDynamicSharedSizeBytes = 8;
/// The first of three attributes of a function: what its clusters must have in
/// blocks.
inline constexpr int kRequiredClusterWidth = 11;
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr int kStreamCaptureModeThreadLocal = 1;

/// The driver's functions: name of the member, symbol, parameters.
#define MIRAGE_CUDA_FUNCTIONS(X)                                               \
  X(init, "cuInit", (unsigned))                                                \
  X(driverGetVersion, "cuDriverGetVersion", (int *))                           \
  X(getErrorName, "cuGetErrorName", (CUresult, const char **))                 \
  X(getErrorString, "cuGetErrorString", (CUresult, const char **))             \
  X(deviceGetCount, "cuDeviceGetCount", (int *))                               \
  X(deviceGet, "cuDeviceGet", (CUdevice *, int))                               \
  X(deviceGetName, "cuDeviceGetName", (char *, int, CUdevice))                 \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", (size_t *, CUdevice))               \
  X(deviceGetAttribute, "cuDeviceGetAttribute", (int *, int, CUdevice))        \
  X(primaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUcontext *, CUdevice))     \
  X(primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (CUdevice))             \
  X(ctxPushCurrent, "cuCtxPushCurrent_v2", (CUcontext))                        \
  X(ctxPopCurrent, "cuCtxPopCurrent_v2", (CUcontext *))                        \
  X(moduleLoadDataEx, "cuModuleLoadDataEx",                                    \
    (CUmodule *, const void *, unsigned, int *, void **))                      \
  X(moduleUnload, "cuModuleUnload", (CUmodule))                                \
  X(moduleGetFunction, "cuModuleGetFunction",                                  \
    (CUfunction *, CUmodule, const char *))                                    \
  X(funcSetAttribute, "cuFuncSetAttribute", (CUfunction, int, int))            \
  X(memAlloc, "cuMemAlloc_v2", (CUdeviceptr *, size_t))                        \
  X(memFree, "cuMemFree_v2", (CUdeviceptr))                                    \
  X(memsetD8, "cuMemsetD8_v2", (CUdeviceptr, unsigned char, size_t))           \
  X(memcpyHtoD, "cuMemcpyHtoD_v2", (CUdeviceptr, const void *, size_t))        \
  X(memcpyDtoH, "cuMemcpyDtoH_v2", (void *, CUdeviceptr, size_t))              \
  X(launchKernel, "cuLaunchKernel",                                            \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, CUstream, void **, void **))                                    \
  X(streamCreate, "cuStreamCreate", (CUstream *, unsigned))                    \
  X(streamDestroy, "cuStreamDestroy_v2", (CUstream))                           \
  X(streamSynchronize, "cuStreamSynchronize", (CUstream))                      \
  X(streamBeginCapture, "cuStreamBeginCapture_v2", (CUstream, int))            \
  X(streamEndCapture, "cuStreamEndCapture", (CUstream, CUgraph *))             \
  X(graphInstantiate, "cuGraphInstantiateWithFlags",                           \
    (CUgraphExec *, CUgraph, unsigned long long))                              \
  X(graphDestroy, "cuGraphDestroy", (CUgraph))                                 \
  X(graphExecDestroy, "cuGraphExecDestroy", (CUgraphExec))                     \
  X(graphLaunch, "cuGraphLaunch", (CUgraphExec, CUstream))                     \
  X(eventCreate, "cuEventCreate", (CUevent *, unsigned))                       \
  X(eventDestroy, "cuEventDestroy_v2", (CUevent))                              \
  X(eventRecord, "cuEventRecord", (CUevent, CUstream))                         \
  X(eventSynchronize, "cuEventSynchronize", (CUevent))                         \
  X(eventElapsedTime, "cuEventElapsedTime", (float *, CUevent, CUevent))

/// A tensor map (CUtensorMap), which only the driver can read. Aligned as CUDA
/// 13 wants it; CUDA 12 is content with 64 bytes.
struct alignas(128) CUtensorMap {
  unsigned char bytes[128];
};
inline constexpr int kTensorMapFloat16 = 6;
inline constexpr int kTensorMapFloat32 = 7;
inline constexpr int kTensorMapBFloat16 = 9;
inline constexpr int kTensorMapNoInterleave = 0;
inline constexpr int kTensorMapSwizzleNone = 0;
inline constexpr int kTensorMapSwizzle32 = 1;
inline constexpr int kTensorMapSwizzle64 = 2;
inline constexpr int kTensorMapSwizzle128 = 3;
inline constexpr int kTensorMapL2Promotion128 = 2;
inline constexpr int kTensorMapZerosOutside = 0;

/// What is said of a launch beyond its sizes (CUlaunchAttribute).
struct CUlaunchAttribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    int allowed;
  } value;
};
/// The kernel may begin while the one before on the stream still runs, of whose
/// memory it sees nothing until it waits (`griddepcontrol.wait`).
inline constexpr int kProgrammaticStreamSerialization = 6;
/// CUDA 12.3: the first whose graphs capture such launches.
inline constexpr int kOldestWithProgrammaticGraphs = 12030;

/// How to launch a kernel (CUlaunchConfig).
struct CUlaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  CUstream stream;
  CUlaunchAttribute *attributes;
  unsigned numAttributes;
};

struct Driver {
#define MIRAGE_CUDA_MEMBER(member, symbol, parameters)                         \
  CUresult(*member) parameters = nullptr;
  MIRAGE_CUDA_FUNCTIONS(MIRAGE_CUDA_MEMBER)
#undef MIRAGE_CUDA_MEMBER

  /// Null in drivers before CUDA 12.0, which no device is opened with. Data
  /// type, rank, address; sizes, strides in bytes of all dimensions but the
  /// first, box and steps in elements, innermost first; interleave, swizzle, L2
  /// promotion, fill.
  CUresult (*tensorMapEncodeTiled)(CUtensorMap *, int, unsigned, void *,
                                   const unsigned long long *,
                                   const unsigned long long *, const unsigned *,
                                   const unsigned *, int, int, int,
                                   int) = nullptr;

  /// Null in drivers before CUDA 11.8, as those are too. How many clusters of a
  /// kernel can run at a time on an idle device.
  CUresult (*occupancyMaxActiveClusters)(int *, CUfunction,
                                         const CUlaunchConfig *) = nullptr;
  CUresult (*funcGetAttribute)(int *, int, CUfunction) = nullptr;
  /// A launch with attributes.
  CUresult (*launchKernelEx)(const CUlaunchConfig *, CUfunction, void **,
                             void **) = nullptr;

  /// Opens the driver's library, for as long as the process runs.
  Status load(const std::string &library);

  /// Success, or an error that says what was tried and what the driver
  /// answered. Allocates nothing for a success: destructors ask, too.
  Status check(CUresult result, std::string_view what) const;

  /// Copies and fills, and waits: a copy from pageable memory may return before
  /// it has reached the device, a fill does, and streams that are made
  /// non-blocking don't wait for the default stream, where both run.
  Status copyToDevice(CUdeviceptr to, const void *from, size_t bytes,
                      std::string_view what) const;
  Status fill(CUdeviceptr memory, unsigned char value, size_t bytes,
              std::string_view what) const;
};

/// Opens `library` for as long as the process runs, or returns null.
void *openLibrary(const char *library);

} // namespace mirage::runtime

#endif // MIRAGE_LIB_CAPI_RUNTIME_DRIVER_H
