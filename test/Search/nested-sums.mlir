// Sums in functions of which there are sums: whatever the rule `indices` names what they run over, nothing is lost.

// RUN: mirage-opt %s --mirage-superoptimize | FileCheck %s

// CHECK-LABEL: func.func @sum_of_max(
// CHECK-SAME: verdict = "proved"
// CHECK: = mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @sum_of_max(%r: tensor<8x1xf32>, %x: tensor<8x64xf16>) -> tensor<1x1xf32> {
  %0 = mirage_kernel.sum %r dim 0 : (tensor<8x1xf32>) -> tensor<1x1xf32>
  %1 = mirage_kernel.sub %r, %0 : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
  %2 = mirage_kernel.max %x, %1 : (tensor<8x64xf16>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %3 = mirage_kernel.sum %2 dim 0 : (tensor<8x64xf32>) -> tensor<1x64xf32>
  %4 = mirage_kernel.sum %3 dim 1 : (tensor<1x64xf32>) -> tensor<1x1xf32>
  return %4 : tensor<1x1xf32>
}

// The mean distance from the mean.
// CHECK-LABEL: func.func @deviation(
// CHECK-SAME: verdict = "proved"
// CHECK: = mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @deviation(%x: tensor<8x64xf16>) -> tensor<1x1xf32> {
  %0 = mirage_kernel.sum %x dim 0 : (tensor<8x64xf16>) -> tensor<1x64xf32>
  %1 = mirage_kernel.sum %0 dim 1 : (tensor<1x64xf32>) -> tensor<1x1xf32>
  %2 = mirage.constant 512.0 : tensor<f32>
  %3 = mirage_kernel.div %1, %2 : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x1xf32>
  %4 = mirage_kernel.sub %x, %3 : (tensor<8x64xf16>, tensor<1x1xf32>) -> tensor<8x64xf32>
  %5 = mirage_kernel.neg %4 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %6 = mirage_kernel.max %4, %5 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %7 = mirage_kernel.sum %6 dim 0 : (tensor<8x64xf32>) -> tensor<1x64xf32>
  %8 = mirage_kernel.sum %7 dim 1 : (tensor<1x64xf32>) -> tensor<1x1xf32>
  %9 = mirage_kernel.div %8, %2 : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x1xf32>
  return %9 : tensor<1x1xf32>
}

// Cross entropy with soft targets, sum(-t (x - max x - log sum exp(x - max x))): sums distribute over what is negated, so that each
// element is read once.
// CHECK-LABEL: func.func @cross_entropy(
// CHECK-SAME: verdict = "proved"
// CHECK: = mirage_kernel.graph_defined(%arg0, %arg1)
// CHECK: mirage_block.loop
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @cross_entropy(%x: tensor<64x32000xf16>, %t: tensor<64x32000xf16>) -> tensor<64x1xf32> {
  %0 = mirage_kernel.reduce_max %x dim 1 : (tensor<64x32000xf16>) -> tensor<64x1xf32>
  %1 = mirage_kernel.sub %x, %0 : (tensor<64x32000xf16>, tensor<64x1xf32>) -> tensor<64x32000xf32>
  %2 = mirage_kernel.exp %1 : (tensor<64x32000xf32>) -> tensor<64x32000xf32>
  %3 = mirage_kernel.sum %2 dim 1 : (tensor<64x32000xf32>) -> tensor<64x1xf32>
  %4 = mirage_kernel.log %3 : (tensor<64x1xf32>) -> tensor<64x1xf32>
  %5 = mirage_kernel.sub %1, %4 : (tensor<64x32000xf32>, tensor<64x1xf32>) -> tensor<64x32000xf32>
  %6 = mirage_kernel.mul %5, %t : (tensor<64x32000xf32>, tensor<64x32000xf16>) -> tensor<64x32000xf32>
  %7 = mirage_kernel.neg %6 : (tensor<64x32000xf32>) -> tensor<64x32000xf32>
  %8 = mirage_kernel.sum %7 dim 1 : (tensor<64x32000xf32>) -> tensor<64x1xf32>
  return %8 : tensor<64x1xf32>
}
