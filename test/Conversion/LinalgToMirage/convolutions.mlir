// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics -split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @nhwc_hwcf(
// CHECK-SAME:    %[[X:.*]]: tensor<2x7x6x4xf16>, %[[W:.*]]: tensor<3x2x4x5xf16>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.conv_2d %[[X]], %[[W]] strides [2, 1] padding [0, 0, 0, 0] : (tensor<2x7x6x4xf16>, tensor<3x2x4x5xf16>) -> tensor<2x3x5x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @nhwc_hwcf(%x: tensor<2x7x6x4xf16>, %w: tensor<3x2x4x5xf16>) -> tensor<2x3x5x5xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3x5x5xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<2x7x6x4xf16>, tensor<3x2x4x5xf16>) outs(%zero : tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
  return %r : tensor<2x3x5x5xf32>
}

// -----

// The padding is the convolution's, and the start value, here a bias, is added.
// Nothing is left of the broadcast that made it.

// CHECK-LABEL: func.func @padded(
// CHECK-SAME:    %[[X:.*]]: tensor<1x5x6x4xf32>, %[[W:.*]]: tensor<8x3x3x4xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[W]] permutation [1, 2, 3, 0] : (tensor<8x3x3x4xf32>) -> tensor<3x3x4x8xf32>
// CHECK-NEXT:    %[[C:.*]] = mirage_kernel.conv_2d %[[X]], %[[T]] strides [1, 1] padding [1, 0, 2, 1] : {{.*}} -> tensor<1x4x7x8xf32>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.add %[[C]], %[[B]] : (tensor<1x4x7x8xf32>, tensor<8xf32>) -> tensor<1x4x7x8xf32>
// CHECK-NEXT:    return %[[R]]
func.func @padded(%x: tensor<1x5x6x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>) -> tensor<1x4x7x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x5x6x4xf32> to tensor<1x6x9x4xf32>
  %e = tensor.empty() : tensor<1x4x7x8xf32>
  %init = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<1x4x7x8xf32>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<1x6x9x4xf32>, tensor<8x3x3x4xf32>) outs(%init : tensor<1x4x7x8xf32>) -> tensor<1x4x7x8xf32>
  return %r : tensor<1x4x7x8xf32>
}

// -----

// Channels first: three transposes. The rounding is the result's.

// CHECK-LABEL: func.func @nchw(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x7x6xf16>, %[[W:.*]]: tensor<5x4x3x2xf16>)
// CHECK-DAG:     %[[XT:.*]] = mirage_kernel.transpose %[[X]] permutation [0, 2, 3, 1] : (tensor<2x4x7x6xf16>) -> tensor<2x7x6x4xf16>
// CHECK-DAG:     %[[WT:.*]] = mirage_kernel.transpose %[[W]] permutation [2, 3, 1, 0] : (tensor<5x4x3x2xf16>) -> tensor<3x2x4x5xf16>
// CHECK:         %[[C:.*]] = mirage_kernel.conv_2d %[[XT]], %[[WT]] strides [1, 1] padding [1, 1, 0, 0] : {{.*}} -> tensor<2x7x5x5xf16>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.transpose %[[C]] permutation [0, 3, 1, 2] : (tensor<2x7x5x5xf16>) -> tensor<2x5x7x5xf16>
// CHECK-NEXT:    return %[[R]]
func.func @nchw(%x: tensor<2x4x7x6xf16>, %w: tensor<5x4x3x2xf16>) -> tensor<2x5x7x5xf16> {
  %zero = arith.constant 0.0 : f16
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f16
  } : tensor<2x4x7x6xf16> to tensor<2x4x9x6xf16>
  %zeros = arith.constant dense<0.0> : tensor<2x5x7x5xf16>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x4x9x6xf16>, tensor<5x4x3x2xf16>) outs(%zeros : tensor<2x5x7x5xf16>) -> tensor<2x5x7x5xf16>
  return %r : tensor<2x5x7x5xf16>
}

// -----

// The same image, padded, for two: a convolution and something else.

// CHECK-LABEL: func.func @shared_padding(
// CHECK-SAME:    %[[X:.*]]: tensor<1x4x4x2xf32>, %[[W:.*]]: tensor<3x3x2x2xf32>)
// CHECK-DAG:     mirage_kernel.conv_2d %[[X]], %[[W]] strides [1, 1] padding [1, 1, 0, 0]
// CHECK-DAG:     %[[ZERO:.*]] = mirage.constant 0.000000e+00
// CHECK-DAG:     %[[ROW:.*]] = mirage_kernel.broadcast %[[ZERO]] : (tensor<f32>) -> tensor<1x1x4x2xf32>
// CHECK-DAG:     %[[ABOVE:.*]] = mirage_kernel.concat %[[ROW]], %[[X]] dim 1
// CHECK-DAG:     %[[BELOW:.*]] = mirage_kernel.concat %[[ABOVE]], %[[ROW]] dim 1
// CHECK-DAG:     mirage_kernel.exp %[[BELOW]]
// CHECK-NOT:     tensor.pad
// CHECK:         return
func.func @shared_padding(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x2x2xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x6x4x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x4x2xf32> to tensor<1x6x4x2xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x4x2x2xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x6x4x2xf32>, tensor<3x3x2x2xf32>) outs(%zeros : tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %e = tensor.empty() : tensor<1x6x4x2xf32>
  %s = linalg.exp ins(%p : tensor<1x6x4x2xf32>) outs(%e : tensor<1x6x4x2xf32>) -> tensor<1x6x4x2xf32>
  return %r, %s : tensor<1x4x2x2xf32>, tensor<1x6x4x2xf32>
}

// -----

// Channels that are padded, and numbers other than 0, are no padding of a
// convolution.

// CHECK-LABEL: func.func @other_padding(
// CHECK-COUNT-2: mirage_kernel.concat
// CHECK:         mirage_kernel.conv_2d {{.*}} padding [0, 0, 0, 0]
// CHECK-NOT:     tensor.pad
func.func @other_padding(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x3x2xf32>, %v: tensor<2x1x2x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x4x4x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 0, 0, 1] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x4x4x2xf32> to tensor<1x4x4x3xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x2x2x2xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x4x4x3xf32>, tensor<3x3x3x2xf32>) outs(%zeros : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %q = tensor.pad %x low[0, 1, 0, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %one : f32
  } : tensor<1x4x4x2xf32> to tensor<1x5x4x2xf32>
  %zeros2 = arith.constant dense<0.0> : tensor<1x4x4x2xf32>
  %s = linalg.conv_2d_nhwc_hwcf ins(%q, %v : tensor<1x5x4x2xf32>, tensor<2x1x2x2xf32>) outs(%zeros2 : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %r, %s : tensor<1x2x2x2xf32>, tensor<1x4x4x2xf32>
}

// -----

func.func @dilation(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x4x4x4xf32>
  // expected-remark @below {{not imported: a convolution with dilation 2 has no Mirage operator}}
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) outs(%zero : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

// -----

func.func @left_out(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x4xf32>) -> tensor<1x5x6x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x5x6x4xf32>
  // expected-remark @below {{not imported: the convolution leaves out positions of its filter}}
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) outs(%zero : tensor<1x5x6x4xf32>) -> tensor<1x5x6x4xf32>
  return %r : tensor<1x5x6x4xf32>
}

// -----

func.func @depthwise(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4xf32>) -> tensor<1x6x6x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x6x6x4xf32>
  // expected-remark @below {{is not a projection of the loops}}
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4xf32>) outs(%zero : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %r : tensor<1x6x6x4xf32>
}
