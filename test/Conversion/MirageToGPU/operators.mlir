// Kernels of operators without a block graph: threads read device memory.

// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 threads=64 allow-unverified" %s | FileCheck %s

// CHECK-LABEL: gpu.func @concat_0(
// CHECK-SAME:    %[[X:.*]]: memref<8x3xf16>, %[[Y:.*]]: memref<8x5xf16>, %[[OUT:.*]]: memref<8x8xf32>)
// CHECK-SAME:    known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>
// CHECK:       scf.for
// CHECK:         %[[VALUE:.*]] = scf.if
// CHECK:           memref.load %[[X]]
// CHECK:         } else {
// CHECK:           memref.load %[[Y]]
// CHECK:         memref.store %[[VALUE]], %[[OUT]]
// CHECK-NOT:   gpu.barrier
// CHECK:       gpu.return

// The operand is seen in its own shape, and so is the result.
// CHECK-LABEL: gpu.func @chain_0(
// CHECK-SAME:    %[[X:.*]]: memref<4x16xf16>, %[[TMP:.*]]: memref<4x1xf32>)
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32)
// CHECK:         arith.maximumf
// CHECK:       memref.store %{{.*}}, %[[TMP]]
// CHECK-LABEL: gpu.func @chain_1(
// CHECK-SAME:    %[[TMP:.*]]: memref<4x1xf32>, %[[OUT:.*]]: memref<2x2x2xf16>)
// CHECK-DAG:     memref.reinterpret_cast %[[TMP]] to offset: [0], sizes: [2, 2]
// CHECK-DAG:     memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [4, 2]

// A reshape that rounds is a kernel.
// CHECK-LABEL: gpu.func @rounding_reshape_0(
// CHECK:       memref.load %{{.*}} : memref<4x2xf32>
// CHECK:       arith.truncf
// CHECK:       memref.store %{{.*}} : memref<8xf16>

// CHECK-LABEL: func.func @concat(
func.func @concat(%x: tensor<8x3xf16>, %y: tensor<8x5xf16>) -> tensor<8x8xf32> {
  %z = mirage_kernel.concat %x, %y dim 1 : (tensor<8x3xf16>, tensor<8x5xf16>) -> tensor<8x8xf32>
  return %z : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:.*]]: memref<4x16xf16>, %[[OUT:.*]]: memref<2x2x2xf16>)
// CHECK:       %[[TMP:.*]] = memref.alloc() : memref<4x1xf32>
// CHECK:       gpu.launch_func @mirage_kernels::@chain_0 {{.*}} args(%[[X]] : memref<4x16xf16>, %[[TMP]] : memref<4x1xf32>)
// CHECK:       gpu.launch_func @mirage_kernels::@chain_1 {{.*}} args(%[[TMP]] : memref<4x1xf32>, %[[OUT]] : memref<2x2x2xf16>)
// CHECK:       memref.dealloc %[[TMP]]
func.func @chain(%x: tensor<4x16xf16>) -> tensor<2x2x2xf16> {
  %0 = mirage_kernel.reduce_max %x dim 1 : (tensor<4x16xf16>) -> tensor<4x1xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<4x1xf32>) -> tensor<2x2xf32>
  %2 = mirage_kernel.repeat %1 dim 0 times 2 : (tensor<2x2xf32>) -> tensor<4x2xf16>
  %3 = mirage_kernel.reshape %2 : (tensor<4x2xf16>) -> tensor<2x2x2xf16>
  return %3 : tensor<2x2x2xf16>
}

// CHECK-LABEL: func.func @rounding_reshape(
func.func @rounding_reshape(%x: tensor<4x2xf32>) -> tensor<8xf16> {
  %y = mirage_kernel.reshape %x : (tensor<4x2xf32>) -> tensor<8xf16>
  return %y : tensor<8xf16>
}
