// The cheapest sizes cut the columns between the kernels into parts of 192 and of 2048, on which the prover has no verdict and which are too
// large for a random test. Others that cost a little more are proved, and beat the library's kernel.

// RUN: mirage-opt %s --mirage-superoptimize="report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// CHECK-LABEL: func.func @f(
// CHECK-COUNT-2: = mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.
// CHECK: return
// REPORT-DAG: "unknown": 0
// REPORT-DAG: "verified": 1
func.func @f(%x: tensor<8x6144xf16>, %u: tensor<6144x24576xf16>, %v: tensor<24576x6144xf16>) -> tensor<8x6144xf16> {
  %a = mirage_kernel.matmul %x, %u : (tensor<8x6144xf16>, tensor<6144x24576xf16>) -> tensor<8x24576xf16>
  %b = mirage_kernel.relu %a : (tensor<8x24576xf16>) -> tensor<8x24576xf32>
  %c = mirage_kernel.sqr %b : (tensor<8x24576xf32>) -> tensor<8x24576xf16>
  %d = mirage_kernel.matmul %c, %v : (tensor<8x24576xf16>, tensor<24576x6144xf16>) -> tensor<8x6144xf16>
  return %d : tensor<8x6144xf16>
}
