// RUN: mirage-opt --convert-linalg-to-mirage %s | FileCheck %s
// RUN: mirage-opt --convert-linalg-to-mirage --verify-diagnostics -o /dev/null %s

// The softmax of attention with grouped queries stays on the heads and rows that the products merge: elementwise operators, and
// reductions along another dimension.

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:    %[[X:.*]]: tensor<2x12x40xf16>, %[[BIAS:.*]]: tensor<40xf16>)
// CHECK-NEXT:    %[[S:.*]] = mirage_kernel.add %[[X]], %[[BIAS]] : (tensor<2x12x40xf16>, tensor<40xf16>) -> tensor<2x12x40xf16>
// CHECK-NEXT:    %[[M:.*]] = mirage_kernel.reduce_max %[[S]] dim 2 : (tensor<2x12x40xf16>) -> tensor<2x12x1xf16>
// CHECK-NEXT:    %[[D:.*]] = mirage_kernel.sub %[[S]], %[[M]] : (tensor<2x12x40xf16>, tensor<2x12x1xf16>) -> tensor<2x12x40xf16>
// CHECK-NEXT:    return %[[D]]
func.func @softmax(%x: tensor<2x12x40xf16>, %bias: tensor<40xf16>) -> tensor<2x12x40xf16> {
  %0 = mirage_kernel.reshape %x : (tensor<2x12x40xf16>) -> tensor<2x4x3x40xf16>
  %1 = mirage_kernel.add %0, %bias : (tensor<2x4x3x40xf16>, tensor<40xf16>) -> tensor<2x4x3x40xf16>
  %2 = mirage_kernel.reduce_max %1 dim 3 : (tensor<2x4x3x40xf16>) -> tensor<2x4x3x1xf16>
  %3 = mirage_kernel.sub %1, %2 : (tensor<2x4x3x40xf16>, tensor<2x4x3x1xf16>) -> tensor<2x4x3x40xf16>
  %4 = mirage_kernel.reshape %3 : (tensor<2x4x3x40xf16>) -> tensor<2x12x40xf16>
  return %4 : tensor<2x12x40xf16>
}

// What is returned is split, what comes in is merged, and a factor for each batch loses its dimensions of size 1.

// CHECK-LABEL: func.func @arguments(
// CHECK-SAME:    %[[X:.*]]: tensor<2x12x40xf16>, %[[Y:.*]]: tensor<2x4x3x40xf16>, %[[F:.*]]: tensor<2x1x1x1xf16>)
// CHECK-DAG:     %[[YM:.*]] = mirage_kernel.reshape %[[Y]] : (tensor<2x4x3x40xf16>) -> tensor<2x12x40xf16>
// CHECK-DAG:     %[[FM:.*]] = mirage_kernel.reshape %[[F]] : (tensor<2x1x1x1xf16>) -> tensor<2x1x1xf16>
// CHECK-DAG:     %[[S:.*]] = mirage_kernel.add %[[X]], %[[YM]] : (tensor<2x12x40xf16>, tensor<2x12x40xf16>) -> tensor<2x12x40xf16>
// CHECK:         %[[P:.*]] = mirage_kernel.mul %[[S]], %[[FM]] : (tensor<2x12x40xf16>, tensor<2x1x1xf16>) -> tensor<2x12x40xf16>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[P]] : (tensor<2x12x40xf16>) -> tensor<2x4x3x40xf16>
// CHECK-NEXT:    return %[[R]]
func.func @arguments(%x: tensor<2x12x40xf16>, %y: tensor<2x4x3x40xf16>, %f: tensor<2x1x1x1xf16>) -> tensor<2x4x3x40xf16> {
  %0 = mirage_kernel.reshape %x : (tensor<2x12x40xf16>) -> tensor<2x4x3x40xf16>
  %1 = mirage_kernel.add %0, %y : (tensor<2x4x3x40xf16>, tensor<2x4x3x40xf16>) -> tensor<2x4x3x40xf16>
  %2 = mirage_kernel.mul %1, %f : (tensor<2x4x3x40xf16>, tensor<2x1x1x1xf16>) -> tensor<2x4x3x40xf16>
  return %2 : tensor<2x4x3x40xf16>
}

// A value that is returned and merged.

// CHECK-LABEL: func.func @both(
// CHECK-NEXT:    %[[E:.*]] = mirage_kernel.exp %{{.*}} : (tensor<12x40xf16>) -> tensor<12x40xf16>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[E]] : (tensor<12x40xf16>) -> tensor<4x3x40xf16>
// CHECK-NEXT:    return %[[R]], %[[E]]
func.func @both(%x: tensor<12x40xf16>) -> (tensor<4x3x40xf16>, tensor<12x40xf16>) {
  %0 = mirage_kernel.reshape %x : (tensor<12x40xf16>) -> tensor<4x3x40xf16>
  %1 = mirage_kernel.exp %0 : (tensor<4x3x40xf16>) -> tensor<4x3x40xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<4x3x40xf16>) -> tensor<12x40xf16>
  return %1, %2 : tensor<4x3x40xf16>, tensor<12x40xf16>
}

// A mask for each row that all heads have in common, and a reduction along a dimension of the group, need them split; so does all
// that they are connected with.

// CHECK-LABEL: func.func @mask(
// CHECK-NEXT:    mirage_kernel.reshape
// CHECK-NEXT:    mirage_kernel.add %{{.*}} : (tensor<2x4x3x40xf16>, tensor<3x40xf16>)
// CHECK-NEXT:    mirage_kernel.reshape
func.func @mask(%x: tensor<2x12x40xf16>, %mask: tensor<3x40xf16>) -> tensor<2x12x40xf16> {
  %0 = mirage_kernel.reshape %x : (tensor<2x12x40xf16>) -> tensor<2x4x3x40xf16>
  %1 = mirage_kernel.add %0, %mask : (tensor<2x4x3x40xf16>, tensor<3x40xf16>) -> tensor<2x4x3x40xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<2x4x3x40xf16>) -> tensor<2x12x40xf16>
  return %2 : tensor<2x12x40xf16>
}

// CHECK-LABEL: func.func @head_norm(
// CHECK-NEXT:    %[[S:.*]] = mirage_kernel.reshape
// CHECK-NEXT:    mirage_kernel.sqr %[[S]]
// CHECK-NEXT:    mirage_kernel.sum %{{.*}} dim 1 : (tensor<12x4x8xf16>)
// CHECK-NEXT:    mirage_kernel.div %[[S]],
// CHECK-NEXT:    mirage_kernel.reshape
func.func @head_norm(%x: tensor<12x32xf16>) -> tensor<12x32xf16> {
  %0 = mirage_kernel.reshape %x : (tensor<12x32xf16>) -> tensor<12x4x8xf16>
  %1 = mirage_kernel.sqr %0 : (tensor<12x4x8xf16>) -> tensor<12x4x8xf16>
  %2 = mirage_kernel.sum %1 dim 1 : (tensor<12x4x8xf16>) -> tensor<12x1x8xf16>
  %3 = mirage_kernel.div %0, %2 : (tensor<12x4x8xf16>, tensor<12x1x8xf16>) -> tensor<12x4x8xf16>
  %4 = mirage_kernel.reshape %3 : (tensor<12x4x8xf16>) -> tensor<12x32xf16>
  return %4 : tensor<12x32xf16>
}

// Attention as torch computes it, on one dimension for batches and heads: those are split for transposes, and for a mask that all
// heads of a batch have in common. No reshape but those of the heads is left.

// CHECK-LABEL: func.func @heads(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x5x12xf16>, %[[K:.*]]: tensor<2x7x12xf16>, %[[MASK:.*]]: tensor<2x1x1x7xf16>, %[[V:.*]]: tensor<6x7x4xf16>)
// CHECK-DAG:     %[[QS:.*]] = mirage_kernel.reshape %[[Q]] : (tensor<2x5x12xf16>) -> tensor<2x5x3x4xf16>
// CHECK-DAG:     %[[QT:.*]] = mirage_kernel.transpose %[[QS]] permutation [0, 2, 1, 3]
// CHECK-DAG:     %[[KS:.*]] = mirage_kernel.reshape %[[K]] : (tensor<2x7x12xf16>) -> tensor<2x7x3x4xf16>
// CHECK-DAG:     %[[KT:.*]] = mirage_kernel.transpose %[[KS]] permutation [0, 2, 3, 1]
// CHECK:         %[[S:.*]] = mirage_kernel.matmul %[[QT]], %[[KT]] : (tensor<2x3x5x4xf16>, tensor<2x3x4x7xf16>) -> tensor<2x3x5x7xf16>
// CHECK-NEXT:    %[[M:.*]] = mirage_kernel.add %[[S]], %[[MASK]]
// CHECK-NEXT:    %[[E:.*]] = mirage_kernel.exp %[[M]]
// CHECK-NEXT:    %[[VS:.*]] = mirage_kernel.reshape %[[V]] : (tensor<6x7x4xf16>) -> tensor<2x3x7x4xf16>
// CHECK-NEXT:    %[[O:.*]] = mirage_kernel.matmul %[[E]], %[[VS]] : (tensor<2x3x5x7xf16>, tensor<2x3x7x4xf16>) -> tensor<2x3x5x4xf16>
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[O]] permutation [0, 2, 1, 3]
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[T]] : (tensor<2x5x3x4xf16>) -> tensor<2x5x12xf16>
// CHECK-NEXT:    return %[[R]]
func.func @heads(%q: tensor<2x5x12xf16>, %k: tensor<2x7x12xf16>, %mask: tensor<2x1x1x7xf16>, %v: tensor<6x7x4xf16>) -> tensor<2x5x12xf16> {
  %0 = mirage_kernel.reshape %q : (tensor<2x5x12xf16>) -> tensor<2x5x3x4xf16>
  %1 = mirage_kernel.transpose %0 permutation [0, 2, 1, 3] : (tensor<2x5x3x4xf16>) -> tensor<2x3x5x4xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<2x3x5x4xf16>) -> tensor<6x5x4xf16>
  %3 = mirage_kernel.reshape %k : (tensor<2x7x12xf16>) -> tensor<2x7x3x4xf16>
  %4 = mirage_kernel.transpose %3 permutation [0, 2, 1, 3] : (tensor<2x7x3x4xf16>) -> tensor<2x3x7x4xf16>
  %5 = mirage_kernel.reshape %4 : (tensor<2x3x7x4xf16>) -> tensor<6x7x4xf16>
  %6 = mirage_kernel.transpose %5 permutation [0, 2, 1] : (tensor<6x7x4xf16>) -> tensor<6x4x7xf16>
  %7 = mirage_kernel.matmul %2, %6 : (tensor<6x5x4xf16>, tensor<6x4x7xf16>) -> tensor<6x5x7xf16>
  %8 = mirage_kernel.reshape %7 : (tensor<6x5x7xf16>) -> tensor<2x3x5x7xf16>
  %9 = mirage_kernel.add %8, %mask : (tensor<2x3x5x7xf16>, tensor<2x1x1x7xf16>) -> tensor<2x3x5x7xf16>
  %10 = mirage_kernel.exp %9 : (tensor<2x3x5x7xf16>) -> tensor<2x3x5x7xf16>
  %11 = mirage_kernel.reshape %10 : (tensor<2x3x5x7xf16>) -> tensor<6x5x7xf16>
  %12 = mirage_kernel.matmul %11, %v : (tensor<6x5x7xf16>, tensor<6x7x4xf16>) -> tensor<6x5x4xf16>
  %13 = mirage_kernel.reshape %12 : (tensor<6x5x4xf16>) -> tensor<2x3x5x4xf16>
  %14 = mirage_kernel.transpose %13 permutation [0, 2, 1, 3] : (tensor<2x3x5x4xf16>) -> tensor<2x5x3x4xf16>
  %15 = mirage_kernel.reshape %14 : (tensor<2x5x3x4xf16>) -> tensor<2x5x12xf16>
  return %15 : tensor<2x5x12xf16>
}

// Merged dimensions that are rows of a product become its batches, and those of the next, all with the same matrices.

// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[X:.*]]: tensor<16x3x4xf16>, %[[W:.*]]: tensor<4x4xf16>, %[[B:.*]]: tensor<3x1x4xf16>)
// CHECK-DAG:     %[[T:.*]] = mirage_kernel.transpose %[[X]]
// CHECK-DAG:     %[[W1:.*]] = mirage_kernel.reshape %[[W]] : (tensor<4x4xf16>) -> tensor<1x4x4xf16>
// CHECK:         %[[P:.*]] = mirage_kernel.matmul %[[T]], %[[W1]] : (tensor<3x16x4xf16>, tensor<1x4x4xf16>) -> tensor<3x16x4xf16>
// CHECK-NEXT:    %[[E:.*]] = mirage_kernel.exp %[[P]]
// CHECK-NEXT:    %[[Q:.*]] = mirage_kernel.matmul %[[E]], %[[W1]] : (tensor<3x16x4xf16>, tensor<1x4x4xf16>) -> tensor<3x16x4xf16>
// CHECK-NEXT:    mirage_kernel.add %[[Q]], %[[B]]
func.func @rows(%x: tensor<16x3x4xf16>, %w: tensor<4x4xf16>, %b: tensor<3x1x4xf16>) -> tensor<3x16x4xf16> {
  %0 = mirage_kernel.transpose %x permutation [1, 0, 2] : (tensor<16x3x4xf16>) -> tensor<3x16x4xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<3x16x4xf16>) -> tensor<48x4xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<48x4xf16>, tensor<4x4xf16>) -> tensor<48x4xf16>
  %3 = mirage_kernel.exp %2 : (tensor<48x4xf16>) -> tensor<48x4xf16>
  %4 = mirage_kernel.matmul %3, %w : (tensor<48x4xf16>, tensor<4x4xf16>) -> tensor<48x4xf16>
  %5 = mirage_kernel.reshape %4 : (tensor<48x4xf16>) -> tensor<3x16x4xf16>
  %6 = mirage_kernel.add %5, %b : (tensor<3x16x4xf16>, tensor<3x1x4xf16>) -> tensor<3x16x4xf16>
  return %6 : tensor<3x16x4xf16>
}

// A latent of two batches, times the weights of keys and values: no reshape but that of the argument, which undoes itself.

// CHECK-LABEL: func.func @latent(
// CHECK-SAME:    %[[C:.*]]: tensor<2x7x6xf16>, %[[W:.*]]: tensor<6x4xf16>, %[[Q:.*]]: tensor<2x4x5xf16>)
// CHECK-NEXT:    %[[W1:.*]] = mirage_kernel.reshape %[[W]] : (tensor<6x4xf16>) -> tensor<1x6x4xf16>
// CHECK-NEXT:    %[[K:.*]] = mirage_kernel.matmul %[[C]], %[[W1]] : (tensor<2x7x6xf16>, tensor<1x6x4xf16>) -> tensor<2x7x4xf16>
// CHECK-NEXT:    mirage_kernel.matmul %[[K]], %[[Q]] : (tensor<2x7x4xf16>, tensor<2x4x5xf16>) -> tensor<2x7x5xf16>
func.func @latent(%c: tensor<2x7x6xf16>, %w: tensor<6x4xf16>, %q: tensor<2x4x5xf16>) -> tensor<2x7x5xf16> {
  %0 = mirage_kernel.reshape %c : (tensor<2x7x6xf16>) -> tensor<14x6xf16>
  %1 = mirage_kernel.matmul %0, %w : (tensor<14x6xf16>, tensor<6x4xf16>) -> tensor<14x4xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<14x4xf16>) -> tensor<2x7x4xf16>
  %3 = mirage_kernel.matmul %2, %q : (tensor<2x7x4xf16>, tensor<2x4x5xf16>) -> tensor<2x7x5xf16>
  return %3 : tensor<2x7x5xf16>
}

// Transposed weights, as torch stores them, are so behind the reshape.

// CHECK-LABEL: func.func @stored_transposed(
// CHECK-SAME:    %[[X:.*]]: tensor<16x3x4xf16>, %[[V:.*]]: tensor<5x4xf16>,
// CHECK-DAG:     %[[T:.*]] = mirage_kernel.transpose %[[X]] permutation [1, 0, 2]
// CHECK-DAG:     %[[W:.*]] = mirage_kernel.reshape %[[V]] : (tensor<5x4xf16>) -> tensor<1x5x4xf16>
// CHECK:         %[[WT:.*]] = mirage_kernel.transpose %[[W]] permutation [0, 2, 1] : (tensor<1x5x4xf16>) -> tensor<1x4x5xf16>
// CHECK:         mirage_kernel.matmul %[[T]], %[[WT]] : (tensor<3x16x4xf16>, tensor<1x4x5xf16>) -> tensor<3x16x5xf16>
func.func @stored_transposed(%x: tensor<16x3x4xf16>, %w: tensor<5x4xf16>, %b: tensor<3x1x5xf16>) -> tensor<3x16x5xf16> {
  %0 = mirage_kernel.transpose %x permutation [1, 0, 2] : (tensor<16x3x4xf16>) -> tensor<3x16x4xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<3x16x4xf16>) -> tensor<48x4xf16>
  %2 = mirage_kernel.transpose %w permutation [1, 0] : (tensor<5x4xf16>) -> tensor<4x5xf16>
  %3 = mirage_kernel.matmul %1, %2 : (tensor<48x4xf16>, tensor<4x5xf16>) -> tensor<48x5xf16>
  %4 = mirage_kernel.reshape %3 : (tensor<48x5xf16>) -> tensor<3x16x5xf16>
  %5 = mirage_kernel.add %4, %b : (tensor<3x16x5xf16>, tensor<3x1x5xf16>) -> tensor<3x16x5xf16>
  return %5 : tensor<3x16x5xf16>
}

// A product's weights that are rows of another can't be both; columns that are split stay so.

// CHECK-LABEL: func.func @weights(
// CHECK:         mirage_kernel.reshape %{{.*}} : (tensor<6x6xf16>) -> tensor<3x2x6xf16>
// CHECK-LABEL: func.func @columns(
// CHECK:         mirage_kernel.reshape %{{.*}} : (tensor<5x6xf16>) -> tensor<5x3x2xf16>
func.func @weights(%x: tensor<2x3x6xf16>, %w: tensor<6x6xf16>) -> tensor<2x3x6xf16> {
  %0 = mirage_kernel.transpose %x permutation [1, 0, 2] : (tensor<2x3x6xf16>) -> tensor<3x2x6xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<3x2x6xf16>) -> tensor<6x6xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<6x6xf16>, tensor<6x6xf16>) -> tensor<6x6xf16>
  %3 = mirage_kernel.matmul %w, %2 : (tensor<6x6xf16>, tensor<6x6xf16>) -> tensor<6x6xf16>
  %4 = mirage_kernel.add %2, %3 : (tensor<6x6xf16>, tensor<6x6xf16>) -> tensor<6x6xf16>
  %5 = mirage_kernel.reshape %4 : (tensor<6x6xf16>) -> tensor<3x2x6xf16>
  %6 = mirage_kernel.transpose %5 permutation [1, 0, 2] : (tensor<3x2x6xf16>) -> tensor<2x3x6xf16>
  return %6 : tensor<2x3x6xf16>
}
func.func @columns(%x: tensor<5x4xf16>, %w: tensor<4x6xf16>) -> tensor<5x2x3xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<5x4xf16>, tensor<4x6xf16>) -> tensor<5x6xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<5x6xf16>) -> tensor<5x3x2xf16>
  %2 = mirage_kernel.transpose %1 permutation [0, 2, 1] : (tensor<5x3x2xf16>) -> tensor<5x2x3xf16>
  return %2 : tensor<5x2x3xf16>
}

// So are those between reshapes of rows and columns of which there is one: they stand for transposes.

// CHECK-LABEL: func.func @one_row(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<1x2x1x7x5xf16>, tensor<1x2x3x5x1xf16>) -> tensor<1x2x3x7x1xf16>
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.reshape %{{.*}} : (tensor<1x2x3x7x1xf16>) -> tensor<1x2x3x7xf16>
// CHECK-NEXT:    %[[M:.*]] = mirage_kernel.reduce_max %[[P]] dim 3 : (tensor<1x2x3x7xf16>) -> tensor<1x2x3x1xf16>
// CHECK-NEXT:    mirage_kernel.reshape %[[M]] : (tensor<1x2x3x1xf16>) -> tensor<1x6x1x1xf16>
func.func @one_row(%q: tensor<1x6x1x5xf16>, %k: tensor<2x1x7x5xf16>) -> tensor<1x6x1x1xf16> {
  %0 = mirage_kernel.broadcast %k : (tensor<2x1x7x5xf16>) -> tensor<1x2x3x7x5xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<1x2x3x7x5xf16>) -> tensor<1x6x7x5xf16>
  %2 = mirage_kernel.reshape %q : (tensor<1x6x1x5xf16>) -> tensor<1x6x5x1xf16>
  %3 = mirage_kernel.matmul %1, %2 : (tensor<1x6x7x5xf16>, tensor<1x6x5x1xf16>) -> tensor<1x6x7x1xf16>
  %4 = mirage_kernel.reshape %3 : (tensor<1x6x7x1xf16>) -> tensor<1x6x1x7xf16>
  %5 = mirage_kernel.reduce_max %4 dim 3 : (tensor<1x6x1x7xf16>) -> tensor<1x6x1x1xf16>
  return %5 : tensor<1x6x1x1xf16>
}

// Dimensions of size 1 come and go at the argument, where that takes nothing, and what is transposed twice is so once.

// CHECK-LABEL: func.func @units_between_transposes(
// CHECK-SAME:    %[[X:.*]]: tensor<1x8x4x16xf32>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x1x16xf32>
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[R]] permutation [0, 2, 3, 4, 1] : (tensor<1x8x4x1x16xf32>) -> tensor<1x4x1x16x8xf32>
// CHECK-NEXT:    %[[S:.*]] = mirage_kernel.sum %[[T]] dim 3
// CHECK-NEXT:    return %[[S]]
func.func @units_between_transposes(%x: tensor<1x8x4x16xf32>) -> tensor<1x4x1x1x8xf32> {
  %e0 = tensor.empty() : tensor<1x4x8x16xf32>
  %t = linalg.transpose ins(%x : tensor<1x8x4x16xf32>) outs(%e0 : tensor<1x4x8x16xf32>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<1x4x8x16xf32> into tensor<4x8x16xf32>
  %e1 = tensor.empty() : tensor<4x16x8xf32>
  %u = linalg.transpose ins(%c : tensor<4x8x16xf32>) outs(%e1 : tensor<4x16x8xf32>) permutation = [0, 2, 1]
  %r = tensor.expand_shape %u [[0, 1, 2], [3], [4]] output_shape [1, 4, 1, 16, 8] : tensor<4x16x8xf32> into tensor<1x4x1x16x8xf32>
  %zero = arith.constant dense<0.0> : tensor<1x4x1x8xf32>
  %s = linalg.reduce { arith.addf } ins(%r : tensor<1x4x1x16x8xf32>) outs(%zero : tensor<1x4x1x8xf32>) dimensions = [3]
  %y = tensor.expand_shape %s [[0], [1], [2, 3], [4]] output_shape [1, 4, 1, 1, 8] : tensor<1x4x1x8xf32> into tensor<1x4x1x1x8xf32>
  return %y : tensor<1x4x1x1x8xf32>
}

// Grouped heads as layers write them: positions first, keys and values repeated, heads one dimension for the products. They stay two
// dimensions: queries are split where they are an argument, nothing is repeated, and heads are merged behind the last transpose.

// CHECK-LABEL: func.func @repeated_heads(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x16x12x8xf16>, %[[K:.*]]: tensor<2x20x4x8xf16>, %[[V:.*]]: tensor<2x20x4x8xf16>)
// CHECK-DAG:     %[[KR:.*]] = mirage_kernel.reshape %[[K]] : (tensor<2x20x4x8xf16>) -> tensor<2x1x20x4x8xf16>
// CHECK-DAG:     %[[KT:.*]] = mirage_kernel.transpose %[[KR]] permutation [0, 3, 1, 4, 2] : (tensor<2x1x20x4x8xf16>) -> tensor<2x4x1x8x20xf16>
// CHECK-DAG:     %[[QR:.*]] = mirage_kernel.reshape %[[Q]] : (tensor<2x16x12x8xf16>) -> tensor<2x16x4x3x8xf16>
// CHECK-DAG:     %[[QT:.*]] = mirage_kernel.transpose %[[QR]] permutation [0, 2, 3, 1, 4] : (tensor<2x16x4x3x8xf16>) -> tensor<2x4x3x16x8xf16>
// CHECK:         %[[S:.*]] = mirage_kernel.matmul %[[QT]], %[[KT]] : (tensor<2x4x3x16x8xf16>, tensor<2x4x1x8x20xf16>) -> tensor<2x4x3x16x20xf16>
// CHECK:         %[[E:.*]] = mirage_kernel.exp %[[S]]
// CHECK:         %[[VT:.*]] = mirage_kernel.transpose %{{.*}} -> tensor<2x4x1x20x8xf16>
// CHECK-NEXT:    %[[O:.*]] = mirage_kernel.matmul %[[E]], %[[VT]] : (tensor<2x4x3x16x20xf16>, tensor<2x4x1x20x8xf16>) -> tensor<2x4x3x16x8xf16>
// CHECK-NEXT:    %[[OT:.*]] = mirage_kernel.transpose %[[O]] permutation [0, 3, 1, 2, 4] : (tensor<2x4x3x16x8xf16>) -> tensor<2x16x4x3x8xf16>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[OT]] : (tensor<2x16x4x3x8xf16>) -> tensor<2x16x12x8xf16>
// CHECK-NEXT:    return %[[R]]
func.func @repeated_heads(%q: tensor<2x16x12x8xf16>, %k: tensor<2x20x4x8xf16>, %v: tensor<2x20x4x8xf16>) -> tensor<2x16x12x8xf16> {
  %0 = mirage_kernel.transpose %q permutation [0, 2, 1, 3] : (tensor<2x16x12x8xf16>) -> tensor<2x12x16x8xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<2x12x16x8xf16>) -> tensor<24x16x8xf16>
  %2 = mirage_kernel.transpose %k permutation [0, 2, 1, 3] : (tensor<2x20x4x8xf16>) -> tensor<2x4x20x8xf16>
  %3 = mirage_kernel.reshape %2 : (tensor<2x4x20x8xf16>) -> tensor<2x4x1x20x8xf16>
  %4 = mirage_kernel.broadcast %3 : (tensor<2x4x1x20x8xf16>) -> tensor<2x4x3x20x8xf16>
  %5 = mirage_kernel.reshape %4 : (tensor<2x4x3x20x8xf16>) -> tensor<2x12x20x8xf16>
  %6 = mirage_kernel.transpose %5 permutation [0, 1, 3, 2] : (tensor<2x12x20x8xf16>) -> tensor<2x12x8x20xf16>
  %7 = mirage_kernel.reshape %6 : (tensor<2x12x8x20xf16>) -> tensor<24x8x20xf16>
  %8 = mirage_kernel.matmul %1, %7 : (tensor<24x16x8xf16>, tensor<24x8x20xf16>) -> tensor<24x16x20xf16>
  %9 = mirage_kernel.exp %8 : (tensor<24x16x20xf16>) -> tensor<24x16x20xf16>
  %10 = mirage_kernel.transpose %v permutation [0, 2, 1, 3] : (tensor<2x20x4x8xf16>) -> tensor<2x4x20x8xf16>
  %11 = mirage_kernel.reshape %10 : (tensor<2x4x20x8xf16>) -> tensor<2x4x1x20x8xf16>
  %12 = mirage_kernel.broadcast %11 : (tensor<2x4x1x20x8xf16>) -> tensor<2x4x3x20x8xf16>
  %13 = mirage_kernel.reshape %12 : (tensor<2x4x3x20x8xf16>) -> tensor<24x20x8xf16>
  %14 = mirage_kernel.matmul %9, %13 : (tensor<24x16x20xf16>, tensor<24x20x8xf16>) -> tensor<24x16x8xf16>
  %15 = mirage_kernel.reshape %14 : (tensor<24x16x8xf16>) -> tensor<2x12x16x8xf16>
  %16 = mirage_kernel.transpose %15 permutation [0, 2, 1, 3] : (tensor<2x12x16x8xf16>) -> tensor<2x16x12x8xf16>
  return %16 : tensor<2x16x12x8xf16>
}

// Of movements alone, the reshape is the argument's.

// CHECK-LABEL: func.func @rounded_again(
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %{{.*}} : (tensor<8x4x24xf16>) -> tensor<2x4x4x24xf16>
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[R]] permutation [0, 1, 3, 2]
// CHECK-NEXT:    return %[[T]]
func.func @rounded_again(%x: tensor<8x4x24xf16>) -> tensor<2x4x24x4xf16> {
  %0 = mirage_kernel.transpose %x permutation [0, 2, 1] : (tensor<8x4x24xf16>) -> tensor<8x24x4xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<8x24x4xf16>) -> tensor<2x4x24x4xf16>
  %2 = mirage_kernel.cast %1 : (tensor<2x4x24x4xf16>) -> tensor<2x4x24x4xf32>
  %3 = mirage_kernel.cast %2 : (tensor<2x4x24x4xf32>) -> tensor<2x4x24x4xf16>
  return %3 : tensor<2x4x24x4xf16>
}

// The heads of positions are merged in front of the transpose, as the argument has them.

// CHECK-LABEL: func.func @merged_heads(
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %{{.*}} : (tensor<64x2x8x16xf16>) -> tensor<64x2x128xf16>
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[R]] permutation [1, 0, 2]
// CHECK:         mirage_kernel.matmul
func.func @merged_heads(%o: tensor<64x2x8x16xf16>, %w: tensor<2x128x32xf16>) -> tensor<2x64x32xf16> {
  %0 = mirage_kernel.transpose %o permutation [1, 0, 2, 3] : (tensor<64x2x8x16xf16>) -> tensor<2x64x8x16xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<2x64x8x16xf16>) -> tensor<2x64x128xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<2x64x128xf16>, tensor<2x128x32xf16>) -> tensor<2x64x32xf16>
  return %2 : tensor<2x64x32xf16>
}

// And those of a product split behind it.

// CHECK-LABEL: func.func @split_heads(
// CHECK-NEXT:    %[[M:.*]] = mirage_kernel.matmul
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[M]] permutation [1, 0, 2] : (tensor<2x64x128xf16>) -> tensor<64x2x128xf16>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[T]] : (tensor<64x2x128xf16>) -> tensor<64x2x8x16xf16>
// CHECK-NEXT:    return %[[R]]
func.func @split_heads(%x: tensor<2x64x32xf16>, %w: tensor<2x32x128xf16>) -> tensor<64x2x8x16xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<2x64x32xf16>, tensor<2x32x128xf16>) -> tensor<2x64x128xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<2x64x128xf16>) -> tensor<2x64x8x16xf16>
  %2 = mirage_kernel.transpose %1 permutation [1, 0, 2, 3] : (tensor<2x64x8x16xf16>) -> tensor<64x2x8x16xf16>
  return %2 : tensor<64x2x8x16xf16>
}

// What two reductions leave is put side by side in front of the reshape that drops their dimension: kernels write it so.

// CHECK-LABEL: func.func @concat_of_reduced(
// CHECK-DAG:     %[[S:.*]] = mirage_kernel.sum %{{.*}} dim 1
// CHECK-DAG:     %[[M:.*]] = mirage_kernel.reduce_max %{{.*}} dim 1
// CHECK:         %[[C:.*]] = mirage_kernel.concat %[[S]], %[[M]] dim 2 : (tensor<16x1x512xf32>, tensor<16x1x512xf32>) -> tensor<16x1x1024xf32>
// CHECK:         %[[R:.*]] = mirage_kernel.reshape %[[C]] : (tensor<16x1x1024xf32>) -> tensor<16x1024xf32>
// CHECK-NEXT:    return %[[R]]
func.func @concat_of_reduced(%x: tensor<16x256x512xf32>) -> tensor<16x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<16x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x512xf32>) -> tensor<16x512xf32>
  %l = linalg.fill ins(%least : f32) outs(%e : tensor<16x512xf32>) -> tensor<16x512xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<16x256x512xf32>) outs(%z : tensor<16x512xf32>) dimensions = [1]
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<16x256x512xf32>) outs(%l : tensor<16x512xf32>) dimensions = [1]
  %c = tensor.concat dim(1) %sum, %max : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x1024xf32>
  return %c : tensor<16x1024xf32>
}

// Halves of rotated heads, of one sequence: slices and concatenations are along other dimensions than what is dropped, or split, which is so where an
// argument, or what is reshaped anyway, is read.

// CHECK-LABEL: func.func @rotated(
// CHECK-SAME:    %[[X:.*]]: tensor<4x16xf16>, %[[K:.*]]: tensor<1x2x8x6xf16>, %[[C:.*]]: tensor<4xf16>)
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x16xf16>) -> tensor<4x2x8xf16>
// CHECK-NEXT:    %[[A:.*]] = mirage_kernel.slice %[[R]] dim 2 offset 0 size 4 : (tensor<4x2x8xf16>) -> tensor<4x2x4xf16>
// CHECK-NEXT:    %[[EA:.*]] = mirage_kernel.exp %[[A]]
// CHECK-NEXT:    %[[TA:.*]] = mirage_kernel.transpose %[[EA]] permutation [1, 0, 2] : (tensor<4x2x4xf16>) -> tensor<2x4x4xf16>
// CHECK-NEXT:    %[[B:.*]] = mirage_kernel.slice %[[R]] dim 2 offset 4 size 4 : (tensor<4x2x8xf16>) -> tensor<4x2x4xf16>
// CHECK-NEXT:    %[[EB:.*]] = mirage_kernel.exp %[[B]]
// CHECK-NEXT:    %[[TB:.*]] = mirage_kernel.transpose %[[EB]] permutation [1, 0, 2] : (tensor<4x2x4xf16>) -> tensor<2x4x4xf16>
// CHECK-NEXT:    mirage_kernel.mul %[[TA]], %[[C]] : (tensor<2x4x4xf16>, tensor<4xf16>)
// CHECK-NEXT:    mirage_kernel.mul %[[TB]], %[[C]] : (tensor<2x4x4xf16>, tensor<4xf16>)
// CHECK:         mirage_kernel.concat_matmul
func.func @rotated(%x: tensor<4x16xf16>, %k: tensor<1x2x8x6xf16>, %c: tensor<4xf16>) -> tensor<1x2x4x6xf32> {
  %e = mirage_kernel.exp %x : (tensor<4x16xf16>) -> tensor<4x16xf16>
  %0 = mirage_kernel.reshape %e : (tensor<4x16xf16>) -> tensor<1x4x2x8xf16>
  %1 = mirage_kernel.transpose %0 permutation [0, 2, 1, 3] : (tensor<1x4x2x8xf16>) -> tensor<1x2x4x8xf16>
  %2 = mirage_kernel.slice %1 dim 3 offset 0 size 4 : (tensor<1x2x4x8xf16>) -> tensor<1x2x4x4xf16>
  %3 = mirage_kernel.slice %1 dim 3 offset 4 size 4 : (tensor<1x2x4x8xf16>) -> tensor<1x2x4x4xf16>
  %4 = mirage_kernel.mul %2, %c : (tensor<1x2x4x4xf16>, tensor<4xf16>) -> tensor<1x2x4x4xf16>
  %5 = mirage_kernel.mul %3, %c : (tensor<1x2x4x4xf16>, tensor<4xf16>) -> tensor<1x2x4x4xf16>
  %6 = mirage_kernel.concat %4, %5 dim 3 : (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>) -> tensor<1x2x4x8xf16>
  %7 = mirage_kernel.reshape %6 : (tensor<1x2x4x8xf16>) -> tensor<2x4x8xf16>
  %8 = mirage_kernel.reshape %k : (tensor<1x2x8x6xf16>) -> tensor<2x8x6xf16>
  %9 = mirage_kernel.matmul %7, %8 : (tensor<2x4x8xf16>, tensor<2x8x6xf16>) -> tensor<2x4x6xf32>
  %10 = mirage_kernel.reshape %9 : (tensor<2x4x6xf32>) -> tensor<1x2x4x6xf32>
  return %10 : tensor<1x2x4x6xf32>
}

// Heads of a group that are computed and transposed: they are split where they are reshaped, and merged behind the transpose, where they are, too.

// CHECK-LABEL: func.func @computed_groups(
// CHECK-SAME:    %[[X:.*]]: tensor<6x16xf16>, %[[W:.*]]: tensor<16x32xf16>, %[[K:.*]]: tensor<2x8x6xf16>)
// CHECK-DAG:     %[[P:.*]] = mirage_kernel.matmul %[[X]], %[[W]]
// CHECK-DAG:     %[[H:.*]] = mirage_kernel.reshape %[[P]] : (tensor<6x32xf16>) -> tensor<6x2x2x8xf16>
// CHECK-DAG:     %[[Q:.*]] = mirage_kernel.transpose %[[H]] permutation [1, 2, 0, 3]
// CHECK-DAG:     %[[KR:.*]] = mirage_kernel.reshape %[[K]] : (tensor<2x8x6xf16>) -> tensor<2x1x8x6xf16>
// CHECK:         %[[S:.*]] = mirage_kernel.matmul %[[Q]], %[[KR]] : (tensor<2x2x6x8xf16>, tensor<2x1x8x6xf16>) -> tensor<2x2x6x6xf16>
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[S]] permutation [2, 0, 1, 3]
// CHECK-NEXT:    mirage_kernel.reshape %[[T]] : (tensor<6x2x2x6xf16>) -> tensor<6x24xf16>
func.func @computed_groups(%x: tensor<6x16xf16>, %w: tensor<16x32xf16>, %k: tensor<2x8x6xf16>) -> tensor<6x24xf16> {
  %p = mirage_kernel.matmul %x, %w : (tensor<6x16xf16>, tensor<16x32xf16>) -> tensor<6x32xf16>
  %h = mirage_kernel.reshape %p : (tensor<6x32xf16>) -> tensor<6x4x8xf16>
  %q = mirage_kernel.transpose %h permutation [1, 0, 2] : (tensor<6x4x8xf16>) -> tensor<4x6x8xf16>
  %r = mirage_kernel.reshape %k : (tensor<2x8x6xf16>) -> tensor<2x1x8x6xf16>
  %b = mirage_kernel.broadcast %r : (tensor<2x1x8x6xf16>) -> tensor<2x2x8x6xf16>
  %c = mirage_kernel.reshape %b : (tensor<2x2x8x6xf16>) -> tensor<4x8x6xf16>
  %s = mirage_kernel.matmul %q, %c : (tensor<4x6x8xf16>, tensor<4x8x6xf16>) -> tensor<4x6x6xf16>
  %t = mirage_kernel.transpose %s permutation [1, 0, 2] : (tensor<4x6x6xf16>) -> tensor<6x4x6xf16>
  %m = mirage_kernel.reshape %t : (tensor<6x4x6xf16>) -> tensor<6x24xf16>
  return %m : tensor<6x24xf16>
}

// A group norm as torch has it: channels become groups, whose channels are merged with positions; each sum is one along both instead, and no reshape is left inside.

// CHECK-LABEL: func.func @group_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<2x6x8xf16>, %[[G:.*]]: tensor<6x1xf16>)
// CHECK-DAG:     %[[GROUPS:.*]] = mirage_kernel.reshape %[[X]] : (tensor<2x6x8xf16>) -> tensor<2x3x2x8xf16>
// CHECK:         %[[SQUARES:.*]] = mirage_kernel.sqr %[[GROUPS]]
// CHECK:         %[[ROWS:.*]] = mirage_kernel.sum %[[SQUARES]] dim 3 : (tensor<2x3x2x8xf32>) -> tensor<2x3x2x1xf32>
// CHECK:         %[[SUM:.*]] = mirage_kernel.sum %[[ROWS]] dim 2 : (tensor<2x3x2x1xf32>) -> tensor<2x3x1x1xf32>
// CHECK:         %[[ROOT:.*]] = mirage_kernel.sqrt %[[SUM]]
// CHECK:         %[[NORMED:.*]] = mirage_kernel.div %[[GROUPS]], %[[ROOT]] : {{.*}} -> tensor<2x3x2x8xf16>
// CHECK:         %[[GAIN:.*]] = mirage_kernel.reshape %[[G]] : (tensor<6x1xf16>) -> tensor<1x3x2x1xf16>
// CHECK:         %[[SCALED:.*]] = mirage_kernel.mul %[[NORMED]], %[[GAIN]]
// CHECK:         %[[RESULT:.*]] = mirage_kernel.reshape %[[SCALED]] : (tensor<2x3x2x8xf16>) -> tensor<2x6x8xf16>
// CHECK:         return %[[RESULT]]
func.func @group_norm(%x: tensor<2x6x8xf16>, %g: tensor<6x1xf16>) -> tensor<2x6x8xf16> {
  %0 = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [2, 3, 2, 8] : tensor<2x6x8xf16> into tensor<2x3x2x8xf16>
  %1 = tensor.collapse_shape %0 [[0], [1], [2, 3]] : tensor<2x3x2x8xf16> into tensor<2x3x16xf16>
  %zero = arith.constant 0.0 : f32
  %2 = tensor.empty() : tensor<2x3xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(b, g, i) -> (b, g, i)>, affine_map<(b, g, i) -> (b, g)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%1 : tensor<2x3x16xf16>) outs(%3 : tensor<2x3xf32>) {
    ^bb0(%in: f16, %out: f32):
      %e = arith.extf %in : f16 to f32
      %s = arith.mulf %e, %e : f32
      %a = arith.addf %out, %s : f32
      linalg.yield %a : f32
  } -> tensor<2x3xf32>
  %5 = tensor.empty() : tensor<2x3x16xf16>
  %6 = linalg.generic {indexing_maps = [affine_map<(b, g, i) -> (b, g, i)>, affine_map<(b, g, i) -> (b, g)>, affine_map<(b, g, i) -> (b, g, i)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%1, %4 : tensor<2x3x16xf16>, tensor<2x3xf32>) outs(%5 : tensor<2x3x16xf16>) {
    ^bb0(%in: f16, %sum: f32, %out: f16):
      %e = arith.extf %in : f16 to f32
      %r = math.sqrt %sum : f32
      %d = arith.divf %e, %r : f32
      %t = arith.truncf %d : f32 to f16
      linalg.yield %t : f16
  } -> tensor<2x3x16xf16>
  %7 = tensor.expand_shape %6 [[0], [1], [2, 3]] output_shape [2, 3, 2, 8] : tensor<2x3x16xf16> into tensor<2x3x2x8xf16>
  %8 = tensor.collapse_shape %7 [[0], [1, 2], [3]] : tensor<2x3x2x8xf16> into tensor<2x6x8xf16>
  %9 = tensor.empty() : tensor<2x6x8xf16>
  %10 = linalg.generic {indexing_maps = [affine_map<(b, c, i) -> (b, c, i)>, affine_map<(b, c, i) -> (c, 0)>, affine_map<(b, c, i) -> (b, c, i)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%8, %g : tensor<2x6x8xf16>, tensor<6x1xf16>) outs(%9 : tensor<2x6x8xf16>) {
    ^bb0(%in: f16, %gain: f16, %out: f16):
      %m = arith.mulf %in, %gain : f16
      linalg.yield %m : f16
  } -> tensor<2x6x8xf16>
  return %10 : tensor<2x6x8xf16>
}

// A sink that is among what a softmax sums up: what its reductions keep is dropped and added again, and so never dropped.

// CHECK-LABEL: func.func @sink(
// CHECK-SAME:    %[[X:.*]]: tensor<6x4x8xf32>, %[[SINK:.*]]: tensor<6xf32>)
// CHECK-DAG:     %[[S:.*]] = mirage_kernel.reshape %[[SINK]] : (tensor<6xf32>) -> tensor<6x1x1xf32>
// CHECK-DAG:     %[[ROW:.*]] = mirage_kernel.reduce_max %[[X]] dim 2 : (tensor<6x4x8xf32>) -> tensor<6x4x1xf32>
// CHECK:         %[[MAX:.*]] = mirage_kernel.max %[[ROW]], %[[S]] : (tensor<6x4x1xf32>, tensor<6x1x1xf32>) -> tensor<6x4x1xf32>
// CHECK-NOT:     mirage_kernel.reshape
// CHECK:         return
func.func @sink(%x: tensor<6x4x8xf32>, %sink: tensor<6xf32>) -> tensor<6x4x8xf32> {
  %0 = mirage_kernel.reduce_max %x dim 2 : (tensor<6x4x8xf32>) -> tensor<6x4x1xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<6x4x1xf32>) -> tensor<6x4xf32>
  %2 = mirage_kernel.reshape %sink : (tensor<6xf32>) -> tensor<6x1xf32>
  %3 = mirage_kernel.max %1, %2 : (tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x4xf32>
  %4 = mirage_kernel.reshape %3 : (tensor<6x4xf32>) -> tensor<6x4x1xf32>
  %5 = mirage_kernel.sub %x, %4 : (tensor<6x4x8xf32>, tensor<6x4x1xf32>) -> tensor<6x4x8xf32>
  %6 = mirage_kernel.exp %5 : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %7 = mirage_kernel.sum %6 dim 2 : (tensor<6x4x8xf32>) -> tensor<6x4x1xf32>
  %8 = mirage_kernel.reshape %7 : (tensor<6x4x1xf32>) -> tensor<6x4xf32>
  %9 = mirage_kernel.sub %2, %3 : (tensor<6x1xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %10 = mirage_kernel.exp %9 : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %11 = mirage_kernel.add %8, %10 : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %12 = mirage_kernel.reshape %11 : (tensor<6x4xf32>) -> tensor<6x4x1xf32>
  %13 = mirage_kernel.div %6, %12 : (tensor<6x4x8xf32>, tensor<6x4x1xf32>) -> tensor<6x4x8xf32>
  return %13 : tensor<6x4x8xf32>
}

// What is returned without the dimension stays without.

// CHECK-LABEL: func.func @returned_maximum(
// CHECK:         %[[ROW:.*]] = mirage_kernel.reshape %{{.*}} : (tensor<6x4x1xf32>) -> tensor<6x4xf32>
// CHECK:         %[[MAX:.*]] = mirage_kernel.max %[[ROW]], %{{.*}} -> tensor<6x4xf32>
// CHECK:         return %{{.*}}, %[[MAX]]
func.func @returned_maximum(%x: tensor<6x4x8xf32>, %sink: tensor<6x1xf32>) -> (tensor<6x4x8xf32>, tensor<6x4xf32>) {
  %0 = mirage_kernel.reduce_max %x dim 2 : (tensor<6x4x8xf32>) -> tensor<6x4x1xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<6x4x1xf32>) -> tensor<6x4xf32>
  %2 = mirage_kernel.max %1, %sink : (tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x4xf32>
  %3 = mirage_kernel.reshape %2 : (tensor<6x4xf32>) -> tensor<6x4x1xf32>
  %4 = mirage_kernel.sub %x, %3 : (tensor<6x4x8xf32>, tensor<6x4x1xf32>) -> tensor<6x4x8xf32>
  return %4, %2 : tensor<6x4x8xf32>, tensor<6x4xf32>
}

// Whichever of its readers comes first; the sink may be a part of an argument.

// CHECK-LABEL: func.func @sink_of_several(
// CHECK:         mirage_kernel.max {{.*}} -> tensor<6x4x1xf32>
// CHECK-NOT:     mirage_kernel.reshape {{.*}} -> tensor<6x4x1xf32>
// CHECK:         return
func.func @sink_of_several(%x: tensor<6x4x8xf32>, %sinks: tensor<12x1xf32>) -> (tensor<6x4x8xf32>, tensor<6x4xf32>) {
  %0 = mirage_kernel.reduce_max %x dim 2 : (tensor<6x4x8xf32>) -> tensor<6x4x1xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<6x4x1xf32>) -> tensor<6x4xf32>
  %2 = mirage_kernel.slice %sinks dim 0 offset 6 size 6 : (tensor<12x1xf32>) -> tensor<6x1xf32>
  %3 = mirage_kernel.exp %1 : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %4 = mirage_kernel.max %1, %2 : (tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x4xf32>
  %5 = mirage_kernel.reshape %4 : (tensor<6x4xf32>) -> tensor<6x4x1xf32>
  %6 = mirage_kernel.sub %x, %5 : (tensor<6x4x8xf32>, tensor<6x4x1xf32>) -> tensor<6x4x8xf32>
  return %6, %3 : tensor<6x4x8xf32>, tensor<6x4xf32>
}

// A reshape that makes the right factor has no part in the rows of a product, whose size is the same: what it merges stays so (a
// 1 x 1 convolution behind a normalization of groups of channels).

// CHECK-LABEL: func.func @square_weights(
// CHECK:         %[[X:.*]] = mirage_kernel.reshape %{{.*}} : (tensor<2x32x10x64xf16>) -> tensor<2x320x64xf16>
// CHECK-NEXT:    %[[W:.*]] = mirage_kernel.reshape %{{.*}} : (tensor<320x320xf16>) -> tensor<1x320x320xf16>
// CHECK-NEXT:    mirage_kernel.matmul %[[W]], %[[X]]
func.func @square_weights(%x: tensor<2x32x10x64xf16>, %m: tensor<2x32x1x1xf16>, %w: tensor<320x320xf16>) -> tensor<2x320x64xf16> {
  %0 = mirage_kernel.sub %x, %m : (tensor<2x32x10x64xf16>, tensor<2x32x1x1xf16>) -> tensor<2x32x10x64xf16>
  %1 = mirage_kernel.silu %0 : (tensor<2x32x10x64xf16>) -> tensor<2x32x10x64xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<2x32x10x64xf16>) -> tensor<2x320x64xf16>
  %3 = mirage_kernel.reshape %w : (tensor<320x320xf16>) -> tensor<1x320x320xf16>
  %4 = mirage_kernel.matmul %3, %2 : (tensor<1x320x320xf16>, tensor<2x320x64xf16>) -> tensor<2x320x64xf16>
  return %4 : tensor<2x320x64xf16>
}

// Rewrites that once undid each other: what is dead brings no reshape back, parts of an argument are reshaped where it is, and dimensions
// of size 1 of a transposed argument go to it.

// CHECK-LABEL: func.func @beside_what_is_dead(
// CHECK-SAME:    %[[X:.*]]: tensor<4x4x16xf16>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x4x16xf16>) -> tensor<256xf16>
// CHECK-NEXT:    mirage_kernel.mul %[[R]], %{{.*}} -> tensor<256xf16>
func.func @beside_what_is_dead(%x: tensor<4x4x16xf16>, %y: tensor<1x4x16xf16>, %s: tensor<f16>) -> tensor<256xf16> {
  %0 = mirage_kernel.sub %x, %y : (tensor<4x4x16xf16>, tensor<1x4x16xf16>) -> tensor<4x4x16xf16>
  %1 = mirage_kernel.silu %y : (tensor<1x4x16xf16>) -> tensor<1x4x16xf16>
  %2 = mirage_kernel.mul %x, %s : (tensor<4x4x16xf16>, tensor<f16>) -> tensor<4x4x16xf16>
  %3 = mirage_kernel.reshape %2 : (tensor<4x4x16xf16>) -> tensor<4x64xf16>
  %4 = mirage_kernel.reshape %3 : (tensor<4x64xf16>) -> tensor<256xf16>
  return %4 : tensor<256xf16>
}

// CHECK-LABEL: func.func @returned_part(
// CHECK-SAME:    %[[X:.*]]: tensor<4x32xf16>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x32xf16>) -> tensor<4x8x4xf16>
// CHECK-NEXT:    mirage_kernel.slice %[[R]] dim 0 offset 1 size 3
func.func @returned_part(%x: tensor<4x32xf16>) -> tensor<3x8x4xf16> {
  %0 = mirage_kernel.reshape %x : (tensor<4x32xf16>) -> tensor<4x8x4xf16>
  %1 = mirage_kernel.slice %0 dim 0 offset 1 size 3 : (tensor<4x8x4xf16>) -> tensor<3x8x4xf16>
  return %1 : tensor<3x8x4xf16>
}

// CHECK-LABEL: func.func @moved_unit(
// CHECK:         mirage_kernel.sqr %{{.*}} : (tensor<2x8x4xf16>) -> tensor<2x8x4xf16>
// CHECK-NEXT:    return
func.func @moved_unit(%x: tensor<1x2x8x4xf16>) -> tensor<2x8x4xf16> {
  %0 = mirage_kernel.transpose %x permutation [1, 2, 0, 3] : (tensor<1x2x8x4xf16>) -> tensor<2x8x1x4xf16>
  %1 = mirage_kernel.transpose %0 permutation [0, 1, 2, 3] : (tensor<2x8x1x4xf16>) -> tensor<2x8x1x4xf16>
  %2 = mirage_kernel.mul %1, %0 : (tensor<2x8x1x4xf16>, tensor<2x8x1x4xf16>) -> tensor<2x8x1x4xf16>
  %3 = mirage_kernel.reshape %2 : (tensor<2x8x1x4xf16>) -> tensor<2x8x4xf16>
  return %3 : tensor<2x8x4xf16>
}

// What is read in two shapes is computed in the one with merged dimensions.

// CHECK-LABEL: func.func @two_shapes(
// CHECK:         %[[Q:.*]] = mirage_kernel.div %{{.*}} -> tensor<64xf16>
// CHECK-NEXT:    %[[S:.*]] = mirage_kernel.reshape %[[Q]] : (tensor<64xf16>) -> tensor<2x32xf16>
// CHECK-NEXT:    return %[[Q]], %[[S]]
func.func @two_shapes(%x: tensor<2x2x16xf16>, %y: tensor<1xf16>) -> (tensor<64xf16>, tensor<2x32xf16>) {
  %0 = mirage_kernel.div %y, %x : (tensor<1xf16>, tensor<2x2x16xf16>) -> tensor<2x2x16xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<2x2x16xf16>) -> tensor<2x32xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<2x32xf16>) -> tensor<64xf16>
  return %2, %1 : tensor<64xf16>, tensor<2x32xf16>
}

// A part of a transposed argument loses its dimension of size 1 there.

// CHECK-LABEL: func.func @part_of_transposed(
// CHECK:         %[[P:.*]] = mirage_kernel.slice %{{.*}} dim 0 offset 16 size 16 : (tensor<32x4xf16>) -> tensor<16x4xf16>
// CHECK-NEXT:    %[[S:.*]] = mirage_kernel.silu %[[P]] : (tensor<16x4xf16>) -> tensor<16x4xf16>
// CHECK-NEXT:    mirage_kernel.transpose %[[S]] permutation [1, 0]
func.func @part_of_transposed(%x: tensor<2x16x4xf16>) -> tensor<4x16xf16> {
  %0 = mirage_kernel.transpose %x permutation [2, 0, 1] : (tensor<2x16x4xf16>) -> tensor<4x2x16xf16>
  %1 = mirage_kernel.silu %0 : (tensor<4x2x16xf16>) -> tensor<4x2x16xf16>
  %2 = mirage_kernel.slice %1 dim 1 offset 1 size 1 : (tensor<4x2x16xf16>) -> tensor<4x1x16xf16>
  %3 = mirage_kernel.reshape %2 : (tensor<4x1x16xf16>) -> tensor<4x16xf16>
  return %3 : tensor<4x16xf16>
}

// One query of one sequence, heads that share keys and a mask: what stands between the products is on the heads of the groups, though the
// reshapes in front and behind have as many dimensions as it.

// CHECK-LABEL: func.func @one_masked_query(
// CHECK-NOT:     mirage_kernel.reshape {{.*}}64xf
// CHECK:         mirage_kernel.add %{{.*}} -> tensor<1x8x4x64xf16>
// CHECK:         mirage_kernel.reduce_max %{{.*}} dim 3 : (tensor<1x8x4x64xf16>) -> tensor<1x8x4x1xf32>
// CHECK-NOT:     mirage_kernel.reshape {{.*}}64xf
// CHECK:         mirage_kernel.matmul %{{.*}} : (tensor<1x8x4x64xf16>, tensor<1x8x64x16xf16>) -> tensor<1x8x4x16xf16>
func.func @one_masked_query(%q: tensor<1x8x4x16xf16>, %k: tensor<1x8x16x64xf16>, %v: tensor<1x8x64x16xf16>, %mask: tensor<1x1x1x64xf16>) -> tensor<1x32x1x16xf16> {
  %0 = mirage_kernel.matmul %q, %k : (tensor<1x8x4x16xf16>, tensor<1x8x16x64xf16>) -> tensor<1x8x4x64xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<1x8x4x64xf16>) -> tensor<1x32x1x64xf16>
  %2 = mirage_kernel.add %1, %mask : (tensor<1x32x1x64xf16>, tensor<1x1x1x64xf16>) -> tensor<1x32x1x64xf16>
  %3 = mirage_kernel.reduce_max %2 dim 3 : (tensor<1x32x1x64xf16>) -> tensor<1x32x1x1xf32>
  %4 = mirage_kernel.sub %2, %3 : (tensor<1x32x1x64xf16>, tensor<1x32x1x1xf32>) -> tensor<1x32x1x64xf32>
  %5 = mirage_kernel.exp %4 : (tensor<1x32x1x64xf32>) -> tensor<1x32x1x64xf32>
  %6 = mirage_kernel.sum %5 dim 3 : (tensor<1x32x1x64xf32>) -> tensor<1x32x1x1xf32>
  %7 = mirage_kernel.div %5, %6 : (tensor<1x32x1x64xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x1x64xf16>
  %8 = mirage_kernel.reshape %7 : (tensor<1x32x1x64xf16>) -> tensor<1x8x4x64xf16>
  %9 = mirage_kernel.matmul %8, %v : (tensor<1x8x4x64xf16>, tensor<1x8x64x16xf16>) -> tensor<1x8x4x16xf16>
  %10 = mirage_kernel.reshape %9 : (tensor<1x8x4x16xf16>) -> tensor<1x32x1x16xf16>
  return %10 : tensor<1x32x1x16xf16>
}
