func.func @qknorm(%arg0: tensor<2x16x64xf16>, %arg1: tensor<2x4096x64xf16>, %arg2: tensor<2x4096x64xf16>) -> tensor<2x16x64xf16> {
  %r = mirage_kernel.graph_defined(%arg0, %arg1, %arg2) grid <x = 2, y = 4> : (tensor<2x16x64xf16>, tensor<2x4096x64xf16>, tensor<2x4096x64xf16>) -> tensor<2x16x64xf16> {
  ^bb0(%Q: tensor<2x16x64xf16>, %K: tensor<2x4096x64xf16>, %V: tensor<2x4096x64xf16>):
    %m:3 = mirage_block.loop iterations 32 -> !mirage.tile<1x4x1xf32>, !mirage.tile<1x4x1xf32>, !mirage.tile<1x4x64xf32> {
      %q = mirage_block.input_iterator %Q imap <x -> 0, y -> 1> fmap <i -> replica> : tensor<2x16x64xf16> -> !mirage.tile<1x4x64xf16>
      %k = mirage_block.input_iterator %K imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<2x4096x64xf16> -> !mirage.tile<1x128x64xf16>
      %v = mirage_block.input_iterator %V imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<2x4096x64xf16> -> !mirage.tile<1x128x64xf16>
      %n = mirage.constant 6.400000e+01 : !mirage.tile<f32>
      %e = mirage.constant 9.9999997473787516E-6 : !mirage.tile<f32>
      %qs = mirage_block.sqr %q : (!mirage.tile<1x4x64xf16>) -> !mirage.tile<1x4x64xf32>
      %qr = mirage_block.sum %qs dim 2 : (!mirage.tile<1x4x64xf32>) -> !mirage.tile<1x4x1xf32>
      %qm = mirage_block.div %qr, %n : (!mirage.tile<1x4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x4x1xf32>
      %qe = mirage_block.add %qm, %e : (!mirage.tile<1x4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x4x1xf32>
      %qq = mirage_block.rsqrt %qe : (!mirage.tile<1x4x1xf32>) -> !mirage.tile<1x4x1xf32>
      %ks = mirage_block.sqr %k : (!mirage.tile<1x128x64xf16>) -> !mirage.tile<1x128x64xf32>
      %kr = mirage_block.sum %ks dim 2 : (!mirage.tile<1x128x64xf32>) -> !mirage.tile<1x128x1xf32>
      %km = mirage_block.div %kr, %n : (!mirage.tile<1x128x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x128x1xf32>
      %ke = mirage_block.add %km, %e : (!mirage.tile<1x128x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x128x1xf32>
      %kq = mirage_block.sqrt %ke : (!mirage.tile<1x128x1xf32>) -> !mirage.tile<1x128x1xf32>
      %kt = mirage_block.transpose %k permutation [0, 2, 1] : (!mirage.tile<1x128x64xf16>) -> !mirage.tile<1x64x128xf32>
      %kqt = mirage_block.transpose %kq permutation [0, 2, 1] : (!mirage.tile<1x128x1xf32>) -> !mirage.tile<1x1x128xf32>
      %s0 = mirage_block.matmul %q, %kt : (!mirage.tile<1x4x64xf16>, !mirage.tile<1x64x128xf32>) -> !mirage.tile<1x4x128xf32>
      %s1 = mirage_block.mul %s0, %qq : (!mirage.tile<1x4x128xf32>, !mirage.tile<1x4x1xf32>) -> !mirage.tile<1x4x128xf32>
      %s = mirage_block.div %s1, %kqt : (!mirage.tile<1x4x128xf32>, !mirage.tile<1x1x128xf32>) -> !mirage.tile<1x4x128xf32>
      %mx = mirage_block.reduce_max %s dim 2 : (!mirage.tile<1x4x128xf32>) -> !mirage.tile<1x4x1xf32>
      %sm = mirage_block.sub %s, %mx : (!mirage.tile<1x4x128xf32>, !mirage.tile<1x4x1xf32>) -> !mirage.tile<1x4x128xf32>
      %p = mirage_block.exp %sm : (!mirage.tile<1x4x128xf32>) -> !mirage.tile<1x4x128xf32>
      %l = mirage_block.sum %p dim 2 : (!mirage.tile<1x4x128xf32>) -> !mirage.tile<1x4x1xf32>
      %o = mirage_block.matmul %p, %v : (!mirage.tile<1x4x128xf32>, !mirage.tile<1x128x64xf16>) -> !mirage.tile<1x4x64xf32>
      mirage_block.accumulate max %mx, rescaled_sum %l by %mx, rescaled_sum %o by %mx : !mirage.tile<1x4x1xf32>, !mirage.tile<1x4x1xf32> by !mirage.tile<1x4x1xf32>, !mirage.tile<1x4x64xf32> by !mirage.tile<1x4x1xf32>
    }
    %z = mirage_block.div %m#2, %m#1 : (!mirage.tile<1x4x64xf32>, !mirage.tile<1x4x1xf32>) -> !mirage.tile<1x4x64xf32>
    mirage_block.output_saver %z omap <x -> 0, y -> 1> : !mirage.tile<1x4x64xf32> -> tensor<2x16x64xf16>
  }
  return %r : tensor<2x16x64xf16>
}
