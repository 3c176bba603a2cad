// RUN: mirage-opt --convert-linalg-to-mirage --split-input-file %s 2>/dev/null | FileCheck %s

// What torch-mlir (20261001, PyTorch 2.13.0) makes of modules, by utils/programs/torch_modules.py all --small. All is imported but for masks of positions,
// and which rows of a mask of the caller's have something left.

// CHECK-LABEL: func.func @rms_linear(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @rms_linear(%arg0: tensor<8xf16>, %arg1: tensor<12x8xf16>, %arg2: tensor<2x8xf16>) -> tensor<2x12xf16> {
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e-05 : f64
    %cst_1 = arith.constant 8.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<2x8xf16>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %19 = arith.extf %in : f16 to f32
      linalg.yield %19 : f32
    } -> tensor<2x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x8xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %19 : f32
    } -> tensor<2x8xf32>
    %3 = tensor.empty() : tensor<2x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x1xf32>) -> tensor<2x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<2x8xf32>) outs(%4 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.addf %in, %out : f32
      linalg.yield %19 : f32
    } -> tensor<2x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<2x1xf32>) outs(%3 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.divf %in, %cst_1 : f32
      linalg.yield %19 : f32
    } -> tensor<2x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<2x1xf32>) outs(%3 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.truncf %cst_0 : f64 to f32
      %20 = arith.addf %in, %19 : f32
      linalg.yield %20 : f32
    } -> tensor<2x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<2x1xf32>) outs(%3 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.rsqrt %in : f32
      linalg.yield %19 : f32
    } -> tensor<2x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %8 : tensor<2x8xf32>, tensor<2x1xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %19 = arith.mulf %in, %in_2 : f32
      linalg.yield %19 : f32
    } -> tensor<2x8xf32>
    %10 = tensor.empty() : tensor<2x8xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<2x8xf32>) outs(%10 : tensor<2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %19 = arith.truncf %in : f32 to f16
      linalg.yield %19 : f16
    } -> tensor<2x8xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%11, %arg0 : tensor<2x8xf16>, tensor<8xf16>) outs(%10 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %in_2: f16, %out: f16):
      %19 = arith.mulf %in, %in_2 : f16
      linalg.yield %19 : f16
    } -> tensor<2x8xf16>
    %13 = tensor.empty() : tensor<8x12xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<12x8xf16>) outs(%13 : tensor<8x12xf16>) permutation = [1, 0] 
    %14 = tensor.empty() : tensor<2x12xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<2x12xf32>) -> tensor<2x12xf32>
    %16 = linalg.matmul ins(%12, %transposed : tensor<2x8xf16>, tensor<8x12xf16>) outs(%15 : tensor<2x12xf32>) -> tensor<2x12xf32>
    %17 = tensor.empty() : tensor<2x12xf16>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<2x12xf32>) outs(%17 : tensor<2x12xf16>) {
    ^bb0(%in: f32, %out: f16):
      %19 = arith.truncf %in : f32 to f16
      linalg.yield %19 : f16
    } -> tensor<2x12xf16>
    return %18 : tensor<2x12xf16>
  }
}

// -----

// CHECK-LABEL: func.func @llama_mlp(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @llama_mlp(%arg0: tensor<8xf16>, %arg1: tensor<12x8xf16>, %arg2: tensor<12x8xf16>, %arg3: tensor<8x12xf16>, %arg4: tensor<2x8xf16>) -> tensor<2x8xf16> {
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 8.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<2x8xf16>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %31 = arith.extf %in : f16 to f32
      linalg.yield %31 : f32
    } -> tensor<2x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x8xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %31 : f32
    } -> tensor<2x8xf32>
    %3 = tensor.empty() : tensor<2x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x1xf32>) -> tensor<2x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<2x8xf32>) outs(%4 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %in, %out : f32
      linalg.yield %31 : f32
    } -> tensor<2x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<2x1xf32>) outs(%3 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.divf %in, %cst_2 : f32
      linalg.yield %31 : f32
    } -> tensor<2x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<2x1xf32>) outs(%3 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.truncf %cst_1 : f64 to f32
      %32 = arith.addf %in, %31 : f32
      linalg.yield %32 : f32
    } -> tensor<2x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<2x1xf32>) outs(%3 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.rsqrt %in : f32
      linalg.yield %31 : f32
    } -> tensor<2x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %8 : tensor<2x8xf32>, tensor<2x1xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %31 = arith.mulf %in, %in_5 : f32
      linalg.yield %31 : f32
    } -> tensor<2x8xf32>
    %10 = tensor.empty() : tensor<2x8xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<2x8xf32>) outs(%10 : tensor<2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<2x8xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%11, %arg0 : tensor<2x8xf16>, tensor<8xf16>) outs(%10 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %31 = arith.mulf %in, %in_5 : f16
      linalg.yield %31 : f16
    } -> tensor<2x8xf16>
    %13 = tensor.empty() : tensor<8x12xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<12x8xf16>) outs(%13 : tensor<8x12xf16>) permutation = [1, 0] 
    %14 = tensor.empty() : tensor<2x12xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<2x12xf32>) -> tensor<2x12xf32>
    %16 = linalg.matmul ins(%12, %transposed : tensor<2x8xf16>, tensor<8x12xf16>) outs(%15 : tensor<2x12xf32>) -> tensor<2x12xf32>
    %17 = tensor.empty() : tensor<2x12xf16>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<2x12xf32>) outs(%17 : tensor<2x12xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<2x12xf16>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<2x12xf16>) outs(%14 : tensor<2x12xf32>) {
    ^bb0(%in: f16, %out: f32):
      %31 = arith.extf %in : f16 to f32
      linalg.yield %31 : f32
    } -> tensor<2x12xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<2x12xf32>) outs(%14 : tensor<2x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.negf %in : f32
      %32 = math.exp %31 : f32
      %33 = arith.addf %32, %cst_0 : f32
      %34 = arith.divf %cst_0, %33 : f32
      linalg.yield %34 : f32
    } -> tensor<2x12xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %20 : tensor<2x12xf32>, tensor<2x12xf32>) outs(%14 : tensor<2x12xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %31 = arith.mulf %in, %in_5 : f32
      linalg.yield %31 : f32
    } -> tensor<2x12xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<2x12xf32>) outs(%17 : tensor<2x12xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<2x12xf16>
    %transposed_3 = linalg.transpose ins(%arg2 : tensor<12x8xf16>) outs(%13 : tensor<8x12xf16>) permutation = [1, 0] 
    %23 = linalg.matmul ins(%12, %transposed_3 : tensor<2x8xf16>, tensor<8x12xf16>) outs(%15 : tensor<2x12xf32>) -> tensor<2x12xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<2x12xf32>) outs(%17 : tensor<2x12xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<2x12xf16>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %24 : tensor<2x12xf16>, tensor<2x12xf16>) outs(%17 : tensor<2x12xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %31 = arith.mulf %in, %in_5 : f16
      linalg.yield %31 : f16
    } -> tensor<2x12xf16>
    %26 = tensor.empty() : tensor<12x8xf16>
    %transposed_4 = linalg.transpose ins(%arg3 : tensor<8x12xf16>) outs(%26 : tensor<12x8xf16>) permutation = [1, 0] 
    %27 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %28 = linalg.matmul ins(%25, %transposed_4 : tensor<2x12xf16>, tensor<12x8xf16>) outs(%27 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<2x8xf32>) outs(%10 : tensor<2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %31 = arith.truncf %in : f32 to f16
      linalg.yield %31 : f16
    } -> tensor<2x8xf16>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4, %29 : tensor<2x8xf16>, tensor<2x8xf16>) outs(%10 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %31 = arith.addf %in, %in_5 : f16
      linalg.yield %31 : f16
    } -> tensor<2x8xf16>
    return %30 : tensor<2x8xf16>
  }
}

// -----

// CHECK-LABEL: func.func @lora(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @lora(%arg0: tensor<8x8xf16>, %arg1: tensor<2x8xf16>, %arg2: tensor<8x2xf16>, %arg3: tensor<2x8xf16>) -> tensor<2x8xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f16
    %0 = tensor.empty() : tensor<8x8xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<8x8xf16>) outs(%0 : tensor<8x8xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<2x8xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %3 = linalg.matmul ins(%arg3, %transposed : tensor<2x8xf16>, tensor<8x8xf16>) outs(%2 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %4 = tensor.empty() : tensor<2x8xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<2x8xf32>) outs(%4 : tensor<2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %16 = arith.truncf %in : f32 to f16
      linalg.yield %16 : f16
    } -> tensor<2x8xf16>
    %6 = tensor.empty() : tensor<8x2xf16>
    %transposed_1 = linalg.transpose ins(%arg1 : tensor<2x8xf16>) outs(%6 : tensor<8x2xf16>) permutation = [1, 0] 
    %7 = tensor.empty() : tensor<2x2xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x2xf32>) -> tensor<2x2xf32>
    %9 = linalg.matmul ins(%arg3, %transposed_1 : tensor<2x8xf16>, tensor<8x2xf16>) outs(%8 : tensor<2x2xf32>) -> tensor<2x2xf32>
    %10 = tensor.empty() : tensor<2x2xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<2x2xf32>) outs(%10 : tensor<2x2xf16>) {
    ^bb0(%in: f32, %out: f16):
      %16 = arith.truncf %in : f32 to f16
      linalg.yield %16 : f16
    } -> tensor<2x2xf16>
    %transposed_2 = linalg.transpose ins(%arg2 : tensor<8x2xf16>) outs(%4 : tensor<2x8xf16>) permutation = [1, 0] 
    %12 = linalg.matmul ins(%11, %transposed_2 : tensor<2x2xf16>, tensor<2x8xf16>) outs(%2 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<2x8xf32>) outs(%4 : tensor<2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %16 = arith.truncf %in : f32 to f16
      linalg.yield %16 : f16
    } -> tensor<2x8xf16>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<2x8xf16>) outs(%4 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %16 = arith.mulf %in, %cst_0 : f16
      linalg.yield %16 : f16
    } -> tensor<2x8xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %14 : tensor<2x8xf16>, tensor<2x8xf16>) outs(%4 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %in_3: f16, %out: f16):
      %16 = arith.addf %in, %in_3 : f16
      linalg.yield %16 : f16
    } -> tensor<2x8xf16>
    return %15 : tensor<2x8xf16>
  }
}

// -----

// CHECK-LABEL: func.func @experts(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @experts(%arg0: tensor<3x8xf16>, %arg1: tensor<2x8x12xf16>) -> tensor<3x2x12xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %expanded = tensor.expand_shape %arg1 [[0], [1], [2, 3]] output_shape [2, 8, 12, 1] : tensor<2x8x12xf16> into tensor<2x8x12x1xf16>
    %expanded_1 = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [1, 3, 8] : tensor<3x8xf16> into tensor<1x3x8xf16>
    %0 = tensor.empty() : tensor<8x2x12x1xf16>
    %transposed = linalg.transpose ins(%expanded : tensor<2x8x12x1xf16>) outs(%0 : tensor<8x2x12x1xf16>) permutation = [1, 0, 2, 3] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2, 3]] : tensor<8x2x12x1xf16> into tensor<8x24xf16>
    %expanded_2 = tensor.expand_shape %collapsed [[0, 1], [2]] output_shape [1, 8, 24] : tensor<8x24xf16> into tensor<1x8x24xf16>
    %1 = tensor.empty() : tensor<1x3x24xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x3x24xf32>) -> tensor<1x3x24xf32>
    %3 = linalg.batch_matmul ins(%expanded_1, %expanded_2 : tensor<1x3x8xf16>, tensor<1x8x24xf16>) outs(%2 : tensor<1x3x24xf32>) -> tensor<1x3x24xf32>
    %4 = tensor.empty() : tensor<1x3x24xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x3x24xf32>) outs(%4 : tensor<1x3x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %13 = arith.truncf %in : f32 to f16
      linalg.yield %13 : f16
    } -> tensor<1x3x24xf16>
    %collapsed_3 = tensor.collapse_shape %5 [[0, 1], [2]] : tensor<1x3x24xf16> into tensor<3x24xf16>
    %expanded_4 = tensor.expand_shape %collapsed_3 [[0], [1, 2, 3]] output_shape [3, 1, 2, 12] : tensor<3x24xf16> into tensor<3x1x2x12xf16>
    %6 = tensor.empty() : tensor<3x2x12x1xf16>
    %transposed_5 = linalg.transpose ins(%expanded_4 : tensor<3x1x2x12xf16>) outs(%6 : tensor<3x2x12x1xf16>) permutation = [0, 2, 3, 1] 
    %collapsed_6 = tensor.collapse_shape %transposed_5 [[0], [1], [2, 3]] : tensor<3x2x12x1xf16> into tensor<3x2x12xf16>
    %7 = tensor.empty() : tensor<3x2x12xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_6 : tensor<3x2x12xf16>) outs(%7 : tensor<3x2x12xf32>) {
    ^bb0(%in: f16, %out: f32):
      %13 = arith.extf %in : f16 to f32
      linalg.yield %13 : f32
    } -> tensor<3x2x12xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<3x2x12xf32>) outs(%7 : tensor<3x2x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.negf %in : f32
      %14 = math.exp %13 : f32
      %15 = arith.addf %14, %cst_0 : f32
      %16 = arith.divf %cst_0, %15 : f32
      linalg.yield %16 : f32
    } -> tensor<3x2x12xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<3x2x12xf32>, tensor<3x2x12xf32>) outs(%7 : tensor<3x2x12xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %13 = arith.mulf %in, %in_7 : f32
      linalg.yield %13 : f32
    } -> tensor<3x2x12xf32>
    %11 = tensor.empty() : tensor<3x2x12xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<3x2x12xf32>) outs(%11 : tensor<3x2x12xf16>) {
    ^bb0(%in: f32, %out: f16):
      %13 = arith.truncf %in : f32 to f16
      linalg.yield %13 : f16
    } -> tensor<3x2x12xf16>
    return %12 : tensor<3x2x12xf16>
  }
}

// -----

// CHECK-LABEL: func.func @geglu(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @geglu(%arg0: tensor<24x8xf16>, %arg1: tensor<24xf16>, %arg2: tensor<2x8xf16>) -> tensor<2x12xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f16
    %cst_1 = arith.constant 2.000000e+00 : f16
    %cst_2 = arith.constant 5.000000e-01 : f16
    %0 = tensor.empty() : tensor<8x24xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<24x8xf16>) outs(%0 : tensor<8x24xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<24xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<24xf16>) outs(%1 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %16 = arith.extf %in : f16 to f32
      linalg.yield %16 : f32
    } -> tensor<24xf32>
    %3 = tensor.empty() : tensor<2x8xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<2x8xf16>) outs(%3 : tensor<2x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %16 = arith.extf %in : f16 to f32
      linalg.yield %16 : f32
    } -> tensor<2x8xf32>
    %5 = tensor.empty() : tensor<8x24xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<8x24xf16>) outs(%5 : tensor<8x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %16 = arith.extf %in : f16 to f32
      linalg.yield %16 : f32
    } -> tensor<8x24xf32>
    %7 = tensor.empty() : tensor<2x24xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %9 = linalg.matmul ins(%4, %6 : tensor<2x8xf32>, tensor<8x24xf32>) outs(%8 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %2 : tensor<2x24xf32>, tensor<24xf32>) outs(%7 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %16 = arith.addf %in, %in_4 : f32
      linalg.yield %16 : f32
    } -> tensor<2x24xf32>
    %11 = tensor.empty() : tensor<2x24xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<2x24xf32>) outs(%11 : tensor<2x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %16 = arith.truncf %in : f32 to f16
      linalg.yield %16 : f16
    } -> tensor<2x24xf16>
    %extracted_slice = tensor.extract_slice %12[0, 0] [2, 12] [1, 1] : tensor<2x24xf16> to tensor<2x12xf16>
    %extracted_slice_3 = tensor.extract_slice %12[0, 12] [2, 12] [1, 1] : tensor<2x24xf16> to tensor<2x12xf16>
    %13 = tensor.empty() : tensor<2x12xf16>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<2x12xf16>) outs(%13 : tensor<2x12xf16>) {
    ^bb0(%in: f16, %out: f16):
      %16 = math.sqrt %cst_1 : f16
      %17 = arith.divf %in, %16 : f16
      %18 = math.erf %17 : f16
      %19 = arith.addf %18, %cst_0 : f16
      %20 = arith.mulf %19, %cst_2 : f16
      %21 = arith.mulf %in, %20 : f16
      linalg.yield %21 : f16
    } -> tensor<2x12xf16>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %14 : tensor<2x12xf16>, tensor<2x12xf16>) outs(%13 : tensor<2x12xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %16 = arith.mulf %in, %in_4 : f16
      linalg.yield %16 : f16
    } -> tensor<2x12xf16>
    return %15 : tensor<2x12xf16>
  }
}

// -----

// CHECK-LABEL: func.func @norm_linear_gelu(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0) -> (d0)>
module {
  func.func @norm_linear_gelu(%arg0: tensor<8xf16>, %arg1: tensor<8xf16>, %arg2: tensor<8x8xf16>, %arg3: tensor<8xf16>, %arg4: tensor<2x8xf16>) -> tensor<2x8xf16> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e+00 : f16
    %cst_2 = arith.constant 2.000000e+00 : f16
    %cst_3 = arith.constant 5.000000e-01 : f16
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 8.000000e+00 : f64
    %cst_6 = arith.constant 8.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<2x8xf16>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<2x8xf32>
    %2 = tensor.empty() : tensor<2x8xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x8xf32>) outs(%2 : tensor<2x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %36 = arith.extf %in : f32 to f64
      linalg.yield %36 : f64
    } -> tensor<2x8xf64>
    %4 = tensor.empty() : tensor<2x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<2x1xf64>) -> tensor<2x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<2x8xf64>) outs(%5 : tensor<2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %36 = arith.addf %in, %out : f64
      linalg.yield %36 : f64
    } -> tensor<2x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<2x1xf64>) outs(%4 : tensor<2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %36 = arith.divf %in, %cst_5 : f64
      linalg.yield %36 : f64
    } -> tensor<2x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %7 : tensor<2x8xf64>, tensor<2x1xf64>) outs(%2 : tensor<2x8xf64>) {
    ^bb0(%in: f64, %in_7: f64, %out: f64):
      %36 = arith.subf %in, %in_7 : f64
      linalg.yield %36 : f64
    } -> tensor<2x8xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %8 : tensor<2x8xf64>, tensor<2x8xf64>) outs(%2 : tensor<2x8xf64>) {
    ^bb0(%in: f64, %in_7: f64, %out: f64):
      %36 = arith.mulf %in, %in_7 : f64
      linalg.yield %36 : f64
    } -> tensor<2x8xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<2x8xf64>) outs(%5 : tensor<2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %36 = arith.addf %in, %out : f64
      linalg.yield %36 : f64
    } -> tensor<2x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<2x1xf64>) outs(%4 : tensor<2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %36 = arith.divf %in, %cst_5 : f64
      linalg.yield %36 : f64
    } -> tensor<2x1xf64>
    %12 = tensor.empty() : tensor<2x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<2x1xf64>) outs(%12 : tensor<2x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %36 = arith.truncf %in : f64 to f32
      linalg.yield %36 : f32
    } -> tensor<2x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x1xf32>) -> tensor<2x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<2x8xf32>) outs(%14 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %in, %out : f32
      linalg.yield %36 : f32
    } -> tensor<2x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<2x1xf32>) outs(%12 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.divf %in, %cst_6 : f32
      linalg.yield %36 : f32
    } -> tensor<2x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<2x1xf32>) outs(%12 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.truncf %cst_4 : f64 to f32
      %37 = arith.addf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<2x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<2x1xf32>) outs(%12 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = math.rsqrt %in : f32
      linalg.yield %36 : f32
    } -> tensor<2x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %16 : tensor<2x8xf32>, tensor<2x1xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %36 = arith.subf %in, %in_7 : f32
      linalg.yield %36 : f32
    } -> tensor<2x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %18 : tensor<2x8xf32>, tensor<2x1xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %36 = arith.mulf %in, %in_7 : f32
      linalg.yield %36 : f32
    } -> tensor<2x8xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %arg0 : tensor<2x8xf32>, tensor<8xf16>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_7: f16, %out: f32):
      %36 = arith.extf %in_7 : f16 to f32
      %37 = arith.mulf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<2x8xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %arg1 : tensor<2x8xf32>, tensor<8xf16>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_7: f16, %out: f32):
      %36 = arith.extf %in_7 : f16 to f32
      %37 = arith.addf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<2x8xf32>
    %23 = tensor.empty() : tensor<2x8xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<2x8xf32>) outs(%23 : tensor<2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x8xf16>
    %25 = tensor.empty() : tensor<8x8xf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<8x8xf16>) outs(%25 : tensor<8x8xf16>) permutation = [1, 0] 
    %26 = tensor.empty() : tensor<8xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg3 : tensor<8xf16>) outs(%26 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<8xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<2x8xf16>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<2x8xf32>
    %29 = tensor.empty() : tensor<8x8xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<8x8xf16>) outs(%29 : tensor<8x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<8x8xf32>
    %31 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %32 = linalg.matmul ins(%28, %30 : tensor<2x8xf32>, tensor<8x8xf32>) outs(%31 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%32, %27 : tensor<2x8xf32>, tensor<8xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %36 = arith.addf %in, %in_7 : f32
      linalg.yield %36 : f32
    } -> tensor<2x8xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<2x8xf32>) outs(%23 : tensor<2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x8xf16>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<2x8xf16>) outs(%23 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = math.sqrt %cst_2 : f16
      %37 = arith.divf %in, %36 : f16
      %38 = math.erf %37 : f16
      %39 = arith.addf %38, %cst_1 : f16
      %40 = arith.mulf %39, %cst_3 : f16
      %41 = arith.mulf %in, %40 : f16
      linalg.yield %41 : f16
    } -> tensor<2x8xf16>
    return %35 : tensor<2x8xf16>
  }
}

// -----

// CHECK-LABEL: func.func @attention(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention(%arg0: tensor<1x4x4x4xf16>, %arg1: tensor<1x4x6x4xf16>, %arg2: tensor<1x4x6x4xf16>) -> tensor<1x4x4x4xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x4x4x6xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.70710678118654757 : f64
    %0 = tensor.empty() : tensor<1x4x4x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x4x4x4xf16>) outs(%0 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %33 = arith.extf %in : f16 to f32
      linalg.yield %33 : f32
    } -> tensor<1x4x4x4xf32>
    %2 = tensor.empty() : tensor<1x4x6x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x4x6x4xf16>) outs(%2 : tensor<1x4x6x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %33 = arith.extf %in : f16 to f32
      linalg.yield %33 : f32
    } -> tensor<1x4x6x4xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x4x6x4xf16>) outs(%2 : tensor<1x4x6x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %33 = arith.extf %in : f16 to f32
      linalg.yield %33 : f32
    } -> tensor<1x4x6x4xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x4x4x4xf32>) outs(%0 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.truncf %cst_3 : f64 to f32
      %34 = arith.mulf %in, %33 : f32
      linalg.yield %34 : f32
    } -> tensor<1x4x4x4xf32>
    %6 = tensor.empty() : tensor<1x4x4x6xf32>
    %transposed = linalg.transpose ins(%3 : tensor<1x4x6x4xf32>) outs(%6 : tensor<1x4x4x6xf32>) permutation = [0, 1, 3, 2] 
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x4x4x6xf32>) outs(%6 : tensor<1x4x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.truncf %cst_3 : f64 to f32
      %34 = arith.mulf %in, %33 : f32
      linalg.yield %34 : f32
    } -> tensor<1x4x4x6xf32>
    %collapsed = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<1x4x4x4xf32> into tensor<4x4x4xf32>
    %collapsed_4 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x4x4x6xf32> into tensor<4x4x6xf32>
    %8 = tensor.empty() : tensor<4x4x6xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<4x4x6xf32>) -> tensor<4x4x6xf32>
    %10 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<4x4x4xf32>, tensor<4x4x6xf32>) outs(%9 : tensor<4x4x6xf32>) -> tensor<4x4x6xf32>
    %expanded = tensor.expand_shape %10 [[0, 1], [2], [3]] output_shape [1, 4, 4, 6] : tensor<4x4x6xf32> into tensor<1x4x4x6xf32>
    %11 = tensor.empty() : tensor<1x4x4xi64>
    %12 = linalg.fill ins(%c0_i64 : i64) outs(%11 : tensor<1x4x4xi64>) -> tensor<1x4x4xi64>
    %13 = tensor.empty() : tensor<1x4x4xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
    %15:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded : tensor<1x4x4x6xf32>) outs(%14, %12 : tensor<1x4x4xf32>, tensor<1x4x4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_9: i64):
      %33 = linalg.index 3 : index
      %34 = arith.index_cast %33 : index to i64
      %35 = arith.maximumf %in, %out : f32
      %36 = arith.cmpf ogt, %in, %out : f32
      %37 = arith.select %36, %34, %out_9 : i64
      linalg.yield %35, %37 : f32, i64
    } -> (tensor<1x4x4xf32>, tensor<1x4x4xi64>)
    %expanded_5 = tensor.expand_shape %15#0 [[0], [1], [2, 3]] output_shape [1, 4, 4, 1] : tensor<1x4x4xf32> into tensor<1x4x4x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_5 : tensor<1x4x4x6xf32>, tensor<1x4x4x1xf32>) outs(%6 : tensor<1x4x4x6xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %33 = arith.subf %in, %in_9 : f32
      linalg.yield %33 : f32
    } -> tensor<1x4x4x6xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x4x4x6xf32>) outs(%6 : tensor<1x4x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = math.exp %in : f32
      linalg.yield %33 : f32
    } -> tensor<1x4x4x6xf32>
    %18 = tensor.empty() : tensor<1x4x4x1xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<1x4x4x6xf32>) outs(%19 : tensor<1x4x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.addf %in, %out : f32
      linalg.yield %33 : f32
    } -> tensor<1x4x4x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<1x4x4x6xf32>, tensor<1x4x4x1xf32>) outs(%6 : tensor<1x4x4x6xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %33 = arith.divf %in, %in_9 : f32
      linalg.yield %33 : f32
    } -> tensor<1x4x4x6xf32>
    %22 = tensor.empty() : tensor<1x4x4x6xi1>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x4x4x6xf32>) outs(%22 : tensor<1x4x4x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %33 = arith.extf %in : f32 to f64
      %34 = arith.cmpf oeq, %33, %cst_2 : f64
      linalg.yield %34 : i1
    } -> tensor<1x4x4x6xi1>
    %24 = tensor.empty() : tensor<1x4x4x1xi1>
    %25 = linalg.fill ins(%true : i1) outs(%24 : tensor<1x4x4x1xi1>) -> tensor<1x4x4x1xi1>
    %26 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<1x4x4x6xi1>) outs(%25 : tensor<1x4x4x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %33 = arith.andi %in, %out : i1
      linalg.yield %33 : i1
    } -> tensor<1x4x4x1xi1>
    %27 = linalg.generic {indexing_maps = [#map2, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %cst_1, %21 : tensor<1x4x4x1xi1>, tensor<1x4x4x6xf32>, tensor<1x4x4x6xf32>) outs(%6 : tensor<1x4x4x6xf32>) {
    ^bb0(%in: i1, %in_9: f32, %in_10: f32, %out: f32):
      %33 = arith.select %in, %in_9, %in_10 : f32
      linalg.yield %33 : f32
    } -> tensor<1x4x4x6xf32>
    %collapsed_6 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<1x4x4x6xf32> into tensor<4x4x6xf32>
    %collapsed_7 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<1x4x6x4xf32> into tensor<4x6x4xf32>
    %28 = tensor.empty() : tensor<4x4x4xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
    %30 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<4x4x6xf32>, tensor<4x6x4xf32>) outs(%29 : tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
    %expanded_8 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [1, 4, 4, 4] : tensor<4x4x4xf32> into tensor<1x4x4x4xf32>
    %31 = tensor.empty() : tensor<1x4x4x4xf16>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x4x4x4xf32>) outs(%31 : tensor<1x4x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %33 = arith.truncf %in : f32 to f16
      linalg.yield %33 : f16
    } -> tensor<1x4x4x4xf16>
    return %32 : tensor<1x4x4x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @attention_causal(
// CHECK:         linalg.generic
// CHECK:         mirage_kernel
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention_causal(%arg0: tensor<1x4x6x4xf16>, %arg1: tensor<1x4x6x4xf16>, %arg2: tensor<1x4x6x4xf16>) -> tensor<1x4x6x4xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x4x6x6xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<6x6xi1>
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %cst_6 = arith.constant 0.70710678118654757 : f64
    %0 = tensor.empty() : tensor<1x4x6x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x4x6x4xf16>) outs(%0 : tensor<1x4x6x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %43 = arith.extf %in : f16 to f32
      linalg.yield %43 : f32
    } -> tensor<1x4x6x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x4x6x4xf16>) outs(%0 : tensor<1x4x6x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %43 = arith.extf %in : f16 to f32
      linalg.yield %43 : f32
    } -> tensor<1x4x6x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x4x6x4xf16>) outs(%0 : tensor<1x4x6x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %43 = arith.extf %in : f16 to f32
      linalg.yield %43 : f32
    } -> tensor<1x4x6x4xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x4x6x4xf32>) outs(%0 : tensor<1x4x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_6 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x4x6x4xf32>
    %5 = tensor.empty() : tensor<6xi64>
    %6 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%5 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %43 = linalg.index 0 : index
      %44 = arith.index_cast %43 : index to i64
      linalg.yield %44 : i64
    } -> tensor<6xi64>
    %expanded = tensor.expand_shape %6 [[0, 1]] output_shape [1, 6] : tensor<6xi64> into tensor<1x6xi64>
    %expanded_7 = tensor.expand_shape %6 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
    %7 = tensor.empty() : tensor<6x6xi64>
    %8 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_7 : tensor<1x6xi64>, tensor<6x1xi64>) outs(%7 : tensor<6x6xi64>) {
    ^bb0(%in: i64, %in_14: i64, %out: i64):
      %43 = arith.subi %in, %in_14 : i64
      linalg.yield %43 : i64
    } -> tensor<6x6xi64>
    %9 = tensor.empty() : tensor<6x6xi1>
    %10 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<6x6xi64>) outs(%9 : tensor<6x6xi1>) {
    ^bb0(%in: i64, %out: i1):
      %43 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %43 : i1
    } -> tensor<6x6xi1>
    %11 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%10, %cst_4 : tensor<6x6xi1>, tensor<6x6xi1>) outs(%9 : tensor<6x6xi1>) {
    ^bb0(%in: i1, %in_14: i1, %out: i1):
      %43 = arith.andi %in, %in_14 : i1
      linalg.yield %43 : i1
    } -> tensor<6x6xi1>
    %12 = tensor.empty() : tensor<6x6xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map5, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%11, %cst_2, %cst_3 : tensor<6x6xi1>, tensor<f32>, tensor<f32>) outs(%12 : tensor<6x6xf32>) {
    ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
      %43 = arith.select %in, %in_14, %in_15 : f32
      linalg.yield %43 : f32
    } -> tensor<6x6xf32>
    %14 = tensor.empty() : tensor<1x4x4x6xf32>
    %transposed = linalg.transpose ins(%2 : tensor<1x4x6x4xf32>) outs(%14 : tensor<1x4x4x6xf32>) permutation = [0, 1, 3, 2] 
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x4x4x6xf32>) outs(%14 : tensor<1x4x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_6 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x4x4x6xf32>
    %collapsed = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<1x4x6x4xf32> into tensor<4x6x4xf32>
    %collapsed_8 = tensor.collapse_shape %15 [[0, 1], [2], [3]] : tensor<1x4x4x6xf32> into tensor<4x4x6xf32>
    %16 = tensor.empty() : tensor<4x6x6xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %18 = linalg.batch_matmul ins(%collapsed, %collapsed_8 : tensor<4x6x4xf32>, tensor<4x4x6xf32>) outs(%17 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %expanded_9 = tensor.expand_shape %18 [[0, 1], [2], [3]] output_shape [1, 4, 6, 6] : tensor<4x6x6xf32> into tensor<1x4x6x6xf32>
    %19 = tensor.empty() : tensor<1x4x6x6xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9, %13 : tensor<1x4x6x6xf32>, tensor<6x6xf32>) outs(%19 : tensor<1x4x6x6xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %43 = arith.addf %in, %in_14 : f32
      linalg.yield %43 : f32
    } -> tensor<1x4x6x6xf32>
    %21 = tensor.empty() : tensor<1x4x6xi64>
    %22 = linalg.fill ins(%c0_i64 : i64) outs(%21 : tensor<1x4x6xi64>) -> tensor<1x4x6xi64>
    %23 = tensor.empty() : tensor<1x4x6xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
    %25:2 = linalg.generic {indexing_maps = [#map, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<1x4x6x6xf32>) outs(%24, %22 : tensor<1x4x6xf32>, tensor<1x4x6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_14: i64):
      %43 = linalg.index 3 : index
      %44 = arith.index_cast %43 : index to i64
      %45 = arith.maximumf %in, %out : f32
      %46 = arith.cmpf ogt, %in, %out : f32
      %47 = arith.select %46, %44, %out_14 : i64
      linalg.yield %45, %47 : f32, i64
    } -> (tensor<1x4x6xf32>, tensor<1x4x6xi64>)
    %expanded_10 = tensor.expand_shape %25#0 [[0], [1], [2, 3]] output_shape [1, 4, 6, 1] : tensor<1x4x6xf32> into tensor<1x4x6x1xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %expanded_10 : tensor<1x4x6x6xf32>, tensor<1x4x6x1xf32>) outs(%19 : tensor<1x4x6x6xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %43 = arith.subf %in, %in_14 : f32
      linalg.yield %43 : f32
    } -> tensor<1x4x6x6xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x4x6x6xf32>) outs(%19 : tensor<1x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<1x4x6x6xf32>
    %28 = tensor.empty() : tensor<1x4x6x1xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<1x4x6x1xf32>) -> tensor<1x4x6x1xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x4x6x6xf32>) outs(%29 : tensor<1x4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x4x6x1xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<1x4x6x6xf32>, tensor<1x4x6x1xf32>) outs(%19 : tensor<1x4x6x6xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %43 = arith.divf %in, %in_14 : f32
      linalg.yield %43 : f32
    } -> tensor<1x4x6x6xf32>
    %32 = tensor.empty() : tensor<1x4x6x6xi1>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x4x6x6xf32>) outs(%32 : tensor<1x4x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %43 = arith.extf %in : f32 to f64
      %44 = arith.cmpf oeq, %43, %cst_5 : f64
      linalg.yield %44 : i1
    } -> tensor<1x4x6x6xi1>
    %34 = tensor.empty() : tensor<1x4x6x1xi1>
    %35 = linalg.fill ins(%true : i1) outs(%34 : tensor<1x4x6x1xi1>) -> tensor<1x4x6x1xi1>
    %36 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x4x6x6xi1>) outs(%35 : tensor<1x4x6x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %43 = arith.andi %in, %out : i1
      linalg.yield %43 : i1
    } -> tensor<1x4x6x1xi1>
    %37 = linalg.generic {indexing_maps = [#map8, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %cst_1, %31 : tensor<1x4x6x1xi1>, tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) outs(%19 : tensor<1x4x6x6xf32>) {
    ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
      %43 = arith.select %in, %in_14, %in_15 : f32
      linalg.yield %43 : f32
    } -> tensor<1x4x6x6xf32>
    %collapsed_11 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<1x4x6x6xf32> into tensor<4x6x6xf32>
    %collapsed_12 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x4x6x4xf32> into tensor<4x6x4xf32>
    %38 = tensor.empty() : tensor<4x6x4xf32>
    %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    %40 = linalg.batch_matmul ins(%collapsed_11, %collapsed_12 : tensor<4x6x6xf32>, tensor<4x6x4xf32>) outs(%39 : tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    %expanded_13 = tensor.expand_shape %40 [[0, 1], [2], [3]] output_shape [1, 4, 6, 4] : tensor<4x6x4xf32> into tensor<1x4x6x4xf32>
    %41 = tensor.empty() : tensor<1x4x6x4xf16>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<1x4x6x4xf32>) outs(%41 : tensor<1x4x6x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %43 = arith.truncf %in : f32 to f16
      linalg.yield %43 : f16
    } -> tensor<1x4x6x4xf16>
    return %42 : tensor<1x4x6x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @attention_grouped(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention_grouped(%arg0: tensor<1x4x1x4xf16>, %arg1: tensor<1x2x6x4xf16>, %arg2: tensor<1x2x6x4xf16>) -> tensor<1x4x1x4xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x4x1x6xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.70710678118654757 : f64
    %0 = tensor.empty() : tensor<1x4x1x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x4x1x4xf16>) outs(%0 : tensor<1x4x1x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<1x4x1x4xf32>
    %2 = tensor.empty() : tensor<1x2x6x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x2x6x4xf16>) outs(%2 : tensor<1x2x6x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<1x2x6x4xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x2x6x4xf16>) outs(%2 : tensor<1x2x6x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<1x2x6x4xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x4x1x4xf32>) outs(%0 : tensor<1x4x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.truncf %cst_3 : f64 to f32
      %38 = arith.mulf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<1x4x1x4xf32>
    %6 = tensor.empty() : tensor<1x2x2x6x4xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x2x6x4xf32>) outs(%6 : tensor<1x2x2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x6x4xf32>
    %collapsed = tensor.collapse_shape %7 [[0], [1, 2], [3], [4]] : tensor<1x2x2x6x4xf32> into tensor<1x4x6x4xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x2x6x4xf32>) outs(%6 : tensor<1x2x2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x6x4xf32>
    %9 = tensor.empty() : tensor<1x4x4x6xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<1x4x6x4xf32>) outs(%9 : tensor<1x4x4x6xf32>) permutation = [0, 1, 3, 2] 
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x4x4x6xf32>) outs(%9 : tensor<1x4x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.truncf %cst_3 : f64 to f32
      %38 = arith.mulf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<1x4x4x6xf32>
    %collapsed_4 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<1x4x1x4xf32> into tensor<4x1x4xf32>
    %collapsed_5 = tensor.collapse_shape %10 [[0, 1], [2], [3]] : tensor<1x4x4x6xf32> into tensor<4x4x6xf32>
    %11 = tensor.empty() : tensor<4x1x6xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<4x1x6xf32>) -> tensor<4x1x6xf32>
    %13 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<4x1x4xf32>, tensor<4x4x6xf32>) outs(%12 : tensor<4x1x6xf32>) -> tensor<4x1x6xf32>
    %expanded = tensor.expand_shape %13 [[0, 1], [2], [3]] output_shape [1, 4, 1, 6] : tensor<4x1x6xf32> into tensor<1x4x1x6xf32>
    %14 = tensor.empty() : tensor<1x4x1xi64>
    %15 = linalg.fill ins(%c0_i64 : i64) outs(%14 : tensor<1x4x1xi64>) -> tensor<1x4x1xi64>
    %16 = tensor.empty() : tensor<1x4x1xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
    %18:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded : tensor<1x4x1x6xf32>) outs(%17, %15 : tensor<1x4x1xf32>, tensor<1x4x1xi64>) {
    ^bb0(%in: f32, %out: f32, %out_10: i64):
      %37 = linalg.index 3 : index
      %38 = arith.index_cast %37 : index to i64
      %39 = arith.maximumf %in, %out : f32
      %40 = arith.cmpf ogt, %in, %out : f32
      %41 = arith.select %40, %38, %out_10 : i64
      linalg.yield %39, %41 : f32, i64
    } -> (tensor<1x4x1xf32>, tensor<1x4x1xi64>)
    %expanded_6 = tensor.expand_shape %18#0 [[0], [1], [2, 3]] output_shape [1, 4, 1, 1] : tensor<1x4x1xf32> into tensor<1x4x1x1xf32>
    %19 = tensor.empty() : tensor<1x4x1x6xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_6 : tensor<1x4x1x6xf32>, tensor<1x4x1x1xf32>) outs(%19 : tensor<1x4x1x6xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %37 = arith.subf %in, %in_10 : f32
      linalg.yield %37 : f32
    } -> tensor<1x4x1x6xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x4x1x6xf32>) outs(%19 : tensor<1x4x1x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<1x4x1x6xf32>
    %22 = tensor.empty() : tensor<1x4x1x1xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x4x1x6xf32>) outs(%23 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %in, %out : f32
      linalg.yield %37 : f32
    } -> tensor<1x4x1x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<1x4x1x6xf32>, tensor<1x4x1x1xf32>) outs(%19 : tensor<1x4x1x6xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %37 = arith.divf %in, %in_10 : f32
      linalg.yield %37 : f32
    } -> tensor<1x4x1x6xf32>
    %26 = tensor.empty() : tensor<1x4x1x6xi1>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x4x1x6xf32>) outs(%26 : tensor<1x4x1x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %37 = arith.extf %in : f32 to f64
      %38 = arith.cmpf oeq, %37, %cst_2 : f64
      linalg.yield %38 : i1
    } -> tensor<1x4x1x6xi1>
    %28 = tensor.empty() : tensor<1x4x1x1xi1>
    %29 = linalg.fill ins(%true : i1) outs(%28 : tensor<1x4x1x1xi1>) -> tensor<1x4x1x1xi1>
    %30 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x4x1x6xi1>) outs(%29 : tensor<1x4x1x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %37 = arith.andi %in, %out : i1
      linalg.yield %37 : i1
    } -> tensor<1x4x1x1xi1>
    %31 = linalg.generic {indexing_maps = [#map4, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %cst_1, %25 : tensor<1x4x1x1xi1>, tensor<1x4x1x6xf32>, tensor<1x4x1x6xf32>) outs(%19 : tensor<1x4x1x6xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %37 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %37 : f32
    } -> tensor<1x4x1x6xf32>
    %collapsed_7 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x4x1x6xf32> into tensor<4x1x6xf32>
    %collapsed_8 = tensor.collapse_shape %8 [[0, 1, 2], [3], [4]] : tensor<1x2x2x6x4xf32> into tensor<4x6x4xf32>
    %32 = tensor.empty() : tensor<4x1x4xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
    %34 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<4x1x6xf32>, tensor<4x6x4xf32>) outs(%33 : tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
    %expanded_9 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 4, 1, 4] : tensor<4x1x4xf32> into tensor<1x4x1x4xf32>
    %35 = tensor.empty() : tensor<1x4x1x4xf16>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x4x1x4xf32>) outs(%35 : tensor<1x4x1x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %37 = arith.truncf %in : f32 to f16
      linalg.yield %37 : f16
    } -> tensor<1x4x1x4xf16>
    return %36 : tensor<1x4x1x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @attention_masked(
// CHECK:         linalg.generic
// CHECK:         mirage_kernel
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention_masked(%arg0: tensor<1x2x3x4xf16>, %arg1: tensor<1x2x5x4xf16>, %arg2: tensor<1x2x5x4xf16>, %arg3: tensor<1x1x3x5xf16>) -> tensor<1x2x3x4xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x2x3x5xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.70710678118654757 : f64
    %0 = tensor.empty() : tensor<1x2x3x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x2x3x4xf16>) outs(%0 : tensor<1x2x3x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %35 = arith.extf %in : f16 to f32
      linalg.yield %35 : f32
    } -> tensor<1x2x3x4xf32>
    %2 = tensor.empty() : tensor<1x2x5x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x2x5x4xf16>) outs(%2 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %35 = arith.extf %in : f16 to f32
      linalg.yield %35 : f32
    } -> tensor<1x2x5x4xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x2x5x4xf16>) outs(%2 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %35 = arith.extf %in : f16 to f32
      linalg.yield %35 : f32
    } -> tensor<1x2x5x4xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x2x3x4xf32>) outs(%0 : tensor<1x2x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.truncf %cst_3 : f64 to f32
      %36 = arith.mulf %in, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x3x4xf32>
    %6 = tensor.empty() : tensor<1x2x4x5xf32>
    %transposed = linalg.transpose ins(%3 : tensor<1x2x5x4xf32>) outs(%6 : tensor<1x2x4x5xf32>) permutation = [0, 1, 3, 2] 
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x4x5xf32>) outs(%6 : tensor<1x2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.truncf %cst_3 : f64 to f32
      %36 = arith.mulf %in, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x4x5xf32>
    %collapsed = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<1x2x3x4xf32> into tensor<2x3x4xf32>
    %collapsed_4 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x2x4x5xf32> into tensor<2x4x5xf32>
    %8 = tensor.empty() : tensor<2x3x5xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %10 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%9 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %expanded = tensor.expand_shape %10 [[0, 1], [2], [3]] output_shape [1, 2, 3, 5] : tensor<2x3x5xf32> into tensor<1x2x3x5xf32>
    %11 = tensor.empty() : tensor<1x2x3x5xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %arg3 : tensor<1x2x3x5xf32>, tensor<1x1x3x5xf16>) outs(%11 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %in_9: f16, %out: f32):
      %35 = arith.extf %in_9 : f16 to f32
      %36 = arith.addf %in, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x3x5xf32>
    %13 = tensor.empty() : tensor<1x2x3xi64>
    %14 = linalg.fill ins(%c0_i64 : i64) outs(%13 : tensor<1x2x3xi64>) -> tensor<1x2x3xi64>
    %15 = tensor.empty() : tensor<1x2x3xf32>
    %16 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %17:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x2x3x5xf32>) outs(%16, %14 : tensor<1x2x3xf32>, tensor<1x2x3xi64>) {
    ^bb0(%in: f32, %out: f32, %out_9: i64):
      %35 = linalg.index 3 : index
      %36 = arith.index_cast %35 : index to i64
      %37 = arith.maximumf %in, %out : f32
      %38 = arith.cmpf ogt, %in, %out : f32
      %39 = arith.select %38, %36, %out_9 : i64
      linalg.yield %37, %39 : f32, i64
    } -> (tensor<1x2x3xf32>, tensor<1x2x3xi64>)
    %expanded_5 = tensor.expand_shape %17#0 [[0], [1], [2, 3]] output_shape [1, 2, 3, 1] : tensor<1x2x3xf32> into tensor<1x2x3x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_5 : tensor<1x2x3x5xf32>, tensor<1x2x3x1xf32>) outs(%11 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %35 = arith.subf %in, %in_9 : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x3x5xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x2x3x5xf32>) outs(%11 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.exp %in : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x3x5xf32>
    %20 = tensor.empty() : tensor<1x2x3x1xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x2x3x5xf32>) outs(%21 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.addf %in, %out : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x3x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<1x2x3x5xf32>, tensor<1x2x3x1xf32>) outs(%11 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %35 = arith.divf %in, %in_9 : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x3x5xf32>
    %24 = tensor.empty() : tensor<1x2x3x5xi1>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x2x3x5xf32>) outs(%24 : tensor<1x2x3x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %35 = arith.extf %in : f32 to f64
      %36 = arith.cmpf oeq, %35, %cst_2 : f64
      linalg.yield %36 : i1
    } -> tensor<1x2x3x5xi1>
    %26 = tensor.empty() : tensor<1x2x3x1xi1>
    %27 = linalg.fill ins(%true : i1) outs(%26 : tensor<1x2x3x1xi1>) -> tensor<1x2x3x1xi1>
    %28 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x3x5xi1>) outs(%27 : tensor<1x2x3x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %35 = arith.andi %in, %out : i1
      linalg.yield %35 : i1
    } -> tensor<1x2x3x1xi1>
    %29 = linalg.generic {indexing_maps = [#map3, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %cst_1, %23 : tensor<1x2x3x1xi1>, tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) outs(%11 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: i1, %in_9: f32, %in_10: f32, %out: f32):
      %35 = arith.select %in, %in_9, %in_10 : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x3x5xf32>
    %collapsed_6 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<1x2x3x5xf32> into tensor<2x3x5xf32>
    %collapsed_7 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<1x2x5x4xf32> into tensor<2x5x4xf32>
    %30 = tensor.empty() : tensor<2x3x4xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %32 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%31 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %expanded_8 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [1, 2, 3, 4] : tensor<2x3x4xf32> into tensor<1x2x3x4xf32>
    %33 = tensor.empty() : tensor<1x2x3x4xf16>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x2x3x4xf32>) outs(%33 : tensor<1x2x3x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %35 = arith.truncf %in : f32 to f16
      linalg.yield %35 : f16
    } -> tensor<1x2x3x4xf16>
    return %34 : tensor<1x2x3x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @attention_filled(
// CHECK:         linalg.generic
// CHECK:         mirage_kernel
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention_filled(%arg0: tensor<1x2x5x4xf16>, %arg1: tensor<1x2x5x4xf16>, %arg2: tensor<1x2x5x4xf16>) -> tensor<1x2x5x4xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFC00> : tensor<f16>
    %cst_2 = arith.constant dense<true> : tensor<5x5xi1>
    %cst_3 = arith.constant 2.000000e+00 : f16
    %0 = tensor.empty() : tensor<1x2x4x5xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x5x4xf16>) outs(%0 : tensor<1x2x4x5xf16>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x5x4xf16> into tensor<2x5x4xf16>
    %collapsed_4 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x4x5xf16> into tensor<2x4x5xf16>
    %1 = tensor.empty() : tensor<2x5x5xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x5x4xf16>, tensor<2x4x5xf16>) outs(%2 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %4 = tensor.empty() : tensor<2x5x5xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<2x5x5xf32>) outs(%4 : tensor<2x5x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x5x5xf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2], [3]] output_shape [1, 2, 5, 5] : tensor<2x5x5xf16> into tensor<1x2x5x5xf16>
    %6 = tensor.empty() : tensor<1x2x5x5xf16>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x5x5xf16>) outs(%6 : tensor<1x2x5x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.divf %in, %cst_3 : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x5x5xf16>
    %8 = tensor.empty() : tensor<5xi64>
    %9 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%8 : tensor<5xi64>) {
    ^bb0(%out: i64):
      %36 = linalg.index 0 : index
      %37 = arith.index_cast %36 : index to i64
      linalg.yield %37 : i64
    } -> tensor<5xi64>
    %expanded_5 = tensor.expand_shape %9 [[0, 1]] output_shape [1, 5] : tensor<5xi64> into tensor<1x5xi64>
    %expanded_6 = tensor.expand_shape %9 [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
    %10 = tensor.empty() : tensor<5x5xi64>
    %11 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%expanded_5, %expanded_6 : tensor<1x5xi64>, tensor<5x1xi64>) outs(%10 : tensor<5x5xi64>) {
    ^bb0(%in: i64, %in_11: i64, %out: i64):
      %36 = arith.subi %in, %in_11 : i64
      linalg.yield %36 : i64
    } -> tensor<5x5xi64>
    %12 = tensor.empty() : tensor<5x5xi1>
    %13 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<5x5xi64>) outs(%12 : tensor<5x5xi1>) {
    ^bb0(%in: i64, %out: i1):
      %36 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %36 : i1
    } -> tensor<5x5xi1>
    %14 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%13, %cst_2 : tensor<5x5xi1>, tensor<5x5xi1>) outs(%12 : tensor<5x5xi1>) {
    ^bb0(%in: i1, %in_11: i1, %out: i1):
      %36 = arith.andi %in, %in_11 : i1
      linalg.yield %36 : i1
    } -> tensor<5x5xi1>
    %15 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<5x5xi1>) outs(%12 : tensor<5x5xi1>) {
    ^bb0(%in: i1, %out: i1):
      %36 = arith.xori %in, %true : i1
      linalg.yield %36 : i1
    } -> tensor<5x5xi1>
    %16 = linalg.generic {indexing_maps = [#map6, #map7, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %cst_1, %7 : tensor<5x5xi1>, tensor<f16>, tensor<1x2x5x5xf16>) outs(%6 : tensor<1x2x5x5xf16>) {
    ^bb0(%in: i1, %in_11: f16, %in_12: f16, %out: f16):
      %36 = arith.select %in, %in_11, %in_12 : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x5x5xf16>
    %17 = tensor.empty() : tensor<1x2x5x5xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x2x5x5xf16>) outs(%17 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<1x2x5x5xf32>
    %19 = tensor.empty() : tensor<1x2x5xi64>
    %20 = linalg.fill ins(%c0_i64 : i64) outs(%19 : tensor<1x2x5xi64>) -> tensor<1x2x5xi64>
    %21 = tensor.empty() : tensor<1x2x5xf32>
    %22 = linalg.fill ins(%cst_0 : f32) outs(%21 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %23:2 = linalg.generic {indexing_maps = [#map1, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x2x5x5xf32>) outs(%22, %20 : tensor<1x2x5xf32>, tensor<1x2x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_11: i64):
      %36 = linalg.index 3 : index
      %37 = arith.index_cast %36 : index to i64
      %38 = arith.maximumf %in, %out : f32
      %39 = arith.cmpf ogt, %in, %out : f32
      %40 = arith.select %39, %37, %out_11 : i64
      linalg.yield %38, %40 : f32, i64
    } -> (tensor<1x2x5xf32>, tensor<1x2x5xi64>)
    %expanded_7 = tensor.expand_shape %23#0 [[0], [1], [2, 3]] output_shape [1, 2, 5, 1] : tensor<1x2x5xf32> into tensor<1x2x5x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_7 : tensor<1x2x5x5xf32>, tensor<1x2x5x1xf32>) outs(%17 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %36 = arith.subf %in, %in_11 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x5x5xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x5x5xf32>) outs(%17 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = math.exp %in : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x5x5xf32>
    %26 = tensor.empty() : tensor<1x2x5x1xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<1x2x5x1xf32>) -> tensor<1x2x5x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x5x5xf32>) outs(%27 : tensor<1x2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %in, %out : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x5x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<1x2x5x5xf32>, tensor<1x2x5x1xf32>) outs(%17 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %36 = arith.divf %in, %in_11 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x5x5xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x5x5xf32>) outs(%6 : tensor<1x2x5x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<1x2x5x5xf16>
    %collapsed_8 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<1x2x5x5xf16> into tensor<2x5x5xf16>
    %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x5x4xf16> into tensor<2x5x4xf16>
    %31 = tensor.empty() : tensor<2x5x4xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %33 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<2x5x5xf16>, tensor<2x5x4xf16>) outs(%32 : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %34 = tensor.empty() : tensor<2x5x4xf16>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x5x4xf32>) outs(%34 : tensor<2x5x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x5x4xf16>
    %expanded_10 = tensor.expand_shape %35 [[0, 1], [2], [3]] output_shape [1, 2, 5, 4] : tensor<2x5x4xf16> into tensor<1x2x5x4xf16>
    return %expanded_10 : tensor<1x2x5x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @attention_window(
// CHECK:         linalg.generic
// CHECK:         mirage_kernel
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @attention_window(%arg0: tensor<1x2x5x4xf16>, %arg1: tensor<1x2x5x4xf16>, %arg2: tensor<1x2x5x4xf16>) -> tensor<1x2x5x4xf16> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x2x5x5xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f16>
    %cst_3 = arith.constant dense<0xFC00> : tensor<f16>
    %cst_4 = arith.constant 0.70710678118654757 : f64
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %0 = tensor.empty() : tensor<5xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<5xi64>) {
    ^bb0(%out: i64):
      %44 = linalg.index 0 : index
      %45 = arith.index_cast %44 : index to i64
      linalg.yield %45 : i64
    } -> tensor<5xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
    %expanded_6 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 5] : tensor<5xi64> into tensor<1x5xi64>
    %2 = tensor.empty() : tensor<5x5xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_6, %expanded : tensor<1x5xi64>, tensor<5x1xi64>) outs(%2 : tensor<5x5xi1>) {
    ^bb0(%in: i64, %in_13: i64, %out: i1):
      %44 = arith.cmpi sle, %in, %in_13 : i64
      linalg.yield %44 : i1
    } -> tensor<5x5xi1>
    %4 = tensor.empty() : tensor<5x5xi64>
    %5 = linalg.generic {indexing_maps = [#map2, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_6 : tensor<5x1xi64>, tensor<1x5xi64>) outs(%4 : tensor<5x5xi64>) {
    ^bb0(%in: i64, %in_13: i64, %out: i64):
      %44 = arith.subi %in, %in_13 : i64
      linalg.yield %44 : i64
    } -> tensor<5x5xi64>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<5x5xi64>) outs(%2 : tensor<5x5xi1>) {
    ^bb0(%in: i64, %out: i1):
      %44 = arith.cmpi slt, %in, %c2_i64 : i64
      linalg.yield %44 : i1
    } -> tensor<5x5xi1>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3, %6 : tensor<5x5xi1>, tensor<5x5xi1>) outs(%2 : tensor<5x5xi1>) {
    ^bb0(%in: i1, %in_13: i1, %out: i1):
      %44 = arith.andi %in, %in_13 : i1
      linalg.yield %44 : i1
    } -> tensor<5x5xi1>
    %8 = tensor.empty() : tensor<5x5xf16>
    %9 = linalg.generic {indexing_maps = [#map3, #map4, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%7, %cst_2, %cst_3 : tensor<5x5xi1>, tensor<f16>, tensor<f16>) outs(%8 : tensor<5x5xf16>) {
    ^bb0(%in: i1, %in_13: f16, %in_14: f16, %out: f16):
      %44 = arith.select %in, %in_13, %in_14 : f16
      linalg.yield %44 : f16
    } -> tensor<5x5xf16>
    %10 = tensor.empty() : tensor<1x2x5x4xf32>
    %11 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x2x5x4xf16>) outs(%10 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %44 = arith.extf %in : f16 to f32
      linalg.yield %44 : f32
    } -> tensor<1x2x5x4xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x2x5x4xf16>) outs(%10 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %44 = arith.extf %in : f16 to f32
      linalg.yield %44 : f32
    } -> tensor<1x2x5x4xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x2x5x4xf16>) outs(%10 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %44 = arith.extf %in : f16 to f32
      linalg.yield %44 : f32
    } -> tensor<1x2x5x4xf32>
    %14 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x5x4xf32>) outs(%10 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.truncf %cst_4 : f64 to f32
      %45 = arith.mulf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x5x4xf32>
    %15 = tensor.empty() : tensor<1x2x4x5xf32>
    %transposed = linalg.transpose ins(%12 : tensor<1x2x5x4xf32>) outs(%15 : tensor<1x2x4x5xf32>) permutation = [0, 1, 3, 2] 
    %16 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x4x5xf32>) outs(%15 : tensor<1x2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.truncf %cst_4 : f64 to f32
      %45 = arith.mulf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x4x5xf32>
    %collapsed = tensor.collapse_shape %14 [[0, 1], [2], [3]] : tensor<1x2x5x4xf32> into tensor<2x5x4xf32>
    %collapsed_7 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<1x2x4x5xf32> into tensor<2x4x5xf32>
    %17 = tensor.empty() : tensor<2x5x5xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %19 = linalg.batch_matmul ins(%collapsed, %collapsed_7 : tensor<2x5x4xf32>, tensor<2x4x5xf32>) outs(%18 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %expanded_8 = tensor.expand_shape %19 [[0, 1], [2], [3]] output_shape [1, 2, 5, 5] : tensor<2x5x5xf32> into tensor<1x2x5x5xf32>
    %20 = tensor.empty() : tensor<1x2x5x5xf32>
    %21 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8, %9 : tensor<1x2x5x5xf32>, tensor<5x5xf16>) outs(%20 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %in_13: f16, %out: f32):
      %44 = arith.extf %in_13 : f16 to f32
      %45 = arith.addf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x5x5xf32>
    %22 = tensor.empty() : tensor<1x2x5xi64>
    %23 = linalg.fill ins(%c0_i64 : i64) outs(%22 : tensor<1x2x5xi64>) -> tensor<1x2x5xi64>
    %24 = tensor.empty() : tensor<1x2x5xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %26:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x2x5x5xf32>) outs(%25, %23 : tensor<1x2x5xf32>, tensor<1x2x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_13: i64):
      %44 = linalg.index 3 : index
      %45 = arith.index_cast %44 : index to i64
      %46 = arith.maximumf %in, %out : f32
      %47 = arith.cmpf ogt, %in, %out : f32
      %48 = arith.select %47, %45, %out_13 : i64
      linalg.yield %46, %48 : f32, i64
    } -> (tensor<1x2x5xf32>, tensor<1x2x5xi64>)
    %expanded_9 = tensor.expand_shape %26#0 [[0], [1], [2, 3]] output_shape [1, 2, 5, 1] : tensor<1x2x5xf32> into tensor<1x2x5x1xf32>
    %27 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_9 : tensor<1x2x5x5xf32>, tensor<1x2x5x1xf32>) outs(%20 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %44 = arith.subf %in, %in_13 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x5x5xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x2x5x5xf32>) outs(%20 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.exp %in : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x5x5xf32>
    %29 = tensor.empty() : tensor<1x2x5x1xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<1x2x5x1xf32>) -> tensor<1x2x5x1xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<1x2x5x5xf32>) outs(%30 : tensor<1x2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %out : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x5x1xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %31 : tensor<1x2x5x5xf32>, tensor<1x2x5x1xf32>) outs(%20 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %44 = arith.divf %in, %in_13 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x5x5xf32>
    %33 = tensor.empty() : tensor<1x2x5x5xi1>
    %34 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x2x5x5xf32>) outs(%33 : tensor<1x2x5x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %44 = arith.extf %in : f32 to f64
      %45 = arith.cmpf oeq, %44, %cst_5 : f64
      linalg.yield %45 : i1
    } -> tensor<1x2x5x5xi1>
    %35 = tensor.empty() : tensor<1x2x5x1xi1>
    %36 = linalg.fill ins(%true : i1) outs(%35 : tensor<1x2x5x1xi1>) -> tensor<1x2x5x1xi1>
    %37 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x5x5xi1>) outs(%36 : tensor<1x2x5x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %44 = arith.andi %in, %out : i1
      linalg.yield %44 : i1
    } -> tensor<1x2x5x1xi1>
    %38 = linalg.generic {indexing_maps = [#map8, #map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %cst_1, %32 : tensor<1x2x5x1xi1>, tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%20 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: i1, %in_13: f32, %in_14: f32, %out: f32):
      %44 = arith.select %in, %in_13, %in_14 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x5x5xf32>
    %collapsed_10 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
    %collapsed_11 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<1x2x5x4xf32> into tensor<2x5x4xf32>
    %39 = tensor.empty() : tensor<2x5x4xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %41 = linalg.batch_matmul ins(%collapsed_10, %collapsed_11 : tensor<2x5x5xf32>, tensor<2x5x4xf32>) outs(%40 : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %expanded_12 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [1, 2, 5, 4] : tensor<2x5x4xf32> into tensor<1x2x5x4xf32>
    %42 = tensor.empty() : tensor<1x2x5x4xf16>
    %43 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x2x5x4xf32>) outs(%42 : tensor<1x2x5x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %44 = arith.truncf %in : f32 to f16
      linalg.yield %44 : f16
    } -> tensor<1x2x5x4xf16>
    return %43 : tensor<1x2x5x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @rotary_causal(
// CHECK:         linalg.generic
// CHECK:         mirage_kernel
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
  func.func @rotary_causal(%arg0: tensor<1x2x5x4xf16>, %arg1: tensor<1x2x5x4xf16>, %arg2: tensor<1x2x5x4xf16>, %arg3: tensor<5x4xf16>, %arg4: tensor<5x4xf16>) -> tensor<1x2x5x4xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x2x5x5xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<5x5xi1>
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %cst_6 = arith.constant 0.70710678118654757 : f64
    %0 = tensor.empty() : tensor<1x2x5x4xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg3 : tensor<1x2x5x4xf16>, tensor<5x4xf16>) outs(%0 : tensor<1x2x5x4xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.mulf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x2x5x4xf16>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 2, 5, 2] [1, 1, 1, 1] : tensor<1x2x5x4xf16> to tensor<1x2x5x2xf16>
    %extracted_slice_7 = tensor.extract_slice %arg0[0, 0, 0, 2] [1, 2, 5, 2] [1, 1, 1, 1] : tensor<1x2x5x4xf16> to tensor<1x2x5x2xf16>
    %2 = tensor.empty() : tensor<1x2x5x2xf16>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_7 : tensor<1x2x5x2xf16>) outs(%2 : tensor<1x2x5x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %52 = arith.negf %in : f16
      linalg.yield %52 : f16
    } -> tensor<1x2x5x2xf16>
    %concat = tensor.concat dim(3) %3, %extracted_slice : (tensor<1x2x5x2xf16>, tensor<1x2x5x2xf16>) -> tensor<1x2x5x4xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %arg4 : tensor<1x2x5x4xf16>, tensor<5x4xf16>) outs(%0 : tensor<1x2x5x4xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.mulf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x2x5x4xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %4 : tensor<1x2x5x4xf16>, tensor<1x2x5x4xf16>) outs(%0 : tensor<1x2x5x4xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.addf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x2x5x4xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %arg3 : tensor<1x2x5x4xf16>, tensor<5x4xf16>) outs(%0 : tensor<1x2x5x4xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.mulf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x2x5x4xf16>
    %extracted_slice_8 = tensor.extract_slice %arg1[0, 0, 0, 0] [1, 2, 5, 2] [1, 1, 1, 1] : tensor<1x2x5x4xf16> to tensor<1x2x5x2xf16>
    %extracted_slice_9 = tensor.extract_slice %arg1[0, 0, 0, 2] [1, 2, 5, 2] [1, 1, 1, 1] : tensor<1x2x5x4xf16> to tensor<1x2x5x2xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_9 : tensor<1x2x5x2xf16>) outs(%2 : tensor<1x2x5x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %52 = arith.negf %in : f16
      linalg.yield %52 : f16
    } -> tensor<1x2x5x2xf16>
    %concat_10 = tensor.concat dim(3) %7, %extracted_slice_8 : (tensor<1x2x5x2xf16>, tensor<1x2x5x2xf16>) -> tensor<1x2x5x4xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_10, %arg4 : tensor<1x2x5x4xf16>, tensor<5x4xf16>) outs(%0 : tensor<1x2x5x4xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.mulf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x2x5x4xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %8 : tensor<1x2x5x4xf16>, tensor<1x2x5x4xf16>) outs(%0 : tensor<1x2x5x4xf16>) {
    ^bb0(%in: f16, %in_18: f16, %out: f16):
      %52 = arith.addf %in, %in_18 : f16
      linalg.yield %52 : f16
    } -> tensor<1x2x5x4xf16>
    %10 = tensor.empty() : tensor<1x2x5x4xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x2x5x4xf16>) outs(%10 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %52 = arith.extf %in : f16 to f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5x4xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x5x4xf16>) outs(%10 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %52 = arith.extf %in : f16 to f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5x4xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x2x5x4xf16>) outs(%10 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %52 = arith.extf %in : f16 to f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5x4xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x5x4xf32>) outs(%10 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.truncf %cst_6 : f64 to f32
      %53 = arith.mulf %in, %52 : f32
      linalg.yield %53 : f32
    } -> tensor<1x2x5x4xf32>
    %15 = tensor.empty() : tensor<5xi64>
    %16 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%15 : tensor<5xi64>) {
    ^bb0(%out: i64):
      %52 = linalg.index 0 : index
      %53 = arith.index_cast %52 : index to i64
      linalg.yield %53 : i64
    } -> tensor<5xi64>
    %expanded = tensor.expand_shape %16 [[0, 1]] output_shape [1, 5] : tensor<5xi64> into tensor<1x5xi64>
    %expanded_11 = tensor.expand_shape %16 [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
    %17 = tensor.empty() : tensor<5x5xi64>
    %18 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_11 : tensor<1x5xi64>, tensor<5x1xi64>) outs(%17 : tensor<5x5xi64>) {
    ^bb0(%in: i64, %in_18: i64, %out: i64):
      %52 = arith.subi %in, %in_18 : i64
      linalg.yield %52 : i64
    } -> tensor<5x5xi64>
    %19 = tensor.empty() : tensor<5x5xi1>
    %20 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<5x5xi64>) outs(%19 : tensor<5x5xi1>) {
    ^bb0(%in: i64, %out: i1):
      %52 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %52 : i1
    } -> tensor<5x5xi1>
    %21 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%20, %cst_4 : tensor<5x5xi1>, tensor<5x5xi1>) outs(%19 : tensor<5x5xi1>) {
    ^bb0(%in: i1, %in_18: i1, %out: i1):
      %52 = arith.andi %in, %in_18 : i1
      linalg.yield %52 : i1
    } -> tensor<5x5xi1>
    %22 = tensor.empty() : tensor<5x5xf32>
    %23 = linalg.generic {indexing_maps = [#map5, #map6, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%21, %cst_2, %cst_3 : tensor<5x5xi1>, tensor<f32>, tensor<f32>) outs(%22 : tensor<5x5xf32>) {
    ^bb0(%in: i1, %in_18: f32, %in_19: f32, %out: f32):
      %52 = arith.select %in, %in_18, %in_19 : f32
      linalg.yield %52 : f32
    } -> tensor<5x5xf32>
    %24 = tensor.empty() : tensor<1x2x4x5xf32>
    %transposed = linalg.transpose ins(%12 : tensor<1x2x5x4xf32>) outs(%24 : tensor<1x2x4x5xf32>) permutation = [0, 1, 3, 2] 
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x4x5xf32>) outs(%24 : tensor<1x2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.truncf %cst_6 : f64 to f32
      %53 = arith.mulf %in, %52 : f32
      linalg.yield %53 : f32
    } -> tensor<1x2x4x5xf32>
    %collapsed = tensor.collapse_shape %14 [[0, 1], [2], [3]] : tensor<1x2x5x4xf32> into tensor<2x5x4xf32>
    %collapsed_12 = tensor.collapse_shape %25 [[0, 1], [2], [3]] : tensor<1x2x4x5xf32> into tensor<2x4x5xf32>
    %26 = tensor.empty() : tensor<2x5x5xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %28 = linalg.batch_matmul ins(%collapsed, %collapsed_12 : tensor<2x5x4xf32>, tensor<2x4x5xf32>) outs(%27 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %expanded_13 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [1, 2, 5, 5] : tensor<2x5x5xf32> into tensor<1x2x5x5xf32>
    %29 = tensor.empty() : tensor<1x2x5x5xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %23 : tensor<1x2x5x5xf32>, tensor<5x5xf32>) outs(%29 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %52 = arith.addf %in, %in_18 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5x5xf32>
    %31 = tensor.empty() : tensor<1x2x5xi64>
    %32 = linalg.fill ins(%c0_i64 : i64) outs(%31 : tensor<1x2x5xi64>) -> tensor<1x2x5xi64>
    %33 = tensor.empty() : tensor<1x2x5xf32>
    %34 = linalg.fill ins(%cst_0 : f32) outs(%33 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %35:2 = linalg.generic {indexing_maps = [#map, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x2x5x5xf32>) outs(%34, %32 : tensor<1x2x5xf32>, tensor<1x2x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_18: i64):
      %52 = linalg.index 3 : index
      %53 = arith.index_cast %52 : index to i64
      %54 = arith.maximumf %in, %out : f32
      %55 = arith.cmpf ogt, %in, %out : f32
      %56 = arith.select %55, %53, %out_18 : i64
      linalg.yield %54, %56 : f32, i64
    } -> (tensor<1x2x5xf32>, tensor<1x2x5xi64>)
    %expanded_14 = tensor.expand_shape %35#0 [[0], [1], [2, 3]] output_shape [1, 2, 5, 1] : tensor<1x2x5xf32> into tensor<1x2x5x1xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %expanded_14 : tensor<1x2x5x5xf32>, tensor<1x2x5x1xf32>) outs(%29 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %52 = arith.subf %in, %in_18 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5x5xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x2x5x5xf32>) outs(%29 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = math.exp %in : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5x5xf32>
    %38 = tensor.empty() : tensor<1x2x5x1xf32>
    %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<1x2x5x1xf32>) -> tensor<1x2x5x1xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x2x5x5xf32>) outs(%39 : tensor<1x2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.addf %in, %out : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5x1xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %40 : tensor<1x2x5x5xf32>, tensor<1x2x5x1xf32>) outs(%29 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %52 = arith.divf %in, %in_18 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5x5xf32>
    %42 = tensor.empty() : tensor<1x2x5x5xi1>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x5x5xf32>) outs(%42 : tensor<1x2x5x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %52 = arith.extf %in : f32 to f64
      %53 = arith.cmpf oeq, %52, %cst_5 : f64
      linalg.yield %53 : i1
    } -> tensor<1x2x5x5xi1>
    %44 = tensor.empty() : tensor<1x2x5x1xi1>
    %45 = linalg.fill ins(%true : i1) outs(%44 : tensor<1x2x5x1xi1>) -> tensor<1x2x5x1xi1>
    %46 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43 : tensor<1x2x5x5xi1>) outs(%45 : tensor<1x2x5x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %52 = arith.andi %in, %out : i1
      linalg.yield %52 : i1
    } -> tensor<1x2x5x1xi1>
    %47 = linalg.generic {indexing_maps = [#map8, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %cst_1, %41 : tensor<1x2x5x1xi1>, tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) outs(%29 : tensor<1x2x5x5xf32>) {
    ^bb0(%in: i1, %in_18: f32, %in_19: f32, %out: f32):
      %52 = arith.select %in, %in_18, %in_19 : f32
      linalg.yield %52 : f32
    } -> tensor<1x2x5x5xf32>
    %collapsed_15 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x2x5x5xf32> into tensor<2x5x5xf32>
    %collapsed_16 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<1x2x5x4xf32> into tensor<2x5x4xf32>
    %48 = tensor.empty() : tensor<2x5x4xf32>
    %49 = linalg.fill ins(%cst : f32) outs(%48 : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %50 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<2x5x5xf32>, tensor<2x5x4xf32>) outs(%49 : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %expanded_17 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [1, 2, 5, 4] : tensor<2x5x4xf32> into tensor<1x2x5x4xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x2x5x4xf32>) outs(%0 : tensor<1x2x5x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %52 = arith.truncf %in : f32 to f16
      linalg.yield %52 : f16
    } -> tensor<1x2x5x4xf16>
    return %51 : tensor<1x2x5x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @decode(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
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
  func.func @decode(%arg0: tensor<8xf16>, %arg1: tensor<16x8xf16>, %arg2: tensor<8x8xf16>, %arg3: tensor<8x8xf16>, %arg4: tensor<8x16xf16>, %arg5: tensor<1x1x8xf16>, %arg6: tensor<1x2x4x4xf16>, %arg7: tensor<1x2x4x4xf16>, %arg8: tensor<1x4xf16>, %arg9: tensor<1x4xf16>) -> (tensor<1x1x8xf16>, tensor<1x2x5x4xf16>, tensor<1x2x5x4xf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x4x1x5xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.70710678118654757 : f64
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 8.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x1x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<1x1x8xf16>) outs(%0 : tensor<1x1x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %80 = arith.extf %in : f16 to f32
      linalg.yield %80 : f32
    } -> tensor<1x1x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x1x8xf32>) outs(%0 : tensor<1x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %80 : f32
    } -> tensor<1x1x8xf32>
    %3 = tensor.empty() : tensor<1x1x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x1x8xf32>) outs(%4 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x1x1xf32>) outs(%3 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.divf %in, %cst_5 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1x1xf32>) outs(%3 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.truncf %cst_4 : f64 to f32
      %81 = arith.addf %in, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x1x1xf32>) outs(%3 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = math.rsqrt %in : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x1x8xf32>, tensor<1x1x1xf32>) outs(%0 : tensor<1x1x8xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %80 = arith.mulf %in, %in_33 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x8xf32>
    %10 = tensor.empty() : tensor<1x1x8xf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1x8xf32>) outs(%10 : tensor<1x1x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %80 = arith.truncf %in : f32 to f16
      linalg.yield %80 : f16
    } -> tensor<1x1x8xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %arg0 : tensor<1x1x8xf16>, tensor<8xf16>) outs(%10 : tensor<1x1x8xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %80 = arith.mulf %in, %in_33 : f16
      linalg.yield %80 : f16
    } -> tensor<1x1x8xf16>
    %13 = tensor.empty() : tensor<8x16xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<16x8xf16>) outs(%13 : tensor<8x16xf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %12 [[0], [1, 2]] : tensor<1x1x8xf16> into tensor<1x8xf16>
    %14 = tensor.empty() : tensor<1x16xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<1x8xf16>, tensor<8x16xf16>) outs(%15 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %17 = tensor.empty() : tensor<1x16xf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<1x16xf32>) outs(%17 : tensor<1x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %80 = arith.truncf %in : f32 to f16
      linalg.yield %80 : f16
    } -> tensor<1x16xf16>
    %expanded = tensor.expand_shape %18 [[0], [1, 2, 3]] output_shape [1, 1, 4, 4] : tensor<1x16xf16> into tensor<1x1x4x4xf16>
    %19 = tensor.empty() : tensor<1x4x1x4xf16>
    %transposed_6 = linalg.transpose ins(%expanded : tensor<1x1x4x4xf16>) outs(%19 : tensor<1x4x1x4xf16>) permutation = [0, 2, 1, 3] 
    %20 = tensor.empty() : tensor<8x8xf16>
    %transposed_7 = linalg.transpose ins(%arg2 : tensor<8x8xf16>) outs(%20 : tensor<8x8xf16>) permutation = [1, 0] 
    %21 = tensor.empty() : tensor<1x8xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %23 = linalg.matmul ins(%collapsed, %transposed_7 : tensor<1x8xf16>, tensor<8x8xf16>) outs(%22 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %24 = tensor.empty() : tensor<1x8xf16>
    %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<1x8xf32>) outs(%24 : tensor<1x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %80 = arith.truncf %in : f32 to f16
      linalg.yield %80 : f16
    } -> tensor<1x8xf16>
    %expanded_8 = tensor.expand_shape %25 [[0], [1, 2, 3]] output_shape [1, 1, 2, 4] : tensor<1x8xf16> into tensor<1x1x2x4xf16>
    %26 = tensor.empty() : tensor<1x2x1x4xf16>
    %transposed_9 = linalg.transpose ins(%expanded_8 : tensor<1x1x2x4xf16>) outs(%26 : tensor<1x2x1x4xf16>) permutation = [0, 2, 1, 3] 
    %transposed_10 = linalg.transpose ins(%arg3 : tensor<8x8xf16>) outs(%20 : tensor<8x8xf16>) permutation = [1, 0] 
    %27 = linalg.matmul ins(%collapsed, %transposed_10 : tensor<1x8xf16>, tensor<8x8xf16>) outs(%22 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<1x8xf32>) outs(%24 : tensor<1x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %80 = arith.truncf %in : f32 to f16
      linalg.yield %80 : f16
    } -> tensor<1x8xf16>
    %expanded_11 = tensor.expand_shape %28 [[0], [1, 2, 3]] output_shape [1, 1, 2, 4] : tensor<1x8xf16> into tensor<1x1x2x4xf16>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<1x1x2x4xf16>) outs(%26 : tensor<1x2x1x4xf16>) permutation = [0, 2, 1, 3] 
    %29 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_6, %arg8 : tensor<1x4x1x4xf16>, tensor<1x4xf16>) outs(%19 : tensor<1x4x1x4xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %80 = arith.mulf %in, %in_33 : f16
      linalg.yield %80 : f16
    } -> tensor<1x4x1x4xf16>
    %extracted_slice = tensor.extract_slice %transposed_6[0, 0, 0, 0] [1, 4, 1, 2] [1, 1, 1, 1] : tensor<1x4x1x4xf16> to tensor<1x4x1x2xf16>
    %extracted_slice_13 = tensor.extract_slice %transposed_6[0, 0, 0, 2] [1, 4, 1, 2] [1, 1, 1, 1] : tensor<1x4x1x4xf16> to tensor<1x4x1x2xf16>
    %30 = tensor.empty() : tensor<1x4x1x2xf16>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_13 : tensor<1x4x1x2xf16>) outs(%30 : tensor<1x4x1x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %80 = arith.negf %in : f16
      linalg.yield %80 : f16
    } -> tensor<1x4x1x2xf16>
    %concat = tensor.concat dim(3) %31, %extracted_slice : (tensor<1x4x1x2xf16>, tensor<1x4x1x2xf16>) -> tensor<1x4x1x4xf16>
    %32 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %arg9 : tensor<1x4x1x4xf16>, tensor<1x4xf16>) outs(%19 : tensor<1x4x1x4xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %80 = arith.mulf %in, %in_33 : f16
      linalg.yield %80 : f16
    } -> tensor<1x4x1x4xf16>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %32 : tensor<1x4x1x4xf16>, tensor<1x4x1x4xf16>) outs(%19 : tensor<1x4x1x4xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %80 = arith.addf %in, %in_33 : f16
      linalg.yield %80 : f16
    } -> tensor<1x4x1x4xf16>
    %34 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_9, %arg8 : tensor<1x2x1x4xf16>, tensor<1x4xf16>) outs(%26 : tensor<1x2x1x4xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %80 = arith.mulf %in, %in_33 : f16
      linalg.yield %80 : f16
    } -> tensor<1x2x1x4xf16>
    %extracted_slice_14 = tensor.extract_slice %transposed_9[0, 0, 0, 0] [1, 2, 1, 2] [1, 1, 1, 1] : tensor<1x2x1x4xf16> to tensor<1x2x1x2xf16>
    %extracted_slice_15 = tensor.extract_slice %transposed_9[0, 0, 0, 2] [1, 2, 1, 2] [1, 1, 1, 1] : tensor<1x2x1x4xf16> to tensor<1x2x1x2xf16>
    %35 = tensor.empty() : tensor<1x2x1x2xf16>
    %36 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_15 : tensor<1x2x1x2xf16>) outs(%35 : tensor<1x2x1x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %80 = arith.negf %in : f16
      linalg.yield %80 : f16
    } -> tensor<1x2x1x2xf16>
    %concat_16 = tensor.concat dim(3) %36, %extracted_slice_14 : (tensor<1x2x1x2xf16>, tensor<1x2x1x2xf16>) -> tensor<1x2x1x4xf16>
    %37 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_16, %arg9 : tensor<1x2x1x4xf16>, tensor<1x4xf16>) outs(%26 : tensor<1x2x1x4xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %80 = arith.mulf %in, %in_33 : f16
      linalg.yield %80 : f16
    } -> tensor<1x2x1x4xf16>
    %38 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %37 : tensor<1x2x1x4xf16>, tensor<1x2x1x4xf16>) outs(%26 : tensor<1x2x1x4xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %80 = arith.addf %in, %in_33 : f16
      linalg.yield %80 : f16
    } -> tensor<1x2x1x4xf16>
    %concat_17 = tensor.concat dim(2) %arg6, %38 : (tensor<1x2x4x4xf16>, tensor<1x2x1x4xf16>) -> tensor<1x2x5x4xf16>
    %concat_18 = tensor.concat dim(2) %arg7, %transposed_12 : (tensor<1x2x4x4xf16>, tensor<1x2x1x4xf16>) -> tensor<1x2x5x4xf16>
    %39 = tensor.empty() : tensor<1x2x2x5x4xf16>
    %40 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%concat_17 : tensor<1x2x5x4xf16>) outs(%39 : tensor<1x2x2x5x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x2x5x4xf16>
    %collapsed_19 = tensor.collapse_shape %40 [[0], [1, 2], [3], [4]] : tensor<1x2x2x5x4xf16> into tensor<1x4x5x4xf16>
    %41 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%concat_18 : tensor<1x2x5x4xf16>) outs(%39 : tensor<1x2x2x5x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x2x5x4xf16>
    %collapsed_20 = tensor.collapse_shape %41 [[0], [1, 2], [3], [4]] : tensor<1x2x2x5x4xf16> into tensor<1x4x5x4xf16>
    %42 = tensor.empty() : tensor<1x4x1x4xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x4x1x4xf16>) outs(%42 : tensor<1x4x1x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %80 = arith.extf %in : f16 to f32
      linalg.yield %80 : f32
    } -> tensor<1x4x1x4xf32>
    %44 = tensor.empty() : tensor<1x4x5x4xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_19 : tensor<1x4x5x4xf16>) outs(%44 : tensor<1x4x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %80 = arith.extf %in : f16 to f32
      linalg.yield %80 : f32
    } -> tensor<1x4x5x4xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_20 : tensor<1x4x5x4xf16>) outs(%44 : tensor<1x4x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %80 = arith.extf %in : f16 to f32
      linalg.yield %80 : f32
    } -> tensor<1x4x5x4xf32>
    %47 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x4x1x4xf32>) outs(%42 : tensor<1x4x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.truncf %cst_3 : f64 to f32
      %81 = arith.mulf %in, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<1x4x1x4xf32>
    %48 = tensor.empty() : tensor<1x4x4x5xf32>
    %transposed_21 = linalg.transpose ins(%45 : tensor<1x4x5x4xf32>) outs(%48 : tensor<1x4x4x5xf32>) permutation = [0, 1, 3, 2] 
    %49 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_21 : tensor<1x4x4x5xf32>) outs(%48 : tensor<1x4x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.truncf %cst_3 : f64 to f32
      %81 = arith.mulf %in, %80 : f32
      linalg.yield %81 : f32
    } -> tensor<1x4x4x5xf32>
    %collapsed_22 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x4x1x4xf32> into tensor<4x1x4xf32>
    %collapsed_23 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<1x4x4x5xf32> into tensor<4x4x5xf32>
    %50 = tensor.empty() : tensor<4x1x5xf32>
    %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<4x1x5xf32>) -> tensor<4x1x5xf32>
    %52 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<4x1x4xf32>, tensor<4x4x5xf32>) outs(%51 : tensor<4x1x5xf32>) -> tensor<4x1x5xf32>
    %expanded_24 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [1, 4, 1, 5] : tensor<4x1x5xf32> into tensor<1x4x1x5xf32>
    %53 = tensor.empty() : tensor<1x4x1xi64>
    %54 = linalg.fill ins(%c0_i64 : i64) outs(%53 : tensor<1x4x1xi64>) -> tensor<1x4x1xi64>
    %55 = tensor.empty() : tensor<1x4x1xf32>
    %56 = linalg.fill ins(%cst_0 : f32) outs(%55 : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
    %57:2 = linalg.generic {indexing_maps = [#map4, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_24 : tensor<1x4x1x5xf32>) outs(%56, %54 : tensor<1x4x1xf32>, tensor<1x4x1xi64>) {
    ^bb0(%in: f32, %out: f32, %out_33: i64):
      %80 = linalg.index 3 : index
      %81 = arith.index_cast %80 : index to i64
      %82 = arith.maximumf %in, %out : f32
      %83 = arith.cmpf ogt, %in, %out : f32
      %84 = arith.select %83, %81, %out_33 : i64
      linalg.yield %82, %84 : f32, i64
    } -> (tensor<1x4x1xf32>, tensor<1x4x1xi64>)
    %expanded_25 = tensor.expand_shape %57#0 [[0], [1], [2, 3]] output_shape [1, 4, 1, 1] : tensor<1x4x1xf32> into tensor<1x4x1x1xf32>
    %58 = tensor.empty() : tensor<1x4x1x5xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24, %expanded_25 : tensor<1x4x1x5xf32>, tensor<1x4x1x1xf32>) outs(%58 : tensor<1x4x1x5xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %80 = arith.subf %in, %in_33 : f32
      linalg.yield %80 : f32
    } -> tensor<1x4x1x5xf32>
    %60 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x4x1x5xf32>) outs(%58 : tensor<1x4x1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = math.exp %in : f32
      linalg.yield %80 : f32
    } -> tensor<1x4x1x5xf32>
    %61 = tensor.empty() : tensor<1x4x1x1xf32>
    %62 = linalg.fill ins(%cst : f32) outs(%61 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %63 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%60 : tensor<1x4x1x5xf32>) outs(%62 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<1x4x1x1xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %63 : tensor<1x4x1x5xf32>, tensor<1x4x1x1xf32>) outs(%58 : tensor<1x4x1x5xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %80 = arith.divf %in, %in_33 : f32
      linalg.yield %80 : f32
    } -> tensor<1x4x1x5xf32>
    %65 = tensor.empty() : tensor<1x4x1x5xi1>
    %66 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24 : tensor<1x4x1x5xf32>) outs(%65 : tensor<1x4x1x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %80 = arith.extf %in : f32 to f64
      %81 = arith.cmpf oeq, %80, %cst_2 : f64
      linalg.yield %81 : i1
    } -> tensor<1x4x1x5xi1>
    %67 = tensor.empty() : tensor<1x4x1x1xi1>
    %68 = linalg.fill ins(%true : i1) outs(%67 : tensor<1x4x1x1xi1>) -> tensor<1x4x1x1xi1>
    %69 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%66 : tensor<1x4x1x5xi1>) outs(%68 : tensor<1x4x1x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %80 = arith.andi %in, %out : i1
      linalg.yield %80 : i1
    } -> tensor<1x4x1x1xi1>
    %70 = linalg.generic {indexing_maps = [#map9, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %cst_1, %64 : tensor<1x4x1x1xi1>, tensor<1x4x1x5xf32>, tensor<1x4x1x5xf32>) outs(%58 : tensor<1x4x1x5xf32>) {
    ^bb0(%in: i1, %in_33: f32, %in_34: f32, %out: f32):
      %80 = arith.select %in, %in_33, %in_34 : f32
      linalg.yield %80 : f32
    } -> tensor<1x4x1x5xf32>
    %collapsed_26 = tensor.collapse_shape %70 [[0, 1], [2], [3]] : tensor<1x4x1x5xf32> into tensor<4x1x5xf32>
    %collapsed_27 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<1x4x5x4xf32> into tensor<4x5x4xf32>
    %71 = tensor.empty() : tensor<4x1x4xf32>
    %72 = linalg.fill ins(%cst : f32) outs(%71 : tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
    %73 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<4x1x5xf32>, tensor<4x5x4xf32>) outs(%72 : tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
    %expanded_28 = tensor.expand_shape %73 [[0, 1], [2], [3]] output_shape [1, 4, 1, 4] : tensor<4x1x4xf32> into tensor<1x4x1x4xf32>
    %74 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28 : tensor<1x4x1x4xf32>) outs(%19 : tensor<1x4x1x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %80 = arith.truncf %in : f32 to f16
      linalg.yield %80 : f16
    } -> tensor<1x4x1x4xf16>
    %75 = tensor.empty() : tensor<1x1x4x4xf16>
    %transposed_29 = linalg.transpose ins(%74 : tensor<1x4x1x4xf16>) outs(%75 : tensor<1x1x4x4xf16>) permutation = [0, 2, 1, 3] 
    %76 = tensor.empty() : tensor<16x8xf16>
    %transposed_30 = linalg.transpose ins(%arg4 : tensor<8x16xf16>) outs(%76 : tensor<16x8xf16>) permutation = [1, 0] 
    %collapsed_31 = tensor.collapse_shape %transposed_29 [[0], [1, 2, 3]] : tensor<1x1x4x4xf16> into tensor<1x16xf16>
    %77 = linalg.matmul ins(%collapsed_31, %transposed_30 : tensor<1x16xf16>, tensor<16x8xf16>) outs(%22 : tensor<1x8xf32>) -> tensor<1x8xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%77 : tensor<1x8xf32>) outs(%24 : tensor<1x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %80 = arith.truncf %in : f32 to f16
      linalg.yield %80 : f16
    } -> tensor<1x8xf16>
    %expanded_32 = tensor.expand_shape %78 [[0], [1, 2]] output_shape [1, 1, 8] : tensor<1x8xf16> into tensor<1x1x8xf16>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5, %expanded_32 : tensor<1x1x8xf16>, tensor<1x1x8xf16>) outs(%10 : tensor<1x1x8xf16>) {
    ^bb0(%in: f16, %in_33: f16, %out: f16):
      %80 = arith.addf %in, %in_33 : f16
      linalg.yield %80 : f16
    } -> tensor<1x1x8xf16>
    return %79, %concat_17, %concat_18 : tensor<1x1x8xf16>, tensor<1x2x5x4xf16>, tensor<1x2x5x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @normed_attention(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @normed_attention(%arg0: tensor<4xf16>, %arg1: tensor<4xf16>, %arg2: tensor<4xf16>, %arg3: tensor<4xf16>, %arg4: tensor<1x2x3x4xf16>, %arg5: tensor<1x2x5x4xf16>, %arg6: tensor<1x2x5x4xf16>) -> tensor<1x2x3x4xf16> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x2x3x5xf32>
    %cst_3 = arith.constant 0xFFF0000000000000 : f64
    %cst_4 = arith.constant 0.70710678118654757 : f64
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant 4.000000e+00 : f64
    %cst_7 = arith.constant 4.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x2x3x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<1x2x3x4xf16>) outs(%0 : tensor<1x2x3x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %79 = arith.extf %in : f16 to f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x4xf32>
    %2 = tensor.empty() : tensor<1x2x3x4xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x2x3x4xf32>) outs(%2 : tensor<1x2x3x4xf64>) {
    ^bb0(%in: f32, %out: f64):
      %79 = arith.extf %in : f32 to f64
      linalg.yield %79 : f64
    } -> tensor<1x2x3x4xf64>
    %4 = tensor.empty() : tensor<1x2x3x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<1x2x3x1xf64>) -> tensor<1x2x3x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%3 : tensor<1x2x3x4xf64>) outs(%5 : tensor<1x2x3x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %79 = arith.addf %in, %out : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x3x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x2x3x1xf64>) outs(%4 : tensor<1x2x3x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %79 = arith.divf %in, %cst_6 : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x3x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<1x2x3x4xf64>, tensor<1x2x3x1xf64>) outs(%2 : tensor<1x2x3x4xf64>) {
    ^bb0(%in: f64, %in_13: f64, %out: f64):
      %79 = arith.subf %in, %in_13 : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x3x4xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x2x3x4xf64>, tensor<1x2x3x4xf64>) outs(%2 : tensor<1x2x3x4xf64>) {
    ^bb0(%in: f64, %in_13: f64, %out: f64):
      %79 = arith.mulf %in, %in_13 : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x3x4xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<1x2x3x4xf64>) outs(%5 : tensor<1x2x3x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %79 = arith.addf %in, %out : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x3x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x2x3x1xf64>) outs(%4 : tensor<1x2x3x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %79 = arith.divf %in, %cst_6 : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x3x1xf64>
    %12 = tensor.empty() : tensor<1x2x3x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x3x1xf64>) outs(%12 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %79 = arith.truncf %in : f64 to f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<1x2x3x4xf32>) outs(%14 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.addf %in, %out : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x3x1xf32>) outs(%12 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.divf %in, %cst_7 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x3x1xf32>) outs(%12 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.truncf %cst_5 : f64 to f32
      %80 = arith.addf %in, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x3x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x3x1xf32>) outs(%12 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = math.rsqrt %in : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<1x2x3x4xf32>, tensor<1x2x3x1xf32>) outs(%0 : tensor<1x2x3x4xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %79 = arith.subf %in, %in_13 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x4xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x2x3x4xf32>, tensor<1x2x3x1xf32>) outs(%0 : tensor<1x2x3x4xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %79 = arith.mulf %in, %in_13 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x4xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %arg0 : tensor<1x2x3x4xf32>, tensor<4xf16>) outs(%0 : tensor<1x2x3x4xf32>) {
    ^bb0(%in: f32, %in_13: f16, %out: f32):
      %79 = arith.extf %in_13 : f16 to f32
      %80 = arith.mulf %in, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x3x4xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %arg1 : tensor<1x2x3x4xf32>, tensor<4xf16>) outs(%0 : tensor<1x2x3x4xf32>) {
    ^bb0(%in: f32, %in_13: f16, %out: f32):
      %79 = arith.extf %in_13 : f16 to f32
      %80 = arith.addf %in, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x3x4xf32>
    %23 = tensor.empty() : tensor<1x2x3x4xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x2x3x4xf32>) outs(%23 : tensor<1x2x3x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %79 = arith.truncf %in : f32 to f16
      linalg.yield %79 : f16
    } -> tensor<1x2x3x4xf16>
    %25 = tensor.empty() : tensor<1x2x5x4xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5 : tensor<1x2x5x4xf16>) outs(%25 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %79 = arith.extf %in : f16 to f32
      linalg.yield %79 : f32
    } -> tensor<1x2x5x4xf32>
    %27 = tensor.empty() : tensor<1x2x5x4xf64>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x2x5x4xf32>) outs(%27 : tensor<1x2x5x4xf64>) {
    ^bb0(%in: f32, %out: f64):
      %79 = arith.extf %in : f32 to f64
      linalg.yield %79 : f64
    } -> tensor<1x2x5x4xf64>
    %29 = tensor.empty() : tensor<1x2x5x1xf64>
    %30 = linalg.fill ins(%cst : f64) outs(%29 : tensor<1x2x5x1xf64>) -> tensor<1x2x5x1xf64>
    %31 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<1x2x5x4xf64>) outs(%30 : tensor<1x2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %79 = arith.addf %in, %out : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x5x1xf64>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x2x5x1xf64>) outs(%29 : tensor<1x2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %79 = arith.divf %in, %cst_6 : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x5x1xf64>
    %33 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %32 : tensor<1x2x5x4xf64>, tensor<1x2x5x1xf64>) outs(%27 : tensor<1x2x5x4xf64>) {
    ^bb0(%in: f64, %in_13: f64, %out: f64):
      %79 = arith.subf %in, %in_13 : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x5x4xf64>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %33 : tensor<1x2x5x4xf64>, tensor<1x2x5x4xf64>) outs(%27 : tensor<1x2x5x4xf64>) {
    ^bb0(%in: f64, %in_13: f64, %out: f64):
      %79 = arith.mulf %in, %in_13 : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x5x4xf64>
    %35 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x5x4xf64>) outs(%30 : tensor<1x2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %79 = arith.addf %in, %out : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x5x1xf64>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x2x5x1xf64>) outs(%29 : tensor<1x2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %79 = arith.divf %in, %cst_6 : f64
      linalg.yield %79 : f64
    } -> tensor<1x2x5x1xf64>
    %37 = tensor.empty() : tensor<1x2x5x1xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x2x5x1xf64>) outs(%37 : tensor<1x2x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %79 = arith.truncf %in : f64 to f32
      linalg.yield %79 : f32
    } -> tensor<1x2x5x1xf32>
    %39 = linalg.fill ins(%cst_0 : f32) outs(%37 : tensor<1x2x5x1xf32>) -> tensor<1x2x5x1xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x2x5x4xf32>) outs(%39 : tensor<1x2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.addf %in, %out : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x5x1xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x5x1xf32>) outs(%37 : tensor<1x2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.divf %in, %cst_7 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x5x1xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x5x1xf32>) outs(%37 : tensor<1x2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.truncf %cst_5 : f64 to f32
      %80 = arith.addf %in, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x5x1xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x2x5x1xf32>) outs(%37 : tensor<1x2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = math.rsqrt %in : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x5x1xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %41 : tensor<1x2x5x4xf32>, tensor<1x2x5x1xf32>) outs(%25 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %79 = arith.subf %in, %in_13 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x5x4xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %43 : tensor<1x2x5x4xf32>, tensor<1x2x5x1xf32>) outs(%25 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %79 = arith.mulf %in, %in_13 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x5x4xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %arg2 : tensor<1x2x5x4xf32>, tensor<4xf16>) outs(%25 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f32, %in_13: f16, %out: f32):
      %79 = arith.extf %in_13 : f16 to f32
      %80 = arith.mulf %in, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x5x4xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %arg3 : tensor<1x2x5x4xf32>, tensor<4xf16>) outs(%25 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f32, %in_13: f16, %out: f32):
      %79 = arith.extf %in_13 : f16 to f32
      %80 = arith.addf %in, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x5x4xf32>
    %48 = tensor.empty() : tensor<1x2x5x4xf16>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x2x5x4xf32>) outs(%48 : tensor<1x2x5x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %79 = arith.truncf %in : f32 to f16
      linalg.yield %79 : f16
    } -> tensor<1x2x5x4xf16>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x3x4xf16>) outs(%0 : tensor<1x2x3x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %79 = arith.extf %in : f16 to f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x4xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x2x5x4xf16>) outs(%25 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %79 = arith.extf %in : f16 to f32
      linalg.yield %79 : f32
    } -> tensor<1x2x5x4xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg6 : tensor<1x2x5x4xf16>) outs(%25 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %79 = arith.extf %in : f16 to f32
      linalg.yield %79 : f32
    } -> tensor<1x2x5x4xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x2x3x4xf32>) outs(%0 : tensor<1x2x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.truncf %cst_4 : f64 to f32
      %80 = arith.mulf %in, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x3x4xf32>
    %54 = tensor.empty() : tensor<1x2x4x5xf32>
    %transposed = linalg.transpose ins(%51 : tensor<1x2x5x4xf32>) outs(%54 : tensor<1x2x4x5xf32>) permutation = [0, 1, 3, 2] 
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x4x5xf32>) outs(%54 : tensor<1x2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.truncf %cst_4 : f64 to f32
      %80 = arith.mulf %in, %79 : f32
      linalg.yield %80 : f32
    } -> tensor<1x2x4x5xf32>
    %collapsed = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<1x2x3x4xf32> into tensor<2x3x4xf32>
    %collapsed_8 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x2x4x5xf32> into tensor<2x4x5xf32>
    %56 = tensor.empty() : tensor<2x3x5xf32>
    %57 = linalg.fill ins(%cst_0 : f32) outs(%56 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %58 = linalg.batch_matmul ins(%collapsed, %collapsed_8 : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%57 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %expanded = tensor.expand_shape %58 [[0, 1], [2], [3]] output_shape [1, 2, 3, 5] : tensor<2x3x5xf32> into tensor<1x2x3x5xf32>
    %59 = tensor.empty() : tensor<1x2x3xi64>
    %60 = linalg.fill ins(%c0_i64 : i64) outs(%59 : tensor<1x2x3xi64>) -> tensor<1x2x3xi64>
    %61 = tensor.empty() : tensor<1x2x3xf32>
    %62 = linalg.fill ins(%cst_1 : f32) outs(%61 : tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %63:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded : tensor<1x2x3x5xf32>) outs(%62, %60 : tensor<1x2x3xf32>, tensor<1x2x3xi64>) {
    ^bb0(%in: f32, %out: f32, %out_13: i64):
      %79 = linalg.index 3 : index
      %80 = arith.index_cast %79 : index to i64
      %81 = arith.maximumf %in, %out : f32
      %82 = arith.cmpf ogt, %in, %out : f32
      %83 = arith.select %82, %80, %out_13 : i64
      linalg.yield %81, %83 : f32, i64
    } -> (tensor<1x2x3xf32>, tensor<1x2x3xi64>)
    %expanded_9 = tensor.expand_shape %63#0 [[0], [1], [2, 3]] output_shape [1, 2, 3, 1] : tensor<1x2x3xf32> into tensor<1x2x3x1xf32>
    %64 = tensor.empty() : tensor<1x2x3x5xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_9 : tensor<1x2x3x5xf32>, tensor<1x2x3x1xf32>) outs(%64 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %79 = arith.subf %in, %in_13 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x5xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<1x2x3x5xf32>) outs(%64 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = math.exp %in : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x5xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%66 : tensor<1x2x3x5xf32>) outs(%14 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.addf %in, %out : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x1xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %67 : tensor<1x2x3x5xf32>, tensor<1x2x3x1xf32>) outs(%64 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %79 = arith.divf %in, %in_13 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x5xf32>
    %69 = tensor.empty() : tensor<1x2x3x5xi1>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x3x5xf32>) outs(%69 : tensor<1x2x3x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %79 = arith.extf %in : f32 to f64
      %80 = arith.cmpf oeq, %79, %cst_3 : f64
      linalg.yield %80 : i1
    } -> tensor<1x2x3x5xi1>
    %71 = tensor.empty() : tensor<1x2x3x1xi1>
    %72 = linalg.fill ins(%true : i1) outs(%71 : tensor<1x2x3x1xi1>) -> tensor<1x2x3x1xi1>
    %73 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%70 : tensor<1x2x3x5xi1>) outs(%72 : tensor<1x2x3x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %79 = arith.andi %in, %out : i1
      linalg.yield %79 : i1
    } -> tensor<1x2x3x1xi1>
    %74 = linalg.generic {indexing_maps = [#map1, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %cst_2, %68 : tensor<1x2x3x1xi1>, tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) outs(%64 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: i1, %in_13: f32, %in_14: f32, %out: f32):
      %79 = arith.select %in, %in_13, %in_14 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x3x5xf32>
    %collapsed_10 = tensor.collapse_shape %74 [[0, 1], [2], [3]] : tensor<1x2x3x5xf32> into tensor<2x3x5xf32>
    %collapsed_11 = tensor.collapse_shape %52 [[0, 1], [2], [3]] : tensor<1x2x5x4xf32> into tensor<2x5x4xf32>
    %75 = tensor.empty() : tensor<2x3x4xf32>
    %76 = linalg.fill ins(%cst_0 : f32) outs(%75 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %77 = linalg.batch_matmul ins(%collapsed_10, %collapsed_11 : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%76 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %expanded_12 = tensor.expand_shape %77 [[0, 1], [2], [3]] output_shape [1, 2, 3, 4] : tensor<2x3x4xf32> into tensor<1x2x3x4xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x2x3x4xf32>) outs(%23 : tensor<1x2x3x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %79 = arith.truncf %in : f32 to f16
      linalg.yield %79 : f16
    } -> tensor<1x2x3x4xf16>
    return %78 : tensor<1x2x3x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @gpt2_block(
// CHECK:         linalg.generic
// CHECK:         mirage_kernel
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @gpt2_block(%arg0: tensor<8xf16>, %arg1: tensor<8xf16>, %arg2: tensor<8xf16>, %arg3: tensor<8xf16>, %arg4: tensor<24x8xf16>, %arg5: tensor<24xf16>, %arg6: tensor<8x8xf16>, %arg7: tensor<8xf16>, %arg8: tensor<32x8xf16>, %arg9: tensor<32xf16>, %arg10: tensor<8x32xf16>, %arg11: tensor<8xf16>, %arg12: tensor<1x4x8xf16>) -> tensor<1x4x8xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %c3_i64 = arith.constant 3 : i64
    %cst_2 = arith.constant 4.470830e-02 : f16
    %cst_3 = arith.constant 7.978520e-01 : f16
    %cst_4 = arith.constant 1.000000e+00 : f16
    %cst_5 = arith.constant 5.000000e-01 : f16
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<1x2x4x4xf32>
    %cst_7 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_8 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_9 = arith.constant dense<true> : tensor<4x4xi1>
    %cst_10 = arith.constant 0xFFF0000000000000 : f64
    %cst_11 = arith.constant 0.70710678118654757 : f64
    %cst_12 = arith.constant 1.000000e-05 : f64
    %cst_13 = arith.constant 8.000000e+00 : f64
    %cst_14 = arith.constant 8.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x4x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<1x4x8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<1x4x8xf32>
    %2 = tensor.empty() : tensor<1x4x8xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x4x8xf32>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %131 = arith.extf %in : f32 to f64
      linalg.yield %131 : f64
    } -> tensor<1x4x8xf64>
    %4 = tensor.empty() : tensor<1x4x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<1x4x1xf64>) -> tensor<1x4x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x4x8xf64>) outs(%5 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %131 = arith.addf %in, %out : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x4x1xf64>) outs(%4 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %131 = arith.divf %in, %cst_13 : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<1x4x8xf64>, tensor<1x4x1xf64>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_43: f64, %out: f64):
      %131 = arith.subf %in, %in_43 : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x8xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x4x8xf64>, tensor<1x4x8xf64>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_43: f64, %out: f64):
      %131 = arith.mulf %in, %in_43 : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x8xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x4x8xf64>) outs(%5 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %131 = arith.addf %in, %out : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x4x1xf64>) outs(%4 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %131 = arith.divf %in, %cst_13 : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x1xf64>
    %12 = tensor.empty() : tensor<1x4x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x4x1xf64>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %131 = arith.truncf %in : f64 to f32
      linalg.yield %131 : f32
    } -> tensor<1x4x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x4x8xf32>) outs(%14 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = arith.addf %in, %out : f32
      linalg.yield %131 : f32
    } -> tensor<1x4x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = arith.divf %in, %cst_14 : f32
      linalg.yield %131 : f32
    } -> tensor<1x4x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = arith.truncf %cst_12 : f64 to f32
      %132 = arith.addf %in, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x4x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = math.rsqrt %in : f32
      linalg.yield %131 : f32
    } -> tensor<1x4x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %131 = arith.subf %in, %in_43 : f32
      linalg.yield %131 : f32
    } -> tensor<1x4x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %131 = arith.mulf %in, %in_43 : f32
      linalg.yield %131 : f32
    } -> tensor<1x4x8xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg0 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_43: f16, %out: f32):
      %131 = arith.extf %in_43 : f16 to f32
      %132 = arith.mulf %in, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x4x8xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg1 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_43: f16, %out: f32):
      %131 = arith.extf %in_43 : f16 to f32
      %132 = arith.addf %in, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x4x8xf32>
    %23 = tensor.empty() : tensor<1x4x8xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x4x8xf32>) outs(%23 : tensor<1x4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %131 = arith.truncf %in : f32 to f16
      linalg.yield %131 : f16
    } -> tensor<1x4x8xf16>
    %collapsed = tensor.collapse_shape %24 [[0, 1], [2]] : tensor<1x4x8xf16> into tensor<4x8xf16>
    %25 = tensor.empty() : tensor<8x24xf16>
    %transposed = linalg.transpose ins(%arg4 : tensor<24x8xf16>) outs(%25 : tensor<8x24xf16>) permutation = [1, 0] 
    %26 = tensor.empty() : tensor<24xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg5 : tensor<24xf16>) outs(%26 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<24xf32>
    %28 = tensor.empty() : tensor<4x8xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<4x8xf16>) outs(%28 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<4x8xf32>
    %30 = tensor.empty() : tensor<8x24xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<8x24xf16>) outs(%30 : tensor<8x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<8x24xf32>
    %32 = tensor.empty() : tensor<4x24xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<4x24xf32>) -> tensor<4x24xf32>
    %34 = linalg.matmul ins(%29, %31 : tensor<4x8xf32>, tensor<8x24xf32>) outs(%33 : tensor<4x24xf32>) -> tensor<4x24xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%34, %27 : tensor<4x24xf32>, tensor<24xf32>) outs(%32 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %131 = arith.addf %in, %in_43 : f32
      linalg.yield %131 : f32
    } -> tensor<4x24xf32>
    %36 = tensor.empty() : tensor<4x24xf16>
    %37 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<4x24xf32>) outs(%36 : tensor<4x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %131 = arith.truncf %in : f32 to f16
      linalg.yield %131 : f16
    } -> tensor<4x24xf16>
    %expanded = tensor.expand_shape %37 [[0, 1], [2]] output_shape [1, 4, 24] : tensor<4x24xf16> into tensor<1x4x24xf16>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<1x4x24xf16> to tensor<1x4x8xf16>
    %extracted_slice_15 = tensor.extract_slice %expanded[0, 0, 8] [1, 4, 8] [1, 1, 1] : tensor<1x4x24xf16> to tensor<1x4x8xf16>
    %extracted_slice_16 = tensor.extract_slice %expanded[0, 0, 16] [1, 4, 8] [1, 1, 1] : tensor<1x4x24xf16> to tensor<1x4x8xf16>
    %expanded_17 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [1, 4, 2, 4] : tensor<1x4x8xf16> into tensor<1x4x2x4xf16>
    %38 = tensor.empty() : tensor<1x2x4x4xf16>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<1x4x2x4xf16>) outs(%38 : tensor<1x2x4x4xf16>) permutation = [0, 2, 1, 3] 
    %expanded_19 = tensor.expand_shape %extracted_slice_15 [[0], [1], [2, 3]] output_shape [1, 4, 2, 4] : tensor<1x4x8xf16> into tensor<1x4x2x4xf16>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<1x4x2x4xf16>) outs(%38 : tensor<1x2x4x4xf16>) permutation = [0, 2, 1, 3] 
    %expanded_21 = tensor.expand_shape %extracted_slice_16 [[0], [1], [2, 3]] output_shape [1, 4, 2, 4] : tensor<1x4x8xf16> into tensor<1x4x2x4xf16>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<1x4x2x4xf16>) outs(%38 : tensor<1x2x4x4xf16>) permutation = [0, 2, 1, 3] 
    %39 = tensor.empty() : tensor<1x2x4x4xf32>
    %40 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_18 : tensor<1x2x4x4xf16>) outs(%39 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<1x2x4x4xf32>
    %41 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_20 : tensor<1x2x4x4xf16>) outs(%39 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<1x2x4x4xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_22 : tensor<1x2x4x4xf16>) outs(%39 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<1x2x4x4xf32>
    %43 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x4x4xf32>) outs(%39 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = arith.truncf %cst_11 : f64 to f32
      %132 = arith.mulf %in, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x2x4x4xf32>
    %44 = tensor.empty() : tensor<4xi64>
    %45 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%44 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %131 = linalg.index 0 : index
      %132 = arith.index_cast %131 : index to i64
      linalg.yield %132 : i64
    } -> tensor<4xi64>
    %expanded_23 = tensor.expand_shape %45 [[0, 1]] output_shape [1, 4] : tensor<4xi64> into tensor<1x4xi64>
    %expanded_24 = tensor.expand_shape %45 [[0, 1]] output_shape [4, 1] : tensor<4xi64> into tensor<4x1xi64>
    %46 = tensor.empty() : tensor<4x4xi64>
    %47 = linalg.generic {indexing_maps = [#map7, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_23, %expanded_24 : tensor<1x4xi64>, tensor<4x1xi64>) outs(%46 : tensor<4x4xi64>) {
    ^bb0(%in: i64, %in_43: i64, %out: i64):
      %131 = arith.subi %in, %in_43 : i64
      linalg.yield %131 : i64
    } -> tensor<4x4xi64>
    %48 = tensor.empty() : tensor<4x4xi1>
    %49 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<4x4xi64>) outs(%48 : tensor<4x4xi1>) {
    ^bb0(%in: i64, %out: i1):
      %131 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %131 : i1
    } -> tensor<4x4xi1>
    %50 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%49, %cst_9 : tensor<4x4xi1>, tensor<4x4xi1>) outs(%48 : tensor<4x4xi1>) {
    ^bb0(%in: i1, %in_43: i1, %out: i1):
      %131 = arith.andi %in, %in_43 : i1
      linalg.yield %131 : i1
    } -> tensor<4x4xi1>
    %51 = tensor.empty() : tensor<4x4xf32>
    %52 = linalg.generic {indexing_maps = [#map4, #map9, #map9, #map4], iterator_types = ["parallel", "parallel"]} ins(%50, %cst_7, %cst_8 : tensor<4x4xi1>, tensor<f32>, tensor<f32>) outs(%51 : tensor<4x4xf32>) {
    ^bb0(%in: i1, %in_43: f32, %in_44: f32, %out: f32):
      %131 = arith.select %in, %in_43, %in_44 : f32
      linalg.yield %131 : f32
    } -> tensor<4x4xf32>
    %transposed_25 = linalg.transpose ins(%41 : tensor<1x2x4x4xf32>) outs(%39 : tensor<1x2x4x4xf32>) permutation = [0, 1, 3, 2] 
    %53 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_25 : tensor<1x2x4x4xf32>) outs(%39 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = arith.truncf %cst_11 : f64 to f32
      %132 = arith.mulf %in, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x2x4x4xf32>
    %collapsed_26 = tensor.collapse_shape %43 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %collapsed_27 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %54 = tensor.empty() : tensor<2x4x4xf32>
    %55 = linalg.fill ins(%cst_0 : f32) outs(%54 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %56 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%55 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_28 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf32> into tensor<1x2x4x4xf32>
    %57 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28, %52 : tensor<1x2x4x4xf32>, tensor<4x4xf32>) outs(%39 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %131 = arith.addf %in, %in_43 : f32
      linalg.yield %131 : f32
    } -> tensor<1x2x4x4xf32>
    %58 = tensor.empty() : tensor<1x2x4xi64>
    %59 = linalg.fill ins(%c0_i64 : i64) outs(%58 : tensor<1x2x4xi64>) -> tensor<1x2x4xi64>
    %60 = tensor.empty() : tensor<1x2x4xf32>
    %61 = linalg.fill ins(%cst_1 : f32) outs(%60 : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %62:2 = linalg.generic {indexing_maps = [#map6, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%57 : tensor<1x2x4x4xf32>) outs(%61, %59 : tensor<1x2x4xf32>, tensor<1x2x4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_43: i64):
      %131 = linalg.index 3 : index
      %132 = arith.index_cast %131 : index to i64
      %133 = arith.maximumf %in, %out : f32
      %134 = arith.cmpf ogt, %in, %out : f32
      %135 = arith.select %134, %132, %out_43 : i64
      linalg.yield %133, %135 : f32, i64
    } -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>)
    %expanded_29 = tensor.expand_shape %62#0 [[0], [1], [2, 3]] output_shape [1, 2, 4, 1] : tensor<1x2x4xf32> into tensor<1x2x4x1xf32>
    %63 = linalg.generic {indexing_maps = [#map6, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %expanded_29 : tensor<1x2x4x4xf32>, tensor<1x2x4x1xf32>) outs(%39 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %131 = arith.subf %in, %in_43 : f32
      linalg.yield %131 : f32
    } -> tensor<1x2x4x4xf32>
    %64 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x2x4x4xf32>) outs(%39 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = math.exp %in : f32
      linalg.yield %131 : f32
    } -> tensor<1x2x4x4xf32>
    %65 = tensor.empty() : tensor<1x2x4x1xf32>
    %66 = linalg.fill ins(%cst_0 : f32) outs(%65 : tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
    %67 = linalg.generic {indexing_maps = [#map6, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%64 : tensor<1x2x4x4xf32>) outs(%66 : tensor<1x2x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = arith.addf %in, %out : f32
      linalg.yield %131 : f32
    } -> tensor<1x2x4x1xf32>
    %68 = linalg.generic {indexing_maps = [#map6, #map12, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %67 : tensor<1x2x4x4xf32>, tensor<1x2x4x1xf32>) outs(%39 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %131 = arith.divf %in, %in_43 : f32
      linalg.yield %131 : f32
    } -> tensor<1x2x4x4xf32>
    %69 = tensor.empty() : tensor<1x2x4x4xi1>
    %70 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x2x4x4xf32>) outs(%69 : tensor<1x2x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %131 = arith.extf %in : f32 to f64
      %132 = arith.cmpf oeq, %131, %cst_10 : f64
      linalg.yield %132 : i1
    } -> tensor<1x2x4x4xi1>
    %71 = tensor.empty() : tensor<1x2x4x1xi1>
    %72 = linalg.fill ins(%true : i1) outs(%71 : tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
    %73 = linalg.generic {indexing_maps = [#map6, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%70 : tensor<1x2x4x4xi1>) outs(%72 : tensor<1x2x4x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %131 = arith.andi %in, %out : i1
      linalg.yield %131 : i1
    } -> tensor<1x2x4x1xi1>
    %74 = linalg.generic {indexing_maps = [#map12, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %cst_6, %68 : tensor<1x2x4x1xi1>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) outs(%39 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: i1, %in_43: f32, %in_44: f32, %out: f32):
      %131 = arith.select %in, %in_43, %in_44 : f32
      linalg.yield %131 : f32
    } -> tensor<1x2x4x4xf32>
    %collapsed_30 = tensor.collapse_shape %74 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %collapsed_31 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %75 = linalg.batch_matmul ins(%collapsed_30, %collapsed_31 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%55 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_32 = tensor.expand_shape %75 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf32> into tensor<1x2x4x4xf32>
    %76 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<1x2x4x4xf32>) outs(%38 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %131 = arith.truncf %in : f32 to f16
      linalg.yield %131 : f16
    } -> tensor<1x2x4x4xf16>
    %77 = tensor.empty() : tensor<1x4x2x4xf16>
    %transposed_33 = linalg.transpose ins(%76 : tensor<1x2x4x4xf16>) outs(%77 : tensor<1x4x2x4xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_34 = tensor.collapse_shape %transposed_33 [[0, 1], [2, 3]] : tensor<1x4x2x4xf16> into tensor<4x8xf16>
    %78 = tensor.empty() : tensor<8x8xf16>
    %transposed_35 = linalg.transpose ins(%arg6 : tensor<8x8xf16>) outs(%78 : tensor<8x8xf16>) permutation = [1, 0] 
    %79 = tensor.empty() : tensor<8xf32>
    %80 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg7 : tensor<8xf16>) outs(%79 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<8xf32>
    %81 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_34 : tensor<4x8xf16>) outs(%28 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<4x8xf32>
    %82 = tensor.empty() : tensor<8x8xf32>
    %83 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_35 : tensor<8x8xf16>) outs(%82 : tensor<8x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<8x8xf32>
    %84 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %85 = linalg.matmul ins(%81, %83 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%84 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %86 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%85, %80 : tensor<4x8xf32>, tensor<8xf32>) outs(%28 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %131 = arith.addf %in, %in_43 : f32
      linalg.yield %131 : f32
    } -> tensor<4x8xf32>
    %87 = tensor.empty() : tensor<4x8xf16>
    %88 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%86 : tensor<4x8xf32>) outs(%87 : tensor<4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %131 = arith.truncf %in : f32 to f16
      linalg.yield %131 : f16
    } -> tensor<4x8xf16>
    %expanded_36 = tensor.expand_shape %88 [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf16> into tensor<1x4x8xf16>
    %89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %expanded_36 : tensor<1x4x8xf16>, tensor<1x4x8xf16>) outs(%23 : tensor<1x4x8xf16>) {
    ^bb0(%in: f16, %in_43: f16, %out: f16):
      %131 = arith.addf %in, %in_43 : f16
      linalg.yield %131 : f16
    } -> tensor<1x4x8xf16>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<1x4x8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<1x4x8xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<1x4x8xf32>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %131 = arith.extf %in : f32 to f64
      linalg.yield %131 : f64
    } -> tensor<1x4x8xf64>
    %92 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%91 : tensor<1x4x8xf64>) outs(%5 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %131 = arith.addf %in, %out : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x1xf64>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<1x4x1xf64>) outs(%4 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %131 = arith.divf %in, %cst_13 : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x1xf64>
    %94 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %93 : tensor<1x4x8xf64>, tensor<1x4x1xf64>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_43: f64, %out: f64):
      %131 = arith.subf %in, %in_43 : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x8xf64>
    %95 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %94 : tensor<1x4x8xf64>, tensor<1x4x8xf64>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_43: f64, %out: f64):
      %131 = arith.mulf %in, %in_43 : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x8xf64>
    %96 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<1x4x8xf64>) outs(%5 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %131 = arith.addf %in, %out : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x1xf64>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<1x4x1xf64>) outs(%4 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %131 = arith.divf %in, %cst_13 : f64
      linalg.yield %131 : f64
    } -> tensor<1x4x1xf64>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<1x4x1xf64>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %131 = arith.truncf %in : f64 to f32
      linalg.yield %131 : f32
    } -> tensor<1x4x1xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%90 : tensor<1x4x8xf32>) outs(%14 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = arith.addf %in, %out : f32
      linalg.yield %131 : f32
    } -> tensor<1x4x1xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = arith.divf %in, %cst_14 : f32
      linalg.yield %131 : f32
    } -> tensor<1x4x1xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = arith.truncf %cst_12 : f64 to f32
      %132 = arith.addf %in, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x4x1xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %131 = math.rsqrt %in : f32
      linalg.yield %131 : f32
    } -> tensor<1x4x1xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %100 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %131 = arith.subf %in, %in_43 : f32
      linalg.yield %131 : f32
    } -> tensor<1x4x8xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %102 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %131 = arith.mulf %in, %in_43 : f32
      linalg.yield %131 : f32
    } -> tensor<1x4x8xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %arg2 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_43: f16, %out: f32):
      %131 = arith.extf %in_43 : f16 to f32
      %132 = arith.mulf %in, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x4x8xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %arg3 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_43: f16, %out: f32):
      %131 = arith.extf %in_43 : f16 to f32
      %132 = arith.addf %in, %131 : f32
      linalg.yield %132 : f32
    } -> tensor<1x4x8xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x4x8xf32>) outs(%23 : tensor<1x4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %131 = arith.truncf %in : f32 to f16
      linalg.yield %131 : f16
    } -> tensor<1x4x8xf16>
    %collapsed_37 = tensor.collapse_shape %107 [[0, 1], [2]] : tensor<1x4x8xf16> into tensor<4x8xf16>
    %108 = tensor.empty() : tensor<8x32xf16>
    %transposed_38 = linalg.transpose ins(%arg8 : tensor<32x8xf16>) outs(%108 : tensor<8x32xf16>) permutation = [1, 0] 
    %109 = tensor.empty() : tensor<32xf32>
    %110 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg9 : tensor<32xf16>) outs(%109 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<32xf32>
    %111 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_37 : tensor<4x8xf16>) outs(%28 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<4x8xf32>
    %112 = tensor.empty() : tensor<8x32xf32>
    %113 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_38 : tensor<8x32xf16>) outs(%112 : tensor<8x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<8x32xf32>
    %114 = tensor.empty() : tensor<4x32xf32>
    %115 = linalg.fill ins(%cst_0 : f32) outs(%114 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %116 = linalg.matmul ins(%111, %113 : tensor<4x8xf32>, tensor<8x32xf32>) outs(%115 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %117 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%116, %110 : tensor<4x32xf32>, tensor<32xf32>) outs(%114 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %131 = arith.addf %in, %in_43 : f32
      linalg.yield %131 : f32
    } -> tensor<4x32xf32>
    %118 = tensor.empty() : tensor<4x32xf16>
    %119 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%117 : tensor<4x32xf32>) outs(%118 : tensor<4x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %131 = arith.truncf %in : f32 to f16
      linalg.yield %131 : f16
    } -> tensor<4x32xf16>
    %expanded_39 = tensor.expand_shape %119 [[0, 1], [2]] output_shape [1, 4, 32] : tensor<4x32xf16> into tensor<1x4x32xf16>
    %120 = tensor.empty() : tensor<1x4x32xf16>
    %121 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<1x4x32xf16>) outs(%120 : tensor<1x4x32xf16>) {
    ^bb0(%in: f16, %out: f16):
      %131 = math.fpowi %in, %c3_i64 : f16, i64
      %132 = arith.mulf %131, %cst_2 : f16
      %133 = arith.addf %in, %132 : f16
      %134 = arith.mulf %133, %cst_3 : f16
      %135 = math.tanh %134 : f16
      %136 = arith.addf %135, %cst_4 : f16
      %137 = arith.mulf %136, %cst_5 : f16
      %138 = arith.mulf %in, %137 : f16
      linalg.yield %138 : f16
    } -> tensor<1x4x32xf16>
    %collapsed_40 = tensor.collapse_shape %121 [[0, 1], [2]] : tensor<1x4x32xf16> into tensor<4x32xf16>
    %122 = tensor.empty() : tensor<32x8xf16>
    %transposed_41 = linalg.transpose ins(%arg10 : tensor<8x32xf16>) outs(%122 : tensor<32x8xf16>) permutation = [1, 0] 
    %123 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg11 : tensor<8xf16>) outs(%79 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<8xf32>
    %124 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_40 : tensor<4x32xf16>) outs(%114 : tensor<4x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<4x32xf32>
    %125 = tensor.empty() : tensor<32x8xf32>
    %126 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_41 : tensor<32x8xf16>) outs(%125 : tensor<32x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %131 = arith.extf %in : f16 to f32
      linalg.yield %131 : f32
    } -> tensor<32x8xf32>
    %127 = linalg.matmul ins(%124, %126 : tensor<4x32xf32>, tensor<32x8xf32>) outs(%84 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %128 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%127, %123 : tensor<4x8xf32>, tensor<8xf32>) outs(%28 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_43: f32, %out: f32):
      %131 = arith.addf %in, %in_43 : f32
      linalg.yield %131 : f32
    } -> tensor<4x8xf32>
    %129 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%128 : tensor<4x8xf32>) outs(%87 : tensor<4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %131 = arith.truncf %in : f32 to f16
      linalg.yield %131 : f16
    } -> tensor<4x8xf16>
    %expanded_42 = tensor.expand_shape %129 [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf16> into tensor<1x4x8xf16>
    %130 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %expanded_42 : tensor<1x4x8xf16>, tensor<1x4x8xf16>) outs(%23 : tensor<1x4x8xf16>) {
    ^bb0(%in: f16, %in_43: f16, %out: f16):
      %131 = arith.addf %in, %in_43 : f16
      linalg.yield %131 : f16
    } -> tensor<1x4x8xf16>
    return %130 : tensor<1x4x8xf16>
  }
}

// -----

// CHECK-LABEL: func.func @encoder_layer(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @encoder_layer(%arg0: tensor<24x8xf16>, %arg1: tensor<24xf16>, %arg2: tensor<8x8xf16>, %arg3: tensor<8xf16>, %arg4: tensor<32x8xf16>, %arg5: tensor<32xf16>, %arg6: tensor<8x32xf16>, %arg7: tensor<8xf16>, %arg8: tensor<8xf16>, %arg9: tensor<8xf16>, %arg10: tensor<8xf16>, %arg11: tensor<8xf16>, %arg12: tensor<1x4x8xf16>) -> tensor<1x4x8xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e+00 : f16
    %cst_3 = arith.constant 2.000000e+00 : f16
    %cst_4 = arith.constant 5.000000e-01 : f16
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<1x2x4x4xf32>
    %cst_6 = arith.constant 1.000000e-05 : f64
    %cst_7 = arith.constant 0xFFF0000000000000 : f64
    %cst_8 = arith.constant 0.70710678118654757 : f64
    %cst_9 = arith.constant 8.000000e+00 : f64
    %cst_10 = arith.constant 8.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x1x8xf16>
    %transposed = linalg.transpose ins(%arg12 : tensor<1x4x8xf16>) outs(%0 : tensor<4x1x8xf16>) permutation = [1, 0, 2] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2]] : tensor<4x1x8xf16> into tensor<4x8xf16>
    %1 = tensor.empty() : tensor<8x24xf16>
    %transposed_11 = linalg.transpose ins(%arg0 : tensor<24x8xf16>) outs(%1 : tensor<8x24xf16>) permutation = [1, 0] 
    %2 = tensor.empty() : tensor<24xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<24xf16>) outs(%2 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<24xf32>
    %4 = tensor.empty() : tensor<4x8xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<4x8xf16>) outs(%4 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<4x8xf32>
    %6 = tensor.empty() : tensor<8x24xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_11 : tensor<8x24xf16>) outs(%6 : tensor<8x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<8x24xf32>
    %8 = tensor.empty() : tensor<4x24xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<4x24xf32>) -> tensor<4x24xf32>
    %10 = linalg.matmul ins(%5, %7 : tensor<4x8xf32>, tensor<8x24xf32>) outs(%9 : tensor<4x24xf32>) -> tensor<4x24xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%10, %3 : tensor<4x24xf32>, tensor<24xf32>) outs(%8 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.addf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<4x24xf32>
    %12 = tensor.empty() : tensor<4x24xf16>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<4x24xf32>) outs(%12 : tensor<4x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<4x24xf16>
    %expanded = tensor.expand_shape %13 [[0, 1], [2, 3, 4]] output_shape [1, 4, 1, 3, 8] : tensor<4x24xf16> into tensor<1x4x1x3x8xf16>
    %14 = tensor.empty() : tensor<3x4x1x1x8xf16>
    %transposed_12 = linalg.transpose ins(%expanded : tensor<1x4x1x3x8xf16>) outs(%14 : tensor<3x4x1x1x8xf16>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_13 = tensor.collapse_shape %transposed_12 [[0], [1], [2, 3], [4]] : tensor<3x4x1x1x8xf16> into tensor<3x4x1x8xf16>
    %extracted_slice = tensor.extract_slice %collapsed_13[0, 0, 0, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<3x4x1x8xf16> to tensor<1x4x1x8xf16>
    %extracted_slice_14 = tensor.extract_slice %collapsed_13[1, 0, 0, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<3x4x1x8xf16> to tensor<1x4x1x8xf16>
    %extracted_slice_15 = tensor.extract_slice %collapsed_13[2, 0, 0, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<3x4x1x8xf16> to tensor<1x4x1x8xf16>
    %collapsed_16 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x4x1x8xf16> into tensor<4x8xf16>
    %expanded_17 = tensor.expand_shape %collapsed_16 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf16> into tensor<4x2x4xf16>
    %15 = tensor.empty() : tensor<2x4x4xf16>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<4x2x4xf16>) outs(%15 : tensor<2x4x4xf16>) permutation = [1, 0, 2] 
    %collapsed_19 = tensor.collapse_shape %extracted_slice_14 [[0, 1], [2, 3]] : tensor<1x4x1x8xf16> into tensor<4x8xf16>
    %expanded_20 = tensor.expand_shape %collapsed_19 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf16> into tensor<4x2x4xf16>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<4x2x4xf16>) outs(%15 : tensor<2x4x4xf16>) permutation = [1, 0, 2] 
    %collapsed_22 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2, 3]] : tensor<1x4x1x8xf16> into tensor<4x8xf16>
    %expanded_23 = tensor.expand_shape %collapsed_22 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf16> into tensor<4x2x4xf16>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<4x2x4xf16>) outs(%15 : tensor<2x4x4xf16>) permutation = [1, 0, 2] 
    %expanded_25 = tensor.expand_shape %transposed_18 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %expanded_26 = tensor.expand_shape %transposed_21 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %expanded_27 = tensor.expand_shape %transposed_24 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %16 = tensor.empty() : tensor<1x2x4x4xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x2x4x4xf16>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<1x2x4x4xf16>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<1x2x4x4xf16>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x4x4xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_8 : f64 to f32
      %125 = arith.mulf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x2x4x4xf32>
    %transposed_28 = linalg.transpose ins(%18 : tensor<1x2x4x4xf32>) outs(%16 : tensor<1x2x4x4xf32>) permutation = [0, 1, 3, 2] 
    %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_28 : tensor<1x2x4x4xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_8 : f64 to f32
      %125 = arith.mulf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x2x4x4xf32>
    %collapsed_29 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %collapsed_30 = tensor.collapse_shape %21 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %22 = tensor.empty() : tensor<2x4x4xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %24 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%23 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_31 = tensor.expand_shape %24 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf32> into tensor<1x2x4x4xf32>
    %25 = tensor.empty() : tensor<1x2x4xi64>
    %26 = linalg.fill ins(%c0_i64 : i64) outs(%25 : tensor<1x2x4xi64>) -> tensor<1x2x4xi64>
    %27 = tensor.empty() : tensor<1x2x4xf32>
    %28 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %29:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_31 : tensor<1x2x4x4xf32>) outs(%28, %26 : tensor<1x2x4xf32>, tensor<1x2x4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_47: i64):
      %124 = linalg.index 3 : index
      %125 = arith.index_cast %124 : index to i64
      %126 = arith.maximumf %in, %out : f32
      %127 = arith.cmpf ogt, %in, %out : f32
      %128 = arith.select %127, %125, %out_47 : i64
      linalg.yield %126, %128 : f32, i64
    } -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>)
    %expanded_32 = tensor.expand_shape %29#0 [[0], [1], [2, 3]] output_shape [1, 2, 4, 1] : tensor<1x2x4xf32> into tensor<1x2x4x1xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31, %expanded_32 : tensor<1x2x4x4xf32>, tensor<1x2x4x1xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.subf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x4x4xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.exp %in : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %32 = tensor.empty() : tensor<1x2x4x1xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x2x4x4xf32>) outs(%33 : tensor<1x2x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %out : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x1xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<1x2x4x4xf32>, tensor<1x2x4x1xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.divf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %36 = tensor.empty() : tensor<1x2x4x4xi1>
    %37 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<1x2x4x4xf32>) outs(%36 : tensor<1x2x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %124 = arith.extf %in : f32 to f64
      %125 = arith.cmpf oeq, %124, %cst_7 : f64
      linalg.yield %125 : i1
    } -> tensor<1x2x4x4xi1>
    %38 = tensor.empty() : tensor<1x2x4x1xi1>
    %39 = linalg.fill ins(%true : i1) outs(%38 : tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
    %40 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x2x4x4xi1>) outs(%39 : tensor<1x2x4x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %124 = arith.andi %in, %out : i1
      linalg.yield %124 : i1
    } -> tensor<1x2x4x1xi1>
    %41 = linalg.generic {indexing_maps = [#map5, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %cst_5, %35 : tensor<1x2x4x1xi1>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: i1, %in_47: f32, %in_48: f32, %out: f32):
      %124 = arith.select %in, %in_47, %in_48 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %collapsed_33 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %collapsed_34 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %42 = linalg.batch_matmul ins(%collapsed_33, %collapsed_34 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%23 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_35 = tensor.expand_shape %42 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf32> into tensor<1x2x4x4xf32>
    %43 = tensor.empty() : tensor<1x2x4x4xf16>
    %44 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<1x2x4x4xf32>) outs(%43 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<1x2x4x4xf16>
    %45 = tensor.empty() : tensor<4x1x2x4xf16>
    %transposed_36 = linalg.transpose ins(%44 : tensor<1x2x4x4xf16>) outs(%45 : tensor<4x1x2x4xf16>) permutation = [2, 0, 1, 3] 
    %collapsed_37 = tensor.collapse_shape %transposed_36 [[0], [1, 2, 3]] : tensor<4x1x2x4xf16> into tensor<4x8xf16>
    %46 = tensor.empty() : tensor<8x8xf16>
    %transposed_38 = linalg.transpose ins(%arg2 : tensor<8x8xf16>) outs(%46 : tensor<8x8xf16>) permutation = [1, 0] 
    %47 = tensor.empty() : tensor<8xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<8xf16>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<8xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_37 : tensor<4x8xf16>) outs(%4 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<4x8xf32>
    %50 = tensor.empty() : tensor<8x8xf32>
    %51 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_38 : tensor<8x8xf16>) outs(%50 : tensor<8x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<8x8xf32>
    %52 = linalg.fill ins(%cst : f32) outs(%4 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %53 = linalg.matmul ins(%49, %51 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%52 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%53, %48 : tensor<4x8xf32>, tensor<8xf32>) outs(%4 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.addf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<4x8xf32>
    %55 = tensor.empty() : tensor<4x8xf16>
    %56 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<4x8xf32>) outs(%55 : tensor<4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<4x8xf16>
    %expanded_39 = tensor.expand_shape %56 [[0], [1, 2]] output_shape [4, 1, 8] : tensor<4x8xf16> into tensor<4x1x8xf16>
    %57 = tensor.empty() : tensor<1x4x8xf16>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<4x1x8xf16>) outs(%57 : tensor<1x4x8xf16>) permutation = [1, 0, 2] 
    %58 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %transposed_40 : tensor<1x4x8xf16>, tensor<1x4x8xf16>) outs(%57 : tensor<1x4x8xf16>) {
    ^bb0(%in: f16, %in_47: f16, %out: f16):
      %124 = arith.addf %in, %in_47 : f16
      linalg.yield %124 : f16
    } -> tensor<1x4x8xf16>
    %59 = tensor.empty() : tensor<1x4x8xf32>
    %60 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<1x4x8xf16>) outs(%59 : tensor<1x4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %61 = tensor.empty() : tensor<1x4x8xf64>
    %62 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<1x4x8xf32>) outs(%61 : tensor<1x4x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %124 = arith.extf %in : f32 to f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %63 = tensor.empty() : tensor<1x4x1xf64>
    %64 = linalg.fill ins(%cst_1 : f64) outs(%63 : tensor<1x4x1xf64>) -> tensor<1x4x1xf64>
    %65 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%62 : tensor<1x4x8xf64>) outs(%64 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.addf %in, %out : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %66 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<1x4x1xf64>) outs(%63 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.divf %in, %cst_9 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %67 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %66 : tensor<1x4x8xf64>, tensor<1x4x1xf64>) outs(%61 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %124 = arith.subf %in, %in_47 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %68 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %67 : tensor<1x4x8xf64>, tensor<1x4x8xf64>) outs(%61 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %124 = arith.mulf %in, %in_47 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %69 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%68 : tensor<1x4x8xf64>) outs(%64 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.addf %in, %out : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %70 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<1x4x1xf64>) outs(%63 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.divf %in, %cst_9 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %71 = tensor.empty() : tensor<1x4x1xf32>
    %72 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<1x4x1xf64>) outs(%71 : tensor<1x4x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %124 = arith.truncf %in : f64 to f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %73 = linalg.fill ins(%cst : f32) outs(%71 : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
    %74 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%60 : tensor<1x4x8xf32>) outs(%73 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %out : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %75 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x4x1xf32>) outs(%71 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.divf %in, %cst_10 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %76 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<1x4x1xf32>) outs(%71 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_6 : f64 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x1xf32>
    %77 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x4x1xf32>) outs(%71 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.rsqrt %in : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %78 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %75 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%59 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.subf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %79 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %77 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%59 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.mulf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %80 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %arg8 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%59 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %124 = arith.extf %in_47 : f16 to f32
      %125 = arith.mulf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x8xf32>
    %81 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %arg9 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%59 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %124 = arith.extf %in_47 : f16 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x8xf32>
    %82 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<1x4x8xf32>) outs(%57 : tensor<1x4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<1x4x8xf16>
    %collapsed_41 = tensor.collapse_shape %82 [[0, 1], [2]] : tensor<1x4x8xf16> into tensor<4x8xf16>
    %83 = tensor.empty() : tensor<8x32xf16>
    %transposed_42 = linalg.transpose ins(%arg4 : tensor<32x8xf16>) outs(%83 : tensor<8x32xf16>) permutation = [1, 0] 
    %84 = tensor.empty() : tensor<32xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg5 : tensor<32xf16>) outs(%84 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<32xf32>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_41 : tensor<4x8xf16>) outs(%4 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<4x8xf32>
    %87 = tensor.empty() : tensor<8x32xf32>
    %88 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_42 : tensor<8x32xf16>) outs(%87 : tensor<8x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<8x32xf32>
    %89 = tensor.empty() : tensor<4x32xf32>
    %90 = linalg.fill ins(%cst : f32) outs(%89 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %91 = linalg.matmul ins(%86, %88 : tensor<4x8xf32>, tensor<8x32xf32>) outs(%90 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%91, %85 : tensor<4x32xf32>, tensor<32xf32>) outs(%89 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.addf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<4x32xf32>
    %93 = tensor.empty() : tensor<4x32xf16>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%92 : tensor<4x32xf32>) outs(%93 : tensor<4x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<4x32xf16>
    %expanded_43 = tensor.expand_shape %94 [[0, 1], [2]] output_shape [1, 4, 32] : tensor<4x32xf16> into tensor<1x4x32xf16>
    %95 = tensor.empty() : tensor<1x4x32xf16>
    %96 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<1x4x32xf16>) outs(%95 : tensor<1x4x32xf16>) {
    ^bb0(%in: f16, %out: f16):
      %124 = math.sqrt %cst_3 : f16
      %125 = arith.divf %in, %124 : f16
      %126 = math.erf %125 : f16
      %127 = arith.addf %126, %cst_2 : f16
      %128 = arith.mulf %127, %cst_4 : f16
      %129 = arith.mulf %in, %128 : f16
      linalg.yield %129 : f16
    } -> tensor<1x4x32xf16>
    %collapsed_44 = tensor.collapse_shape %96 [[0, 1], [2]] : tensor<1x4x32xf16> into tensor<4x32xf16>
    %97 = tensor.empty() : tensor<32x8xf16>
    %transposed_45 = linalg.transpose ins(%arg6 : tensor<8x32xf16>) outs(%97 : tensor<32x8xf16>) permutation = [1, 0] 
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg7 : tensor<8xf16>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<8xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_44 : tensor<4x32xf16>) outs(%89 : tensor<4x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<4x32xf32>
    %100 = tensor.empty() : tensor<32x8xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_45 : tensor<32x8xf16>) outs(%100 : tensor<32x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<32x8xf32>
    %102 = linalg.matmul ins(%99, %101 : tensor<4x32xf32>, tensor<32x8xf32>) outs(%52 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%102, %98 : tensor<4x8xf32>, tensor<8xf32>) outs(%4 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.addf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<4x8xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%103 : tensor<4x8xf32>) outs(%55 : tensor<4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<4x8xf16>
    %expanded_46 = tensor.expand_shape %104 [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf16> into tensor<1x4x8xf16>
    %105 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %expanded_46 : tensor<1x4x8xf16>, tensor<1x4x8xf16>) outs(%57 : tensor<1x4x8xf16>) {
    ^bb0(%in: f16, %in_47: f16, %out: f16):
      %124 = arith.addf %in, %in_47 : f16
      linalg.yield %124 : f16
    } -> tensor<1x4x8xf16>
    %106 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<1x4x8xf16>) outs(%59 : tensor<1x4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %107 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<1x4x8xf32>) outs(%61 : tensor<1x4x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %124 = arith.extf %in : f32 to f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %108 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%107 : tensor<1x4x8xf64>) outs(%64 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.addf %in, %out : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %109 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<1x4x1xf64>) outs(%63 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.divf %in, %cst_9 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %110 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %109 : tensor<1x4x8xf64>, tensor<1x4x1xf64>) outs(%61 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %124 = arith.subf %in, %in_47 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %111 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %110 : tensor<1x4x8xf64>, tensor<1x4x8xf64>) outs(%61 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %124 = arith.mulf %in, %in_47 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %112 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%111 : tensor<1x4x8xf64>) outs(%64 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.addf %in, %out : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %113 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<1x4x1xf64>) outs(%63 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.divf %in, %cst_9 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %114 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113 : tensor<1x4x1xf64>) outs(%71 : tensor<1x4x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %124 = arith.truncf %in : f64 to f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %115 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%106 : tensor<1x4x8xf32>) outs(%73 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %out : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %116 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<1x4x1xf32>) outs(%71 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.divf %in, %cst_10 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %117 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<1x4x1xf32>) outs(%71 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_6 : f64 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x1xf32>
    %118 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<1x4x1xf32>) outs(%71 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.rsqrt %in : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %119 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106, %116 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%59 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.subf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %120 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %118 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%59 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.mulf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %121 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120, %arg10 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%59 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %124 = arith.extf %in_47 : f16 to f32
      %125 = arith.mulf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x8xf32>
    %122 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %arg11 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%59 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %124 = arith.extf %in_47 : f16 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x8xf32>
    %123 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<1x4x8xf32>) outs(%57 : tensor<1x4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<1x4x8xf16>
    return %123 : tensor<1x4x8xf16>
  }
}

// -----

// CHECK-LABEL: func.func @encoder_layer_first(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @encoder_layer_first(%arg0: tensor<24x8xf16>, %arg1: tensor<24xf16>, %arg2: tensor<8x8xf16>, %arg3: tensor<8xf16>, %arg4: tensor<32x8xf16>, %arg5: tensor<32xf16>, %arg6: tensor<8x32xf16>, %arg7: tensor<8xf16>, %arg8: tensor<8xf16>, %arg9: tensor<8xf16>, %arg10: tensor<8xf16>, %arg11: tensor<8xf16>, %arg12: tensor<1x4x8xf16>) -> tensor<1x4x8xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant 1.000000e+00 : f16
    %cst_3 = arith.constant 2.000000e+00 : f16
    %cst_4 = arith.constant 5.000000e-01 : f16
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<1x2x4x4xf32>
    %cst_6 = arith.constant 0xFFF0000000000000 : f64
    %cst_7 = arith.constant 0.70710678118654757 : f64
    %cst_8 = arith.constant 1.000000e-05 : f64
    %cst_9 = arith.constant 8.000000e+00 : f64
    %cst_10 = arith.constant 8.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x4x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<1x4x8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %2 = tensor.empty() : tensor<1x4x8xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x4x8xf32>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %124 = arith.extf %in : f32 to f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %4 = tensor.empty() : tensor<1x4x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<1x4x1xf64>) -> tensor<1x4x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x4x8xf64>) outs(%5 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.addf %in, %out : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x4x1xf64>) outs(%4 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.divf %in, %cst_9 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<1x4x8xf64>, tensor<1x4x1xf64>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %124 = arith.subf %in, %in_47 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x4x8xf64>, tensor<1x4x8xf64>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %124 = arith.mulf %in, %in_47 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x4x8xf64>) outs(%5 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.addf %in, %out : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x4x1xf64>) outs(%4 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.divf %in, %cst_9 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %12 = tensor.empty() : tensor<1x4x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x4x1xf64>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %124 = arith.truncf %in : f64 to f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x4x8xf32>) outs(%14 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %out : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.divf %in, %cst_10 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_8 : f64 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.rsqrt %in : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.subf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.mulf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg8 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %124 = arith.extf %in_47 : f16 to f32
      %125 = arith.mulf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x8xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg9 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %124 = arith.extf %in_47 : f16 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x8xf32>
    %23 = tensor.empty() : tensor<1x4x8xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x4x8xf32>) outs(%23 : tensor<1x4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<1x4x8xf16>
    %25 = tensor.empty() : tensor<4x1x8xf16>
    %transposed = linalg.transpose ins(%24 : tensor<1x4x8xf16>) outs(%25 : tensor<4x1x8xf16>) permutation = [1, 0, 2] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2]] : tensor<4x1x8xf16> into tensor<4x8xf16>
    %26 = tensor.empty() : tensor<8x24xf16>
    %transposed_11 = linalg.transpose ins(%arg0 : tensor<24x8xf16>) outs(%26 : tensor<8x24xf16>) permutation = [1, 0] 
    %27 = tensor.empty() : tensor<24xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg1 : tensor<24xf16>) outs(%27 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<24xf32>
    %29 = tensor.empty() : tensor<4x8xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<4x8xf16>) outs(%29 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<4x8xf32>
    %31 = tensor.empty() : tensor<8x24xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_11 : tensor<8x24xf16>) outs(%31 : tensor<8x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<8x24xf32>
    %33 = tensor.empty() : tensor<4x24xf32>
    %34 = linalg.fill ins(%cst_0 : f32) outs(%33 : tensor<4x24xf32>) -> tensor<4x24xf32>
    %35 = linalg.matmul ins(%30, %32 : tensor<4x8xf32>, tensor<8x24xf32>) outs(%34 : tensor<4x24xf32>) -> tensor<4x24xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%35, %28 : tensor<4x24xf32>, tensor<24xf32>) outs(%33 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.addf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<4x24xf32>
    %37 = tensor.empty() : tensor<4x24xf16>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<4x24xf32>) outs(%37 : tensor<4x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<4x24xf16>
    %expanded = tensor.expand_shape %38 [[0, 1], [2, 3, 4]] output_shape [1, 4, 1, 3, 8] : tensor<4x24xf16> into tensor<1x4x1x3x8xf16>
    %39 = tensor.empty() : tensor<3x4x1x1x8xf16>
    %transposed_12 = linalg.transpose ins(%expanded : tensor<1x4x1x3x8xf16>) outs(%39 : tensor<3x4x1x1x8xf16>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_13 = tensor.collapse_shape %transposed_12 [[0], [1], [2, 3], [4]] : tensor<3x4x1x1x8xf16> into tensor<3x4x1x8xf16>
    %extracted_slice = tensor.extract_slice %collapsed_13[0, 0, 0, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<3x4x1x8xf16> to tensor<1x4x1x8xf16>
    %extracted_slice_14 = tensor.extract_slice %collapsed_13[1, 0, 0, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<3x4x1x8xf16> to tensor<1x4x1x8xf16>
    %extracted_slice_15 = tensor.extract_slice %collapsed_13[2, 0, 0, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<3x4x1x8xf16> to tensor<1x4x1x8xf16>
    %collapsed_16 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x4x1x8xf16> into tensor<4x8xf16>
    %expanded_17 = tensor.expand_shape %collapsed_16 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf16> into tensor<4x2x4xf16>
    %40 = tensor.empty() : tensor<2x4x4xf16>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<4x2x4xf16>) outs(%40 : tensor<2x4x4xf16>) permutation = [1, 0, 2] 
    %collapsed_19 = tensor.collapse_shape %extracted_slice_14 [[0, 1], [2, 3]] : tensor<1x4x1x8xf16> into tensor<4x8xf16>
    %expanded_20 = tensor.expand_shape %collapsed_19 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf16> into tensor<4x2x4xf16>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<4x2x4xf16>) outs(%40 : tensor<2x4x4xf16>) permutation = [1, 0, 2] 
    %collapsed_22 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2, 3]] : tensor<1x4x1x8xf16> into tensor<4x8xf16>
    %expanded_23 = tensor.expand_shape %collapsed_22 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf16> into tensor<4x2x4xf16>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<4x2x4xf16>) outs(%40 : tensor<2x4x4xf16>) permutation = [1, 0, 2] 
    %expanded_25 = tensor.expand_shape %transposed_18 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %expanded_26 = tensor.expand_shape %transposed_21 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %expanded_27 = tensor.expand_shape %transposed_24 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %41 = tensor.empty() : tensor<1x2x4x4xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x2x4x4xf16>) outs(%41 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %43 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<1x2x4x4xf16>) outs(%41 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %44 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<1x2x4x4xf16>) outs(%41 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %45 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x2x4x4xf32>) outs(%41 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_7 : f64 to f32
      %125 = arith.mulf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x2x4x4xf32>
    %transposed_28 = linalg.transpose ins(%43 : tensor<1x2x4x4xf32>) outs(%41 : tensor<1x2x4x4xf32>) permutation = [0, 1, 3, 2] 
    %46 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_28 : tensor<1x2x4x4xf32>) outs(%41 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_7 : f64 to f32
      %125 = arith.mulf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x2x4x4xf32>
    %collapsed_29 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %collapsed_30 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %47 = tensor.empty() : tensor<2x4x4xf32>
    %48 = linalg.fill ins(%cst_0 : f32) outs(%47 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %49 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%48 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_31 = tensor.expand_shape %49 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf32> into tensor<1x2x4x4xf32>
    %50 = tensor.empty() : tensor<1x2x4xi64>
    %51 = linalg.fill ins(%c0_i64 : i64) outs(%50 : tensor<1x2x4xi64>) -> tensor<1x2x4xi64>
    %52 = tensor.empty() : tensor<1x2x4xf32>
    %53 = linalg.fill ins(%cst_1 : f32) outs(%52 : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %54:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_31 : tensor<1x2x4x4xf32>) outs(%53, %51 : tensor<1x2x4xf32>, tensor<1x2x4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_47: i64):
      %124 = linalg.index 3 : index
      %125 = arith.index_cast %124 : index to i64
      %126 = arith.maximumf %in, %out : f32
      %127 = arith.cmpf ogt, %in, %out : f32
      %128 = arith.select %127, %125, %out_47 : i64
      linalg.yield %126, %128 : f32, i64
    } -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>)
    %expanded_32 = tensor.expand_shape %54#0 [[0], [1], [2, 3]] output_shape [1, 2, 4, 1] : tensor<1x2x4xf32> into tensor<1x2x4x1xf32>
    %55 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31, %expanded_32 : tensor<1x2x4x4xf32>, tensor<1x2x4x1xf32>) outs(%41 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.subf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %56 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x2x4x4xf32>) outs(%41 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.exp %in : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %57 = tensor.empty() : tensor<1x2x4x1xf32>
    %58 = linalg.fill ins(%cst_0 : f32) outs(%57 : tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
    %59 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%56 : tensor<1x2x4x4xf32>) outs(%58 : tensor<1x2x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %out : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x1xf32>
    %60 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %59 : tensor<1x2x4x4xf32>, tensor<1x2x4x1xf32>) outs(%41 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.divf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %61 = tensor.empty() : tensor<1x2x4x4xi1>
    %62 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<1x2x4x4xf32>) outs(%61 : tensor<1x2x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %124 = arith.extf %in : f32 to f64
      %125 = arith.cmpf oeq, %124, %cst_6 : f64
      linalg.yield %125 : i1
    } -> tensor<1x2x4x4xi1>
    %63 = tensor.empty() : tensor<1x2x4x1xi1>
    %64 = linalg.fill ins(%true : i1) outs(%63 : tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
    %65 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<1x2x4x4xi1>) outs(%64 : tensor<1x2x4x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %124 = arith.andi %in, %out : i1
      linalg.yield %124 : i1
    } -> tensor<1x2x4x1xi1>
    %66 = linalg.generic {indexing_maps = [#map8, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %cst_5, %60 : tensor<1x2x4x1xi1>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) outs(%41 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: i1, %in_47: f32, %in_48: f32, %out: f32):
      %124 = arith.select %in, %in_47, %in_48 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x4x4xf32>
    %collapsed_33 = tensor.collapse_shape %66 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %collapsed_34 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %67 = linalg.batch_matmul ins(%collapsed_33, %collapsed_34 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%48 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_35 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf32> into tensor<1x2x4x4xf32>
    %68 = tensor.empty() : tensor<1x2x4x4xf16>
    %69 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<1x2x4x4xf32>) outs(%68 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<1x2x4x4xf16>
    %70 = tensor.empty() : tensor<4x1x2x4xf16>
    %transposed_36 = linalg.transpose ins(%69 : tensor<1x2x4x4xf16>) outs(%70 : tensor<4x1x2x4xf16>) permutation = [2, 0, 1, 3] 
    %collapsed_37 = tensor.collapse_shape %transposed_36 [[0], [1, 2, 3]] : tensor<4x1x2x4xf16> into tensor<4x8xf16>
    %71 = tensor.empty() : tensor<8x8xf16>
    %transposed_38 = linalg.transpose ins(%arg2 : tensor<8x8xf16>) outs(%71 : tensor<8x8xf16>) permutation = [1, 0] 
    %72 = tensor.empty() : tensor<8xf32>
    %73 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg3 : tensor<8xf16>) outs(%72 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<8xf32>
    %74 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_37 : tensor<4x8xf16>) outs(%29 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<4x8xf32>
    %75 = tensor.empty() : tensor<8x8xf32>
    %76 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_38 : tensor<8x8xf16>) outs(%75 : tensor<8x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<8x8xf32>
    %77 = linalg.fill ins(%cst_0 : f32) outs(%29 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %78 = linalg.matmul ins(%74, %76 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%77 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %79 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%78, %73 : tensor<4x8xf32>, tensor<8xf32>) outs(%29 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.addf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<4x8xf32>
    %80 = tensor.empty() : tensor<4x8xf16>
    %81 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%79 : tensor<4x8xf32>) outs(%80 : tensor<4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<4x8xf16>
    %expanded_39 = tensor.expand_shape %81 [[0], [1, 2]] output_shape [4, 1, 8] : tensor<4x8xf16> into tensor<4x1x8xf16>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<4x1x8xf16>) outs(%23 : tensor<1x4x8xf16>) permutation = [1, 0, 2] 
    %82 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %transposed_40 : tensor<1x4x8xf16>, tensor<1x4x8xf16>) outs(%23 : tensor<1x4x8xf16>) {
    ^bb0(%in: f16, %in_47: f16, %out: f16):
      %124 = arith.addf %in, %in_47 : f16
      linalg.yield %124 : f16
    } -> tensor<1x4x8xf16>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<1x4x8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<1x4x8xf32>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %124 = arith.extf %in : f32 to f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %85 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%84 : tensor<1x4x8xf64>) outs(%5 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.addf %in, %out : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x4x1xf64>) outs(%4 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.divf %in, %cst_9 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %87 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %86 : tensor<1x4x8xf64>, tensor<1x4x1xf64>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %124 = arith.subf %in, %in_47 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %87 : tensor<1x4x8xf64>, tensor<1x4x8xf64>) outs(%2 : tensor<1x4x8xf64>) {
    ^bb0(%in: f64, %in_47: f64, %out: f64):
      %124 = arith.mulf %in, %in_47 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x8xf64>
    %89 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%88 : tensor<1x4x8xf64>) outs(%5 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.addf %in, %out : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<1x4x1xf64>) outs(%4 : tensor<1x4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %124 = arith.divf %in, %cst_9 : f64
      linalg.yield %124 : f64
    } -> tensor<1x4x1xf64>
    %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<1x4x1xf64>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %124 = arith.truncf %in : f64 to f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%83 : tensor<1x4x8xf32>) outs(%14 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %out : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.divf %in, %cst_10 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.truncf %cst_8 : f64 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x1xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x4x1xf32>) outs(%12 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.rsqrt %in : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x1xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %93 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.subf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %95 : tensor<1x4x8xf32>, tensor<1x4x1xf32>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.mulf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<1x4x8xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %arg10 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %124 = arith.extf %in_47 : f16 to f32
      %125 = arith.mulf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x8xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %arg11 : tensor<1x4x8xf32>, tensor<8xf16>) outs(%0 : tensor<1x4x8xf32>) {
    ^bb0(%in: f32, %in_47: f16, %out: f32):
      %124 = arith.extf %in_47 : f16 to f32
      %125 = arith.addf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x4x8xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<1x4x8xf32>) outs(%23 : tensor<1x4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<1x4x8xf16>
    %collapsed_41 = tensor.collapse_shape %100 [[0, 1], [2]] : tensor<1x4x8xf16> into tensor<4x8xf16>
    %101 = tensor.empty() : tensor<8x32xf16>
    %transposed_42 = linalg.transpose ins(%arg4 : tensor<32x8xf16>) outs(%101 : tensor<8x32xf16>) permutation = [1, 0] 
    %102 = tensor.empty() : tensor<32xf32>
    %103 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg5 : tensor<32xf16>) outs(%102 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<32xf32>
    %104 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_41 : tensor<4x8xf16>) outs(%29 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<4x8xf32>
    %105 = tensor.empty() : tensor<8x32xf32>
    %106 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_42 : tensor<8x32xf16>) outs(%105 : tensor<8x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<8x32xf32>
    %107 = tensor.empty() : tensor<4x32xf32>
    %108 = linalg.fill ins(%cst_0 : f32) outs(%107 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %109 = linalg.matmul ins(%104, %106 : tensor<4x8xf32>, tensor<8x32xf32>) outs(%108 : tensor<4x32xf32>) -> tensor<4x32xf32>
    %110 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%109, %103 : tensor<4x32xf32>, tensor<32xf32>) outs(%107 : tensor<4x32xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.addf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<4x32xf32>
    %111 = tensor.empty() : tensor<4x32xf16>
    %112 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%110 : tensor<4x32xf32>) outs(%111 : tensor<4x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<4x32xf16>
    %expanded_43 = tensor.expand_shape %112 [[0, 1], [2]] output_shape [1, 4, 32] : tensor<4x32xf16> into tensor<1x4x32xf16>
    %113 = tensor.empty() : tensor<1x4x32xf16>
    %114 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43 : tensor<1x4x32xf16>) outs(%113 : tensor<1x4x32xf16>) {
    ^bb0(%in: f16, %out: f16):
      %124 = math.sqrt %cst_3 : f16
      %125 = arith.divf %in, %124 : f16
      %126 = math.erf %125 : f16
      %127 = arith.addf %126, %cst_2 : f16
      %128 = arith.mulf %127, %cst_4 : f16
      %129 = arith.mulf %in, %128 : f16
      linalg.yield %129 : f16
    } -> tensor<1x4x32xf16>
    %collapsed_44 = tensor.collapse_shape %114 [[0, 1], [2]] : tensor<1x4x32xf16> into tensor<4x32xf16>
    %115 = tensor.empty() : tensor<32x8xf16>
    %transposed_45 = linalg.transpose ins(%arg6 : tensor<8x32xf16>) outs(%115 : tensor<32x8xf16>) permutation = [1, 0] 
    %116 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg7 : tensor<8xf16>) outs(%72 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<8xf32>
    %117 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_44 : tensor<4x32xf16>) outs(%107 : tensor<4x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<4x32xf32>
    %118 = tensor.empty() : tensor<32x8xf32>
    %119 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_45 : tensor<32x8xf16>) outs(%118 : tensor<32x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %124 = arith.extf %in : f16 to f32
      linalg.yield %124 : f32
    } -> tensor<32x8xf32>
    %120 = linalg.matmul ins(%117, %119 : tensor<4x32xf32>, tensor<32x8xf32>) outs(%77 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %121 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%120, %116 : tensor<4x8xf32>, tensor<8xf32>) outs(%29 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %124 = arith.addf %in, %in_47 : f32
      linalg.yield %124 : f32
    } -> tensor<4x8xf32>
    %122 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%121 : tensor<4x8xf32>) outs(%80 : tensor<4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %124 = arith.truncf %in : f32 to f16
      linalg.yield %124 : f16
    } -> tensor<4x8xf16>
    %expanded_46 = tensor.expand_shape %122 [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf16> into tensor<1x4x8xf16>
    %123 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %expanded_46 : tensor<1x4x8xf16>, tensor<1x4x8xf16>) outs(%23 : tensor<1x4x8xf16>) {
    ^bb0(%in: f16, %in_47: f16, %out: f16):
      %124 = arith.addf %in, %in_47 : f16
      linalg.yield %124 : f16
    } -> tensor<1x4x8xf16>
    return %123 : tensor<1x4x8xf16>
  }
}

// -----

// CHECK-LABEL: func.func @cross_attention(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @cross_attention(%arg0: tensor<8x8xf16>, %arg1: tensor<8xf16>, %arg2: tensor<8x8xf16>, %arg3: tensor<8xf16>, %arg4: tensor<8x8xf16>, %arg5: tensor<8xf16>, %arg6: tensor<8x8xf16>, %arg7: tensor<8xf16>, %arg8: tensor<1x3x8xf16>, %arg9: tensor<1x5x8xf16>) -> tensor<1x3x8xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x2x3x5xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.70710678118654757 : f64
    %collapsed = tensor.collapse_shape %arg8 [[0, 1], [2]] : tensor<1x3x8xf16> into tensor<3x8xf16>
    %0 = tensor.empty() : tensor<8x8xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<8x8xf16>) outs(%0 : tensor<8x8xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<8xf16>) outs(%1 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<8xf32>
    %3 = tensor.empty() : tensor<3x8xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<3x8xf16>) outs(%3 : tensor<3x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<3x8xf32>
    %5 = tensor.empty() : tensor<8x8xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<8x8xf16>) outs(%5 : tensor<8x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<8x8xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3x8xf32>) -> tensor<3x8xf32>
    %8 = linalg.matmul ins(%4, %6 : tensor<3x8xf32>, tensor<8x8xf32>) outs(%7 : tensor<3x8xf32>) -> tensor<3x8xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %2 : tensor<3x8xf32>, tensor<8xf32>) outs(%3 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %68 = arith.addf %in, %in_24 : f32
      linalg.yield %68 : f32
    } -> tensor<3x8xf32>
    %10 = tensor.empty() : tensor<3x8xf16>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<3x8xf32>) outs(%10 : tensor<3x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %68 = arith.truncf %in : f32 to f16
      linalg.yield %68 : f16
    } -> tensor<3x8xf16>
    %expanded = tensor.expand_shape %11 [[0, 1], [2, 3]] output_shape [1, 3, 2, 4] : tensor<3x8xf16> into tensor<1x3x2x4xf16>
    %12 = tensor.empty() : tensor<1x2x3x4xf16>
    %transposed_4 = linalg.transpose ins(%expanded : tensor<1x3x2x4xf16>) outs(%12 : tensor<1x2x3x4xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_5 = tensor.collapse_shape %arg9 [[0, 1], [2]] : tensor<1x5x8xf16> into tensor<5x8xf16>
    %transposed_6 = linalg.transpose ins(%arg2 : tensor<8x8xf16>) outs(%0 : tensor<8x8xf16>) permutation = [1, 0] 
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<8xf16>) outs(%1 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<8xf32>
    %14 = tensor.empty() : tensor<5x8xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_5 : tensor<5x8xf16>) outs(%14 : tensor<5x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<5x8xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_6 : tensor<8x8xf16>) outs(%5 : tensor<8x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<8x8xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%14 : tensor<5x8xf32>) -> tensor<5x8xf32>
    %18 = linalg.matmul ins(%15, %16 : tensor<5x8xf32>, tensor<8x8xf32>) outs(%17 : tensor<5x8xf32>) -> tensor<5x8xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%18, %13 : tensor<5x8xf32>, tensor<8xf32>) outs(%14 : tensor<5x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %68 = arith.addf %in, %in_24 : f32
      linalg.yield %68 : f32
    } -> tensor<5x8xf32>
    %20 = tensor.empty() : tensor<5x8xf16>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<5x8xf32>) outs(%20 : tensor<5x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %68 = arith.truncf %in : f32 to f16
      linalg.yield %68 : f16
    } -> tensor<5x8xf16>
    %expanded_7 = tensor.expand_shape %21 [[0, 1], [2, 3]] output_shape [1, 5, 2, 4] : tensor<5x8xf16> into tensor<1x5x2x4xf16>
    %22 = tensor.empty() : tensor<1x2x5x4xf16>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<1x5x2x4xf16>) outs(%22 : tensor<1x2x5x4xf16>) permutation = [0, 2, 1, 3] 
    %transposed_9 = linalg.transpose ins(%arg4 : tensor<8x8xf16>) outs(%0 : tensor<8x8xf16>) permutation = [1, 0] 
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg5 : tensor<8xf16>) outs(%1 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<8xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_9 : tensor<8x8xf16>) outs(%5 : tensor<8x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<8x8xf32>
    %25 = linalg.matmul ins(%15, %24 : tensor<5x8xf32>, tensor<8x8xf32>) outs(%17 : tensor<5x8xf32>) -> tensor<5x8xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%25, %23 : tensor<5x8xf32>, tensor<8xf32>) outs(%14 : tensor<5x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %68 = arith.addf %in, %in_24 : f32
      linalg.yield %68 : f32
    } -> tensor<5x8xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<5x8xf32>) outs(%20 : tensor<5x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %68 = arith.truncf %in : f32 to f16
      linalg.yield %68 : f16
    } -> tensor<5x8xf16>
    %expanded_10 = tensor.expand_shape %27 [[0, 1], [2, 3]] output_shape [1, 5, 2, 4] : tensor<5x8xf16> into tensor<1x5x2x4xf16>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<1x5x2x4xf16>) outs(%22 : tensor<1x2x5x4xf16>) permutation = [0, 2, 1, 3] 
    %28 = tensor.empty() : tensor<1x2x3x4xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_4 : tensor<1x2x3x4xf16>) outs(%28 : tensor<1x2x3x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<1x2x3x4xf32>
    %30 = tensor.empty() : tensor<1x2x5x4xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_8 : tensor<1x2x5x4xf16>) outs(%30 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<1x2x5x4xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<1x2x5x4xf16>) outs(%30 : tensor<1x2x5x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<1x2x5x4xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x3x4xf32>) outs(%28 : tensor<1x2x3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.truncf %cst_3 : f64 to f32
      %69 = arith.mulf %in, %68 : f32
      linalg.yield %69 : f32
    } -> tensor<1x2x3x4xf32>
    %34 = tensor.empty() : tensor<1x2x4x5xf32>
    %transposed_12 = linalg.transpose ins(%31 : tensor<1x2x5x4xf32>) outs(%34 : tensor<1x2x4x5xf32>) permutation = [0, 1, 3, 2] 
    %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_12 : tensor<1x2x4x5xf32>) outs(%34 : tensor<1x2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.truncf %cst_3 : f64 to f32
      %69 = arith.mulf %in, %68 : f32
      linalg.yield %69 : f32
    } -> tensor<1x2x4x5xf32>
    %collapsed_13 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<1x2x3x4xf32> into tensor<2x3x4xf32>
    %collapsed_14 = tensor.collapse_shape %35 [[0, 1], [2], [3]] : tensor<1x2x4x5xf32> into tensor<2x4x5xf32>
    %36 = tensor.empty() : tensor<2x3x5xf32>
    %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %38 = linalg.batch_matmul ins(%collapsed_13, %collapsed_14 : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%37 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %expanded_15 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [1, 2, 3, 5] : tensor<2x3x5xf32> into tensor<1x2x3x5xf32>
    %39 = tensor.empty() : tensor<1x2x3xi64>
    %40 = linalg.fill ins(%c0_i64 : i64) outs(%39 : tensor<1x2x3xi64>) -> tensor<1x2x3xi64>
    %41 = tensor.empty() : tensor<1x2x3xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %43:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_15 : tensor<1x2x3x5xf32>) outs(%42, %40 : tensor<1x2x3xf32>, tensor<1x2x3xi64>) {
    ^bb0(%in: f32, %out: f32, %out_24: i64):
      %68 = linalg.index 3 : index
      %69 = arith.index_cast %68 : index to i64
      %70 = arith.maximumf %in, %out : f32
      %71 = arith.cmpf ogt, %in, %out : f32
      %72 = arith.select %71, %69, %out_24 : i64
      linalg.yield %70, %72 : f32, i64
    } -> (tensor<1x2x3xf32>, tensor<1x2x3xi64>)
    %expanded_16 = tensor.expand_shape %43#0 [[0], [1], [2, 3]] output_shape [1, 2, 3, 1] : tensor<1x2x3xf32> into tensor<1x2x3x1xf32>
    %44 = tensor.empty() : tensor<1x2x3x5xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %expanded_16 : tensor<1x2x3x5xf32>, tensor<1x2x3x1xf32>) outs(%44 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %68 = arith.subf %in, %in_24 : f32
      linalg.yield %68 : f32
    } -> tensor<1x2x3x5xf32>
    %46 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x2x3x5xf32>) outs(%44 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = math.exp %in : f32
      linalg.yield %68 : f32
    } -> tensor<1x2x3x5xf32>
    %47 = tensor.empty() : tensor<1x2x3x1xf32>
    %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>
    %49 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<1x2x3x5xf32>) outs(%48 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.addf %in, %out : f32
      linalg.yield %68 : f32
    } -> tensor<1x2x3x1xf32>
    %50 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %49 : tensor<1x2x3x5xf32>, tensor<1x2x3x1xf32>) outs(%44 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %68 = arith.divf %in, %in_24 : f32
      linalg.yield %68 : f32
    } -> tensor<1x2x3x5xf32>
    %51 = tensor.empty() : tensor<1x2x3x5xi1>
    %52 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15 : tensor<1x2x3x5xf32>) outs(%51 : tensor<1x2x3x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %68 = arith.extf %in : f32 to f64
      %69 = arith.cmpf oeq, %68, %cst_2 : f64
      linalg.yield %69 : i1
    } -> tensor<1x2x3x5xi1>
    %53 = tensor.empty() : tensor<1x2x3x1xi1>
    %54 = linalg.fill ins(%true : i1) outs(%53 : tensor<1x2x3x1xi1>) -> tensor<1x2x3x1xi1>
    %55 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x2x3x5xi1>) outs(%54 : tensor<1x2x3x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %68 = arith.andi %in, %out : i1
      linalg.yield %68 : i1
    } -> tensor<1x2x3x1xi1>
    %56 = linalg.generic {indexing_maps = [#map5, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %cst_1, %50 : tensor<1x2x3x1xi1>, tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) outs(%44 : tensor<1x2x3x5xf32>) {
    ^bb0(%in: i1, %in_24: f32, %in_25: f32, %out: f32):
      %68 = arith.select %in, %in_24, %in_25 : f32
      linalg.yield %68 : f32
    } -> tensor<1x2x3x5xf32>
    %collapsed_17 = tensor.collapse_shape %56 [[0, 1], [2], [3]] : tensor<1x2x3x5xf32> into tensor<2x3x5xf32>
    %collapsed_18 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<1x2x5x4xf32> into tensor<2x5x4xf32>
    %57 = tensor.empty() : tensor<2x3x4xf32>
    %58 = linalg.fill ins(%cst : f32) outs(%57 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %59 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%58 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %expanded_19 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [1, 2, 3, 4] : tensor<2x3x4xf32> into tensor<1x2x3x4xf32>
    %60 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x2x3x4xf32>) outs(%12 : tensor<1x2x3x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %68 = arith.truncf %in : f32 to f16
      linalg.yield %68 : f16
    } -> tensor<1x2x3x4xf16>
    %61 = tensor.empty() : tensor<1x3x2x4xf16>
    %transposed_20 = linalg.transpose ins(%60 : tensor<1x2x3x4xf16>) outs(%61 : tensor<1x3x2x4xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_21 = tensor.collapse_shape %transposed_20 [[0, 1], [2, 3]] : tensor<1x3x2x4xf16> into tensor<3x8xf16>
    %transposed_22 = linalg.transpose ins(%arg6 : tensor<8x8xf16>) outs(%0 : tensor<8x8xf16>) permutation = [1, 0] 
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg7 : tensor<8xf16>) outs(%1 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<8xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_21 : tensor<3x8xf16>) outs(%3 : tensor<3x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<3x8xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_22 : tensor<8x8xf16>) outs(%5 : tensor<8x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %68 = arith.extf %in : f16 to f32
      linalg.yield %68 : f32
    } -> tensor<8x8xf32>
    %65 = linalg.matmul ins(%63, %64 : tensor<3x8xf32>, tensor<8x8xf32>) outs(%7 : tensor<3x8xf32>) -> tensor<3x8xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%65, %62 : tensor<3x8xf32>, tensor<8xf32>) outs(%3 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %68 = arith.addf %in, %in_24 : f32
      linalg.yield %68 : f32
    } -> tensor<3x8xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%66 : tensor<3x8xf32>) outs(%10 : tensor<3x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %68 = arith.truncf %in : f32 to f16
      linalg.yield %68 : f16
    } -> tensor<3x8xf16>
    %expanded_23 = tensor.expand_shape %67 [[0, 1], [2]] output_shape [1, 3, 8] : tensor<3x8xf16> into tensor<1x3x8xf16>
    return %expanded_23 : tensor<1x3x8xf16>
  }
}

// -----

// CHECK-LABEL: func.func @multi_head(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @multi_head(%arg0: tensor<24x8xf16>, %arg1: tensor<24xf16>, %arg2: tensor<8x8xf16>, %arg3: tensor<8xf16>, %arg4: tensor<1x4x8xf16>) -> tensor<1x4x8xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x2x4x4xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.70710678118654757 : f64
    %0 = tensor.empty() : tensor<4x1x8xf16>
    %transposed = linalg.transpose ins(%arg4 : tensor<1x4x8xf16>) outs(%0 : tensor<4x1x8xf16>) permutation = [1, 0, 2] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2]] : tensor<4x1x8xf16> into tensor<4x8xf16>
    %1 = tensor.empty() : tensor<8x24xf16>
    %transposed_4 = linalg.transpose ins(%arg0 : tensor<24x8xf16>) outs(%1 : tensor<8x24xf16>) permutation = [1, 0] 
    %2 = tensor.empty() : tensor<24xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<24xf16>) outs(%2 : tensor<24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %58 = arith.extf %in : f16 to f32
      linalg.yield %58 : f32
    } -> tensor<24xf32>
    %4 = tensor.empty() : tensor<4x8xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<4x8xf16>) outs(%4 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %58 = arith.extf %in : f16 to f32
      linalg.yield %58 : f32
    } -> tensor<4x8xf32>
    %6 = tensor.empty() : tensor<8x24xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_4 : tensor<8x24xf16>) outs(%6 : tensor<8x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %58 = arith.extf %in : f16 to f32
      linalg.yield %58 : f32
    } -> tensor<8x24xf32>
    %8 = tensor.empty() : tensor<4x24xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<4x24xf32>) -> tensor<4x24xf32>
    %10 = linalg.matmul ins(%5, %7 : tensor<4x8xf32>, tensor<8x24xf32>) outs(%9 : tensor<4x24xf32>) -> tensor<4x24xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%10, %3 : tensor<4x24xf32>, tensor<24xf32>) outs(%8 : tensor<4x24xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %58 = arith.addf %in, %in_34 : f32
      linalg.yield %58 : f32
    } -> tensor<4x24xf32>
    %12 = tensor.empty() : tensor<4x24xf16>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<4x24xf32>) outs(%12 : tensor<4x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %58 = arith.truncf %in : f32 to f16
      linalg.yield %58 : f16
    } -> tensor<4x24xf16>
    %expanded = tensor.expand_shape %13 [[0, 1], [2, 3, 4]] output_shape [1, 4, 1, 3, 8] : tensor<4x24xf16> into tensor<1x4x1x3x8xf16>
    %14 = tensor.empty() : tensor<3x4x1x1x8xf16>
    %transposed_5 = linalg.transpose ins(%expanded : tensor<1x4x1x3x8xf16>) outs(%14 : tensor<3x4x1x1x8xf16>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_6 = tensor.collapse_shape %transposed_5 [[0], [1], [2, 3], [4]] : tensor<3x4x1x1x8xf16> into tensor<3x4x1x8xf16>
    %extracted_slice = tensor.extract_slice %collapsed_6[0, 0, 0, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<3x4x1x8xf16> to tensor<1x4x1x8xf16>
    %extracted_slice_7 = tensor.extract_slice %collapsed_6[1, 0, 0, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<3x4x1x8xf16> to tensor<1x4x1x8xf16>
    %extracted_slice_8 = tensor.extract_slice %collapsed_6[2, 0, 0, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<3x4x1x8xf16> to tensor<1x4x1x8xf16>
    %collapsed_9 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x4x1x8xf16> into tensor<4x8xf16>
    %expanded_10 = tensor.expand_shape %collapsed_9 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf16> into tensor<4x2x4xf16>
    %15 = tensor.empty() : tensor<2x4x4xf16>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<4x2x4xf16>) outs(%15 : tensor<2x4x4xf16>) permutation = [1, 0, 2] 
    %collapsed_12 = tensor.collapse_shape %extracted_slice_7 [[0, 1], [2, 3]] : tensor<1x4x1x8xf16> into tensor<4x8xf16>
    %expanded_13 = tensor.expand_shape %collapsed_12 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf16> into tensor<4x2x4xf16>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<4x2x4xf16>) outs(%15 : tensor<2x4x4xf16>) permutation = [1, 0, 2] 
    %collapsed_15 = tensor.collapse_shape %extracted_slice_8 [[0, 1], [2, 3]] : tensor<1x4x1x8xf16> into tensor<4x8xf16>
    %expanded_16 = tensor.expand_shape %collapsed_15 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf16> into tensor<4x2x4xf16>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<4x2x4xf16>) outs(%15 : tensor<2x4x4xf16>) permutation = [1, 0, 2] 
    %expanded_18 = tensor.expand_shape %transposed_11 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %expanded_19 = tensor.expand_shape %transposed_14 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %expanded_20 = tensor.expand_shape %transposed_17 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %16 = tensor.empty() : tensor<1x2x4x4xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<1x2x4x4xf16>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %58 = arith.extf %in : f16 to f32
      linalg.yield %58 : f32
    } -> tensor<1x2x4x4xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x2x4x4xf16>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %58 = arith.extf %in : f16 to f32
      linalg.yield %58 : f32
    } -> tensor<1x2x4x4xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x2x4x4xf16>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %58 = arith.extf %in : f16 to f32
      linalg.yield %58 : f32
    } -> tensor<1x2x4x4xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x4x4xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.truncf %cst_3 : f64 to f32
      %59 = arith.mulf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x4x4xf32>
    %transposed_21 = linalg.transpose ins(%18 : tensor<1x2x4x4xf32>) outs(%16 : tensor<1x2x4x4xf32>) permutation = [0, 1, 3, 2] 
    %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_21 : tensor<1x2x4x4xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.truncf %cst_3 : f64 to f32
      %59 = arith.mulf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x4x4xf32>
    %collapsed_22 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %collapsed_23 = tensor.collapse_shape %21 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %22 = tensor.empty() : tensor<2x4x4xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %24 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%23 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_24 = tensor.expand_shape %24 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf32> into tensor<1x2x4x4xf32>
    %25 = tensor.empty() : tensor<1x2x4xi64>
    %26 = linalg.fill ins(%c0_i64 : i64) outs(%25 : tensor<1x2x4xi64>) -> tensor<1x2x4xi64>
    %27 = tensor.empty() : tensor<1x2x4xf32>
    %28 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %29:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_24 : tensor<1x2x4x4xf32>) outs(%28, %26 : tensor<1x2x4xf32>, tensor<1x2x4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_34: i64):
      %58 = linalg.index 3 : index
      %59 = arith.index_cast %58 : index to i64
      %60 = arith.maximumf %in, %out : f32
      %61 = arith.cmpf ogt, %in, %out : f32
      %62 = arith.select %61, %59, %out_34 : i64
      linalg.yield %60, %62 : f32, i64
    } -> (tensor<1x2x4xf32>, tensor<1x2x4xi64>)
    %expanded_25 = tensor.expand_shape %29#0 [[0], [1], [2, 3]] output_shape [1, 2, 4, 1] : tensor<1x2x4xf32> into tensor<1x2x4x1xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24, %expanded_25 : tensor<1x2x4x4xf32>, tensor<1x2x4x1xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %58 = arith.subf %in, %in_34 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x4x4xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x4x4xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.exp %in : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x4x4xf32>
    %32 = tensor.empty() : tensor<1x2x4x1xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x2x4x4xf32>) outs(%33 : tensor<1x2x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %in, %out : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x4x1xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<1x2x4x4xf32>, tensor<1x2x4x1xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %58 = arith.divf %in, %in_34 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x4x4xf32>
    %36 = tensor.empty() : tensor<1x2x4x4xi1>
    %37 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24 : tensor<1x2x4x4xf32>) outs(%36 : tensor<1x2x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %58 = arith.extf %in : f32 to f64
      %59 = arith.cmpf oeq, %58, %cst_2 : f64
      linalg.yield %59 : i1
    } -> tensor<1x2x4x4xi1>
    %38 = tensor.empty() : tensor<1x2x4x1xi1>
    %39 = linalg.fill ins(%true : i1) outs(%38 : tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
    %40 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x2x4x4xi1>) outs(%39 : tensor<1x2x4x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %58 = arith.andi %in, %out : i1
      linalg.yield %58 : i1
    } -> tensor<1x2x4x1xi1>
    %41 = linalg.generic {indexing_maps = [#map5, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %cst_1, %35 : tensor<1x2x4x1xi1>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) outs(%16 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: i1, %in_34: f32, %in_35: f32, %out: f32):
      %58 = arith.select %in, %in_34, %in_35 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x4x4xf32>
    %collapsed_26 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %collapsed_27 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<1x2x4x4xf32> into tensor<2x4x4xf32>
    %42 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%23 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_28 = tensor.expand_shape %42 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf32> into tensor<1x2x4x4xf32>
    %43 = tensor.empty() : tensor<1x2x4x4xf16>
    %44 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28 : tensor<1x2x4x4xf32>) outs(%43 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %58 = arith.truncf %in : f32 to f16
      linalg.yield %58 : f16
    } -> tensor<1x2x4x4xf16>
    %45 = tensor.empty() : tensor<4x1x2x4xf16>
    %transposed_29 = linalg.transpose ins(%44 : tensor<1x2x4x4xf16>) outs(%45 : tensor<4x1x2x4xf16>) permutation = [2, 0, 1, 3] 
    %collapsed_30 = tensor.collapse_shape %transposed_29 [[0], [1, 2, 3]] : tensor<4x1x2x4xf16> into tensor<4x8xf16>
    %46 = tensor.empty() : tensor<8x8xf16>
    %transposed_31 = linalg.transpose ins(%arg2 : tensor<8x8xf16>) outs(%46 : tensor<8x8xf16>) permutation = [1, 0] 
    %47 = tensor.empty() : tensor<8xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<8xf16>) outs(%47 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %58 = arith.extf %in : f16 to f32
      linalg.yield %58 : f32
    } -> tensor<8xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_30 : tensor<4x8xf16>) outs(%4 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %58 = arith.extf %in : f16 to f32
      linalg.yield %58 : f32
    } -> tensor<4x8xf32>
    %50 = tensor.empty() : tensor<8x8xf32>
    %51 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_31 : tensor<8x8xf16>) outs(%50 : tensor<8x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %58 = arith.extf %in : f16 to f32
      linalg.yield %58 : f32
    } -> tensor<8x8xf32>
    %52 = linalg.fill ins(%cst : f32) outs(%4 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %53 = linalg.matmul ins(%49, %51 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%52 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%53, %48 : tensor<4x8xf32>, tensor<8xf32>) outs(%4 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %58 = arith.addf %in, %in_34 : f32
      linalg.yield %58 : f32
    } -> tensor<4x8xf32>
    %55 = tensor.empty() : tensor<4x8xf16>
    %56 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<4x8xf32>) outs(%55 : tensor<4x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %58 = arith.truncf %in : f32 to f16
      linalg.yield %58 : f16
    } -> tensor<4x8xf16>
    %expanded_32 = tensor.expand_shape %56 [[0], [1, 2]] output_shape [4, 1, 8] : tensor<4x8xf16> into tensor<4x1x8xf16>
    %57 = tensor.empty() : tensor<1x4x8xf16>
    %transposed_33 = linalg.transpose ins(%expanded_32 : tensor<4x1x8xf16>) outs(%57 : tensor<1x4x8xf16>) permutation = [1, 0, 2] 
    return %transposed_33 : tensor<1x4x8xf16>
  }
}

// -----

// CHECK-LABEL: func.func @linear_attention(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2, d3) -> ()>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @linear_attention(%arg0: tensor<1x2x6x4xf16>, %arg1: tensor<1x2x6x4xf16>, %arg2: tensor<1x2x6x4xf16>) -> tensor<1x2x6x4xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f16
    %cst_1 = arith.constant 9.9999999999999995E-7 : f64
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f16>
    %cst_3 = arith.constant 1.000000e+00 : f16
    %0 = tensor.empty() : tensor<1x2x6x4xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2, %arg0 : tensor<f16>, tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.cmpf ogt, %in, %in_9 : f16
      %37 = arith.select %36, %in, %in_9 : f16
      linalg.yield %37 : f16
    } -> tensor<1x2x6x4xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2, %arg0 : tensor<f16>, tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.cmpf olt, %in, %in_9 : f16
      %37 = arith.select %36, %in, %in_9 : f16
      linalg.yield %37 : f16
    } -> tensor<1x2x6x4xf16>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = math.exp %in : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x6x4xf16>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.subf %in, %cst_3 : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x6x4xf16>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %4 : tensor<1x2x6x4xf16>, tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.addf %in, %in_9 : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x6x4xf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.addf %in, %cst_3 : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x6x4xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2, %arg1 : tensor<f16>, tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.cmpf ogt, %in, %in_9 : f16
      %37 = arith.select %36, %in, %in_9 : f16
      linalg.yield %37 : f16
    } -> tensor<1x2x6x4xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2, %arg1 : tensor<f16>, tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.cmpf olt, %in, %in_9 : f16
      %37 = arith.select %36, %in, %in_9 : f16
      linalg.yield %37 : f16
    } -> tensor<1x2x6x4xf16>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = math.exp %in : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x6x4xf16>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.subf %in, %cst_3 : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x6x4xf16>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %10 : tensor<1x2x6x4xf16>, tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.addf %in, %in_9 : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x6x4xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x6x4xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.addf %in, %cst_3 : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x6x4xf16>
    %13 = tensor.empty() : tensor<1x2x4x6xf16>
    %transposed = linalg.transpose ins(%12 : tensor<1x2x6x4xf16>) outs(%13 : tensor<1x2x4x6xf16>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x4x6xf16> into tensor<2x4x6xf16>
    %collapsed_4 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x6x4xf16> into tensor<2x6x4xf16>
    %14 = tensor.empty() : tensor<2x4x4xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %16 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x4x6xf16>, tensor<2x6x4xf16>) outs(%15 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %17 = tensor.empty() : tensor<2x4x4xf16>
    %18 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x4x4xf32>) outs(%17 : tensor<2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x4x4xf16>
    %collapsed_5 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<1x2x6x4xf16> into tensor<2x6x4xf16>
    %19 = tensor.empty() : tensor<2x6x4xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
    %21 = linalg.batch_matmul ins(%collapsed_5, %18 : tensor<2x6x4xf16>, tensor<2x4x4xf16>) outs(%20 : tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
    %22 = tensor.empty() : tensor<2x6x4xf16>
    %23 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x6x4xf32>) outs(%22 : tensor<2x6x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x6x4xf16>
    %expanded = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [1, 2, 6, 4] : tensor<2x6x4xf16> into tensor<1x2x6x4xf16>
    %24 = tensor.empty() : tensor<1x2x1x4xf16>
    %25 = linalg.fill ins(%cst_0 : f16) outs(%24 : tensor<1x2x1x4xf16>) -> tensor<1x2x1x4xf16>
    %26 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%12 : tensor<1x2x6x4xf16>) outs(%25 : tensor<1x2x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.addf %in, %out : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x1x4xf16>
    %27 = tensor.empty() : tensor<1x2x4x1xf16>
    %transposed_6 = linalg.transpose ins(%26 : tensor<1x2x1x4xf16>) outs(%27 : tensor<1x2x4x1xf16>) permutation = [0, 1, 3, 2] 
    %collapsed_7 = tensor.collapse_shape %transposed_6 [[0, 1], [2], [3]] : tensor<1x2x4x1xf16> into tensor<2x4x1xf16>
    %28 = tensor.empty() : tensor<2x6x1xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %30 = linalg.batch_matmul ins(%collapsed_5, %collapsed_7 : tensor<2x6x4xf16>, tensor<2x4x1xf16>) outs(%29 : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %31 = tensor.empty() : tensor<2x6x1xf16>
    %32 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x6x1xf32>) outs(%31 : tensor<2x6x1xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x6x1xf16>
    %expanded_8 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [1, 2, 6, 1] : tensor<2x6x1xf16> into tensor<1x2x6x1xf16>
    %33 = tensor.empty() : tensor<1x2x6x1xf16>
    %34 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x2x6x1xf16>) outs(%33 : tensor<1x2x6x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.truncf %cst_1 : f64 to f16
      %37 = arith.addf %in, %36 : f16
      linalg.yield %37 : f16
    } -> tensor<1x2x6x1xf16>
    %35 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %34 : tensor<1x2x6x4xf16>, tensor<1x2x6x1xf16>) outs(%0 : tensor<1x2x6x4xf16>) {
    ^bb0(%in: f16, %in_9: f16, %out: f16):
      %36 = arith.divf %in, %in_9 : f16
      linalg.yield %36 : f16
    } -> tensor<1x2x6x4xf16>
    return %35 : tensor<1x2x6x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @latent_attention(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @latent_attention(%arg0: tensor<1x4x4xf16>, %arg1: tensor<1x5x6xf16>, %arg2: tensor<4x4x6xf16>, %arg3: tensor<4x6x4xf16>) -> tensor<1x4x4xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 7.220000e-02 : f64
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [1, 4, 4, 1] : tensor<1x4x4xf16> into tensor<1x4x4x1xf16>
    %expanded_2 = tensor.expand_shape %arg2 [[0], [1], [2, 3]] output_shape [4, 4, 6, 1] : tensor<4x4x6xf16> into tensor<4x4x6x1xf16>
    %0 = tensor.empty() : tensor<4x4x1x1xf16>
    %transposed = linalg.transpose ins(%expanded : tensor<1x4x4x1xf16>) outs(%0 : tensor<4x4x1x1xf16>) permutation = [1, 2, 0, 3] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2, 3]] : tensor<4x4x1x1xf16> into tensor<4x4xf16>
    %expanded_3 = tensor.expand_shape %collapsed [[0], [1, 2]] output_shape [4, 1, 4] : tensor<4x4xf16> into tensor<4x1x4xf16>
    %1 = tensor.empty() : tensor<4x4x1x6xf16>
    %transposed_4 = linalg.transpose ins(%expanded_2 : tensor<4x4x6x1xf16>) outs(%1 : tensor<4x4x1x6xf16>) permutation = [0, 1, 3, 2] 
    %collapsed_5 = tensor.collapse_shape %transposed_4 [[0], [1], [2, 3]] : tensor<4x4x1x6xf16> into tensor<4x4x6xf16>
    %2 = tensor.empty() : tensor<4x1x6xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4x1x6xf32>) -> tensor<4x1x6xf32>
    %4 = linalg.batch_matmul ins(%expanded_3, %collapsed_5 : tensor<4x1x4xf16>, tensor<4x4x6xf16>) outs(%3 : tensor<4x1x6xf32>) -> tensor<4x1x6xf32>
    %5 = tensor.empty() : tensor<4x1x6xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<4x1x6xf32>) outs(%5 : tensor<4x1x6xf16>) {
    ^bb0(%in: f32, %out: f16):
      %43 = arith.truncf %in : f32 to f16
      linalg.yield %43 : f16
    } -> tensor<4x1x6xf16>
    %expanded_6 = tensor.expand_shape %6 [[0], [1], [2, 3]] output_shape [4, 1, 1, 6] : tensor<4x1x6xf16> into tensor<4x1x1x6xf16>
    %expanded_7 = tensor.expand_shape %arg1 [[0], [1], [2, 3]] output_shape [1, 5, 6, 1] : tensor<1x5x6xf16> into tensor<1x5x6x1xf16>
    %7 = tensor.empty() : tensor<4x6x1x1xf16>
    %transposed_8 = linalg.transpose ins(%expanded_6 : tensor<4x1x1x6xf16>) outs(%7 : tensor<4x6x1x1xf16>) permutation = [0, 3, 2, 1] 
    %collapsed_9 = tensor.collapse_shape %transposed_8 [[0], [1, 2, 3]] : tensor<4x6x1x1xf16> into tensor<4x6xf16>
    %expanded_10 = tensor.expand_shape %collapsed_9 [[0, 1], [2]] output_shape [1, 4, 6] : tensor<4x6xf16> into tensor<1x4x6xf16>
    %8 = tensor.empty() : tensor<6x1x5x1xf16>
    %transposed_11 = linalg.transpose ins(%expanded_7 : tensor<1x5x6x1xf16>) outs(%8 : tensor<6x1x5x1xf16>) permutation = [2, 0, 1, 3] 
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0], [1, 2, 3]] : tensor<6x1x5x1xf16> into tensor<6x5xf16>
    %expanded_13 = tensor.expand_shape %collapsed_12 [[0, 1], [2]] output_shape [1, 6, 5] : tensor<6x5xf16> into tensor<1x6x5xf16>
    %9 = tensor.empty() : tensor<1x4x5xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
    %11 = linalg.batch_matmul ins(%expanded_10, %expanded_13 : tensor<1x4x6xf16>, tensor<1x6x5xf16>) outs(%10 : tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
    %12 = tensor.empty() : tensor<1x4x5xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x4x5xf32>) outs(%12 : tensor<1x4x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %43 = arith.truncf %in : f32 to f16
      linalg.yield %43 : f16
    } -> tensor<1x4x5xf16>
    %collapsed_14 = tensor.collapse_shape %13 [[0, 1], [2]] : tensor<1x4x5xf16> into tensor<4x5xf16>
    %expanded_15 = tensor.expand_shape %collapsed_14 [[0], [1, 2, 3]] output_shape [4, 1, 1, 5] : tensor<4x5xf16> into tensor<4x1x1x5xf16>
    %14 = tensor.empty() : tensor<1x4x5x1xf16>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<4x1x1x5xf16>) outs(%14 : tensor<1x4x5x1xf16>) permutation = [2, 0, 3, 1] 
    %collapsed_17 = tensor.collapse_shape %transposed_16 [[0], [1], [2, 3]] : tensor<1x4x5x1xf16> into tensor<1x4x5xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_17 : tensor<1x4x5xf16>) outs(%12 : tensor<1x4x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      %43 = arith.truncf %cst_1 : f64 to f16
      %44 = arith.mulf %in, %43 : f16
      linalg.yield %44 : f16
    } -> tensor<1x4x5xf16>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x4x5xf16>) outs(%9 : tensor<1x4x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %43 = arith.extf %in : f16 to f32
      linalg.yield %43 : f32
    } -> tensor<1x4x5xf32>
    %17 = tensor.empty() : tensor<1x4xi64>
    %18 = linalg.fill ins(%c0_i64 : i64) outs(%17 : tensor<1x4xi64>) -> tensor<1x4xi64>
    %19 = tensor.empty() : tensor<1x4xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %21:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<1x4x5xf32>) outs(%20, %18 : tensor<1x4xf32>, tensor<1x4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_37: i64):
      %43 = linalg.index 2 : index
      %44 = arith.index_cast %43 : index to i64
      %45 = arith.maximumf %in, %out : f32
      %46 = arith.cmpf ogt, %in, %out : f32
      %47 = arith.select %46, %44, %out_37 : i64
      linalg.yield %45, %47 : f32, i64
    } -> (tensor<1x4xf32>, tensor<1x4xi64>)
    %expanded_18 = tensor.expand_shape %21#0 [[0], [1, 2]] output_shape [1, 4, 1] : tensor<1x4xf32> into tensor<1x4x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %expanded_18 : tensor<1x4x5xf32>, tensor<1x4x1xf32>) outs(%9 : tensor<1x4x5xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %43 = arith.subf %in, %in_37 : f32
      linalg.yield %43 : f32
    } -> tensor<1x4x5xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x4x5xf32>) outs(%9 : tensor<1x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<1x4x5xf32>
    %24 = tensor.empty() : tensor<1x4x1xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%23 : tensor<1x4x5xf32>) outs(%25 : tensor<1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x4x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %26 : tensor<1x4x5xf32>, tensor<1x4x1xf32>) outs(%9 : tensor<1x4x5xf32>) {
    ^bb0(%in: f32, %in_37: f32, %out: f32):
      %43 = arith.divf %in, %in_37 : f32
      linalg.yield %43 : f32
    } -> tensor<1x4x5xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x5xf32>) outs(%12 : tensor<1x4x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %43 = arith.truncf %in : f32 to f16
      linalg.yield %43 : f16
    } -> tensor<1x4x5xf16>
    %expanded_19 = tensor.expand_shape %28 [[0], [1], [2, 3]] output_shape [1, 4, 5, 1] : tensor<1x4x5xf16> into tensor<1x4x5x1xf16>
    %29 = tensor.empty() : tensor<4x5x1x1xf16>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<1x4x5x1xf16>) outs(%29 : tensor<4x5x1x1xf16>) permutation = [1, 2, 0, 3] 
    %collapsed_21 = tensor.collapse_shape %transposed_20 [[0], [1, 2, 3]] : tensor<4x5x1x1xf16> into tensor<4x5xf16>
    %expanded_22 = tensor.expand_shape %collapsed_21 [[0, 1], [2]] output_shape [1, 4, 5] : tensor<4x5xf16> into tensor<1x4x5xf16>
    %30 = tensor.empty() : tensor<5x1x6x1xf16>
    %transposed_23 = linalg.transpose ins(%expanded_7 : tensor<1x5x6x1xf16>) outs(%30 : tensor<5x1x6x1xf16>) permutation = [1, 0, 2, 3] 
    %collapsed_24 = tensor.collapse_shape %transposed_23 [[0], [1, 2, 3]] : tensor<5x1x6x1xf16> into tensor<5x6xf16>
    %expanded_25 = tensor.expand_shape %collapsed_24 [[0, 1], [2]] output_shape [1, 5, 6] : tensor<5x6xf16> into tensor<1x5x6xf16>
    %31 = tensor.empty() : tensor<1x4x6xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
    %33 = linalg.batch_matmul ins(%expanded_22, %expanded_25 : tensor<1x4x5xf16>, tensor<1x5x6xf16>) outs(%32 : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
    %34 = tensor.empty() : tensor<1x4x6xf16>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<1x4x6xf32>) outs(%34 : tensor<1x4x6xf16>) {
    ^bb0(%in: f32, %out: f16):
      %43 = arith.truncf %in : f32 to f16
      linalg.yield %43 : f16
    } -> tensor<1x4x6xf16>
    %collapsed_26 = tensor.collapse_shape %35 [[0, 1], [2]] : tensor<1x4x6xf16> into tensor<4x6xf16>
    %expanded_27 = tensor.expand_shape %collapsed_26 [[0], [1, 2, 3]] output_shape [4, 1, 1, 6] : tensor<4x6xf16> into tensor<4x1x1x6xf16>
    %expanded_28 = tensor.expand_shape %arg3 [[0], [1], [2, 3]] output_shape [4, 6, 4, 1] : tensor<4x6x4xf16> into tensor<4x6x4x1xf16>
    %transposed_29 = linalg.transpose ins(%expanded_27 : tensor<4x1x1x6xf16>) outs(%7 : tensor<4x6x1x1xf16>) permutation = [0, 3, 2, 1] 
    %collapsed_30 = tensor.collapse_shape %transposed_29 [[0], [1, 2, 3]] : tensor<4x6x1x1xf16> into tensor<4x6xf16>
    %expanded_31 = tensor.expand_shape %collapsed_30 [[0], [1, 2]] output_shape [4, 1, 6] : tensor<4x6xf16> into tensor<4x1x6xf16>
    %36 = tensor.empty() : tensor<4x6x1x4xf16>
    %transposed_32 = linalg.transpose ins(%expanded_28 : tensor<4x6x4x1xf16>) outs(%36 : tensor<4x6x1x4xf16>) permutation = [0, 1, 3, 2] 
    %collapsed_33 = tensor.collapse_shape %transposed_32 [[0], [1], [2, 3]] : tensor<4x6x1x4xf16> into tensor<4x6x4xf16>
    %37 = tensor.empty() : tensor<4x1x4xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
    %39 = linalg.batch_matmul ins(%expanded_31, %collapsed_33 : tensor<4x1x6xf16>, tensor<4x6x4xf16>) outs(%38 : tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
    %40 = tensor.empty() : tensor<4x1x4xf16>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<4x1x4xf32>) outs(%40 : tensor<4x1x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %43 = arith.truncf %in : f32 to f16
      linalg.yield %43 : f16
    } -> tensor<4x1x4xf16>
    %expanded_34 = tensor.expand_shape %41 [[0], [1], [2, 3]] output_shape [4, 1, 1, 4] : tensor<4x1x4xf16> into tensor<4x1x1x4xf16>
    %42 = tensor.empty() : tensor<1x4x4x1xf16>
    %transposed_35 = linalg.transpose ins(%expanded_34 : tensor<4x1x1x4xf16>) outs(%42 : tensor<1x4x4x1xf16>) permutation = [2, 0, 3, 1] 
    %collapsed_36 = tensor.collapse_shape %transposed_35 [[0], [1], [2, 3]] : tensor<1x4x4x1xf16> into tensor<1x4x4xf16>
    return %collapsed_36 : tensor<1x4x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @softmax_masked(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @softmax_masked(%arg0: tensor<2x3x5xf16>, %arg1: tensor<3x5xf16>) -> tensor<2x3x5xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.250000e-01 : f16
    %0 = tensor.empty() : tensor<2x3x5xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3x5xf16>) outs(%0 : tensor<2x3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      %17 = arith.mulf %in, %cst_1 : f16
      linalg.yield %17 : f16
    } -> tensor<2x3x5xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg1 : tensor<2x3x5xf16>, tensor<3x5xf16>) outs(%0 : tensor<2x3x5xf16>) {
    ^bb0(%in: f16, %in_2: f16, %out: f16):
      %17 = arith.addf %in, %in_2 : f16
      linalg.yield %17 : f16
    } -> tensor<2x3x5xf16>
    %3 = tensor.empty() : tensor<2x3x5xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x3x5xf16>) outs(%3 : tensor<2x3x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %17 = arith.extf %in : f16 to f32
      linalg.yield %17 : f32
    } -> tensor<2x3x5xf32>
    %5 = tensor.empty() : tensor<2x3xi64>
    %6 = linalg.fill ins(%c0_i64 : i64) outs(%5 : tensor<2x3xi64>) -> tensor<2x3xi64>
    %7 = tensor.empty() : tensor<2x3xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %9:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<2x3x5xf32>) outs(%8, %6 : tensor<2x3xf32>, tensor<2x3xi64>) {
    ^bb0(%in: f32, %out: f32, %out_2: i64):
      %17 = linalg.index 2 : index
      %18 = arith.index_cast %17 : index to i64
      %19 = arith.maximumf %in, %out : f32
      %20 = arith.cmpf ogt, %in, %out : f32
      %21 = arith.select %20, %18, %out_2 : i64
      linalg.yield %19, %21 : f32, i64
    } -> (tensor<2x3xf32>, tensor<2x3xi64>)
    %expanded = tensor.expand_shape %9#0 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %expanded : tensor<2x3x5xf32>, tensor<2x3x1xf32>) outs(%3 : tensor<2x3x5xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.subf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<2x3x5xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x3x5xf32>) outs(%3 : tensor<2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.exp %in : f32
      linalg.yield %17 : f32
    } -> tensor<2x3x5xf32>
    %12 = tensor.empty() : tensor<2x3x1xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<2x3x5xf32>) outs(%13 : tensor<2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %in, %out : f32
      linalg.yield %17 : f32
    } -> tensor<2x3x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %14 : tensor<2x3x5xf32>, tensor<2x3x1xf32>) outs(%3 : tensor<2x3x5xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %17 = arith.divf %in, %in_2 : f32
      linalg.yield %17 : f32
    } -> tensor<2x3x5xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x3x5xf32>) outs(%0 : tensor<2x3x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %17 = arith.truncf %in : f32 to f16
      linalg.yield %17 : f16
    } -> tensor<2x3x5xf16>
    return %16 : tensor<2x3x5xf16>
  }
}

// -----

// CHECK-LABEL: func.func @divergence(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<() -> ()>
module {
  func.func @divergence(%arg0: tensor<3x5xf16>, %arg1: tensor<3x5xf16>) -> tensor<f16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : f16
    %cst_2 = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant 3.000000e+00 : f16
    %0 = tensor.empty() : tensor<3x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3x5xf16>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %38 = arith.extf %in : f16 to f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %2 = tensor.empty() : tensor<3xi64>
    %3 = linalg.fill ins(%c0_i64 : i64) outs(%2 : tensor<3xi64>) -> tensor<3xi64>
    %4 = tensor.empty() : tensor<3xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3xf32>) -> tensor<3xf32>
    %6:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<3x5xf32>) outs(%5, %3 : tensor<3xf32>, tensor<3xi64>) {
    ^bb0(%in: f32, %out: f32, %out_6: i64):
      %38 = linalg.index 1 : index
      %39 = arith.index_cast %38 : index to i64
      %40 = arith.maximumf %in, %out : f32
      %41 = arith.cmpf ogt, %in, %out : f32
      %42 = arith.select %41, %39, %out_6 : i64
      linalg.yield %40, %42 : f32, i64
    } -> (tensor<3xf32>, tensor<3xi64>)
    %expanded = tensor.expand_shape %6#0 [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %expanded : tensor<3x5xf32>, tensor<3x1xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %38 = arith.subf %in, %in_6 : f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = math.exp %in : f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %9 = tensor.empty() : tensor<3x1xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<3x1xf32>) -> tensor<3x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x5xf32>) outs(%10 : tensor<3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.addf %in, %out : f32
      linalg.yield %38 : f32
    } -> tensor<3x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<3x1xf32>) outs(%9 : tensor<3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = math.log %in : f32
      linalg.yield %38 : f32
    } -> tensor<3x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %12 : tensor<3x5xf32>, tensor<3x1xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %38 = arith.subf %in, %in_6 : f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %14 = tensor.empty() : tensor<3x5xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<3x5xf32>) outs(%14 : tensor<3x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %38 = arith.truncf %in : f32 to f16
      linalg.yield %38 : f16
    } -> tensor<3x5xf16>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<3x5xf16>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %38 = arith.extf %in : f16 to f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %17:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%16 : tensor<3x5xf32>) outs(%5, %3 : tensor<3xf32>, tensor<3xi64>) {
    ^bb0(%in: f32, %out: f32, %out_6: i64):
      %38 = linalg.index 1 : index
      %39 = arith.index_cast %38 : index to i64
      %40 = arith.maximumf %in, %out : f32
      %41 = arith.cmpf ogt, %in, %out : f32
      %42 = arith.select %41, %39, %out_6 : i64
      linalg.yield %40, %42 : f32, i64
    } -> (tensor<3xf32>, tensor<3xi64>)
    %expanded_5 = tensor.expand_shape %17#0 [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %expanded_5 : tensor<3x5xf32>, tensor<3x1xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %38 = arith.subf %in, %in_6 : f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = math.exp %in : f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%19 : tensor<3x5xf32>) outs(%10 : tensor<3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.addf %in, %out : f32
      linalg.yield %38 : f32
    } -> tensor<3x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %20 : tensor<3x5xf32>, tensor<3x1xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %38 = arith.divf %in, %in_6 : f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<3x5xf32>) outs(%14 : tensor<3x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %38 = arith.truncf %in : f32 to f16
      linalg.yield %38 : f16
    } -> tensor<3x5xf16>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %15 : tensor<3x5xf16>, tensor<3x5xf16>) outs(%14 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %in_6: f16, %out: f16):
      %38 = arith.mulf %in, %in_6 : f16
      linalg.yield %38 : f16
    } -> tensor<3x5xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<3x5xf16>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %38 = arith.extf %in : f16 to f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %25 = tensor.empty() : tensor<3x5xi1>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<3x5xf32>) outs(%25 : tensor<3x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %38 = arith.cmpf oeq, %in, %cst_0 : f32
      linalg.yield %38 : i1
    } -> tensor<3x5xi1>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = math.log %in : f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %27 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %38 = arith.mulf %in, %in_6 : f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %cst_3, %28 : tensor<3x5xi1>, tensor<f32>, tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: i1, %in_6: f32, %in_7: f32, %out: f32):
      %38 = arith.select %in, %in_6, %in_7 : f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %24 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%25 : tensor<3x5xi1>) {
    ^bb0(%in: f32, %in_6: f32, %out: i1):
      %38 = arith.cmpf une, %in, %in_6 : f32
      linalg.yield %38 : i1
    } -> tensor<3x5xi1>
    %31 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%30, %cst_2, %29 : tensor<3x5xi1>, tensor<f32>, tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: i1, %in_6: f32, %in_7: f32, %out: f32):
      %38 = arith.select %in, %in_6, %in_7 : f32
      linalg.yield %38 : f32
    } -> tensor<3x5xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<3x5xf32>) outs(%14 : tensor<3x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %38 = arith.truncf %in : f32 to f16
      linalg.yield %38 : f16
    } -> tensor<3x5xf16>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%32, %23 : tensor<3x5xf16>, tensor<3x5xf16>) outs(%14 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %in_6: f16, %out: f16):
      %38 = arith.subf %in, %in_6 : f16
      linalg.yield %38 : f16
    } -> tensor<3x5xf16>
    %34 = tensor.empty() : tensor<f16>
    %35 = linalg.fill ins(%cst_1 : f16) outs(%34 : tensor<f16>) -> tensor<f16>
    %36 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["reduction", "reduction"]} ins(%33 : tensor<3x5xf16>) outs(%35 : tensor<f16>) {
    ^bb0(%in: f16, %out: f16):
      %38 = arith.addf %in, %out : f16
      linalg.yield %38 : f16
    } -> tensor<f16>
    %37 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%36 : tensor<f16>) outs(%34 : tensor<f16>) {
    ^bb0(%in: f16, %out: f16):
      %38 = arith.divf %in, %cst_4 : f16
      linalg.yield %38 : f16
    } -> tensor<f16>
    return %37 : tensor<f16>
  }
}

// -----

// CHECK-LABEL: func.func @conv_norm(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module {
  func.func @conv_norm(%arg0: tensor<2x2x3x3xf16>, %arg1: tensor<2xf16>, %arg2: tensor<2xf16>, %arg3: tensor<2xf16>, %arg4: tensor<2xf16>, %arg5: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 1.000000e-05 : f64
    %padded = tensor.pad %arg5 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg6: index, %arg7: index, %arg8: index, %arg9: index):
      tensor.yield %cst : f16
    } : tensor<1x2x4x4xf16> to tensor<1x2x6x6xf16>
    %0 = tensor.empty() : tensor<1x2x4x4xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %arg0 : tensor<1x2x6x6xf16>, tensor<2x2x3x3xf16>) outs(%1 : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
    %3 = tensor.empty() : tensor<1x2x4x4xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x2x4x4xf32>) outs(%3 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %17 = arith.truncf %in : f32 to f16
      linalg.yield %17 : f16
    } -> tensor<1x2x4x4xf16>
    %5 = tensor.empty() : tensor<2xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg3 : tensor<2xf16>) outs(%5 : tensor<2xf32>) {
    ^bb0(%in: f16, %out: f32):
      %17 = arith.extf %in : f16 to f32
      linalg.yield %17 : f32
    } -> tensor<2xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg4 : tensor<2xf16>) outs(%5 : tensor<2xf32>) {
    ^bb0(%in: f16, %out: f32):
      %17 = arith.extf %in : f16 to f32
      linalg.yield %17 : f32
    } -> tensor<2xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%7 : tensor<2xf32>) outs(%5 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.truncf %cst_2 : f64 to f32
      %18 = arith.addf %in, %17 : f32
      linalg.yield %18 : f32
    } -> tensor<2xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%8 : tensor<2xf32>) outs(%5 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.sqrt %in : f32
      linalg.yield %17 : f32
    } -> tensor<2xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%9 : tensor<2xf32>) outs(%5 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.cmpf one, %in, %cst_0 : f32
      cf.assert %17, "unimplemented: tensor with zero element"
      %18 = arith.divf %cst_1, %in : f32
      linalg.yield %18 : f32
    } -> tensor<2xf32>
    %expanded = tensor.expand_shape %6 [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf32> into tensor<2x1x1xf32>
    %expanded_3 = tensor.expand_shape %10 [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf32> into tensor<2x1x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %expanded : tensor<1x2x4x4xf16>, tensor<2x1x1xf32>) outs(%0 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f16, %in_6: f32, %out: f32):
      %17 = arith.extf %in : f16 to f32
      %18 = arith.subf %17, %in_6 : f32
      linalg.yield %18 : f32
    } -> tensor<1x2x4x4xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %expanded_3 : tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) outs(%0 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %17 = arith.mulf %in, %in_6 : f32
      linalg.yield %17 : f32
    } -> tensor<1x2x4x4xf32>
    %expanded_4 = tensor.expand_shape %arg1 [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf16> into tensor<2x1x1xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_4 : tensor<1x2x4x4xf32>, tensor<2x1x1xf16>) outs(%0 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_6: f16, %out: f32):
      %17 = arith.extf %in_6 : f16 to f32
      %18 = arith.mulf %in, %17 : f32
      linalg.yield %18 : f32
    } -> tensor<1x2x4x4xf32>
    %expanded_5 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf16> into tensor<2x1x1xf16>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %expanded_5 : tensor<1x2x4x4xf32>, tensor<2x1x1xf16>) outs(%0 : tensor<1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_6: f16, %out: f32):
      %17 = arith.extf %in_6 : f16 to f32
      %18 = arith.addf %in, %17 : f32
      linalg.yield %18 : f32
    } -> tensor<1x2x4x4xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x2x4x4xf32>) outs(%3 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %17 = arith.truncf %in : f32 to f16
      linalg.yield %17 : f16
    } -> tensor<1x2x4x4xf16>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x4x4xf16>) outs(%3 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %17 = arith.cmpf ugt, %in, %cst : f16
      %18 = arith.select %17, %in, %cst : f16
      linalg.yield %18 : f16
    } -> tensor<1x2x4x4xf16>
    return %16 : tensor<1x2x4x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @bert_output(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @bert_output(%arg0: tensor<4x16xf16>, %arg1: tensor<4xf16>, %arg2: tensor<4xf16>, %arg3: tensor<4xf16>, %arg4: tensor<2x16xf16>, %arg5: tensor<2x4xf16>) -> tensor<2x4xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 4.000000e+00 : f64
    %cst_3 = arith.constant 4.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x4xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<4x16xf16>) outs(%0 : tensor<16x4xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<4xf16>) outs(%1 : tensor<4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<4xf32>
    %3 = tensor.empty() : tensor<2x16xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<2x16xf16>) outs(%3 : tensor<2x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<2x16xf32>
    %5 = tensor.empty() : tensor<16x4xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<16x4xf16>) outs(%5 : tensor<16x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<16x4xf32>
    %7 = tensor.empty() : tensor<2x4xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %9 = linalg.matmul ins(%4, %6 : tensor<2x16xf32>, tensor<16x4xf32>) outs(%8 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %2 : tensor<2x4xf32>, tensor<4xf32>) outs(%7 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.addf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<2x4xf32>
    %11 = tensor.empty() : tensor<2x4xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<2x4xf32>) outs(%11 : tensor<2x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %37 = arith.truncf %in : f32 to f16
      linalg.yield %37 : f16
    } -> tensor<2x4xf16>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %arg5 : tensor<2x4xf16>, tensor<2x4xf16>) outs(%11 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %37 = arith.addf %in, %in_4 : f16
      linalg.yield %37 : f16
    } -> tensor<2x4xf16>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<2x4xf16>) outs(%7 : tensor<2x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %37 = arith.extf %in : f16 to f32
      linalg.yield %37 : f32
    } -> tensor<2x4xf32>
    %15 = tensor.empty() : tensor<2x4xf64>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<2x4xf32>) outs(%15 : tensor<2x4xf64>) {
    ^bb0(%in: f32, %out: f64):
      %37 = arith.extf %in : f32 to f64
      linalg.yield %37 : f64
    } -> tensor<2x4xf64>
    %17 = tensor.empty() : tensor<2x1xf64>
    %18 = linalg.fill ins(%cst_0 : f64) outs(%17 : tensor<2x1xf64>) -> tensor<2x1xf64>
    %19 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%16 : tensor<2x4xf64>) outs(%18 : tensor<2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %37 = arith.addf %in, %out : f64
      linalg.yield %37 : f64
    } -> tensor<2x1xf64>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<2x1xf64>) outs(%17 : tensor<2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %37 = arith.divf %in, %cst_2 : f64
      linalg.yield %37 : f64
    } -> tensor<2x1xf64>
    %21 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %20 : tensor<2x4xf64>, tensor<2x1xf64>) outs(%15 : tensor<2x4xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %37 = arith.subf %in, %in_4 : f64
      linalg.yield %37 : f64
    } -> tensor<2x4xf64>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%21, %21 : tensor<2x4xf64>, tensor<2x4xf64>) outs(%15 : tensor<2x4xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %37 = arith.mulf %in, %in_4 : f64
      linalg.yield %37 : f64
    } -> tensor<2x4xf64>
    %23 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%22 : tensor<2x4xf64>) outs(%18 : tensor<2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %37 = arith.addf %in, %out : f64
      linalg.yield %37 : f64
    } -> tensor<2x1xf64>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<2x1xf64>) outs(%17 : tensor<2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %37 = arith.divf %in, %cst_2 : f64
      linalg.yield %37 : f64
    } -> tensor<2x1xf64>
    %25 = tensor.empty() : tensor<2x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<2x1xf64>) outs(%25 : tensor<2x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %37 = arith.truncf %in : f64 to f32
      linalg.yield %37 : f32
    } -> tensor<2x1xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%25 : tensor<2x1xf32>) -> tensor<2x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<2x4xf32>) outs(%27 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %in, %out : f32
      linalg.yield %37 : f32
    } -> tensor<2x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<2x1xf32>) outs(%25 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.divf %in, %cst_3 : f32
      linalg.yield %37 : f32
    } -> tensor<2x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<2x1xf32>) outs(%25 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.truncf %cst_1 : f64 to f32
      %38 = arith.addf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x1xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<2x1xf32>) outs(%25 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.rsqrt %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x1xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %29 : tensor<2x4xf32>, tensor<2x1xf32>) outs(%7 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.subf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<2x4xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%32, %31 : tensor<2x4xf32>, tensor<2x1xf32>) outs(%7 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<2x4xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%33, %arg2 : tensor<2x4xf32>, tensor<4xf16>) outs(%7 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_4: f16, %out: f32):
      %37 = arith.extf %in_4 : f16 to f32
      %38 = arith.mulf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x4xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%34, %arg3 : tensor<2x4xf32>, tensor<4xf16>) outs(%7 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_4: f16, %out: f32):
      %37 = arith.extf %in_4 : f16 to f32
      %38 = arith.addf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x4xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<2x4xf32>) outs(%11 : tensor<2x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %37 = arith.truncf %in : f32 to f16
      linalg.yield %37 : f16
    } -> tensor<2x4xf16>
    return %36 : tensor<2x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @pooler(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @pooler(%arg0: tensor<4x4xf16>, %arg1: tensor<4xf16>, %arg2: tensor<2x3x4xf16>) -> tensor<2x4xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 9.9999999999999998E-13 : f64
    %cst_2 = arith.constant 3.000000e+00 : f16
    %cst_3 = arith.constant 5.000000e-01 : f16
    %cst_4 = arith.constant 2.000000e+00 : f16
    %0 = tensor.empty() : tensor<2x4xf16>
    %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<2x4xf16>) -> tensor<2x4xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg2 : tensor<2x3x4xf16>) outs(%1 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = arith.addf %in, %out : f16
      linalg.yield %23 : f16
    } -> tensor<2x4xf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<2x4xf16>) outs(%0 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = arith.divf %in, %cst_2 : f16
      linalg.yield %23 : f16
    } -> tensor<2x4xf16>
    %4 = tensor.empty() : tensor<4x4xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<4x4xf16>) outs(%4 : tensor<4x4xf16>) permutation = [1, 0] 
    %5 = tensor.empty() : tensor<4xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg1 : tensor<4xf16>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %23 = arith.extf %in : f16 to f32
      linalg.yield %23 : f32
    } -> tensor<4xf32>
    %7 = tensor.empty() : tensor<2x4xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<2x4xf16>) outs(%7 : tensor<2x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %23 = arith.extf %in : f16 to f32
      linalg.yield %23 : f32
    } -> tensor<2x4xf32>
    %9 = tensor.empty() : tensor<4x4xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<4x4xf16>) outs(%9 : tensor<4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %23 = arith.extf %in : f16 to f32
      linalg.yield %23 : f32
    } -> tensor<4x4xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %12 = linalg.matmul ins(%8, %10 : tensor<2x4xf32>, tensor<4x4xf32>) outs(%11 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel"]} ins(%12, %6 : tensor<2x4xf32>, tensor<4xf32>) outs(%7 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %23 = arith.addf %in, %in_5 : f32
      linalg.yield %23 : f32
    } -> tensor<2x4xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<2x4xf32>) outs(%0 : tensor<2x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %23 = arith.truncf %in : f32 to f16
      linalg.yield %23 : f16
    } -> tensor<2x4xf16>
    %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<2x4xf16>) outs(%0 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = math.tanh %in : f16
      linalg.yield %23 : f16
    } -> tensor<2x4xf16>
    %16 = tensor.empty() : tensor<2x1xf16>
    %17 = linalg.fill ins(%cst : f16) outs(%16 : tensor<2x1xf16>) -> tensor<2x1xf16>
    %18 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "reduction"]} ins(%15 : tensor<2x4xf16>) outs(%17 : tensor<2x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = math.absf %in : f16
      %24 = math.powf %23, %cst_4 : f16
      %25 = arith.addf %24, %out : f16
      linalg.yield %25 : f16
    } -> tensor<2x1xf16>
    %19 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<2x1xf16>) outs(%16 : tensor<2x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = math.powf %in, %cst_3 : f16
      linalg.yield %23 : f16
    } -> tensor<2x1xf16>
    %20 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<2x1xf16>) outs(%16 : tensor<2x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %23 = arith.truncf %cst_1 : f64 to f16
      %24 = arith.cmpf ult, %in, %23 : f16
      %25 = arith.select %24, %23, %in : f16
      linalg.yield %25 : f16
    } -> tensor<2x1xf16>
    %collapsed = tensor.collapse_shape %20 [[0, 1]] : tensor<2x1xf16> into tensor<2xf16>
    %21 = linalg.generic {indexing_maps = [#map6, #map2], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<2xf16>) outs(%0 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x4xf16>
    %22 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%15, %21 : tensor<2x4xf16>, tensor<2x4xf16>) outs(%0 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %23 = arith.divf %in, %in_5 : f16
      linalg.yield %23 : f16
    } -> tensor<2x4xf16>
    return %22 : tensor<2x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @adaptive_norm(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map5 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
module {
  func.func @adaptive_norm(%arg0: tensor<8x4xf16>, %arg1: tensor<8xf16>, %arg2: tensor<4x4xf16>, %arg3: tensor<4xf16>, %arg4: tensor<2x3x4xf16>, %arg5: tensor<2x4xf16>) -> tensor<2x3x4xf16> {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e-05 : f64
    %cst_3 = arith.constant 4.000000e+00 : f64
    %cst_4 = arith.constant 4.000000e+00 : f32
    %cst_5 = arith.constant 1.000000e+00 : f16
    %0 = tensor.empty() : tensor<2x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<2x4xf16>) outs(%0 : tensor<2x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<2x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x4xf32>) outs(%0 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.negf %in : f32
      %58 = math.exp %57 : f32
      %59 = arith.addf %58, %cst : f32
      %60 = arith.divf %cst, %59 : f32
      linalg.yield %60 : f32
    } -> tensor<2x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%0 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %57 = arith.mulf %in, %in_10 : f32
      linalg.yield %57 : f32
    } -> tensor<2x4xf32>
    %4 = tensor.empty() : tensor<2x4xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<2x4xf32>) outs(%4 : tensor<2x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %57 = arith.truncf %in : f32 to f16
      linalg.yield %57 : f16
    } -> tensor<2x4xf16>
    %6 = tensor.empty() : tensor<4x8xf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<8x4xf16>) outs(%6 : tensor<4x8xf16>) permutation = [1, 0] 
    %7 = tensor.empty() : tensor<8xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg1 : tensor<8xf16>) outs(%7 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<8xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<2x4xf16>) outs(%0 : tensor<2x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<2x4xf32>
    %10 = tensor.empty() : tensor<4x8xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<4x8xf16>) outs(%10 : tensor<4x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<4x8xf32>
    %12 = tensor.empty() : tensor<2x8xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %14 = linalg.matmul ins(%9, %11 : tensor<2x4xf32>, tensor<4x8xf32>) outs(%13 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %8 : tensor<2x8xf32>, tensor<8xf32>) outs(%12 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %57 = arith.addf %in, %in_10 : f32
      linalg.yield %57 : f32
    } -> tensor<2x8xf32>
    %16 = tensor.empty() : tensor<2x8xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<2x8xf32>) outs(%16 : tensor<2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %57 = arith.truncf %in : f32 to f16
      linalg.yield %57 : f16
    } -> tensor<2x8xf16>
    %extracted_slice = tensor.extract_slice %17[0, 0] [2, 4] [1, 1] : tensor<2x8xf16> to tensor<2x4xf16>
    %extracted_slice_6 = tensor.extract_slice %17[0, 4] [2, 4] [1, 1] : tensor<2x8xf16> to tensor<2x4xf16>
    %18 = tensor.empty() : tensor<2x3x4xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<2x3x4xf16>) outs(%18 : tensor<2x3x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<2x3x4xf32>
    %20 = tensor.empty() : tensor<2x3x4xf64>
    %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x3x4xf32>) outs(%20 : tensor<2x3x4xf64>) {
    ^bb0(%in: f32, %out: f64):
      %57 = arith.extf %in : f32 to f64
      linalg.yield %57 : f64
    } -> tensor<2x3x4xf64>
    %22 = tensor.empty() : tensor<2x3x1xf64>
    %23 = linalg.fill ins(%cst_1 : f64) outs(%22 : tensor<2x3x1xf64>) -> tensor<2x3x1xf64>
    %24 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<2x3x4xf64>) outs(%23 : tensor<2x3x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %57 = arith.addf %in, %out : f64
      linalg.yield %57 : f64
    } -> tensor<2x3x1xf64>
    %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x3x1xf64>) outs(%22 : tensor<2x3x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %57 = arith.divf %in, %cst_3 : f64
      linalg.yield %57 : f64
    } -> tensor<2x3x1xf64>
    %26 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %25 : tensor<2x3x4xf64>, tensor<2x3x1xf64>) outs(%20 : tensor<2x3x4xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %57 = arith.subf %in, %in_10 : f64
      linalg.yield %57 : f64
    } -> tensor<2x3x4xf64>
    %27 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %26 : tensor<2x3x4xf64>, tensor<2x3x4xf64>) outs(%20 : tensor<2x3x4xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %57 = arith.mulf %in, %in_10 : f64
      linalg.yield %57 : f64
    } -> tensor<2x3x4xf64>
    %28 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%27 : tensor<2x3x4xf64>) outs(%23 : tensor<2x3x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %57 = arith.addf %in, %out : f64
      linalg.yield %57 : f64
    } -> tensor<2x3x1xf64>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x3x1xf64>) outs(%22 : tensor<2x3x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %57 = arith.divf %in, %cst_3 : f64
      linalg.yield %57 : f64
    } -> tensor<2x3x1xf64>
    %30 = tensor.empty() : tensor<2x3x1xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<2x3x1xf64>) outs(%30 : tensor<2x3x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %57 = arith.truncf %in : f64 to f32
      linalg.yield %57 : f32
    } -> tensor<2x3x1xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<2x3x4xf32>) outs(%32 : tensor<2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.addf %in, %out : f32
      linalg.yield %57 : f32
    } -> tensor<2x3x1xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x3x1xf32>) outs(%30 : tensor<2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.divf %in, %cst_4 : f32
      linalg.yield %57 : f32
    } -> tensor<2x3x1xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<2x3x1xf32>) outs(%30 : tensor<2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.truncf %cst_2 : f64 to f32
      %58 = arith.addf %in, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<2x3x1xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x3x1xf32>) outs(%30 : tensor<2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = math.rsqrt %in : f32
      linalg.yield %57 : f32
    } -> tensor<2x3x1xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %34 : tensor<2x3x4xf32>, tensor<2x3x1xf32>) outs(%18 : tensor<2x3x4xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %57 = arith.subf %in, %in_10 : f32
      linalg.yield %57 : f32
    } -> tensor<2x3x4xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %36 : tensor<2x3x4xf32>, tensor<2x3x1xf32>) outs(%18 : tensor<2x3x4xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %57 = arith.mulf %in, %in_10 : f32
      linalg.yield %57 : f32
    } -> tensor<2x3x4xf32>
    %39 = tensor.empty() : tensor<2x3x4xf16>
    %40 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<2x3x4xf32>) outs(%39 : tensor<2x3x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %57 = arith.truncf %in : f32 to f16
      linalg.yield %57 : f16
    } -> tensor<2x3x4xf16>
    %expanded = tensor.expand_shape %extracted_slice [[0], [1, 2]] output_shape [2, 1, 4] : tensor<2x4xf16> into tensor<2x1x4xf16>
    %41 = tensor.empty() : tensor<2x1x4xf16>
    %42 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x1x4xf16>) outs(%41 : tensor<2x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %57 = arith.addf %in, %cst_5 : f16
      linalg.yield %57 : f16
    } -> tensor<2x1x4xf16>
    %43 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %42 : tensor<2x3x4xf16>, tensor<2x1x4xf16>) outs(%39 : tensor<2x3x4xf16>) {
    ^bb0(%in: f16, %in_10: f16, %out: f16):
      %57 = arith.mulf %in, %in_10 : f16
      linalg.yield %57 : f16
    } -> tensor<2x3x4xf16>
    %expanded_7 = tensor.expand_shape %extracted_slice_6 [[0], [1, 2]] output_shape [2, 1, 4] : tensor<2x4xf16> into tensor<2x1x4xf16>
    %44 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43, %expanded_7 : tensor<2x3x4xf16>, tensor<2x1x4xf16>) outs(%39 : tensor<2x3x4xf16>) {
    ^bb0(%in: f16, %in_10: f16, %out: f16):
      %57 = arith.addf %in, %in_10 : f16
      linalg.yield %57 : f16
    } -> tensor<2x3x4xf16>
    %collapsed = tensor.collapse_shape %44 [[0, 1], [2]] : tensor<2x3x4xf16> into tensor<6x4xf16>
    %45 = tensor.empty() : tensor<4x4xf16>
    %transposed_8 = linalg.transpose ins(%arg2 : tensor<4x4xf16>) outs(%45 : tensor<4x4xf16>) permutation = [1, 0] 
    %46 = tensor.empty() : tensor<4xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg3 : tensor<4xf16>) outs(%46 : tensor<4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<4xf32>
    %48 = tensor.empty() : tensor<6x4xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<6x4xf16>) outs(%48 : tensor<6x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<6x4xf32>
    %50 = tensor.empty() : tensor<4x4xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed_8 : tensor<4x4xf16>) outs(%50 : tensor<4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %57 = arith.extf %in : f16 to f32
      linalg.yield %57 : f32
    } -> tensor<4x4xf32>
    %52 = linalg.fill ins(%cst_0 : f32) outs(%48 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %53 = linalg.matmul ins(%49, %51 : tensor<6x4xf32>, tensor<4x4xf32>) outs(%52 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%53, %47 : tensor<6x4xf32>, tensor<4xf32>) outs(%48 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %57 = arith.addf %in, %in_10 : f32
      linalg.yield %57 : f32
    } -> tensor<6x4xf32>
    %55 = tensor.empty() : tensor<6x4xf16>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<6x4xf32>) outs(%55 : tensor<6x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %57 = arith.truncf %in : f32 to f16
      linalg.yield %57 : f16
    } -> tensor<6x4xf16>
    %expanded_9 = tensor.expand_shape %56 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf16> into tensor<2x3x4xf16>
    return %expanded_9 : tensor<2x3x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @lstm_cell(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @lstm_cell(%arg0: tensor<16x4xf16>, %arg1: tensor<16x4xf16>, %arg2: tensor<16xf16>, %arg3: tensor<16xf16>, %arg4: tensor<2x4xf16>, %arg5: tensor<2x4xf16>, %arg6: tensor<2x4xf16>) -> (tensor<2x4xf16>, tensor<2x4xf16>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f16
    %0 = tensor.empty() : tensor<4x16xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<16x4xf16>) outs(%0 : tensor<4x16xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<16xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<16xf16>) outs(%1 : tensor<16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<16xf32>
    %3 = tensor.empty() : tensor<2x4xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<2x4xf16>) outs(%3 : tensor<2x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<2x4xf32>
    %5 = tensor.empty() : tensor<4x16xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<4x16xf16>) outs(%5 : tensor<4x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<4x16xf32>
    %7 = tensor.empty() : tensor<2x16xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %9 = linalg.matmul ins(%4, %6 : tensor<2x4xf32>, tensor<4x16xf32>) outs(%8 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %2 : tensor<2x16xf32>, tensor<16xf32>) outs(%7 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.addf %in, %in_5 : f32
      linalg.yield %30 : f32
    } -> tensor<2x16xf32>
    %11 = tensor.empty() : tensor<2x16xf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<2x16xf32>) outs(%11 : tensor<2x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<2x16xf16>
    %transposed_1 = linalg.transpose ins(%arg0 : tensor<16x4xf16>) outs(%0 : tensor<4x16xf16>) permutation = [1, 0] 
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<16xf16>) outs(%1 : tensor<16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<16xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<2x4xf16>) outs(%3 : tensor<2x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<2x4xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_1 : tensor<4x16xf16>) outs(%5 : tensor<4x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<4x16xf32>
    %16 = linalg.matmul ins(%14, %15 : tensor<2x4xf32>, tensor<4x16xf32>) outs(%8 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %13 : tensor<2x16xf32>, tensor<16xf32>) outs(%7 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.addf %in, %in_5 : f32
      linalg.yield %30 : f32
    } -> tensor<2x16xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<2x16xf32>) outs(%11 : tensor<2x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<2x16xf16>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %18 : tensor<2x16xf16>, tensor<2x16xf16>) outs(%11 : tensor<2x16xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %30 = arith.addf %in, %in_5 : f16
      linalg.yield %30 : f16
    } -> tensor<2x16xf16>
    %extracted_slice = tensor.extract_slice %19[0, 0] [2, 4] [1, 1] : tensor<2x16xf16> to tensor<2x4xf16>
    %extracted_slice_2 = tensor.extract_slice %19[0, 4] [2, 4] [1, 1] : tensor<2x16xf16> to tensor<2x4xf16>
    %extracted_slice_3 = tensor.extract_slice %19[0, 8] [2, 4] [1, 1] : tensor<2x16xf16> to tensor<2x4xf16>
    %extracted_slice_4 = tensor.extract_slice %19[0, 12] [2, 4] [1, 1] : tensor<2x16xf16> to tensor<2x4xf16>
    %20 = tensor.empty() : tensor<2x4xf16>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<2x4xf16>) outs(%20 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.negf %in : f16
      %31 = math.exp %30 : f16
      %32 = arith.addf %31, %cst_0 : f16
      %33 = arith.divf %cst_0, %32 : f16
      linalg.yield %33 : f16
    } -> tensor<2x4xf16>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_2 : tensor<2x4xf16>) outs(%20 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.negf %in : f16
      %31 = math.exp %30 : f16
      %32 = arith.addf %31, %cst_0 : f16
      %33 = arith.divf %cst_0, %32 : f16
      linalg.yield %33 : f16
    } -> tensor<2x4xf16>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<2x4xf16>) outs(%20 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = math.tanh %in : f16
      linalg.yield %30 : f16
    } -> tensor<2x4xf16>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_4 : tensor<2x4xf16>) outs(%20 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.negf %in : f16
      %31 = math.exp %30 : f16
      %32 = arith.addf %31, %cst_0 : f16
      %33 = arith.divf %cst_0, %32 : f16
      linalg.yield %33 : f16
    } -> tensor<2x4xf16>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %arg6 : tensor<2x4xf16>, tensor<2x4xf16>) outs(%20 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %30 = arith.mulf %in, %in_5 : f16
      linalg.yield %30 : f16
    } -> tensor<2x4xf16>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%21, %23 : tensor<2x4xf16>, tensor<2x4xf16>) outs(%20 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %30 = arith.mulf %in, %in_5 : f16
      linalg.yield %30 : f16
    } -> tensor<2x4xf16>
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25, %26 : tensor<2x4xf16>, tensor<2x4xf16>) outs(%20 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %30 = arith.addf %in, %in_5 : f16
      linalg.yield %30 : f16
    } -> tensor<2x4xf16>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<2x4xf16>) outs(%20 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = math.tanh %in : f16
      linalg.yield %30 : f16
    } -> tensor<2x4xf16>
    %29 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24, %28 : tensor<2x4xf16>, tensor<2x4xf16>) outs(%20 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %in_5: f16, %out: f16):
      %30 = arith.mulf %in, %in_5 : f16
      linalg.yield %30 : f16
    } -> tensor<2x4xf16>
    return %29, %27 : tensor<2x4xf16>, tensor<2x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func @state_space(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @state_space(%arg0: tensor<2x4xf16>, %arg1: tensor<2x4xf16>, %arg2: tensor<4x3xf16>, %arg3: tensor<2x3xf16>, %arg4: tensor<2x3xf16>, %arg5: tensor<4xf16>, %arg6: tensor<2x4x3xf16>) -> (tensor<2x4xf16>, tensor<2x4x3xf16>) {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 2.000000e+01 : f32
    %0 = tensor.empty() : tensor<2x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<2x4xf16>) outs(%0 : tensor<2x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %21 = arith.extf %in : f16 to f32
      linalg.yield %21 : f32
    } -> tensor<2x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x4xf32>) outs(%0 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = math.exp %in : f32
      linalg.yield %21 : f32
    } -> tensor<2x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<2x4xf32>) outs(%0 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = math.log1p %in : f32
      linalg.yield %21 : f32
    } -> tensor<2x4xf32>
    %4 = tensor.empty() : tensor<2x4xi1>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x4xf32>) outs(%4 : tensor<2x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %21 = arith.cmpf ogt, %in, %cst_0 : f32
      linalg.yield %21 : i1
    } -> tensor<2x4xi1>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %1, %3 : tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) outs(%0 : tensor<2x4xf32>) {
    ^bb0(%in: i1, %in_4: f32, %in_5: f32, %out: f32):
      %21 = arith.select %in, %in_4, %in_5 : f32
      linalg.yield %21 : f32
    } -> tensor<2x4xf32>
    %7 = tensor.empty() : tensor<2x4xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<2x4xf32>) outs(%7 : tensor<2x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %21 = arith.truncf %in : f32 to f16
      linalg.yield %21 : f16
    } -> tensor<2x4xf16>
    %expanded = tensor.expand_shape %8 [[0], [1, 2]] output_shape [2, 4, 1] : tensor<2x4xf16> into tensor<2x4x1xf16>
    %9 = tensor.empty() : tensor<2x4x3xf16>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %arg2 : tensor<2x4x1xf16>, tensor<4x3xf16>) outs(%9 : tensor<2x4x3xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<2x4x3xf16>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x4x3xf16>) outs(%9 : tensor<2x4x3xf16>) {
    ^bb0(%in: f16, %out: f16):
      %21 = math.exp %in : f16
      linalg.yield %21 : f16
    } -> tensor<2x4x3xf16>
    %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6, %11 : tensor<2x4x3xf16>, tensor<2x4x3xf16>) outs(%9 : tensor<2x4x3xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<2x4x3xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %arg0 : tensor<2x4xf16>, tensor<2x4xf16>) outs(%7 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<2x4xf16>
    %expanded_1 = tensor.expand_shape %13 [[0], [1, 2]] output_shape [2, 4, 1] : tensor<2x4xf16> into tensor<2x4x1xf16>
    %expanded_2 = tensor.expand_shape %arg3 [[0], [1, 2]] output_shape [2, 1, 3] : tensor<2x3xf16> into tensor<2x1x3xf16>
    %14 = linalg.generic {indexing_maps = [#map1, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_1, %expanded_2 : tensor<2x4x1xf16>, tensor<2x1x3xf16>) outs(%9 : tensor<2x4x3xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<2x4x3xf16>
    %15 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %14 : tensor<2x4x3xf16>, tensor<2x4x3xf16>) outs(%9 : tensor<2x4x3xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.addf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<2x4x3xf16>
    %expanded_3 = tensor.expand_shape %arg4 [[0], [1, 2]] output_shape [2, 1, 3] : tensor<2x3xf16> into tensor<2x1x3xf16>
    %16 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %expanded_3 : tensor<2x4x3xf16>, tensor<2x1x3xf16>) outs(%9 : tensor<2x4x3xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<2x4x3xf16>
    %17 = linalg.fill ins(%cst : f16) outs(%7 : tensor<2x4xf16>) -> tensor<2x4xf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<2x4x3xf16>) outs(%17 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %21 = arith.addf %in, %out : f16
      linalg.yield %21 : f16
    } -> tensor<2x4xf16>
    %19 = linalg.generic {indexing_maps = [#map6, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5, %arg0 : tensor<4xf16>, tensor<2x4xf16>) outs(%7 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.mulf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<2x4xf16>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %19 : tensor<2x4xf16>, tensor<2x4xf16>) outs(%7 : tensor<2x4xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %21 = arith.addf %in, %in_4 : f16
      linalg.yield %21 : f16
    } -> tensor<2x4xf16>
    return %20, %15 : tensor<2x4xf16>, tensor<2x4x3xf16>
  }
}
