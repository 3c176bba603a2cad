#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @gpt2_block(%arg0: tensor<768xf16>, %arg1: tensor<768xf16>, %arg2: tensor<768xf16>, %arg3: tensor<768xf16>, %arg4: tensor<2304x768xf16>, %arg5: tensor<2304xf16>, %arg6: tensor<768x768xf16>, %arg7: tensor<768xf16>, %arg8: tensor<3072x768xf16>, %arg9: tensor<3072xf16>, %arg10: tensor<768x3072xf16>, %arg11: tensor<768xf16>, %arg12: tensor<1x128x768xf16>) -> tensor<1x128x768xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %c3_i64 = arith.constant 3 : i64
    %cst_2 = arith.constant 4.470830e-02 : f16
    %cst_3 = arith.constant 7.978520e-01 : f16
    %cst_4 = arith.constant 1.000000e+00 : f16
    %cst_5 = arith.constant 5.000000e-01 : f16
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<1x12x128x128xf32>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_8 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_9 = arith.constant dense<true> : tensor<128x128xi1>
    %cst_10 = arith.constant 0xFFF0000000000000 : f64
    %cst_11 = arith.constant 0.35355339059327379 : f64
    %cst_12 = arith.constant 1.000000e-05 : f64
    %cst_13 = arith.constant 7.680000e+02 : f64
    %cst_14 = arith.constant 7.680000e+02 : f32
    %0 = tensor.empty() : tensor<1x128x768xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<1x128x768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<1x128x768xf32>
    %2 = tensor.empty() : tensor<1x128x768xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x128x768xf32>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f32, %out: f64):
      %135 = arith.extf %in : f32 to f64
      linalg.yield %135 : f64
    } -> tensor<1x128x768xf64>
    %4 = tensor.empty() : tensor<1x128x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<1x128x1xf64>) -> tensor<1x128x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x128x768xf64>) outs(%5 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %135 = arith.addf %in, %out : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x128x1xf64>) outs(%4 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %135 = arith.divf %in, %cst_13 : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<1x128x768xf64>, tensor<1x128x1xf64>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_43: f64, %out: f64):
      %135 = arith.subf %in, %in_43 : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x768xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x128x768xf64>, tensor<1x128x768xf64>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_43: f64, %out: f64):
      %135 = arith.mulf %in, %in_43 : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x768xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x128x768xf64>) outs(%5 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %135 = arith.addf %in, %out : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x128x1xf64>) outs(%4 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %135 = arith.divf %in, %cst_13 : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x1xf64>
    %12 = tensor.empty() : tensor<1x128x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x128x1xf64>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %135 = arith.truncf %in : f64 to f32
      linalg.yield %135 : f32
    } -> tensor<1x128x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x128x768xf32>) outs(%14 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = arith.addf %in, %out : f32
      linalg.yield %135 : f32
    } -> tensor<1x128x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = arith.divf %in, %cst_14 : f32
      linalg.yield %135 : f32
    } -> tensor<1x128x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = arith.truncf %cst_12 : f64 to f32
      %136 = arith.addf %in, %135 : f32
      linalg.yield %136 : f32
    } -> tensor<1x128x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = math.rsqrt %in : f32
      linalg.yield %135 : f32
    } -> tensor<1x128x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %135 = arith.subf %in, %in_43 : f32
      linalg.yield %135 : f32
    } -> tensor<1x128x768xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %135 = arith.mulf %in, %in_43 : f32
      linalg.yield %135 : f32
    } -> tensor<1x128x768xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg0 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_43: f16, %out: f32):
      %135 = arith.extf %in_43 : f16 to f32
      %136 = arith.mulf %in, %135 : f32
      linalg.yield %136 : f32
    } -> tensor<1x128x768xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg1 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_43: f16, %out: f32):
      %135 = arith.extf %in_43 : f16 to f32
      %136 = arith.addf %in, %135 : f32
      linalg.yield %136 : f32
    } -> tensor<1x128x768xf32>
    %23 = tensor.empty() : tensor<1x128x768xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x128x768xf32>) outs(%23 : tensor<1x128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %135 = arith.truncf %in : f32 to f16
      linalg.yield %135 : f16
    } -> tensor<1x128x768xf16>
    %collapsed = tensor.collapse_shape %24 [[0, 1], [2]] : tensor<1x128x768xf16> into tensor<128x768xf16>
    %25 = tensor.empty() : tensor<768x2304xf16>
    %transposed = linalg.transpose ins(%arg4 : tensor<2304x768xf16>) outs(%25 : tensor<768x2304xf16>) permutation = [1, 0] 
    %26 = tensor.empty() : tensor<2304xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg5 : tensor<2304xf16>) outs(%26 : tensor<2304xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<2304xf32>
    %28 = tensor.empty() : tensor<128x768xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<128x768xf16>) outs(%28 : tensor<128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<128x768xf32>
    %30 = tensor.empty() : tensor<768x2304xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<768x2304xf16>) outs(%30 : tensor<768x2304xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<768x2304xf32>
    %32 = tensor.empty() : tensor<128x2304xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<128x2304xf32>) -> tensor<128x2304xf32>
    %34 = linalg.matmul ins(%29, %31 : tensor<128x768xf32>, tensor<768x2304xf32>) outs(%33 : tensor<128x2304xf32>) -> tensor<128x2304xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%34, %27 : tensor<128x2304xf32>, tensor<2304xf32>) outs(%32 : tensor<128x2304xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %135 = arith.addf %in, %in_43 : f32
      linalg.yield %135 : f32
    } -> tensor<128x2304xf32>
    %36 = tensor.empty() : tensor<128x2304xf16>
    %37 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<128x2304xf32>) outs(%36 : tensor<128x2304xf16>) {
    ^bb0(%in: f32, %out: f16):
      %135 = arith.truncf %in : f32 to f16
      linalg.yield %135 : f16
    } -> tensor<128x2304xf16>
    %expanded = tensor.expand_shape %37 [[0, 1], [2]] output_shape [1, 128, 2304] : tensor<128x2304xf16> into tensor<1x128x2304xf16>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [1, 128, 768] [1, 1, 1] : tensor<1x128x2304xf16> to tensor<1x128x768xf16>
    %extracted_slice_15 = tensor.extract_slice %expanded[0, 0, 768] [1, 128, 768] [1, 1, 1] : tensor<1x128x2304xf16> to tensor<1x128x768xf16>
    %extracted_slice_16 = tensor.extract_slice %expanded[0, 0, 1536] [1, 128, 768] [1, 1, 1] : tensor<1x128x2304xf16> to tensor<1x128x768xf16>
    %expanded_17 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf16> into tensor<1x128x12x64xf16>
    %38 = tensor.empty() : tensor<1x12x128x64xf16>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<1x128x12x64xf16>) outs(%38 : tensor<1x12x128x64xf16>) permutation = [0, 2, 1, 3] 
    %expanded_19 = tensor.expand_shape %extracted_slice_15 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf16> into tensor<1x128x12x64xf16>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<1x128x12x64xf16>) outs(%38 : tensor<1x12x128x64xf16>) permutation = [0, 2, 1, 3] 
    %expanded_21 = tensor.expand_shape %extracted_slice_16 [[0], [1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<1x128x768xf16> into tensor<1x128x12x64xf16>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<1x128x12x64xf16>) outs(%38 : tensor<1x12x128x64xf16>) permutation = [0, 2, 1, 3] 
    %39 = tensor.empty() : tensor<1x12x128x64xf32>
    %40 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_18 : tensor<1x12x128x64xf16>) outs(%39 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<1x12x128x64xf32>
    %41 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_20 : tensor<1x12x128x64xf16>) outs(%39 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<1x12x128x64xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_22 : tensor<1x12x128x64xf16>) outs(%39 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<1x12x128x64xf32>
    %43 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x12x128x64xf32>) outs(%39 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = arith.truncf %cst_11 : f64 to f32
      %136 = arith.mulf %in, %135 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x128x64xf32>
    %44 = tensor.empty() : tensor<128xi64>
    %45 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%44 : tensor<128xi64>) {
    ^bb0(%out: i64):
      %135 = linalg.index 0 : index
      %136 = arith.index_cast %135 : index to i64
      linalg.yield %136 : i64
    } -> tensor<128xi64>
    %expanded_23 = tensor.expand_shape %45 [[0, 1]] output_shape [1, 128] : tensor<128xi64> into tensor<1x128xi64>
    %expanded_24 = tensor.expand_shape %45 [[0, 1]] output_shape [128, 1] : tensor<128xi64> into tensor<128x1xi64>
    %46 = tensor.empty() : tensor<128x128xi64>
    %47 = linalg.generic {indexing_maps = [#map7, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_23, %expanded_24 : tensor<1x128xi64>, tensor<128x1xi64>) outs(%46 : tensor<128x128xi64>) {
    ^bb0(%in: i64, %in_43: i64, %out: i64):
      %135 = arith.subi %in, %in_43 : i64
      linalg.yield %135 : i64
    } -> tensor<128x128xi64>
    %48 = tensor.empty() : tensor<128x128xi1>
    %49 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<128x128xi64>) outs(%48 : tensor<128x128xi1>) {
    ^bb0(%in: i64, %out: i1):
      %135 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %135 : i1
    } -> tensor<128x128xi1>
    %50 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%49, %cst_9 : tensor<128x128xi1>, tensor<128x128xi1>) outs(%48 : tensor<128x128xi1>) {
    ^bb0(%in: i1, %in_43: i1, %out: i1):
      %135 = arith.andi %in, %in_43 : i1
      linalg.yield %135 : i1
    } -> tensor<128x128xi1>
    %51 = tensor.empty() : tensor<128x128xf32>
    %52 = linalg.generic {indexing_maps = [#map4, #map9, #map9, #map4], iterator_types = ["parallel", "parallel"]} ins(%50, %cst_7, %cst_8 : tensor<128x128xi1>, tensor<f32>, tensor<f32>) outs(%51 : tensor<128x128xf32>) {
    ^bb0(%in: i1, %in_43: f32, %in_44: f32, %out: f32):
      %135 = arith.select %in, %in_43, %in_44 : f32
      linalg.yield %135 : f32
    } -> tensor<128x128xf32>
    %53 = tensor.empty() : tensor<1x12x64x128xf32>
    %transposed_25 = linalg.transpose ins(%41 : tensor<1x12x128x64xf32>) outs(%53 : tensor<1x12x64x128xf32>) permutation = [0, 1, 3, 2] 
    %54 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_25 : tensor<1x12x64x128xf32>) outs(%53 : tensor<1x12x64x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = arith.truncf %cst_11 : f64 to f32
      %136 = arith.mulf %in, %135 : f32
      linalg.yield %136 : f32
    } -> tensor<1x12x64x128xf32>
    %collapsed_26 = tensor.collapse_shape %43 [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %collapsed_27 = tensor.collapse_shape %54 [[0, 1], [2], [3]] : tensor<1x12x64x128xf32> into tensor<12x64x128xf32>
    %55 = tensor.empty() : tensor<12x128x128xf32>
    %56 = linalg.fill ins(%cst_0 : f32) outs(%55 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %57 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<12x128x64xf32>, tensor<12x64x128xf32>) outs(%56 : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %expanded_28 = tensor.expand_shape %57 [[0, 1], [2], [3]] output_shape [1, 12, 128, 128] : tensor<12x128x128xf32> into tensor<1x12x128x128xf32>
    %58 = tensor.empty() : tensor<1x12x128x128xf32>
    %59 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28, %52 : tensor<1x12x128x128xf32>, tensor<128x128xf32>) outs(%58 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %135 = arith.addf %in, %in_43 : f32
      linalg.yield %135 : f32
    } -> tensor<1x12x128x128xf32>
    %60 = tensor.empty() : tensor<1x12x128xi64>
    %61 = linalg.fill ins(%c0_i64 : i64) outs(%60 : tensor<1x12x128xi64>) -> tensor<1x12x128xi64>
    %62 = tensor.empty() : tensor<1x12x128xf32>
    %63 = linalg.fill ins(%cst_1 : f32) outs(%62 : tensor<1x12x128xf32>) -> tensor<1x12x128xf32>
    %64:2 = linalg.generic {indexing_maps = [#map6, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%59 : tensor<1x12x128x128xf32>) outs(%63, %61 : tensor<1x12x128xf32>, tensor<1x12x128xi64>) {
    ^bb0(%in: f32, %out: f32, %out_43: i64):
      %135 = linalg.index 3 : index
      %136 = arith.index_cast %135 : index to i64
      %137 = arith.maximumf %in, %out : f32
      %138 = arith.cmpf ogt, %in, %out : f32
      %139 = arith.select %138, %136, %out_43 : i64
      linalg.yield %137, %139 : f32, i64
    } -> (tensor<1x12x128xf32>, tensor<1x12x128xi64>)
    %expanded_29 = tensor.expand_shape %64#0 [[0], [1], [2, 3]] output_shape [1, 12, 128, 1] : tensor<1x12x128xf32> into tensor<1x12x128x1xf32>
    %65 = linalg.generic {indexing_maps = [#map6, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %expanded_29 : tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) outs(%58 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %135 = arith.subf %in, %in_43 : f32
      linalg.yield %135 : f32
    } -> tensor<1x12x128x128xf32>
    %66 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<1x12x128x128xf32>) outs(%58 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = math.exp %in : f32
      linalg.yield %135 : f32
    } -> tensor<1x12x128x128xf32>
    %67 = tensor.empty() : tensor<1x12x128x1xf32>
    %68 = linalg.fill ins(%cst_0 : f32) outs(%67 : tensor<1x12x128x1xf32>) -> tensor<1x12x128x1xf32>
    %69 = linalg.generic {indexing_maps = [#map6, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%66 : tensor<1x12x128x128xf32>) outs(%68 : tensor<1x12x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = arith.addf %in, %out : f32
      linalg.yield %135 : f32
    } -> tensor<1x12x128x1xf32>
    %70 = linalg.generic {indexing_maps = [#map6, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %69 : tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) outs(%58 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %135 = arith.divf %in, %in_43 : f32
      linalg.yield %135 : f32
    } -> tensor<1x12x128x128xf32>
    %71 = tensor.empty() : tensor<1x12x128x128xi1>
    %72 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x12x128x128xf32>) outs(%71 : tensor<1x12x128x128xi1>) {
    ^bb0(%in: f32, %out: i1):
      %135 = arith.extf %in : f32 to f64
      %136 = arith.cmpf oeq, %135, %cst_10 : f64
      linalg.yield %136 : i1
    } -> tensor<1x12x128x128xi1>
    %73 = tensor.empty() : tensor<1x12x128x1xi1>
    %74 = linalg.fill ins(%true : i1) outs(%73 : tensor<1x12x128x1xi1>) -> tensor<1x12x128x1xi1>
    %75 = linalg.generic {indexing_maps = [#map6, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%72 : tensor<1x12x128x128xi1>) outs(%74 : tensor<1x12x128x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %135 = arith.andi %in, %out : i1
      linalg.yield %135 : i1
    } -> tensor<1x12x128x1xi1>
    %76 = linalg.generic {indexing_maps = [#map12, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %cst_6, %70 : tensor<1x12x128x1xi1>, tensor<1x12x128x128xf32>, tensor<1x12x128x128xf32>) outs(%58 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: i1, %in_43: f32, %in_44: f32, %out: f32):
      %135 = arith.select %in, %in_43, %in_44 : f32
      linalg.yield %135 : f32
    } -> tensor<1x12x128x128xf32>
    %collapsed_30 = tensor.collapse_shape %76 [[0, 1], [2], [3]] : tensor<1x12x128x128xf32> into tensor<12x128x128xf32>
    %collapsed_31 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x12x128x64xf32> into tensor<12x128x64xf32>
    %77 = tensor.empty() : tensor<12x128x64xf32>
    %78 = linalg.fill ins(%cst_0 : f32) outs(%77 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    %79 = linalg.batch_matmul ins(%collapsed_30, %collapsed_31 : tensor<12x128x128xf32>, tensor<12x128x64xf32>) outs(%78 : tensor<12x128x64xf32>) -> tensor<12x128x64xf32>
    %expanded_32 = tensor.expand_shape %79 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xf32> into tensor<1x12x128x64xf32>
    %80 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<1x12x128x64xf32>) outs(%38 : tensor<1x12x128x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %135 = arith.truncf %in : f32 to f16
      linalg.yield %135 : f16
    } -> tensor<1x12x128x64xf16>
    %81 = tensor.empty() : tensor<1x128x12x64xf16>
    %transposed_33 = linalg.transpose ins(%80 : tensor<1x12x128x64xf16>) outs(%81 : tensor<1x128x12x64xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_34 = tensor.collapse_shape %transposed_33 [[0, 1], [2, 3]] : tensor<1x128x12x64xf16> into tensor<128x768xf16>
    %82 = tensor.empty() : tensor<768x768xf16>
    %transposed_35 = linalg.transpose ins(%arg6 : tensor<768x768xf16>) outs(%82 : tensor<768x768xf16>) permutation = [1, 0] 
    %83 = tensor.empty() : tensor<768xf32>
    %84 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg7 : tensor<768xf16>) outs(%83 : tensor<768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<768xf32>
    %85 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_34 : tensor<128x768xf16>) outs(%28 : tensor<128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<128x768xf32>
    %86 = tensor.empty() : tensor<768x768xf32>
    %87 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_35 : tensor<768x768xf16>) outs(%86 : tensor<768x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<768x768xf32>
    %88 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %89 = linalg.matmul ins(%85, %87 : tensor<128x768xf32>, tensor<768x768xf32>) outs(%88 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %90 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%89, %84 : tensor<128x768xf32>, tensor<768xf32>) outs(%28 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %135 = arith.addf %in, %in_43 : f32
      linalg.yield %135 : f32
    } -> tensor<128x768xf32>
    %91 = tensor.empty() : tensor<128x768xf16>
    %92 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%90 : tensor<128x768xf32>) outs(%91 : tensor<128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %135 = arith.truncf %in : f32 to f16
      linalg.yield %135 : f16
    } -> tensor<128x768xf16>
    %expanded_36 = tensor.expand_shape %92 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf16> into tensor<1x128x768xf16>
    %93 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %expanded_36 : tensor<1x128x768xf16>, tensor<1x128x768xf16>) outs(%23 : tensor<1x128x768xf16>) {
    ^bb0(%in: f16, %in_43: f16, %out: f16):
      %135 = arith.addf %in, %in_43 : f16
      linalg.yield %135 : f16
    } -> tensor<1x128x768xf16>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<1x128x768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<1x128x768xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x128x768xf32>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f32, %out: f64):
      %135 = arith.extf %in : f32 to f64
      linalg.yield %135 : f64
    } -> tensor<1x128x768xf64>
    %96 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<1x128x768xf64>) outs(%5 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %135 = arith.addf %in, %out : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x1xf64>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<1x128x1xf64>) outs(%4 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %135 = arith.divf %in, %cst_13 : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x1xf64>
    %98 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %97 : tensor<1x128x768xf64>, tensor<1x128x1xf64>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_43: f64, %out: f64):
      %135 = arith.subf %in, %in_43 : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x768xf64>
    %99 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %98 : tensor<1x128x768xf64>, tensor<1x128x768xf64>) outs(%2 : tensor<1x128x768xf64>) {
    ^bb0(%in: f64, %in_43: f64, %out: f64):
      %135 = arith.mulf %in, %in_43 : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x768xf64>
    %100 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%99 : tensor<1x128x768xf64>) outs(%5 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %135 = arith.addf %in, %out : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x1xf64>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<1x128x1xf64>) outs(%4 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %135 = arith.divf %in, %cst_13 : f64
      linalg.yield %135 : f64
    } -> tensor<1x128x1xf64>
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<1x128x1xf64>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %135 = arith.truncf %in : f64 to f32
      linalg.yield %135 : f32
    } -> tensor<1x128x1xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%94 : tensor<1x128x768xf32>) outs(%14 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = arith.addf %in, %out : f32
      linalg.yield %135 : f32
    } -> tensor<1x128x1xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = arith.divf %in, %cst_14 : f32
      linalg.yield %135 : f32
    } -> tensor<1x128x1xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = arith.truncf %cst_12 : f64 to f32
      %136 = arith.addf %in, %135 : f32
      linalg.yield %136 : f32
    } -> tensor<1x128x1xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<1x128x1xf32>) outs(%12 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %135 = math.rsqrt %in : f32
      linalg.yield %135 : f32
    } -> tensor<1x128x1xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %104 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %135 = arith.subf %in, %in_43 : f32
      linalg.yield %135 : f32
    } -> tensor<1x128x768xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %106 : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %135 = arith.mulf %in, %in_43 : f32
      linalg.yield %135 : f32
    } -> tensor<1x128x768xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %arg2 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_43: f16, %out: f32):
      %135 = arith.extf %in_43 : f16 to f32
      %136 = arith.mulf %in, %135 : f32
      linalg.yield %136 : f32
    } -> tensor<1x128x768xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %arg3 : tensor<1x128x768xf32>, tensor<768xf16>) outs(%0 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_43: f16, %out: f32):
      %135 = arith.extf %in_43 : f16 to f32
      %136 = arith.addf %in, %135 : f32
      linalg.yield %136 : f32
    } -> tensor<1x128x768xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<1x128x768xf32>) outs(%23 : tensor<1x128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %135 = arith.truncf %in : f32 to f16
      linalg.yield %135 : f16
    } -> tensor<1x128x768xf16>
    %collapsed_37 = tensor.collapse_shape %111 [[0, 1], [2]] : tensor<1x128x768xf16> into tensor<128x768xf16>
    %112 = tensor.empty() : tensor<768x3072xf16>
    %transposed_38 = linalg.transpose ins(%arg8 : tensor<3072x768xf16>) outs(%112 : tensor<768x3072xf16>) permutation = [1, 0] 
    %113 = tensor.empty() : tensor<3072xf32>
    %114 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg9 : tensor<3072xf16>) outs(%113 : tensor<3072xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<3072xf32>
    %115 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_37 : tensor<128x768xf16>) outs(%28 : tensor<128x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<128x768xf32>
    %116 = tensor.empty() : tensor<768x3072xf32>
    %117 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_38 : tensor<768x3072xf16>) outs(%116 : tensor<768x3072xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<768x3072xf32>
    %118 = tensor.empty() : tensor<128x3072xf32>
    %119 = linalg.fill ins(%cst_0 : f32) outs(%118 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %120 = linalg.matmul ins(%115, %117 : tensor<128x768xf32>, tensor<768x3072xf32>) outs(%119 : tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %121 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%120, %114 : tensor<128x3072xf32>, tensor<3072xf32>) outs(%118 : tensor<128x3072xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %135 = arith.addf %in, %in_43 : f32
      linalg.yield %135 : f32
    } -> tensor<128x3072xf32>
    %122 = tensor.empty() : tensor<128x3072xf16>
    %123 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%121 : tensor<128x3072xf32>) outs(%122 : tensor<128x3072xf16>) {
    ^bb0(%in: f32, %out: f16):
      %135 = arith.truncf %in : f32 to f16
      linalg.yield %135 : f16
    } -> tensor<128x3072xf16>
    %expanded_39 = tensor.expand_shape %123 [[0, 1], [2]] output_shape [1, 128, 3072] : tensor<128x3072xf16> into tensor<1x128x3072xf16>
    %124 = tensor.empty() : tensor<1x128x3072xf16>
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<1x128x3072xf16>) outs(%124 : tensor<1x128x3072xf16>) {
    ^bb0(%in: f16, %out: f16):
      %135 = math.fpowi %in, %c3_i64 : f16, i64
      %136 = arith.mulf %135, %cst_2 : f16
      %137 = arith.addf %in, %136 : f16
      %138 = arith.mulf %137, %cst_3 : f16
      %139 = math.tanh %138 : f16
      %140 = arith.addf %139, %cst_4 : f16
      %141 = arith.mulf %140, %cst_5 : f16
      %142 = arith.mulf %in, %141 : f16
      linalg.yield %142 : f16
    } -> tensor<1x128x3072xf16>
    %collapsed_40 = tensor.collapse_shape %125 [[0, 1], [2]] : tensor<1x128x3072xf16> into tensor<128x3072xf16>
    %126 = tensor.empty() : tensor<3072x768xf16>
    %transposed_41 = linalg.transpose ins(%arg10 : tensor<768x3072xf16>) outs(%126 : tensor<3072x768xf16>) permutation = [1, 0] 
    %127 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg11 : tensor<768xf16>) outs(%83 : tensor<768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<768xf32>
    %128 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_40 : tensor<128x3072xf16>) outs(%118 : tensor<128x3072xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<128x3072xf32>
    %129 = tensor.empty() : tensor<3072x768xf32>
    %130 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_41 : tensor<3072x768xf16>) outs(%129 : tensor<3072x768xf32>) {
    ^bb0(%in: f16, %out: f32):
      %135 = arith.extf %in : f16 to f32
      linalg.yield %135 : f32
    } -> tensor<3072x768xf32>
    %131 = linalg.matmul ins(%128, %130 : tensor<128x3072xf32>, tensor<3072x768xf32>) outs(%88 : tensor<128x768xf32>) -> tensor<128x768xf32>
    %132 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%131, %127 : tensor<128x768xf32>, tensor<768xf32>) outs(%28 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %135 = arith.addf %in, %in_43 : f32
      linalg.yield %135 : f32
    } -> tensor<128x768xf32>
    %133 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%132 : tensor<128x768xf32>) outs(%91 : tensor<128x768xf16>) {
    ^bb0(%in: f32, %out: f16):
      %135 = arith.truncf %in : f32 to f16
      linalg.yield %135 : f16
    } -> tensor<128x768xf16>
    %expanded_42 = tensor.expand_shape %133 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf16> into tensor<1x128x768xf16>
    %134 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %expanded_42 : tensor<1x128x768xf16>, tensor<1x128x768xf16>) outs(%23 : tensor<1x128x768xf16>) {
    ^bb0(%in: f16, %in_43: f16, %out: f16):
      %135 = arith.addf %in, %in_43 : f16
      linalg.yield %135 : f16
    } -> tensor<1x128x768xf16>
    return %134 : tensor<1x128x768xf16>
  }
}
