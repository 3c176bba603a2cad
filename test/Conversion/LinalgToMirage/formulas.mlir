// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

// Formulas over several ops that are one operator.

// CHECK-LABEL: func.func @rsqrt(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[S:.*]]: tensor<4xf32>)
// CHECK-DAG:     %[[ROOT:.*]] = mirage_kernel.sqrt %[[S]]
// CHECK-DAG:     %[[ONE:.*]] = mirage.constant 1.000000e+00
// CHECK-DAG:     %[[RSQRT:.*]] = mirage_kernel.div %[[ONE]], %[[ROOT]]
// CHECK-DAG:     %[[RIGHT:.*]] = mirage_kernel.div %[[X]], %[[ROOT]]
// CHECK:         return %[[RSQRT]], %[[RIGHT]], %[[RIGHT]]
func.func @rsqrt(%x: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.rsqrt ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %right = linalg.mul ins(%x, %r : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %left = linalg.map ins(%x, %s : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %b: f32, %out: f32) {
    %i = math.rsqrt %b : f32
    %p = arith.mulf %i, %a : f32
    linalg.yield %p : f32
  }
  // The last two are the same value: the third result is the second.
  return %r, %right, %left : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @square(
// CHECK-NEXT:    %[[A:.*]] = mirage_kernel.sqr
// CHECK-NEXT:    %[[B:.*]] = mirage_kernel.sqr %[[A]]
// CHECK-NEXT:    return %[[B]]
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %out: f32) {
    %two = arith.constant 2.0 : f32
    %p = math.powf %a, %two : f32
    %q = arith.mulf %p, %p : f32
    linalg.yield %q : f32
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @negf(
// CHECK-NEXT:    %[[ZERO:.*]] = mirage.constant 0.000000e+00
// CHECK-NEXT:    mirage_kernel.sub %[[ZERO]], %{{.*}} : (tensor<f32>, tensor<4xf16>) -> tensor<4xf16>
func.func @negf(%x: tensor<4xf16>) -> tensor<4xf16> {
  %e = tensor.empty() : tensor<4xf16>
  %r = linalg.negf ins(%x : tensor<4xf16>) outs(%e : tensor<4xf16>) -> tensor<4xf16>
  return %r : tensor<4xf16>
}

// CHECK-LABEL: func.func @silu_div(
// CHECK-NEXT:    mirage_kernel.silu %{{.*}} : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:    return
func.func @silu_div(%x: tensor<4xf16>) -> tensor<4xf16> {
  %e = tensor.empty() : tensor<4xf16>
  %r = linalg.map ins(%x : tensor<4xf16>) outs(%e : tensor<4xf16>) (%h: f16, %out: f16) {
    %one = arith.constant 1.0 : f32
    %a = arith.extf %h : f16 to f32
    %n = arith.negf %a : f32
    %x1 = math.exp %n : f32
    %d = arith.addf %x1, %one : f32
    %q = arith.divf %a, %d : f32
    %t = arith.truncf %q : f32 to f16
    linalg.yield %t : f16
  }
  return %r : tensor<4xf16>
}

// CHECK-LABEL: func.func @silu_sigmoid(
// CHECK-NEXT:    %[[A:.*]] = mirage_kernel.silu
// CHECK-NEXT:    %[[B:.*]] = mirage_kernel.silu %[[A]]
// CHECK-NEXT:    return %[[B]]
func.func @silu_sigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %out: f32) {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %minus_one = arith.constant -1.0 : f32
    %n = arith.subf %zero, %a : f32
    %x1 = math.exp %n : f32
    %d = arith.addf %one, %x1 : f32
    %s = arith.divf %one, %d : f32
    %p = arith.mulf %s, %a : f32
    %n2 = arith.mulf %p, %minus_one : f32
    %x2 = math.exp %n2 : f32
    %d2 = arith.addf %one, %x2 : f32
    %s2 = arith.divf %one, %d2 : f32
    %p2 = arith.mulf %p, %s2 : f32
    linalg.yield %p2 : f32
  }
  return %r : tensor<4xf32>
}

// Not silu: another constant, another argument, a rounding on the way.

// CHECK-LABEL: func.func @not_silu(
// CHECK-NOT:     silu
// CHECK:         return
func.func @not_silu(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf16>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf16>) {
  %e = tensor.empty() : tensor<4xf32>
  %e16 = tensor.empty() : tensor<4xf16>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>,
                                          affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o0: f32, %o1: f32):
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %n = arith.negf %a : f32
    %x1 = math.exp %n : f32
    %d = arith.addf %x1, %two : f32
    %q = arith.divf %a, %d : f32
    %d2 = arith.addf %x1, %one : f32
    %q2 = arith.divf %b, %d2 : f32
    linalg.yield %q, %q2 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %r16 = linalg.map ins(%z : tensor<4xf16>) outs(%e16 : tensor<4xf16>) (%a: f16, %out: f16) {
    %one = arith.constant 1.0 : f16
    %n = arith.negf %a : f16
    %x1 = math.exp %n : f16
    %d = arith.addf %x1, %one : f16
    %q = arith.divf %a, %d : f16
    linalg.yield %q : f16
  }
  return %r#0, %r#1, %r16 : tensor<4xf32>, tensor<4xf32>, tensor<4xf16>
}
