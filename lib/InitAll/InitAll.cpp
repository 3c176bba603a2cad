//===- InitAll.cpp - Registers what the tools use -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/InitAll.h"
#include "Mirage/Conversion/GPUToPTX/Passes.h"
#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/Conversion/MirageToGPU/Passes.h"
#include "Mirage/Conversion/NVVMToHost/Passes.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Dialect/Thread/Thread.h"
#include "Mirage/Pipelines/GPULowering.h"
#include "Mirage/Pipelines/MiragePipeline.h"
#include "Mirage/Pipelines/TosaToMirage.h"
#include "Mirage/Select/Passes.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mirage::registerAllDialects(DialectRegistry &registry) {
  registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                  thread::ThreadDialect>();
  registry.insert<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                  linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, nvgpu::NVGPUDialect, NVVM::NVVMDialect,
                  scf::SCFDialect, tensor::TensorDialect, tosa::TosaDialect,
                  vector::VectorDialect>();
  // What programs are between that are only a part of what others compile.
  registry.insert<affine::AffineDialect, bufferization::BufferizationDialect,
                  cf::ControlFlowDialect, ml_program::MLProgramDialect>();
  func::registerInlinerExtension(registry);
  registerGPULoweringInterfaces(registry);
}

void mirage::registerAllPasses() {
  // What one wants between our passes.
  registerCanonicalizerPass();
  registerCSEPass();
  registerInlinerPass();

  registerLinalgToMiragePasses();
  registerMirageTransformsPasses();
  registerMirageToGPUPasses();
  registerGPUToPTXPasses();
  registerNVVMToHostPasses();
  registerGPULoweringPipelines();
  registerMirageSelectPasses();
  registerMiragePipeline();
  registerTosaToMiragePipeline();
}
