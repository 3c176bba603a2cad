#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @rotary_causal(%arg0: tensor<1x12x512x64xf16>, %arg1: tensor<1x12x512x64xf16>, %arg2: tensor<1x12x512x64xf16>, %arg3: tensor<512x64xf16>, %arg4: tensor<512x64xf16>) -> tensor<1x12x512x64xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x12x512x512xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<512x512xi1>
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %cst_6 = arith.constant 0.35355339059327379 : f64
    %0 = tensor.empty() : tensor<1x12x512x64xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg3 : tensor<1x12x512x64xf16>, tensor<512x64xf16>) outs(%0 : tensor<1x12x512x64xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.mulf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x12x512x64xf16>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 12, 512, 32] [1, 1, 1, 1] : tensor<1x12x512x64xf16> to tensor<1x12x512x32xf16>
    %extracted_slice_7 = tensor.extract_slice %arg0[0, 0, 0, 32] [1, 12, 512, 32] [1, 1, 1, 1] : tensor<1x12x512x64xf16> to tensor<1x12x512x32xf16>
    %2 = tensor.empty() : tensor<1x12x512x32xf16>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_7 : tensor<1x12x512x32xf16>) outs(%2 : tensor<1x12x512x32xf16>) {
    ^bb0(%in: f16, %out: f16):
      %52 = arith.negf %in : f16
      linalg.yield %52 : f16
    } -> tensor<1x12x512x32xf16>
    %concat = tensor.concat dim(3) %3, %extracted_slice : (tensor<1x12x512x32xf16>, tensor<1x12x512x32xf16>) -> tensor<1x12x512x64xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %arg4 : tensor<1x12x512x64xf16>, tensor<512x64xf16>) outs(%0 : tensor<1x12x512x64xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.mulf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x12x512x64xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %4 : tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>) outs(%0 : tensor<1x12x512x64xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.addf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x12x512x64xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %arg3 : tensor<1x12x512x64xf16>, tensor<512x64xf16>) outs(%0 : tensor<1x12x512x64xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.mulf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x12x512x64xf16>
    %extracted_slice_8 = tensor.extract_slice %arg1[0, 0, 0, 0] [1, 12, 512, 32] [1, 1, 1, 1] : tensor<1x12x512x64xf16> to tensor<1x12x512x32xf16>
    %extracted_slice_9 = tensor.extract_slice %arg1[0, 0, 0, 32] [1, 12, 512, 32] [1, 1, 1, 1] : tensor<1x12x512x64xf16> to tensor<1x12x512x32xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_9 : tensor<1x12x512x32xf16>) outs(%2 : tensor<1x12x512x32xf16>) {
    ^bb0(%in: f16, %out: f16):
      %52 = arith.negf %in : f16
      linalg.yield %52 : f16
    } -> tensor<1x12x512x32xf16>
    %concat_10 = tensor.concat dim(3) %7, %extracted_slice_8 : (tensor<1x12x512x32xf16>, tensor<1x12x512x32xf16>) -> tensor<1x12x512x64xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_10, %arg4 : tensor<1x12x512x64xf16>, tensor<512x64xf16>) outs(%0 : tensor<1x12x512x64xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.mulf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x12x512x64xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %8 : tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>) outs(%0 : tensor<1x12x512x64xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.addf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x12x512x64xf16>
    %10 = tensor.empty() : tensor<1x12x512x64xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x12x512x64xf16>) outs(%10 : tensor<1x12x512x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %52 = arith.extf %in : f16 to f32
      linalg.yield %52 : f32
    } -> tensor<1x12x512x64xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x12x512x64xf16>) outs(%10 : tensor<1x12x512x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %52 = arith.extf %in : f16 to f32
      linalg.yield %52 : f32
    } -> tensor<1x12x512x64xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x12x512x64xf16>) outs(%10 : tensor<1x12x512x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %52 = arith.extf %in : f16 to f32
      linalg.yield %52 : f32
    } -> tensor<1x12x512x64xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x12x512x64xf32>) outs(%10 : tensor<1x12x512x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.truncf %cst_6 : f64 to f32
      %53 = arith.mulf %in, %52 : f32
      linalg.yield %53 : f32
    } -> tensor<1x12x512x64xf32>
    %15 = tensor.empty() : tensor<512xi64>
    %16 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%15 : tensor<512xi64>) {
    ^bb0(%out: i64):
      %52 = linalg.index 0 : index
      %53 = arith.index_cast %52 : index to i64
      linalg.yield %53 : i64
    } -> tensor<512xi64>
    %expanded = tensor.expand_shape %16 [[0, 1]] output_shape [1, 512] : tensor<512xi64> into tensor<1x512xi64>
    %expanded_11 = tensor.expand_shape %16 [[0, 1]] output_shape [512, 1] : tensor<512xi64> into tensor<512x1xi64>
    %17 = tensor.empty() : tensor<512x512xi64>
    %18 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_11 : tensor<1x512xi64>, tensor<512x1xi64>) outs(%17 : tensor<512x512xi64>) {
    ^bb0(%in: i64, %in_18: i64, %out: i64):
      %52 = arith.subi %in, %in_18 : i64
      linalg.yield %52 : i64
    } -> tensor<512x512xi64>
    %19 = tensor.empty() : tensor<512x512xi1>
    %20 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<512x512xi64>) outs(%19 : tensor<512x512xi1>) {
    ^bb0(%in: i64, %out: i1):
      %52 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %52 : i1
    } -> tensor<512x512xi1>
    %21 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%20, %cst_4 : tensor<512x512xi1>, tensor<512x512xi1>) outs(%19 : tensor<512x512xi1>) {
    ^bb0(%in: i1, %in_18: i1, %out: i1):
      %52 = arith.andi %in, %in_18 : i1
      linalg.yield %52 : i1
    } -> tensor<512x512xi1>
    %22 = tensor.empty() : tensor<512x512xf32>
    %23 = linalg.generic {indexing_maps = [#map5, #map6, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%21, %cst_2, %cst_3 : tensor<512x512xi1>, tensor<f32>, tensor<f32>) outs(%22 : tensor<512x512xf32>) {
    ^bb0(%in: i1, %in_18: f32, %in_19: f32, %out: f32):
      %52 = arith.select %in, %in_18, %in_19 : f32
      linalg.yield %52 : f32
    } -> tensor<512x512xf32>
    %24 = tensor.empty() : tensor<1x12x64x512xf32>
    %transposed = linalg.transpose ins(%12 : tensor<1x12x512x64xf32>) outs(%24 : tensor<1x12x64x512xf32>) permutation = [0, 1, 3, 2] 
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x12x64x512xf32>) outs(%24 : tensor<1x12x64x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.truncf %cst_6 : f64 to f32
      %53 = arith.mulf %in, %52 : f32
      linalg.yield %53 : f32
    } -> tensor<1x12x64x512xf32>
    %collapsed = tensor.collapse_shape %14 [[0, 1], [2], [3]] : tensor<1x12x512x64xf32> into tensor<12x512x64xf32>
    %collapsed_12 = tensor.collapse_shape %25 [[0, 1], [2], [3]] : tensor<1x12x64x512xf32> into tensor<12x64x512xf32>
    %26 = tensor.empty() : tensor<12x512x512xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
    %28 = linalg.batch_matmul ins(%collapsed, %collapsed_12 : tensor<12x512x64xf32>, tensor<12x64x512xf32>) outs(%27 : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
    %expanded_13 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [1, 12, 512, 512] : tensor<12x512x512xf32> into tensor<1x12x512x512xf32>
    %29 = tensor.empty() : tensor<1x12x512x512xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %23 : tensor<1x12x512x512xf32>, tensor<512x512xf32>) outs(%29 : tensor<1x12x512x512xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %52 = arith.addf %in, %in_18 : f32
      linalg.yield %52 : f32
    } -> tensor<1x12x512x512xf32>
    %31 = tensor.empty() : tensor<1x12x512xi64>
    %32 = linalg.fill ins(%c0_i64 : i64) outs(%31 : tensor<1x12x512xi64>) -> tensor<1x12x512xi64>
    %33 = tensor.empty() : tensor<1x12x512xf32>
    %34 = linalg.fill ins(%cst_0 : f32) outs(%33 : tensor<1x12x512xf32>) -> tensor<1x12x512xf32>
    %35:2 = linalg.generic {indexing_maps = [#map, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x12x512x512xf32>) outs(%34, %32 : tensor<1x12x512xf32>, tensor<1x12x512xi64>) {
    ^bb0(%in: f32, %out: f32, %out_18: i64):
      %52 = linalg.index 3 : index
      %53 = arith.index_cast %52 : index to i64
      %54 = arith.maximumf %in, %out : f32
      %55 = arith.cmpf ogt, %in, %out : f32
      %56 = arith.select %55, %53, %out_18 : i64
      linalg.yield %54, %56 : f32, i64
    } -> (tensor<1x12x512xf32>, tensor<1x12x512xi64>)
    %expanded_14 = tensor.expand_shape %35#0 [[0], [1], [2, 3]] output_shape [1, 12, 512, 1] : tensor<1x12x512xf32> into tensor<1x12x512x1xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %expanded_14 : tensor<1x12x512x512xf32>, tensor<1x12x512x1xf32>) outs(%29 : tensor<1x12x512x512xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %52 = arith.subf %in, %in_18 : f32
      linalg.yield %52 : f32
    } -> tensor<1x12x512x512xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x12x512x512xf32>) outs(%29 : tensor<1x12x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = math.exp %in : f32
      linalg.yield %52 : f32
    } -> tensor<1x12x512x512xf32>
    %38 = tensor.empty() : tensor<1x12x512x1xf32>
    %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<1x12x512x1xf32>) -> tensor<1x12x512x1xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x12x512x512xf32>) outs(%39 : tensor<1x12x512x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.addf %in, %out : f32
      linalg.yield %52 : f32
    } -> tensor<1x12x512x1xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %40 : tensor<1x12x512x512xf32>, tensor<1x12x512x1xf32>) outs(%29 : tensor<1x12x512x512xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %52 = arith.divf %in, %in_18 : f32
      linalg.yield %52 : f32
    } -> tensor<1x12x512x512xf32>
    %42 = tensor.empty() : tensor<1x12x512x512xi1>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x12x512x512xf32>) outs(%42 : tensor<1x12x512x512xi1>) {
    ^bb0(%in: f32, %out: i1):
      %52 = arith.extf %in : f32 to f64
      %53 = arith.cmpf oeq, %52, %cst_5 : f64
      linalg.yield %53 : i1
    } -> tensor<1x12x512x512xi1>
    %44 = tensor.empty() : tensor<1x12x512x1xi1>
    %45 = linalg.fill ins(%true : i1) outs(%44 : tensor<1x12x512x1xi1>) -> tensor<1x12x512x1xi1>
    %46 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43 : tensor<1x12x512x512xi1>) outs(%45 : tensor<1x12x512x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %52 = arith.andi %in, %out : i1
      linalg.yield %52 : i1
    } -> tensor<1x12x512x1xi1>
    %47 = linalg.generic {indexing_maps = [#map8, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %cst_1, %41 : tensor<1x12x512x1xi1>, tensor<1x12x512x512xf32>, tensor<1x12x512x512xf32>) outs(%29 : tensor<1x12x512x512xf32>) {
    ^bb0(%in: i1, %in_18: f32, %in_19: f32, %out: f32):
      %52 = arith.select %in, %in_18, %in_19 : f32
      linalg.yield %52 : f32
    } -> tensor<1x12x512x512xf32>
    %collapsed_15 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x12x512x512xf32> into tensor<12x512x512xf32>
    %collapsed_16 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<1x12x512x64xf32> into tensor<12x512x64xf32>
    %48 = tensor.empty() : tensor<12x512x64xf32>
    %49 = linalg.fill ins(%cst : f32) outs(%48 : tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
    %50 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<12x512x512xf32>, tensor<12x512x64xf32>) outs(%49 : tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
    %expanded_17 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [1, 12, 512, 64] : tensor<12x512x64xf32> into tensor<1x12x512x64xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x12x512x64xf32>) outs(%0 : tensor<1x12x512x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %52 = arith.truncf %in : f32 to f16
      linalg.yield %52 : f16
    } -> tensor<1x12x512x64xf16>
    return %51 : tensor<1x12x512x64xf16>
  }
}
