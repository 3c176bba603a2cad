// RUN: mirage-opt --convert-linalg-to-mirage --split-input-file %s 2>&1 | FileCheck %s --implicit-check-not=remark

// A norm of groups of channels, with gains and biases of channels: the argument is read in the shape in which it is reduced, by all.

// CHECK-LABEL: func.func @group_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<2x6x4x8xf16>, %[[G:.*]]: tensor<6xf16>, %[[B:.*]]: tensor<6xf16>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<2x6x4x8xf16>) -> tensor<2x3x2x32xf16>
// CHECK-NOT:     %[[X]]
// CHECK:         %[[Y:.*]] = mirage_kernel.silu %{{.*}} : (tensor<2x3x2x32xf32>)
// CHECK-NEXT:    %[[Z:.*]] = mirage_kernel.reshape %[[Y]] : (tensor<2x3x2x32xf16>) -> tensor<2x6x4x8xf16>
// CHECK-NEXT:    return %[[Z]]
func.func @group_norm(%x: tensor<2x6x4x8xf16>, %g: tensor<6xf16>, %b: tensor<6xf16>) -> tensor<2x6x4x8xf16> {
  %0 = mirage_kernel.reshape %x : (tensor<2x6x4x8xf16>) -> tensor<2x3x2x32xf16>
  %1 = mirage_kernel.sqr %0 : (tensor<2x3x2x32xf16>) -> tensor<2x3x2x32xf32>
  %2 = mirage_kernel.sum %1 dim 3 : (tensor<2x3x2x32xf32>) -> tensor<2x3x2x1xf32>
  %3 = mirage_kernel.sum %2 dim 2 : (tensor<2x3x2x1xf32>) -> tensor<2x3x1x1xf32>
  %4 = mirage_kernel.reshape %g : (tensor<6xf16>) -> tensor<1x3x2x1xf16>
  %5 = mirage_kernel.div %4, %3 : (tensor<1x3x2x1xf16>, tensor<2x3x1x1xf32>) -> tensor<2x3x2x1xf32>
  %6 = mirage_kernel.reshape %5 : (tensor<2x3x2x1xf32>) -> tensor<2x6x1x1xf32>
  %7 = mirage_kernel.mul %x, %6 : (tensor<2x6x4x8xf16>, tensor<2x6x1x1xf32>) -> tensor<2x6x4x8xf32>
  %8 = mirage_kernel.reshape %b : (tensor<6xf16>) -> tensor<1x3x2x1xf16>
  %9 = mirage_kernel.add %8, %5 : (tensor<1x3x2x1xf16>, tensor<2x3x2x1xf32>) -> tensor<2x3x2x1xf32>
  %10 = mirage_kernel.reshape %9 : (tensor<2x3x2x1xf32>) -> tensor<2x6x1x1xf32>
  %11 = mirage_kernel.add %7, %10 : (tensor<2x6x4x8xf32>, tensor<2x6x1x1xf32>) -> tensor<2x6x4x8xf32>
  %12 = mirage_kernel.silu %11 : (tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf16>
  return %12 : tensor<2x6x4x8xf16>
}

// -----

// What is small is not broadcast to the same elements in the other shape: the argument is read in both.

// CHECK-LABEL: func.func @others(
// CHECK-SAME:    %[[X:.*]]: tensor<2x6x4xf16>)
// CHECK:         mirage_kernel.mul %[[X]], %{{.*}} : (tensor<2x6x4xf16>, tensor<2x6x1xf32>)
func.func @others(%x: tensor<2x6x4xf16>) -> tensor<2x6x4xf16> {
  %0 = mirage_kernel.reshape %x : (tensor<2x6x4xf16>) -> tensor<2x3x8xf16>
  %1 = mirage_kernel.sum %0 dim 2 : (tensor<2x3x8xf16>) -> tensor<2x3x1xf32>
  %2 = mirage_kernel.exp %1 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %3 = mirage_kernel.concat %1, %2 dim 2 : (tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x2xf32>
  %4 = mirage_kernel.reshape %3 : (tensor<2x3x2xf32>) -> tensor<2x6x1xf32>
  %5 = mirage_kernel.mul %x, %4 : (tensor<2x6x4xf16>, tensor<2x6x1xf32>) -> tensor<2x6x4xf16>
  return %5 : tensor<2x6x4xf16>
}
