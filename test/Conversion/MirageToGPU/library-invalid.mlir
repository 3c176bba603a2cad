// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 allow-unverified" --split-input-file --verify-diagnostics %s

func.func @unknown(%x: tensor<4x4xf16>) -> tensor<4x4xf16> {
  // expected-error @below {{can't be lowered: 'mirage.library' is "fft", which no library computes on these tensors}}
  %y = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.library = "fft", mirage.scheduled} : (tensor<4x4xf16>) -> tensor<4x4xf16> {
  ^bb0(%X: tensor<4x4xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x4xf16> -> !mirage.tile<4x4xf16>
    mirage_block.output_saver %t omap <x -> replica> : !mirage.tile<4x4xf16> -> tensor<4x4xf16>
  }
  return %y : tensor<4x4xf16>
}

// -----

func.func @operands(%x: tensor<4x4xf16>) -> tensor<4x4xf16> {
  // expected-error @below {{can't be lowered: 'mirage.library' is "matmul", which no library computes on these tensors}}
  %y = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.library = "matmul", mirage.scheduled} : (tensor<4x4xf16>) -> tensor<4x4xf16> {
  ^bb0(%X: tensor<4x4xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x4xf16> -> !mirage.tile<4x4xf16>
    mirage_block.output_saver %t omap <x -> replica> : !mirage.tile<4x4xf16> -> tensor<4x4xf16>
  }
  return %y : tensor<4x4xf16>
}

// -----

// A graph that the search made may compute anything.
func.func @searched(%x: tensor<4x4xf16>, %w: tensor<4x4xf16>) -> tensor<4x4xf16> {
  // expected-error @below {{can't be lowered: it has 'mirage.library', but is not 'mirage.scheduled'}}
  %y = mirage_kernel.graph_defined (%x, %w) grid <x = 1> {mirage.library = "matmul"} : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16> {
  ^bb0(%X: tensor<4x4xf16>, %W: tensor<4x4xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x4xf16> -> !mirage.tile<4x4xf16>
    %u = mirage_block.input_iterator %W imap <x -> replica> : tensor<4x4xf16> -> !mirage.tile<4x4xf16>
    %p = mirage_block.matmul %t, %u : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf16>
    mirage_block.output_saver %p omap <x -> replica> : !mirage.tile<4x4xf16> -> tensor<4x4xf16>
  }
  return %y : tensor<4x4xf16>
}
