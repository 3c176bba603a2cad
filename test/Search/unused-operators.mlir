// Operators that lead to no output are left out, also where functions are taken for one operator.

// RUN: mirage-opt %s --mirage-superoptimize | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: graph_defined
// CHECK: mirage_block.matmul
// CHECK: mirage_block.relu
// CHECK: func.func private @f_reference(
func.func @f(%unused: tensor<64xf32>, %x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %a = mirage_kernel.matmul %x, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
  %s = mirage_kernel.sqr %a : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = mirage_kernel.exp %s : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %u = mirage_kernel.relu %t : (tensor<16x32xf32>) -> tensor<16x32xf16>
  %dead = mirage_kernel.relu %s : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %more = mirage_kernel.exp %dead : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %u : tensor<16x32xf16>
}

// One that is left out ties the rows of two inputs: rounding errors are compared at sizes at which they still are the same.
// CHECK-LABEL: func.func @tied(
// CHECK: mirage_kernel.graph_defined
// CHECK-NOT: mirage_kernel
// CHECK: func.func private @tied_reference(
func.func @tied(%x: tensor<8x16xf32>, %r: tensor<8x1xf32>, %c: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %dead = mirage_kernel.mul %x, %r : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %s = mirage_kernel.sum %x dim 0 : (tensor<8x16xf32>) -> tensor<1x16xf32>
  %t = mirage_kernel.sum %s dim 1 : (tensor<1x16xf32>) -> tensor<1x1xf32>
  %m = mirage_kernel.max %t, %c : (tensor<1x1xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
  return %m : tensor<1x16xf32>
}

// What the exponential is relative to cancels, so that it must be made safe: it is in no function in one piece, and nothing else is.
// CHECK-LABEL: func.func @cancels(
func.func @cancels(%x: tensor<8x16xf32>, %r: tensor<8x1xf32>) -> tensor<8x16xf32> {
  %q = mirage_kernel.div %x, %r : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %e = mirage_kernel.exp %q : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %a = mirage_kernel.add %r, %e : (tensor<8x1xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = mirage_kernel.sub %a, %e : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %m = mirage_kernel.mul %s, %r : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  return %m : tensor<8x16xf32>
}
