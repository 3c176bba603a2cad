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
  func.func public @rotary_causal(%arg0: tensor<1x512x12x64xf16>, %arg1: tensor<1x512x12x64xf16>, %arg2: tensor<1x512x12x64xf16>, %arg3: tensor<512x64xf16>, %arg4: tensor<512x64xf16>) -> tensor<1x512x12x64xf16> {
    %false = arith.constant false
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.250000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %cst_3 = arith.constant dense<true> : tensor<512x512xi1>
    %cst_4 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %0 = tensor.empty() : tensor<1x512x12x64xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<512x64xf16>) outs(%0 : tensor<1x512x12x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x512x12x64xf16>
    %2 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %1 : tensor<1x512x12x64xf16>, tensor<1x512x12x64xf16>) outs(%0 : tensor<1x512x12x64xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %54 = arith.mulf %in, %in_19 : f16
      linalg.yield %54 : f16
    } -> tensor<1x512x12x64xf16>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 512, 12, 32] [1, 1, 1, 1] : tensor<1x512x12x64xf16> to tensor<1x512x12x32xf16>
    %extracted_slice_5 = tensor.extract_slice %arg0[0, 0, 0, 32] [1, 512, 12, 32] [1, 1, 1, 1] : tensor<1x512x12x64xf16> to tensor<1x512x12x32xf16>
    %3 = tensor.empty() : tensor<1x512x12x32xf16>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_5 : tensor<1x512x12x32xf16>) outs(%3 : tensor<1x512x12x32xf16>) {
    ^bb0(%in: f16, %out: f16):
      %54 = arith.negf %in : f16
      linalg.yield %54 : f16
    } -> tensor<1x512x12x32xf16>
    %inserted_slice = tensor.insert_slice %4 into %0[0, 0, 0, 0] [1, 512, 12, 32] [1, 1, 1, 1] : tensor<1x512x12x32xf16> into tensor<1x512x12x64xf16>
    %inserted_slice_6 = tensor.insert_slice %extracted_slice into %inserted_slice[0, 0, 0, 32] [1, 512, 12, 32] [1, 1, 1, 1] : tensor<1x512x12x32xf16> into tensor<1x512x12x64xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<512x64xf16>) outs(%0 : tensor<1x512x12x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x512x12x64xf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_6, %5 : tensor<1x512x12x64xf16>, tensor<1x512x12x64xf16>) outs(%0 : tensor<1x512x12x64xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %54 = arith.mulf %in, %in_19 : f16
      linalg.yield %54 : f16
    } -> tensor<1x512x12x64xf16>
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %6 : tensor<1x512x12x64xf16>, tensor<1x512x12x64xf16>) outs(%0 : tensor<1x512x12x64xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %54 = arith.addf %in, %in_19 : f16
      linalg.yield %54 : f16
    } -> tensor<1x512x12x64xf16>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %1 : tensor<1x512x12x64xf16>, tensor<1x512x12x64xf16>) outs(%0 : tensor<1x512x12x64xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %54 = arith.mulf %in, %in_19 : f16
      linalg.yield %54 : f16
    } -> tensor<1x512x12x64xf16>
    %extracted_slice_7 = tensor.extract_slice %arg1[0, 0, 0, 0] [1, 512, 12, 32] [1, 1, 1, 1] : tensor<1x512x12x64xf16> to tensor<1x512x12x32xf16>
    %extracted_slice_8 = tensor.extract_slice %arg1[0, 0, 0, 32] [1, 512, 12, 32] [1, 1, 1, 1] : tensor<1x512x12x64xf16> to tensor<1x512x12x32xf16>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<1x512x12x32xf16>) outs(%3 : tensor<1x512x12x32xf16>) {
    ^bb0(%in: f16, %out: f16):
      %54 = arith.negf %in : f16
      linalg.yield %54 : f16
    } -> tensor<1x512x12x32xf16>
    %inserted_slice_9 = tensor.insert_slice %9 into %0[0, 0, 0, 0] [1, 512, 12, 32] [1, 1, 1, 1] : tensor<1x512x12x32xf16> into tensor<1x512x12x64xf16>
    %inserted_slice_10 = tensor.insert_slice %extracted_slice_7 into %inserted_slice_9[0, 0, 0, 32] [1, 512, 12, 32] [1, 1, 1, 1] : tensor<1x512x12x32xf16> into tensor<1x512x12x64xf16>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_10, %5 : tensor<1x512x12x64xf16>, tensor<1x512x12x64xf16>) outs(%0 : tensor<1x512x12x64xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %54 = arith.mulf %in, %in_19 : f16
      linalg.yield %54 : f16
    } -> tensor<1x512x12x64xf16>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<1x512x12x64xf16>, tensor<1x512x12x64xf16>) outs(%0 : tensor<1x512x12x64xf16>) {
    ^bb0(%in: f16, %in_19: f16, %out: f16):
      %54 = arith.addf %in, %in_19 : f16
      linalg.yield %54 : f16
    } -> tensor<1x512x12x64xf16>
    %expanded = tensor.expand_shape %7 [[0], [1], [2], [3, 4]] output_shape [1, 512, 12, 1, 64] : tensor<1x512x12x64xf16> into tensor<1x512x12x1x64xf16>
    %12 = tensor.empty() : tensor<1x12x512x1x64xf16>
    %13 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x512x12x1x64xf16>) outs(%12 : tensor<1x12x512x1x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x12x512x1x64xf16>
    %14 = tensor.empty() : tensor<1x12x64x512xf16>
    %15 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x512x12x64xf16>) outs(%14 : tensor<1x12x64x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x12x64x512xf16>
    %collapsed = tensor.collapse_shape %13 [[0, 1], [2], [3, 4]] : tensor<1x12x512x1x64xf16> into tensor<12x512x64xf16>
    %collapsed_11 = tensor.collapse_shape %15 [[0, 1], [2], [3]] : tensor<1x12x64x512xf16> into tensor<12x64x512xf16>
    %16 = tensor.empty() : tensor<12x512x512xf32>
    %17 = linalg.fill ins(%cst_2 : f32) outs(%16 : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
    %18 = linalg.batch_matmul ins(%collapsed, %collapsed_11 : tensor<12x512x64xf16>, tensor<12x64x512xf16>) outs(%17 : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
    %expanded_12 = tensor.expand_shape %18 [[0, 1], [2], [3, 4]] output_shape [1, 12, 512, 1, 512] : tensor<12x512x512xf32> into tensor<1x12x512x1x512xf32>
    %19 = tensor.empty() : tensor<1x12x512x1x512xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x12x512x1x512xf32>) outs(%19 : tensor<1x12x512x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.mulf %in, %cst_1 : f32
      linalg.yield %54 : f32
    } -> tensor<1x12x512x1x512xf32>
    %21 = tensor.empty() : tensor<512x512xi32>
    %22 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel"]} outs(%21 : tensor<512x512xi32>) {
    ^bb0(%out: i32):
      %54 = linalg.index 0 : index
      %55 = arith.index_cast %54 : index to i32
      linalg.yield %55 : i32
    } -> tensor<512x512xi32>
    %23 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel"]} outs(%21 : tensor<512x512xi32>) {
    ^bb0(%out: i32):
      %54 = linalg.index 1 : index
      %55 = arith.index_cast %54 : index to i32
      linalg.yield %55 : i32
    } -> tensor<512x512xi32>
    %24 = tensor.empty() : tensor<512x512xi1>
    %25 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%22, %23 : tensor<512x512xi32>, tensor<512x512xi32>) outs(%24 : tensor<512x512xi1>) {
    ^bb0(%in: i32, %in_19: i32, %out: i1):
      %54 = arith.cmpi sge, %in, %in_19 : i32
      linalg.yield %54 : i1
    } -> tensor<512x512xi1>
    %26 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%25, %cst_3 : tensor<512x512xi1>, tensor<512x512xi1>) outs(%24 : tensor<512x512xi1>) {
    ^bb0(%in: i1, %in_19: i1, %out: i1):
      %54 = arith.select %in, %in_19, %false : i1
      linalg.yield %54 : i1
    } -> tensor<512x512xi1>
    %27 = tensor.empty() : tensor<1x12x512x512xi1>
    %28 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<512x512xi1>) outs(%27 : tensor<1x12x512x512xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x12x512x512xi1>
    %29 = tensor.empty() : tensor<1x1x12x512x512xi1>
    %30 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x12x512x512xi1>) outs(%29 : tensor<1x1x12x512x512xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x12x512x512xi1>
    %31 = tensor.empty() : tensor<1x1x12x512x512xf32>
    %32 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%31 : tensor<1x1x12x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x12x512x512xf32>
    %collapsed_13 = tensor.collapse_shape %20 [[0, 1, 2, 3, 4]] : tensor<1x12x512x1x512xf32> into tensor<3145728xf32>
    %expanded_14 = tensor.expand_shape %collapsed_13 [[0, 1, 2, 3, 4]] output_shape [1, 1, 12, 512, 512] : tensor<3145728xf32> into tensor<1x1x12x512x512xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%30, %expanded_14, %32 : tensor<1x1x12x512x512xi1>, tensor<1x1x12x512x512xf32>, tensor<1x1x12x512x512xf32>) outs(%31 : tensor<1x1x12x512x512xf32>) {
    ^bb0(%in: i1, %in_19: f32, %in_20: f32, %out: f32):
      %54 = arith.select %in, %in_19, %in_20 : f32
      linalg.yield %54 : f32
    } -> tensor<1x1x12x512x512xf32>
    %34 = tensor.empty() : tensor<1x1x12x512xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<1x1x12x512xf32>) -> tensor<1x1x12x512xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x1x12x512x512xf32>) outs(%35 : tensor<1x1x12x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.maximumf %out, %in : f32
      linalg.yield %54 : f32
    } -> tensor<1x1x12x512xf32>
    %37 = linalg.generic {indexing_maps = [#map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x1x12x512xf32>) outs(%31 : tensor<1x1x12x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x12x512x512xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%33, %37 : tensor<1x1x12x512x512xf32>, tensor<1x1x12x512x512xf32>) outs(%31 : tensor<1x1x12x512x512xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %54 = arith.subf %in, %in_19 : f32
      linalg.yield %54 : f32
    } -> tensor<1x1x12x512x512xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x1x12x512x512xf32>) outs(%31 : tensor<1x1x12x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.exp %in : f32
      linalg.yield %54 : f32
    } -> tensor<1x1x12x512x512xf32>
    %40 = linalg.fill ins(%cst_2 : f32) outs(%34 : tensor<1x1x12x512xf32>) -> tensor<1x1x12x512xf32>
    %41 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<1x1x12x512x512xf32>) outs(%40 : tensor<1x1x12x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.addf %out, %in : f32
      linalg.yield %54 : f32
    } -> tensor<1x1x12x512xf32>
    %42 = linalg.generic {indexing_maps = [#map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x1x12x512xf32>) outs(%31 : tensor<1x1x12x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x12x512x512xf32>
    %43 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%39, %42 : tensor<1x1x12x512x512xf32>, tensor<1x1x12x512x512xf32>) outs(%31 : tensor<1x1x12x512x512xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %54 = arith.divf %in, %in_19 : f32
      linalg.yield %54 : f32
    } -> tensor<1x1x12x512x512xf32>
    %44 = tensor.empty() : tensor<1x1x12x512x512xf16>
    %45 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x1x12x512x512xf32>) outs(%44 : tensor<1x1x12x512x512xf16>) {
    ^bb0(%in: f32, %out: f16):
      %54 = arith.truncf %in : f32 to f16
      linalg.yield %54 : f16
    } -> tensor<1x1x12x512x512xf16>
    %46 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x512x12x64xf16>) outs(%14 : tensor<1x12x64x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x12x64x512xf16>
    %47 = tensor.empty() : tensor<1x12x512x1x512xf16>
    %48 = linalg.generic {indexing_maps = [#map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x1x12x512x512xf16>) outs(%47 : tensor<1x12x512x1x512xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x12x512x1x512xf16>
    %collapsed_15 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<1x12x64x512xf16> into tensor<12x64x512xf16>
    %collapsed_16 = tensor.collapse_shape %48 [[0, 1], [2], [3, 4]] : tensor<1x12x512x1x512xf16> into tensor<12x512x512xf16>
    %49 = tensor.empty() : tensor<12x64x512xf16>
    %50 = linalg.fill ins(%cst : f16) outs(%49 : tensor<12x64x512xf16>) -> tensor<12x64x512xf16>
    %51 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<12x64x512xf16>, tensor<12x512x512xf16>) outs(%50 : tensor<12x64x512xf16>) -> tensor<12x64x512xf16>
    %expanded_17 = tensor.expand_shape %51 [[0, 1], [2], [3, 4]] output_shape [1, 12, 64, 1, 512] : tensor<12x64x512xf16> into tensor<1x12x64x1x512xf16>
    %52 = tensor.empty() : tensor<1x1x512x12x64xf16>
    %53 = linalg.generic {indexing_maps = [#map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x12x64x1x512xf16>) outs(%52 : tensor<1x1x512x12x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x1x512x12x64xf16>
    %collapsed_18 = tensor.collapse_shape %53 [[0], [1, 2], [3], [4]] : tensor<1x1x512x12x64xf16> into tensor<1x512x12x64xf16>
    return %collapsed_18 : tensor<1x512x12x64xf16>
  }
}

