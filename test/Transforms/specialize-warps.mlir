// RUN: mirage-opt --mirage-specialize-warps %s | FileCheck %s
// RUN: mirage-opt --mirage-specialize-warps --mirage-specialize-warps=target=sm_80 %s | FileCheck %s --check-prefix=AMPERE
// RUN: mirage-opt --mirage-assign-layouts=target=sm_90a --mirage-specialize-warps %s | FileCheck %s --check-prefix=DROPPED
// RUN: mirage-opt --mirage-assign-layouts=target=sm_90a %s | FileCheck %s --check-prefix=LAYOUTS
// RUN: mirage-opt --mirage-specialize-warps=threads=192 %s | FileCheck %s --check-prefix=STALE
// RUN: not mirage-opt --mirage-specialize-warps=target=sm_70 %s 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not mirage-opt --mirage-specialize-warps=threads=48 %s 2>&1 | FileCheck %s --check-prefix=THREADS

// THREADS: error: the number of threads must be a multiple of 32 from 32 to 1024, found 48
// AMPERE-NOT: mirage.producer_warp
// AMPERE-NOT: mirage.warpgroups
// TARGET: error: unknown target 'sm_70'

// The transposed product has 64 rows and 8 columns.
// Layouts that were chosen before are dropped.
// LAYOUTS-LABEL: @product
// LAYOUTS: mirage.layouts
// DROPPED-NOT: mirage.layouts
// CHECK-LABEL: @product
// CHECK: mirage.threads = 128
// CHECK: mirage_block.loop {{.*}}mirage.producer_warp
// CHECK: mirage_block.matmul {{.*}}mirage.warpgroups
func.func @product(%x: tensor<8x512xf16>, %w: tensor<512x256xf16>) -> tensor<8x256xf16> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 4> : (tensor<8x512xf16>, tensor<512x256xf16>) -> tensor<8x256xf16> {
  ^bb0(%X: tensor<8x512xf16>, %W: tensor<512x256xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<8x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x512xf16> -> !mirage.tile<8x64xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<512x256xf16> -> !mirage.tile<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<8x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<8x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<8x64xf32>
    }
    mirage_block.output_saver %a omap <x -> 1> : !mirage.tile<8x64xf32> -> tensor<8x256xf16>
  }
  return %o : tensor<8x256xf16>
}

// Rows of 12 bytes are too short for the TMA, and one of the tensors' suffices.
// CHECK-LABEL: @short_rows
// CHECK-NOT: mirage.producer_warp
func.func @short_rows(%x: tensor<32x6xf16>, %y: tensor<32x8xf16>) -> (tensor<1x6xf32>, tensor<1x8xf32>) {
  %o:2 = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<32x6xf16>, tensor<32x8xf16>) -> (tensor<1x6xf32>, tensor<1x8xf32>) {
  ^bb0(%X: tensor<32x6xf16>, %Y: tensor<32x8xf16>):
    %a:2 = mirage_block.loop iterations 4 -> !mirage.tile<1x6xf32>, !mirage.tile<1x8xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x6xf16> -> !mirage.tile<8x6xf16>
      %yt = mirage_block.input_iterator %Y imap <x -> replica> fmap <i -> 0> : tensor<32x8xf16> -> !mirage.tile<8x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x6xf16>) -> !mirage.tile<1x6xf32>
      %t = mirage_block.sum %yt dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s, sum %t : !mirage.tile<1x6xf32>, !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a#0 omap <x -> 0> : !mirage.tile<1x6xf32> -> tensor<1x6xf32>
    mirage_block.output_saver %a#1 omap <x -> 0> : !mirage.tile<1x8xf32> -> tensor<1x8xf32>
  }
  return %o#0, %o#1 : tensor<1x6xf32>, tensor<1x8xf32>
}

// There is nothing to run ahead of, and 1024 threads leave room for no more.
// CHECK-LABEL: @no_need
// CHECK-NOT: mirage.producer_warp
func.func @no_need(%x: tensor<32x8xf16>) -> (tensor<1x8xf32>, tensor<1x8xf32>) {
  %o = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x8xf16>) -> tensor<1x8xf32> {
  ^bb0(%X: tensor<32x8xf16>):
    %a = mirage_block.loop iterations 1 -> !mirage.tile<1x8xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x8xf16> -> !mirage.tile<32x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<32x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x8xf32> -> tensor<1x8xf32>
  }
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.threads = 1024 : i64} : (tensor<32x8xf16>) -> tensor<1x8xf32> {
  ^bb0(%X: tensor<32x8xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x8xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x8xf16> -> !mirage.tile<8x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x8xf32> -> tensor<1x8xf32>
  }
  return %o, %q : tensor<1x8xf32>, tensor<1x8xf32>
}

// 64 x 256 sums of a product are 32 tiles for each of 4 warps: with 8 a thread
// keeps half as many.
// CHECK-LABEL: @many_sums
// CHECK: mirage.threads = 256
// As many threads as the kernel says, whatever they keep.
// CHECK-LABEL: @many_sums_of_few
// CHECK: mirage.threads = 128
func.func @many_sums(%x: tensor<64x512xf16>, %w: tensor<512x256xf16>) -> tensor<64x256xf16> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<64x512xf16>, tensor<512x256xf16>) -> tensor<64x256xf16> {
  ^bb0(%X: tensor<64x512xf16>, %W: tensor<512x256xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<64x256xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<512x256xf16> -> !mirage.tile<64x256xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<64x64xf16>, !mirage.tile<64x256xf16>) -> !mirage.tile<64x256xf32>
      mirage_block.accumulate sum %p : !mirage.tile<64x256xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<64x256xf32> -> tensor<64x256xf16>
  }
  return %o : tensor<64x256xf16>
}

func.func @many_sums_of_few(%x: tensor<64x512xf16>, %w: tensor<512x256xf16>) -> tensor<64x256xf16> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 1> {mirage.threads = 128 : i64} : (tensor<64x512xf16>, tensor<512x256xf16>) -> tensor<64x256xf16> {
  ^bb0(%X: tensor<64x512xf16>, %W: tensor<512x256xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<64x256xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<512x256xf16> -> !mirage.tile<64x256xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<64x64xf16>, !mirage.tile<64x256xf16>) -> !mirage.tile<64x256xf32>
      mirage_block.accumulate sum %p : !mirage.tile<64x256xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<64x256xf32> -> tensor<64x256xf16>
  }
  return %o : tensor<64x256xf16>
}

// What the pass chose before has no say in how many threads there are: six warps
// have few of the sum's tiles each, of which the four of a group have more.
// STALE-LABEL: @stale
// STALE: mirage.threads = 192
func.func @stale(%x: tensor<64x512xf16>, %w: tensor<512x192xf16>) -> tensor<64x192xf32> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<64x512xf16>, tensor<512x192xf16>) -> tensor<64x192xf32> {
  ^bb0(%X: tensor<64x512xf16>, %W: tensor<512x192xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<64x192xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> {mirage.layouts = ["swizzle_128"]} : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> {mirage.layouts = ["swizzle_128"]} : tensor<512x192xf16> -> !mirage.tile<64x192xf16>
      %p = mirage_block.matmul %xt, %wt {mirage.warpgroups} : (!mirage.tile<64x64xf16>, !mirage.tile<64x192xf16>) -> !mirage.tile<64x192xf32>
      mirage_block.accumulate sum %p : !mirage.tile<64x192xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<64x192xf32> -> tensor<64x192xf32>
  }
  return %o : tensor<64x192xf32>
}

// Operands that are moved otherwise than by a transpose are no descriptors'.
// CHECK-LABEL: @repeated
// CHECK-NOT: mirage.warpgroups
func.func @repeated(%x: tensor<8x64xf16>, %w: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %q = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<8x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<8x64xf16>, %W: tensor<64x64xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<8x64xf16> -> !mirage.tile<8x64xf16>
    %wt = mirage_block.input_iterator %W imap <x -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
    %r = mirage_block.repeat %xt dim 0 times 8 : (!mirage.tile<8x64xf16>) -> !mirage.tile<64x64xf16>
    %p = mirage_block.matmul %r, %wt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %p omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %q : tensor<64x64xf32>
}
