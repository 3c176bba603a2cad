// REQUIRES: ptxas
// RUN: mkdir -p %t
// RUN: mirage-opt --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --convert-mirage-to-gpu="target=sm_90a allow-unverified" --mirage-gpu-to-ptx=chip=sm_90a %s | %python %S/Inputs/extract_ptx.py > %t/kernel.ptx
// RUN: %ptxas -v -arch=sm_90a %t/kernel.ptx -o %t/kernel.cubin 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/kernel.ptx

// CHECK-NOT: (C75
// CHECK: 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: (C75

// PTX: .visible .entry product_0(
// PTX: .reqnctapercluster 1, 4, 1
// PTX: fence.mbarrier_init.release.cluster
// PTX: barrier.cluster.arrive.relaxed
// PTX: barrier.cluster.wait
// PTX: mapa.shared::cluster
// PTX: mbarrier.arrive.shared::cluster
// PTX: .multicast::cluster
// PTX-NOT: barrier.cluster
func.func @product(%x: tensor<64x512xf16>, %w: tensor<2x512x256xf16>) -> tensor<2x64x256xf16> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 2, y = 4> : (tensor<64x512xf16>, tensor<2x512x256xf16>) -> tensor<2x64x256xf16> {
  ^bb0(%X: tensor<64x512xf16>, %W: tensor<2x512x256xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<1x64x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica, y -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 0, y -> 2> fmap <i -> 1> : tensor<2x512x256xf16> -> !mirage.tile<1x64x64xf16>
      %xb = mirage_block.reshape %xt : (!mirage.tile<64x64xf16>) -> !mirage.tile<1x64x64xf16>
      %p = mirage_block.matmul %xb, %wt : (!mirage.tile<1x64x64xf16>, !mirage.tile<1x64x64xf16>) -> !mirage.tile<1x64x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<1x64x64xf32>
    }
    mirage_block.output_saver %a omap <x -> 0, y -> 2> : !mirage.tile<1x64x64xf32> -> tensor<2x64x256xf16>
  }
  return %o : tensor<2x64x256xf16>
}
