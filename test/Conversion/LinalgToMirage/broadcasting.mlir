// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0)>
#column1 = affine_map<(d0, d1) -> (d0, 0)>
#scalar = affine_map<(d0, d1) -> ()>
#ones = affine_map<(d0, d1) -> (0, 0)>

// Trailing dimensions and dimensions of size 1 broadcast as they are; a missing
// trailing dimension is added with size 1.

// CHECK-LABEL: func.func @maps(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[ROW:[^:]*]]: tensor<8xf32>, %[[COLUMN:[^:]*]]: tensor<4xf32>,
// CHECK-SAME:    %[[COLUMN1:[^:]*]]: tensor<4x1xf32>, %[[SCALAR:[^:]*]]: tensor<f32>, %[[ONES:[^:]*]]: tensor<1x1xf32>)
// CHECK-DAG:     %[[RESHAPED:.*]] = mirage_kernel.reshape %[[COLUMN]] : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK-DAG:     %[[R0:.*]] = mirage_kernel.add %[[X]], %[[ROW]] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK-DAG:     %[[R1:.*]] = mirage_kernel.add %[[R0]], %[[RESHAPED]] : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
// CHECK-DAG:     %[[R2:.*]] = mirage_kernel.add %[[R1]], %[[COLUMN1]] : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
// CHECK-DAG:     %[[R3:.*]] = mirage_kernel.add %[[R2]], %[[SCALAR]] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
// CHECK-DAG:     %[[R4:.*]] = mirage_kernel.add %[[R3]], %[[ONES]] : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
// CHECK:         return %[[R4]]
func.func @maps(%x: tensor<4x8xf32>, %row: tensor<8xf32>, %column: tensor<4xf32>, %column1: tensor<4x1xf32>,
                %scalar: tensor<f32>, %ones: tensor<1x1xf32>) -> tensor<4x8xf32> {
  %empty = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #column, #column1, #scalar, #ones, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %row, %column, %column1, %scalar, %ones
          : tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4x1xf32>, tensor<f32>, tensor<1x1xf32>)
      outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %f: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    %2 = arith.addf %1, %d : f32
    %3 = arith.addf %2, %e : f32
    %4 = arith.addf %3, %f : f32
    linalg.yield %4 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Dimensions in the middle, and an operand of a higher rank than the loops.

// CHECK-LABEL: func.func @middle(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[Y:.*]]: tensor<2x8xf32>, %[[Z:.*]]: tensor<1x1x4x1x1xf32>)
// CHECK-DAG:     %[[YR:.*]] = mirage_kernel.reshape %[[Y]] : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
// CHECK-DAG:     %[[ZR:.*]] = mirage_kernel.reshape %[[Z]] : (tensor<1x1x4x1x1xf32>) -> tensor<4x1xf32>
// CHECK-DAG:     %[[XY:.*]] = mirage_kernel.mul %[[X]], %[[YR]]
// CHECK-DAG:     mirage_kernel.mul %[[XY]], %[[ZR]]
func.func @middle(%x: tensor<2x4x8xf32>, %y: tensor<2x8xf32>, %z: tensor<1x1x4x1x1xf32>) -> tensor<2x4x8xf32> {
  %empty = tensor.empty() : tensor<2x4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>,
                                        affine_map<(d0, d1, d2) -> (0, 0, d1, 0, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y, %z : tensor<2x4x8xf32>, tensor<2x8xf32>, tensor<1x1x4x1x1xf32>) outs(%empty : tensor<2x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}

// Together the operands have the shape of the result.

// CHECK-LABEL: func.func @outer(
// CHECK:         mirage_kernel.mul %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @outer(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<4x8xf32> {
  %empty = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#column, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4xf32>, tensor<8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// A result with leading dimensions of size 1.

// CHECK-LABEL: func.func @leading_one(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[X]] : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[EXP]] : (tensor<8xf32>) -> tensor<1x8xf32>
// CHECK-NEXT:    return %[[R]]
func.func @leading_one(%x: tensor<8xf32>) -> tensor<1x8xf32> {
  %empty = tensor.empty() : tensor<1x8xf32>
  %r = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8xf32>) outs(%empty : tensor<1x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}
