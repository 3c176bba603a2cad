// RUN: mirage-opt %s -convert-nvvm-to-host -split-input-file | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK-LABEL: llvm.func @m__ldmatrix(
    // CHECK-SAME: %[[ROW:.*]]: !llvm.ptr)
    llvm.func @ldmatrix(%row: !llvm.ptr<3>) -> !llvm.struct<(i32, i32)> {
      // Results come through the stack.
      // CHECK: %[[RESULTS:.*]] = llvm.alloca %{{.*}} x i32
      // CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i32)
      // CHECK: %[[TRANSPOSED:.*]] = llvm.mlir.constant(1 : i32)
      // CHECK: llvm.call @mirage_host_ldmatrix(%{{.*}}, %[[COUNT]], %[[TRANSPOSED]], %[[ROW]], %[[RESULTS]])
      // CHECK: llvm.getelementptr %[[RESULTS]][1]
      // CHECK: llvm.insertvalue %{{.*}}[1] : !llvm.struct<(i32, i32)>
      %0 = nvvm.ldmatrix %row {num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
      llvm.return %0 : !llvm.struct<(i32, i32)>
    }

    // CHECK-LABEL: llvm.func @m__mma(
    // CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32, %[[C:.*]]: f32)
    llvm.func @mma(%a: i32, %b: i32, %c: f32) -> !llvm.struct<(f32, f32, f32, f32)> {
      // CHECK: %[[REGISTERS:.*]] = llvm.alloca %{{.*}} x i32
      // CHECK: llvm.store %[[A]], %{{.*}} : i32
      // CHECK: %[[AT_B:.*]] = llvm.getelementptr %[[REGISTERS]][4]
      // CHECK: llvm.store %[[B]], %[[AT_B]] : i32
      // CHECK: %[[AT_C:.*]] = llvm.getelementptr %[[REGISTERS]][8]
      // CHECK: llvm.store %[[C]], %[[AT_C]] : f32
      // CHECK: %[[BF16:.*]] = llvm.mlir.constant(1 : i32)
      // CHECK: %[[K:.*]] = llvm.mlir.constant(8 : i32)
      // CHECK: %[[WIDE:.*]] = llvm.mlir.constant(0 : i32)
      // CHECK: llvm.call @mirage_host_mma(%{{.*}}, %[[BF16]], %[[K]], %[[WIDE]], %[[REGISTERS]])
      // CHECK: llvm.getelementptr %[[REGISTERS]][12]
      %0 = nvvm.mma.sync A[%a, %a] B[%b] C[%c, %c, %c, %c] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      llvm.return %0 : !llvm.struct<(f32, f32, f32, f32)>
    }

    // CHECK-LABEL: llvm.func @m__copies(
    // CHECK-SAME: %[[TO:.*]]: !llvm.ptr, %[[FROM:.*]]: !llvm.ptr, %[[N:.*]]: i32)
    llvm.func @copies(%to: !llvm.ptr<3>, %from: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
      // CHECK: %[[BYTES:.*]] = llvm.mlir.constant(16 : i32)
      // CHECK: %[[ARGUMENT:.*]] = llvm.mlir.constant(2 : i32)
      // CHECK: llvm.call @mirage_host_async_copy(%{{.*}}, %[[ARGUMENT]], %[[TO]], %[[FROM]], %[[BYTES]], %[[N]])
      nvvm.cp.async.shared.global %to, %from, 16, cache = cg, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
      // CHECK: llvm.call @mirage_host_async_commit()
      nvvm.cp.async.commit.group
      // CHECK: %[[GROUPS:.*]] = llvm.mlir.constant(3 : i32)
      // CHECK: llvm.call @mirage_host_async_wait(%[[GROUPS]])
      nvvm.cp.async.wait.group 3
      llvm.return
    }

    // CHECK-LABEL: llvm.func @m__mbarriers(
    // CHECK-SAME: %[[M:.*]]: !llvm.ptr, %[[N:.*]]: i32)
    llvm.func @mbarriers(%m: !llvm.ptr<3>, %n: i32) {
      // CHECK: llvm.call @mirage_host_mbarrier_init(%{{.*}}, %[[M]], %[[N]])
      nvvm.mbarrier.init %m, %n : !llvm.ptr<3>, i32
      // CHECK: llvm.call @mirage_host_mbarrier_fence()
      nvvm.fence.mbarrier.init
      // CHECK: llvm.call @mirage_host_proxy_fence()
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
      // CHECK: llvm.call @mirage_host_mbarrier_expect(%{{.*}}, %[[M]], %[[N]])
      // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
      // CHECK: llvm.call @mirage_host_mbarrier_arrive(%{{.*}}, %[[M]], %[[ONE]], %{{.*}})
      nvvm.mbarrier.arrive.expect_tx %m, %n : !llvm.ptr<3>, i32
      // CHECK: llvm.call @mirage_host_mbarrier_wait(%{{.*}}, %[[M]], %[[N]])
      nvvm.mbarrier.try_wait.parity %m, %n, %n : !llvm.ptr<3>, i32, i32
      // CHECK: llvm.call @mirage_host_mbarrier_invalidate(%{{.*}}, %[[M]])
      nvvm.mbarrier.inval %m : !llvm.ptr<3>
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @n {
    // Many ops, one place on the stack.
    // CHECK-LABEL: llvm.func @n__twice(
    llvm.func @twice(%row: !llvm.ptr<3>) -> i32 {
      // CHECK: %[[RESULTS:.*]] = llvm.alloca
      // CHECK-NOT: llvm.alloca
      // CHECK: llvm.call @mirage_host_ldmatrix(%{{.*}}, %[[RESULTS]])
      // CHECK: llvm.call @mirage_host_ldmatrix(%{{.*}}, %[[RESULTS]])
      // CHECK: llvm.return
      %0 = nvvm.ldmatrix %row {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
      %1 = nvvm.ldmatrix %row {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
      %2 = llvm.add %0, %1 : i32
      llvm.return %2 : i32
    }
  }
}
