// Searching for something faster than this takes a while without the rules that say that there is nothing.
func.func @products(%a: tensor<4x8x16x512x512xf16>, %b: tensor<4x8x16x512x512xf16>) -> tensor<4x8x16x512x512xf16> {
  %c = mirage_kernel.matmul %a, %b : (tensor<4x8x16x512x512xf16>, tensor<4x8x16x512x512xf16>) -> tensor<4x8x16x512x512xf16>
  return %c : tensor<4x8x16x512x512xf16>
}
