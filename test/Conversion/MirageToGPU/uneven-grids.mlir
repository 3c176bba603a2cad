// RUN: mirage-opt %s --convert-mirage-to-gpu="target=sm_80 allow-unverified" | FileCheck %s

// The last of 13 tiles of 16 rows begins at row 181 of 197, where it is loaded and where it is stored.

// CHECK: gpu.func
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[STORED:.*]] = arith.muli %[[BLOCK]], %{{.*}} : index
// CHECK-NEXT: %[[LAST:.*]] = arith.constant 181 : index
// CHECK-NEXT: arith.minui %[[STORED]], %[[LAST]] : index
// CHECK: %[[LOADED:.*]] = arith.muli %[[BLOCK]], %{{.*}} : index
// CHECK-NEXT: %[[LAST:.*]] = arith.constant 181 : index
// CHECK-NEXT: arith.minui %[[LOADED]], %[[LAST]] : index
// What the grid divides has no such bound.
// CHECK-NOT: arith.minui
// CHECK: gpu.return
func.func @rows(%x: tensor<197x64xf16>) -> tensor<197x64xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 13, y = 2> : (tensor<197x64xf16>) -> tensor<197x64xf16> {
  ^bb0(%X: tensor<197x64xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1> : tensor<197x64xf16> -> !mirage.tile<16x32xf16>
    %r = mirage_block.relu %t : (!mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %r omap <x -> 0, y -> 1> : !mirage.tile<16x32xf32> -> tensor<197x64xf16>
  }
  return %z : tensor<197x64xf16>
}
