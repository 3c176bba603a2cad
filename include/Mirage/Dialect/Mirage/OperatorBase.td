//===- OperatorBase.td - Base classes of the operators at every level ----*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_OPERATORBASE_TD
#define MIRAGE_DIALECT_MIRAGE_OPERATORBASE_TD

include "Mirage/Dialect/Mirage/Interfaces.td"
include "Mirage/Dialect/Mirage/Types.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// What the levels share of an operator: its name, which is also that of its
/// C++ `Operator`, and its documentation.
class Mirage_Operator<string operatorName, string operatorSummary,
                      string operatorFormula> {
  string name = operatorName;
  string summary = operatorSummary;
  string formula = operatorFormula;
}

/// An op that stands for an operator. The shape of the result is inferred by
/// the operator and checked by the interface's verifier:
/// C1: the operands' shapes are what the operator accepts;
/// C2: the result's shape is the one that the operator infers.
/// Values are computed in f32 and rounded once, to the result's element type.
class Mirage_OperatorOp<Dialect dialect, Mirage_Operator operator,
                        list<Trait> traits = []>
    : Op<dialect, operator.name,
         !listconcat([Pure, OperatorOpInterface], traits)> {
  let summary = operator.summary;
  // Not indented, since the formula that it is appended to isn't.
  let description = operator.formula # [{

C1: the operands have shapes that the operator accepts. C2: the result has the
shape that they imply. Computed in f32, rounded to the element type of the
result.
  }];
  let extraClassDeclaration = [{
    static const ::mirage::Operator &getSemantics() {
      static const ::mirage::Operator &semantics =
          ::mirage::getOperator(}] # "\"" # operator.name # "\"" # [{);
      return semantics;
    }
  }];
}

class Mirage_UnaryOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$input);
  let results = (outs tensor:$result);
  let assemblyFormat =
      "$input attr-dict `:` functional-type(operands, results)";
}

class Mirage_BinaryOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$lhs, tensor:$rhs);
  let results = (outs tensor:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

class Mirage_SumOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$input, I64Attr:$dim);
  let results = (outs tensor:$result);
  let assemblyFormat =
      "$input `dim` $dim attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// The operators (paper, Table 1)
//===----------------------------------------------------------------------===//

def Mirage_Matmul : Mirage_Operator<"matmul", "Matrix product, batched",
  "`r[.., i, j] = sum over k of lhs[.., i, k] * rhs[.., k, j]`. Ranks are equal and at least 2; the dimensions before the last two are equal.">;
def Mirage_Sum : Mirage_Operator<"sum", "Sum over one dimension, kept with size 1",
  "`r[.., 0, ..] = sum over k of input[.., k, ..]`, where k runs over dimension `dim`.">;
def Mirage_Add : Mirage_Operator<"add", "Elementwise sum",
  "`r = lhs + rhs`. Shapes are aligned at their last dimensions; a missing dimension or one of size 1 is repeated.">;
def Mirage_Sub : Mirage_Operator<"sub", "Elementwise difference",
  "`r = lhs - rhs`, broadcast like `add`.">;
def Mirage_Mul : Mirage_Operator<"mul", "Elementwise product",
  "`r = lhs * rhs`, broadcast like `add`.">;
def Mirage_Div : Mirage_Operator<"div", "Elementwise quotient",
  "`r = lhs / rhs`, broadcast like `add`.">;
def Mirage_Sqr : Mirage_Operator<"sqr", "Elementwise square",
  "`r = input * input`.">;
def Mirage_Sqrt : Mirage_Operator<"sqrt", "Elementwise square root",
  "`r = sqrt(input)`.">;
def Mirage_Exp : Mirage_Operator<"exp", "Elementwise exponential",
  "`r = exp(input)`.">;
def Mirage_Silu : Mirage_Operator<"silu", "Sigmoid linear unit",
  "`r = input / (1 + exp(-input))`.">;
def Mirage_Cast : Mirage_Operator<"cast", "Another element type",
  "`r = input`, rounded to the element type of the result. Over the reals it is the identity.">;
def Mirage_Reshape : Mirage_Operator<"reshape", "Another shape for the same elements",
  "`r` has the elements of `input` in row-major order, in the shape of its type.">;

#endif // MIRAGE_DIALECT_MIRAGE_OPERATORBASE_TD
