//===- Passes.td - From μGraphs to the gpu dialect ---------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_MIRAGETOGPU_PASSES_TD
#define MIRAGE_CONVERSION_MIRAGETOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertMirageToGPU : Pass<"convert-mirage-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Lower μGraphs to kernels and functions that launch them";
  let description = [{
    A function whose body is a kernel graph takes memrefs afterwards, its inputs
    and then its results (`mirage.num_results` says how many), and launches one
    kernel of `gpu.module @mirage_kernels` for each `mirage_kernel.graph_defined`,
    and for each operator without a block graph. (Where something has that name
    already the module is called `@mirage_kernels_0`, or so.) Tensors between
    kernels are allocated and freed by it. A `reshape` is no kernel: the two tensors share a
    buffer. docs/Lowering.md says what the kernels look like.

    A call to such a function from another (`mirage-outline-programs`) stays one
    between tensors: what it passes becomes buffers by `bufferization.to_buffer`,
    and its results are those of buffers that are allocated, by
    `bufferization.to_tensor`, which the bufferization of the caller resolves.

    A function's `mirage.reference` attribute is dropped, and with it the private
    function that it names when nothing else uses that one.

    Graph-defined kernels are lowered in functions with a `mirage.verdict` of
    this body only (docs/Verification.md), unless `mirage-schedule-kernels` has
    made them.

    Errors: a target that isn't known, a number of threads that isn't a multiple
    of 32 from 32 to 1024, an op that can't be lowered in a function with μGraphs,
    tiles that take more shared memory than a block of the target has.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "The GPU whose shared memory the tiles must fit; empty: the "
           "module's (`mirage.target`), or sm_90a">,
    Option<"threads", "threads", "int64_t", "128",
           "Threads of a block: a multiple of 32, from 32 to 1024">,
    Option<"strict", "strict", "bool", "false",
           "Whether a public function without μGraphs, or calls to such with "
           "them, is an error">,
    Option<"allowUnverified", "allow-unverified", "bool", "false",
           "Whether to lower graph-defined kernels of functions without a "
           "'mirage.verdict' of their body that says proved or accepted">,
  ];
  let dependentDialects = ["::mirage::MirageDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::nvgpu::NVGPUDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // MIRAGE_CONVERSION_MIRAGETOGPU_PASSES_TD
