// RUN: mirage-opt --mirage-assign-layouts="time-limit-ms=0 target=sm_80" --split-input-file --verify-diagnostics %s -o /dev/null
// RUN: not mirage-opt --mirage-assign-layouts=target=sm_70 %s 2>&1 | FileCheck %s
// RUN: not mirage-opt --mirage-assign-layouts=threads=48 %s 2>&1 | FileCheck %s --check-prefix=THREADS

// CHECK: error: unknown target 'sm_70', expected one of
// THREADS: error: the number of threads must be a multiple of 32 from 32 to 1024, found 48

// The first tile would be aligned to 256 bytes, which is more than the other
// leaves.
func.func @given_up(%x: tensor<33x32xf32>, %y: tensor<1x40656xf32>) -> (tensor<32x33xf32>, tensor<1x40656xf32>) {
  // expected-remark @below {{has tiles that compete for shared memory, and no best layouts of them were found within 0 ms; they get the first that their readers can use}}
  %z:2 = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<33x32xf32>, tensor<1x40656xf32>) -> (tensor<32x33xf32>, tensor<1x40656xf32>) {
  ^bb0(%X: tensor<33x32xf32>, %Y: tensor<1x40656xf32>):
    %a = mirage_block.input_iterator %X imap <x -> replica> : tensor<33x32xf32> -> !mirage.tile<33x32xf32>
    %b = mirage_block.input_iterator %Y imap <x -> replica> : tensor<1x40656xf32> -> !mirage.tile<1x40656xf32>
    %t = mirage_block.transpose %a permutation [1, 0] : (!mirage.tile<33x32xf32>) -> !mirage.tile<32x33xf32>
    %e = mirage_block.exp %t : (!mirage.tile<32x33xf32>) -> !mirage.tile<32x33xf32>
    %f = mirage_block.exp %b : (!mirage.tile<1x40656xf32>) -> !mirage.tile<1x40656xf32>
    mirage_block.output_saver %e omap <x -> replica> : !mirage.tile<32x33xf32> -> tensor<32x33xf32>
    mirage_block.output_saver %f omap <x -> replica> : !mirage.tile<1x40656xf32> -> tensor<1x40656xf32>
  }
  return %z#0, %z#1 : tensor<32x33xf32>, tensor<1x40656xf32>
}

// -----

func.func @too_large(%x: tensor<64x64xf16>, %y: tensor<64x2048xf16>) -> tensor<64x2048xf16> {
  // expected-remark @below {{has tiles that don't fit the 166912 bytes of shared memory in any layout; they stay row-major}}
  %z = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<64x64xf16>, tensor<64x2048xf16>) -> tensor<64x2048xf16> {
  ^bb0(%X: tensor<64x64xf16>, %Y: tensor<64x2048xf16>):
    %a = mirage_block.input_iterator %X imap <x -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
    %b = mirage_block.input_iterator %Y imap <x -> replica> : tensor<64x2048xf16> -> !mirage.tile<64x2048xf16>
    %p = mirage_block.matmul %a, %b : (!mirage.tile<64x64xf16>, !mirage.tile<64x2048xf16>) -> !mirage.tile<64x2048xf32>
    mirage_block.output_saver %p omap <x -> replica> : !mirage.tile<64x2048xf32> -> tensor<64x2048xf16>
  }
  return %z : tensor<64x2048xf16>
}

// -----

func.func @depths(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    // expected-note @below {{the tile is made here}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.depth = 1 : i64} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    // expected-error @below {{has depth 0, but reads a tile that is made at depth 1}}
    %s = mirage_block.tanh %t {mirage.depth = 0 : i64} : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<4x8xf32> -> tensor<4x8xf32>
  }
  return %z : tensor<4x8xf32>
}
