#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module @jit__lambda {
  func.func public @softmax_masked(%arg0: tensor<16x64x1024xf16>, %arg1: tensor<64x1024xf16>) -> tensor<16x64x1024xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFC00 : f16
    %cst_1 = arith.constant 1.250000e-01 : f16
    %0 = tensor.empty() : tensor<16x64x1024xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<16x64x1024xf16>) outs(%0 : tensor<16x64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      %18 = arith.mulf %in, %cst_1 : f16
      linalg.yield %18 : f16
    } -> tensor<16x64x1024xf16>
    %2 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<64x1024xf16>) outs(%0 : tensor<16x64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<16x64x1024xf16>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %2 : tensor<16x64x1024xf16>, tensor<16x64x1024xf16>) outs(%0 : tensor<16x64x1024xf16>) {
    ^bb0(%in: f16, %in_2: f16, %out: f16):
      %18 = arith.addf %in, %in_2 : f16
      linalg.yield %18 : f16
    } -> tensor<16x64x1024xf16>
    %4 = tensor.empty() : tensor<16x64xf16>
    %5 = linalg.fill ins(%cst_0 : f16) outs(%4 : tensor<16x64xf16>) -> tensor<16x64xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<16x64x1024xf16>) outs(%5 : tensor<16x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %18 = arith.maximumf %out, %in : f16
      linalg.yield %18 : f16
    } -> tensor<16x64xf16>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<16x64xf16>) outs(%0 : tensor<16x64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<16x64x1024xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<16x64x1024xf16>, tensor<16x64x1024xf16>) outs(%0 : tensor<16x64x1024xf16>) {
    ^bb0(%in: f16, %in_2: f16, %out: f16):
      %18 = arith.subf %in, %in_2 : f16
      linalg.yield %18 : f16
    } -> tensor<16x64x1024xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<16x64x1024xf16>) outs(%0 : tensor<16x64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      %18 = math.exp %in : f16
      linalg.yield %18 : f16
    } -> tensor<16x64x1024xf16>
    %10 = tensor.empty() : tensor<16x64x1024xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<16x64x1024xf16>) outs(%10 : tensor<16x64x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %18 = arith.extf %in : f16 to f32
      linalg.yield %18 : f32
    } -> tensor<16x64x1024xf32>
    %12 = tensor.empty() : tensor<16x64xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<16x64x1024xf32>) outs(%13 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.addf %out, %in : f32
      linalg.yield %18 : f32
    } -> tensor<16x64xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<16x64xf32>) outs(%4 : tensor<16x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %18 = arith.truncf %in : f32 to f16
      linalg.yield %18 : f16
    } -> tensor<16x64xf16>
    %16 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<16x64xf16>) outs(%0 : tensor<16x64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<16x64x1024xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %16 : tensor<16x64x1024xf16>, tensor<16x64x1024xf16>) outs(%0 : tensor<16x64x1024xf16>) {
    ^bb0(%in: f16, %in_2: f16, %out: f16):
      %18 = arith.divf %in, %in_2 : f16
      linalg.yield %18 : f16
    } -> tensor<16x64x1024xf16>
    return %17 : tensor<16x64x1024xf16>
  }
}

