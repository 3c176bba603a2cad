#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @experts(%arg0: tensor<16x2048xf16>, %arg1: tensor<8x2048x1024xf16>) -> tensor<16x8x1024xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %expanded = tensor.expand_shape %arg1 [[0], [1], [2, 3]] output_shape [8, 2048, 1024, 1] : tensor<8x2048x1024xf16> into tensor<8x2048x1024x1xf16>
    %expanded_1 = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [1, 16, 2048] : tensor<16x2048xf16> into tensor<1x16x2048xf16>
    %0 = tensor.empty() : tensor<2048x8x1024x1xf16>
    %transposed = linalg.transpose ins(%expanded : tensor<8x2048x1024x1xf16>) outs(%0 : tensor<2048x8x1024x1xf16>) permutation = [1, 0, 2, 3] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2, 3]] : tensor<2048x8x1024x1xf16> into tensor<2048x8192xf16>
    %expanded_2 = tensor.expand_shape %collapsed [[0, 1], [2]] output_shape [1, 2048, 8192] : tensor<2048x8192xf16> into tensor<1x2048x8192xf16>
    %1 = tensor.empty() : tensor<1x16x8192xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x16x8192xf32>) -> tensor<1x16x8192xf32>
    %3 = linalg.batch_matmul ins(%expanded_1, %expanded_2 : tensor<1x16x2048xf16>, tensor<1x2048x8192xf16>) outs(%2 : tensor<1x16x8192xf32>) -> tensor<1x16x8192xf32>
    %4 = tensor.empty() : tensor<1x16x8192xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x16x8192xf32>) outs(%4 : tensor<1x16x8192xf16>) {
    ^bb0(%in: f32, %out: f16):
      %13 = arith.truncf %in : f32 to f16
      linalg.yield %13 : f16
    } -> tensor<1x16x8192xf16>
    %collapsed_3 = tensor.collapse_shape %5 [[0, 1], [2]] : tensor<1x16x8192xf16> into tensor<16x8192xf16>
    %expanded_4 = tensor.expand_shape %collapsed_3 [[0], [1, 2, 3]] output_shape [16, 1, 8, 1024] : tensor<16x8192xf16> into tensor<16x1x8x1024xf16>
    %6 = tensor.empty() : tensor<16x8x1024x1xf16>
    %transposed_5 = linalg.transpose ins(%expanded_4 : tensor<16x1x8x1024xf16>) outs(%6 : tensor<16x8x1024x1xf16>) permutation = [0, 2, 3, 1] 
    %collapsed_6 = tensor.collapse_shape %transposed_5 [[0], [1], [2, 3]] : tensor<16x8x1024x1xf16> into tensor<16x8x1024xf16>
    %7 = tensor.empty() : tensor<16x8x1024xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_6 : tensor<16x8x1024xf16>) outs(%7 : tensor<16x8x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %13 = arith.extf %in : f16 to f32
      linalg.yield %13 : f32
    } -> tensor<16x8x1024xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<16x8x1024xf32>) outs(%7 : tensor<16x8x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.negf %in : f32
      %14 = math.exp %13 : f32
      %15 = arith.addf %14, %cst_0 : f32
      %16 = arith.divf %cst_0, %15 : f32
      linalg.yield %16 : f32
    } -> tensor<16x8x1024xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<16x8x1024xf32>, tensor<16x8x1024xf32>) outs(%7 : tensor<16x8x1024xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %13 = arith.mulf %in, %in_7 : f32
      linalg.yield %13 : f32
    } -> tensor<16x8x1024xf32>
    %11 = tensor.empty() : tensor<16x8x1024xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<16x8x1024xf32>) outs(%11 : tensor<16x8x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %13 = arith.truncf %in : f32 to f16
      linalg.yield %13 : f16
    } -> tensor<16x8x1024xf16>
    return %12 : tensor<16x8x1024xf16>
  }
}
