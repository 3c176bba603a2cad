// RUN: mirage-opt --mirage-plan-memory=work-limit=1 --split-input-file --verify-diagnostics %s
// RUN: not mirage-opt --mirage-plan-memory=target=sm_70 %s 2>&1 | FileCheck %s
// RUN: not mirage-opt --mirage-plan-memory=threads=48 %s 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not mirage-opt --mirage-plan-memory=max-stages=65 %s 2>&1 | FileCheck %s --check-prefix=STAGES

// CHECK: error: unknown target 'sm_70', expected one of sm_80, sm_90a
// THREADS: error: the number of threads must be a multiple of 32 from 32 to 1024, found 48
// STAGES: error: the number of stages must be from 1 to 64, found 65

// The search is given up; 336 bytes are not reached without another barrier, but
// that has not been found out.
func.func @given_up(%x: tensor<7x28xf16>) -> tensor<7x7xf16> {
  // expected-remark @below {{has tiles of which the best plan that was found takes 448 bytes of shared memory; at least 336 are in use at once}}
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<7x28xf16>) -> tensor<7x7xf16> {
  ^bb0(%X: tensor<7x28xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<7x7xf16> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<7x28xf16> -> !mirage.tile<7x7xf16>
      %u = mirage_block.matmul %t, %t : (!mirage.tile<7x7xf16>, !mirage.tile<7x7xf16>) -> !mirage.tile<7x7xf16>
      %v = mirage_block.tanh %u : (!mirage.tile<7x7xf16>) -> !mirage.tile<7x7xf16>
      %w = mirage_block.matmul %v, %v : (!mirage.tile<7x7xf16>, !mirage.tile<7x7xf16>) -> !mirage.tile<7x7xf16>
      mirage_block.accumulate max %w : !mirage.tile<7x7xf16>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<7x7xf16> -> tensor<7x7xf16>
  }
  return %z : tensor<7x7xf16>
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
