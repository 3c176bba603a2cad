func.func @sums(%x: tensor<8x64xf16>) -> tensor<8x1xf32> {
  %empty = tensor.empty() : tensor<8x1xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x1xf32>) -> tensor<8x1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf16>) outs(%zeros : tensor<8x1xf32>) {
  ^bb0(%a: f16, %sum: f32):
    %b = arith.extf %a : f16 to f32
    %c = arith.addf %sum, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x1xf32>
  return %r : tensor<8x1xf32>
}
