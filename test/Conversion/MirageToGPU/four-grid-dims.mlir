// RUN: mirage-opt %s --convert-mirage-to-gpu="target=sm_90a allow-unverified" | FileCheck %s

// Blocks along z count z first, and then w. The last of two tiles of 16 along w begins at 9 of 25.

// CHECK: gpu.func
// CHECK-SAME: known_grid_size = array<i32: 2, 3, 8>
// CHECK-DAG: gpu.block_id x
// CHECK-DAG: gpu.block_id y
// CHECK: %[[Z_AND_W:.*]] = gpu.block_id z
// CHECK: %[[Z:.*]] = arith.remui %[[Z_AND_W]], %[[FOUR:.*]] : index
// CHECK: %[[W:.*]] = arith.divui %[[Z_AND_W]], %{{.*}} : index
// CHECK: arith.muli %[[W]], %{{.*}} : index
// CHECK-NEXT: %[[LAST:.*]] = arith.constant 9 : index
// CHECK-NEXT: arith.minui %{{.*}}, %[[LAST]] : index
func.func @rows(%x: tensor<2x3x4x25x8xf16>) -> tensor<3x25x4x2x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 2, y = 3, z = 4, w = 2> : (tensor<2x3x4x25x8xf16>) -> tensor<3x25x4x2x8xf16> {
  ^bb0(%X: tensor<2x3x4x25x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1, z -> 2, w -> 3> : tensor<2x3x4x25x8xf16> -> !mirage.tile<1x1x1x16x8xf16>
    %s = mirage_block.transpose %t permutation [1, 3, 2, 0, 4] : (!mirage.tile<1x1x1x16x8xf16>) -> !mirage.tile<1x16x1x1x8xf32>
    mirage_block.output_saver %s omap <x -> 3, y -> 0, z -> 2, w -> 1> : !mirage.tile<1x16x1x1x8xf32> -> tensor<3x25x4x2x8xf16>
  }
  return %z : tensor<3x25x4x2x8xf16>
}
