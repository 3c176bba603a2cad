func.func @ntrans_fused(%h: tensor<16x4096xf16>, %a: tensor<16x4096xf16>, %s: tensor<4096xf16>) -> tensor<16x4096xf16> {
  %r = mirage_kernel.graph_defined(%h, %a, %s) grid <x = 16> : (tensor<16x4096xf16>, tensor<16x4096xf16>, tensor<4096xf16>) -> tensor<16x4096xf16> {
  ^bb0(%H: tensor<16x4096xf16>, %A: tensor<16x4096xf16>, %S: tensor<4096xf16>):
    %ht = mirage_block.input_iterator %H imap <x -> 0> : tensor<16x4096xf16> -> !mirage.tile<1x4096xf16>
    %at = mirage_block.input_iterator %A imap <x -> 0> : tensor<16x4096xf16> -> !mirage.tile<1x4096xf16>
    %st = mirage_block.input_iterator %S imap <x -> replica> : tensor<4096xf16> -> !mirage.tile<4096xf16>
    %n = mirage.constant 4.096000e+03 : !mirage.tile<f32>
    %e = mirage.constant 9.9999997473787516E-6 : !mirage.tile<f32>
    %0 = mirage_block.sqr %at : (!mirage.tile<1x4096xf16>) -> !mirage.tile<1x4096xf32>
    %1 = mirage_block.sum %0 dim 1 : (!mirage.tile<1x4096xf32>) -> !mirage.tile<1x1xf32>
    %3 = mirage_block.div %1, %n : (!mirage.tile<1x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x1xf32>
    %5 = mirage_block.add %3, %e : (!mirage.tile<1x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x1xf32>
    %6 = mirage_block.rsqrt %5 : (!mirage.tile<1x1xf32>) -> !mirage.tile<1x1xf32>
    %7 = mirage_block.mul %at, %6 : (!mirage.tile<1x4096xf16>, !mirage.tile<1x1xf32>) -> !mirage.tile<1x4096xf32>
    %8 = mirage_block.mul %7, %st : (!mirage.tile<1x4096xf32>, !mirage.tile<4096xf16>) -> !mirage.tile<1x4096xf32>
    %9 = mirage_block.mul %ht, %st : (!mirage.tile<1x4096xf16>, !mirage.tile<4096xf16>) -> !mirage.tile<1x4096xf32>
    %10 = mirage_block.sub %ht, %9 : (!mirage.tile<1x4096xf16>, !mirage.tile<1x4096xf32>) -> !mirage.tile<1x4096xf32>
    %11 = mirage_block.add %10, %8 : (!mirage.tile<1x4096xf32>, !mirage.tile<1x4096xf32>) -> !mirage.tile<1x4096xf32>
    %12 = mirage_block.sqr %11 : (!mirage.tile<1x4096xf32>) -> !mirage.tile<1x4096xf32>
    %13 = mirage_block.sum %12 dim 1 : (!mirage.tile<1x4096xf32>) -> !mirage.tile<1x1xf32>
    %14 = mirage_block.div %13, %n : (!mirage.tile<1x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x1xf32>
    %15 = mirage_block.add %14, %e : (!mirage.tile<1x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x1xf32>
    %16 = mirage_block.sqrt %15 : (!mirage.tile<1x1xf32>) -> !mirage.tile<1x1xf32>
    %17 = mirage_block.div %11, %16 : (!mirage.tile<1x4096xf32>, !mirage.tile<1x1xf32>) -> !mirage.tile<1x4096xf32>
    mirage_block.output_saver %17 omap <x -> 0> : !mirage.tile<1x4096xf32> -> tensor<16x4096xf16>
  }
  return %r : tensor<16x4096xf16>
}
