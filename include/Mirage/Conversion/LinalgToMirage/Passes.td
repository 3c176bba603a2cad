//===- Passes.td - Import of linalg programs ---------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_LINALGTOMIRAGE_PASSES_TD
#define MIRAGE_CONVERSION_LINALGTOMIRAGE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLinalgToMirage : Pass<"convert-linalg-to-mirage", "::mlir::func::FuncOp"> {
  let summary = "Turn linalg on tensors into a kernel graph";
  let description = [{
    Every linalg op of the function's body that Mirage has operators for becomes
    ops of the `mirage_kernel` dialect; numbers become `mirage.constant`. Bodies
    with several arithmetic ops are taken apart, reductions become `sum` or
    `matmul`, and casts are folded into the ops whose results they round.

    What can't be expressed stays as it is, with a remark that says why. The pass
    never fails. docs/Import.md has the rules.
  }];
  let dependentDialects = [
    "::mirage::MirageDialect", "::mirage::kernel::KernelDialect",
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::linalg::LinalgDialect"
  ];
}

#endif // MIRAGE_CONVERSION_LINALGTOMIRAGE_PASSES_TD
