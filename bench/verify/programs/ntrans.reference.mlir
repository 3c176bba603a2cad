func.func @ntrans(%h: tensor<16x4096xf16>, %a: tensor<16x4096xf16>, %s: tensor<4096xf16>) -> tensor<16x4096xf16> {
  %n = mirage.constant 4.096000e+03 : tensor<f32>
  %e = mirage.constant 9.9999997473787516E-6 : tensor<f32>
  %0 = mirage_kernel.sqr %a : (tensor<16x4096xf16>) -> tensor<16x4096xf32>
  %1 = mirage_kernel.sum %0 dim 1 : (tensor<16x4096xf32>) -> tensor<16x1xf32>
  %3 = mirage_kernel.div %1, %n : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %5 = mirage_kernel.add %3, %e : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %6 = mirage_kernel.sqrt %5 : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %7 = mirage_kernel.div %a, %6 : (tensor<16x4096xf16>, tensor<16x1xf32>) -> tensor<16x4096xf16>
  %8 = mirage_kernel.sub %7, %h : (tensor<16x4096xf16>, tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %9 = mirage_kernel.mul %8, %s : (tensor<16x4096xf16>, tensor<4096xf16>) -> tensor<16x4096xf16>
  %10 = mirage_kernel.add %h, %9 : (tensor<16x4096xf16>, tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %11 = mirage_kernel.sqr %10 : (tensor<16x4096xf16>) -> tensor<16x4096xf32>
  %12 = mirage_kernel.sum %11 dim 1 : (tensor<16x4096xf32>) -> tensor<16x1xf32>
  %13 = mirage_kernel.div %12, %n : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %14 = mirage_kernel.add %13, %e : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %15 = mirage_kernel.sqrt %14 : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %16 = mirage_kernel.div %10, %15 : (tensor<16x4096xf16>, tensor<16x1xf32>) -> tensor<16x4096xf16>
  return %16 : tensor<16x4096xf16>
}
