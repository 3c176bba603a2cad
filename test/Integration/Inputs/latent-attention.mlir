// Multi-head latent attention, small: 4 heads of size 32, 512 positions of a latent of rank 64.
func.func @attention(%Q: tensor<4x1x32xf16>, %C: tensor<512x64xf16>, %WK: tensor<4x64x32xf16>, %WV: tensor<4x64x32xf16>) -> (tensor<4x1x32xf16>) {
  %v1 = arith.constant 0.000000e+00 : f32
  %v2 = tensor.empty() : tensor<4x32x512xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<4x32x512xf32>) -> tensor<4x32x512xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(h, d, n, r) -> (n, r)>, affine_map<(h, d, n, r) -> (h, r, d)>, affine_map<(h, d, n, r) -> (h, d, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%C, %WK : tensor<512x64xf16>, tensor<4x64x32xf16>) outs(%v3 : tensor<4x32x512xf32>) {
    ^bb0(%a: f16, %b: f16, %acc: f32):
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %b : f16 to f32
      %m = arith.mulf %x, %y : f32
      %r = arith.addf %acc, %m : f32
      linalg.yield %r : f32
    } -> tensor<4x32x512xf32>
  %v5 = tensor.empty() : tensor<4x32x512xf16>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v4 : tensor<4x32x512xf32>) outs(%v5 : tensor<4x32x512xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x32x512xf16>
  %v7 = arith.constant 0.000000e+00 : f32
  %v8 = tensor.empty() : tensor<4x512x32xf32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<4x512x32xf32>) -> tensor<4x512x32xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(h, n, d, r) -> (n, r)>, affine_map<(h, n, d, r) -> (h, r, d)>, affine_map<(h, n, d, r) -> (h, n, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%C, %WV : tensor<512x64xf16>, tensor<4x64x32xf16>) outs(%v9 : tensor<4x512x32xf32>) {
    ^bb0(%a: f16, %b: f16, %acc: f32):
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %b : f16 to f32
      %m = arith.mulf %x, %y : f32
      %r = arith.addf %acc, %m : f32
      linalg.yield %r : f32
    } -> tensor<4x512x32xf32>
  %v11 = tensor.empty() : tensor<4x512x32xf16>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v10 : tensor<4x512x32xf32>) outs(%v11 : tensor<4x512x32xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x512x32xf16>
  %v13 = arith.constant 0.000000e+00 : f32
  %v14 = tensor.empty() : tensor<4x1x512xf32>
  %v15 = linalg.fill ins(%v13 : f32) outs(%v14 : tensor<4x1x512xf32>) -> tensor<4x1x512xf32>
  %v16 = linalg.batch_matmul ins(%Q, %v6 : tensor<4x1x32xf16>, tensor<4x32x512xf16>) outs(%v15 : tensor<4x1x512xf32>) -> tensor<4x1x512xf32>
  %v17 = tensor.empty() : tensor<4x1x512xf16>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v16 : tensor<4x1x512xf32>) outs(%v17 : tensor<4x1x512xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x1x512xf16>
  %v19 = tensor.empty() : tensor<4x1x512xf16>
  %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v18 : tensor<4x1x512xf16>) outs(%v19 : tensor<4x1x512xf16>) {
    ^bb0(%a0: f16, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %c = arith.constant 1.767767e-01 : f32
      %f = arith.mulf %e0, %c : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x1x512xf16>
  %v21 = arith.constant -6.550400e+04 : f32
  %v22 = tensor.empty() : tensor<4x1xf32>
  %v23 = linalg.fill ins(%v21 : f32) outs(%v22 : tensor<4x1xf32>) -> tensor<4x1xf32>
  %v24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v20 : tensor<4x1x512xf16>) outs(%v23 : tensor<4x1xf32>) {
    ^bb0(%a: f16, %acc: f32):
      %e = arith.extf %a : f16 to f32
      %r = arith.maximumf %acc, %e : f32
      linalg.yield %r : f32
    } -> tensor<4x1xf32>
  %v25 = tensor.expand_shape %v24 [[0], [1, 2]] output_shape [4, 1, 1] : tensor<4x1xf32> into tensor<4x1x1xf32>
  %v26 = tensor.empty() : tensor<4x1x512xf16>
  %v27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v20, %v25 : tensor<4x1x512xf16>, tensor<4x1x1xf32>) outs(%v26 : tensor<4x1x512xf16>) {
    ^bb0(%a0: f16, %a1: f32, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %d = arith.subf %e0, %a1 : f32
      %f = math.exp %d : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x1x512xf16>
  %v28 = arith.constant 0.000000e+00 : f32
  %v29 = tensor.empty() : tensor<4x1xf32>
  %v30 = linalg.fill ins(%v28 : f32) outs(%v29 : tensor<4x1xf32>) -> tensor<4x1xf32>
  %v31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v27 : tensor<4x1x512xf16>) outs(%v30 : tensor<4x1xf32>) {
    ^bb0(%a: f16, %acc: f32):
      %e = arith.extf %a : f16 to f32
      %r = arith.addf %acc, %e : f32
      linalg.yield %r : f32
    } -> tensor<4x1xf32>
  %v32 = tensor.expand_shape %v31 [[0], [1, 2]] output_shape [4, 1, 1] : tensor<4x1xf32> into tensor<4x1x1xf32>
  %v33 = tensor.empty() : tensor<4x1x512xf16>
  %v34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v27, %v32 : tensor<4x1x512xf16>, tensor<4x1x1xf32>) outs(%v33 : tensor<4x1x512xf16>) {
    ^bb0(%a0: f16, %a1: f32, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %f = arith.divf %e0, %a1 : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x1x512xf16>
  %v35 = arith.constant 0.000000e+00 : f32
  %v36 = tensor.empty() : tensor<4x1x32xf32>
  %v37 = linalg.fill ins(%v35 : f32) outs(%v36 : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
  %v38 = linalg.batch_matmul ins(%v34, %v12 : tensor<4x1x512xf16>, tensor<4x512x32xf16>) outs(%v37 : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
  %v39 = tensor.empty() : tensor<4x1x32xf16>
  %v40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v38 : tensor<4x1x32xf32>) outs(%v39 : tensor<4x1x32xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x1x32xf16>
  return %v40 : tensor<4x1x32xf16>
}
