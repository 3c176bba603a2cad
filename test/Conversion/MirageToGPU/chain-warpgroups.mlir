// The last product of a row chain runs by wgmma, with rows from registers.

// RUN: mirage-opt --mirage-construct-thread-graphs --mirage-chain-products --mirage-specialize-warps=overlap=false --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --convert-mirage-to-gpu="target=sm_90a allow-unverified" --canonicalize --cse %s | FileCheck %s
// RUN: mirage-opt --mirage-construct-thread-graphs --mirage-chain-products --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --convert-mirage-to-gpu="target=sm_90a allow-unverified" --canonicalize --cse %s | FileCheck %s --check-prefix=BEHIND

// With two stages a loop would wait for each tile.
// RUN: mirage-opt --mirage-construct-thread-graphs --mirage-chain-products --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory=max-stages=2 --convert-mirage-to-gpu="target=sm_90a allow-unverified" --canonicalize --cse %s | FileCheck %s --check-prefix=STAGES
// STAGES-NOT: nvvm.wgmma.wait.group.sync.aligned 1

module attributes {mirage.target = #mirage.target<"sm_90a", sm_count = 132, shared_bytes = 232448, device_bytes = 141000000000, bandwidth = 4800, tflops = 990, launch_ns = 2000>} {

// Two warpgroups have 64 columns each, four steps of the last product. Its sums and rows are left alone from the fence on. Nobody
// reads shared memory with instructions of his own, so that no fence is in front of what the next tiles overwrite.
// The first product adds to nothing.
// CHECK-LABEL: gpu.func @softmax_0(
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: nvvm.wgmma.mma_async {{.*}} D[<f32>, <zero>]
// CHECK-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK-NOT: mma_async
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: llvm.inline_asm has_side_effects asm_dialect = att "", "{{(=r,)+}}0,
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-NOT: llvm.inline_asm {{.*}} ""
// CHECK-COUNT-4: "{{.*}}wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}} p, 1, 1, 1;
// CHECK-NOT: mma
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: nvvm.fence.proxy
// CHECK: nvvm.mbarrier.arrive
// CHECK-NOT: ldmatrix
// CHECK: gpu.return

// The first iteration leaves its rows to the next one: its own first product and the last one of the iteration before run
// side by side, and only then is the stage of the latter released. What the last iteration leaves is multiplied behind the loop.
// BEHIND-LABEL: gpu.func @softmax_0(
// BEHIND: nvvm.mbarrier.try_wait.parity
// BEHIND-COUNT-4: nvvm.wgmma.mma_async
// BEHIND-NOT: wgmma.mma_async
// BEHIND-NOT: nvvm.mbarrier.arrive
// BEHIND: scf.for %[[I:[a-z0-9_]+]] = %c1 to %c8
// BEHIND: %{{.*}} = arith.remui %[[I]], %c4
// BEHIND: nvvm.mbarrier.try_wait.parity
// BEHIND: %[[BEFORE:.*]] = arith.subi %[[I]], %c1
// BEHIND: %{{.*}} = arith.remui %[[BEFORE]], %c4
// BEHIND: nvvm.wgmma.fence.aligned
// BEHIND-COUNT-4: nvvm.wgmma.mma_async
// BEHIND: nvvm.wgmma.commit.group.sync.aligned
// BEHIND-NOT: nvvm.wgmma.fence
// BEHIND-COUNT-4: "{{.*}}wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {{.*}} p, 1, 1, 1;
// BEHIND: nvvm.wgmma.commit.group.sync.aligned
// BEHIND-NEXT: nvvm.wgmma.wait.group.sync.aligned 1
// BEHIND: math.exp2
// BEHIND: nvvm.wgmma.wait.group.sync.aligned 0
// BEHIND: arith.mulf
// BEHIND: nvvm.mbarrier.arrive
// BEHIND: scf.yield
// BEHIND: nvvm.wgmma.fence.aligned
// BEHIND-COUNT-4: "{{.*}}wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// BEHIND-NOT: mma_async
// BEHIND: nvvm.wgmma.wait.group.sync.aligned 0
// BEHIND: nvvm.mbarrier.arrive
// BEHIND: nvvm.barrier
// BEHIND: gpu.return
func.func @softmax(%q: tensor<64x64xf16>, %k: tensor<64x1024xf16>, %v: tensor<1024x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x1024xf16>, tensor<1024x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x1024xf16>, %V: tensor<1024x64xf16>):
    %t:2 = mirage_block.loop iterations 8 -> !mirage.tile<64x64xf32>, !mirage.tile<64x1xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x1024xf16> -> !mirage.tile<64x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<1024x64xf16> -> !mirage.tile<128x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      %m = mirage_block.reduce_max %s dim 1 : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.sub %s, %m : (!mirage.tile<64x128xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x128xf32>
      %e = mirage_block.exp %d : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x128xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x128xf32>, !mirage.tile<128x64xf16>) -> !mirage.tile<64x64xf32>
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      mirage_block.accumulate rescaled_sum %o by %m, rescaled_sum %l by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>, !mirage.tile<64x1xf32> by !mirage.tile<64x1xf32>
    }
    %a = mirage_block.div %t#0, %t#1 : (!mirage.tile<64x64xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// What is rounded to tf32 is not multiplied so: squares of scores may be too large for f16.
// CHECK-LABEL: gpu.func @squares_0(
// CHECK: nvvm.wgmma.mma_async
// CHECK-NOT: wgmma.mma_async.sync
// CHECK: nvvm.mma.sync
// CHECK-NOT: wgmma.mma_async.sync
// CHECK: gpu.return
func.func @squares(%q: tensor<64x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x64xf16>):
    %t = mirage_block.loop iterations 8 -> !mirage.tile<64x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %e = mirage_block.sqr %s : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x64xf32>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %o : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// Several first products are issued behind one fence, and waited for together, and so are several last ones.
// CHECK-LABEL: gpu.func @gradients_0(
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-8: nvvm.wgmma.mma_async
// CHECK-NOT: wgmma.mma_async
// CHECK-NOT: nvvm.wgmma.fence.aligned
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-8: "{{.*}}wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// CHECK-NOT: nvvm.wgmma.fence.aligned
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: mma
// CHECK: gpu.return
func.func @gradients(%k: tensor<64x64xf16>, %q: tensor<256x64xf16>, %v: tensor<64x64xf16>, %d: tensor<256x64xf16>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %r:2 = mirage_kernel.graph_defined (%k, %q, %v, %d) grid <x = 1> : (tensor<64x64xf16>, tensor<256x64xf16>, tensor<64x64xf16>, tensor<256x64xf16>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  ^bb0(%K: tensor<64x64xf16>, %Q: tensor<256x64xf16>, %V: tensor<64x64xf16>, %D: tensor<256x64xf16>):
    %t:2 = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32>, !mirage.tile<64x64xf32> {
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %dt = mirage_block.input_iterator %D imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %qq = mirage_block.transpose %qt permutation [1, 0] : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %kt, %qq : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %e = mirage_block.exp %s : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf16>
      %gv = mirage_block.matmul %e, %dt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %dd = mirage_block.transpose %dt permutation [1, 0] : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
      %p = mirage_block.matmul %vt, %dd : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %w = mirage_block.mul %e, %p : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf16>
      %gk = mirage_block.matmul %w, %qt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %gv, sum %gk : !mirage.tile<64x64xf32>, !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %t#0 omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
    mirage_block.output_saver %t#1 omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r#0, %r#1 : tensor<64x64xf32>, tensor<64x64xf32>
}
}
