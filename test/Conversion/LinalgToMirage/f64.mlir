// RUN: mirage-opt --convert-linalg-to-mirage --split-input-file --verify-diagnostics %s | FileCheck %s

#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>

// A variance in f64, as torch-mlir writes layer norm's, and an eps in f64 that is rounded first.
// CHECK-LABEL: func.func @variance(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>) -> tensor<4x1xf32>
// CHECK:         %[[SUM:.*]] = mirage_kernel.sum %[[X]] dim 1 : (tensor<4x8xf16>) -> tensor<4x1xf32>
// CHECK:         %[[N:.*]] = mirage.constant 8.000000e+00
// CHECK:         %[[MEAN:.*]] = mirage_kernel.div %[[SUM]], %[[N]]
// CHECK:         %[[DIFF:.*]] = mirage_kernel.sub %[[X]], %[[MEAN]] : (tensor<4x8xf16>, tensor<4x1xf32>) -> tensor<4x8xf32>
// CHECK:         %[[SQR:.*]] = mirage_kernel.sqr %[[DIFF]]
// CHECK:         %[[SQUARES:.*]] = mirage_kernel.sum %[[SQR]] dim 1
// CHECK:         %[[VAR:.*]] = mirage_kernel.div %[[SQUARES]], %[[N]]
// CHECK:         %[[EPS:.*]] = mirage.constant 9.9999997473787516E-6
// CHECK:         %[[RESULT:.*]] = mirage_kernel.add %[[VAR]], %[[EPS]]
// CHECK-NEXT:    return %[[RESULT]]
func.func @variance(%x: tensor<4x8xf16>) -> tensor<4x1xf32> {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 8.0 : f64
  %eps = arith.constant 1.0e-05 : f64
  %wide = tensor.empty() : tensor<4x8xf64>
  %column = tensor.empty() : tensor<4x1xf64>
  %narrow = tensor.empty() : tensor<4x1xf32>
  %init = linalg.fill ins(%zero : f64) outs(%column : tensor<4x1xf64>) -> tensor<4x1xf64>
  %0 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf16>) outs(%wide : tensor<4x8xf64>) {
  ^bb0(%a: f16, %out: f64):
    %w = arith.extf %a : f16 to f64
    linalg.yield %w : f64
  } -> tensor<4x8xf64>
  %1 = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<4x8xf64>) outs(%init : tensor<4x1xf64>) {
  ^bb0(%a: f64, %out: f64):
    %s = arith.addf %a, %out : f64
    linalg.yield %s : f64
  } -> tensor<4x1xf64>
  %2 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<4x1xf64>) outs(%column : tensor<4x1xf64>) {
  ^bb0(%a: f64, %out: f64):
    %q = arith.divf %a, %n : f64
    linalg.yield %q : f64
  } -> tensor<4x1xf64>
  %3 = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%0, %2 : tensor<4x8xf64>, tensor<4x1xf64>) outs(%wide : tensor<4x8xf64>) {
  ^bb0(%a: f64, %b: f64, %out: f64):
    %d = arith.subf %a, %b : f64
    %p = arith.mulf %d, %d : f64
    linalg.yield %p : f64
  } -> tensor<4x8xf64>
  %4 = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%3 : tensor<4x8xf64>) outs(%init : tensor<4x1xf64>) {
  ^bb0(%a: f64, %out: f64):
    %s = arith.addf %a, %out : f64
    linalg.yield %s : f64
  } -> tensor<4x1xf64>
  %5 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%4 : tensor<4x1xf64>) outs(%narrow : tensor<4x1xf32>) {
  ^bb0(%a: f64, %out: f32):
    %q = arith.divf %a, %n : f64
    %t = arith.truncf %q : f64 to f32
    %e = arith.truncf %eps : f64 to f32
    %r = arith.addf %t, %e : f32
    linalg.yield %r : f32
  } -> tensor<4x1xf32>
  return %5 : tensor<4x1xf32>
}

// -----

#vector = affine_map<(i) -> (i)>

// Between f64 that are reshaped, tensor by tensor, by named ops; an integer power, a choice and a number that is rounded to f16.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     f64
// CHECK:         return
func.func @others(%x: tensor<4xf32>) -> (tensor<2x2xf16>, tensor<4xf32>) {
  %third = arith.constant 0.3333333333333333 : f64
  %zero = arith.constant 0.0 : f64
  %three = arith.constant 3 : i64
  %w = arith.extf %x : tensor<4xf32> to tensor<4xf64>
  %empty = tensor.empty() : tensor<4xf64>
  %e = linalg.exp ins(%w : tensor<4xf64>) outs(%empty : tensor<4xf64>) -> tensor<4xf64>
  %square = tensor.expand_shape %e [[0, 1]] output_shape [2, 2] : tensor<4xf64> into tensor<2x2xf64>
  %n = arith.truncf %square : tensor<2x2xf64> to tensor<2x2xf16>
  %init = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%e : tensor<4xf64>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f64, %out: f32):
    %p = math.fpowi %a, %three : f64, i64
    %c = arith.cmpf ogt, %p, %third : f64
    %s = arith.select %c, %p, %zero : f64
    %h = arith.truncf %third : f64 to f16
    %k = arith.extf %h : f16 to f64
    %m = arith.mulf %s, %k : f64
    %t = arith.truncf %m : f64 to f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  return %n, %0 : tensor<2x2xf16>, tensor<4xf32>
}

// -----

// A tensor of f64 that something else reads is widened for it.
// CHECK-LABEL: func.func @read_by_others(
// CHECK:         %[[EXP:.*]] = mirage_kernel.exp %{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK:         %[[WIDE:.*]] = arith.extf %[[EXP]] : tensor<4xf32> to tensor<4xf64>
// CHECK:         call @other(%[[WIDE]])
func.func private @other(tensor<4xf64>) -> tensor<4xf32>
func.func @read_by_others(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.extf %x : tensor<4xf32> to tensor<4xf64>
  %e = math.exp %w : tensor<4xf64>
  // expected-remark @below {{not imported: 'func.call' has no Mirage operator yet}}
  %r = call @other(%e) : (tensor<4xf64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

#vector = affine_map<(i) -> (i)>

// What f32 has not; what is computed of integers; what comes from elsewhere; and other conversions.
// CHECK-LABEL: func.func @declined(
func.func private @other(tensor<4xf32>) -> tensor<4xf64>
func.func @declined(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %tiny = arith.constant 1.0e-300 : f64
  %huge = arith.constant dense<1.0e+300> : tensor<4xf64>
  %init = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{not imported: a number of f64 is out of the range of f32}}
  %0 = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %w = arith.extf %a : f32 to f64
    %s = arith.addf %w, %tiny : f64
    %t = arith.truncf %s : f64 to f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  // expected-remark @below {{not imported: a number of f64 is out of the range of f32}}
  %1 = linalg.generic {indexing_maps = [#vector, #vector, #vector], iterator_types = ["parallel"]}
      ins(%x, %huge : tensor<4xf32>, tensor<4xf64>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f64, %out: f32):
    %w = arith.extf %a : f32 to f64
    %s = arith.divf %w, %b : f64
    %t = arith.truncf %s : f64 to f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  // expected-remark @below {{not imported: 'arith.sitofp' of f64 has no Mirage operator yet}}
  %2 = linalg.generic {indexing_maps = [#vector, #vector, #vector], iterator_types = ["parallel"]}
      ins(%x, %i : tensor<4xf32>, tensor<4xi32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %b: i32, %out: f32):
    %w = arith.extf %a : f32 to f64
    %f = arith.sitofp %b : i32 to f64
    %s = arith.mulf %w, %f : f64
    %t = arith.truncf %s : f64 to f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  // expected-remark @below {{not imported: 'func.call' has no Mirage operator yet}}
  %y = call @other(%x) : (tensor<4xf32>) -> tensor<4xf64>
  // expected-remark @below {{not imported: element type f64 is not f16, bf16 or f32}}
  %3 = arith.truncf %y : tensor<4xf64> to tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A program of f64 is one.
// CHECK-LABEL: func.func @taken(
func.func @taken(%x: tensor<4xf64>) -> tensor<4xf32> {
  // expected-remark @below {{not imported: element type f64 is not f16, bf16 or f32}}
  %0 = math.exp %x : tensor<4xf64>
  // expected-remark @below {{not imported: element type f64 is not f16, bf16 or f32}}
  %1 = arith.truncf %0 : tensor<4xf64> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A choice of numbers in f64, behind which nothing is left to be narrowed.

// CHECK-LABEL: func.func @narrowed_choice(
// CHECK: %[[CHOSEN:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<16x64xi1>)
// CHECK: %[[CHOICE:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: linalg.yield %[[CHOICE]] : f32
// CHECK: %[[SUM:.*]] = mirage_kernel.add %[[CHOSEN]], %arg1 :
// CHECK: return %[[SUM]]
func.func @narrowed_choice(%mask: tensor<16x64xi1>, %x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %init = tensor.empty() : tensor<16x64xf32>
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  // expected-remark@below {{not imported: what is computed of positions, integers, booleans or scalars from outside; it becomes an operand}}
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%mask, %x : tensor<16x64xi1>, tensor<16x64xf32>) outs(%init : tensor<16x64xf32>) {
  ^bb0(%m: i1, %a: f32, %o: f32):
    %chosen = arith.select %m, %one, %two : f64
    %narrow = arith.truncf %chosen : f64 to f32
    %sum = arith.addf %narrow, %a : f32
    linalg.yield %sum : f32
  } -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}
