// RUN: mirage-opt %s --mirage-verify-equivalence=method=prove | FileCheck %s --check-prefix=PROVED
// RUN: mirage-opt %s --mirage-verify-equivalence=method=random | FileCheck %s --check-prefix=RANDOM
// RUN: sed 's/mirage_block.relu/mirage_block.exp/' %s | not mirage-opt --mirage-verify-equivalence 2>&1 | FileCheck %s --check-prefix=REFUTED

// A grid that doesn't divide what it cuts: proved as if it had one block, and tested with tiles that overlap.

// PROVED: func.func @rows({{.*}}sizes = "all", verdict = "proved", verifier = "normal form"
// RANDOM: func.func @rows({{.*}}verdict = "accepted"
// REFUTED: [[@LINE+6]]:1: error: differs from 'reference' at output 0
func.func private @reference(%x: tensor<37x64xf16>, %w: tensor<64x48xf16>) -> tensor<37x48xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<37x64xf16>, tensor<64x48xf16>) -> tensor<37x48xf16>
  %1 = mirage_kernel.relu %0 : (tensor<37x48xf16>) -> tensor<37x48xf16>
  return %1 : tensor<37x48xf16>
}
func.func @rows(%x: tensor<37x64xf16>, %w: tensor<64x48xf16>) -> tensor<37x48xf16> attributes {mirage.reference = @reference} {
  %z = mirage_kernel.graph_defined (%x, %w) grid <x = 3, y = 2>
      : (tensor<37x64xf16>, tensor<64x48xf16>) -> tensor<37x48xf16> {
  ^bb0(%X: tensor<37x64xf16>, %W: tensor<64x48xf16>):
    %sum = mirage_block.loop iterations 2 -> !mirage.tile<16x24xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<37x64xf16> -> !mirage.tile<16x32xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica, y -> 1> fmap <i -> 0> : tensor<64x48xf16> -> !mirage.tile<32x24xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<16x32xf16>, !mirage.tile<32x24xf16>) -> !mirage.tile<16x24xf32>
      mirage_block.accumulate sum %p : !mirage.tile<16x24xf32>
    }
    %r = mirage_block.relu %sum : (!mirage.tile<16x24xf32>) -> !mirage.tile<16x24xf32>
    mirage_block.output_saver %r omap <x -> 0, y -> 1> : !mirage.tile<16x24xf32> -> tensor<37x48xf16>
  }
  return %z : tensor<37x48xf16>
}
