//===- Passes.h - Import of linalg programs ---------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_LINALGTOMIRAGE_PASSES_H
#define MIRAGE_CONVERSION_LINALGTOMIRAGE_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mirage {

/// Turns the linalg ops of a function's body into kernel-level operators, op by
/// op, and simplifies the graph. An op that can't be expressed stays and gets a
/// remark with the reason. The dialects `mirage` and `mirage_kernel` must be
/// loaded. Not a set of patterns because each op is to be tried, and remarked
/// on, once.
void importLinalg(mlir::func::FuncOp function);

/// Patterns that keep a kernel graph as small as the program it came from:
/// casts are folded into the op whose result they round (only where it has no
/// other use and is f32, so that nothing is rounded twice), reshapes are
/// folded, `x * x` becomes `sqr`, `x * (1 / y)` becomes `div`, and the formula
/// of silu becomes `silu`.
void populateSimplifyKernelGraphPatterns(mlir::RewritePatternSet &patterns);

#define GEN_PASS_DECL
#include "Mirage/Conversion/LinalgToMirage/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Mirage/Conversion/LinalgToMirage/Passes.h.inc"

} // namespace mirage

#endif // MIRAGE_CONVERSION_LINALGTOMIRAGE_PASSES_H
