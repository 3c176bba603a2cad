// Loops that only accumulate what they load. Each of 128 threads has an element of %a, whose first loads come before all else: those of %b, which few threads
// have, are on their way at the same time. Of 20 iterations the last four are loaded on their own.
// RUN: mirage-opt %s --mirage-lower-mugraphs="target=sm_90a compile-to=gpu" | FileCheck %s

// CHECK-LABEL: gpu.func @combine_0
// CHECK-COUNT-32: {{memref.load|vector.load}} %reinterpret_cast
// CHECK-NOT:   memref.store
// CHECK-NOT:   math.exp
// CHECK:       scf.if
// CHECK-COUNT-32: {{memref.load|vector.load}} %reinterpret_cast
// CHECK-COUNT-16: math.exp
// CHECK-COUNT-8: {{memref.load|vector.load}} %reinterpret_cast
// CHECK:       memref.store
// CHECK:       }
// CHECK-COUNT-16: math.exp
// CHECK-COUNT-8: {{memref.load|vector.load}} %reinterpret_cast
func.func @combine(%m: tensor<2x20xf32>, %s: tensor<2x20xf32>, %o: tensor<2x1280xf32>) -> tensor<2x64xf16> {
  %r = mirage_kernel.graph_defined (%m, %s, %o) grid <x = 1> {mirage.scheduled} : (tensor<2x20xf32>, tensor<2x20xf32>, tensor<2x1280xf32>) -> tensor<2x64xf16> {
  ^bb0(%M: tensor<2x20xf32>, %S: tensor<2x20xf32>, %O: tensor<2x1280xf32>):
    %a:2 = mirage_block.loop iterations 20 -> !mirage.tile<2x64xf32>, !mirage.tile<2x1xf32> {
      %mt = mirage_block.input_iterator %M imap <x -> replica> fmap <i -> 1> : tensor<2x20xf32> -> !mirage.tile<2x1xf32>
      %st = mirage_block.input_iterator %S imap <x -> replica> fmap <i -> 1> : tensor<2x20xf32> -> !mirage.tile<2x1xf32>
      %ot = mirage_block.input_iterator %O imap <x -> replica> fmap <i -> 1> : tensor<2x1280xf32> -> !mirage.tile<2x64xf32>
      mirage_block.accumulate rescaled_sum %ot by %mt, rescaled_sum %st by %mt : !mirage.tile<2x64xf32> by !mirage.tile<2x1xf32>, !mirage.tile<2x1xf32> by !mirage.tile<2x1xf32>
    }
    %q = mirage_block.div %a#0, %a#1 : (!mirage.tile<2x64xf32>, !mirage.tile<2x1xf32>) -> !mirage.tile<2x64xf32>
    mirage_block.output_saver %q omap <x -> 0> : !mirage.tile<2x64xf32> -> tensor<2x64xf16>
  }
  return %r : tensor<2x64xf16>
}
