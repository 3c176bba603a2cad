// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @named(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>)
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[X]] permutation [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
// CHECK-NEXT:    return %[[T]]
func.func @named(%x: tensor<2x4x8xf32>) -> tensor<8x2x4xf32> {
  %e = tensor.empty() : tensor<8x2x4xf32>
  %r = linalg.transpose ins(%x : tensor<2x4x8xf32>) outs(%e : tensor<8x2x4xf32>) permutation = [2, 0, 1]
  return %r : tensor<8x2x4xf32>
}

// Two that undo each other, and one that moves only a dimension of size 1.

// CHECK-LABEL: func.func @nothing_moves(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4xf32>, %[[Y:.*]]: tensor<4x1x8xf32>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[Y]] : (tensor<4x1x8xf32>) -> tensor<1x4x8xf32>
// CHECK-NEXT:    return %[[X]], %[[R]]
func.func @nothing_moves(%x: tensor<2x4xf32>, %y: tensor<4x1x8xf32>) -> (tensor<2x4xf32>, tensor<1x4x8xf32>) {
  %e0 = tensor.empty() : tensor<4x2xf32>
  %e1 = tensor.empty() : tensor<2x4xf32>
  %e2 = tensor.empty() : tensor<1x4x8xf32>
  %0 = linalg.transpose ins(%x : tensor<2x4xf32>) outs(%e0 : tensor<4x2xf32>) permutation = [1, 0]
  %1 = linalg.transpose ins(%0 : tensor<4x2xf32>) outs(%e1 : tensor<2x4xf32>) permutation = [1, 0]
  %2 = linalg.transpose ins(%y : tensor<4x1x8xf32>) outs(%e2 : tensor<1x4x8xf32>) permutation = [1, 0, 2]
  return %1, %2 : tensor<2x4xf32>, tensor<1x4x8xf32>
}

// Of operands, where the others are in order.

// CHECK-LABEL: func.func @operand(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<8x4xf32>, %[[Z:.*]]: tensor<4xf32>)
// CHECK-DAG:     %[[T:.*]] = mirage_kernel.transpose %[[Y]] permutation [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
// CHECK-DAG:     %[[COLUMN:.*]] = mirage_kernel.reshape %[[Z]] : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK-DAG:     %[[SUM:.*]] = mirage_kernel.add %[[X]], %[[T]]
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.mul %[[SUM]], %[[COLUMN]]
// CHECK-NEXT:    return %[[R]]
func.func @operand(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %z: tensor<4xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #t, affine_map<(d0, d1) -> (d0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %z : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// One of the result instead of two of operands.

// CHECK-LABEL: func.func @result(
// CHECK-SAME:    %[[X:.*]]: tensor<8x4xf32>, %[[Y:.*]]: tensor<8x4xf32>, %[[Z:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.add %[[X]], %[[Y]] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[PRODUCT:.*]] = mirage_kernel.mul %[[SUM]], %[[Z]] : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.transpose %[[PRODUCT]] permutation [1, 0]
// CHECK-NEXT:    return %[[R]]
func.func @result(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>, %z: tensor<4xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#t, #t, affine_map<(d0, d1) -> (d0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %z : tensor<8x4xf32>, tensor<8x4xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.mulf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Loops in another order for everybody are no transpose at all.

// CHECK-LABEL: func.func @interchanged(
// CHECK-NEXT:    mirage_kernel.exp %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    return
func.func @interchanged(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#t, #t], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Permuted and projected, with several results that are indexed differently.

// CHECK-LABEL: func.func @both(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[Y:.*]]: tensor<8x2xf32>)
// CHECK-NEXT:    %[[Z:.*]] = mirage_kernel.reshape %[[Y]] : (tensor<8x2xf32>) -> tensor<1x8x2xf32>
// CHECK-NEXT:    %[[ROW:.*]] = mirage_kernel.transpose %[[Z]] permutation [2, 0, 1] : (tensor<1x8x2xf32>) -> tensor<2x1x8xf32>
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.add %[[X]], %[[ROW]]
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.transpose %[[SUM]] permutation [2, 1, 0] : (tensor<2x4x8xf32>) -> tensor<8x4x2xf32>
// CHECK-NEXT:    return %[[SUM]], %[[R]]
func.func @both(%x: tensor<2x4x8xf32>, %y: tensor<8x2xf32>) -> (tensor<2x4x8xf32>, tensor<8x4x2xf32>) {
  %e0 = tensor.empty() : tensor<2x4x8xf32>
  %e1 = tensor.empty() : tensor<8x4x2xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2, d0)>,
                                          affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2, d1, d0)>],
                         iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<2x4x8xf32>, tensor<8x2xf32>) outs(%e0, %e1 : tensor<2x4x8xf32>, tensor<8x4x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o0: f32, %o1: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0, %0 : f32, f32
  } -> (tensor<2x4x8xf32>, tensor<8x4x2xf32>)
  return %r#0, %r#1 : tensor<2x4x8xf32>, tensor<8x4x2xf32>
}

// A reduction reads its operand in its own order; its result may be permuted, and
// so may what it starts from.

// CHECK-LABEL: func.func @reduction(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[INIT:.*]]: tensor<8x2xf32>)
// CHECK-DAG:     %[[SUM:.*]] = mirage_kernel.sum %[[X]] dim 1 : (tensor<2x4x8xf32>) -> tensor<2x1x8xf32>
// CHECK-DAG:     %[[ROW:.*]] = mirage_kernel.reshape %[[INIT]] : (tensor<8x2xf32>) -> tensor<1x8x2xf32>
// CHECK-DAG:     %[[START:.*]] = mirage_kernel.transpose %[[ROW]] permutation [2, 0, 1] : (tensor<1x8x2xf32>) -> tensor<2x1x8xf32>
// CHECK:         %[[ALL:.*]] = mirage_kernel.add %[[SUM]], %[[START]]
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[ALL]] : (tensor<2x1x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT:    mirage_kernel.transpose %[[R]] permutation [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
func.func @reduction(%x: tensor<2x4x8xf32>, %init: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>],
                       iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%x : tensor<2x4x8xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %a, %acc : f32
    linalg.yield %s : f32
  } -> tensor<8x2xf32>
  return %r : tensor<8x2xf32>
}

// A rounding is before the transpose, and a widening after it.

// CHECK-LABEL: func.func @casts(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[H:.*]]: tensor<4x8xf16>)
// CHECK-DAG:     %[[EXP:.*]] = mirage_kernel.exp %[[X]] : (tensor<4x8xf32>) -> tensor<4x8xf16>
// CHECK-DAG:     %[[T:.*]] = mirage_kernel.transpose %[[EXP]] permutation [1, 0] : (tensor<4x8xf16>) -> tensor<8x4xf16>
// CHECK-DAG:     %[[U:.*]] = mirage_kernel.transpose %[[H]] permutation [1, 0] : (tensor<4x8xf16>) -> tensor<8x4xf16>
// CHECK-DAG:     %[[V:.*]] = mirage_kernel.exp %[[U]] : (tensor<8x4xf16>) -> tensor<8x4xf32>
// CHECK:         return %[[T]], %[[V]]
func.func @casts(%x: tensor<4x8xf32>, %h: tensor<4x8xf16>) -> (tensor<8x4xf16>, tensor<8x4xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<8x4xf32>
  %e2 = tensor.empty() : tensor<8x4xf16>
  %exp = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %t = linalg.transpose ins(%exp : tensor<4x8xf32>) outs(%e1 : tensor<8x4xf32>) permutation = [1, 0]
  %r = linalg.map { arith.truncf } ins(%t : tensor<8x4xf32>) outs(%e2 : tensor<8x4xf16>)
  %w = linalg.map { arith.extf } ins(%h : tensor<4x8xf16>) outs(%e0 : tensor<4x8xf32>)
  %u = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e1 : tensor<8x4xf32>) permutation = [1, 0]
  %v = linalg.exp ins(%u : tensor<8x4xf32>) outs(%e1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r, %v : tensor<8x4xf16>, tensor<8x4xf32>
}

// Attention's last product as JAX writes it, of five dimensions, some of size 1, and of transposed tensors: what is computed isn't transposed.

// CHECK-LABEL: func.func @transposed_product(
// CHECK-SAME:    %[[P:.*]]: tensor<1x1x2x4x6xf16>, %[[V:.*]]: tensor<1x6x2x8xf16>)
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.reshape %[[P]] : (tensor<1x1x2x4x6xf16>) -> tensor<2x4x6xf16>
// CHECK-DAG:     %[[E:.*]] = mirage_kernel.exp %[[R]]
// CHECK-DAG:     %[[RV:.*]] = mirage_kernel.reshape %[[V]] : (tensor<1x6x2x8xf16>) -> tensor<6x2x8xf16>
// CHECK-DAG:     %[[VT:.*]] = mirage_kernel.transpose %[[RV]] permutation [1, 0, 2] : (tensor<6x2x8xf16>) -> tensor<2x6x8xf16>
// CHECK:         %[[O:.*]] = mirage_kernel.matmul %[[E]], %[[VT]] : (tensor<2x4x6xf16>, tensor<2x6x8xf16>) -> tensor<2x4x8xf16>
// CHECK-NEXT:    %[[OT:.*]] = mirage_kernel.transpose %[[O]] permutation [1, 0, 2] : (tensor<2x4x8xf16>) -> tensor<4x2x8xf16>
// CHECK-NEXT:    %[[OR:.*]] = mirage_kernel.reshape %[[OT]] : (tensor<4x2x8xf16>) -> tensor<1x4x2x8xf16>
// CHECK-NEXT:    return %[[OR]]
func.func @transposed_product(%p: tensor<1x1x2x4x6xf16>, %v: tensor<1x6x2x8xf16>) -> tensor<1x4x2x8xf16> {
  %0 = mirage_kernel.exp %p : (tensor<1x1x2x4x6xf16>) -> tensor<1x1x2x4x6xf16>
  %1 = mirage_kernel.transpose %0 permutation [1, 2, 4, 0, 3] : (tensor<1x1x2x4x6xf16>) -> tensor<1x2x6x1x4xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<1x2x6x1x4xf16>) -> tensor<2x6x4xf16>
  %3 = mirage_kernel.transpose %v permutation [0, 2, 3, 1] : (tensor<1x6x2x8xf16>) -> tensor<1x2x8x6xf16>
  %4 = mirage_kernel.reshape %3 : (tensor<1x2x8x6xf16>) -> tensor<2x8x6xf16>
  %5 = mirage_kernel.matmul %4, %2 : (tensor<2x8x6xf16>, tensor<2x6x4xf16>) -> tensor<2x8x4xf16>
  %6 = mirage_kernel.reshape %5 : (tensor<2x8x4xf16>) -> tensor<1x2x8x1x4xf16>
  %7 = mirage_kernel.transpose %6 permutation [3, 0, 4, 1, 2] : (tensor<1x2x8x1x4xf16>) -> tensor<1x1x4x2x8xf16>
  %8 = mirage_kernel.reshape %7 : (tensor<1x1x4x2x8xf16>) -> tensor<1x4x2x8xf16>
  return %8 : tensor<1x4x2x8xf16>
}

// Arguments may be read transposed: the product stays.

// CHECK-LABEL: func.func @transposed_arguments(
// CHECK:         %[[P:.*]] = mirage_kernel.matmul
// CHECK-NEXT:    return %[[P]]
func.func @transposed_arguments(%x: tensor<6x4xf16>, %y: tensor<8x6xf16>) -> tensor<4x8xf16> {
  %0 = mirage_kernel.transpose %x permutation [1, 0] : (tensor<6x4xf16>) -> tensor<4x6xf16>
  %1 = mirage_kernel.transpose %y permutation [1, 0] : (tensor<8x6xf16>) -> tensor<6x8xf16>
  %2 = mirage_kernel.matmul %0, %1 : (tensor<4x6xf16>, tensor<6x8xf16>) -> tensor<4x8xf16>
  return %2 : tensor<4x8xf16>
}

// One that only moves a dimension of size 1 may round all the same.
// CHECK-LABEL: func.func @rounding(
// CHECK:         %[[S:.*]] = mirage_kernel.sum {{.*}} -> tensor<1x16xf16>
// CHECK:         %[[R:.*]] = mirage_kernel.reshape %[[S]] : (tensor<1x16xf16>) -> tensor<16x1xf16>
// CHECK:         return %[[R]]
func.func @rounding(%x: tensor<8x16xf32>) -> tensor<16x1xf16> {
  %m = mirage_kernel.sum %x dim 0 : (tensor<8x16xf32>) -> tensor<1x16xf32>
  %t = mirage_kernel.transpose %m permutation [1, 0] : (tensor<1x16xf32>) -> tensor<16x1xf16>
  return %t : tensor<16x1xf16>
}

// What is read as rows and as columns of a transposed argument is reshaped behind one transpose; what is read once stays.
// CHECK-LABEL: func.func @rows_and_columns(
// CHECK-SAME:    %[[A:.*]]: tensor<16x8xf16>, %[[B:.*]]: tensor<16x8xf16>)
// CHECK:         %[[T:.*]] = mirage_kernel.transpose %[[A]] permutation [1, 0] : (tensor<16x8xf16>) -> tensor<8x16xf16>
// CHECK:         %[[ROWS:.*]] = mirage_kernel.reshape %[[T]] : (tensor<8x16xf16>) -> tensor<8x16x1xf16>
// CHECK:         %[[COLUMNS:.*]] = mirage_kernel.reshape %[[T]] : (tensor<8x16xf16>) -> tensor<8x1x16xf16>
// CHECK:         mirage_kernel.sub %[[ROWS]], %[[COLUMNS]]
// CHECK:         %[[WIDE:.*]] = mirage_kernel.reshape %[[B]] : (tensor<16x8xf16>) -> tensor<16x8x1xf16>
// CHECK:         mirage_kernel.transpose %[[WIDE]] permutation [1, 0, 2]
func.func @rows_and_columns(%a: tensor<16x8xf16>, %b: tensor<16x8xf16>) -> (tensor<8x16x16xf16>, tensor<8x16x16xf16>) {
  %e = tensor.empty() : tensor<8x16x16xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (i, h)>, affine_map<(h, i, j) -> (j, h)>, affine_map<(h, i, j) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %a : tensor<16x8xf16>, tensor<16x8xf16>) outs(%e : tensor<8x16x16xf16>) {
    ^bb0(%x: f16, %y: f16, %o: f16):
      %z = arith.subf %x, %y : f16
      linalg.yield %z : f16
    } -> tensor<8x16x16xf16>
  %s = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (i, h)>, affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b, %d : tensor<16x8xf16>, tensor<8x16x16xf16>) outs(%e : tensor<8x16x16xf16>) {
    ^bb0(%x: f16, %y: f16, %o: f16):
      %z = arith.mulf %x, %y : f16
      linalg.yield %z : f16
    } -> tensor<8x16x16xf16>
  return %d, %s : tensor<8x16x16xf16>, tensor<8x16x16xf16>
}

// Two orders share nothing; one that is transposed as it is shares with another that is wider, which rounds.
// CHECK-LABEL: func.func @two_orders(
// CHECK:         mirage_kernel.transpose %{{.*}} permutation [1, 0, 2, 3] : (tensor<16x8x4x1xf16>) -> tensor<8x16x4x1xf16>
// CHECK:         mirage_kernel.transpose %{{.*}} permutation [2, 3, 1, 0] : (tensor<16x8x4x1xf16>) -> tensor<4x1x8x16xf16>
func.func @two_orders(%a: tensor<16x8x4xf16>, %b: tensor<8x16x4x1xf16>) -> (tensor<8x16x4x1xf16>, tensor<4x1x8x16xf16>) {
  %r = mirage_kernel.reshape %a : (tensor<16x8x4xf16>) -> tensor<16x8x4x1xf16>
  %t = mirage_kernel.transpose %r permutation [1, 0, 2, 3] : (tensor<16x8x4x1xf16>) -> tensor<8x16x4x1xf16>
  %m = mirage_kernel.add %t, %b : (tensor<8x16x4x1xf16>, tensor<8x16x4x1xf16>) -> tensor<8x16x4x1xf16>
  %t2 = mirage_kernel.transpose %r permutation [2, 3, 1, 0] : (tensor<16x8x4x1xf16>) -> tensor<4x1x8x16xf16>
  %s = mirage_kernel.exp %t2 : (tensor<4x1x8x16xf16>) -> tensor<4x1x8x16xf16>
  return %m, %s : tensor<8x16x4x1xf16>, tensor<4x1x8x16xf16>
}

// CHECK-LABEL: func.func @direct_and_wide(
// CHECK-SAME:    %[[A:.*]]: tensor<16x8xf32>
// CHECK:         %[[T:.*]] = mirage_kernel.transpose %[[A]] permutation [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
// CHECK:         mirage_kernel.reshape %[[T]] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
// CHECK-NOT:     mirage_kernel.transpose
// CHECK:         return
func.func @direct_and_wide(%a: tensor<16x8xf32>, %b: tensor<16x32xf32>) -> (tensor<8x32xf32>, tensor<8x16x16xf32>) {
  %t = mirage_kernel.transpose %a permutation [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %p = mirage_kernel.matmul %t, %b : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %r = mirage_kernel.reshape %a : (tensor<16x8xf32>) -> tensor<16x1x8xf32>
  %rt = mirage_kernel.transpose %r permutation [2, 0, 1] : (tensor<16x1x8xf32>) -> tensor<8x16x1xf16>
  %e = mirage_kernel.exp %t : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %e1 = mirage_kernel.reshape %e : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
  %d = mirage_kernel.sub %rt, %e1 : (tensor<8x16x1xf16>, tensor<8x1x16xf32>) -> tensor<8x16x16xf32>
  return %p, %d : tensor<8x32xf32>, tensor<8x16x16xf32>
}

// What a transpose leaves together is merged where it is an argument, so that a matrix is transposed: the weights of heads,
// and filters.

// CHECK-LABEL: func.func @merged_heads(
// CHECK-SAME:    %[[X:.*]]: tensor<4x6xf16>, %[[W:.*]]: tensor<2x3x6xf16>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[W]] : (tensor<2x3x6xf16>) -> tensor<6x6xf16>
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[R]] permutation [1, 0]
// CHECK-NEXT:    mirage_kernel.matmul %[[X]], %[[T]]
func.func @merged_heads(%x: tensor<4x6xf16>, %w: tensor<2x3x6xf16>) -> tensor<4x6xf16> {
  %0 = mirage_kernel.transpose %w permutation [2, 0, 1] : (tensor<2x3x6xf16>) -> tensor<6x2x3xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<6x2x3xf16>) -> tensor<6x6xf16>
  %2 = mirage_kernel.matmul %x, %1 : (tensor<4x6xf16>, tensor<6x6xf16>) -> tensor<4x6xf16>
  return %2 : tensor<4x6xf16>
}

// Two groups; and dimensions whose order changes, which stay apart.

// CHECK-LABEL: func.func @merged_twice(
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %{{.*}} : (tensor<2x3x5x7xf16>) -> tensor<6x35xf16>
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[R]] permutation [1, 0] : (tensor<6x35xf16>) -> tensor<35x6xf16>
// CHECK-NEXT:    mirage_kernel.exp %[[T]]
func.func @merged_twice(%x: tensor<2x3x5x7xf16>) -> tensor<35x6xf16> {
  %0 = mirage_kernel.transpose %x permutation [2, 3, 0, 1] : (tensor<2x3x5x7xf16>) -> tensor<5x7x2x3xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<5x7x2x3xf16>) -> tensor<35x6xf16>
  %2 = mirage_kernel.exp %1 : (tensor<35x6xf16>) -> tensor<35x6xf16>
  return %2 : tensor<35x6xf16>
}

// CHECK-LABEL: func.func @not_merged(
// CHECK-NEXT:    mirage_kernel.transpose %{{.*}} permutation [2, 1, 0] : (tensor<2x3x6xf16>) -> tensor<6x3x2xf16>
// CHECK:         mirage_kernel.reshape %{{.*}} : (tensor<6x3x2xf16>) -> tensor<6x6xf16>
func.func @not_merged(%x: tensor<2x3x6xf16>) -> tensor<6x6xf16> {
  %0 = mirage_kernel.transpose %x permutation [2, 1, 0] : (tensor<2x3x6xf16>) -> tensor<6x3x2xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<6x3x2xf16>) -> tensor<6x6xf16>
  %2 = mirage_kernel.sum %1 dim 0 : (tensor<6x6xf16>) -> tensor<1x6xf16>
  %3 = mirage_kernel.mul %1, %2 : (tensor<6x6xf16>, tensor<1x6xf16>) -> tensor<6x6xf16>
  return %3 : tensor<6x6xf16>
}
