#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @latent_attention(%arg0: tensor<1x128x128xf16>, %arg1: tensor<1x4096x512xf16>, %arg2: tensor<128x128x512xf16>, %arg3: tensor<128x512x128xf16>) -> tensor<1x128x128xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 7.220000e-02 : f64
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [1, 128, 128, 1] : tensor<1x128x128xf16> into tensor<1x128x128x1xf16>
    %expanded_2 = tensor.expand_shape %arg2 [[0], [1], [2, 3]] output_shape [128, 128, 512, 1] : tensor<128x128x512xf16> into tensor<128x128x512x1xf16>
    %0 = tensor.empty() : tensor<128x128x1x1xf16>
    %transposed = linalg.transpose ins(%expanded : tensor<1x128x128x1xf16>) outs(%0 : tensor<128x128x1x1xf16>) permutation = [1, 2, 0, 3] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2, 3]] : tensor<128x128x1x1xf16> into tensor<128x128xf16>
    %expanded_3 = tensor.expand_shape %collapsed [[0], [1, 2]] output_shape [128, 1, 128] : tensor<128x128xf16> into tensor<128x1x128xf16>
    %1 = tensor.empty() : tensor<128x128x1x512xf16>
    %transposed_4 = linalg.transpose ins(%expanded_2 : tensor<128x128x512x1xf16>) outs(%1 : tensor<128x128x1x512xf16>) permutation = [0, 1, 3, 2] 
    %collapsed_5 = tensor.collapse_shape %transposed_4 [[0], [1], [2, 3]] : tensor<128x128x1x512xf16> into tensor<128x128x512xf16>
    %2 = tensor.empty() : tensor<128x1x512xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<128x1x512xf32>) -> tensor<128x1x512xf32>
    %4 = linalg.batch_matmul ins(%expanded_3, %collapsed_5 : tensor<128x1x128xf16>, tensor<128x128x512xf16>) outs(%3 : tensor<128x1x512xf32>) -> tensor<128x1x512xf32>
    %5 = tensor.empty() : tensor<128x1x512xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<128x1x512xf32>) outs(%5 : tensor<128x1x512xf16>) {
    ^bb0(%in: f32, %out: f16):
      %43 = arith.truncf %in : f32 to f16
      linalg.yield %43 : f16
    } -> tensor<128x1x512xf16>
    %expanded_6 = tensor.expand_shape %6 [[0], [1], [2, 3]] output_shape [128, 1, 1, 512] : tensor<128x1x512xf16> into tensor<128x1x1x512xf16>
    %expanded_7 = tensor.expand_shape %arg1 [[0], [1], [2, 3]] output_shape [1, 4096, 512, 1] : tensor<1x4096x512xf16> into tensor<1x4096x512x1xf16>
    %7 = tensor.empty() : tensor<128x512x1x1xf16>
    %transposed_8 = linalg.transpose ins(%expanded_6 : tensor<128x1x1x512xf16>) outs(%7 : tensor<128x512x1x1xf16>) permutation = [0, 3, 2, 1] 
    %collapsed_9 = tensor.collapse_shape %transposed_8 [[0], [1, 2, 3]] : tensor<128x512x1x1xf16> into tensor<128x512xf16>
    %expanded_10 = tensor.expand_shape %collapsed_9 [[0, 1], [2]] output_shape [1, 128, 512] : tensor<128x512xf16> into tensor<1x128x512xf16>
    %8 = tensor.empty() : tensor<512x1x4096x1xf16>
    %transposed_11 = linalg.transpose ins(%expanded_7 : tensor<1x4096x512x1xf16>) outs(%8 : tensor<512x1x4096x1xf16>) permutation = [2, 0, 1, 3] 
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0], [1, 2, 3]] : tensor<512x1x4096x1xf16> into tensor<512x4096xf16>
    %expanded_13 = tensor.expand_shape %collapsed_12 [[0, 1], [2]] output_shape [1, 512, 4096] : tensor<512x4096xf16> into tensor<1x512x4096xf16>
    %9 = tensor.empty() : tensor<1x128x4096xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<1x128x4096xf32>) -> tensor<1x128x4096xf32>
    %11 = linalg.batch_matmul ins(%expanded_10, %expanded_13 : tensor<1x128x512xf16>, tensor<1x512x4096xf16>) outs(%10 : tensor<1x128x4096xf32>) -> tensor<1x128x4096xf32>
    %12 = tensor.empty() : tensor<1x128x4096xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x128x4096xf32>) outs(%12 : tensor<1x128x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %43 = arith.truncf %in : f32 to f16
      linalg.yield %43 : f16
    } -> tensor<1x128x4096xf16>
    %collapsed_14 = tensor.collapse_shape %13 [[0, 1], [2]] : tensor<1x128x4096xf16> into tensor<128x4096xf16>
    %expanded_15 = tensor.expand_shape %collapsed_14 [[0], [1, 2, 3]] output_shape [128, 1, 1, 4096] : tensor<128x4096xf16> into tensor<128x1x1x4096xf16>
    %14 = tensor.empty() : tensor<1x128x4096x1xf16>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<128x1x1x4096xf16>) outs(%14 : tensor<1x128x4096x1xf16>) permutation = [2, 0, 3, 1] 
    %collapsed_17 = tensor.collapse_shape %transposed_16 [[0], [1], [2, 3]] : tensor<1x128x4096x1xf16> into tensor<1x128x4096xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_17 : tensor<1x128x4096xf16>) outs(%12 : tensor<1x128x4096xf16>) {
    ^bb0(%in: f16, %out: f16):
      %43 = arith.truncf %cst_1 : f64 to f16
      %44 = arith.mulf %in, %43 : f16
      linalg.yield %44 : f16
    } -> tensor<1x128x4096xf16>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x128x4096xf16>) outs(%9 : tensor<1x128x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %43 = arith.extf %in : f16 to f32
      linalg.yield %43 : f32
    } -> tensor<1x128x4096xf32>
    %17 = tensor.empty() : tensor<1x128xi64>
    %18 = linalg.fill ins(%c0_i64 : i64) outs(%17 : tensor<1x128xi64>) -> tensor<1x128xi64>
    %19 = tensor.empty() : tensor<1x128xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %21:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<1x128x4096xf32>) outs(%20, %18 : tensor<1x128xf32>, tensor<1x128xi64>) {
    ^bb0(%in: f32, %out: f32, %out_37: i64):
      %43 = linalg.index 2 : index
      %44 = arith.index_cast %43 : index to i64
      %45 = arith.maximumf %in, %out : f32
      %46 = arith.cmpf ogt, %in, %out : f32
      %47 = arith.select %46, %44, %out_37 : i64
      linalg.yield %45, %47 : f32, i64
    } -> (tensor<1x128xf32>, tensor<1x128xi64>)
    %expanded_18 = tensor.expand_shape %21#0 [[0], [1, 2]] output_shape [1, 128, 1] : tensor<1x128xf32> into tensor<1x128x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %expanded_18 : tensor<1x128x4096xf32>, tensor<1x128x1xf32>) outs(%9 : tensor<1x128x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %43 = arith.subf %in, %in_37 : f32
      linalg.yield %43 : f32
    } -> tensor<1x128x4096xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x128x4096xf32>) outs(%9 : tensor<1x128x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<1x128x4096xf32>
    %24 = tensor.empty() : tensor<1x128x1xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%23 : tensor<1x128x4096xf32>) outs(%25 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x128x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %26 : tensor<1x128x4096xf32>, tensor<1x128x1xf32>) outs(%9 : tensor<1x128x4096xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %43 = arith.divf %in, %in_37 : f32
      linalg.yield %43 : f32
    } -> tensor<1x128x4096xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<1x128x4096xf32>) outs(%12 : tensor<1x128x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %43 = arith.truncf %in : f32 to f16
      linalg.yield %43 : f16
    } -> tensor<1x128x4096xf16>
    %expanded_19 = tensor.expand_shape %28 [[0], [1], [2, 3]] output_shape [1, 128, 4096, 1] : tensor<1x128x4096xf16> into tensor<1x128x4096x1xf16>
    %29 = tensor.empty() : tensor<128x4096x1x1xf16>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<1x128x4096x1xf16>) outs(%29 : tensor<128x4096x1x1xf16>) permutation = [1, 2, 0, 3] 
    %collapsed_21 = tensor.collapse_shape %transposed_20 [[0], [1, 2, 3]] : tensor<128x4096x1x1xf16> into tensor<128x4096xf16>
    %expanded_22 = tensor.expand_shape %collapsed_21 [[0, 1], [2]] output_shape [1, 128, 4096] : tensor<128x4096xf16> into tensor<1x128x4096xf16>
    %30 = tensor.empty() : tensor<4096x1x512x1xf16>
    %transposed_23 = linalg.transpose ins(%expanded_7 : tensor<1x4096x512x1xf16>) outs(%30 : tensor<4096x1x512x1xf16>) permutation = [1, 0, 2, 3] 
    %collapsed_24 = tensor.collapse_shape %transposed_23 [[0], [1, 2, 3]] : tensor<4096x1x512x1xf16> into tensor<4096x512xf16>
    %expanded_25 = tensor.expand_shape %collapsed_24 [[0, 1], [2]] output_shape [1, 4096, 512] : tensor<4096x512xf16> into tensor<1x4096x512xf16>
    %31 = tensor.empty() : tensor<1x128x512xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<1x128x512xf32>) -> tensor<1x128x512xf32>
    %33 = linalg.batch_matmul ins(%expanded_22, %expanded_25 : tensor<1x128x4096xf16>, tensor<1x4096x512xf16>) outs(%32 : tensor<1x128x512xf32>) -> tensor<1x128x512xf32>
    %34 = tensor.empty() : tensor<1x128x512xf16>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<1x128x512xf32>) outs(%34 : tensor<1x128x512xf16>) {
    ^bb0(%in: f32, %out: f16):
      %43 = arith.truncf %in : f32 to f16
      linalg.yield %43 : f16
    } -> tensor<1x128x512xf16>
    %collapsed_26 = tensor.collapse_shape %35 [[0, 1], [2]] : tensor<1x128x512xf16> into tensor<128x512xf16>
    %expanded_27 = tensor.expand_shape %collapsed_26 [[0], [1, 2, 3]] output_shape [128, 1, 1, 512] : tensor<128x512xf16> into tensor<128x1x1x512xf16>
    %expanded_28 = tensor.expand_shape %arg3 [[0], [1], [2, 3]] output_shape [128, 512, 128, 1] : tensor<128x512x128xf16> into tensor<128x512x128x1xf16>
    %transposed_29 = linalg.transpose ins(%expanded_27 : tensor<128x1x1x512xf16>) outs(%7 : tensor<128x512x1x1xf16>) permutation = [0, 3, 2, 1] 
    %collapsed_30 = tensor.collapse_shape %transposed_29 [[0], [1, 2, 3]] : tensor<128x512x1x1xf16> into tensor<128x512xf16>
    %expanded_31 = tensor.expand_shape %collapsed_30 [[0], [1, 2]] output_shape [128, 1, 512] : tensor<128x512xf16> into tensor<128x1x512xf16>
    %36 = tensor.empty() : tensor<128x512x1x128xf16>
    %transposed_32 = linalg.transpose ins(%expanded_28 : tensor<128x512x128x1xf16>) outs(%36 : tensor<128x512x1x128xf16>) permutation = [0, 1, 3, 2] 
    %collapsed_33 = tensor.collapse_shape %transposed_32 [[0], [1], [2, 3]] : tensor<128x512x1x128xf16> into tensor<128x512x128xf16>
    %37 = tensor.empty() : tensor<128x1x128xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<128x1x128xf32>) -> tensor<128x1x128xf32>
    %39 = linalg.batch_matmul ins(%expanded_31, %collapsed_33 : tensor<128x1x512xf16>, tensor<128x512x128xf16>) outs(%38 : tensor<128x1x128xf32>) -> tensor<128x1x128xf32>
    %40 = tensor.empty() : tensor<128x1x128xf16>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<128x1x128xf32>) outs(%40 : tensor<128x1x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %43 = arith.truncf %in : f32 to f16
      linalg.yield %43 : f16
    } -> tensor<128x1x128xf16>
    %expanded_34 = tensor.expand_shape %41 [[0], [1], [2, 3]] output_shape [128, 1, 1, 128] : tensor<128x1x128xf16> into tensor<128x1x1x128xf16>
    %42 = tensor.empty() : tensor<1x128x128x1xf16>
    %transposed_35 = linalg.transpose ins(%expanded_34 : tensor<128x1x1x128xf16>) outs(%42 : tensor<1x128x128x1xf16>) permutation = [2, 0, 3, 1] 
    %collapsed_36 = tensor.collapse_shape %transposed_35 [[0], [1], [2, 3]] : tensor<1x128x128x1xf16> into tensor<1x128x128xf16>
    return %collapsed_36 : tensor<1x128x128xf16>
  }
}
