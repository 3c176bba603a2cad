// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 allow-unverified" -split-input-file -verify-diagnostics %s

func.func @custom(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // expected-error @below {{'mirage_kernel.custom' op can't be lowered: only the user knows what it computes}}
  %y = mirage_kernel.custom "F"(%x) : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// -----

func.func @in_a_block(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.custom' op can't be lowered: only the user knows what it computes}}
    %f = mirage_block.custom "F"(%xt) : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %f omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}
