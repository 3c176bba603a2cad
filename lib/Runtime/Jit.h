//===- Jit.h - Compiles LLVM-dialect modules for the host -------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_JIT_H
#define MIRAGE_LIB_RUNTIME_JIT_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <utility>

namespace mirage {

/// Compiles a module of LLVM dialect with full optimization for this processor,
/// or for an older one named `cpu` ("x86-64") when that isn't empty. Calls of
/// the functions in `symbols` reach the given addresses. Conversions to and
/// from 16-bit floats work on every processor.
llvm::Expected<std::unique_ptr<mlir::ExecutionEngine>>
compileForHost(mlir::ModuleOp module, llvm::StringRef cpu,
               llvm::ArrayRef<std::pair<llvm::StringRef, void *>> symbols);

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_JIT_H
