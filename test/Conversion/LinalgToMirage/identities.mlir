// RUN: mirage-opt --convert-linalg-to-mirage --split-input-file %s | FileCheck %s

// Transposes that leave a tensor as it is, of matrices that products share and of operands that are transposed: they are gone before others look at them.

// CHECK-LABEL: func.func @shared(
// CHECK-NOT:     transpose %{{.*}} permutation [0, 1]
// CHECK:         mirage_kernel.matmul %{{.*}} : (tensor<2x2x6xf16>, tensor<1x6x2xf32>)
func.func @shared(%x: tensor<4x6xf16>, %w: tensor<6x2xf32>) -> tensor<2x2x2xf32> {
  %t = mirage_kernel.transpose %w permutation [0, 1] : (tensor<6x2xf32>) -> tensor<6x2xf32>
  %e = mirage_kernel.exp %x : (tensor<4x6xf16>) -> tensor<4x6xf16>
  %m = mirage_kernel.matmul %e, %t : (tensor<4x6xf16>, tensor<6x2xf32>) -> tensor<4x2xf32>
  %r = mirage_kernel.reshape %m : (tensor<4x2xf32>) -> tensor<2x2x2xf32>
  %s = mirage_kernel.transpose %r permutation [2, 0, 1] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %s : tensor<2x2x2xf32>
}

// -----

// CHECK-LABEL: func.func @rounded(
// CHECK-NEXT:    %[[C:.*]] = mirage_kernel.cast %{{.*}} : (tensor<6x2xf32>) -> tensor<6x2xf16>
// CHECK-NEXT:    return %[[C]]
func.func @rounded(%w: tensor<6x2xf32>) -> tensor<6x2xf16> {
  %t = mirage_kernel.transpose %w permutation [0, 1] : (tensor<6x2xf32>) -> tensor<6x2xf16>
  return %t : tensor<6x2xf16>
}

// -----

// CHECK-LABEL: func.func @transposed(
// CHECK:         mirage_kernel.matmul
func.func @transposed(%a0: tensor<4x2x3xf16>, %a2: tensor<4x2x2xf32>, %x1: tensor<4x3x1xf32>) -> tensor<4x2xf32> {
  %2 = mirage_kernel.matmul %a0, %x1 : (tensor<4x2x3xf16>, tensor<4x3x1xf32>) -> tensor<4x2x1xf16>
  %3 = mirage_kernel.transpose %2 permutation [0, 2, 1] : (tensor<4x2x1xf16>) -> tensor<4x1x2xf16>
  %4 = mirage_kernel.reshape %3 : (tensor<4x1x2xf16>) -> tensor<4x2xf16>
  %6 = mirage_kernel.transpose %4 permutation [0, 1] : (tensor<4x2xf16>) -> tensor<4x2xf16>
  %7 = mirage_kernel.transpose %a2 permutation [2, 1, 0] : (tensor<4x2x2xf32>) -> tensor<2x2x4xf32>
  %8 = mirage_kernel.reshape %7 : (tensor<2x2x4xf32>) -> tensor<4x4xf32>
  %9 = mirage_kernel.matmul %8, %6 : (tensor<4x4xf32>, tensor<4x2xf16>) -> tensor<4x2xf32>
  return %9 : tensor<4x2xf32>
}
