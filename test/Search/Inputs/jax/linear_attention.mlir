#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<() -> ()>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
module @jit_function {
  func.func public @linear_attention(%arg0: tensor<1x1024x16x64xf16>, %arg1: tensor<1x1024x16x64xf16>, %arg2: tensor<1x1024x16x64xf16>) -> tensor<1x1024x16x64xf16> {
    %cst = arith.constant 1.000400e-03 : f16
    %cst_0 = arith.constant 0.000000e+00 : f16
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant 1.000000e+00 : f16
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<1x1024x16x64xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x1024x16x64xf16>) outs(%0 : tensor<1x1024x16x64xi1>) {
    ^bb0(%in: f16, %out: i1):
      %45 = arith.cmpf ogt, %in, %cst_0 : f16
      linalg.yield %45 : i1
    } -> tensor<1x1024x16x64xi1>
    %2 = tensor.empty() : tensor<f16>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = []} ins(%cst_3 : tensor<f32>) outs(%2 : tensor<f16>) {
    ^bb0(%in: f32, %out: f16):
      %45 = arith.truncf %in : f32 to f16
      linalg.yield %45 : f16
    } -> tensor<f16>
    %4 = tensor.empty() : tensor<1x1024x16x64xf16>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<f16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x16x64xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %5, %arg0 : tensor<1x1024x16x64xi1>, tensor<1x1024x16x64xf16>, tensor<1x1024x16x64xf16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: i1, %in_12: f16, %in_13: f16, %out: f16):
      %45 = arith.select %in, %in_12, %in_13 : f16
      linalg.yield %45 : f16
    } -> tensor<1x1024x16x64xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1024x16x64xf16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = math.expm1 %in : f16
      linalg.yield %45 : f16
    } -> tensor<1x1024x16x64xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg0, %7 : tensor<1x1024x16x64xi1>, tensor<1x1024x16x64xf16>, tensor<1x1024x16x64xf16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: i1, %in_12: f16, %in_13: f16, %out: f16):
      %45 = arith.select %in, %in_12, %in_13 : f16
      linalg.yield %45 : f16
    } -> tensor<1x1024x16x64xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x1024x16x64xf16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = arith.addf %in, %cst_2 : f16
      linalg.yield %45 : f16
    } -> tensor<1x1024x16x64xf16>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x1024x16x64xf16>) outs(%0 : tensor<1x1024x16x64xi1>) {
    ^bb0(%in: f16, %out: i1):
      %45 = arith.cmpf ogt, %in, %cst_0 : f16
      linalg.yield %45 : i1
    } -> tensor<1x1024x16x64xi1>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %5, %arg1 : tensor<1x1024x16x64xi1>, tensor<1x1024x16x64xf16>, tensor<1x1024x16x64xf16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: i1, %in_12: f16, %in_13: f16, %out: f16):
      %45 = arith.select %in, %in_12, %in_13 : f16
      linalg.yield %45 : f16
    } -> tensor<1x1024x16x64xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x1024x16x64xf16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = math.expm1 %in : f16
      linalg.yield %45 : f16
    } -> tensor<1x1024x16x64xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %arg1, %12 : tensor<1x1024x16x64xi1>, tensor<1x1024x16x64xf16>, tensor<1x1024x16x64xf16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: i1, %in_12: f16, %in_13: f16, %out: f16):
      %45 = arith.select %in, %in_12, %in_13 : f16
      linalg.yield %45 : f16
    } -> tensor<1x1024x16x64xf16>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x1024x16x64xf16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = arith.addf %in, %cst_2 : f16
      linalg.yield %45 : f16
    } -> tensor<1x1024x16x64xf16>
    %15 = tensor.empty() : tensor<1x1024x16x64xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x1024x16x64xf16>) outs(%15 : tensor<1x1024x16x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %45 = arith.extf %in : f16 to f32
      linalg.yield %45 : f32
    } -> tensor<1x1024x16x64xf32>
    %17 = tensor.empty() : tensor<1x16x64xf32>
    %18 = linalg.fill ins(%cst_1 : f32) outs(%17 : tensor<1x16x64xf32>) -> tensor<1x16x64xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<1x1024x16x64xf32>) outs(%18 : tensor<1x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.addf %out, %in : f32
      linalg.yield %45 : f32
    } -> tensor<1x16x64xf32>
    %20 = tensor.empty() : tensor<1x16x64xf16>
    %21 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x16x64xf32>) outs(%20 : tensor<1x16x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %45 = arith.truncf %in : f32 to f16
      linalg.yield %45 : f16
    } -> tensor<1x16x64xf16>
    %22 = tensor.empty() : tensor<1x16x64x1024xf16>
    %23 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1024x16x64xf16>) outs(%22 : tensor<1x16x64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x16x64x1024xf16>
    %collapsed = tensor.collapse_shape %21 [[0, 1, 2]] : tensor<1x16x64xf16> into tensor<1024xf16>
    %expanded = tensor.expand_shape %collapsed [[0, 1, 2]] output_shape [16, 1, 64] : tensor<1024xf16> into tensor<16x1x64xf16>
    %collapsed_4 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<1x16x64x1024xf16> into tensor<16x64x1024xf16>
    %24 = tensor.empty() : tensor<16x1x1024xf16>
    %25 = linalg.fill ins(%cst_0 : f16) outs(%24 : tensor<16x1x1024xf16>) -> tensor<16x1x1024xf16>
    %26 = linalg.batch_matmul ins(%expanded, %collapsed_4 : tensor<16x1x64xf16>, tensor<16x64x1024xf16>) outs(%25 : tensor<16x1x1024xf16>) -> tensor<16x1x1024xf16>
    %collapsed_5 = tensor.collapse_shape %26 [[0, 1, 2]] : tensor<16x1x1024xf16> into tensor<16384xf16>
    %expanded_6 = tensor.expand_shape %collapsed_5 [[0, 1, 2]] output_shape [1, 16, 1024] : tensor<16384xf16> into tensor<1x16x1024xf16>
    %27 = tensor.empty() : tensor<1x1024x16xf16>
    %28 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x16x1024xf16>) outs(%27 : tensor<1x1024x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x16xf16>
    %29 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<1x1024x16xf16>) outs(%27 : tensor<1x1024x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = arith.addf %in, %cst : f16
      linalg.yield %45 : f16
    } -> tensor<1x1024x16xf16>
    %30 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<1x1024x16xf16>) outs(%27 : tensor<1x1024x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = arith.divf %cst_2, %in : f16
      linalg.yield %45 : f16
    } -> tensor<1x1024x16xf16>
    %31 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x1024x16x64xf16>) outs(%22 : tensor<1x16x64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x16x64x1024xf16>
    %32 = tensor.empty() : tensor<1x16x1024x64xf16>
    %33 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x1024x16x64xf16>) outs(%32 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x16x1024x64xf16>
    %collapsed_7 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x16x64x1024xf16> into tensor<16x64x1024xf16>
    %collapsed_8 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<1x16x1024x64xf16> into tensor<16x1024x64xf16>
    %34 = tensor.empty() : tensor<16x64x64xf16>
    %35 = linalg.fill ins(%cst_0 : f16) outs(%34 : tensor<16x64x64xf16>) -> tensor<16x64x64xf16>
    %36 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<16x64x1024xf16>, tensor<16x1024x64xf16>) outs(%35 : tensor<16x64x64xf16>) -> tensor<16x64x64xf16>
    %expanded_9 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [1, 16, 64, 64] : tensor<16x64x64xf16> into tensor<1x16x64x64xf16>
    %37 = tensor.empty() : tensor<1x16x64x64xf16>
    %38 = linalg.generic {indexing_maps = [#map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x16x64x64xf16>) outs(%37 : tensor<1x16x64x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x16x64x64xf16>
    %collapsed_10 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x16x64x64xf16> into tensor<16x64x64xf16>
    %39 = tensor.empty() : tensor<16x64x1024xf16>
    %40 = linalg.fill ins(%cst_0 : f16) outs(%39 : tensor<16x64x1024xf16>) -> tensor<16x64x1024xf16>
    %41 = linalg.batch_matmul ins(%collapsed_10, %collapsed_4 : tensor<16x64x64xf16>, tensor<16x64x1024xf16>) outs(%40 : tensor<16x64x1024xf16>) -> tensor<16x64x1024xf16>
    %expanded_11 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [1, 16, 64, 1024] : tensor<16x64x1024xf16> into tensor<1x16x64x1024xf16>
    %42 = linalg.generic {indexing_maps = [#map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x16x64x1024xf16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x16x64xf16>
    %43 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x1024x16xf16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1024x16x64xf16>
    %44 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %42 : tensor<1x1024x16x64xf16>, tensor<1x1024x16x64xf16>) outs(%4 : tensor<1x1024x16x64xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %45 = arith.mulf %in, %in_12 : f16
      linalg.yield %45 : f16
    } -> tensor<1x1024x16x64xf16>
    return %44 : tensor<1x1024x16x64xf16>
  }
}

