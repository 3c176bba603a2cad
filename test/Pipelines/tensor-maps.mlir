// RUN: mirage-opt %s -mirage-gpu-to-nvvm=chip=sm_90a | FileCheck %s --check-prefix=NVVM
// RUN: mirage-opt %s -mirage-gpu-to-ptx=chip=sm_90a \
// RUN:   | python3 %S/Inputs/extract_ptx.py | FileCheck %s --check-prefix=PTX

// A tensor map is 128 bytes in the kernel's parameters, and used by its
// address; wgmma is inline assembly.
// NVVM: llvm.func @k(%{{[^:]*}}: !llvm.ptr {llvm.align = 128 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %{{[^:]*}}: !llvm.ptr)
// NVVM: nvvm.wgmma.mma_async

// PTX: .visible .entry k(
// PTX-NEXT: .param .align 128 .b8 k_param_0[128],
// PTX-NEXT: .param .u64 {{.*}}k_param_1
// PTX: mov.b64 [[PARAM:%rd[0-9]+]], k_param_0;
// PTX: cvta.param.u64 [[MAP:%rd[0-9]+]], [[PARAM]];
// PTX-NOT: .local
// PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [{{.*}}], {{\[}}[[MAP]], {
// PTX: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group {{\[}}[[MAP]], {
// PTX: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{.*}}, p, 1, 1, 0, 0;

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<64x64xf16> {mirage.tensor_map = {type = f16, shape = array<i64: 64, 64>, box = array<i64: 64, 64>, swizzle = 128 : i64}}, %y: memref<64x64xf16>) kernel {
      %base = memref.extract_aligned_pointer_as_index %x : memref<64x64xf16> -> index
      %base64 = arith.index_cast %base : index to i64
      %map = llvm.inttoptr %base64 : i64 to !llvm.ptr
      %smem = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %s = memref.extract_aligned_pointer_as_index %smem : memref<?xi8, #gpu.address_space<workgroup>> -> index
      %s64 = arith.index_cast %s : index to i64
      %shared = llvm.inttoptr %s64 : i64 to !llvm.ptr<3>
      %bar = llvm.getelementptr %shared[8192] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %c0 = arith.constant 0 : i32
      %sc = llvm.addrspacecast %shared : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.cp.async.bulk.tensor.shared.cluster.global %sc, %map, %bar, box[%c0, %c0] : !llvm.ptr<7>, !llvm.ptr
      nvvm.cp.async.bulk.tensor.global.shared.cta %map, %shared, box[%c0, %c0] : !llvm.ptr, !llvm.ptr<3>
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0 {read}
      %zero = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
      nvvm.wgmma.fence.aligned
      %d = llvm.ptrtoint %shared : !llvm.ptr<3> to i64
      %r = nvvm.wgmma.mma_async %d, %d, %zero, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned 0
      %e = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
      %f = arith.truncf %e : f32 to f16
      %i = arith.constant 0 : index
      memref.store %f, %y[%i, %i] : memref<64x64xf16>
      gpu.return
    }
  }
}
