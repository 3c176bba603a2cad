// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 report=%t.json" %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// With a database, it is not taken for exhausted when it is asked for again.
// RUN: rm -f %t.db
// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 database=%t.db report=%t.first.json" %s -o %t.mlir
// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 database=%t.db report=%t.again.json" %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.first.json
// RUN: FileCheck %s --check-prefixes=REPORT,AGAIN < %t.again.json

// The divergence of two softmaxes: too many arrangements to look at all, and no product to cut in front of. It is searched in halves.
// CHECK-NOT: remark
// CHECK-COUNT-2: mirage_kernel.graph_defined(
// REPORT: "attempts": {{[1-9]}}
// REPORT: "exhausted": false
// AGAIN: "from_database": true
// REPORT: "stopped_by": "size-limit"
// REPORT: "too_large": {{[1-9]}}
func.func @kl(%arg0: tensor<64x32000xf16>, %arg1: tensor<64x32000xf16>) -> tensor<64x1xf32> {
  %0 = mirage_kernel.reduce_max %arg0 dim 1 : (tensor<64x32000xf16>) -> tensor<64x1xf32>
  %1 = mirage_kernel.sub %arg0, %0 : (tensor<64x32000xf16>, tensor<64x1xf32>) -> tensor<64x32000xf32>
  %2 = mirage_kernel.exp %1 : (tensor<64x32000xf32>) -> tensor<64x32000xf32>
  %3 = mirage_kernel.sum %2 dim 1 : (tensor<64x32000xf32>) -> tensor<64x1xf32>
  %4 = mirage_kernel.log %3 : (tensor<64x1xf32>) -> tensor<64x1xf32>
  %5 = mirage_kernel.sub %1, %4 : (tensor<64x32000xf32>, tensor<64x1xf32>) -> tensor<64x32000xf32>
  %6 = mirage_kernel.div %2, %3 : (tensor<64x32000xf32>, tensor<64x1xf32>) -> tensor<64x32000xf32>
  %7 = mirage_kernel.reduce_max %arg1 dim 1 : (tensor<64x32000xf16>) -> tensor<64x1xf32>
  %8 = mirage_kernel.sub %arg1, %7 : (tensor<64x32000xf16>, tensor<64x1xf32>) -> tensor<64x32000xf32>
  %9 = mirage_kernel.exp %8 : (tensor<64x32000xf32>) -> tensor<64x32000xf32>
  %10 = mirage_kernel.sum %9 dim 1 : (tensor<64x32000xf32>) -> tensor<64x1xf32>
  %11 = mirage_kernel.log %10 : (tensor<64x1xf32>) -> tensor<64x1xf32>
  %12 = mirage_kernel.sub %8, %11 : (tensor<64x32000xf32>, tensor<64x1xf32>) -> tensor<64x32000xf32>
  %13 = mirage_kernel.sub %5, %12 : (tensor<64x32000xf32>, tensor<64x32000xf32>) -> tensor<64x32000xf32>
  %14 = mirage_kernel.mul %6, %13 : (tensor<64x32000xf32>, tensor<64x32000xf32>) -> tensor<64x32000xf32>
  %15 = mirage_kernel.sum %14 dim 1 : (tensor<64x32000xf32>) -> tensor<64x1xf32>
  return %15 : tensor<64x1xf32>
}
