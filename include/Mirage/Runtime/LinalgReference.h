//===- LinalgReference.h - What a linalg program means, in f64 --*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_LINALGREFERENCE_H
#define MIRAGE_RUNTIME_LINALGREFERENCE_H

#include "Mirage/Runtime/Array.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace mirage {

/// Evaluates `function` (linalg, tensor, arith and math on tensors of static
/// shape) on `inputs` with every float type replaced by f64: nothing is rounded
/// on the way but to f64, constants have the value that they have in their own
/// type. It goes through MLIR's bufferization and LLVM lowering, and shares no
/// code with Mirage's dialects, so it can judge what Mirage compiles.
///
/// `inputs` have the shapes of the arguments and any element type. The results
/// are f64 arrays. Neither the function nor its module is changed. What is
/// wrong with the IR is reported as diagnostics, too.
llvm::Expected<std::vector<Array>>
evaluateLinalgF64(mlir::func::FuncOp function, llvm::ArrayRef<Array> inputs);

} // namespace mirage

#endif // MIRAGE_RUNTIME_LINALGREFERENCE_H
