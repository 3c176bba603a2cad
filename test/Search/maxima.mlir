// Not every maximum calls for a rescaled sum.

// RUN: mirage-opt %s --split-input-file --mirage-superoptimize="threads=2" | FileCheck %s

// A maximum over another dimension than the loop's: each element has its own, and plain sums are right.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT: mirage_kernel.graph_defined(
// CHECK: mirage_block.loop
// CHECK: mirage_block.exp
// CHECK: mirage_block.accumulate sum
// CHECK: func.func private
func.func @columns(%x: tensor<264x16x4096xf32>) -> tensor<264x16x1xf32> {
  %m = mirage_kernel.reduce_max %x dim 1 : (tensor<264x16x4096xf32>) -> tensor<264x1x4096xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<264x16x4096xf32>, tensor<264x1x4096xf32>) -> tensor<264x16x4096xf32>
  %e = mirage_kernel.exp %d : (tensor<264x16x4096xf32>) -> tensor<264x16x4096xf32>
  %s = mirage_kernel.sum %e dim 2 : (tensor<264x16x4096xf32>) -> tensor<264x16x1xf32>
  return %s : tensor<264x16x1xf32>
}

// -----

// A second maximum, which no exponential is relative to.
// CHECK-LABEL: func.func @weights(
// CHECK: mirage_block.accumulate rescaled_sum
// CHECK: func.func private
func.func @weights(%x: tensor<64x16384xf32>, %z: tensor<16384x32xf32>) -> tensor<64x1xf32> {
  %m = mirage_kernel.reduce_max %x dim 1 : (tensor<64x16384xf32>) -> tensor<64x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<64x16384xf32>, tensor<64x1xf32>) -> tensor<64x16384xf32>
  %e = mirage_kernel.exp %d : (tensor<64x16384xf32>) -> tensor<64x16384xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<64x16384xf32>) -> tensor<64x1xf32>
  %r = mirage_kernel.reduce_max %z dim 1 : (tensor<16384x32xf32>) -> tensor<16384x1xf32>
  %o = mirage_kernel.matmul %e, %r : (tensor<64x16384xf32>, tensor<16384x1xf32>) -> tensor<64x1xf32>
  %y = mirage_kernel.div %o, %s : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
  return %y : tensor<64x1xf32>
}
