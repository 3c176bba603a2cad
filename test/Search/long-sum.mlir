// A sum of more operators than a kernel may have is one function; who allows fewer has it cut in two.

// RUN: mirage-opt %s --mirage-superoptimize | FileCheck %s
// RUN: mirage-opt %s --mirage-superoptimize=max-block-ops=10 | FileCheck %s --check-prefix=FEWER

// FEWER-LABEL: func.func @chain(
// FEWER-COUNT-2: = mirage_kernel.graph_defined(
// FEWER-NOT: = mirage_kernel.
// FEWER: func.func private @chain_reference(

// CHECK-LABEL: func.func @chain(
// CHECK: = mirage_kernel.graph_defined(
// CHECK-NOT: = mirage_kernel.
// CHECK: func.func private @chain_reference(
func.func @chain(%x0: tensor<1000x1000xf16>, %x1: tensor<1000x1000xf16>, %x2: tensor<1000x1000xf16>, %x3: tensor<1000x1000xf16>, %x4: tensor<1000x1000xf16>, %x5: tensor<1000x1000xf16>, %x6: tensor<1000x1000xf16>, %x7: tensor<1000x1000xf16>, %x8: tensor<1000x1000xf16>, %x9: tensor<1000x1000xf16>, %x10: tensor<1000x1000xf16>, %x11: tensor<1000x1000xf16>, %x12: tensor<1000x1000xf16>) -> tensor<1000x1000xf16> {
  %y1 = mirage_kernel.add %x0, %x1 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %y2 = mirage_kernel.add %y1, %x2 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %y3 = mirage_kernel.add %y2, %x3 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %y4 = mirage_kernel.add %y3, %x4 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %y5 = mirage_kernel.add %y4, %x5 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %y6 = mirage_kernel.add %y5, %x6 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %y7 = mirage_kernel.add %y6, %x7 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %y8 = mirage_kernel.add %y7, %x8 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %y9 = mirage_kernel.add %y8, %x9 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %y10 = mirage_kernel.add %y9, %x10 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %y11 = mirage_kernel.add %y10, %x11 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  %y12 = mirage_kernel.add %y11, %x12 : (tensor<1000x1000xf16>, tensor<1000x1000xf16>) -> tensor<1000x1000xf16>
  return %y12 : tensor<1000x1000xf16>
}
