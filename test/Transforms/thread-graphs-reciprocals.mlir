// RUN: mirage-opt --mirage-construct-thread-graphs %s | FileCheck %s

// Rows that are divided by their sums are multiplied by reciprocals, of which a
// row has one. What divides twice has one tile of them.
// CHECK-LABEL: func.func @rows
// CHECK:         %[[SUM:.*]] = mirage_block.sum
// CHECK:         %[[ONES:.*]] = mirage_block.graph_defined(%[[SUM]])
// CHECK:           %[[ONE:.*]] = mirage.constant 1.{{.*}} : !mirage.fragment<f32>
// CHECK:           mirage_thread.div %[[ONE]], %{{.*}} : {{.*}} -> !mirage.fragment<32x1xf32>
// CHECK-NOT:     mirage_thread.div
// CHECK:         mirage_block.graph_defined(%{{.*}}, %[[ONES]])
// CHECK:           mirage_thread.mul
// CHECK:           mirage_thread.mul
// CHECK-NOT:     mirage_thread.div
// CHECK:         mirage_block.output_saver
func.func @rows(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x64xf32>) -> tensor<32x64xf32> {
  ^bb0(%X: tensor<32x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x64xf32> -> !mirage.tile<32x64xf32>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<32x64xf32>) -> !mirage.tile<32x1xf32>
    %q = mirage_block.div %t, %s : (!mirage.tile<32x64xf32>, !mirage.tile<32x1xf32>) -> !mirage.tile<32x64xf32>
    %r = mirage_block.div %q, %s : (!mirage.tile<32x64xf32>, !mirage.tile<32x1xf32>) -> !mirage.tile<32x64xf32>
    mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<32x64xf32> -> tensor<32x64xf32>
  }
  return %z : tensor<32x64xf32>
}

// A constant has a constant for its reciprocal.
// CHECK-LABEL: func.func @constant
// CHECK:         %[[FOURTH:.*]] = mirage.constant 2.5{{0*}}e-01
// CHECK:         mirage_thread.mul %{{.*}}, %[[FOURTH]]
func.func @constant(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x64xf32>) -> tensor<32x64xf32> {
  ^bb0(%X: tensor<32x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x64xf32> -> !mirage.tile<32x64xf32>
    %c = mirage.constant 4.0 : !mirage.tile<f32>
    %q = mirage_block.div %t, %c : (!mirage.tile<32x64xf32>, !mirage.tile<f32>) -> !mirage.tile<32x64xf32>
    mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<32x64xf32> -> tensor<32x64xf32>
  }
  return %z : tensor<32x64xf32>
}

// Few elements, and as many divisors as elements, are divided.
// CHECK-LABEL: func.func @few
// CHECK:         mirage_thread.div
// CHECK:         mirage_thread.div
// CHECK-NOT:     mirage_thread.mul
func.func @few(%x: tensor<32x64xf32>, %y: tensor<4x64xf32>) -> (tensor<32x64xf32>, tensor<4x64xf32>) {
  %z:2 = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<32x64xf32>, tensor<4x64xf32>) -> (tensor<32x64xf32>, tensor<4x64xf32>) {
  ^bb0(%X: tensor<32x64xf32>, %Y: tensor<4x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x64xf32> -> !mirage.tile<32x64xf32>
    %u = mirage_block.input_iterator %Y imap <x -> replica> : tensor<4x64xf32> -> !mirage.tile<4x64xf32>
    %s = mirage_block.sum %u dim 1 : (!mirage.tile<4x64xf32>) -> !mirage.tile<4x1xf32>
    %q = mirage_block.div %t, %t : (!mirage.tile<32x64xf32>, !mirage.tile<32x64xf32>) -> !mirage.tile<32x64xf32>
    %r = mirage_block.div %u, %s : (!mirage.tile<4x64xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x64xf32>
    mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<32x64xf32> -> tensor<32x64xf32>
    mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<4x64xf32> -> tensor<4x64xf32>
  }
  return %z#0, %z#1 : tensor<32x64xf32>, tensor<4x64xf32>
}
