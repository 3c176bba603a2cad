#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @state_space(%arg0: tensor<8x2048xf16>, %arg1: tensor<8x2048xf16>, %arg2: tensor<2048x16xf16>, %arg3: tensor<8x16xf16>, %arg4: tensor<8x16xf16>, %arg5: tensor<2048xf16>, %arg6: tensor<8x2048x16xf16>) -> (tensor<8x2048xf16>, tensor<8x2048x16xf16>) {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 2.000000e+01 : f32
    %0 = tensor.empty() : tensor<8x2048xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8x2048xf16>) outs(%0 : tensor<8x2048xf32>) {
    ^bb0(%in: f16, %out: f32):
      %21 = arith.extf %in : f16 to f32
      linalg.yield %21 : f32
    } -> tensor<8x2048xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x2048xf32>) outs(%0 : tensor<8x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = math.exp %in : f32
      linalg.yield %21 : f32
    } -> tensor<8x2048xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x2048xf32>) outs(%0 : tensor<8x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = math.log1p %in : f32
      linalg.yield %21 : f32
    } -> tensor<8x2048xf32>
    %4 = tensor.empty() : tensor<8x2048xi1>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x2048xf32>) outs(%4 : tensor<8x2048xi1>) {
    ^bb0(%in: f32, %out: i1):
      %21 = arith.cmpf ogt, %in, %cst_0 : f32
      linalg.yield %21 : i1
    } -> tensor<8x2048xi1>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %1, %3 : tensor<8x2048xi1>, tensor<8x2048xf32>, tensor<8x2048xf32>) outs(%0 : tensor<8x2048xf32>) {
    ^bb0(%in: i1, %in_4: f32, %in_5: f32, %out: f32):
      %21 = arith.select %in, %in_4, %in_5 : f32
      linalg.yield %21 : f32
    } -> tensor<8x2048xf32>
    %7 = tensor.empty() : tensor<8x2048xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<8x2048xf32>) outs(%7 : tensor<8x2048xf16>) {
    ^bb0(%in: f32, %out: f16):
      %21 = arith.truncf %in : f32 to f16
      linalg.yield %21 : f16
    } -> tensor<8x2048xf16>
    %expanded = tensor.expand_shape %8 [[0], [1, 2]] output_shape [8, 2048, 1] : tensor<8x2048xf16> into tensor<8x2048x1xf16>
    %9 = tensor.empty() : tensor<8x2048x16xf16>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %arg2 : tensor<8x2048x1xf16>, tensor<2048x16xf16>) outs(%9 : tensor<8x2048x16xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<8x2048x16xf16>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<8x2048x16xf16>) outs(%9 : tensor<8x2048x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      %21 = math.exp %in : f16
      linalg.yield %21 : f16
    } -> tensor<8x2048x16xf16>
    %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6, %11 : tensor<8x2048x16xf16>, tensor<8x2048x16xf16>) outs(%9 : tensor<8x2048x16xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<8x2048x16xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %arg0 : tensor<8x2048xf16>, tensor<8x2048xf16>) outs(%7 : tensor<8x2048xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<8x2048xf16>
    %expanded_1 = tensor.expand_shape %13 [[0], [1, 2]] output_shape [8, 2048, 1] : tensor<8x2048xf16> into tensor<8x2048x1xf16>
    %expanded_2 = tensor.expand_shape %arg3 [[0], [1, 2]] output_shape [8, 1, 16] : tensor<8x16xf16> into tensor<8x1x16xf16>
    %14 = linalg.generic {indexing_maps = [#map1, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_1, %expanded_2 : tensor<8x2048x1xf16>, tensor<8x1x16xf16>) outs(%9 : tensor<8x2048x16xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<8x2048x16xf16>
    %15 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %14 : tensor<8x2048x16xf16>, tensor<8x2048x16xf16>) outs(%9 : tensor<8x2048x16xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.addf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<8x2048x16xf16>
    %expanded_3 = tensor.expand_shape %arg4 [[0], [1, 2]] output_shape [8, 1, 16] : tensor<8x16xf16> into tensor<8x1x16xf16>
    %16 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %expanded_3 : tensor<8x2048x16xf16>, tensor<8x1x16xf16>) outs(%9 : tensor<8x2048x16xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<8x2048x16xf16>
    %17 = linalg.fill ins(%cst : f16) outs(%7 : tensor<8x2048xf16>) -> tensor<8x2048xf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<8x2048x16xf16>) outs(%17 : tensor<8x2048xf16>) {
    ^bb0(%in: f16, %out: f16):
      %21 = arith.addf %in, %out : f16
      linalg.yield %21 : f16
    } -> tensor<8x2048xf16>
    %19 = linalg.generic {indexing_maps = [#map6, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5, %arg0 : tensor<2048xf16>, tensor<8x2048xf16>) outs(%7 : tensor<8x2048xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<8x2048xf16>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %19 : tensor<8x2048xf16>, tensor<8x2048xf16>) outs(%7 : tensor<8x2048xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.addf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<8x2048xf16>
    return %20, %15 : tensor<8x2048xf16>, tensor<8x2048x16xf16>
  }
}
