// The keys split over the grid, each block with a running maximum, and a kernel that combines the parts.
func.func @attention(%q: tensor<2x64x64xf16>, %k: tensor<2x64x4096xf16>, %v: tensor<2x4096x64xf16>) -> tensor<2x64x64xf16> {
  %parts:3 = mirage_kernel.graph_defined(%q, %k, %v) grid <x = 2, y = 8> : (tensor<2x64x64xf16>, tensor<2x64x4096xf16>, tensor<2x4096x64xf16>) -> (tensor<2x64x8xf32>, tensor<2x64x8xf32>, tensor<2x64x512xf32>) {
  ^bb0(%Q: tensor<2x64x64xf16>, %K: tensor<2x64x4096xf16>, %V: tensor<2x4096x64xf16>):
    %a:3 = mirage_block.loop iterations 8 -> !mirage.tile<1x64x1xf32>, !mirage.tile<1x64x1xf32>, !mirage.tile<1x64x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> 0, y -> replica> fmap <i -> replica> : tensor<2x64x64xf16> -> !mirage.tile<1x64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> 0, y -> 2> fmap <i -> 2> : tensor<2x64x4096xf16> -> !mirage.tile<1x64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> 0, y -> 1> fmap <i -> 1> : tensor<2x4096x64xf16> -> !mirage.tile<1x64x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<1x64x64xf16>, !mirage.tile<1x64x64xf16>) -> !mirage.tile<1x64x64xf32>
      %m = mirage_block.reduce_max %s dim 2 : (!mirage.tile<1x64x64xf32>) -> !mirage.tile<1x64x1xf32>
      %d = mirage_block.sub %s, %m : (!mirage.tile<1x64x64xf32>, !mirage.tile<1x64x1xf32>) -> !mirage.tile<1x64x64xf32>
      %p = mirage_block.exp %d : (!mirage.tile<1x64x64xf32>) -> !mirage.tile<1x64x64xf32>
      %l = mirage_block.sum %p dim 2 : (!mirage.tile<1x64x64xf32>) -> !mirage.tile<1x64x1xf32>
      %o = mirage_block.matmul %p, %vt : (!mirage.tile<1x64x64xf32>, !mirage.tile<1x64x64xf16>) -> !mirage.tile<1x64x64xf32>
      mirage_block.accumulate max %m, rescaled_sum %l by %m, rescaled_sum %o by %m : !mirage.tile<1x64x1xf32>, !mirage.tile<1x64x1xf32> by !mirage.tile<1x64x1xf32>, !mirage.tile<1x64x64xf32> by !mirage.tile<1x64x1xf32>
    }
    mirage_block.output_saver %a#0 omap <x -> 0, y -> 2> : !mirage.tile<1x64x1xf32> -> tensor<2x64x8xf32>
    mirage_block.output_saver %a#1 omap <x -> 0, y -> 2> : !mirage.tile<1x64x1xf32> -> tensor<2x64x8xf32>
    mirage_block.output_saver %a#2 omap <x -> 0, y -> 2> : !mirage.tile<1x64x64xf32> -> tensor<2x64x512xf32>
  }
  %r = mirage_kernel.graph_defined(%parts#0, %parts#1, %parts#2) grid <x = 2> : (tensor<2x64x8xf32>, tensor<2x64x8xf32>, tensor<2x64x512xf32>) -> tensor<2x64x64xf16> {
  ^bb0(%M: tensor<2x64x8xf32>, %L: tensor<2x64x8xf32>, %O: tensor<2x64x512xf32>):
    %a:2 = mirage_block.loop iterations 8 -> !mirage.tile<1x64x1xf32>, !mirage.tile<1x64x64xf32> {
      %m = mirage_block.input_iterator %M imap <x -> 0> fmap <i -> 2> : tensor<2x64x8xf32> -> !mirage.tile<1x64x1xf32>
      %l = mirage_block.input_iterator %L imap <x -> 0> fmap <i -> 2> : tensor<2x64x8xf32> -> !mirage.tile<1x64x1xf32>
      %o = mirage_block.input_iterator %O imap <x -> 0> fmap <i -> 2> : tensor<2x64x512xf32> -> !mirage.tile<1x64x64xf32>
      mirage_block.accumulate rescaled_sum %l by %m, rescaled_sum %o by %m : !mirage.tile<1x64x1xf32> by !mirage.tile<1x64x1xf32>, !mirage.tile<1x64x64xf32> by !mirage.tile<1x64x1xf32>
    }
    %z = mirage_block.div %a#1, %a#0 : (!mirage.tile<1x64x64xf32>, !mirage.tile<1x64x1xf32>) -> !mirage.tile<1x64x64xf32>
    mirage_block.output_saver %z omap <x -> 0> : !mirage.tile<1x64x64xf32> -> tensor<2x64x64xf16>
  }
  return %r : tensor<2x64x64xf16>
}
