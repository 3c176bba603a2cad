#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
module @jit__lambda {
  func.func public @softmax_gradient(%arg0: tensor<64x1024xf16>, %arg1: tensor<64x1024xf16>) -> tensor<64x1024xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 1.000000e+00 : f16
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant 0xFC00 : f16
    %0 = tensor.empty() : tensor<64xf16>
    %1 = linalg.fill ins(%cst_2 : f16) outs(%0 : tensor<64xf16>) -> tensor<64xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<64x1024xf16>) outs(%1 : tensor<64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.maximumf %out, %in : f16
      linalg.yield %30 : f16
    } -> tensor<64xf16>
    %3 = tensor.empty() : tensor<64x1024xf16>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<64xf16>) outs(%3 : tensor<64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<64x1024xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %4 : tensor<64x1024xf16>, tensor<64x1024xf16>) outs(%3 : tensor<64x1024xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.subf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<64x1024xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<64x1024xf16>) outs(%3 : tensor<64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = math.exp %in : f16
      linalg.yield %30 : f16
    } -> tensor<64x1024xf16>
    %7 = tensor.empty() : tensor<64x1024xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<64x1024xf16>) outs(%7 : tensor<64x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<64x1024xf32>
    %9 = tensor.empty() : tensor<64xf32>
    %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<64xf32>) -> tensor<64xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<64x1024xf32>) outs(%10 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %out, %in : f32
      linalg.yield %30 : f32
    } -> tensor<64xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%11 : tensor<64xf32>) outs(%0 : tensor<64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<64xf16>
    %13 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%12 : tensor<64xf16>) outs(%0 : tensor<64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.mulf %in, %in : f16
      linalg.yield %30 : f16
    } -> tensor<64xf16>
    %expanded = tensor.expand_shape %13 [[0, 1]] output_shape [64, 1] : tensor<64xf16> into tensor<64x1xf16>
    %14 = tensor.empty() : tensor<64x1xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<64x1xf16>) outs(%14 : tensor<64x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.divf %cst_0, %in : f16
      linalg.yield %30 : f16
    } -> tensor<64x1xf16>
    %16 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<64x1xf16>) outs(%3 : tensor<64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<64x1024xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %16 : tensor<64x1024xf16>, tensor<64x1024xf16>) outs(%3 : tensor<64x1024xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.mulf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<64x1024xf16>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %6 : tensor<64x1024xf16>, tensor<64x1024xf16>) outs(%3 : tensor<64x1024xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.mulf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<64x1024xf16>
    %19 = linalg.fill ins(%cst : f16) outs(%0 : tensor<64xf16>) -> tensor<64xf16>
    %20 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%18 : tensor<64x1024xf16>) outs(%19 : tensor<64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.addf %out, %in : f16
      linalg.yield %30 : f16
    } -> tensor<64xf16>
    %21 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%20 : tensor<64xf16>) outs(%0 : tensor<64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.negf %in : f16
      linalg.yield %30 : f16
    } -> tensor<64xf16>
    %22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%21 : tensor<64xf16>) outs(%9 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<64xf32>
    %expanded_3 = tensor.expand_shape %22 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<64xf16>) outs(%3 : tensor<64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<64x1024xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %23 : tensor<64x1024xf16>, tensor<64x1024xf16>) outs(%3 : tensor<64x1024xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.divf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<64x1024xf16>
    %25 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded_3 : tensor<64x1xf32>) outs(%10 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %out, %in : f32
      linalg.yield %30 : f32
    } -> tensor<64xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%25 : tensor<64xf32>) outs(%0 : tensor<64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<64xf16>
    %27 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<64xf16>) outs(%3 : tensor<64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<64x1024xf16>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %27 : tensor<64x1024xf16>, tensor<64x1024xf16>) outs(%3 : tensor<64x1024xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.addf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<64x1024xf16>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %6 : tensor<64x1024xf16>, tensor<64x1024xf16>) outs(%3 : tensor<64x1024xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.mulf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<64x1024xf16>
    return %29 : tensor<64x1024xf16>
  }
}

