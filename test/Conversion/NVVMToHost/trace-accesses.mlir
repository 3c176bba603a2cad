// RUN: mirage-opt %s -convert-nvvm-to-host=trace-accesses=true | FileCheck %s
// RUN: mirage-opt %s -convert-nvvm-to-host | FileCheck %s --check-prefix=PLAIN

// Without the option nothing is added.
// PLAIN-NOT: mirage.access_granularity
// PLAIN-NOT: mirage_host_access
// PLAIN-NOT: mirage_host_special_function

// The copy need not be aligned.
// CHECK: module attributes {mirage.access_granularity = 1 : i64, mirage.ops = ["llvm.load at {{[^"]*}}", "llvm.store at {{[^"]*}}"
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

    // CHECK-LABEL: llvm.func @m__kernel(
    // CHECK-SAME: %[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr) {
    llvm.func @kernel(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
      // A read (kind 0) of 4 bytes of device memory (space 1 << 2), aligned to 4 (2 << 4), by the first argument (1 << 8).
      // CHECK: %[[OP_0:.*]] = llvm.mlir.constant(0 : i32)
      // CHECK: %[[INFO_0:.*]] = llvm.mlir.constant(292 : i32)
      // CHECK: llvm.call @mirage_host_access(%[[OP_0]], %[[X]], %{{.*}}, %[[INFO_0]])
      // CHECK: %[[V:.*]] = llvm.load %[[X]]
      %v = llvm.load %x : !llvm.ptr<1> -> f32

      // A write (1) of 8 bytes of shared memory (2 << 2), aligned to 2 (1 << 4).
      // CHECK: %[[SHARED:.*]] = llvm.call @mirage_host_shared_memory
      %s = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
      // CHECK: llvm.mlir.constant(8 : i64)
      // CHECK: %[[OP_1:.*]] = llvm.mlir.constant(1 : i32)
      // CHECK: %[[INFO_1:.*]] = llvm.mlir.constant(25 : i32)
      // CHECK: llvm.call @mirage_host_access(%[[OP_1]], %[[SHARED]], %{{.*}}, %[[INFO_1]])
      // CHECK: llvm.store
      %w = llvm.mlir.constant(dense<0.0> : vector<2xf32>) : vector<2xf32>
      llvm.store %w, %s {alignment = 2 : i64} : vector<2xf32>, !llvm.ptr<3>

      // The second argument, through a GEP; both ends of a copy.
      // CHECK: %[[GEP:.*]] = llvm.getelementptr %[[Y]]
      // CHECK: llvm.call @mirage_host_access(%{{.*}}, %[[SHARED]], %{{.*}}, %{{.*}})
      // CHECK: %[[INFO_3:.*]] = llvm.mlir.constant(517 : i32)
      // CHECK: llvm.call @mirage_host_access(%{{.*}}, %[[GEP]], %{{.*}}, %[[INFO_3]])
      // CHECK: llvm.intr.memcpy
      %g = llvm.getelementptr %y[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %n = llvm.mlir.constant(12 : i64) : i64
      "llvm.intr.memcpy"(%g, %s, %n) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<3>, i64) -> ()

      // A thread's own variables are its own business.
      // CHECK: llvm.alloca
      // CHECK-NOT: llvm.call
      // CHECK: llvm.store
      %one = llvm.mlir.constant(1 : i32) : i32
      %own = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
      llvm.store %v, %own : f32, !llvm.ptr

      // What the special function units compute: exp2 is number 0, a division 6.
      // CHECK: %[[EXP2:.*]] = llvm.mlir.constant(0 : i32)
      // CHECK: %[[COUNT_1:.*]] = llvm.mlir.constant(1 : i32)
      // CHECK: llvm.call @mirage_host_special_function(%[[EXP2]], %[[COUNT_1]])
      // CHECK: llvm.call_intrinsic "llvm.exp2.f32"
      %e = llvm.call_intrinsic "llvm.exp2.f32"(%v) : (f32) -> f32
      // CHECK: %[[DIVIDE:.*]] = llvm.mlir.constant(6 : i32)
      // CHECK: %[[COUNT_2:.*]] = llvm.mlir.constant(2 : i32)
      // CHECK: llvm.call @mirage_host_special_function(%[[DIVIDE]], %[[COUNT_2]])
      // CHECK: llvm.fdiv
      %d = llvm.fdiv %w, %w : vector<2xf32>
      // CHECK: call @mirage_host_special_function(
      // CHECK: llvm.fdiv
      %q = llvm.call_intrinsic "llvm.nvvm.div.full"(%v, %v) : (f32, f32) -> f32
      // CHECK-NOT: mirage_host_special_function
      %f = llvm.fadd %e, %v : f32
      llvm.return
    }
  }
}
