func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {mirage.reference = @f_reference} {
  %y = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x64xf32> -> !mirage.tile<64x64xf32>
    %e = mirage_block.exp %t : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
func.func private @f_reference(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = mirage_kernel.exp %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
func.func @f_candidate_1(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {mirage.reference = @f_reference} {
  %y = mirage_kernel.graph_defined (%x) grid <x = 64> : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x64xf32> -> !mirage.tile<1x64xf32>
    %e = mirage_block.exp %t : (!mirage.tile<1x64xf32>) -> !mirage.tile<1x64xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<1x64xf32> -> tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
func.func @f_candidate_2(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {mirage.reference = @f_reference} {
  %y = mirage_kernel.graph_defined (%x) grid <x = 8> : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x64xf32> -> !mirage.tile<8x64xf32>
    %e = mirage_block.exp %t : (!mirage.tile<8x64xf32>) -> !mirage.tile<8x64xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<8x64xf32> -> tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
