// RUN: mirage-opt --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --convert-mirage-to-gpu="target=sm_90a allow-unverified" --canonicalize --cse %s | FileCheck %s

// The tile of x, which is the same in each iteration, is stored by threads; a
// fence in front of the loop shows it to the warpgroup, and none in the loop.
// CHECK-LABEL: gpu.func @invariant_0(
// CHECK: nvvm.cp.async.wait.group 0
// CHECK-NEXT: nvvm.fence.proxy
// CHECK-NEXT: nvvm.barrier id
// CHECK: scf.for
// CHECK-NOT: nvvm.fence.proxy
// CHECK: nvvm.wgmma.mma_async
// CHECK-NOT: nvvm.fence.proxy
func.func @invariant(%x: tensor<64x64xf16>, %w: tensor<64x1024xf16>) -> tensor<64x64xf32> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<64x64xf16>, tensor<64x1024xf16>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x64xf16>, %W: tensor<64x1024xf16>):
    %a = mirage_block.loop iterations 16 -> !mirage.tile<64x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 1> : tensor<64x1024xf16> -> !mirage.tile<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %o : tensor<64x64xf32>
}

// Squares are stored in each iteration: there is a fence at the barrier between
// those who store them and the warpgroup, and one between their reads of what
// the TMA has loaded and the arrival behind which it loads there again; none at
// the other barrier.
// CHECK-LABEL: gpu.func @varying_0(
// CHECK-NOT: nvvm.fence.proxy
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-NOT: nvvm.fence.proxy
// CHECK: vector.store
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: nvvm.barrier id
// CHECK: nvvm.wgmma.mma_async
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive
// CHECK-NOT: nvvm.fence.proxy
// CHECK: nvvm.barrier id
// CHECK-NOT: nvvm.fence.proxy
// CHECK: gpu.return
func.func @varying(%x: tensor<64x1024xf16>, %w: tensor<1024x64xf16>) -> tensor<64x64xf32> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<64x1024xf16>, tensor<1024x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x1024xf16>, %W: tensor<1024x64xf16>):
    %a = mirage_block.loop iterations 16 -> !mirage.tile<64x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<64x1024xf16> -> !mirage.tile<64x64xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<1024x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.sqr %xt : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
      %p = mirage_block.matmul %s, %wt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %o : tensor<64x64xf32>
}

// A product that warpgroups can't compute: threads read the tiles, and the TMA
// fills them again behind a fence.
// CHECK-LABEL: gpu.func @by_threads_0(
// CHECK-NOT: nvvm.fence.proxy
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-NOT: nvvm.fence.proxy
// CHECK: nvvm.mma.sync
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive
// CHECK-NOT: nvvm.fence.proxy
// CHECK: gpu.return
func.func @by_threads(%x: tensor<16x1024xf16>, %w: tensor<1024x32xf16>) -> tensor<16x32xf32> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<16x1024xf16>, tensor<1024x32xf16>) -> tensor<16x32xf32> {
  ^bb0(%X: tensor<16x1024xf16>, %W: tensor<1024x32xf16>):
    %a = mirage_block.loop iterations 16 -> !mirage.tile<16x32xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x1024xf16> -> !mirage.tile<16x64xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<1024x32xf16> -> !mirage.tile<64x32xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<16x64xf16>, !mirage.tile<64x32xf16>) -> !mirage.tile<16x32xf32>
      mirage_block.accumulate sum %p : !mirage.tile<16x32xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf32>
  }
  return %o : tensor<16x32xf32>
}

// Each stage is filled once.
// CHECK-LABEL: gpu.func @once_0(
// CHECK-NOT: nvvm.fence.proxy
// CHECK: gpu.return
func.func @once(%x: tensor<16x128xf16>, %w: tensor<128x32xf16>) -> tensor<16x32xf32> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<16x128xf16>, tensor<128x32xf16>) -> tensor<16x32xf32> {
  ^bb0(%X: tensor<16x128xf16>, %W: tensor<128x32xf16>):
    %a = mirage_block.loop iterations 2 -> !mirage.tile<16x32xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x128xf16> -> !mirage.tile<16x64xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<128x32xf16> -> !mirage.tile<64x32xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<16x64xf16>, !mirage.tile<64x32xf16>) -> !mirage.tile<16x32xf32>
      mirage_block.accumulate sum %p : !mirage.tile<16x32xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf32>
  }
  return %o : tensor<16x32xf32>
}
