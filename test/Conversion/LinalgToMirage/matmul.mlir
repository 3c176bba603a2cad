// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf16>, %[[B:.*]]: tensor<8x6xf16>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.matmul %[[A]], %[[B]] : (tensor<4x8xf16>, tensor<8x6xf16>) -> tensor<4x6xf32>
// CHECK-NEXT:    return %[[R]]
func.func @matmul(%a: tensor<4x8xf16>, %b: tensor<8x6xf16>) -> tensor<4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x6xf16>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @batch_matmul(
// CHECK-NEXT:    mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<2x4x8xf16>, tensor<2x8x6xf16>) -> tensor<2x4x6xf16>
// CHECK-NEXT:    return
func.func @batch_matmul(%a: tensor<2x4x8xf16>, %b: tensor<2x8x6xf16>) -> tensor<2x4x6xf16> {
  %zero = arith.constant dense<0.0> : tensor<2x4x6xf16>
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x4x8xf16>, tensor<2x8x6xf16>) outs(%zero : tensor<2x4x6xf16>) -> tensor<2x4x6xf16>
  return %r : tensor<2x4x6xf16>
}

// CHECK-LABEL: func.func @init(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf16>, %[[B:.*]]: tensor<8x6xf16>, %[[C:.*]]: tensor<4x6xf32>)
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.matmul %[[A]], %[[B]] : (tensor<4x8xf16>, tensor<8x6xf16>) -> tensor<4x6xf32>
// CHECK-NEXT:    mirage_kernel.add %[[P]], %[[C]]
func.func @init(%a: tensor<4x8xf16>, %b: tensor<8x6xf16>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x6xf16>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// A matmul as a generic, with its loops and its factors in another order. The
// body rounds an operand.

// CHECK-LABEL: func.func @generic(
// CHECK-SAME:    %[[A:.*]]: tensor<2x3x4x8xf32>, %[[B:.*]]: tensor<2x3x8x6xf16>)
// CHECK-NEXT:    %[[ROUNDED:.*]] = mirage_kernel.cast %[[A]] : (tensor<2x3x4x8xf32>) -> tensor<2x3x4x8xf16>
// CHECK-NEXT:    mirage_kernel.matmul %[[ROUNDED]], %[[B]] : (tensor<2x3x4x8xf16>, tensor<2x3x8x6xf16>) -> tensor<2x3x4x6xf32>
func.func @generic(%a: tensor<2x3x4x8xf32>, %b: tensor<2x3x8x6xf16>) -> tensor<2x3x4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3x4x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(k, n, m, b, c) -> (c, b, m, k)>, affine_map<(k, n, m, b, c) -> (c, b, k, n)>,
                                        affine_map<(k, n, m, b, c) -> (c, b, m, n)>],
                       iterator_types = ["reduction", "parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b : tensor<2x3x4x8xf32>, tensor<2x3x8x6xf16>) outs(%zero : tensor<2x3x4x6xf32>) {
  ^bb0(%x: f32, %y: f16, %acc: f32):
    %t = arith.truncf %x : f32 to f16
    %xe = arith.extf %t : f16 to f32
    %ye = arith.extf %y : f16 to f32
    %p = arith.mulf %ye, %xe : f32
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x6xf32>
  return %r : tensor<2x3x4x6xf32>
}
