// Safe softmaxes of rank 4, and two in a row: shifting the exponentials of a program leaves nothing of what it takes away.

// RUN: mirage-opt %s --mirage-superoptimize | FileCheck %s

// CHECK-LABEL: func.func @softmax(
// CHECK: %[[R:.*]] = mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.
// CHECK: return %[[R]]
func.func @softmax(%x: tensor<2x4x64x128xf32>) -> tensor<2x4x64x128xf32> {
  %m = mirage_kernel.reduce_max %x dim 3 : (tensor<2x4x64x128xf32>) -> tensor<2x4x64x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<2x4x64x128xf32>, tensor<2x4x64x1xf32>) -> tensor<2x4x64x128xf32>
  %e = mirage_kernel.exp %d : (tensor<2x4x64x128xf32>) -> tensor<2x4x64x128xf32>
  %s = mirage_kernel.sum %e dim 3 : (tensor<2x4x64x128xf32>) -> tensor<2x4x64x1xf32>
  %r = mirage_kernel.div %e, %s : (tensor<2x4x64x128xf32>, tensor<2x4x64x1xf32>) -> tensor<2x4x64x128xf32>
  return %r : tensor<2x4x64x128xf32>
}

// CHECK-LABEL: func.func @twice(
// CHECK: %[[R:.*]] = mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.
// CHECK: return %[[R]]
func.func @twice(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %m = mirage_kernel.reduce_max %x dim 1 : (tensor<64x128xf32>) -> tensor<64x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %e = mirage_kernel.exp %d : (tensor<64x128xf32>) -> tensor<64x128xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<64x128xf32>) -> tensor<64x1xf32>
  %r = mirage_kernel.div %e, %s : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %n = mirage_kernel.reduce_max %y dim 1 : (tensor<64x128xf32>) -> tensor<64x1xf32>
  %f = mirage_kernel.sub %y, %n : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %g = mirage_kernel.exp %f : (tensor<64x128xf32>) -> tensor<64x128xf32>
  %t = mirage_kernel.sum %g dim 1 : (tensor<64x128xf32>) -> tensor<64x1xf32>
  %u = mirage_kernel.div %g, %t : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %v = mirage_kernel.add %r, %u : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %v : tensor<64x128xf32>
}

// What is subtracted has an exponential of its own, which shifting takes away. The quotients are no part of a function
// in one piece, in which nothing cancels.
// CHECK-LABEL: func.func @dead(
// CHECK: %[[R:.*]] = mirage_kernel.graph_defined(
// CHECK-COUNT-2: reduce_max
// CHECK-NOT: mirage_kernel.
// CHECK: return %[[R]]
// CHECK: func.func private @dead_reference(
func.func @dead(%x: tensor<64x128xf32>, %y: tensor<64x1xf32>, %z: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %a = mirage_kernel.exp %y : (tensor<64x1xf32>) -> tensor<64x1xf32>
  %d = mirage_kernel.sub %x, %a : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %e = mirage_kernel.exp %d : (tensor<64x128xf32>) -> tensor<64x128xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<64x128xf32>) -> tensor<64x1xf32>
  %r = mirage_kernel.div %e, %s : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %g = mirage_kernel.exp %z : (tensor<64x128xf32>) -> tensor<64x128xf32>
  %t = mirage_kernel.sum %g dim 1 : (tensor<64x128xf32>) -> tensor<64x1xf32>
  %u = mirage_kernel.div %g, %t : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %v = mirage_kernel.add %r, %u : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %v : tensor<64x128xf32>
}

// The rounding errors of a program with safe exponentials are those of the program as it is given, at small sizes of its own tensors.
// CHECK-LABEL: func.func @query(
// CHECK: mirage_kernel.graph_defined
// CHECK-NOT: mirage_kernel
// CHECK: func.func private @query_reference(
func.func @query(%q: tensor<2x1x64xf16>, %w: tensor<64x64xf16>) -> tensor<2x64xf16> {
  %0 = mirage_kernel.exp %q : (tensor<2x1x64xf16>) -> tensor<2x1x64xf16>
  %1 = mirage_kernel.sum %0 dim 2 : (tensor<2x1x64xf16>) -> tensor<2x1x1xf32>
  %2 = mirage_kernel.div %0, %1 : (tensor<2x1x64xf16>, tensor<2x1x1xf32>) -> tensor<2x1x64xf16>
  %3 = mirage_kernel.reshape %2 : (tensor<2x1x64xf16>) -> tensor<2x64xf16>
  %4 = mirage_kernel.matmul %3, %w : (tensor<2x64xf16>, tensor<64x64xf16>) -> tensor<2x64xf16>
  return %4 : tensor<2x64xf16>
}

// What it is relative to cancels in the second quotient.
// CHECK-LABEL: func.func @squared(
// CHECK: mirage_kernel.graph_defined
// CHECK: mirage_block.reduce_max
// CHECK: func.func private @squared_reference(
func.func @squared(%x: tensor<64x128xf32>, %g: tensor<64x128xf32>, %r: tensor<64x128xf32>, %b: tensor<128xf32>) -> tensor<64x128xf32> {
  %e = mirage_kernel.exp %x : (tensor<64x128xf32>) -> tensor<64x128xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<64x128xf32>) -> tensor<64x1xf32>
  %ee = mirage_kernel.mul %e, %e : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = mirage_kernel.div %ee, %s : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %q = mirage_kernel.div %p, %s : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %t = mirage_kernel.mul %q, %g : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %u = mirage_kernel.add %t, %r : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %v = mirage_kernel.mul %u, %b : (tensor<64x128xf32>, tensor<128xf32>) -> tensor<64x128xf32>
  return %v : tensor<64x128xf32>
}

// A temperature behind the maximum: one maximum is left, of what is divided.
// CHECK-LABEL: func.func @temperature(
// CHECK-COUNT-1: mirage_kernel.graph_defined
// CHECK: mirage_block.div
// CHECK-COUNT-1: mirage_block.reduce_max
// CHECK-NOT: mirage_block.reduce_max
// CHECK: func.func private @temperature_reference(
func.func @temperature(%x: tensor<512x1024xf16>) -> tensor<512x1024xf16> {
  %t = mirage.constant 3.0 : tensor<f32>
  %m = mirage_kernel.reduce_max %x dim 1 : (tensor<512x1024xf16>) -> tensor<512x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<512x1024xf16>, tensor<512x1xf32>) -> tensor<512x1024xf32>
  %c = mirage_kernel.div %d, %t : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512x1024xf32>
  %e = mirage_kernel.exp %c : (tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<512x1024xf32>) -> tensor<512x1xf32>
  %y = mirage_kernel.div %e, %s : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1024xf16>
  return %y : tensor<512x1024xf16>
}
