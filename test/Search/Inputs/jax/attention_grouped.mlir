#map = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
module @jit_attend {
  func.func public @attention_grouped(%arg0: tensor<1x1x32x128xf16>, %arg1: tensor<1x4096x8x128xf16>, %arg2: tensor<1x4096x8x128xf16>) -> tensor<1x1x32x128xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.0883883461 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x8x128x4096xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x4096x8x128xf16>) outs(%0 : tensor<1x8x128x4096xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x128x4096xf16>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2, 3]] : tensor<1x1x32x128xf16> into tensor<4096xf16>
    %expanded = tensor.expand_shape %collapsed [[0, 1, 2]] output_shape [8, 4, 128] : tensor<4096xf16> into tensor<8x4x128xf16>
    %collapsed_3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x8x128x4096xf16> into tensor<8x128x4096xf16>
    %2 = tensor.empty() : tensor<8x4x4096xf32>
    %3 = linalg.fill ins(%cst_2 : f32) outs(%2 : tensor<8x4x4096xf32>) -> tensor<8x4x4096xf32>
    %4 = linalg.batch_matmul ins(%expanded, %collapsed_3 : tensor<8x4x128xf16>, tensor<8x128x4096xf16>) outs(%3 : tensor<8x4x4096xf32>) -> tensor<8x4x4096xf32>
    %expanded_4 = tensor.expand_shape %4 [[0, 1], [2, 3], [4]] output_shape [1, 8, 1, 4, 4096] : tensor<8x4x4096xf32> into tensor<1x8x1x4x4096xf32>
    %5 = tensor.empty() : tensor<1x8x1x4x4096xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x8x1x4x4096xf32>) outs(%5 : tensor<1x8x1x4x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.mulf %in, %cst_1 : f32
      linalg.yield %33 : f32
    } -> tensor<1x8x1x4x4096xf32>
    %7 = tensor.empty() : tensor<1x8x1x4xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<1x8x1x4xf32>) -> tensor<1x8x1x4xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<1x8x1x4x4096xf32>) outs(%8 : tensor<1x8x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.maximumf %out, %in : f32
      linalg.yield %33 : f32
    } -> tensor<1x8x1x4xf32>
    %10 = tensor.empty() : tensor<4x1x8x1xf32>
    %11 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x8x1x4xf32>) outs(%10 : tensor<4x1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1x8x1xf32>
    %12 = tensor.empty() : tensor<4x1x8x1x4096xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x8x1x4x4096xf32>) outs(%12 : tensor<4x1x8x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1x8x1x4096xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<4x1x8x1xf32>) outs(%12 : tensor<4x1x8x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1x8x1x4096xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<4x1x8x1x4096xf32>, tensor<4x1x8x1x4096xf32>) outs(%12 : tensor<4x1x8x1x4096xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %33 = arith.subf %in, %in_9 : f32
      linalg.yield %33 : f32
    } -> tensor<4x1x8x1x4096xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<4x1x8x1x4096xf32>) outs(%12 : tensor<4x1x8x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = math.exp %in : f32
      linalg.yield %33 : f32
    } -> tensor<4x1x8x1x4096xf32>
    %17 = linalg.fill ins(%cst_2 : f32) outs(%10 : tensor<4x1x8x1xf32>) -> tensor<4x1x8x1xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<4x1x8x1x4096xf32>) outs(%17 : tensor<4x1x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.addf %out, %in : f32
      linalg.yield %33 : f32
    } -> tensor<4x1x8x1xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<4x1x8x1xf32>) outs(%12 : tensor<4x1x8x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1x8x1x4096xf32>
    %20 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16, %19 : tensor<4x1x8x1x4096xf32>, tensor<4x1x8x1x4096xf32>) outs(%12 : tensor<4x1x8x1x4096xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %33 = arith.divf %in, %in_9 : f32
      linalg.yield %33 : f32
    } -> tensor<4x1x8x1x4096xf32>
    %21 = tensor.empty() : tensor<4x1x8x1x4096xf16>
    %22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<4x1x8x1x4096xf32>) outs(%21 : tensor<4x1x8x1x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %33 = arith.truncf %in : f32 to f16
      linalg.yield %33 : f16
    } -> tensor<4x1x8x1x4096xf16>
    %23 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x4096x8x128xf16>) outs(%0 : tensor<1x8x128x4096xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x128x4096xf16>
    %24 = tensor.empty() : tensor<1x8x4096x4x1xf16>
    %25 = linalg.generic {indexing_maps = [#map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<4x1x8x1x4096xf16>) outs(%24 : tensor<1x8x4096x4x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x4096x4x1xf16>
    %collapsed_5 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<1x8x128x4096xf16> into tensor<8x128x4096xf16>
    %collapsed_6 = tensor.collapse_shape %25 [[0, 1], [2], [3, 4]] : tensor<1x8x4096x4x1xf16> into tensor<8x4096x4xf16>
    %26 = tensor.empty() : tensor<8x128x4xf16>
    %27 = linalg.fill ins(%cst : f16) outs(%26 : tensor<8x128x4xf16>) -> tensor<8x128x4xf16>
    %28 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<8x128x4096xf16>, tensor<8x4096x4xf16>) outs(%27 : tensor<8x128x4xf16>) -> tensor<8x128x4xf16>
    %expanded_7 = tensor.expand_shape %28 [[0, 1], [2], [3, 4]] output_shape [1, 8, 128, 4, 1] : tensor<8x128x4xf16> into tensor<1x8x128x4x1xf16>
    %29 = tensor.empty() : tensor<4x1x1x8x128xf16>
    %30 = linalg.generic {indexing_maps = [#map7, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x8x128x4x1xf16>) outs(%29 : tensor<4x1x1x8x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<4x1x1x8x128xf16>
    %31 = tensor.empty() : tensor<1x1x8x4x128xf16>
    %32 = linalg.generic {indexing_maps = [#map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<4x1x1x8x128xf16>) outs(%31 : tensor<1x1x8x4x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x8x4x128xf16>
    %collapsed_8 = tensor.collapse_shape %32 [[0], [1], [2, 3], [4]] : tensor<1x1x8x4x128xf16> into tensor<1x1x32x128xf16>
    return %collapsed_8 : tensor<1x1x32x128xf16>
  }
}

