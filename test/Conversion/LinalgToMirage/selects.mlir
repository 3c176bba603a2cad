// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

// Choices between two functions that are both zero where they meet.

// CHECK-LABEL: func.func @elu(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK:         %[[ABOVE:.*]] = mirage_kernel.relu %[[X]]
// CHECK:         %[[MIN:.*]] = mirage_kernel.min %[[X]], %{{.*}}
// CHECK:         %[[EXP:.*]] = mirage_kernel.exp %[[MIN]]
// CHECK:         %[[BELOW:.*]] = mirage_kernel.sub %[[EXP]], %{{.*}}
// CHECK:         %[[R:.*]] = mirage_kernel.add %[[ABOVE]], %[[BELOW]]
// CHECK-NEXT:    return %[[R]]
func.func @elu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) (%a: f32, %out: f32) {
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %a, %zero : f32
    %m = math.expm1 %a : f32
    %s = arith.select %c, %a, %m : f32
    linalg.yield %s : f32
  }
  return %r : tensor<4xf32>
}

// The comparison the other way round, in another type; constants are the same in both.

// CHECK-LABEL: func.func @leaky(
// CHECK-NOT:     linalg
// CHECK:         mirage_kernel.relu
// CHECK:         mirage_kernel.min
// CHECK:         mirage_kernel.add
func.func @leaky(%x: tensor<4xf16>) -> tensor<4xf16> {
  %r = linalg.map ins(%x : tensor<4xf16>) outs(%x : tensor<4xf16>) (%a: f16, %out: f16) {
    %zero = arith.constant 0.0 : f32
    %slope = arith.constant 0.25 : f16
    %wide = arith.extf %a : f16 to f32
    %c = arith.cmpf uge, %zero, %wide : f32
    %m = arith.mulf %slope, %a : f16
    %s = arith.select %c, %m, %a : f16
    linalg.yield %s : f16
  }
  return %r : tensor<4xf16>
}

// Whatever the slope is.

// CHECK-LABEL: func.func @prelu(
// CHECK-NOT:     linalg
// CHECK:         mirage_kernel.mul
// CHECK:         mirage_kernel.add
func.func @prelu(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.map ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) (%a: f32, %b: f32, %out: f32) {
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf olt, %a, %zero : f32
    %m = arith.mulf %b, %a : f32
    %s = arith.select %c, %m, %a : f32
    linalg.yield %s : f32
  }
  return %r : tensor<4xf32>
}

// elu + 1 in two ways: both are 1 at 0, of f16 that is widened.

// CHECK-LABEL: func.func @elu_plus_1(
// CHECK-NOT:     linalg
// CHECK-DAG:     %[[ABOVE:.*]] = mirage_kernel.add %{{.*}}, %{{.*}} : (tensor<4xf16>, tensor<f32>) -> tensor<4xf32>
// CHECK-DAG:     %[[BELOW:.*]] = mirage_kernel.exp
// CHECK:         mirage_kernel.mul %[[ABOVE]], %[[BELOW]]
func.func @elu_plus_1(%x: tensor<4xf16>) -> tensor<4xf16> {
  %r = linalg.map ins(%x : tensor<4xf16>) outs(%x : tensor<4xf16>) (%h: f16, %out: f16) {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %a = arith.extf %h : f16 to f32
    %c = arith.cmpf ogt, %a, %zero : f32
    %p = arith.addf %a, %one : f32
    %e = math.exp %a : f32
    %s = arith.select %c, %p, %e : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  }
  return %r : tensor<4xf16>
}

// Above 2 only; what is zero everywhere adds nothing.

// CHECK-LABEL: func.func @above(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK:         %[[MAX:.*]] = mirage_kernel.max %[[X]], %{{.*}}
// CHECK:         %[[D:.*]] = mirage_kernel.sub %[[MAX]], %{{.*}}
// CHECK:         %[[R:.*]] = mirage_kernel.sqr %[[D]]
// CHECK-NEXT:    return %[[R]]
func.func @above(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) (%a: f32, %out: f32) {
    %zero = arith.constant 0.0 : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf ogt, %a, %two : f32
    %d = arith.subf %a, %two : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.select %c, %q, %zero : f32
    linalg.yield %s : f32
  }
  return %r : tensor<4xf32>
}

// A comparison that is a tensor, and one that is read twice.

// CHECK-LABEL: func.func @tensors(
// CHECK-NOT:     linalg
// CHECK-NOT:     arith
// CHECK-COUNT-1: mirage_kernel.exp
// CHECK-COUNT-1: mirage_kernel.mul
// CHECK:         return
func.func @tensors(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4x2xf32>
  %slope = arith.constant dense<0.5> : tensor<4x2xf32>
  %c = arith.cmpf ogt, %x, %zero : tensor<4x2xf32>
  %e = math.expm1 %x : tensor<4x2xf32>
  %m = arith.mulf %x, %slope : tensor<4x2xf32>
  %s = arith.select %c, %x, %e : tensor<4x2xi1>, tensor<4x2xf32>
  %t = arith.select %c, %x, %m : tensor<4x2xi1>, tensor<4x2xf32>
  return %s, %t : tensor<4x2xf32>, tensor<4x2xf32>
}

// Of a named op, and of one row for all.

// CHECK-LABEL: func.func @named(
// CHECK-NOT:     linalg
// CHECK:         return
func.func @named(%x: tensor<3x4xf32>, %y: tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<3x4xf32>
  %e = tensor.empty() : tensor<3x4xf32>
  %b = tensor.empty() : tensor<3x4xi1>
  %c = linalg.map ins(%x : tensor<3x4xf32>) outs(%b : tensor<3x4xi1>) (%a: f32, %out: i1) {
    %z = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %a, %z : f32
    linalg.yield %p : i1
  }
  %r = linalg.select ins(%c, %x, %zero : tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %d = arith.cmpf olt, %y, %zeros : tensor<4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%d, %y, %x : tensor<4xi1>, tensor<4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%p: i1, %a: f32, %g: f32, %out: f32):
    %m = arith.mulf %a, %g : f32
    %k = arith.select %p, %m, %a : f32
    linalg.yield %k : f32
  } -> tensor<3x4xf32>
  return %r, %s : tensor<3x4xf32>, tensor<3x4xf32>
}

// Behind other ops on tensors, which are merged with it; in f16.

// CHECK-LABEL: func.func @behind_others(
// CHECK-NOT:     linalg
// CHECK-COUNT-1: mirage_kernel.tanh
// CHECK:         mirage_kernel.exp
// CHECK-NOT:     mirage_kernel.tanh
// CHECK:         return
func.func @behind_others(%x: tensor<4x2xf16>, %y: tensor<2xf16>) -> tensor<4x2xf16> {
  %zero = arith.constant dense<0.0> : tensor<4x2xf16>
  %one = arith.constant dense<1.0> : tensor<4x2xf16>
  %t = math.tanh %x : tensor<4x2xf16>
  %c = arith.cmpf ogt, %t, %zero : tensor<4x2xf16>
  %e = math.exp %t : tensor<4x2xf16>
  %m = arith.subf %e, %one : tensor<4x2xf16>
  %s = arith.select %c, %t, %m : tensor<4x2xi1>, tensor<4x2xf16>
  %d = arith.cmpf olt, %s, %zero : tensor<4x2xf16>
  %n = arith.negf %s : tensor<4x2xf16>
  %r = arith.select %d, %n, %s : tensor<4x2xi1>, tensor<4x2xf16>
  return %r : tensor<4x2xf16>
}
