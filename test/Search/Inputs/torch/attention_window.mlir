#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention_window(%arg0: tensor<1x16x256x64xf16>, %arg1: tensor<1x16x256x64xf16>, %arg2: tensor<1x16x256x64xf16>) -> tensor<1x16x256x64xf16> {
    %c64_i64 = arith.constant 64 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x16x256x256xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f16>
    %cst_3 = arith.constant dense<0xFC00> : tensor<f16>
    %cst_4 = arith.constant 0.35355339059327379 : f64
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %0 = tensor.empty() : tensor<256xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<256xi64>) {
    ^bb0(%out: i64):
      %44 = linalg.index 0 : index
      %45 = arith.index_cast %44 : index to i64
      linalg.yield %45 : i64
    } -> tensor<256xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [256, 1] : tensor<256xi64> into tensor<256x1xi64>
    %expanded_6 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 256] : tensor<256xi64> into tensor<1x256xi64>
    %2 = tensor.empty() : tensor<256x256xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_6, %expanded : tensor<1x256xi64>, tensor<256x1xi64>) outs(%2 : tensor<256x256xi1>) {
    ^bb0(%in: i64, %in_13: i64, %out: i1):
      %44 = arith.cmpi sle, %in, %in_13 : i64
      linalg.yield %44 : i1
    } -> tensor<256x256xi1>
    %4 = tensor.empty() : tensor<256x256xi64>
    %5 = linalg.generic {indexing_maps = [#map2, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_6 : tensor<256x1xi64>, tensor<1x256xi64>) outs(%4 : tensor<256x256xi64>) {
    ^bb0(%in: i64, %in_13: i64, %out: i64):
      %44 = arith.subi %in, %in_13 : i64
      linalg.yield %44 : i64
    } -> tensor<256x256xi64>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<256x256xi64>) outs(%2 : tensor<256x256xi1>) {
    ^bb0(%in: i64, %out: i1):
      %44 = arith.cmpi slt, %in, %c64_i64 : i64
      linalg.yield %44 : i1
    } -> tensor<256x256xi1>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3, %6 : tensor<256x256xi1>, tensor<256x256xi1>) outs(%2 : tensor<256x256xi1>) {
    ^bb0(%in: i1, %in_13: i1, %out: i1):
      %44 = arith.andi %in, %in_13 : i1
      linalg.yield %44 : i1
    } -> tensor<256x256xi1>
    %8 = tensor.empty() : tensor<256x256xf16>
    %9 = linalg.generic {indexing_maps = [#map3, #map4, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%7, %cst_2, %cst_3 : tensor<256x256xi1>, tensor<f16>, tensor<f16>) outs(%8 : tensor<256x256xf16>) {
    ^bb0(%in: i1, %in_13: f16, %in_14: f16, %out: f16):
      %44 = arith.select %in, %in_13, %in_14 : f16
      linalg.yield %44 : f16
    } -> tensor<256x256xf16>
    %10 = tensor.empty() : tensor<1x16x256x64xf32>
    %11 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x16x256x64xf16>) outs(%10 : tensor<1x16x256x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %44 = arith.extf %in : f16 to f32
      linalg.yield %44 : f32
    } -> tensor<1x16x256x64xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x16x256x64xf16>) outs(%10 : tensor<1x16x256x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %44 = arith.extf %in : f16 to f32
      linalg.yield %44 : f32
    } -> tensor<1x16x256x64xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x16x256x64xf16>) outs(%10 : tensor<1x16x256x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %44 = arith.extf %in : f16 to f32
      linalg.yield %44 : f32
    } -> tensor<1x16x256x64xf32>
    %14 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x16x256x64xf32>) outs(%10 : tensor<1x16x256x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.truncf %cst_4 : f64 to f32
      %45 = arith.mulf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<1x16x256x64xf32>
    %15 = tensor.empty() : tensor<1x16x64x256xf32>
    %transposed = linalg.transpose ins(%12 : tensor<1x16x256x64xf32>) outs(%15 : tensor<1x16x64x256xf32>) permutation = [0, 1, 3, 2] 
    %16 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x16x64x256xf32>) outs(%15 : tensor<1x16x64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.truncf %cst_4 : f64 to f32
      %45 = arith.mulf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<1x16x64x256xf32>
    %collapsed = tensor.collapse_shape %14 [[0, 1], [2], [3]] : tensor<1x16x256x64xf32> into tensor<16x256x64xf32>
    %collapsed_7 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<1x16x64x256xf32> into tensor<16x64x256xf32>
    %17 = tensor.empty() : tensor<16x256x256xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<16x256x256xf32>) -> tensor<16x256x256xf32>
    %19 = linalg.batch_matmul ins(%collapsed, %collapsed_7 : tensor<16x256x64xf32>, tensor<16x64x256xf32>) outs(%18 : tensor<16x256x256xf32>) -> tensor<16x256x256xf32>
    %expanded_8 = tensor.expand_shape %19 [[0, 1], [2], [3]] output_shape [1, 16, 256, 256] : tensor<16x256x256xf32> into tensor<1x16x256x256xf32>
    %20 = tensor.empty() : tensor<1x16x256x256xf32>
    %21 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8, %9 : tensor<1x16x256x256xf32>, tensor<256x256xf16>) outs(%20 : tensor<1x16x256x256xf32>) {
    ^bb0(%in: f32, %in_13: f16, %out: f32):
      %44 = arith.extf %in_13 : f16 to f32
      %45 = arith.addf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<1x16x256x256xf32>
    %22 = tensor.empty() : tensor<1x16x256xi64>
    %23 = linalg.fill ins(%c0_i64 : i64) outs(%22 : tensor<1x16x256xi64>) -> tensor<1x16x256xi64>
    %24 = tensor.empty() : tensor<1x16x256xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<1x16x256xf32>) -> tensor<1x16x256xf32>
    %26:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x16x256x256xf32>) outs(%25, %23 : tensor<1x16x256xf32>, tensor<1x16x256xi64>) {
    ^bb0(%in: f32, %out: f32, %out_13: i64):
      %44 = linalg.index 3 : index
      %45 = arith.index_cast %44 : index to i64
      %46 = arith.maximumf %in, %out : f32
      %47 = arith.cmpf ogt, %in, %out : f32
      %48 = arith.select %47, %45, %out_13 : i64
      linalg.yield %46, %48 : f32, i64
    } -> (tensor<1x16x256xf32>, tensor<1x16x256xi64>)
    %expanded_9 = tensor.expand_shape %26#0 [[0], [1], [2, 3]] output_shape [1, 16, 256, 1] : tensor<1x16x256xf32> into tensor<1x16x256x1xf32>
    %27 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_9 : tensor<1x16x256x256xf32>, tensor<1x16x256x1xf32>) outs(%20 : tensor<1x16x256x256xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %44 = arith.subf %in, %in_13 : f32
      linalg.yield %44 : f32
    } -> tensor<1x16x256x256xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x16x256x256xf32>) outs(%20 : tensor<1x16x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.exp %in : f32
      linalg.yield %44 : f32
    } -> tensor<1x16x256x256xf32>
    %29 = tensor.empty() : tensor<1x16x256x1xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<1x16x256x1xf32>) -> tensor<1x16x256x1xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<1x16x256x256xf32>) outs(%30 : tensor<1x16x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %out : f32
      linalg.yield %44 : f32
    } -> tensor<1x16x256x1xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %31 : tensor<1x16x256x256xf32>, tensor<1x16x256x1xf32>) outs(%20 : tensor<1x16x256x256xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %44 = arith.divf %in, %in_13 : f32
      linalg.yield %44 : f32
    } -> tensor<1x16x256x256xf32>
    %33 = tensor.empty() : tensor<1x16x256x256xi1>
    %34 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x16x256x256xf32>) outs(%33 : tensor<1x16x256x256xi1>) {
    ^bb0(%in: f32, %out: i1):
      %44 = arith.extf %in : f32 to f64
      %45 = arith.cmpf oeq, %44, %cst_5 : f64
      linalg.yield %45 : i1
    } -> tensor<1x16x256x256xi1>
    %35 = tensor.empty() : tensor<1x16x256x1xi1>
    %36 = linalg.fill ins(%true : i1) outs(%35 : tensor<1x16x256x1xi1>) -> tensor<1x16x256x1xi1>
    %37 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x16x256x256xi1>) outs(%36 : tensor<1x16x256x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %44 = arith.andi %in, %out : i1
      linalg.yield %44 : i1
    } -> tensor<1x16x256x1xi1>
    %38 = linalg.generic {indexing_maps = [#map8, #map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %cst_1, %32 : tensor<1x16x256x1xi1>, tensor<1x16x256x256xf32>, tensor<1x16x256x256xf32>) outs(%20 : tensor<1x16x256x256xf32>) {
    ^bb0(%in: i1, %in_13: f32, %in_14: f32, %out: f32):
      %44 = arith.select %in, %in_13, %in_14 : f32
      linalg.yield %44 : f32
    } -> tensor<1x16x256x256xf32>
    %collapsed_10 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x16x256x256xf32> into tensor<16x256x256xf32>
    %collapsed_11 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<1x16x256x64xf32> into tensor<16x256x64xf32>
    %39 = tensor.empty() : tensor<16x256x64xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<16x256x64xf32>) -> tensor<16x256x64xf32>
    %41 = linalg.batch_matmul ins(%collapsed_10, %collapsed_11 : tensor<16x256x256xf32>, tensor<16x256x64xf32>) outs(%40 : tensor<16x256x64xf32>) -> tensor<16x256x64xf32>
    %expanded_12 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [1, 16, 256, 64] : tensor<16x256x64xf32> into tensor<1x16x256x64xf32>
    %42 = tensor.empty() : tensor<1x16x256x64xf16>
    %43 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x16x256x64xf32>) outs(%42 : tensor<1x16x256x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %44 = arith.truncf %in : f32 to f16
      linalg.yield %44 : f16
    } -> tensor<1x16x256x64xf16>
    return %43 : tensor<1x16x256x64xf16>
  }
}
