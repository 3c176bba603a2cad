//===- Cuda.h - Runs PTX through the CUDA driver ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_CUDA_H
#define MIRAGE_LIB_RUNTIME_CUDA_H

#include "Mirage/Runtime/Program.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <utility>

namespace mirage {

/// A GPU, through the CUDA driver API. The driver's library is opened at run
/// time, so that nothing else depends on it.
class CudaDevice {
public:
  /// Opens the driver `library` and makes the primary context of device `index`
  /// current on this OS thread.
  static llvm::Expected<std::unique_ptr<CudaDevice>>
  open(const std::string &library, int index);
  ~CudaDevice();

  /// Major and minor number.
  std::pair<int, int> getComputeCapability() const;

  /// Loads `ptx` and runs the launches of `program`, see runOnCuda.
  llvm::Error run(const std::string &ptx, const CompiledProgram &program,
                  llvm::MutableArrayRef<Array> arguments);

private:
  struct Implementation;
  explicit CudaDevice(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation;
};

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_CUDA_H
