// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 report=%t.json" %s | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// Attention to one key: its weight is e / e, which is 1. exp(x - max(x, least)) is at most 1 as it is, and is shifted by
// no other maximum, such as that of all heads, with which 0 / 0 may be computed.
// CHECK: func.func @attend(
// CHECK: mirage_kernel.graph_defined(
// CHECK-NOT: reduce_max
// CHECK-NOT: mirage_kernel.
// CHECK: return
// REPORT: "exhausted": true
// REPORT: "unstable": 0
func.func @attend(%q: tensor<3x1x64xf16>, %k: tensor<3x64x1xf16>, %v: tensor<3x1x64xf16>, %least: tensor<3x1x1xf16>) -> tensor<3x1x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<3x1x64xf16>, tensor<3x64x1xf16>) -> tensor<3x1x1xf16>
  %m = mirage_kernel.max %s, %least : (tensor<3x1x1xf16>, tensor<3x1x1xf16>) -> tensor<3x1x1xf32>
  %d = mirage_kernel.sub %s, %m : (tensor<3x1x1xf16>, tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  %e = mirage_kernel.exp %d : (tensor<3x1x1xf32>) -> tensor<3x1x1xf16>
  %p = mirage_kernel.div %e, %e : (tensor<3x1x1xf16>, tensor<3x1x1xf16>) -> tensor<3x1x1xf16>
  %o = mirage_kernel.matmul %p, %v : (tensor<3x1x1xf16>, tensor<3x1x64xf16>) -> tensor<3x1x64xf16>
  return %o : tensor<3x1x64xf16>
}
