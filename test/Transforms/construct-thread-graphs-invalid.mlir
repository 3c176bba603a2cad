// RUN: mirage-opt --mirage-construct-thread-graphs=work-limit=1 --verify-diagnostics %s | FileCheck %s

// Nothing is tried but merging along one read after the other: the exponential
// is fused with what it reads, and stored. What can be fused in one way only
// needs no search.
// CHECK-LABEL: func.func @given_up
// CHECK:       mirage_block.loop
// CHECK:         %[[BOTH:.*]]:2 = mirage_block.graph_defined
// CHECK:           mirage_thread.tanh
// CHECK-NEXT:      mirage_thread.exp
// CHECK:         mirage_block.graph_defined(%[[BOTH]]#1
// CHECK:         mirage_block.graph_defined(%[[BOTH]]#1
// CHECK:       mirage_block.graph_defined
// CHECK:         mirage_thread.sqr
// CHECK-NEXT:    mirage_thread.exp
func.func @given_up(%x: tensor<16x64xf16>) -> (tensor<16x16xf16>, tensor<16x16xf16>) {
  %z:2 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x64xf16>) -> (tensor<16x16xf16>, tensor<16x16xf16>) {
  ^bb0(%X: tensor<16x64xf16>):
    // expected-remark @below {{has elementwise operators that can be fused in several ways, too many to try all; the best thread graphs that were found store 1024 bytes}}
    %s:2 = mirage_block.loop iterations 4 -> !mirage.tile<16x16xf32>, !mirage.tile<16x16xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x64xf16> -> !mirage.tile<16x16xf16>
      %a = mirage_block.tanh %xt : (!mirage.tile<16x16xf16>) -> !mirage.tile<16x16xf16>
      %b = mirage_block.exp %a : (!mirage.tile<16x16xf16>) -> !mirage.tile<16x16xf16>
      %t = mirage_block.transpose %a permutation [1, 0] : (!mirage.tile<16x16xf16>) -> !mirage.tile<16x16xf16>
      %c = mirage_block.add %b, %t : (!mirage.tile<16x16xf16>, !mirage.tile<16x16xf16>) -> !mirage.tile<16x16xf32>
      %d = mirage_block.mul %b, %t : (!mirage.tile<16x16xf16>, !mirage.tile<16x16xf16>) -> !mirage.tile<16x16xf32>
      mirage_block.accumulate sum %c, sum %d : !mirage.tile<16x16xf32>, !mirage.tile<16x16xf32>
    }
    %q = mirage_block.sqr %s#0 : (!mirage.tile<16x16xf32>) -> !mirage.tile<16x16xf32>
    %e = mirage_block.exp %q : (!mirage.tile<16x16xf32>) -> !mirage.tile<16x16xf32>
    mirage_block.output_saver %e omap <x -> replica> : !mirage.tile<16x16xf32> -> tensor<16x16xf16>
    mirage_block.output_saver %s#1 omap <x -> replica> : !mirage.tile<16x16xf32> -> tensor<16x16xf16>
  }
  return %z#0, %z#1 : tensor<16x16xf16>, tensor<16x16xf16>
}
