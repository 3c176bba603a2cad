#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @lstm_cell(%arg0: tensor<4096x1024xf16>, %arg1: tensor<4096x1024xf16>, %arg2: tensor<4096xf16>, %arg3: tensor<4096xf16>, %arg4: tensor<8x1024xf16>, %arg5: tensor<8x1024xf16>, %arg6: tensor<8x1024xf16>) -> (tensor<8x1024xf16>, tensor<8x1024xf16>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f16
    %0 = tensor.empty() : tensor<1024x4096xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<4096x1024xf16>) outs(%0 : tensor<1024x4096xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<4096xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<4096xf16>) outs(%1 : tensor<4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<4096xf32>
    %3 = tensor.empty() : tensor<8x1024xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<8x1024xf16>) outs(%3 : tensor<8x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<8x1024xf32>
    %5 = tensor.empty() : tensor<1024x4096xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<1024x4096xf16>) outs(%5 : tensor<1024x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<1024x4096xf32>
    %7 = tensor.empty() : tensor<8x4096xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %9 = linalg.matmul ins(%4, %6 : tensor<8x1024xf32>, tensor<1024x4096xf32>) outs(%8 : tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %2 : tensor<8x4096xf32>, tensor<4096xf32>) outs(%7 : tensor<8x4096xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.addf %in, %in_5 : f32
      linalg.yield %30 : f32
    } -> tensor<8x4096xf32>
    %11 = tensor.empty() : tensor<8x4096xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<8x4096xf32>) outs(%11 : tensor<8x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<8x4096xf16>
    %transposed_1 = linalg.transpose ins(%arg0 : tensor<4096x1024xf16>) outs(%0 : tensor<1024x4096xf16>) permutation = [1, 0] 
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<4096xf16>) outs(%1 : tensor<4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<4096xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<8x1024xf16>) outs(%3 : tensor<8x1024xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<8x1024xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_1 : tensor<1024x4096xf16>) outs(%5 : tensor<1024x4096xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<1024x4096xf32>
    %16 = linalg.matmul ins(%14, %15 : tensor<8x1024xf32>, tensor<1024x4096xf32>) outs(%8 : tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %13 : tensor<8x4096xf32>, tensor<4096xf32>) outs(%7 : tensor<8x4096xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.addf %in, %in_5 : f32
      linalg.yield %30 : f32
    } -> tensor<8x4096xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<8x4096xf32>) outs(%11 : tensor<8x4096xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<8x4096xf16>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %18 : tensor<8x4096xf16>, tensor<8x4096xf16>) outs(%11 : tensor<8x4096xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %30 = arith.addf %in, %in_5 : f16
      linalg.yield %30 : f16
    } -> tensor<8x4096xf16>
    %extracted_slice = tensor.extract_slice %19[0, 0] [8, 1024] [1, 1] : tensor<8x4096xf16> to tensor<8x1024xf16>
    %extracted_slice_2 = tensor.extract_slice %19[0, 1024] [8, 1024] [1, 1] : tensor<8x4096xf16> to tensor<8x1024xf16>
    %extracted_slice_3 = tensor.extract_slice %19[0, 2048] [8, 1024] [1, 1] : tensor<8x4096xf16> to tensor<8x1024xf16>
    %extracted_slice_4 = tensor.extract_slice %19[0, 3072] [8, 1024] [1, 1] : tensor<8x4096xf16> to tensor<8x1024xf16>
    %20 = tensor.empty() : tensor<8x1024xf16>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<8x1024xf16>) outs(%20 : tensor<8x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.negf %in : f16
      %31 = math.exp %30 : f16
      %32 = arith.addf %31, %cst_0 : f16
      %33 = arith.divf %cst_0, %32 : f16
      linalg.yield %33 : f16
    } -> tensor<8x1024xf16>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_2 : tensor<8x1024xf16>) outs(%20 : tensor<8x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.negf %in : f16
      %31 = math.exp %30 : f16
      %32 = arith.addf %31, %cst_0 : f16
      %33 = arith.divf %cst_0, %32 : f16
      linalg.yield %33 : f16
    } -> tensor<8x1024xf16>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<8x1024xf16>) outs(%20 : tensor<8x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = math.tanh %in : f16
      linalg.yield %30 : f16
    } -> tensor<8x1024xf16>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_4 : tensor<8x1024xf16>) outs(%20 : tensor<8x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.negf %in : f16
      %31 = math.exp %30 : f16
      %32 = arith.addf %31, %cst_0 : f16
      %33 = arith.divf %cst_0, %32 : f16
      linalg.yield %33 : f16
    } -> tensor<8x1024xf16>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %arg6 : tensor<8x1024xf16>, tensor<8x1024xf16>) outs(%20 : tensor<8x1024xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %30 = arith.mulf %in, %in_5 : f16
      linalg.yield %30 : f16
    } -> tensor<8x1024xf16>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%21, %23 : tensor<8x1024xf16>, tensor<8x1024xf16>) outs(%20 : tensor<8x1024xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %30 = arith.mulf %in, %in_5 : f16
      linalg.yield %30 : f16
    } -> tensor<8x1024xf16>
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25, %26 : tensor<8x1024xf16>, tensor<8x1024xf16>) outs(%20 : tensor<8x1024xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %30 = arith.addf %in, %in_5 : f16
      linalg.yield %30 : f16
    } -> tensor<8x1024xf16>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<8x1024xf16>) outs(%20 : tensor<8x1024xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = math.tanh %in : f16
      linalg.yield %30 : f16
    } -> tensor<8x1024xf16>
    %29 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24, %28 : tensor<8x1024xf16>, tensor<8x1024xf16>) outs(%20 : tensor<8x1024xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %30 = arith.mulf %in, %in_5 : f16
      linalg.yield %30 : f16
    } -> tensor<8x1024xf16>
    return %29, %27 : tensor<8x1024xf16>, tensor<8x1024xf16>
  }
}
