//===- Runtime.h - Compiles and runs modules in the gpu dialect -*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_RUNTIME_H
#define MIRAGE_RUNTIME_RUNTIME_H

#include "Mirage/Runtime/Array.h"
#include "Mirage/Runtime/Cuda.h"
#include "Mirage/Runtime/HostExecutable.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace mirage {

/// Lowers a copy of `module` (gpu.modules and a host function that launches
/// their kernels, see extractProgram), compiles it for the host and runs
/// `function` on `arguments`: the inputs, then arrays of the right shapes and
/// types that receive the outputs. What is wrong with the IR is reported as
/// diagnostics, too.
llvm::Error runOnHost(mlir::ModuleOp module, llvm::StringRef function,
                      llvm::MutableArrayRef<Array> arguments,
                      const HostOptions &options = {});

/// The same through PTX on an NVIDIA GPU. Outputs and temporaries are filled
/// with the byte 0xff (NaN) first. Fails when there is no driver, no such
/// device, or one older than compute capability 8.0.
llvm::Error runOnCuda(mlir::ModuleOp module, llvm::StringRef function,
                      llvm::MutableArrayRef<Array> arguments,
                      const CudaOptions &options = {});

} // namespace mirage

#endif // MIRAGE_RUNTIME_RUNTIME_H
