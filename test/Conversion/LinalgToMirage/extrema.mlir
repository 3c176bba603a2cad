// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

// Maxima and minima, and what is made of them.

// CHECK-LABEL: func.func @ops(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[A:.*]] = mirage_kernel.max %[[X]], %[[Y]]
// CHECK-NEXT:    %[[B:.*]] = mirage_kernel.max %[[A]], %[[Y]]
// CHECK-NEXT:    %[[C:.*]] = mirage_kernel.min %[[B]], %[[Y]]
// CHECK-NEXT:    %[[D:.*]] = mirage_kernel.min %[[C]], %[[X]]
// CHECK-NEXT:    return %[[D]]
func.func @ops(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %b: f32, %out: f32) {
    %0 = arith.maximumf %a, %b : f32
    %1 = arith.maxnumf %0, %b : f32
    %2 = arith.minimumf %1, %b : f32
    %3 = arith.minnumf %2, %a : f32
    linalg.yield %3 : f32
  }
  return %r : tensor<4xf32>
}

// As a comparison and a choice: a > b ? a : b and its variants. The values may
// have been widened in between, and equal constants be written twice.

// CHECK-LABEL: func.func @selects(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf16>, %[[Y:.*]]: tensor<4xf16>)
// CHECK-NEXT:    %[[MAX:.*]] = mirage_kernel.max %[[X]], %[[Y]] : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT:    %[[MIN:.*]] = mirage_kernel.min %[[X]], %[[Y]] : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT:    %[[MAX2:.*]] = mirage_kernel.max %[[Y]], %[[X]] : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:    %[[RELU:.*]] = mirage_kernel.relu %[[X]] : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:    return %[[MAX]], %[[MIN]], %[[MAX2]], %[[RELU]]
func.func @selects(%x: tensor<4xf16>, %y: tensor<4xf16>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf16>, tensor<4xf16>) {
  %e = tensor.empty() : tensor<4xf32>
  %h = tensor.empty() : tensor<4xf16>
  %max = linalg.map ins(%x, %y : tensor<4xf16>, tensor<4xf16>) outs(%e : tensor<4xf32>) (%a: f16, %b: f16, %out: f32) {
    %c = arith.cmpf ogt, %a, %b : f16
    %ae = arith.extf %a : f16 to f32
    %be = arith.extf %b : f16 to f32
    %s = arith.select %c, %ae, %be : f32
    linalg.yield %s : f32
  }
  %min = linalg.map ins(%x, %y : tensor<4xf16>, tensor<4xf16>) outs(%e : tensor<4xf32>) (%a: f16, %b: f16, %out: f32) {
    %ae = arith.extf %a : f16 to f32
    %be = arith.extf %b : f16 to f32
    %c = arith.cmpf ule, %ae, %be : f32
    %s = arith.select %c, %ae, %be : f32
    linalg.yield %s : f32
  }
  %max2 = linalg.map ins(%x, %y : tensor<4xf16>, tensor<4xf16>) outs(%h : tensor<4xf16>) (%a: f16, %b: f16, %out: f16) {
    %c = arith.cmpf olt, %a, %b : f16
    %s = arith.select %c, %b, %a : f16
    linalg.yield %s : f16
  }
  %relu = linalg.map ins(%x : tensor<4xf16>) outs(%h : tensor<4xf16>) (%a: f16, %out: f16) {
    %zero = arith.constant 0.0 : f16
    %other = arith.constant -0.0 : f16
    %c = arith.cmpf ugt, %a, %zero : f16
    %s = arith.select %c, %a, %other : f16
    linalg.yield %s : f16
  }
  return %max, %min, %max2, %relu : tensor<4xf32>, tensor<4xf32>, tensor<4xf16>, tensor<4xf16>
}

// There are no NaNs among the reals.

// CHECK-LABEL: func.func @without_nans(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[MAX:.*]] = mirage_kernel.max %[[X]], %[[Y]]
// CHECK-NEXT:    return %[[MAX]]
func.func @without_nans(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %b: f32, %out: f32) {
    %max = arith.maximumf %a, %b : f32
    %c = arith.cmpf uno, %a, %a : f32
    %d = arith.cmpf ord, %b, %b : f32
    %s = arith.select %c, %b, %max : f32
    %t = arith.select %d, %s, %a : f32
    linalg.yield %t : f32
  }
  return %r : tensor<4xf32>
}

// Bounds, in either order where the lower is lower.

// CHECK-LABEL: func.func @clamps(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[A:.*]] = mirage_kernel.clamp %[[X]] from -1.000000e+00 to 2.500000e+00
// CHECK-NEXT:    %[[B:.*]] = mirage_kernel.clamp %[[A]] from -5.000000e-01 to 5.000000e-01
// CHECK-NEXT:    %[[C:.*]] = mirage_kernel.clamp %[[B]] from 0.000000e+00 to 6.000000e+00
// CHECK-NEXT:    %[[D:.*]] = mirage_kernel.clamp %[[C]] from 0.000000e+00 to 2.500000e-01
// CHECK-NEXT:    return %[[D]]
func.func @clamps(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %out: f32) {
    %c0 = arith.constant -1.0 : f32
    %c1 = arith.constant 2.5 : f32
    %c2 = arith.constant 0.5 : f32
    %c3 = arith.constant -0.5 : f32
    %c4 = arith.constant 0.0 : f32
    %c5 = arith.constant 6.0 : f32
    %c6 = arith.constant 0.25 : f32
    %0 = arith.maximumf %a, %c0 : f32
    %1 = arith.minimumf %c1, %0 : f32
    %2 = arith.minimumf %1, %c2 : f32
    %3 = arith.maximumf %2, %c3 : f32
    %4 = arith.maximumf %3, %c4 : f32
    %5 = arith.minimumf %4, %c5 : f32
    %6 = arith.minimumf %5, %c6 : f32
    %7 = arith.maximumf %6, %c4 : f32
    linalg.yield %7 : f32
  }
  return %r : tensor<4xf32>
}

// The lower bound wins here, and in a clamp the upper: max(min(x, 1), 2) is 2.

// CHECK-LABEL: func.func @not_a_clamp(
// CHECK-NOT:     clamp
// CHECK:         mirage_kernel.min
// CHECK:         mirage_kernel.max
func.func @not_a_clamp(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %out: f32) {
    %c0 = arith.constant 1.0 : f32
    %c1 = arith.constant 2.0 : f32
    %0 = arith.minimumf %a, %c0 : f32
    %1 = arith.maximumf %0, %c1 : f32
    linalg.yield %1 : f32
  }
  return %r : tensor<4xf32>
}

// In f16, where the bounds and the number are f16, and a rounding before that.

// CHECK-LABEL: func.func @clamp_f16(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf16>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[A:.*]] = mirage_kernel.clamp %[[X]] from -1.000000e+00 to 1.000000e+00 : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:    %[[CAST:.*]] = mirage_kernel.cast %[[Y]] : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT:    %[[B:.*]] = mirage_kernel.clamp %[[CAST]] from -1.000000e+00 to 1.000000e+00 : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @clamp_f16(%x: tensor<4xf16>, %y: tensor<4xf32>) -> (tensor<4xf16>, tensor<4xf16>) {
  %e = tensor.empty() : tensor<4xf16>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                         iterator_types = ["parallel"]}
      ins(%x, %y : tensor<4xf16>, tensor<4xf32>) outs(%e, %e : tensor<4xf16>, tensor<4xf16>) {
  ^bb0(%a: f16, %b: f32, %o0: f16, %o1: f16):
    %c0 = arith.constant -1.0 : f16
    %c1 = arith.constant 1.0 : f16
    %0 = arith.minimumf %a, %c1 : f16
    %1 = arith.maximumf %0, %c0 : f16
    %t = arith.truncf %b : f32 to f16
    %2 = arith.minimumf %t, %c1 : f16
    %3 = arith.maximumf %2, %c0 : f16
    linalg.yield %1, %3 : f16, f16
  } -> (tensor<4xf16>, tensor<4xf16>)
  return %r#0, %r#1 : tensor<4xf16>, tensor<4xf16>
}

// Bounds that no number of the type exceeds; an f16 that was computed may have
// been larger as a real number.

// CHECK-LABEL: func.func @neutral_bounds(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[H:.*]]: tensor<4xf16>)
// CHECK-DAG:     %[[RELU:.*]] = mirage_kernel.relu %[[X]]
// CHECK-DAG:     %[[LAST:.*]] = mirage.constant 6.550400e+04
// CHECK-DAG:     %[[SQR:.*]] = mirage_kernel.sqr %[[H]]
// CHECK-DAG:     %[[MIN:.*]] = mirage_kernel.min %[[SQR]], %[[LAST]]
// CHECK:         return %[[RELU]], %[[H]], %[[MIN]]
func.func @neutral_bounds(%x: tensor<4xf32>, %h: tensor<4xf16>) -> (tensor<4xf32>, tensor<4xf16>, tensor<4xf16>) {
  %e = tensor.empty() : tensor<4xf32>
  %eh = tensor.empty() : tensor<4xf16>
  %relu = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %out: f32) {
    %zero = arith.constant 0.0 : f32
    %last = arith.constant 3.40282347E+38 : f32
    %inf = arith.constant 0xFF800000 : f32
    %0 = arith.minimumf %a, %last : f32
    %1 = arith.maximumf %0, %zero : f32
    %2 = arith.maximumf %1, %inf : f32
    linalg.yield %2 : f32
  }
  %same = linalg.map ins(%h : tensor<4xf16>) outs(%eh : tensor<4xf16>) (%a: f16, %out: f16) {
    %last = arith.constant 65504.0 : f16
    %0 = arith.minimumf %a, %last : f16
    linalg.yield %0 : f16
  }
  %min = linalg.map ins(%h : tensor<4xf16>) outs(%eh : tensor<4xf16>) (%a: f16, %out: f16) {
    %last = arith.constant 65504.0 : f16
    %s = arith.mulf %a, %a : f16
    %0 = arith.minimumf %s, %last : f16
    linalg.yield %0 : f16
  }
  return %relu, %same, %min : tensor<4xf32>, tensor<4xf16>, tensor<4xf16>
}

// Reductions start from an infinity or the last number of the type.

// CHECK-LABEL: func.func @reduce_max(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[H:.*]]: tensor<4x8xf16>)
// CHECK-DAG:     %[[A:.*]] = mirage_kernel.reduce_max %[[X]] dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.reshape %[[A]] : (tensor<4x1xf32>) -> tensor<4xf32>
// CHECK-DAG:     %[[B:.*]] = mirage_kernel.reduce_max %[[H]] dim 0 : (tensor<4x8xf16>) -> tensor<1x8xf32>
// CHECK-DAG:     %[[S:.*]] = mirage_kernel.reshape %[[B]] : (tensor<1x8xf32>) -> tensor<8xf32>
// CHECK:         return %[[R]], %[[R]], %[[S]]
func.func @reduce_max(%x: tensor<4x8xf32>, %h: tensor<4x8xf16>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %inf = arith.constant dense<0xFF800000> : tensor<4xf32>
  %last = arith.constant dense<-3.40282347E+38> : tensor<4xf32>
  %last16 = arith.constant dense<-65504.0> : tensor<8xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%inf : tensor<4xf32>) dimensions = [1]
  %1 = linalg.reduce ins(%x : tensor<4x8xf32>) outs(%last : tensor<4xf32>) dimensions = [1] (%a: f32, %acc: f32) {
    %c = arith.cmpf ogt, %a, %acc : f32
    %s = arith.select %c, %a, %acc : f32
    linalg.yield %s : f32
  }
  %2 = linalg.reduce ins(%h : tensor<4x8xf16>) outs(%last16 : tensor<8xf32>) dimensions = [0] (%a: f16, %acc: f32) {
    %e = arith.extf %a : f16 to f32
    %s = arith.maxnumf %acc, %e : f32
    linalg.yield %s : f32
  }
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}

// From something else, that is part of the maximum.

// CHECK-LABEL: func.func @reduce_max_init(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[INIT:.*]]: tensor<4xf32>)
// CHECK-DAG:     %[[MAX:.*]] = mirage_kernel.reduce_max %[[X]] dim 1
// CHECK-DAG:     %[[RELU:.*]] = mirage_kernel.relu %[[MAX]]
// CHECK-DAG:     %[[COLUMN:.*]] = mirage_kernel.reshape %[[INIT]] : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK-DAG:     mirage_kernel.max %[[MAX]], %[[COLUMN]]
func.func @reduce_max_init(%x: tensor<4x8xf32>, %init: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%zero : tensor<4xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// The minimum is that of the negated numbers, negated. Several dimensions.

// CHECK-LABEL: func.func @reduce_min(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>)
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[X]]
// CHECK-NEXT:    %[[NEG:.*]] = mirage_kernel.neg %[[EXP]]
// CHECK-NEXT:    %[[MAX0:.*]] = mirage_kernel.reduce_max %[[NEG]] dim 0 : (tensor<2x4x8xf32>) -> tensor<1x4x8xf32>
// CHECK-NEXT:    %[[MAX2:.*]] = mirage_kernel.reduce_max %[[MAX0]] dim 2 : (tensor<1x4x8xf32>) -> tensor<1x4x1xf32>
// CHECK-NEXT:    %[[MIN:.*]] = mirage_kernel.neg %[[MAX2]]
// CHECK-NEXT:    mirage_kernel.reshape %[[MIN]] : (tensor<1x4x1xf32>) -> tensor<4xf32>
func.func @reduce_min(%x: tensor<2x4x8xf32>) -> tensor<4xf32> {
  %inf = arith.constant dense<0x7F800000> : tensor<4xf32>
  %r = linalg.reduce ins(%x : tensor<2x4x8xf32>) outs(%inf : tensor<4xf32>) dimensions = [0, 2] (%a: f32, %acc: f32) {
    %e = math.exp %a : f32
    %s = arith.minimumf %e, %acc : f32
    linalg.yield %s : f32
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>)
// CHECK-NEXT:    %[[MAX:.*]] = mirage_kernel.reduce_max %[[X]] dim 1 : (tensor<4x8xf16>) -> tensor<4x1xf32>
// CHECK-NEXT:    %[[DIFFERENCE:.*]] = mirage_kernel.sub %[[X]], %[[MAX]]
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[DIFFERENCE]]
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.sum %[[EXP]] dim 1
// CHECK-NEXT:    mirage_kernel.div %[[EXP]], %[[SUM]] : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf16>
func.func @softmax(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %e = tensor.empty() : tensor<4x8xf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<4x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}
