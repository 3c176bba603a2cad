// RUN: mirage-opt %s -convert-nvvm-to-host | FileCheck %s
// RUN: mirage-opt %s -convert-nvvm-to-host=trace-accesses=true | FileCheck %s --check-prefix=TRACE

!sums = !llvm.struct<(f32, f32, f32, f32)>

// CHECK-NOT: mirage_host_wgmma_use
module attributes {gpu.container_module} {
  gpu.module @m {
    // Coordinates are five, whatever the rank. A tensor map is an address, and not passed by value.
    // CHECK-LABEL: llvm.func @m__copies(%{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr) {
    llvm.func @copies(%map: !llvm.ptr {llvm.align = 128 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %s: !llvm.ptr<3>) attributes {nvvm.kernel} {
      // CHECK-DAG: %[[C3:.*]] = llvm.mlir.constant(3 : i32)
      // CHECK-DAG: %[[C4:.*]] = llvm.mlir.constant(4 : i32)
      %c3 = llvm.mlir.constant(3 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %d = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<7>
      // CHECK: %[[NOMASK:.*]] = llvm.mlir.constant(65536 : i32)
      // CHECK: %[[RANK:.*]] = llvm.mlir.constant(2 : i32)
      // CHECK: llvm.call @mirage_host_tensor_load(%{{.*}}, %[[S:.*]], %[[MAP:.*]], %[[S]], %[[NOMASK]], %[[RANK]], %[[C3]], %[[C4]], %{{.*}}, %{{.*}}, %{{.*}})
      nvvm.cp.async.bulk.tensor.shared.cluster.global %d, %map, %s, box[%c3, %c4] : !llvm.ptr<7>, !llvm.ptr
      // CHECK: llvm.call @mirage_host_tensor_store(%{{.*}}, %[[MAP]], %[[S]], %{{.*}}, %[[C3]], %[[C4]], %{{.*}}, %{{.*}}, %{{.*}})
      nvvm.cp.async.bulk.tensor.global.shared.cta %map, %s, box[%c3, %c4] : !llvm.ptr, !llvm.ptr<3>
      // CHECK: llvm.call @mirage_host_bulk_commit()
      nvvm.cp.async.bulk.commit.group
      // CHECK: %[[LEFT:.*]] = llvm.mlir.constant(1 : i32)
      // CHECK: %[[READ:.*]] = llvm.mlir.constant(1 : i32)
      // CHECK: llvm.call @mirage_host_bulk_wait(%[[LEFT]], %[[READ]])
      nvvm.cp.async.bulk.wait_group 1 {read}
      // CHECK: llvm.mlir.constant(0 : i32)
      // CHECK: %[[WRITE:.*]] = llvm.mlir.constant(0 : i32)
      // CHECK: llvm.call @mirage_host_bulk_wait(%{{.*}}, %[[WRITE]])
      nvvm.cp.async.bulk.wait_group 0
      // CHECK: llvm.call @mirage_host_proxy_fence()
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      // CHECK-NOT: nvvm.prefetch
      nvvm.prefetch tensormap, %map : !llvm.ptr
      llvm.return
    }

    // CHECK-LABEL: llvm.func @m__cluster(
    // CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %[[SHARED:[^:]*]]: !llvm.ptr, %[[MASK:[^:]*]]: i16)
    llvm.func @cluster(%map: !llvm.ptr {llvm.align = 128 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %s: !llvm.ptr<3>, %mask: i16) attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
      // CHECK: %[[WHICH:.*]] = llvm.mlir.constant(21 : i32)
      // CHECK: %[[NUMBER:.*]] = llvm.call @mirage_host_special_register(%[[WHICH]])
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      // CHECK: %[[THERE:.*]] = llvm.call @mirage_host_map_shared(%{{.*}}, %[[SHARED]], %[[NUMBER]])
      %there = nvvm.mapa %s, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
      // CHECK: llvm.call @mirage_host_mbarrier_arrive(%{{.*}}, %[[THERE]], %{{.*}})
      nvvm.mbarrier.arrive %there : !llvm.ptr<7>
      %d = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<7>
      // CHECK: %[[WIDE:.*]] = llvm.zext %[[MASK]] : i16 to i32
      // CHECK: llvm.call @mirage_host_tensor_load(%{{.*}}, %[[SHARED]], %{{.*}}, %[[SHARED]], %[[WIDE]],
      nvvm.cp.async.bulk.tensor.shared.cluster.global %d, %map, %s, box[%rank, %rank] multicast_mask = %mask : !llvm.ptr<7>, !llvm.ptr
      // CHECK: llvm.call @mirage_host_cluster_arrive(%{{.*}})
      nvvm.cluster.arrive {aligned}
      // CHECK: llvm.call @mirage_host_cluster_wait(%{{.*}})
      nvvm.cluster.wait
      // CHECK: llvm.call @mirage_host_cluster_arrive_relaxed(%{{.*}})
      nvvm.cluster.arrive.relaxed {aligned}
      nvvm.cluster.wait
      llvm.return
    }

    // CHECK-LABEL: llvm.func @m__sums(
    // CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i64, %{{.*}}: !llvm.ptr)
    // The companion of what the loop carries is an argument of its block.
    // TRACE-LABEL: llvm.func @m__sums(
    llvm.func @sums(%a: i64, %b: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
      // CHECK: %[[SUMS:.*]] = llvm.alloca %{{.*}} x i32 {alignment = 4 : i64, mirage.accumulators}
      // CHECK: %[[ZERO:.*]] = llvm.mlir.zero
      %zero = llvm.mlir.zero : !sums
      // CHECK: llvm.call @mirage_host_wgmma_fence(%{{.*}})
      nvvm.wgmma.fence.aligned
      // CHECK: llvm.br ^[[LOOP:.*]](%[[ZERO]]
      // TRACE: %[[NONE:.*]] = llvm.mlir.constant(0 : i32)
      // TRACE: llvm.br ^[[LOOP:.*]](%{{.*}}, %[[NONE]] : !llvm.struct<(f32, f32, f32, f32)>, i32)
      llvm.br ^loop(%zero : !sums)
    // CHECK: ^[[LOOP]](%[[BEFORE:.*]]: !llvm.struct<(f32, f32, f32, f32)>):
    // TRACE: ^[[LOOP]](%{{.*}}: !llvm.struct<(f32, f32, f32, f32)>, %[[OLD:.*]]: i32):
    ^loop(%before: !sums):
      // n = 8 (8 << 8), accumulating (64), B transposed (8), bf16 (1).
      // CHECK: llvm.store %[[BEFORE]], %[[SUMS]]
      // CHECK: %[[INFO:.*]] = llvm.mlir.constant(2121 : i32)
      // CHECK: llvm.call @mirage_host_wgmma(%{{.*}}, %[[A]], %[[B]], %[[INFO]], %[[SUMS]])
      // CHECK: %[[AFTER:.*]] = llvm.load %[[SUMS]]
      // TRACE: llvm.call @mirage_host_wgmma(
      // TRACE: %[[NEW:.*]] = llvm.call @mirage_host_wgmma_issued()
      %after = nvvm.wgmma.mma_async %a, %b, %before, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<bf16>, #nvvm.wgmma_scale_in<one>, <row>], B [<bf16>, #nvvm.wgmma_scale_in<one>, <row>] : !sums -> !sums
      // CHECK: llvm.call @mirage_host_wgmma_commit(%{{.*}})
      nvvm.wgmma.commit.group.sync.aligned
      // CHECK: %[[GROUPS:.*]] = llvm.mlir.constant(1 : i32)
      // CHECK: llvm.call @mirage_host_wgmma_wait(%{{.*}}, %[[GROUPS]])
      nvvm.wgmma.wait.group.sync.aligned 1
      // CHECK: llvm.extractvalue %[[BEFORE]][2]
      // TRACE: llvm.extractvalue
      // TRACE: llvm.call @mirage_host_wgmma_use(%{{.*}}, %[[OLD]])
      // TRACE-NEXT: llvm.store
      %x = llvm.extractvalue %before[2] : !sums
      llvm.store %x, %out : f32, !llvm.ptr<1>
      // TRACE: llvm.br ^[[LOOP]](%{{.*}}, %[[NEW]] : !llvm.struct<(f32, f32, f32, f32)>, i32)
      llvm.br ^loop(%after : !sums)
    }
  }
}
