// RUN: mirage-opt --mirage-plan-memory=work-limit=1 --split-input-file --verify-diagnostics %s
// RUN: not mirage-opt --mirage-plan-memory=target=sm_70 %s 2>&1 | FileCheck %s

// CHECK: error: unknown target 'sm_70', expected one of sm_80, sm_90a

// The search is given up; 768 bytes are not reached without another barrier, but
// that has not been found out.
func.func @given_up(%x: tensor<8x32xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{has tiles of which the best plan that was found takes 1024 bytes of shared memory; at least 768 are in use at once}}
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x32xf32>) -> tensor<8x8xf32> {
  ^bb0(%X: tensor<8x32xf32>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<8x8xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x32xf32> -> !mirage.tile<8x8xf32>
      %u = mirage_block.transpose %t permutation [1, 0] : (!mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
      %v = mirage_block.tanh %u : (!mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
      %w = mirage_block.transpose %v permutation [1, 0] : (!mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
      mirage_block.accumulate sum %w : !mirage.tile<8x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<8x8xf32> -> tensor<8x8xf32>
  }
  return %z : tensor<8x8xf32>
}

// -----

func.func @too_early(%x: tensor<4x8xf16>) -> tensor<4x1xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x1xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-note @below {{the tile is made here}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.depth = 1 : i64} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.sum' op has depth 0, but reads a tile that is made at depth 1}}
    %s = mirage_block.sum %t dim 1 {mirage.depth = 0 : i64} : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf16>
  }
  return %z : tensor<4x1xf16>
}
