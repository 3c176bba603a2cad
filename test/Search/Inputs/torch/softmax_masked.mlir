#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @softmax_masked(%arg0: tensor<16x64x1024xf16>, %arg1: tensor<64x1024xf16>) -> tensor<16x64x1024xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.250000e-01 : f16
    %0 = tensor.empty() : tensor<16x64x1024xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<16x64x1024xf16>) outs(%0 : tensor<16x64x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      %17 = arith.mulf %in, %cst_1 : f16
      linalg.yield %17 : f16
    } -> tensor<16x64x1024xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg1 : tensor<16x64x1024xf16>, tensor<64x1024xf16>) outs(%0 : tensor<16x64x1024xf16>) {
    ^bb0(%in: f16, %in_2: f16, %out: f16):
      %17 = arith.addf %in, %in_2 : f16
      linalg.yield %17 : f16
    } -> tensor<16x64x1024xf16>
    %3 = tensor.empty() : tensor<16x64x1024xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<16x64x1024xf16>) outs(%3 : tensor<16x64x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %17 = arith.extf %in : f16 to f32
      linalg.yield %17 : f32
    } -> tensor<16x64x1024xf32>
    %5 = tensor.empty() : tensor<16x64xi64>
    %6 = linalg.fill ins(%c0_i64 : i64) outs(%5 : tensor<16x64xi64>) -> tensor<16x64xi64>
    %7 = tensor.empty() : tensor<16x64xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %9:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<16x64x1024xf32>) outs(%8, %6 : tensor<16x64xf32>, tensor<16x64xi64>) {
    ^bb0(%in: f32, %out: f32, %out_2: i64):
      %17 = linalg.index 2 : index
      %18 = arith.index_cast %17 : index to i64
      %19 = arith.maximumf %in, %out : f32
      %20 = arith.cmpf ogt, %in, %out : f32
      %21 = arith.select %20, %18, %out_2 : i64
      linalg.yield %19, %21 : f32, i64
    } -> (tensor<16x64xf32>, tensor<16x64xi64>)
    %expanded = tensor.expand_shape %9#0 [[0], [1, 2]] output_shape [16, 64, 1] : tensor<16x64xf32> into tensor<16x64x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %expanded : tensor<16x64x1024xf32>, tensor<16x64x1xf32>) outs(%3 : tensor<16x64x1024xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.subf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<16x64x1024xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<16x64x1024xf32>) outs(%3 : tensor<16x64x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.exp %in : f32
      linalg.yield %17 : f32
    } -> tensor<16x64x1024xf32>
    %12 = tensor.empty() : tensor<16x64x1xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<16x64x1xf32>) -> tensor<16x64x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<16x64x1024xf32>) outs(%13 : tensor<16x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %in, %out : f32
      linalg.yield %17 : f32
    } -> tensor<16x64x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %14 : tensor<16x64x1024xf32>, tensor<16x64x1xf32>) outs(%3 : tensor<16x64x1024xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.divf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<16x64x1024xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<16x64x1024xf32>) outs(%0 : tensor<16x64x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %17 = arith.truncf %in : f32 to f16
      linalg.yield %17 : f16
    } -> tensor<16x64x1024xf16>
    return %16 : tensor<16x64x1024xf16>
  }
}
