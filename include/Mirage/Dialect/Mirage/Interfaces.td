//===- Interfaces.td - What an operator is asked -----------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_INTERFACES_TD
#define MIRAGE_DIALECT_MIRAGE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def OperatorOpInterface : OpInterface<"OperatorOpInterface"> {
  let cppNamespace = "::mirage";
  let description = [{
    An operator of a μGraph, at any level. What it means (shape, value over every
    number system, abstract expression, linearity, cost, thread code) is answered
    by its `Operator`, one object for all levels: see
    `Mirage/Operators/Operator.h`. Engines ask that object and never look at the
    kind of an op.
  }];
  let methods = [
    StaticInterfaceMethod<"The meaning of this kind of op.",
                          "const ::mirage::Operator &", "getSemantics">,
    InterfaceMethod<"The parameters that the meaning depends on.",
                    "::mirage::Params", "getParams", (ins), "",
                    [{ return $_op.getSemantics().readParams($_op); }]>,
  ];
  let verify = [{
    return ::mirage::detail::verifyOperator(
        $_op, ::llvm::cast<ConcreteOp>($_op).getSemantics());
  }];
}

def BlockGraphOpInterface : OpInterface<"BlockGraphOpInterface"> {
  let cppNamespace = "::mirage";
  let description = [{
    An op whose region is a block graph. Through it the ops of the block dialect
    learn the grid that they run on.
  }];
  let methods = [
    InterfaceMethod<"The grid of thread blocks.", "::mirage::GridAttr",
                    "getGrid">,
  ];
}

def Mirage_MadeWhereRead : NativeOpTrait<"MadeWhereRead"> {
  let cppNamespace = "::mirage";
}

def ScratchOpInterface : OpInterface<"ScratchOpInterface"> {
  let cppNamespace = "::mirage";
  let description = [{
    An op of a block graph that keeps tiles in shared memory besides its results.
  }];
  let methods = [
    InterfaceMethod<"The types of these tiles.",
                    "::llvm::SmallVector<::mirage::TileType>",
                    "getScratchTypes">,
    InterfaceMethod<[{
      The tiles that iterations of a loop add up, each with whether what they
      have added is rescaled; of an op that may not have been verified.
    }], "::llvm::SmallVector<std::pair<::mlir::Value, bool>>", "getSums">,
  ];
}

#endif // MIRAGE_DIALECT_MIRAGE_INTERFACES_TD
