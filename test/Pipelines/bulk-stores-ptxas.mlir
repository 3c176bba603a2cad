// REQUIRES: ptxas
// RUN: mkdir -p %t
// RUN: mirage-opt --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --convert-mirage-to-gpu="target=sm_90a allow-unverified" --mirage-gpu-to-ptx=chip=sm_90a %s | %python %S/Inputs/extract_ptx.py > %t/kernel.ptx
// RUN: %ptxas -v -arch=sm_90a %t/kernel.ptx -o %t/kernel.cubin 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/kernel.ptx

// CHECK: 0 bytes spill stores, 0 bytes spill loads

// PTX: .param .align 128 .b8 columns_0_param_3[128]
// PTX: fence.proxy.async
// PTX: cp.async.bulk.tensor.2d.global.shared::cta
// PTX: cp.async.bulk.commit_group
// PTX: cp.async.bulk.wait_group.read {{.*}}0
func.func @columns(%x: tensor<256x128xf16>) -> tensor<16x128xf32> {
  %o = mirage_kernel.graph_defined (%x) grid <x = 16, y = 2> : (tensor<256x128xf16>) -> tensor<16x128xf32> {
  ^bb0(%X: tensor<256x128xf16>):
    %a = mirage_block.loop iterations 2 -> !mirage.tile<1x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0, y -> 1> fmap <i -> 0> : tensor<256x128xf16> -> !mirage.tile<8x64xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x64xf16>) -> !mirage.tile<1x64xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x64xf32>
    }
    mirage_block.output_saver %a omap <x -> 0, y -> 1> : !mirage.tile<1x64xf32> -> tensor<16x128xf32>
  }
  return %o : tensor<16x128xf32>
}
