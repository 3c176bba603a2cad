// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Each op of a body is an operator; it computes in f32 where the body does, and
// the last one rounds.

// CHECK-LABEL: func.func @body(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>, %[[Y:.*]]: tensor<4x8xbf16>)
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.add %[[X]], %[[Y]] : (tensor<4x8xf16>, tensor<4x8xbf16>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[SUM]] : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[ROOT:.*]] = mirage_kernel.sqrt %[[EXP]]
// CHECK-NEXT:    %[[DIFFERENCE:.*]] = mirage_kernel.sub %[[ROOT]], %[[X]] : (tensor<4x8xf32>, tensor<4x8xf16>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[QUOTIENT:.*]] = mirage_kernel.div %[[DIFFERENCE]], %[[Y]] : (tensor<4x8xf32>, tensor<4x8xbf16>) -> tensor<4x8xf16>
// CHECK-NEXT:    return %[[QUOTIENT]]
func.func @body(%x: tensor<4x8xf16>, %y: tensor<4x8xbf16>) -> tensor<4x8xf16> {
  %empty = tensor.empty() : tensor<4x8xf16>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x8xf16>, tensor<4x8xbf16>) outs(%empty : tensor<4x8xf16>) {
  ^bb0(%a: f16, %b: bf16, %out: f16):
    %ae = arith.extf %a : f16 to f32
    %be = arith.extf %b : bf16 to f32
    %sum = arith.addf %ae, %be : f32
    %exp = math.exp %sum : f32
    %root = math.sqrt %exp : f32
    %difference = arith.subf %root, %ae : f32
    %quotient = arith.divf %difference, %be : f32
    %r = arith.truncf %quotient : f32 to f16
    linalg.yield %r : f16
  } -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// A body that computes in f16 rounds after every op.

// CHECK-LABEL: func.func @half(
// CHECK:         %[[SUM:.*]] = mirage_kernel.add {{.*}} -> tensor<8xf16>
// CHECK-NEXT:    mirage_kernel.sqr %[[SUM]] : (tensor<8xf16>) -> tensor<8xf16>
func.func @half(%x: tensor<8xf16>) -> tensor<8xf16> {
  %empty = tensor.empty() : tensor<8xf16>
  %r = linalg.map ins(%x : tensor<8xf16>) outs(%empty : tensor<8xf16>) (%a: f16, %out: f16) {
    %sum = arith.addf %a, %a : f16
    %square = arith.mulf %sum, %sum : f16
    linalg.yield %square : f16
  }
  return %r : tensor<8xf16>
}

// Constants: in the body, outside of it, as scalar operands, fills and splats.

// CHECK-LABEL: func.func @constants(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[IN:.*]] = mirage.constant 1.000000e+00 : tensor<f32>
// CHECK-NEXT:    %[[R0:.*]] = mirage_kernel.add %[[X]], %[[IN]]
// CHECK-NEXT:    %[[OUT:.*]] = mirage.constant 2.000000e+00 : tensor<f32>
// CHECK-NEXT:    %[[R1:.*]] = mirage_kernel.add %[[R0]], %[[OUT]]
// CHECK-NEXT:    %[[SCALAR:.*]] = mirage.constant 3.000000e+00 : tensor<f32>
// CHECK-NEXT:    %[[R2:.*]] = mirage_kernel.add %[[R1]], %[[SCALAR]]
// 0.1 in f16.
// CHECK-NEXT:    %[[FILL:.*]] = mirage.constant 0.0999755859375 : tensor<f32>
// CHECK-NEXT:    %[[R3:.*]] = mirage_kernel.add %[[R2]], %[[FILL]]
// CHECK-NEXT:    %[[SPLAT:.*]] = mirage.constant 5.000000e+00 : tensor<f32>
// CHECK-NEXT:    %[[R4:.*]] = mirage_kernel.add %[[R3]], %[[SPLAT]]
// CHECK-NEXT:    return %[[R4]]
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %tenth = arith.constant 0.1 : f16
  %empty = tensor.empty() : tensor<4xf32>
  %empty16 = tensor.empty() : tensor<2x2xf16>
  %square = linalg.fill ins(%tenth : f16) outs(%empty16 : tensor<2x2xf16>) -> tensor<2x2xf16>
  %fill = tensor.collapse_shape %square [[0, 1]] : tensor<2x2xf16> into tensor<4xf16>
  %splat = arith.constant dense<5.0> : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>,
                                        affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
      ins(%x, %three, %fill, %splat : tensor<4xf32>, f32, tensor<4xf16>, tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f16, %d: f32, %out: f32):
    %one = arith.constant 1.0 : f32
    %0 = arith.addf %a, %one : f32
    %1 = arith.addf %0, %two : f32
    %2 = arith.addf %1, %b : f32
    %ce = arith.extf %c : f16 to f32
    %3 = arith.addf %2, %ce : f32
    %4 = arith.addf %3, %d : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @named(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:    %[[ADD:.*]] = mirage_kernel.add %[[X]], %[[Y]]
// CHECK-NEXT:    %[[SUB:.*]] = mirage_kernel.sub %[[ADD]], %[[Y]]
// CHECK-NEXT:    %[[MUL:.*]] = mirage_kernel.mul %[[SUB]], %[[Y]]
// CHECK-NEXT:    %[[DIV:.*]] = mirage_kernel.div %[[MUL]], %[[Y]]
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[DIV]]
// CHECK-NEXT:    %[[SQR:.*]] = mirage_kernel.sqr %[[EXP]]
// CHECK-NEXT:    %[[SQRT:.*]] = mirage_kernel.sqrt %[[SQR]]
// CHECK-NEXT:    return %[[SQRT]]
func.func @named(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.add ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.sub ins(%0, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.mul ins(%1, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = linalg.div ins(%2, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = linalg.exp ins(%3 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = linalg.square ins(%4 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = linalg.elementwise kind=#linalg.elementwise_kind<sqrt> ins(%5 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %6 : tensor<4x8xf32>
}

// The outs operand is an operand like others where the body uses it; several
// results share what the body computes.

// CHECK-LABEL: func.func @results(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[INIT:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[X]]
// CHECK-NEXT:    %[[ADD:.*]] = mirage_kernel.add %[[EXP]], %[[INIT]]
// CHECK-NEXT:    return %[[EXP]], %[[ADD]], %[[X]]
func.func @results(%x: tensor<4xf32>, %init: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %r:3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>,
                                          affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e, %init, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %o0: f32, %o1: f32, %o2: f32):
    %exp = math.exp %a : f32
    %add = arith.addf %exp, %o1 : f32
    linalg.yield %exp, %add, %a : f32, f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @rank_zero(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>)
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[X]] : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT:    return %[[EXP]]
func.func @rank_zero(%x: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %r = linalg.exp ins(%x : tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @casts(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf16>)
// CHECK-NEXT:    %[[CAST:.*]] = mirage_kernel.cast %[[X]] : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT:    return %[[CAST]]
func.func @casts(%x: tensor<4xf16>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map { arith.extf } ins(%x : tensor<4xf16>) outs(%e : tensor<4xf32>)
  return %r : tensor<4xf32>
}

// An op that isn't needed for a result doesn't matter.

// CHECK-LABEL: func.func @dead_op_in_body(
// CHECK-NEXT:    mirage_kernel.exp
// CHECK-NEXT:    return
func.func @dead_op_in_body(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %out: f32) {
    %i = linalg.index 0 : index
    %exp = math.exp %a : f32
    linalg.yield %exp : f32
  }
  return %r : tensor<4xf32>
}
