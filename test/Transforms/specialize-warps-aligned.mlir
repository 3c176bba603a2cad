// The TMA loads boxes that begin at multiples of 16 bytes of rows; others are illegal instructions.
// RUN: mirage-opt --mirage-specialize-warps=target=sm_90a %s | FileCheck %s

// Of 200 columns the last tile of 80 begins at column 120.
// CHECK-LABEL: @aligned
// CHECK: mirage_block.loop {{.*}}mirage.producer_warp
func.func @aligned(%x: tensor<64x1000xf16>) -> tensor<64x5xf32> {
  %o = mirage_kernel.graph_defined (%x) grid <x = 5> : (tensor<64x1000xf16>) -> tensor<64x5xf32> {
  ^bb0(%X: tensor<64x1000xf16>):
    %a = mirage_block.loop iterations 3 -> !mirage.tile<64x1xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 1> fmap <i -> 1> : tensor<64x1000xf16> -> !mirage.tile<64x80xf16>
      %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<64x80xf16>) -> !mirage.tile<64x1xf32>
      mirage_block.accumulate max %m : !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %a omap <x -> 1> : !mirage.tile<64x1xf32> -> tensor<64x5xf32>
  }
  return %o : tensor<64x5xf32>
}

// Of 250 at column 186.
// CHECK-LABEL: @misaligned
// CHECK: mirage_block.loop
// CHECK-NOT: mirage.producer_warp
func.func @misaligned(%x: tensor<64x1000xf16>) -> tensor<64x4xf32> {
  %o = mirage_kernel.graph_defined (%x) grid <x = 4> : (tensor<64x1000xf16>) -> tensor<64x4xf32> {
  ^bb0(%X: tensor<64x1000xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<64x1xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 1> fmap <i -> 1> : tensor<64x1000xf16> -> !mirage.tile<64x64xf16>
      %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x1xf32>
      mirage_block.accumulate max %m : !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %a omap <x -> 1> : !mirage.tile<64x1xf32> -> tensor<64x4xf32>
  }
  return %o : tensor<64x4xf32>
}

// Parts of a tensor whose columns begin at column 4; at 8.
// CHECK-LABEL: @parts
// CHECK: mirage_block.loop
// CHECK-NOT: mirage.producer_warp
// CHECK: mirage_block.loop {{.*}}mirage.producer_warp
func.func @parts(%x: tensor<64x520xf16>) -> (tensor<64x1xf32>, tensor<64x1xf32>) {
  %p = mirage_kernel.slice %x dim 1 offset 4 size 512 : (tensor<64x520xf16>) -> tensor<64x512xf16>
  %q = mirage_kernel.slice %x dim 1 offset 8 size 512 : (tensor<64x520xf16>) -> tensor<64x512xf16>
  %o = mirage_kernel.graph_defined (%p) grid <x = 1> : (tensor<64x512xf16>) -> tensor<64x1xf32> {
  ^bb0(%P: tensor<64x512xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<64x1xf32> {
      %t = mirage_block.input_iterator %P imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x1xf32>
      mirage_block.accumulate max %m : !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<64x1xf32> -> tensor<64x1xf32>
  }
  %r = mirage_kernel.graph_defined (%q) grid <x = 1> : (tensor<64x512xf16>) -> tensor<64x1xf32> {
  ^bb0(%Q: tensor<64x512xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<64x1xf32> {
      %t = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x1xf32>
      mirage_block.accumulate max %m : !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<64x1xf32> -> tensor<64x1xf32>
  }
  return %o, %r : tensor<64x1xf32>, tensor<64x1xf32>
}
