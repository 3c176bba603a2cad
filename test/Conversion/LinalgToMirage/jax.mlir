// RUN: mirage-opt --convert-linalg-to-mirage --split-input-file %s 2>/dev/null | FileCheck %s

// What IREE's passes (3.13.0) make of JAX functions (0.10.2), by utils/programs/jax_functions.py all --small. All is imported but for masks of positions.

// CHECK-LABEL: func.func public @rms_linear(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d1)>
module @jit__lambda {
  func.func public @rms_linear(%arg0: tensor<2x8xf16>, %arg1: tensor<8xf16>, %arg2: tensor<8x12xf16>) -> tensor<2x12xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 9.99999974E-6 : f32
    %cst_1 = arith.constant 8.000000e+00 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<2x8xf16>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %19 = arith.extf %in : f16 to f32
      linalg.yield %19 : f32
    } -> tensor<2x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x8xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.mulf %in, %in : f32
      linalg.yield %19 : f32
    } -> tensor<2x8xf32>
    %3 = tensor.empty() : tensor<2xf32>
    %4 = linalg.fill ins(%cst_2 : f32) outs(%3 : tensor<2xf32>) -> tensor<2xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<2x8xf32>) outs(%4 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.addf %out, %in : f32
      linalg.yield %19 : f32
    } -> tensor<2xf32>
    %expanded = tensor.expand_shape %5 [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
    %6 = tensor.empty() : tensor<2x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<2x1xf32>) outs(%6 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.divf %in, %cst_1 : f32
      linalg.yield %19 : f32
    } -> tensor<2x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<2x1xf32>) outs(%6 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.addf %in, %cst_0 : f32
      linalg.yield %19 : f32
    } -> tensor<2x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<2x1xf32>) outs(%6 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.rsqrt %in : f32
      linalg.yield %19 : f32
    } -> tensor<2x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<2x1xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %10 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %19 = arith.mulf %in, %in_3 : f32
      linalg.yield %19 : f32
    } -> tensor<2x8xf32>
    %12 = tensor.empty() : tensor<2x8xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<2x8xf32>) outs(%12 : tensor<2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %19 = arith.truncf %in : f32 to f16
      linalg.yield %19 : f16
    } -> tensor<2x8xf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8xf16>) outs(%12 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x8xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %14 : tensor<2x8xf16>, tensor<2x8xf16>) outs(%12 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %in_3: f16, %out: f16):
      %19 = arith.mulf %in, %in_3 : f16
      linalg.yield %19 : f16
    } -> tensor<2x8xf16>
    %16 = tensor.empty() : tensor<2x12xf16>
    %17 = linalg.fill ins(%cst : f16) outs(%16 : tensor<2x12xf16>) -> tensor<2x12xf16>
    %18 = linalg.matmul ins(%15, %arg2 : tensor<2x8xf16>, tensor<8x12xf16>) outs(%17 : tensor<2x12xf16>) -> tensor<2x12xf16>
    return %18 : tensor<2x12xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @llama_mlp(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d1)>
module @jit_function {
  func.func public @llama_mlp(%arg0: tensor<2x8xf16>, %arg1: tensor<8xf16>, %arg2: tensor<8x12xf16>, %arg3: tensor<8x12xf16>, %arg4: tensor<12x8xf16>) -> tensor<2x8xf16> {
    %cst = arith.constant 1.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f16
    %cst_1 = arith.constant 9.99999974E-6 : f32
    %cst_2 = arith.constant 8.000000e+00 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<2x8xf16>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %29 = arith.extf %in : f16 to f32
      linalg.yield %29 : f32
    } -> tensor<2x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x8xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.mulf %in, %in : f32
      linalg.yield %29 : f32
    } -> tensor<2x8xf32>
    %3 = tensor.empty() : tensor<2xf32>
    %4 = linalg.fill ins(%cst_3 : f32) outs(%3 : tensor<2xf32>) -> tensor<2xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<2x8xf32>) outs(%4 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %out, %in : f32
      linalg.yield %29 : f32
    } -> tensor<2xf32>
    %expanded = tensor.expand_shape %5 [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
    %6 = tensor.empty() : tensor<2x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<2x1xf32>) outs(%6 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.divf %in, %cst_2 : f32
      linalg.yield %29 : f32
    } -> tensor<2x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<2x1xf32>) outs(%6 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %in, %cst_1 : f32
      linalg.yield %29 : f32
    } -> tensor<2x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<2x1xf32>) outs(%6 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = math.rsqrt %in : f32
      linalg.yield %29 : f32
    } -> tensor<2x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<2x1xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %10 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %29 = arith.mulf %in, %in_4 : f32
      linalg.yield %29 : f32
    } -> tensor<2x8xf32>
    %12 = tensor.empty() : tensor<2x8xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<2x8xf32>) outs(%12 : tensor<2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %29 = arith.truncf %in : f32 to f16
      linalg.yield %29 : f16
    } -> tensor<2x8xf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8xf16>) outs(%12 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x8xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %14 : tensor<2x8xf16>, tensor<2x8xf16>) outs(%12 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %29 = arith.mulf %in, %in_4 : f16
      linalg.yield %29 : f16
    } -> tensor<2x8xf16>
    %16 = tensor.empty() : tensor<2x12xf16>
    %17 = linalg.fill ins(%cst_0 : f16) outs(%16 : tensor<2x12xf16>) -> tensor<2x12xf16>
    %18 = linalg.matmul ins(%15, %arg2 : tensor<2x8xf16>, tensor<8x12xf16>) outs(%17 : tensor<2x12xf16>) -> tensor<2x12xf16>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<2x12xf16>) outs(%16 : tensor<2x12xf16>) {
    ^bb0(%in: f16, %out: f16):
      %29 = arith.negf %in : f16
      linalg.yield %29 : f16
    } -> tensor<2x12xf16>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<2x12xf16>) outs(%16 : tensor<2x12xf16>) {
    ^bb0(%in: f16, %out: f16):
      %29 = math.exp %in : f16
      linalg.yield %29 : f16
    } -> tensor<2x12xf16>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<2x12xf16>) outs(%16 : tensor<2x12xf16>) {
    ^bb0(%in: f16, %out: f16):
      %29 = arith.addf %in, %cst : f16
      linalg.yield %29 : f16
    } -> tensor<2x12xf16>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<2x12xf16>) outs(%16 : tensor<2x12xf16>) {
    ^bb0(%in: f16, %out: f16):
      %29 = arith.divf %cst, %in : f16
      linalg.yield %29 : f16
    } -> tensor<2x12xf16>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %22 : tensor<2x12xf16>, tensor<2x12xf16>) outs(%16 : tensor<2x12xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %29 = arith.mulf %in, %in_4 : f16
      linalg.yield %29 : f16
    } -> tensor<2x12xf16>
    %24 = linalg.matmul ins(%15, %arg3 : tensor<2x8xf16>, tensor<8x12xf16>) outs(%17 : tensor<2x12xf16>) -> tensor<2x12xf16>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%23, %24 : tensor<2x12xf16>, tensor<2x12xf16>) outs(%16 : tensor<2x12xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %29 = arith.mulf %in, %in_4 : f16
      linalg.yield %29 : f16
    } -> tensor<2x12xf16>
    %26 = linalg.fill ins(%cst_0 : f16) outs(%12 : tensor<2x8xf16>) -> tensor<2x8xf16>
    %27 = linalg.matmul ins(%25, %arg4 : tensor<2x12xf16>, tensor<12x8xf16>) outs(%26 : tensor<2x8xf16>) -> tensor<2x8xf16>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %27 : tensor<2x8xf16>, tensor<2x8xf16>) outs(%12 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %29 = arith.addf %in, %in_4 : f16
      linalg.yield %29 : f16
    } -> tensor<2x8xf16>
    return %28 : tensor<2x8xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @norm_linear(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<() -> ()>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1) -> (d1)>
module @jit__lambda {
  func.func public @norm_linear(%arg0: tensor<2x8xf16>, %arg1: tensor<8xf16>, %arg2: tensor<8xf16>, %arg3: tensor<8x8xf16>) -> tensor<2x8xf16> {
    %cst = arith.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = arith.constant 0.000000e+00 : f16
    %cst_1 = arith.constant 9.99999974E-6 : f32
    %cst_2 = arith.constant 8.000000e+00 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %cst_4 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<2x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<2x8xf16>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %32 = arith.extf %in : f16 to f32
      linalg.yield %32 : f32
    } -> tensor<2x8xf32>
    %2 = tensor.empty() : tensor<2xf32>
    %3 = linalg.fill ins(%cst_3 : f32) outs(%2 : tensor<2xf32>) -> tensor<2xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<2x8xf32>) outs(%3 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = arith.addf %out, %in : f32
      linalg.yield %32 : f32
    } -> tensor<2xf32>
    %expanded = tensor.expand_shape %4 [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
    %5 = tensor.empty() : tensor<2x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<2x1xf32>) outs(%5 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = arith.divf %in, %cst_2 : f32
      linalg.yield %32 : f32
    } -> tensor<2x1xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<2x1xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %7 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %32 = arith.subf %in, %in_6 : f32
      linalg.yield %32 : f32
    } -> tensor<2x8xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<2x8xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = arith.mulf %in, %in : f32
      linalg.yield %32 : f32
    } -> tensor<2x8xf32>
    %10 = tensor.empty() : tensor<f32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%cst_4 : tensor<i32>) outs(%10 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %32 = arith.sitofp %in : i32 to f32
      linalg.yield %32 : f32
    } -> tensor<f32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%11 : tensor<f32>) outs(%10 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = arith.subf %cst_2, %in : f32
      linalg.yield %32 : f32
    } -> tensor<f32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<2x8xf32>) outs(%3 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = arith.addf %out, %in : f32
      linalg.yield %32 : f32
    } -> tensor<2xf32>
    %expanded_5 = tensor.expand_shape %13 [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<f32>) outs(%5 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_5, %14 : tensor<2x1xf32>, tensor<2x1xf32>) outs(%5 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %32 = arith.divf %in, %in_6 : f32
      linalg.yield %32 : f32
    } -> tensor<2x1xf32>
    %16 = tensor.empty() : tensor<i1>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%12 : tensor<f32>) outs(%16 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %32 = arith.cmpf ogt, %in, %cst_3 : f32
      linalg.yield %32 : i1
    } -> tensor<i1>
    %18 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%5 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1xf32>
    %extracted = tensor.extract %17[] : tensor<i1>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %18 : tensor<2x1xf32>, tensor<2x1xf32>) outs(%5 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %32 = arith.select %extracted, %in, %in_6 : f32
      linalg.yield %32 : f32
    } -> tensor<2x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<2x1xf32>) outs(%5 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = arith.addf %in, %cst_1 : f32
      linalg.yield %32 : f32
    } -> tensor<2x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<2x1xf32>) outs(%5 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %32 = math.rsqrt %in : f32
      linalg.yield %32 : f32
    } -> tensor<2x1xf32>
    %22 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<2x1xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %22 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%0 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %32 = arith.mulf %in, %in_6 : f32
      linalg.yield %32 : f32
    } -> tensor<2x8xf32>
    %24 = tensor.empty() : tensor<2x8xf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<2x8xf32>) outs(%24 : tensor<2x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %32 = arith.truncf %in : f32 to f16
      linalg.yield %32 : f16
    } -> tensor<2x8xf16>
    %26 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8xf16>) outs(%24 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x8xf16>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %26 : tensor<2x8xf16>, tensor<2x8xf16>) outs(%24 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %in_6: f16, %out: f16):
      %32 = arith.mulf %in, %in_6 : f16
      linalg.yield %32 : f16
    } -> tensor<2x8xf16>
    %28 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<8xf16>) outs(%24 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x8xf16>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %28 : tensor<2x8xf16>, tensor<2x8xf16>) outs(%24 : tensor<2x8xf16>) {
    ^bb0(%in: f16, %in_6: f16, %out: f16):
      %32 = arith.addf %in, %in_6 : f16
      linalg.yield %32 : f16
    } -> tensor<2x8xf16>
    %30 = linalg.fill ins(%cst_0 : f16) outs(%24 : tensor<2x8xf16>) -> tensor<2x8xf16>
    %31 = linalg.matmul ins(%29, %arg3 : tensor<2x8xf16>, tensor<8x8xf16>) outs(%30 : tensor<2x8xf16>) -> tensor<2x8xf16>
    return %31 : tensor<2x8xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @attention(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
module @jit_attend {
  func.func public @attention(%arg0: tensor<1x4x2x4xf16>, %arg1: tensor<1x4x2x4xf16>, %arg2: tensor<1x4x2x4xf16>) -> tensor<1x4x2x4xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 4, 2, 1, 4] : tensor<1x4x2x4xf16> into tensor<1x4x2x1x4xf16>
    %0 = tensor.empty() : tensor<1x2x4x1x4xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x4x2x1x4xf16>) outs(%0 : tensor<1x2x4x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x1x4xf16>
    %2 = tensor.empty() : tensor<1x2x4x4xf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x4x2x4xf16>) outs(%2 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x4xf16>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3, 4]] : tensor<1x2x4x1x4xf16> into tensor<2x4x4xf16>
    %collapsed_3 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x2x4x4xf16> into tensor<2x4x4xf16>
    %4 = tensor.empty() : tensor<2x4x4xf32>
    %5 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<2x4x4xf16>, tensor<2x4x4xf16>) outs(%5 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_4 = tensor.expand_shape %6 [[0, 1], [2], [3, 4]] output_shape [1, 2, 4, 1, 4] : tensor<2x4x4xf32> into tensor<1x2x4x1x4xf32>
    %7 = tensor.empty() : tensor<1x2x4x1x4xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x2x4x1x4xf32>) outs(%7 : tensor<1x2x4x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.mulf %in, %cst_1 : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x4x1x4xf32>
    %9 = tensor.empty() : tensor<1x2x4x1xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<1x2x4x1x4xf32>) outs(%10 : tensor<1x2x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.maximumf %out, %in : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x4x1xf32>
    %collapsed_5 = tensor.collapse_shape %11 [[0, 1, 2, 3]] : tensor<1x2x4x1xf32> into tensor<8xf32>
    %expanded_6 = tensor.expand_shape %collapsed_5 [[0, 1, 2, 3]] output_shape [1, 1, 2, 4] : tensor<8xf32> into tensor<1x1x2x4xf32>
    %collapsed_7 = tensor.collapse_shape %8 [[0, 1, 2, 3, 4]] : tensor<1x2x4x1x4xf32> into tensor<32xf32>
    %expanded_8 = tensor.expand_shape %collapsed_7 [[0, 1, 2, 3, 4]] output_shape [1, 1, 2, 4, 4] : tensor<32xf32> into tensor<1x1x2x4x4xf32>
    %12 = tensor.empty() : tensor<1x1x2x4x4xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x1x2x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8, %13 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %30 = arith.subf %in, %in_13 : f32
      linalg.yield %30 : f32
    } -> tensor<1x1x2x4x4xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x1x2x4x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.exp %in : f32
      linalg.yield %30 : f32
    } -> tensor<1x1x2x4x4xf32>
    %16 = tensor.empty() : tensor<1x1x2x4xf32>
    %17 = linalg.fill ins(%cst_2 : f32) outs(%16 : tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x1x2x4x4xf32>) outs(%17 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %out, %in : f32
      linalg.yield %30 : f32
    } -> tensor<1x1x2x4xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x2x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15, %19 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %30 = arith.divf %in, %in_13 : f32
      linalg.yield %30 : f32
    } -> tensor<1x1x2x4x4xf32>
    %21 = tensor.empty() : tensor<1x1x2x4x4xf16>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x2x4x4xf32>) outs(%21 : tensor<1x1x2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<1x1x2x4x4xf16>
    %23 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x4x2x4xf16>) outs(%2 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x4xf16>
    %24 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x1x2x4x4xf16>) outs(%0 : tensor<1x2x4x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x1x4xf16>
    %collapsed_9 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<1x2x4x4xf16> into tensor<2x4x4xf16>
    %collapsed_10 = tensor.collapse_shape %24 [[0, 1], [2], [3, 4]] : tensor<1x2x4x1x4xf16> into tensor<2x4x4xf16>
    %25 = tensor.empty() : tensor<2x4x4xf16>
    %26 = linalg.fill ins(%cst : f16) outs(%25 : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
    %27 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<2x4x4xf16>, tensor<2x4x4xf16>) outs(%26 : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
    %expanded_11 = tensor.expand_shape %27 [[0, 1], [2], [3, 4]] output_shape [1, 2, 4, 1, 4] : tensor<2x4x4xf16> into tensor<1x2x4x1x4xf16>
    %28 = tensor.empty() : tensor<1x1x4x2x4xf16>
    %29 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x2x4x1x4xf16>) outs(%28 : tensor<1x1x4x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x4x2x4xf16>
    %collapsed_12 = tensor.collapse_shape %29 [[0], [1, 2], [3], [4]] : tensor<1x1x4x2x4xf16> into tensor<1x4x2x4xf16>
    return %collapsed_12 : tensor<1x4x2x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @attention_causal(
// CHECK:         linalg.generic
// CHECK:         mirage_kernel
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
  func.func public @attention_causal(%arg0: tensor<1x4x2x4xf16>, %arg1: tensor<1x4x2x4xf16>, %arg2: tensor<1x4x2x4xf16>) -> tensor<1x4x2x4xf16> {
    %false = arith.constant false
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %cst_3 = arith.constant dense<true> : tensor<4x4xi1>
    %cst_4 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 4, 2, 1, 4] : tensor<1x4x2x4xf16> into tensor<1x4x2x1x4xf16>
    %0 = tensor.empty() : tensor<1x2x4x1x4xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x4x2x1x4xf16>) outs(%0 : tensor<1x2x4x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x1x4xf16>
    %2 = tensor.empty() : tensor<1x2x4x4xf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x4x2x4xf16>) outs(%2 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x4xf16>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3, 4]] : tensor<1x2x4x1x4xf16> into tensor<2x4x4xf16>
    %collapsed_5 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x2x4x4xf16> into tensor<2x4x4xf16>
    %4 = tensor.empty() : tensor<2x4x4xf32>
    %5 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<2x4x4xf16>, tensor<2x4x4xf16>) outs(%5 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_6 = tensor.expand_shape %6 [[0, 1], [2], [3, 4]] output_shape [1, 2, 4, 1, 4] : tensor<2x4x4xf32> into tensor<1x2x4x1x4xf32>
    %7 = tensor.empty() : tensor<1x2x4x1x4xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x2x4x1x4xf32>) outs(%7 : tensor<1x2x4x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.mulf %in, %cst_1 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x4x1x4xf32>
    %9 = tensor.empty() : tensor<4x4xi32>
    %10 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<4x4xi32>) {
    ^bb0(%out: i32):
      %41 = linalg.index 0 : index
      %42 = arith.index_cast %41 : index to i32
      linalg.yield %42 : i32
    } -> tensor<4x4xi32>
    %11 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<4x4xi32>) {
    ^bb0(%out: i32):
      %41 = linalg.index 1 : index
      %42 = arith.index_cast %41 : index to i32
      linalg.yield %42 : i32
    } -> tensor<4x4xi32>
    %12 = tensor.empty() : tensor<4x4xi1>
    %13 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%10, %11 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%12 : tensor<4x4xi1>) {
    ^bb0(%in: i32, %in_13: i32, %out: i1):
      %41 = arith.cmpi sge, %in, %in_13 : i32
      linalg.yield %41 : i1
    } -> tensor<4x4xi1>
    %14 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%13, %cst_3 : tensor<4x4xi1>, tensor<4x4xi1>) outs(%12 : tensor<4x4xi1>) {
    ^bb0(%in: i1, %in_13: i1, %out: i1):
      %41 = arith.select %in, %in_13, %false : i1
      linalg.yield %41 : i1
    } -> tensor<4x4xi1>
    %15 = tensor.empty() : tensor<1x2x4x4xi1>
    %16 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<4x4xi1>) outs(%15 : tensor<1x2x4x4xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x4x4xi1>
    %17 = tensor.empty() : tensor<1x1x2x4x4xi1>
    %18 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x2x4x4xi1>) outs(%17 : tensor<1x1x2x4x4xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x2x4x4xi1>
    %19 = tensor.empty() : tensor<1x1x2x4x4xf32>
    %20 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%19 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %collapsed_7 = tensor.collapse_shape %8 [[0, 1, 2, 3, 4]] : tensor<1x2x4x1x4xf32> into tensor<32xf32>
    %expanded_8 = tensor.expand_shape %collapsed_7 [[0, 1, 2, 3, 4]] output_shape [1, 1, 2, 4, 4] : tensor<32xf32> into tensor<1x1x2x4x4xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_8, %20 : tensor<1x1x2x4x4xi1>, tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%19 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: i1, %in_13: f32, %in_14: f32, %out: f32):
      %41 = arith.select %in, %in_13, %in_14 : f32
      linalg.yield %41 : f32
    } -> tensor<1x1x2x4x4xf32>
    %22 = tensor.empty() : tensor<1x1x2x4xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x1x2x4x4xf32>) outs(%23 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.maximumf %out, %in : f32
      linalg.yield %41 : f32
    } -> tensor<1x1x2x4xf32>
    %25 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x1x2x4xf32>) outs(%19 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21, %25 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%19 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %41 = arith.subf %in, %in_13 : f32
      linalg.yield %41 : f32
    } -> tensor<1x1x2x4x4xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x1x2x4x4xf32>) outs(%19 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.exp %in : f32
      linalg.yield %41 : f32
    } -> tensor<1x1x2x4x4xf32>
    %28 = linalg.fill ins(%cst_2 : f32) outs(%22 : tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x1x2x4x4xf32>) outs(%28 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %out, %in : f32
      linalg.yield %41 : f32
    } -> tensor<1x1x2x4xf32>
    %30 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x1x2x4xf32>) outs(%19 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%19 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %41 = arith.divf %in, %in_13 : f32
      linalg.yield %41 : f32
    } -> tensor<1x1x2x4x4xf32>
    %32 = tensor.empty() : tensor<1x1x2x4x4xf16>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x1x2x4x4xf32>) outs(%32 : tensor<1x1x2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %41 = arith.truncf %in : f32 to f16
      linalg.yield %41 : f16
    } -> tensor<1x1x2x4x4xf16>
    %34 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x4x2x4xf16>) outs(%2 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x4xf16>
    %35 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x1x2x4x4xf16>) outs(%0 : tensor<1x2x4x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x1x4xf16>
    %collapsed_9 = tensor.collapse_shape %34 [[0, 1], [2], [3]] : tensor<1x2x4x4xf16> into tensor<2x4x4xf16>
    %collapsed_10 = tensor.collapse_shape %35 [[0, 1], [2], [3, 4]] : tensor<1x2x4x1x4xf16> into tensor<2x4x4xf16>
    %36 = tensor.empty() : tensor<2x4x4xf16>
    %37 = linalg.fill ins(%cst : f16) outs(%36 : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
    %38 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<2x4x4xf16>, tensor<2x4x4xf16>) outs(%37 : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
    %expanded_11 = tensor.expand_shape %38 [[0, 1], [2], [3, 4]] output_shape [1, 2, 4, 1, 4] : tensor<2x4x4xf16> into tensor<1x2x4x1x4xf16>
    %39 = tensor.empty() : tensor<1x1x4x2x4xf16>
    %40 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x2x4x1x4xf16>) outs(%39 : tensor<1x1x4x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x4x2x4xf16>
    %collapsed_12 = tensor.collapse_shape %40 [[0], [1, 2], [3], [4]] : tensor<1x1x4x2x4xf16> into tensor<1x4x2x4xf16>
    return %collapsed_12 : tensor<1x4x2x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @attention_grouped(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
module @jit_attend {
  func.func public @attention_grouped(%arg0: tensor<1x1x4x4xf16>, %arg1: tensor<1x5x2x4xf16>, %arg2: tensor<1x5x2x4xf16>) -> tensor<1x1x4x4xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x2x4x5xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x5x2x4xf16>) outs(%0 : tensor<1x2x4x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x5xf16>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2, 3]] : tensor<1x1x4x4xf16> into tensor<16xf16>
    %expanded = tensor.expand_shape %collapsed [[0, 1, 2]] output_shape [2, 2, 4] : tensor<16xf16> into tensor<2x2x4xf16>
    %collapsed_3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x2x4x5xf16> into tensor<2x4x5xf16>
    %2 = tensor.empty() : tensor<2x2x5xf32>
    %3 = linalg.fill ins(%cst_2 : f32) outs(%2 : tensor<2x2x5xf32>) -> tensor<2x2x5xf32>
    %4 = linalg.batch_matmul ins(%expanded, %collapsed_3 : tensor<2x2x4xf16>, tensor<2x4x5xf16>) outs(%3 : tensor<2x2x5xf32>) -> tensor<2x2x5xf32>
    %expanded_4 = tensor.expand_shape %4 [[0, 1], [2, 3], [4]] output_shape [1, 2, 1, 2, 5] : tensor<2x2x5xf32> into tensor<1x2x1x2x5xf32>
    %5 = tensor.empty() : tensor<1x2x1x2x5xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x2x1x2x5xf32>) outs(%5 : tensor<1x2x1x2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.mulf %in, %cst_1 : f32
      linalg.yield %33 : f32
    } -> tensor<1x2x1x2x5xf32>
    %7 = tensor.empty() : tensor<1x2x1x2xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<1x2x1x2xf32>) -> tensor<1x2x1x2xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<1x2x1x2x5xf32>) outs(%8 : tensor<1x2x1x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.maximumf %out, %in : f32
      linalg.yield %33 : f32
    } -> tensor<1x2x1x2xf32>
    %10 = tensor.empty() : tensor<2x1x2x1xf32>
    %11 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x1x2xf32>) outs(%10 : tensor<2x1x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x1xf32>
    %12 = tensor.empty() : tensor<2x1x2x1x5xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x2x1x2x5xf32>) outs(%12 : tensor<2x1x2x1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x1x5xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x1x2x1xf32>) outs(%12 : tensor<2x1x2x1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x1x5xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<2x1x2x1x5xf32>, tensor<2x1x2x1x5xf32>) outs(%12 : tensor<2x1x2x1x5xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %33 = arith.subf %in, %in_9 : f32
      linalg.yield %33 : f32
    } -> tensor<2x1x2x1x5xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x1x2x1x5xf32>) outs(%12 : tensor<2x1x2x1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = math.exp %in : f32
      linalg.yield %33 : f32
    } -> tensor<2x1x2x1x5xf32>
    %17 = linalg.fill ins(%cst_2 : f32) outs(%10 : tensor<2x1x2x1xf32>) -> tensor<2x1x2x1xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<2x1x2x1x5xf32>) outs(%17 : tensor<2x1x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.addf %out, %in : f32
      linalg.yield %33 : f32
    } -> tensor<2x1x2x1xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x1x2x1xf32>) outs(%12 : tensor<2x1x2x1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x1x5xf32>
    %20 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16, %19 : tensor<2x1x2x1x5xf32>, tensor<2x1x2x1x5xf32>) outs(%12 : tensor<2x1x2x1x5xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %33 = arith.divf %in, %in_9 : f32
      linalg.yield %33 : f32
    } -> tensor<2x1x2x1x5xf32>
    %21 = tensor.empty() : tensor<2x1x2x1x5xf16>
    %22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<2x1x2x1x5xf32>) outs(%21 : tensor<2x1x2x1x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %33 = arith.truncf %in : f32 to f16
      linalg.yield %33 : f16
    } -> tensor<2x1x2x1x5xf16>
    %23 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x5x2x4xf16>) outs(%0 : tensor<1x2x4x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x5xf16>
    %24 = tensor.empty() : tensor<1x2x5x2x1xf16>
    %25 = linalg.generic {indexing_maps = [#map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x1x2x1x5xf16>) outs(%24 : tensor<1x2x5x2x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x5x2x1xf16>
    %collapsed_5 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<1x2x4x5xf16> into tensor<2x4x5xf16>
    %collapsed_6 = tensor.collapse_shape %25 [[0, 1], [2], [3, 4]] : tensor<1x2x5x2x1xf16> into tensor<2x5x2xf16>
    %26 = tensor.empty() : tensor<2x4x2xf16>
    %27 = linalg.fill ins(%cst : f16) outs(%26 : tensor<2x4x2xf16>) -> tensor<2x4x2xf16>
    %28 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<2x4x5xf16>, tensor<2x5x2xf16>) outs(%27 : tensor<2x4x2xf16>) -> tensor<2x4x2xf16>
    %expanded_7 = tensor.expand_shape %28 [[0, 1], [2], [3, 4]] output_shape [1, 2, 4, 2, 1] : tensor<2x4x2xf16> into tensor<1x2x4x2x1xf16>
    %29 = tensor.empty() : tensor<2x1x1x2x4xf16>
    %30 = linalg.generic {indexing_maps = [#map7, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x2x4x2x1xf16>) outs(%29 : tensor<2x1x1x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x1x1x2x4xf16>
    %31 = tensor.empty() : tensor<1x1x2x2x4xf16>
    %32 = linalg.generic {indexing_maps = [#map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<2x1x1x2x4xf16>) outs(%31 : tensor<1x1x2x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x2x2x4xf16>
    %collapsed_8 = tensor.collapse_shape %32 [[0], [1], [2, 3], [4]] : tensor<1x1x2x2x4xf16> into tensor<1x1x4x4xf16>
    return %collapsed_8 : tensor<1x1x4x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @attention_prefill(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
module @jit_attend {
  func.func public @attention_prefill(%arg0: tensor<1x16x4x4xf16>, %arg1: tensor<1x16x2x4xf16>, %arg2: tensor<1x16x2x4xf16>) -> tensor<1x16x4x4xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [1, 16, 2, 2, 4] : tensor<1x16x4x4xf16> into tensor<1x16x2x2x4xf16>
    %0 = tensor.empty() : tensor<1x2x16x2x4xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x16x2x2x4xf16>) outs(%0 : tensor<1x2x16x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x16x2x4xf16>
    %2 = tensor.empty() : tensor<1x2x4x16xf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x16x2x4xf16>) outs(%2 : tensor<1x2x4x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x16xf16>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2, 3], [4]] : tensor<1x2x16x2x4xf16> into tensor<2x32x4xf16>
    %collapsed_3 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x2x4x16xf16> into tensor<2x4x16xf16>
    %4 = tensor.empty() : tensor<2x32x16xf32>
    %5 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<2x32x4xf16>, tensor<2x4x16xf16>) outs(%5 : tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %expanded_4 = tensor.expand_shape %6 [[0, 1], [2, 3], [4]] output_shape [1, 2, 16, 2, 16] : tensor<2x32x16xf32> into tensor<1x2x16x2x16xf32>
    %7 = tensor.empty() : tensor<1x2x16x2x16xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x2x16x2x16xf32>) outs(%7 : tensor<1x2x16x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.mulf %in, %cst_1 : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x16x2x16xf32>
    %9 = tensor.empty() : tensor<1x2x16x2xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<1x2x16x2xf32>) -> tensor<1x2x16x2xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<1x2x16x2x16xf32>) outs(%10 : tensor<1x2x16x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.maximumf %out, %in : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x16x2xf32>
    %12 = tensor.empty() : tensor<2x1x2x16xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x16x2xf32>) outs(%12 : tensor<2x1x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x16xf32>
    %14 = tensor.empty() : tensor<2x1x2x16x16xf32>
    %15 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x2x16x2x16xf32>) outs(%14 : tensor<2x1x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x16x16xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x1x2x16xf32>) outs(%14 : tensor<2x1x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x16x16xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15, %16 : tensor<2x1x2x16x16xf32>, tensor<2x1x2x16x16xf32>) outs(%14 : tensor<2x1x2x16x16xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %35 = arith.subf %in, %in_9 : f32
      linalg.yield %35 : f32
    } -> tensor<2x1x2x16x16xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x1x2x16x16xf32>) outs(%14 : tensor<2x1x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.exp %in : f32
      linalg.yield %35 : f32
    } -> tensor<2x1x2x16x16xf32>
    %19 = linalg.fill ins(%cst_2 : f32) outs(%12 : tensor<2x1x2x16xf32>) -> tensor<2x1x2x16xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<2x1x2x16x16xf32>) outs(%19 : tensor<2x1x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.addf %out, %in : f32
      linalg.yield %35 : f32
    } -> tensor<2x1x2x16xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<2x1x2x16xf32>) outs(%14 : tensor<2x1x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x16x16xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<2x1x2x16x16xf32>, tensor<2x1x2x16x16xf32>) outs(%14 : tensor<2x1x2x16x16xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %35 = arith.divf %in, %in_9 : f32
      linalg.yield %35 : f32
    } -> tensor<2x1x2x16x16xf32>
    %23 = tensor.empty() : tensor<2x1x2x16x16xf16>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x1x2x16x16xf32>) outs(%23 : tensor<2x1x2x16x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %35 = arith.truncf %in : f32 to f16
      linalg.yield %35 : f16
    } -> tensor<2x1x2x16x16xf16>
    %25 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x16x2x4xf16>) outs(%2 : tensor<1x2x4x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x16xf16>
    %26 = tensor.empty() : tensor<1x2x16x2x16xf16>
    %27 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<2x1x2x16x16xf16>) outs(%26 : tensor<1x2x16x2x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x16x2x16xf16>
    %collapsed_5 = tensor.collapse_shape %25 [[0, 1], [2], [3]] : tensor<1x2x4x16xf16> into tensor<2x4x16xf16>
    %collapsed_6 = tensor.collapse_shape %27 [[0, 1], [2], [3, 4]] : tensor<1x2x16x2x16xf16> into tensor<2x16x32xf16>
    %28 = tensor.empty() : tensor<2x4x32xf16>
    %29 = linalg.fill ins(%cst : f16) outs(%28 : tensor<2x4x32xf16>) -> tensor<2x4x32xf16>
    %30 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<2x4x16xf16>, tensor<2x16x32xf16>) outs(%29 : tensor<2x4x32xf16>) -> tensor<2x4x32xf16>
    %expanded_7 = tensor.expand_shape %30 [[0, 1], [2], [3, 4]] output_shape [1, 2, 4, 2, 16] : tensor<2x4x32xf16> into tensor<1x2x4x2x16xf16>
    %31 = tensor.empty() : tensor<2x1x16x2x4xf16>
    %32 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x2x4x2x16xf16>) outs(%31 : tensor<2x1x16x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x1x16x2x4xf16>
    %33 = tensor.empty() : tensor<1x16x2x2x4xf16>
    %34 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x1x16x2x4xf16>) outs(%33 : tensor<1x16x2x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x16x2x2x4xf16>
    %collapsed_8 = tensor.collapse_shape %34 [[0], [1], [2, 3], [4]] : tensor<1x16x2x2x4xf16> into tensor<1x16x4x4xf16>
    return %collapsed_8 : tensor<1x16x4x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @rotary_causal(
// CHECK:         linalg.generic
// CHECK:         mirage_kernel
#map = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
module @jit_function {
  func.func public @rotary_causal(%arg0: tensor<1x4x2x4xf16>, %arg1: tensor<1x4x2x4xf16>, %arg2: tensor<1x4x2x4xf16>, %arg3: tensor<4x4xf16>, %arg4: tensor<4x4xf16>) -> tensor<1x4x2x4xf16> {
    %false = arith.constant false
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %cst_3 = arith.constant dense<true> : tensor<4x4xi1>
    %cst_4 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %0 = tensor.empty() : tensor<1x4x2x4xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<4x4xf16>) outs(%0 : tensor<1x4x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x4x2x4xf16>
    %2 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %1 : tensor<1x4x2x4xf16>, tensor<1x4x2x4xf16>) outs(%0 : tensor<1x4x2x4xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %53 = arith.mulf %in, %in_19 : f16
      linalg.yield %53 : f16
    } -> tensor<1x4x2x4xf16>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 4, 2, 2] [1, 1, 1, 1] : tensor<1x4x2x4xf16> to tensor<1x4x2x2xf16>
    %extracted_slice_5 = tensor.extract_slice %arg0[0, 0, 0, 2] [1, 4, 2, 2] [1, 1, 1, 1] : tensor<1x4x2x4xf16> to tensor<1x4x2x2xf16>
    %3 = tensor.empty() : tensor<1x4x2x2xf16>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_5 : tensor<1x4x2x2xf16>) outs(%3 : tensor<1x4x2x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %53 = arith.negf %in : f16
      linalg.yield %53 : f16
    } -> tensor<1x4x2x2xf16>
    %inserted_slice = tensor.insert_slice %4 into %0[0, 0, 0, 0] [1, 4, 2, 2] [1, 1, 1, 1] : tensor<1x4x2x2xf16> into tensor<1x4x2x4xf16>
    %inserted_slice_6 = tensor.insert_slice %extracted_slice into %inserted_slice[0, 0, 0, 2] [1, 4, 2, 2] [1, 1, 1, 1] : tensor<1x4x2x2xf16> into tensor<1x4x2x4xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<4x4xf16>) outs(%0 : tensor<1x4x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x4x2x4xf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_6, %5 : tensor<1x4x2x4xf16>, tensor<1x4x2x4xf16>) outs(%0 : tensor<1x4x2x4xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %53 = arith.mulf %in, %in_19 : f16
      linalg.yield %53 : f16
    } -> tensor<1x4x2x4xf16>
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %6 : tensor<1x4x2x4xf16>, tensor<1x4x2x4xf16>) outs(%0 : tensor<1x4x2x4xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %53 = arith.addf %in, %in_19 : f16
      linalg.yield %53 : f16
    } -> tensor<1x4x2x4xf16>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %1 : tensor<1x4x2x4xf16>, tensor<1x4x2x4xf16>) outs(%0 : tensor<1x4x2x4xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %53 = arith.mulf %in, %in_19 : f16
      linalg.yield %53 : f16
    } -> tensor<1x4x2x4xf16>
    %extracted_slice_7 = tensor.extract_slice %arg1[0, 0, 0, 0] [1, 4, 2, 2] [1, 1, 1, 1] : tensor<1x4x2x4xf16> to tensor<1x4x2x2xf16>
    %extracted_slice_8 = tensor.extract_slice %arg1[0, 0, 0, 2] [1, 4, 2, 2] [1, 1, 1, 1] : tensor<1x4x2x4xf16> to tensor<1x4x2x2xf16>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<1x4x2x2xf16>) outs(%3 : tensor<1x4x2x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %53 = arith.negf %in : f16
      linalg.yield %53 : f16
    } -> tensor<1x4x2x2xf16>
    %inserted_slice_9 = tensor.insert_slice %9 into %0[0, 0, 0, 0] [1, 4, 2, 2] [1, 1, 1, 1] : tensor<1x4x2x2xf16> into tensor<1x4x2x4xf16>
    %inserted_slice_10 = tensor.insert_slice %extracted_slice_7 into %inserted_slice_9[0, 0, 0, 2] [1, 4, 2, 2] [1, 1, 1, 1] : tensor<1x4x2x2xf16> into tensor<1x4x2x4xf16>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_10, %5 : tensor<1x4x2x4xf16>, tensor<1x4x2x4xf16>) outs(%0 : tensor<1x4x2x4xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %53 = arith.mulf %in, %in_19 : f16
      linalg.yield %53 : f16
    } -> tensor<1x4x2x4xf16>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<1x4x2x4xf16>, tensor<1x4x2x4xf16>) outs(%0 : tensor<1x4x2x4xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %53 = arith.addf %in, %in_19 : f16
      linalg.yield %53 : f16
    } -> tensor<1x4x2x4xf16>
    %expanded = tensor.expand_shape %7 [[0], [1], [2], [3, 4]] output_shape [1, 4, 2, 1, 4] : tensor<1x4x2x4xf16> into tensor<1x4x2x1x4xf16>
    %12 = tensor.empty() : tensor<1x2x4x1x4xf16>
    %13 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x4x2x1x4xf16>) outs(%12 : tensor<1x2x4x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x1x4xf16>
    %14 = tensor.empty() : tensor<1x2x4x4xf16>
    %15 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x4x2x4xf16>) outs(%14 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x4xf16>
    %collapsed = tensor.collapse_shape %13 [[0, 1], [2], [3, 4]] : tensor<1x2x4x1x4xf16> into tensor<2x4x4xf16>
    %collapsed_11 = tensor.collapse_shape %15 [[0, 1], [2], [3]] : tensor<1x2x4x4xf16> into tensor<2x4x4xf16>
    %16 = tensor.empty() : tensor<2x4x4xf32>
    %17 = linalg.fill ins(%cst_2 : f32) outs(%16 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %18 = linalg.batch_matmul ins(%collapsed, %collapsed_11 : tensor<2x4x4xf16>, tensor<2x4x4xf16>) outs(%17 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_12 = tensor.expand_shape %18 [[0, 1], [2], [3, 4]] output_shape [1, 2, 4, 1, 4] : tensor<2x4x4xf32> into tensor<1x2x4x1x4xf32>
    %19 = tensor.empty() : tensor<1x2x4x1x4xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x2x4x1x4xf32>) outs(%19 : tensor<1x2x4x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %53 = arith.mulf %in, %cst_1 : f32
      linalg.yield %53 : f32
    } -> tensor<1x2x4x1x4xf32>
    %21 = tensor.empty() : tensor<4x4xi32>
    %22 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel"]} outs(%21 : tensor<4x4xi32>) {
    ^bb0(%out: i32):
      %53 = linalg.index 0 : index
      %54 = arith.index_cast %53 : index to i32
      linalg.yield %54 : i32
    } -> tensor<4x4xi32>
    %23 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel"]} outs(%21 : tensor<4x4xi32>) {
    ^bb0(%out: i32):
      %53 = linalg.index 1 : index
      %54 = arith.index_cast %53 : index to i32
      linalg.yield %54 : i32
    } -> tensor<4x4xi32>
    %24 = tensor.empty() : tensor<4x4xi1>
    %25 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%22, %23 : tensor<4x4xi32>, tensor<4x4xi32>) outs(%24 : tensor<4x4xi1>) {
    ^bb0(%in: i32, %in_19: i32, %out: i1):
      %53 = arith.cmpi sge, %in, %in_19 : i32
      linalg.yield %53 : i1
    } -> tensor<4x4xi1>
    %26 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%25, %cst_3 : tensor<4x4xi1>, tensor<4x4xi1>) outs(%24 : tensor<4x4xi1>) {
    ^bb0(%in: i1, %in_19: i1, %out: i1):
      %53 = arith.select %in, %in_19, %false : i1
      linalg.yield %53 : i1
    } -> tensor<4x4xi1>
    %27 = tensor.empty() : tensor<1x2x4x4xi1>
    %28 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<4x4xi1>) outs(%27 : tensor<1x2x4x4xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x4x4xi1>
    %29 = tensor.empty() : tensor<1x1x2x4x4xi1>
    %30 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x4x4xi1>) outs(%29 : tensor<1x1x2x4x4xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x2x4x4xi1>
    %31 = tensor.empty() : tensor<1x1x2x4x4xf32>
    %32 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%31 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %collapsed_13 = tensor.collapse_shape %20 [[0, 1, 2, 3, 4]] : tensor<1x2x4x1x4xf32> into tensor<32xf32>
    %expanded_14 = tensor.expand_shape %collapsed_13 [[0, 1, 2, 3, 4]] output_shape [1, 1, 2, 4, 4] : tensor<32xf32> into tensor<1x1x2x4x4xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%30, %expanded_14, %32 : tensor<1x1x2x4x4xi1>, tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%31 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: i1, %in_19: f32, %in_20: f32, %out: f32):
      %53 = arith.select %in, %in_19, %in_20 : f32
      linalg.yield %53 : f32
    } -> tensor<1x1x2x4x4xf32>
    %34 = tensor.empty() : tensor<1x1x2x4xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x1x2x4x4xf32>) outs(%35 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %53 = arith.maximumf %out, %in : f32
      linalg.yield %53 : f32
    } -> tensor<1x1x2x4xf32>
    %37 = linalg.generic {indexing_maps = [#map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x1x2x4xf32>) outs(%31 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%33, %37 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%31 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %53 = arith.subf %in, %in_19 : f32
      linalg.yield %53 : f32
    } -> tensor<1x1x2x4x4xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x1x2x4x4xf32>) outs(%31 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %53 = math.exp %in : f32
      linalg.yield %53 : f32
    } -> tensor<1x1x2x4x4xf32>
    %40 = linalg.fill ins(%cst_2 : f32) outs(%34 : tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32>
    %41 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<1x1x2x4x4xf32>) outs(%40 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %53 = arith.addf %out, %in : f32
      linalg.yield %53 : f32
    } -> tensor<1x1x2x4xf32>
    %42 = linalg.generic {indexing_maps = [#map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x1x2x4xf32>) outs(%31 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %43 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%39, %42 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%31 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %53 = arith.divf %in, %in_19 : f32
      linalg.yield %53 : f32
    } -> tensor<1x1x2x4x4xf32>
    %44 = tensor.empty() : tensor<1x1x2x4x4xf16>
    %45 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x1x2x4x4xf32>) outs(%44 : tensor<1x1x2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %53 = arith.truncf %in : f32 to f16
      linalg.yield %53 : f16
    } -> tensor<1x1x2x4x4xf16>
    %46 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x4x2x4xf16>) outs(%14 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x4xf16>
    %47 = linalg.generic {indexing_maps = [#map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x1x2x4x4xf16>) outs(%12 : tensor<1x2x4x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x1x4xf16>
    %collapsed_15 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<1x2x4x4xf16> into tensor<2x4x4xf16>
    %collapsed_16 = tensor.collapse_shape %47 [[0, 1], [2], [3, 4]] : tensor<1x2x4x1x4xf16> into tensor<2x4x4xf16>
    %48 = tensor.empty() : tensor<2x4x4xf16>
    %49 = linalg.fill ins(%cst : f16) outs(%48 : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
    %50 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<2x4x4xf16>, tensor<2x4x4xf16>) outs(%49 : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
    %expanded_17 = tensor.expand_shape %50 [[0, 1], [2], [3, 4]] output_shape [1, 2, 4, 1, 4] : tensor<2x4x4xf16> into tensor<1x2x4x1x4xf16>
    %51 = tensor.empty() : tensor<1x1x4x2x4xf16>
    %52 = linalg.generic {indexing_maps = [#map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x2x4x1x4xf16>) outs(%51 : tensor<1x1x4x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x4x2x4xf16>
    %collapsed_18 = tensor.collapse_shape %52 [[0], [1, 2], [3], [4]] : tensor<1x1x4x2x4xf16> into tensor<1x4x2x4xf16>
    return %collapsed_18 : tensor<1x4x2x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @cross_attention(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
module @jit_function {
  func.func public @cross_attention(%arg0: tensor<1x3x8xf16>, %arg1: tensor<1x5x8xf16>, %arg2: tensor<8x2x4xf16>, %arg3: tensor<8x2x4xf16>, %arg4: tensor<8x2x4xf16>, %arg5: tensor<2x4x8xf16>) -> tensor<1x3x8xf16> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant 0.000000e+00 : f16
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x3x8xf16> into tensor<3x8xf16>
    %collapsed_3 = tensor.collapse_shape %arg2 [[0], [1, 2]] : tensor<8x2x4xf16> into tensor<8x8xf16>
    %0 = tensor.empty() : tensor<3x8xf16>
    %1 = linalg.fill ins(%cst_2 : f16) outs(%0 : tensor<3x8xf16>) -> tensor<3x8xf16>
    %2 = linalg.matmul ins(%collapsed, %collapsed_3 : tensor<3x8xf16>, tensor<8x8xf16>) outs(%1 : tensor<3x8xf16>) -> tensor<3x8xf16>
    %collapsed_4 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<1x5x8xf16> into tensor<5x8xf16>
    %collapsed_5 = tensor.collapse_shape %arg3 [[0], [1, 2]] : tensor<8x2x4xf16> into tensor<8x8xf16>
    %3 = tensor.empty() : tensor<5x8xf16>
    %4 = linalg.fill ins(%cst_2 : f16) outs(%3 : tensor<5x8xf16>) -> tensor<5x8xf16>
    %5 = linalg.matmul ins(%collapsed_4, %collapsed_5 : tensor<5x8xf16>, tensor<8x8xf16>) outs(%4 : tensor<5x8xf16>) -> tensor<5x8xf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2, 3]] output_shape [1, 5, 2, 4] : tensor<5x8xf16> into tensor<1x5x2x4xf16>
    %collapsed_6 = tensor.collapse_shape %arg4 [[0], [1, 2]] : tensor<8x2x4xf16> into tensor<8x8xf16>
    %6 = linalg.matmul ins(%collapsed_4, %collapsed_6 : tensor<5x8xf16>, tensor<8x8xf16>) outs(%4 : tensor<5x8xf16>) -> tensor<5x8xf16>
    %expanded_7 = tensor.expand_shape %6 [[0, 1], [2, 3]] output_shape [1, 5, 2, 4] : tensor<5x8xf16> into tensor<1x5x2x4xf16>
    %expanded_8 = tensor.expand_shape %2 [[0, 1], [2, 3, 4]] output_shape [1, 3, 2, 1, 4] : tensor<3x8xf16> into tensor<1x3x2x1x4xf16>
    %7 = tensor.empty() : tensor<1x2x3x1x4xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x3x2x1x4xf16>) outs(%7 : tensor<1x2x3x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x3x1x4xf16>
    %9 = tensor.empty() : tensor<1x2x4x5xf16>
    %10 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x5x2x4xf16>) outs(%9 : tensor<1x2x4x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x5xf16>
    %collapsed_9 = tensor.collapse_shape %8 [[0, 1], [2], [3, 4]] : tensor<1x2x3x1x4xf16> into tensor<2x3x4xf16>
    %collapsed_10 = tensor.collapse_shape %10 [[0, 1], [2], [3]] : tensor<1x2x4x5xf16> into tensor<2x4x5xf16>
    %11 = tensor.empty() : tensor<2x3x5xf32>
    %12 = linalg.fill ins(%cst_1 : f32) outs(%11 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %13 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<2x3x4xf16>, tensor<2x4x5xf16>) outs(%12 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %expanded_11 = tensor.expand_shape %13 [[0, 1], [2], [3, 4]] output_shape [1, 2, 3, 1, 5] : tensor<2x3x5xf32> into tensor<1x2x3x1x5xf32>
    %14 = tensor.empty() : tensor<1x2x3x1x5xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x2x3x1x5xf32>) outs(%14 : tensor<1x2x3x1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.mulf %in, %cst_0 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x3x1x5xf32>
    %16 = tensor.empty() : tensor<1x2x3x1xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x2x3x1x5xf32>) outs(%17 : tensor<1x2x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.maximumf %out, %in : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x3x1xf32>
    %collapsed_12 = tensor.collapse_shape %18 [[0, 1, 2, 3]] : tensor<1x2x3x1xf32> into tensor<6xf32>
    %expanded_13 = tensor.expand_shape %collapsed_12 [[0, 1, 2, 3]] output_shape [1, 1, 2, 3] : tensor<6xf32> into tensor<1x1x2x3xf32>
    %collapsed_14 = tensor.collapse_shape %15 [[0, 1, 2, 3, 4]] : tensor<1x2x3x1x5xf32> into tensor<30xf32>
    %expanded_15 = tensor.expand_shape %collapsed_14 [[0, 1, 2, 3, 4]] output_shape [1, 1, 2, 3, 5] : tensor<30xf32> into tensor<1x1x2x3x5xf32>
    %19 = tensor.empty() : tensor<1x1x2x3x5xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<1x1x2x3xf32>) outs(%19 : tensor<1x1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x3x5xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %20 : tensor<1x1x2x3x5xf32>, tensor<1x1x2x3x5xf32>) outs(%19 : tensor<1x1x2x3x5xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %39 = arith.subf %in, %in_22 : f32
      linalg.yield %39 : f32
    } -> tensor<1x1x2x3x5xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x1x2x3x5xf32>) outs(%19 : tensor<1x1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = math.exp %in : f32
      linalg.yield %39 : f32
    } -> tensor<1x1x2x3x5xf32>
    %23 = tensor.empty() : tensor<1x1x2x3xf32>
    %24 = linalg.fill ins(%cst_1 : f32) outs(%23 : tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x1x2x3x5xf32>) outs(%24 : tensor<1x1x2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.addf %out, %in : f32
      linalg.yield %39 : f32
    } -> tensor<1x1x2x3xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x1x2x3xf32>) outs(%19 : tensor<1x1x2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x3x5xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22, %26 : tensor<1x1x2x3x5xf32>, tensor<1x1x2x3x5xf32>) outs(%19 : tensor<1x1x2x3x5xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %39 = arith.divf %in, %in_22 : f32
      linalg.yield %39 : f32
    } -> tensor<1x1x2x3x5xf32>
    %28 = tensor.empty() : tensor<1x1x2x3x5xf16>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x1x2x3x5xf32>) outs(%28 : tensor<1x1x2x3x5xf16>) {
    ^bb0(%in: f32, %out: f16):
      %39 = arith.truncf %in : f32 to f16
      linalg.yield %39 : f16
    } -> tensor<1x1x2x3x5xf16>
    %30 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x5x2x4xf16>) outs(%9 : tensor<1x2x4x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x5xf16>
    %31 = tensor.empty() : tensor<1x2x5x1x3xf16>
    %32 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x1x2x3x5xf16>) outs(%31 : tensor<1x2x5x1x3xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x5x1x3xf16>
    %collapsed_16 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<1x2x4x5xf16> into tensor<2x4x5xf16>
    %collapsed_17 = tensor.collapse_shape %32 [[0, 1], [2], [3, 4]] : tensor<1x2x5x1x3xf16> into tensor<2x5x3xf16>
    %33 = tensor.empty() : tensor<2x4x3xf16>
    %34 = linalg.fill ins(%cst_2 : f16) outs(%33 : tensor<2x4x3xf16>) -> tensor<2x4x3xf16>
    %35 = linalg.batch_matmul ins(%collapsed_16, %collapsed_17 : tensor<2x4x5xf16>, tensor<2x5x3xf16>) outs(%34 : tensor<2x4x3xf16>) -> tensor<2x4x3xf16>
    %expanded_18 = tensor.expand_shape %35 [[0, 1], [2], [3, 4]] output_shape [1, 2, 4, 1, 3] : tensor<2x4x3xf16> into tensor<1x2x4x1x3xf16>
    %36 = tensor.empty() : tensor<1x1x3x2x4xf16>
    %37 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<1x2x4x1x3xf16>) outs(%36 : tensor<1x1x3x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x3x2x4xf16>
    %collapsed_19 = tensor.collapse_shape %37 [[0, 1, 2], [3, 4]] : tensor<1x1x3x2x4xf16> into tensor<3x8xf16>
    %collapsed_20 = tensor.collapse_shape %arg5 [[0, 1], [2]] : tensor<2x4x8xf16> into tensor<8x8xf16>
    %38 = linalg.matmul ins(%collapsed_19, %collapsed_20 : tensor<3x8xf16>, tensor<8x8xf16>) outs(%1 : tensor<3x8xf16>) -> tensor<3x8xf16>
    %expanded_21 = tensor.expand_shape %38 [[0, 1], [2]] output_shape [1, 3, 8] : tensor<3x8xf16> into tensor<1x3x8xf16>
    return %expanded_21 : tensor<1x3x8xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @linear_attention(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<() -> ()>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
module @jit_function {
  func.func public @linear_attention(%arg0: tensor<1x5x2x4xf16>, %arg1: tensor<1x5x2x4xf16>, %arg2: tensor<1x5x2x4xf16>) -> tensor<1x5x2x4xf16> {
    %cst = arith.constant 1.000400e-03 : f16
    %cst_0 = arith.constant 0.000000e+00 : f16
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant 1.000000e+00 : f16
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<1x5x2x4xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x5x2x4xf16>) outs(%0 : tensor<1x5x2x4xi1>) {
    ^bb0(%in: f16, %out: i1):
      %45 = arith.cmpf ogt, %in, %cst_0 : f16
      linalg.yield %45 : i1
    } -> tensor<1x5x2x4xi1>
    %2 = tensor.empty() : tensor<f16>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = []} ins(%cst_3 : tensor<f32>) outs(%2 : tensor<f16>) {
    ^bb0(%in: f32, %out: f16):
      %45 = arith.truncf %in : f32 to f16
      linalg.yield %45 : f16
    } -> tensor<f16>
    %4 = tensor.empty() : tensor<1x5x2x4xf16>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<f16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x2x4xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %5, %arg0 : tensor<1x5x2x4xi1>, tensor<1x5x2x4xf16>, tensor<1x5x2x4xf16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: i1, %in_12: f16, %in_13: f16, %out: f16):
      %45 = arith.select %in, %in_12, %in_13 : f16
      linalg.yield %45 : f16
    } -> tensor<1x5x2x4xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x5x2x4xf16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = math.expm1 %in : f16
      linalg.yield %45 : f16
    } -> tensor<1x5x2x4xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg0, %7 : tensor<1x5x2x4xi1>, tensor<1x5x2x4xf16>, tensor<1x5x2x4xf16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: i1, %in_12: f16, %in_13: f16, %out: f16):
      %45 = arith.select %in, %in_12, %in_13 : f16
      linalg.yield %45 : f16
    } -> tensor<1x5x2x4xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x5x2x4xf16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = arith.addf %in, %cst_2 : f16
      linalg.yield %45 : f16
    } -> tensor<1x5x2x4xf16>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x5x2x4xf16>) outs(%0 : tensor<1x5x2x4xi1>) {
    ^bb0(%in: f16, %out: i1):
      %45 = arith.cmpf ogt, %in, %cst_0 : f16
      linalg.yield %45 : i1
    } -> tensor<1x5x2x4xi1>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %5, %arg1 : tensor<1x5x2x4xi1>, tensor<1x5x2x4xf16>, tensor<1x5x2x4xf16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: i1, %in_12: f16, %in_13: f16, %out: f16):
      %45 = arith.select %in, %in_12, %in_13 : f16
      linalg.yield %45 : f16
    } -> tensor<1x5x2x4xf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x5x2x4xf16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = math.expm1 %in : f16
      linalg.yield %45 : f16
    } -> tensor<1x5x2x4xf16>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %arg1, %12 : tensor<1x5x2x4xi1>, tensor<1x5x2x4xf16>, tensor<1x5x2x4xf16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: i1, %in_12: f16, %in_13: f16, %out: f16):
      %45 = arith.select %in, %in_12, %in_13 : f16
      linalg.yield %45 : f16
    } -> tensor<1x5x2x4xf16>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x5x2x4xf16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = arith.addf %in, %cst_2 : f16
      linalg.yield %45 : f16
    } -> tensor<1x5x2x4xf16>
    %15 = tensor.empty() : tensor<1x5x2x4xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x5x2x4xf16>) outs(%15 : tensor<1x5x2x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %45 = arith.extf %in : f16 to f32
      linalg.yield %45 : f32
    } -> tensor<1x5x2x4xf32>
    %17 = tensor.empty() : tensor<1x2x4xf32>
    %18 = linalg.fill ins(%cst_1 : f32) outs(%17 : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<1x5x2x4xf32>) outs(%18 : tensor<1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.addf %out, %in : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x4xf32>
    %20 = tensor.empty() : tensor<1x2x4xf16>
    %21 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x2x4xf32>) outs(%20 : tensor<1x2x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %45 = arith.truncf %in : f32 to f16
      linalg.yield %45 : f16
    } -> tensor<1x2x4xf16>
    %22 = tensor.empty() : tensor<1x2x4x5xf16>
    %23 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x5x2x4xf16>) outs(%22 : tensor<1x2x4x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x5xf16>
    %collapsed = tensor.collapse_shape %21 [[0, 1, 2]] : tensor<1x2x4xf16> into tensor<8xf16>
    %expanded = tensor.expand_shape %collapsed [[0, 1, 2]] output_shape [2, 1, 4] : tensor<8xf16> into tensor<2x1x4xf16>
    %collapsed_4 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<1x2x4x5xf16> into tensor<2x4x5xf16>
    %24 = tensor.empty() : tensor<2x1x5xf16>
    %25 = linalg.fill ins(%cst_0 : f16) outs(%24 : tensor<2x1x5xf16>) -> tensor<2x1x5xf16>
    %26 = linalg.batch_matmul ins(%expanded, %collapsed_4 : tensor<2x1x4xf16>, tensor<2x4x5xf16>) outs(%25 : tensor<2x1x5xf16>) -> tensor<2x1x5xf16>
    %collapsed_5 = tensor.collapse_shape %26 [[0, 1, 2]] : tensor<2x1x5xf16> into tensor<10xf16>
    %expanded_6 = tensor.expand_shape %collapsed_5 [[0, 1, 2]] output_shape [1, 2, 5] : tensor<10xf16> into tensor<1x2x5xf16>
    %27 = tensor.empty() : tensor<1x5x2xf16>
    %28 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x2x5xf16>) outs(%27 : tensor<1x5x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x2xf16>
    %29 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<1x5x2xf16>) outs(%27 : tensor<1x5x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = arith.addf %in, %cst : f16
      linalg.yield %45 : f16
    } -> tensor<1x5x2xf16>
    %30 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<1x5x2xf16>) outs(%27 : tensor<1x5x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %45 = arith.divf %cst_2, %in : f16
      linalg.yield %45 : f16
    } -> tensor<1x5x2xf16>
    %31 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x5x2x4xf16>) outs(%22 : tensor<1x2x4x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x5xf16>
    %32 = tensor.empty() : tensor<1x2x5x4xf16>
    %33 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x5x2x4xf16>) outs(%32 : tensor<1x2x5x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x5x4xf16>
    %collapsed_7 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x2x4x5xf16> into tensor<2x4x5xf16>
    %collapsed_8 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<1x2x5x4xf16> into tensor<2x5x4xf16>
    %34 = tensor.empty() : tensor<2x4x4xf16>
    %35 = linalg.fill ins(%cst_0 : f16) outs(%34 : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
    %36 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<2x4x5xf16>, tensor<2x5x4xf16>) outs(%35 : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
    %expanded_9 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %37 = tensor.empty() : tensor<1x2x4x4xf16>
    %38 = linalg.generic {indexing_maps = [#map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x2x4x4xf16>) outs(%37 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x4xf16>
    %collapsed_10 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x2x4x4xf16> into tensor<2x4x4xf16>
    %39 = tensor.empty() : tensor<2x4x5xf16>
    %40 = linalg.fill ins(%cst_0 : f16) outs(%39 : tensor<2x4x5xf16>) -> tensor<2x4x5xf16>
    %41 = linalg.batch_matmul ins(%collapsed_10, %collapsed_4 : tensor<2x4x4xf16>, tensor<2x4x5xf16>) outs(%40 : tensor<2x4x5xf16>) -> tensor<2x4x5xf16>
    %expanded_11 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [1, 2, 4, 5] : tensor<2x4x5xf16> into tensor<1x2x4x5xf16>
    %42 = linalg.generic {indexing_maps = [#map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x2x4x5xf16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x2x4xf16>
    %43 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x5x2xf16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x5x2x4xf16>
    %44 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %42 : tensor<1x5x2x4xf16>, tensor<1x5x2x4xf16>) outs(%4 : tensor<1x5x2x4xf16>) {
    ^bb0(%in: f16, %in_12: f16, %out: f16):
      %45 = arith.mulf %in, %in_12 : f16
      linalg.yield %45 : f16
    } -> tensor<1x5x2x4xf16>
    return %44 : tensor<1x5x2x4xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @softmax_masked(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module @jit__lambda {
  func.func public @softmax_masked(%arg0: tensor<2x3x5xf16>, %arg1: tensor<3x5xf16>) -> tensor<2x3x5xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFC00 : f16
    %cst_1 = arith.constant 1.250000e-01 : f16
    %0 = tensor.empty() : tensor<2x3x5xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3x5xf16>) outs(%0 : tensor<2x3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      %18 = arith.mulf %in, %cst_1 : f16
      linalg.yield %18 : f16
    } -> tensor<2x3x5xf16>
    %2 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<3x5xf16>) outs(%0 : tensor<2x3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x3x5xf16>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %2 : tensor<2x3x5xf16>, tensor<2x3x5xf16>) outs(%0 : tensor<2x3x5xf16>) {
    ^bb0(%in: f16, %in_2: f16, %out: f16):
      %18 = arith.addf %in, %in_2 : f16
      linalg.yield %18 : f16
    } -> tensor<2x3x5xf16>
    %4 = tensor.empty() : tensor<2x3xf16>
    %5 = linalg.fill ins(%cst_0 : f16) outs(%4 : tensor<2x3xf16>) -> tensor<2x3xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<2x3x5xf16>) outs(%5 : tensor<2x3xf16>) {
    ^bb0(%in: f16, %out: f16):
      %18 = arith.maximumf %out, %in : f16
      linalg.yield %18 : f16
    } -> tensor<2x3xf16>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x3xf16>) outs(%0 : tensor<2x3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x3x5xf16>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<2x3x5xf16>, tensor<2x3x5xf16>) outs(%0 : tensor<2x3x5xf16>) {
    ^bb0(%in: f16, %in_2: f16, %out: f16):
      %18 = arith.subf %in, %in_2 : f16
      linalg.yield %18 : f16
    } -> tensor<2x3x5xf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x3x5xf16>) outs(%0 : tensor<2x3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      %18 = math.exp %in : f16
      linalg.yield %18 : f16
    } -> tensor<2x3x5xf16>
    %10 = tensor.empty() : tensor<2x3x5xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x3x5xf16>) outs(%10 : tensor<2x3x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %18 = arith.extf %in : f16 to f32
      linalg.yield %18 : f32
    } -> tensor<2x3x5xf32>
    %12 = tensor.empty() : tensor<2x3xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<2x3x5xf32>) outs(%13 : tensor<2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.addf %out, %in : f32
      linalg.yield %18 : f32
    } -> tensor<2x3xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<2x3xf32>) outs(%4 : tensor<2x3xf16>) {
    ^bb0(%in: f32, %out: f16):
      %18 = arith.truncf %in : f32 to f16
      linalg.yield %18 : f16
    } -> tensor<2x3xf16>
    %16 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x3xf16>) outs(%0 : tensor<2x3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<2x3x5xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %16 : tensor<2x3x5xf16>, tensor<2x3x5xf16>) outs(%0 : tensor<2x3x5xf16>) {
    ^bb0(%in: f16, %in_2: f16, %out: f16):
      %18 = arith.divf %in, %in_2 : f16
      linalg.yield %18 : f16
    } -> tensor<2x3x5xf16>
    return %17 : tensor<2x3x5xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @log_sum_exp(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
module @jit__lambda {
  func.func public @log_sum_exp(%arg0: tensor<3x5xf16>) -> tensor<3xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0x7F800000 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<3x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3x5xf16>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %16 = arith.extf %in : f16 to f32
      linalg.yield %16 : f32
    } -> tensor<3x5xf32>
    %2 = tensor.empty() : tensor<3xf32>
    %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<3xf32>) -> tensor<3xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<3x5xf32>) outs(%3 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.maximumf %out, %in : f32
      linalg.yield %16 : f32
    } -> tensor<3xf32>
    %5 = tensor.empty() : tensor<3xi1>
    %6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%4 : tensor<3xf32>) outs(%5 : tensor<3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %16 = math.absf %in : f32
      %17 = arith.cmpf one, %16, %cst_0 : f32
      linalg.yield %17 : i1
    } -> tensor<3xi1>
    %7 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%6, %4 : tensor<3xi1>, tensor<3xf32>) outs(%2 : tensor<3xf32>) {
    ^bb0(%in: i1, %in_2: f32, %out: f32):
      %16 = arith.select %in, %in_2, %cst : f32
      linalg.yield %16 : f32
    } -> tensor<3xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x5xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %8 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %16 = arith.subf %in, %in_2 : f32
      linalg.yield %16 : f32
    } -> tensor<3x5xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = math.exp %in : f32
      linalg.yield %16 : f32
    } -> tensor<3x5xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3xf32>) -> tensor<3xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<3x5xf32>) outs(%11 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.addf %out, %in : f32
      linalg.yield %16 : f32
    } -> tensor<3xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%12 : tensor<3xf32>) outs(%2 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = math.absf %in : f32
      linalg.yield %16 : f32
    } -> tensor<3xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%13 : tensor<3xf32>) outs(%2 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = math.log %in : f32
      linalg.yield %16 : f32
    } -> tensor<3xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%14, %7 : tensor<3xf32>, tensor<3xf32>) outs(%2 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %16 = arith.addf %in, %in_2 : f32
      linalg.yield %16 : f32
    } -> tensor<3xf32>
    return %15 : tensor<3xf32>
  }
}

// -----

// CHECK-LABEL: func.func public @cross_entropy(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
module @jit__lambda {
  func.func public @cross_entropy(%arg0: tensor<3x5xf16>, %arg1: tensor<3x5xf16>) -> tensor<3xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<3x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3x5xf16>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %17 = arith.extf %in : f16 to f32
      linalg.yield %17 : f32
    } -> tensor<3x5xf32>
    %2 = tensor.empty() : tensor<3xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3xf32>) -> tensor<3xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<3x5xf32>) outs(%3 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.maximumf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<3xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<3xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x5xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %5 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %17 = arith.subf %in, %in_1 : f32
      linalg.yield %17 : f32
    } -> tensor<3x5xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.exp %in : f32
      linalg.yield %17 : f32
    } -> tensor<3x5xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<3xf32>) -> tensor<3xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<3x5xf32>) outs(%8 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<3xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%9 : tensor<3xf32>) outs(%2 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.log %in : f32
      linalg.yield %17 : f32
    } -> tensor<3xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<3xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x5xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %11 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %17 = arith.subf %in, %in_1 : f32
      linalg.yield %17 : f32
    } -> tensor<3x5xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<3x5xf16>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %17 = arith.extf %in : f16 to f32
      linalg.yield %17 : f32
    } -> tensor<3x5xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %13 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %17 = arith.mulf %in, %in_1 : f32
      linalg.yield %17 : f32
    } -> tensor<3x5xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<3x5xf32>) outs(%8 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %out, %in : f32
      linalg.yield %17 : f32
    } -> tensor<3xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%15 : tensor<3xf32>) outs(%2 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.negf %in : f32
      linalg.yield %17 : f32
    } -> tensor<3xf32>
    return %16 : tensor<3xf32>
  }
}

// -----

// CHECK-LABEL: func.func public @softmax_gradient(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
module @jit__lambda {
  func.func public @softmax_gradient(%arg0: tensor<3x5xf16>, %arg1: tensor<3x5xf16>) -> tensor<3x5xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 1.000000e+00 : f16
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant 0xFC00 : f16
    %0 = tensor.empty() : tensor<3xf16>
    %1 = linalg.fill ins(%cst_2 : f16) outs(%0 : tensor<3xf16>) -> tensor<3xf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<3x5xf16>) outs(%1 : tensor<3xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.maximumf %out, %in : f16
      linalg.yield %30 : f16
    } -> tensor<3xf16>
    %3 = tensor.empty() : tensor<3x5xf16>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<3xf16>) outs(%3 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<3x5xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %4 : tensor<3x5xf16>, tensor<3x5xf16>) outs(%3 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.subf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<3x5xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<3x5xf16>) outs(%3 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = math.exp %in : f16
      linalg.yield %30 : f16
    } -> tensor<3x5xf16>
    %7 = tensor.empty() : tensor<3x5xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<3x5xf16>) outs(%7 : tensor<3x5xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<3x5xf32>
    %9 = tensor.empty() : tensor<3xf32>
    %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<3xf32>) -> tensor<3xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<3x5xf32>) outs(%10 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %out, %in : f32
      linalg.yield %30 : f32
    } -> tensor<3xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%11 : tensor<3xf32>) outs(%0 : tensor<3xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<3xf16>
    %13 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%12 : tensor<3xf16>) outs(%0 : tensor<3xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.mulf %in, %in : f16
      linalg.yield %30 : f16
    } -> tensor<3xf16>
    %expanded = tensor.expand_shape %13 [[0, 1]] output_shape [3, 1] : tensor<3xf16> into tensor<3x1xf16>
    %14 = tensor.empty() : tensor<3x1xf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<3x1xf16>) outs(%14 : tensor<3x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.divf %cst_0, %in : f16
      linalg.yield %30 : f16
    } -> tensor<3x1xf16>
    %16 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<3x1xf16>) outs(%3 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<3x5xf16>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %16 : tensor<3x5xf16>, tensor<3x5xf16>) outs(%3 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.mulf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<3x5xf16>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %6 : tensor<3x5xf16>, tensor<3x5xf16>) outs(%3 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.mulf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<3x5xf16>
    %19 = linalg.fill ins(%cst : f16) outs(%0 : tensor<3xf16>) -> tensor<3xf16>
    %20 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%18 : tensor<3x5xf16>) outs(%19 : tensor<3xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.addf %out, %in : f16
      linalg.yield %30 : f16
    } -> tensor<3xf16>
    %21 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%20 : tensor<3xf16>) outs(%0 : tensor<3xf16>) {
    ^bb0(%in: f16, %out: f16):
      %30 = arith.negf %in : f16
      linalg.yield %30 : f16
    } -> tensor<3xf16>
    %22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%21 : tensor<3xf16>) outs(%9 : tensor<3xf32>) {
    ^bb0(%in: f16, %out: f32):
      %30 = arith.extf %in : f16 to f32
      linalg.yield %30 : f32
    } -> tensor<3xf32>
    %expanded_3 = tensor.expand_shape %22 [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<3xf16>) outs(%3 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<3x5xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %23 : tensor<3x5xf16>, tensor<3x5xf16>) outs(%3 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.divf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<3x5xf16>
    %25 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded_3 : tensor<3x1xf32>) outs(%10 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %out, %in : f32
      linalg.yield %30 : f32
    } -> tensor<3xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%25 : tensor<3xf32>) outs(%0 : tensor<3xf16>) {
    ^bb0(%in: f32, %out: f16):
      %30 = arith.truncf %in : f32 to f16
      linalg.yield %30 : f16
    } -> tensor<3xf16>
    %27 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<3xf16>) outs(%3 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<3x5xf16>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %27 : tensor<3x5xf16>, tensor<3x5xf16>) outs(%3 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.addf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<3x5xf16>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %6 : tensor<3x5xf16>, tensor<3x5xf16>) outs(%3 : tensor<3x5xf16>) {
    ^bb0(%in: f16, %in_4: f16, %out: f16):
      %30 = arith.mulf %in, %in_4 : f16
      linalg.yield %30 : f16
    } -> tensor<3x5xf16>
    return %29 : tensor<3x5xf16>
  }
}

// -----

// CHECK-LABEL: func.func public @attention_gradient(
// CHECK-NOT:     {{linalg\.|tensor\.|arith\.}}
// CHECK:         return
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
  func.func public @attention_gradient(%arg0: tensor<1x4x2x4xf16>, %arg1: tensor<1x4x2x4xf16>, %arg2: tensor<1x4x2x4xf16>, %arg3: tensor<1x4x2x4xf16>) -> (tensor<1x4x2x4xf16>, tensor<1x4x2x4xf16>, tensor<1x4x2x4xf16>) {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 5.000000e-01 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 4, 2, 1, 4] : tensor<1x4x2x4xf16> into tensor<1x4x2x1x4xf16>
    %0 = tensor.empty() : tensor<1x2x4x1x4xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x4x2x1x4xf16>) outs(%0 : tensor<1x2x4x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x1x4xf16>
    %2 = tensor.empty() : tensor<1x2x4x4xf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x4x2x4xf16>) outs(%2 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x4xf16>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3, 4]] : tensor<1x2x4x1x4xf16> into tensor<2x4x4xf16>
    %collapsed_4 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x2x4x4xf16> into tensor<2x4x4xf16>
    %4 = tensor.empty() : tensor<2x4x4xf32>
    %5 = linalg.fill ins(%cst_3 : f32) outs(%4 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x4x4xf16>, tensor<2x4x4xf16>) outs(%5 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %expanded_5 = tensor.expand_shape %6 [[0, 1], [2], [3, 4]] output_shape [1, 2, 4, 1, 4] : tensor<2x4x4xf32> into tensor<1x2x4x1x4xf32>
    %7 = tensor.empty() : tensor<1x2x4x1x4xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<1x2x4x1x4xf32>) outs(%7 : tensor<1x2x4x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.mulf %in, %cst_2 : f32
      linalg.yield %61 : f32
    } -> tensor<1x2x4x1x4xf32>
    %9 = tensor.empty() : tensor<1x2x4x1xf32>
    %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<1x2x4x1x4xf32>) outs(%10 : tensor<1x2x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.maximumf %out, %in : f32
      linalg.yield %61 : f32
    } -> tensor<1x2x4x1xf32>
    %collapsed_6 = tensor.collapse_shape %11 [[0, 1, 2, 3]] : tensor<1x2x4x1xf32> into tensor<8xf32>
    %expanded_7 = tensor.expand_shape %collapsed_6 [[0, 1, 2, 3]] output_shape [1, 1, 2, 4] : tensor<8xf32> into tensor<1x1x2x4xf32>
    %collapsed_8 = tensor.collapse_shape %8 [[0, 1, 2, 3, 4]] : tensor<1x2x4x1x4xf32> into tensor<32xf32>
    %expanded_9 = tensor.expand_shape %collapsed_8 [[0, 1, 2, 3, 4]] output_shape [1, 1, 2, 4, 4] : tensor<32xf32> into tensor<1x1x2x4x4xf32>
    %12 = tensor.empty() : tensor<1x1x2x4x4xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x1x2x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9, %13 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %61 = arith.subf %in, %in_27 : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4x4xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x1x2x4x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = math.exp %in : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4x4xf32>
    %16 = tensor.empty() : tensor<1x1x2x4xf32>
    %17 = linalg.fill ins(%cst_3 : f32) outs(%16 : tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x1x2x4x4xf32>) outs(%17 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.addf %out, %in : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x2x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15, %19 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %61 = arith.divf %in, %in_27 : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4x4xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x2x4xf32>) outs(%16 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.mulf %in, %in : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4xf32>
    %expanded_10 = tensor.expand_shape %21 [[0], [1], [2], [3, 4]] output_shape [1, 1, 2, 4, 1] : tensor<1x1x2x4xf32> into tensor<1x1x2x4x1xf32>
    %22 = tensor.empty() : tensor<1x1x2x4x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<1x1x2x4x1xf32>) outs(%22 : tensor<1x1x2x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.divf %cst_0, %in : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4x1xf32>
    %24 = tensor.empty() : tensor<1x1x2x4x4xf16>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x2x4x4xf32>) outs(%24 : tensor<1x1x2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %61 = arith.truncf %in : f32 to f16
      linalg.yield %61 : f16
    } -> tensor<1x1x2x4x4xf16>
    %expanded_11 = tensor.expand_shape %arg3 [[0], [1, 2], [3], [4]] output_shape [1, 1, 4, 2, 4] : tensor<1x4x2x4xf16> into tensor<1x1x4x2x4xf16>
    %26 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x1x4x2x4xf16>) outs(%0 : tensor<1x2x4x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x1x4xf16>
    %27 = tensor.empty() : tensor<1x2x1x4x4xf16>
    %28 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x2x4x1x4xf16>) outs(%27 : tensor<1x2x1x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x1x4x4xf16>
    %29 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x4x2x4xf16>) outs(%2 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x4xf16>
    %collapsed_12 = tensor.collapse_shape %28 [[0, 1], [2, 3], [4]] : tensor<1x2x1x4x4xf16> into tensor<2x4x4xf16>
    %collapsed_13 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<1x2x4x4xf16> into tensor<2x4x4xf16>
    %30 = tensor.empty() : tensor<2x4x4xf16>
    %31 = linalg.fill ins(%cst : f16) outs(%30 : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
    %32 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<2x4x4xf16>, tensor<2x4x4xf16>) outs(%31 : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
    %33 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<2x4x4xf16>) outs(%4 : tensor<2x4x4xf32>) {
    ^bb0(%in: f16, %out: f32):
      %61 = arith.extf %in : f16 to f32
      linalg.yield %61 : f32
    } -> tensor<2x4x4xf32>
    %expanded_14 = tensor.expand_shape %33 [[0, 1, 2], [3], [4]] output_shape [1, 1, 2, 4, 4] : tensor<2x4x4xf32> into tensor<1x1x2x4x4xf32>
    %collapsed_15 = tensor.collapse_shape %26 [[0, 1], [2], [3, 4]] : tensor<1x2x4x1x4xf16> into tensor<2x4x4xf16>
    %collapsed_16 = tensor.collapse_shape %25 [[0, 1, 2], [3], [4]] : tensor<1x1x2x4x4xf16> into tensor<2x4x4xf16>
    %34 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<2x4x4xf16>, tensor<2x4x4xf16>) outs(%31 : tensor<2x4x4xf16>) -> tensor<2x4x4xf16>
    %expanded_17 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %35 = tensor.empty() : tensor<1x4x2x4xf16>
    %36 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x2x4x4xf16>) outs(%35 : tensor<1x4x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x4x2x4xf16>
    %37 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x1x2x4x1xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14, %37 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %61 = arith.mulf %in, %in_27 : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4x4xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38, %15 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %61 = arith.mulf %in, %in_27 : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4x4xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<1x1x2x4x4xf32>) outs(%17 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.addf %out, %in : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4xf32>
    %41 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x1x2x4xf32>) outs(%16 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.negf %in : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4xf32>
    %expanded_18 = tensor.expand_shape %41 [[0], [1], [2], [3, 4]] output_shape [1, 1, 2, 4, 1] : tensor<1x1x2x4xf32> into tensor<1x1x2x4x1xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14, %19 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %61 = arith.divf %in, %in_27 : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4x4xf32>
    %43 = tensor.empty() : tensor<2x4xf32>
    %44 = linalg.fill ins(%cst_3 : f32) outs(%43 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %45 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%expanded_18 : tensor<1x1x2x4x1xf32>) outs(%44 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.addf %out, %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x4xf32>
    %46 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<2x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4x4xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%42, %46 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %61 = arith.addf %in, %in_27 : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4x4xf32>
    %48 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%47, %15 : tensor<1x1x2x4x4xf32>, tensor<1x1x2x4x4xf32>) outs(%12 : tensor<1x1x2x4x4xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %61 = arith.mulf %in, %in_27 : f32
      linalg.yield %61 : f32
    } -> tensor<1x1x2x4x4xf32>
    %collapsed_19 = tensor.collapse_shape %48 [[0, 1, 2, 3, 4]] : tensor<1x1x2x4x4xf32> into tensor<32xf32>
    %expanded_20 = tensor.expand_shape %collapsed_19 [[0, 1, 2, 3, 4]] output_shape [1, 2, 4, 1, 4] : tensor<32xf32> into tensor<1x2x4x1x4xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x2x4x1x4xf32>) outs(%7 : tensor<1x2x4x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.mulf %in, %cst_2 : f32
      linalg.yield %61 : f32
    } -> tensor<1x2x4x1x4xf32>
    %50 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x2x4x1x4xf32>) outs(%0 : tensor<1x2x4x1x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %61 = arith.truncf %in : f32 to f16
      linalg.yield %61 : f16
    } -> tensor<1x2x4x1x4xf16>
    %51 = tensor.empty() : tensor<1x2x4x4x1xf16>
    %52 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x2x4x1x4xf16>) outs(%51 : tensor<1x2x4x4x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x4x1xf16>
    %collapsed_21 = tensor.collapse_shape %52 [[0, 1], [2], [3, 4]] : tensor<1x2x4x4x1xf16> into tensor<2x4x4xf16>
    %53 = linalg.batch_matmul ins(%collapsed_21, %collapsed : tensor<2x4x4xf16>, tensor<2x4x4xf16>) outs(%5 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %54 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<2x4x4xf32>) outs(%30 : tensor<2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %61 = arith.truncf %in : f32 to f16
      linalg.yield %61 : f16
    } -> tensor<2x4x4xf16>
    %expanded_22 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [1, 2, 4, 4] : tensor<2x4x4xf16> into tensor<1x2x4x4xf16>
    %55 = linalg.generic {indexing_maps = [#map14, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<1x2x4x4xf16>) outs(%35 : tensor<1x4x2x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x4x2x4xf16>
    %56 = linalg.generic {indexing_maps = [#map14, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x4x2x4xf16>) outs(%2 : tensor<1x2x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x4x4xf16>
    %collapsed_23 = tensor.collapse_shape %50 [[0, 1], [2], [3, 4]] : tensor<1x2x4x1x4xf16> into tensor<2x4x4xf16>
    %collapsed_24 = tensor.collapse_shape %56 [[0, 1], [2], [3]] : tensor<1x2x4x4xf16> into tensor<2x4x4xf16>
    %57 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<2x4x4xf16>, tensor<2x4x4xf16>) outs(%5 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %58 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<2x4x4xf32>) outs(%30 : tensor<2x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %61 = arith.truncf %in : f32 to f16
      linalg.yield %61 : f16
    } -> tensor<2x4x4xf16>
    %expanded_25 = tensor.expand_shape %58 [[0, 1], [2], [3, 4]] output_shape [1, 2, 4, 1, 4] : tensor<2x4x4xf16> into tensor<1x2x4x1x4xf16>
    %59 = tensor.empty() : tensor<1x4x2x1x4xf16>
    %60 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x2x4x1x4xf16>) outs(%59 : tensor<1x4x2x1x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x4x2x1x4xf16>
    %collapsed_26 = tensor.collapse_shape %60 [[0], [1], [2], [3, 4]] : tensor<1x4x2x1x4xf16> into tensor<1x4x2x4xf16>
    return %collapsed_26, %55, %36 : tensor<1x4x2x4xf16>, tensor<1x4x2x4xf16>, tensor<1x4x2x4xf16>
  }
}
