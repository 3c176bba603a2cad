//===- Cuda.cpp - Runs PTX through the CUDA driver ------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cuda.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace mlir;
using namespace mirage;

//===----------------------------------------------------------------------===//
// The driver's functions
//===----------------------------------------------------------------------===//

namespace {

// Types and values of the CUDA driver API, as far as they are needed here.
using CUresult = int;
using CUdevice = int;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUdeviceptr = unsigned long long;

constexpr int kJitErrorLogBuffer = 5;
constexpr int kJitErrorLogBufferSize = 6;
constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;
constexpr int kMaxSharedMemoryPerBlockOptin = 97;
constexpr int kMaxDynamicSharedSizeBytes = 8;

struct Driver {
  CUresult (*init)(unsigned);
  CUresult (*getErrorName)(CUresult, const char **);
  CUresult (*getErrorString)(CUresult, const char **);
  CUresult (*deviceGetCount)(int *);
  CUresult (*deviceGet)(CUdevice *, int);
  CUresult (*deviceGetAttribute)(int *, int, CUdevice);
  CUresult (*primaryCtxRetain)(CUcontext *, CUdevice);
  CUresult (*primaryCtxRelease)(CUdevice);
  CUresult (*ctxSetCurrent)(CUcontext);
  CUresult (*ctxSynchronize)();
  CUresult (*moduleLoadDataEx)(CUmodule *, const void *, unsigned, int *,
                               void **);
  CUresult (*moduleUnload)(CUmodule);
  CUresult (*moduleGetFunction)(CUfunction *, CUmodule, const char *);
  CUresult (*funcSetAttribute)(CUfunction, int, int);
  CUresult (*memAlloc)(CUdeviceptr *, size_t);
  CUresult (*memFree)(CUdeviceptr);
  CUresult (*memsetD8)(CUdeviceptr, unsigned char, size_t);
  CUresult (*memcpyHtoD)(CUdeviceptr, const void *, size_t);
  CUresult (*memcpyDtoH)(void *, CUdeviceptr, size_t);
  CUresult (*launchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned,
                           unsigned, unsigned, unsigned, CUstream, void **,
                           void **);

  llvm::Error load(const std::string &library);

  /// Success, or an error that says what was tried and what the driver
  /// answered.
  llvm::Error check(CUresult result, const llvm::Twine &what) const;
};

} // namespace

llvm::Error Driver::load(const std::string &library) {
  std::string why;
  llvm::sys::DynamicLibrary handle =
      llvm::sys::DynamicLibrary::getPermanentLibrary(library.c_str(), &why);
  if (!handle.isValid())
    return llvm::createStringError("no CUDA driver: %s could not be opened",
                                   library.c_str());
  const char *missing = nullptr;
  auto resolve = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        handle.getAddressOfSymbol(name));
    if (!function && !missing)
      missing = name;
  };
  resolve(init, "cuInit");
  resolve(getErrorName, "cuGetErrorName");
  resolve(getErrorString, "cuGetErrorString");
  resolve(deviceGetCount, "cuDeviceGetCount");
  resolve(deviceGet, "cuDeviceGet");
  resolve(deviceGetAttribute, "cuDeviceGetAttribute");
  resolve(primaryCtxRetain, "cuDevicePrimaryCtxRetain");
  resolve(primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  resolve(ctxSetCurrent, "cuCtxSetCurrent");
  resolve(ctxSynchronize, "cuCtxSynchronize");
  resolve(moduleLoadDataEx, "cuModuleLoadDataEx");
  resolve(moduleUnload, "cuModuleUnload");
  resolve(moduleGetFunction, "cuModuleGetFunction");
  resolve(funcSetAttribute, "cuFuncSetAttribute");
  resolve(memAlloc, "cuMemAlloc_v2");
  resolve(memFree, "cuMemFree_v2");
  resolve(memsetD8, "cuMemsetD8_v2");
  resolve(memcpyHtoD, "cuMemcpyHtoD_v2");
  resolve(memcpyDtoH, "cuMemcpyDtoH_v2");
  resolve(launchKernel, "cuLaunchKernel");
  if (missing)
    return llvm::createStringError("the CUDA driver %s lacks the function %s",
                                   library.c_str(), missing);
  return llvm::Error::success();
}

llvm::Error Driver::check(CUresult result, const llvm::Twine &what) const {
  if (result == 0)
    return llvm::Error::success();
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(result, &name) || getErrorString(result, &text) || !name ||
      !text)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "CUDA: " + what + " failed with code " +
                                       llvm::Twine(result));
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "CUDA: " + what + " failed: " + text + " (" +
                                     name + ")");
}

//===----------------------------------------------------------------------===//
// CudaDevice
//===----------------------------------------------------------------------===//

struct CudaDevice::Implementation {
  Driver driver;
  CUdevice device = 0;
  CUcontext context = nullptr;
  int major = 0, minor = 0, sharedBytesLimit = 0;

  ~Implementation() {
    if (context)
      driver.primaryCtxRelease(device);
  }

  llvm::Error open(const std::string &library, int index);
  llvm::Error load(const std::string &ptx, CUmodule &module);
  llvm::Error launch(CUmodule module, const Launch &launch,
                     MutableArrayRef<CUdeviceptr> buffers);
};

llvm::Error CudaDevice::Implementation::open(const std::string &library,
                                             int index) {
  if (llvm::Error error = driver.load(library))
    return error;
  if (llvm::Error error = driver.check(driver.init(0), "starting the driver"))
    return error;
  int count = 0;
  if (llvm::Error error =
          driver.check(driver.deviceGetCount(&count), "counting devices"))
    return error;
  if (index < 0 || index >= count)
    return llvm::createStringError("no CUDA device %d, the driver knows %d",
                                   index, count);
  if (llvm::Error error =
          driver.check(driver.deviceGet(&device, index), "opening the device"))
    return error;
  for (auto [value, attribute] :
       {std::pair{&major, kComputeCapabilityMajor},
        {&minor, kComputeCapabilityMinor},
        {&sharedBytesLimit, kMaxSharedMemoryPerBlockOptin}})
    if (llvm::Error error =
            driver.check(driver.deviceGetAttribute(value, attribute, device),
                         "asking for a device attribute"))
      return error;
  if (llvm::Error error = driver.check(
          driver.primaryCtxRetain(&context, device), "creating a context")) {
    context = nullptr;
    return error;
  }
  return driver.check(driver.ctxSetCurrent(context),
                      "making the context current");
}

llvm::Error CudaDevice::Implementation::load(const std::string &ptx,
                                             CUmodule &module) {
  std::string log(8192, '\0');
  int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferSize};
  // An integer option is passed in place of the pointer.
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  CUresult result = driver.moduleLoadDataEx(
      &module, ptx.c_str(), std::size(options), options, values);
  log.resize(std::strlen(log.c_str()));
  return driver.check(result, log.empty() ? "loading the PTX"
                                          : "loading the PTX (" +
                                                StringRef(log).trim() + ")");
}

llvm::Error
CudaDevice::Implementation::launch(CUmodule module, const Launch &launch,
                                   MutableArrayRef<CUdeviceptr> buffers) {
  std::string where = "kernel '" + launch.kernel + "': ";
  CUfunction function = nullptr;
  if (llvm::Error error = driver.check(
          driver.moduleGetFunction(&function, module, launch.kernel.c_str()),
          where + "look-up"))
    return error;
  if (launch.sharedBytes > static_cast<uint32_t>(sharedBytesLimit))
    return llvm::createStringError(
        "%sneeds %u bytes of shared memory, the device has %d", where.c_str(),
        launch.sharedBytes, sharedBytesLimit);
  // More than 48 KB has to be asked for.
  if (llvm::Error error = driver.check(
          driver.funcSetAttribute(function, kMaxDynamicSharedSizeBytes,
                                  launch.sharedBytes),
          where + "asking for " + llvm::Twine(launch.sharedBytes) +
              " bytes of shared memory"))
    return error;
  std::vector<void *> parameters;
  for (unsigned argument : launch.arguments)
    parameters.push_back(&buffers[argument]);
  if (llvm::Error error = driver.check(
          driver.launchKernel(function, launch.grid[0], launch.grid[1],
                              launch.grid[2], launch.block[0], launch.block[1],
                              launch.block[2], launch.sharedBytes, nullptr,
                              parameters.data(), nullptr),
          where + "launch"))
    return error;
  // Once per launch, so that an error is known to be this kernel's.
  return driver.check(driver.ctxSynchronize(), where + "run");
}

CudaDevice::CudaDevice(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}

CudaDevice::~CudaDevice() = default;

llvm::Expected<std::unique_ptr<CudaDevice>>
CudaDevice::open(const std::string &library, int index) {
  auto implementation = std::make_unique<Implementation>();
  if (llvm::Error error = implementation->open(library, index))
    return error;
  return std::unique_ptr<CudaDevice>(new CudaDevice(std::move(implementation)));
}

std::pair<int, int> CudaDevice::getComputeCapability() const {
  return {implementation->major, implementation->minor};
}

llvm::Error CudaDevice::run(const std::string &ptx,
                            const CompiledProgram &program,
                            MutableArrayRef<Array> arguments) {
  Implementation &self = *implementation;
  const Driver &driver = self.driver;
  CUmodule module = nullptr;
  std::vector<CUdeviceptr> buffers(program.buffers.size(), 0);

  auto body = [&]() -> llvm::Error {
    if (llvm::Error error = self.load(ptx, module))
      return error;
    for (auto [index, buffer] : llvm::enumerate(program.buffers)) {
      if (llvm::Error error = driver.check(
              driver.memAlloc(&buffers[index], buffer.bytes),
              "allocating " + llvm::Twine(buffer.bytes) + " bytes"))
        return error;
      CUresult result =
          buffer.kind == BufferKind::Input
              ? driver.memcpyHtoD(buffers[index], arguments[index].bytes.data(),
                                  buffer.bytes)
              : driver.memsetD8(buffers[index], 0xff, buffer.bytes);
      if (llvm::Error error = driver.check(result, "filling a buffer"))
        return error;
    }
    for (const Launch &launch : program.launches)
      if (llvm::Error error = self.launch(module, launch, buffers))
        return error;
    for (auto [index, buffer] : llvm::enumerate(program.buffers)) {
      if (buffer.kind != BufferKind::Output)
        continue;
      if (llvm::Error error =
              driver.check(driver.memcpyDtoH(arguments[index].bytes.data(),
                                             buffers[index], buffer.bytes),
                           "reading an output"))
        return error;
    }
    return llvm::Error::success();
  };
  llvm::Error error = body();
  for (CUdeviceptr buffer : buffers)
    if (buffer)
      driver.memFree(buffer);
  if (module)
    driver.moduleUnload(module);
  return error;
}
