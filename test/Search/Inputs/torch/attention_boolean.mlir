#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> ()>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention_boolean(%arg0: tensor<3x12x256x64xf16>, %arg1: tensor<3x12x256x64xf16>, %arg2: tensor<3x12x256x64xf16>, %arg3: tensor<3x1x256x256xi1>) -> tensor<3x12x256x64xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<3x12x256x256xf32>
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %cst_3 = arith.constant 0xFFF0000000000000 : f64
    %cst_4 = arith.constant dense<0xFC00> : tensor<f16>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<f16>
    %0 = tensor.empty() : tensor<3x1x256x256xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %cst_5, %cst_4 : tensor<3x1x256x256xi1>, tensor<f16>, tensor<f16>) outs(%0 : tensor<3x1x256x256xf16>) {
    ^bb0(%in: i1, %in_11: f16, %in_12: f16, %out: f16):
      %36 = arith.select %in, %in_11, %in_12 : f16
      linalg.yield %36 : f16
    } -> tensor<3x1x256x256xf16>
    %2 = tensor.empty() : tensor<3x12x256x64xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x12x256x64xf16>) outs(%2 : tensor<3x12x256x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<3x12x256x64xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<3x12x256x64xf16>) outs(%2 : tensor<3x12x256x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<3x12x256x64xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<3x12x256x64xf16>) outs(%2 : tensor<3x12x256x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<3x12x256x64xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<3x12x256x64xf32>) outs(%2 : tensor<3x12x256x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.truncf %cst_2 : f64 to f32
      %37 = arith.mulf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<3x12x256x64xf32>
    %7 = tensor.empty() : tensor<3x12x64x256xf32>
    %transposed = linalg.transpose ins(%4 : tensor<3x12x256x64xf32>) outs(%7 : tensor<3x12x64x256xf32>) permutation = [0, 1, 3, 2] 
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<3x12x64x256xf32>) outs(%7 : tensor<3x12x64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.truncf %cst_2 : f64 to f32
      %37 = arith.mulf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<3x12x64x256xf32>
    %collapsed = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<3x12x256x64xf32> into tensor<36x256x64xf32>
    %collapsed_6 = tensor.collapse_shape %8 [[0, 1], [2], [3]] : tensor<3x12x64x256xf32> into tensor<36x64x256xf32>
    %9 = tensor.empty() : tensor<36x256x256xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<36x256x256xf32>) -> tensor<36x256x256xf32>
    %11 = linalg.batch_matmul ins(%collapsed, %collapsed_6 : tensor<36x256x64xf32>, tensor<36x64x256xf32>) outs(%10 : tensor<36x256x256xf32>) -> tensor<36x256x256xf32>
    %expanded = tensor.expand_shape %11 [[0, 1], [2], [3]] output_shape [3, 12, 256, 256] : tensor<36x256x256xf32> into tensor<3x12x256x256xf32>
    %12 = tensor.empty() : tensor<3x12x256x256xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %1 : tensor<3x12x256x256xf32>, tensor<3x1x256x256xf16>) outs(%12 : tensor<3x12x256x256xf32>) {
    ^bb0(%in: f32, %in_11: f16, %out: f32):
      %36 = arith.extf %in_11 : f16 to f32
      %37 = arith.addf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<3x12x256x256xf32>
    %14 = tensor.empty() : tensor<3x12x256xi64>
    %15 = linalg.fill ins(%c0_i64 : i64) outs(%14 : tensor<3x12x256xi64>) -> tensor<3x12x256xi64>
    %16 = tensor.empty() : tensor<3x12x256xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<3x12x256xf32>) -> tensor<3x12x256xf32>
    %18:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<3x12x256x256xf32>) outs(%17, %15 : tensor<3x12x256xf32>, tensor<3x12x256xi64>) {
    ^bb0(%in: f32, %out: f32, %out_11: i64):
      %36 = linalg.index 3 : index
      %37 = arith.index_cast %36 : index to i64
      %38 = arith.maximumf %in, %out : f32
      %39 = arith.cmpf ogt, %in, %out : f32
      %40 = arith.select %39, %37, %out_11 : i64
      linalg.yield %38, %40 : f32, i64
    } -> (tensor<3x12x256xf32>, tensor<3x12x256xi64>)
    %expanded_7 = tensor.expand_shape %18#0 [[0], [1], [2, 3]] output_shape [3, 12, 256, 1] : tensor<3x12x256xf32> into tensor<3x12x256x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %expanded_7 : tensor<3x12x256x256xf32>, tensor<3x12x256x1xf32>) outs(%12 : tensor<3x12x256x256xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %36 = arith.subf %in, %in_11 : f32
      linalg.yield %36 : f32
    } -> tensor<3x12x256x256xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<3x12x256x256xf32>) outs(%12 : tensor<3x12x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = math.exp %in : f32
      linalg.yield %36 : f32
    } -> tensor<3x12x256x256xf32>
    %21 = tensor.empty() : tensor<3x12x256x1xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<3x12x256x1xf32>) -> tensor<3x12x256x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<3x12x256x256xf32>) outs(%22 : tensor<3x12x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %in, %out : f32
      linalg.yield %36 : f32
    } -> tensor<3x12x256x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %23 : tensor<3x12x256x256xf32>, tensor<3x12x256x1xf32>) outs(%12 : tensor<3x12x256x256xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %36 = arith.divf %in, %in_11 : f32
      linalg.yield %36 : f32
    } -> tensor<3x12x256x256xf32>
    %25 = tensor.empty() : tensor<3x12x256x256xi1>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<3x12x256x256xf32>) outs(%25 : tensor<3x12x256x256xi1>) {
    ^bb0(%in: f32, %out: i1):
      %36 = arith.extf %in : f32 to f64
      %37 = arith.cmpf oeq, %36, %cst_3 : f64
      linalg.yield %37 : i1
    } -> tensor<3x12x256x256xi1>
    %27 = tensor.empty() : tensor<3x12x256x1xi1>
    %28 = linalg.fill ins(%true : i1) outs(%27 : tensor<3x12x256x1xi1>) -> tensor<3x12x256x1xi1>
    %29 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<3x12x256x256xi1>) outs(%28 : tensor<3x12x256x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %36 = arith.andi %in, %out : i1
      linalg.yield %36 : i1
    } -> tensor<3x12x256x1xi1>
    %30 = linalg.generic {indexing_maps = [#map4, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %cst_1, %24 : tensor<3x12x256x1xi1>, tensor<3x12x256x256xf32>, tensor<3x12x256x256xf32>) outs(%12 : tensor<3x12x256x256xf32>) {
    ^bb0(%in: i1, %in_11: f32, %in_12: f32, %out: f32):
      %36 = arith.select %in, %in_11, %in_12 : f32
      linalg.yield %36 : f32
    } -> tensor<3x12x256x256xf32>
    %collapsed_8 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<3x12x256x256xf32> into tensor<36x256x256xf32>
    %collapsed_9 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<3x12x256x64xf32> into tensor<36x256x64xf32>
    %31 = tensor.empty() : tensor<36x256x64xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<36x256x64xf32>) -> tensor<36x256x64xf32>
    %33 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<36x256x256xf32>, tensor<36x256x64xf32>) outs(%32 : tensor<36x256x64xf32>) -> tensor<36x256x64xf32>
    %expanded_10 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [3, 12, 256, 64] : tensor<36x256x64xf32> into tensor<3x12x256x64xf32>
    %34 = tensor.empty() : tensor<3x12x256x64xf16>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<3x12x256x64xf32>) outs(%34 : tensor<3x12x256x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<3x12x256x64xf16>
    return %35 : tensor<3x12x256x64xf16>
  }
}
