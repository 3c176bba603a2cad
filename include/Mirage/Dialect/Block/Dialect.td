//===- Dialect.td - The block dialect ----------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_BLOCK_DIALECT_TD
#define MIRAGE_DIALECT_BLOCK_DIALECT_TD

include "mlir/IR/OpBase.td"

def Block_Dialect : Dialect {
  let name = "mirage_block";
  let cppNamespace = "::mirage::block";
  let summary = "Operators on tiles in shared memory";
  let description = [{
    The body of a graph-defined kernel: what one thread block does. Input iterators bring tiles in, accumulators collect over the iterations of a loop, output savers write tiles back.
  }];
  let dependentDialects = ["::mirage::MirageDialect"];
}

#endif // MIRAGE_DIALECT_BLOCK_DIALECT_TD
