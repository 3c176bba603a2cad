#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map5 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
module {
  func.func @adaptive_norm(%arg0: tensor<2304x1152xf16>, %arg1: tensor<2304xf16>, %arg2: tensor<1152x1152xf16>, %arg3: tensor<1152xf16>, %arg4: tensor<2x256x1152xf16>, %arg5: tensor<2x1152xf16>) -> tensor<2x256x1152xf16> {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e-05 : f64
    %cst_3 = arith.constant 1.152000e+03 : f64
    %cst_4 = arith.constant 1.152000e+03 : f32
    %cst_5 = arith.constant 1.000000e+00 : f16
    %0 = tensor.empty() : tensor<2x1152xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<2x1152xf16>) outs(%0 : tensor<2x1152xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<2x1152xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x1152xf32>) outs(%0 : tensor<2x1152xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.negf %in : f32
      %58 = math.exp %57 : f32
      %59 = arith.addf %58, %cst : f32
      %60 = arith.divf %cst, %59 : f32
      linalg.yield %60 : f32
    } -> tensor<2x1152xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<2x1152xf32>, tensor<2x1152xf32>) outs(%0 : tensor<2x1152xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %57 = arith.mulf %in, %in_10 : f32
      linalg.yield %57 : f32
    } -> tensor<2x1152xf32>
    %4 = tensor.empty() : tensor<2x1152xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<2x1152xf32>) outs(%4 : tensor<2x1152xf16>) {
    ^bb0(%in: f32, %out: f16):
      %57 = arith.truncf %in : f32 to f16
      linalg.yield %57 : f16
    } -> tensor<2x1152xf16>
    %6 = tensor.empty() : tensor<1152x2304xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<2304x1152xf16>) outs(%6 : tensor<1152x2304xf16>) permutation = [1, 0] 
    %7 = tensor.empty() : tensor<2304xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg1 : tensor<2304xf16>) outs(%7 : tensor<2304xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<2304xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<2x1152xf16>) outs(%0 : tensor<2x1152xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<2x1152xf32>
    %10 = tensor.empty() : tensor<1152x2304xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<1152x2304xf16>) outs(%10 : tensor<1152x2304xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<1152x2304xf32>
    %12 = tensor.empty() : tensor<2x2304xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x2304xf32>) -> tensor<2x2304xf32>
    %14 = linalg.matmul ins(%9, %11 : tensor<2x1152xf32>, tensor<1152x2304xf32>) outs(%13 : tensor<2x2304xf32>) -> tensor<2x2304xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %8 : tensor<2x2304xf32>, tensor<2304xf32>) outs(%12 : tensor<2x2304xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %57 = arith.addf %in, %in_10 : f32
      linalg.yield %57 : f32
    } -> tensor<2x2304xf32>
    %16 = tensor.empty() : tensor<2x2304xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<2x2304xf32>) outs(%16 : tensor<2x2304xf16>) {
    ^bb0(%in: f32, %out: f16):
      %57 = arith.truncf %in : f32 to f16
      linalg.yield %57 : f16
    } -> tensor<2x2304xf16>
    %extracted_slice = tensor.extract_slice %17[0, 0] [2, 1152] [1, 1] : tensor<2x2304xf16> to tensor<2x1152xf16>
    %extracted_slice_6 = tensor.extract_slice %17[0, 1152] [2, 1152] [1, 1] : tensor<2x2304xf16> to tensor<2x1152xf16>
    %18 = tensor.empty() : tensor<2x256x1152xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<2x256x1152xf16>) outs(%18 : tensor<2x256x1152xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<2x256x1152xf32>
    %20 = tensor.empty() : tensor<2x256x1152xf64>
    %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x256x1152xf32>) outs(%20 : tensor<2x256x1152xf64>) {
    ^bb0(%in: f32, %out: f64):
      %57 = arith.extf %in : f32 to f64
      linalg.yield %57 : f64
    } -> tensor<2x256x1152xf64>
    %22 = tensor.empty() : tensor<2x256x1xf64>
    %23 = linalg.fill ins(%cst_1 : f64) outs(%22 : tensor<2x256x1xf64>) -> tensor<2x256x1xf64>
    %24 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<2x256x1152xf64>) outs(%23 : tensor<2x256x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %57 = arith.addf %in, %out : f64
      linalg.yield %57 : f64
    } -> tensor<2x256x1xf64>
    %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x256x1xf64>) outs(%22 : tensor<2x256x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %57 = arith.divf %in, %cst_3 : f64
      linalg.yield %57 : f64
    } -> tensor<2x256x1xf64>
    %26 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %25 : tensor<2x256x1152xf64>, tensor<2x256x1xf64>) outs(%20 : tensor<2x256x1152xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %57 = arith.subf %in, %in_10 : f64
      linalg.yield %57 : f64
    } -> tensor<2x256x1152xf64>
    %27 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %26 : tensor<2x256x1152xf64>, tensor<2x256x1152xf64>) outs(%20 : tensor<2x256x1152xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %57 = arith.mulf %in, %in_10 : f64
      linalg.yield %57 : f64
    } -> tensor<2x256x1152xf64>
    %28 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%27 : tensor<2x256x1152xf64>) outs(%23 : tensor<2x256x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %57 = arith.addf %in, %out : f64
      linalg.yield %57 : f64
    } -> tensor<2x256x1xf64>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x256x1xf64>) outs(%22 : tensor<2x256x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %57 = arith.divf %in, %cst_3 : f64
      linalg.yield %57 : f64
    } -> tensor<2x256x1xf64>
    %30 = tensor.empty() : tensor<2x256x1xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<2x256x1xf64>) outs(%30 : tensor<2x256x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %57 = arith.truncf %in : f64 to f32
      linalg.yield %57 : f32
    } -> tensor<2x256x1xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<2x256x1xf32>) -> tensor<2x256x1xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<2x256x1152xf32>) outs(%32 : tensor<2x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.addf %in, %out : f32
      linalg.yield %57 : f32
    } -> tensor<2x256x1xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x256x1xf32>) outs(%30 : tensor<2x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.divf %in, %cst_4 : f32
      linalg.yield %57 : f32
    } -> tensor<2x256x1xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<2x256x1xf32>) outs(%30 : tensor<2x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.truncf %cst_2 : f64 to f32
      %58 = arith.addf %in, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<2x256x1xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x256x1xf32>) outs(%30 : tensor<2x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = math.rsqrt %in : f32
      linalg.yield %57 : f32
    } -> tensor<2x256x1xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %34 : tensor<2x256x1152xf32>, tensor<2x256x1xf32>) outs(%18 : tensor<2x256x1152xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %57 = arith.subf %in, %in_10 : f32
      linalg.yield %57 : f32
    } -> tensor<2x256x1152xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %36 : tensor<2x256x1152xf32>, tensor<2x256x1xf32>) outs(%18 : tensor<2x256x1152xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %57 = arith.mulf %in, %in_10 : f32
      linalg.yield %57 : f32
    } -> tensor<2x256x1152xf32>
    %39 = tensor.empty() : tensor<2x256x1152xf16>
    %40 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<2x256x1152xf32>) outs(%39 : tensor<2x256x1152xf16>) {
    ^bb0(%in: f32, %out: f16):
      %57 = arith.truncf %in : f32 to f16
      linalg.yield %57 : f16
    } -> tensor<2x256x1152xf16>
    %expanded = tensor.expand_shape %extracted_slice [[0], [1, 2]] output_shape [2, 1, 1152] : tensor<2x1152xf16> into tensor<2x1x1152xf16>
    %41 = tensor.empty() : tensor<2x1x1152xf16>
    %42 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x1x1152xf16>) outs(%41 : tensor<2x1x1152xf16>) {
    ^bb0(%in: f16, %out: f16):
      %57 = arith.addf %in, %cst_5 : f16
      linalg.yield %57 : f16
    } -> tensor<2x1x1152xf16>
    %43 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %42 : tensor<2x256x1152xf16>, tensor<2x1x1152xf16>) outs(%39 : tensor<2x256x1152xf16>) {
    ^bb0(%in: f16, %in_10: f16, %out: f16):
      %57 = arith.mulf %in, %in_10 : f16
      linalg.yield %57 : f16
    } -> tensor<2x256x1152xf16>
    %expanded_7 = tensor.expand_shape %extracted_slice_6 [[0], [1, 2]] output_shape [2, 1, 1152] : tensor<2x1152xf16> into tensor<2x1x1152xf16>
    %44 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43, %expanded_7 : tensor<2x256x1152xf16>, tensor<2x1x1152xf16>) outs(%39 : tensor<2x256x1152xf16>) {
    ^bb0(%in: f16, %in_10: f16, %out: f16):
      %57 = arith.addf %in, %in_10 : f16
      linalg.yield %57 : f16
    } -> tensor<2x256x1152xf16>
    %collapsed = tensor.collapse_shape %44 [[0, 1], [2]] : tensor<2x256x1152xf16> into tensor<512x1152xf16>
    %45 = tensor.empty() : tensor<1152x1152xf16>
    %transposed_8 = linalg.transpose ins(%arg2 : tensor<1152x1152xf16>) outs(%45 : tensor<1152x1152xf16>) permutation = [1, 0] 
    %46 = tensor.empty() : tensor<1152xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg3 : tensor<1152xf16>) outs(%46 : tensor<1152xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<1152xf32>
    %48 = tensor.empty() : tensor<512x1152xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<512x1152xf16>) outs(%48 : tensor<512x1152xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<512x1152xf32>
    %50 = tensor.empty() : tensor<1152x1152xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed_8 : tensor<1152x1152xf16>) outs(%50 : tensor<1152x1152xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<1152x1152xf32>
    %52 = linalg.fill ins(%cst_0 : f32) outs(%48 : tensor<512x1152xf32>) -> tensor<512x1152xf32>
    %53 = linalg.matmul ins(%49, %51 : tensor<512x1152xf32>, tensor<1152x1152xf32>) outs(%52 : tensor<512x1152xf32>) -> tensor<512x1152xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%53, %47 : tensor<512x1152xf32>, tensor<1152xf32>) outs(%48 : tensor<512x1152xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %57 = arith.addf %in, %in_10 : f32
      linalg.yield %57 : f32
    } -> tensor<512x1152xf32>
    %55 = tensor.empty() : tensor<512x1152xf16>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<512x1152xf32>) outs(%55 : tensor<512x1152xf16>) {
    ^bb0(%in: f32, %out: f16):
      %57 = arith.truncf %in : f32 to f16
      linalg.yield %57 : f16
    } -> tensor<512x1152xf16>
    %expanded_9 = tensor.expand_shape %56 [[0, 1], [2]] output_shape [2, 256, 1152] : tensor<512x1152xf16> into tensor<2x256x1152xf16>
    return %expanded_9 : tensor<2x256x1152xf16>
  }
}
