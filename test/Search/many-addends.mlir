// The exponential of a sum of eight tensors, some of which are rows: all sums of some of the addends are within the rule `factored-sums`, and none is lost.
// Otherwise products of exponentials, which overflow, would be all that is left.

// RUN: mirage-opt %s --mirage-superoptimize=max-kernel-ops=1 | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK:       mirage_kernel.graph_defined
// CHECK-COUNT-7: mirage_block.add
// CHECK:       mirage_block.exp
// CHECK-NOT:   mirage_block.exp
// CHECK:       func.func private @f_reference(
func.func @f(%a0: tensor<4096x4096xf16>, %a1: tensor<1x4096xf16>, %a2: tensor<1x4096xf16>, %a3: tensor<4096x4096xf16>, %a4: tensor<1x4096xf16>, %a5: tensor<4096x4096xf16>, %a6: tensor<1x4096xf16>, %a7: tensor<1x4096xf16>) -> tensor<4096x4096xf16> {
  %s1 = mirage_kernel.add %a0, %a1 : (tensor<4096x4096xf16>, tensor<1x4096xf16>) -> tensor<4096x4096xf16>
  %s2 = mirage_kernel.add %s1, %a2 : (tensor<4096x4096xf16>, tensor<1x4096xf16>) -> tensor<4096x4096xf16>
  %s3 = mirage_kernel.add %s2, %a3 : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %s4 = mirage_kernel.add %s3, %a4 : (tensor<4096x4096xf16>, tensor<1x4096xf16>) -> tensor<4096x4096xf16>
  %s5 = mirage_kernel.add %s4, %a5 : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %s6 = mirage_kernel.add %s5, %a6 : (tensor<4096x4096xf16>, tensor<1x4096xf16>) -> tensor<4096x4096xf16>
  %s7 = mirage_kernel.add %s6, %a7 : (tensor<4096x4096xf16>, tensor<1x4096xf16>) -> tensor<4096x4096xf16>
  %y = mirage_kernel.exp %s7 : (tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  return %y : tensor<4096x4096xf16>
}