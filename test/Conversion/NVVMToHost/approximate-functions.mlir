// RUN: mirage-opt %s -convert-nvvm-to-host | FileCheck %s

// Powers of two below the least normal number are 0, as the instruction has them; roots, their reciprocals and quotients are computed exactly. That kernels wait for each other needs nothing here: they run one
// after the other.
module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK-LABEL: llvm.func @m__powers(
    // CHECK-NOT: griddepcontrol
    // CHECK: llvm.call @mirage_host_grid_wait()
    // CHECK: %[[X:.*]] = llvm.load
    // CHECK: %[[POWER:.*]] = llvm.call_intrinsic "llvm.exp2.f32"(%[[X]])
    // CHECK: %[[LEAST:.*]] = llvm.mlir.constant(-1.260000e+02 : f32)
    // CHECK: %[[LESS:.*]] = llvm.fcmp "olt" %[[X]], %[[LEAST]]
    // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0.000000e+00 : f32)
    // CHECK: llvm.select %[[LESS]], %[[ZERO]], %[[POWER]]
    llvm.func @powers(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
      nvvm.griddepcontrol launch_dependents
      nvvm.griddepcontrol wait
      %x = llvm.load %out : !llvm.ptr<1> -> f32
      %p = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%x) : (f32) -> f32
      llvm.store %p, %out : f32, !llvm.ptr<1>
      llvm.return
    }
    // CHECK-LABEL: llvm.func @m__roots(
    // CHECK: %[[X:.*]] = llvm.load
    // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1.000000e+00 : f32)
    // CHECK: %[[ROOT:.*]] = llvm.intr.sqrt(%[[X]])
    // CHECK: llvm.fdiv %[[ONE]], %[[ROOT]]
    llvm.func @roots(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
      %x = llvm.load %out : !llvm.ptr<1> -> f32
      %r = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%x) : (f32) -> f32
      llvm.store %r, %out : f32, !llvm.ptr<1>
      // CHECK: %[[ROOT:.*]] = llvm.intr.sqrt(%[[X]])
      // CHECK: llvm.fdiv %[[X]], %[[ROOT]]
      %s = llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"(%x) : (f32) -> f32
      %q = llvm.call_intrinsic "llvm.nvvm.div.full"(%x, %s) : (f32, f32) -> f32
      llvm.store %q, %out : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
