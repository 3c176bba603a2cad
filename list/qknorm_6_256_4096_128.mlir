// Attention of normalized queries and keys.
func.func @qknorm(%Q: tensor<6x256x128xf16>, %K: tensor<6x4096x128xf16>, %V: tensor<6x4096x128xf16>) -> (tensor<6x256x128xf16>) {
  %v1 = arith.constant 0.000000e+00 : f32
  %v2 = tensor.empty() : tensor<6x256xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<6x256xf32>) -> tensor<6x256xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%Q : tensor<6x256x128xf16>) outs(%v3 : tensor<6x256xf32>) {
    ^bb0(%a: f16, %acc: f32):
      %e = arith.extf %a : f16 to f32
      %q = arith.mulf %e, %e : f32
      %r = arith.addf %acc, %q : f32
      linalg.yield %r : f32
    } -> tensor<6x256xf32>
  %v5 = tensor.expand_shape %v4 [[0], [1, 2]] output_shape [6, 256, 1] : tensor<6x256xf32> into tensor<6x256x1xf32>
  %v6 = tensor.empty() : tensor<6x256x128xf16>
  %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%Q, %v5 : tensor<6x256x128xf16>, tensor<6x256x1xf32>) outs(%v6 : tensor<6x256x128xf16>) {
    ^bb0(%a0: f16, %a1: f32, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %n = arith.constant 1.280000e+02 : f32
      %eps = arith.constant 1.000000e-05 : f32
      %mean = arith.divf %a1, %n : f32
      %s = arith.addf %mean, %eps : f32
      %i = math.rsqrt %s : f32
      %f = arith.mulf %e0, %i : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x256x128xf16>
  %v8 = arith.constant 0.000000e+00 : f32
  %v9 = tensor.empty() : tensor<6x4096xf32>
  %v10 = linalg.fill ins(%v8 : f32) outs(%v9 : tensor<6x4096xf32>) -> tensor<6x4096xf32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%K : tensor<6x4096x128xf16>) outs(%v10 : tensor<6x4096xf32>) {
    ^bb0(%a: f16, %acc: f32):
      %e = arith.extf %a : f16 to f32
      %q = arith.mulf %e, %e : f32
      %r = arith.addf %acc, %q : f32
      linalg.yield %r : f32
    } -> tensor<6x4096xf32>
  %v12 = tensor.expand_shape %v11 [[0], [1, 2]] output_shape [6, 4096, 1] : tensor<6x4096xf32> into tensor<6x4096x1xf32>
  %v13 = tensor.empty() : tensor<6x4096x128xf16>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%K, %v12 : tensor<6x4096x128xf16>, tensor<6x4096x1xf32>) outs(%v13 : tensor<6x4096x128xf16>) {
    ^bb0(%a0: f16, %a1: f32, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %n = arith.constant 1.280000e+02 : f32
      %eps = arith.constant 1.000000e-05 : f32
      %mean = arith.divf %a1, %n : f32
      %s = arith.addf %mean, %eps : f32
      %i = math.rsqrt %s : f32
      %f = arith.mulf %e0, %i : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x4096x128xf16>
  %v16 = tensor.empty() : tensor<6x128x4096xf16>
  %v15 = linalg.transpose ins(%v14 : tensor<6x4096x128xf16>) outs(%v16 : tensor<6x128x4096xf16>) permutation = [0, 2, 1]
  %v17 = arith.constant 0.000000e+00 : f32
  %v18 = tensor.empty() : tensor<6x256x4096xf32>
  %v19 = linalg.fill ins(%v17 : f32) outs(%v18 : tensor<6x256x4096xf32>) -> tensor<6x256x4096xf32>
  %v20 = linalg.batch_matmul ins(%v7, %v15 : tensor<6x256x128xf16>, tensor<6x128x4096xf16>) outs(%v19 : tensor<6x256x4096xf32>) -> tensor<6x256x4096xf32>
  %v21 = tensor.empty() : tensor<6x256x4096xf16>
  %v22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v20 : tensor<6x256x4096xf32>) outs(%v21 : tensor<6x256x4096xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x256x4096xf16>
  %v23 = tensor.empty() : tensor<6x256x4096xf16>
  %v24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v22 : tensor<6x256x4096xf16>) outs(%v23 : tensor<6x256x4096xf16>) {
    ^bb0(%a0: f16, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %f = math.exp %e0 : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x256x4096xf16>
  %v25 = arith.constant 0.000000e+00 : f32
  %v26 = tensor.empty() : tensor<6x256x128xf32>
  %v27 = linalg.fill ins(%v25 : f32) outs(%v26 : tensor<6x256x128xf32>) -> tensor<6x256x128xf32>
  %v28 = linalg.batch_matmul ins(%v24, %V : tensor<6x256x4096xf16>, tensor<6x4096x128xf16>) outs(%v27 : tensor<6x256x128xf32>) -> tensor<6x256x128xf32>
  %v29 = tensor.empty() : tensor<6x256x128xf16>
  %v30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v28 : tensor<6x256x128xf32>) outs(%v29 : tensor<6x256x128xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x256x128xf16>
  %v31 = arith.constant 0.000000e+00 : f32
  %v32 = tensor.empty() : tensor<6x256xf32>
  %v33 = linalg.fill ins(%v31 : f32) outs(%v32 : tensor<6x256xf32>) -> tensor<6x256xf32>
  %v34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v24 : tensor<6x256x4096xf16>) outs(%v33 : tensor<6x256xf32>) {
    ^bb0(%a: f16, %acc: f32):
      %e = arith.extf %a : f16 to f32
      %r = arith.addf %acc, %e : f32
      linalg.yield %r : f32
    } -> tensor<6x256xf32>
  %v35 = tensor.expand_shape %v34 [[0], [1, 2]] output_shape [6, 256, 1] : tensor<6x256xf32> into tensor<6x256x1xf32>
  %v36 = tensor.empty() : tensor<6x256x128xf16>
  %v37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v30, %v35 : tensor<6x256x128xf16>, tensor<6x256x1xf32>) outs(%v36 : tensor<6x256x128xf16>) {
    ^bb0(%a0: f16, %a1: f32, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %f = arith.divf %e0, %a1 : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x256x128xf16>
  return %v37 : tensor<6x256x128xf16>
}
