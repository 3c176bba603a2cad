//===- Cuda.h - The runtime library, for arrays in host memory --*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_CUDA_H
#define MIRAGE_RUNTIME_CUDA_H

#include "Mirage/Runtime/Array.h"
#include "mirage-c/Runtime.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace mirage {

struct CudaOptions {
  /// Index of the device, as the driver counts.
  int device = 0;
  /// The chip to compile for, such as "sm_90a"; empty picks what suits the
  /// device: sm_90a for compute capability 9.0, sm_80 for others from 8.0 on.
  std::string chip;
  /// The driver's library; empty takes what the environment or the system has,
  /// see MirageRuntimeDeviceOptions.
  std::string driver;
};

/// A compiled program on a GPU. Must not outlive its device.
class CudaProgram {
public:
  ~CudaProgram();
  CudaProgram(const CudaProgram &) = delete;

  MirageRuntimeProgram *get() const { return program; }
  /// Arrays of the inputs' and outputs' shapes and types.
  llvm::Expected<std::vector<Array>> makeArguments() const;

  /// Runs it on `arrays`, inputs and then outputs, which receive the results.
  /// The arrays are of the right shapes and types.
  llvm::Error run(llvm::MutableArrayRef<Array> arrays);

  /// Measures it on copies of `arrays`.
  llvm::Expected<MirageRuntimeTiming>
  time(llvm::ArrayRef<Array> arrays, const MirageRuntimeTimingOptions &options);

private:
  friend class CudaDevice;
  CudaProgram(MirageRuntimeDevice *device, MirageRuntimeProgram *program)
      : device(device), program(program) {}

  MirageRuntimeDevice *device;
  MirageRuntimeProgram *program;
};

/// A GPU.
class CudaDevice {
public:
  static llvm::Expected<std::unique_ptr<CudaDevice>>
  open(const CudaOptions &options);
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;

  /// The chip to compile for. Fails for devices that are too old.
  llvm::Expected<std::string> getChip() const;
  /// What the driver calls the device.
  llvm::Expected<std::string> getName() const;

  /// Loads the contents of a program file.
  llvm::Expected<std::unique_ptr<CudaProgram>> load(llvm::StringRef contents);

private:
  explicit CudaDevice(MirageRuntimeDevice *device) : device(device) {}
  MirageRuntimeDevice *device;
};

} // namespace mirage

#endif // MIRAGE_RUNTIME_CUDA_H
