// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: func.func @concat(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>, %[[Y:.*]]: tensor<4x2xf16>, %[[Z:.*]]: tensor<4x3xf16>)
// CHECK-NEXT:    %[[XY:.*]] = mirage_kernel.concat %[[X]], %[[Y]] dim 1 : (tensor<4x8xf16>, tensor<4x2xf16>) -> tensor<4x10xf16>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.concat %[[XY]], %[[Z]] dim 1 : (tensor<4x10xf16>, tensor<4x3xf16>) -> tensor<4x13xf16>
// CHECK-NEXT:    return %[[R]]
func.func @concat(%x: tensor<4x8xf16>, %y: tensor<4x2xf16>, %z: tensor<4x3xf16>) -> tensor<4x13xf16> {
  %r = tensor.concat dim(1) %x, %y, %z : (tensor<4x8xf16>, tensor<4x2xf16>, tensor<4x3xf16>) -> tensor<4x13xf16>
  return %r : tensor<4x13xf16>
}

// Slices that make up a tensor are a concatenation, in whatever order they are
// written. The first has a dimension less.

// CHECK-LABEL: func.func @insert_slices(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<2x8xf32>)
// CHECK-NEXT:    %[[ROW:.*]] = mirage_kernel.reshape %[[X]] : (tensor<8xf32>) -> tensor<1x8xf32>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.concat %[[Y]], %[[ROW]] dim 0 : (tensor<2x8xf32>, tensor<1x8xf32>) -> tensor<3x8xf32>
// CHECK-NEXT:    return %[[R]]
func.func @insert_slices(%x: tensor<8xf32>, %y: tensor<2x8xf32>) -> tensor<3x8xf32> {
  %e = tensor.empty() : tensor<3x8xf32>
  %0 = tensor.insert_slice %x into %e[2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
  %1 = tensor.insert_slice %y into %0[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<3x8xf32>
  return %1 : tensor<3x8xf32>
}

// Whole tensors.

// CHECK-LABEL: func.func @whole_slices(
// CHECK-SAME:    %[[X:.*]]: tensor<1x8xf32>, %[[Y:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<1x8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    return %[[R]], %[[Y]], %[[Y]]
func.func @whole_slices(%x: tensor<1x8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = tensor.extract_slice %x[0, 0] [1, 8] [1, 1] : tensor<1x8xf32> to tensor<8xf32>
  %1 = tensor.insert_slice %y into %0[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
  %2 = tensor.cast %y : tensor<8xf32> to tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @reshape(
// CHECK-SAME:    %[[X:.*]]: tensor<4x6xf32>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x6xf32>) -> tensor<3x8xf32>
// CHECK-NEXT:    return %[[R]]
func.func @reshape(%x: tensor<4x6xf32>) -> tensor<3x8xf32> {
  %shape = arith.constant dense<[3, 8]> : tensor<2xi64>
  %r = tensor.reshape %x(%shape) : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}

// Without a convolution, padding is a concatenation with numbers.

// CHECK-LABEL: func.func @pad(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>)
// CHECK-DAG:     %[[C:.*]] = mirage.constant 2.000000e+00
// CHECK-DAG:     %[[ROW:.*]] = mirage_kernel.broadcast %[[C]] : (tensor<f32>) -> tensor<1x8xf16>
// CHECK-DAG:     %[[ROWS:.*]] = mirage_kernel.concat %[[ROW]], %[[X]] dim 0 : {{.*}} -> tensor<5x8xf16>
// CHECK-DAG:     %[[COLUMNS:.*]] = mirage_kernel.broadcast %[[C]] : (tensor<f32>) -> tensor<5x3xf16>
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.concat %[[ROWS]], %[[COLUMNS]] dim 1 : {{.*}} -> tensor<5x11xf16>
// CHECK:         return %[[R]]
func.func @pad(%x: tensor<4x8xf16>) -> tensor<5x11xf16> {
  %two = arith.constant 2.0 : f16
  %r = tensor.pad %x low[1, 0] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f16
  } : tensor<4x8xf16> to tensor<5x11xf16>
  return %r : tensor<5x11xf16>
}

// Numbers as tensors: a constant, a fill, a splat; returned, or computed. They
// are broadcast where nothing else does it.

// CHECK-LABEL: func.func @splats(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-DAG:     %[[ONE:.*]] = mirage.constant 1.000000e+00
// CHECK-DAG:     %[[TWO:.*]] = mirage.constant 2.000000e+00
// CHECK-DAG:     %[[THREE:.*]] = mirage.constant 3.000000e+00
// CHECK-DAG:     %[[R0:.*]] = mirage_kernel.broadcast %[[ONE]] : (tensor<f32>) -> tensor<4xf16>
// CHECK-DAG:     %[[R1:.*]] = mirage_kernel.broadcast %[[TWO]] : (tensor<f32>) -> tensor<4xf32>
// CHECK-DAG:     %[[R2:.*]] = mirage_kernel.broadcast %[[THREE]] : (tensor<f32>) -> tensor<2x2xf32>
// CHECK-DAG:     %[[R3:.*]] = mirage_kernel.mul %[[X]], %[[TWO]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK:         return %[[R0]], %[[R1]], %[[R2]], %[[R3]], %[[R1]]
func.func @splats(%x: tensor<4xf32>) -> (tensor<4xf16>, tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = arith.constant dense<1.0> : tensor<4xf16>
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %fill = linalg.fill ins(%two : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %splat = tensor.splat %three : tensor<4xf32>
  %square = tensor.expand_shape %splat [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %r = linalg.mul ins(%x, %fill : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %made = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %out: f32) {
    linalg.yield %two : f32
  }
  return %one, %fill, %square, %r, %made : tensor<4xf16>, tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<4xf32>
}

// A broadcast stays where it is wanted, and is part of an elementwise operator.

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8x4xf32>)
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.broadcast %[[X]] : (tensor<8xf32>) -> tensor<4x8xf32>
// CHECK-DAG:     %[[COLUMN:.*]] = mirage_kernel.reshape %[[X]] : (tensor<8xf32>) -> tensor<8x1xf32>
// CHECK-DAG:     %[[S:.*]] = mirage_kernel.add %[[COLUMN]], %[[Y]] : (tensor<8x1xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK:         return %[[R]], %[[S]]
func.func @broadcast(%x: tensor<8xf32>, %y: tensor<8x4xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<8x4xf32>
  %r = linalg.broadcast ins(%x : tensor<8xf32>) outs(%e0 : tensor<4x8xf32>) dimensions = [0]
  %c = linalg.broadcast ins(%x : tensor<8xf32>) outs(%e1 : tensor<8x4xf32>) dimensions = [1]
  %s = linalg.add ins(%c, %y : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r, %s : tensor<4x8xf32>, tensor<8x4xf32>
}

// New dimensions that are merged into others are copies of the whole. Those that
// come after what they repeat repeat each element.

// CHECK-LABEL: func.func @repeat(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.repeat %[[X]] dim 0 times 3 : (tensor<4x8xf32>) -> tensor<12x8xf32>
// CHECK-DAG:     %[[EACH:.*]] = mirage_kernel.broadcast %{{.*}} : (tensor<4x1x8xf32>) -> tensor<4x3x8xf32>
// CHECK-DAG:     %[[S:.*]] = mirage_kernel.reshape %[[EACH]] : (tensor<4x3x8xf32>) -> tensor<12x8xf32>
// CHECK:         return %[[R]], %[[S]]
func.func @repeat(%x: tensor<4x8xf32>) -> (tensor<12x8xf32>, tensor<12x8xf32>) {
  %e0 = tensor.empty() : tensor<3x4x8xf32>
  %e1 = tensor.empty() : tensor<4x3x8xf32>
  %0 = linalg.broadcast ins(%x : tensor<4x8xf32>) outs(%e0 : tensor<3x4x8xf32>) dimensions = [0]
  %r = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<3x4x8xf32> into tensor<12x8xf32>
  %1 = linalg.broadcast ins(%x : tensor<4x8xf32>) outs(%e1 : tensor<4x3x8xf32>) dimensions = [1]
  %s = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<4x3x8xf32> into tensor<12x8xf32>
  return %r, %s : tensor<12x8xf32>, tensor<12x8xf32>
}

// A sum of each group of a dimension; the second drops another dimension.

// CHECK-LABEL: func.func @grouped_sum(
// CHECK-SAME:    %[[X:.*]]: tensor<4x24xf32>)
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.sum %[[X]] dim 1 size 8 : (tensor<4x24xf32>) -> tensor<4x3xf32>
// CHECK-DAG:     %[[G:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x24xf32>) -> tensor<4x3x8xf32>
// CHECK-DAG:     %[[S:.*]] = mirage_kernel.sum %[[G]] dim 1 : (tensor<4x3x8xf32>) -> tensor<4x1x8xf32>
// CHECK-DAG:     %[[T:.*]] = mirage_kernel.reshape %[[S]] : (tensor<4x1x8xf32>) -> tensor<4x8xf32>
// CHECK:         return %[[R]], %[[T]]
func.func @grouped_sum(%x: tensor<4x24xf32>) -> (tensor<4x3xf32>, tensor<4x8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4x3xf32>
  %zero2 = arith.constant dense<0.0> : tensor<4x8xf32>
  %g = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 3, 8] : tensor<4x24xf32> into tensor<4x3x8xf32>
  %r = linalg.reduce { arith.addf } ins(%g : tensor<4x3x8xf32>) outs(%zero : tensor<4x3xf32>) dimensions = [2]
  %s = linalg.reduce { arith.addf } ins(%g : tensor<4x3x8xf32>) outs(%zero2 : tensor<4x8xf32>) dimensions = [1]
  return %r, %s : tensor<4x3xf32>, tensor<4x8xf32>
}

// Arith and math ops on whole tensors.

// CHECK-LABEL: func.func @whole_tensors(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf16>)
// CHECK-DAG:     %[[C:.*]] = mirage_kernel.cast %[[X]] : (tensor<4x8xf32>) -> tensor<4x8xf16>
// CHECK-DAG:     %[[E:.*]] = mirage_kernel.exp %[[Y]] : (tensor<4x8xf16>) -> tensor<4x8xf16>
// CHECK:         %[[R:.*]] = mirage_kernel.mul %[[C]], %[[E]]
// CHECK-NEXT:    return %[[R]]
func.func @whole_tensors(%x: tensor<4x8xf32>, %y: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = arith.truncf %x : tensor<4x8xf32> to tensor<4x8xf16>
  %1 = math.exp %y : tensor<4x8xf16>
  %2 = arith.mulf %0, %1 : tensor<4x8xf16>
  return %2 : tensor<4x8xf16>
}
