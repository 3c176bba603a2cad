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
// those who store them and the warpgroup, and none at the other barrier.
// CHECK-LABEL: gpu.func @varying_0(
// CHECK-NOT: nvvm.fence.proxy
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-NOT: nvvm.fence.proxy
// CHECK: vector.store
// CHECK: nvvm.fence.proxy
// CHECK-NEXT: nvvm.barrier id
// CHECK: nvvm.wgmma.mma_async
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
