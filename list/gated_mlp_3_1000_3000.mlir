// Gated MLP.
func.func @gated_mlp(%X: tensor<3x1000xf16>, %W1: tensor<1000x3000xf16>, %W2: tensor<1000x3000xf16>) -> (tensor<3x3000xf16>) {
  %v1 = arith.constant 0.000000e+00 : f32
  %v2 = tensor.empty() : tensor<3x3000xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<3x3000xf32>) -> tensor<3x3000xf32>
  %v4 = linalg.matmul ins(%X, %W1 : tensor<3x1000xf16>, tensor<1000x3000xf16>) outs(%v3 : tensor<3x3000xf32>) -> tensor<3x3000xf32>
  %v5 = tensor.empty() : tensor<3x3000xf16>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v4 : tensor<3x3000xf32>) outs(%v5 : tensor<3x3000xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<3x3000xf16>
  %v7 = tensor.empty() : tensor<3x3000xf16>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v6 : tensor<3x3000xf16>) outs(%v7 : tensor<3x3000xf16>) {
    ^bb0(%a0: f16, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %one = arith.constant 1.0 : f32
      %neg = arith.negf %e0 : f32
      %x = math.exp %neg : f32
      %den = arith.addf %one, %x : f32
      %f = arith.divf %e0, %den : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<3x3000xf16>
  %v9 = arith.constant 0.000000e+00 : f32
  %v10 = tensor.empty() : tensor<3x3000xf32>
  %v11 = linalg.fill ins(%v9 : f32) outs(%v10 : tensor<3x3000xf32>) -> tensor<3x3000xf32>
  %v12 = linalg.matmul ins(%X, %W2 : tensor<3x1000xf16>, tensor<1000x3000xf16>) outs(%v11 : tensor<3x3000xf32>) -> tensor<3x3000xf32>
  %v13 = tensor.empty() : tensor<3x3000xf16>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v12 : tensor<3x3000xf32>) outs(%v13 : tensor<3x3000xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<3x3000xf16>
  %v15 = tensor.empty() : tensor<3x3000xf16>
  %v16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v8, %v14 : tensor<3x3000xf16>, tensor<3x3000xf16>) outs(%v15 : tensor<3x3000xf16>) {
    ^bb0(%a0: f16, %a1: f16, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %e1 = arith.extf %a1 : f16 to f32
      %f = arith.mulf %e0, %e1 : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<3x3000xf16>
  return %v16 : tensor<3x3000xf16>
}
