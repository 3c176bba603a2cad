// An elementwise function of five tensors, with more operators than max-block-ops: nothing is searched in it, and it is one kernel.

// RUN: mirage-opt %s --mirage-superoptimize="report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// CHECK-LABEL: func.func @function(
// CHECK-SAME: verdict = "proved"
// CHECK: = mirage_kernel.graph_defined(
// CHECK-COUNT-12: mirage_block.{{add|sub|mul}}
// CHECK-NOT: mirage_kernel.
// CHECK: return
// REPORT: "exhausted": true
func.func @function(%a: tensor<64x1024xf16>, %b: tensor<64x1024xf16>, %c: tensor<64x1024xf16>, %d: tensor<64x1024xf16>, %e: tensor<64x1024xf16>) -> tensor<64x1024xf32> {
  %m0 = mirage_kernel.mul %a, %b : (tensor<64x1024xf16>, tensor<64x1024xf16>) -> tensor<64x1024xf32>
  %s0 = mirage_kernel.add %m0, %a : (tensor<64x1024xf32>, tensor<64x1024xf16>) -> tensor<64x1024xf32>
  %t0 = mirage_kernel.tanh %s0 : (tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %x0 = mirage_kernel.sub %t0, %b : (tensor<64x1024xf32>, tensor<64x1024xf16>) -> tensor<64x1024xf32>
  %m1 = mirage_kernel.mul %x0, %c : (tensor<64x1024xf32>, tensor<64x1024xf16>) -> tensor<64x1024xf32>
  %s1 = mirage_kernel.add %m1, %x0 : (tensor<64x1024xf32>, tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %t1 = mirage_kernel.tanh %s1 : (tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %x1 = mirage_kernel.sub %t1, %c : (tensor<64x1024xf32>, tensor<64x1024xf16>) -> tensor<64x1024xf32>
  %m2 = mirage_kernel.mul %x1, %d : (tensor<64x1024xf32>, tensor<64x1024xf16>) -> tensor<64x1024xf32>
  %s2 = mirage_kernel.add %m2, %x1 : (tensor<64x1024xf32>, tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %t2 = mirage_kernel.tanh %s2 : (tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %x2 = mirage_kernel.sub %t2, %d : (tensor<64x1024xf32>, tensor<64x1024xf16>) -> tensor<64x1024xf32>
  %m3 = mirage_kernel.mul %x2, %e : (tensor<64x1024xf32>, tensor<64x1024xf16>) -> tensor<64x1024xf32>
  %s3 = mirage_kernel.add %m3, %x2 : (tensor<64x1024xf32>, tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %t3 = mirage_kernel.tanh %s3 : (tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %x3 = mirage_kernel.sub %t3, %e : (tensor<64x1024xf32>, tensor<64x1024xf16>) -> tensor<64x1024xf32>
  return %x3 : tensor<64x1024xf32>
}
