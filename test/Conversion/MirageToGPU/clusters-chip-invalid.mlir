// RUN: not mirage-opt --convert-mirage-to-gpu="target=sm_80 allow-unverified" %s 2>&1 | FileCheck %s

// CHECK: error: 'mirage_kernel.graph_defined' op has 'mirage.cluster', but sm_80 has no clusters of blocks
func.func @chip(%x: tensor<32x8xf16>) -> tensor<2x8xf32> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 2> {mirage.cluster = array<i64: 2>} : (tensor<32x8xf16>) -> tensor<2x8xf32> {
  ^bb0(%X: tensor<32x8xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x8xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x8xf16> -> !mirage.tile<8x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x8xf32> -> tensor<2x8xf32>
  }
  return %q : tensor<2x8xf32>
}
