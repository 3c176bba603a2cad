#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention_grouped(%arg0: tensor<1x32x1x128xf16>, %arg1: tensor<1x8x4096x128xf16>, %arg2: tensor<1x8x4096x128xf16>) -> tensor<1x32x1x128xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x32x1x4096xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.29730177875068026 : f64
    %0 = tensor.empty() : tensor<1x32x1x128xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x32x1x128xf16>) outs(%0 : tensor<1x32x1x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<1x32x1x128xf32>
    %2 = tensor.empty() : tensor<1x8x4096x128xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x8x4096x128xf16>) outs(%2 : tensor<1x8x4096x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<1x8x4096x128xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x8x4096x128xf16>) outs(%2 : tensor<1x8x4096x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<1x8x4096x128xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x32x1x128xf32>) outs(%0 : tensor<1x32x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.truncf %cst_3 : f64 to f32
      %38 = arith.mulf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<1x32x1x128xf32>
    %6 = tensor.empty() : tensor<1x8x4x4096x128xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x8x4096x128xf32>) outs(%6 : tensor<1x8x4x4096x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x4096x128xf32>
    %collapsed = tensor.collapse_shape %7 [[0], [1, 2], [3], [4]] : tensor<1x8x4x4096x128xf32> into tensor<1x32x4096x128xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x8x4096x128xf32>) outs(%6 : tensor<1x8x4x4096x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x4x4096x128xf32>
    %9 = tensor.empty() : tensor<1x32x128x4096xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<1x32x4096x128xf32>) outs(%9 : tensor<1x32x128x4096xf32>) permutation = [0, 1, 3, 2] 
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x32x128x4096xf32>) outs(%9 : tensor<1x32x128x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.truncf %cst_3 : f64 to f32
      %38 = arith.mulf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<1x32x128x4096xf32>
    %collapsed_4 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<1x32x1x128xf32> into tensor<32x1x128xf32>
    %collapsed_5 = tensor.collapse_shape %10 [[0, 1], [2], [3]] : tensor<1x32x128x4096xf32> into tensor<32x128x4096xf32>
    %11 = tensor.empty() : tensor<32x1x4096xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<32x1x4096xf32>) -> tensor<32x1x4096xf32>
    %13 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<32x1x128xf32>, tensor<32x128x4096xf32>) outs(%12 : tensor<32x1x4096xf32>) -> tensor<32x1x4096xf32>
    %expanded = tensor.expand_shape %13 [[0, 1], [2], [3]] output_shape [1, 32, 1, 4096] : tensor<32x1x4096xf32> into tensor<1x32x1x4096xf32>
    %14 = tensor.empty() : tensor<1x32x1xi64>
    %15 = linalg.fill ins(%c0_i64 : i64) outs(%14 : tensor<1x32x1xi64>) -> tensor<1x32x1xi64>
    %16 = tensor.empty() : tensor<1x32x1xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<1x32x1xf32>) -> tensor<1x32x1xf32>
    %18:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded : tensor<1x32x1x4096xf32>) outs(%17, %15 : tensor<1x32x1xf32>, tensor<1x32x1xi64>) {
    ^bb0(%in: f32, %out: f32, %out_10: i64):
      %37 = linalg.index 3 : index
      %38 = arith.index_cast %37 : index to i64
      %39 = arith.maximumf %in, %out : f32
      %40 = arith.cmpf ogt, %in, %out : f32
      %41 = arith.select %40, %38, %out_10 : i64
      linalg.yield %39, %41 : f32, i64
    } -> (tensor<1x32x1xf32>, tensor<1x32x1xi64>)
    %expanded_6 = tensor.expand_shape %18#0 [[0], [1], [2, 3]] output_shape [1, 32, 1, 1] : tensor<1x32x1xf32> into tensor<1x32x1x1xf32>
    %19 = tensor.empty() : tensor<1x32x1x4096xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_6 : tensor<1x32x1x4096xf32>, tensor<1x32x1x1xf32>) outs(%19 : tensor<1x32x1x4096xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %37 = arith.subf %in, %in_10 : f32
      linalg.yield %37 : f32
    } -> tensor<1x32x1x4096xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x32x1x4096xf32>) outs(%19 : tensor<1x32x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<1x32x1x4096xf32>
    %22 = tensor.empty() : tensor<1x32x1x1xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x32x1x4096xf32>) outs(%23 : tensor<1x32x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %in, %out : f32
      linalg.yield %37 : f32
    } -> tensor<1x32x1x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<1x32x1x4096xf32>, tensor<1x32x1x1xf32>) outs(%19 : tensor<1x32x1x4096xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %37 = arith.divf %in, %in_10 : f32
      linalg.yield %37 : f32
    } -> tensor<1x32x1x4096xf32>
    %26 = tensor.empty() : tensor<1x32x1x4096xi1>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x32x1x4096xf32>) outs(%26 : tensor<1x32x1x4096xi1>) {
    ^bb0(%in: f32, %out: i1):
      %37 = arith.extf %in : f32 to f64
      %38 = arith.cmpf oeq, %37, %cst_2 : f64
      linalg.yield %38 : i1
    } -> tensor<1x32x1x4096xi1>
    %28 = tensor.empty() : tensor<1x32x1x1xi1>
    %29 = linalg.fill ins(%true : i1) outs(%28 : tensor<1x32x1x1xi1>) -> tensor<1x32x1x1xi1>
    %30 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x32x1x4096xi1>) outs(%29 : tensor<1x32x1x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %37 = arith.andi %in, %out : i1
      linalg.yield %37 : i1
    } -> tensor<1x32x1x1xi1>
    %31 = linalg.generic {indexing_maps = [#map4, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %cst_1, %25 : tensor<1x32x1x1xi1>, tensor<1x32x1x4096xf32>, tensor<1x32x1x4096xf32>) outs(%19 : tensor<1x32x1x4096xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %37 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %37 : f32
    } -> tensor<1x32x1x4096xf32>
    %collapsed_7 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x32x1x4096xf32> into tensor<32x1x4096xf32>
    %collapsed_8 = tensor.collapse_shape %8 [[0, 1, 2], [3], [4]] : tensor<1x8x4x4096x128xf32> into tensor<32x4096x128xf32>
    %32 = tensor.empty() : tensor<32x1x128xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<32x1x128xf32>) -> tensor<32x1x128xf32>
    %34 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<32x1x4096xf32>, tensor<32x4096x128xf32>) outs(%33 : tensor<32x1x128xf32>) -> tensor<32x1x128xf32>
    %expanded_9 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 32, 1, 128] : tensor<32x1x128xf32> into tensor<1x32x1x128xf32>
    %35 = tensor.empty() : tensor<1x32x1x128xf16>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x32x1x128xf32>) outs(%35 : tensor<1x32x1x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %37 = arith.truncf %in : f32 to f16
      linalg.yield %37 : f16
    } -> tensor<1x32x1x128xf16>
    return %36 : tensor<1x32x1x128xf16>
  }
}
