#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @encoder_layer_first(%arg0: tensor<2304x768xf16>, %arg1: tensor<2304xf16>, %arg2: tensor<768x768xf16>, %arg3: tensor<768xf16>, %arg4: tensor<3072x768xf16>, %arg5: tensor<3072xf16>, %arg6: tensor<768x3072xf16>, %arg7: tensor<768xf16>, %arg8: tensor<768xf16>, %arg9: tensor<768xf16>, %arg10: tensor<768xf16>, %arg11: tensor<768xf16>, %arg12: tensor<1x128x768xf16>) -> tensor<1x128x768xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant 1.000000e+00 : f16
    %cst_3 = arith.constant 2.000000e+00 : f16
    %cst_4 = arith.constant 5.000000e-01 : f16
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<1x12x128x128xf32>
    %cst_6 = arith.constant 0xFFF0000000000000 : f64
    %cst_7 = arith.constant 0.35355339059327379 : f64
    %cst_8 = arith.constant 1.000000e-05 : f64
    %cst_9 = arith.constant 7.680000e+02 : f64
    %cst_10 = arith.constant 7.680000e+02 : f32
    %0 = tensor.empty() : tensor<1x128x768xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<1x128x768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %2 = tensor.empty() : tensor<1x128x768xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x128x768xf32>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f32, %out: f64):
      %128 = arith.extf %in : f32 to f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %4 = tensor.empty() : tensor<1x128x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<1x128x1xf64>) -> tensor<1x128x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x128x768xf64>) outs(%5 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x128x1xf64>) outs(%4 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_9 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<1x128x768xf64>, tensor<1x128x1xf64>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %128 = arith.subf %in, %in_47 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x128x768xf64>, tensor<1x128x768xf64>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %128 = arith.mulf %in, %in_47 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x128x768xf64>) outs(%5 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x128x1xf64>) outs(%4 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_9 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %12 = tensor.empty() : tensor<1x128x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x128x1xf64>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %128 = arith.truncf %in : f64 to f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x128x768xf32>) outs(%14 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %in, %out : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.divf %in, %cst_10 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.truncf %cst_8 : f64 to f32
      %129 = arith.addf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.rsqrt %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.subf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.mulf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg8 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %128 = arith.extf %in_47 : f16 to f32
      %129 = arith.mulf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x768xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg9 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %128 = arith.extf %in_47 : f16 to f32
      %129 = arith.addf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x768xf32>
    %23 = tensor.empty() : tensor<1x128x768xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x128x768xf32>) outs(%23 : tensor<1x128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x128x768xf16>
    %25 = tensor.empty() : tensor<128x1x768xf16>
    %transposed = linalg.transpose ins(%24 : tensor<1x128x768xf16>) outs(%25 : tensor<128x1x768xf16>) permutation = [1, 0, 2] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2]] : tensor<128x1x768xf16> into tensor<128x768xf16>
    %26 = tensor.empty() : tensor<768x2304xf16>
    %transposed_11 = linalg.transpose ins(%arg0 : tensor<2304x768xf16>) outs(%26 : tensor<768x2304xf16>) permutation = [1, 0] 
    %27 = tensor.empty() : tensor<2304xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg1 : tensor<2304xf16>) outs(%27 : tensor<2304xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<2304xf32>
    %29 = tensor.empty() : tensor<128x768xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<128x768xf16>) outs(%29 : tensor<128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<128x768xf32>
    %31 = tensor.empty() : tensor<768x2304xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_11 : tensor<768x2304xf16>) outs(%31 : tensor<768x2304xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<768x2304xf32>
    %33 = tensor.empty() : tensor<128x2304xf32>
    %34 = linalg.fill ins(%cst_0 : f32) outs(%33 : tensor<128x2304xf32>) -> tensor<128x2304xf32>
    %35 = linalg.matmul ins(%30, %32 : tensor<128x768xf32>, tensor<768x2304xf32>) outs(%34 : tensor<128x2304xf32>) -> tensor<128x2304xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%35, %28 : tensor<128x2304xf32>, tensor<2304xf32>) outs(%33 : tensor<128x2304xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.addf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<128x2304xf32>
    %37 = tensor.empty() : tensor<128x2304xf16>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<128x2304xf32>) outs(%37 : tensor<128x2304xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<128x2304xf16>
    %expanded = tensor.expand_shape %38 [[0, 1], [2, 3, 4]] output_shape [1, 128, 1, 3, 768] : tensor<128x2304xf16> into tensor<1x128x1x3x768xf16>
    %39 = tensor.empty() : tensor<3x128x1x1x768xf16>
    %transposed_12 = linalg.transpose ins(%expanded : tensor<1x128x1x3x768xf16>) outs(%39 : tensor<3x128x1x1x768xf16>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_13 = tensor.collapse_shape %transposed_12 [[0], [1], [2, 3], [4]] : tensor<3x128x1x1x768xf16> into tensor<3x128x1x768xf16>
    %extracted_slice = tensor.extract_slice %collapsed_13[0, 0, 0, 0] [1, 128, 1, 768] [1, 1, 1, 1] : tensor<3x128x1x768xf16> to tensor<1x128x1x768xf16>
    %extracted_slice_14 = tensor.extract_slice %collapsed_13[1, 0, 0, 0] [1, 128, 1, 768] [1, 1, 1, 1] : tensor<3x128x1x768xf16> to tensor<1x128x1x768xf16>
    %extracted_slice_15 = tensor.extract_slice %collapsed_13[2, 0, 0, 0] [1, 128, 1, 768] [1, 1, 1, 1] : tensor<3x128x1x768xf16> to tensor<1x128x1x768xf16>
    %collapsed_16 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x128x1x768xf16> into tensor<128x768xf16>
    %expanded_17 = tensor.expand_shape %collapsed_16 [[0], [1, 2]] output_shape [128, 12, 64] : tensor<128x768xf16> into tensor<128x12x64xf16>
    %40 = tensor.empty() : tensor<12x128x64xf16>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<128x12x64xf16>) outs(%40 : tensor<12x128x64xf16>) permutation = [1, 0, 2] 
    %collapsed_19 = tensor.collapse_shape %extracted_slice_14 [[0, 1], [2, 3]] : tensor<1x128x1x768xf16> into tensor<128x768xf16>
    %expanded_20 = tensor.expand_shape %collapsed_19 [[0], [1, 2]] output_shape [128, 12, 64] : tensor<128x768xf16> into tensor<128x12x64xf16>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<128x12x64xf16>) outs(%40 : tensor<12x128x64xf16>) permutation = [1, 0, 2] 
    %collapsed_22 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2, 3]] : tensor<1x128x1x768xf16> into tensor<128x768xf16>
    %expanded_23 = tensor.expand_shape %collapsed_22 [[0], [1, 2]] output_shape [128, 12, 64] : tensor<128x768xf16> into tensor<128x12x64xf16>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<128x12x64xf16>) outs(%40 : tensor<12x128x64xf16>) permutation = [1, 0, 2] 
    %expanded_25 = tensor.expand_shape %transposed_18 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xf16> into tensor<1x12x128x64xf16>
    %expanded_26 = tensor.expand_shape %transposed_21 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xf16> into tensor<1x12x128x64xf16>
    %expanded_27 = tensor.expand_shape %transposed_24 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xf16> into tensor<1x12x128x64xf16>
    %41 = tensor.empty() : tensor<1x12x128x64xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x12x128x64xf16>) outs(%41 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x64xf32>
    %43 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<1x12x128x64xf16>) outs(%41 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x64xf32>
    %44 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<1x12x128x64xf16>) outs(%41 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x64xf32>
    %45 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x12x128x64xf32>) outs(%41 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.truncf %cst_7 : f64 to f32
      %129 = arith.mulf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x12x128x64xf32>
    %46 = tensor.empty() : tensor<1x12x64x128xf32>
    %transposed_28 = linalg.transpose ins(%43 : tensor<1x12x128x64xf32>) outs(%46 : tensor<1x12x64x128xf32>) permutation = [0, 1, 3, 2] 
    %47 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_28 : tensor<1x12x64x128xf32>) outs(%46 : tensor<1x12x64x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.truncf %cst_7 : f64 to f32
      %129 = arith.mulf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x12x64x128xf32>
    %collapsed_29 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %collapsed_30 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x12x64x128xf32> into tensor<12x64x128xf32>
    %48 = tensor.empty() : tensor<12x128x128xf32>
    %49 = linalg.fill ins(%cst_0 : f32) outs(%48 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %50 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<12x128x64xf32>, tensor<12x64x128xf32>) outs(%49 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %expanded_31 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [1, 12, 128, 128] : tensor<12x128x128xf32> into tensor<1x12x128x128xf32>
    %51 = tensor.empty() : tensor<1x12x128xi64>
    %52 = linalg.fill ins(%c0_i64 : i64) outs(%51 : tensor<1x12x128xi64>) -> tensor<1x12x128xi64>
    %53 = tensor.empty() : tensor<1x12x128xf32>
    %54 = linalg.fill ins(%cst_1 : f32) outs(%53 : tensor<1x12x128xf32>) -> tensor<1x12x128xf32>
    %55:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_31 : tensor<1x12x128x128xf32>) outs(%54, %52 : tensor<1x12x128xf32>, tensor<1x12x128xi64>) {
    ^bb0(%in: f32, %out: f32, %out_47: i64):
      %128 = linalg.index 3 : index
      %129 = arith.index_cast %128 : index to i64
      %130 = arith.maximumf %in, %out : f32
      %131 = arith.cmpf ogt, %in, %out : f32
      %132 = arith.select %131, %129, %out_47 : i64
      linalg.yield %130, %132 : f32, i64
    } -> (tensor<1x12x128xf32>, tensor<1x12x128xi64>)
    %expanded_32 = tensor.expand_shape %55#0 [[0], [1], [2, 3]] output_shape [1, 12, 128, 1] : tensor<1x12x128xf32> into tensor<1x12x128x1xf32>
    %56 = tensor.empty() : tensor<1x12x128x128xf32>
    %57 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31, %expanded_32 : tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) outs(%56 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.subf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x128xf32>
    %58 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x12x128x128xf32>) outs(%56 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.exp %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x128xf32>
    %59 = tensor.empty() : tensor<1x12x128x1xf32>
    %60 = linalg.fill ins(%cst_0 : f32) outs(%59 : tensor<1x12x128x1xf32>) -> tensor<1x12x128x1xf32>
    %61 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%58 : tensor<1x12x128x128xf32>) outs(%60 : tensor<1x12x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %in, %out : f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x1xf32>
    %62 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %61 : tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) outs(%56 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.divf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x128xf32>
    %63 = tensor.empty() : tensor<1x12x128x128xi1>
    %64 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<1x12x128x128xf32>) outs(%63 : tensor<1x12x128x128xi1>) {
    ^bb0(%in: f32, %out: i1):
      %128 = arith.extf %in : f32 to f64
      %129 = arith.cmpf oeq, %128, %cst_6 : f64
      linalg.yield %129 : i1
    } -> tensor<1x12x128x128xi1>
    %65 = tensor.empty() : tensor<1x12x128x1xi1>
    %66 = linalg.fill ins(%true : i1) outs(%65 : tensor<1x12x128x1xi1>) -> tensor<1x12x128x1xi1>
    %67 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%64 : tensor<1x12x128x128xi1>) outs(%66 : tensor<1x12x128x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %128 = arith.andi %in, %out : i1
      linalg.yield %128 : i1
    } -> tensor<1x12x128x1xi1>
    %68 = linalg.generic {indexing_maps = [#map8, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %cst_5, %62 : tensor<1x12x128x1xi1>, tensor<1x12x128x128xf32>, tensor<1x12x128x128xf32>) outs(%56 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: i1, %in_47: f32, %in_48: f32, %out: f32):
      %128 = arith.select %in, %in_47, %in_48 : f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x128xf32>
    %collapsed_33 = tensor.collapse_shape %68 [[0, 1], [2], [3]] : tensor<1x12x128x128xf32> into tensor<12x128x128xf32>
    %collapsed_34 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %69 = tensor.empty() : tensor<12x128x64xf32>
    %70 = linalg.fill ins(%cst_0 : f32) outs(%69 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    %71 = linalg.batch_matmul ins(%collapsed_33, %collapsed_34 : tensor<12x128x128xf32>, tensor<12x128x64xf32>) outs(%70 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    %expanded_35 = tensor.expand_shape %71 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xf32> into tensor<1x12x128x64xf32>
    %72 = tensor.empty() : tensor<1x12x128x64xf16>
    %73 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<1x12x128x64xf32>) outs(%72 : tensor<1x12x128x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x12x128x64xf16>
    %74 = tensor.empty() : tensor<128x1x12x64xf16>
    %transposed_36 = linalg.transpose ins(%73 : tensor<1x12x128x64xf16>) outs(%74 : tensor<128x1x12x64xf16>) permutation = [2, 0, 1, 3] 
    %collapsed_37 = tensor.collapse_shape %transposed_36 [[0], [1, 2, 3]] : tensor<128x1x12x64xf16> into tensor<128x768xf16>
    %75 = tensor.empty() : tensor<768x768xf16>
    %transposed_38 = linalg.transpose ins(%arg2 : tensor<768x768xf16>) outs(%75 : tensor<768x768xf16>) permutation = [1, 0] 
    %76 = tensor.empty() : tensor<768xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg3 : tensor<768xf16>) outs(%76 : tensor<768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<768xf32>
    %78 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_37 : tensor<128x768xf16>) outs(%29 : tensor<128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<128x768xf32>
    %79 = tensor.empty() : tensor<768x768xf32>
    %80 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_38 : tensor<768x768xf16>) outs(%79 : tensor<768x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<768x768xf32>
    %81 = linalg.fill ins(%cst_0 : f32) outs(%29 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %82 = linalg.matmul ins(%78, %80 : tensor<128x768xf32>, tensor<768x768xf32>) outs(%81 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %83 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%82, %77 : tensor<128x768xf32>, tensor<768xf32>) outs(%29 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.addf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<128x768xf32>
    %84 = tensor.empty() : tensor<128x768xf16>
    %85 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%83 : tensor<128x768xf32>) outs(%84 : tensor<128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<128x768xf16>
    %expanded_39 = tensor.expand_shape %85 [[0], [1, 2]] output_shape [128, 1, 768] : tensor<128x768xf16> into tensor<128x1x768xf16>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<128x1x768xf16>) outs(%23 : tensor<1x128x768xf16>) permutation = [1, 0, 2] 
    %86 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %transposed_40 : tensor<1x128x768xf16>, tensor<1x128x768xf16>) outs(%23 : tensor<1x128x768xf16>) {
    ^bb0(%in: f16, %in_47: f16, %out: f16):
      %128 = arith.addf %in, %in_47 : f16
      linalg.yield %128 : f16
    } -> tensor<1x128x768xf16>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<1x128x768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<1x128x768xf32>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f32, %out: f64):
      %128 = arith.extf %in : f32 to f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %89 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%88 : tensor<1x128x768xf64>) outs(%5 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<1x128x1xf64>) outs(%4 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_9 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %91 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %90 : tensor<1x128x768xf64>, tensor<1x128x1xf64>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %128 = arith.subf %in, %in_47 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %92 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %91 : tensor<1x128x768xf64>, tensor<1x128x768xf64>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %128 = arith.mulf %in, %in_47 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %93 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%92 : tensor<1x128x768xf64>) outs(%5 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<1x128x1xf64>) outs(%4 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_9 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x128x1xf64>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %128 = arith.truncf %in : f64 to f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%87 : tensor<1x128x768xf32>) outs(%14 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %in, %out : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.divf %in, %cst_10 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.truncf %cst_8 : f64 to f32
      %129 = arith.addf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x1xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.rsqrt %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %97 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.subf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %99 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.mulf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %arg10 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %128 = arith.extf %in_47 : f16 to f32
      %129 = arith.mulf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x768xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %arg11 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %128 = arith.extf %in_47 : f16 to f32
      %129 = arith.addf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x768xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<1x128x768xf32>) outs(%23 : tensor<1x128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x128x768xf16>
    %collapsed_41 = tensor.collapse_shape %104 [[0, 1], [2]] : tensor<1x128x768xf16> into tensor<128x768xf16>
    %105 = tensor.empty() : tensor<768x3072xf16>
    %transposed_42 = linalg.transpose ins(%arg4 : tensor<3072x768xf16>) outs(%105 : tensor<768x3072xf16>) permutation = [1, 0] 
    %106 = tensor.empty() : tensor<3072xf32>
    %107 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg5 : tensor<3072xf16>) outs(%106 : tensor<3072xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<3072xf32>
    %108 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_41 : tensor<128x768xf16>) outs(%29 : tensor<128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<128x768xf32>
    %109 = tensor.empty() : tensor<768x3072xf32>
    %110 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_42 : tensor<768x3072xf16>) outs(%109 : tensor<768x3072xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<768x3072xf32>
    %111 = tensor.empty() : tensor<128x3072xf32>
    %112 = linalg.fill ins(%cst_0 : f32) outs(%111 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %113 = linalg.matmul ins(%108, %110 : tensor<128x768xf32>, tensor<768x3072xf32>) outs(%112 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %114 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%113, %107 : tensor<128x3072xf32>, tensor<3072xf32>) outs(%111 : tensor<128x3072xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.addf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<128x3072xf32>
    %115 = tensor.empty() : tensor<128x3072xf16>
    %116 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%114 : tensor<128x3072xf32>) outs(%115 : tensor<128x3072xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<128x3072xf16>
    %expanded_43 = tensor.expand_shape %116 [[0, 1], [2]] output_shape [1, 128, 3072] : tensor<128x3072xf16> into tensor<1x128x3072xf16>
    %117 = tensor.empty() : tensor<1x128x3072xf16>
    %118 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<1x128x3072xf16>) outs(%117 : tensor<1x128x3072xf16>) {
    ^bb0(%in: f16, %out: f16):
      %128 = math.sqrt %cst_3 : f16
      %129 = arith.divf %in, %128 : f16
      %130 = math.erf %129 : f16
      %131 = arith.addf %130, %cst_2 : f16
      %132 = arith.mulf %131, %cst_4 : f16
      %133 = arith.mulf %in, %132 : f16
      linalg.yield %133 : f16
    } -> tensor<1x128x3072xf16>
    %collapsed_44 = tensor.collapse_shape %118 [[0, 1], [2]] : tensor<1x128x3072xf16> into tensor<128x3072xf16>
    %119 = tensor.empty() : tensor<3072x768xf16>
    %transposed_45 = linalg.transpose ins(%arg6 : tensor<768x3072xf16>) outs(%119 : tensor<3072x768xf16>) permutation = [1, 0] 
    %120 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg7 : tensor<768xf16>) outs(%76 : tensor<768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<768xf32>
    %121 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_44 : tensor<128x3072xf16>) outs(%111 : tensor<128x3072xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<128x3072xf32>
    %122 = tensor.empty() : tensor<3072x768xf32>
    %123 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_45 : tensor<3072x768xf16>) outs(%122 : tensor<3072x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<3072x768xf32>
    %124 = linalg.matmul ins(%121, %123 : tensor<128x3072xf32>, tensor<3072x768xf32>) outs(%81 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %125 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%124, %120 : tensor<128x768xf32>, tensor<768xf32>) outs(%29 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.addf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<128x768xf32>
    %126 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%125 : tensor<128x768xf32>) outs(%84 : tensor<128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<128x768xf16>
    %expanded_46 = tensor.expand_shape %126 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf16> into tensor<1x128x768xf16>
    %127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %expanded_46 : tensor<1x128x768xf16>, tensor<1x128x768xf16>) outs(%23 : tensor<1x128x768xf16>) {
    ^bb0(%in: f16, %in_47: f16, %out: f16):
      %128 = arith.addf %in, %in_47 : f16
      linalg.yield %128 : f16
    } -> tensor<1x128x768xf16>
    return %127 : tensor<1x128x768xf16>
  }
}
