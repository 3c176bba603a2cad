// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

// A cast is folded into the op whose result it rounds.

// CHECK-LABEL: func.func @fold_cast(
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.exp %{{.*}} : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT:    return %[[R]]
func.func @fold_cast(%x: tensor<4xf32>) -> tensor<4xf16> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.cast %0 : (tensor<4xf32>) -> tensor<4xf16>
  return %1 : tensor<4xf16>
}

// Not where the unrounded value has a use of its own.

// CHECK-LABEL: func.func @keep_cast(
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[CAST:.*]] = mirage_kernel.cast %[[EXP]]
// CHECK-NEXT:    return %[[EXP]], %[[CAST]]
func.func @keep_cast(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf16>) {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.cast %0 : (tensor<4xf32>) -> tensor<4xf16>
  return %0, %1 : tensor<4xf32>, tensor<4xf16>
}

// Two casts of one value are one.

// CHECK-LABEL: func.func @same_casts(
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %{{.*}} : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT:    return %[[EXP]], %[[EXP]]
func.func @same_casts(%x: tensor<4xf32>) -> (tensor<4xf16>, tensor<4xf16>) {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.cast %0 : (tensor<4xf32>) -> tensor<4xf16>
  %2 = mirage_kernel.cast %0 : (tensor<4xf32>) -> tensor<4xf16>
  return %1, %2 : tensor<4xf16>, tensor<4xf16>
}

// Two roundings stay two.

// CHECK-LABEL: func.func @two_roundings(
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %{{.*}} : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NEXT:    %[[CAST:.*]] = mirage_kernel.cast %[[EXP]] : (tensor<4xbf16>) -> tensor<4xf16>
// CHECK-NEXT:    return %[[CAST]]
func.func @two_roundings(%x: tensor<4xf32>) -> tensor<4xf16> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.cast %0 : (tensor<4xf32>) -> tensor<4xbf16>
  %2 = mirage_kernel.cast %1 : (tensor<4xbf16>) -> tensor<4xf16>
  return %2 : tensor<4xf16>
}

// Operators take any type, so that a widened operand is of no use to them. What
// the function returns stays f32.

// CHECK-LABEL: func.func @widening(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf16>)
// CHECK-NEXT:    %[[WIDE:.*]] = mirage_kernel.cast %[[X]]
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[X]] : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT:    return %[[WIDE]], %[[EXP]], %[[X]]
func.func @widening(%x: tensor<4xf16>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf16>) {
  %0 = mirage_kernel.cast %x : (tensor<4xf16>) -> tensor<4xf32>
  %1 = mirage_kernel.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = mirage_kernel.cast %0 : (tensor<4xf32>) -> tensor<4xf16>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf16>
}

// CHECK-LABEL: func.func @cast_and_reshape(
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %{{.*}} : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT:    %[[RESHAPE:.*]] = mirage_kernel.reshape %[[EXP]] : (tensor<4xf16>) -> tensor<2x2xf16>
// CHECK-NEXT:    return %[[RESHAPE]]
func.func @cast_and_reshape(%x: tensor<4xf32>) -> tensor<2x2xf16> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<4xf32>) -> tensor<2x2xf32>
  %2 = mirage_kernel.cast %1 : (tensor<2x2xf32>) -> tensor<2x2xf16>
  return %2 : tensor<2x2xf16>
}

// CHECK-LABEL: func.func @reshapes(
// CHECK-SAME:    %[[X:.*]]: tensor<4x6xf32>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x6xf32>) -> tensor<2x2x6xf32>
// CHECK-NEXT:    return %[[R]], %[[X]]
func.func @reshapes(%x: tensor<4x6xf32>) -> (tensor<2x2x6xf32>, tensor<4x6xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [2, 2, 6] : tensor<24xf32> into tensor<2x2x6xf32>
  %2 = tensor.expand_shape %0 [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
  return %1, %2 : tensor<2x2x6xf32>, tensor<4x6xf32>
}
