// RUN: not mirage-opt --convert-mirage-to-gpu="target=sm_80 allow-unverified" %s 2>&1 | FileCheck %s

// CHECK: error: 'mirage_block.output_saver' op has 'mirage.bulk_store', but sm_80 has no tensor memory accelerator
func.func @chip(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x64xf32>) -> tensor<8x64xf32> {
  ^bb0(%X: tensor<8x64xf32>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<8x64xf32> -> !mirage.tile<8x64xf32>
    mirage_block.output_saver %xt omap <x -> 0> {mirage.bulk_store} : !mirage.tile<8x64xf32> -> tensor<8x64xf32>
  }
  return %q : tensor<8x64xf32>
}
