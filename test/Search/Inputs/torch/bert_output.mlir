#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @bert_output(%arg0: tensor<768x3072xf16>, %arg1: tensor<768xf16>, %arg2: tensor<768xf16>, %arg3: tensor<768xf16>, %arg4: tensor<16x3072xf16>, %arg5: tensor<16x768xf16>) -> tensor<16x768xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 7.680000e+02 : f64
    %cst_3 = arith.constant 7.680000e+02 : f32
    %0 = tensor.empty() : tensor<3072x768xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<768x3072xf16>) outs(%0 : tensor<3072x768xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<768xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<768xf16>) outs(%1 : tensor<768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<768xf32>
    %3 = tensor.empty() : tensor<16x3072xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<16x3072xf16>) outs(%3 : tensor<16x3072xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<16x3072xf32>
    %5 = tensor.empty() : tensor<3072x768xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<3072x768xf16>) outs(%5 : tensor<3072x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<3072x768xf32>
    %7 = tensor.empty() : tensor<16x768xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<16x768xf32>) -> tensor<16x768xf32>
    %9 = linalg.matmul ins(%4, %6 : tensor<16x3072xf32>, tensor<3072x768xf32>) outs(%8 : tensor<16x768xf32>) -> tensor<16x768xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %2 : tensor<16x768xf32>, tensor<768xf32>) outs(%7 : tensor<16x768xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.addf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<16x768xf32>
    %11 = tensor.empty() : tensor<16x768xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<16x768xf32>) outs(%11 : tensor<16x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %37 = arith.truncf %in : f32 to f16
      linalg.yield %37 : f16
    } -> tensor<16x768xf16>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %arg5 : tensor<16x768xf16>, tensor<16x768xf16>) outs(%11 : tensor<16x768xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %37 = arith.addf %in, %in_4 : f16
      linalg.yield %37 : f16
    } -> tensor<16x768xf16>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<16x768xf16>) outs(%7 : tensor<16x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<16x768xf32>
    %15 = tensor.empty() : tensor<16x768xf64>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<16x768xf32>) outs(%15 : tensor<16x768xf64>) {
    ^bb0(%in: f32, %out: f64):
      %37 = arith.extf %in : f32 to f64
      linalg.yield %37 : f64
    } -> tensor<16x768xf64>
    %17 = tensor.empty() : tensor<16x1xf64>
    %18 = linalg.fill ins(%cst_0 : f64) outs(%17 : tensor<16x1xf64>) -> tensor<16x1xf64>
    %19 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%16 : tensor<16x768xf64>) outs(%18 : tensor<16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %37 = arith.addf %in, %out : f64
      linalg.yield %37 : f64
    } -> tensor<16x1xf64>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<16x1xf64>) outs(%17 : tensor<16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %37 = arith.divf %in, %cst_2 : f64
      linalg.yield %37 : f64
    } -> tensor<16x1xf64>
    %21 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %20 : tensor<16x768xf64>, tensor<16x1xf64>) outs(%15 : tensor<16x768xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %37 = arith.subf %in, %in_4 : f64
      linalg.yield %37 : f64
    } -> tensor<16x768xf64>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%21, %21 : tensor<16x768xf64>, tensor<16x768xf64>) outs(%15 : tensor<16x768xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %37 = arith.mulf %in, %in_4 : f64
      linalg.yield %37 : f64
    } -> tensor<16x768xf64>
    %23 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%22 : tensor<16x768xf64>) outs(%18 : tensor<16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %37 = arith.addf %in, %out : f64
      linalg.yield %37 : f64
    } -> tensor<16x1xf64>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<16x1xf64>) outs(%17 : tensor<16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %37 = arith.divf %in, %cst_2 : f64
      linalg.yield %37 : f64
    } -> tensor<16x1xf64>
    %25 = tensor.empty() : tensor<16x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<16x1xf64>) outs(%25 : tensor<16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %37 = arith.truncf %in : f64 to f32
      linalg.yield %37 : f32
    } -> tensor<16x1xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%25 : tensor<16x1xf32>) -> tensor<16x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<16x768xf32>) outs(%27 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %in, %out : f32
      linalg.yield %37 : f32
    } -> tensor<16x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<16x1xf32>) outs(%25 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.divf %in, %cst_3 : f32
      linalg.yield %37 : f32
    } -> tensor<16x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<16x1xf32>) outs(%25 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.truncf %cst_1 : f64 to f32
      %38 = arith.addf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<16x1xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<16x1xf32>) outs(%25 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.rsqrt %in : f32
      linalg.yield %37 : f32
    } -> tensor<16x1xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %29 : tensor<16x768xf32>, tensor<16x1xf32>) outs(%7 : tensor<16x768xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.subf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<16x768xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%32, %31 : tensor<16x768xf32>, tensor<16x1xf32>) outs(%7 : tensor<16x768xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<16x768xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%33, %arg2 : tensor<16x768xf32>, tensor<768xf16>) outs(%7 : tensor<16x768xf32>) {
    ^bb0(%in: f32, %in_4: f16, %out: f32):
      %37 = arith.extf %in_4 : f16 to f32
      %38 = arith.mulf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<16x768xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%34, %arg3 : tensor<16x768xf32>, tensor<768xf16>) outs(%7 : tensor<16x768xf32>) {
    ^bb0(%in: f32, %in_4: f16, %out: f32):
      %37 = arith.extf %in_4 : f16 to f32
      %38 = arith.addf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<16x768xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<16x768xf32>) outs(%11 : tensor<16x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %37 = arith.truncf %in : f32 to f16
      linalg.yield %37 : f16
    } -> tensor<16x768xf16>
    return %36 : tensor<16x768xf16>
  }
}
