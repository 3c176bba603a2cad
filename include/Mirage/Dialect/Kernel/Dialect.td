//===- Dialect.td - The kernel dialect ---------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_KERNEL_DIALECT_TD
#define MIRAGE_DIALECT_KERNEL_DIALECT_TD

include "mlir/IR/OpBase.td"

def Kernel_Dialect : Dialect {
  let name = "mirage_kernel";
  let cppNamespace = "::mirage::kernel";
  let summary = "Operators on whole tensors in device memory";
  let description = [{
    A function's body at this level is the kernel graph of a μGraph: every op is one kernel on the whole GPU, either pre-defined (`matmul`, ...) or defined by a block graph (`graph_defined`).
  }];
  let dependentDialects = ["::mirage::MirageDialect"];
}

#endif // MIRAGE_DIALECT_KERNEL_DIALECT_TD
