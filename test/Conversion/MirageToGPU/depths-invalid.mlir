// Depths that the operators don't allow.

// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 allow-unverified" -split-input-file -verify-diagnostics %s

func.func @too_early(%x: tensor<4x8xf16>) -> tensor<4x1xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x1xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-note @below {{the tile is made here}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.depth = 1 : i64} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.sum' op has depth 1, but reads a tile that is made at depth 1}}
    %s = mirage_block.sum %t dim 1 {mirage.depth = 1 : i64} : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf16>
  }
  return %z : tensor<4x1xf16>
}

// -----

func.func @in_a_loop(%x: tensor<4x32xf16>) -> tensor<4x1xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x32xf16>) -> tensor<4x1xf16> {
  ^bb0(%X: tensor<4x32xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<4x1xf32> {
      // expected-note @below {{another operator of its block has one}}
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> {mirage.depth = 0 : i64} : tensor<4x32xf16> -> !mirage.tile<4x8xf16>
      // expected-error @below {{'mirage_block.sum' op has no 'mirage.depth'}}
      %s = mirage_block.sum %t dim 1 : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x1xf32>
      mirage_block.accumulate sum %s : !mirage.tile<4x1xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf16>
  }
  return %z : tensor<4x1xf16>
}

// -----

func.func @saver(%x: tensor<4x8xf16>) -> tensor<4x1xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x1xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.depth = 0 : i64} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    %s = mirage_block.sum %t dim 1 {mirage.depth = 1 : i64} : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x1xf32>
    // expected-error @below {{'mirage_block.output_saver' op has a 'mirage.depth', but does not run by itself}}
    mirage_block.output_saver %s omap <x -> 0> {mirage.depth = 2 : i64} : !mirage.tile<4x1xf32> -> tensor<4x1xf16>
  }
  return %z : tensor<4x1xf16>
}
