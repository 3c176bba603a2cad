// RUN: mirage-opt --mirage-schedule-kernels=target=sm_90a %s | FileCheck %s --check-prefix=SCHEDULE
// RUN: mirage-opt --mirage-schedule-kernels=target=sm_90a --convert-mirage-to-gpu=target=sm_90a %s | FileCheck %s
// RUN: mirage-opt --convert-mirage-to-gpu=target=sm_90a %s | FileCheck %s

// A product keeps its kernel, and says what a library would do instead; with a
// default block graph and without.
// SCHEDULE-LABEL: func.func @product
// SCHEDULE:       mirage_kernel.graph_defined{{.*}} {mirage.library = "matmul", mirage.scheduled}
// CHECK-LABEL:    func.func @product
// CHECK:          gpu.launch_func @mirage_kernels::@product_0
// CHECK-SAME:       mirage.library = {batch = 1 : i64, k = 32 : i64, m = 16 : i64, n = 8 : i64, op = "matmul"}
func.func @product(%x: tensor<16x32xf16>, %w: tensor<32x8xf16>) -> tensor<16x8xf32> {
  %y = mirage_kernel.matmul %x, %w : (tensor<16x32xf16>, tensor<32x8xf16>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// Batches are one dimension.
// CHECK-LABEL: func.func @batches
// CHECK:       mirage.library = {batch = 6 : i64, k = 5 : i64, m = 4 : i64, n = 7 : i64, op = "matmul"}
func.func @batches(%x: tensor<2x3x4x5xbf16>, %w: tensor<2x3x5x7xbf16>) -> tensor<2x3x4x7xbf16> {
  %y = mirage_kernel.matmul %x, %w : (tensor<2x3x4x5xbf16>, tensor<2x3x5x7xbf16>) -> tensor<2x3x4x7xbf16>
  return %y : tensor<2x3x4x7xbf16>
}

// Those that share their right operand are rows.
// CHECK-LABEL: func.func @rows
// CHECK:       mirage.library = {batch = 1 : i64, k = 5 : i64, m = 24 : i64, n = 7 : i64, op = "matmul"}
func.func @rows(%x: tensor<2x3x4x5xbf16>, %w: tensor<1x1x5x7xbf16>) -> tensor<2x3x4x7xbf16> {
  %y = mirage_kernel.matmul %x, %w : (tensor<2x3x4x5xbf16>, tensor<1x1x5x7xbf16>) -> tensor<2x3x4x7xbf16>
  return %y : tensor<2x3x4x7xbf16>
}

// Not more of them than the library can count.
// CHECK-LABEL: func.func @many(
// CHECK-NOT:   mirage.library
func.func @many(%x: tensor<2147483648x1x1xbf16>, %w: tensor<1x1x1xbf16>) -> tensor<2147483648x1x1xbf16> {
  %y = mirage_kernel.matmul %x, %w : (tensor<2147483648x1x1xbf16>, tensor<1x1x1xbf16>) -> tensor<2147483648x1x1xbf16>
  return %y : tensor<2147483648x1x1xbf16>
}

// An operand may be repeated over all of them, not over some.
// CHECK-LABEL: func.func @repeated
// CHECK:       mirage.library = {batch = 6 : i64, k = 5 : i64, m = 4 : i64, n = 7 : i64, op = "matmul"}
// CHECK-NOT:   mirage.library
func.func @repeated(%x: tensor<1x1x4x5xf16>, %z: tensor<1x3x4x5xf16>, %w: tensor<2x3x5x7xf16>) -> (tensor<2x3x4x7xf16>, tensor<2x3x4x7xf16>) {
  %y = mirage_kernel.matmul %x, %w : (tensor<1x1x4x5xf16>, tensor<2x3x5x7xf16>) -> tensor<2x3x4x7xf16>
  %v = mirage_kernel.matmul %z, %w : (tensor<1x3x4x5xf16>, tensor<2x3x5x7xf16>) -> tensor<2x3x4x7xf16>
  return %y, %v : tensor<2x3x4x7xf16>, tensor<2x3x4x7xf16>
}

// The library transposes its operand; a block graph the tile.
// SCHEDULE-LABEL: func.func @linear
// SCHEDULE:       mirage_kernel.graph_defined{{.*}} {mirage.library = "matmul_transposed", mirage.scheduled}
// SCHEDULE:       %[[W:.*]] = mirage_block.transpose {{.*}} permutation [0, 2, 1]
// SCHEDULE:       mirage_block.matmul %{{.*}}, %[[W]]
// Batches that share the weights are rows of one product.
// CHECK-LABEL:    func.func @linear
// CHECK:          mirage.library = {batch = 1 : i64, k = 32 : i64, m = 32 : i64, n = 8 : i64, op = "matmul_transposed"}
func.func @linear(%x: tensor<2x16x32xf16>, %w: tensor<1x8x32xf16>) -> tensor<2x16x8xf16> {
  %y = mirage_kernel.matmul_transposed %x, %w : (tensor<2x16x32xf16>, tensor<1x8x32xf16>) -> tensor<2x16x8xf16>
  return %y : tensor<2x16x8xf16>
}

// So it does for the first operand, of which there may be one for all batches.
// SCHEDULE-LABEL: func.func @gradient
// SCHEDULE:       mirage_kernel.graph_defined{{.*}} {mirage.library = "matmul_transposed_lhs", mirage.scheduled}
// SCHEDULE:       %[[X:.*]] = mirage_block.transpose {{.*}} permutation [0, 2, 1]
// SCHEDULE:       mirage_block.matmul %[[X]], %{{.*}}
// CHECK-LABEL:    func.func @gradient
// CHECK:          mirage.library = {batch = 2 : i64, k = 32 : i64, m = 16 : i64, n = 8 : i64, op = "matmul_transposed_lhs"}
func.func @gradient(%x: tensor<1x32x16xf16>, %d: tensor<2x32x8xf16>) -> tensor<2x16x8xf16> {
  %y = mirage_kernel.matmul_transposed_lhs %x, %d : (tensor<1x32x16xf16>, tensor<2x32x8xf16>) -> tensor<2x16x8xf16>
  return %y : tensor<2x16x8xf16>
}

// A square is a product of one buffer with itself.
// CHECK-LABEL: func.func @square
// CHECK:       args(%[[X:.*]] : memref<4x4xf32>, %[[X]] : memref<4x4xf32>, %{{.*}} : memref<4x4xf32>) {mirage.library
func.func @square(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = mirage_kernel.matmul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// What the library doesn't have: operands of two types, a narrow result.
// SCHEDULE-LABEL: func.func @mixed
// CHECK-LABEL:    func.func @mixed
// CHECK-NOT:      mirage.library
func.func @mixed(%x: tensor<4x4xf16>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf16>) {
  %p = mirage_kernel.matmul %x, %y : (tensor<4x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %q = mirage_kernel.matmul %y, %y : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf16>
  return %p, %q : tensor<4x4xf32>, tensor<4x4xf16>
}

// Nor any other operator.
// CHECK-LABEL: func.func @sum
// CHECK-NOT:   mirage.library
func.func @sum(%x: tensor<4x8xf16>, %y: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.add %x, %y : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}
