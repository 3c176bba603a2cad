// RUN: mirage-opt --convert-linalg-to-mirage %s | FileCheck %s

// Factors of both operands, one of them transposed, are one behind the product, which is of f16.
// CHECK-LABEL: func.func @scaled(
// CHECK-SAME:    %[[Q:.*]]: tensor<4x8xf16>, %[[K:.*]]: tensor<6x8xf16>)
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[K]] permutation [1, 0] : (tensor<6x8xf16>) -> tensor<8x6xf16>
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.matmul %[[Q]], %[[T]] : (tensor<4x8xf16>, tensor<8x6xf16>) -> tensor<4x6xf32>
// CHECK-NEXT:    %[[F:.*]] = mirage.constant 2.500000e-01
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.mul %[[P]], %[[F]] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf16>
// CHECK-NEXT:    return %[[R]]
func.func @scaled(%q: tensor<4x8xf16>, %k: tensor<6x8xf16>) -> tensor<4x6xf16> {
  %c = mirage.constant 0.5 : tensor<f32>
  %a = mirage_kernel.mul %q, %c : (tensor<4x8xf16>, tensor<f32>) -> tensor<4x8xf32>
  %b = mirage_kernel.mul %c, %k : (tensor<f32>, tensor<6x8xf16>) -> tensor<6x8xf32>
  %t = mirage_kernel.transpose %b permutation [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %r = mirage_kernel.matmul %a, %t : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf16>
  return %r : tensor<4x6xf16>
}

// What is rounded stays, and so does what another op reads moved.
// CHECK-LABEL: func.func @rounded(
// CHECK:         mirage_kernel.mul {{.*}} -> tensor<4x8xf16>
// CHECK:         mirage_kernel.matmul {{.*}} -> tensor<4x6xf32>
func.func @rounded(%q: tensor<4x8xf16>, %k: tensor<8x6xf16>) -> tensor<4x6xf32> {
  %c = mirage.constant 0.3 : tensor<f32>
  %a = mirage_kernel.mul %q, %c : (tensor<4x8xf16>, tensor<f32>) -> tensor<4x8xf16>
  %r = mirage_kernel.matmul %a, %k : (tensor<4x8xf16>, tensor<8x6xf16>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// Factors whose product isn't a number of f64 stay two.
// CHECK-LABEL: func.func @tiny(
// CHECK:         mirage_kernel.mul
// CHECK:         mirage_kernel.mul
func.func @tiny(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = mirage.constant 1.0e-200 : tensor<f32>
  %a = mirage_kernel.mul %x, %c : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %b = mirage_kernel.mul %a, %c : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// Rows are chosen behind the product, also behind a reshape that drops a dimension of size 1; columns aren't rows.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[C:.*]]: tensor<4x1xf16>, %[[X:.*]]: tensor<1x4x8xf16>, %[[Y:.*]]: tensor<8x6xf16>)
// CHECK:         %[[R:.*]] = mirage_kernel.reshape %[[X]]
// CHECK:         %[[E:.*]] = mirage_kernel.exp %[[R]] : (tensor<4x8xf16>) -> tensor<4x8xf32>
// CHECK:         %[[P:.*]] = mirage_kernel.matmul %[[E]], %[[Y]] : (tensor<4x8xf32>, tensor<8x6xf16>) -> tensor<4x6xf32>
// CHECK:         mirage_kernel.where %[[C]], %[[P]] : (tensor<4x1xf16>, tensor<4x6xf32>) -> tensor<4x6xf16>
func.func @rows(%c: tensor<4x1xf16>, %x: tensor<1x4x8xf16>, %y: tensor<8x6xf16>) -> tensor<4x6xf16> {
  %e = mirage_kernel.exp %x : (tensor<1x4x8xf16>) -> tensor<1x4x8xf32>
  %w = mirage_kernel.where %c, %e : (tensor<4x1xf16>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %r = mirage_kernel.reshape %w : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
  %p = mirage_kernel.matmul %r, %y : (tensor<4x8xf32>, tensor<8x6xf16>) -> tensor<4x6xf16>
  return %p : tensor<4x6xf16>
}
// CHECK-LABEL: func.func @columns(
// CHECK:         %[[W:.*]] = mirage_kernel.where
// CHECK:         mirage_kernel.matmul %[[W]]
func.func @columns(%c: tensor<8xf16>, %x: tensor<4x8xf16>, %y: tensor<8x6xf16>) -> tensor<4x6xf16> {
  %w = mirage_kernel.where %c, %x : (tensor<8xf16>, tensor<4x8xf16>) -> tensor<4x8xf32>
  %p = mirage_kernel.matmul %w, %y : (tensor<4x8xf32>, tensor<8x6xf16>) -> tensor<4x6xf16>
  return %p : tensor<4x6xf16>
}
