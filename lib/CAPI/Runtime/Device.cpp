//===- Device.cpp - A GPU -------------------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

using namespace mirage::runtime;

/// CUDA 12.0 has all functions that are used, and compiles the PTX that
/// programs have (`getPTXFeatures`), of version 8.0.
static constexpr int kOldestDriver = 12000;

Status Device::initialize() {
  if (Status status = driver.load(options.driver))
    return status;
  if (Status status = driver.check(driver.init(0), "starting the driver"))
    return status;
  if (Status status = driver.check(driver.driverGetVersion(&info.driverVersion),
                                   "asking for the driver's version"))
    return status;
  if (info.driverVersion < kOldestDriver)
    return {MIRAGE_RUNTIME_NO_DRIVER,
            "the CUDA driver has version " +
                std::to_string(info.driverVersion) + ", expected at least " +
                std::to_string(kOldestDriver) + " (CUDA 12.0, for PTX 8.0)"};
  int count = 0;
  if (Status status =
          driver.check(driver.deviceGetCount(&count), "counting devices"))
    return status;
  if (options.index < 0 || options.index >= count)
    return {MIRAGE_RUNTIME_NO_DEVICE,
            "no CUDA device " + std::to_string(options.index) +
                ", the driver knows " + std::to_string(count)};
  if (Status status = driver.check(driver.deviceGet(&device, options.index),
                                   "opening the device"))
    return status;
  int l2Bytes = 0, sharedBytes = 0;
  for (auto [value, attribute] :
       {std::pair{&info.major, kComputeCapabilityMajor},
        {&info.minor, kComputeCapabilityMinor},
        {&info.multiprocessors, kMultiprocessorCount},
        {&l2Bytes, kL2CacheSize},
        {&sharedBytes, kMaxSharedMemoryPerBlockOptin}})
    if (Status status =
            driver.check(driver.deviceGetAttribute(value, attribute, device),
                         "asking for a device attribute"))
      return status;
  info.l2Bytes = l2Bytes;
  info.sharedBytes = sharedBytes;
  size_t totalBytes = 0;
  if (Status status = driver.check(driver.deviceTotalMem(&totalBytes, device),
                                   "asking for the device's memory"))
    return status;
  info.totalBytes = totalBytes;
  if (Status status = driver.check(
          driver.deviceGetName(info.name, sizeof(info.name) - 1, device),
          "asking for the device's name"))
    return status;
  if (Status status = driver.check(driver.primaryCtxRetain(&context, device),
                                   "creating a context")) {
    context = nullptr;
    return status;
  }
  return {};
}

Status Device::open(const DeviceOptions &options,
                    std::shared_ptr<Device> &device) {
  auto opened = std::make_shared<Device>();
  opened->options = options;
  if (Status status = opened->initialize())
    return status;
  device = std::move(opened);
  return {};
}

Device::~Device() {
  if (!context)
    return;
  if (cublasLt) {
    ContextScope scope(*this);
    cublasLt.reset();
  }
  driver.primaryCtxRelease(device);
}

CublasLt *Device::getCublasLt(std::string &reason) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!triedCublasLt) {
    if (options.useCublasLt)
      cublasLt = CublasLt::open(options.cublasLt, cublasLtReason);
    else
      cublasLtReason = "no library is wanted";
    triedCublasLt = true;
  }
  reason = cublasLtReason;
  return cublasLt.get();
}

Status Device::allocate(size_t bytes, OwnedMemory &memory) const {
  return driver.check(memory.made(driver.memAlloc(memory.put(), bytes)),
                      "allocating " + std::to_string(bytes) + " bytes");
}
