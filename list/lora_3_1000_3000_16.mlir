// A linear layer with an adapter.
func.func @lora(%X: tensor<3x1000xf16>, %W: tensor<1000x3000xf16>, %A: tensor<1000x16xf16>, %C: tensor<16x3000xf16>) -> (tensor<3x3000xf16>) {
  %v1 = arith.constant 0.000000e+00 : f32
  %v2 = tensor.empty() : tensor<3x3000xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<3x3000xf32>) -> tensor<3x3000xf32>
  %v4 = linalg.matmul ins(%X, %W : tensor<3x1000xf16>, tensor<1000x3000xf16>) outs(%v3 : tensor<3x3000xf32>) -> tensor<3x3000xf32>
  %v5 = tensor.empty() : tensor<3x3000xf16>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v4 : tensor<3x3000xf32>) outs(%v5 : tensor<3x3000xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<3x3000xf16>
  %v7 = arith.constant 0.000000e+00 : f32
  %v8 = tensor.empty() : tensor<3x16xf32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<3x16xf32>) -> tensor<3x16xf32>
  %v10 = linalg.matmul ins(%X, %A : tensor<3x1000xf16>, tensor<1000x16xf16>) outs(%v9 : tensor<3x16xf32>) -> tensor<3x16xf32>
  %v11 = tensor.empty() : tensor<3x16xf16>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v10 : tensor<3x16xf32>) outs(%v11 : tensor<3x16xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<3x16xf16>
  %v13 = arith.constant 0.000000e+00 : f32
  %v14 = tensor.empty() : tensor<3x3000xf32>
  %v15 = linalg.fill ins(%v13 : f32) outs(%v14 : tensor<3x3000xf32>) -> tensor<3x3000xf32>
  %v16 = linalg.matmul ins(%v12, %C : tensor<3x16xf16>, tensor<16x3000xf16>) outs(%v15 : tensor<3x3000xf32>) -> tensor<3x3000xf32>
  %v17 = tensor.empty() : tensor<3x3000xf16>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v16 : tensor<3x3000xf32>) outs(%v17 : tensor<3x3000xf16>) {
    ^bb0(%a0: f32, %out: f16):
      %r = arith.truncf %a0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<3x3000xf16>
  %v19 = tensor.empty() : tensor<3x3000xf16>
  %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v6, %v18 : tensor<3x3000xf16>, tensor<3x3000xf16>) outs(%v19 : tensor<3x3000xf16>) {
    ^bb0(%a0: f16, %a1: f16, %out: f16):
      %e0 = arith.extf %a0 : f16 to f32
      %e1 = arith.extf %a1 : f16 to f32
      %f = arith.addf %e0, %e1 : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<3x3000xf16>
  return %v20 : tensor<3x3000xf16>
}
