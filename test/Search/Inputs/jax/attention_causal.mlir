#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
module @jit__lambda {
  func.func public @attention_causal(%arg0: tensor<1x512x32x64xf16>, %arg1: tensor<1x512x32x64xf16>, %arg2: tensor<1x512x32x64xf16>) -> tensor<1x512x32x64xf16> {
    %false = arith.constant false
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.250000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %cst_3 = arith.constant dense<true> : tensor<512x512xi1>
    %cst_4 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 512, 32, 1, 64] : tensor<1x512x32x64xf16> into tensor<1x512x32x1x64xf16>
    %0 = tensor.empty() : tensor<1x32x512x1x64xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x512x32x1x64xf16>) outs(%0 : tensor<1x32x512x1x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x512x1x64xf16>
    %2 = tensor.empty() : tensor<1x32x64x512xf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x512x32x64xf16>) outs(%2 : tensor<1x32x64x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x64x512xf16>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3, 4]] : tensor<1x32x512x1x64xf16> into tensor<32x512x64xf16>
    %collapsed_5 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x32x64x512xf16> into tensor<32x64x512xf16>
    %4 = tensor.empty() : tensor<32x512x512xf32>
    %5 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<32x512x512xf32>) -> tensor<32x512x512xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<32x512x64xf16>, tensor<32x64x512xf16>) outs(%5 : tensor<32x512x512xf32>) -> tensor<32x512x512xf32>
    %expanded_6 = tensor.expand_shape %6 [[0, 1], [2], [3, 4]] output_shape [1, 32, 512, 1, 512] : tensor<32x512x512xf32> into tensor<1x32x512x1x512xf32>
    %7 = tensor.empty() : tensor<1x32x512x1x512xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x32x512x1x512xf32>) outs(%7 : tensor<1x32x512x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.mulf %in, %cst_1 : f32
      linalg.yield %42 : f32
    } -> tensor<1x32x512x1x512xf32>
    %9 = tensor.empty() : tensor<512x512xi32>
    %10 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<512x512xi32>) {
    ^bb0(%out: i32):
      %42 = linalg.index 0 : index
      %43 = arith.index_cast %42 : index to i32
      linalg.yield %43 : i32
    } -> tensor<512x512xi32>
    %11 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<512x512xi32>) {
    ^bb0(%out: i32):
      %42 = linalg.index 1 : index
      %43 = arith.index_cast %42 : index to i32
      linalg.yield %43 : i32
    } -> tensor<512x512xi32>
    %12 = tensor.empty() : tensor<512x512xi1>
    %13 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%10, %11 : tensor<512x512xi32>, tensor<512x512xi32>) outs(%12 : tensor<512x512xi1>) {
    ^bb0(%in: i32, %in_13: i32, %out: i1):
      %42 = arith.cmpi sge, %in, %in_13 : i32
      linalg.yield %42 : i1
    } -> tensor<512x512xi1>
    %14 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%13, %cst_3 : tensor<512x512xi1>, tensor<512x512xi1>) outs(%12 : tensor<512x512xi1>) {
    ^bb0(%in: i1, %in_13: i1, %out: i1):
      %42 = arith.select %in, %in_13, %false : i1
      linalg.yield %42 : i1
    } -> tensor<512x512xi1>
    %15 = tensor.empty() : tensor<1x32x512x512xi1>
    %16 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<512x512xi1>) outs(%15 : tensor<1x32x512x512xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x32x512x512xi1>
    %17 = tensor.empty() : tensor<1x1x32x512x512xi1>
    %18 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x32x512x512xi1>) outs(%17 : tensor<1x1x32x512x512xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x32x512x512xi1>
    %19 = tensor.empty() : tensor<1x1x32x512x512xf32>
    %20 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%19 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32x512x512xf32>
    %collapsed_7 = tensor.collapse_shape %8 [[0, 1, 2, 3, 4]] : tensor<1x32x512x1x512xf32> into tensor<8388608xf32>
    %expanded_8 = tensor.expand_shape %collapsed_7 [[0, 1, 2, 3, 4]] output_shape [1, 1, 32, 512, 512] : tensor<8388608xf32> into tensor<1x1x32x512x512xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_8, %20 : tensor<1x1x32x512x512xi1>, tensor<1x1x32x512x512xf32>, tensor<1x1x32x512x512xf32>) outs(%19 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: i1, %in_13: f32, %in_14: f32, %out: f32):
      %42 = arith.select %in, %in_13, %in_14 : f32
      linalg.yield %42 : f32
    } -> tensor<1x1x32x512x512xf32>
    %22 = tensor.empty() : tensor<1x1x32x512xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<1x1x32x512xf32>) -> tensor<1x1x32x512xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x1x32x512x512xf32>) outs(%23 : tensor<1x1x32x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.maximumf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<1x1x32x512xf32>
    %25 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x1x32x512xf32>) outs(%19 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32x512x512xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21, %25 : tensor<1x1x32x512x512xf32>, tensor<1x1x32x512x512xf32>) outs(%19 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %42 = arith.subf %in, %in_13 : f32
      linalg.yield %42 : f32
    } -> tensor<1x1x32x512x512xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x1x32x512x512xf32>) outs(%19 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = math.exp %in : f32
      linalg.yield %42 : f32
    } -> tensor<1x1x32x512x512xf32>
    %28 = linalg.fill ins(%cst_2 : f32) outs(%22 : tensor<1x1x32x512xf32>) -> tensor<1x1x32x512xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x1x32x512x512xf32>) outs(%28 : tensor<1x1x32x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %42 = arith.addf %out, %in : f32
      linalg.yield %42 : f32
    } -> tensor<1x1x32x512xf32>
    %30 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x1x32x512xf32>) outs(%19 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x32x512x512xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<1x1x32x512x512xf32>, tensor<1x1x32x512x512xf32>) outs(%19 : tensor<1x1x32x512x512xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %42 = arith.divf %in, %in_13 : f32
      linalg.yield %42 : f32
    } -> tensor<1x1x32x512x512xf32>
    %32 = tensor.empty() : tensor<1x1x32x512x512xf16>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x1x32x512x512xf32>) outs(%32 : tensor<1x1x32x512x512xf16>) {
    ^bb0(%in: f32, %out: f16):
      %42 = arith.truncf %in : f32 to f16
      linalg.yield %42 : f16
    } -> tensor<1x1x32x512x512xf16>
    %34 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x512x32x64xf16>) outs(%2 : tensor<1x32x64x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x64x512xf16>
    %35 = tensor.empty() : tensor<1x32x512x1x512xf16>
    %36 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x1x32x512x512xf16>) outs(%35 : tensor<1x32x512x1x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x32x512x1x512xf16>
    %collapsed_9 = tensor.collapse_shape %34 [[0, 1], [2], [3]] : tensor<1x32x64x512xf16> into tensor<32x64x512xf16>
    %collapsed_10 = tensor.collapse_shape %36 [[0, 1], [2], [3, 4]] : tensor<1x32x512x1x512xf16> into tensor<32x512x512xf16>
    %37 = tensor.empty() : tensor<32x64x512xf16>
    %38 = linalg.fill ins(%cst : f16) outs(%37 : tensor<32x64x512xf16>) -> tensor<32x64x512xf16>
    %39 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<32x64x512xf16>, tensor<32x512x512xf16>) outs(%38 : tensor<32x64x512xf16>) -> tensor<32x64x512xf16>
    %expanded_11 = tensor.expand_shape %39 [[0, 1], [2], [3, 4]] output_shape [1, 32, 64, 1, 512] : tensor<32x64x512xf16> into tensor<1x32x64x1x512xf16>
    %40 = tensor.empty() : tensor<1x1x512x32x64xf16>
    %41 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x32x64x1x512xf16>) outs(%40 : tensor<1x1x512x32x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x512x32x64xf16>
    %collapsed_12 = tensor.collapse_shape %41 [[0], [1, 2], [3], [4]] : tensor<1x1x512x32x64xf16> into tensor<1x512x32x64xf16>
    return %collapsed_12 : tensor<1x512x32x64xf16>
  }
}

