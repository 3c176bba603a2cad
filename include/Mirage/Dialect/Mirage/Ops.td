//===- Ops.td - Ops of the base dialect --------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_OPS_TD
#define MIRAGE_DIALECT_MIRAGE_OPS_TD

include "Mirage/Dialect/Mirage/Attributes.td"
include "Mirage/Dialect/Mirage/Interfaces.td"
include "Mirage/Dialect/Mirage/Types.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Mirage_ConstantOp : Op<Mirage_Dialect, "constant", [Pure, Mirage_MadeWhereRead]> {
  let summary = "A number that a program was written with (an eps, a 1/n)";
  let description = [{
    Rank 0, so that it broadcasts against everything. Stands at every level: a
    tensor among kernels, a tile in a block graph, a fragment in a thread graph.
    It takes no memory: the lowering makes an immediate of it.

    ```mlir
    %eps = mirage.constant 1.0e-05 : tensor<f32>
    %n = mirage.constant 4.096e+03 : !mirage.tile<f32>
    ```

    C1: the type has rank 0. C2: the value is finite.
  }];
  let arguments = (ins F64Attr:$value);
  let results = (outs Mirage_AnyTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What kernels compute with: rounded to the element type, in f32.
    ::llvm::APFloat getRoundedValue();
  }];
}

#endif // MIRAGE_DIALECT_MIRAGE_OPS_TD
