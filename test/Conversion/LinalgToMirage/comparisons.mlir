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

// -----

#vector = affine_map<(i) -> (i)>

// Beyond the last number there is the infinity alone; nothing is greater than that, and all is at most it, on either side.
// CHECK-LABEL: func.func @infinities
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>, %[[H:.*]]: tensor<8xf16>)
// CHECK-DAG: %[[LAST:.*]] = mirage.constant 3.4028234663852886E+38
// CHECK-DAG: %[[LEAST:.*]] = mirage.constant -6.550400e+04
// CHECK-DAG: %[[ABOVE:.*]] = mirage_kernel.greater %[[X]], %[[LAST]]
// CHECK-DAG: %[[BELOW:.*]] = mirage_kernel.greater %[[LEAST]], %[[H]]
// CHECK-DAG: %[[FINITE:.*]] = mirage_kernel.sub %{{.*}}, %[[ABOVE]]
// CHECK-DAG: %[[A:.*]] = mirage_kernel.where %[[FINITE]], %[[X]]
// CHECK-DAG: %[[B:.*]] = mirage_kernel.where %[[BELOW]], %[[X]]
// CHECK: mirage_kernel.add %[[A]], %[[B]]
func.func @infinities(%x: tensor<8xf32>, %h: tensor<8xf16>) -> tensor<8xf32> {
  %r = linalg.map ins(%x, %h : tensor<8xf32>, tensor<8xf16>) outs(%x : tensor<8xf32>) (%a: f32, %b: f16, %o: f32) {
    %inf = arith.constant 0x7F800000 : f32
    %low = arith.constant 0xFC00 : f16
    %zero = arith.constant 0.0 : f32
    %isFinite = arith.cmpf one, %a, %inf : f32
    %isLow = arith.cmpf oge, %low, %b : f16
    %never = arith.cmpf ogt, %a, %inf : f32
    %always = arith.cmpf ule, %low, %b : f16
    %0 = arith.select %isFinite, %a, %zero : f32
    %1 = arith.select %isLow, %a, %zero : f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.select %never, %zero, %2 : f32
    %4 = arith.select %always, %3, %zero : f32
    linalg.yield %4 : f32
  }
  return %r : tensor<8xf32>
}

// -----

#scalar = affine_map<() -> ()>
#vector = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// What is computed of numbers alone, as a variance's number of elements and whether there are some, are numbers.
// CHECK-LABEL: func.func @numbers
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK-DAG: %[[EIGHT:.*]] = mirage.constant 8.000000e+00
// CHECK: %[[R:.*]] = mirage_kernel.div %[[X]], %[[EIGHT]]
// CHECK-NEXT: return %[[R]]
func.func @numbers(%x: tensor<8xf32>) -> tensor<8xf32> {
  %count = arith.constant dense<8> : tensor<i32>
  %zero = arith.constant 0.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %number = tensor.empty() : tensor<f32>
  %flag = tensor.empty() : tensor<i1>
  %n = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []} ins(%count : tensor<i32>) outs(%number : tensor<f32>) {
  ^bb0(%a: i32, %o: f32):
    %f = arith.sitofp %a : i32 to f32
    linalg.yield %f : f32
  } -> tensor<f32>
  %c = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []} ins(%n : tensor<f32>) outs(%flag : tensor<i1>) {
  ^bb0(%a: f32, %o: i1):
    %g = arith.cmpf ogt, %a, %zero : f32
    linalg.yield %g : i1
  } -> tensor<i1>
  %some = tensor.extract %c[] : tensor<i1>
  %r = linalg.generic {indexing_maps = [#vector, #none, #vector], iterator_types = ["parallel"]}
      ins(%x, %n : tensor<8xf32>, tensor<f32>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    %s = arith.select %some, %d, %nan : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
