// RUN: mirage-opt %s -convert-nvvm-to-host | FileCheck %s

// The static variable of 40 bytes takes 1024, so that what follows is aligned.
// Ops that call the library are numbered, and kept with their places.
// CHECK: module attributes {mirage.ops = ["nvvm.barrier0 at {{.*}}nvvm-to-host.mlir:[[# @LINE + 44]]:7", "nvvm.barrier at {{[^"]*}}", "nvvm.shfl.sync at {{[^"]*}}"], mirage.static_shared_bytes = 1024 : i64}
module attributes {gpu.container_module} {
  // CHECK-NOT: func.func
  func.func @host() {
    return
  }

  // CHECK-DAG: llvm.func @mirage_host_special_register(i32) -> i32 attributes {memory_effects = {{.*}}, no_unwind, will_return}
  // CHECK-DAG: llvm.func @mirage_host_shared_memory(i64) -> !llvm.ptr attributes {memory_effects = {{.*}}, no_unwind, will_return}
  // CHECK-DAG: llvm.func @mirage_host_barrier(i32, i32, i32) attributes {no_unwind}
  // CHECK-DAG: llvm.func @mirage_host_shuffle(i32, i32, i32, i32, i32, i32) -> i64 attributes {no_unwind}
  // CHECK-NOT: gpu.module
  gpu.module @m {
    llvm.mlir.global internal @static() {addr_space = 3 : i32} : !llvm.array<10 x f32>
    llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

    // CHECK-LABEL: llvm.func @m__registers(%{{.*}}: !llvm.ptr) {
    llvm.func @registers(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
      // CHECK: %[[TID_Y:.*]] = llvm.mlir.constant(1 : i32)
      // CHECK: %[[Y:.*]] = llvm.call @mirage_host_special_register(%[[TID_Y]])
      %0 = nvvm.read.ptx.sreg.tid.y range <i32, 0, 32> : i32
      // CHECK: %[[CTAID_X:.*]] = llvm.mlir.constant(3 : i32)
      // CHECK: %[[X:.*]] = llvm.call @mirage_host_special_register(%[[CTAID_X]])
      %1 = nvvm.read.ptx.sreg.ctaid.x : i32
      // CHECK: %[[SUM:.*]] = llvm.add %[[Y]], %[[X]]
      %2 = llvm.add %0, %1 : i32
      // CHECK: llvm.store %[[SUM]], %{{.*}} : i32, !llvm.ptr
      llvm.store %2, %out : i32, !llvm.ptr<1>
      llvm.return
    }

    // CHECK-LABEL: llvm.func @m__shared()
    llvm.func @shared() attributes {nvvm.kernel} {
      // CHECK: %[[AT_0:.*]] = llvm.mlir.constant(0 : i64)
      // CHECK: %[[STATIC:.*]] = llvm.call @mirage_host_shared_memory(%[[AT_0]])
      %0 = llvm.mlir.addressof @static : !llvm.ptr<3>
      // CHECK: %[[AT_1024:.*]] = llvm.mlir.constant(1024 : i64)
      // CHECK: %[[DYNAMIC:.*]] = llvm.call @mirage_host_shared_memory(%[[AT_1024]])
      %1 = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
      // CHECK-NOT: addrspacecast
      %2 = llvm.addrspacecast %1 : !llvm.ptr<3> to !llvm.ptr
      // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
      // CHECK: %[[OP:.*]] = llvm.mlir.constant(0 : i32)
      // CHECK: llvm.call @mirage_host_barrier(%[[OP]], %[[ZERO]], %[[ZERO]])
      nvvm.barrier0
      // CHECK: %[[OP:.*]] = llvm.mlir.constant(1 : i32)
      // CHECK: llvm.call @mirage_host_barrier(%[[OP]], %{{.*}}, %{{.*}})
      nvvm.barrier
      // CHECK: llvm.store %[[STATIC]], %[[DYNAMIC]] : !llvm.ptr, !llvm.ptr
      llvm.store %0, %2 : !llvm.ptr<3>, !llvm.ptr
      llvm.return
    }

    // CHECK-LABEL: llvm.func @m__shuffle
    // CHECK-SAME: (%[[MASK:.*]]: i32, %[[VALUE:.*]]: f32, %[[OFFSET:.*]]: i32, %[[CLAMP:.*]]: i32)
    llvm.func @shuffle(%mask: i32, %value: f32, %offset: i32, %clamp: i32) -> !llvm.struct<(f32, i1)> {
      // CHECK: %[[DOWN:.*]] = llvm.mlir.constant(2 : i32)
      // CHECK: %[[BITS:.*]] = llvm.bitcast %[[VALUE]] : f32 to i32
      // CHECK: %[[PACKED:.*]] = llvm.call @mirage_host_shuffle(%{{.*}}, %[[DOWN]], %[[MASK]], %[[BITS]], %[[OFFSET]], %[[CLAMP]])
      // CHECK: %[[LOW:.*]] = llvm.trunc %[[PACKED]] : i64 to i32
      // CHECK: %[[RESULT:.*]] = llvm.bitcast %[[LOW]] : i32 to f32
      // CHECK: %[[HIGH:.*]] = llvm.lshr %[[PACKED]]
      // CHECK: %[[VALID:.*]] = llvm.trunc %[[HIGH]] : i64 to i1
      // CHECK: llvm.insertvalue %[[RESULT]], %{{.*}}[0]
      // CHECK: llvm.insertvalue %[[VALID]], %{{.*}}[1]
      %0 = nvvm.shfl.sync down %mask, %value, %offset, %clamp {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
      llvm.return %0 : !llvm.struct<(f32, i1)>
    }

    // A call follows the function's new name.
    // CHECK-LABEL: llvm.func @m__caller()
    llvm.func @caller() {
      // CHECK: llvm.call @m__shared() : () -> ()
      llvm.call @shared() : () -> ()
      llvm.return
    }
  }
}
