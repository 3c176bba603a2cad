// A kernel reads an input itself, without another in front that moves it. So does a library's product that has it transposed.

// RUN: mirage-opt %s --mirage-superoptimize | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-NEXT:  %[[EXP:.*]] = mirage_kernel.graph_defined(%arg0)
// CHECK:       mirage_kernel.matmul_transposed %[[EXP]], %arg1
// CHECK-NEXT:  return
func.func @f(%x: tensor<4096x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %t = mirage_kernel.transpose %w permutation [1, 0] : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %e = mirage_kernel.exp %x : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %r = mirage_kernel.relu %e : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %p = mirage_kernel.matmul %r, %t : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  return %p : tensor<4096x4096xf16>
}

// So it can its first operand.
// CHECK-LABEL: func.func @first(
// CHECK-NEXT:  %[[EXP:.*]] = mirage_kernel.graph_defined(%arg0)
// CHECK:       mirage_kernel.matmul_transposed_lhs %arg1, %[[EXP]]
// CHECK-NEXT:  return
func.func @first(%x: tensor<4096x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %t = mirage_kernel.transpose %w permutation [1, 0] : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %e = mirage_kernel.exp %x : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %r = mirage_kernel.relu %e : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %p = mirage_kernel.matmul %t, %r : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  return %p : tensor<4096x4096xf16>
}
