#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d1)>
module @jit_function {
  func.func public @llama_mlp(%arg0: tensor<8x4096xf16>, %arg1: tensor<4096xf16>, %arg2: tensor<4096x11008xf16>, %arg3: tensor<4096x11008xf16>, %arg4: tensor<11008x4096xf16>) -> tensor<8x4096xf16> {
    %cst = arith.constant 1.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f16
    %cst_1 = arith.constant 9.99999974E-6 : f32
    %cst_2 = arith.constant 4.096000e+03 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x4096xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x4096xf16>) outs(%0 : tensor<8x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %29 = arith.extf %in : f16 to f32
      linalg.yield %29 : f32
    } -> tensor<8x4096xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x4096xf32>) outs(%0 : tensor<8x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.mulf %in, %in : f32
      linalg.yield %29 : f32
    } -> tensor<8x4096xf32>
    %3 = tensor.empty() : tensor<8xf32>
    %4 = linalg.fill ins(%cst_3 : f32) outs(%3 : tensor<8xf32>) -> tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<8x4096xf32>) outs(%4 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %out, %in : f32
      linalg.yield %29 : f32
    } -> tensor<8xf32>
    %expanded = tensor.expand_shape %5 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %6 = tensor.empty() : tensor<8x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<8x1xf32>) outs(%6 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.divf %in, %cst_2 : f32
      linalg.yield %29 : f32
    } -> tensor<8x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<8x1xf32>) outs(%6 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %in, %cst_1 : f32
      linalg.yield %29 : f32
    } -> tensor<8x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<8x1xf32>) outs(%6 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = math.rsqrt %in : f32
      linalg.yield %29 : f32
    } -> tensor<8x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<8x1xf32>) outs(%0 : tensor<8x4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4096xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %10 : tensor<8x4096xf32>, tensor<8x4096xf32>) outs(%0 : tensor<8x4096xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %29 = arith.mulf %in, %in_4 : f32
      linalg.yield %29 : f32
    } -> tensor<8x4096xf32>
    %12 = tensor.empty() : tensor<8x4096xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<8x4096xf32>) outs(%12 : tensor<8x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %29 = arith.truncf %in : f32 to f16
      linalg.yield %29 : f16
    } -> tensor<8x4096xf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4096xf16>) outs(%12 : tensor<8x4096xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<8x4096xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %14 : tensor<8x4096xf16>, tensor<8x4096xf16>) outs(%12 : tensor<8x4096xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %29 = arith.mulf %in, %in_4 : f16
      linalg.yield %29 : f16
    } -> tensor<8x4096xf16>
    %16 = tensor.empty() : tensor<8x11008xf16>
    %17 = linalg.fill ins(%cst_0 : f16) outs(%16 : tensor<8x11008xf16>) -> tensor<8x11008xf16>
    %18 = linalg.matmul ins(%15, %arg2 : tensor<8x4096xf16>, tensor<4096x11008xf16>) outs(%17 : tensor<8x11008xf16>) -> tensor<8x11008xf16>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<8x11008xf16>) outs(%16 : tensor<8x11008xf16>) {
    ^bb0(%in: f16, %out: f16):
      %29 = arith.negf %in : f16
      linalg.yield %29 : f16
    } -> tensor<8x11008xf16>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<8x11008xf16>) outs(%16 : tensor<8x11008xf16>) {
    ^bb0(%in: f16, %out: f16):
      %29 = math.exp %in : f16
      linalg.yield %29 : f16
    } -> tensor<8x11008xf16>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<8x11008xf16>) outs(%16 : tensor<8x11008xf16>) {
    ^bb0(%in: f16, %out: f16):
      %29 = arith.addf %in, %cst : f16
      linalg.yield %29 : f16
    } -> tensor<8x11008xf16>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<8x11008xf16>) outs(%16 : tensor<8x11008xf16>) {
    ^bb0(%in: f16, %out: f16):
      %29 = arith.divf %cst, %in : f16
      linalg.yield %29 : f16
    } -> tensor<8x11008xf16>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %22 : tensor<8x11008xf16>, tensor<8x11008xf16>) outs(%16 : tensor<8x11008xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %29 = arith.mulf %in, %in_4 : f16
      linalg.yield %29 : f16
    } -> tensor<8x11008xf16>
    %24 = linalg.matmul ins(%15, %arg3 : tensor<8x4096xf16>, tensor<4096x11008xf16>) outs(%17 : tensor<8x11008xf16>) -> tensor<8x11008xf16>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%23, %24 : tensor<8x11008xf16>, tensor<8x11008xf16>) outs(%16 : tensor<8x11008xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %29 = arith.mulf %in, %in_4 : f16
      linalg.yield %29 : f16
    } -> tensor<8x11008xf16>
    %26 = linalg.fill ins(%cst_0 : f16) outs(%12 : tensor<8x4096xf16>) -> tensor<8x4096xf16>
    %27 = linalg.matmul ins(%25, %arg4 : tensor<8x11008xf16>, tensor<11008x4096xf16>) outs(%26 : tensor<8x4096xf16>) -> tensor<8x4096xf16>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %27 : tensor<8x4096xf16>, tensor<8x4096xf16>) outs(%12 : tensor<8x4096xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %29 = arith.addf %in, %in_4 : f16
      linalg.yield %29 : f16
    } -> tensor<8x4096xf16>
    return %28 : tensor<8x4096xf16>
  }
}

