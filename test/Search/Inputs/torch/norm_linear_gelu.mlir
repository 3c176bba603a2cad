#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0) -> (d0)>
module {
  func.func @norm_linear_gelu(%arg0: tensor<4096xf16>, %arg1: tensor<4096xf16>, %arg2: tensor<4096x4096xf16>, %arg3: tensor<4096xf16>, %arg4: tensor<8x4096xf16>) -> tensor<8x4096xf16> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e+00 : f16
    %cst_2 = arith.constant 2.000000e+00 : f16
    %cst_3 = arith.constant 5.000000e-01 : f16
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 4.096000e+03 : f64
    %cst_6 = arith.constant 4.096000e+03 : f32
    %0 = tensor.empty() : tensor<8x4096xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<8x4096xf16>) outs(%0 : tensor<8x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<8x4096xf32>
    %2 = tensor.empty() : tensor<8x4096xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x4096xf32>) outs(%2 : tensor<8x4096xf64>) {
    ^bb0(%in: f32, %out: f64):
      %36 = arith.extf %in : f32 to f64
      linalg.yield %36 : f64
    } -> tensor<8x4096xf64>
    %4 = tensor.empty() : tensor<8x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<8x1xf64>) -> tensor<8x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<8x4096xf64>) outs(%5 : tensor<8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %36 = arith.addf %in, %out : f64
      linalg.yield %36 : f64
    } -> tensor<8x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<8x1xf64>) outs(%4 : tensor<8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %36 = arith.divf %in, %cst_5 : f64
      linalg.yield %36 : f64
    } -> tensor<8x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %7 : tensor<8x4096xf64>, tensor<8x1xf64>) outs(%2 : tensor<8x4096xf64>) {
    ^bb0(%in: f64, %in_7: f64, %out: f64):
      %36 = arith.subf %in, %in_7 : f64
      linalg.yield %36 : f64
    } -> tensor<8x4096xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %8 : tensor<8x4096xf64>, tensor<8x4096xf64>) outs(%2 : tensor<8x4096xf64>) {
    ^bb0(%in: f64, %in_7: f64, %out: f64):
      %36 = arith.mulf %in, %in_7 : f64
      linalg.yield %36 : f64
    } -> tensor<8x4096xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<8x4096xf64>) outs(%5 : tensor<8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %36 = arith.addf %in, %out : f64
      linalg.yield %36 : f64
    } -> tensor<8x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<8x1xf64>) outs(%4 : tensor<8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %36 = arith.divf %in, %cst_5 : f64
      linalg.yield %36 : f64
    } -> tensor<8x1xf64>
    %12 = tensor.empty() : tensor<8x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<8x1xf64>) outs(%12 : tensor<8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %36 = arith.truncf %in : f64 to f32
      linalg.yield %36 : f32
    } -> tensor<8x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<8x1xf32>) -> tensor<8x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x4096xf32>) outs(%14 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %in, %out : f32
      linalg.yield %36 : f32
    } -> tensor<8x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<8x1xf32>) outs(%12 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.divf %in, %cst_6 : f32
      linalg.yield %36 : f32
    } -> tensor<8x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<8x1xf32>) outs(%12 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.truncf %cst_4 : f64 to f32
      %37 = arith.addf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<8x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<8x1xf32>) outs(%12 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = math.rsqrt %in : f32
      linalg.yield %36 : f32
    } -> tensor<8x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %16 : tensor<8x4096xf32>, tensor<8x1xf32>) outs(%0 : tensor<8x4096xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %36 = arith.subf %in, %in_7 : f32
      linalg.yield %36 : f32
    } -> tensor<8x4096xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %18 : tensor<8x4096xf32>, tensor<8x1xf32>) outs(%0 : tensor<8x4096xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %36 = arith.mulf %in, %in_7 : f32
      linalg.yield %36 : f32
    } -> tensor<8x4096xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %arg0 : tensor<8x4096xf32>, tensor<4096xf16>) outs(%0 : tensor<8x4096xf32>) {
    ^bb0(%in: f32, %in_7: f16, %out: f32):
      %36 = arith.extf %in_7 : f16 to f32
      %37 = arith.mulf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<8x4096xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %arg1 : tensor<8x4096xf32>, tensor<4096xf16>) outs(%0 : tensor<8x4096xf32>) {
    ^bb0(%in: f32, %in_7: f16, %out: f32):
      %36 = arith.extf %in_7 : f16 to f32
      %37 = arith.addf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<8x4096xf32>
    %23 = tensor.empty() : tensor<8x4096xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<8x4096xf32>) outs(%23 : tensor<8x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<8x4096xf16>
    %25 = tensor.empty() : tensor<4096x4096xf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<4096x4096xf16>) outs(%25 : tensor<4096x4096xf16>) permutation = [1, 0] 
    %26 = tensor.empty() : tensor<4096xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg3 : tensor<4096xf16>) outs(%26 : tensor<4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<4096xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<8x4096xf16>) outs(%0 : tensor<8x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<8x4096xf32>
    %29 = tensor.empty() : tensor<4096x4096xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<4096x4096xf16>) outs(%29 : tensor<4096x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<4096x4096xf32>
    %31 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %32 = linalg.matmul ins(%28, %30 : tensor<8x4096xf32>, tensor<4096x4096xf32>) outs(%31 : tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%32, %27 : tensor<8x4096xf32>, tensor<4096xf32>) outs(%0 : tensor<8x4096xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %36 = arith.addf %in, %in_7 : f32
      linalg.yield %36 : f32
    } -> tensor<8x4096xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<8x4096xf32>) outs(%23 : tensor<8x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<8x4096xf16>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<8x4096xf16>) outs(%23 : tensor<8x4096xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = math.sqrt %cst_2 : f16
      %37 = arith.divf %in, %36 : f16
      %38 = math.erf %37 : f16
      %39 = arith.addf %38, %cst_1 : f16
      %40 = arith.mulf %39, %cst_3 : f16
      %41 = arith.mulf %in, %40 : f16
      linalg.yield %41 : f16
    } -> tensor<8x4096xf16>
    return %35 : tensor<8x4096xf16>
  }
}
