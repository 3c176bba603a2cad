#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @geglu(%arg0: tensor<16384x4096xf16>, %arg1: tensor<16384xf16>, %arg2: tensor<8x4096xf16>) -> tensor<8x8192xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f16
    %cst_1 = arith.constant 2.000000e+00 : f16
    %cst_2 = arith.constant 5.000000e-01 : f16
    %0 = tensor.empty() : tensor<4096x16384xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<16384x4096xf16>) outs(%0 : tensor<4096x16384xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<16384xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<16384xf16>) outs(%1 : tensor<16384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %16 = arith.extf %in : f16 to f32
      linalg.yield %16 : f32
    } -> tensor<16384xf32>
    %3 = tensor.empty() : tensor<8x4096xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<8x4096xf16>) outs(%3 : tensor<8x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %16 = arith.extf %in : f16 to f32
      linalg.yield %16 : f32
    } -> tensor<8x4096xf32>
    %5 = tensor.empty() : tensor<4096x16384xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<4096x16384xf16>) outs(%5 : tensor<4096x16384xf32>) {
    ^bb0(%in: f16, %out: f32):
      %16 = arith.extf %in : f16 to f32
      linalg.yield %16 : f32
    } -> tensor<4096x16384xf32>
    %7 = tensor.empty() : tensor<8x16384xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<8x16384xf32>) -> tensor<8x16384xf32>
    %9 = linalg.matmul ins(%4, %6 : tensor<8x4096xf32>, tensor<4096x16384xf32>) outs(%8 : tensor<8x16384xf32>) -> tensor<8x16384xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %2 : tensor<8x16384xf32>, tensor<16384xf32>) outs(%7 : tensor<8x16384xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %16 = arith.addf %in, %in_4 : f32
      linalg.yield %16 : f32
    } -> tensor<8x16384xf32>
    %11 = tensor.empty() : tensor<8x16384xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<8x16384xf32>) outs(%11 : tensor<8x16384xf16>) {
    ^bb0(%in: f32, %out: f16):
      %16 = arith.truncf %in : f32 to f16
      linalg.yield %16 : f16
    } -> tensor<8x16384xf16>
    %extracted_slice = tensor.extract_slice %12[0, 0] [8, 8192] [1, 1] : tensor<8x16384xf16> to tensor<8x8192xf16>
    %extracted_slice_3 = tensor.extract_slice %12[0, 8192] [8, 8192] [1, 1] : tensor<8x16384xf16> to tensor<8x8192xf16>
    %13 = tensor.empty() : tensor<8x8192xf16>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<8x8192xf16>) outs(%13 : tensor<8x8192xf16>) {
    ^bb0(%in: f16, %out: f16):
      %16 = math.sqrt %cst_1 : f16
      %17 = arith.divf %in, %16 : f16
      %18 = math.erf %17 : f16
      %19 = arith.addf %18, %cst_0 : f16
      %20 = arith.mulf %19, %cst_2 : f16
      %21 = arith.mulf %in, %20 : f16
      linalg.yield %21 : f16
    } -> tensor<8x8192xf16>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %14 : tensor<8x8192xf16>, tensor<8x8192xf16>) outs(%13 : tensor<8x8192xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %16 = arith.mulf %in, %in_4 : f16
      linalg.yield %16 : f16
    } -> tensor<8x8192xf16>
    return %15 : tensor<8x8192xf16>
  }
}
