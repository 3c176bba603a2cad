// Operators that lead to no output are left out, also where functions are taken for one operator.

// RUN: mirage-opt %s --mirage-superoptimize | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: graph_defined
// CHECK: mirage_block.matmul
// CHECK: mirage_block.relu
// CHECK: func.func private @f_reference(
func.func @f(%unused: tensor<64xf32>, %x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %a = mirage_kernel.matmul %x, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
  %s = mirage_kernel.sqr %a : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = mirage_kernel.exp %s : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %u = mirage_kernel.relu %t : (tensor<16x32xf32>) -> tensor<16x32xf16>
  %dead = mirage_kernel.relu %s : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %more = mirage_kernel.exp %dead : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %u : tensor<16x32xf16>
}
