//===- Ops.td - Ops of the block dialect -------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_BLOCK_OPS_TD
#define MIRAGE_DIALECT_BLOCK_OPS_TD

include "Mirage/Dialect/Block/Dialect.td"
include "Mirage/Dialect/Mirage/Attributes.td"
include "Mirage/Dialect/Mirage/OperatorBase.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Operators on tiles
//===----------------------------------------------------------------------===//

def Block_MatmulOp : Mirage_BinaryOp<Block_Dialect, Mirage_Matmul, Mirage_Tile>;
def Block_ConcatMatmulOp : Mirage_ConcatMatmulOp<Block_Dialect, Mirage_ConcatMatmul, Mirage_Tile>;
def Block_SumOp : Mirage_SumOp<Block_Dialect, Mirage_Sum, Mirage_Tile>;
def Block_ReduceMaxOp : Mirage_DimOp<Block_Dialect, Mirage_ReduceMax, Mirage_Tile>;
def Block_AddOp : Mirage_BinaryOp<Block_Dialect, Mirage_Add, Mirage_Tile>;
def Block_SubOp : Mirage_BinaryOp<Block_Dialect, Mirage_Sub, Mirage_Tile>;
def Block_MulOp : Mirage_BinaryOp<Block_Dialect, Mirage_Mul, Mirage_Tile>;
def Block_DivOp : Mirage_BinaryOp<Block_Dialect, Mirage_Div, Mirage_Tile>;
def Block_MaxOp : Mirage_BinaryOp<Block_Dialect, Mirage_Max, Mirage_Tile>;
def Block_MinOp : Mirage_BinaryOp<Block_Dialect, Mirage_Min, Mirage_Tile>;
def Block_GreaterOp : Mirage_BinaryOp<Block_Dialect, Mirage_Greater, Mirage_Tile>;
def Block_WhereOp : Mirage_BinaryOp<Block_Dialect, Mirage_Where, Mirage_Tile>;
def Block_NegOp : Mirage_UnaryOp<Block_Dialect, Mirage_Neg, Mirage_Tile>;
def Block_SqrOp : Mirage_UnaryOp<Block_Dialect, Mirage_Sqr, Mirage_Tile>;
def Block_SqrtOp : Mirage_UnaryOp<Block_Dialect, Mirage_Sqrt, Mirage_Tile>;
def Block_RsqrtOp : Mirage_UnaryOp<Block_Dialect, Mirage_Rsqrt, Mirage_Tile>;
def Block_ExpOp : Mirage_UnaryOp<Block_Dialect, Mirage_Exp, Mirage_Tile>;
def Block_LogOp : Mirage_UnaryOp<Block_Dialect, Mirage_Log, Mirage_Tile>;
def Block_ErfOp : Mirage_UnaryOp<Block_Dialect, Mirage_Erf, Mirage_Tile>;
def Block_ReluOp : Mirage_UnaryOp<Block_Dialect, Mirage_Relu, Mirage_Tile>;
def Block_SigmoidOp : Mirage_UnaryOp<Block_Dialect, Mirage_Sigmoid, Mirage_Tile>;
def Block_SiluOp : Mirage_UnaryOp<Block_Dialect, Mirage_Silu, Mirage_Tile>;
def Block_TanhOp : Mirage_UnaryOp<Block_Dialect, Mirage_Tanh, Mirage_Tile>;
def Block_GeluOp : Mirage_UnaryOp<Block_Dialect, Mirage_Gelu, Mirage_Tile>;
def Block_CastOp : Mirage_UnaryOp<Block_Dialect, Mirage_Cast, Mirage_Tile>;
def Block_ClampOp : Mirage_ClampOp<Block_Dialect, Mirage_Clamp, Mirage_Tile>;
def Block_PowOp : Mirage_PowOp<Block_Dialect, Mirage_Pow, Mirage_Tile>;
def Block_CustomOp : Mirage_CustomOp<Block_Dialect, Mirage_Custom, Mirage_Tile>;
def Block_ReshapeOp : Mirage_UnaryOp<Block_Dialect, Mirage_Reshape, Mirage_Tile>;
def Block_TransposeOp : Mirage_TransposeOp<Block_Dialect, Mirage_Transpose, Mirage_Tile>;
def Block_BroadcastOp : Mirage_UnaryOp<Block_Dialect, Mirage_Broadcast, Mirage_Tile>;
def Block_RepeatOp : Mirage_RepeatOp<Block_Dialect, Mirage_Repeat, Mirage_Tile>;
def Block_ConcatOp : Mirage_ConcatOp<Block_Dialect, Mirage_Concat, Mirage_Tile>;
def Block_SliceOp : Mirage_SliceOp<Block_Dialect, Mirage_Slice, Mirage_Tile>;

//===----------------------------------------------------------------------===//
// Tiles in and out
//===----------------------------------------------------------------------===//

def Block_InputIterator : Op<Block_Dialect, "input_iterator", [Pure]> {
  let summary = "A tile of an input tensor";
  let description = [{
    The part of a kernel tensor that a thread block works on (paper, section 2).
    `imap` gives for each grid dimension the data dimension that it partitions.
    In a loop, `fmap` gives the data dimension that the iterations partition;
    outside of one there is no `fmap`.

    A data dimension partitioned by a grid dimension and the loop is first cut
    by the grid, then by the loop.

    A grid dimension need not divide what it partitions: of 197 rows, 13 blocks
    have 16 each, and the last one's are the last 16, of which the block in front
    of it has 11, too. C4 of `mirage_kernel.graph_defined` makes sure that both
    compute the same of them. Nor need the loop: of 577 rows, the tenth of ten
    iterations has the last 64, of which 63 have been there before, and don't
    count again (C5 of `loop`).

    C1: the tensor is an argument of the enclosing graph_defined. C2: `imap` has
    an entry for each grid dimension. C3: a named data dimension exists. C4: no
    two grid dimensions partition the same data dimension. C5: grid dimensions
    divide what the loop partitions, too. Another grid dimension, of b blocks, or
    a loop of b iterations, that doesn't divide n elements leaves tiles of n / b, rounded up
    to a multiple of 16 if each then has elements that no other has, or else to a
    whole number if they have then. The tile has the shape that is left. C6:
    `fmap` stands exactly in loops. C7: the tile has the element type of the
    tensor.
  }];
  let arguments = (ins Mirage_Tensor:$tensor, Mirage_IMapAttr:$imap,
                       OptionalAttr<Mirage_FMapAttr>:$fmap);
  let results = (outs Mirage_Tile:$tile);
  let extraClassDeclaration = [{
    /// Of a data dimension, what the grid leaves to a block, all iterations of
    /// the loop together.
    int64_t getExtentOfBlock(int64_t dim);
  }];
  let assemblyFormat = [{
    $tensor `imap` $imap (`fmap` $fmap^)? attr-dict
    `:` type($tensor) `->` qualified(type($tile))
  }];
  let hasVerifier = 1;
}

def Block_OutputSaver
    : Op<Block_Dialect, "output_saver"> {
  let summary = "Writes a tile to its place in an output tensor";
  let description = [{
    `omap` gives for each grid dimension the data dimension along which the
    blocks' tiles are concatenated (paper, section 2). The tile is rounded to the
    element type of the tensor.

    C1: `omap` has an entry for each grid dimension. C2: none is `replica` (two
    blocks would write different values of one element), unless the grid has one
    block along it. C3: a named data dimension exists, and no two grid dimensions
    name the same. C4: the tensor is cut into tiles as by C5 of `input_iterator`.
    C5: it stands directly in a block graph, not in its loop.
  }];
  let arguments = (ins Mirage_Tile:$tile, Mirage_OMapAttr:$omap,
                       TypeAttrOf<Mirage_Tensor>:$type);
  let assemblyFormat =
      "$tile `omap` $omap attr-dict `:` qualified(type($tile)) `->` $type";
  let extraClassDeclaration = [{
    /// The tensor that it writes: a result of the op whose block graph this is.
    ::mlir::Value getTensor();
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

def Block_AccumulatorSum : I32EnumAttrCase<"Sum", 0, "sum">;
def Block_AccumulatorMax : I32EnumAttrCase<"Max", 1, "max">;
def Block_AccumulatorConcat : I32EnumAttrCase<"Concat", 2, "concat">;
def Block_AccumulatorRescaledSum : I32EnumAttrCase<"RescaledSum", 3, "rescaled_sum">;
def Block_AccumulatorKind
    : I32EnumAttr<"AccumulatorKind", "how an accumulator combines iterations",
                  [Block_AccumulatorSum, Block_AccumulatorMax,
                   Block_AccumulatorConcat, Block_AccumulatorRescaledSum]> {
  let cppNamespace = "::mirage::block";
}
def Block_AccumulatorKindArray
    : TypedArrayAttrBase<Block_AccumulatorKind, "kinds of accumulators">;

def Block_LoopOp
    : Op<Block_Dialect, "loop",
         [SingleBlockImplicitTerminator<"::mirage::block::AccumulateOp">,
          RecursivelySpeculatable, RecursiveMemoryEffects]> {
  let summary = "The for-loop of a block graph";
  let description = [{
    The body runs `iterations` times; the input iterators in it bring another
    tile each time, as their `fmap` says. Result i is what accumulator i of the
    terminator has collected. Values of the body are seen outside through an
    accumulator only, and none from outside but constants is seen in the body, so
    that every path from an input to an output that leads through a loop passes
    exactly one accumulator (validity, rule 3 of Definition 2.1).

    C1: from 1 to 2^31 - 1 iterations. C2: as many results as accumulators, of the
    shapes that these collect. C3: the body holds operators, iterators and
    constants, and uses no tile from outside that isn't a constant. C4: it stands
    directly in a block graph, and its region has no arguments. C5: what
    iterations partition that they don't divide (`input_iterator`) has one size,
    of all inputs that they partition, and what is computed does not depend on
    which iteration has which elements: the elements along it are treated one by
    one until all are summed up or their maximum is taken; that is accumulated,
    and nothing else is done with it, but that the maximum m is subtracted in an
    exponential, sums of multiples of which are accumulated `by` m. Elements that
    an iteration before had, too, are not summed up again.
  }];
  let arguments = (ins I64Attr:$iterations);
  let results = (outs Variadic<Mirage_Tile>:$accumulated);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `iterations` $iterations (`->` type($accumulated)^)? attr-dict-with-keyword
    $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Block_AccumulateOp
    : Op<Block_Dialect, "accumulate",
         [Pure, Terminator, AttrSizedOperandSegments,
          HasParent<"::mirage::block::LoopOp">,
          DeclareOpInterfaceMethods<ScratchOpInterface>]> {
  let summary = "What a loop accumulates";
  let description = [{
    One accumulator for each tile, in the element type of the loop's result:

    - `sum` adds the tiles of all iterations;
    - `max` takes the elementwise maximum;
    - `concat .. dim d` puts them one after the other along dimension d;
    - `rescaled_sum %t by %m` adds `t * exp(m - M)`, where M is the maximum of m
      over all iterations, so that with `t = exp(s - m)` nothing overflows. The
      loop keeps the running maximum and rescales what it has when it grows (the
      online softmax of Milakov and Gimelshein).

    C1: as many kinds as tiles, and for each the dimension of a concatenation, or
    -1. C2: the dimension of a concatenation exists. C3: as many maxima as rescaled
    sums. C4: a maximum broadcasts to its tile.

    ```mlir
    mirage_block.accumulate max %m, rescaled_sum %p by %m, concat %s dim 1
        : !mirage.tile<16x1xf32>, !mirage.tile<16x32xf32>, !mirage.tile<16x64xf32>
    ```
  }];
  let arguments = (ins Variadic<Mirage_Tile>:$tiles,
                       Variadic<Mirage_Tile>:$maxima,
                       Block_AccumulatorKindArray:$kinds,
                       DenseI64ArrayAttr:$dims);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::ValueRange(), ::mlir::ValueRange(),
          $_builder.getArrayAttr({}), $_builder.getDenseI64ArrayAttr({}));
  }]>];
  let extraClassDeclaration = [{
    AccumulatorKind getKind(unsigned accumulator);
    /// What a rescaled sum is rescaled by.
    ::mlir::Value getMaximum(unsigned accumulator);
  }];
}

def Block_FreshMaskOp
    : Op<Block_Dialect, "fresh_mask",
         [Pure, Mirage_MadeWhereRead, HasParent<"::mirage::block::LoopOp">]> {
  let summary = "Which elements of a tile no iteration before has had";
  let description = [{
    1 for the elements along `dim` that none of the loop's iterations before has
    had, and 0 for the others, where iterations partition `of` elements that they
    don't divide. `mirage-mask-loops` masks with it (`where`) what is summed up.
    Like a constant it takes no memory.

    ```mlir
    %fresh = mirage_block.fresh_mask dim 1 of 577 : !mirage.tile<1x64xf32>
    ```

    C1: iterations don't divide the elements, and leave the tile's size along
    `dim`; its other sizes are 1. C2: it masks tiles alone, as the first operand
    of `where`, or of a thread graph in which it does, and those go on to
    operators alone that make zeros of zeros, however their other operands are.
  }];
  let arguments = (ins I64Attr:$dim, I64Attr:$extent);
  let results = (outs Mirage_Tile:$mask);
  let assemblyFormat = "`dim` $dim `of` $extent attr-dict `:` qualified(type($mask))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Thread graphs
//===----------------------------------------------------------------------===//

def Block_GraphDefinedOp
    : Op<Block_Dialect, "graph_defined",
         [Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "A block operator defined by a thread graph";
  let description = [{
    Elementwise operators on registers (paper, section 4.2): each thread takes
    some elements of the result, reads what it needs of the operands, and stores
    the results once.

    ```mlir
    %r = mirage_block.graph_defined (%ss)
        : (!mirage.tile<16x1xf32>) -> !mirage.tile<16x1xf32> {
    ^bb0(%s: !mirage.fragment<16x1xf32>):
      %eps = mirage.constant 1.0e-05 : !mirage.fragment<f32>
      %t = mirage_thread.add %s, %eps
          : (!mirage.fragment<16x1xf32>, !mirage.fragment<f32>) -> !mirage.fragment<16x1xf32>
      %u = mirage_thread.sqrt %t
          : (!mirage.fragment<16x1xf32>) -> !mirage.fragment<16x1xf32>
      mirage_thread.yield %u : !mirage.fragment<16x1xf32>
    }
    ```

    C1: argument i is a fragment of operand i. C2: yielded value i has the shape
    of result i. C3: the region holds ops of the thread dialect and constants.
    C4: results have one common shape.
  }];
  let arguments = (ins Variadic<Mirage_Tile>:$inputs);
  let results = (outs Variadic<Mirage_Tile>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // MIRAGE_DIALECT_BLOCK_OPS_TD
