func.func @product(%x: tensor<8x1024xf16>, %w: tensor<1024x1234xf16>) -> tensor<8x1234xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x1234xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x1234xf32>) -> tensor<8x1234xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x1024xf16>, tensor<1024x1234xf16>) outs(%init : tensor<8x1234xf32>) -> tensor<8x1234xf32>
  return %p : tensor<8x1234xf32>
}
