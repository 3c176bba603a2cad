// How many threads compute: 128, or 256 where that leaves no scheduler with a single warp that waits.
// RUN: mirage-opt --mirage-specialize-warps=target=sm_90a %s | FileCheck %s

// The next iteration's 64 KB beside this one's fill a multiprocessor.
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
