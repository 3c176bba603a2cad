// RUN: mirage-opt --mirage-construct-thread-graphs %s | FileCheck %s
// RUN: mirage-opt --mirage-construct-thread-graphs --mirage-schedule-operators --mirage-plan-memory %s | FileCheck %s --check-prefix=BYTES

// In the loop, and after it with its constants; two shapes, two graphs.
// CHECK-LABEL: func.func @chains
// CHECK:       mirage_block.loop
// CHECK:         %[[X:.*]] = mirage_block.input_iterator
// CHECK-NEXT:    %[[SQ:.*]] = mirage_block.graph_defined(%[[X]]) : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf32> {
// CHECK-NEXT:    ^bb0(%[[F:.*]]: !mirage.fragment<4x8xf16>):
// CHECK-NEXT:      %[[E:.*]] = mirage_thread.exp %[[F]] : (!mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xf32>
// CHECK-NEXT:      %[[S:.*]] = mirage_thread.sqr %[[E]] : (!mirage.fragment<4x8xf32>) -> !mirage.fragment<4x8xf32>
// CHECK-NEXT:      mirage_thread.yield %[[S]]
// CHECK:         %[[SUM:.*]] = mirage_block.sum %[[SQ]] dim 1
// CHECK-NEXT:    mirage_block.accumulate sum %[[SUM]], sum %[[X]]
// CHECK:       %[[RMS:.*]] = mirage_block.graph_defined(%{{.*}}#0) : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32> {
// CHECK-NEXT:  ^bb0
// CHECK-NEXT:    %[[EPS:.*]] = mirage.constant 5.000000e-01 : !mirage.fragment<f32>
// CHECK-NEXT:    mirage_thread.add %{{.*}}, %[[EPS]]
// CHECK-NEXT:    mirage_thread.sqrt
// CHECK-NEXT:    mirage_thread.yield
// CHECK-NEXT:  }
// CHECK-NEXT:  %[[R:.*]] = mirage_block.graph_defined(%{{.*}}#1, %[[RMS]])
// CHECK:         mirage_thread.div
// CHECK:       mirage_block.output_saver %[[R]]
func.func @chains(%x: tensor<4x32xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x32xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x32xf16>):
    %ss, %acc = mirage_block.loop iterations 4 -> !mirage.tile<4x1xf32>, !mirage.tile<4x8xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x32xf16> -> !mirage.tile<4x8xf16>
      %e = mirage_block.exp %xt : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf16>
      %sq = mirage_block.sqr %e : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf32>
      %s = mirage_block.sum %sq dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
      mirage_block.accumulate sum %s, sum %xt : !mirage.tile<4x1xf32>, !mirage.tile<4x8xf16>
    }
    %eps = mirage.constant 0.5 : !mirage.tile<f32>
    %a = mirage_block.add %ss, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %q = mirage_block.sqrt %a : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %acc, %q : (!mirage.tile<4x8xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x8xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x8xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// A value that is used outside becomes a result; a user in front of the graph
// moves behind it, and savers keep their order.
// CHECK-LABEL: func.func @several_users
// CHECK:       %[[X:.*]] = mirage_block.input_iterator
// CHECK-NEXT:  %[[G:.*]]:2 = mirage_block.graph_defined(%[[X]])
// CHECK:         %[[E:.*]] = mirage_thread.exp
// CHECK-NEXT:    %[[S:.*]] = mirage_thread.sqr %[[E]]
// CHECK-NEXT:    mirage_thread.yield %[[E]], %[[S]]
// CHECK:       %[[SUM:.*]] = mirage_block.sum %[[G]]#0 dim 1
// CHECK:       mirage_block.output_saver %[[SUM]]
// CHECK-NEXT:  mirage_block.output_saver %[[G]]#1
func.func @several_users(%x: tensor<4x8xf16>) -> (tensor<4x1xf16>, tensor<4x8xf16>) {
  %z:2 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> (tensor<4x1xf16>, tensor<4x8xf16>) {
  ^bb0(%X: tensor<4x8xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    %e = mirage_block.exp %xt : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf32>
    %s = mirage_block.sum %e dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf16>
    %q = mirage_block.sqr %e : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    mirage_block.output_saver %q omap <x -> 0> : !mirage.tile<4x8xf32> -> tensor<4x8xf16>
  }
  return %z#0, %z#1 : tensor<4x1xf16>, tensor<4x8xf16>
}

// x + (x^2 y) can't hold the square: the product comes in between.
// CHECK-LABEL: func.func @detour
// CHECK:       %[[SQ:.*]] = mirage_block.graph_defined
// CHECK-NEXT:  ^bb0
// CHECK-NEXT:    mirage_thread.sqr
// CHECK-NEXT:    mirage_thread.yield
// CHECK:       %[[P:.*]] = mirage_block.matmul %[[SQ]]
// CHECK-NEXT:  mirage_block.graph_defined(%[[SQ]], %[[P]])
// CHECK:         mirage_thread.add
// CHECK-NEXT:    mirage_thread.exp
func.func @detour(%x: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x8xf16>) -> tensor<8x8xf16> {
  ^bb0(%X: tensor<8x8xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<8x8xf16> -> !mirage.tile<8x8xf16>
    %q = mirage_block.sqr %xt : (!mirage.tile<8x8xf16>) -> !mirage.tile<8x8xf16>
    %p = mirage_block.matmul %q, %xt : (!mirage.tile<8x8xf16>, !mirage.tile<8x8xf16>) -> !mirage.tile<8x8xf16>
    %a = mirage_block.add %q, %p : (!mirage.tile<8x8xf16>, !mirage.tile<8x8xf16>) -> !mirage.tile<8x8xf16>
    %e = mirage_block.exp %a : (!mirage.tile<8x8xf16>) -> !mirage.tile<8x8xf16>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<8x8xf16> -> tensor<8x8xf16>
  }
  return %z : tensor<8x8xf16>
}

// Each of the two chains is convex, but fused both would wait for each other.
// CHECK-LABEL: func.func @mutual
// CHECK:       mirage_block.output_saver
// CHECK-NEXT:  mirage_block.output_saver
func.func @mutual(%x: tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
  %z:2 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<8x8xf16> -> !mirage.tile<8x8xf16>
    %a1 = mirage_block.sqr %t : (!mirage.tile<8x8xf16>) -> !mirage.tile<8x8xf16>
    %b1 = mirage_block.exp %t : (!mirage.tile<8x8xf16>) -> !mirage.tile<8x8xf16>
    %ma = mirage_block.matmul %a1, %t : (!mirage.tile<8x8xf16>, !mirage.tile<8x8xf16>) -> !mirage.tile<8x8xf16>
    %mb = mirage_block.matmul %b1, %t : (!mirage.tile<8x8xf16>, !mirage.tile<8x8xf16>) -> !mirage.tile<8x8xf16>
    %a2 = mirage_block.add %a1, %mb : (!mirage.tile<8x8xf16>, !mirage.tile<8x8xf16>) -> !mirage.tile<8x8xf16>
    %b2 = mirage_block.add %b1, %ma : (!mirage.tile<8x8xf16>, !mirage.tile<8x8xf16>) -> !mirage.tile<8x8xf16>
    mirage_block.output_saver %a2 omap <x -> 0> : !mirage.tile<8x8xf16> -> tensor<8x8xf16>
    mirage_block.output_saver %b2 omap <x -> 0> : !mirage.tile<8x8xf16> -> tensor<8x8xf16>
  }
  return %z#0, %z#1 : tensor<8x8xf16>, tensor<8x8xf16>
}

// The exponential is not fused with what it reads, which is stored for the
// transpose anyway, but with what reads it: so it is in no memory, and two
// graphs are enough.
// CHECK-LABEL: func.func @not_with_what_is_stored_anyway
// CHECK:       %[[TANH:.*]] = mirage_block.graph_defined(%{{.*}}) : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16> {
// CHECK-NEXT:  ^bb0
// CHECK-NEXT:    mirage_thread.tanh
// CHECK-NEXT:    mirage_thread.yield
// CHECK:       %[[T:.*]] = mirage_block.transpose %[[TANH]]
// CHECK-NEXT:  %[[BOTH:.*]]:2 = mirage_block.graph_defined(%[[TANH]], %[[T]])
// CHECK-NEXT:  ^bb0
// CHECK-NEXT:    %[[EXP:.*]] = mirage_thread.exp
// CHECK-NEXT:    %[[SUM:.*]] = mirage_thread.add %[[EXP]]
// CHECK-NEXT:    %[[PRODUCT:.*]] = mirage_thread.mul %[[EXP]]
// CHECK-NEXT:    mirage_thread.yield %[[SUM]], %[[PRODUCT]]
// CHECK:       mirage_block.output_saver %[[BOTH]]#0
// CHECK-NEXT:  mirage_block.output_saver %[[BOTH]]#1
//
// BYTES-LABEL: func.func @not_with_what_is_stored_anyway
// BYTES:       mirage_kernel.graph_defined
// BYTES-SAME:  mirage.shared_bytes = 16384
func.func @not_with_what_is_stored_anyway(%x: tensor<64x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>) {
  %z:2 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<64x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>) {
  ^bb0(%X: tensor<64x64xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
    %a = mirage_block.tanh %xt : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
    %b = mirage_block.exp %a : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
    %t = mirage_block.transpose %a permutation [1, 0] : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
    %c = mirage_block.add %b, %t : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
    %d = mirage_block.mul %b, %t : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
    mirage_block.output_saver %c omap <x -> replica> : !mirage.tile<64x64xf16> -> tensor<64x64xf16>
    mirage_block.output_saver %d omap <x -> replica> : !mirage.tile<64x64xf16> -> tensor<64x64xf16>
  }
  return %z#0, %z#1 : tensor<64x64xf16>, tensor<64x64xf16>
}
