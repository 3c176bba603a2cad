// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 candidates=2 report=%t.json" %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// Attention to one key: its weight is e / e, which is 1. All that is cheaper
// takes other exponentials, which overflow. The search gives up on them.
// CHECK: remark: dropped 512 numerically unstable μGraphs, and looked for no more
// CHECK: remark: found no μGraph that is cheaper than the program; it stays as it is (not all were searched: too many were numerically unstable or not verified)
// REPORT: "exhausted": false
// REPORT: "stopped_by": "unstable-limit"
// REPORT: "unstable": 512
func.func @attend(%q: tensor<3x1x64xf16>, %k: tensor<3x64x1xf16>, %v: tensor<3x1x64xf16>, %least: tensor<3x1x1xf16>) -> tensor<3x1x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<3x1x64xf16>, tensor<3x64x1xf16>) -> tensor<3x1x1xf16>
  %m = mirage_kernel.max %s, %least : (tensor<3x1x1xf16>, tensor<3x1x1xf16>) -> tensor<3x1x1xf32>
  %d = mirage_kernel.sub %s, %m : (tensor<3x1x1xf16>, tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  %e = mirage_kernel.exp %d : (tensor<3x1x1xf32>) -> tensor<3x1x1xf16>
  %p = mirage_kernel.div %e, %e : (tensor<3x1x1xf16>, tensor<3x1x1xf16>) -> tensor<3x1x1xf16>
  %o = mirage_kernel.matmul %p, %v : (tensor<3x1x1xf16>, tensor<3x1x64xf16>) -> tensor<3x1x64xf16>
  return %o : tensor<3x1x64xf16>
}
