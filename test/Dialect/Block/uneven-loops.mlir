// RUN: mirage-opt %s | mirage-opt | FileCheck %s
// RUN: mirage-opt %s --mirage-mask-loops | FileCheck %s --check-prefix=MASKED
// RUN: mirage-opt %s --mirage-mask-loops --mirage-mask-loops | FileCheck %s --check-prefix=MASKED
// RUN: mirage-opt %s --mirage-mask-loops --mirage-construct-thread-graphs | FileCheck %s --check-prefix=FUSED
// RUN: mirage-opt %s --mirage-mask-loops --mirage-construct-thread-graphs --mirage-mask-loops | FileCheck %s --check-prefix=FUSED
// RUN: not mirage-opt %s --convert-mirage-to-gpu=allow-unverified 2>&1 | FileCheck %s --check-prefix=UNMASKED
// RUN: mirage-translate --mugraph-to-html %s | FileCheck %s --check-prefix=PAGE

// Loops that don't divide what they cut: the last tile overlaps the one in front of it, and what they have in common is masked in sums.

// PAGE: fmap i → 1: of that, dimension 1 is cut into 10 parts, one for each iteration of the loop, the last of which overlaps the one in front of it.
// CHECK-LABEL: func.func @attention(
// Rounded up, to a multiple of 16.
// CHECK: mirage_block.input_iterator %{{.*}} imap <x -> replica> fmap <i -> 1> : tensor<64x577xf16> -> !mirage.tile<64x64xf16>
// Maxima may have an element twice; of what is summed up twice the same is masked once.
// MASKED-LABEL: func.func @attention(
// MASKED: %[[X:.*]] = mirage_block.reduce_max %{{.*}} dim 1
// MASKED: %[[E:.*]] = mirage_block.exp
// MASKED: %[[MASK:.*]] = mirage_block.fresh_mask dim 1 of 577 : !mirage.tile<1x64xf32>
// MASKED: %[[FRESH:.*]] = mirage_block.where %[[MASK]], %[[E]]
// MASKED-NOT: fresh_mask
// MASKED: mirage_block.sum %[[FRESH]] dim 1
// MASKED: mirage_block.matmul %[[FRESH]], %
// MASKED: mirage_block.accumulate
// FUSED-LABEL: func.func @attention(
// FUSED: %[[MASK:.*]] = mirage_block.fresh_mask dim 1 of 577
// FUSED-NOT: mirage_block.fresh_mask
// FUSED: mirage_block.graph_defined(%{{.*}}, %[[MASK]])
// FUSED: mirage_thread.exp
// FUSED: mirage_thread.where
func.func @attention(%q: tensor<32x64xf16>, %k: tensor<64x577xf16>, %v: tensor<577x64xf16>) -> tensor<32x64xf16> {
  %z = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 2>
      : (tensor<32x64xf16>, tensor<64x577xf16>, tensor<577x64xf16>) -> tensor<32x64xf16> {
  ^bb0(%Q: tensor<32x64xf16>, %K: tensor<64x577xf16>, %V: tensor<577x64xf16>):
    %t:2 = mirage_block.loop iterations 10 -> !mirage.tile<16x64xf32>, !mirage.tile<16x1xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> 0> fmap <i -> replica> : tensor<32x64xf16> -> !mirage.tile<16x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x577xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<577x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<16x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      %x = mirage_block.reduce_max %s dim 1 : (!mirage.tile<16x64xf32>) -> !mirage.tile<16x1xf32>
      %d = mirage_block.sub %s, %x : (!mirage.tile<16x64xf32>, !mirage.tile<16x1xf32>) -> !mirage.tile<16x64xf32>
      %e = mirage_block.exp %d : (!mirage.tile<16x64xf32>) -> !mirage.tile<16x64xf32>
      // UNMASKED: [[@LINE+1]]:12: error: 'mirage_block.sum' op can't be lowered: it sums up elements that the iteration before has had (mirage-mask-loops masks them)
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<16x64xf32>) -> !mirage.tile<16x1xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<16x64xf32>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      mirage_block.accumulate rescaled_sum %o by %x, rescaled_sum %l by %x
          : !mirage.tile<16x64xf32> by !mirage.tile<16x1xf32>, !mirage.tile<16x1xf32> by !mirage.tile<16x1xf32>
    }
    %y = mirage_block.div %t#0, %t#1 : (!mirage.tile<16x64xf32>, !mirage.tile<16x1xf32>) -> !mirage.tile<16x64xf32>
    mirage_block.output_saver %y omap <x -> 0> : !mirage.tile<16x64xf32> -> tensor<32x64xf16>
  }
  return %z : tensor<32x64xf16>
}

// What is only loaded: of a product the smaller tile is masked; of what the grid cuts, too, which divides it.
// CHECK-LABEL: func.func @products(
// CHECK: tensor<8x154xf16> -> !mirage.tile<8x16xf16>
// MASKED-LABEL: func.func @products(
// MASKED: %[[X:.*]] = mirage_block.input_iterator
// MASKED: mirage_block.fresh_mask dim 1 of 77 : !mirage.tile<1x16xf32>
// MASKED: %[[FRESH:.*]] = mirage_block.where %{{.*}}, %[[X]]
// MASKED: mirage_block.matmul %[[FRESH]]
// FUSED-LABEL: func.func @products(
func.func @products(%x: tensor<8x154xf16>, %w: tensor<154x64xf16>) -> tensor<2x8x64xf16> {
  %z = mirage_kernel.graph_defined (%x, %w) grid <x = 2>
      : (tensor<8x154xf16>, tensor<154x64xf16>) -> tensor<2x8x64xf16> {
  ^bb0(%X: tensor<8x154xf16>, %W: tensor<154x64xf16>):
    %sum = mirage_block.loop iterations 5 -> !mirage.tile<8x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 1> fmap <i -> 1> : tensor<8x154xf16> -> !mirage.tile<8x16xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 0> fmap <i -> 0> : tensor<154x64xf16> -> !mirage.tile<16x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<8x16xf16>, !mirage.tile<16x64xf16>) -> !mirage.tile<8x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<8x64xf32>
    }
    %part = mirage_block.reshape %sum : (!mirage.tile<8x64xf32>) -> !mirage.tile<1x8x64xf32>
    mirage_block.output_saver %part omap <x -> 0> : !mirage.tile<1x8x64xf32> -> tensor<2x8x64xf16>
  }
  return %z : tensor<2x8x64xf16>
}
