// RUN: mirage-opt --convert-linalg-to-mirage %s | FileCheck %s

// A slice for each dimension of which not all is taken; that of one row drops the dimension.

// CHECK-LABEL: func.func @slices(
// CHECK-SAME:    %[[X:.*]]: tensor<4x6x8xf16>)
// CHECK-DAG:     %[[ROWS:.*]] = mirage_kernel.slice %[[X]] dim 0 offset 1 size 2
// CHECK-DAG:     %[[PART:.*]] = mirage_kernel.slice %[[ROWS]] dim 2 offset 5 size 3 : {{.*}} -> tensor<2x6x3xf16>
// CHECK-DAG:     %[[MERGED:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x6x8xf16>) -> tensor<24x8xf16>
// CHECK-DAG:     %[[LAST:.*]] = mirage_kernel.slice %[[MERGED]] dim 0 offset 18 size 6 : {{.*}} -> tensor<6x8xf16>
// CHECK:         return %[[PART]], %[[LAST]], %[[X]]
func.func @slices(%x: tensor<4x6x8xf16>) -> (tensor<2x6x3xf16>, tensor<6x8xf16>, tensor<4x6x8xf16>) {
  %0 = tensor.extract_slice %x[1, 0, 5] [2, 6, 3] [1, 1, 1] : tensor<4x6x8xf16> to tensor<2x6x3xf16>
  %1 = tensor.extract_slice %x[3, 0, 0] [1, 6, 8] [1, 1, 1] : tensor<4x6x8xf16> to tensor<6x8xf16>
  %2 = tensor.extract_slice %x[0, 0, 0] [4, 6, 8] [1, 1, 1] : tensor<4x6x8xf16> to tensor<4x6x8xf16>
  return %0, %1, %2 : tensor<2x6x3xf16>, tensor<6x8xf16>, tensor<4x6x8xf16>
}

// Each second element, as interleaved rotary embeddings take them, is one of pairs.

// CHECK-LABEL: func.func @strides(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>)
// CHECK-DAG:     %[[PAIRS:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x8xf16>) -> tensor<4x4x2xf16>
// CHECK-DAG:     %[[ODD:.*]] = mirage_kernel.slice %[[PAIRS]] dim 2 offset 1 size 1
// CHECK-DAG:     %[[SECONDS:.*]] = mirage_kernel.reshape %[[ODD]] : {{.*}} -> tensor<4x4xf16>
// CHECK-DAG:     %[[LAST:.*]] = mirage_kernel.slice %[[PAIRS]] dim 1 offset 1 size 3
// CHECK-DAG:     %[[EVEN:.*]] = mirage_kernel.slice %[[LAST]] dim 2 offset 0 size 1
// CHECK-DAG:     %[[FIRSTS:.*]] = mirage_kernel.reshape %[[EVEN]] : {{.*}} -> tensor<4x3xf16>
// CHECK-DAG:     %[[ROW:.*]] = mirage_kernel.slice %[[X]] dim 0 offset 2 size 1
// CHECK:         return %[[SECONDS]], %[[FIRSTS]], %[[ROW]]
func.func @strides(%x: tensor<4x8xf16>) -> (tensor<4x4xf16>, tensor<4x3xf16>, tensor<1x8xf16>) {
  %0 = tensor.extract_slice %x[0, 1] [4, 4] [1, 2] : tensor<4x8xf16> to tensor<4x4xf16>
  %1 = tensor.extract_slice %x[0, 2] [4, 3] [1, 2] : tensor<4x8xf16> to tensor<4x3xf16>
  %2 = tensor.extract_slice %x[2, 0] [1, 8] [3, 1] : tensor<4x8xf16> to tensor<1x8xf16>
  return %0, %1, %2 : tensor<4x4xf16>, tensor<4x3xf16>, tensor<1x8xf16>
}

// A product of which two parts of the columns are taken: two products with parts of the weights.

// CHECK-LABEL: func.func @columns(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>, %[[W:.*]]: tensor<8x10xf16>)
// CHECK-DAG:     %[[W1:.*]] = mirage_kernel.slice %[[W]] dim 1 offset 0 size 5
// CHECK-DAG:     %[[W2:.*]] = mirage_kernel.slice %[[W]] dim 1 offset 5 size 5
// CHECK-DAG:     %[[P1:.*]] = mirage_kernel.matmul %[[X]], %[[W1]]
// CHECK-DAG:     %[[P2:.*]] = mirage_kernel.matmul %[[X]], %[[W2]]
// CHECK:         %[[R:.*]] = mirage_kernel.mul %[[P1]], %[[P2]]
// CHECK-NEXT:    return %[[R]]
func.func @columns(%x: tensor<4x8xf16>, %w: tensor<8x10xf16>) -> tensor<4x5xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<4x8xf16>, tensor<8x10xf16>) -> tensor<4x10xf16>
  %1 = mirage_kernel.slice %0 dim 1 offset 0 size 5 : (tensor<4x10xf16>) -> tensor<4x5xf16>
  %2 = mirage_kernel.slice %0 dim 1 offset 5 size 5 : (tensor<4x10xf16>) -> tensor<4x5xf16>
  %3 = mirage_kernel.mul %1, %2 : (tensor<4x5xf16>, tensor<4x5xf16>) -> tensor<4x5xf16>
  return %3 : tensor<4x5xf16>
}

// Neither is what something else needs, too, nor what would be computed more than once.

// CHECK-LABEL: func.func @needed(
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.matmul
// CHECK-NEXT:    %[[PART:.*]] = mirage_kernel.slice %[[P]] dim 1 offset 0 size 5
// CHECK-NEXT:    return %[[P]], %[[PART]]
func.func @needed(%x: tensor<4x8xf16>, %w: tensor<8x10xf16>) -> (tensor<4x10xf16>, tensor<4x5xf16>) {
  %0 = mirage_kernel.matmul %x, %w : (tensor<4x8xf16>, tensor<8x10xf16>) -> tensor<4x10xf16>
  %1 = mirage_kernel.slice %0 dim 1 offset 0 size 5 : (tensor<4x10xf16>) -> tensor<4x5xf16>
  return %0, %1 : tensor<4x10xf16>, tensor<4x5xf16>
}

// CHECK-LABEL: func.func @overlapping(
// CHECK-NEXT:    %[[E:.*]] = mirage_kernel.exp
// CHECK-NEXT:    mirage_kernel.slice %[[E]] dim 1 offset 0 size 6
// CHECK-NEXT:    mirage_kernel.slice %[[E]] dim 1 offset 2 size 6
func.func @overlapping(%x: tensor<4x8xf16>) -> tensor<4x6xf16> {
  %0 = mirage_kernel.exp %x : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %1 = mirage_kernel.slice %0 dim 1 offset 0 size 6 : (tensor<4x8xf16>) -> tensor<4x6xf16>
  %2 = mirage_kernel.slice %0 dim 1 offset 2 size 6 : (tensor<4x8xf16>) -> tensor<4x6xf16>
  %3 = mirage_kernel.add %1, %2 : (tensor<4x6xf16>, tensor<4x6xf16>) -> tensor<4x6xf16>
  return %3 : tensor<4x6xf16>
}

// Rows of sums are the sums of rows.

// CHECK-LABEL: func.func @reductions(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>)
// CHECK-NEXT:    %[[ROWS:.*]] = mirage_kernel.slice %[[X]] dim 0 offset 2 size 2
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.sum %[[ROWS]] dim 1
// CHECK-NEXT:    return %[[SUM]]
func.func @reductions(%x: tensor<4x8xf16>) -> tensor<2x1xf16> {
  %0 = mirage_kernel.sum %x dim 1 : (tensor<4x8xf16>) -> tensor<4x1xf16>
  %1 = mirage_kernel.slice %0 dim 0 offset 2 size 2 : (tensor<4x1xf16>) -> tensor<2x1xf16>
  return %1 : tensor<2x1xf16>
}

// One that rounds stays where it is.

// CHECK-LABEL: func.func @rounded(
// CHECK-NEXT:    %[[E:.*]] = mirage_kernel.exp
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.slice %[[E]] dim 1 offset 0 size 4 : (tensor<4x8xf32>) -> tensor<4x4xf16>
// CHECK-NEXT:    return %[[R]]
func.func @rounded(%x: tensor<4x8xf32>) -> tensor<4x4xf16> {
  %0 = mirage_kernel.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.slice %0 dim 1 offset 0 size 4 : (tensor<4x8xf32>) -> tensor<4x4xf16>
  return %1 : tensor<4x4xf16>
}

// Of a concatenation that part is taken which is in the slice, or both.

// CHECK-LABEL: func.func @of_concat(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>, %[[Y:.*]]: tensor<4x6xf16>)
// CHECK-DAG:     %[[LEFT:.*]] = mirage_kernel.slice %[[X]] dim 1 offset 2 size 3
// CHECK-DAG:     %[[RIGHT:.*]] = mirage_kernel.slice %[[Y]] dim 1 offset 3 size 2
// CHECK-DAG:     %[[END:.*]] = mirage_kernel.slice %[[X]] dim 1 offset 6 size 2
// CHECK-DAG:     %[[BEGIN:.*]] = mirage_kernel.slice %[[Y]] dim 1 offset 0 size 3
// CHECK-DAG:     %[[BOTH:.*]] = mirage_kernel.concat %[[END]], %[[BEGIN]] dim 1
// CHECK:         return %[[LEFT]], %[[RIGHT]], %[[BOTH]]
func.func @of_concat(%x: tensor<4x8xf16>, %y: tensor<4x6xf16>) -> (tensor<4x3xf16>, tensor<4x2xf16>, tensor<4x5xf16>) {
  %0 = tensor.concat dim(1) %x, %y : (tensor<4x8xf16>, tensor<4x6xf16>) -> tensor<4x14xf16>
  %1 = tensor.extract_slice %0[0, 2] [4, 3] [1, 1] : tensor<4x14xf16> to tensor<4x3xf16>
  %2 = tensor.extract_slice %0[0, 11] [4, 2] [1, 1] : tensor<4x14xf16> to tensor<4x2xf16>
  %3 = tensor.extract_slice %0[0, 6] [4, 5] [1, 1] : tensor<4x14xf16> to tensor<4x5xf16>
  return %1, %2, %3 : tensor<4x3xf16>, tensor<4x2xf16>, tensor<4x5xf16>
}

// So it is where the concatenation is returned, too (rotated keys, which a cache grows by); but what is of both parts is
// taken of the whole then.

// CHECK-LABEL: func.func @of_returned_concat(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>, %[[Y:.*]]: tensor<4x6xf16>)
// CHECK-NEXT:    %[[EX:.*]] = mirage_kernel.exp %[[X]]
// CHECK-NEXT:    %[[EY:.*]] = mirage_kernel.exp %[[Y]]
// CHECK-NEXT:    %[[C:.*]] = mirage_kernel.concat %[[EX]], %[[EY]] dim 1
// CHECK-NEXT:    %[[SQUARE:.*]] = mirage_kernel.sqr %[[EX]]
// CHECK-NEXT:    %[[BOTH:.*]] = mirage_kernel.slice %[[C]] dim 1 offset 6 size 5
// CHECK-NEXT:    return %[[C]], %[[SQUARE]], %[[BOTH]]
func.func @of_returned_concat(%x: tensor<4x8xf16>, %y: tensor<4x6xf16>) -> (tensor<4x14xf16>, tensor<4x8xf16>, tensor<4x5xf16>) {
  %a = mirage_kernel.exp %x : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %b = mirage_kernel.exp %y : (tensor<4x6xf16>) -> tensor<4x6xf16>
  %c = mirage_kernel.concat %a, %b dim 1 : (tensor<4x8xf16>, tensor<4x6xf16>) -> tensor<4x14xf16>
  %left = mirage_kernel.slice %c dim 1 offset 0 size 8 : (tensor<4x14xf16>) -> tensor<4x8xf16>
  %square = mirage_kernel.sqr %left : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %both = mirage_kernel.slice %c dim 1 offset 6 size 5 : (tensor<4x14xf16>) -> tensor<4x5xf16>
  return %c, %square, %both : tensor<4x14xf16>, tensor<4x8xf16>, tensor<4x5xf16>
}

// What is computed of every other element keeps the dimension of pairs where these are put together again, or multiplied by a matrix,
// and only there: not where one is returned as it is. A slice of an argument is one of what is reshaped, too.

// CHECK-LABEL: func.func @every_other(
// CHECK-SAME:    %[[X:.*]]: tensor<4x12xf16>, %[[Y:.*]]: tensor<4x8xf16>)
// CHECK:         %[[WIDE:.*]] = mirage_kernel.reshape %[[Y]] : (tensor<4x8xf16>) -> tensor<4x8x1xf16>
// CHECK:         mirage_kernel.slice %[[WIDE]] dim 1 offset 1 size 6 : (tensor<4x8x1xf16>) -> tensor<4x6x1xf16>
// CHECK-COUNT-2: mirage_kernel.mul {{.*}} -> tensor<4x6x1xf16>
// CHECK-NEXT:    mirage_kernel.concat
func.func @every_other(%x: tensor<4x12xf16>, %y: tensor<4x8xf16>) -> tensor<4x12xf16> {
  %pairs = mirage_kernel.reshape %x : (tensor<4x12xf16>) -> tensor<4x6x2xf16>
  %s = mirage_kernel.slice %pairs dim 2 offset 0 size 1 : (tensor<4x6x2xf16>) -> tensor<4x6x1xf16>
  %t = mirage_kernel.slice %pairs dim 2 offset 1 size 1 : (tensor<4x6x2xf16>) -> tensor<4x6x1xf16>
  %a = mirage_kernel.reshape %s : (tensor<4x6x1xf16>) -> tensor<4x6xf16>
  %b = mirage_kernel.reshape %t : (tensor<4x6x1xf16>) -> tensor<4x6xf16>
  %z = mirage_kernel.slice %y dim 1 offset 1 size 6 : (tensor<4x8xf16>) -> tensor<4x6xf16>
  %c = mirage_kernel.mul %a, %z : (tensor<4x6xf16>, tensor<4x6xf16>) -> tensor<4x6xf16>
  %d = mirage_kernel.mul %b, %z : (tensor<4x6xf16>, tensor<4x6xf16>) -> tensor<4x6xf16>
  %e = mirage_kernel.reshape %c : (tensor<4x6xf16>) -> tensor<4x6x1xf16>
  %f = mirage_kernel.reshape %d : (tensor<4x6xf16>) -> tensor<4x6x1xf16>
  %g = mirage_kernel.concat %e, %f dim 2 : (tensor<4x6x1xf16>, tensor<4x6x1xf16>) -> tensor<4x6x2xf16>
  %r = mirage_kernel.reshape %g : (tensor<4x6x2xf16>) -> tensor<4x12xf16>
  return %r : tensor<4x12xf16>
}

// CHECK-LABEL: func.func @every_other_returned(
// CHECK:         %[[C:.*]] = mirage_kernel.mul {{.*}} -> tensor<4x6xf16>
// CHECK:         mirage_kernel.concat
// CHECK:         return {{.*}}, %[[C]]
func.func @every_other_returned(%x: tensor<4x12xf16>, %y: tensor<6xf16>) -> (tensor<4x6x2xf16>, tensor<4x6xf16>) {
  %pairs = mirage_kernel.reshape %x : (tensor<4x12xf16>) -> tensor<4x6x2xf16>
  %s = mirage_kernel.slice %pairs dim 2 offset 1 size 1 : (tensor<4x6x2xf16>) -> tensor<4x6x1xf16>
  %a = mirage_kernel.reshape %s : (tensor<4x6x1xf16>) -> tensor<4x6xf16>
  %c = mirage_kernel.mul %a, %y : (tensor<4x6xf16>, tensor<6xf16>) -> tensor<4x6xf16>
  %e = mirage_kernel.reshape %c : (tensor<4x6xf16>) -> tensor<4x6x1xf16>
  %g = mirage_kernel.concat %e, %s dim 2 : (tensor<4x6x1xf16>, tensor<4x6x1xf16>) -> tensor<4x6x2xf16>
  return %g, %c : tensor<4x6x2xf16>, tensor<4x6xf16>
}

// CHECK-LABEL: func.func @every_other_multiplied(
// CHECK:         %[[C:.*]] = mirage_kernel.mul {{.*}} -> tensor<4x6x1xf16>
// CHECK-DAG:     %[[N:.*]] = mirage_kernel.reshape %[[C]] : (tensor<4x6x1xf16>) -> tensor<4x6xf16>
// CHECK-DAG:     mirage_kernel.matmul %[[N]]
// CHECK-DAG:     mirage_kernel.concat %[[C]]
func.func @every_other_multiplied(%x: tensor<4x12xf16>, %y: tensor<6xf16>, %w: tensor<6x6xf16>) -> (tensor<4x6x2xf16>, tensor<4x6xf16>) {
  %pairs = mirage_kernel.reshape %x : (tensor<4x12xf16>) -> tensor<4x6x2xf16>
  %s = mirage_kernel.slice %pairs dim 2 offset 1 size 1 : (tensor<4x6x2xf16>) -> tensor<4x6x1xf16>
  %a = mirage_kernel.reshape %s : (tensor<4x6x1xf16>) -> tensor<4x6xf16>
  %c = mirage_kernel.mul %a, %y : (tensor<4x6xf16>, tensor<6xf16>) -> tensor<4x6xf16>
  %e = mirage_kernel.reshape %c : (tensor<4x6xf16>) -> tensor<4x6x1xf16>
  %g = mirage_kernel.concat %e, %s dim 2 : (tensor<4x6x1xf16>, tensor<4x6x1xf16>) -> tensor<4x6x2xf16>
  %p = mirage_kernel.matmul %c, %w : (tensor<4x6xf16>, tensor<6x6xf16>) -> tensor<4x6xf16>
  return %g, %p : tensor<4x6x2xf16>, tensor<4x6xf16>
}

// A product that sums over pairs in both operands sums over what is even and over what is odd: nothing puts queries and keys together
// again whose pairs were rotated. Of positions in front of heads they are transposed first. Dimensions of size 1 in front are dropped, so that
// queries and keys have what rotates them in one shape.

// CHECK-LABEL: func.func @rotated_pairs(
// CHECK-NOT:     mirage_kernel.concat{{ }}
// CHECK:         mirage_kernel.slice {{.*}} -> tensor<3x4x3x1xf16>
// CHECK:         mirage_kernel.reshape {{.*}} : (tensor<1x1x1x3xf16>) -> tensor<3x1xf16>
// CHECK-COUNT-4: mirage_kernel.mul {{.*}} -> tensor<3x4x3x1xf16>
// CHECK:         %[[P:.*]] = mirage_kernel.concat_matmul {{.*}} : (tensor<4x3x3xf16>, tensor<4x3x3xf16>, tensor<4x3x5xf16>, tensor<4x3x5xf16>) -> tensor<4x3x5xf16>
func.func @rotated_pairs(%q: tensor<1x3x4x6xf16>, %k: tensor<1x5x4x6xf16>, %cos: tensor<1x1x1x3xf16>, %sin: tensor<1x1x1x3xf16>) -> tensor<4x3x5xf16> {
  %qp = mirage_kernel.reshape %q : (tensor<1x3x4x6xf16>) -> tensor<1x3x4x3x2xf16>
  %c = mirage_kernel.reshape %cos : (tensor<1x1x1x3xf16>) -> tensor<1x1x1x3x1xf16>
  %s = mirage_kernel.reshape %sin : (tensor<1x1x1x3xf16>) -> tensor<1x1x1x3x1xf16>
  %q0 = mirage_kernel.slice %qp dim 4 offset 0 size 1 : (tensor<1x3x4x3x2xf16>) -> tensor<1x3x4x3x1xf16>
  %q1 = mirage_kernel.slice %qp dim 4 offset 1 size 1 : (tensor<1x3x4x3x2xf16>) -> tensor<1x3x4x3x1xf16>
  %q0c = mirage_kernel.mul %q0, %c : (tensor<1x3x4x3x1xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x3x4x3x1xf16>
  %q1s = mirage_kernel.mul %q1, %s : (tensor<1x3x4x3x1xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x3x4x3x1xf16>
  %qa = mirage_kernel.sub %q0c, %q1s : (tensor<1x3x4x3x1xf16>, tensor<1x3x4x3x1xf16>) -> tensor<1x3x4x3x1xf16>
  %q0s = mirage_kernel.mul %q0, %s : (tensor<1x3x4x3x1xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x3x4x3x1xf16>
  %q1c = mirage_kernel.mul %q1, %c : (tensor<1x3x4x3x1xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x3x4x3x1xf16>
  %qb = mirage_kernel.add %q0s, %q1c : (tensor<1x3x4x3x1xf16>, tensor<1x3x4x3x1xf16>) -> tensor<1x3x4x3x1xf16>
  %qr = mirage_kernel.concat %qa, %qb dim 4 : (tensor<1x3x4x3x1xf16>, tensor<1x3x4x3x1xf16>) -> tensor<1x3x4x3x2xf16>
  %qh = mirage_kernel.reshape %qr : (tensor<1x3x4x3x2xf16>) -> tensor<3x4x6xf16>
  %qt = mirage_kernel.transpose %qh permutation [1, 0, 2] : (tensor<3x4x6xf16>) -> tensor<4x3x6xf16>
  %kp = mirage_kernel.reshape %k : (tensor<1x5x4x6xf16>) -> tensor<1x5x4x3x2xf16>
  %k0 = mirage_kernel.slice %kp dim 4 offset 0 size 1 : (tensor<1x5x4x3x2xf16>) -> tensor<1x5x4x3x1xf16>
  %k1 = mirage_kernel.slice %kp dim 4 offset 1 size 1 : (tensor<1x5x4x3x2xf16>) -> tensor<1x5x4x3x1xf16>
  %k0c = mirage_kernel.mul %k0, %c : (tensor<1x5x4x3x1xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x5x4x3x1xf16>
  %k1s = mirage_kernel.mul %k1, %s : (tensor<1x5x4x3x1xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x5x4x3x1xf16>
  %ka = mirage_kernel.sub %k0c, %k1s : (tensor<1x5x4x3x1xf16>, tensor<1x5x4x3x1xf16>) -> tensor<1x5x4x3x1xf16>
  %k0s = mirage_kernel.mul %k0, %s : (tensor<1x5x4x3x1xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x5x4x3x1xf16>
  %k1c = mirage_kernel.mul %k1, %c : (tensor<1x5x4x3x1xf16>, tensor<1x1x1x3x1xf16>) -> tensor<1x5x4x3x1xf16>
  %kb = mirage_kernel.add %k0s, %k1c : (tensor<1x5x4x3x1xf16>, tensor<1x5x4x3x1xf16>) -> tensor<1x5x4x3x1xf16>
  %kr = mirage_kernel.concat %ka, %kb dim 4 : (tensor<1x5x4x3x1xf16>, tensor<1x5x4x3x1xf16>) -> tensor<1x5x4x3x2xf16>
  %kh = mirage_kernel.reshape %kr : (tensor<1x5x4x3x2xf16>) -> tensor<5x4x6xf16>
  %kt = mirage_kernel.transpose %kh permutation [1, 2, 0] : (tensor<5x4x6xf16>) -> tensor<4x6x5xf16>
  %p = mirage_kernel.matmul %qt, %kt : (tensor<4x3x6xf16>, tensor<4x6x5xf16>) -> tensor<4x3x5xf16>
  return %p : tensor<4x3x5xf16>
}

// Parts of which more than one come one after the other, as well; but not where one side has one, and the other two.

// CHECK-LABEL: func.func @turns(
// CHECK-SAME:    %[[A:.*]]: tensor<4x3x1xf16>, %[[B:.*]]: tensor<4x3x2xf16>, %[[C:.*]]: tensor<3x1x5xf16>, %[[D:.*]]: tensor<3x2x5xf16>)
// CHECK-DAG:     %[[AR:.*]] = mirage_kernel.reshape %[[A]] : (tensor<4x3x1xf16>) -> tensor<4x3xf16>
// CHECK-DAG:     %[[BR:.*]] = mirage_kernel.reshape %[[B]] : (tensor<4x3x2xf16>) -> tensor<4x6xf16>
// CHECK-DAG:     %[[CR:.*]] = mirage_kernel.reshape %[[C]] : (tensor<3x1x5xf16>) -> tensor<3x5xf16>
// CHECK-DAG:     %[[DR:.*]] = mirage_kernel.reshape %[[D]] : (tensor<3x2x5xf16>) -> tensor<6x5xf16>
// CHECK:         mirage_kernel.concat_matmul %[[AR]], %[[BR]], %[[CR]], %[[DR]]
func.func @turns(%a: tensor<4x3x1xf16>, %b: tensor<4x3x2xf16>, %c: tensor<3x1x5xf16>, %d: tensor<3x2x5xf16>) -> tensor<4x5xf16> {
  %l = mirage_kernel.concat %a, %b dim 2 : (tensor<4x3x1xf16>, tensor<4x3x2xf16>) -> tensor<4x3x3xf16>
  %r = mirage_kernel.concat %c, %d dim 1 : (tensor<3x1x5xf16>, tensor<3x2x5xf16>) -> tensor<3x3x5xf16>
  %lr = mirage_kernel.reshape %l : (tensor<4x3x3xf16>) -> tensor<4x9xf16>
  %rr = mirage_kernel.reshape %r : (tensor<3x3x5xf16>) -> tensor<9x5xf16>
  %p = mirage_kernel.matmul %lr, %rr : (tensor<4x9xf16>, tensor<9x5xf16>) -> tensor<4x5xf16>
  return %p : tensor<4x5xf16>
}

// CHECK-LABEL: func.func @other_turns(
// CHECK-NOT:     mirage_kernel.concat_matmul
func.func @other_turns(%a: tensor<4x3x1xf16>, %b: tensor<4x3x2xf16>, %c: tensor<3x1x5xf16>, %d: tensor<3x2x5xf16>) -> tensor<4x5xf16> {
  %l = mirage_kernel.concat %a, %b dim 2 : (tensor<4x3x1xf16>, tensor<4x3x2xf16>) -> tensor<4x3x3xf16>
  %r = mirage_kernel.concat %d, %c dim 1 : (tensor<3x2x5xf16>, tensor<3x1x5xf16>) -> tensor<3x3x5xf16>
  %lr = mirage_kernel.reshape %l : (tensor<4x3x3xf16>) -> tensor<4x9xf16>
  %rr = mirage_kernel.reshape %r : (tensor<3x3x5xf16>) -> tensor<9x5xf16>
  %p = mirage_kernel.matmul %lr, %rr : (tensor<4x9xf16>, tensor<9x5xf16>) -> tensor<4x5xf16>
  return %p : tensor<4x5xf16>
}

// What is rounded on the way to a product is rounded still.

// CHECK-LABEL: func.func @rounded_turns(
// CHECK-NOT:     mirage_kernel.concat_matmul
// CHECK:         return
func.func @rounded_turns(%a: tensor<4x3x1xf16>, %b: tensor<4x3x1xf16>, %c: tensor<5x3x1xf32>, %d: tensor<5x3x1xf32>) -> tensor<4x5xf16> {
  %l = mirage_kernel.concat %a, %b dim 2 : (tensor<4x3x1xf16>, tensor<4x3x1xf16>) -> tensor<4x3x2xf16>
  %r = mirage_kernel.concat %c, %d dim 2 : (tensor<5x3x1xf32>, tensor<5x3x1xf32>) -> tensor<5x3x2xf32>
  %lr = mirage_kernel.reshape %l : (tensor<4x3x2xf16>) -> tensor<4x6xf16>
  %rr = mirage_kernel.reshape %r : (tensor<5x3x2xf32>) -> tensor<5x6xf32>
  %t = mirage_kernel.transpose %rr permutation [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf16>
  %p = mirage_kernel.matmul %lr, %t : (tensor<4x6xf16>, tensor<6x5xf16>) -> tensor<4x5xf16>
  return %p : tensor<4x5xf16>
}

// CHECK-LABEL: func.func @rounded_pairs(
// CHECK:         %[[S:.*]] = mirage_kernel.slice {{.*}}xf32>) -> tensor<{{.*}}xf16>
// CHECK:         mirage_kernel.exp {{.*}} -> tensor<{{.*}}xf16>
func.func @rounded_pairs(%x: tensor<1x4x6x2xf32>, %w: tensor<6x5xf16>) -> tensor<4x5xf16> {
  %s = mirage_kernel.slice %x dim 3 offset 1 size 1 : (tensor<1x4x6x2xf32>) -> tensor<1x4x6x1xf16>
  %r = mirage_kernel.reshape %s : (tensor<1x4x6x1xf16>) -> tensor<4x6xf16>
  %e = mirage_kernel.exp %r : (tensor<4x6xf16>) -> tensor<4x6xf16>
  %p = mirage_kernel.matmul %e, %w : (tensor<4x6xf16>, tensor<6x5xf16>) -> tensor<4x5xf16>
  return %p : tensor<4x5xf16>
}

// A concatenation that rounds does so for who slices it, too.

// CHECK-LABEL: func.func @of_rounded_concat(
// CHECK:         %[[E:.*]] = mirage_kernel.exp {{.*}} -> tensor<4x8xf32>
// CHECK:         %[[C:.*]] = mirage_kernel.concat %[[E]], {{.*}} -> tensor<4x14xf16>
// CHECK:         %[[R:.*]] = mirage_kernel.cast %[[E]] : (tensor<4x8xf32>) -> tensor<4x8xf16>
// CHECK:         %[[L:.*]] = mirage_kernel.cast %[[R]] : (tensor<4x8xf16>) -> tensor<4x8xf32>
// CHECK:         return %[[C]], %[[L]]
func.func @of_rounded_concat(%x: tensor<4x8xf32>, %y: tensor<4x6xf32>) -> (tensor<4x14xf16>, tensor<4x8xf32>) {
  %a = mirage_kernel.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = mirage_kernel.concat %a, %y dim 1 : (tensor<4x8xf32>, tensor<4x6xf32>) -> tensor<4x14xf16>
  %l = mirage_kernel.slice %c dim 1 offset 0 size 8 : (tensor<4x14xf16>) -> tensor<4x8xf32>
  return %c, %l : tensor<4x14xf16>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @of_both_rounded(
// CHECK-DAG:     %[[A:.*]] = mirage_kernel.cast {{.*}} : (tensor<4x2xf32>) -> tensor<4x2xf16>
// CHECK-DAG:     %[[B:.*]] = mirage_kernel.cast {{.*}} : (tensor<4x3xf32>) -> tensor<4x3xf16>
// CHECK-DAG:     %[[WIDE_A:.*]] = mirage_kernel.cast %[[A]] : (tensor<4x2xf16>) -> tensor<4x2xf32>
// CHECK-DAG:     %[[WIDE_B:.*]] = mirage_kernel.cast %[[B]] : (tensor<4x3xf16>) -> tensor<4x3xf32>
// CHECK:         mirage_kernel.concat %[[WIDE_A]], %[[WIDE_B]]
func.func @of_both_rounded(%x: tensor<4x8xf32>, %y: tensor<4x6xf32>) -> tensor<4x5xf32> {
  %c = mirage_kernel.concat %x, %y dim 1 : (tensor<4x8xf32>, tensor<4x6xf32>) -> tensor<4x14xf16>
  %l = mirage_kernel.slice %c dim 1 offset 6 size 5 : (tensor<4x14xf16>) -> tensor<4x5xf32>
  return %l : tensor<4x5xf32>
}

// Heads that are split from columns: the columns of a head's group. Half of each head is no range of columns.

// CHECK-LABEL: func.func @heads(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>, %[[W:.*]]: tensor<8x24xf16>)
// CHECK-DAG:     %[[W1:.*]] = mirage_kernel.slice %[[W]] dim 1 offset 0 size 12
// CHECK-DAG:     %[[W2:.*]] = mirage_kernel.slice %[[W]] dim 1 offset 12 size 12
// CHECK-DAG:     mirage_kernel.matmul %[[X]], %[[W1]]
// CHECK-DAG:     mirage_kernel.matmul %[[X]], %[[W2]]
// CHECK:         return
func.func @heads(%x: tensor<4x8xf16>, %w: tensor<8x24xf16>) -> (tensor<4x2x6xf16>, tensor<4x2x6xf16>) {
  %0 = mirage_kernel.matmul %x, %w : (tensor<4x8xf16>, tensor<8x24xf16>) -> tensor<4x24xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<4x24xf16>) -> tensor<4x4x6xf16>
  %2 = mirage_kernel.slice %1 dim 1 offset 0 size 2 : (tensor<4x4x6xf16>) -> tensor<4x2x6xf16>
  %3 = mirage_kernel.slice %1 dim 1 offset 2 size 2 : (tensor<4x4x6xf16>) -> tensor<4x2x6xf16>
  %4 = mirage_kernel.exp %2 : (tensor<4x2x6xf16>) -> tensor<4x2x6xf16>
  return %3, %4 : tensor<4x2x6xf16>, tensor<4x2x6xf16>
}

// CHECK-LABEL: func.func @half_heads(
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.matmul
// CHECK-NEXT:    %[[HEADS:.*]] = mirage_kernel.reshape %[[P]]
// CHECK-NEXT:    %[[HALVES:.*]] = mirage_kernel.slice %[[HEADS]] dim 2 offset 3 size 3
// CHECK-NEXT:    return %[[HALVES]]
func.func @half_heads(%x: tensor<4x8xf16>, %w: tensor<8x24xf16>) -> tensor<4x4x3xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<4x8xf16>, tensor<8x24xf16>) -> tensor<4x24xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<4x24xf16>) -> tensor<4x4x6xf16>
  %2 = mirage_kernel.slice %1 dim 2 offset 3 size 3 : (tensor<4x4x6xf16>) -> tensor<4x4x3xf16>
  return %2 : tensor<4x4x3xf16>
}

// A slice of an argument is taken behind the reshape: only there it is a view.

// CHECK-LABEL: func.func @reshaped(
// CHECK-SAME:    %[[X:.*]]: tensor<4x24xf16>)
// CHECK-NEXT:    %[[HEADS:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x24xf16>) -> tensor<4x4x6xf16>
// CHECK-NEXT:    %[[LAST:.*]] = mirage_kernel.slice %[[HEADS]] dim 1 offset 2 size 2
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.sum %[[LAST]] dim 1
// CHECK-NEXT:    return %[[SUM]]
func.func @reshaped(%x: tensor<4x24xf16>) -> tensor<4x1x6xf16> {
  %0 = mirage_kernel.slice %x dim 1 offset 12 size 12 : (tensor<4x24xf16>) -> tensor<4x12xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<4x12xf16>) -> tensor<4x2x6xf16>
  %2 = mirage_kernel.sum %1 dim 1 : (tensor<4x2x6xf16>) -> tensor<4x1x6xf16>
  return %2 : tensor<4x1x6xf16>
}

// Operators on a concatenation are on its parts.

// CHECK-LABEL: func.func @on_concat(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>, %[[Y:.*]]: tensor<4x6xf16>, %[[Z:.*]]: tensor<14xf16>)
// CHECK-DAG:     %[[Z1:.*]] = mirage_kernel.slice %[[Z]] dim 0 offset 0 size 8
// CHECK-DAG:     %[[Z2:.*]] = mirage_kernel.slice %[[Z]] dim 0 offset 8 size 6
// CHECK-DAG:     %[[XZ:.*]] = mirage_kernel.mul %[[X]], %[[Z1]]
// CHECK-DAG:     %[[YZ:.*]] = mirage_kernel.mul %[[Y]], %[[Z2]]
// CHECK-DAG:     %[[XT:.*]] = mirage_kernel.transpose %[[XZ]]
// CHECK-DAG:     %[[YT:.*]] = mirage_kernel.transpose %[[YZ]]
// CHECK:         %[[R:.*]] = mirage_kernel.concat %[[XT]], %[[YT]] dim 0
// CHECK-NEXT:    return %[[R]]
func.func @on_concat(%x: tensor<4x8xf16>, %y: tensor<4x6xf16>, %z: tensor<14xf16>) -> tensor<14x4xf16> {
  %0 = mirage_kernel.concat %x, %y dim 1 : (tensor<4x8xf16>, tensor<4x6xf16>) -> tensor<4x14xf16>
  %1 = mirage_kernel.mul %0, %z : (tensor<4x14xf16>, tensor<14xf16>) -> tensor<4x14xf16>
  %2 = mirage_kernel.transpose %1 permutation [1, 0] : (tensor<4x14xf16>) -> tensor<14x4xf16>
  return %2 : tensor<14x4xf16>
}

// A rotary embedding and its product with keys, which sums over both halves.

// CHECK-LABEL: func.func @rotary(
// CHECK-SAME:    %[[Q:.*]]: tensor<4x8xf16>, %[[COS:.*]]: tensor<4x8xf16>, %[[SIN:.*]]: tensor<4x8xf16>, %[[K:.*]]: tensor<8x5xf16>)
// CHECK-NOT:     mirage_kernel.concat{{ }}
// CHECK-DAG:     %[[K1:.*]] = mirage_kernel.slice %[[K]] dim 0 offset 0 size 4
// CHECK-DAG:     %[[K2:.*]] = mirage_kernel.slice %[[K]] dim 0 offset 4 size 4
// CHECK:         %[[P:.*]] = mirage_kernel.concat_matmul %{{.*}}, %{{.*}}, %[[K1]], %[[K2]]
// CHECK-NEXT:    return %[[P]]
func.func @rotary(%q: tensor<4x8xf16>, %cos: tensor<4x8xf16>, %sin: tensor<4x8xf16>, %k: tensor<8x5xf16>) -> tensor<4x5xf16> {
  %a = mirage_kernel.slice %q dim 1 offset 0 size 4 : (tensor<4x8xf16>) -> tensor<4x4xf16>
  %b = mirage_kernel.slice %q dim 1 offset 4 size 4 : (tensor<4x8xf16>) -> tensor<4x4xf16>
  %n = mirage_kernel.neg %b : (tensor<4x4xf16>) -> tensor<4x4xf16>
  %h = mirage_kernel.concat %n, %a dim 1 : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x8xf16>
  %s = mirage_kernel.mul %h, %sin : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  %c = mirage_kernel.mul %q, %cos : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  %r = mirage_kernel.add %c, %s : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  %p = mirage_kernel.matmul %r, %k : (tensor<4x8xf16>, tensor<8x5xf16>) -> tensor<4x5xf16>
  return %p : tensor<4x5xf16>
}

// So is it where some of what reads the whole has it in another shape.

// CHECK-LABEL: func.func @reshaped_parts(
// CHECK-NOT:     mirage_kernel.concat{{ }}
// CHECK:         mirage_kernel.max
// CHECK:         mirage_kernel.add
// CHECK:         return
func.func @reshaped_parts(%a: tensor<4x6xf16>, %b: tensor<4x2xf16>) -> (tensor<4x1xf16>, tensor<1x4x1xf16>) {
  %x = mirage_kernel.exp %a : (tensor<4x6xf16>) -> tensor<4x6xf16>
  %y = mirage_kernel.exp %b : (tensor<4x2xf16>) -> tensor<4x2xf16>
  %c = mirage_kernel.concat %x, %y dim 1 : (tensor<4x6xf16>, tensor<4x2xf16>) -> tensor<4x8xf16>
  %m = mirage_kernel.reduce_max %c dim 1 : (tensor<4x8xf16>) -> tensor<4x1xf16>
  %r = mirage_kernel.reshape %c : (tensor<4x8xf16>) -> tensor<1x4x8xf16>
  %s = mirage_kernel.sum %r dim 2 : (tensor<1x4x8xf16>) -> tensor<1x4x1xf16>
  return %m, %s : tensor<4x1xf16>, tensor<1x4x1xf16>
}

// But not if it can't be read in parts there.

// CHECK-LABEL: func.func @reshaped_whole(
// CHECK:         mirage_kernel.concat{{ }}
// CHECK-NOT:     mirage_kernel.concat{{ }}
// CHECK:         return
func.func @reshaped_whole(%a: tensor<4x6xf16>, %b: tensor<4x2xf16>) -> (tensor<4x1xf16>, tensor<1x1xf16>) {
  %x = mirage_kernel.exp %a : (tensor<4x6xf16>) -> tensor<4x6xf16>
  %y = mirage_kernel.exp %b : (tensor<4x2xf16>) -> tensor<4x2xf16>
  %c = mirage_kernel.concat %x, %y dim 1 : (tensor<4x6xf16>, tensor<4x2xf16>) -> tensor<4x8xf16>
  %m = mirage_kernel.reduce_max %c dim 1 : (tensor<4x8xf16>) -> tensor<4x1xf16>
  %r = mirage_kernel.reshape %c : (tensor<4x8xf16>) -> tensor<1x32xf16>
  %t = mirage_kernel.reduce_max %r dim 1 : (tensor<1x32xf16>) -> tensor<1x1xf16>
  return %m, %t : tensor<4x1xf16>, tensor<1x1xf16>
}

// A prefix that sequences have in common, in front of their keys and values (positions in front of heads), isn't repeated for any of them; and
// what is computed isn't transposed, also where maxima have a dimension of size 1 less than what they are subtracted from.

// CHECK-LABEL: func.func @prefix(
// CHECK-NOT:     mirage_kernel.broadcast
// CHECK-NOT:     mirage_kernel.concat{{ }}
// CHECK:         mirage_kernel.exp {{.*}} -> tensor<2x3x4x5xf32>
// CHECK:         mirage_kernel.exp {{.*}} -> tensor<2x3x4x6xf32>
// CHECK:         mirage_kernel.concat_matmul {{.*}} : (tensor<2x3x4x5xf16>, tensor<2x3x4x6xf16>, tensor<1x3x5x8xf16>, tensor<2x3x6x8xf16>) -> tensor<2x3x4x8xf16>
func.func @prefix(%q: tensor<2x3x4x8xf16>, %k: tensor<2x6x3x8xf16>, %v: tensor<2x6x3x8xf16>, %pk: tensor<1x5x3x8xf16>, %pv: tensor<1x5x3x8xf16>) -> tensor<2x3x8x4xf16> {
  %kb = mirage_kernel.broadcast %pk : (tensor<1x5x3x8xf16>) -> tensor<2x5x3x8xf16>
  %vb = mirage_kernel.broadcast %pv : (tensor<1x5x3x8xf16>) -> tensor<2x5x3x8xf16>
  %kc = mirage_kernel.concat %kb, %k dim 1 : (tensor<2x5x3x8xf16>, tensor<2x6x3x8xf16>) -> tensor<2x11x3x8xf16>
  %vc = mirage_kernel.concat %vb, %v dim 1 : (tensor<2x5x3x8xf16>, tensor<2x6x3x8xf16>) -> tensor<2x11x3x8xf16>
  %kt = mirage_kernel.transpose %kc permutation [0, 2, 3, 1] : (tensor<2x11x3x8xf16>) -> tensor<2x3x8x11xf16>
  %s = mirage_kernel.matmul %q, %kt : (tensor<2x3x4x8xf16>, tensor<2x3x8x11xf16>) -> tensor<2x3x4x11xf32>
  %m = mirage_kernel.reduce_max %s dim 3 : (tensor<2x3x4x11xf32>) -> tensor<2x3x4x1xf32>
  %r = mirage_kernel.reshape %s : (tensor<2x3x4x11xf32>) -> tensor<1x2x3x4x11xf32>
  %d = mirage_kernel.sub %r, %m : (tensor<1x2x3x4x11xf32>, tensor<2x3x4x1xf32>) -> tensor<1x2x3x4x11xf32>
  %e = mirage_kernel.exp %d : (tensor<1x2x3x4x11xf32>) -> tensor<1x2x3x4x11xf32>
  %n = mirage_kernel.sum %e dim 4 : (tensor<1x2x3x4x11xf32>) -> tensor<1x2x3x4x1xf32>
  %w = mirage_kernel.div %e, %n : (tensor<1x2x3x4x11xf32>, tensor<1x2x3x4x1xf32>) -> tensor<1x2x3x4x11xf16>
  %wr = mirage_kernel.reshape %w : (tensor<1x2x3x4x11xf16>) -> tensor<2x3x4x11xf16>
  %wt = mirage_kernel.transpose %wr permutation [0, 1, 3, 2] : (tensor<2x3x4x11xf16>) -> tensor<2x3x11x4xf16>
  %vt = mirage_kernel.transpose %vc permutation [0, 2, 3, 1] : (tensor<2x11x3x8xf16>) -> tensor<2x3x8x11xf16>
  %p = mirage_kernel.matmul %vt, %wt : (tensor<2x3x8x11xf16>, tensor<2x3x11x4xf16>) -> tensor<2x3x8x4xf16>
  return %p : tensor<2x3x8x4xf16>
}

// Of a large product of what is concatenated with what is concatenated the rows stay together; of a small one all are apart.

// CHECK-LABEL: func.func @both_large(
// CHECK:         %[[Q:.*]] = mirage_kernel.concat %{{.*}}, %{{.*}} dim 0
// CHECK:         mirage_kernel.matmul %[[Q]]
// CHECK:         mirage_kernel.matmul %[[Q]]
// CHECK-NOT:     mirage_kernel.matmul
func.func @both_large(%a: tensor<8x4xf16>, %b: tensor<16x4xf16>, %c: tensor<8x4xf16>, %d: tensor<16x4xf16>) -> tensor<24x1xf16> {
  %q = mirage_kernel.concat %a, %b dim 0 : (tensor<8x4xf16>, tensor<16x4xf16>) -> tensor<24x4xf16>
  %k = mirage_kernel.concat %c, %d dim 0 : (tensor<8x4xf16>, tensor<16x4xf16>) -> tensor<24x4xf16>
  %t = mirage_kernel.transpose %k permutation [1, 0] : (tensor<24x4xf16>) -> tensor<4x24xf16>
  %s = mirage_kernel.matmul %q, %t : (tensor<24x4xf16>, tensor<4x24xf16>) -> tensor<24x24xf16>
  %m = mirage_kernel.reduce_max %s dim 1 : (tensor<24x24xf16>) -> tensor<24x1xf16>
  return %m : tensor<24x1xf16>
}

// CHECK-LABEL: func.func @both_small(
// CHECK-COUNT-4: mirage_kernel.matmul
func.func @both_small(%a: tensor<8x64xf16>, %b: tensor<16x64xf16>, %c: tensor<8x64xf16>, %d: tensor<16x64xf16>) -> tensor<24x1xf16> {
  %q = mirage_kernel.concat %a, %b dim 0 : (tensor<8x64xf16>, tensor<16x64xf16>) -> tensor<24x64xf16>
  %k = mirage_kernel.concat %c, %d dim 0 : (tensor<8x64xf16>, tensor<16x64xf16>) -> tensor<24x64xf16>
  %t = mirage_kernel.transpose %k permutation [1, 0] : (tensor<24x64xf16>) -> tensor<64x24xf16>
  %s = mirage_kernel.matmul %q, %t : (tensor<24x64xf16>, tensor<64x24xf16>) -> tensor<24x24xf16>
  %m = mirage_kernel.reduce_max %s dim 1 : (tensor<24x24xf16>) -> tensor<24x1xf16>
  return %m : tensor<24x1xf16>
}

// Attention to the keys of a cache and to new ones: nothing puts them together.

// CHECK-LABEL: func.func @cache(
// CHECK-SAME:    %[[Q:.*]]: tensor<4x8xf16>, %[[K:.*]]: tensor<8x30xf16>, %[[NEW:.*]]: tensor<8x2xf16>, %[[V:.*]]: tensor<30x8xf16>, %[[NEWV:.*]]: tensor<2x8xf16>)
// CHECK-DAG:     %[[S1:.*]] = mirage_kernel.matmul %[[Q]], %[[K]]
// CHECK-DAG:     %[[S2:.*]] = mirage_kernel.matmul %[[Q]], %[[NEW]]
// CHECK-DAG:     %[[M1:.*]] = mirage_kernel.reduce_max %[[S1]] dim 1 : {{.*}} -> tensor<4x1xf32>
// CHECK-DAG:     %[[M2:.*]] = mirage_kernel.reduce_max %[[S2]] dim 1 : {{.*}} -> tensor<4x1xf32>
// CHECK-DAG:     %[[M:.*]] = mirage_kernel.max %[[M1]], %[[M2]]
// CHECK-DAG:     %[[D1:.*]] = mirage_kernel.sub %[[S1]], %[[M]]
// CHECK-DAG:     %[[D2:.*]] = mirage_kernel.sub %[[S2]], %[[M]]
// CHECK-DAG:     %[[E1:.*]] = mirage_kernel.exp %[[D1]]
// CHECK-DAG:     %[[E2:.*]] = mirage_kernel.exp %[[D2]]
// CHECK-DAG:     %[[Z1:.*]] = mirage_kernel.sum %[[E1]] dim 1 : {{.*}} -> tensor<4x1xf32>
// CHECK-DAG:     %[[Z2:.*]] = mirage_kernel.sum %[[E2]] dim 1 : {{.*}} -> tensor<4x1xf32>
// CHECK-DAG:     %[[Z:.*]] = mirage_kernel.add %[[Z1]], %[[Z2]] : {{.*}} -> tensor<4x1xf16>
// CHECK-DAG:     %[[O:.*]] = mirage_kernel.concat_matmul %[[E1]], %[[E2]], %[[V]], %[[NEWV]]
// CHECK-NOT:     mirage_kernel.concat{{ }}
// CHECK:         %[[R:.*]] = mirage_kernel.div %[[O]], %[[Z]]
// CHECK-NEXT:    return %[[R]]
func.func @cache(%q: tensor<4x8xf16>, %k: tensor<8x30xf16>, %new: tensor<8x2xf16>, %v: tensor<30x8xf16>, %newv: tensor<2x8xf16>) -> tensor<4x8xf16> {
  %keys = mirage_kernel.concat %k, %new dim 1 : (tensor<8x30xf16>, tensor<8x2xf16>) -> tensor<8x32xf16>
  %values = mirage_kernel.concat %v, %newv dim 0 : (tensor<30x8xf16>, tensor<2x8xf16>) -> tensor<32x8xf16>
  %s = mirage_kernel.matmul %q, %keys : (tensor<4x8xf16>, tensor<8x32xf16>) -> tensor<4x32xf16>
  %m = mirage_kernel.reduce_max %s dim 1 : (tensor<4x32xf16>) -> tensor<4x1xf16>
  %d = mirage_kernel.sub %s, %m : (tensor<4x32xf16>, tensor<4x1xf16>) -> tensor<4x32xf16>
  %e = mirage_kernel.exp %d : (tensor<4x32xf16>) -> tensor<4x32xf16>
  %z = mirage_kernel.sum %e dim 1 : (tensor<4x32xf16>) -> tensor<4x1xf16>
  %o = mirage_kernel.matmul %e, %values : (tensor<4x32xf16>, tensor<32x8xf16>) -> tensor<4x8xf16>
  %r = mirage_kernel.div %o, %z : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// What is concatenated is rounded before it is reduced.

// CHECK-LABEL: func.func @rounded_parts(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x6xf16>)
// CHECK-DAG:     %[[C:.*]] = mirage_kernel.cast %[[X]] : (tensor<4x8xf32>) -> tensor<4x8xf16>
// CHECK-DAG:     %[[S1:.*]] = mirage_kernel.sum %[[C]] dim 1
// CHECK-DAG:     %[[S2:.*]] = mirage_kernel.sum %[[Y]] dim 1
// CHECK:         %[[R:.*]] = mirage_kernel.add %[[S1]], %[[S2]] : {{.*}} -> tensor<4x1xf16>
// CHECK-NEXT:    return %[[R]]
func.func @rounded_parts(%x: tensor<4x8xf32>, %y: tensor<4x6xf16>) -> tensor<4x1xf16> {
  %0 = mirage_kernel.concat %x, %y dim 1 : (tensor<4x8xf32>, tensor<4x6xf16>) -> tensor<4x14xf16>
  %1 = mirage_kernel.sum %0 dim 1 : (tensor<4x14xf16>) -> tensor<4x1xf16>
  return %1 : tensor<4x1xf16>
}

// What is returned is put together all the same; and a small operand is, rather than that the large one is read twice.

// CHECK-LABEL: func.func @put_together(
// CHECK-SAME:    %[[X:.*]]: tensor<2x8xf16>, %[[Y:.*]]: tensor<2x8xf16>, %[[W:.*]]: tensor<8x64xf16>)
// CHECK-DAG:     %[[ROWS:.*]] = mirage_kernel.concat %[[X]], %[[Y]] dim 0
// CHECK-DAG:     %[[P:.*]] = mirage_kernel.matmul %[[ROWS]], %[[W]]
// CHECK-DAG:     %[[BOTH:.*]] = mirage_kernel.concat %[[X]], %[[Y]] dim 1
// CHECK-DAG:     %[[E:.*]] = mirage_kernel.exp %[[BOTH]]
// CHECK:         return %[[P]], %[[BOTH]], %[[E]]
func.func @put_together(%x: tensor<2x8xf16>, %y: tensor<2x8xf16>, %w: tensor<8x64xf16>) -> (tensor<4x64xf16>, tensor<2x16xf16>, tensor<2x16xf16>) {
  %0 = mirage_kernel.concat %x, %y dim 0 : (tensor<2x8xf16>, tensor<2x8xf16>) -> tensor<4x8xf16>
  %1 = mirage_kernel.matmul %0, %w : (tensor<4x8xf16>, tensor<8x64xf16>) -> tensor<4x64xf16>
  %2 = mirage_kernel.concat %x, %y dim 1 : (tensor<2x8xf16>, tensor<2x8xf16>) -> tensor<2x16xf16>
  %3 = mirage_kernel.exp %2 : (tensor<2x16xf16>) -> tensor<2x16xf16>
  return %1, %2, %3 : tensor<4x64xf16>, tensor<2x16xf16>, tensor<2x16xf16>
}

// Strides that don't divide the dimension: of a range that they do.

// CHECK-LABEL: func.func @other_strides(
// CHECK-SAME:    %[[X:.*]]: tensor<2x7xf16>)
// CHECK-DAG:     %[[SIX:.*]] = mirage_kernel.slice %[[X]] dim 1 offset 1 size 6
// CHECK-DAG:     %[[PAIRS:.*]] = mirage_kernel.reshape %[[SIX]] : {{.*}} -> tensor<2x3x2xf16>
// CHECK-DAG:     %[[FIRST:.*]] = mirage_kernel.slice %[[PAIRS]] dim 2 offset 0 size 1
// CHECK-DAG:     %[[SECOND:.*]] = mirage_kernel.slice %[[PAIRS]] dim 2 offset 1 size 1
// CHECK:         return
func.func @other_strides(%x: tensor<2x7xf16>) -> (tensor<2x3xf16>, tensor<2x3xf16>) {
  %0 = tensor.extract_slice %x[0, 1] [2, 3] [1, 2] : tensor<2x7xf16> to tensor<2x3xf16>
  %1 = tensor.extract_slice %x[0, 2] [2, 3] [1, 2] : tensor<2x7xf16> to tensor<2x3xf16>
  return %0, %1 : tensor<2x3xf16>, tensor<2x3xf16>
}

// Slices that are put into a tensor: one behind the other, in turns, in a row of another tensor, in a box.

// CHECK-LABEL: func.func @put(
// CHECK-SAME:    %[[X:.*]]: tensor<4x6xf16>, %[[Y:.*]]: tensor<4x3xf16>, %[[Z:.*]]: tensor<4x3xf16>, %[[W:.*]]: tensor<1x6xf16>, %[[B:.*]]: tensor<2x2xf16>)
// CHECK-DAG:     %[[YS:.*]] = mirage_kernel.reshape %[[Y]] : {{.*}} -> tensor<4x3x1xf16>
// CHECK-DAG:     %[[ZS:.*]] = mirage_kernel.reshape %[[Z]] : {{.*}} -> tensor<4x3x1xf16>
// CHECK-DAG:     %[[TURNS:.*]] = mirage_kernel.concat %[[YS]], %[[ZS]] dim 2
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.reshape %[[TURNS]] : {{.*}} -> tensor<4x6xf16>
// CHECK-DAG:     %[[ABOVE:.*]] = mirage_kernel.slice %[[X]] dim 0 offset 0 size 2
// CHECK-DAG:     %[[BELOW:.*]] = mirage_kernel.slice %[[X]] dim 0 offset 3 size 1
// CHECK-DAG:     %[[UP:.*]] = mirage_kernel.concat %[[ABOVE]], %[[W]] dim 0
// CHECK-DAG:     %[[ROW:.*]] = mirage_kernel.concat %[[UP]], %[[BELOW]] dim 0
// CHECK:         return %[[R]], %[[ROW]],
func.func @put(%x: tensor<4x6xf16>, %y: tensor<4x3xf16>, %z: tensor<4x3xf16>, %w: tensor<1x6xf16>, %b: tensor<2x2xf16>) -> (tensor<4x6xf16>, tensor<4x6xf16>, tensor<4x6xf16>) {
  %e = tensor.empty() : tensor<4x6xf16>
  %0 = tensor.insert_slice %z into %e[0, 1] [4, 3] [1, 2] : tensor<4x3xf16> into tensor<4x6xf16>
  %1 = tensor.insert_slice %y into %0[0, 0] [4, 3] [1, 2] : tensor<4x3xf16> into tensor<4x6xf16>
  %2 = tensor.insert_slice %w into %x[2, 0] [1, 6] [1, 1] : tensor<1x6xf16> into tensor<4x6xf16>
  %3 = tensor.insert_slice %b into %x[1, 3] [2, 2] [1, 1] : tensor<2x2xf16> into tensor<4x6xf16>
  %4 = tensor.insert_slice %w into %3[0, 0] [1, 6] [1, 1] : tensor<1x6xf16> into tensor<4x6xf16>
  return %1, %2, %4 : tensor<4x6xf16>, tensor<4x6xf16>, tensor<4x6xf16>
}

// A cache that is returned with what is new is there when attention reads it: its weights are not taken apart.

// CHECK-LABEL: func.func @returned_cache(
// CHECK-NEXT:    %[[C:.*]] = mirage_kernel.concat %{{.*}}, %{{.*}} dim 1
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.exp %{{.*}} : (tensor<4x2x16xf16>) -> tensor<4x2x16xf16>
// CHECK-NEXT:    %[[Y:.*]] = mirage_kernel.matmul %[[P]], %[[C]] : (tensor<4x2x16xf16>, tensor<4x16x8xf16>) -> tensor<4x2x8xf16>
// CHECK-NEXT:    return %[[Y]], %[[C]]
func.func @returned_cache(%s: tensor<4x2x16xf16>, %v: tensor<4x15x8xf16>, %new: tensor<4x1x8xf16>) -> (tensor<4x2x8xf16>, tensor<4x16x8xf16>) {
  %c = mirage_kernel.concat %v, %new dim 1 : (tensor<4x15x8xf16>, tensor<4x1x8xf16>) -> tensor<4x16x8xf16>
  %p = mirage_kernel.exp %s : (tensor<4x2x16xf16>) -> tensor<4x2x16xf16>
  %y = mirage_kernel.matmul %p, %c : (tensor<4x2x16xf16>, tensor<4x16x8xf16>) -> tensor<4x2x8xf16>
  return %y, %c : tensor<4x2x8xf16>, tensor<4x16x8xf16>
}

// Where both are concatenations neither is.

// CHECK-LABEL: func.func @returned_both(
// CHECK:         mirage_kernel.concat_matmul
func.func @returned_both(%a: tensor<4x15xf16>, %b: tensor<4x1xf16>, %v: tensor<15x8xf16>, %new: tensor<1x8xf16>) -> (tensor<4x8xf16>, tensor<16x8xf16>) {
  %c = mirage_kernel.concat %v, %new dim 0 : (tensor<15x8xf16>, tensor<1x8xf16>) -> tensor<16x8xf16>
  %p = mirage_kernel.concat %a, %b dim 1 : (tensor<4x15xf16>, tensor<4x1xf16>) -> tensor<4x16xf16>
  %y = mirage_kernel.matmul %p, %c : (tensor<4x16xf16>, tensor<16x8xf16>) -> tensor<4x8xf16>
  return %y, %c : tensor<4x8xf16>, tensor<16x8xf16>
}

// Keys of a cache and new ones, which groups of heads share: the parts are read behind the reshape in front of the product, too.

// CHECK-LABEL: func.func @grouped_cache(
// CHECK-SAME:    %[[Q:.*]]: tensor<6x3x8xf16>, %[[K:.*]]: tensor<2x8x30xf16>, %[[NEW:.*]]: tensor<2x8x2xf16>)
// CHECK-DAG:     %[[GROUPS:.*]] = mirage_kernel.reshape %[[Q]] : {{.*}} -> tensor<2x[[N:.*]]x[[M:.*]]x8xf16>
// CHECK-DAG:     %[[OLD:.*]] = mirage_kernel.matmul %{{.*}}, %{{.*}} : {{.*}} -> tensor<2x[[N]]x[[M]]x30xf16>
// CHECK-DAG:     %[[OTHERS:.*]] = mirage_kernel.matmul %{{.*}}, %{{.*}} : {{.*}} -> tensor<2x[[N]]x[[M]]x2xf16>
// CHECK-DAG:     %[[MAX:.*]] = mirage_kernel.reduce_max %[[OLD]]
// CHECK-DAG:     %[[OTHER:.*]] = mirage_kernel.reduce_max %[[OTHERS]]
// CHECK:         mirage_kernel.max %[[MAX]], %[[OTHER]]
// CHECK-NOT:     mirage_kernel.concat
func.func @grouped_cache(%q: tensor<6x3x8xf16>, %k: tensor<2x8x30xf16>, %new: tensor<2x8x2xf16>) -> tensor<6x3x1xf16> {
  %0 = tensor.concat dim(2) %k, %new : (tensor<2x8x30xf16>, tensor<2x8x2xf16>) -> tensor<2x8x32xf16>
  %1 = tensor.empty() : tensor<2x3x8x32xf16>
  %2 = linalg.broadcast ins(%0 : tensor<2x8x32xf16>) outs(%1 : tensor<2x3x8x32xf16>) dimensions = [1]
  %3 = tensor.collapse_shape %2 [[0, 1], [2], [3]] : tensor<2x3x8x32xf16> into tensor<6x8x32xf16>
  %zero = arith.constant 0.0 : f16
  %4 = tensor.empty() : tensor<6x3x32xf16>
  %5 = linalg.fill ins(%zero : f16) outs(%4 : tensor<6x3x32xf16>) -> tensor<6x3x32xf16>
  %6 = linalg.batch_matmul ins(%q, %3 : tensor<6x3x8xf16>, tensor<6x8x32xf16>) outs(%5 : tensor<6x3x32xf16>) -> tensor<6x3x32xf16>
  %least = arith.constant 0xFC00 : f16
  %7 = tensor.empty() : tensor<6x3xf16>
  %8 = linalg.fill ins(%least : f16) outs(%7 : tensor<6x3xf16>) -> tensor<6x3xf16>
  %9 = linalg.reduce { arith.maximumf } ins(%6 : tensor<6x3x32xf16>) outs(%8 : tensor<6x3xf16>) dimensions = [2]
  %10 = tensor.expand_shape %9 [[0], [1, 2]] output_shape [6, 3, 1] : tensor<6x3xf16> into tensor<6x3x1xf16>
  return %10 : tensor<6x3x1xf16>
}

// So are those of a product of halves, such as rotated queries.

// CHECK-LABEL: func.func @rotated_cache(
// CHECK-DAG:     %[[OLD:.*]] = mirage_kernel.concat_matmul {{.*}} -> tensor<4x30xf16>
// CHECK-DAG:     %[[OTHERS:.*]] = mirage_kernel.concat_matmul {{.*}} -> tensor<4x2xf16>
// CHECK-DAG:     %[[MAX:.*]] = mirage_kernel.reduce_max %[[OLD]]
// CHECK-DAG:     %[[OTHER:.*]] = mirage_kernel.reduce_max %[[OTHERS]]
// CHECK:         mirage_kernel.max %[[MAX]], %[[OTHER]]
// CHECK-NOT:     mirage_kernel.concat
func.func @rotated_cache(%q0: tensor<4x4xf16>, %q1: tensor<4x4xf16>, %k: tensor<8x30xf16>, %new: tensor<8x2xf16>) -> tensor<4x1xf16> {
  %0 = tensor.concat dim(1) %q0, %q1 : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x8xf16>
  %1 = tensor.concat dim(1) %k, %new : (tensor<8x30xf16>, tensor<8x2xf16>) -> tensor<8x32xf16>
  %zero = arith.constant 0.0 : f16
  %2 = tensor.empty() : tensor<4x32xf16>
  %3 = linalg.fill ins(%zero : f16) outs(%2 : tensor<4x32xf16>) -> tensor<4x32xf16>
  %4 = linalg.matmul ins(%0, %1 : tensor<4x8xf16>, tensor<8x32xf16>) outs(%3 : tensor<4x32xf16>) -> tensor<4x32xf16>
  %least = arith.constant 0xFC00 : f16
  %5 = tensor.empty() : tensor<4xf16>
  %6 = linalg.fill ins(%least : f16) outs(%5 : tensor<4xf16>) -> tensor<4xf16>
  %7 = linalg.reduce { arith.maximumf } ins(%4 : tensor<4x32xf16>) outs(%6 : tensor<4xf16>) dimensions = [1]
  %8 = tensor.expand_shape %7 [[0, 1]] output_shape [4, 1] : tensor<4xf16> into tensor<4x1xf16>
  return %8 : tensor<4x1xf16>
}

// A column of scores that is the same for all rows is no padding: the maximum is that of the scores and of the column.

// CHECK-LABEL: func.func @sink_column(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[SINK:.*]]: tensor<1x1xf32>)
// CHECK-NEXT:    %[[ROW:.*]] = mirage_kernel.reduce_max %[[X]] dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
// CHECK-NEXT:    %[[MAX:.*]] = mirage_kernel.max %[[ROW]], %[[SINK]] : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
// CHECK-NEXT:    return %[[MAX]]
func.func @sink_column(%x: tensor<4x8xf32>, %sink: tensor<1x1xf32>) -> tensor<4x1xf32> {
  %0 = mirage_kernel.broadcast %sink : (tensor<1x1xf32>) -> tensor<4x1xf32>
  %1 = mirage_kernel.concat %x, %0 dim 1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x9xf32>
  %2 = mirage_kernel.reduce_max %1 dim 1 : (tensor<4x9xf32>) -> tensor<4x1xf32>
  return %2 : tensor<4x1xf32>
}

// One of zeros is.

// CHECK-LABEL: func.func @padded_column(
// CHECK:         %[[ALL:.*]] = mirage_kernel.concat
// CHECK-NEXT:    mirage_kernel.reduce_max %[[ALL]] dim 1 : (tensor<4x9xf32>) -> tensor<4x1xf32>
func.func @padded_column(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %zero = mirage.constant 0.0 : tensor<f32>
  %0 = mirage_kernel.broadcast %zero : (tensor<f32>) -> tensor<4x1xf32>
  %1 = mirage_kernel.concat %x, %0 dim 1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x9xf32>
  %2 = mirage_kernel.reduce_max %1 dim 1 : (tensor<4x9xf32>) -> tensor<4x1xf32>
  return %2 : tensor<4x1xf32>
}

// Nor is the token of a class a column: what repeats it is in front of rows, which stay together for their products.

// CHECK-LABEL: func.func @class_token(
// CHECK:         %[[ALL:.*]] = mirage_kernel.concat
// CHECK:         mirage_kernel.matmul %{{.*}} -> tensor<2x5x6xf16>
// CHECK-NOT:     mirage_kernel.matmul
// CHECK:         return
func.func @class_token(%x: tensor<2x4x8xf16>, %token: tensor<1x1x8xf16>, %w: tensor<1x8x6xf16>) -> tensor<2x5x6xf16> {
  %0 = mirage_kernel.broadcast %token : (tensor<1x1x8xf16>) -> tensor<2x1x8xf16>
  %1 = mirage_kernel.concat %0, %x dim 1 : (tensor<2x1x8xf16>, tensor<2x4x8xf16>) -> tensor<2x5x8xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<2x5x8xf16>, tensor<1x8x6xf16>) -> tensor<2x5x6xf16>
  return %2 : tensor<2x5x6xf16>
}

// One of several along a dimension in the middle, as unbind takes it: a part of a reshape, whatever reads it.

// CHECK-LABEL: func.func @unbound(
// CHECK-SAME:    %[[X:.*]]: tensor<4x3x8xf16>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x3x8xf16>) -> tensor<4x24xf16>
// CHECK-DAG:     mirage_kernel.slice %[[R]] dim 1 offset 8 size 8 : (tensor<4x24xf16>) -> tensor<4x8xf16>
// CHECK-DAG:     mirage_kernel.slice %[[R]] dim 1 offset 16 size 8 : (tensor<4x24xf16>) -> tensor<4x8xf16>
// CHECK-NOT:     reshape
// CHECK:         return
func.func @unbound(%x: tensor<4x3x8xf16>) -> tensor<4x8xf16> {
  %0 = mirage_kernel.slice %x dim 1 offset 1 size 1 : (tensor<4x3x8xf16>) -> tensor<4x1x8xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<4x1x8xf16>) -> tensor<4x8xf16>
  %2 = mirage_kernel.slice %x dim 1 offset 2 size 1 : (tensor<4x3x8xf16>) -> tensor<4x1x8xf16>
  %3 = mirage_kernel.reshape %2 : (tensor<4x1x8xf16>) -> tensor<4x8xf16>
  %4 = mirage_kernel.silu %1 : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %5 = mirage_kernel.mul %4, %3 : (tensor<4x8xf32>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return %5 : tensor<4x8xf16>
}

// Along the last dimension, as the sides of boxes, they are no part of a reshape: what is computed keeps the dimension.

// CHECK-LABEL: func.func @sides(
// CHECK-SAME:    %[[X:.*]]: tensor<6x4xf32>)
// CHECK-COUNT-2: mirage_kernel.slice %[[X]] dim 1
// CHECK:         mirage_kernel.exp %{{.*}} : (tensor<6x1xf32>) -> tensor<6x1xf32>
// CHECK:         mirage_kernel.sub %{{.*}} : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
// CHECK-NEXT:    mirage_kernel.reshape %{{.*}} : (tensor<6x1xf32>) -> tensor<6xf32>
// CHECK-NEXT:    return
func.func @sides(%x: tensor<6x4xf32>) -> tensor<6xf32> {
  %0 = mirage_kernel.slice %x dim 1 offset 0 size 1 : (tensor<6x4xf32>) -> tensor<6x1xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<6x1xf32>) -> tensor<6xf32>
  %2 = mirage_kernel.slice %x dim 1 offset 2 size 1 : (tensor<6x4xf32>) -> tensor<6x1xf32>
  %3 = mirage_kernel.reshape %2 : (tensor<6x1xf32>) -> tensor<6xf32>
  %4 = mirage_kernel.exp %3 : (tensor<6xf32>) -> tensor<6xf32>
  %5 = mirage_kernel.sub %4, %1 : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %5 : tensor<6xf32>
}

// A scale and a shift for each sequence, of one tensor, the scale around 1.

// CHECK-LABEL: func.func @modulated(
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.reshape %{{.*}} : (tensor<2x8xf16>) -> tensor<2x1x8xf16>
// CHECK-DAG:     mirage_kernel.slice %[[R]] dim 2 offset 0 size 4
// CHECK-DAG:     mirage_kernel.slice %[[R]] dim 2 offset 4 size 4
// CHECK-NOT:     reshape
// CHECK:         return
func.func @modulated(%x: tensor<2x3x4xf16>, %m: tensor<2x8xf16>) -> tensor<2x3x4xf16> {
  %one = mirage.constant 1.0 : tensor<f32>
  %0 = mirage_kernel.slice %m dim 1 offset 4 size 4 : (tensor<2x8xf16>) -> tensor<2x4xf16>
  %1 = mirage_kernel.slice %m dim 1 offset 0 size 4 : (tensor<2x8xf16>) -> tensor<2x4xf16>
  %2 = mirage_kernel.reshape %0 : (tensor<2x4xf16>) -> tensor<2x1x4xf16>
  %3 = mirage_kernel.reshape %1 : (tensor<2x4xf16>) -> tensor<2x1x4xf16>
  %4 = mirage_kernel.add %one, %2 : (tensor<f32>, tensor<2x1x4xf16>) -> tensor<2x1x4xf32>
  %5 = mirage_kernel.mul %x, %4 : (tensor<2x3x4xf16>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  %6 = mirage_kernel.add %5, %3 : (tensor<2x3x4xf32>, tensor<2x1x4xf16>) -> tensor<2x3x4xf16>
  return %6 : tensor<2x3x4xf16>
}
