// RUN: mirage-opt --convert-linalg-to-mirage %s | FileCheck %s

// Weights with a scale for each group of rows: a product for each group, and the sum of them.

// CHECK-LABEL: func.func @groups(
// CHECK-SAME:    %[[X:.*]]: tensor<16x64xf16>, %[[W:.*]]: tensor<4x16x32xf16>, %[[S:.*]]: tensor<4x1x32xf16>)
// CHECK-NEXT:    %[[D:.*]] = mirage_kernel.mul %[[W]], %[[S]] : (tensor<4x16x32xf16>, tensor<4x1x32xf16>) -> tensor<4x16x32xf16>
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<16x64xf16>) -> tensor<16x4x16xf16>
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[R]] permutation [1, 0, 2]
// CHECK-NEXT:    %[[P:.*]] = mirage_kernel.matmul %[[T]], %[[D]] : (tensor<4x16x16xf16>, tensor<4x16x32xf16>) -> tensor<4x16x32xf32>
// CHECK-NEXT:    %[[A:.*]] = mirage_kernel.sum %[[P]] dim 0 : (tensor<4x16x32xf32>) -> tensor<1x16x32xf16>
// CHECK-NEXT:    %[[Y:.*]] = mirage_kernel.reshape %[[A]] : (tensor<1x16x32xf16>) -> tensor<16x32xf16>
// CHECK-NEXT:    return %[[Y]]
func.func @groups(%x: tensor<16x64xf16>, %w: tensor<4x16x32xf16>, %s: tensor<4x1x32xf16>) -> tensor<16x32xf16> {
  %0 = mirage_kernel.mul %w, %s : (tensor<4x16x32xf16>, tensor<4x1x32xf16>) -> tensor<4x16x32xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<4x16x32xf16>) -> tensor<64x32xf16>
  %2 = mirage_kernel.matmul %x, %1 : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  return %2 : tensor<16x32xf16>
}

// The scale belongs to the rows of all groups, and to the left factor; the other one is a sum over two dimensions.

// CHECK-LABEL: func.func @left(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<2x4x8x16xf16>, tensor<2x4x16x32xf16>) -> tensor<2x4x8x32xf32>
// CHECK-NEXT:    mirage_kernel.sum %{{.*}} dim 1 : (tensor<2x4x8x32xf32>) -> tensor<2x1x8x32xf32>
func.func @left(%x: tensor<2x8x4x16xf16>, %s: tensor<16xf16>, %w: tensor<2x64x32xf16>) -> tensor<2x8x32xf32> {
  %0 = mirage_kernel.mul %x, %s : (tensor<2x8x4x16xf16>, tensor<16xf16>) -> tensor<2x8x4x16xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<2x8x4x16xf16>) -> tensor<2x8x64xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<2x8x64xf16>, tensor<2x64x32xf16>) -> tensor<2x8x32xf32>
  return %2 : tensor<2x8x32xf32>
}

// Weights as they are stored, transposed behind the scales.

// CHECK-LABEL: func.func @transposed(
// CHECK:         mirage_kernel.transpose %{{.*}} permutation [1, 2, 0] : (tensor<32x4x16xf16>) -> tensor<4x16x32xf16>
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<4x16x16xf16>, tensor<4x16x32xf16>) -> tensor<4x16x32xf32>
// CHECK-NEXT:    mirage_kernel.sum
#all = affine_map<(n, g, k) -> (n, g, k)>
#group = affine_map<(n, g, k) -> (n, g, 0)>
func.func @transposed(%x: tensor<16x64xf16>, %w: tensor<32x64xf16>, %s: tensor<32x4x1xf16>) -> tensor<16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.expand_shape %w [[0], [1, 2]] output_shape [32, 4, 16] : tensor<32x64xf16> into tensor<32x4x16xf16>
  %1 = tensor.empty() : tensor<32x4x16xf16>
  %2 = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %s : tensor<32x4x16xf16>, tensor<32x4x1xf16>) outs(%1 : tensor<32x4x16xf16>) {
  ^bb0(%a: f16, %b: f16, %out: f16):
    %p = arith.mulf %a, %b : f16
    linalg.yield %p : f16
  } -> tensor<32x4x16xf16>
  %3 = tensor.collapse_shape %2 [[0], [1, 2]] : tensor<32x4x16xf16> into tensor<32x64xf16>
  %4 = tensor.empty() : tensor<64x32xf16>
  %5 = linalg.transpose ins(%3 : tensor<32x64xf16>) outs(%4 : tensor<64x32xf16>) permutation = [1, 0]
  %6 = tensor.empty() : tensor<16x32xf32>
  %7 = linalg.fill ins(%zero : f32) outs(%6 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %8 = linalg.matmul ins(%x, %5 : tensor<16x64xf16>, tensor<64x32xf16>) outs(%7 : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %8 : tensor<16x32xf32>
}

// Nothing stands between the reshape and the argument, or what does has both dimensions: they are merged.

// CHECK-LABEL: func.func @merged(
// CHECK:         mirage_kernel.exp %{{.*}} : (tensor<64x32xf16>) -> tensor<64x32xf16>
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
func.func @merged(%x: tensor<16x64xf16>, %w: tensor<4x16x32xf16>) -> tensor<16x32xf32> {
  %0 = mirage_kernel.exp %w : (tensor<4x16x32xf16>) -> tensor<4x16x32xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<4x16x32xf16>) -> tensor<64x32xf16>
  %2 = mirage_kernel.matmul %x, %1 : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}

// Weights are scaled once for many rows.

// CHECK-LABEL: func.func @rows(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<129x64xf16>, tensor<64x32xf16>) -> tensor<129x32xf16>
func.func @rows(%x: tensor<129x64xf16>, %w: tensor<4x16x32xf16>, %s: tensor<4x1x32xf16>) -> tensor<129x32xf16> {
  %0 = mirage_kernel.mul %w, %s : (tensor<4x16x32xf16>, tensor<4x1x32xf16>) -> tensor<4x16x32xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<4x16x32xf16>) -> tensor<64x32xf16>
  %2 = mirage_kernel.matmul %x, %1 : (tensor<129x64xf16>, tensor<64x32xf16>) -> tensor<129x32xf16>
  return %2 : tensor<129x32xf16>
}

// Scales of groups, and of groups of groups.

// CHECK-LABEL: func.func @two_levels(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<2x4x16x16xf16>, tensor<2x4x16x32xf16>) -> tensor<2x4x16x32xf32>
// CHECK-NEXT:    mirage_kernel.sum %{{.*}} dim 0 : (tensor<2x4x16x32xf32>) -> tensor<1x4x16x32xf32>
// CHECK-NEXT:    mirage_kernel.sum %{{.*}} dim 1 : (tensor<1x4x16x32xf32>) -> tensor<1x1x16x32xf16>
// CHECK-NEXT:    mirage_kernel.reshape %{{.*}} : (tensor<1x1x16x32xf16>) -> tensor<16x32xf16>
func.func @two_levels(%x: tensor<16x128xf16>, %w: tensor<2x4x16x32xf16>, %s: tensor<2x4x1x32xf16>, %t: tensor<2x1x1x32xf16>) -> tensor<16x32xf16> {
  %0 = mirage_kernel.mul %w, %s : (tensor<2x4x16x32xf16>, tensor<2x4x1x32xf16>) -> tensor<2x4x16x32xf16>
  %1 = mirage_kernel.mul %0, %t : (tensor<2x4x16x32xf16>, tensor<2x1x1x32xf16>) -> tensor<2x4x16x32xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<2x4x16x32xf16>) -> tensor<128x32xf16>
  %3 = mirage_kernel.matmul %x, %2 : (tensor<16x128xf16>, tensor<128x32xf16>) -> tensor<16x32xf16>
  return %3 : tensor<16x32xf16>
}

// Small groups make many products: 16 rows for each of their elements.

// CHECK-LABEL: func.func @small_groups(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<33x64xf16>, tensor<64x32xf16>) -> tensor<33x32xf16>
func.func @small_groups(%x: tensor<33x64xf16>, %w: tensor<32x2x32xf16>, %s: tensor<32x1x32xf16>) -> tensor<33x32xf16> {
  %0 = mirage_kernel.mul %w, %s : (tensor<32x2x32xf16>, tensor<32x1x32xf16>) -> tensor<32x2x32xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<32x2x32xf16>) -> tensor<64x32xf16>
  %2 = mirage_kernel.matmul %x, %1 : (tensor<33x64xf16>, tensor<64x32xf16>) -> tensor<33x32xf16>
  return %2 : tensor<33x32xf16>
}

// Weights that are returned, too.

// CHECK-LABEL: func.func @returned(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<65x64xf16>, tensor<64x32xf16>) -> tensor<65x32xf16>
func.func @returned(%x: tensor<65x64xf16>, %w: tensor<4x16x32xf16>, %s: tensor<4x1x32xf16>) -> (tensor<65x32xf16>, tensor<64x32xf16>) {
  %0 = mirage_kernel.mul %w, %s : (tensor<4x16x32xf16>, tensor<4x1x32xf16>) -> tensor<4x16x32xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<4x16x32xf16>) -> tensor<64x32xf16>
  %2 = mirage_kernel.matmul %x, %1 : (tensor<65x64xf16>, tensor<64x32xf16>) -> tensor<65x32xf16>
  return %2, %1 : tensor<65x32xf16>, tensor<64x32xf16>
}

// Heads of few rows that are normalized, merged and gated: computing them once for every 64 columns is cheap. The gate, its
// argument and a gain for all are split.

// CHECK-LABEL: func.func @heads(
// CHECK-SAME:    %[[O:.*]]: tensor<4x2x16xf16>, %[[G:.*]]: tensor<4x32xf16>, %[[GAIN:.*]]: tensor<32xf16>, %[[W:.*]]: tensor<32x256xf16>)
// CHECK-DAG:     mirage_kernel.reshape %[[G]] : (tensor<4x32xf16>) -> tensor<4x2x16xf16>
// CHECK-DAG:     mirage_kernel.reshape %[[GAIN]] : (tensor<32xf16>) -> tensor<2x16xf16>
// CHECK-DAG:     mirage_kernel.silu %{{.*}} : (tensor<4x2x16xf16>) -> tensor<4x2x16xf32>
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<2x4x16xf16>, tensor<2x16x256xf16>) -> tensor<2x4x256xf32>
// CHECK-NEXT:    mirage_kernel.sum %{{.*}} dim 0
func.func @heads(%o: tensor<4x2x16xf16>, %g: tensor<4x32xf16>, %gain: tensor<32xf16>, %w: tensor<32x256xf16>) -> tensor<4x256xf16> {
  %0 = mirage_kernel.reduce_max %o dim 2 : (tensor<4x2x16xf16>) -> tensor<4x2x1xf16>
  %1 = mirage_kernel.div %o, %0 : (tensor<4x2x16xf16>, tensor<4x2x1xf16>) -> tensor<4x2x16xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<4x2x16xf16>) -> tensor<4x32xf16>
  %3 = mirage_kernel.mul %2, %gain : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
  %4 = mirage_kernel.silu %g : (tensor<4x32xf16>) -> tensor<4x32xf32>
  %5 = mirage_kernel.mul %3, %4 : (tensor<4x32xf16>, tensor<4x32xf32>) -> tensor<4x32xf16>
  %6 = mirage_kernel.matmul %5, %w : (tensor<4x32xf16>, tensor<32x256xf16>) -> tensor<4x256xf16>
  return %6 : tensor<4x256xf16>
}

// Heads of more rows, and those that a product makes, are merged.

// CHECK-LABEL: func.func @many_heads(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<64x32xf16>, tensor<32x256xf16>) -> tensor<64x256xf16>
func.func @many_heads(%o: tensor<64x2x16xf16>, %w: tensor<32x256xf16>) -> tensor<64x256xf16> {
  %0 = mirage_kernel.reduce_max %o dim 2 : (tensor<64x2x16xf16>) -> tensor<64x2x1xf16>
  %1 = mirage_kernel.div %o, %0 : (tensor<64x2x16xf16>, tensor<64x2x1xf16>) -> tensor<64x2x16xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<64x2x16xf16>) -> tensor<64x32xf16>
  %3 = mirage_kernel.matmul %2, %w : (tensor<64x32xf16>, tensor<32x256xf16>) -> tensor<64x256xf16>
  return %3 : tensor<64x256xf16>
}

// CHECK-LABEL: func.func @products(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<4x32xf16>, tensor<32x256xf16>) -> tensor<4x256xf16>
func.func @products(%q: tensor<4x2x8xf16>, %k: tensor<4x8x16xf16>, %w: tensor<32x256xf16>) -> tensor<4x256xf16> {
  %0 = mirage_kernel.matmul %q, %k : (tensor<4x2x8xf16>, tensor<4x8x16xf16>) -> tensor<4x2x16xf16>
  %1 = mirage_kernel.reduce_max %0 dim 2 : (tensor<4x2x16xf16>) -> tensor<4x2x1xf16>
  %2 = mirage_kernel.div %0, %1 : (tensor<4x2x16xf16>, tensor<4x2x1xf16>) -> tensor<4x2x16xf16>
  %3 = mirage_kernel.reshape %2 : (tensor<4x2x16xf16>) -> tensor<4x32xf16>
  %4 = mirage_kernel.matmul %3, %w : (tensor<4x32xf16>, tensor<32x256xf16>) -> tensor<4x256xf16>
  return %4 : tensor<4x256xf16>
}

// A scale for each block of rows and columns: groups of columns become batches, and the result is transposed.

// CHECK-LABEL: func.func @blocks(
// CHECK-SAME:    %[[X:.*]]: tensor<8x64xf16>, %[[W:.*]]: tensor<64x48xf16>, %[[S:.*]]: tensor<4x1x3x1xf16>)
// CHECK-NEXT:    %[[B:.*]] = mirage_kernel.reshape %[[W]] : (tensor<64x48xf16>) -> tensor<4x16x3x16xf16>
// CHECK-NEXT:    %[[D:.*]] = mirage_kernel.mul %[[B]], %[[S]] : (tensor<4x16x3x16xf16>, tensor<4x1x3x1xf16>) -> tensor<4x16x3x16xf16>
// CHECK-DAG:     %[[F:.*]] = mirage_kernel.transpose %[[D]] permutation [0, 2, 1, 3] : (tensor<4x16x3x16xf16>) -> tensor<4x3x16x16xf16>
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.reshape %[[X]] : (tensor<8x64xf16>) -> tensor<1x8x4x16xf16>
// CHECK-DAG:     %[[T:.*]] = mirage_kernel.transpose %[[R]] permutation [2, 0, 1, 3] : (tensor<1x8x4x16xf16>) -> tensor<4x1x8x16xf16>
// CHECK:         %[[P:.*]] = mirage_kernel.matmul %[[T]], %[[F]] : (tensor<4x1x8x16xf16>, tensor<4x3x16x16xf16>) -> tensor<4x3x8x16xf32>
// CHECK-NEXT:    %[[A:.*]] = mirage_kernel.sum %[[P]] dim 0 : (tensor<4x3x8x16xf32>) -> tensor<1x3x8x16xf16>
// CHECK-NEXT:    %[[U:.*]] = mirage_kernel.reshape %[[A]] : (tensor<1x3x8x16xf16>) -> tensor<3x8x16xf16>
// CHECK-NEXT:    %[[V:.*]] = mirage_kernel.transpose %[[U]] permutation [1, 0, 2] : (tensor<3x8x16xf16>) -> tensor<8x3x16xf16>
// CHECK-NEXT:    %[[Y:.*]] = mirage_kernel.reshape %[[V]] : (tensor<8x3x16xf16>) -> tensor<8x48xf16>
// CHECK-NEXT:    return %[[Y]]
func.func @blocks(%x: tensor<8x64xf16>, %w: tensor<64x48xf16>, %s: tensor<4x1x3x1xf16>) -> tensor<8x48xf16> {
  %0 = mirage_kernel.reshape %w : (tensor<64x48xf16>) -> tensor<4x16x3x16xf16>
  %1 = mirage_kernel.mul %0, %s : (tensor<4x16x3x16xf16>, tensor<4x1x3x1xf16>) -> tensor<4x16x3x16xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<4x16x3x16xf16>) -> tensor<64x48xf16>
  %3 = mirage_kernel.matmul %x, %2 : (tensor<8x64xf16>, tensor<64x48xf16>) -> tensor<8x48xf16>
  return %3 : tensor<8x48xf16>
}

// Weights stored transposed: the groups of columns come first, as they are stored, and scales needn't be transposed.

// CHECK-LABEL: func.func @transposed_blocks(
// CHECK-DAG:     mirage_kernel.transpose %{{.*}} permutation [0, 2, 3, 1] : (tensor<3x16x4x8xf16>) -> tensor<3x4x8x16xf16>
// CHECK-DAG:     mirage_kernel.transpose %{{.*}} permutation [0, 2, 1, 3] : (tensor<1x8x4x8xf16>) -> tensor<1x4x8x8xf16>
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<1x4x8x8xf16>, tensor<3x4x8x16xf16>) -> tensor<3x4x8x16xf32>
// CHECK-NEXT:    mirage_kernel.sum %{{.*}} dim 1 : (tensor<3x4x8x16xf32>) -> tensor<3x1x8x16xf32>
func.func @transposed_blocks(%x: tensor<8x32xf16>, %w: tensor<48x32xf16>, %s: tensor<3x1x4x1xf16>) -> tensor<8x48xf32> {
  %0 = mirage_kernel.reshape %w : (tensor<48x32xf16>) -> tensor<3x16x4x8xf16>
  %1 = mirage_kernel.mul %0, %s : (tensor<3x16x4x8xf16>, tensor<3x1x4x1xf16>) -> tensor<3x16x4x8xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<3x16x4x8xf16>) -> tensor<48x32xf16>
  %3 = mirage_kernel.transpose %2 permutation [1, 0] : (tensor<48x32xf16>) -> tensor<32x48xf16>
  %4 = mirage_kernel.matmul %x, %3 : (tensor<8x32xf16>, tensor<32x48xf16>) -> tensor<8x48xf32>
  return %4 : tensor<8x48xf32>
}

// Scales of columns alone take no sum, and the result keeps its type.

// CHECK-LABEL: func.func @columns(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<1x64x32xf16>, tensor<6x32x8xf16>) -> tensor<6x64x8xf16>
// CHECK-NEXT:    mirage_kernel.transpose %{{.*}} permutation [1, 0, 2] : (tensor<6x64x8xf16>) -> tensor<64x6x8xf16>
func.func @columns(%x: tensor<64x32xf16>, %w: tensor<32x48xf16>, %s: tensor<6x1xf16>) -> tensor<64x48xf16> {
  %0 = mirage_kernel.reshape %w : (tensor<32x48xf16>) -> tensor<32x6x8xf16>
  %1 = mirage_kernel.mul %0, %s : (tensor<32x6x8xf16>, tensor<6x1xf16>) -> tensor<32x6x8xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<32x6x8xf16>) -> tensor<32x48xf16>
  %3 = mirage_kernel.matmul %x, %2 : (tensor<64x32xf16>, tensor<32x48xf16>) -> tensor<64x48xf16>
  return %3 : tensor<64x48xf16>
}

// Eight rows for each column of a group, and no more.

// CHECK-LABEL: func.func @few_columns(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<65x32xf16>, tensor<32x48xf16>) -> tensor<65x48xf16>
func.func @few_columns(%x: tensor<65x32xf16>, %w: tensor<32x48xf16>, %s: tensor<6x1xf16>) -> tensor<65x48xf16> {
  %0 = mirage_kernel.reshape %w : (tensor<32x48xf16>) -> tensor<32x6x8xf16>
  %1 = mirage_kernel.mul %0, %s : (tensor<32x6x8xf16>, tensor<6x1xf16>) -> tensor<32x6x8xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<32x6x8xf16>) -> tensor<32x48xf16>
  %3 = mirage_kernel.matmul %x, %2 : (tensor<65x32xf16>, tensor<32x48xf16>) -> tensor<65x48xf16>
  return %3 : tensor<65x48xf16>
}

// The weights are the left factor: groups of rows, which stay in front of the columns.

// CHECK-LABEL: func.func @rows_of_blocks(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<3x4x16x8xf16>, tensor<1x4x8x8xf16>) -> tensor<3x4x16x8xf32>
// CHECK-NEXT:    mirage_kernel.sum %{{.*}} dim 1 : (tensor<3x4x16x8xf32>) -> tensor<3x1x16x8xf16>
// CHECK-NEXT:    mirage_kernel.reshape %{{.*}} : (tensor<3x1x16x8xf16>) -> tensor<48x8xf16>
// CHECK-NEXT:    return
func.func @rows_of_blocks(%w: tensor<48x32xf16>, %s: tensor<3x1x4x1xf16>, %x: tensor<32x8xf16>) -> tensor<48x8xf16> {
  %0 = mirage_kernel.reshape %w : (tensor<48x32xf16>) -> tensor<3x16x4x8xf16>
  %1 = mirage_kernel.mul %0, %s : (tensor<3x16x4x8xf16>, tensor<3x1x4x1xf16>) -> tensor<3x16x4x8xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<3x16x4x8xf16>) -> tensor<48x32xf16>
  %3 = mirage_kernel.matmul %2, %x : (tensor<48x32xf16>, tensor<32x8xf16>) -> tensor<48x8xf16>
  return %3 : tensor<48x8xf16>
}

// Batches: of one, which are dropped, and of several, each with its own weights.

// CHECK-LABEL: func.func @batches(
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<5x1x8x32xf16>, tensor<5x3x32x16xf16>) -> tensor<5x3x8x16xf16>
// CHECK-NEXT:    mirage_kernel.transpose %{{.*}} permutation [0, 2, 1, 3] : (tensor<5x3x8x16xf16>) -> tensor<5x8x3x16xf16>
// CHECK-NEXT:    mirage_kernel.reshape %{{.*}} : (tensor<5x8x3x16xf16>) -> tensor<1x5x8x48xf16>
func.func @batches(%x: tensor<1x5x8x32xf16>, %w: tensor<1x5x32x48xf16>, %s: tensor<1x5x1x3x1xf16>) -> tensor<1x5x8x48xf16> {
  %0 = mirage_kernel.reshape %w : (tensor<1x5x32x48xf16>) -> tensor<1x5x32x3x16xf16>
  %1 = mirage_kernel.mul %0, %s : (tensor<1x5x32x3x16xf16>, tensor<1x5x1x3x1xf16>) -> tensor<1x5x32x3x16xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<1x5x32x3x16xf16>) -> tensor<1x5x32x48xf16>
  %3 = mirage_kernel.matmul %x, %2 : (tensor<1x5x8x32xf16>, tensor<1x5x32x48xf16>) -> tensor<1x5x8x48xf16>
  return %3 : tensor<1x5x8x48xf16>
}

// Groups of a cache with positions first: the dimension that is merged stays where it is when the others are transposed.

// CHECK-LABEL: func.func @values(
// CHECK:         mirage_kernel.transpose %{{.*}} permutation [1, 2, 0, 3] : (tensor<64x2x4x8xf16>) -> tensor<2x4x64x8xf16>
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<2x1x4x64xf16>, tensor<2x4x64x8xf16>) -> tensor<2x4x4x8xf16>
func.func @values(%p: tensor<2x4x64xf16>, %v: tensor<64x2x32xf16>, %s: tensor<64x2x4x1xf16>) -> tensor<2x4x32xf16> {
  %0 = mirage_kernel.reshape %v : (tensor<64x2x32xf16>) -> tensor<64x2x4x8xf16>
  %1 = mirage_kernel.mul %0, %s : (tensor<64x2x4x8xf16>, tensor<64x2x4x1xf16>) -> tensor<64x2x4x8xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<64x2x4x8xf16>) -> tensor<64x2x32xf16>
  %3 = mirage_kernel.transpose %2 permutation [1, 0, 2] : (tensor<64x2x32xf16>) -> tensor<2x64x32xf16>
  %4 = mirage_kernel.matmul %p, %3 : (tensor<2x4x64xf16>, tensor<2x64x32xf16>) -> tensor<2x4x32xf16>
  return %4 : tensor<2x4x32xf16>
}

// What is between the product of one group's sums and the next product works without a batch of one, which is at another
// place for either of them.

// CHECK-LABEL: func.func @between(
// CHECK:         mirage_kernel.sum %{{.*}} dim 1 : (tensor<2x4x4x64xf32>) -> tensor<2x1x4x64xf16>
// CHECK-NEXT:    mirage_kernel.reshape %{{.*}} : (tensor<2x1x4x64xf16>) -> tensor<2x4x64xf16>
// CHECK-NEXT:    mirage_kernel.reduce_max %{{.*}} dim 2 : (tensor<2x4x64xf16>) -> tensor<2x4x1xf16>
// CHECK-NEXT:    mirage_kernel.div %{{.*}} : (tensor<2x4x64xf16>, tensor<2x4x1xf16>) -> tensor<2x4x64xf16>
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<2x1x4x64xf16>, tensor<2x4x64x8xf16>) -> tensor<2x4x4x8xf16>
func.func @between(%q: tensor<1x2x4x32xf16>, %k: tensor<1x2x64x32xf16>, %sk: tensor<1x2x64x4x1xf16>, %v: tensor<1x2x64x32xf16>,
                   %sv: tensor<1x2x64x4x1xf16>) -> tensor<1x2x4x32xf16> {
  %0 = mirage_kernel.reshape %k : (tensor<1x2x64x32xf16>) -> tensor<1x2x64x4x8xf16>
  %1 = mirage_kernel.mul %0, %sk : (tensor<1x2x64x4x8xf16>, tensor<1x2x64x4x1xf16>) -> tensor<1x2x64x4x8xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<1x2x64x4x8xf16>) -> tensor<1x2x64x32xf16>
  %3 = mirage_kernel.transpose %2 permutation [0, 1, 3, 2] : (tensor<1x2x64x32xf16>) -> tensor<1x2x32x64xf16>
  %4 = mirage_kernel.matmul %q, %3 : (tensor<1x2x4x32xf16>, tensor<1x2x32x64xf16>) -> tensor<1x2x4x64xf16>
  %5 = mirage_kernel.reduce_max %4 dim 3 : (tensor<1x2x4x64xf16>) -> tensor<1x2x4x1xf16>
  %6 = mirage_kernel.div %4, %5 : (tensor<1x2x4x64xf16>, tensor<1x2x4x1xf16>) -> tensor<1x2x4x64xf16>
  %7 = mirage_kernel.reshape %v : (tensor<1x2x64x32xf16>) -> tensor<1x2x64x4x8xf16>
  %8 = mirage_kernel.mul %7, %sv : (tensor<1x2x64x4x8xf16>, tensor<1x2x64x4x1xf16>) -> tensor<1x2x64x4x8xf16>
  %9 = mirage_kernel.reshape %8 : (tensor<1x2x64x4x8xf16>) -> tensor<1x2x64x32xf16>
  %10 = mirage_kernel.matmul %6, %9 : (tensor<1x2x4x64xf16>, tensor<1x2x64x32xf16>) -> tensor<1x2x4x32xf16>
  return %10 : tensor<1x2x4x32xf16>
}
