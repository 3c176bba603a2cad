// RUN: mirage-opt %s | mirage-opt | FileCheck %s
// RUN: mirage-opt --mlir-print-op-generic %s | mirage-opt | FileCheck %s

// CHECK-LABEL: func.func @operators
// CHECK-SAME:  %[[X:.*]]: tensor<4x8xf16>, %[[W:.*]]: tensor<8x4xf16>, %[[B:.*]]: tensor<2x4x8xbf16>, %[[C:.*]]: tensor<2x8x3xbf16>
func.func @operators(%x: tensor<4x8xf16>, %w: tensor<8x4xf16>, %b: tensor<2x4x8xbf16>, %c: tensor<2x8x3xbf16>) {
  // CHECK: %[[MM:.*]] = mirage_kernel.matmul %[[X]], %[[W]] : (tensor<4x8xf16>, tensor<8x4xf16>) -> tensor<4x4xf32>
  %0 = mirage_kernel.matmul %x, %w : (tensor<4x8xf16>, tensor<8x4xf16>) -> tensor<4x4xf32>
  // CHECK: mirage_kernel.matmul %[[B]], %[[C]] : (tensor<2x4x8xbf16>, tensor<2x8x3xbf16>) -> tensor<2x4x3xbf16>
  %1 = mirage_kernel.matmul %b, %c : (tensor<2x4x8xbf16>, tensor<2x8x3xbf16>) -> tensor<2x4x3xbf16>
  // CHECK: mirage_kernel.sum %[[X]] dim 1 : (tensor<4x8xf16>) -> tensor<4x1xf32>
  %2 = mirage_kernel.sum %x dim 1 : (tensor<4x8xf16>) -> tensor<4x1xf32>
  // CHECK: mirage_kernel.sum %[[B]] dim 0 {note = "kept"} : (tensor<2x4x8xbf16>) -> tensor<1x4x8xbf16>
  %3 = mirage_kernel.sum %b dim 0 {note = "kept"} : (tensor<2x4x8xbf16>) -> tensor<1x4x8xbf16>
  // CHECK: %[[K:.*]] = mirage.constant
  %k = mirage.constant 2.0 : tensor<f32>
  // CHECK: mirage_kernel.add %[[X]], %[[K]] : (tensor<4x8xf16>, tensor<f32>) -> tensor<4x8xf16>
  %4 = mirage_kernel.add %x, %k : (tensor<4x8xf16>, tensor<f32>) -> tensor<4x8xf16>
  // CHECK: mirage_kernel.sub %[[X]], %[[B]] : (tensor<4x8xf16>, tensor<2x4x8xbf16>) -> tensor<2x4x8xf32>
  %5 = mirage_kernel.sub %x, %b : (tensor<4x8xf16>, tensor<2x4x8xbf16>) -> tensor<2x4x8xf32>
  // CHECK: mirage_kernel.mul
  %6 = mirage_kernel.mul %2, %x : (tensor<4x1xf32>, tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.div
  %7 = mirage_kernel.div %x, %2 : (tensor<4x8xf16>, tensor<4x1xf32>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.sqr %[[X]] : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %8 = mirage_kernel.sqr %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.sqrt
  %9 = mirage_kernel.sqrt %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.exp
  %10 = mirage_kernel.exp %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.silu
  %11 = mirage_kernel.silu %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.cast %[[X]] : (tensor<4x8xf16>) -> tensor<4x8xbf16>
  %12 = mirage_kernel.cast %x : (tensor<4x8xf16>) -> tensor<4x8xbf16>
  // CHECK: mirage_kernel.reshape %[[X]] : (tensor<4x8xf16>) -> tensor<2x2x8xf16>
  %13 = mirage_kernel.reshape %x : (tensor<4x8xf16>) -> tensor<2x2x8xf16>
  return
}

// CHECK-LABEL: func.func @graph_defined
// CHECK:       mirage_kernel.graph_defined(%{{.*}}, %{{.*}}) grid <x = 2> : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16> {
// CHECK-NEXT:  ^bb0(%[[X:.*]]: tensor<16x64xf16>, %[[W:.*]]: tensor<64x32xf16>):
func.func @graph_defined(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %z = mirage_kernel.graph_defined (%x, %w) grid <x = 2> : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16> {
  ^bb0(%X: tensor<16x64xf16>, %W: tensor<64x32xf16>):
    %sum = mirage_block.loop iterations 4 -> !mirage.tile<16x16xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x64xf16> -> !mirage.tile<16x16xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<64x32xf16> -> !mirage.tile<16x16xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<16x16xf16>, !mirage.tile<16x16xf16>) -> !mirage.tile<16x16xf32>
      mirage_block.accumulate sum %p : !mirage.tile<16x16xf32>
    }
    mirage_block.output_saver %sum omap <x -> 1> : !mirage.tile<16x16xf32> -> tensor<16x32xf16>
  }
  return %z : tensor<16x32xf16>
}

// No operands, and several results.
// CHECK-LABEL: func.func @graph_defined_no_inputs
// CHECK:       %{{.*}}:2 = mirage_kernel.graph_defined() grid <x = 1, y = 1, z = 1> {note} : () -> (tensor<f32>, tensor<f16>) {
func.func @graph_defined_no_inputs() -> (tensor<f32>, tensor<f16>) {
  %0:2 = mirage_kernel.graph_defined () grid <x = 1, y = 1, z = 1> {note} : () -> (tensor<f32>, tensor<f16>) {
    %c = mirage.constant 1.0 : !mirage.tile<f32>
    %s = mirage_block.add %c, %c : (!mirage.tile<f32>, !mirage.tile<f32>) -> !mirage.tile<f32>
    mirage_block.output_saver %s omap <x -> replica, y -> replica, z -> replica> : !mirage.tile<f32> -> tensor<f32>
    mirage_block.output_saver %s omap <x -> replica, y -> replica, z -> replica> : !mirage.tile<f32> -> tensor<f16>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<f16>
}

// CHECK-LABEL: func.func @conv_2d
// CHECK-SAME:  %[[X:.*]]: tensor<4x8x8x3xf16>, %[[W:.*]]: tensor<3x3x3x2xf16>
// CHECK:       mirage_kernel.conv_2d %[[X]], %[[W]] strides [2, 1] padding [0, 1, 0, 0] : (tensor<4x8x8x3xf16>, tensor<3x3x3x2xf16>) -> tensor<4x4x6x2xf32>
func.func @conv_2d(%x: tensor<4x8x8x3xf16>, %w: tensor<3x3x3x2xf16>) {
  %0 = mirage_kernel.conv_2d %x, %w strides [2, 1] padding [0, 1, 0, 0] : (tensor<4x8x8x3xf16>, tensor<3x3x3x2xf16>) -> tensor<4x4x6x2xf32>
  return
}
