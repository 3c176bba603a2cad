// RUN: mirage-opt --mirage-specialize-warps %s | FileCheck %s
// RUN: mirage-opt --mirage-specialize-warps --mirage-specialize-warps=clusters=false %s | FileCheck %s --check-prefix=OFF
// RUN: mirage-opt --mirage-specialize-warps --mirage-specialize-warps=target=sm_80 %s | FileCheck %s --check-prefix=OFF

// OFF-NOT: mirage.cluster

// All that blocks along y load they share: 3 of 4 bytes are spared. A tile that
// comes once, in front of the loop, doesn't count.
// CHECK-LABEL: @attention
// CHECK: grid <x = 8, y = 4> {mirage.cluster = array<i64: 1, 4>
func.func @attention(%q: tensor<8x256x64xf16>, %k: tensor<8x64x4096xf16>) -> tensor<8x256x1xf32> {
  %o = mirage_kernel.graph_defined (%q, %k) grid <x = 8, y = 4> : (tensor<8x256x64xf16>, tensor<8x64x4096xf16>) -> tensor<8x256x1xf32> {
  ^bb0(%Q: tensor<8x256x64xf16>, %K: tensor<8x64x4096xf16>):
    %a = mirage_block.loop iterations 32 -> !mirage.tile<1x64x1xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> 0, y -> 1> fmap <i -> replica> : tensor<8x256x64xf16> -> !mirage.tile<1x64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> 0, y -> replica> fmap <i -> 2> : tensor<8x64x4096xf16> -> !mirage.tile<1x64x128xf16>
      %p = mirage_block.matmul %qt, %kt : (!mirage.tile<1x64x64xf16>, !mirage.tile<1x64x128xf16>) -> !mirage.tile<1x64x128xf32>
      %m = mirage_block.reduce_max %p dim 2 : (!mirage.tile<1x64x128xf32>) -> !mirage.tile<1x64x1xf32>
      mirage_block.accumulate max %m : !mirage.tile<1x64x1xf32>
    }
    mirage_block.output_saver %a omap <x -> 0, y -> 1> : !mirage.tile<1x64x1xf32> -> tensor<8x256x1xf32>
  }
  return %o : tensor<8x256x1xf32>
}

// Two along x share tiles of 128 KB of w, four along y would share 64 KB of x.
// CHECK-LABEL: @both
// CHECK: grid <x = 2, y = 64> {mirage.cluster = array<i64: 2, 1>
func.func @both(%x: tensor<128x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<128x4096xf32> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 2, y = 64> : (tensor<128x4096xf16>, tensor<4096x4096xf16>) -> tensor<128x4096xf32> {
  ^bb0(%X: tensor<128x4096xf16>, %W: tensor<4096x4096xf16>):
    %a:2 = mirage_block.loop iterations 8 -> !mirage.tile<64x64xf32>, !mirage.tile<64x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<128x4096xf16> -> !mirage.tile<64x512xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica, y -> 1> fmap <i -> 0> : tensor<4096x4096xf16> -> !mirage.tile<512x64xf16>
      %vt = mirage_block.input_iterator %W imap <x -> replica, y -> 1> fmap <i -> 0> : tensor<4096x4096xf16> -> !mirage.tile<512x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<64x512xf16>, !mirage.tile<512x64xf16>) -> !mirage.tile<64x64xf32>
      %q = mirage_block.matmul %xt, %vt : (!mirage.tile<64x512xf16>, !mirage.tile<512x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %p, sum %q : !mirage.tile<64x64xf32>, !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %a#0 omap <x -> 0, y -> 1> : !mirage.tile<64x64xf32> -> tensor<128x4096xf32>
  }
  return %o : tensor<128x4096xf32>
}

// With four blocks 3 of 4 KB of each 68 KB would be spared.
// CHECK-LABEL: @little
// CHECK-NOT: mirage.cluster
func.func @little(%x: tensor<8x2048xf16>, %w: tensor<2048x512xf16>) -> tensor<8x512xf32> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 4> : (tensor<8x2048xf16>, tensor<2048x512xf16>) -> tensor<8x512xf32> {
  ^bb0(%X: tensor<8x2048xf16>, %W: tensor<2048x512xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<8x128xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x2048xf16> -> !mirage.tile<8x256xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<2048x512xf16> -> !mirage.tile<256x128xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<8x256xf16>, !mirage.tile<256x128xf16>) -> !mirage.tile<8x128xf32>
      mirage_block.accumulate sum %p : !mirage.tile<8x128xf32>
    }
    mirage_block.output_saver %a omap <x -> 1> : !mirage.tile<8x128xf32> -> tensor<8x512xf32>
  }
  return %o : tensor<8x512xf32>
}

// 132 blocks fill 132 multiprocessors, of which clusters of four leave some
// idle; five blocks have no clusters.
// CHECK-LABEL: @waves
// CHECK: grid <x = 132> {mirage.cluster = array<i64: 2>
// CHECK: grid <x = 5> {mirage.threads
func.func @waves(%x: tensor<256x64xf16>) -> (tensor<132x64xf32>, tensor<5x64xf32>) {
  %p = mirage_kernel.graph_defined (%x) grid <x = 132> : (tensor<256x64xf16>) -> tensor<132x64xf32> {
  ^bb0(%X: tensor<256x64xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<64x64xf16>) -> !mirage.tile<1x64xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x64xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x64xf32> -> tensor<132x64xf32>
  }
  %q = mirage_kernel.graph_defined (%x) grid <x = 5> : (tensor<256x64xf16>) -> tensor<5x64xf32> {
  ^bb0(%X: tensor<256x64xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<64x64xf16>) -> !mirage.tile<1x64xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x64xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x64xf32> -> tensor<5x64xf32>
  }
  return %p, %q : tensor<132x64xf32>, tensor<5x64xf32>
}
