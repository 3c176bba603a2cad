#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
module @jit_function {
  func.func public @cross_attention(%arg0: tensor<1x64x1024xf16>, %arg1: tensor<1x256x1024xf16>, %arg2: tensor<1024x16x64xf16>, %arg3: tensor<1024x16x64xf16>, %arg4: tensor<1024x16x64xf16>, %arg5: tensor<16x64x1024xf16>) -> tensor<1x64x1024xf16> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 1.250000e-01 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant 0.000000e+00 : f16
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x64x1024xf16> into tensor<64x1024xf16>
    %collapsed_3 = tensor.collapse_shape %arg2 [[0], [1, 2]] : tensor<1024x16x64xf16> into tensor<1024x1024xf16>
    %0 = tensor.empty() : tensor<64x1024xf16>
    %1 = linalg.fill ins(%cst_2 : f16) outs(%0 : tensor<64x1024xf16>) -> tensor<64x1024xf16>
    %2 = linalg.matmul ins(%collapsed, %collapsed_3 : tensor<64x1024xf16>, tensor<1024x1024xf16>) outs(%1 : tensor<64x1024xf16>) -> tensor<64x1024xf16>
    %collapsed_4 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<1x256x1024xf16> into tensor<256x1024xf16>
    %collapsed_5 = tensor.collapse_shape %arg3 [[0], [1, 2]] : tensor<1024x16x64xf16> into tensor<1024x1024xf16>
    %3 = tensor.empty() : tensor<256x1024xf16>
    %4 = linalg.fill ins(%cst_2 : f16) outs(%3 : tensor<256x1024xf16>) -> tensor<256x1024xf16>
    %5 = linalg.matmul ins(%collapsed_4, %collapsed_5 : tensor<256x1024xf16>, tensor<1024x1024xf16>) outs(%4 : tensor<256x1024xf16>) -> tensor<256x1024xf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2, 3]] output_shape [1, 256, 16, 64] : tensor<256x1024xf16> into tensor<1x256x16x64xf16>
    %collapsed_6 = tensor.collapse_shape %arg4 [[0], [1, 2]] : tensor<1024x16x64xf16> into tensor<1024x1024xf16>
    %6 = linalg.matmul ins(%collapsed_4, %collapsed_6 : tensor<256x1024xf16>, tensor<1024x1024xf16>) outs(%4 : tensor<256x1024xf16>) -> tensor<256x1024xf16>
    %expanded_7 = tensor.expand_shape %6 [[0, 1], [2, 3]] output_shape [1, 256, 16, 64] : tensor<256x1024xf16> into tensor<1x256x16x64xf16>
    %expanded_8 = tensor.expand_shape %2 [[0, 1], [2, 3, 4]] output_shape [1, 64, 16, 1, 64] : tensor<64x1024xf16> into tensor<1x64x16x1x64xf16>
    %7 = tensor.empty() : tensor<1x16x64x1x64xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x64x16x1x64xf16>) outs(%7 : tensor<1x16x64x1x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x16x64x1x64xf16>
    %9 = tensor.empty() : tensor<1x16x64x256xf16>
    %10 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x256x16x64xf16>) outs(%9 : tensor<1x16x64x256xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x16x64x256xf16>
    %collapsed_9 = tensor.collapse_shape %8 [[0, 1], [2], [3, 4]] : tensor<1x16x64x1x64xf16> into tensor<16x64x64xf16>
    %collapsed_10 = tensor.collapse_shape %10 [[0, 1], [2], [3]] : tensor<1x16x64x256xf16> into tensor<16x64x256xf16>
    %11 = tensor.empty() : tensor<16x64x256xf32>
    %12 = linalg.fill ins(%cst_1 : f32) outs(%11 : tensor<16x64x256xf32>) -> tensor<16x64x256xf32>
    %13 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<16x64x64xf16>, tensor<16x64x256xf16>) outs(%12 : tensor<16x64x256xf32>) -> tensor<16x64x256xf32>
    %expanded_11 = tensor.expand_shape %13 [[0, 1], [2], [3, 4]] output_shape [1, 16, 64, 1, 256] : tensor<16x64x256xf32> into tensor<1x16x64x1x256xf32>
    %14 = tensor.empty() : tensor<1x16x64x1x256xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x16x64x1x256xf32>) outs(%14 : tensor<1x16x64x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.mulf %in, %cst_0 : f32
      linalg.yield %39 : f32
    } -> tensor<1x16x64x1x256xf32>
    %16 = tensor.empty() : tensor<1x16x64x1xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<1x16x64x1xf32>) -> tensor<1x16x64x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x16x64x1x256xf32>) outs(%17 : tensor<1x16x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.maximumf %out, %in : f32
      linalg.yield %39 : f32
    } -> tensor<1x16x64x1xf32>
    %collapsed_12 = tensor.collapse_shape %18 [[0, 1, 2, 3]] : tensor<1x16x64x1xf32> into tensor<1024xf32>
    %expanded_13 = tensor.expand_shape %collapsed_12 [[0, 1, 2, 3]] output_shape [1, 1, 16, 64] : tensor<1024xf32> into tensor<1x1x16x64xf32>
    %collapsed_14 = tensor.collapse_shape %15 [[0, 1, 2, 3, 4]] : tensor<1x16x64x1x256xf32> into tensor<262144xf32>
    %expanded_15 = tensor.expand_shape %collapsed_14 [[0, 1, 2, 3, 4]] output_shape [1, 1, 16, 64, 256] : tensor<262144xf32> into tensor<1x1x16x64x256xf32>
    %19 = tensor.empty() : tensor<1x1x16x64x256xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<1x1x16x64xf32>) outs(%19 : tensor<1x1x16x64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x16x64x256xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %20 : tensor<1x1x16x64x256xf32>, tensor<1x1x16x64x256xf32>) outs(%19 : tensor<1x1x16x64x256xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %39 = arith.subf %in, %in_22 : f32
      linalg.yield %39 : f32
    } -> tensor<1x1x16x64x256xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x1x16x64x256xf32>) outs(%19 : tensor<1x1x16x64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = math.exp %in : f32
      linalg.yield %39 : f32
    } -> tensor<1x1x16x64x256xf32>
    %23 = tensor.empty() : tensor<1x1x16x64xf32>
    %24 = linalg.fill ins(%cst_1 : f32) outs(%23 : tensor<1x1x16x64xf32>) -> tensor<1x1x16x64xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x1x16x64x256xf32>) outs(%24 : tensor<1x1x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.addf %out, %in : f32
      linalg.yield %39 : f32
    } -> tensor<1x1x16x64xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x1x16x64xf32>) outs(%19 : tensor<1x1x16x64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x16x64x256xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22, %26 : tensor<1x1x16x64x256xf32>, tensor<1x1x16x64x256xf32>) outs(%19 : tensor<1x1x16x64x256xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %39 = arith.divf %in, %in_22 : f32
      linalg.yield %39 : f32
    } -> tensor<1x1x16x64x256xf32>
    %28 = tensor.empty() : tensor<1x1x16x64x256xf16>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x1x16x64x256xf32>) outs(%28 : tensor<1x1x16x64x256xf16>) {
    ^bb0(%in: f32, %out: f16):
      %39 = arith.truncf %in : f32 to f16
      linalg.yield %39 : f16
    } -> tensor<1x1x16x64x256xf16>
    %30 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x256x16x64xf16>) outs(%9 : tensor<1x16x64x256xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x16x64x256xf16>
    %31 = tensor.empty() : tensor<1x16x256x1x64xf16>
    %32 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x1x16x64x256xf16>) outs(%31 : tensor<1x16x256x1x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x16x256x1x64xf16>
    %collapsed_16 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<1x16x64x256xf16> into tensor<16x64x256xf16>
    %collapsed_17 = tensor.collapse_shape %32 [[0, 1], [2], [3, 4]] : tensor<1x16x256x1x64xf16> into tensor<16x256x64xf16>
    %33 = tensor.empty() : tensor<16x64x64xf16>
    %34 = linalg.fill ins(%cst_2 : f16) outs(%33 : tensor<16x64x64xf16>) -> tensor<16x64x64xf16>
    %35 = linalg.batch_matmul ins(%collapsed_16, %collapsed_17 : tensor<16x64x256xf16>, tensor<16x256x64xf16>) outs(%34 : tensor<16x64x64xf16>) -> tensor<16x64x64xf16>
    %expanded_18 = tensor.expand_shape %35 [[0, 1], [2], [3, 4]] output_shape [1, 16, 64, 1, 64] : tensor<16x64x64xf16> into tensor<1x16x64x1x64xf16>
    %36 = tensor.empty() : tensor<1x1x64x16x64xf16>
    %37 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<1x16x64x1x64xf16>) outs(%36 : tensor<1x1x64x16x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x64x16x64xf16>
    %collapsed_19 = tensor.collapse_shape %37 [[0, 1, 2], [3, 4]] : tensor<1x1x64x16x64xf16> into tensor<64x1024xf16>
    %collapsed_20 = tensor.collapse_shape %arg5 [[0, 1], [2]] : tensor<16x64x1024xf16> into tensor<1024x1024xf16>
    %38 = linalg.matmul ins(%collapsed_19, %collapsed_20 : tensor<64x1024xf16>, tensor<1024x1024xf16>) outs(%1 : tensor<64x1024xf16>) -> tensor<64x1024xf16>
    %expanded_21 = tensor.expand_shape %38 [[0, 1], [2]] output_shape [1, 64, 1024] : tensor<64x1024xf16> into tensor<1x64x1024xf16>
    return %expanded_21 : tensor<1x64x1024xf16>
  }
}

