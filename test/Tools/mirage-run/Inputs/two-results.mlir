// A product, its row sums, and an argument.
func.func @f(%x: tensor<4x8xf16>, %y: tensor<4x8xf16>) -> (tensor<4x8xf16>, tensor<4x1xf32>, tensor<4x8xf16>) {
  %e = tensor.empty() : tensor<4x8xf16>
  %p = linalg.mul ins(%x, %y : tensor<4x8xf16>, tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<4x8xf16>) outs(%z : tensor<4xf32>) {
  ^bb0(%a: f16, %acc: f32):
    %b = arith.extf %a : f16 to f32
    %t = arith.addf %acc, %b : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %r = tensor.expand_shape %s [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  return %p, %r, %y : tensor<4x8xf16>, tensor<4x1xf32>, tensor<4x8xf16>
}
