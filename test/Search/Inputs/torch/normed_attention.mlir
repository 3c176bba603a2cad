#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @normed_attention(%arg0: tensor<64xf16>, %arg1: tensor<64xf16>, %arg2: tensor<64xf16>, %arg3: tensor<64xf16>, %arg4: tensor<1x16x64x64xf16>, %arg5: tensor<1x16x4096x64xf16>, %arg6: tensor<1x16x4096x64xf16>) -> tensor<1x16x64x64xf16> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x16x64x4096xf32>
    %cst_3 = arith.constant 0xFFF0000000000000 : f64
    %cst_4 = arith.constant 0.35355339059327379 : f64
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant 6.400000e+01 : f64
    %cst_7 = arith.constant 6.400000e+01 : f32
    %0 = tensor.empty() : tensor<1x16x64x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<1x16x64x64xf16>) outs(%0 : tensor<1x16x64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %78 = arith.extf %in : f16 to f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x64xf32>
    %2 = tensor.empty() : tensor<1x16x64x64xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x16x64x64xf32>) outs(%2 : tensor<1x16x64x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %78 = arith.extf %in : f32 to f64
      linalg.yield %78 : f64
    } -> tensor<1x16x64x64xf64>
    %4 = tensor.empty() : tensor<1x16x64x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<1x16x64x1xf64>) -> tensor<1x16x64x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%3 : tensor<1x16x64x64xf64>) outs(%5 : tensor<1x16x64x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %78 = arith.addf %in, %out : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x64x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x16x64x1xf64>) outs(%4 : tensor<1x16x64x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %78 = arith.divf %in, %cst_6 : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x64x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<1x16x64x64xf64>, tensor<1x16x64x1xf64>) outs(%2 : tensor<1x16x64x64xf64>) {
    ^bb0(%in: f64, %in_13: f64, %out: f64):
      %78 = arith.subf %in, %in_13 : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x64x64xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x16x64x64xf64>, tensor<1x16x64x64xf64>) outs(%2 : tensor<1x16x64x64xf64>) {
    ^bb0(%in: f64, %in_13: f64, %out: f64):
      %78 = arith.mulf %in, %in_13 : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x64x64xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<1x16x64x64xf64>) outs(%5 : tensor<1x16x64x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %78 = arith.addf %in, %out : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x64x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x16x64x1xf64>) outs(%4 : tensor<1x16x64x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %78 = arith.divf %in, %cst_6 : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x64x1xf64>
    %12 = tensor.empty() : tensor<1x16x64x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x16x64x1xf64>) outs(%12 : tensor<1x16x64x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %78 = arith.truncf %in : f64 to f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x16x64x1xf32>) -> tensor<1x16x64x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<1x16x64x64xf32>) outs(%14 : tensor<1x16x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = arith.addf %in, %out : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x16x64x1xf32>) outs(%12 : tensor<1x16x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = arith.divf %in, %cst_7 : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x16x64x1xf32>) outs(%12 : tensor<1x16x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = arith.truncf %cst_5 : f64 to f32
      %79 = arith.addf %in, %78 : f32
      linalg.yield %79 : f32
    } -> tensor<1x16x64x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x16x64x1xf32>) outs(%12 : tensor<1x16x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = math.rsqrt %in : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<1x16x64x64xf32>, tensor<1x16x64x1xf32>) outs(%0 : tensor<1x16x64x64xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %78 = arith.subf %in, %in_13 : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x64xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x16x64x64xf32>, tensor<1x16x64x1xf32>) outs(%0 : tensor<1x16x64x64xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %78 = arith.mulf %in, %in_13 : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x64xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %arg0 : tensor<1x16x64x64xf32>, tensor<64xf16>) outs(%0 : tensor<1x16x64x64xf32>) {
    ^bb0(%in: f32, %in_13: f16, %out: f32):
      %78 = arith.extf %in_13 : f16 to f32
      %79 = arith.mulf %in, %78 : f32
      linalg.yield %79 : f32
    } -> tensor<1x16x64x64xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %arg1 : tensor<1x16x64x64xf32>, tensor<64xf16>) outs(%0 : tensor<1x16x64x64xf32>) {
    ^bb0(%in: f32, %in_13: f16, %out: f32):
      %78 = arith.extf %in_13 : f16 to f32
      %79 = arith.addf %in, %78 : f32
      linalg.yield %79 : f32
    } -> tensor<1x16x64x64xf32>
    %23 = tensor.empty() : tensor<1x16x64x64xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x16x64x64xf32>) outs(%23 : tensor<1x16x64x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %78 = arith.truncf %in : f32 to f16
      linalg.yield %78 : f16
    } -> tensor<1x16x64x64xf16>
    %25 = tensor.empty() : tensor<1x16x4096x64xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5 : tensor<1x16x4096x64xf16>) outs(%25 : tensor<1x16x4096x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %78 = arith.extf %in : f16 to f32
      linalg.yield %78 : f32
    } -> tensor<1x16x4096x64xf32>
    %27 = tensor.empty() : tensor<1x16x4096x64xf64>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x16x4096x64xf32>) outs(%27 : tensor<1x16x4096x64xf64>) {
    ^bb0(%in: f32, %out: f64):
      %78 = arith.extf %in : f32 to f64
      linalg.yield %78 : f64
    } -> tensor<1x16x4096x64xf64>
    %29 = tensor.empty() : tensor<1x16x4096x1xf64>
    %30 = linalg.fill ins(%cst : f64) outs(%29 : tensor<1x16x4096x1xf64>) -> tensor<1x16x4096x1xf64>
    %31 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<1x16x4096x64xf64>) outs(%30 : tensor<1x16x4096x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %78 = arith.addf %in, %out : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x4096x1xf64>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x16x4096x1xf64>) outs(%29 : tensor<1x16x4096x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %78 = arith.divf %in, %cst_6 : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x4096x1xf64>
    %33 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %32 : tensor<1x16x4096x64xf64>, tensor<1x16x4096x1xf64>) outs(%27 : tensor<1x16x4096x64xf64>) {
    ^bb0(%in: f64, %in_13: f64, %out: f64):
      %78 = arith.subf %in, %in_13 : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x4096x64xf64>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %33 : tensor<1x16x4096x64xf64>, tensor<1x16x4096x64xf64>) outs(%27 : tensor<1x16x4096x64xf64>) {
    ^bb0(%in: f64, %in_13: f64, %out: f64):
      %78 = arith.mulf %in, %in_13 : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x4096x64xf64>
    %35 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x16x4096x64xf64>) outs(%30 : tensor<1x16x4096x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %78 = arith.addf %in, %out : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x4096x1xf64>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x16x4096x1xf64>) outs(%29 : tensor<1x16x4096x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %78 = arith.divf %in, %cst_6 : f64
      linalg.yield %78 : f64
    } -> tensor<1x16x4096x1xf64>
    %37 = tensor.empty() : tensor<1x16x4096x1xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x16x4096x1xf64>) outs(%37 : tensor<1x16x4096x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %78 = arith.truncf %in : f64 to f32
      linalg.yield %78 : f32
    } -> tensor<1x16x4096x1xf32>
    %39 = linalg.fill ins(%cst_0 : f32) outs(%37 : tensor<1x16x4096x1xf32>) -> tensor<1x16x4096x1xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x16x4096x64xf32>) outs(%39 : tensor<1x16x4096x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = arith.addf %in, %out : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x4096x1xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x16x4096x1xf32>) outs(%37 : tensor<1x16x4096x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = arith.divf %in, %cst_7 : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x4096x1xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x16x4096x1xf32>) outs(%37 : tensor<1x16x4096x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = arith.truncf %cst_5 : f64 to f32
      %79 = arith.addf %in, %78 : f32
      linalg.yield %79 : f32
    } -> tensor<1x16x4096x1xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x16x4096x1xf32>) outs(%37 : tensor<1x16x4096x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = math.rsqrt %in : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x4096x1xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %41 : tensor<1x16x4096x64xf32>, tensor<1x16x4096x1xf32>) outs(%25 : tensor<1x16x4096x64xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %78 = arith.subf %in, %in_13 : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x4096x64xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %43 : tensor<1x16x4096x64xf32>, tensor<1x16x4096x1xf32>) outs(%25 : tensor<1x16x4096x64xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %78 = arith.mulf %in, %in_13 : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x4096x64xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %arg2 : tensor<1x16x4096x64xf32>, tensor<64xf16>) outs(%25 : tensor<1x16x4096x64xf32>) {
    ^bb0(%in: f32, %in_13: f16, %out: f32):
      %78 = arith.extf %in_13 : f16 to f32
      %79 = arith.mulf %in, %78 : f32
      linalg.yield %79 : f32
    } -> tensor<1x16x4096x64xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %arg3 : tensor<1x16x4096x64xf32>, tensor<64xf16>) outs(%25 : tensor<1x16x4096x64xf32>) {
    ^bb0(%in: f32, %in_13: f16, %out: f32):
      %78 = arith.extf %in_13 : f16 to f32
      %79 = arith.addf %in, %78 : f32
      linalg.yield %79 : f32
    } -> tensor<1x16x4096x64xf32>
    %48 = tensor.empty() : tensor<1x16x4096x64xf16>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x16x4096x64xf32>) outs(%48 : tensor<1x16x4096x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %78 = arith.truncf %in : f32 to f16
      linalg.yield %78 : f16
    } -> tensor<1x16x4096x64xf16>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x16x64x64xf16>) outs(%0 : tensor<1x16x64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %78 = arith.extf %in : f16 to f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x64xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x16x4096x64xf16>) outs(%25 : tensor<1x16x4096x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %78 = arith.extf %in : f16 to f32
      linalg.yield %78 : f32
    } -> tensor<1x16x4096x64xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg6 : tensor<1x16x4096x64xf16>) outs(%25 : tensor<1x16x4096x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %78 = arith.extf %in : f16 to f32
      linalg.yield %78 : f32
    } -> tensor<1x16x4096x64xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x16x64x64xf32>) outs(%0 : tensor<1x16x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = arith.truncf %cst_4 : f64 to f32
      %79 = arith.mulf %in, %78 : f32
      linalg.yield %79 : f32
    } -> tensor<1x16x64x64xf32>
    %54 = tensor.empty() : tensor<1x16x64x4096xf32>
    %transposed = linalg.transpose ins(%51 : tensor<1x16x4096x64xf32>) outs(%54 : tensor<1x16x64x4096xf32>) permutation = [0, 1, 3, 2] 
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x16x64x4096xf32>) outs(%54 : tensor<1x16x64x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = arith.truncf %cst_4 : f64 to f32
      %79 = arith.mulf %in, %78 : f32
      linalg.yield %79 : f32
    } -> tensor<1x16x64x4096xf32>
    %collapsed = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<1x16x64x64xf32> into tensor<16x64x64xf32>
    %collapsed_8 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x16x64x4096xf32> into tensor<16x64x4096xf32>
    %56 = tensor.empty() : tensor<16x64x4096xf32>
    %57 = linalg.fill ins(%cst_0 : f32) outs(%56 : tensor<16x64x4096xf32>) -> tensor<16x64x4096xf32>
    %58 = linalg.batch_matmul ins(%collapsed, %collapsed_8 : tensor<16x64x64xf32>, tensor<16x64x4096xf32>) outs(%57 : tensor<16x64x4096xf32>) -> tensor<16x64x4096xf32>
    %expanded = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [1, 16, 64, 4096] : tensor<16x64x4096xf32> into tensor<1x16x64x4096xf32>
    %59 = tensor.empty() : tensor<1x16x64xi64>
    %60 = linalg.fill ins(%c0_i64 : i64) outs(%59 : tensor<1x16x64xi64>) -> tensor<1x16x64xi64>
    %61 = tensor.empty() : tensor<1x16x64xf32>
    %62 = linalg.fill ins(%cst_1 : f32) outs(%61 : tensor<1x16x64xf32>) -> tensor<1x16x64xf32>
    %63:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded : tensor<1x16x64x4096xf32>) outs(%62, %60 : tensor<1x16x64xf32>, tensor<1x16x64xi64>) {
    ^bb0(%in: f32, %out: f32, %out_13: i64):
      %78 = linalg.index 3 : index
      %79 = arith.index_cast %78 : index to i64
      %80 = arith.maximumf %in, %out : f32
      %81 = arith.cmpf ogt, %in, %out : f32
      %82 = arith.select %81, %79, %out_13 : i64
      linalg.yield %80, %82 : f32, i64
    } -> (tensor<1x16x64xf32>, tensor<1x16x64xi64>)
    %expanded_9 = tensor.expand_shape %63#0 [[0], [1], [2, 3]] output_shape [1, 16, 64, 1] : tensor<1x16x64xf32> into tensor<1x16x64x1xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_9 : tensor<1x16x64x4096xf32>, tensor<1x16x64x1xf32>) outs(%54 : tensor<1x16x64x4096xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %78 = arith.subf %in, %in_13 : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x4096xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x16x64x4096xf32>) outs(%54 : tensor<1x16x64x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = math.exp %in : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x4096xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%65 : tensor<1x16x64x4096xf32>) outs(%14 : tensor<1x16x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %78 = arith.addf %in, %out : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x1xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %66 : tensor<1x16x64x4096xf32>, tensor<1x16x64x1xf32>) outs(%54 : tensor<1x16x64x4096xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %78 = arith.divf %in, %in_13 : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x4096xf32>
    %68 = tensor.empty() : tensor<1x16x64x4096xi1>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x16x64x4096xf32>) outs(%68 : tensor<1x16x64x4096xi1>) {
    ^bb0(%in: f32, %out: i1):
      %78 = arith.extf %in : f32 to f64
      %79 = arith.cmpf oeq, %78, %cst_3 : f64
      linalg.yield %79 : i1
    } -> tensor<1x16x64x4096xi1>
    %70 = tensor.empty() : tensor<1x16x64x1xi1>
    %71 = linalg.fill ins(%true : i1) outs(%70 : tensor<1x16x64x1xi1>) -> tensor<1x16x64x1xi1>
    %72 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<1x16x64x4096xi1>) outs(%71 : tensor<1x16x64x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %78 = arith.andi %in, %out : i1
      linalg.yield %78 : i1
    } -> tensor<1x16x64x1xi1>
    %73 = linalg.generic {indexing_maps = [#map1, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %cst_2, %67 : tensor<1x16x64x1xi1>, tensor<1x16x64x4096xf32>, tensor<1x16x64x4096xf32>) outs(%54 : tensor<1x16x64x4096xf32>) {
    ^bb0(%in: i1, %in_13: f32, %in_14: f32, %out: f32):
      %78 = arith.select %in, %in_13, %in_14 : f32
      linalg.yield %78 : f32
    } -> tensor<1x16x64x4096xf32>
    %collapsed_10 = tensor.collapse_shape %73 [[0, 1], [2], [3]] : tensor<1x16x64x4096xf32> into tensor<16x64x4096xf32>
    %collapsed_11 = tensor.collapse_shape %52 [[0, 1], [2], [3]] : tensor<1x16x4096x64xf32> into tensor<16x4096x64xf32>
    %74 = tensor.empty() : tensor<16x64x64xf32>
    %75 = linalg.fill ins(%cst_0 : f32) outs(%74 : tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
    %76 = linalg.batch_matmul ins(%collapsed_10, %collapsed_11 : tensor<16x64x4096xf32>, tensor<16x4096x64xf32>) outs(%75 : tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
    %expanded_12 = tensor.expand_shape %76 [[0, 1], [2], [3]] output_shape [1, 16, 64, 64] : tensor<16x64x64xf32> into tensor<1x16x64x64xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x16x64x64xf32>) outs(%23 : tensor<1x16x64x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %78 = arith.truncf %in : f32 to f16
      linalg.yield %78 : f16
    } -> tensor<1x16x64x64xf16>
    return %77 : tensor<1x16x64x64xf16>
  }
}
