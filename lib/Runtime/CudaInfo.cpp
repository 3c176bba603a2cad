//===- CudaInfo.cpp - Which GPU there is ----------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/CudaInfo.h"
#include "Cuda.h"

using namespace mirage;

llvm::Expected<std::string>
mirage::describeCudaDevice(const CudaOptions &options) {
  llvm::Expected<std::unique_ptr<CudaDevice>> device =
      CudaDevice::open(options.driver, options.device);
  if (!device)
    return device.takeError();
  auto [major, minor] = (*device)->getComputeCapability();
  std::string capability = "compute capability " + std::to_string(major) + "." +
                           std::to_string(minor);
  if (major < 8)
    return llvm::createStringError("the CUDA device has " + capability +
                                   ", but 8.0 is needed");
  return "CUDA device, " + capability;
}
