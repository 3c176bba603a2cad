// How many threads compute: 128, or 256 where that leaves no scheduler with a single warp that waits.
// RUN: mirage-opt --mirage-specialize-warps=target=sm_90a %s | FileCheck %s

// The 64 KB of each of four iterations fill a multiprocessor.
// CHECK-LABEL: func.func @fills
// CHECK: mirage.threads = 256 : i64
func.func @fills(%x: tensor<8x2048xf16>, %w: tensor<2048x64xf16>) -> tensor<8x64xf32> {
  %r = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<8x2048xf16>, tensor<2048x64xf16>) -> tensor<8x64xf32> {
  ^bb0(%X: tensor<8x2048xf16>, %W: tensor<2048x64xf16>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<8x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x2048xf16> -> !mirage.tile<8x512xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<2048x64xf16> -> !mirage.tile<512x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<8x512xf16>, !mirage.tile<512x64xf16>) -> !mirage.tile<8x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<8x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<8x64xf32> -> tensor<8x64xf32>
  }
  return %r : tensor<8x64xf32>
}

// There is room for several blocks.
// CHECK-LABEL: func.func @shares
// CHECK: mirage.threads = 128 : i64
func.func @shares(%x: tensor<8x512xf16>, %w: tensor<512x64xf16>) -> tensor<8x64xf32> {
  %r = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<8x512xf16>, tensor<512x64xf16>) -> tensor<8x64xf32> {
  ^bb0(%X: tensor<8x512xf16>, %W: tensor<512x64xf16>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<8x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x512xf16> -> !mirage.tile<8x128xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<128x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<8x128xf16>, !mirage.tile<128x64xf16>) -> !mirage.tile<8x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<8x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<8x64xf32> -> tensor<8x64xf32>
  }
  return %r : tensor<8x64xf32>
}

// Rows of which 128 threads would have four vectors each.
// CHECK-LABEL: func.func @rows
// CHECK: mirage.threads = 256 : i64
func.func @rows(%x: tensor<8x4096xf16>) -> tensor<8x4096xf16> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 8> : (tensor<8x4096xf16>) -> tensor<8x4096xf16> {
  ^bb0(%X: tensor<8x4096xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x4096xf16> -> !mirage.tile<1x4096xf16>
    %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<1x4096xf16>) -> !mirage.tile<1x1xf32>
    %d = mirage_block.sub %t, %m : (!mirage.tile<1x4096xf16>, !mirage.tile<1x1xf32>) -> !mirage.tile<1x4096xf32>
    mirage_block.output_saver %d omap <x -> 0> : !mirage.tile<1x4096xf32> -> tensor<8x4096xf16>
  }
  return %r : tensor<8x4096xf16>
}

// CHECK-LABEL: func.func @short_rows
// CHECK: mirage.threads = 128 : i64
func.func @short_rows(%x: tensor<8x2048xf16>) -> tensor<8x2048xf16> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 8> : (tensor<8x2048xf16>) -> tensor<8x2048xf16> {
  ^bb0(%X: tensor<8x2048xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x2048xf16> -> !mirage.tile<1x2048xf16>
    %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<1x2048xf16>) -> !mirage.tile<1x1xf32>
    %d = mirage_block.sub %t, %m : (!mirage.tile<1x2048xf16>, !mirage.tile<1x1xf32>) -> !mirage.tile<1x2048xf32>
    mirage_block.output_saver %d omap <x -> 0> : !mirage.tile<1x2048xf32> -> tensor<8x2048xf16>
  }
  return %r : tensor<8x2048xf16>
}

// A loop that only accumulates has a thread for each element, where there are as many, and pairs where there are not.
// CHECK-LABEL: func.func @streams
// CHECK: mirage.threads = 256 : i64
// CHECK-LABEL: func.func @streams_few
// CHECK: mirage.threads = 128 : i64
func.func @streams(%x: tensor<16x256xf32>) -> tensor<4x256xf32> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 4> : (tensor<16x256xf32>) -> tensor<4x256xf32> {
  ^bb0(%X: tensor<16x256xf32>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<1x256xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 0> : tensor<16x256xf32> -> !mirage.tile<1x256xf32>
      mirage_block.accumulate sum %xt : !mirage.tile<1x256xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<1x256xf32> -> tensor<4x256xf32>
  }
  return %r : tensor<4x256xf32>
}
func.func @streams_few(%x: tensor<16x128xf32>) -> tensor<4x128xf32> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 4> : (tensor<16x128xf32>) -> tensor<4x128xf32> {
  ^bb0(%X: tensor<16x128xf32>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<1x128xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 0> : tensor<16x128xf32> -> !mirage.tile<1x128xf32>
      mirage_block.accumulate sum %xt : !mirage.tile<1x128xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<1x128xf32> -> tensor<4x128xf32>
  }
  return %r : tensor<4x128xf32>
}
