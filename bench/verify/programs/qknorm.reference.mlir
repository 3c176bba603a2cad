func.func @qknorm(%arg0: tensor<2x16x64xf16>, %arg1: tensor<2x4096x64xf16>, %arg2: tensor<2x4096x64xf16>) -> tensor<2x16x64xf16> {
    %0 = mirage_kernel.sqr %arg0 : (tensor<2x16x64xf16>) -> tensor<2x16x64xf32>
    %1 = mirage_kernel.sum %0 dim 2 : (tensor<2x16x64xf32>) -> tensor<2x16x1xf32>
    %2 = mirage.constant 6.400000e+01 : tensor<f32>
    %3 = mirage_kernel.div %1, %2 : (tensor<2x16x1xf32>, tensor<f32>) -> tensor<2x16x1xf32>
    %4 = mirage.constant 9.9999997473787516E-6 : tensor<f32>
    %5 = mirage_kernel.add %3, %4 : (tensor<2x16x1xf32>, tensor<f32>) -> tensor<2x16x1xf32>
    %6 = mirage_kernel.sqrt %5 : (tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %7 = mirage_kernel.div %arg0, %6 : (tensor<2x16x64xf16>, tensor<2x16x1xf32>) -> tensor<2x16x64xf16>
    %8 = mirage_kernel.sqr %arg1 : (tensor<2x4096x64xf16>) -> tensor<2x4096x64xf32>
    %9 = mirage_kernel.sum %8 dim 2 : (tensor<2x4096x64xf32>) -> tensor<2x4096x1xf32>
    %10 = mirage_kernel.div %9, %2 : (tensor<2x4096x1xf32>, tensor<f32>) -> tensor<2x4096x1xf32>
    %11 = mirage_kernel.add %10, %4 : (tensor<2x4096x1xf32>, tensor<f32>) -> tensor<2x4096x1xf32>
    %12 = mirage_kernel.sqrt %11 : (tensor<2x4096x1xf32>) -> tensor<2x4096x1xf32>
    %13 = mirage_kernel.div %arg1, %12 : (tensor<2x4096x64xf16>, tensor<2x4096x1xf32>) -> tensor<2x4096x64xf16>
    %t = mirage_kernel.transpose %13 permutation [0, 2, 1] : (tensor<2x4096x64xf16>) -> tensor<2x64x4096xf16>
    %15 = mirage_kernel.matmul %7, %t : (tensor<2x16x64xf16>, tensor<2x64x4096xf16>) -> tensor<2x16x4096xf16>
    %16 = mirage_kernel.exp %15 : (tensor<2x16x4096xf16>) -> tensor<2x16x4096xf16>
    %17 = mirage_kernel.matmul %16, %arg2 : (tensor<2x16x4096xf16>, tensor<2x4096x64xf16>) -> tensor<2x16x64xf16>
    %18 = mirage_kernel.sum %16 dim 2 : (tensor<2x16x4096xf16>) -> tensor<2x16x1xf32>
    %19 = mirage_kernel.div %17, %18 : (tensor<2x16x64xf16>, tensor<2x16x1xf32>) -> tensor<2x16x64xf16>
    return %19 : tensor<2x16x64xf16>
}
