// The cross entropy of smoothed labels is the sum of products of two sums: logarithms of a softmax, x - max - log, and smoothed labels, a t + c.
// Distributed over the first one it needs the logits once, in one kernel.

// RUN: mirage-opt %s --mirage-superoptimize=report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// REPORT: "exhausted": true

// CHECK-LABEL: func.func @loss(
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.graph_defined(
// CHECK-COUNT-2: mirage_block.input_iterator
// CHECK-NOT: mirage_block.input_iterator
// CHECK: mirage_block.accumulate
// CHECK-NOT: mirage_kernel.graph_defined
// CHECK: return
func.func @loss(%x: tensor<512x32000xf32>, %t: tensor<512x32000xf32>) -> tensor<512x1xf32> {
  %0 = mirage_kernel.reduce_max %x dim 1 : (tensor<512x32000xf32>) -> tensor<512x1xf32>
  %1 = mirage_kernel.sub %x, %0 : (tensor<512x32000xf32>, tensor<512x1xf32>) -> tensor<512x32000xf32>
  %2 = mirage_kernel.exp %1 : (tensor<512x32000xf32>) -> tensor<512x32000xf32>
  %3 = mirage_kernel.sum %2 dim 1 : (tensor<512x32000xf32>) -> tensor<512x1xf32>
  %4 = mirage_kernel.log %3 : (tensor<512x1xf32>) -> tensor<512x1xf32>
  %5 = mirage_kernel.sub %1, %4 : (tensor<512x32000xf32>, tensor<512x1xf32>) -> tensor<512x32000xf32>
  %6 = mirage.constant 0.9 : tensor<f32>
  %7 = mirage_kernel.mul %t, %6 : (tensor<512x32000xf32>, tensor<f32>) -> tensor<512x32000xf32>
  %8 = mirage.constant 0.000003125 : tensor<f32>
  %9 = mirage_kernel.add %7, %8 : (tensor<512x32000xf32>, tensor<f32>) -> tensor<512x32000xf32>
  %10 = mirage_kernel.mul %5, %9 : (tensor<512x32000xf32>, tensor<512x32000xf32>) -> tensor<512x32000xf32>
  %11 = mirage_kernel.neg %10 : (tensor<512x32000xf32>) -> tensor<512x32000xf32>
  %12 = mirage_kernel.sum %11 dim 1 : (tensor<512x32000xf32>) -> tensor<512x1xf32>
  return %12 : tensor<512x1xf32>
}
