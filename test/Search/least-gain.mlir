// A kernel that would be less than a percent faster than the library's is no find. It is one as a part of a program that
// gains more by another part; then the database has an entry for each.

// RUN: mirage-opt %s --mirage-superoptimize="report=%t.json" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: rm -f %t.db
// RUN: mirage-opt %s --mirage-superoptimize="database=%t.db report=%t.json" | FileCheck %s
// RUN: mirage-opt %s --mirage-superoptimize="database=%t.db report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefixes=REPORT,AGAIN < %t.json

// CHECK-LABEL: func.func @two_parts(
// CHECK:       mirage_kernel.graph_defined(
// CHECK:       mirage_kernel.reshape
// CHECK:       mirage_kernel.graph_defined(
// CHECK-LABEL: func.func private @two_parts_reference(
func.func @two_parts(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<8xf32> {
  %c = mirage_kernel.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %r = mirage_kernel.reshape %c : (tensor<4x2xf32>) -> tensor<8xf32>
  %e = mirage_kernel.exp %r : (tensor<8xf32>) -> tensor<8xf32>
  %f = mirage_kernel.relu %e : (tensor<8xf32>) -> tensor<8xf32>
  return %f : tensor<8xf32>
}

// CHECK-LABEL: func.func @product(
// CHECK-NEXT:  mirage_kernel.matmul
// CHECK-NEXT:  return
// REMARK: [[# @LINE + 4]]:1: remark: found no μGraph that is cheaper than the program
// REPORT: "candidates": []
// AGAIN: "from_database": true
// REPORT: "function": "product"
func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %c = mirage_kernel.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %c : tensor<4x2xf32>
}
