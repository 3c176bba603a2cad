// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics %s | FileCheck %s

// Sums of products are matmuls of transposed and reshaped operands.

#m = affine_map<(m, n, k) -> (m, k)>
#mt = affine_map<(m, n, k) -> (k, m)>
#n = affine_map<(m, n, k) -> (k, n)>
#nt = affine_map<(m, n, k) -> (n, k)>
#r = affine_map<(m, n, k) -> (m, n)>
#rt = affine_map<(m, n, k) -> (n, m)>

// CHECK-LABEL: func.func @transposed_rhs(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf16>, %[[B:.*]]: tensor<6x8xf16>)
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[B]] permutation [1, 0] : (tensor<6x8xf16>) -> tensor<8x6xf16>
// CHECK-NEXT:    mirage_kernel.matmul %[[A]], %[[T]] : (tensor<4x8xf16>, tensor<8x6xf16>) -> tensor<4x6xf32>
func.func @transposed_rhs(%a: tensor<4x8xf16>, %b: tensor<6x8xf16>) -> tensor<4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %r = linalg.matmul indexing_maps = [#m, #nt, #r] ins(%a, %b : tensor<4x8xf16>, tensor<6x8xf16>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @transposed_lhs(
// CHECK-SAME:    %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<8x6xf32>)
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[A]] permutation [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    mirage_kernel.matmul %[[T]], %[[B]]
func.func @transposed_lhs(%a: tensor<8x4xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %r = linalg.matmul indexing_maps = [#mt, #n, #r] ins(%a, %b : tensor<8x4xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// (Bt At) is the transpose of (A B): nothing needs one. With another layout of
// the result only that.

// CHECK-LABEL: func.func @result(
// CHECK-SAME:    %[[AT:.*]]: tensor<8x4xf32>, %[[BT:.*]]: tensor<6x8xf32>, %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x6xf32>)
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.matmul %[[BT]], %[[AT]] : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
// CHECK-DAG:     %[[P:.*]] = mirage_kernel.matmul %[[A]], %[[B]] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
// CHECK-DAG:     %[[S:.*]] = mirage_kernel.transpose %[[P]] permutation [1, 0]
// CHECK:         return %[[R]], %[[S]]
func.func @result(%at: tensor<8x4xf32>, %bt: tensor<6x8xf32>, %a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<6x4xf32>
  %r = linalg.contract indexing_maps = [#mt, #nt, #rt] ins(%at, %bt : tensor<8x4xf32>, tensor<6x8xf32>) outs(%zero : tensor<6x4xf32>) -> tensor<6x4xf32>
  %s = linalg.contract indexing_maps = [#m, #n, #rt] ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %r, %s : tensor<6x4xf32>, tensor<6x4xf32>
}

// Attention's products in the layout batch, position, head, size, as an einsum
// gives them.

// CHECK-LABEL: func.func @heads(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x4x3x8xf16>, %[[K:.*]]: tensor<2x6x3x8xf16>)
// CHECK-DAG:     %[[QT:.*]] = mirage_kernel.transpose %[[Q]] permutation [0, 2, 1, 3] : (tensor<2x4x3x8xf16>) -> tensor<2x3x4x8xf16>
// CHECK-DAG:     %[[KT:.*]] = mirage_kernel.transpose %[[K]] permutation [0, 2, 3, 1] : (tensor<2x6x3x8xf16>) -> tensor<2x3x8x6xf16>
// CHECK:         mirage_kernel.matmul %[[QT]], %[[KT]] : (tensor<2x3x4x8xf16>, tensor<2x3x8x6xf16>) -> tensor<2x3x4x6xf16>
func.func @heads(%q: tensor<2x4x3x8xf16>, %k: tensor<2x6x3x8xf16>) -> tensor<2x3x4x6xf16> {
  %zero = arith.constant dense<0.0> : tensor<2x3x4x6xf16>
  %r = linalg.contract indexing_maps = [affine_map<(b, h, q, k, d) -> (b, q, h, d)>, affine_map<(b, h, q, k, d) -> (b, k, h, d)>,
                                        affine_map<(b, h, q, k, d) -> (b, h, q, k)>]
      ins(%q, %k : tensor<2x4x3x8xf16>, tensor<2x6x3x8xf16>) outs(%zero : tensor<2x3x4x6xf16>) -> tensor<2x3x4x6xf16>
  return %r : tensor<2x3x4x6xf16>
}

// Several dimensions in the place of m, n or k are merged: a linear layer on
// three dimensions, and a sum over two.

// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x8xf32>, %[[W:.*]]: tensor<8x6xf32>, %[[BIAS:.*]]: tensor<2x4x6xf32>)
// CHECK-NEXT:    %[[ROWS:.*]] = mirage_kernel.reshape %[[X]] : (tensor<2x4x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.matmul %[[ROWS]], %[[W]] : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
// CHECK-NEXT:    %[[B:.*]] = mirage_kernel.reshape %[[BIAS]] : (tensor<2x4x6xf32>) -> tensor<8x6xf32>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.add %[[P]], %[[B]]
// CHECK-NEXT:    mirage_kernel.reshape %[[R]] : (tensor<8x6xf32>) -> tensor<2x4x6xf32>
func.func @linear(%x: tensor<2x4x8xf32>, %w: tensor<8x6xf32>, %bias: tensor<2x4x6xf32>) -> tensor<2x4x6xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (k, n)>, affine_map<(b, s, n, k) -> (b, s, n)>]
      ins(%x, %w : tensor<2x4x8xf32>, tensor<8x6xf32>) outs(%bias : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %r : tensor<2x4x6xf32>
}

// Rather than to transpose an argument, so that both reductions can be merged,
// one is summed over behind the product.

// CHECK-LABEL: func.func @batch_reduce(
// CHECK-SAME:    %[[A:.*]]: tensor<3x4x8xf32>, %[[B:.*]]: tensor<3x8x6xf32>)
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.matmul %[[A]], %[[B]] : (tensor<3x4x8xf32>, tensor<3x8x6xf32>) -> tensor<3x4x6xf32>
// CHECK-NEXT:    %[[S:.*]] = mirage_kernel.sum %[[P]] dim 0
// CHECK-NEXT:    mirage_kernel.reshape %[[S]] : (tensor<1x4x6xf32>) -> tensor<4x6xf32>
func.func @batch_reduce(%a: tensor<3x4x8xf32>, %b: tensor<3x8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x4x8xf32>, tensor<3x8x6xf32>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// What is computed may be transposed as it is.

// CHECK-LABEL: func.func @batch_reduce_computed(
// CHECK-SAME:    %[[A:.*]]: tensor<3x4x8xf32>, %[[B:.*]]: tensor<3x8x6xf32>)
// CHECK-NEXT:    %[[E:.*]] = mirage_kernel.exp %[[A]]
// CHECK-DAG:     %[[T:.*]] = mirage_kernel.transpose %[[E]] permutation [1, 0, 2] : (tensor<3x4x8xf32>) -> tensor<4x3x8xf32>
// CHECK-DAG:     %[[L:.*]] = mirage_kernel.reshape %[[T]] : (tensor<4x3x8xf32>) -> tensor<4x24xf32>
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.reshape %[[B]] : (tensor<3x8x6xf32>) -> tensor<24x6xf32>
// CHECK:         mirage_kernel.matmul %[[L]], %[[R]]
func.func @batch_reduce_computed(%a: tensor<3x4x8xf32>, %b: tensor<3x8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = math.exp %a : tensor<3x4x8xf32>
  %r = linalg.batch_reduce_matmul ins(%e, %b : tensor<3x4x8xf32>, tensor<3x8x6xf32>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// Products with each expert's weights, positions first: the result is transposed, not the weights.

// CHECK-LABEL: func.func @experts(
// CHECK-SAME:    %[[X:.*]]: tensor<6x8xf32>, %[[W:.*]]: tensor<3x8x4xf32>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<6x8xf32>) -> tensor<1x6x8xf32>
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.matmul %[[R]], %[[W]] : (tensor<1x6x8xf32>, tensor<3x8x4xf32>) -> tensor<3x6x4xf32>
// CHECK-NEXT:    mirage_kernel.transpose %[[P]] permutation [1, 0, 2] : (tensor<3x6x4xf32>) -> tensor<6x3x4xf32>
func.func @experts(%x: tensor<6x8xf32>, %w: tensor<3x8x4xf32>) -> tensor<6x3x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<6x3x4xf32>
  %r = linalg.contract indexing_maps = [affine_map<(a, e, b, c) -> (a, c)>, affine_map<(a, e, b, c) -> (e, c, b)>, affine_map<(a, e, b, c) -> (a, e, b)>]
      ins(%x, %w : tensor<6x8xf32>, tensor<3x8x4xf32>) outs(%zero : tensor<6x3x4xf32>) -> tensor<6x3x4xf32>
  return %r : tensor<6x3x4xf32>
}

// A projection to heads: rather than to transpose all of the weights, so that
// heads and head size can be merged, the latent is repeated for each head.

// CHECK-LABEL: func.func @projected_heads(
// CHECK-SAME:    %[[C:.*]]: tensor<6x8xf16>, %[[W:.*]]: tensor<3x8x4xf16>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[C]] : (tensor<6x8xf16>) -> tensor<1x6x8xf16>
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.matmul %[[R]], %[[W]] : (tensor<1x6x8xf16>, tensor<3x8x4xf16>) -> tensor<3x6x4xf32>
// CHECK-NEXT:    return %[[P]]
func.func @projected_heads(%c: tensor<6x8xf16>, %w: tensor<3x8x4xf16>) -> tensor<3x6x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<3x6x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, n, d, k) -> (n, k)>, affine_map<(h, n, d, k) -> (h, k, d)>, affine_map<(h, n, d, k) -> (h, n, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%c, %w : tensor<6x8xf16>, tensor<3x8x4xf16>) outs(%zero : tensor<3x6x4xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %e = arith.extf %x : f16 to f32
      %f = arith.extf %y : f16 to f32
      %m = arith.mulf %e, %f : f32
      %s = arith.addf %acc, %m : f32
      linalg.yield %s : f32
    } -> tensor<3x6x4xf32>
  return %r : tensor<3x6x4xf32>
}

// Scores of one query for each head, with keys for all of them: the heads are
// rows, and the keys a transposed matrix. Head by head all keys would be read
// again.

// CHECK-LABEL: func.func @shared_keys(
// CHECK-SAME:    %[[Q:.*]]: tensor<3x1x8xf16>, %[[C:.*]]: tensor<6x8xf16>)
// CHECK-DAG:     %[[ROWS:.*]] = mirage_kernel.reshape %[[Q]] : (tensor<3x1x8xf16>) -> tensor<3x8xf16>
// CHECK-DAG:     %[[T:.*]] = mirage_kernel.transpose %[[C]] permutation [1, 0]
// CHECK:         %[[P:.*]] = mirage_kernel.matmul %[[ROWS]], %[[T]] : (tensor<3x8xf16>, tensor<8x6xf16>) -> tensor<3x6xf32>
// CHECK-NEXT:    mirage_kernel.reshape %[[P]] : (tensor<3x6xf32>) -> tensor<3x1x6xf32>
func.func @shared_keys(%q: tensor<3x1x8xf16>, %c: tensor<6x8xf16>) -> tensor<3x1x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<3x1x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (n, k)>, affine_map<(h, m, n, k) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %c : tensor<3x1x8xf16>, tensor<6x8xf16>) outs(%zero : tensor<3x1x6xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %e = arith.extf %x : f16 to f32
      %f = arith.extf %y : f16 to f32
      %m = arith.mulf %e, %f : f32
      %s = arith.addf %acc, %m : f32
      linalg.yield %s : f32
    } -> tensor<3x1x6xf32>
  return %r : tensor<3x1x6xf32>
}

// One key-value head for several query heads: the heads are rows.

// CHECK-LABEL: func.func @grouped_heads(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x3x4x8xf32>, %[[K:.*]]: tensor<2x8x6xf32>)
// CHECK-NEXT:    %[[ROWS:.*]] = mirage_kernel.reshape %[[Q]] : (tensor<2x3x4x8xf32>) -> tensor<2x12x8xf32>
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.matmul %[[ROWS]], %[[K]] : (tensor<2x12x8xf32>, tensor<2x8x6xf32>) -> tensor<2x12x6xf32>
// CHECK-NEXT:    mirage_kernel.reshape %[[P]] : (tensor<2x12x6xf32>) -> tensor<2x3x4x6xf32>
func.func @grouped_heads(%q: tensor<2x3x4x8xf32>, %k: tensor<2x8x6xf32>) -> tensor<2x3x4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3x4x6xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, k, n)>,
                                        affine_map<(b, h, m, n, k) -> (b, h, m, n)>]
      ins(%q, %k : tensor<2x3x4x8xf32>, tensor<2x8x6xf32>) outs(%zero : tensor<2x3x4x6xf32>) -> tensor<2x3x4x6xf32>
  return %r : tensor<2x3x4x6xf32>
}

// Without rows or columns it is a product and a sum.

// CHECK-LABEL: func.func @vectors(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>, %[[A:.*]]: tensor<8x6xf32>)
// CHECK-DAG:     %[[XY:.*]] = mirage_kernel.mul %[[X]], %[[Y]]
// CHECK-DAG:     %[[DOT:.*]] = mirage_kernel.sum %[[XY]] dim 0 : (tensor<8xf32>) -> tensor<1xf32>
// CHECK-DAG:     mirage_kernel.reshape %[[DOT]] : (tensor<1xf32>) -> tensor<f32>
// CHECK-DAG:     %[[COLUMN:.*]] = mirage_kernel.reshape %[[X]] : (tensor<8xf32>) -> tensor<8x1xf32>
// CHECK-DAG:     %[[TERMS:.*]] = mirage_kernel.mul {{%.*}} : ({{.*}}) -> tensor<8x6xf32>
// CHECK-DAG:     mirage_kernel.sum %[[TERMS]] dim 0 : (tensor<8x6xf32>) -> tensor<1x6xf32>
func.func @vectors(%x: tensor<8xf32>, %y: tensor<8xf32>, %a: tensor<8x6xf32>) -> (tensor<f32>, tensor<6xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros = arith.constant dense<0.0> : tensor<6xf32>
  %0 = linalg.dot ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%zero : tensor<f32>) -> tensor<f32>
  %1 = linalg.vecmat ins(%x, %a : tensor<8xf32>, tensor<8x6xf32>) outs(%zeros : tensor<6xf32>) -> tensor<6xf32>
  return %0, %1 : tensor<f32>, tensor<6xf32>
}

// A constant matrix.

// CHECK-LABEL: func.func @constant(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf32>)
// CHECK-DAG:     %[[TWO:.*]] = mirage.constant 2.000000e+00
// CHECK-DAG:     %[[B:.*]] = mirage_kernel.broadcast %[[TWO]] : (tensor<f32>) -> tensor<8x6xf16>
// CHECK:         mirage_kernel.matmul %[[A]], %[[B]]
func.func @constant(%a: tensor<4x8xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %two = arith.constant dense<2.0> : tensor<8x6xf16>
  %r = linalg.matmul ins(%a, %two : tensor<4x8xf32>, tensor<8x6xf16>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// The LoRA operator: both operands are concatenations that fit together.

// CHECK-LABEL: func.func @concat_matmul(
// CHECK-SAME:    %[[W:.*]]: tensor<4x8xf16>, %[[X:.*]]: tensor<4x2xf16>, %[[Y:.*]]: tensor<8x6xf16>, %[[Z:.*]]: tensor<2x6xf16>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.concat_matmul %[[W]], %[[X]], %[[Y]], %[[Z]] : {{.*}} -> tensor<4x6xf32>
// CHECK-NEXT:    return %[[R]]
func.func @concat_matmul(%w: tensor<4x8xf16>, %x: tensor<4x2xf16>, %y: tensor<8x6xf16>, %z: tensor<2x6xf16>) -> tensor<4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %a = tensor.concat dim(1) %w, %x : (tensor<4x8xf16>, tensor<4x2xf16>) -> tensor<4x10xf16>
  %b = tensor.concat dim(0) %y, %z : (tensor<8x6xf16>, tensor<2x6xf16>) -> tensor<10x6xf16>
  %r = linalg.matmul ins(%a, %b : tensor<4x10xf16>, tensor<10x6xf16>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// They don't fit: w x is 8 | 2 wide, y z is 2 | 8 high. What isn't concatenated where the other one is is cut there.

// CHECK-LABEL: func.func @concats(
// CHECK-SAME:    %[[W:.*]]: tensor<4x8xf16>, %[[X:.*]]: tensor<4x2xf16>, %[[Y:.*]]: tensor<2x6xf16>, %[[Z:.*]]: tensor<8x6xf16>)
// CHECK-DAG:     %[[FIRST:.*]] = mirage_kernel.slice %[[Z]] dim 0 offset 0 size 6
// CHECK-DAG:     %[[ABOVE:.*]] = mirage_kernel.concat %[[Y]], %[[FIRST]] dim 0
// CHECK-DAG:     %[[BELOW:.*]] = mirage_kernel.slice %[[Z]] dim 0 offset 6 size 2
// CHECK:         mirage_kernel.concat_matmul %[[W]], %[[X]], %[[ABOVE]], %[[BELOW]]
func.func @concats(%w: tensor<4x8xf16>, %x: tensor<4x2xf16>, %y: tensor<2x6xf16>, %z: tensor<8x6xf16>) -> tensor<4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %a = tensor.concat dim(1) %w, %x : (tensor<4x8xf16>, tensor<4x2xf16>) -> tensor<4x10xf16>
  %b = tensor.concat dim(0) %y, %z : (tensor<2x6xf16>, tensor<8x6xf16>) -> tensor<10x6xf16>
  %r = linalg.matmul ins(%a, %b : tensor<4x10xf16>, tensor<10x6xf16>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// Of three parts: two are one operator, and the third is added, before the result is rounded.

// CHECK-LABEL: func.func @three_parts(
// CHECK-DAG:     %[[P:.*]] = mirage_kernel.concat_matmul %{{.*}} : (tensor<4x8xf16>, tensor<4x2xf16>, tensor<8x6xf16>, tensor<2x6xf16>) -> tensor<4x6xf32>
// CHECK-DAG:     %[[Q:.*]] = mirage_kernel.matmul %{{.*}} : (tensor<4x3xf16>, tensor<3x6xf16>) -> tensor<4x6xf32>
// CHECK:         mirage_kernel.add %[[P]], %[[Q]] : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf16>
func.func @three_parts(%x: tensor<4x8xf16>, %y: tensor<4x2xf16>, %z: tensor<4x3xf16>, %w: tensor<13x6xf16>) -> tensor<4x6xf16> {
  %0 = mirage_kernel.concat %x, %y dim 1 : (tensor<4x8xf16>, tensor<4x2xf16>) -> tensor<4x10xf16>
  %1 = mirage_kernel.concat %0, %z dim 1 : (tensor<4x10xf16>, tensor<4x3xf16>) -> tensor<4x13xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<4x13xf16>, tensor<13x6xf16>) -> tensor<4x6xf16>
  return %2 : tensor<4x6xf16>
}

// Of what takes as many transposes the smaller tensor is transposed: the result, in which positions come before heads, and not the
// probabilities.

// CHECK-LABEL: func.func @heads_last(
// CHECK-SAME:    %[[P:.*]]: tensor<2x4x8x64xf16>, %[[V:.*]]: tensor<64x2x16xf16>)
// CHECK:         %[[R:.*]] = mirage_kernel.matmul %[[P]], %{{.*}} : (tensor<2x4x8x64xf16>, tensor<2x1x64x16xf16>) -> tensor<2x4x8x16xf32>
// CHECK:         mirage_kernel.transpose %[[R]] permutation [2, 0, 1, 3] : (tensor<2x4x8x16xf32>) -> tensor<8x2x4x16xf32>
func.func @heads_last(%p: tensor<2x4x8x64xf16>, %v: tensor<64x2x16xf16>) -> tensor<8x2x4x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x2x4x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(q, h, g, d, k) -> (h, g, q, k)>, affine_map<(q, h, g, d, k) -> (k, h, d)>, affine_map<(q, h, g, d, k) -> (q, h, g, d)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<2x4x8x64xf16>, tensor<64x2x16xf16>) outs(%zero : tensor<8x2x4x16xf32>) {
    ^bb0(%a: f16, %b: f16, %acc: f32):
      %1 = arith.extf %a : f16 to f32
      %2 = arith.extf %b : f16 to f32
      %3 = arith.mulf %1, %2 : f32
      %4 = arith.addf %acc, %3 : f32
      linalg.yield %4 : f32
  } -> tensor<8x2x4x16xf32>
  return %0 : tensor<8x2x4x16xf32>
}

// A multiplication and an addition may be one operation.

// CHECK-LABEL: func.func @fused_products(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<8x6xf32>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.matmul %[[X]], %[[Y]]
// CHECK-NEXT:    return %[[R]]
func.func @fused_products(%x: tensor<4x8xf32>, %y: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %1 = math.fma %a, %b, %acc : f32
      linalg.yield %1 : f32
  } -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
