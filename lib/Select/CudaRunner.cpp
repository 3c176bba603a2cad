//===- CudaRunner.cpp - Candidates on a GPU -------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/CompileProgram.h"
#include "Mirage/Runtime/Cuda.h"
#include "Mirage/Select/Profilers.h"

using namespace mirage;

namespace {

class CudaRunner final : public DeviceRunner {
public:
  CudaRunner(std::unique_ptr<CudaDevice> device, std::string chip,
             std::string name)
      : device(std::move(device)), chip(std::move(chip)),
        name(std::move(name)) {}

  std::string getDevice() const override { return name; }
  std::string getMethod() const override {
    return "CUDA graph, events, median of " + std::to_string(kIterations);
  }

  llvm::Error run(mlir::ModuleOp module, llvm::StringRef function,
                  llvm::MutableArrayRef<Array> arguments) override {
    llvm::Expected<std::unique_ptr<CudaProgram>> program =
        compile(module, function);
    return program ? (*program)->run(arguments) : program.takeError();
  }

  llvm::Expected<double> time(mlir::ModuleOp module, llvm::StringRef function,
                              llvm::MutableArrayRef<Array> arguments) override {
    llvm::Expected<std::unique_ptr<CudaProgram>> program =
        compile(module, function);
    if (!program)
      return program.takeError();
    MirageRuntimeTimingOptions options{};
    options.iterations = kIterations;
    options.warmup = kWarmup;
    llvm::Expected<MirageRuntimeTiming> timing =
        (*program)->time(arguments, options);
    if (!timing)
      return timing.takeError();
    constexpr double kNanoseconds = 1000;
    return kNanoseconds * timing->median;
  }

private:
  static constexpr uint32_t kIterations = 100, kWarmup = 10;

  llvm::Expected<std::unique_ptr<CudaProgram>>
  compile(mlir::ModuleOp module, llvm::StringRef function) {
    CompileOptions options;
    options.chip = chip;
    llvm::Expected<program_file::Program> program =
        compileProgram(module, function, options);
    if (!program)
      return program.takeError();
    return device->load(program_file::encode(*program));
  }

  std::unique_ptr<CudaDevice> device;
  std::string chip, name;
};

} // namespace

llvm::Expected<std::unique_ptr<DeviceRunner>>
mirage::makeCudaRunner(const CudaOptions &options) {
  llvm::Expected<std::unique_ptr<CudaDevice>> device =
      CudaDevice::open(options);
  if (!device)
    return device.takeError();
  llvm::Expected<std::string> chip = (*device)->getChip();
  if (!chip)
    return chip.takeError();
  llvm::Expected<std::string> name = (*device)->getName();
  if (!name)
    return name.takeError();
  return std::make_unique<CudaRunner>(std::move(*device), std::move(*chip),
                                      std::move(*name));
}
