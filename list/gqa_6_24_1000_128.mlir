// Attention.
func.func @gqa(%Q: tensor<6x24x128xf16>, %K: tensor<6x128x1000xf16>, %V: tensor<6x1000x128xf16>) -> (tensor<6x24x128xf16>) {
  %v1 = arith.constant 0.000000e+00 : f32
  %v2 = tensor.empty() : tensor<6x24x1000xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<6x24x1000xf32>) -> tensor<6x24x1000xf32>
  %v4 = linalg.batch_matmul ins(%Q, %K : tensor<6x24x128xf16>, tensor<6x128x1000xf16>) outs(%v3 : tensor<6x24x1000xf32>) -> tensor<6x24x1000xf32>
  %v5 = tensor.empty() : tensor<6x24x1000xf16>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v4 : tensor<6x24x1000xf32>) outs(%v5 : tensor<6x24x1000xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x24x1000xf16>
  %v7 = tensor.empty() : tensor<6x24x1000xf16>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v6 : tensor<6x24x1000xf16>) outs(%v7 : tensor<6x24x1000xf16>) {
    ^bb0(%a0: f16, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %c = arith.constant 8.838835e-02 : f32
      %f = arith.mulf %e0, %c : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x24x1000xf16>
  %v9 = tensor.empty() : tensor<6x24x1000xf16>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v8 : tensor<6x24x1000xf16>) outs(%v9 : tensor<6x24x1000xf16>) {
    ^bb0(%a0: f16, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %f = math.exp %e0 : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x24x1000xf16>
  %v11 = arith.constant 0.000000e+00 : f32
  %v12 = tensor.empty() : tensor<6x24x128xf32>
  %v13 = linalg.fill ins(%v11 : f32) outs(%v12 : tensor<6x24x128xf32>) -> tensor<6x24x128xf32>
  %v14 = linalg.batch_matmul ins(%v10, %V : tensor<6x24x1000xf16>, tensor<6x1000x128xf16>) outs(%v13 : tensor<6x24x128xf32>) -> tensor<6x24x128xf32>
  %v15 = tensor.empty() : tensor<6x24x128xf16>
  %v16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v14 : tensor<6x24x128xf32>) outs(%v15 : tensor<6x24x128xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x24x128xf16>
  %v17 = arith.constant 0.000000e+00 : f32
  %v18 = tensor.empty() : tensor<6x24xf32>
  %v19 = linalg.fill ins(%v17 : f32) outs(%v18 : tensor<6x24xf32>) -> tensor<6x24xf32>
  %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v10 : tensor<6x24x1000xf16>) outs(%v19 : tensor<6x24xf32>) {
    ^bb0(%a: f16, %acc: f32):
      %e = arith.extf %a : f16 to f32
      %r = arith.addf %acc, %e : f32
      linalg.yield %r : f32
    } -> tensor<6x24xf32>
  %v21 = tensor.expand_shape %v20 [[0], [1, 2]] output_shape [6, 24, 1] : tensor<6x24xf32> into tensor<6x24x1xf32>
  %v22 = tensor.empty() : tensor<6x24x128xf16>
  %v23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v16, %v21 : tensor<6x24x128xf16>, tensor<6x24x1xf32>) outs(%v22 : tensor<6x24x128xf16>) {
    ^bb0(%a0: f16, %a1: f32, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %f = arith.divf %e0, %a1 : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<6x24x128xf16>
  return %v23 : tensor<6x24x128xf16>
}
