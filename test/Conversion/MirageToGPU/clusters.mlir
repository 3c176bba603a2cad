// RUN: mirage-opt --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory=max-stages=3 --convert-mirage-to-gpu="target=sm_90a allow-unverified" --canonicalize --cse %s | FileCheck %s
// RUN: mirage-opt --mirage-specialize-warps=clusters=false --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory=max-stages=3 --convert-mirage-to-gpu="target=sm_90a allow-unverified" --canonicalize --cse %s | FileCheck %s --check-prefix=ALONE

// ALONE-NOT: known_cluster_size
// ALONE-NOT: nvvm.cluster
// ALONE-NOT: nvvm.mapa
// ALONE-NOT: multicast_mask

// Of the tile of x a block loads 16 of 64 rows, and all of its own tile of w.
// CHECK: gpu.func @product_0(
// CHECK-SAME: memref<64x512xf16> {mirage.tensor_map = {box = array<i64: 16, 64>, shape = array<i64: 64, 512>, swizzle = 128 : i64, type = f16}},
// CHECK-SAME: memref<512x256xf16> {mirage.tensor_map = {box = array<i64: 64, 64>, shape = array<i64: 512, 256>, swizzle = 128 : i64, type = f16}}
// CHECK-SAME: known_cluster_size = array<i32: 4, 1, 1>

// CHECK: %[[RANK32:.*]] = nvvm.read.ptx.sreg.cluster.ctarank : i32
// CHECK: %[[RANK:.*]] = arith.index_cast %[[RANK32]]
// One arrival at "full", and at "empty" one of each of four warps of four
// blocks.
// CHECK: nvvm.mbarrier.init %{{.*}}, %c1_i32
// CHECK: nvvm.mbarrier.init %{{.*}}, %c16_i32
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.cluster.arrive.relaxed
// CHECK-NEXT: nvvm.cluster.wait
// CHECK-NOT: gpu.barrier

// A lane for each block.
// CHECK: nvvm.bar.warp.sync
// CHECK: %[[TELLS:.*]] = arith.cmpi ult, %[[LANE:.*]], %c4
// CHECK-NEXT: scf.if %[[TELLS]] {
// CHECK: %[[BLOCK:.*]] = arith.index_cast %[[LANE]] : index to i32
// CHECK: %[[THERE:.*]] = nvvm.mapa %{{.*}}, %[[BLOCK]] : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK-NEXT: nvvm.mbarrier.arrive %[[THERE]]

// Each announces both whole tiles.
// CHECK: } else {
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c16384_i32
// CHECK: %[[ROW:.*]] = arith.muli %[[RANK]], %c16
// CHECK: %[[BYTES:.*]] = arith.muli %[[RANK]], %c2048
// CHECK: %[[ROW32:.*]] = arith.index_cast %[[ROW]] : index to i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}} box[%{{.*}}, %[[ROW32]]] multicast_mask = %c15_i16
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK-NOT: multicast_mask

// At the end it waits for the releases of all three stages: of iterations 6 and
// 7, in their third round, and of 5, in its second.
// CHECK: nvvm.mbarrier.try_wait.parity %{{.*}}, %c0_i32
// CHECK: nvvm.mbarrier.try_wait.parity %{{.*}}, %c0_i32
// CHECK: nvvm.mbarrier.try_wait.parity %{{.*}}, %c1_i32
// CHECK-NOT: nvvm.cluster
// CHECK: gpu.return
func.func @product(%x: tensor<64x512xf16>, %w: tensor<512x256xf16>) -> tensor<64x256xf16> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 4> : (tensor<64x512xf16>, tensor<512x256xf16>) -> tensor<64x256xf16> {
  ^bb0(%X: tensor<64x512xf16>, %W: tensor<512x256xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<64x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<512x256xf16> -> !mirage.tile<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %a omap <x -> 1> : !mirage.tile<64x64xf32> -> tensor<64x256xf16>
  }
  return %o : tensor<64x256xf16>
}
