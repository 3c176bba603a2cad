//===- Runtime.cpp - The C API of the runtime library ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mirage-c/Runtime.h"
#include "Program.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>
#include <stdexcept>

using namespace mirage;
using namespace mirage::runtime;

struct MirageRuntimeDevice {
  std::shared_ptr<Device> device;
};
struct MirageRuntimeProgram {
  std::unique_ptr<Program> program;
};
struct MirageRuntimeGraph {
  std::unique_ptr<CapturedGraph> graph;
};

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string &getLastError() {
  static thread_local std::string message;
  return message;
}

/// Keeps the message.
static MirageRuntimeStatus finish(const Status &status) {
  if (status)
    getLastError() = status.getMessage();
  return status.getCode();
}

static MirageRuntimeStatus invalid(const char *message) {
  return finish({MIRAGE_RUNTIME_INVALID_ARGUMENT, message});
}

/// What an entry point does. The standard library throws where it gets no
/// memory, and callers are in C.
template <typename Function>
static MirageRuntimeStatus guarded(Function function) noexcept {
  // The message is short enough that a string keeps it without an allocation.
  auto fail = [] {
    return finish({MIRAGE_RUNTIME_OUT_OF_MEMORY, "no host memory"});
  };
  try {
    return function();
  } catch (const std::bad_alloc &) {
    return fail();
  } catch (const std::length_error &) {
    return fail();
  }
}

const char *mirageRuntimeGetStatusName(MirageRuntimeStatus status) {
  switch (status) {
  case MIRAGE_RUNTIME_SUCCESS:
    return "success";
  case MIRAGE_RUNTIME_INVALID_ARGUMENT:
    return "invalid argument";
  case MIRAGE_RUNTIME_NO_DRIVER:
    return "no driver";
  case MIRAGE_RUNTIME_NO_DEVICE:
    return "no device";
  case MIRAGE_RUNTIME_FILE_ERROR:
    return "file error";
  case MIRAGE_RUNTIME_INVALID_PROGRAM:
    return "invalid program";
  case MIRAGE_RUNTIME_UNSUPPORTED_VERSION:
    return "unsupported version";
  case MIRAGE_RUNTIME_UNSUPPORTED_DEVICE:
    return "unsupported device";
  case MIRAGE_RUNTIME_OUT_OF_MEMORY:
    return "out of memory";
  case MIRAGE_RUNTIME_CUDA_ERROR:
    return "CUDA error";
  case MIRAGE_RUNTIME_LIBRARY_ERROR:
    return "library error";
  }
  return "unknown status";
}

const char *mirageRuntimeGetLastError(void) { return getLastError().c_str(); }

//===----------------------------------------------------------------------===//
// Devices and their memory
//===----------------------------------------------------------------------===//

MirageRuntimeStatus mirageRuntimeOpenDevice(int32_t index,
                                            MirageRuntimeDevice **device) {
  MirageRuntimeDeviceOptions options = {index, nullptr, nullptr};
  return mirageRuntimeOpenDeviceWithOptions(&options, device);
}

MirageRuntimeStatus
mirageRuntimeOpenDeviceWithOptions(const MirageRuntimeDeviceOptions *options,
                                   MirageRuntimeDevice **device) {
  return guarded([&] {
    if (!options || !device)
      return invalid("the options or the device are null");
    DeviceOptions filled;
    filled.index = options->index;
    const char *driver =
        options->driver ? options->driver : std::getenv("MIRAGE_CUDA_DRIVER");
    filled.driver = driver && *driver ? driver : "libcuda.so.1";
    const char *cublasLt =
        options->cublasLt ? options->cublasLt : std::getenv("MIRAGE_CUBLASLT");
    filled.cublasLt = cublasLt ? cublasLt : "";
    filled.useCublasLt = !cublasLt || *cublasLt;
    std::shared_ptr<Device> opened;
    if (Status status = Device::open(filled, opened))
      return finish(status);
    *device = new MirageRuntimeDevice{std::move(opened)};
    return MIRAGE_RUNTIME_SUCCESS;
  });
}

void mirageRuntimeCloseDevice(MirageRuntimeDevice *device) { delete device; }

MirageRuntimeStatus mirageRuntimeGetDeviceInfo(MirageRuntimeDevice *device,
                                               MirageRuntimeDeviceInfo *info) {
  return guarded([&] {
    if (!device || !info)
      return invalid("the device or the info is null");
    *info = device->device->getInfo();
    return MIRAGE_RUNTIME_SUCCESS;
  });
}

/// Calls a function with the device's context current.
template <typename Function>
static MirageRuntimeStatus inContext(const Device &device, Function function) {
  ContextScope scope(device);
  if (scope.getStatus())
    return finish(scope.getStatus());
  return finish(function(device.getDriver()));
}

static CUdeviceptr getAddress(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

MirageRuntimeStatus mirageRuntimeAllocate(MirageRuntimeDevice *device,
                                          size_t bytes, void **pointer) {
  return guarded([&] {
    if (!device || !pointer)
      return invalid("the device or the pointer is null");
    if (bytes == 0)
      return invalid("can't allocate 0 bytes");
    return inContext(*device->device, [&](const Driver &driver) -> Status {
      OwnedMemory memory(driver);
      if (Status status = device->device->allocate(bytes, memory))
        return status;
      *pointer =
          reinterpret_cast<void *>(static_cast<uintptr_t>(memory.release()));
      return {};
    });
  });
}

MirageRuntimeStatus mirageRuntimeFree(MirageRuntimeDevice *device,
                                      void *pointer) {
  return guarded([&] {
    if (!device)
      return invalid("the device is null");
    if (!pointer)
      return MIRAGE_RUNTIME_SUCCESS;
    return inContext(*device->device, [&](const Driver &driver) {
      return driver.check(driver.memFree(getAddress(pointer)),
                          "freeing memory");
    });
  });
}

MirageRuntimeStatus mirageRuntimeCopyToDevice(MirageRuntimeDevice *device,
                                              void *to, const void *from,
                                              size_t bytes) {
  return guarded([&] {
    if (!device || !to || !from)
      return invalid("the device or a pointer is null");
    return inContext(*device->device, [&](const Driver &driver) {
      return driver.copyToDevice(getAddress(to), from, bytes,
                                 "copying to the device");
    });
  });
}

MirageRuntimeStatus mirageRuntimeCopyToHost(MirageRuntimeDevice *device,
                                            void *to, const void *from,
                                            size_t bytes) {
  return guarded([&] {
    if (!device || !to || !from)
      return invalid("the device or a pointer is null");
    return inContext(*device->device, [&](const Driver &driver) {
      return driver.check(driver.memcpyDtoH(to, getAddress(from), bytes),
                          "copying to the host");
    });
  });
}

MirageRuntimeStatus mirageRuntimeFill(MirageRuntimeDevice *device,
                                      void *pointer, uint8_t value,
                                      size_t bytes) {
  return guarded([&] {
    if (!device || !pointer)
      return invalid("the device or the pointer is null");
    return inContext(*device->device, [&](const Driver &driver) {
      return driver.fill(getAddress(pointer), value, bytes, "filling a buffer");
    });
  });
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Reads a whole file.
static Status readFile(const char *path, std::string &contents) {
  auto fail = [&](int code) {
    return Status(MIRAGE_RUNTIME_FILE_ERROR,
                  std::string(path) + ": " + std::strerror(code));
  };
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path, "rb"),
                                                        std::fclose);
  if (!file)
    return fail(errno);
  char buffer[1 << 16];
  size_t count;
  errno = 0;
  while ((count = std::fread(buffer, 1, sizeof(buffer), file.get())) > 0)
    contents.append(buffer, count);
  if (std::ferror(file.get()))
    return fail(errno ? errno : EIO);
  return {};
}

MirageRuntimeStatus mirageRuntimeLoadProgram(MirageRuntimeDevice *device,
                                             const void *data, size_t size,
                                             MirageRuntimeProgram **program) {
  return guarded([&] {
    if (!device || !data || !program)
      return invalid("the device, the data or the program is null");
    std::unique_ptr<Program> loaded;
    if (Status status = Program::load(device->device, data, size, loaded))
      return finish(status);
    *program = new MirageRuntimeProgram{std::move(loaded)};
    return MIRAGE_RUNTIME_SUCCESS;
  });
}

MirageRuntimeStatus
mirageRuntimeLoadProgramFile(MirageRuntimeDevice *device, const char *path,
                             MirageRuntimeProgram **program) {
  return guarded([&] {
    if (!device || !path || !program)
      return invalid("the device, the path or the program is null");
    std::string contents;
    if (Status status = readFile(path, contents))
      return finish(status);
    std::unique_ptr<Program> loaded;
    if (Status status = Program::load(device->device, contents.data(),
                                      contents.size(), loaded))
      return finish(
          {status.getCode(), std::string(path) + ": " + status.getMessage()});
    *program = new MirageRuntimeProgram{std::move(loaded)};
    return MIRAGE_RUNTIME_SUCCESS;
  });
}

void mirageRuntimeDestroyProgram(MirageRuntimeProgram *program) {
  delete program;
}

MirageRuntimeStatus
mirageRuntimeGetProgramInfo(const MirageRuntimeProgram *program,
                            MirageRuntimeProgramInfo *info) {
  return guarded([&] {
    if (!program || !info)
      return invalid("the program or the info is null");
    *info = program->program->getInfo();
    return MIRAGE_RUNTIME_SUCCESS;
  });
}

static MirageRuntimeTensor getTensor(const program_file::Buffer &buffer) {
  return {buffer.name.c_str(),
          static_cast<MirageRuntimeElementType>(buffer.type),
          buffer.shape.size(), buffer.shape.data(), buffer.getBytes()};
}

MirageRuntimeStatus mirageRuntimeGetInput(const MirageRuntimeProgram *program,
                                          size_t index,
                                          MirageRuntimeTensor *tensor) {
  return guarded([&] {
    if (!program || !tensor)
      return invalid("the program or the tensor is null");
    if (index >= program->program->getInfo().numInputs)
      return invalid("there is no input of that index");
    *tensor = getTensor(program->program->getFile().buffers[index]);
    return MIRAGE_RUNTIME_SUCCESS;
  });
}

MirageRuntimeStatus mirageRuntimeGetOutput(const MirageRuntimeProgram *program,
                                           size_t index,
                                           MirageRuntimeTensor *tensor) {
  return guarded([&] {
    if (!program || !tensor)
      return invalid("the program or the tensor is null");
    const MirageRuntimeProgramInfo &info = program->program->getInfo();
    if (index >= info.numOutputs)
      return invalid("there is no output of that index");
    *tensor =
        getTensor(program->program->getFile().buffers[info.numInputs + index]);
    return MIRAGE_RUNTIME_SUCCESS;
  });
}

MirageRuntimeStatus mirageRuntimeGetLaunch(const MirageRuntimeProgram *program,
                                           size_t index,
                                           MirageRuntimeLaunchInfo *info) {
  return guarded([&] {
    if (!program || !info)
      return invalid("the program or the info is null");
    if (index >= program->program->getInfo().numLaunches)
      return invalid("there is no launch of that index");
    *info = program->program->getLaunch(index);
    return MIRAGE_RUNTIME_SUCCESS;
  });
}

MirageRuntimeStatus
mirageRuntimeGetClusters(const MirageRuntimeProgram *program, size_t index,
                         uint32_t size[3], uint32_t *active) {
  return guarded([&] {
    if (!program || !size || !active)
      return invalid("the program, the size or the number is null");
    if (index >= program->program->getInfo().numLaunches)
      return invalid("there is no launch of that index");
    const Program::Clusters &clusters = program->program->getClusters(index);
    std::copy(clusters.size.begin(), clusters.size.end(), size);
    *active = clusters.active;
    return MIRAGE_RUNTIME_SUCCESS;
  });
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

MirageRuntimeStatus mirageRuntimeLaunch(MirageRuntimeProgram *program,
                                        void *const *arguments, void *stream) {
  return guarded([&] {
    if (!program)
      return invalid("the program is null");
    if (Status status = program->program->checkArguments(arguments))
      return finish(status);
    return inContext(*program->program->getDevice(), [&](const Driver &) {
      return program->program->enqueue(arguments,
                                       static_cast<CUstream>(stream));
    });
  });
}

MirageRuntimeStatus mirageRuntimeSynchronize(MirageRuntimeDevice *device,
                                             void *stream) {
  return guarded([&] {
    if (!device)
      return invalid("the device is null");
    return inContext(*device->device, [&](const Driver &driver) {
      return driver.check(
          driver.streamSynchronize(static_cast<CUstream>(stream)),
          "waiting for a stream");
    });
  });
}

MirageRuntimeStatus mirageRuntimeRun(MirageRuntimeProgram *program,
                                     const void *const *inputs,
                                     void *const *outputs) {
  return guarded([&] {
    if (!program)
      return invalid("the program is null");
    return finish(program->program->run(inputs, outputs));
  });
}

MirageRuntimeStatus mirageRuntimeCapture(MirageRuntimeProgram *program,
                                         void *const *arguments,
                                         uint32_t repeats,
                                         MirageRuntimeGraph **graph) {
  return guarded([&] {
    if (!program || !graph)
      return invalid("the program or the graph is null");
    if (repeats == 0)
      return invalid("can't capture a program 0 times");
    if (Status status = program->program->checkArguments(arguments))
      return finish(status);
    std::unique_ptr<CapturedGraph> captured;
    if (Status status = program->program->capture(arguments, repeats, captured))
      return finish(status);
    *graph = new MirageRuntimeGraph{std::move(captured)};
    return MIRAGE_RUNTIME_SUCCESS;
  });
}

MirageRuntimeStatus mirageRuntimeLaunchGraph(MirageRuntimeGraph *graph,
                                             void *stream) {
  return guarded([&] {
    if (!graph)
      return invalid("the graph is null");
    return inContext(*graph->graph->device, [&](const Driver &) {
      return graph->graph->launch(static_cast<CUstream>(stream));
    });
  });
}

void mirageRuntimeDestroyGraph(MirageRuntimeGraph *graph) { delete graph; }

/// What takes minutes, and 128 MB for the times.
static constexpr uint32_t kMostIterations = 1 << 24;

MirageRuntimeStatus mirageRuntimeTime(MirageRuntimeProgram *program,
                                      void *const *arguments,
                                      const MirageRuntimeTimingOptions *options,
                                      MirageRuntimeTiming *timing,
                                      double *samples) {
  return guarded([&] {
    if (!program || !timing)
      return invalid("the program or the timing is null");
    MirageRuntimeTimingOptions filled = {};
    if (options)
      filled = *options;
    if (filled.iterations == 0)
      filled.iterations = 100;
    if (filled.repeats == 0)
      filled.repeats = 1;
    if (filled.iterations > kMostIterations)
      return invalid("can't measure more than 2^24 times");
    if (filled.cold && filled.repeats > 1)
      return invalid(
          "only the first of several runs is cold: repeats must be 1");
    if (Status status = program->program->checkArguments(arguments))
      return finish(status);
    std::vector<double> measured(filled.iterations);
    if (Status status =
            program->program->time(arguments, filled, measured.data()))
      return finish(status);
    if (samples)
      std::copy(measured.begin(), measured.end(), samples);
    std::sort(measured.begin(), measured.end());
    size_t n = measured.size();
    timing->iterations = filled.iterations;
    timing->minimum = measured.front();
    timing->median = (measured[(n - 1) / 2] + measured[n / 2]) / 2;
    timing->mean = std::accumulate(measured.begin(), measured.end(), 0.0) /
                   static_cast<double>(n);
    return MIRAGE_RUNTIME_SUCCESS;
  });
}
