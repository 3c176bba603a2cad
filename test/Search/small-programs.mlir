// Chains and reductions become one kernel each; exponentials are relative to the maximum.

// RUN: mirage-opt %s --mirage-superoptimize="threads=2" --mirage-verify-equivalence | FileCheck %s

// CHECK: func.func @softmax(
// CHECK-NEXT: mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel
// CHECK: mirage_block.reduce_max
// CHECK: func.func private @softmax_reference
func.func @softmax(%x: tensor<512x1024xf16>) -> tensor<512x1024xf16> {
  %e = mirage_kernel.exp %x : (tensor<512x1024xf16>) -> tensor<512x1024xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<512x1024xf32>) -> tensor<512x1xf32>
  %r = mirage_kernel.div %e, %s : (tensor<512x1024xf32>, tensor<512x1xf32>) -> tensor<512x1024xf16>
  return %r : tensor<512x1024xf16>
}

// Two results of one kernel.
// CHECK: func.func @two_results(
// CHECK-NEXT: %{{.*}}:2 = mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel
// CHECK: func.func private @two_results_reference
func.func @two_results(%x: tensor<512x1024xf16>, %y: tensor<512x1024xf16>) -> (tensor<512x1024xf16>, tensor<512x1024xf16>) {
  %a = mirage_kernel.add %x, %y : (tensor<512x1024xf16>, tensor<512x1024xf16>) -> tensor<512x1024xf16>
  %b = mirage_kernel.mul %a, %y : (tensor<512x1024xf16>, tensor<512x1024xf16>) -> tensor<512x1024xf16>
  return %a, %b : tensor<512x1024xf16>, tensor<512x1024xf16>
}
