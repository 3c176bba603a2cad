// The operators whose code a GPU might not have: every function of the math
// dialect, padding, reductions by maximum, and the accumulators of loops.

func.func @functions(%x: tensor<8x64xf16>) -> tensor<8x64xf16> {
  %0 = mirage_kernel.log %x : (tensor<8x64xf16>) -> tensor<8x64xf32>
  %1 = mirage_kernel.erf %0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = mirage_kernel.gelu %1 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = mirage_kernel.tanh %2 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %4 = mirage_kernel.sigmoid %3 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %5 = mirage_kernel.rsqrt %4 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %6 = mirage_kernel.pow %5 to 0.3 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %7 = mirage_kernel.clamp %6 from -1.0 to 1.0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %8 = mirage_kernel.relu %7 : (tensor<8x64xf32>) -> tensor<8x64xf16>
  return %8 : tensor<8x64xf16>
}

func.func @movements(%x: tensor<2x6x7x3xbf16>, %w: tensor<3x3x3x4xbf16>) -> tensor<2x8x7x3xbf16> {
  %0 = mirage_kernel.conv_2d %x, %w strides [1, 1] padding [1, 1, 1, 1] : (tensor<2x6x7x3xbf16>, tensor<3x3x3x4xbf16>) -> tensor<2x6x7x4xbf16>
  %1 = mirage_kernel.reduce_max %0 dim 1 : (tensor<2x6x7x4xbf16>) -> tensor<2x1x7x4xbf16>
  %2 = mirage_kernel.repeat %1 dim 1 times 2 : (tensor<2x1x7x4xbf16>) -> tensor<2x2x7x4xbf16>
  %3 = mirage_kernel.concat %0, %2 dim 1 : (tensor<2x6x7x4xbf16>, tensor<2x2x7x4xbf16>) -> tensor<2x8x7x4xbf16>
  %4 = mirage_kernel.sum %3 dim 3 size 4 : (tensor<2x8x7x4xbf16>) -> tensor<2x8x7x1xbf16>
  %5 = mirage_kernel.broadcast %4 : (tensor<2x8x7x1xbf16>) -> tensor<2x8x7x3xbf16>
  return %5 : tensor<2x8x7x3xbf16>
}

func.func @accumulators(%x: tensor<16x64xf16>) -> (tensor<16x8xf32>, tensor<16x1xf16>, tensor<16x64xf16>) {
  %z:3 = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<16x64xf16>) -> (tensor<16x8xf32>, tensor<16x1xf16>, tensor<16x64xf16>) {
  ^bb0(%X: tensor<16x64xf16>):
    %a:3 = mirage_block.loop iterations 8 -> !mirage.tile<8x8xf32>, !mirage.tile<8x1xf16>, !mirage.tile<8x64xf16> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<16x64xf16> -> !mirage.tile<8x8xf16>
      %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<8x8xf16>) -> !mirage.tile<8x1xf16>
      %d = mirage_block.sub %t, %m : (!mirage.tile<8x8xf16>, !mirage.tile<8x1xf16>) -> !mirage.tile<8x8xf32>
      %p = mirage_block.exp %d : (!mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
      mirage_block.accumulate rescaled_sum %p by %m, max %m, concat %t dim 1
          : !mirage.tile<8x8xf32> by !mirage.tile<8x1xf16>, !mirage.tile<8x1xf16>, !mirage.tile<8x8xf16>
    }
    mirage_block.output_saver %a#0 omap <x -> 0> : !mirage.tile<8x8xf32> -> tensor<16x8xf32>
    mirage_block.output_saver %a#1 omap <x -> 0> : !mirage.tile<8x1xf16> -> tensor<16x1xf16>
    mirage_block.output_saver %a#2 omap <x -> 0> : !mirage.tile<8x64xf16> -> tensor<16x64xf16>
  }
  return %z#0, %z#1, %z#2 : tensor<16x8xf32>, tensor<16x1xf16>, tensor<16x64xf16>
}
