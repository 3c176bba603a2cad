// RUN: mirage-opt %s --mirage-verify-equivalence=method=prove | FileCheck %s --check-prefix=PROVED
// RUN: mirage-opt %s --mirage-verify-equivalence=method=random | FileCheck %s --check-prefix=RANDOM
// RUN: mirage-opt %s --mirage-verify-equivalence=method=prove --mirage-mask-loops --mirage-construct-thread-graphs --convert-mirage-to-gpu -o /dev/null
// RUN: sed 's/mirage_block.div/mirage_block.mul/' %s | not mirage-opt --mirage-verify-equivalence 2>&1 | FileCheck %s --check-prefix=REFUTED

// A loop that doesn't divide what it cuts: proved as if it had one iteration, tested with a smaller last tile. A verdict is on what it computes, with
// masks and without.

// PROVED: func.func @attention({{.*}}sizes = "all", verdict = "proved", verifier = "normal form"
// RANDOM: func.func @attention({{.*}}verdict = "accepted"
// REFUTED: [[@LINE+10]]:1: error: differs from 'reference' at output 0
func.func private @reference(%q: tensor<32x64xf16>, %k: tensor<64x147xf16>, %v: tensor<147x32xf16>) -> tensor<32x32xf16> {
  %0 = mirage_kernel.matmul %q, %k : (tensor<32x64xf16>, tensor<64x147xf16>) -> tensor<32x147xf32>
  %1 = mirage_kernel.exp %0 : (tensor<32x147xf32>) -> tensor<32x147xf32>
  %2 = mirage_kernel.sum %1 dim 1 : (tensor<32x147xf32>) -> tensor<32x1xf32>
  %3 = mirage_kernel.div %1, %2 : (tensor<32x147xf32>, tensor<32x1xf32>) -> tensor<32x147xf32>
  %4 = mirage_kernel.matmul %3, %v : (tensor<32x147xf32>, tensor<147x32xf16>) -> tensor<32x32xf16>
  return %4 : tensor<32x32xf16>
}

func.func @attention(%q: tensor<32x64xf16>, %k: tensor<64x147xf16>, %v: tensor<147x32xf16>) -> tensor<32x32xf16> attributes {mirage.reference = @reference} {
  %z = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 2>
      : (tensor<32x64xf16>, tensor<64x147xf16>, tensor<147x32xf16>) -> tensor<32x32xf16> {
  ^bb0(%Q: tensor<32x64xf16>, %K: tensor<64x147xf16>, %V: tensor<147x32xf16>):
    %t:2 = mirage_block.loop iterations 4 -> !mirage.tile<16x32xf32>, !mirage.tile<16x1xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> 0> fmap <i -> replica> : tensor<32x64xf16> -> !mirage.tile<16x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x147xf16> -> !mirage.tile<64x48xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<147x32xf16> -> !mirage.tile<48x32xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<16x64xf16>, !mirage.tile<64x48xf16>) -> !mirage.tile<16x48xf32>
      %x = mirage_block.reduce_max %s dim 1 : (!mirage.tile<16x48xf32>) -> !mirage.tile<16x1xf32>
      %d = mirage_block.sub %s, %x : (!mirage.tile<16x48xf32>, !mirage.tile<16x1xf32>) -> !mirage.tile<16x48xf32>
      %e = mirage_block.exp %d : (!mirage.tile<16x48xf32>) -> !mirage.tile<16x48xf32>
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<16x48xf32>) -> !mirage.tile<16x1xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<16x48xf32>, !mirage.tile<48x32xf16>) -> !mirage.tile<16x32xf32>
      mirage_block.accumulate rescaled_sum %o by %x, rescaled_sum %l by %x
          : !mirage.tile<16x32xf32> by !mirage.tile<16x1xf32>, !mirage.tile<16x1xf32> by !mirage.tile<16x1xf32>
    }
    %y = mirage_block.div %t#0, %t#1 : (!mirage.tile<16x32xf32>, !mirage.tile<16x1xf32>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %y omap <x -> 0> : !mirage.tile<16x32xf32> -> tensor<32x32xf16>
  }
  return %z : tensor<32x32xf16>
}
