// RUN: mirage-opt %s | mirage-opt | FileCheck %s
// RUN: mirage-opt --mlir-print-op-generic %s | mirage-opt | FileCheck %s

// CHECK-LABEL: func.func @operators
func.func @operators(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  // CHECK: ^bb0(%[[X:.*]]: tensor<8x8xf16>):
  ^bb0(%X: tensor<8x8xf16>):
    // CHECK: %[[A:.*]] = mirage_block.input_iterator %[[X]] imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    %a = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // CHECK: %[[B:.*]] = mirage_block.input_iterator %[[X]] imap <x -> 1> {note} : tensor<8x8xf16> -> !mirage.tile<8x4xf16>
    %b = mirage_block.input_iterator %X imap <x -> 1> {note} : tensor<8x8xf16> -> !mirage.tile<8x4xf16>
    // CHECK: mirage_block.matmul %[[A]], %[[B]] : (!mirage.tile<4x8xf16>, !mirage.tile<8x4xf16>) -> !mirage.tile<4x4xf32>
    %0 = mirage_block.matmul %a, %b : (!mirage.tile<4x8xf16>, !mirage.tile<8x4xf16>) -> !mirage.tile<4x4xf32>
    // CHECK: %[[S:.*]] = mirage_block.sum %[[A]] dim 1 : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x1xf32>
    %1 = mirage_block.sum %a dim 1 : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x1xf32>
    // CHECK: %[[K:.*]] = mirage.constant 2.000000e+00 : !mirage.tile<f32>
    %k = mirage.constant 2.0 : !mirage.tile<f32>
    // CHECK: mirage_block.add %[[A]], %[[S]] : (!mirage.tile<4x8xf16>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x8xf32>
    %2 = mirage_block.add %a, %1 : (!mirage.tile<4x8xf16>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x8xf32>
    // CHECK: mirage_block.sub %[[A]], %[[K]] : (!mirage.tile<4x8xf16>, !mirage.tile<f32>) -> !mirage.tile<4x8xf16>
    %3 = mirage_block.sub %a, %k : (!mirage.tile<4x8xf16>, !mirage.tile<f32>) -> !mirage.tile<4x8xf16>
    // CHECK: mirage_block.mul
    %4 = mirage_block.mul %a, %a : (!mirage.tile<4x8xf16>, !mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf16>
    // CHECK: mirage_block.div
    %5 = mirage_block.div %a, %1 : (!mirage.tile<4x8xf16>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x8xf32>
    // CHECK: mirage_block.sqr %[[A]] : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf32>
    %6 = mirage_block.sqr %a : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf32>
    // CHECK: mirage_block.sqrt
    %7 = mirage_block.sqrt %a : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf32>
    // CHECK: mirage_block.exp
    %8 = mirage_block.exp %a : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf32>
    // CHECK: mirage_block.silu
    %9 = mirage_block.silu %a : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf32>
    // CHECK: mirage_block.cast %[[A]] : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xbf16>
    %10 = mirage_block.cast %a : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xbf16>
  }
  return
}

// CHECK-LABEL: func.func @loop
func.func @loop(%x: tensor<8x16xf16>) -> (tensor<8x8xf16>, tensor<8x4xf16>) {
  %0:2 = mirage_kernel.graph_defined (%x) grid <x = 2, y = 4, z = 1> : (tensor<8x16xf16>) -> (tensor<8x8xf16>, tensor<8x4xf16>) {
  ^bb0(%X: tensor<8x16xf16>):
    // CHECK: %[[LOOP:.*]]:2 = mirage_block.loop iterations 2 -> !mirage.tile<4x2xf32>, !mirage.tile<4x1xf32> attributes {note} {
    %t, %s = mirage_block.loop iterations 2 -> !mirage.tile<4x2xf32>, !mirage.tile<4x1xf32> attributes {note} {
      // CHECK: %[[T:.*]] = mirage_block.input_iterator %{{.*}} imap <x -> 0, y -> 1, z -> replica> fmap <i -> 1> : tensor<8x16xf16> -> !mirage.tile<4x2xf16>
      %a = mirage_block.input_iterator %X imap <x -> 0, y -> 1, z -> replica> fmap <i -> 1> : tensor<8x16xf16> -> !mirage.tile<4x2xf16>
      // CHECK: mirage_block.input_iterator %{{.*}} imap <x -> replica, y -> replica, z -> replica> fmap <i -> replica> : tensor<8x16xf16> -> !mirage.tile<8x16xf16>
      %b = mirage_block.input_iterator %X imap <x -> replica, y -> replica, z -> replica> fmap <i -> replica> : tensor<8x16xf16> -> !mirage.tile<8x16xf16>
      // CHECK: %[[U:.*]] = mirage_block.sum
      %u = mirage_block.sum %a dim 1 : (!mirage.tile<4x2xf16>) -> !mirage.tile<4x1xf16>
      // CHECK: mirage_block.accumulate sum %[[T]], sum %[[U]] {note} : !mirage.tile<4x2xf16>, !mirage.tile<4x1xf16>
      mirage_block.accumulate sum %a, sum %u {note} : !mirage.tile<4x2xf16>, !mirage.tile<4x1xf16>
    }
    // CHECK: mirage_block.output_saver %{{.*}} omap <x -> 0, y -> 1, z -> replica> : !mirage.tile<4x2xf32> -> tensor<8x8xf16>
    %r = mirage.constant 0.5 : !mirage.tile<f32>
    %z = mirage_block.mul %t, %r : (!mirage.tile<4x2xf32>, !mirage.tile<f32>) -> !mirage.tile<4x2xf32>
    mirage_block.output_saver %z omap <x -> 0, y -> 1, z -> replica> : !mirage.tile<4x2xf32> -> tensor<8x8xf16>
    // CHECK: mirage_block.output_saver %[[LOOP]]#1 omap <x -> 0, y -> 1, z -> replica> {note} : !mirage.tile<4x1xf32> -> tensor<8x4xf16>
    mirage_block.output_saver %s omap <x -> 0, y -> 1, z -> replica> {note} : !mirage.tile<4x1xf32> -> tensor<8x4xf16>
  }
  return %0#0, %0#1 : tensor<8x8xf16>, tensor<8x4xf16>
}

// A loop without accumulators.
// CHECK-LABEL: func.func @empty_loop
func.func @empty_loop() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    // CHECK:      mirage_block.loop iterations 3 {
    // CHECK-NEXT: mirage_block.accumulate{{ *}}
    // CHECK-NEXT: }
    mirage_block.loop iterations 3 {
      mirage_block.accumulate
    }
  }
  return
}

// CHECK-LABEL: func.func @thread_graph
func.func @thread_graph(%x: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x8xf16>) -> tensor<8x8xf16> {
  ^bb0(%X: tensor<8x8xf16>):
    %a = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<8x8xf16>
    // CHECK:      %[[R:.*]]:2 = mirage_block.graph_defined(%{{.*}}) {note} : (!mirage.tile<8x8xf16>) -> (!mirage.tile<8x8xf16>, !mirage.tile<8x8xf32>) {
    // CHECK-NEXT: ^bb0(%[[F:.*]]: !mirage.fragment<8x8xf16>):
    // CHECK-NEXT:   %[[E:.*]] = mirage_thread.exp %[[F]]
    // CHECK-NEXT:   mirage_thread.yield %[[E]], %[[F]] : !mirage.fragment<8x8xf32>, !mirage.fragment<8x8xf16>
    %r:2 = mirage_block.graph_defined (%a) {note} : (!mirage.tile<8x8xf16>) -> (!mirage.tile<8x8xf16>, !mirage.tile<8x8xf32>) {
    ^bb0(%f: !mirage.fragment<8x8xf16>):
      %e = mirage_thread.exp %f : (!mirage.fragment<8x8xf16>) -> !mirage.fragment<8x8xf32>
      mirage_thread.yield %e, %f : !mirage.fragment<8x8xf32>, !mirage.fragment<8x8xf16>
    }
    mirage_block.output_saver %r#0 omap <x -> 0> : !mirage.tile<8x8xf16> -> tensor<8x8xf16>
  }
  return %0 : tensor<8x8xf16>
}

// Every kind of accumulator.
// CHECK-LABEL: func.func @accumulators
func.func @accumulators(%x: tensor<16x32xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x32xf16>) -> () {
  ^bb0(%X: tensor<16x32xf16>):
    %a:5 = mirage_block.loop iterations 4 -> !mirage.tile<16x8xf32>, !mirage.tile<16x1xf16>, !mirage.tile<16x32xf16>, !mirage.tile<16x8xf32>, !mirage.tile<64x8xf16> {
      // CHECK: %[[T:.*]] = mirage_block.input_iterator
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x32xf16> -> !mirage.tile<16x8xf16>
      // CHECK: %[[M:.*]] = mirage_block.reduce_max
      %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<16x8xf16>) -> !mirage.tile<16x1xf16>
      // CHECK-NEXT: mirage_block.accumulate rescaled_sum %[[T]] by %[[M]], max %[[M]], concat %[[T]] dim 1, sum %[[T]], concat %[[T]] dim 0 {note}
      // CHECK-SAME: : !mirage.tile<16x8xf16> by !mirage.tile<16x1xf16>, !mirage.tile<16x1xf16>, !mirage.tile<16x8xf16>, !mirage.tile<16x8xf16>, !mirage.tile<16x8xf16>
      mirage_block.accumulate rescaled_sum %t by %m, max %m, concat %t dim 1, sum %t, concat %t dim 0 {note}
          : !mirage.tile<16x8xf16> by !mirage.tile<16x1xf16>, !mirage.tile<16x1xf16>, !mirage.tile<16x8xf16>, !mirage.tile<16x8xf16>, !mirage.tile<16x8xf16>
    }
  }
  return
}
