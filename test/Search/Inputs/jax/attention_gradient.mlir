#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2, d3)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d1, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
module @jit__lambda {
  func.func public @attention_gradient(%arg0: tensor<1x256x8x64xf16>, %arg1: tensor<1x256x8x64xf16>, %arg2: tensor<1x256x8x64xf16>, %arg3: tensor<1x256x8x64xf16>) -> (tensor<1x256x8x64xf16>, tensor<1x256x8x64xf16>, tensor<1x256x8x64xf16>) {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.250000e-01 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 256, 8, 1, 64] : tensor<1x256x8x64xf16> into tensor<1x256x8x1x64xf16>
    %0 = tensor.empty() : tensor<1x8x256x1x64xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x256x8x1x64xf16>) outs(%0 : tensor<1x8x256x1x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x256x1x64xf16>
    %2 = tensor.empty() : tensor<1x8x64x256xf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x256x8x64xf16>) outs(%2 : tensor<1x8x64x256xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x64x256xf16>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3, 4]] : tensor<1x8x256x1x64xf16> into tensor<8x256x64xf16>
    %collapsed_4 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x8x64x256xf16> into tensor<8x64x256xf16>
    %4 = tensor.empty() : tensor<8x256x256xf32>
    %5 = linalg.fill ins(%cst_3 : f32) outs(%4 : tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<8x256x64xf16>, tensor<8x64x256xf16>) outs(%5 : tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
    %expanded_5 = tensor.expand_shape %6 [[0, 1], [2], [3, 4]] output_shape [1, 8, 256, 1, 256] : tensor<8x256x256xf32> into tensor<1x8x256x1x256xf32>
    %7 = tensor.empty() : tensor<1x8x256x1x256xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<1x8x256x1x256xf32>) outs(%7 : tensor<1x8x256x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.mulf %in, %cst_2 : f32
      linalg.yield %69 : f32
    } -> tensor<1x8x256x1x256xf32>
    %9 = tensor.empty() : tensor<1x8x256x1xf32>
    %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<1x8x256x1xf32>) -> tensor<1x8x256x1xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<1x8x256x1x256xf32>) outs(%10 : tensor<1x8x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.maximumf %out, %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x8x256x1xf32>
    %collapsed_6 = tensor.collapse_shape %11 [[0, 1, 2, 3]] : tensor<1x8x256x1xf32> into tensor<2048xf32>
    %expanded_7 = tensor.expand_shape %collapsed_6 [[0, 1, 2, 3]] output_shape [1, 1, 8, 256] : tensor<2048xf32> into tensor<1x1x8x256xf32>
    %collapsed_8 = tensor.collapse_shape %8 [[0, 1, 2, 3, 4]] : tensor<1x8x256x1x256xf32> into tensor<524288xf32>
    %expanded_9 = tensor.expand_shape %collapsed_8 [[0, 1, 2, 3, 4]] output_shape [1, 1, 8, 256, 256] : tensor<524288xf32> into tensor<1x1x8x256x256xf32>
    %12 = tensor.empty() : tensor<1x1x8x256x256xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x1x8x256xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x8x256x256xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9, %13 : tensor<1x1x8x256x256xf32>, tensor<1x1x8x256x256xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %69 = arith.subf %in, %in_27 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256x256xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x1x8x256x256xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = math.exp %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256x256xf32>
    %16 = tensor.empty() : tensor<1x1x8x256xf32>
    %17 = linalg.fill ins(%cst_3 : f32) outs(%16 : tensor<1x1x8x256xf32>) -> tensor<1x1x8x256xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x1x8x256x256xf32>) outs(%17 : tensor<1x1x8x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.addf %out, %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x8x256xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x8x256x256xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15, %19 : tensor<1x1x8x256x256xf32>, tensor<1x1x8x256x256xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %69 = arith.divf %in, %in_27 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256x256xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x8x256xf32>) outs(%16 : tensor<1x1x8x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.mulf %in, %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256xf32>
    %expanded_10 = tensor.expand_shape %21 [[0], [1], [2], [3, 4]] output_shape [1, 1, 8, 256, 1] : tensor<1x1x8x256xf32> into tensor<1x1x8x256x1xf32>
    %22 = tensor.empty() : tensor<1x1x8x256x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<1x1x8x256x1xf32>) outs(%22 : tensor<1x1x8x256x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.divf %cst_0, %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256x1xf32>
    %24 = tensor.empty() : tensor<1x1x8x256x256xf16>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x8x256x256xf32>) outs(%24 : tensor<1x1x8x256x256xf16>) {
    ^bb0(%in: f32, %out: f16):
      %69 = arith.truncf %in : f32 to f16
      linalg.yield %69 : f16
    } -> tensor<1x1x8x256x256xf16>
    %expanded_11 = tensor.expand_shape %arg3 [[0], [1, 2], [3], [4]] output_shape [1, 1, 256, 8, 64] : tensor<1x256x8x64xf16> into tensor<1x1x256x8x64xf16>
    %26 = tensor.empty() : tensor<1x8x64x1x256xf16>
    %27 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x1x256x8x64xf16>) outs(%26 : tensor<1x8x64x1x256xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x64x1x256xf16>
    %28 = tensor.empty() : tensor<1x8x1x256x64xf16>
    %29 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x8x64x1x256xf16>) outs(%28 : tensor<1x8x1x256x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x1x256x64xf16>
    %30 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x256x8x64xf16>) outs(%2 : tensor<1x8x64x256xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x64x256xf16>
    %collapsed_12 = tensor.collapse_shape %29 [[0, 1], [2, 3], [4]] : tensor<1x8x1x256x64xf16> into tensor<8x256x64xf16>
    %collapsed_13 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<1x8x64x256xf16> into tensor<8x64x256xf16>
    %31 = tensor.empty() : tensor<8x256x256xf16>
    %32 = linalg.fill ins(%cst : f16) outs(%31 : tensor<8x256x256xf16>) -> tensor<8x256x256xf16>
    %33 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<8x256x64xf16>, tensor<8x64x256xf16>) outs(%32 : tensor<8x256x256xf16>) -> tensor<8x256x256xf16>
    %34 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<8x256x256xf16>) outs(%4 : tensor<8x256x256xf32>) {
    ^bb0(%in: f16, %out: f32):
      %69 = arith.extf %in : f16 to f32
      linalg.yield %69 : f32
    } -> tensor<8x256x256xf32>
    %expanded_14 = tensor.expand_shape %34 [[0, 1, 2], [3], [4]] output_shape [1, 1, 8, 256, 256] : tensor<8x256x256xf32> into tensor<1x1x8x256x256xf32>
    %collapsed_15 = tensor.collapse_shape %27 [[0, 1], [2], [3, 4]] : tensor<1x8x64x1x256xf16> into tensor<8x64x256xf16>
    %collapsed_16 = tensor.collapse_shape %25 [[0, 1, 2], [3], [4]] : tensor<1x1x8x256x256xf16> into tensor<8x256x256xf16>
    %35 = tensor.empty() : tensor<8x64x256xf16>
    %36 = linalg.fill ins(%cst : f16) outs(%35 : tensor<8x64x256xf16>) -> tensor<8x64x256xf16>
    %37 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<8x64x256xf16>, tensor<8x256x256xf16>) outs(%36 : tensor<8x64x256xf16>) -> tensor<8x64x256xf16>
    %expanded_17 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [1, 8, 64, 256] : tensor<8x64x256xf16> into tensor<1x8x64x256xf16>
    %38 = tensor.empty() : tensor<1x256x8x64xf16>
    %39 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x8x64x256xf16>) outs(%38 : tensor<1x256x8x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x256x8x64xf16>
    %40 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x1x8x256x1xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x8x256x256xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14, %40 : tensor<1x1x8x256x256xf32>, tensor<1x1x8x256x256xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %69 = arith.mulf %in, %in_27 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256x256xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%41, %15 : tensor<1x1x8x256x256xf32>, tensor<1x1x8x256x256xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %69 = arith.mulf %in, %in_27 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256x256xf32>
    %43 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%42 : tensor<1x1x8x256x256xf32>) outs(%17 : tensor<1x1x8x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.addf %out, %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256xf32>
    %44 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x1x8x256xf32>) outs(%16 : tensor<1x1x8x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.negf %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256xf32>
    %expanded_18 = tensor.expand_shape %44 [[0], [1], [2], [3, 4]] output_shape [1, 1, 8, 256, 1] : tensor<1x1x8x256xf32> into tensor<1x1x8x256x1xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14, %19 : tensor<1x1x8x256x256xf32>, tensor<1x1x8x256x256xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %69 = arith.divf %in, %in_27 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256x256xf32>
    %46 = tensor.empty() : tensor<8x256xf32>
    %47 = linalg.fill ins(%cst_3 : f32) outs(%46 : tensor<8x256xf32>) -> tensor<8x256xf32>
    %48 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%expanded_18 : tensor<1x1x8x256x1xf32>) outs(%47 : tensor<8x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.addf %out, %in : f32
      linalg.yield %69 : f32
    } -> tensor<8x256xf32>
    %49 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<8x256xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x8x256x256xf32>
    %50 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45, %49 : tensor<1x1x8x256x256xf32>, tensor<1x1x8x256x256xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %69 = arith.addf %in, %in_27 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256x256xf32>
    %51 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50, %15 : tensor<1x1x8x256x256xf32>, tensor<1x1x8x256x256xf32>) outs(%12 : tensor<1x1x8x256x256xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %69 = arith.mulf %in, %in_27 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x8x256x256xf32>
    %collapsed_19 = tensor.collapse_shape %51 [[0, 1, 2, 3, 4]] : tensor<1x1x8x256x256xf32> into tensor<524288xf32>
    %expanded_20 = tensor.expand_shape %collapsed_19 [[0, 1, 2, 3, 4]] output_shape [1, 8, 256, 1, 256] : tensor<524288xf32> into tensor<1x8x256x1x256xf32>
    %52 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x8x256x1x256xf32>) outs(%7 : tensor<1x8x256x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.mulf %in, %cst_2 : f32
      linalg.yield %69 : f32
    } -> tensor<1x8x256x1x256xf32>
    %53 = tensor.empty() : tensor<1x8x256x1x256xf16>
    %54 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<1x8x256x1x256xf32>) outs(%53 : tensor<1x8x256x1x256xf16>) {
    ^bb0(%in: f32, %out: f16):
      %69 = arith.truncf %in : f32 to f16
      linalg.yield %69 : f16
    } -> tensor<1x8x256x1x256xf16>
    %55 = tensor.empty() : tensor<1x8x256x256x1xf16>
    %56 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x8x256x1x256xf16>) outs(%55 : tensor<1x8x256x256x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x256x256x1xf16>
    %collapsed_21 = tensor.collapse_shape %56 [[0, 1], [2], [3, 4]] : tensor<1x8x256x256x1xf16> into tensor<8x256x256xf16>
    %57 = tensor.empty() : tensor<8x256x64xf32>
    %58 = linalg.fill ins(%cst_3 : f32) outs(%57 : tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
    %59 = linalg.batch_matmul ins(%collapsed_21, %collapsed : tensor<8x256x256xf16>, tensor<8x256x64xf16>) outs(%58 : tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
    %60 = tensor.empty() : tensor<8x256x64xf16>
    %61 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<8x256x64xf32>) outs(%60 : tensor<8x256x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %69 = arith.truncf %in : f32 to f16
      linalg.yield %69 : f16
    } -> tensor<8x256x64xf16>
    %expanded_22 = tensor.expand_shape %61 [[0, 1], [2], [3]] output_shape [1, 8, 256, 64] : tensor<8x256x64xf16> into tensor<1x8x256x64xf16>
    %62 = linalg.generic {indexing_maps = [#map14, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<1x8x256x64xf16>) outs(%38 : tensor<1x256x8x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x256x8x64xf16>
    %63 = tensor.empty() : tensor<1x8x256x64xf16>
    %64 = linalg.generic {indexing_maps = [#map14, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x256x8x64xf16>) outs(%63 : tensor<1x8x256x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x8x256x64xf16>
    %collapsed_23 = tensor.collapse_shape %54 [[0, 1], [2], [3, 4]] : tensor<1x8x256x1x256xf16> into tensor<8x256x256xf16>
    %collapsed_24 = tensor.collapse_shape %64 [[0, 1], [2], [3]] : tensor<1x8x256x64xf16> into tensor<8x256x64xf16>
    %65 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<8x256x256xf16>, tensor<8x256x64xf16>) outs(%58 : tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
    %66 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<8x256x64xf32>) outs(%60 : tensor<8x256x64xf16>) {
    ^bb0(%in: f32, %out: f16):
      %69 = arith.truncf %in : f32 to f16
      linalg.yield %69 : f16
    } -> tensor<8x256x64xf16>
    %expanded_25 = tensor.expand_shape %66 [[0, 1], [2], [3, 4]] output_shape [1, 8, 256, 1, 64] : tensor<8x256x64xf16> into tensor<1x8x256x1x64xf16>
    %67 = tensor.empty() : tensor<1x256x8x1x64xf16>
    %68 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x8x256x1x64xf16>) outs(%67 : tensor<1x256x8x1x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x256x8x1x64xf16>
    %collapsed_26 = tensor.collapse_shape %68 [[0], [1], [2], [3, 4]] : tensor<1x256x8x1x64xf16> into tensor<1x256x8x64xf16>
    return %collapsed_26, %62, %39 : tensor<1x256x8x64xf16>, tensor<1x256x8x64xf16>, tensor<1x256x8x64xf16>
  }
}

