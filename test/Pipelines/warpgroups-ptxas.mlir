// REQUIRES: ptxas
// RUN: mkdir -p %t
// RUN: mirage-opt --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --convert-mirage-to-gpu="target=sm_90a allow-unverified" --mirage-gpu-to-ptx=chip=sm_90a %s | %python %S/Inputs/extract_ptx.py > %t/kernel.ptx
// RUN: %ptxas -v -arch=sm_90a %t/kernel.ptx -o %t/kernel.cubin 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/kernel.ptx

// ptxas says so (C75..) when accumulators are touched between the fence and the
// wait, and then serializes the products or adds fences of its own.
// CHECK-NOT: (C75
// CHECK: 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: (C75

// PTX: wgmma.fence.sync.aligned
// PTX: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// PTX: wgmma.wait_group.sync.aligned

// Attention: the first product is read by all, the second is a rescaled sum.
func.func @attention(%q: tensor<64x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %o = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x64xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<64x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
      %m = mirage_block.reduce_max %s dim 1 : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x1xf32>
      %p = mirage_block.matmul %s, %vt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate rescaled_sum %p by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %o : tensor<64x64xf32>
}
