// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

// Formulas over several ops that are one operator.

// CHECK-LABEL: func.func @rsqrt(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[S:.*]]: tensor<4xf32>)
// CHECK-DAG:     %[[RSQRT:.*]] = mirage_kernel.rsqrt %[[S]]
// CHECK-DAG:     %[[ROOT:.*]] = mirage_kernel.sqrt %[[S]]
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
// CHECK-NEXT:    mirage_kernel.neg %{{.*}} : (tensor<4xf16>) -> tensor<4xf16>
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

// Other ways to write a negation or a reciprocal root.

// CHECK-LABEL: func.func @negations(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[NEG:.*]] = mirage_kernel.neg %[[X]]
// CHECK-NEXT:    %[[RSQRT:.*]] = mirage_kernel.rsqrt %[[X]]
// CHECK-NEXT:    return %[[NEG]], %[[NEG]], %[[RSQRT]]
func.func @negations(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %r:3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                         iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e, %e, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %o0: f32, %o1: f32, %o2: f32):
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %minus_one = arith.constant -1.0 : f32
    %0 = arith.subf %zero, %a : f32
    %1 = arith.mulf %minus_one, %a : f32
    %root = math.sqrt %a : f32
    %2 = arith.divf %one, %root : f32
    linalg.yield %0, %1, %2 : f32, f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A sigmoid stays one when something else than its argument is multiplied by it.

// CHECK-LABEL: func.func @sigmoid(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[SIGMOID:.*]] = mirage_kernel.sigmoid %[[X]]
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.mul %[[Y]], %[[SIGMOID]]
// CHECK-NEXT:    return %[[R]]
func.func @sigmoid(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %b: f32, %out: f32) {
    %one = arith.constant 1.0 : f32
    %n = arith.negf %a : f32
    %x1 = math.exp %n : f32
    %d = arith.addf %x1, %one : f32
    %s = arith.divf %one, %d : f32
    %p = arith.mulf %b, %s : f32
    linalg.yield %p : f32
  }
  return %r : tensor<4xf32>
}

// With the root of 2 as such. Its f32 is another number, and so no gelu.

// CHECK-LABEL: func.func @gelu(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-DAG:     %[[A:.*]] = mirage_kernel.gelu %[[X]]
// CHECK-DAG:     %[[B:.*]] = mirage_kernel.gelu %[[A]]
// CHECK-DAG:     %[[ROOT:.*]] = mirage.constant 0.70710676908493042
// CHECK-DAG:     %[[SCALED:.*]] = mirage_kernel.mul %[[B]], %[[ROOT]]
// CHECK-DAG:     %[[ERF:.*]] = mirage_kernel.erf %[[SCALED]]
// CHECK-NOT:     gelu
// CHECK:         return
func.func @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %out: f32) {
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %rounded = arith.constant 0.707106769 : f32
    %root = math.sqrt %two : f32
    %s0 = arith.divf %a, %root : f32
    %e0 = math.erf %s0 : f32
    %p0 = arith.addf %e0, %one : f32
    %h0 = arith.mulf %half, %a : f32
    %g0 = arith.mulf %h0, %p0 : f32
    %inverse = math.rsqrt %two : f32
    %s1 = arith.mulf %inverse, %g0 : f32
    %e1 = math.erf %s1 : f32
    %p1 = arith.addf %one, %e1 : f32
    %h1 = arith.mulf %p1, %half : f32
    %g1 = arith.mulf %g0, %h1 : f32
    %s2 = arith.mulf %g1, %rounded : f32
    %e2 = math.erf %s2 : f32
    %p2 = arith.addf %e2, %one : f32
    %h2 = arith.mulf %half, %g1 : f32
    %g2 = arith.mulf %h2, %p2 : f32
    linalg.yield %g2 : f32
  }
  return %r : tensor<4xf32>
}

// What is negated and added is subtracted; the sign of a factor goes the same way, unless the product is needed elsewhere. A negation that
// rounds stays.

// CHECK-LABEL: func.func @differences(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf16>, %[[Y:.*]]: tensor<4xf16>, %[[Z:.*]]: tensor<4xf16>, %[[W:.*]]: tensor<4xf32>)
// CHECK-DAG:     %[[D:.*]] = mirage_kernel.sub %[[X]], %[[Y]]
// CHECK-DAG:     %[[YZ:.*]] = mirage_kernel.mul %[[Y]], %[[Z]]
// CHECK-DAG:     %[[DP:.*]] = mirage_kernel.sub %[[X]], %[[YZ]]
// CHECK-DAG:     %[[NEG:.*]] = mirage_kernel.neg %[[Y]]
// CHECK-DAG:     %[[KEPT:.*]] = mirage_kernel.mul %[[X]], %[[NEG]]
// CHECK-DAG:     %[[A:.*]] = mirage_kernel.add %[[X]], %[[KEPT]]
// CHECK-DAG:     %[[ROUNDED:.*]] = mirage_kernel.neg %[[W]] : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-DAG:     %[[AR:.*]] = mirage_kernel.add %[[X]], %[[ROUNDED]]
// CHECK:         return %[[D]], %[[DP]], %[[KEPT]], %[[A]], %[[AR]]
func.func @differences(%x: tensor<4xf16>, %y: tensor<4xf16>, %z: tensor<4xf16>, %w: tensor<4xf32>) -> (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>) {
  %0 = mirage_kernel.neg %y : (tensor<4xf16>) -> tensor<4xf16>
  %1 = mirage_kernel.add %0, %x : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %2 = mirage_kernel.mul %0, %z : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %3 = mirage_kernel.add %x, %2 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %4 = mirage_kernel.mul %x, %0 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %5 = mirage_kernel.add %x, %4 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %6 = mirage_kernel.neg %w : (tensor<4xf32>) -> tensor<4xf16>
  %7 = mirage_kernel.add %x, %6 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %1, %3, %4, %5, %7 : tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>
}

// An extremum with the same number twice is one; not with another number, or of another type.

// CHECK-LABEL: func.func @repeated_extrema(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf16>)
// CHECK-DAG:     %[[ZERO:.*]] = mirage.constant 0.0
// CHECK-DAG:     %[[MIN:.*]] = mirage_kernel.min %[[X]], %[[ZERO]] : (tensor<4xf16>, tensor<f32>) -> tensor<4xf16>
// CHECK-DAG:     %[[AGAIN:.*]] = mirage_kernel.min %[[MIN]], %{{.*}} : (tensor<4xf16>, tensor<f32>) -> tensor<4xf16>
// CHECK-DAG:     %[[WIDE:.*]] = mirage_kernel.min %[[MIN]], %[[ZERO]] : (tensor<4xf16>, tensor<f32>) -> tensor<4xf32>
// CHECK:         return %[[MIN]], %[[AGAIN]], %[[WIDE]]
func.func @repeated_extrema(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>, tensor<4xf32>) {
  %zero = mirage.constant 0.0 : tensor<f32>
  %one = mirage.constant -1.0 : tensor<f32>
  %0 = mirage_kernel.min %x, %zero : (tensor<4xf16>, tensor<f32>) -> tensor<4xf16>
  %1 = mirage_kernel.min %zero, %0 : (tensor<f32>, tensor<4xf16>) -> tensor<4xf16>
  %2 = mirage_kernel.min %0, %one : (tensor<4xf16>, tensor<f32>) -> tensor<4xf16>
  %3 = mirage_kernel.min %0, %zero : (tensor<4xf16>, tensor<f32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<4xf16>, tensor<4xf16>, tensor<4xf32>
}

// A root of a number that no formula has is a number.

// CHECK-LABEL: func.func @root(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf16>)
// CHECK-DAG:     %[[ROOT:.*]] = mirage.constant 1.4142135623730951
// CHECK:         %[[D:.*]] = mirage_kernel.div %[[X]], %[[ROOT]]
// CHECK-NEXT:    return %[[D]]
func.func @root(%x: tensor<4xf16>) -> tensor<4xf16> {
  %two = mirage.constant 2.0 : tensor<f32>
  %r = mirage_kernel.sqrt %two : (tensor<f32>) -> tensor<f16>
  %d = mirage_kernel.div %x, %r : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  return %d : tensor<4xf16>
}

// exp(x - log sum exp x), however the logarithm and the maximum are put together. The last two are none: of another
// tensor's sum, and of rows that another maximum belongs to.
// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:    %[[X:.*]]: tensor<4x4xf32>, %[[Y:.*]]: tensor<4x4xf32>)
// CHECK-DAG:     %[[EXP:.*]] = mirage_kernel.exp
// CHECK-DAG:     %[[SUM:.*]] = mirage_kernel.sum %[[EXP]] dim 1
// CHECK-DAG:     %[[SOFTMAX:.*]] = mirage_kernel.div %[[EXP]], %[[SUM]]
// CHECK-DAG:     %[[OTHER:.*]] = mirage_kernel.sub %[[Y]]
// CHECK-DAG:     %[[LEFT:.*]] = mirage_kernel.exp %[[OTHER]]
// CHECK-DAG:     %[[TURNED:.*]] = mirage_kernel.exp
// CHECK:         return %[[SOFTMAX]], %[[SOFTMAX]], %[[LEFT]], %[[TURNED]]
func.func @softmax(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %c = tensor.empty() : tensor<4xf32>
  %l = linalg.fill ins(%least : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<4x4xf32>) outs(%l : tensor<4xf32>) dimensions = [1]
  %m = linalg.broadcast ins(%max : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [1]
  %d = linalg.sub ins(%x, %m : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %exp = linalg.exp ins(%d : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %sum = linalg.reduce {arith.addf} ins(%exp : tensor<4x4xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
  %log = linalg.log ins(%sum : tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  // x - (m + log)
  %both = linalg.add ins(%max, %log : tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %whole = linalg.broadcast ins(%both : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [1]
  %d0 = linalg.sub ins(%x, %whole : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r0 = linalg.exp ins(%d0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // (x - m) - log
  %logs = linalg.broadcast ins(%log : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [1]
  %d1 = linalg.sub ins(%d, %logs : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r1 = linalg.exp ins(%d1 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // y - (m + log)
  %d2 = linalg.sub ins(%y, %whole : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r2 = linalg.exp ins(%d2 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // x - log - m, of columns
  %mt = linalg.broadcast ins(%max : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
  %d3 = linalg.sub ins(%x, %logs : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %d4 = linalg.sub ins(%d3, %mt : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r3 = linalg.exp ins(%d4 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r0, %r1, %r2, %r3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Sums that are broadcast and then reshaped: a[j] + b[i] isn't a[i] + b[j].
// CHECK-LABEL: func.func @other_broadcast(
// CHECK:         mirage_kernel.log
// CHECK-NOT:     mirage_kernel.div
// CHECK:         mirage_kernel.exp
// CHECK-NEXT:    return
func.func @other_broadcast(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4x3x4xf32>) -> tensor<4x3x4xf32> {
  %e4 = tensor.empty() : tensor<4x4xf32>
  %e434 = tensor.empty() : tensor<4x3x4xf32>
  %zero = arith.constant 0.0 : f32
  %c43 = tensor.empty() : tensor<4x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%c43 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e4 : tensor<4x4xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %t = arith.addf %x, %y : f32
      linalg.yield %t : f32
    } -> tensor<4x4xf32>
  %s2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e4 : tensor<4x4xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %t = arith.addf %x, %y : f32
      linalg.yield %t : f32
    } -> tensor<4x4xf32>
  %r = linalg.broadcast ins(%s : tensor<4x4xf32>) outs(%e434 : tensor<4x3x4xf32>) dimensions = [1]
  %r2 = linalg.broadcast ins(%s2 : tensor<4x4xf32>) outs(%e434 : tensor<4x3x4xf32>) dimensions = [1]
  %x = linalg.add ins(%r, %c : tensor<4x3x4xf32>, tensor<4x3x4xf32>) outs(%e434 : tensor<4x3x4xf32>) -> tensor<4x3x4xf32>
  %e = linalg.exp ins(%x : tensor<4x3x4xf32>) outs(%e434 : tensor<4x3x4xf32>) -> tensor<4x3x4xf32>
  %sum = linalg.reduce {arith.addf} ins(%e : tensor<4x3x4xf32>) outs(%z : tensor<4x3xf32>) dimensions = [2]
  %l = linalg.log ins(%sum : tensor<4x3xf32>) outs(%c43 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %lb = linalg.broadcast ins(%l : tensor<4x3xf32>) outs(%e434 : tensor<4x3x4xf32>) dimensions = [2]
  %x2 = linalg.add ins(%r2, %c : tensor<4x3x4xf32>, tensor<4x3x4xf32>) outs(%e434 : tensor<4x3x4xf32>) -> tensor<4x3x4xf32>
  %d = linalg.sub ins(%x2, %lb : tensor<4x3x4xf32>, tensor<4x3x4xf32>) outs(%e434 : tensor<4x3x4xf32>) -> tensor<4x3x4xf32>
  %w = linalg.exp ins(%d : tensor<4x3x4xf32>) outs(%e434 : tensor<4x3x4xf32>) -> tensor<4x3x4xf32>
  return %w : tensor<4x3x4xf32>
}

// A logarithm that is broadcast in front of a reshape stays.
// CHECK-LABEL: func.func @broadcast_logarithm(
// CHECK:         mirage_kernel.log
func.func @broadcast_logarithm(%x: tensor<8x64xf32>, %q: tensor<8x1x16xf32>, %kk: tensor<8x16x64xf32>) -> tensor<8x1x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<8x1x64xf32>
  %e2 = tensor.empty() : tensor<8x64xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<8x1x64xf32>) -> tensor<8x1x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.batch_matmul ins(%q, %kk : tensor<8x1x16xf32>, tensor<8x16x64xf32>) outs(%z3 : tensor<8x1x64xf32>) -> tensor<8x1x64xf32>
  %xr = tensor.expand_shape %x [[0], [1, 2]] output_shape [8, 1, 64] : tensor<8x64xf32> into tensor<8x1x64xf32>
  %t = linalg.add ins(%c, %xr : tensor<8x1x64xf32>, tensor<8x1x64xf32>) outs(%e3 : tensor<8x1x64xf32>) -> tensor<8x1x64xf32>
  %e = linalg.exp ins(%t : tensor<8x1x64xf32>) outs(%e3 : tensor<8x1x64xf32>) -> tensor<8x1x64xf32>
  %s = linalg.reduce {arith.addf} ins(%e : tensor<8x1x64xf32>) outs(%z1 : tensor<8xf32>) dimensions = [1, 2]
  %l = linalg.log ins(%s : tensor<8xf32>) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.broadcast ins(%l : tensor<8xf32>) outs(%e2 : tensor<8x64xf32>) dimensions = [1]
  %d = linalg.sub ins(%x, %b : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e2 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %dr = tensor.expand_shape %d [[0], [1, 2]] output_shape [8, 1, 64] : tensor<8x64xf32> into tensor<8x1x64xf32>
  %dc = linalg.add ins(%c, %dr : tensor<8x1x64xf32>, tensor<8x1x64xf32>) outs(%e3 : tensor<8x1x64xf32>) -> tensor<8x1x64xf32>
  %w = linalg.exp ins(%dc : tensor<8x1x64xf32>) outs(%e3 : tensor<8x1x64xf32>) -> tensor<8x1x64xf32>
  return %w : tensor<8x1x64xf32>
}

// CHECK-LABEL: func.func @scalar_sum(
// CHECK:         mirage_kernel.div %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<{{(1x)?}}f32>) -> tensor<4xf32>
func.func @scalar_sum(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<1x1xf32>) {
  %e = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %s = mirage_kernel.sum %e dim 0 : (tensor<4xf32>) -> tensor<1xf32>
  %r = mirage_kernel.reshape %s : (tensor<1xf32>) -> tensor<1x1xf32>
  %l = mirage_kernel.log %r : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %lr = mirage_kernel.reshape %l : (tensor<1x1xf32>) -> tensor<f32>
  %d = mirage_kernel.sub %x, %lr : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = mirage_kernel.exp %d : (tensor<4xf32>) -> tensor<4xf32>
  return %w, %l : tensor<4xf32>, tensor<1x1xf32>
}
