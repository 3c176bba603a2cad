// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

// Masks, numbers that booleans choose between, in front of what is imported.

#id = affine_map<(i, j) -> (i, j)>
#scalar = affine_map<(i, j) -> ()>

// A mask that is added, and where something else chooses between sums: all who
// read it have one operand, and the sum is computed once.

// CHECK-LABEL: func.func @shared_mask(
// CHECK-SAME:    %[[M:.*]]: tensor<4x8xi1>, %[[C:.*]]: tensor<4x8xi1>, %[[X:.*]]: tensor<4x8xf32>)
// CHECK:         %[[MASK:.*]] = linalg.generic {{.*}} ins(%[[M]],
// CHECK:         %[[SUM:.*]] = mirage_kernel.add %[[X]], %[[MASK]] :
// CHECK:         %[[CHOICE:.*]] = linalg.generic {{.*}} ins(%[[C]] :
// CHECK-NOT:     ins(%[[M]]
// CHECK:         mirage_kernel.where %[[CHOICE]], %[[SUM]] :
// CHECK:         return %{{.*}}, %[[SUM]] :
func.func @shared_mask(%m: tensor<4x8xi1>, %c: tensor<4x8xi1>, %x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f16>
  %low = arith.constant dense<0xFC00> : tensor<f16>
  %e = tensor.empty() : tensor<4x8xf16>
  %f = tensor.empty() : tensor<4x8xf32>
  // expected-remark@+1 {{not imported: element type i1 is not f16, bf16 or f32}}
  %mask = linalg.generic {indexing_maps = [#id, #scalar, #scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %zero, %low : tensor<4x8xi1>, tensor<f16>, tensor<f16>)
      outs(%e : tensor<4x8xf16>) {
  ^bb0(%b: i1, %p: f16, %q: f16, %o: f16):
    %s = arith.select %b, %p, %q : f16
    linalg.yield %s : f16
  } -> tensor<4x8xf16>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mask : tensor<4x8xf32>, tensor<4x8xf16>)
      outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f16, %o: f32):
    %w = arith.extf %b : f16 to f32
    %s = arith.addf %a, %w : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  // expected-remark@+1 {{not imported: what is computed of positions, integers, booleans or scalars from outside; it becomes an operand}}
  %chosen = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %sum, %x : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%f : tensor<4x8xf32>) {
  ^bb0(%b: i1, %a: f32, %d: f32, %o: f32):
    %s = arith.select %b, %a, %d : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %chosen, %sum : tensor<4x8xf32>, tensor<4x8xf32>
}

// A boolean of a boolean is computed where the mask is.

// CHECK-LABEL: func.func @not_masked(
// CHECK-SAME:    %[[M:.*]]: tensor<4x8xi1>, %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>)
// CHECK-NOT:     -> tensor<4x8xi1>
// CHECK:         %[[MASK:.*]] = linalg.generic {{.*}} ins(%[[M]] : tensor<4x8xi1>)
// CHECK:           arith.xori
// CHECK:           arith.select
// CHECK:         } -> tensor<4x8xf16>
// CHECK:         mirage_kernel.where %[[MASK]], %[[X]] :
func.func @not_masked(%m: tensor<4x8xi1>, %x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %true = arith.constant true
  %e = tensor.empty() : tensor<4x8xi1>
  %f = tensor.empty() : tensor<4x8xf32>
  %not = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<4x8xi1>)
      outs(%e : tensor<4x8xi1>) {
  ^bb0(%b: i1, %o: i1):
    %s = arith.xori %b, %true : i1
    linalg.yield %s : i1
  } -> tensor<4x8xi1>
  // expected-remark@+1 {{not imported: what is computed of positions, integers, booleans or scalars from outside; it becomes an operand}}
  %chosen = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%not, %x, %y : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%f : tensor<4x8xf32>) {
  ^bb0(%b: i1, %a: f32, %d: f32, %o: f32):
    %s = arith.select %b, %a, %d : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %chosen : tensor<4x8xf32>
}
