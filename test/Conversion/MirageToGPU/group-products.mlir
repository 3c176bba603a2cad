// Products of warpgroups that an iteration adds up are waited for together.

// RUN: mirage-opt --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --convert-mirage-to-gpu="target=sm_90a allow-unverified" --canonicalize --cse %s | FileCheck %s

module attributes {mirage.target = #mirage.target<"sm_90a", sm_count = 132, shared_bytes = 232448, device_bytes = 141000000000, bandwidth = 4800, tflops = 990, launch_ns = 2000>} {

// CHECK-LABEL: gpu.func @two_0(
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-8: nvvm.wgmma.mma_async
// CHECK-NOT: nvvm.wgmma
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: nvvm.wgmma
// CHECK: gpu.return
func.func @two(%x: tensor<64x512xf16>, %v: tensor<512x128xf16>, %w: tensor<512x128xf16>) -> (tensor<64x128xf16>, tensor<64x128xf16>) {
  %z:2 = mirage_kernel.graph_defined (%x, %v, %w) grid <x = 2> : (tensor<64x512xf16>, tensor<512x128xf16>, tensor<512x128xf16>) -> (tensor<64x128xf16>, tensor<64x128xf16>) {
  ^bb0(%X: tensor<64x512xf16>, %V: tensor<512x128xf16>, %W: tensor<512x128xf16>):
    %l:2 = mirage_block.loop iterations 8 -> !mirage.tile<64x64xf32>, !mirage.tile<64x64xf32> {
      %a = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %b = mirage_block.input_iterator %V imap <x -> 1> fmap <i -> 0> : tensor<512x128xf16> -> !mirage.tile<64x64xf16>
      %c = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<512x128xf16> -> !mirage.tile<64x64xf16>
      %p = mirage_block.matmul %a, %b : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %q = mirage_block.matmul %a, %c : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %p, sum %q : !mirage.tile<64x64xf32>, !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %l#0 omap <x -> 1> : !mirage.tile<64x64xf32> -> tensor<64x128xf16>
    mirage_block.output_saver %l#1 omap <x -> 1> : !mirage.tile<64x64xf32> -> tensor<64x128xf16>
  }
  return %z#0, %z#1 : tensor<64x128xf16>, tensor<64x128xf16>
}

// Where one takes more rounds than one each waits for itself.
// CHECK-LABEL: gpu.func @rounds_0(
// CHECK-COUNT-2: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: gpu.return
func.func @rounds(%x: tensor<64x1024xf16>, %v: tensor<1024x64xf16>, %w: tensor<1024x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>) {
  %z:2 = mirage_kernel.graph_defined (%x, %v, %w) grid <x = 1> : (tensor<64x1024xf16>, tensor<1024x64xf16>, tensor<1024x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>) {
  ^bb0(%X: tensor<64x1024xf16>, %V: tensor<1024x64xf16>, %W: tensor<1024x64xf16>):
    %l:2 = mirage_block.loop iterations 2 -> !mirage.tile<64x64xf32>, !mirage.tile<64x64xf32> {
      %a = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<64x1024xf16> -> !mirage.tile<64x512xf16>
      %b = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<1024x64xf16> -> !mirage.tile<512x64xf16>
      %c = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<1024x64xf16> -> !mirage.tile<512x64xf16>
      %p = mirage_block.matmul %a, %b : (!mirage.tile<64x512xf16>, !mirage.tile<512x64xf16>) -> !mirage.tile<64x64xf32>
      %q = mirage_block.matmul %a, %c : (!mirage.tile<64x512xf16>, !mirage.tile<512x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %p, sum %q : !mirage.tile<64x64xf32>, !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %l#0 omap <x -> replica> : !mirage.tile<64x64xf32> -> tensor<64x64xf16>
    mirage_block.output_saver %l#1 omap <x -> replica> : !mirage.tile<64x64xf32> -> tensor<64x64xf16>
  }
  return %z#0, %z#1 : tensor<64x64xf16>, tensor<64x64xf16>
}
}
