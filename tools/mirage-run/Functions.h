//===- Functions.h - Functions that are run ---------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGERUN_FUNCTIONS_H
#define MIRAGE_TOOLS_MIRAGERUN_FUNCTIONS_H

#include "Mirage/Runtime/Array.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace mirage {

/// The function to run, the only public one if there is no name; an error when
/// it isn't clear which.
llvm::Expected<mlir::func::FuncOp> findFunction(mlir::ModuleOp module,
                                                llvm::StringRef name);

/// An array of more bytes is refused: it would hardly fit in memory.
inline constexpr int64_t kMaxArrayBytes = int64_t(1) << 34;

/// What a function takes or gives, by `types`: the shapes and element types.
/// Errors say `what` (and the index) is none that can be run.
llvm::Expected<std::vector<Array>> makeArrays(mlir::TypeRange types,
                                              llvm::StringRef what);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGERUN_FUNCTIONS_H
