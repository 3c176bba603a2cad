// RUN: mirage-opt --mirage-assign-layouts=target=sm_90a %s | FileCheck %s

// The rows of %x are the columns of what warpgroups compute: their sums are
// stored transposed, which is known only when the operands' layouts are.
// CHECK-LABEL: func.func @transposed_sums(
// CHECK:       mirage_block.loop {{.*}} attributes {{{.*}}mirage.layouts = ["swizzle_128"]
// CHECK:       mirage_block.matmul {{.*}}mirage.warpgroups
func.func @transposed_sums(%x: tensor<96x256xf16>, %w: tensor<256x128xf16>) -> tensor<96x128xf16> {
  %y = mirage_kernel.graph_defined (%x, %w) grid <x = 1> {mirage.threads = 256 : i64} : (tensor<96x256xf16>, tensor<256x128xf16>) -> tensor<96x128xf16> {
  ^bb0(%X: tensor<96x256xf16>, %W: tensor<256x128xf16>):
    %s = mirage_block.loop iterations 2 -> !mirage.tile<96x128xf32> attributes {mirage.producer_warp} {
      %a = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<96x256xf16> -> !mirage.tile<96x128xf16>
      %b = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<256x128xf16> -> !mirage.tile<128x128xf16>
      %p = mirage_block.matmul %a, %b {mirage.warpgroups} : (!mirage.tile<96x128xf16>, !mirage.tile<128x128xf16>) -> !mirage.tile<96x128xf32>
      mirage_block.accumulate sum %p : !mirage.tile<96x128xf32>
    }
    mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<96x128xf32> -> tensor<96x128xf16>
  }
  return %y : tensor<96x128xf16>
}
