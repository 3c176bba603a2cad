func.func @reciprocal(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %init = tensor.empty() : tensor<4x8xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf16>) outs(%init : tensor<4x8xf16>) {
    ^bb0(%a: f16, %out: f16):
      %one = arith.constant 1.0 : f32
      %e = arith.extf %a : f16 to f32
      %f = arith.divf %one, %e : f32
      %r = arith.truncf %f : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}
