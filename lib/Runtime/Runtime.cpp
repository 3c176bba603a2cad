//===- Runtime.cpp - Compiles and runs modules in the gpu dialect ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Runtime.h"
#include "Mirage/Pipelines/GPULowering.h"
#include "Mirage/Runtime/CompileProgram.h"
#include "Mirage/Runtime/Cuda.h"
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

  auto device = CudaDevice::open(options);
  if (!device)
    return device.takeError();
  CompileOptions compile;
  compile.chip = options.chip;
  if (compile.chip.empty()) {
    llvm::Expected<std::string> chip = (*device)->getChip();
    if (!chip)
      return chip.takeError();
    compile.chip = *chip;
  }
  llvm::Expected<program_file::Program> file =
      compileProgram(module, function, compile);
  if (!file)
    return file.takeError();
  auto loaded = (*device)->load(program_file::encode(*file));
  if (!loaded)
    return loaded.takeError();
  return (*loaded)->run(arguments);
}
