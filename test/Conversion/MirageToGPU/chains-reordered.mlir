// Of two chains, of which the second has what the first has when it is begun from its end, one is marked; it is the same when the operators have
// another order.

// RUN: mirage-opt %s --mirage-lower-mugraphs="target=sm_80 compile-to=plan" | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-mugraphs="target=sm_80 compile-to=gpu" | FileCheck %s --check-prefix=GPU
// CHECK: mirage.chained
// GPU: gpu.func @f_0
func.func @f(%q: tensor<64x64xf16>, %k: tensor<64x160xf16>, %v: tensor<160x16xf16>, %m: tensor<64x160xf16>, %g: tensor<64x64xf16>, %h: tensor<64x160xf16>, %w: tensor<160x16xf16>) -> (tensor<64x16xf32>, tensor<64x16xf32>) {
  %z:2 = mirage_kernel.graph_defined (%q, %k, %v, %m, %g, %h, %w) grid <x = 1> {mirage.scheduled} : (tensor<64x64xf16>, tensor<64x160xf16>, tensor<160x16xf16>, tensor<64x160xf16>, tensor<64x64xf16>, tensor<64x160xf16>, tensor<160x16xf16>) -> (tensor<64x16xf32>, tensor<64x16xf32>) {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x160xf16>, %V: tensor<160x16xf16>, %M: tensor<64x160xf16>, %G: tensor<64x64xf16>, %H: tensor<64x160xf16>, %W: tensor<160x16xf16>):
    %t:2 = mirage_block.loop iterations 5 -> !mirage.tile<64x16xf32>, !mirage.tile<64x16xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x160xf16> -> !mirage.tile<64x32xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<160x16xf16> -> !mirage.tile<32x16xf16>
      %mt = mirage_block.input_iterator %M imap <x -> replica> fmap <i -> 1> : tensor<64x160xf16> -> !mirage.tile<64x32xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %ht = mirage_block.input_iterator %H imap <x -> replica> fmap <i -> 1> : tensor<64x160xf16> -> !mirage.tile<64x32xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<160x16xf16> -> !mirage.tile<32x16xf16>
      %u0 = mirage_block.sum %mt dim 1 : (!mirage.tile<64x32xf16>) -> !mirage.tile<64x1xf32>
      %w0 = mirage_block.add %mt, %u0 : (!mirage.tile<64x32xf16>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x32xf32>
      %u1 = mirage_block.reduce_max %w0 dim 1 : (!mirage.tile<64x32xf32>) -> !mirage.tile<64x1xf32>
      %w1 = mirage_block.add %mt, %u1 : (!mirage.tile<64x32xf16>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x32xf32>
      %u2 = mirage_block.reduce_max %w1 dim 1 : (!mirage.tile<64x32xf32>) -> !mirage.tile<64x1xf32>
      %w2 = mirage_block.add %mt, %u2 : (!mirage.tile<64x32xf16>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x32xf32>
      %u3 = mirage_block.reduce_max %w2 dim 1 : (!mirage.tile<64x32xf32>) -> !mirage.tile<64x1xf32>
      %F = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x32xf16>) -> !mirage.tile<64x32xf32>
      %x = mirage_block.reduce_max %F dim 1 : (!mirage.tile<64x32xf32>) -> !mirage.tile<64x1xf32>
      %F2 = mirage_block.matmul %gt, %ht : (!mirage.tile<64x64xf16>, !mirage.tile<64x32xf16>) -> !mirage.tile<64x32xf32>
      %d0 = mirage_block.sub %F2, %x : (!mirage.tile<64x32xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x32xf32>
      %d = mirage_block.mul %d0, %u3 : (!mirage.tile<64x32xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x32xf32>
      %o = mirage_block.matmul %d, %vt : (!mirage.tile<64x32xf32>, !mirage.tile<32x16xf16>) -> !mirage.tile<64x16xf32>
      %e = mirage_block.mul %F, %x : (!mirage.tile<64x32xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x32xf32>
      %p = mirage_block.matmul %e, %wt : (!mirage.tile<64x32xf32>, !mirage.tile<32x16xf16>) -> !mirage.tile<64x16xf32>
      mirage_block.accumulate sum %o, sum %p : !mirage.tile<64x16xf32>, !mirage.tile<64x16xf32>
    }
    mirage_block.output_saver %t#0 omap <x -> 0> : !mirage.tile<64x16xf32> -> tensor<64x16xf32>
    mirage_block.output_saver %t#1 omap <x -> 0> : !mirage.tile<64x16xf32> -> tensor<64x16xf32>
  }
  return %z#0, %z#1 : tensor<64x16xf32>, tensor<64x16xf32>
}
