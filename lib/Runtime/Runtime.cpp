//===- Runtime.cpp - Compiles and runs modules in the gpu dialect ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Runtime.h"
#include "Cuda.h"
#include "Mirage/Pipelines/GPULowering.h"
#include "Mirage/Runtime/Program.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mirage;

static llvm::Expected<CompiledProgram> findProgram(ModuleOp module,
                                                   StringRef function) {
  auto op = module.lookupSymbol<func::FuncOp>(function);
  if (!op)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "no function '" + function + "' to run");
  FailureOr<CompiledProgram> program = extractProgram(op);
  if (failed(program))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the function '" + function +
                                       "' can't be run");
  return std::move(*program);
}

llvm::Error mirage::runOnHost(ModuleOp module, StringRef function,
                              MutableArrayRef<Array> arguments,
                              const HostOptions &options) {
  llvm::Expected<CompiledProgram> program = findProgram(module, function);
  if (!program)
    return program.takeError();
  if (llvm::Error error = checkArguments(*program, arguments))
    return error;

  DialectRegistry registry;
  registerGPULoweringInterfaces(registry);
  module.getContext()->appendDialectRegistry(registry);
  OwningOpRef<ModuleOp> lowered = module.clone();
  PassManager pm(module.getContext());
  buildGPUToHostPipeline(pm,
                         /*traceAccesses=*/options.checks || options.counters);
  if (failed(pm.run(*lowered)))
    return llvm::createStringError("lowering the kernels to the host failed");
  auto executable = HostExecutable::create(*lowered);
  if (!executable)
    return executable.takeError();
  return (*executable)->run(*program, arguments, options);
}

llvm::Error mirage::runOnCuda(ModuleOp module, StringRef function,
                              MutableArrayRef<Array> arguments,
                              const CudaOptions &options) {
  llvm::Expected<CompiledProgram> program = findProgram(module, function);
  if (!program)
    return program.takeError();
  if (llvm::Error error = checkArguments(*program, arguments))
    return error;

  auto device = CudaDevice::open(options.driver, options.device);
  if (!device)
    return device.takeError();
  std::string chip = options.chip;
  if (chip.empty()) {
    auto [major, minor] = (*device)->getComputeCapability();
    if (major < 8)
      return llvm::createStringError(
          "device %d has compute capability %d.%d, expected 8.0 or newer",
          options.device, major, minor);
    chip = major == 9 && minor == 0 ? "sm_90a" : "sm_80";
  }
  llvm::Expected<std::string> ptx = emitPTX(module, chip);
  if (!ptx)
    return ptx.takeError();
  return (*device)->run(*ptx, *program, arguments);
}
