// A kernel reads an input itself, without another in front that moves it. Only a pre-defined one can't: for a product of a
// library the weights are transposed first.

// RUN: mirage-opt %s --mirage-superoptimize | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-DAG:   %[[EXP:.*]] = mirage_kernel.graph_defined(%arg0)
// CHECK-DAG:   %[[T:.*]] = mirage_kernel.graph_defined(%arg1)
// CHECK:       mirage_kernel.matmul %[[EXP]], %[[T]]
// CHECK-NEXT:  return
func.func @f(%x: tensor<4096x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %t = mirage_kernel.transpose %w permutation [1, 0] : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %e = mirage_kernel.exp %x : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %r = mirage_kernel.relu %e : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %p = mirage_kernel.matmul %r, %t : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  return %p : tensor<4096x4096xf16>
}
