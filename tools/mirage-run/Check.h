//===- Check.h - Results beside an evaluation in f64 ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGERUN_CHECK_H
#define MIRAGE_TOOLS_MIRAGERUN_CHECK_H

#include "Mirage/Runtime/Array.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <vector>

namespace mirage {

/// Evaluates a program in linalg in f64, and prints the errors of each output
/// beside it; false when one is too large, as OutputCheck has it. An error if
/// it can't be evaluated.
llvm::Expected<bool> checkOutputs(mlir::func::FuncOp program,
                                  llvm::ArrayRef<Array> inputs,
                                  llvm::ArrayRef<Array> outputs,
                                  std::optional<double> rtol,
                                  llvm::raw_ostream &out);

/// The same for the function `name` (if empty, the only one) of the file at
/// `path`, and the arguments of a compiled program: its inputs and its outputs.
/// An error if the function has others.
llvm::Expected<bool>
checkAgainstFile(llvm::StringRef path, llvm::StringRef name,
                 llvm::ArrayRef<Array> arguments, size_t numInputs,
                 std::optional<double> rtol, mlir::MLIRContext &context,
                 llvm::raw_ostream &out);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGERUN_CHECK_H
