#map = affine_map<(d0, d1, d2, d3) -> ()>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @linear_attention(%arg0: tensor<1x16x1024x64xf16>, %arg1: tensor<1x16x1024x64xf16>, %arg2: tensor<1x16x1024x64xf16>) -> tensor<1x16x1024x64xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f16
    %cst_1 = arith.constant 9.9999999999999995E-7 : f64
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f16>
    %cst_3 = arith.constant 1.000000e+00 : f16
    %0 = tensor.empty() : tensor<1x16x1024x64xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2, %arg0 : tensor<f16>, tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.cmpf ogt, %in, %in_9 : f16
      %37 = arith.select %36, %in, %in_9 : f16
      linalg.yield %37 : f16
    } -> tensor<1x16x1024x64xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2, %arg0 : tensor<f16>, tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.cmpf olt, %in, %in_9 : f16
      %37 = arith.select %36, %in, %in_9 : f16
      linalg.yield %37 : f16
    } -> tensor<1x16x1024x64xf16>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = math.exp %in : f16
      linalg.yield %36 : f16
    } -> tensor<1x16x1024x64xf16>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.subf %in, %cst_3 : f16
      linalg.yield %36 : f16
    } -> tensor<1x16x1024x64xf16>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %4 : tensor<1x16x1024x64xf16>, tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.addf %in, %in_9 : f16
      linalg.yield %36 : f16
    } -> tensor<1x16x1024x64xf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.addf %in, %cst_3 : f16
      linalg.yield %36 : f16
    } -> tensor<1x16x1024x64xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2, %arg1 : tensor<f16>, tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.cmpf ogt, %in, %in_9 : f16
      %37 = arith.select %36, %in, %in_9 : f16
      linalg.yield %37 : f16
    } -> tensor<1x16x1024x64xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2, %arg1 : tensor<f16>, tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.cmpf olt, %in, %in_9 : f16
      %37 = arith.select %36, %in, %in_9 : f16
      linalg.yield %37 : f16
    } -> tensor<1x16x1024x64xf16>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = math.exp %in : f16
      linalg.yield %36 : f16
    } -> tensor<1x16x1024x64xf16>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.subf %in, %cst_3 : f16
      linalg.yield %36 : f16
    } -> tensor<1x16x1024x64xf16>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %10 : tensor<1x16x1024x64xf16>, tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.addf %in, %in_9 : f16
      linalg.yield %36 : f16
    } -> tensor<1x16x1024x64xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x16x1024x64xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.addf %in, %cst_3 : f16
      linalg.yield %36 : f16
    } -> tensor<1x16x1024x64xf16>
    %13 = tensor.empty() : tensor<1x16x64x1024xf16>
    %transposed = linalg.transpose ins(%12 : tensor<1x16x1024x64xf16>) outs(%13 : tensor<1x16x64x1024xf16>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x16x64x1024xf16> into tensor<16x64x1024xf16>
    %collapsed_4 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x16x1024x64xf16> into tensor<16x1024x64xf16>
    %14 = tensor.empty() : tensor<16x64x64xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
    %16 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<16x64x1024xf16>, tensor<16x1024x64xf16>) outs(%15 : tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
    %17 = tensor.empty() : tensor<16x64x64xf16>
    %18 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<16x64x64xf32>) outs(%17 : tensor<16x64x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<16x64x64xf16>
    %collapsed_5 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<1x16x1024x64xf16> into tensor<16x1024x64xf16>
    %19 = tensor.empty() : tensor<16x1024x64xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<16x1024x64xf32>) -> tensor<16x1024x64xf32>
    %21 = linalg.batch_matmul ins(%collapsed_5, %18 : tensor<16x1024x64xf16>, tensor<16x64x64xf16>) outs(%20 : tensor<16x1024x64xf32>) -> tensor<16x1024x64xf32>
    %22 = tensor.empty() : tensor<16x1024x64xf16>
    %23 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<16x1024x64xf32>) outs(%22 : tensor<16x1024x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<16x1024x64xf16>
    %expanded = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [1, 16, 1024, 64] : tensor<16x1024x64xf16> into tensor<1x16x1024x64xf16>
    %24 = tensor.empty() : tensor<1x16x1x64xf16>
    %25 = linalg.fill ins(%cst_0 : f16) outs(%24 : tensor<1x16x1x64xf16>) -> tensor<1x16x1x64xf16>
    %26 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%12 : tensor<1x16x1024x64xf16>) outs(%25 : tensor<1x16x1x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.addf %in, %out : f16
      linalg.yield %36 : f16
    } -> tensor<1x16x1x64xf16>
    %27 = tensor.empty() : tensor<1x16x64x1xf16>
    %transposed_6 = linalg.transpose ins(%26 : tensor<1x16x1x64xf16>) outs(%27 : tensor<1x16x64x1xf16>) permutation = [0, 1, 3, 2] 
    %collapsed_7 = tensor.collapse_shape %transposed_6 [[0, 1], [2], [3]] : tensor<1x16x64x1xf16> into tensor<16x64x1xf16>
    %28 = tensor.empty() : tensor<16x1024x1xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<16x1024x1xf32>) -> tensor<16x1024x1xf32>
    %30 = linalg.batch_matmul ins(%collapsed_5, %collapsed_7 : tensor<16x1024x64xf16>, tensor<16x64x1xf16>) outs(%29 : tensor<16x1024x1xf32>) -> tensor<16x1024x1xf32>
    %31 = tensor.empty() : tensor<16x1024x1xf16>
    %32 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<16x1024x1xf32>) outs(%31 : tensor<16x1024x1xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<16x1024x1xf16>
    %expanded_8 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [1, 16, 1024, 1] : tensor<16x1024x1xf16> into tensor<1x16x1024x1xf16>
    %33 = tensor.empty() : tensor<1x16x1024x1xf16>
    %34 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x16x1024x1xf16>) outs(%33 : tensor<1x16x1024x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.truncf %cst_1 : f64 to f16
      %37 = arith.addf %in, %36 : f16
      linalg.yield %37 : f16
    } -> tensor<1x16x1024x1xf16>
    %35 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %34 : tensor<1x16x1024x64xf16>, tensor<1x16x1024x1xf16>) outs(%0 : tensor<1x16x1024x64xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.divf %in, %in_9 : f16
      linalg.yield %36 : f16
    } -> tensor<1x16x1024x64xf16>
    return %35 : tensor<1x16x1024x64xf16>
  }
}
