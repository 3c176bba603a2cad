// RUN: mirage-opt --convert-linalg-to-mirage %s | FileCheck %s

// Heads that share their keys and values are rows of one product.

// CHECK-LABEL: func.func @shared_keys(
// CHECK-SAME:    %[[Q:.*]]: tensor<4x1x8xf16>, %[[K:.*]]: tensor<16x8xf16>, %[[V:.*]]: tensor<16x8xf16>)
// CHECK-DAG:     %[[ROWS:.*]] = mirage_kernel.reshape %[[Q]] : (tensor<4x1x8xf16>) -> tensor<4x8xf16>
// CHECK-DAG:     %[[COLUMNS:.*]] = mirage_kernel.transpose %[[K]] permutation [1, 0]
// CHECK:         %[[SCORES:.*]] = mirage_kernel.matmul %[[ROWS]], %[[COLUMNS]] : (tensor<4x8xf16>, tensor<8x16xf16>) -> tensor<4x16xf16>
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[SCORES]]
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.sum %[[EXP]] dim 1 : (tensor<4x16xf16>) -> tensor<4x1xf16>
// CHECK-NEXT:    %[[WEIGHTS:.*]] = mirage_kernel.div %[[EXP]], %[[SUM]]
// CHECK-NEXT:    %[[OUT:.*]] = mirage_kernel.matmul %[[WEIGHTS]], %[[V]] : (tensor<4x16xf16>, tensor<16x8xf16>) -> tensor<4x8xf16>
// CHECK-NEXT:    %[[HEADS:.*]] = mirage_kernel.reshape %[[OUT]] : (tensor<4x8xf16>) -> tensor<4x1x8xf16>
// CHECK-NEXT:    return %[[HEADS]]
func.func @shared_keys(%q: tensor<4x1x8xf16>, %k: tensor<16x8xf16>, %v: tensor<16x8xf16>) -> tensor<4x1x8xf16> {
  %bk = mirage_kernel.broadcast %k : (tensor<16x8xf16>) -> tensor<4x16x8xf16>
  %t = mirage_kernel.transpose %bk permutation [0, 2, 1] : (tensor<4x16x8xf16>) -> tensor<4x8x16xf16>
  %s = mirage_kernel.matmul %q, %t : (tensor<4x1x8xf16>, tensor<4x8x16xf16>) -> tensor<4x1x16xf16>
  %e = mirage_kernel.exp %s : (tensor<4x1x16xf16>) -> tensor<4x1x16xf16>
  %n = mirage_kernel.sum %e dim 2 : (tensor<4x1x16xf16>) -> tensor<4x1x1xf16>
  %d = mirage_kernel.div %e, %n : (tensor<4x1x16xf16>, tensor<4x1x1xf16>) -> tensor<4x1x16xf16>
  %bv = mirage_kernel.broadcast %v : (tensor<16x8xf16>) -> tensor<4x16x8xf16>
  %o = mirage_kernel.matmul %d, %bv : (tensor<4x1x16xf16>, tensor<4x16x8xf16>) -> tensor<4x1x8xf16>
  return %o : tensor<4x1x8xf16>
}

// Several rows of each head, and sequences that keep theirs; keys and values are arguments that are reshaped.

// CHECK-LABEL: func.func @shared_by_rows(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x4x3x8xf16>, %[[K:.*]]: tensor<2x8x16xf16>)
// CHECK-NEXT:    %[[ROWS:.*]] = mirage_kernel.reshape %[[Q]] : (tensor<2x4x3x8xf16>) -> tensor<2x12x8xf16>
// CHECK-NEXT:    %[[SCORES:.*]] = mirage_kernel.matmul %[[ROWS]], %[[K]]
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[SCORES]] : (tensor<2x12x16xf16>) -> tensor<2x12x16xf16>
// CHECK-NEXT:    mirage_kernel.reshape %[[EXP]] : (tensor<2x12x16xf16>) -> tensor<2x4x3x16xf16>
func.func @shared_by_rows(%q: tensor<2x4x3x8xf16>, %k: tensor<2x8x16xf16>) -> tensor<2x4x3x16xf16> {
  %r = mirage_kernel.reshape %k : (tensor<2x8x16xf16>) -> tensor<2x1x8x16xf16>
  %s = mirage_kernel.matmul %q, %r : (tensor<2x4x3x8xf16>, tensor<2x1x8x16xf16>) -> tensor<2x4x3x16xf16>
  %e = mirage_kernel.exp %s : (tensor<2x4x3x16xf16>) -> tensor<2x4x3x16xf16>
  return %e : tensor<2x4x3x16xf16>
}

// A mask has rows, but no heads, and keys that are computed have batches of their own: they stay.

// CHECK-LABEL: func.func @mask_of_rows(
// CHECK:         mirage_kernel.matmul {{.*}} : (tensor<4x3x8xf16>, tensor<1x8x16xf16>) -> tensor<4x3x16xf16>
func.func @mask_of_rows(%q: tensor<4x3x8xf16>, %k: tensor<1x8x16xf16>, %m: tensor<3x16xf16>) -> tensor<4x3x16xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<4x3x8xf16>, tensor<1x8x16xf16>) -> tensor<4x3x16xf16>
  %a = mirage_kernel.add %s, %m : (tensor<4x3x16xf16>, tensor<3x16xf16>) -> tensor<4x3x16xf16>
  return %a : tensor<4x3x16xf16>
}
// CHECK-LABEL: func.func @computed_keys(
// CHECK:         mirage_kernel.matmul {{.*}} : (tensor<4x1x8xf16>, tensor<1x8x16xf16>) -> tensor<4x1x16xf16>
func.func @computed_keys(%q: tensor<4x1x8xf16>, %k: tensor<1x8x16xf16>) -> tensor<4x1x16xf16> {
  %e = mirage_kernel.exp %k : (tensor<1x8x16xf16>) -> tensor<1x8x16xf16>
  %s = mirage_kernel.matmul %q, %e : (tensor<4x1x8xf16>, tensor<1x8x16xf16>) -> tensor<4x1x16xf16>
  return %s : tensor<4x1x16xf16>
}

// What stands between reshapes that add a dimension of size 1 and drop it does without.

// CHECK-LABEL: func.func @unit_rows(
// CHECK-NEXT:    %[[SCORES:.*]] = mirage_kernel.matmul
// CHECK-NEXT:    %[[MAX:.*]] = mirage_kernel.reduce_max %[[SCORES]] dim 1 : (tensor<8x16xf16>) -> tensor<8x1xf16>
// CHECK-NEXT:    %[[DIFFERENCE:.*]] = mirage_kernel.sub %[[SCORES]], %[[MAX]]
// CHECK-NEXT:    %[[OUT:.*]] = mirage_kernel.matmul %[[DIFFERENCE]]
// CHECK-NEXT:    mirage_kernel.reshape %[[OUT]] : (tensor<8x4xf16>) -> tensor<8x1x4xf16>
func.func @unit_rows(%x: tensor<8x4xf16>, %w: tensor<4x16xf16>, %v: tensor<16x4xf16>) -> tensor<8x1x4xf16> {
  %s = mirage_kernel.matmul %x, %w : (tensor<8x4xf16>, tensor<4x16xf16>) -> tensor<8x16xf16>
  %r = mirage_kernel.reshape %s : (tensor<8x16xf16>) -> tensor<8x1x16xf16>
  %n = mirage_kernel.reduce_max %r dim 2 : (tensor<8x1x16xf16>) -> tensor<8x1x1xf16>
  %d = mirage_kernel.sub %r, %n : (tensor<8x1x16xf16>, tensor<8x1x1xf16>) -> tensor<8x1x16xf16>
  %u = mirage_kernel.reshape %d : (tensor<8x1x16xf16>) -> tensor<8x16xf16>
  %o = mirage_kernel.matmul %u, %v : (tensor<8x16xf16>, tensor<16x4xf16>) -> tensor<8x4xf16>
  %p = mirage_kernel.reshape %o : (tensor<8x4xf16>) -> tensor<8x1x4xf16>
  return %p : tensor<8x1x4xf16>
}

// Also from the first operator on, and where what is in between is a result.

// CHECK-LABEL: func.func @unit_rows_of_argument(
// CHECK-SAME:    %[[X:.*]]: tensor<8x1x4xf16>, %[[W:.*]]: tensor<4x16xf16>)
// CHECK-NEXT:    %[[ROWS:.*]] = mirage_kernel.reshape %[[X]]
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[ROWS]] : (tensor<8x4xf16>) -> tensor<8x4xf16>
// CHECK-DAG:     %[[SECOND:.*]] = mirage_kernel.reshape %[[EXP]] : (tensor<8x4xf16>) -> tensor<8x1x4xf16>
// CHECK-DAG:     %[[FIRST:.*]] = mirage_kernel.matmul %[[EXP]], %[[W]]
// CHECK:         return %[[FIRST]], %[[SECOND]]
func.func @unit_rows_of_argument(%x: tensor<8x1x4xf16>, %w: tensor<4x16xf16>) -> (tensor<8x16xf16>, tensor<8x1x4xf16>) {
  %e = mirage_kernel.exp %x : (tensor<8x1x4xf16>) -> tensor<8x1x4xf16>
  %u = mirage_kernel.reshape %e : (tensor<8x1x4xf16>) -> tensor<8x4xf16>
  %r = mirage_kernel.matmul %u, %w : (tensor<8x4xf16>, tensor<4x16xf16>) -> tensor<8x16xf16>
  return %r, %e : tensor<8x16xf16>, tensor<8x1x4xf16>
}
// CHECK-LABEL: func.func @reshaped_argument(
// CHECK-SAME:    %[[X:.*]]: tensor<8x1x4xf16>
// CHECK-NEXT:    %[[ROWS:.*]] = mirage_kernel.reshape %[[X]]
// CHECK-NEXT:    %[[EXP:.*]] = mirage_kernel.exp %[[ROWS]] : (tensor<8x4xf16>) -> tensor<8x4xf16>
// CHECK-NEXT:    mirage_kernel.matmul %[[EXP]]
func.func @reshaped_argument(%x: tensor<8x1x4xf16>, %w: tensor<4x16xf16>) -> tensor<8x16xf16> {
  %u = mirage_kernel.reshape %x : (tensor<8x1x4xf16>) -> tensor<8x4xf16>
  %e = mirage_kernel.exp %u : (tensor<8x4xf16>) -> tensor<8x4xf16>
  %r = mirage_kernel.matmul %e, %w : (tensor<8x4xf16>, tensor<4x16xf16>) -> tensor<8x16xf16>
  return %r : tensor<8x16xf16>
}

// Batches that are split off a broadcast.

// CHECK-LABEL: func.func @broadcast_of_units(
// CHECK-SAME:    %[[Q:.*]]: tensor<4x3x8xf16>, %[[K:.*]]: tensor<1x8x16xf16>
// CHECK-NEXT:    mirage_kernel.matmul %[[Q]], %[[K]]
func.func @broadcast_of_units(%q: tensor<4x3x8xf16>, %k: tensor<1x8x16xf16>, %m: tensor<3x16xf16>) -> tensor<4x3x16xf16> {
  %b = mirage_kernel.broadcast %k : (tensor<1x8x16xf16>) -> tensor<1x4x8x16xf16>
  %r = mirage_kernel.reshape %b : (tensor<1x4x8x16xf16>) -> tensor<4x8x16xf16>
  %s = mirage_kernel.matmul %q, %r : (tensor<4x3x8xf16>, tensor<4x8x16xf16>) -> tensor<4x3x16xf16>
  %a = mirage_kernel.add %s, %m : (tensor<4x3x16xf16>, tensor<3x16xf16>) -> tensor<4x3x16xf16>
  return %a : tensor<4x3x16xf16>
}

// Of rotated queries, whose halves meet in a product of concatenations: they are split where they are parts of an argument.

// CHECK-LABEL: func.func @rotated(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<4x8x16xf16>, %[[C:[^:]*]]: tensor<8x8xf16>, %[[K:[^:]*]]: tensor<2x16x32xf16>)
// CHECK-DAG: %[[S:.*]] = mirage_kernel.reshape %[[Q]] : (tensor<4x8x16xf16>) -> tensor<2x2x8x16xf16>
// CHECK-DAG: mirage_kernel.slice %[[S]] dim 3 offset 0 size 8
// CHECK-DAG: mirage_kernel.slice %[[S]] dim 3 offset 8 size 8
// CHECK-NOT: broadcast
// CHECK: mirage_kernel.concat_matmul {{.*}} : (tensor<2x2x8x8xf16>, tensor<2x2x8x8xf16>, tensor<2x1x8x32xf16>, tensor<2x1x8x32xf16>) -> tensor<2x2x8x32xf16>
func.func @rotated(%q: tensor<4x8x16xf16>, %c: tensor<8x8xf16>, %k: tensor<2x16x32xf16>) -> tensor<4x8x32xf16> {
  %a = mirage_kernel.slice %q dim 2 offset 0 size 8 : (tensor<4x8x16xf16>) -> tensor<4x8x8xf16>
  %b = mirage_kernel.slice %q dim 2 offset 8 size 8 : (tensor<4x8x16xf16>) -> tensor<4x8x8xf16>
  %x = mirage_kernel.mul %a, %c : (tensor<4x8x8xf16>, tensor<8x8xf16>) -> tensor<4x8x8xf16>
  %y = mirage_kernel.mul %b, %c : (tensor<4x8x8xf16>, tensor<8x8xf16>) -> tensor<4x8x8xf16>
  %u = mirage_kernel.reshape %k : (tensor<2x16x32xf16>) -> tensor<2x1x16x32xf16>
  %r = mirage_kernel.broadcast %u : (tensor<2x1x16x32xf16>) -> tensor<2x2x16x32xf16>
  %m = mirage_kernel.reshape %r : (tensor<2x2x16x32xf16>) -> tensor<4x16x32xf16>
  %z = mirage_kernel.concat %x, %y dim 2 : (tensor<4x8x8xf16>, tensor<4x8x8xf16>) -> tensor<4x8x16xf16>
  %p = mirage_kernel.matmul %z, %m : (tensor<4x8x16xf16>, tensor<4x16x32xf16>) -> tensor<4x8x32xf16>
  return %p : tensor<4x8x32xf16>
}
