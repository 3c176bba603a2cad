#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @pooler(%arg0: tensor<768x768xf16>, %arg1: tensor<768xf16>, %arg2: tensor<4x128x768xf16>) -> tensor<4x768xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 9.9999999999999998E-13 : f64
    %cst_2 = arith.constant 1.280000e+02 : f16
    %cst_3 = arith.constant 5.000000e-01 : f16
    %cst_4 = arith.constant 2.000000e+00 : f16
    %0 = tensor.empty() : tensor<4x768xf16>
    %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<4x768xf16>) -> tensor<4x768xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg2 : tensor<4x128x768xf16>) outs(%1 : tensor<4x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = arith.addf %in, %out : f16
      linalg.yield %23 : f16
    } -> tensor<4x768xf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x768xf16>) outs(%0 : tensor<4x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = arith.divf %in, %cst_2 : f16
      linalg.yield %23 : f16
    } -> tensor<4x768xf16>
    %4 = tensor.empty() : tensor<768x768xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<768x768xf16>) outs(%4 : tensor<768x768xf16>) permutation = [1, 0] 
    %5 = tensor.empty() : tensor<768xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg1 : tensor<768xf16>) outs(%5 : tensor<768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %23 = arith.extf %in : f16 to f32
      linalg.yield %23 : f32
    } -> tensor<768xf32>
    %7 = tensor.empty() : tensor<4x768xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<4x768xf16>) outs(%7 : tensor<4x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %23 = arith.extf %in : f16 to f32
      linalg.yield %23 : f32
    } -> tensor<4x768xf32>
    %9 = tensor.empty() : tensor<768x768xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<768x768xf16>) outs(%9 : tensor<768x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %23 = arith.extf %in : f16 to f32
      linalg.yield %23 : f32
    } -> tensor<768x768xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<4x768xf32>) -> tensor<4x768xf32>
    %12 = linalg.matmul ins(%8, %10 : tensor<4x768xf32>, tensor<768x768xf32>) outs(%11 : tensor<4x768xf32>) -> tensor<4x768xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel"]} ins(%12, %6 : tensor<4x768xf32>, tensor<768xf32>) outs(%7 : tensor<4x768xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %23 = arith.addf %in, %in_5 : f32
      linalg.yield %23 : f32
    } -> tensor<4x768xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<4x768xf32>) outs(%0 : tensor<4x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %23 = arith.truncf %in : f32 to f16
      linalg.yield %23 : f16
    } -> tensor<4x768xf16>
    %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<4x768xf16>) outs(%0 : tensor<4x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = math.tanh %in : f16
      linalg.yield %23 : f16
    } -> tensor<4x768xf16>
    %16 = tensor.empty() : tensor<4x1xf16>
    %17 = linalg.fill ins(%cst : f16) outs(%16 : tensor<4x1xf16>) -> tensor<4x1xf16>
    %18 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "reduction"]} ins(%15 : tensor<4x768xf16>) outs(%17 : tensor<4x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = math.absf %in : f16
      %24 = math.powf %23, %cst_4 : f16
      %25 = arith.addf %24, %out : f16
      linalg.yield %25 : f16
    } -> tensor<4x1xf16>
    %19 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<4x1xf16>) outs(%16 : tensor<4x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = math.powf %in, %cst_3 : f16
      linalg.yield %23 : f16
    } -> tensor<4x1xf16>
    %20 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<4x1xf16>) outs(%16 : tensor<4x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = arith.truncf %cst_1 : f64 to f16
      %24 = arith.cmpf ult, %in, %23 : f16
      %25 = arith.select %24, %23, %in : f16
      linalg.yield %25 : f16
    } -> tensor<4x1xf16>
    %collapsed = tensor.collapse_shape %20 [[0, 1]] : tensor<4x1xf16> into tensor<4xf16>
    %21 = linalg.generic {indexing_maps = [#map6, #map2], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<4xf16>) outs(%0 : tensor<4x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<4x768xf16>
    %22 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%15, %21 : tensor<4x768xf16>, tensor<4x768xf16>) outs(%0 : tensor<4x768xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %23 = arith.divf %in, %in_5 : f16
      linalg.yield %23 : f16
    } -> tensor<4x768xf16>
    return %22 : tensor<4x768xf16>
  }
}
