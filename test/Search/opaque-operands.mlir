// Opaque operators of three operands and more become parts of kernels like others.

// RUN: mirage-opt %s --mirage-superoptimize | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: graph_defined
// CHECK: mirage_block.custom "blend"
// CHECK: mirage_block.matmul
// CHECK-NOT: graph_defined
// CHECK: func.func private @f_reference(
func.func @f(%a: tensor<16x256xf16>, %b: tensor<16x256xf16>, %c: tensor<256xf16>, %w: tensor<256x64xf16>) -> tensor<16x64xf16> {
  %x = mirage_kernel.custom "blend"(%a, %b, %c) : (tensor<16x256xf16>, tensor<16x256xf16>, tensor<256xf16>) -> tensor<16x256xf16>
  %y = mirage_kernel.matmul %x, %w : (tensor<16x256xf16>, tensor<256x64xf16>) -> tensor<16x64xf16>
  return %y : tensor<16x64xf16>
}
