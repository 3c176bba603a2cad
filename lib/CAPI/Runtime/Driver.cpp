//===- Driver.cpp - The CUDA driver, opened at run time -------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include <dlfcn.h>

using namespace mirage::runtime;

void *mirage::runtime::openLibrary(const char *library) {
  // Never closed: the libraries of CUDA have threads of their own.
  return dlopen(library, RTLD_NOW | RTLD_LOCAL);
}

Status Driver::load(const std::string &library) {
  void *handle = openLibrary(library.c_str());
  if (!handle)
    return {MIRAGE_RUNTIME_NO_DRIVER,
            "no CUDA driver: " + library + " could not be opened"};
  const char *missing = nullptr;
  auto resolve = [&](const char *symbol) {
    void *address = dlsym(handle, symbol);
    if (!address && !missing)
      missing = symbol;
    return address;
  };
#define MIRAGE_CUDA_RESOLVE(member, symbol, parameters)                        \
  member = reinterpret_cast<decltype(member)>(resolve(symbol));
  MIRAGE_CUDA_FUNCTIONS(MIRAGE_CUDA_RESOLVE)
#undef MIRAGE_CUDA_RESOLVE
  tensorMapEncodeTiled = reinterpret_cast<decltype(tensorMapEncodeTiled)>(
      dlsym(handle, "cuTensorMapEncodeTiled"));
  occupancyMaxActiveClusters =
      reinterpret_cast<decltype(occupancyMaxActiveClusters)>(
          dlsym(handle, "cuOccupancyMaxActiveClusters"));
  funcGetAttribute = reinterpret_cast<decltype(funcGetAttribute)>(
      dlsym(handle, "cuFuncGetAttribute"));
  launchKernelEx = reinterpret_cast<decltype(launchKernelEx)>(
      dlsym(handle, "cuLaunchKernelEx"));
  if (missing)
    return {MIRAGE_RUNTIME_NO_DRIVER,
            "the CUDA driver " + library + " lacks the function " + missing};
  return {};
}

Status Driver::check(CUresult result, std::string_view what) const {
  if (result == 0)
    return {};
  MirageRuntimeStatus status =
      result == kErrorOutOfMemory      ? MIRAGE_RUNTIME_OUT_OF_MEMORY
      : result == kErrorNoDevice       ? MIRAGE_RUNTIME_NO_DEVICE
      : result == kErrorNoBinaryForGpu ? MIRAGE_RUNTIME_UNSUPPORTED_DEVICE
                                       : MIRAGE_RUNTIME_CUDA_ERROR;
  const char *name = nullptr, *text = nullptr;
  std::string failed = "CUDA: " + std::string(what) + " failed";
  if (getErrorName(result, &name) || getErrorString(result, &text) || !name ||
      !text)
    return {status, failed + " with code " + std::to_string(result)};
  return {status, failed + ": " + text + " (" + name + ")"};
}

Status Driver::copyToDevice(CUdeviceptr to, const void *from, size_t bytes,
                            std::string_view what) const {
  if (Status status = check(memcpyHtoD(to, from, bytes), what))
    return status;
  return check(streamSynchronize(nullptr), what);
}

Status Driver::fill(CUdeviceptr memory, unsigned char value, size_t bytes,
                    std::string_view what) const {
  if (Status status = check(memsetD8(memory, value, bytes), what))
    return status;
  return check(streamSynchronize(nullptr), what);
}
