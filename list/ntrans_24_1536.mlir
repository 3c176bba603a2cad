// Normalized Transformer residual.
func.func @ntrans(%X: tensor<24x1536xf16>, %H: tensor<24x1536xf16>, %ALPHA: tensor<1536xf16>) -> (tensor<24x1536xf16>) {
  %v1 = arith.constant 0.000000e+00 : f32
  %v2 = tensor.empty() : tensor<24xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<24xf32>) -> tensor<24xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%H : tensor<24x1536xf16>) outs(%v3 : tensor<24xf32>) {
    ^bb0(%a: f16, %acc: f32):
      %e = arith.extf %a : f16 to f32
      %q = arith.mulf %e, %e : f32
      %r = arith.addf %acc, %q : f32
      linalg.yield %r : f32
    } -> tensor<24xf32>
  %v5 = tensor.expand_shape %v4 [[0, 1]] output_shape [24, 1] : tensor<24xf32> into tensor<24x1xf32>
  %v6 = tensor.empty() : tensor<24x1536xf16>
  %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%H, %v5 : tensor<24x1536xf16>, tensor<24x1xf32>) outs(%v6 : tensor<24x1536xf16>) {
    ^bb0(%a0: f16, %a1: f32, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %n = arith.constant 1.536000e+03 : f32
      %eps = arith.constant 1.000000e-05 : f32
      %mean = arith.divf %a1, %n : f32
      %s = arith.addf %mean, %eps : f32
      %i = math.rsqrt %s : f32
      %f = arith.mulf %e0, %i : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<24x1536xf16>
  %v8 = tensor.empty() : tensor<24x1536xf16>
  %v9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v7, %X : tensor<24x1536xf16>, tensor<24x1536xf16>) outs(%v8 : tensor<24x1536xf16>) {
    ^bb0(%a0: f16, %a1: f16, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %e1 = arith.extf %a1 : f16 to f32
      %f = arith.subf %e0, %e1 : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<24x1536xf16>
  %v10 = tensor.empty() : tensor<24x1536xf16>
  %v11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v9, %ALPHA : tensor<24x1536xf16>, tensor<1536xf16>) outs(%v10 : tensor<24x1536xf16>) {
    ^bb0(%a0: f16, %a1: f16, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %e1 = arith.extf %a1 : f16 to f32
      %f = arith.mulf %e0, %e1 : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<24x1536xf16>
  %v12 = tensor.empty() : tensor<24x1536xf16>
  %v13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%X, %v11 : tensor<24x1536xf16>, tensor<24x1536xf16>) outs(%v12 : tensor<24x1536xf16>) {
    ^bb0(%a0: f16, %a1: f16, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %e1 = arith.extf %a1 : f16 to f32
      %f = arith.addf %e0, %e1 : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<24x1536xf16>
  %v14 = arith.constant 0.000000e+00 : f32
  %v15 = tensor.empty() : tensor<24xf32>
  %v16 = linalg.fill ins(%v14 : f32) outs(%v15 : tensor<24xf32>) -> tensor<24xf32>
  %v17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%v13 : tensor<24x1536xf16>) outs(%v16 : tensor<24xf32>) {
    ^bb0(%a: f16, %acc: f32):
      %e = arith.extf %a : f16 to f32
      %q = arith.mulf %e, %e : f32
      %r = arith.addf %acc, %q : f32
      linalg.yield %r : f32
    } -> tensor<24xf32>
  %v18 = tensor.expand_shape %v17 [[0, 1]] output_shape [24, 1] : tensor<24xf32> into tensor<24x1xf32>
  %v19 = tensor.empty() : tensor<24x1536xf16>
  %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v13, %v18 : tensor<24x1536xf16>, tensor<24x1xf32>) outs(%v19 : tensor<24x1536xf16>) {
    ^bb0(%a0: f16, %a1: f32, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %n = arith.constant 1.536000e+03 : f32
      %eps = arith.constant 1.000000e-05 : f32
      %mean = arith.divf %a1, %n : f32
      %s = arith.addf %mean, %eps : f32
      %i = math.rsqrt %s : f32
      %f = arith.mulf %e0, %i : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<24x1536xf16>
  return %v20 : tensor<24x1536xf16>
}
