#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
module @jit__lambda {
  func.func public @attention_repeated(%arg0: tensor<1x512x32x128xf16>, %arg1: tensor<1x512x8x128xf16>, %arg2: tensor<1x512x8x128xf16>) -> tensor<1x512x32x128xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.0883883461 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x512x8x4x128xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x512x8x128xf16>) outs(%0 : tensor<1x512x8x4x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x512x8x4x128xf16>
    %collapsed = tensor.collapse_shape %1 [[0], [1], [2, 3], [4]] : tensor<1x512x8x4x128xf16> into tensor<1x512x32x128xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x512x8x128xf16>) outs(%0 : tensor<1x512x8x4x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x512x8x4x128xf16>
    %collapsed_3 = tensor.collapse_shape %2 [[0], [1], [2, 3], [4]] : tensor<1x512x8x4x128xf16> into tensor<1x512x32x128xf16>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 512, 32, 1, 128] : tensor<1x512x32x128xf16> into tensor<1x512x32x1x128xf16>
    %3 = tensor.empty() : tensor<1x32x512x1x128xf16>
    %4 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x512x32x1x128xf16>) outs(%3 : tensor<1x32x512x1x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x512x1x128xf16>
    %5 = tensor.empty() : tensor<1x32x128x512xf16>
    %6 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x512x32x128xf16>) outs(%5 : tensor<1x32x128x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x128x512xf16>
    %collapsed_4 = tensor.collapse_shape %4 [[0, 1], [2], [3, 4]] : tensor<1x32x512x1x128xf16> into tensor<32x512x128xf16>
    %collapsed_5 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<1x32x128x512xf16> into tensor<32x128x512xf16>
    %7 = tensor.empty() : tensor<32x512x512xf32>
    %8 = linalg.fill ins(%cst_2 : f32) outs(%7 : tensor<32x512x512xf32>) -> tensor<32x512x512xf32>
    %9 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<32x512x128xf16>, tensor<32x128x512xf16>) outs(%8 : tensor<32x512x512xf32>) -> tensor<32x512x512xf32>
    %expanded_6 = tensor.expand_shape %9 [[0, 1], [2], [3, 4]] output_shape [1, 32, 512, 1, 512] : tensor<32x512x512xf32> into tensor<1x32x512x1x512xf32>
    %10 = tensor.empty() : tensor<1x32x512x1x512xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x32x512x1x512xf32>) outs(%10 : tensor<1x32x512x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.mulf %in, %cst_1 : f32
      linalg.yield %34 : f32
    } -> tensor<1x32x512x1x512xf32>
    %12 = tensor.empty() : tensor<1x32x512x1xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x32x512x1xf32>) -> tensor<1x32x512x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%11 : tensor<1x32x512x1x512xf32>) outs(%13 : tensor<1x32x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.maximumf %out, %in : f32
      linalg.yield %34 : f32
    } -> tensor<1x32x512x1xf32>
    %collapsed_7 = tensor.collapse_shape %14 [[0, 1, 2, 3]] : tensor<1x32x512x1xf32> into tensor<16384xf32>
    %expanded_8 = tensor.expand_shape %collapsed_7 [[0, 1, 2, 3]] output_shape [1, 1, 32, 512] : tensor<16384xf32> into tensor<1x1x32x512xf32>
    %collapsed_9 = tensor.collapse_shape %11 [[0, 1, 2, 3, 4]] : tensor<1x32x512x1x512xf32> into tensor<8388608xf32>
    %expanded_10 = tensor.expand_shape %collapsed_9 [[0, 1, 2, 3, 4]] output_shape [1, 1, 32, 512, 512] : tensor<8388608xf32> into tensor<1x1x32x512x512xf32>
    %15 = tensor.empty() : tensor<1x1x32x512x512xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x1x32x512xf32>) outs(%15 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32x512x512xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %16 : tensor<1x1x32x512x512xf32>, tensor<1x1x32x512x512xf32>) outs(%15 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %34 = arith.subf %in, %in_15 : f32
      linalg.yield %34 : f32
    } -> tensor<1x1x32x512x512xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x1x32x512x512xf32>) outs(%15 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = math.exp %in : f32
      linalg.yield %34 : f32
    } -> tensor<1x1x32x512x512xf32>
    %19 = tensor.empty() : tensor<1x1x32x512xf32>
    %20 = linalg.fill ins(%cst_2 : f32) outs(%19 : tensor<1x1x32x512xf32>) -> tensor<1x1x32x512xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x1x32x512x512xf32>) outs(%20 : tensor<1x1x32x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %out, %in : f32
      linalg.yield %34 : f32
    } -> tensor<1x1x32x512xf32>
    %22 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x1x32x512xf32>) outs(%15 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32x512x512xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18, %22 : tensor<1x1x32x512x512xf32>, tensor<1x1x32x512x512xf32>) outs(%15 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %34 = arith.divf %in, %in_15 : f32
      linalg.yield %34 : f32
    } -> tensor<1x1x32x512x512xf32>
    %24 = tensor.empty() : tensor<1x1x32x512x512xf16>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x1x32x512x512xf32>) outs(%24 : tensor<1x1x32x512x512xf16>) {
    ^bb0(%in: f32, %out: f16):
      %34 = arith.truncf %in : f32 to f16
      linalg.yield %34 : f16
    } -> tensor<1x1x32x512x512xf16>
    %26 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_3 : tensor<1x512x32x128xf16>) outs(%5 : tensor<1x32x128x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x128x512xf16>
    %27 = tensor.empty() : tensor<1x32x512x1x512xf16>
    %28 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x1x32x512x512xf16>) outs(%27 : tensor<1x32x512x1x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x512x1x512xf16>
    %collapsed_11 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<1x32x128x512xf16> into tensor<32x128x512xf16>
    %collapsed_12 = tensor.collapse_shape %28 [[0, 1], [2], [3, 4]] : tensor<1x32x512x1x512xf16> into tensor<32x512x512xf16>
    %29 = tensor.empty() : tensor<32x128x512xf16>
    %30 = linalg.fill ins(%cst : f16) outs(%29 : tensor<32x128x512xf16>) -> tensor<32x128x512xf16>
    %31 = linalg.batch_matmul ins(%collapsed_11, %collapsed_12 : tensor<32x128x512xf16>, tensor<32x512x512xf16>) outs(%30 : tensor<32x128x512xf16>) -> tensor<32x128x512xf16>
    %expanded_13 = tensor.expand_shape %31 [[0, 1], [2], [3, 4]] output_shape [1, 32, 128, 1, 512] : tensor<32x128x512xf16> into tensor<1x32x128x1x512xf16>
    %32 = tensor.empty() : tensor<1x1x512x32x128xf16>
    %33 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<1x32x128x1x512xf16>) outs(%32 : tensor<1x1x512x32x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x512x32x128xf16>
    %collapsed_14 = tensor.collapse_shape %33 [[0], [1, 2], [3], [4]] : tensor<1x1x512x32x128xf16> into tensor<1x512x32x128xf16>
    return %collapsed_14 : tensor<1x512x32x128xf16>
  }
}

