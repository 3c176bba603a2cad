// RUN: not mirage-opt %s --mirage-specialize-warps=target=sm_90a --mirage-construct-thread-graphs --convert-mirage-to-gpu="target=sm_90a allow-unverified" 2>&1 | FileCheck %s

// In another order than that of the pipeline: a product that warpgroups were to compute has an operand now that is computed where it is
// read, and is none of theirs any more.

// CHECK: [[@LINE+8]]:12: error: 'mirage_block.matmul' op has 'mirage.warpgroups', but is no product of tiles that warpgroups can compute
func.func @products(%x: tensor<64x160xf16>, %w: tensor<160x64xf16>) -> tensor<64x64xf16> {
  %z = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<64x160xf16>, tensor<160x64xf16>) -> tensor<64x64xf16> {
  ^bb0(%X: tensor<64x160xf16>, %W: tensor<160x64xf16>):
    %sum = mirage_block.loop iterations 5 -> !mirage.tile<64x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<64x160xf16> -> !mirage.tile<64x32xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<160x64xf16> -> !mirage.tile<32x64xf16>
      %xr = mirage_block.relu %xt : (!mirage.tile<64x32xf16>) -> !mirage.tile<64x32xf16>
      %p = mirage_block.matmul %xr, %wt : (!mirage.tile<64x32xf16>, !mirage.tile<32x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %sum omap <x -> replica> : !mirage.tile<64x64xf32> -> tensor<64x64xf16>
  }
  return %z : tensor<64x64xf16>
}
