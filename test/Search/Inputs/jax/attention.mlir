#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
module @jit_attend {
  func.func public @attention(%arg0: tensor<1x512x32x64xf16>, %arg1: tensor<1x512x32x64xf16>, %arg2: tensor<1x512x32x64xf16>) -> tensor<1x512x32x64xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.250000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 512, 32, 1, 64] : tensor<1x512x32x64xf16> into tensor<1x512x32x1x64xf16>
    %0 = tensor.empty() : tensor<1x32x512x1x64xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x512x32x1x64xf16>) outs(%0 : tensor<1x32x512x1x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x512x1x64xf16>
    %2 = tensor.empty() : tensor<1x32x64x512xf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x512x32x64xf16>) outs(%2 : tensor<1x32x64x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x64x512xf16>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3, 4]] : tensor<1x32x512x1x64xf16> into tensor<32x512x64xf16>
    %collapsed_3 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x32x64x512xf16> into tensor<32x64x512xf16>
    %4 = tensor.empty() : tensor<32x512x512xf32>
    %5 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<32x512x512xf32>) -> tensor<32x512x512xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<32x512x64xf16>, tensor<32x64x512xf16>) outs(%5 : tensor<32x512x512xf32>) -> tensor<32x512x512xf32>
    %expanded_4 = tensor.expand_shape %6 [[0, 1], [2], [3, 4]] output_shape [1, 32, 512, 1, 512] : tensor<32x512x512xf32> into tensor<1x32x512x1x512xf32>
    %7 = tensor.empty() : tensor<1x32x512x1x512xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x32x512x1x512xf32>) outs(%7 : tensor<1x32x512x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.mulf %in, %cst_1 : f32
      linalg.yield %31 : f32
    } -> tensor<1x32x512x1x512xf32>
    %9 = tensor.empty() : tensor<1x32x512x1xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<1x32x512x1xf32>) -> tensor<1x32x512x1xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<1x32x512x1x512xf32>) outs(%10 : tensor<1x32x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.maximumf %out, %in : f32
      linalg.yield %31 : f32
    } -> tensor<1x32x512x1xf32>
    %collapsed_5 = tensor.collapse_shape %11 [[0, 1, 2, 3]] : tensor<1x32x512x1xf32> into tensor<16384xf32>
    %expanded_6 = tensor.expand_shape %collapsed_5 [[0, 1, 2, 3]] output_shape [1, 1, 32, 512] : tensor<16384xf32> into tensor<1x1x32x512xf32>
    %collapsed_7 = tensor.collapse_shape %8 [[0, 1, 2, 3, 4]] : tensor<1x32x512x1x512xf32> into tensor<8388608xf32>
    %expanded_8 = tensor.expand_shape %collapsed_7 [[0, 1, 2, 3, 4]] output_shape [1, 1, 32, 512, 512] : tensor<8388608xf32> into tensor<1x1x32x512x512xf32>
    %12 = tensor.empty() : tensor<1x1x32x512x512xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x1x32x512xf32>) outs(%12 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32x512x512xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8, %13 : tensor<1x1x32x512x512xf32>, tensor<1x1x32x512x512xf32>) outs(%12 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %31 = arith.subf %in, %in_13 : f32
      linalg.yield %31 : f32
    } -> tensor<1x1x32x512x512xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x1x32x512x512xf32>) outs(%12 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.exp %in : f32
      linalg.yield %31 : f32
    } -> tensor<1x1x32x512x512xf32>
    %16 = tensor.empty() : tensor<1x1x32x512xf32>
    %17 = linalg.fill ins(%cst_2 : f32) outs(%16 : tensor<1x1x32x512xf32>) -> tensor<1x1x32x512xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x1x32x512x512xf32>) outs(%17 : tensor<1x1x32x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %out, %in : f32
      linalg.yield %31 : f32
    } -> tensor<1x1x32x512xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x32x512xf32>) outs(%12 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32x512x512xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15, %19 : tensor<1x1x32x512x512xf32>, tensor<1x1x32x512x512xf32>) outs(%12 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %31 = arith.divf %in, %in_13 : f32
      linalg.yield %31 : f32
    } -> tensor<1x1x32x512x512xf32>
    %21 = tensor.empty() : tensor<1x1x32x512x512xf16>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x32x512x512xf32>) outs(%21 : tensor<1x1x32x512x512xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<1x1x32x512x512xf16>
    %23 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x512x32x64xf16>) outs(%2 : tensor<1x32x64x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x64x512xf16>
    %24 = tensor.empty() : tensor<1x32x512x1x512xf16>
    %25 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x1x32x512x512xf16>) outs(%24 : tensor<1x32x512x1x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x512x1x512xf16>
    %collapsed_9 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<1x32x64x512xf16> into tensor<32x64x512xf16>
    %collapsed_10 = tensor.collapse_shape %25 [[0, 1], [2], [3, 4]] : tensor<1x32x512x1x512xf16> into tensor<32x512x512xf16>
    %26 = tensor.empty() : tensor<32x64x512xf16>
    %27 = linalg.fill ins(%cst : f16) outs(%26 : tensor<32x64x512xf16>) -> tensor<32x64x512xf16>
    %28 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<32x64x512xf16>, tensor<32x512x512xf16>) outs(%27 : tensor<32x64x512xf16>) -> tensor<32x64x512xf16>
    %expanded_11 = tensor.expand_shape %28 [[0, 1], [2], [3, 4]] output_shape [1, 32, 64, 1, 512] : tensor<32x64x512xf16> into tensor<1x32x64x1x512xf16>
    %29 = tensor.empty() : tensor<1x1x512x32x64xf16>
    %30 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x32x64x1x512xf16>) outs(%29 : tensor<1x1x512x32x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x512x32x64xf16>
    %collapsed_12 = tensor.collapse_shape %30 [[0], [1, 2], [3], [4]] : tensor<1x1x512x32x64xf16> into tensor<1x512x32x64xf16>
    return %collapsed_12 : tensor<1x512x32x64xf16>
  }
}

