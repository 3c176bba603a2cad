//===- Device.h - A GPU, and what the driver has made on it -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CAPI_RUNTIME_DEVICE_H
#define MIRAGE_LIB_CAPI_RUNTIME_DEVICE_H

#include "CublasLt.h"
#include "Driver.h"
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace mirage::runtime {

/// A handle of the driver's that is destroyed with its owner, while the
/// context is current.
template <typename Handle, auto destroy> class Owned {
public:
  explicit Owned(const Driver &driver) : driver(&driver) {}
  Owned(Owned &&other) : driver(other.driver), handle(other.handle) {
    other.handle = Handle();
  }
  Owned &operator=(Owned &&other) {
    std::swap(driver, other.driver);
    std::swap(handle, other.handle);
    return *this;
  }
  ~Owned() {
    if (handle)
      (driver->*destroy)(handle);
  }

  Handle get() const { return handle; }
  Handle release() { return std::exchange(handle, Handle()); }
  /// For a function that makes the handle, whose result goes to `made`: one
  /// that fails may leave something there that is no handle.
  Handle *put() { return &handle; }
  CUresult made(CUresult result) {
    if (result)
      handle = Handle();
    return result;
  }

private:
  const Driver *driver;
  Handle handle = Handle();
};

using OwnedMemory = Owned<CUdeviceptr, &Driver::memFree>;
using OwnedModule = Owned<CUmodule, &Driver::moduleUnload>;
using OwnedStream = Owned<CUstream, &Driver::streamDestroy>;
using OwnedEvent = Owned<CUevent, &Driver::eventDestroy>;
using OwnedGraph = Owned<CUgraph, &Driver::graphDestroy>;
using OwnedGraphExec = Owned<CUgraphExec, &Driver::graphExecDestroy>;

struct DeviceOptions {
  int index = 0;
  std::string driver;
  /// The library of cublasLt; empty for the newest that there is.
  std::string cublasLt;
  bool useCublasLt = true;
};

class Device {
public:
  static Status open(const DeviceOptions &options,
                     std::shared_ptr<Device> &device);
  ~Device();

  const Driver &getDriver() const { return driver; }
  const MirageRuntimeDeviceInfo &getInfo() const { return info; }

  /// cublasLt, which is opened at the first call; null, with the reason, if it
  /// can't be used. The context must be current.
  CublasLt *getCublasLt(std::string &reason);

  Status allocate(size_t bytes, OwnedMemory &memory) const;

private:
  friend class ContextScope;
  Status initialize();

  DeviceOptions options;

  Driver driver;
  CUdevice device = 0;
  CUcontext context = nullptr;
  MirageRuntimeDeviceInfo info = {};

  std::mutex mutex;
  bool triedCublasLt = false;
  std::unique_ptr<CublasLt> cublasLt;
  std::string cublasLtReason;
};

/// Makes the device's context current as long as it lives.
class ContextScope {
public:
  explicit ContextScope(const Device &device)
      : device(device),
        status(device.driver.check(device.driver.ctxPushCurrent(device.context),
                                   "making the context current")) {}
  ~ContextScope() {
    CUcontext popped;
    if (!status)
      device.driver.ctxPopCurrent(&popped);
  }
  ContextScope(const ContextScope &) = delete;

  const Status &getStatus() const { return status; }

private:
  const Device &device;
  Status status;
};

} // namespace mirage::runtime

#endif // MIRAGE_LIB_CAPI_RUNTIME_DEVICE_H
