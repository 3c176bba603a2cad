// RUN: mirage-opt --mirage-chain-products --mirage-specialize-warps %s | FileCheck %s
// RUN: mirage-opt --mirage-chain-products --mirage-specialize-warps --mirage-specialize-warps=overlap=false %s | FileCheck %s --check-prefix=OFF
// RUN: mirage-opt --mirage-chain-products --mirage-specialize-warps --mirage-specialize-warps=target=sm_80 %s | FileCheck %s --check-prefix=OFF
// RUN: mirage-opt --mirage-specialize-warps %s | FileCheck %s --check-prefix=OFF

// OFF-NOT: mirage.overlapped

// Attention: the values of an iteration are multiplied while the next one computes.
// CHECK-LABEL: @attention
// CHECK: mirage_block.loop {{.*}}mirage.overlapped, mirage.producer_warp
// CHECK-COUNT-2: mirage_block.matmul {{.*}}mirage.warpgroups
func.func @attention(%q: tensor<64x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x64xf16>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<128x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      %m = mirage_block.reduce_max %s dim 1 : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.sub %s, %m : (!mirage.tile<64x128xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x128xf32>
      %e = mirage_block.exp %d : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x128xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x128xf32>, !mirage.tile<128x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate rescaled_sum %o by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// What is computed in the iteration is gone when the next one computes.
// CHECK-LABEL: @computed_values
// CHECK-NOT: mirage.overlapped
func.func @computed_values(%q: tensor<64x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x64xf16>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<128x64xf16>
      %vr = mirage_block.relu %vt : (!mirage.tile<128x64xf16>) -> !mirage.tile<128x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      %m = mirage_block.reduce_max %s dim 1 : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.sub %s, %m : (!mirage.tile<64x128xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x128xf32>
      %e = mirage_block.exp %d : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x128xf32>
      %o = mirage_block.matmul %e, %vr : (!mirage.tile<64x128xf32>, !mirage.tile<128x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate rescaled_sum %o by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
