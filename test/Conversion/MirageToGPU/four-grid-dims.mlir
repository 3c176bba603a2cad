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

// Clusters along z are of blocks that follow each other.
// CHECK: gpu.func @cluster_0
// CHECK-SAME: known_cluster_size = array<i32: 1, 1, 2>
// CHECK-SAME: known_grid_size = array<i32: 1, 2, 6>
func.func @cluster(%x: tensor<256x64xf16>, %y: tensor<2x3x2x64xf16>) -> tensor<2x3x2x64xf32> {
  %q = mirage_kernel.graph_defined (%x, %y) grid <x = 1, y = 2, z = 2, w = 3> {mirage.cluster = array<i64: 1, 1, 2, 1>} : (tensor<256x64xf16>, tensor<2x3x2x64xf16>) -> tensor<2x3x2x64xf32> {
  ^bb0(%X: tensor<256x64xf16>, %Y: tensor<2x3x2x64xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x64xf32> attributes {mirage.producer_warp} {
      %xt = mirage_block.input_iterator %X imap <x -> replica, y -> replica, z -> replica, w -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<64x64xf16>) -> !mirage.tile<1x64xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x64xf32>
    }
    %yt = mirage_block.input_iterator %Y imap <x -> 3, y -> 0, z -> 2, w -> 1> : tensor<2x3x2x64xf16> -> !mirage.tile<1x1x1x64xf16>
    %r = mirage_block.mul %yt, %a : (!mirage.tile<1x1x1x64xf16>, !mirage.tile<1x64xf32>) -> !mirage.tile<1x1x1x64xf32>
    mirage_block.output_saver %r omap <x -> 3, y -> 0, z -> 2, w -> 1> : !mirage.tile<1x1x1x64xf32> -> tensor<2x3x2x64xf32>
  }
  return %q : tensor<2x3x2x64xf32>
}
