//===- HostRunner.cpp - Candidates on the emulated GPU --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Select/Profilers.h"
#include <chrono>

using namespace mirage;

DeviceRunner::~DeviceRunner() = default;

namespace {

class HostRunner final : public DeviceRunner {
public:
  explicit HostRunner(const HostOptions &options) : options(options) {}

  std::string getDevice() const override { return "host"; }
  std::string getMethod() const override { return "emulation, once"; }

  llvm::Error run(mlir::ModuleOp module, llvm::StringRef function,
                  llvm::MutableArrayRef<Array> arguments) override {
    auto start = std::chrono::steady_clock::now();
    llvm::Error error = runOnHost(module, function, arguments, options);
    last = std::chrono::duration<double, std::nano>(
               std::chrono::steady_clock::now() - start)
               .count();
    return error;
  }

  /// That of the run before: a second one would tell no more.
  llvm::Expected<double> time(mlir::ModuleOp, llvm::StringRef,
                              llvm::MutableArrayRef<Array>) override {
    return last;
  }

private:
  HostOptions options;
  double last = 0;
};

} // namespace

std::unique_ptr<DeviceRunner>
mirage::makeHostRunner(const HostOptions &options) {
  return std::make_unique<HostRunner>(options);
}
