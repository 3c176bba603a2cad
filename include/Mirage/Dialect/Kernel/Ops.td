//===- Ops.td - Ops of the kernel dialect ------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_KERNEL_OPS_TD
#define MIRAGE_DIALECT_KERNEL_OPS_TD

include "Mirage/Dialect/Kernel/Dialect.td"
include "Mirage/Dialect/Mirage/Attributes.td"
include "Mirage/Dialect/Mirage/OperatorBase.td"

//===----------------------------------------------------------------------===//
// Pre-defined operators
//===----------------------------------------------------------------------===//

def Kernel_MatmulOp : Mirage_BinaryOp<Kernel_Dialect, Mirage_Matmul, Mirage_Tensor>;
def Kernel_MatmulTransposedOp : Mirage_BinaryOp<Kernel_Dialect, Mirage_MatmulTransposed, Mirage_Tensor>;
def Kernel_MatmulTransposedLhsOp : Mirage_BinaryOp<Kernel_Dialect, Mirage_MatmulTransposedLhs, Mirage_Tensor>;
def Kernel_ConcatMatmulOp : Mirage_ConcatMatmulOp<Kernel_Dialect, Mirage_ConcatMatmul, Mirage_Tensor>;
def Kernel_Conv2DOp : Mirage_Conv2DOp<Kernel_Dialect, Mirage_Conv2D, Mirage_Tensor>;
def Kernel_SumOp : Mirage_SumOp<Kernel_Dialect, Mirage_Sum, Mirage_Tensor>;
def Kernel_ReduceMaxOp : Mirage_DimOp<Kernel_Dialect, Mirage_ReduceMax, Mirage_Tensor>;
def Kernel_AddOp : Mirage_BinaryOp<Kernel_Dialect, Mirage_Add, Mirage_Tensor>;
def Kernel_SubOp : Mirage_BinaryOp<Kernel_Dialect, Mirage_Sub, Mirage_Tensor>;
def Kernel_MulOp : Mirage_BinaryOp<Kernel_Dialect, Mirage_Mul, Mirage_Tensor>;
def Kernel_DivOp : Mirage_BinaryOp<Kernel_Dialect, Mirage_Div, Mirage_Tensor>;
def Kernel_MaxOp : Mirage_BinaryOp<Kernel_Dialect, Mirage_Max, Mirage_Tensor>;
def Kernel_MinOp : Mirage_BinaryOp<Kernel_Dialect, Mirage_Min, Mirage_Tensor>;
def Kernel_GreaterOp : Mirage_BinaryOp<Kernel_Dialect, Mirage_Greater, Mirage_Tensor>;
def Kernel_WhereOp : Mirage_BinaryOp<Kernel_Dialect, Mirage_Where, Mirage_Tensor>;
def Kernel_NegOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Neg, Mirage_Tensor>;
def Kernel_SqrOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Sqr, Mirage_Tensor>;
def Kernel_SqrtOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Sqrt, Mirage_Tensor>;
def Kernel_RsqrtOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Rsqrt, Mirage_Tensor>;
def Kernel_ExpOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Exp, Mirage_Tensor>;
def Kernel_LogOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Log, Mirage_Tensor>;
def Kernel_ErfOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Erf, Mirage_Tensor>;
def Kernel_ReluOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Relu, Mirage_Tensor>;
def Kernel_SigmoidOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Sigmoid, Mirage_Tensor>;
def Kernel_SiluOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Silu, Mirage_Tensor>;
def Kernel_TanhOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Tanh, Mirage_Tensor>;
def Kernel_GeluOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Gelu, Mirage_Tensor>;
def Kernel_CastOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Cast, Mirage_Tensor>;
def Kernel_ClampOp : Mirage_ClampOp<Kernel_Dialect, Mirage_Clamp, Mirage_Tensor>;
def Kernel_PowOp : Mirage_PowOp<Kernel_Dialect, Mirage_Pow, Mirage_Tensor>;
def Kernel_CustomOp : Mirage_CustomOp<Kernel_Dialect, Mirage_Custom, Mirage_Tensor>;
def Kernel_ReshapeOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Reshape, Mirage_Tensor>;
def Kernel_TransposeOp : Mirage_TransposeOp<Kernel_Dialect, Mirage_Transpose, Mirage_Tensor>;
def Kernel_BroadcastOp : Mirage_UnaryOp<Kernel_Dialect, Mirage_Broadcast, Mirage_Tensor>;
def Kernel_RepeatOp : Mirage_RepeatOp<Kernel_Dialect, Mirage_Repeat, Mirage_Tensor>;
def Kernel_ConcatOp : Mirage_ConcatOp<Kernel_Dialect, Mirage_Concat, Mirage_Tensor>;
def Kernel_SliceOp : Mirage_SliceOp<Kernel_Dialect, Mirage_Slice, Mirage_Tensor>;

//===----------------------------------------------------------------------===//
// Graph-defined operators
//===----------------------------------------------------------------------===//

def Kernel_GraphDefinedOp
    : Op<Kernel_Dialect, "graph_defined",
         [Pure, IsolatedFromAbove, SingleBlock, NoTerminator,
          DeclareOpInterfaceMethods<BlockGraphOpInterface>]> {
  let summary = "A kernel defined by a block graph";
  let description = [{
    The region is a block graph: what each thread block of the grid does. Its
    arguments are the kernel's input tensors; result i is what the i-th
    `mirage_block.output_saver` writes.

    ```mlir
    %z = mirage_kernel.graph_defined (%x, %w) grid <x = 2>
        : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16> {
    ^bb0(%X: tensor<16x64xf16>, %W: tensor<64x32xf16>):
      %sum = mirage_block.loop iterations 4 -> !mirage.tile<16x16xf32> {
        %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1>
            : tensor<16x64xf16> -> !mirage.tile<16x16xf16>
        %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0>
            : tensor<64x32xf16> -> !mirage.tile<16x16xf16>
        %p = mirage_block.matmul %xt, %wt
            : (!mirage.tile<16x16xf16>, !mirage.tile<16x16xf16>) -> !mirage.tile<16x16xf32>
        mirage_block.accumulate sum %p : !mirage.tile<16x16xf32>
      }
      mirage_block.output_saver %sum omap <x -> 1>
          : !mirage.tile<16x16xf32> -> tensor<16x32xf16>
    }
    ```

    C1: the region's arguments have the types of the operands. C2: as many
    output savers as results, of the same types in the same order. C3: the
    region holds ops of the block dialect and constants only. C4: what a grid
    dimension partitions that doesn't divide it (`mirage_block.input_iterator`)
    has one size, of all inputs and outputs, and the elements along it are
    treated one by one: nothing is reduced, moved or concatenated along it, nor
    meets what isn't partitioned so (sums of groups and repeats, along whichever
    dimension, count as such). Then tiles that overlap have the same
    elements there.
  }];
  let arguments = (ins Variadic<Mirage_Tensor>:$inputs, Mirage_GridAttr:$grid);
  let results = (outs Variadic<Mirage_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `grid` $grid attr-dict
    `:` functional-type($inputs, $outputs) $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The block graph.
    ::mlir::Block &getBlockGraph() { return getBody().front(); }
  }];
}

#endif // MIRAGE_DIALECT_KERNEL_OPS_TD
