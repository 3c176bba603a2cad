#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @lora(%arg0: tensor<4096x4096xf16>, %arg1: tensor<16x4096xf16>, %arg2: tensor<4096x16xf16>, %arg3: tensor<8x4096xf16>) -> tensor<8x4096xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f16
    %0 = tensor.empty() : tensor<4096x4096xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<4096x4096xf16>) outs(%0 : tensor<4096x4096xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<8x4096xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %3 = linalg.matmul ins(%arg3, %transposed : tensor<8x4096xf16>, tensor<4096x4096xf16>) outs(%2 : tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %4 = tensor.empty() : tensor<8x4096xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8x4096xf32>) outs(%4 : tensor<8x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %17 = arith.truncf %in : f32 to f16
      linalg.yield %17 : f16
    } -> tensor<8x4096xf16>
    %6 = tensor.empty() : tensor<4096x16xf16>
    %transposed_1 = linalg.transpose ins(%arg1 : tensor<16x4096xf16>) outs(%6 : tensor<4096x16xf16>) permutation = [1, 0] 
    %7 = tensor.empty() : tensor<8x16xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %9 = linalg.matmul ins(%arg3, %transposed_1 : tensor<8x4096xf16>, tensor<4096x16xf16>) outs(%8 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %10 = tensor.empty() : tensor<8x16xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<8x16xf32>) outs(%10 : tensor<8x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %17 = arith.truncf %in : f32 to f16
      linalg.yield %17 : f16
    } -> tensor<8x16xf16>
    %12 = tensor.empty() : tensor<16x4096xf16>
    %transposed_2 = linalg.transpose ins(%arg2 : tensor<4096x16xf16>) outs(%12 : tensor<16x4096xf16>) permutation = [1, 0] 
    %13 = linalg.matmul ins(%11, %transposed_2 : tensor<8x16xf16>, tensor<16x4096xf16>) outs(%2 : tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<8x4096xf32>) outs(%4 : tensor<8x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %17 = arith.truncf %in : f32 to f16
      linalg.yield %17 : f16
    } -> tensor<8x4096xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<8x4096xf16>) outs(%4 : tensor<8x4096xf16>) {
    ^bb0(%in: f16, %out: f16):
      %17 = arith.mulf %in, %cst_0 : f16
      linalg.yield %17 : f16
    } -> tensor<8x4096xf16>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %15 : tensor<8x4096xf16>, tensor<8x4096xf16>) outs(%4 : tensor<8x4096xf16>) {
    ^bb0(%in: f16, %in_3: f16, %out: f16):
      %17 = arith.addf %in, %in_3 : f16
      linalg.yield %17 : f16
    } -> tensor<8x4096xf16>
    return %16 : tensor<8x4096xf16>
  }
}
