// RUN: mirage-opt --convert-linalg-to-mirage --split-input-file %s | FileCheck %s

// Products as least is moved around them (RearrangeProducts.cpp).

// Experts' weights, as torch.einsum multiplies them: all columns side by side would be a copy.

// CHECK-LABEL: func.func @experts(
// CHECK-SAME:    %[[X:.*]]: tensor<16x8xf16>, %[[W:.*]]: tensor<4x8x64xf16>)
// CHECK-NEXT:    %[[B:.*]] = mirage_kernel.reshape %[[X]] : (tensor<16x8xf16>) -> tensor<1x16x8xf16>
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.matmul %[[B]], %[[W]] : (tensor<1x16x8xf16>, tensor<4x8x64xf16>) -> tensor<4x16x64xf16>
// CHECK-NEXT:    mirage_kernel.transpose %[[P]] permutation [1, 0, 2]
func.func @experts(%x: tensor<16x8xf16>, %w: tensor<4x8x64xf16>) -> tensor<16x4x64xf16> {
  %0 = mirage_kernel.transpose %w permutation [1, 0, 2] : (tensor<4x8x64xf16>) -> tensor<8x4x64xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<8x4x64xf16>) -> tensor<8x256xf16>
  %2 = mirage_kernel.matmul %x, %1 : (tensor<16x8xf16>, tensor<8x256xf16>) -> tensor<16x256xf16>
  %3 = mirage_kernel.reshape %2 : (tensor<16x256xf16>) -> tensor<16x4x64xf16>
  return %3 : tensor<16x4x64xf16>
}

// -----

// Grouped queries and their keys as JAX multiplies them: the scores are not transposed, and neither are the weights of the values.

// CHECK-LABEL: func.func @grouped(
// CHECK-SAME:    %[[Q:.*]]: tensor<16x2x4x8xf16>, %[[K:.*]]: tensor<16x2x8xf16>, %[[V:.*]]: tensor<16x2x8xf16>)
// CHECK-DAG:     %[[QT:.*]] = mirage_kernel.transpose %[[Q]] permutation [1, 2, 0, 3] : (tensor<16x2x4x8xf16>) -> tensor<2x4x16x8xf16>
// CHECK:         %[[S:.*]] = mirage_kernel.matmul %[[QT]], %{{.*}} : (tensor<2x4x16x8xf16>, tensor<2x1x8x16xf16>) -> tensor<2x4x16x16xf32>
// CHECK-NEXT:    %[[E:.*]] = mirage_kernel.exp %[[S]]
// CHECK-NOT:     mirage_kernel.transpose %[[E]]
// CHECK:         %[[O:.*]] = mirage_kernel.matmul %[[E]], %{{.*}} : (tensor<2x4x16x16xf16>, tensor<2x1x16x8xf16>) -> tensor<2x4x16x8xf16>
// CHECK-NEXT:    mirage_kernel.transpose %[[O]] permutation [2, 0, 1, 3]
func.func @grouped(%q: tensor<16x2x4x8xf16>, %k: tensor<16x2x8xf16>, %v: tensor<16x2x8xf16>) -> tensor<16x2x4x8xf16> {
  %0 = mirage_kernel.transpose %k permutation [1, 0, 2] : (tensor<16x2x8xf16>) -> tensor<2x16x8xf16>
  %1 = mirage_kernel.transpose %q permutation [1, 3, 0, 2] : (tensor<16x2x4x8xf16>) -> tensor<2x8x16x4xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<2x8x16x4xf16>) -> tensor<2x8x64xf16>
  %3 = mirage_kernel.matmul %0, %2 : (tensor<2x16x8xf16>, tensor<2x8x64xf16>) -> tensor<2x16x64xf32>
  %4 = mirage_kernel.reshape %3 : (tensor<2x16x64xf32>) -> tensor<2x16x16x4xf32>
  %5 = mirage_kernel.transpose %4 permutation [0, 3, 2, 1] : (tensor<2x16x16x4xf32>) -> tensor<2x4x16x16xf32>
  %6 = mirage_kernel.exp %5 : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf16>
  %7 = mirage_kernel.transpose %v permutation [1, 2, 0] : (tensor<16x2x8xf16>) -> tensor<2x8x16xf16>
  %8 = mirage_kernel.transpose %6 permutation [0, 3, 1, 2] : (tensor<2x4x16x16xf16>) -> tensor<2x16x4x16xf16>
  %9 = mirage_kernel.reshape %8 : (tensor<2x16x4x16xf16>) -> tensor<2x16x64xf16>
  %10 = mirage_kernel.matmul %7, %9 : (tensor<2x8x16xf16>, tensor<2x16x64xf16>) -> tensor<2x8x64xf16>
  %11 = mirage_kernel.reshape %10 : (tensor<2x8x64xf16>) -> tensor<2x8x4x16xf16>
  %12 = mirage_kernel.transpose %11 permutation [3, 0, 2, 1] : (tensor<2x8x4x16xf16>) -> tensor<16x2x4x8xf16>
  return %12 : tensor<16x2x4x8xf16>
}

// -----

// Scores that jax.vmap has transposed in the middle of a softmax, over few heads: positions are rows.

// CHECK-LABEL: func.func @mapped(
// CHECK:         %[[S:.*]] = mirage_kernel.matmul %{{.*}} : (tensor<2x4x16x8xf16>, tensor<2x1x8x16xf16>) -> tensor<2x4x16x16xf32>
// CHECK-NEXT:    %[[M:.*]] = mirage_kernel.reduce_max %[[S]] dim 3
// CHECK-NEXT:    %[[D:.*]] = mirage_kernel.sub %[[S]], %[[M]]
// CHECK-NEXT:    %[[E:.*]] = mirage_kernel.exp %[[D]]
// CHECK-NEXT:    mirage_kernel.sum %[[E]] dim 3
func.func @mapped(%q: tensor<16x2x4x8xf16>, %k: tensor<16x2x8xf16>) -> tensor<4x2x16x16xf16> {
  %0 = mirage_kernel.transpose %q permutation [1, 0, 2, 3] : (tensor<16x2x4x8xf16>) -> tensor<2x16x4x8xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<2x16x4x8xf16>) -> tensor<2x64x8xf16>
  %2 = mirage_kernel.transpose %k permutation [1, 2, 0] : (tensor<16x2x8xf16>) -> tensor<2x8x16xf16>
  %3 = mirage_kernel.matmul %1, %2 : (tensor<2x64x8xf16>, tensor<2x8x16xf16>) -> tensor<2x64x16xf32>
  %4 = mirage_kernel.reshape %3 : (tensor<2x64x16xf32>) -> tensor<2x16x4x16xf32>
  %5 = mirage_kernel.reduce_max %4 dim 3 : (tensor<2x16x4x16xf32>) -> tensor<2x16x4x1xf32>
  %6 = mirage_kernel.transpose %4 permutation [2, 0, 1, 3] : (tensor<2x16x4x16xf32>) -> tensor<4x2x16x16xf32>
  %7 = mirage_kernel.transpose %5 permutation [2, 0, 1, 3] : (tensor<2x16x4x1xf32>) -> tensor<4x2x16x1xf32>
  %8 = mirage_kernel.sub %6, %7 : (tensor<4x2x16x16xf32>, tensor<4x2x16x1xf32>) -> tensor<4x2x16x16xf32>
  %9 = mirage_kernel.exp %8 : (tensor<4x2x16x16xf32>) -> tensor<4x2x16x16xf32>
  %10 = mirage_kernel.sum %9 dim 3 : (tensor<4x2x16x16xf32>) -> tensor<4x2x16x1xf32>
  %11 = mirage_kernel.div %9, %10 : (tensor<4x2x16x16xf32>, tensor<4x2x16x1xf32>) -> tensor<4x2x16x16xf16>
  return %11 : tensor<4x2x16x16xf16>
}

// -----

// Columns of weights aren't taken apart, few rows don't become fewer, and what reduces rows of memory goes on to do so.

// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:    mirage_kernel.matmul %{{.*}} : (tensor<5x4xf16>, tensor<4x6xf16>) -> tensor<5x6xf16>
// CHECK-LABEL: func.func @few_rows(
// CHECK:         mirage_kernel.matmul %{{.*}} : (tensor<2x2x6x8xf16>, tensor<2x1x8x6xf16>) -> tensor<2x2x6x6xf16>
// CHECK-LABEL: func.func @norm(
// CHECK:         %[[P:.*]] = mirage_kernel.matmul
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[P]] permutation [2, 1, 0]
// CHECK-NEXT:    mirage_kernel.sum %[[T]] dim 2
func.func @columns(%x: tensor<5x4xf16>, %w: tensor<4x6xf16>) -> tensor<5x2x3xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<5x4xf16>, tensor<4x6xf16>) -> tensor<5x6xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<5x6xf16>) -> tensor<5x3x2xf16>
  %2 = mirage_kernel.transpose %1 permutation [0, 2, 1] : (tensor<5x3x2xf16>) -> tensor<5x2x3xf16>
  return %2 : tensor<5x2x3xf16>
}
func.func @few_rows(%x: tensor<6x2x2x8xf16>, %k: tensor<2x8x6xf16>) -> tensor<6x2x2x6xf16> {
  %0 = mirage_kernel.exp %x : (tensor<6x2x2x8xf16>) -> tensor<6x2x2x8xf16>
  %1 = mirage_kernel.transpose %0 permutation [1, 2, 0, 3] : (tensor<6x2x2x8xf16>) -> tensor<2x2x6x8xf16>
  %2 = mirage_kernel.reshape %k : (tensor<2x8x6xf16>) -> tensor<2x1x8x6xf16>
  %3 = mirage_kernel.matmul %1, %2 : (tensor<2x2x6x8xf16>, tensor<2x1x8x6xf16>) -> tensor<2x2x6x6xf16>
  %4 = mirage_kernel.transpose %3 permutation [2, 0, 1, 3] : (tensor<2x2x6x6xf16>) -> tensor<6x2x2x6xf16>
  return %4 : tensor<6x2x2x6xf16>
}
func.func @norm(%a: tensor<8x16x4xf16>, %b: tensor<8x4x12xf16>) -> tensor<12x16x8xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<8x16x4xf16>, tensor<8x4x12xf16>) -> tensor<8x16x12xf16>
  %1 = mirage_kernel.transpose %0 permutation [2, 1, 0] : (tensor<8x16x12xf16>) -> tensor<12x16x8xf16>
  %2 = mirage_kernel.sum %1 dim 2 : (tensor<12x16x8xf16>) -> tensor<12x16x1xf32>
  %3 = mirage_kernel.div %1, %2 : (tensor<12x16x8xf16>, tensor<12x16x1xf32>) -> tensor<12x16x8xf16>
  return %3 : tensor<12x16x8xf16>
}
