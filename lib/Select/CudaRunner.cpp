//===- CudaRunner.cpp - Candidates on a GPU -------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/CudaInfo.h"
#include "Mirage/Select/Profilers.h"
#include <chrono>

using namespace mirage;

namespace {

class CudaRunner final : public DeviceRunner {
public:
  CudaRunner(const CudaOptions &options, std::string device)
      : options(options), device(std::move(device)) {}

  std::string getDevice() const override { return device; }
  std::string getMethod() const override {
    return "whole runs, least of " + std::to_string(kRuns);
  }

  llvm::Error run(mlir::ModuleOp module, llvm::StringRef function,
                  llvm::MutableArrayRef<Array> arguments) override {
    return runOnCuda(module, function, arguments, options);
  }

  /// The one place that reads a clock. runOnCuda compiles, copies and launches,
  /// and all of that is in these times, so that they tell candidates apart only
  /// where kernels dominate. Whoever times launches with events changes this
  /// function, and `getMethod`, so that the times from before are not looked
  /// up.
  llvm::Expected<double> time(mlir::ModuleOp module, llvm::StringRef function,
                              llvm::MutableArrayRef<Array> arguments) override {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kRuns; ++i) {
      auto start = std::chrono::steady_clock::now();
      if (llvm::Error error = runOnCuda(module, function, arguments, options))
        return std::move(error);
      least = std::min(least, std::chrono::duration<double, std::nano>(
                                  std::chrono::steady_clock::now() - start)
                                  .count());
    }
    return least;
  }

private:
  static constexpr int kRuns = 5;

  CudaOptions options;
  std::string device;
};

} // namespace

llvm::Expected<std::unique_ptr<DeviceRunner>>
mirage::makeCudaRunner(const CudaOptions &options) {
  llvm::Expected<std::string> device = describeCudaDevice(options);
  if (!device)
    return device.takeError();
  return std::make_unique<CudaRunner>(options, std::move(*device));
}
