// RUN: mirage-opt %s --mirage-drop-unit-dims | FileCheck %s
// RUN: mirage-opt %s --mirage-drop-unit-dims --mirage-plan-memory | mirage-opt --mirage-drop-unit-dims | FileCheck %s --check-prefix=AGAIN

// What iterations read of a tensor of 256 x 1 is a vector; what all of them read alike, and what has rows of two elements, stays.
// CHECK-LABEL: func.func @columns
// CHECK-SAME: %[[X:.*]]: tensor<16x256xf16>, %[[R:.*]]: tensor<256x1xf32>, %[[W:.*]]: tensor<16x1xf32>, %[[P:.*]]: tensor<256x2xf32>
// CHECK: %[[V:.*]] = mirage_kernel.reshape %[[R]] : (tensor<256x1xf32>) -> tensor<256xf32>
// CHECK: mirage_kernel.graph_defined(%[[X]], %[[V]], %[[W]], %[[P]])
// CHECK: ^bb0(%{{.*}}: tensor<16x256xf16>, %[[ARG:.*]]: tensor<256xf32>, %{{.*}}: tensor<16x1xf32>, %{{.*}}: tensor<256x2xf32>):
// CHECK: %[[TILE:.*]] = mirage_block.input_iterator %[[ARG]] imap <x -> 0> fmap <i -> 0> : tensor<256xf32> -> !mirage.tile<32xf32>
// CHECK: mirage_block.reshape %[[TILE]] : (!mirage.tile<32xf32>) -> !mirage.tile<32x1xf32>
// AGAIN-LABEL: func.func @columns
// AGAIN-COUNT-1: mirage_kernel.reshape
// AGAIN-NOT: mirage_kernel.reshape
// AGAIN-COUNT-1: mirage_block.reshape
// AGAIN-NOT: mirage_block.reshape
// AGAIN-LABEL: func.func @uneven
func.func @columns(%x: tensor<16x256xf16>, %r: tensor<256x1xf32>, %w: tensor<16x1xf32>, %p: tensor<256x2xf32>) -> tensor<16x2xf32> {
  %z = mirage_kernel.graph_defined (%x, %r, %w, %p) grid <x = 2> : (tensor<16x256xf16>, tensor<256x1xf32>, tensor<16x1xf32>, tensor<256x2xf32>) -> tensor<16x2xf32> {
  ^bb0(%X: tensor<16x256xf16>, %R: tensor<256x1xf32>, %W: tensor<16x1xf32>, %P: tensor<256x2xf32>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<16x1xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 1> fmap <i -> 1> : tensor<16x256xf16> -> !mirage.tile<16x32xf16>
      %rt = mirage_block.input_iterator %R imap <x -> 0> fmap <i -> 0> : tensor<256x1xf32> -> !mirage.tile<32x1xf32>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> replica> : tensor<16x1xf32> -> !mirage.tile<16x1xf32>
      %pt = mirage_block.input_iterator %P imap <x -> 1> fmap <i -> 0> : tensor<256x2xf32> -> !mirage.tile<64x1xf32>
      %q = mirage_block.sum %pt dim 0 : (!mirage.tile<64x1xf32>) -> !mirage.tile<1x1xf32>
      %y = mirage_block.transpose %rt permutation [1, 0] : (!mirage.tile<32x1xf32>) -> !mirage.tile<1x32xf32>
      %m = mirage_block.mul %xt, %y : (!mirage.tile<16x32xf16>, !mirage.tile<1x32xf32>) -> !mirage.tile<16x32xf32>
      %s = mirage_block.sum %m dim 1 : (!mirage.tile<16x32xf32>) -> !mirage.tile<16x1xf32>
      %u = mirage_block.mul %s, %wt : (!mirage.tile<16x1xf32>, !mirage.tile<16x1xf32>) -> !mirage.tile<16x1xf32>
      %v = mirage_block.mul %u, %q : (!mirage.tile<16x1xf32>, !mirage.tile<1x1xf32>) -> !mirage.tile<16x1xf32>
      mirage_block.accumulate sum %v : !mirage.tile<16x1xf32>
    }
    mirage_block.output_saver %t omap <x -> 1> : !mirage.tile<16x1xf32> -> tensor<16x2xf32>
  }
  return %z : tensor<16x2xf32>
}

// Tiles may overlap.
// CHECK-LABEL: func.func @uneven
// CHECK: mirage_kernel.reshape {{.*}} -> tensor<250xf32>
// CHECK: mirage_block.input_iterator {{.*}} : tensor<250xf32> -> !mirage.tile<64xf32>
func.func @uneven(%r: tensor<250x1xf32>) -> tensor<1x1xf32> {
  %z = mirage_kernel.graph_defined (%r) grid <x = 1> : (tensor<250x1xf32>) -> tensor<1x1xf32> {
  ^bb0(%R: tensor<250x1xf32>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<1x1xf32> {
      %rt = mirage_block.input_iterator %R imap <x -> replica> fmap <i -> 0> : tensor<250x1xf32> -> !mirage.tile<64x1xf32>
      %s = mirage_block.sum %rt dim 0 : (!mirage.tile<64x1xf32>) -> !mirage.tile<1x1xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x1xf32>
    }
    mirage_block.output_saver %t omap <x -> replica> : !mirage.tile<1x1xf32> -> tensor<1x1xf32>
  }
  return %z : tensor<1x1xf32>
}

// A loop that only loads and accumulates streams, which takes no shared memory.
// CHECK-LABEL: func.func @streamed
// CHECK-NOT: mirage_kernel.reshape
func.func @streamed(%r: tensor<8x4096x1xf32>) -> tensor<4096x1xf32> {
  %z = mirage_kernel.graph_defined (%r) grid <x = 16> : (tensor<8x4096x1xf32>) -> tensor<4096x1xf32> {
  ^bb0(%R: tensor<8x4096x1xf32>):
    %t = mirage_block.loop iterations 8 -> !mirage.tile<1x256x1xf32> {
      %rt = mirage_block.input_iterator %R imap <x -> 1> fmap <i -> 0> : tensor<8x4096x1xf32> -> !mirage.tile<1x256x1xf32>
      mirage_block.accumulate sum %rt : !mirage.tile<1x256x1xf32>
    }
    %u = mirage_block.reshape %t : (!mirage.tile<1x256x1xf32>) -> !mirage.tile<256x1xf32>
    mirage_block.output_saver %u omap <x -> 0> : !mirage.tile<256x1xf32> -> tensor<4096x1xf32>
  }
  return %z : tensor<4096x1xf32>
}

// A vector of 60 f16 is no multiple of 16 bytes: the TMA could load nothing of the loop.
// CHECK-LABEL: func.func @short_vectors
// CHECK-NOT: mirage_kernel.reshape
func.func @short_vectors(%r: tensor<240x1xf16>) -> tensor<1x1xf32> {
  %z = mirage_kernel.graph_defined (%r) grid <x = 1> : (tensor<240x1xf16>) -> tensor<1x1xf32> {
  ^bb0(%R: tensor<240x1xf16>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<1x1xf32> {
      %rt = mirage_block.input_iterator %R imap <x -> replica> fmap <i -> 0> : tensor<240x1xf16> -> !mirage.tile<60x1xf16>
      %s = mirage_block.sum %rt dim 0 : (!mirage.tile<60x1xf16>) -> !mirage.tile<1x1xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x1xf32>
    }
    mirage_block.output_saver %t omap <x -> replica> : !mirage.tile<1x1xf32> -> tensor<1x1xf32>
  }
  return %z : tensor<1x1xf32>
}

// Nor do tiles begin at multiples of 16 bytes where a loop cuts a block's 148 f16 into three of 64: at the 84th.
// CHECK-LABEL: func.func @starts_between
// CHECK-NOT: mirage_kernel.reshape
func.func @starts_between(%r: tensor<592x1xf16>) -> tensor<4x1xf32> {
  %z = mirage_kernel.graph_defined (%r) grid <x = 4> : (tensor<592x1xf16>) -> tensor<4x1xf32> {
  ^bb0(%R: tensor<592x1xf16>):
    %t = mirage_block.loop iterations 3 -> !mirage.tile<1x1xf32> {
      %rt = mirage_block.input_iterator %R imap <x -> 0> fmap <i -> 0> : tensor<592x1xf16> -> !mirage.tile<64x1xf16>
      %s = mirage_block.sum %rt dim 0 : (!mirage.tile<64x1xf16>) -> !mirage.tile<1x1xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x1xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<1x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// Parts of other tensors have no other shape.
// CHECK-LABEL: func.func @part
// CHECK-NOT: reshape
func.func @part(%w: tensor<256x8xf32>) -> tensor<1x1xf32> {
  %r = mirage_kernel.slice %w dim 1 offset 3 size 1 : (tensor<256x8xf32>) -> tensor<256x1xf32>
  %z = mirage_kernel.graph_defined (%r) grid <x = 1> : (tensor<256x1xf32>) -> tensor<1x1xf32> {
  ^bb0(%R: tensor<256x1xf32>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<1x1xf32> {
      %rt = mirage_block.input_iterator %R imap <x -> replica> fmap <i -> 0> : tensor<256x1xf32> -> !mirage.tile<64x1xf32>
      %s = mirage_block.sum %rt dim 0 : (!mirage.tile<64x1xf32>) -> !mirage.tile<1x1xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x1xf32>
    }
    mirage_block.output_saver %t omap <x -> replica> : !mirage.tile<1x1xf32> -> tensor<1x1xf32>
  }
  return %z : tensor<1x1xf32>
}
