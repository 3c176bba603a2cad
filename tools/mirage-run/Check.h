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

/// The outputs of a program in linalg or in kernels, computed as it is written:
/// in f32, rounded wherever it stores another type, operator by operator. What
/// the program itself loses. The module is not changed.
llvm::Expected<std::vector<Array>>
evaluateAsWritten(mlir::func::FuncOp function, llvm::ArrayRef<Array> inputs);

/// Prints the errors of each output beside `expected`; false when one is too
/// large: larger than `rtol` or, where that is not given, than 2e-3 (8e-3 in
/// bf16) and than one and a half times that of `getAsWritten`, which is called
/// if it is needed and may be null.
bool checkOutputs(
    llvm::ArrayRef<Array> outputs, llvm::ArrayRef<Array> expected,
    std::optional<double> rtol,
    llvm::function_ref<llvm::Expected<std::vector<Array>>()> getAsWritten,
    llvm::raw_ostream &out);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGERUN_CHECK_H
