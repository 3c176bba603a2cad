//===- GPULowering.cpp - From the gpu dialect to PTX or to the host -------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Pipelines/GPULowering.h"
#include "Mirage/Conversion/GPUToPTX/Passes.h"
#include "Mirage/Conversion/NVVMToHost/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mirage::buildGPUToNVVMPipeline(OpPassManager &pm,
                                    const GPUToNVVMOptions &options) {
  AttachNVVMTargetOptions target;
  target.chip = options.chip;
  pm.addPass(createAttachNVVMTarget(target));

  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createLowerDeviceMath());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createSCFToControlFlowPass());
  kernels.addPass(createConvertNVGPUToNVVMPass());
  kernels.addPass(createKeepTensorMaps());
  ConvertGpuOpsToNVVMOpsOptions conversion;
  conversion.useBarePtrCallConv = true;
  kernels.addPass(createConvertGpuOpsToNVVMOps(conversion));
  kernels.addPass(createPassTensorMaps());
  kernels.addPass(createExternalizeSharedMemory());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

void mirage::buildGPUToPTXPipeline(OpPassManager &pm,
                                   const GPUToNVVMOptions &options) {
  buildGPUToNVVMPipeline(pm, options);
  // What LLVM has no intrinsic for, wgmma above all, is inline assembly.
  pm.nest<gpu::GPUModuleOp>().addPass(createConvertNVVMToLLVMPass());
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = "isa";
  pm.addPass(createGpuModuleToBinaryPass(binary));
}

void mirage::buildGPUToHostPipeline(OpPassManager &pm, bool traceAccesses) {
  // Whose ops are all that are emulated.
  GPUToNVVMOptions newest;
  newest.chip = "sm_90a";
  buildGPUToNVVMPipeline(pm, newest);
  ConvertNVVMToHostOptions options;
  options.traceAccesses = traceAccesses;
  pm.addPass(createConvertNVVMToHost(options));
}

void mirage::registerGPULoweringPipelines() {
  PassPipelineRegistration<GPUToNVVMOptions>(
      "mirage-gpu-to-nvvm", "Lower gpu.modules to the LLVM and NVVM dialects",
      buildGPUToNVVMPipeline);
  PassPipelineRegistration<GPUToNVVMOptions>(
      "mirage-gpu-to-ptx", "Compile gpu.modules to PTX", buildGPUToPTXPipeline);
  PassPipelineRegistration<>(
      "mirage-gpu-to-host", "Lower kernels to LLVM functions for the host",
      [](OpPassManager &pm) { buildGPUToHostPipeline(pm); });
}

void mirage::registerGPULoweringInterfaces(DialectRegistry &registry) {
  // convert-gpu-to-nvvm leaves alone, without a word, what has no such
  // interface.
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

llvm::Expected<std::string> mirage::emitPTX(ModuleOp module, StringRef chip) {
  DialectRegistry registry;
  registerGPULoweringInterfaces(registry);
  module.getContext()->appendDialectRegistry(registry);

  GPUToNVVMOptions options;
  options.chip = chip.str();
  PassManager pm(module.getContext());
  buildGPUToPTXPipeline(pm, options);
  OwningOpRef<ModuleOp> clone = module.clone();
  if (failed(pm.run(*clone)))
    return llvm::createStringError("compiling the kernels to PTX failed");

  auto binaries = clone->getOps<gpu::BinaryOp>();
  if (!llvm::hasSingleElement(binaries))
    return llvm::createStringError("expected one gpu.module to compile to PTX");
  return cast<gpu::ObjectAttr>((*binaries.begin()).getObjects()[0])
      .getObject()
      .getValue()
      .str();
}
