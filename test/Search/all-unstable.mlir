// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 report=%t.json" %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: FileCheck %s --check-prefix=FOUND < %t.mlir

// Rows minus their maximum, times weights: where all elements of a row are equal, the program's result is exactly 0, and x w
// - max(x) sum(w) is not. Rows are too long to be kept, and so all that one loop can compute is unstable. The search gives
// up on it, and goes on with smaller pieces.
// CHECK: remark: dropped {{[0-9]+}} numerically unstable μGraphs, and looked for no more
// CHECK: note: on inputs 'equal-rows' its error is {{[0-9]+}} ulps, the program's is 0.0 ulps
// REPORT: "exhausted": false
// REPORT: "stopped_by": "unstable-limit"
// REPORT: "unstable": {{[1-9]}}
// FOUND: func.func @below_maximum(
// FOUND-SAME: verdict = "proved"
// FOUND: mirage_kernel.graph_defined(
// FOUND: mirage_kernel.matmul
func.func @below_maximum(%x: tensor<64x262144xf16>, %w: tensor<262144x64xf16>) -> tensor<64x64xf32> {
  %m = mirage_kernel.reduce_max %x dim 1 : (tensor<64x262144xf16>) -> tensor<64x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<64x262144xf16>, tensor<64x1xf32>) -> tensor<64x262144xf32>
  %y = mirage_kernel.matmul %d, %w : (tensor<64x262144xf32>, tensor<262144x64xf16>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
