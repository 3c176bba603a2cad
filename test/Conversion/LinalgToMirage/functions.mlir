// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// One operator each, from named ops where there is one.

// CHECK-LABEL: func.func @unary(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[NEG:.*]] = mirage_kernel.neg %[[X]]
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[NEG]]
// CHECK-NEXT:    %[[LOG:.*]] = mirage_kernel.log %[[EXP]]
// CHECK-NEXT:    %[[TANH:.*]] = mirage_kernel.tanh %[[LOG]]
// CHECK-NEXT:    %[[ERF:.*]] = mirage_kernel.erf %[[TANH]]
// CHECK-NEXT:    %[[SQR:.*]] = mirage_kernel.sqr %[[ERF]]
// CHECK-NEXT:    %[[RSQRT:.*]] = mirage_kernel.rsqrt %[[SQR]]
// CHECK-NEXT:    return %[[RSQRT]]
func.func @unary(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.negf ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.log ins(%1 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.tanh ins(%2 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %4 = linalg.erf ins(%3 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %5 = linalg.square ins(%4 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %6 = linalg.rsqrt ins(%5 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}

// CHECK-LABEL: func.func @reciprocal_and_abs(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[ONE:.*]] = mirage.constant 1.000000e+00
// CHECK-NEXT:    %[[RECIPROCAL:.*]] = mirage_kernel.div %[[ONE]], %[[X]]
// CHECK-NEXT:    %[[NEG:.*]] = mirage_kernel.neg %[[RECIPROCAL]]
// CHECK-NEXT:    %[[ABS:.*]] = mirage_kernel.max %[[RECIPROCAL]], %[[NEG]]
// CHECK-NEXT:    return %[[ABS]]
func.func @reciprocal_and_abs(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.reciprocal ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.abs ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @binary(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[MAX:.*]] = mirage_kernel.max %[[X]], %[[Y]]
// CHECK-NEXT:    %[[MIN:.*]] = mirage_kernel.min %[[MAX]], %[[X]]
// CHECK-NEXT:    return %[[MIN]]
func.func @binary(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.max ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.min ins(%0, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Formulas that are exact: not exp2, whose ln 2 is no number that we have.

// CHECK-LABEL: func.func @composed(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[ONE:.*]] = mirage.constant 1.000000e+00
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.add %[[X]], %[[ONE]]
// CHECK-NEXT:    %[[LOG:.*]] = mirage_kernel.log %[[SUM]]
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[X]]
// CHECK-NEXT:    %[[LESS:.*]] = mirage_kernel.sub %[[EXP]], %[[ONE]]
// CHECK-NEXT:    %[[ERF:.*]] = mirage_kernel.erf %[[X]]
// CHECK-NEXT:    %[[REST:.*]] = mirage_kernel.sub %[[ONE]], %[[ERF]]
// CHECK-NEXT:    %[[PRODUCT:.*]] = mirage_kernel.mul %[[LOG]], %[[LESS]]
// CHECK-NEXT:    %[[FMA:.*]] = mirage_kernel.add %[[PRODUCT]], %[[REST]]
// CHECK-NEXT:    return %[[FMA]]
func.func @composed(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %out: f32) {
    %log = math.log1p %a : f32
    %exp = math.expm1 %a : f32
    %rest = math.erfc %a : f32
    %fma = math.fma %log, %exp, %rest : f32
    linalg.yield %fma : f32
  }
  return %r : tensor<4xf32>
}

// Powers by a constant: as a scalar, as a splat, and as an integer.

// CHECK-LABEL: func.func @powers(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-DAG:     %[[CUBE:.*]] = mirage_kernel.pow %[[X]] to 3.000000e+00
// CHECK-DAG:     %[[ROOT:.*]] = mirage_kernel.sqrt %[[X]]
// CHECK-DAG:     %[[RSQRT:.*]] = mirage_kernel.rsqrt %[[X]]
// CHECK-DAG:     %[[ONE:.*]] = mirage.constant 1.000000e+00
// CHECK-DAG:     %[[RECIPROCAL:.*]] = mirage_kernel.div %[[ONE]], %[[X]]
// CHECK-DAG:     %[[QUARTER:.*]] = mirage_kernel.pow %[[X]] to 2.500000e-01
// CHECK-DAG:     %[[SQR:.*]] = mirage_kernel.sqr %[[X]]
// CHECK:         return %[[CUBE]], %[[ROOT]], %[[RSQRT]], %[[RECIPROCAL]], %[[QUARTER]], %[[SQR]], %[[X]]
func.func @powers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %quarters = arith.constant dense<0.25> : tensor<4xf32>
  %two = arith.constant 2 : i32
  %r:6 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %quarters : tensor<4xf32>, tensor<4xf32>)
      outs(%e, %e, %e, %e, %e, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %q: f32, %o0: f32, %o1: f32, %o2: f32, %o3: f32, %o4: f32, %o5: f32):
    %three = arith.constant 3.0 : f32
    %half = arith.constant 0.5 : f32
    %minus_half = arith.constant -0.5 : f32
    %minus_one = arith.constant -1.0 : f32
    %0 = math.powf %a, %three : f32
    %1 = math.powf %a, %half : f32
    %2 = math.powf %a, %minus_half : f32
    %3 = math.powf %a, %minus_one : f32
    %4 = math.powf %a, %q : f32
    %5 = math.fpowi %a, %two : f32, i32
    linalg.yield %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %same = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %out: f32) {
    %one = arith.constant 1.0 : f32
    %p = math.powf %a, %one : f32
    linalg.yield %p : f32
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %same : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
