//===- Passes.td - Kernels as functions for the host -------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_NVVMTOHOST_PASSES_TD
#define MIRAGE_CONVERSION_NVVMTOHOST_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertNVVMToHost : Pass<"convert-nvvm-to-host", "::mlir::ModuleOp"> {
  let summary = "Turn kernels in LLVM and NVVM dialects into host functions";
  let description = [{
    Moves what is in the `gpu.module`s to the top of the module (the kernel `@k`
    of the gpu.module `@m` becomes `@m__k`), drops the memory spaces of
    pointers, and replaces NVVM special registers, barriers, what a warp does
    or warpgroup does together (shuffles, ldmatrix, mma, wgmma), asynchronous and
    bulk copies, those by tensor maps, too, and the addresses of shared memory by
    calls into the emulation library (HostABI.h).
    Static shared variables get fixed offsets, dynamic shared memory follows
    them; the bytes that the static ones take are recorded in the module's
    attribute `mirage.static_shared_bytes`. Everything else in the module, that
    is the host functions that launch, is dropped: the runtime reads the
    launches from the module before this pass.

    With `trace-accesses` the library is called in front of each load and store
    of shared or device memory, so that it can check and count them, and in front
    of each op that uses what a wgmma has computed. Each op that
    becomes a call has a number; the module's attribute `mirage.ops` says which
    op it was, and where.

    An NVVM op, intrinsic or inline assembly that the host can't emulate is an
    error at the op.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"traceAccesses", "trace-accesses", "bool", "false",
           "Call the library in front of each load and store">,
  ];
}

#endif // MIRAGE_CONVERSION_NVVMTOHOST_PASSES_TD
