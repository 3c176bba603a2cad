// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

// The dimension that a program drops and adds again is kept.

// CHECK-LABEL: func.func @keepdim(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>)
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.sum %[[X]] dim 1 : (tensor<4x8xf16>) -> tensor<4x1xf32>
// CHECK-NEXT:    return %[[SUM]]
func.func @keepdim(%x: tensor<4x8xf16>) -> tensor<4x1xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf16>) outs(%zero : tensor<4xf32>) {
  ^bb0(%a: f16, %acc: f32):
    %e = arith.extf %a : f16 to f32
    %s = arith.addf %e, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %r = tensor.expand_shape %sum [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// CHECK-LABEL: func.func @leading(
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.sum %{{.*}} dim 0 : (tensor<4x8xf32>) -> tensor<1x8xf32>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[SUM]] : (tensor<1x8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    return %[[R]]
func.func @leading(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%fill : tensor<8xf32>) dimensions = [0]
  return %r : tensor<8xf32>
}

// Several dimensions, f16 result, and a result that keeps a dimension of size 1.

// CHECK-LABEL: func.func @several(
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %{{.*}} : (tensor<2x4x8xf32>) -> tensor<2x4x8xf16>
// CHECK-NEXT:    %[[SUM0:.*]] = mirage_kernel.sum %[[EXP]] dim 0 : (tensor<2x4x8xf16>) -> tensor<1x4x8xf32>
// CHECK-NEXT:    %[[SUM2:.*]] = mirage_kernel.sum %[[SUM0]] dim 2 : (tensor<1x4x8xf32>) -> tensor<1x4x1xf16>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[SUM2]] : (tensor<1x4x1xf16>) -> tensor<4x1xf16>
// CHECK-NEXT:    return %[[R]]
func.func @several(%x: tensor<2x4x8xf32>) -> tensor<4x1xf16> {
  %zero = arith.constant dense<0.0> : tensor<4x1xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, 0)>],
                       iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<2x4x8xf32>) outs(%zero : tensor<4x1xf16>) {
  ^bb0(%a: f32, %acc: f16):
    %e = math.exp %a : f32
    %t = arith.truncf %e : f32 to f16
    %s = arith.addf %acc, %t : f16
    linalg.yield %s : f16
  } -> tensor<4x1xf16>
  return %r : tensor<4x1xf16>
}

// What the accumulator starts with is added.

// CHECK-LABEL: func.func @init_constant(
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.sum %{{.*}} dim 1
// CHECK-NEXT:    %[[C:.*]] = mirage.constant 3.000000e+00
// CHECK-NEXT:    mirage_kernel.add %[[SUM]], %[[C]] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
func.func @init_constant(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %three = arith.constant dense<3.0> : tensor<4xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%three : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @init_tensor(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[INIT:.*]]: tensor<4xf32>)
// CHECK-DAG:     %[[SUM:.*]] = mirage_kernel.sum %[[X]] dim 1
// CHECK-DAG:     %[[COLUMN:.*]] = mirage_kernel.reshape %[[INIT]] : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK-NEXT:    %[[ADD:.*]] = mirage_kernel.add %[[SUM]], %[[COLUMN]]
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[ADD]] : (tensor<4x1xf32>) -> tensor<4xf32>
// CHECK-NEXT:    return %[[R]]
func.func @init_tensor(%x: tensor<4x8xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// Two results of one reduction.

// CHECK-LABEL: func.func @two_results(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>)
// CHECK-DAG:     %[[SQR:.*]] = mirage_kernel.sqr %[[X]]
// CHECK-DAG:     mirage_kernel.sum %[[X]] dim 0
// CHECK-DAG:     mirage_kernel.sum %[[SQR]] dim 0
// CHECK-NOT:     linalg
// CHECK:         return
func.func @two_results(%x: tensor<8xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>],
                         iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%zero, %zero : tensor<f32>, tensor<f32>) {
  ^bb0(%a: f32, %acc0: f32, %acc1: f32):
    %s0 = arith.addf %acc0, %a : f32
    %q = arith.mulf %a, %a : f32
    %s1 = arith.addf %acc1, %q : f32
    linalg.yield %s0, %s1 : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}

// The positions of the maxima are none of the program's, if nobody uses them.

// CHECK-LABEL: func.func @unused_result(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:    %[[M:.*]] = mirage_kernel.reduce_max %[[X]] dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[M]] : (tensor<4x1xf32>) -> tensor<4xf32>
// CHECK-NEXT:    return %[[R]]
func.func @unused_result(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %low = arith.constant dense<0xFF800000> : tensor<4xf32>
  %first = arith.constant dense<0> : tensor<4xi64>
  %m:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%low, %first : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%a: f32, %largest: f32, %at: i64):
    %i = linalg.index 1 : index
    %here = arith.index_cast %i : index to i64
    %max = arith.maximumf %a, %largest : f32
    %larger = arith.cmpf ogt, %a, %largest : f32
    %position = arith.select %larger, %here, %at : i64
    linalg.yield %max, %position : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %m#0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @matvec(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf32>, %[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.mul %[[A]], %[[X]] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[S:.*]] = mirage_kernel.sum %[[P]] dim 1
// CHECK-NEXT:    mirage_kernel.reshape %[[S]] : (tensor<4x1xf32>) -> tensor<4xf32>
func.func @matvec(%a: tensor<4x8xf32>, %x: tensor<8xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %r = linalg.matvec ins(%a, %x : tensor<4x8xf32>, tensor<8xf32>) outs(%zero : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// What is subtracted from the accumulator is added to it, negated; and so is a square in one operation with the addition.

// CHECK-LABEL: func.func @subtracted(
// CHECK-DAG:     %[[NEG:.*]] = mirage_kernel.neg %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-DAG:     %[[SQR:.*]] = mirage_kernel.sqr %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-DAG:     mirage_kernel.sum %[[NEG]] dim 1
// CHECK-DAG:     mirage_kernel.sum %[[SQR]] dim 1
func.func @subtracted(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%zero, %zero : tensor<4xf32>, tensor<4xf32>) {
    ^bb0(%a: f32, %less: f32, %more: f32):
      %1 = arith.subf %less, %a : f32
      %2 = math.fma %a, %a, %more : f32
      linalg.yield %1, %2 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// The accumulator is subtracted from nothing.

func.func @subtracts_accumulator(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  // expected-remark@below {{not imported: a reduction by 'arith.subf' has no Mirage operator yet}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%zero : tensor<4xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %1 = arith.subf %a, %acc : f32
      linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// No operand has all dimensions: the terms are a tensor of their own, as long as there are few. Distances of points, and the
// largest sum of an element of each of two vectors.

// CHECK-LABEL: func.func @distances(
// CHECK-DAG:     mirage_kernel.sub %{{.*}} : (tensor<4x1x8xf32>, tensor<6x8xf32>) -> tensor<4x6x8xf32>
// CHECK:         mirage_kernel.sum %{{.*}} dim 2 : (tensor<4x6x8xf32>) -> tensor<4x6x1xf32>
func.func @distances(%a: tensor<4x8xf32>, %b: tensor<6x8xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<6x8xf32>) outs(%zero : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %d = arith.subf %x, %y : f32
    %q = math.absf %d : f32
    %s = arith.addf %q, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @largest_sum(
// CHECK:         mirage_kernel.add %{{.*}} -> tensor<4x6xf32>
// CHECK:         mirage_kernel.reduce_max %{{.*}} dim 1 : (tensor<4x6xf32>) -> tensor<4x1xf32>
func.func @largest_sum(%a: tensor<4xf32>, %b: tensor<6xf32>) -> tensor<4xf32> {
  %least = arith.constant dense<0xFF800000> : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<4xf32>, tensor<6xf32>) outs(%least : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %t = arith.addf %x, %y : f32
    %m = arith.maximumf %acc, %t : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
