// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 report=%t.json" %s | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// Attention to one key: its weight is e / e, which is 1. exp(x - max(x, least)) is at most 1 as it is, and is shifted by
// no other maximum, such as that of all heads, with which 0 / 0 may be computed.
// CHECK: func.func @attend(
// CHECK: mirage_kernel.graph_defined(
// CHECK-NOT: reduce_max
// CHECK-NOT: mirage_kernel.
// CHECK: return
// The same with a scale.
// CHECK: func.func @scaled(
// CHECK: mirage_kernel.graph_defined(
// CHECK-NOT: reduce_max
// CHECK: return
// exp(x - x), as a softmax over one key is imported.
// CHECK: func.func @itself(
// CHECK: mirage_kernel.graph_defined(
// CHECK-NOT: reduce_max
// CHECK: return
// REPORT-COUNT-3: "unstable": 0
func.func @attend(%q: tensor<3x1x64xf16>, %k: tensor<3x64x1xf16>, %v: tensor<3x1x64xf16>, %least: tensor<3x1x1xf16>) -> tensor<3x1x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<3x1x64xf16>, tensor<3x64x1xf16>) -> tensor<3x1x1xf16>
  %m = mirage_kernel.max %s, %least : (tensor<3x1x1xf16>, tensor<3x1x1xf16>) -> tensor<3x1x1xf32>
  %d = mirage_kernel.sub %s, %m : (tensor<3x1x1xf16>, tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  %e = mirage_kernel.exp %d : (tensor<3x1x1xf32>) -> tensor<3x1x1xf16>
  %p = mirage_kernel.div %e, %e : (tensor<3x1x1xf16>, tensor<3x1x1xf16>) -> tensor<3x1x1xf16>
  %o = mirage_kernel.matmul %p, %v : (tensor<3x1x1xf16>, tensor<3x1x64xf16>) -> tensor<3x1x64xf16>
  return %o : tensor<3x1x64xf16>
}

func.func @scaled(%q: tensor<3x1x64xf16>, %k: tensor<3x64x1xf16>, %v: tensor<3x1x64xf16>, %least: tensor<3x1x1xf16>) -> tensor<3x1x64xf16> {
  %c = mirage.constant 0.125 : tensor<f32>
  %s = mirage_kernel.matmul %q, %k : (tensor<3x1x64xf16>, tensor<3x64x1xf16>) -> tensor<3x1x1xf16>
  %m = mirage_kernel.max %s, %least : (tensor<3x1x1xf16>, tensor<3x1x1xf16>) -> tensor<3x1x1xf32>
  %d0 = mirage_kernel.sub %s, %m : (tensor<3x1x1xf16>, tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  %d = mirage_kernel.mul %d0, %c : (tensor<3x1x1xf32>, tensor<f32>) -> tensor<3x1x1xf32>
  %e = mirage_kernel.exp %d : (tensor<3x1x1xf32>) -> tensor<3x1x1xf16>
  %p = mirage_kernel.div %e, %e : (tensor<3x1x1xf16>, tensor<3x1x1xf16>) -> tensor<3x1x1xf16>
  %o = mirage_kernel.matmul %p, %v : (tensor<3x1x1xf16>, tensor<3x1x64xf16>) -> tensor<3x1x64xf16>
  return %o : tensor<3x1x64xf16>
}

func.func @itself(%arg0: tensor<2x37x32xf16>, %arg1: tensor<2x1x32xf16>, %arg2: tensor<2x1x32xf16>) -> tensor<2x37x32xf16> {
  %0 = mirage_kernel.reshape %arg1 : (tensor<2x1x32xf16>) -> tensor<2x32x1xf16>
  %1 = mirage_kernel.matmul %arg0, %0 : (tensor<2x37x32xf16>, tensor<2x32x1xf16>) -> tensor<2x37x1xf32>
  %2 = mirage.constant 0.1767767071723938 : tensor<f32>
  %3 = mirage_kernel.mul %1, %2 : (tensor<2x37x1xf32>, tensor<f32>) -> tensor<2x37x1xf32>
  %4 = mirage_kernel.sub %3, %3 : (tensor<2x37x1xf32>, tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %5 = mirage_kernel.exp %4 : (tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %6 = mirage_kernel.div %5, %5 : (tensor<2x37x1xf32>, tensor<2x37x1xf32>) -> tensor<2x37x1xf16>
  %7 = mirage_kernel.matmul %6, %arg2 : (tensor<2x37x1xf16>, tensor<2x1x32xf16>) -> tensor<2x37x32xf16>
  return %7 : tensor<2x37x32xf16>
}
