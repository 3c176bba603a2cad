//===- Passes.td - Passes around MLIR's gpu-to-nvvm ------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_GPUTOPTX_PASSES_TD
#define MIRAGE_CONVERSION_GPUTOPTX_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachNVVMTarget : Pass<"mirage-attach-nvvm-target", "::mlir::ModuleOp"> {
  let summary = "Set the chip that the module's kernels are compiled for";
  let description = [{
    Gives every `gpu.module` the NVVM target of `chip`, with the PTX version
    that the chip needs. (MLIR's own default PTX version is older than the chips
    that Mirage supports, and LLVM ends the process over it.) A chip that Mirage
    doesn't know is an error at the module, which says what chips there are.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"\"",
           "The chip, such as sm_80; empty: the module's (`mirage.target`), or "
           "sm_90a">,
  ];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def LowerDeviceMath
    : Pass<"mirage-lower-device-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower math ops in kernels without a device library";
  let description = [{
    MLIR's gpu-to-nvvm conversion turns math ops into calls of CUDA's device
    library, which is not always there and slower than what a kernel needs. This
    pass uses LLVM intrinsics instead: `exp2` of f32 is `ex2.approx.ftz` in PTX
    (relative error about 2^-22), `exp` goes through it, `rsqrt` of f32, and one
    over a `sqrt`, is `rsqrt.approx`, `sqrt` of f32 is `sqrt.approx` (2^-23), and
    a quotient of f32 is `div.full` (two last places), or a product where the
    divisor is a constant. `absf` and `fma` are exact. `log`, `log2` and `erf`
    are MLIR's polynomial approximations. Math ops on f16 and bf16 are computed
    in f32. Any other math op is an error at the op.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect"];
}

def ExternalizeSharedMemory
    : Pass<"mirage-externalize-shared-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Make dynamic shared memory an external, aligned array";
  let description = [{
    MLIR lowers `gpu.dynamic_shared_memory` to an internal array of size zero,
    which PTX allocates as a static variable that overlaps with others. CUDA's
    convention is an external array (`.extern .shared` in PTX), which starts
    behind the static variables. It is aligned to 1024 bytes, which 128-byte
    swizzles need.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def KeepTensorMaps
    : Pass<"mirage-keep-tensor-maps", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Write down which arguments of kernels are tensor maps";
  let description = [{
    MLIR's gpu-to-nvvm conversion drops attributes of a kernel's arguments. This
    pass, which runs before, checks each `mirage.tensor_map` and lists them in
    an attribute of the kernel, `mirage.tensor_maps`: an array with a tensor map
    or a unit for each argument. `mirage-pass-tensor-maps` runs behind.
  }];
}

def PassTensorMaps
    : Pass<"mirage-pass-tensor-maps", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Pass tensor maps to kernels by value";
  let description = [{
    An argument that is a tensor map (see `mirage-keep-tensor-maps`) becomes 128
    bytes in the kernel's parameters, aligned to 128 and not written to, as the
    TMA wants them (`.param .align 128 .b8 [128]` in PTX; `__grid_constant__` in
    CUDA). The kernel uses it by its address, a generic pointer.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // MIRAGE_CONVERSION_GPUTOPTX_PASSES_TD
