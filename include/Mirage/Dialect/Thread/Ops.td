//===- Ops.td - Ops of the thread dialect ------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_THREAD_OPS_TD
#define MIRAGE_DIALECT_THREAD_OPS_TD

include "Mirage/Dialect/Mirage/OperatorBase.td"
include "Mirage/Dialect/Thread/Dialect.td"

def Thread_AddOp : Mirage_BinaryOp<Thread_Dialect, Mirage_Add, Mirage_Fragment>;
def Thread_SubOp : Mirage_BinaryOp<Thread_Dialect, Mirage_Sub, Mirage_Fragment>;
def Thread_MulOp : Mirage_BinaryOp<Thread_Dialect, Mirage_Mul, Mirage_Fragment>;
def Thread_DivOp : Mirage_BinaryOp<Thread_Dialect, Mirage_Div, Mirage_Fragment>;
def Thread_MaxOp : Mirage_BinaryOp<Thread_Dialect, Mirage_Max, Mirage_Fragment>;
def Thread_MinOp : Mirage_BinaryOp<Thread_Dialect, Mirage_Min, Mirage_Fragment>;
def Thread_GreaterOp : Mirage_BinaryOp<Thread_Dialect, Mirage_Greater, Mirage_Fragment>;
def Thread_WhereOp : Mirage_BinaryOp<Thread_Dialect, Mirage_Where, Mirage_Fragment>;
def Thread_NegOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Neg, Mirage_Fragment>;
def Thread_SqrOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Sqr, Mirage_Fragment>;
def Thread_SqrtOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Sqrt, Mirage_Fragment>;
def Thread_RsqrtOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Rsqrt, Mirage_Fragment>;
def Thread_ExpOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Exp, Mirage_Fragment>;
def Thread_LogOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Log, Mirage_Fragment>;
def Thread_ErfOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Erf, Mirage_Fragment>;
def Thread_ReluOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Relu, Mirage_Fragment>;
def Thread_SigmoidOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Sigmoid, Mirage_Fragment>;
def Thread_SiluOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Silu, Mirage_Fragment>;
def Thread_TanhOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Tanh, Mirage_Fragment>;
def Thread_GeluOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Gelu, Mirage_Fragment>;
def Thread_CastOp : Mirage_UnaryOp<Thread_Dialect, Mirage_Cast, Mirage_Fragment>;
def Thread_ClampOp : Mirage_ClampOp<Thread_Dialect, Mirage_Clamp, Mirage_Fragment>;
def Thread_PowOp : Mirage_PowOp<Thread_Dialect, Mirage_Pow, Mirage_Fragment>;
def Thread_CustomOp : Mirage_CustomOp<Thread_Dialect, Mirage_Custom, Mirage_Fragment>;

def Thread_YieldOp
    : Op<Thread_Dialect, "yield",
         [Pure, Terminator, HasParent<"::mirage::block::GraphDefinedOp">]> {
  let summary = "The results of a thread graph";
  let description = [{
    Ends the region of a `mirage_block.graph_defined`; operand i, rounded to the
    element type of result i, is stored as that tile.
  }];
  let arguments = (ins Variadic<Mirage_Fragment>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // MIRAGE_DIALECT_THREAD_OPS_TD
