//===- GPULowering.h - From the gpu dialect to PTX or host ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PIPELINES_GPULOWERING_H
#define MIRAGE_PIPELINES_GPULOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir {
class DialectRegistry;
}

namespace mirage {

/// Options of the pipelines that compile for a GPU.
struct GPUToNVVMOptions : mlir::PassPipelineOptions<GPUToNVVMOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The chip, such as sm_80; empty: the module's "
                     "(`mirage.target`), or sm_90a"),
      llvm::cl::init("")};
};

/// Lowers the contents of all gpu.modules (gpu, scf, memref, arith, math) to
/// the LLVM and NVVM dialects, for a chip. Memref arguments of kernels become
/// bare pointers, so they need static shapes and identity layouts. Registered
/// as `mirage-gpu-to-nvvm`.
void buildGPUToNVVMPipeline(mlir::OpPassManager &pm,
                            const GPUToNVVMOptions &options);

/// The pipeline above, and then PTX: each gpu.module becomes a gpu.binary with
/// the PTX as its object. Needs neither the CUDA toolkit nor a driver.
/// Registered as `mirage-gpu-to-ptx`.
void buildGPUToPTXPipeline(mlir::OpPassManager &pm,
                           const GPUToNVVMOptions &options);

/// The pipeline to NVVM, and then functions for the host (see
/// convert-nvvm-to-host), with traced memory accesses or without. Registered as
/// `mirage-gpu-to-host`.
void buildGPUToHostPipeline(mlir::OpPassManager &pm,
                            bool traceAccesses = false);

/// Registers the three pipelines by name.
void registerGPULoweringPipelines();

/// Adds the interface implementations that the pipelines need, from LLVM's
/// NVPTX target on.
void registerGPULoweringInterfaces(mlir::DialectRegistry &registry);

/// The PTX for `chip` of the one gpu.module in `module`, which stays as it is.
/// What is wrong with an op is reported as a diagnostic at the op, and the
/// error says that the lowering failed.
llvm::Expected<std::string> emitPTX(mlir::ModuleOp module,
                                    llvm::StringRef chip);

} // namespace mirage

#endif // MIRAGE_PIPELINES_GPULOWERING_H
