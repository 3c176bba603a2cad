// softmax(q k) v, the maximum of each row subtracted
func.func @attention(%q: tensor<2x64x64xf16>, %k: tensor<2x64x4096xf16>, %v: tensor<2x4096x64xf16>) -> tensor<2x64x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<2x64x64xf16>, tensor<2x64x4096xf16>) -> tensor<2x64x4096xf32>
  %m = mirage_kernel.reduce_max %s dim 2 : (tensor<2x64x4096xf32>) -> tensor<2x64x1xf32>
  %d = mirage_kernel.sub %s, %m : (tensor<2x64x4096xf32>, tensor<2x64x1xf32>) -> tensor<2x64x4096xf32>
  %p = mirage_kernel.exp %d : (tensor<2x64x4096xf32>) -> tensor<2x64x4096xf32>
  %l = mirage_kernel.sum %p dim 2 : (tensor<2x64x4096xf32>) -> tensor<2x64x1xf32>
  %w = mirage_kernel.div %p, %l : (tensor<2x64x4096xf32>, tensor<2x64x1xf32>) -> tensor<2x64x4096xf16>
  %o = mirage_kernel.matmul %w, %v : (tensor<2x64x4096xf16>, tensor<2x4096x64xf16>) -> tensor<2x64x64xf16>
  return %o : tensor<2x64x64xf16>
}
