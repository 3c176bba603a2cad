func.func @product(%x: tensor<64x1009xf16>, %w: tensor<1009x512xf16>) -> tensor<64x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x512xf32>) -> tensor<64x512xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x1009xf16>, tensor<1009x512xf16>) outs(%init : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %p : tensor<64x512xf32>
}
