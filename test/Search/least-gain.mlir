// A kernel that would be less than a percent faster than the library's is no find.

// RUN: mirage-opt %s --mirage-superoptimize="report=%t.json" -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// CHECK: remark: found no μGraph that is cheaper than the program
// REPORT: "candidates": []
func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %c = mirage_kernel.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %c : tensor<4x2xf32>
}
