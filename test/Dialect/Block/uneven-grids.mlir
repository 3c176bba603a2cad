// RUN: mirage-opt %s | mirage-opt | FileCheck %s
// RUN: mirage-opt %s --mirage-construct-thread-graphs | FileCheck %s --check-prefix=THREADS
// RUN: mirage-translate --mugraph-to-html %s | FileCheck %s --check-prefix=PAGE

// Grids that don't divide what they cut: the last tile overlaps the one in front of it.

// PAGE: imap x → 0: dimension 0 is cut into 13 parts, one for each block along x, the last of which overlaps the one in front of it.
// PAGE: omap x → 0: the tiles of the 13 blocks along x stand one after the other along dimension 0, the last of which overlaps the one in front of it.
// CHECK-LABEL: func.func @rows(
// Rounded up, to a multiple of 16.
// CHECK: mirage_block.input_iterator %{{.*}} imap <x -> 0> fmap <i -> 1> : tensor<197x64xf16> -> !mirage.tile<16x32xf16>
// CHECK: mirage_block.output_saver %{{.*}} omap <x -> 0> : !mirage.tile<16x48xf32> -> tensor<197x48xf16>
// THREADS-LABEL: func.func @rows(
// THREADS: mirage_block.graph_defined
func.func @rows(%x: tensor<197x64xf16>, %w: tensor<64x48xf16>, %b: tensor<48xf16>) -> tensor<197x48xf16> {
  %z = mirage_kernel.graph_defined (%x, %w, %b) grid <x = 13>
      : (tensor<197x64xf16>, tensor<64x48xf16>, tensor<48xf16>) -> tensor<197x48xf16> {
  ^bb0(%X: tensor<197x64xf16>, %W: tensor<64x48xf16>, %B: tensor<48xf16>):
    %sum = mirage_block.loop iterations 2 -> !mirage.tile<16x48xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<197x64xf16> -> !mirage.tile<16x32xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<64x48xf16> -> !mirage.tile<32x48xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<16x32xf16>, !mirage.tile<32x48xf16>) -> !mirage.tile<16x48xf32>
      mirage_block.accumulate sum %p : !mirage.tile<16x48xf32>
    }
    %bt = mirage_block.input_iterator %B imap <x -> replica> : tensor<48xf16> -> !mirage.tile<48xf16>
    %s = mirage_block.add %sum, %bt : (!mirage.tile<16x48xf32>, !mirage.tile<48xf16>) -> !mirage.tile<16x48xf32>
    %r = mirage_block.relu %s : (!mirage.tile<16x48xf32>) -> !mirage.tile<16x48xf32>
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<16x48xf32> -> tensor<197x48xf16>
  }
  return %z : tensor<197x48xf16>
}

// Not rounded up to 16 where a block would be left without rows of its own; beside an even one; transposed, reshaped, sliced and
// joined along other dimensions, and with running maxima.
// CHECK-LABEL: func.func @moved(
// CHECK: tensor<2x11x64xf16> -> !mirage.tile<1x6x32xf16>
func.func @moved(%x: tensor<2x11x64xf16>, %m: tensor<11x64xf32>) -> tensor<11x2x32xf16> {
  %z = mirage_kernel.graph_defined (%x, %m) grid <x = 2, y = 2>
      : (tensor<2x11x64xf16>, tensor<11x64xf32>) -> tensor<11x2x32xf16> {
  ^bb0(%X: tensor<2x11x64xf16>, %M: tensor<11x64xf32>):
    %sum = mirage_block.loop iterations 2 -> !mirage.tile<6x32xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 1, y -> 0> fmap <i -> 2> : tensor<2x11x64xf16> -> !mirage.tile<1x6x32xf16>
      %flat = mirage_block.reshape %xt : (!mirage.tile<1x6x32xf16>) -> !mirage.tile<6x32xf16>
      %left = mirage_block.slice %flat dim 1 offset 0 size 16 : (!mirage.tile<6x32xf16>) -> !mirage.tile<6x16xf16>
      %right = mirage_block.slice %flat dim 1 offset 16 size 16 : (!mirage.tile<6x32xf16>) -> !mirage.tile<6x16xf16>
      %swapped = mirage_block.concat %right, %left dim 1 : (!mirage.tile<6x16xf16>, !mirage.tile<6x16xf16>) -> !mirage.tile<6x32xf16>
      %mt = mirage_block.input_iterator %M imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<11x64xf32> -> !mirage.tile<6x32xf32>
      %max = mirage_block.reduce_max %mt dim 1 : (!mirage.tile<6x32xf32>) -> !mirage.tile<6x1xf32>
      mirage_block.accumulate rescaled_sum %swapped by %max : !mirage.tile<6x32xf16> by !mirage.tile<6x1xf32>
    }
    %split = mirage_block.reshape %sum : (!mirage.tile<6x32xf32>) -> !mirage.tile<1x6x32xf32>
    %turned = mirage_block.transpose %split permutation [1, 0, 2] : (!mirage.tile<1x6x32xf32>) -> !mirage.tile<6x1x32xf32>
    mirage_block.output_saver %turned omap <x -> 0, y -> 1> : !mirage.tile<6x1x32xf32> -> tensor<11x2x32xf16>
  }
  return %z : tensor<11x2x32xf16>
}

// Columns, along rows and in vectors.
// CHECK-LABEL: func.func @columns(
// CHECK: tensor<64x74xf16> -> !mirage.tile<32x32xf16>
// CHECK: tensor<74xf16> -> !mirage.tile<32xf16>
// CHECK: !mirage.tile<8x32xf32> -> tensor<8x74xf16>
func.func @columns(%x: tensor<8x64xf16>, %w: tensor<64x74xf16>, %b: tensor<74xf16>) -> tensor<8x74xf16> {
  %z = mirage_kernel.graph_defined (%x, %w, %b) grid <x = 3>
      : (tensor<8x64xf16>, tensor<64x74xf16>, tensor<74xf16>) -> tensor<8x74xf16> {
  ^bb0(%X: tensor<8x64xf16>, %W: tensor<64x74xf16>, %B: tensor<74xf16>):
    %sum = mirage_block.loop iterations 2 -> !mirage.tile<8x32xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x64xf16> -> !mirage.tile<8x32xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<64x74xf16> -> !mirage.tile<32x32xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<8x32xf16>, !mirage.tile<32x32xf16>) -> !mirage.tile<8x32xf32>
      mirage_block.accumulate sum %p : !mirage.tile<8x32xf32>
    }
    %bt = mirage_block.input_iterator %B imap <x -> 0> : tensor<74xf16> -> !mirage.tile<32xf16>
    %s = mirage_block.add %sum, %bt : (!mirage.tile<8x32xf32>, !mirage.tile<32xf16>) -> !mirage.tile<8x32xf32>
    mirage_block.output_saver %s omap <x -> 1> : !mirage.tile<8x32xf32> -> tensor<8x74xf16>
  }
  return %z : tensor<8x74xf16>
}
