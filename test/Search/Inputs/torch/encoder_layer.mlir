#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @encoder_layer(%arg0: tensor<2304x768xf16>, %arg1: tensor<2304xf16>, %arg2: tensor<768x768xf16>, %arg3: tensor<768xf16>, %arg4: tensor<3072x768xf16>, %arg5: tensor<3072xf16>, %arg6: tensor<768x3072xf16>, %arg7: tensor<768xf16>, %arg8: tensor<768xf16>, %arg9: tensor<768xf16>, %arg10: tensor<768xf16>, %arg11: tensor<768xf16>, %arg12: tensor<1x128x768xf16>) -> tensor<1x128x768xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e+00 : f16
    %cst_3 = arith.constant 2.000000e+00 : f16
    %cst_4 = arith.constant 5.000000e-01 : f16
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<1x12x128x128xf32>
    %cst_6 = arith.constant 1.000000e-05 : f64
    %cst_7 = arith.constant 0xFFF0000000000000 : f64
    %cst_8 = arith.constant 0.35355339059327379 : f64
    %cst_9 = arith.constant 7.680000e+02 : f64
    %cst_10 = arith.constant 7.680000e+02 : f32
    %0 = tensor.empty() : tensor<128x1x768xf16>
    %transposed = linalg.transpose ins(%arg12 : tensor<1x128x768xf16>) outs(%0 : tensor<128x1x768xf16>) permutation = [1, 0, 2] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2]] : tensor<128x1x768xf16> into tensor<128x768xf16>
    %1 = tensor.empty() : tensor<768x2304xf16>
    %transposed_11 = linalg.transpose ins(%arg0 : tensor<2304x768xf16>) outs(%1 : tensor<768x2304xf16>) permutation = [1, 0] 
    %2 = tensor.empty() : tensor<2304xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<2304xf16>) outs(%2 : tensor<2304xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<2304xf32>
    %4 = tensor.empty() : tensor<128x768xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<128x768xf16>) outs(%4 : tensor<128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<128x768xf32>
    %6 = tensor.empty() : tensor<768x2304xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_11 : tensor<768x2304xf16>) outs(%6 : tensor<768x2304xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<768x2304xf32>
    %8 = tensor.empty() : tensor<128x2304xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<128x2304xf32>) -> tensor<128x2304xf32>
    %10 = linalg.matmul ins(%5, %7 : tensor<128x768xf32>, tensor<768x2304xf32>) outs(%9 : tensor<128x2304xf32>) -> tensor<128x2304xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%10, %3 : tensor<128x2304xf32>, tensor<2304xf32>) outs(%8 : tensor<128x2304xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.addf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<128x2304xf32>
    %12 = tensor.empty() : tensor<128x2304xf16>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<128x2304xf32>) outs(%12 : tensor<128x2304xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<128x2304xf16>
    %expanded = tensor.expand_shape %13 [[0, 1], [2, 3, 4]] output_shape [1, 128, 1, 3, 768] : tensor<128x2304xf16> into tensor<1x128x1x3x768xf16>
    %14 = tensor.empty() : tensor<3x128x1x1x768xf16>
    %transposed_12 = linalg.transpose ins(%expanded : tensor<1x128x1x3x768xf16>) outs(%14 : tensor<3x128x1x1x768xf16>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_13 = tensor.collapse_shape %transposed_12 [[0], [1], [2, 3], [4]] : tensor<3x128x1x1x768xf16> into tensor<3x128x1x768xf16>
    %extracted_slice = tensor.extract_slice %collapsed_13[0, 0, 0, 0] [1, 128, 1, 768] [1, 1, 1, 1] : tensor<3x128x1x768xf16> to tensor<1x128x1x768xf16>
    %extracted_slice_14 = tensor.extract_slice %collapsed_13[1, 0, 0, 0] [1, 128, 1, 768] [1, 1, 1, 1] : tensor<3x128x1x768xf16> to tensor<1x128x1x768xf16>
    %extracted_slice_15 = tensor.extract_slice %collapsed_13[2, 0, 0, 0] [1, 128, 1, 768] [1, 1, 1, 1] : tensor<3x128x1x768xf16> to tensor<1x128x1x768xf16>
    %collapsed_16 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x128x1x768xf16> into tensor<128x768xf16>
    %expanded_17 = tensor.expand_shape %collapsed_16 [[0], [1, 2]] output_shape [128, 12, 64] : tensor<128x768xf16> into tensor<128x12x64xf16>
    %15 = tensor.empty() : tensor<12x128x64xf16>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<128x12x64xf16>) outs(%15 : tensor<12x128x64xf16>) permutation = [1, 0, 2] 
    %collapsed_19 = tensor.collapse_shape %extracted_slice_14 [[0, 1], [2, 3]] : tensor<1x128x1x768xf16> into tensor<128x768xf16>
    %expanded_20 = tensor.expand_shape %collapsed_19 [[0], [1, 2]] output_shape [128, 12, 64] : tensor<128x768xf16> into tensor<128x12x64xf16>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<128x12x64xf16>) outs(%15 : tensor<12x128x64xf16>) permutation = [1, 0, 2] 
    %collapsed_22 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2, 3]] : tensor<1x128x1x768xf16> into tensor<128x768xf16>
    %expanded_23 = tensor.expand_shape %collapsed_22 [[0], [1, 2]] output_shape [128, 12, 64] : tensor<128x768xf16> into tensor<128x12x64xf16>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<128x12x64xf16>) outs(%15 : tensor<12x128x64xf16>) permutation = [1, 0, 2] 
    %expanded_25 = tensor.expand_shape %transposed_18 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xf16> into tensor<1x12x128x64xf16>
    %expanded_26 = tensor.expand_shape %transposed_21 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xf16> into tensor<1x12x128x64xf16>
    %expanded_27 = tensor.expand_shape %transposed_24 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xf16> into tensor<1x12x128x64xf16>
    %16 = tensor.empty() : tensor<1x12x128x64xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x12x128x64xf16>) outs(%16 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x64xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<1x12x128x64xf16>) outs(%16 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x64xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<1x12x128x64xf16>) outs(%16 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x64xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x12x128x64xf32>) outs(%16 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.truncf %cst_8 : f64 to f32
      %129 = arith.mulf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x12x128x64xf32>
    %21 = tensor.empty() : tensor<1x12x64x128xf32>
    %transposed_28 = linalg.transpose ins(%18 : tensor<1x12x128x64xf32>) outs(%21 : tensor<1x12x64x128xf32>) permutation = [0, 1, 3, 2] 
    %22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_28 : tensor<1x12x64x128xf32>) outs(%21 : tensor<1x12x64x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.truncf %cst_8 : f64 to f32
      %129 = arith.mulf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x12x64x128xf32>
    %collapsed_29 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %collapsed_30 = tensor.collapse_shape %22 [[0, 1], [2], [3]] : tensor<1x12x64x128xf32> into tensor<12x64x128xf32>
    %23 = tensor.empty() : tensor<12x128x128xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %25 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<12x128x64xf32>, tensor<12x64x128xf32>) outs(%24 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %expanded_31 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [1, 12, 128, 128] : tensor<12x128x128xf32> into tensor<1x12x128x128xf32>
    %26 = tensor.empty() : tensor<1x12x128xi64>
    %27 = linalg.fill ins(%c0_i64 : i64) outs(%26 : tensor<1x12x128xi64>) -> tensor<1x12x128xi64>
    %28 = tensor.empty() : tensor<1x12x128xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<1x12x128xf32>) -> tensor<1x12x128xf32>
    %30:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_31 : tensor<1x12x128x128xf32>) outs(%29, %27 : tensor<1x12x128xf32>, tensor<1x12x128xi64>) {
    ^bb0(%in: f32, %out: f32, %out_47: i64):
      %128 = linalg.index 3 : index
      %129 = arith.index_cast %128 : index to i64
      %130 = arith.maximumf %in, %out : f32
      %131 = arith.cmpf ogt, %in, %out : f32
      %132 = arith.select %131, %129, %out_47 : i64
      linalg.yield %130, %132 : f32, i64
    } -> (tensor<1x12x128xf32>, tensor<1x12x128xi64>)
    %expanded_32 = tensor.expand_shape %30#0 [[0], [1], [2, 3]] output_shape [1, 12, 128, 1] : tensor<1x12x128xf32> into tensor<1x12x128x1xf32>
    %31 = tensor.empty() : tensor<1x12x128x128xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31, %expanded_32 : tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) outs(%31 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.subf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x128xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x12x128x128xf32>) outs(%31 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.exp %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x128xf32>
    %34 = tensor.empty() : tensor<1x12x128x1xf32>
    %35 = linalg.fill ins(%cst : f32) outs(%34 : tensor<1x12x128x1xf32>) -> tensor<1x12x128x1xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x12x128x128xf32>) outs(%35 : tensor<1x12x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %in, %out : f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x1xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %36 : tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) outs(%31 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.divf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x128xf32>
    %38 = tensor.empty() : tensor<1x12x128x128xi1>
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<1x12x128x128xf32>) outs(%38 : tensor<1x12x128x128xi1>) {
    ^bb0(%in: f32, %out: i1):
      %128 = arith.extf %in : f32 to f64
      %129 = arith.cmpf oeq, %128, %cst_7 : f64
      linalg.yield %129 : i1
    } -> tensor<1x12x128x128xi1>
    %40 = tensor.empty() : tensor<1x12x128x1xi1>
    %41 = linalg.fill ins(%true : i1) outs(%40 : tensor<1x12x128x1xi1>) -> tensor<1x12x128x1xi1>
    %42 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<1x12x128x128xi1>) outs(%41 : tensor<1x12x128x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %128 = arith.andi %in, %out : i1
      linalg.yield %128 : i1
    } -> tensor<1x12x128x1xi1>
    %43 = linalg.generic {indexing_maps = [#map5, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %cst_5, %37 : tensor<1x12x128x1xi1>, tensor<1x12x128x128xf32>, tensor<1x12x128x128xf32>) outs(%31 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: i1, %in_47: f32, %in_48: f32, %out: f32):
      %128 = arith.select %in, %in_47, %in_48 : f32
      linalg.yield %128 : f32
    } -> tensor<1x12x128x128xf32>
    %collapsed_33 = tensor.collapse_shape %43 [[0, 1], [2], [3]] : tensor<1x12x128x128xf32> into tensor<12x128x128xf32>
    %collapsed_34 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %44 = tensor.empty() : tensor<12x128x64xf32>
    %45 = linalg.fill ins(%cst : f32) outs(%44 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    %46 = linalg.batch_matmul ins(%collapsed_33, %collapsed_34 : tensor<12x128x128xf32>, tensor<12x128x64xf32>) outs(%45 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    %expanded_35 = tensor.expand_shape %46 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xf32> into tensor<1x12x128x64xf32>
    %47 = tensor.empty() : tensor<1x12x128x64xf16>
    %48 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<1x12x128x64xf32>) outs(%47 : tensor<1x12x128x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x12x128x64xf16>
    %49 = tensor.empty() : tensor<128x1x12x64xf16>
    %transposed_36 = linalg.transpose ins(%48 : tensor<1x12x128x64xf16>) outs(%49 : tensor<128x1x12x64xf16>) permutation = [2, 0, 1, 3] 
    %collapsed_37 = tensor.collapse_shape %transposed_36 [[0], [1, 2, 3]] : tensor<128x1x12x64xf16> into tensor<128x768xf16>
    %50 = tensor.empty() : tensor<768x768xf16>
    %transposed_38 = linalg.transpose ins(%arg2 : tensor<768x768xf16>) outs(%50 : tensor<768x768xf16>) permutation = [1, 0] 
    %51 = tensor.empty() : tensor<768xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<768xf16>) outs(%51 : tensor<768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<768xf32>
    %53 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_37 : tensor<128x768xf16>) outs(%4 : tensor<128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<128x768xf32>
    %54 = tensor.empty() : tensor<768x768xf32>
    %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_38 : tensor<768x768xf16>) outs(%54 : tensor<768x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<768x768xf32>
    %56 = linalg.fill ins(%cst : f32) outs(%4 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %57 = linalg.matmul ins(%53, %55 : tensor<128x768xf32>, tensor<768x768xf32>) outs(%56 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %58 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%57, %52 : tensor<128x768xf32>, tensor<768xf32>) outs(%4 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.addf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<128x768xf32>
    %59 = tensor.empty() : tensor<128x768xf16>
    %60 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%58 : tensor<128x768xf32>) outs(%59 : tensor<128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<128x768xf16>
    %expanded_39 = tensor.expand_shape %60 [[0], [1, 2]] output_shape [128, 1, 768] : tensor<128x768xf16> into tensor<128x1x768xf16>
    %61 = tensor.empty() : tensor<1x128x768xf16>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<128x1x768xf16>) outs(%61 : tensor<1x128x768xf16>) permutation = [1, 0, 2] 
    %62 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %transposed_40 : tensor<1x128x768xf16>, tensor<1x128x768xf16>) outs(%61 : tensor<1x128x768xf16>) {
    ^bb0(%in: f16, %in_47: f16, %out: f16):
      %128 = arith.addf %in, %in_47 : f16
      linalg.yield %128 : f16
    } -> tensor<1x128x768xf16>
    %63 = tensor.empty() : tensor<1x128x768xf32>
    %64 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<1x128x768xf16>) outs(%63 : tensor<1x128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %65 = tensor.empty() : tensor<1x128x768xf64>
    %66 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<1x128x768xf32>) outs(%65 : tensor<1x128x768xf64>) {
    ^bb0(%in: f32, %out: f64):
      %128 = arith.extf %in : f32 to f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %67 = tensor.empty() : tensor<1x128x1xf64>
    %68 = linalg.fill ins(%cst_1 : f64) outs(%67 : tensor<1x128x1xf64>) -> tensor<1x128x1xf64>
    %69 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%66 : tensor<1x128x768xf64>) outs(%68 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %70 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<1x128x1xf64>) outs(%67 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_9 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %71 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %70 : tensor<1x128x768xf64>, tensor<1x128x1xf64>) outs(%65 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %128 = arith.subf %in, %in_47 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %72 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %71 : tensor<1x128x768xf64>, tensor<1x128x768xf64>) outs(%65 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %128 = arith.mulf %in, %in_47 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %73 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%72 : tensor<1x128x768xf64>) outs(%68 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %74 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x128x1xf64>) outs(%67 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_9 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %75 = tensor.empty() : tensor<1x128x1xf32>
    %76 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x128x1xf64>) outs(%75 : tensor<1x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %128 = arith.truncf %in : f64 to f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %77 = linalg.fill ins(%cst : f32) outs(%75 : tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %78 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%64 : tensor<1x128x768xf32>) outs(%77 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %in, %out : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %79 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<1x128x1xf32>) outs(%75 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.divf %in, %cst_10 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %80 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x128x1xf32>) outs(%75 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.truncf %cst_6 : f64 to f32
      %129 = arith.addf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x1xf32>
    %81 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<1x128x1xf32>) outs(%75 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.rsqrt %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %82 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %79 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%63 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.subf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %83 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %81 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%63 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.mulf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %84 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %arg8 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%63 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %128 = arith.extf %in_47 : f16 to f32
      %129 = arith.mulf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x768xf32>
    %85 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %arg9 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%63 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %128 = arith.extf %in_47 : f16 to f32
      %129 = arith.addf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x768xf32>
    %86 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x128x768xf32>) outs(%61 : tensor<1x128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x128x768xf16>
    %collapsed_41 = tensor.collapse_shape %86 [[0, 1], [2]] : tensor<1x128x768xf16> into tensor<128x768xf16>
    %87 = tensor.empty() : tensor<768x3072xf16>
    %transposed_42 = linalg.transpose ins(%arg4 : tensor<3072x768xf16>) outs(%87 : tensor<768x3072xf16>) permutation = [1, 0] 
    %88 = tensor.empty() : tensor<3072xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg5 : tensor<3072xf16>) outs(%88 : tensor<3072xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<3072xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_41 : tensor<128x768xf16>) outs(%4 : tensor<128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<128x768xf32>
    %91 = tensor.empty() : tensor<768x3072xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_42 : tensor<768x3072xf16>) outs(%91 : tensor<768x3072xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<768x3072xf32>
    %93 = tensor.empty() : tensor<128x3072xf32>
    %94 = linalg.fill ins(%cst : f32) outs(%93 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %95 = linalg.matmul ins(%90, %92 : tensor<128x768xf32>, tensor<768x3072xf32>) outs(%94 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%95, %89 : tensor<128x3072xf32>, tensor<3072xf32>) outs(%93 : tensor<128x3072xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.addf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<128x3072xf32>
    %97 = tensor.empty() : tensor<128x3072xf16>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%96 : tensor<128x3072xf32>) outs(%97 : tensor<128x3072xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<128x3072xf16>
    %expanded_43 = tensor.expand_shape %98 [[0, 1], [2]] output_shape [1, 128, 3072] : tensor<128x3072xf16> into tensor<1x128x3072xf16>
    %99 = tensor.empty() : tensor<1x128x3072xf16>
    %100 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<1x128x3072xf16>) outs(%99 : tensor<1x128x3072xf16>) {
    ^bb0(%in: f16, %out: f16):
      %128 = math.sqrt %cst_3 : f16
      %129 = arith.divf %in, %128 : f16
      %130 = math.erf %129 : f16
      %131 = arith.addf %130, %cst_2 : f16
      %132 = arith.mulf %131, %cst_4 : f16
      %133 = arith.mulf %in, %132 : f16
      linalg.yield %133 : f16
    } -> tensor<1x128x3072xf16>
    %collapsed_44 = tensor.collapse_shape %100 [[0, 1], [2]] : tensor<1x128x3072xf16> into tensor<128x3072xf16>
    %101 = tensor.empty() : tensor<3072x768xf16>
    %transposed_45 = linalg.transpose ins(%arg6 : tensor<768x3072xf16>) outs(%101 : tensor<3072x768xf16>) permutation = [1, 0] 
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg7 : tensor<768xf16>) outs(%51 : tensor<768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<768xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_44 : tensor<128x3072xf16>) outs(%93 : tensor<128x3072xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<128x3072xf32>
    %104 = tensor.empty() : tensor<3072x768xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_45 : tensor<3072x768xf16>) outs(%104 : tensor<3072x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<3072x768xf32>
    %106 = linalg.matmul ins(%103, %105 : tensor<128x3072xf32>, tensor<3072x768xf32>) outs(%56 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%106, %102 : tensor<128x768xf32>, tensor<768xf32>) outs(%4 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.addf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<128x768xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%107 : tensor<128x768xf32>) outs(%59 : tensor<128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<128x768xf16>
    %expanded_46 = tensor.expand_shape %108 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf16> into tensor<1x128x768xf16>
    %109 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %expanded_46 : tensor<1x128x768xf16>, tensor<1x128x768xf16>) outs(%61 : tensor<1x128x768xf16>) {
    ^bb0(%in: f16, %in_47: f16, %out: f16):
      %128 = arith.addf %in, %in_47 : f16
      linalg.yield %128 : f16
    } -> tensor<1x128x768xf16>
    %110 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<1x128x768xf16>) outs(%63 : tensor<1x128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %128 = arith.extf %in : f16 to f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %111 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<1x128x768xf32>) outs(%65 : tensor<1x128x768xf64>) {
    ^bb0(%in: f32, %out: f64):
      %128 = arith.extf %in : f32 to f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %112 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%111 : tensor<1x128x768xf64>) outs(%68 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %113 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<1x128x1xf64>) outs(%67 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_9 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %114 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %113 : tensor<1x128x768xf64>, tensor<1x128x1xf64>) outs(%65 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %128 = arith.subf %in, %in_47 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %115 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114, %114 : tensor<1x128x768xf64>, tensor<1x128x768xf64>) outs(%65 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %128 = arith.mulf %in, %in_47 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x768xf64>
    %116 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%115 : tensor<1x128x768xf64>) outs(%68 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.addf %in, %out : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %117 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<1x128x1xf64>) outs(%67 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %128 = arith.divf %in, %cst_9 : f64
      linalg.yield %128 : f64
    } -> tensor<1x128x1xf64>
    %118 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<1x128x1xf64>) outs(%75 : tensor<1x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %128 = arith.truncf %in : f64 to f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %119 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%110 : tensor<1x128x768xf32>) outs(%77 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.addf %in, %out : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %120 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<1x128x1xf32>) outs(%75 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.divf %in, %cst_10 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %121 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<1x128x1xf32>) outs(%75 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = arith.truncf %cst_6 : f64 to f32
      %129 = arith.addf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x1xf32>
    %122 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121 : tensor<1x128x1xf32>) outs(%75 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %128 = math.rsqrt %in : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x1xf32>
    %123 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %120 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%63 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.subf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %124 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123, %122 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%63 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %128 = arith.mulf %in, %in_47 : f32
      linalg.yield %128 : f32
    } -> tensor<1x128x768xf32>
    %125 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124, %arg10 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%63 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %128 = arith.extf %in_47 : f16 to f32
      %129 = arith.mulf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x768xf32>
    %126 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %arg11 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%63 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %128 = arith.extf %in_47 : f16 to f32
      %129 = arith.addf %in, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<1x128x768xf32>
    %127 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<1x128x768xf32>) outs(%61 : tensor<1x128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %128 = arith.truncf %in : f32 to f16
      linalg.yield %128 : f16
    } -> tensor<1x128x768xf16>
    return %127 : tensor<1x128x768xf16>
  }
}
