//===- ProgramFunctions.h - Functions that programs are in ------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_PROGRAMFUNCTIONS_H
#define MIRAGE_LIB_TRANSFORMS_PROGRAMFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mirage {

/// The functions of a module that something may take the place of: those with a
/// body that have no `mirage.reference`, and that no other is verified against.
llvm::SmallVector<mlir::func::FuncOp>
findProgramFunctions(mlir::ModuleOp module);

/// Whether it is an operator of the kernel dialect: it has no effects.
bool isKernelOperator(mlir::Operation &op);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_PROGRAMFUNCTIONS_H
