// Operators for which there is no schedule stay: the conversion to the GPU
// computes them element by element.

// RUN: mirage-opt --mirage-schedule-kernels=max-shared-bytes=16 %s | FileCheck %s

// Three of the four dimensions can be cut, which leaves 8 elements, twice.
// CHECK-LABEL: func.func @four_dimensions
// CHECK:       mirage_kernel.exp
func.func @four_dimensions(%x: tensor<8x8x8x24xf16>) -> tensor<8x8x8x24xf16> {
  %y = mirage_kernel.exp %x : (tensor<8x8x8x24xf16>) -> tensor<8x8x8x24xf16>
  return %y : tensor<8x8x8x24xf16>
}

// Only sums are cut by a loop.
// CHECK-LABEL: func.func @long_maximum
// CHECK:       mirage_kernel.reduce_max
func.func @long_maximum(%x: tensor<4x64xf16>) -> tensor<4x1xf16> {
  %y = mirage_kernel.reduce_max %x dim 1 : (tensor<4x64xf16>) -> tensor<4x1xf16>
  return %y : tensor<4x1xf16>
}

// No loops describe these. A constant among the operands is written to memory.
// CHECK-LABEL: func.func @no_loops
// CHECK:       %[[C:.*]] = mirage_kernel.graph_defined() grid <x = 1>
// CHECK:       mirage_kernel.conv_2d
// CHECK:       mirage_kernel.repeat
// CHECK:       mirage_kernel.broadcast %[[C]]
// CHECK:       mirage_kernel.concat
// CHECK:       mirage_kernel.sum %{{.*}} dim 0 size 2
func.func @no_loops(%x: tensor<1x2x2x1xf16>, %w: tensor<1x1x1x1xf16>) -> tensor<2x2x2x1xf16> {
  %c = mirage.constant 2.0 : tensor<f32>
  %0 = mirage_kernel.conv_2d %x, %w strides [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x2x1xf16>, tensor<1x1x1x1xf16>) -> tensor<1x2x2x1xf16>
  %1 = mirage_kernel.repeat %0 dim 0 times 2 : (tensor<1x2x2x1xf16>) -> tensor<2x2x2x1xf16>
  %2 = mirage_kernel.broadcast %c : (tensor<f32>) -> tensor<2x2x2x1xf16>
  %3 = mirage_kernel.concat %1, %2 dim 0 : (tensor<2x2x2x1xf16>, tensor<2x2x2x1xf16>) -> tensor<4x2x2x1xf16>
  %4 = mirage_kernel.sum %3 dim 0 size 2 : (tensor<4x2x2x1xf16>) -> tensor<2x2x2x1xf16>
  return %4 : tensor<2x2x2x1xf16>
}
