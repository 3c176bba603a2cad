#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @cross_attention(%arg0: tensor<1024x1024xf16>, %arg1: tensor<1024xf16>, %arg2: tensor<1024x1024xf16>, %arg3: tensor<1024xf16>, %arg4: tensor<1024x1024xf16>, %arg5: tensor<1024xf16>, %arg6: tensor<1024x1024xf16>, %arg7: tensor<1024xf16>, %arg8: tensor<1x64x1024xf16>, %arg9: tensor<1x256x1024xf16>) -> tensor<1x64x1024xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x16x64x256xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.35355339059327379 : f64
    %collapsed = tensor.collapse_shape %arg8 [[0, 1], [2]] : tensor<1x64x1024xf16> into tensor<64x1024xf16>
    %0 = tensor.empty() : tensor<1024x1024xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<1024x1024xf16>) outs(%0 : tensor<1024x1024xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<1024xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<1024xf16>) outs(%1 : tensor<1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<1024xf32>
    %3 = tensor.empty() : tensor<64x1024xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<64x1024xf16>) outs(%3 : tensor<64x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<64x1024xf32>
    %5 = tensor.empty() : tensor<1024x1024xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<1024x1024xf16>) outs(%5 : tensor<1024x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<1024x1024xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%3 : tensor<64x1024xf32>) -> tensor<64x1024xf32>
    %8 = linalg.matmul ins(%4, %6 : tensor<64x1024xf32>, tensor<1024x1024xf32>) outs(%7 : tensor<64x1024xf32>) -> tensor<64x1024xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %2 : tensor<64x1024xf32>, tensor<1024xf32>) outs(%3 : tensor<64x1024xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %67 = arith.addf %in, %in_24 : f32
      linalg.yield %67 : f32
    } -> tensor<64x1024xf32>
    %10 = tensor.empty() : tensor<64x1024xf16>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<64x1024xf32>) outs(%10 : tensor<64x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %67 = arith.truncf %in : f32 to f16
      linalg.yield %67 : f16
    } -> tensor<64x1024xf16>
    %expanded = tensor.expand_shape %11 [[0, 1], [2, 3]] output_shape [1, 64, 16, 64] : tensor<64x1024xf16> into tensor<1x64x16x64xf16>
    %12 = tensor.empty() : tensor<1x16x64x64xf16>
    %transposed_4 = linalg.transpose ins(%expanded : tensor<1x64x16x64xf16>) outs(%12 : tensor<1x16x64x64xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_5 = tensor.collapse_shape %arg9 [[0, 1], [2]] : tensor<1x256x1024xf16> into tensor<256x1024xf16>
    %transposed_6 = linalg.transpose ins(%arg2 : tensor<1024x1024xf16>) outs(%0 : tensor<1024x1024xf16>) permutation = [1, 0] 
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<1024xf16>) outs(%1 : tensor<1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<1024xf32>
    %14 = tensor.empty() : tensor<256x1024xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_5 : tensor<256x1024xf16>) outs(%14 : tensor<256x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<256x1024xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_6 : tensor<1024x1024xf16>) outs(%5 : tensor<1024x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<1024x1024xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%14 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %18 = linalg.matmul ins(%15, %16 : tensor<256x1024xf32>, tensor<1024x1024xf32>) outs(%17 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%18, %13 : tensor<256x1024xf32>, tensor<1024xf32>) outs(%14 : tensor<256x1024xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %67 = arith.addf %in, %in_24 : f32
      linalg.yield %67 : f32
    } -> tensor<256x1024xf32>
    %20 = tensor.empty() : tensor<256x1024xf16>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<256x1024xf32>) outs(%20 : tensor<256x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %67 = arith.truncf %in : f32 to f16
      linalg.yield %67 : f16
    } -> tensor<256x1024xf16>
    %expanded_7 = tensor.expand_shape %21 [[0, 1], [2, 3]] output_shape [1, 256, 16, 64] : tensor<256x1024xf16> into tensor<1x256x16x64xf16>
    %22 = tensor.empty() : tensor<1x16x256x64xf16>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<1x256x16x64xf16>) outs(%22 : tensor<1x16x256x64xf16>) permutation = [0, 2, 1, 3] 
    %transposed_9 = linalg.transpose ins(%arg4 : tensor<1024x1024xf16>) outs(%0 : tensor<1024x1024xf16>) permutation = [1, 0] 
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg5 : tensor<1024xf16>) outs(%1 : tensor<1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<1024xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_9 : tensor<1024x1024xf16>) outs(%5 : tensor<1024x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<1024x1024xf32>
    %25 = linalg.matmul ins(%15, %24 : tensor<256x1024xf32>, tensor<1024x1024xf32>) outs(%17 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%25, %23 : tensor<256x1024xf32>, tensor<1024xf32>) outs(%14 : tensor<256x1024xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %67 = arith.addf %in, %in_24 : f32
      linalg.yield %67 : f32
    } -> tensor<256x1024xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<256x1024xf32>) outs(%20 : tensor<256x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %67 = arith.truncf %in : f32 to f16
      linalg.yield %67 : f16
    } -> tensor<256x1024xf16>
    %expanded_10 = tensor.expand_shape %27 [[0, 1], [2, 3]] output_shape [1, 256, 16, 64] : tensor<256x1024xf16> into tensor<1x256x16x64xf16>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<1x256x16x64xf16>) outs(%22 : tensor<1x16x256x64xf16>) permutation = [0, 2, 1, 3] 
    %28 = tensor.empty() : tensor<1x16x64x64xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_4 : tensor<1x16x64x64xf16>) outs(%28 : tensor<1x16x64x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<1x16x64x64xf32>
    %30 = tensor.empty() : tensor<1x16x256x64xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_8 : tensor<1x16x256x64xf16>) outs(%30 : tensor<1x16x256x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<1x16x256x64xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<1x16x256x64xf16>) outs(%30 : tensor<1x16x256x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<1x16x256x64xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x16x64x64xf32>) outs(%28 : tensor<1x16x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %67 = arith.truncf %cst_3 : f64 to f32
      %68 = arith.mulf %in, %67 : f32
      linalg.yield %68 : f32
    } -> tensor<1x16x64x64xf32>
    %34 = tensor.empty() : tensor<1x16x64x256xf32>
    %transposed_12 = linalg.transpose ins(%31 : tensor<1x16x256x64xf32>) outs(%34 : tensor<1x16x64x256xf32>) permutation = [0, 1, 3, 2] 
    %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_12 : tensor<1x16x64x256xf32>) outs(%34 : tensor<1x16x64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %67 = arith.truncf %cst_3 : f64 to f32
      %68 = arith.mulf %in, %67 : f32
      linalg.yield %68 : f32
    } -> tensor<1x16x64x256xf32>
    %collapsed_13 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<1x16x64x64xf32> into tensor<16x64x64xf32>
    %collapsed_14 = tensor.collapse_shape %35 [[0, 1], [2], [3]] : tensor<1x16x64x256xf32> into tensor<16x64x256xf32>
    %36 = tensor.empty() : tensor<16x64x256xf32>
    %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<16x64x256xf32>) -> tensor<16x64x256xf32>
    %38 = linalg.batch_matmul ins(%collapsed_13, %collapsed_14 : tensor<16x64x64xf32>, tensor<16x64x256xf32>) outs(%37 : tensor<16x64x256xf32>) -> tensor<16x64x256xf32>
    %expanded_15 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [1, 16, 64, 256] : tensor<16x64x256xf32> into tensor<1x16x64x256xf32>
    %39 = tensor.empty() : tensor<1x16x64xi64>
    %40 = linalg.fill ins(%c0_i64 : i64) outs(%39 : tensor<1x16x64xi64>) -> tensor<1x16x64xi64>
    %41 = tensor.empty() : tensor<1x16x64xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<1x16x64xf32>) -> tensor<1x16x64xf32>
    %43:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_15 : tensor<1x16x64x256xf32>) outs(%42, %40 : tensor<1x16x64xf32>, tensor<1x16x64xi64>) {
    ^bb0(%in: f32, %out: f32, %out_24: i64):
      %67 = linalg.index 3 : index
      %68 = arith.index_cast %67 : index to i64
      %69 = arith.maximumf %in, %out : f32
      %70 = arith.cmpf ogt, %in, %out : f32
      %71 = arith.select %70, %68, %out_24 : i64
      linalg.yield %69, %71 : f32, i64
    } -> (tensor<1x16x64xf32>, tensor<1x16x64xi64>)
    %expanded_16 = tensor.expand_shape %43#0 [[0], [1], [2, 3]] output_shape [1, 16, 64, 1] : tensor<1x16x64xf32> into tensor<1x16x64x1xf32>
    %44 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %expanded_16 : tensor<1x16x64x256xf32>, tensor<1x16x64x1xf32>) outs(%34 : tensor<1x16x64x256xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %67 = arith.subf %in, %in_24 : f32
      linalg.yield %67 : f32
    } -> tensor<1x16x64x256xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x16x64x256xf32>) outs(%34 : tensor<1x16x64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %67 = math.exp %in : f32
      linalg.yield %67 : f32
    } -> tensor<1x16x64x256xf32>
    %46 = tensor.empty() : tensor<1x16x64x1xf32>
    %47 = linalg.fill ins(%cst : f32) outs(%46 : tensor<1x16x64x1xf32>) -> tensor<1x16x64x1xf32>
    %48 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45 : tensor<1x16x64x256xf32>) outs(%47 : tensor<1x16x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %67 = arith.addf %in, %out : f32
      linalg.yield %67 : f32
    } -> tensor<1x16x64x1xf32>
    %49 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %48 : tensor<1x16x64x256xf32>, tensor<1x16x64x1xf32>) outs(%34 : tensor<1x16x64x256xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %67 = arith.divf %in, %in_24 : f32
      linalg.yield %67 : f32
    } -> tensor<1x16x64x256xf32>
    %50 = tensor.empty() : tensor<1x16x64x256xi1>
    %51 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15 : tensor<1x16x64x256xf32>) outs(%50 : tensor<1x16x64x256xi1>) {
    ^bb0(%in: f32, %out: i1):
      %67 = arith.extf %in : f32 to f64
      %68 = arith.cmpf oeq, %67, %cst_2 : f64
      linalg.yield %68 : i1
    } -> tensor<1x16x64x256xi1>
    %52 = tensor.empty() : tensor<1x16x64x1xi1>
    %53 = linalg.fill ins(%true : i1) outs(%52 : tensor<1x16x64x1xi1>) -> tensor<1x16x64x1xi1>
    %54 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<1x16x64x256xi1>) outs(%53 : tensor<1x16x64x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %67 = arith.andi %in, %out : i1
      linalg.yield %67 : i1
    } -> tensor<1x16x64x1xi1>
    %55 = linalg.generic {indexing_maps = [#map5, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %cst_1, %49 : tensor<1x16x64x1xi1>, tensor<1x16x64x256xf32>, tensor<1x16x64x256xf32>) outs(%34 : tensor<1x16x64x256xf32>) {
    ^bb0(%in: i1, %in_24: f32, %in_25: f32, %out: f32):
      %67 = arith.select %in, %in_24, %in_25 : f32
      linalg.yield %67 : f32
    } -> tensor<1x16x64x256xf32>
    %collapsed_17 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x16x64x256xf32> into tensor<16x64x256xf32>
    %collapsed_18 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<1x16x256x64xf32> into tensor<16x256x64xf32>
    %56 = tensor.empty() : tensor<16x64x64xf32>
    %57 = linalg.fill ins(%cst : f32) outs(%56 : tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
    %58 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<16x64x256xf32>, tensor<16x256x64xf32>) outs(%57 : tensor<16x64x64xf32>) -> tensor<16x64x64xf32>
    %expanded_19 = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [1, 16, 64, 64] : tensor<16x64x64xf32> into tensor<1x16x64x64xf32>
    %59 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x16x64x64xf32>) outs(%12 : tensor<1x16x64x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %67 = arith.truncf %in : f32 to f16
      linalg.yield %67 : f16
    } -> tensor<1x16x64x64xf16>
    %60 = tensor.empty() : tensor<1x64x16x64xf16>
    %transposed_20 = linalg.transpose ins(%59 : tensor<1x16x64x64xf16>) outs(%60 : tensor<1x64x16x64xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_21 = tensor.collapse_shape %transposed_20 [[0, 1], [2, 3]] : tensor<1x64x16x64xf16> into tensor<64x1024xf16>
    %transposed_22 = linalg.transpose ins(%arg6 : tensor<1024x1024xf16>) outs(%0 : tensor<1024x1024xf16>) permutation = [1, 0] 
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg7 : tensor<1024xf16>) outs(%1 : tensor<1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<1024xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_21 : tensor<64x1024xf16>) outs(%3 : tensor<64x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<64x1024xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_22 : tensor<1024x1024xf16>) outs(%5 : tensor<1024x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %67 = arith.extf %in : f16 to f32
      linalg.yield %67 : f32
    } -> tensor<1024x1024xf32>
    %64 = linalg.matmul ins(%62, %63 : tensor<64x1024xf32>, tensor<1024x1024xf32>) outs(%7 : tensor<64x1024xf32>) -> tensor<64x1024xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%64, %61 : tensor<64x1024xf32>, tensor<1024xf32>) outs(%3 : tensor<64x1024xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %67 = arith.addf %in, %in_24 : f32
      linalg.yield %67 : f32
    } -> tensor<64x1024xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%65 : tensor<64x1024xf32>) outs(%10 : tensor<64x1024xf16>) {
    ^bb0(%in: f32, %out: f16):
      %67 = arith.truncf %in : f32 to f16
      linalg.yield %67 : f16
    } -> tensor<64x1024xf16>
    %expanded_23 = tensor.expand_shape %66 [[0, 1], [2]] output_shape [1, 64, 1024] : tensor<64x1024xf16> into tensor<1x64x1024xf16>
    return %expanded_23 : tensor<1x64x1024xf16>
  }
}
