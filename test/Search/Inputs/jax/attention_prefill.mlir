#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
module @jit_attend {
  func.func public @attention_prefill(%arg0: tensor<1x512x32x128xf16>, %arg1: tensor<1x512x8x128xf16>, %arg2: tensor<1x512x8x128xf16>) -> tensor<1x512x32x128xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.0883883461 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [1, 512, 8, 4, 128] : tensor<1x512x32x128xf16> into tensor<1x512x8x4x128xf16>
    %0 = tensor.empty() : tensor<1x8x512x4x128xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x512x8x4x128xf16>) outs(%0 : tensor<1x8x512x4x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x512x4x128xf16>
    %2 = tensor.empty() : tensor<1x8x128x512xf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x512x8x128xf16>) outs(%2 : tensor<1x8x128x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x128x512xf16>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2, 3], [4]] : tensor<1x8x512x4x128xf16> into tensor<8x2048x128xf16>
    %collapsed_3 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x8x128x512xf16> into tensor<8x128x512xf16>
    %4 = tensor.empty() : tensor<8x2048x512xf32>
    %5 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<8x2048x512xf32>) -> tensor<8x2048x512xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<8x2048x128xf16>, tensor<8x128x512xf16>) outs(%5 : tensor<8x2048x512xf32>) -> tensor<8x2048x512xf32>
    %expanded_4 = tensor.expand_shape %6 [[0, 1], [2, 3], [4]] output_shape [1, 8, 512, 4, 512] : tensor<8x2048x512xf32> into tensor<1x8x512x4x512xf32>
    %7 = tensor.empty() : tensor<1x8x512x4x512xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x8x512x4x512xf32>) outs(%7 : tensor<1x8x512x4x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.mulf %in, %cst_1 : f32
      linalg.yield %35 : f32
    } -> tensor<1x8x512x4x512xf32>
    %9 = tensor.empty() : tensor<1x8x512x4xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<1x8x512x4xf32>) -> tensor<1x8x512x4xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<1x8x512x4x512xf32>) outs(%10 : tensor<1x8x512x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.maximumf %out, %in : f32
      linalg.yield %35 : f32
    } -> tensor<1x8x512x4xf32>
    %12 = tensor.empty() : tensor<4x1x8x512xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x8x512x4xf32>) outs(%12 : tensor<4x1x8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1x8x512xf32>
    %14 = tensor.empty() : tensor<4x1x8x512x512xf32>
    %15 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x8x512x4x512xf32>) outs(%14 : tensor<4x1x8x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1x8x512x512xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<4x1x8x512xf32>) outs(%14 : tensor<4x1x8x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1x8x512x512xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15, %16 : tensor<4x1x8x512x512xf32>, tensor<4x1x8x512x512xf32>) outs(%14 : tensor<4x1x8x512x512xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %35 = arith.subf %in, %in_9 : f32
      linalg.yield %35 : f32
    } -> tensor<4x1x8x512x512xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<4x1x8x512x512xf32>) outs(%14 : tensor<4x1x8x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.exp %in : f32
      linalg.yield %35 : f32
    } -> tensor<4x1x8x512x512xf32>
    %19 = linalg.fill ins(%cst_2 : f32) outs(%12 : tensor<4x1x8x512xf32>) -> tensor<4x1x8x512xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<4x1x8x512x512xf32>) outs(%19 : tensor<4x1x8x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.addf %out, %in : f32
      linalg.yield %35 : f32
    } -> tensor<4x1x8x512xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<4x1x8x512xf32>) outs(%14 : tensor<4x1x8x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1x8x512x512xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<4x1x8x512x512xf32>, tensor<4x1x8x512x512xf32>) outs(%14 : tensor<4x1x8x512x512xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %35 = arith.divf %in, %in_9 : f32
      linalg.yield %35 : f32
    } -> tensor<4x1x8x512x512xf32>
    %23 = tensor.empty() : tensor<4x1x8x512x512xf16>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<4x1x8x512x512xf32>) outs(%23 : tensor<4x1x8x512x512xf16>) {
    ^bb0(%in: f32, %out: f16):
      %35 = arith.truncf %in : f32 to f16
      linalg.yield %35 : f16
    } -> tensor<4x1x8x512x512xf16>
    %25 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x512x8x128xf16>) outs(%2 : tensor<1x8x128x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x128x512xf16>
    %26 = tensor.empty() : tensor<1x8x512x4x512xf16>
    %27 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<4x1x8x512x512xf16>) outs(%26 : tensor<1x8x512x4x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x512x4x512xf16>
    %collapsed_5 = tensor.collapse_shape %25 [[0, 1], [2], [3]] : tensor<1x8x128x512xf16> into tensor<8x128x512xf16>
    %collapsed_6 = tensor.collapse_shape %27 [[0, 1], [2], [3, 4]] : tensor<1x8x512x4x512xf16> into tensor<8x512x2048xf16>
    %28 = tensor.empty() : tensor<8x128x2048xf16>
    %29 = linalg.fill ins(%cst : f16) outs(%28 : tensor<8x128x2048xf16>) -> tensor<8x128x2048xf16>
    %30 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<8x128x512xf16>, tensor<8x512x2048xf16>) outs(%29 : tensor<8x128x2048xf16>) -> tensor<8x128x2048xf16>
    %expanded_7 = tensor.expand_shape %30 [[0, 1], [2], [3, 4]] output_shape [1, 8, 128, 4, 512] : tensor<8x128x2048xf16> into tensor<1x8x128x4x512xf16>
    %31 = tensor.empty() : tensor<4x1x512x8x128xf16>
    %32 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x8x128x4x512xf16>) outs(%31 : tensor<4x1x512x8x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<4x1x512x8x128xf16>
    %33 = tensor.empty() : tensor<1x512x8x4x128xf16>
    %34 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<4x1x512x8x128xf16>) outs(%33 : tensor<1x512x8x4x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x512x8x4x128xf16>
    %collapsed_8 = tensor.collapse_shape %34 [[0], [1], [2, 3], [4]] : tensor<1x512x8x4x128xf16> into tensor<1x512x32x128xf16>
    return %collapsed_8 : tensor<1x512x32x128xf16>
  }
}

