// RUN: mirage-opt --convert-linalg-to-mirage --split-input-file --verify-diagnostics %s | FileCheck %s

// Choices by comparisons, other than extrema and those that meet in zeros.

#vector = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @choice
// CHECK-SAME: (%[[X:.*]]: tensor<64xf32>, %[[Y:.*]]: tensor<64xf32>)
// CHECK-DAG: %[[ONE:.*]] = mirage.constant 1.000000e+00
// CHECK-DAG: %[[C:.*]] = mirage_kernel.greater %[[X]], %{{.*}} : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
// CHECK-DAG: %[[A:.*]] = mirage_kernel.where %[[C]], %[[X]]
// CHECK-DAG: %[[N:.*]] = mirage_kernel.sub %[[ONE]], %[[C]]
// CHECK-DAG: %[[B:.*]] = mirage_kernel.where %[[N]], %[[Y]]
// CHECK: %[[R:.*]] = mirage_kernel.add %[[A]], %[[B]]
// CHECK: return %[[R]]
func.func @choice(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %half = arith.constant 0.5 : f32
    %c = arith.cmpf ogt, %a, %half : f32
    %s = arith.select %c, %a, %b : f32
    linalg.yield %s : f32
  }
  return %r : tensor<64xf32>
}

// -----

// A pole is left out, and so is what isn't defined.
// CHECK-LABEL: func.func @poles
// CHECK-SAME: (%[[X:.*]]: tensor<64xf16>)
// CHECK: %[[C:.*]] = mirage_kernel.greater %[[X]], %{{.*}}
// CHECK: %[[L:.*]] = mirage_kernel.log %[[X]]
// CHECK: %[[R:.*]] = mirage_kernel.where %[[C]], %[[L]] : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf16>
// CHECK-NEXT: return %[[R]]
func.func @poles(%x: tensor<64xf16>) -> tensor<64xf16> {
  %r = linalg.map ins(%x : tensor<64xf16>) outs(%x : tensor<64xf16>) (%a: f16, %o: f16) {
    %zero = arith.constant 0.0 : f32
    %tiny = arith.constant 0.001 : f32
    %w = arith.extf %a : f16 to f32
    %c = arith.cmpf ogt, %w, %tiny : f32
    %l = math.log %w : f32
    %s = arith.select %c, %l, %zero : f32
    %n = arith.truncf %s : f32 to f16
    linalg.yield %n : f16
  }
  return %r : tensor<64xf16>
}

// -----

// Numbers: 1 is the condition itself, 0 nothing. Constant conditions choose at once.
// CHECK-LABEL: func.func @numbers
// CHECK-SAME: (%[[X:.*]]: tensor<64xf32>)
// CHECK: %[[C:.*]] = mirage_kernel.greater %[[X]], %{{.*}}
// CHECK-NEXT: return %[[C]], %[[X]]
func.func @numbers(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %r = linalg.map ins(%x : tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %o: f32) {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %c = arith.cmpf ogt, %a, %one : f32
    %s = arith.select %c, %one, %zero : f32
    linalg.yield %s : f32
  }
  %t = linalg.map ins(%x : tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %o: f32) {
    %zero = arith.constant 0.0 : f32
    %false = arith.constant false
    %s = arith.select %false, %zero, %a : f32
    linalg.yield %s : f32
  }
  return %r, %t : tensor<64xf32>, tensor<64xf32>
}

// -----

// Booleans.
// CHECK-LABEL: func.func @logic
// CHECK-NOT: linalg
func.func @logic(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %half = arith.constant 0.5 : f32
    %c = arith.cmpf ogt, %a, %half : f32
    %d = arith.cmpf olt, %b, %half : f32
    %e = arith.andi %c, %d : i1
    %s = arith.select %e, %a, %b : f32
    linalg.yield %s : f32
  }
  %1 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %half = arith.constant 0.5 : f32
    %c = arith.cmpf ogt, %a, %half : f32
    %d = arith.cmpf olt, %b, %half : f32
    %e = arith.ori %c, %d : i1
    %s = arith.select %e, %a, %b : f32
    linalg.yield %s : f32
  }
  %2 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %half = arith.constant 0.5 : f32
    %c = arith.cmpf ogt, %a, %half : f32
    %d = arith.cmpf olt, %b, %half : f32
    %e = arith.xori %c, %d : i1
    %true = arith.constant true
    %n = arith.xori %e, %true : i1
    %s = arith.select %n, %a, %b : f32
    linalg.yield %s : f32
  }
  %3 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %half = arith.constant 0.5 : f32
    %c = arith.cmpf ogt, %a, %half : f32
    %d = arith.cmpf olt, %b, %half : f32
    %e = arith.andi %c, %d : i1
    %n = arith.uitofp %e : i1 to f32
    %s = arith.mulf %n, %a : f32
    linalg.yield %s : f32
  }
  return %0, %1, %2, %3 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

// All comparisons, also of equal numbers, and of larger ones.
// CHECK-LABEL: func.func @predicates
// CHECK-NOT: linalg
func.func @predicates(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf ogt, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  %1 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf oge, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  %2 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf olt, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  %3 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf ole, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  %4 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf one, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  %5 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf oeq, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  %6 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf ugt, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  %7 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf uge, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  %8 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf ult, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  %9 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf ule, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  %10 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf une, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  %11 = linalg.map ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %m = arith.maximumf %a, %b : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpf ueq, %a, %m : f32
    %p = arith.mulf %a, %two : f32
    %s = arith.select %c, %p, %b : f32
    linalg.yield %s : f32
  }
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
