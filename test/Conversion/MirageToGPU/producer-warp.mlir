// RUN: mirage-opt --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory=max-stages=3 --convert-mirage-to-gpu="target=sm_90a allow-unverified" --canonicalize --cse %s | FileCheck %s

// A warp more than 128 threads, and a tensor map for each tensor that it loads.
// CHECK: gpu.func @product_0(%[[X:.*]]: memref<8x512xf16>, %[[W:.*]]: memref<512x256xf16>, %[[OUT:.*]]: memref<8x256xf16>,
// CHECK-SAME: %[[XMAP:[a-z0-9]+]]: memref<8x512xf16> {mirage.tensor_map = {box = array<i64: 8, 64>, shape = array<i64: 8, 512>, swizzle = 128 : i64, type = f16}},
// CHECK-SAME: %[[WMAP:[a-z0-9]+]]: memref<512x256xf16> {mirage.tensor_map = {box = array<i64: 64, 64>, shape = array<i64: 512, 256>, swizzle = 128 : i64, type = f16}}
// CHECK-SAME: known_block_size = array<i32: 160, 1, 1>

// Three stages: one arrival at "full", one of each of four warps at "empty".
// CHECK-COUNT-6: nvvm.mbarrier.init
// CHECK-NOT: nvvm.mbarrier.init
// CHECK: nvvm.fence.mbarrier.init
// CHECK: gpu.barrier

// Those that compute: nothing but mbarriers in the loop.
// CHECK: scf.if
// CHECK: scf.for
// CHECK-NEXT: arith.remui
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-NOT: nvvm.barrier
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <col>], B[<f16>, <one>, <col>]
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NEXT: llvm.extractvalue
// CHECK: llvm.inline_asm has_side_effects asm_dialect = att "", "=f,=f,=f,=f,0,1,2,3"
// CHECK-NOT: nvvm.barrier
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads

// The one that loads: 8 x 64 and 64 x 64 elements.
// CHECK: } else {
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c9216_i32
// CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK-NOT: nvvm.cp.async.bulk.tensor.shared.cluster.global

// CHECK: gpu.launch_func @mirage_kernels::@product_0
// CHECK-SAME: args(%[[A:.*]] : memref<8x512xf16>, %[[B:.*]] : memref<512x256xf16>, %{{.*}} : memref<8x256xf16>, %[[A]] : memref<8x512xf16>, %[[B]] : memref<512x256xf16>)
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
