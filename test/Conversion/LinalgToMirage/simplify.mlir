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

// Reshapes that drop dimensions of size 1 go behind elementwise operators, to those that undo them and to the results.

// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[S:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.sum %[[X]] dim 1
// CHECK-NEXT:    %[[COLUMN:.*]] = mirage_kernel.reshape %[[S]] : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK-NEXT:    %[[MUL:.*]] = mirage_kernel.mul %[[SUM]], %[[COLUMN]] : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[MUL]] : (tensor<4x1xf32>) -> tensor<4x1xf32>
// CHECK-NEXT:    %[[ADD:.*]] = mirage_kernel.add %[[X]], %[[EXP]] : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[ADD]]
func.func @rows(%x: tensor<4x8xf32>, %s: tensor<4xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.sum %x dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<4x1xf32>) -> tensor<4xf32>
  %2 = mirage_kernel.mul %1, %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = mirage_kernel.exp %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = mirage_kernel.reshape %3 : (tensor<4xf32>) -> tensor<4x1xf32>
  %5 = mirage_kernel.add %x, %4 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @mean(
// CHECK:         %[[SUM:.*]] = mirage_kernel.sum %{{.*}} dim 0 : (tensor<8xf32>) -> tensor<1xf32>
// CHECK:         %[[DIV:.*]] = mirage_kernel.div %[[SUM]], %{{.*}} : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[DIV]] : (tensor<1xf32>) -> tensor<f32>
// CHECK-NEXT:    return %[[R]]
func.func @mean(%x: tensor<8xf32>, %n: tensor<f32>) -> tensor<f32> {
  %0 = mirage_kernel.sum %x dim 0 : (tensor<8xf32>) -> tensor<1xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<1xf32>) -> tensor<f32>
  %2 = mirage_kernel.div %1, %n : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// What is computed with the dimensions dropped stays so, and so does what is repeated.

// CHECK-LABEL: func.func @others(
// CHECK:         mirage_kernel.add %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK:         mirage_kernel.mul %{{.*}}, %{{.*}} : (tensor<1x1xf32>, tensor<4xf32>) -> tensor<1x4xf32>
func.func @others(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %z: tensor<1x1x1xf32>) -> (tensor<4xf32>, tensor<1x4xf32>) {
  %0 = mirage_kernel.sum %x dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<4x1xf32>) -> tensor<4xf32>
  %2 = mirage_kernel.sum %y dim 0 : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %3 = mirage_kernel.reshape %2 : (tensor<1x4xf32>) -> tensor<4xf32>
  %4 = mirage_kernel.add %1, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = mirage_kernel.reshape %z : (tensor<1x1x1xf32>) -> tensor<1x1xf32>
  %6 = mirage_kernel.mul %5, %4 : (tensor<1x1xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  return %4, %6 : tensor<4xf32>, tensor<1x4xf32>
}

// A product repeats batches by itself, transposed or not, if they can't become rows (shared-batches.mlir); rows it doesn't.

// CHECK-LABEL: func.func @batches(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4x5xf16>, %[[K:.*]]: tensor<3x1x6x5xf16>)
// CHECK:         %[[R:.*]] = mirage_kernel.reshape %[[K]] : (tensor<3x1x6x5xf16>) -> tensor<1x3x1x6x5xf16>
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[R]] permutation [0, 1, 2, 4, 3] : (tensor<1x3x1x6x5xf16>) -> tensor<1x3x1x5x6xf16>
// CHECK:         mirage_kernel.matmul %{{.*}}, %[[T]] : (tensor<1x3x2x4x5xf16>, tensor<1x3x1x5x6xf16>) -> tensor<1x3x2x4x6xf16>
func.func @batches(%x: tensor<2x3x4x5xf16>, %k: tensor<3x1x6x5xf16>) -> tensor<1x3x2x4x6xf16> {
  %0 = mirage_kernel.transpose %x permutation [1, 0, 2, 3] : (tensor<2x3x4x5xf16>) -> tensor<3x2x4x5xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<3x2x4x5xf16>) -> tensor<1x3x2x4x5xf16>
  %2 = mirage_kernel.transpose %k permutation [0, 1, 3, 2] : (tensor<3x1x6x5xf16>) -> tensor<3x1x5x6xf16>
  %3 = mirage_kernel.broadcast %2 : (tensor<3x1x5x6xf16>) -> tensor<1x3x2x5x6xf16>
  %4 = mirage_kernel.matmul %1, %3 : (tensor<1x3x2x4x5xf16>, tensor<1x3x2x5x6xf16>) -> tensor<1x3x2x4x6xf16>
  return %4 : tensor<1x3x2x4x6xf16>
}

// CHECK-LABEL: func.func @transposed_batches(
// CHECK-SAME:    %[[X:.*]]: tensor<3x2x4x5xf16>, %[[K:.*]]: tensor<3x1x6x5xf16>)
// CHECK-DAG:     %[[ROWS:.*]] = mirage_kernel.reshape %[[X]] : (tensor<3x2x4x5xf16>) -> tensor<3x8x5xf16>
// CHECK-DAG:     %[[B:.*]] = mirage_kernel.reshape %[[K]] : (tensor<3x1x6x5xf16>) -> tensor<3x6x5xf16>
// CHECK-DAG:     %[[T:.*]] = mirage_kernel.transpose %[[B]] permutation [0, 2, 1] : (tensor<3x6x5xf16>) -> tensor<3x5x6xf16>
// CHECK:         %[[P:.*]] = mirage_kernel.matmul %[[ROWS]], %[[T]]
// CHECK-NEXT:    mirage_kernel.reshape %[[P]] : (tensor<3x8x6xf16>) -> tensor<3x2x4x6xf16>
func.func @transposed_batches(%x: tensor<3x2x4x5xf16>, %k: tensor<3x1x6x5xf16>) -> tensor<3x2x4x6xf16> {
  %0 = mirage_kernel.broadcast %k : (tensor<3x1x6x5xf16>) -> tensor<3x2x6x5xf16>
  %1 = mirage_kernel.transpose %0 permutation [0, 1, 3, 2] : (tensor<3x2x6x5xf16>) -> tensor<3x2x5x6xf16>
  %2 = mirage_kernel.matmul %x, %1 : (tensor<3x2x4x5xf16>, tensor<3x2x5x6xf16>) -> tensor<3x2x4x6xf16>
  return %2 : tensor<3x2x4x6xf16>
}

// CHECK-LABEL: func.func @repeated_rows(
// CHECK:         mirage_kernel.broadcast
func.func @repeated_rows(%x: tensor<1x5xf16>, %w: tensor<5x6xf16>) -> tensor<4x6xf16> {
  %0 = mirage_kernel.broadcast %x : (tensor<1x5xf16>) -> tensor<4x5xf16>
  %1 = mirage_kernel.matmul %0, %w : (tensor<4x5xf16>, tensor<5x6xf16>) -> tensor<4x6xf16>
  return %1 : tensor<4x6xf16>
}

// A widening cast of a part goes behind what only adds a dimension, once.

// CHECK-LABEL: func.func @widened_part(
// CHECK-NEXT:    %[[RESHAPE:.*]] = mirage_kernel.reshape %{{.*}} : (tensor<8x4x24xf16>) -> tensor<8x4x1x24xf16>
// CHECK-NEXT:    %[[SLICE:.*]] = mirage_kernel.slice %[[RESHAPE]]
// CHECK-NEXT:    %[[CAST:.*]] = mirage_kernel.cast %[[SLICE]] : (tensor<4x4x1x24xf16>) -> tensor<4x4x1x24xf32>
// CHECK-NEXT:    return %[[CAST]]
func.func @widened_part(%x: tensor<8x4x24xf16>) -> tensor<4x4x1x24xf32> {
  %0 = mirage_kernel.slice %x dim 0 offset 1 size 4 : (tensor<8x4x24xf16>) -> tensor<4x4x24xf16>
  %1 = mirage_kernel.cast %0 : (tensor<4x4x24xf16>) -> tensor<4x4x24xf32>
  %2 = mirage_kernel.reshape %1 : (tensor<4x4x24xf32>) -> tensor<4x4x1x24xf32>
  return %2 : tensor<4x4x1x24xf32>
}

// So of what is computed and rounded.

// CHECK-LABEL: func.func @widened_again(
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %{{.*}} : (tensor<8x24xf16>) -> tensor<8x24xf16>
// CHECK-NEXT:    %[[RESHAPE:.*]] = mirage_kernel.reshape %[[EXP]] : (tensor<8x24xf16>) -> tensor<1x8x24xf16>
// CHECK-NEXT:    %[[CAST:.*]] = mirage_kernel.cast %[[RESHAPE]]
// CHECK-NEXT:    return %[[CAST]]
func.func @widened_again(%x: tensor<8x24xf16>) -> tensor<1x8x24xf32> {
  %0 = mirage_kernel.exp %x : (tensor<8x24xf16>) -> tensor<8x24xf16>
  %1 = mirage_kernel.cast %0 : (tensor<8x24xf16>) -> tensor<8x24xf32>
  %2 = mirage_kernel.reshape %1 : (tensor<8x24xf32>) -> tensor<1x8x24xf32>
  return %2 : tensor<1x8x24xf32>
}

// Leading dimensions of size 1 stay where the result has them.

// CHECK-LABEL: func.func @leading_units(
// CHECK-NEXT:    %[[MAX:.*]] = mirage_kernel.reduce_max %{{.*}} dim 2 : (tensor<1x4x8xf16>) -> tensor<1x4x1xf32>
// CHECK-NEXT:    %[[SUB:.*]] = mirage_kernel.sub %{{.*}}, %[[MAX]] : (tensor<1x4x8xf16>, tensor<1x4x1xf32>) -> tensor<1x4x8xf32>
// CHECK-NEXT:    return %[[SUB]]
func.func @leading_units(%x: tensor<1x4x8xf16>) -> tensor<1x4x8xf32> {
  %0 = mirage_kernel.reduce_max %x dim 2 : (tensor<1x4x8xf16>) -> tensor<1x4x1xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<1x4x1xf32>) -> tensor<4x1xf32>
  %2 = mirage_kernel.sub %x, %1 : (tensor<1x4x8xf16>, tensor<4x1xf32>) -> tensor<1x4x8xf32>
  return %2 : tensor<1x4x8xf32>
}
