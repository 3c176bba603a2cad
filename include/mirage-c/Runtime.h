//===- Runtime.h - Loads and launches compiled programs -----------*- C -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C API of libMirageRuntime: loads what the compiler has made and runs it
// on an NVIDIA GPU. It needs neither MLIR nor the CUDA toolkit. The driver and
// cuBLAS are opened at run time. docs/Runtime.md says more; the shortest use:
//
//   MirageRuntimeDevice *device;
//   MirageRuntimeProgram *program;
//   if (mirageRuntimeOpenDevice(0, &device) ||
//       mirageRuntimeLoadProgramFile(device, "f.mirage", &program) ||
//       mirageRuntimeRun(program, inputs, outputs))
//     fprintf(stderr, "%s\n", mirageRuntimeGetLastError());
//
// Errors: a function that can fail returns a status. If it isn't
// MIRAGE_RUNTIME_SUCCESS, out-parameters are as they were, nothing is left
// allocated, and mirageRuntimeGetLastError says what went wrong.
//
// Threads: a device may be used by several threads at once; a program or graph
// by one at a time. Runs of one program must not overlap on the device either,
// since they share its temporaries: launch them on one stream, or load the
// program twice. Each function leaves the thread's current CUDA context as it
// was; it works in the primary context, the one that the CUDA runtime uses.
//
// Versions: callers allocate the structs, so within a version of the library
// (its SOVERSION) neither structs nor functions change; what is new is a new
// function.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_C_RUNTIME_H
#define MIRAGE_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MIRAGE_RUNTIME_EXPORT __attribute__((visibility("default")))

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

typedef enum MirageRuntimeStatus {
  MIRAGE_RUNTIME_SUCCESS = 0,
  /// An argument is null, out of range or misaligned.
  MIRAGE_RUNTIME_INVALID_ARGUMENT = 1,
  /// The driver's library can't be opened, or is older than CUDA 12.0.
  MIRAGE_RUNTIME_NO_DRIVER = 2,
  /// There is no such device.
  MIRAGE_RUNTIME_NO_DEVICE = 3,
  /// A file can't be read.
  MIRAGE_RUNTIME_FILE_ERROR = 4,
  /// What should be a compiled program is something else, or damaged.
  MIRAGE_RUNTIME_INVALID_PROGRAM = 5,
  /// A compiled program of another format version.
  MIRAGE_RUNTIME_UNSUPPORTED_VERSION = 6,
  /// The program is compiled for other devices, or needs more than this one
  /// has.
  MIRAGE_RUNTIME_UNSUPPORTED_DEVICE = 7,
  /// There is not enough memory, of the device's or the host's.
  MIRAGE_RUNTIME_OUT_OF_MEMORY = 8,
  /// Another error of the driver's, such as a kernel's fault.
  MIRAGE_RUNTIME_CUDA_ERROR = 9,
  /// A library's kernel failed.
  MIRAGE_RUNTIME_LIBRARY_ERROR = 10
} MirageRuntimeStatus;

/// "success", "invalid argument", ...; never null.
MIRAGE_RUNTIME_EXPORT const char *
mirageRuntimeGetStatusName(MirageRuntimeStatus status);

/// What the last error on this thread was: one line, without a newline at the
/// end. Empty if there has been none. Valid until the next error on this
/// thread.
MIRAGE_RUNTIME_EXPORT const char *mirageRuntimeGetLastError(void);

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

typedef struct MirageRuntimeDevice MirageRuntimeDevice;

typedef struct MirageRuntimeDeviceOptions {
  /// As the driver counts.
  int32_t index;
  /// The library of the driver; null takes the environment variable
  /// MIRAGE_CUDA_DRIVER, or libcuda.so.1.
  const char *driver;
  /// The library of cublasLt, "" for none; null takes the environment variable
  /// MIRAGE_CUBLASLT, or the newest known libcublasLt.so that there is. It is
  /// opened when a program first wants it.
  const char *cublasLt;
} MirageRuntimeDeviceOptions;

/// Opens a device and keeps its primary context until it is closed.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeOpenDevice(int32_t index, MirageRuntimeDevice **device);
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus mirageRuntimeOpenDeviceWithOptions(
    const MirageRuntimeDeviceOptions *options, MirageRuntimeDevice **device);

/// Programs and graphs may outlive this; what was allocated by
/// mirageRuntimeAllocate must be freed before. Null is allowed.
MIRAGE_RUNTIME_EXPORT void
mirageRuntimeCloseDevice(MirageRuntimeDevice *device);

typedef struct MirageRuntimeDeviceInfo {
  /// Compute capability.
  int32_t major, minor;
  int32_t multiprocessors;
  /// Of the L2 cache, of shared memory that a block can have, of the device's
  /// memory.
  uint64_t l2Bytes, sharedBytes, totalBytes;
  /// The CUDA version of the driver: 12040 for 12.4.
  int32_t driverVersion;
  char name[256];
} MirageRuntimeDeviceInfo;

MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus mirageRuntimeGetDeviceInfo(
    MirageRuntimeDevice *device, MirageRuntimeDeviceInfo *info);

//===----------------------------------------------------------------------===//
// Device memory
//===----------------------------------------------------------------------===//

/// Allocates device memory, aligned to at least 256 bytes. `bytes` is at least
/// 1.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus mirageRuntimeAllocate(
    MirageRuntimeDevice *device, size_t bytes, void **pointer);
/// Frees it. Null is allowed.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeFree(MirageRuntimeDevice *device, void *pointer);

/// Copy between host and device, and wait for it.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus mirageRuntimeCopyToDevice(
    MirageRuntimeDevice *device, void *to, const void *from, size_t bytes);
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus mirageRuntimeCopyToHost(
    MirageRuntimeDevice *device, void *to, const void *from, size_t bytes);
/// Sets each byte to `value`, and waits.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus mirageRuntimeFill(
    MirageRuntimeDevice *device, void *pointer, uint8_t value, size_t bytes);

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

typedef struct MirageRuntimeProgram MirageRuntimeProgram;

/// Loads a compiled program: kernels, temporaries and library kernels are
/// ready to be launched afterwards.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeLoadProgramFile(MirageRuntimeDevice *device, const char *path,
                             MirageRuntimeProgram **program);
/// The same from the file's contents, which are not needed afterwards.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeLoadProgram(MirageRuntimeDevice *device, const void *data,
                         size_t size, MirageRuntimeProgram **program);
/// Must not run any more on the device. Null is allowed.
MIRAGE_RUNTIME_EXPORT void
mirageRuntimeDestroyProgram(MirageRuntimeProgram *program);

/// Strings of a MirageRuntimeProgramInfo live as long as the program.
typedef struct MirageRuntimeProgramInfo {
  /// The function's name, what it is compiled for ("sm_90a"), by which version
  /// of the compiler, and what the verifier said ("proved"; "" if it was not
  /// asked).
  const char *name, *chip, *producer, *verdict;
  size_t numInputs, numOutputs, numLaunches;
  /// Of all inputs and outputs, of all temporaries.
  uint64_t argumentBytes, temporaryBytes;
  /// Of the target that the program is compiled for: GB/s and TFLOP/s.
  uint64_t bandwidth, tflops;
} MirageRuntimeProgramInfo;

MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus mirageRuntimeGetProgramInfo(
    const MirageRuntimeProgram *program, MirageRuntimeProgramInfo *info);

typedef enum MirageRuntimeElementType {
  MIRAGE_RUNTIME_F16 = 0,
  MIRAGE_RUNTIME_BF16 = 1,
  MIRAGE_RUNTIME_F32 = 2,
  MIRAGE_RUNTIME_F64 = 3
} MirageRuntimeElementType;

/// A dense row-major tensor. The pointers live as long as the program.
typedef struct MirageRuntimeTensor {
  const char *name;
  MirageRuntimeElementType elementType;
  /// 0 is one element; `dims` then points to nothing.
  size_t rank;
  const int64_t *dims;
  size_t bytes;
} MirageRuntimeTensor;

MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeGetInput(const MirageRuntimeProgram *program, size_t index,
                      MirageRuntimeTensor *tensor);
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeGetOutput(const MirageRuntimeProgram *program, size_t index,
                       MirageRuntimeTensor *tensor);

typedef struct MirageRuntimeLaunchInfo {
  const char *kernel;
  uint32_t grid[3], block[3], sharedBytes;
  /// What runs: "kernel", or the library: "cublasLt".
  const char *implementation;
  /// Why the kernel runs where a library could; "" otherwise.
  const char *reason;
} MirageRuntimeLaunchInfo;

MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeGetLaunch(const MirageRuntimeProgram *program, size_t index,
                       MirageRuntimeLaunchInfo *info);

/// Of a launch's kernel whose blocks are in clusters: what one has in blocks
/// along each dimension, and how many of them the idle device runs at a time.
/// Blocks of a cluster run on multiprocessors near each other, so that this may
/// be fewer than there is room for blocks. 0 without clusters, or if the driver
/// doesn't say.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeGetClusters(const MirageRuntimeProgram *program, size_t index,
                         uint32_t size[3], uint32_t *active);

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Enqueues the program's kernels on `stream`, a CUstream or cudaStream_t (null
/// for the default stream), and returns. `arguments` are the device addresses
/// of the inputs, then of the outputs, each a multiple of 16; what they point
/// to must stay until the kernels are done. The stream may be capturing.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus mirageRuntimeLaunch(
    MirageRuntimeProgram *program, void *const *arguments, void *stream);

/// Waits until everything on `stream` is done. Faults of kernels show here.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeSynchronize(MirageRuntimeDevice *device, void *stream);

/// All at once, for tests and first steps: copies the inputs from host memory,
/// runs the kernels one by one (an error names the kernel), and copies the
/// outputs to host memory. Before, outputs are filled with the byte 0xff (NaN).
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeRun(MirageRuntimeProgram *program, const void *const *inputs,
                 void *const *outputs);

typedef struct MirageRuntimeGraph MirageRuntimeGraph;

/// Captures `repeats` runs of the program, one after the other, on fixed
/// arguments, in a CUDA graph. The program must outlive the graph.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeCapture(MirageRuntimeProgram *program, void *const *arguments,
                     uint32_t repeats, MirageRuntimeGraph **graph);
/// Enqueues the graph.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeLaunchGraph(MirageRuntimeGraph *graph, void *stream);
/// Null is allowed.
MIRAGE_RUNTIME_EXPORT void mirageRuntimeDestroyGraph(MirageRuntimeGraph *graph);

typedef struct MirageRuntimeTimingOptions {
  /// How often to measure, at most 2^24 times; 0 is 100.
  uint32_t iterations;
  /// Runs before, which don't count.
  uint32_t warmup;
  /// How often the program is in what is measured once; times are of one run. 0
  /// is 1. Must be 0 or 1 if `cold`.
  uint32_t repeats;
  /// Whether to clear the L2 cache before each measurement.
  int32_t cold;
  /// Whether to launch kernels one by one rather than as a CUDA graph.
  int32_t withoutGraph;
} MirageRuntimeTimingOptions;

/// Of one run of the program, in microseconds.
typedef struct MirageRuntimeTiming {
  double median, minimum, mean;
  uint32_t iterations;
} MirageRuntimeTiming;

/// Measures how long the program takes, with events on a stream of its own.
/// Null options are all zero. `samples`, unless null, receives the single
/// times, in order: as many as there are iterations.
MIRAGE_RUNTIME_EXPORT MirageRuntimeStatus
mirageRuntimeTime(MirageRuntimeProgram *program, void *const *arguments,
                  const MirageRuntimeTimingOptions *options,
                  MirageRuntimeTiming *timing, double *samples);

#ifdef __cplusplus
}
#endif

#endif // MIRAGE_C_RUNTIME_H
