//===- Passes.h - Kernels as functions for the host -------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_NVVMTOHOST_PASSES_H
#define MIRAGE_CONVERSION_NVVMTOHOST_PASSES_H

#include "Mirage/Conversion/NVVMToHost/OpTable.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mirage {

/// Patterns from NVVM ops to calls of the emulation library, whose functions
/// are declared at the top of `module`. `ops` numbers the ops that are
/// replaced.
void populateNVVMToHostPatterns(mlir::ModuleOp module, OpTable &ops,
                                mlir::RewritePatternSet &patterns);

#define GEN_PASS_DECL
#include "Mirage/Conversion/NVVMToHost/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Mirage/Conversion/NVVMToHost/Passes.h.inc"

} // namespace mirage

#endif // MIRAGE_CONVERSION_NVVMTOHOST_PASSES_H
