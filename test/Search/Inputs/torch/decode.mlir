#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @decode(%arg0: tensor<4096xf16>, %arg1: tensor<4096x4096xf16>, %arg2: tensor<1024x4096xf16>, %arg3: tensor<1024x4096xf16>, %arg4: tensor<4096x4096xf16>, %arg5: tensor<1x1x4096xf16>, %arg6: tensor<1x8x1023x128xf16>, %arg7: tensor<1x8x1023x128xf16>, %arg8: tensor<1x128xf16>, %arg9: tensor<1x128xf16>) -> (tensor<1x1x4096xf16>, tensor<1x8x1024x128xf16>, tensor<1x8x1024x128xf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x32x1x1024xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.29730177875068026 : f64
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 4.096000e+03 : f32
    %0 = tensor.empty() : tensor<1x1x4096xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<1x1x4096xf16>) outs(%0 : tensor<1x1x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %79 = arith.extf %in : f16 to f32
      linalg.yield %79 : f32
    } -> tensor<1x1x4096xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x1x4096xf32>) outs(%0 : tensor<1x1x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %79 : f32
    } -> tensor<1x1x4096xf32>
    %3 = tensor.empty() : tensor<1x1x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x1x4096xf32>) outs(%4 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.addf %in, %out : f32
      linalg.yield %79 : f32
    } -> tensor<1x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x1x1xf32>) outs(%3 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.divf %in, %cst_5 : f32
      linalg.yield %79 : f32
    } -> tensor<1x1x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1x1xf32>) outs(%3 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.truncf %cst_4 : f64 to f32
      %80 = arith.addf %in, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x1x1xf32>) outs(%3 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = math.rsqrt %in : f32
      linalg.yield %79 : f32
    } -> tensor<1x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x1x4096xf32>, tensor<1x1x1xf32>) outs(%0 : tensor<1x1x4096xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %79 = arith.mulf %in, %in_33 : f32
      linalg.yield %79 : f32
    } -> tensor<1x1x4096xf32>
    %10 = tensor.empty() : tensor<1x1x4096xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1x4096xf32>) outs(%10 : tensor<1x1x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %79 = arith.truncf %in : f32 to f16
      linalg.yield %79 : f16
    } -> tensor<1x1x4096xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %arg0 : tensor<1x1x4096xf16>, tensor<4096xf16>) outs(%10 : tensor<1x1x4096xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %79 = arith.mulf %in, %in_33 : f16
      linalg.yield %79 : f16
    } -> tensor<1x1x4096xf16>
    %13 = tensor.empty() : tensor<4096x4096xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<4096x4096xf16>) outs(%13 : tensor<4096x4096xf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %12 [[0], [1, 2]] : tensor<1x1x4096xf16> into tensor<1x4096xf16>
    %14 = tensor.empty() : tensor<1x4096xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<1x4096xf32>) -> tensor<1x4096xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<1x4096xf16>, tensor<4096x4096xf16>) outs(%15 : tensor<1x4096xf32>) -> tensor<1x4096xf32>
    %17 = tensor.empty() : tensor<1x4096xf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<1x4096xf32>) outs(%17 : tensor<1x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %79 = arith.truncf %in : f32 to f16
      linalg.yield %79 : f16
    } -> tensor<1x4096xf16>
    %expanded = tensor.expand_shape %18 [[0], [1, 2, 3]] output_shape [1, 1, 32, 128] : tensor<1x4096xf16> into tensor<1x1x32x128xf16>
    %19 = tensor.empty() : tensor<1x32x1x128xf16>
    %transposed_6 = linalg.transpose ins(%expanded : tensor<1x1x32x128xf16>) outs(%19 : tensor<1x32x1x128xf16>) permutation = [0, 2, 1, 3] 
    %20 = tensor.empty() : tensor<4096x1024xf16>
    %transposed_7 = linalg.transpose ins(%arg2 : tensor<1024x4096xf16>) outs(%20 : tensor<4096x1024xf16>) permutation = [1, 0] 
    %21 = tensor.empty() : tensor<1x1024xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<1x1024xf32>) -> tensor<1x1024xf32>
    %23 = linalg.matmul ins(%collapsed, %transposed_7 : tensor<1x4096xf16>, tensor<4096x1024xf16>) outs(%22 : tensor<1x1024xf32>) -> tensor<1x1024xf32>
    %24 = tensor.empty() : tensor<1x1024xf16>
    %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<1x1024xf32>) outs(%24 : tensor<1x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %79 = arith.truncf %in : f32 to f16
      linalg.yield %79 : f16
    } -> tensor<1x1024xf16>
    %expanded_8 = tensor.expand_shape %25 [[0], [1, 2, 3]] output_shape [1, 1, 8, 128] : tensor<1x1024xf16> into tensor<1x1x8x128xf16>
    %26 = tensor.empty() : tensor<1x8x1x128xf16>
    %transposed_9 = linalg.transpose ins(%expanded_8 : tensor<1x1x8x128xf16>) outs(%26 : tensor<1x8x1x128xf16>) permutation = [0, 2, 1, 3] 
    %transposed_10 = linalg.transpose ins(%arg3 : tensor<1024x4096xf16>) outs(%20 : tensor<4096x1024xf16>) permutation = [1, 0] 
    %27 = linalg.matmul ins(%collapsed, %transposed_10 : tensor<1x4096xf16>, tensor<4096x1024xf16>) outs(%22 : tensor<1x1024xf32>) -> tensor<1x1024xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<1x1024xf32>) outs(%24 : tensor<1x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %79 = arith.truncf %in : f32 to f16
      linalg.yield %79 : f16
    } -> tensor<1x1024xf16>
    %expanded_11 = tensor.expand_shape %28 [[0], [1, 2, 3]] output_shape [1, 1, 8, 128] : tensor<1x1024xf16> into tensor<1x1x8x128xf16>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<1x1x8x128xf16>) outs(%26 : tensor<1x8x1x128xf16>) permutation = [0, 2, 1, 3] 
    %29 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_6, %arg8 : tensor<1x32x1x128xf16>, tensor<1x128xf16>) outs(%19 : tensor<1x32x1x128xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %79 = arith.mulf %in, %in_33 : f16
      linalg.yield %79 : f16
    } -> tensor<1x32x1x128xf16>
    %extracted_slice = tensor.extract_slice %transposed_6[0, 0, 0, 0] [1, 32, 1, 64] [1, 1, 1, 1] : tensor<1x32x1x128xf16> to tensor<1x32x1x64xf16>
    %extracted_slice_13 = tensor.extract_slice %transposed_6[0, 0, 0, 64] [1, 32, 1, 64] [1, 1, 1, 1] : tensor<1x32x1x128xf16> to tensor<1x32x1x64xf16>
    %30 = tensor.empty() : tensor<1x32x1x64xf16>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_13 : tensor<1x32x1x64xf16>) outs(%30 : tensor<1x32x1x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %79 = arith.negf %in : f16
      linalg.yield %79 : f16
    } -> tensor<1x32x1x64xf16>
    %concat = tensor.concat dim(3) %31, %extracted_slice : (tensor<1x32x1x64xf16>, tensor<1x32x1x64xf16>) -> tensor<1x32x1x128xf16>
    %32 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %arg9 : tensor<1x32x1x128xf16>, tensor<1x128xf16>) outs(%19 : tensor<1x32x1x128xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %79 = arith.mulf %in, %in_33 : f16
      linalg.yield %79 : f16
    } -> tensor<1x32x1x128xf16>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %32 : tensor<1x32x1x128xf16>, tensor<1x32x1x128xf16>) outs(%19 : tensor<1x32x1x128xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %79 = arith.addf %in, %in_33 : f16
      linalg.yield %79 : f16
    } -> tensor<1x32x1x128xf16>
    %34 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_9, %arg8 : tensor<1x8x1x128xf16>, tensor<1x128xf16>) outs(%26 : tensor<1x8x1x128xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %79 = arith.mulf %in, %in_33 : f16
      linalg.yield %79 : f16
    } -> tensor<1x8x1x128xf16>
    %extracted_slice_14 = tensor.extract_slice %transposed_9[0, 0, 0, 0] [1, 8, 1, 64] [1, 1, 1, 1] : tensor<1x8x1x128xf16> to tensor<1x8x1x64xf16>
    %extracted_slice_15 = tensor.extract_slice %transposed_9[0, 0, 0, 64] [1, 8, 1, 64] [1, 1, 1, 1] : tensor<1x8x1x128xf16> to tensor<1x8x1x64xf16>
    %35 = tensor.empty() : tensor<1x8x1x64xf16>
    %36 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_15 : tensor<1x8x1x64xf16>) outs(%35 : tensor<1x8x1x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %79 = arith.negf %in : f16
      linalg.yield %79 : f16
    } -> tensor<1x8x1x64xf16>
    %concat_16 = tensor.concat dim(3) %36, %extracted_slice_14 : (tensor<1x8x1x64xf16>, tensor<1x8x1x64xf16>) -> tensor<1x8x1x128xf16>
    %37 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_16, %arg9 : tensor<1x8x1x128xf16>, tensor<1x128xf16>) outs(%26 : tensor<1x8x1x128xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %79 = arith.mulf %in, %in_33 : f16
      linalg.yield %79 : f16
    } -> tensor<1x8x1x128xf16>
    %38 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %37 : tensor<1x8x1x128xf16>, tensor<1x8x1x128xf16>) outs(%26 : tensor<1x8x1x128xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %79 = arith.addf %in, %in_33 : f16
      linalg.yield %79 : f16
    } -> tensor<1x8x1x128xf16>
    %concat_17 = tensor.concat dim(2) %arg6, %38 : (tensor<1x8x1023x128xf16>, tensor<1x8x1x128xf16>) -> tensor<1x8x1024x128xf16>
    %concat_18 = tensor.concat dim(2) %arg7, %transposed_12 : (tensor<1x8x1023x128xf16>, tensor<1x8x1x128xf16>) -> tensor<1x8x1024x128xf16>
    %39 = tensor.empty() : tensor<1x8x4x1024x128xf16>
    %40 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%concat_17 : tensor<1x8x1024x128xf16>) outs(%39 : tensor<1x8x4x1024x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x4x1024x128xf16>
    %collapsed_19 = tensor.collapse_shape %40 [[0], [1, 2], [3], [4]] : tensor<1x8x4x1024x128xf16> into tensor<1x32x1024x128xf16>
    %41 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%concat_18 : tensor<1x8x1024x128xf16>) outs(%39 : tensor<1x8x4x1024x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x4x1024x128xf16>
    %collapsed_20 = tensor.collapse_shape %41 [[0], [1, 2], [3], [4]] : tensor<1x8x4x1024x128xf16> into tensor<1x32x1024x128xf16>
    %42 = tensor.empty() : tensor<1x32x1x128xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x32x1x128xf16>) outs(%42 : tensor<1x32x1x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %79 = arith.extf %in : f16 to f32
      linalg.yield %79 : f32
    } -> tensor<1x32x1x128xf32>
    %44 = tensor.empty() : tensor<1x32x1024x128xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_19 : tensor<1x32x1024x128xf16>) outs(%44 : tensor<1x32x1024x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %79 = arith.extf %in : f16 to f32
      linalg.yield %79 : f32
    } -> tensor<1x32x1024x128xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_20 : tensor<1x32x1024x128xf16>) outs(%44 : tensor<1x32x1024x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %79 = arith.extf %in : f16 to f32
      linalg.yield %79 : f32
    } -> tensor<1x32x1024x128xf32>
    %47 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x32x1x128xf32>) outs(%42 : tensor<1x32x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.truncf %cst_3 : f64 to f32
      %80 = arith.mulf %in, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x32x1x128xf32>
    %48 = tensor.empty() : tensor<1x32x128x1024xf32>
    %transposed_21 = linalg.transpose ins(%45 : tensor<1x32x1024x128xf32>) outs(%48 : tensor<1x32x128x1024xf32>) permutation = [0, 1, 3, 2] 
    %49 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_21 : tensor<1x32x128x1024xf32>) outs(%48 : tensor<1x32x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.truncf %cst_3 : f64 to f32
      %80 = arith.mulf %in, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x32x128x1024xf32>
    %collapsed_22 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x32x1x128xf32> into tensor<32x1x128xf32>
    %collapsed_23 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<1x32x128x1024xf32> into tensor<32x128x1024xf32>
    %50 = tensor.empty() : tensor<32x1x1024xf32>
    %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<32x1x1024xf32>) -> tensor<32x1x1024xf32>
    %52 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<32x1x128xf32>, tensor<32x128x1024xf32>) outs(%51 : tensor<32x1x1024xf32>) -> tensor<32x1x1024xf32>
    %expanded_24 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [1, 32, 1, 1024] : tensor<32x1x1024xf32> into tensor<1x32x1x1024xf32>
    %53 = tensor.empty() : tensor<1x32x1xi64>
    %54 = linalg.fill ins(%c0_i64 : i64) outs(%53 : tensor<1x32x1xi64>) -> tensor<1x32x1xi64>
    %55 = tensor.empty() : tensor<1x32x1xf32>
    %56 = linalg.fill ins(%cst_0 : f32) outs(%55 : tensor<1x32x1xf32>) -> tensor<1x32x1xf32>
    %57:2 = linalg.generic {indexing_maps = [#map4, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_24 : tensor<1x32x1x1024xf32>) outs(%56, %54 : tensor<1x32x1xf32>, tensor<1x32x1xi64>) {
    ^bb0(%in: f32, %out: f32, %out_33: i64):
      %79 = linalg.index 3 : index
      %80 = arith.index_cast %79 : index to i64
      %81 = arith.maximumf %in, %out : f32
      %82 = arith.cmpf ogt, %in, %out : f32
      %83 = arith.select %82, %80, %out_33 : i64
      linalg.yield %81, %83 : f32, i64
    } -> (tensor<1x32x1xf32>, tensor<1x32x1xi64>)
    %expanded_25 = tensor.expand_shape %57#0 [[0], [1], [2, 3]] output_shape [1, 32, 1, 1] : tensor<1x32x1xf32> into tensor<1x32x1x1xf32>
    %58 = tensor.empty() : tensor<1x32x1x1024xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24, %expanded_25 : tensor<1x32x1x1024xf32>, tensor<1x32x1x1xf32>) outs(%58 : tensor<1x32x1x1024xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %79 = arith.subf %in, %in_33 : f32
      linalg.yield %79 : f32
    } -> tensor<1x32x1x1024xf32>
    %60 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x32x1x1024xf32>) outs(%58 : tensor<1x32x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = math.exp %in : f32
      linalg.yield %79 : f32
    } -> tensor<1x32x1x1024xf32>
    %61 = tensor.empty() : tensor<1x32x1x1xf32>
    %62 = linalg.fill ins(%cst : f32) outs(%61 : tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xf32>
    %63 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%60 : tensor<1x32x1x1024xf32>) outs(%62 : tensor<1x32x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.addf %in, %out : f32
      linalg.yield %79 : f32
    } -> tensor<1x32x1x1xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %63 : tensor<1x32x1x1024xf32>, tensor<1x32x1x1xf32>) outs(%58 : tensor<1x32x1x1024xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %79 = arith.divf %in, %in_33 : f32
      linalg.yield %79 : f32
    } -> tensor<1x32x1x1024xf32>
    %65 = tensor.empty() : tensor<1x32x1x1024xi1>
    %66 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24 : tensor<1x32x1x1024xf32>) outs(%65 : tensor<1x32x1x1024xi1>) {
    ^bb0(%in: f32, %out: i1):
      %79 = arith.extf %in : f32 to f64
      %80 = arith.cmpf oeq, %79, %cst_2 : f64
      linalg.yield %80 : i1
    } -> tensor<1x32x1x1024xi1>
    %67 = tensor.empty() : tensor<1x32x1x1xi1>
    %68 = linalg.fill ins(%true : i1) outs(%67 : tensor<1x32x1x1xi1>) -> tensor<1x32x1x1xi1>
    %69 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%66 : tensor<1x32x1x1024xi1>) outs(%68 : tensor<1x32x1x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %79 = arith.andi %in, %out : i1
      linalg.yield %79 : i1
    } -> tensor<1x32x1x1xi1>
    %70 = linalg.generic {indexing_maps = [#map9, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %cst_1, %64 : tensor<1x32x1x1xi1>, tensor<1x32x1x1024xf32>, tensor<1x32x1x1024xf32>) outs(%58 : tensor<1x32x1x1024xf32>) {
    ^bb0(%in: i1, %in_33: f32, %in_34: f32, %out: f32):
      %79 = arith.select %in, %in_33, %in_34 : f32
      linalg.yield %79 : f32
    } -> tensor<1x32x1x1024xf32>
    %collapsed_26 = tensor.collapse_shape %70 [[0, 1], [2], [3]] : tensor<1x32x1x1024xf32> into tensor<32x1x1024xf32>
    %collapsed_27 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<1x32x1024x128xf32> into tensor<32x1024x128xf32>
    %71 = tensor.empty() : tensor<32x1x128xf32>
    %72 = linalg.fill ins(%cst : f32) outs(%71 : tensor<32x1x128xf32>) -> tensor<32x1x128xf32>
    %73 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<32x1x1024xf32>, tensor<32x1024x128xf32>) outs(%72 : tensor<32x1x128xf32>) -> tensor<32x1x128xf32>
    %expanded_28 = tensor.expand_shape %73 [[0, 1], [2], [3]] output_shape [1, 32, 1, 128] : tensor<32x1x128xf32> into tensor<1x32x1x128xf32>
    %74 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28 : tensor<1x32x1x128xf32>) outs(%19 : tensor<1x32x1x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %79 = arith.truncf %in : f32 to f16
      linalg.yield %79 : f16
    } -> tensor<1x32x1x128xf16>
    %75 = tensor.empty() : tensor<1x1x32x128xf16>
    %transposed_29 = linalg.transpose ins(%74 : tensor<1x32x1x128xf16>) outs(%75 : tensor<1x1x32x128xf16>) permutation = [0, 2, 1, 3] 
    %transposed_30 = linalg.transpose ins(%arg4 : tensor<4096x4096xf16>) outs(%13 : tensor<4096x4096xf16>) permutation = [1, 0] 
    %collapsed_31 = tensor.collapse_shape %transposed_29 [[0], [1, 2, 3]] : tensor<1x1x32x128xf16> into tensor<1x4096xf16>
    %76 = linalg.matmul ins(%collapsed_31, %transposed_30 : tensor<1x4096xf16>, tensor<4096x4096xf16>) outs(%15 : tensor<1x4096xf32>) -> tensor<1x4096xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%76 : tensor<1x4096xf32>) outs(%17 : tensor<1x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %79 = arith.truncf %in : f32 to f16
      linalg.yield %79 : f16
    } -> tensor<1x4096xf16>
    %expanded_32 = tensor.expand_shape %77 [[0], [1, 2]] output_shape [1, 1, 4096] : tensor<1x4096xf16> into tensor<1x1x4096xf16>
    %78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5, %expanded_32 : tensor<1x1x4096xf16>, tensor<1x1x4096xf16>) outs(%10 : tensor<1x1x4096xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %79 = arith.addf %in, %in_33 : f16
      linalg.yield %79 : f16
    } -> tensor<1x1x4096xf16>
    return %78, %concat_17, %concat_18 : tensor<1x1x4096xf16>, tensor<1x8x1024x128xf16>, tensor<1x8x1024x128xf16>
  }
}
