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
  let hasCanonicalizeMethod = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::canonicalize($cppClass op,
                                                  ::mlir::PatternRewriter &rewriter) {
      return ::mirage::detail::simplifyOperator(op, rewriter);
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
  let arguments = (ins tensor:$input, I64Attr:$dim, OptionalAttr<I64Attr>:$size);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $input `dim` $dim (`size` $size^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input,
                                 "int64_t":$dim), [{
    build($_builder, $_state, result, input, $_builder.getI64IntegerAttr(dim),
          ::mlir::IntegerAttr());
  }]>];
}

/// An op on one tensor and a dimension of it.
class Mirage_DimOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$input, I64Attr:$dim);
  let results = (outs tensor:$result);
  let assemblyFormat =
      "$input `dim` $dim attr-dict `:` functional-type(operands, results)";
}

class Mirage_RepeatOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$input, I64Attr:$dim, I64Attr:$times);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $input `dim` $dim `times` $times attr-dict
    `:` functional-type(operands, results)
  }];
}

class Mirage_ConcatOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$lhs, tensor:$rhs, I64Attr:$dim);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `dim` $dim attr-dict `:` functional-type(operands, results)
  }];
}

class Mirage_SliceOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$input, I64Attr:$dim, I64Attr:$offset, I64Attr:$size);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $input `dim` $dim `offset` $offset `size` $size attr-dict
    `:` functional-type(operands, results)
  }];
}

class Mirage_TransposeOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $input `permutation` $permutation attr-dict
    `:` functional-type(operands, results)
  }];
}

class Mirage_ConcatMatmulOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$w, tensor:$x, tensor:$y, tensor:$z);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $w `,` $x `,` $y `,` $z attr-dict `:` functional-type(operands, results)
  }];
}

class Mirage_Conv2DOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$image, tensor:$filter,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $image `,` $filter `strides` $strides `padding` $padding attr-dict
    `:` functional-type(operands, results)
  }];
}

/// A finite number that an operator is parameterized by.
def Mirage_FiniteNumber
    : ConfinedAttr<F64Attr, [AttrConstraint<
          CPred<"::llvm::cast<::mlir::FloatAttr>($_self).getValue().isFinite()">,
          "that is finite">]>;

class Mirage_ClampOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$input, Mirage_FiniteNumber:$lower,
                       Mirage_FiniteNumber:$upper);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $input `from` $lower `to` $upper attr-dict
    `:` functional-type(operands, results)
  }];
}

class Mirage_PowOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins tensor:$input, Mirage_FiniteNumber:$exponent);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $input `to` $exponent attr-dict `:` functional-type(operands, results)
  }];
}

def Mirage_FunctionName
    : ConfinedAttr<StrAttr, [AttrConstraint<
          CPred<"::mirage::isFunctionName(::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
          "that is an identifier and names no built-in operator">]>;

class Mirage_CustomOp<Dialect dialect, Mirage_Operator operator, Type tensor>
    : Mirage_OperatorOp<dialect, operator> {
  let arguments = (ins Mirage_FunctionName:$function, tensor:$input,
                       Variadic<tensor>:$others);
  let results = (outs tensor:$result);
  let assemblyFormat = [{
    $function `(` $input (`,` $others^)? `)` attr-dict
    `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// The operators (paper, Table 1)
//===----------------------------------------------------------------------===//

def Mirage_Matmul : Mirage_Operator<"matmul", "Matrix product, batched",
  "`r[.., i, j] = sum over k of lhs[.., i, k] * rhs[.., k, j]`. Ranks are equal and at least 2; of the dimensions before the last two, one of size 1 is repeated.">;
def Mirage_MatmulTransposed : Mirage_Operator<"matmul_transposed", "Matrix product with a transposed operand, batched",
  "`r[.., i, j] = sum over k of lhs[.., i, k] * rhs[.., j, k]`: a linear layer, with its weights as they are stored. In kernel graphs only, for libraries; a block graph transposes the tile, which takes nothing. Shapes as for `matmul`.">;
def Mirage_MatmulTransposedLhs : Mirage_Operator<"matmul_transposed_lhs", "Matrix product with a transposed first operand, batched",
  "`r[.., i, j] = sum over k of lhs[.., k, i] * rhs[.., k, j]`: the gradient of a linear layer's weights, or a covariance, of rows as they are stored. In kernel graphs only, for libraries; a block graph transposes the tile, which takes nothing. Shapes as for `matmul`.">;
def Mirage_ConcatMatmul : Mirage_Operator<"concat_matmul", "Two matrix products, added up",
  "`r = (w || x) (y || z)`, that is `w y + x z`: the product of w and x side by side with y on top of z (the LoRA operator of the paper). Shapes as for `matmul`.">;
def Mirage_Conv2D : Mirage_Operator<"conv_2d", "Two-dimensional convolution",
  "`r[n, h, w, f] = sum over i, j, c of image[n, h * s0 + i - top, w * s1 + j - left, c] * filter[i, j, c, f]`; outside of the image it is 0. `strides` is [s0, s1], `padding` is [top, bottom, left, right]; the image is NHWC, the filter HWCF.">;
def Mirage_Sum : Mirage_Operator<"sum", "Sum over one dimension, or over groups of its elements",
  "`r[.., j, ..] = sum over k < size of input[.., j * size + k, ..]` along dimension `dim`. Without a `size` it is the whole dimension, which is kept with size 1.">;
def Mirage_ReduceMax : Mirage_Operator<"reduce_max", "Maximum over one dimension, kept with size 1",
  "`r[.., 0, ..] = max over k of input[.., k, ..]`, where k runs over dimension `dim`.">;
def Mirage_Add : Mirage_Operator<"add", "Elementwise sum",
  "`r = lhs + rhs`. Shapes are aligned at their last dimensions; a missing dimension or one of size 1 is repeated.">;
def Mirage_Sub : Mirage_Operator<"sub", "Elementwise difference",
  "`r = lhs - rhs`, broadcast like `add`.">;
def Mirage_Mul : Mirage_Operator<"mul", "Elementwise product",
  "`r = lhs * rhs`, broadcast like `add`.">;
def Mirage_Div : Mirage_Operator<"div", "Elementwise quotient",
  "`r = lhs / rhs`, broadcast like `add`.">;
def Mirage_Max : Mirage_Operator<"max", "Elementwise maximum",
  "`r = max(lhs, rhs)`, broadcast like `add`.">;
def Mirage_Min : Mirage_Operator<"min", "Elementwise minimum",
  "`r = min(lhs, rhs)`, broadcast like `add`.">;
def Mirage_Greater : Mirage_Operator<"greater", "Elementwise comparison",
  "`r = 1` where `lhs > rhs`, and 0 elsewhere, broadcast like `add`.">;
def Mirage_Where : Mirage_Operator<"where", "Elements for which a condition holds",
  "`r = rhs` where `lhs > 0`, and 0 elsewhere, whatever `rhs` is there, broadcast like `add`.">;
def Mirage_Neg : Mirage_Operator<"neg", "Elementwise negation",
  "`r = -input`.">;
def Mirage_Sqr : Mirage_Operator<"sqr", "Elementwise square",
  "`r = input * input`.">;
def Mirage_Sqrt : Mirage_Operator<"sqrt", "Elementwise square root",
  "`r = sqrt(input)`.">;
def Mirage_Rsqrt : Mirage_Operator<"rsqrt", "Elementwise reciprocal square root",
  "`r = 1 / sqrt(input)`.">;
def Mirage_Exp : Mirage_Operator<"exp", "Elementwise exponential",
  "`r = exp(input)`.">;
def Mirage_Log : Mirage_Operator<"log", "Elementwise natural logarithm",
  "`r = log(input)`.">;
def Mirage_Erf : Mirage_Operator<"erf", "Elementwise error function",
  "`r = erf(input)`.">;
def Mirage_Relu : Mirage_Operator<"relu", "Rectified linear unit",
  "`r = max(input, 0)`.">;
def Mirage_Sigmoid : Mirage_Operator<"sigmoid", "Logistic function",
  "`r = 1 / (1 + exp(-input))`.">;
def Mirage_Silu : Mirage_Operator<"silu", "Sigmoid linear unit",
  "`r = input / (1 + exp(-input))`.">;
def Mirage_Tanh : Mirage_Operator<"tanh", "Hyperbolic tangent",
  "`r = 2 / (1 + exp(-2 input)) - 1`.">;
def Mirage_Gelu : Mirage_Operator<"gelu", "Gaussian error linear unit",
  "`r = input / 2 * (1 + erf(input / sqrt(2)))`.">;
def Mirage_Clamp : Mirage_Operator<"clamp", "Between two bounds",
  "`r = min(max(input, lower), upper)`.">;
def Mirage_Pow : Mirage_Operator<"pow", "A constant power",
  "`r = input ^ exponent`: products and square roots where four times the exponent is an integer up to 4096, and `exp(exponent * log(input))`, for positive inputs only, elsewhere.">;
def Mirage_Custom : Mirage_Operator<"custom", "A function that only the user knows",
  "`r = function(input, others..)`, elementwise, broadcast like `add`. Nothing is known of the function but what a file of axioms says (docs/Axioms.md): it can be verified, and not be lowered.">;
def Mirage_Cast : Mirage_Operator<"cast", "Another element type",
  "`r = input`, rounded to the element type of the result. Over the reals it is the identity.">;
def Mirage_Reshape : Mirage_Operator<"reshape", "Another shape for the same elements",
  "`r` has the elements of `input` in row-major order, in the shape of its type.">;

def Mirage_Transpose : Mirage_Operator<"transpose", "Dimensions in another order",
  "Dimension d of `r` is dimension `permutation[d]` of `input`.">;
def Mirage_Broadcast : Mirage_Operator<"broadcast", "A larger shape, elements repeated",
  "`r` has the shape of its type, which `input` broadcasts to like an operand of `add`.">;
def Mirage_Repeat : Mirage_Operator<"repeat", "Copies one after the other along a dimension",
  "`r[.., i, ..] = input[.., i mod n, ..]` along dimension `dim` of n elements, which becomes `times` as large.">;
def Mirage_Concat : Mirage_Operator<"concat", "Two tensors one after the other along a dimension",
  "`r` has the elements of `lhs`, then those of `rhs`, along dimension `dim`; other dimensions are equal.">;
def Mirage_Slice : Mirage_Operator<"slice", "A part of a tensor along a dimension",
  "`r[.., i, ..] = input[.., offset + i, ..]` along dimension `dim`, of `size` elements.">;

#endif // MIRAGE_DIALECT_MIRAGE_OPERATORBASE_TD
