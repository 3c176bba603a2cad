// RUN: mirage-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(mirage-lower-device-math))' -verify-diagnostics | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @approximate
  // CHECK-SAME: (%[[X:.*]]: f32)
  gpu.func @approximate(%x: f32) -> (f32, f32) {
    // CHECK: %[[EXP2:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%[[X]])
    %0 = math.exp2 %x : f32
    // CHECK: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
    // CHECK: %[[SCALED:.*]] = arith.mulf %[[X]], %[[LOG2E]]
    // CHECK: %[[EXP:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%[[SCALED]])
    %1 = math.exp %x : f32
    // CHECK: gpu.return %[[EXP2]], %[[EXP]]
    gpu.return %0, %1 : f32, f32
  }

  // CHECK-LABEL: gpu.func @exact
  // CHECK-SAME: (%[[X:.*]]: f32)
  gpu.func @exact(%x: f32) -> (f32, f32) {
    // CHECK: %[[ABS:.*]] = llvm.call_intrinsic "llvm.fabs.f32"(%[[X]])
    %2 = math.absf %x : f32
    // CHECK: %[[FMA:.*]] = llvm.call_intrinsic "llvm.fma.f32"(%[[X]], %[[X]], %[[X]])
    %3 = math.fma %x, %x, %x : f32
    // CHECK: gpu.return %[[ABS]], %[[FMA]]
    gpu.return %2, %3 : f32, f32
  }

  // Quotients of f32; a number that is known is multiplied by, if the reciprocal has all digits. Others are correctly rounded.
  // CHECK-LABEL: gpu.func @quotients
  // CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[Z:.*]]: f64)
  gpu.func @quotients(%x: f32, %y: f32, %z: f64) -> (f32, f32, f32, f32, f64) {
    %three = arith.constant 3.0 : f32
    %zero = arith.constant 0.0 : f32
    %huge = arith.constant 3.0e38 : f32
    // CHECK: %[[XY:.*]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[X]], %[[Y]]) : (f32, f32) -> f32
    %0 = arith.divf %x, %y : f32
    // CHECK: %[[THIRD:.*]] = arith.constant 0.333333343 : f32
    // CHECK: %[[X3:.*]] = arith.mulf %[[X]], %[[THIRD]] : f32
    %1 = arith.divf %x, %three : f32
    // CHECK: %[[X0:.*]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[X]]
    %2 = arith.divf %x, %zero : f32
    // CHECK: %[[XHUGE:.*]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[X]]
    %3 = arith.divf %x, %huge : f32
    // CHECK: %[[ZZ:.*]] = arith.divf %[[Z]], %[[Z]] : f64
    %4 = arith.divf %z, %z : f64
    // CHECK: gpu.return %[[XY]], %[[X3]], %[[X0]], %[[XHUGE]], %[[ZZ]]
    gpu.return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f64
  }

  // Reciprocals of roots are one instruction, in f32.
  // CHECK-LABEL: gpu.func @roots
  // CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f64)
  gpu.func @roots(%x: f32, %y: f64) -> (f32, f32, f32, f64) {
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    // CHECK: %[[RSQRT:.*]] = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%[[X]]) : (f32) -> f32
    %0 = math.rsqrt %x : f32
    // CHECK: %[[ROOT:.*]] = llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"(%[[X]])
    %root = math.sqrt %x : f32
    // CHECK: %[[FUSED:.*]] = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%[[X]]) : (f32) -> f32
    %1 = arith.divf %one, %root : f32
    // CHECK: %[[QUOTIENT:.*]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%{{.*}}, %[[ROOT]])
    %2 = arith.divf %two, %root : f32
    // CHECK: %[[WIDE:.*]] = llvm.call_intrinsic "llvm.sqrt.f64"(%[[Y]])
    // CHECK: %[[EXACT:.*]] = arith.divf %{{.*}}, %[[WIDE]] : f64
    %3 = math.rsqrt %y : f64
    // CHECK: gpu.return %[[RSQRT]], %[[FUSED]], %[[QUOTIENT]], %[[EXACT]]
    gpu.return %0, %1, %2, %3 : f32, f32, f32, f64
  }

  // CHECK-LABEL: gpu.func @numbers
  // CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32)
  gpu.func @numbers(%x: f32, %y: f32) -> (f32, f32) {
    // CHECK: %[[MAX:.*]] = llvm.call_intrinsic "llvm.maxnum.f32"(%[[X]], %[[Y]])
    %0 = arith.maxnumf %x, %y : f32
    // CHECK: %[[MIN:.*]] = llvm.call_intrinsic "llvm.minnum.f32"(%[[X]], %[[Y]])
    %1 = arith.minnumf %x, %y : f32
    // CHECK: gpu.return %[[MAX]], %[[MIN]]
    gpu.return %0, %1 : f32, f32
  }

  // Polynomials, whose fused products have lowerings.
  // CHECK-LABEL: gpu.func @polynomials
  // CHECK: llvm.call_intrinsic "llvm.fma.f32"
  // CHECK-NOT: {{math\.|log2}}
  // CHECK: gpu.return
  gpu.func @polynomials(%x: f32, %y: f16) -> (f32, f32, f32, f16, f16) {
    %0 = math.erf %x : f32
    %1 = math.log %x : f32
    %2 = math.log2 %x : f32
    %3 = math.erf %y : f16
    %4 = math.log %y : f16
    gpu.return %0, %1, %2, %3, %4 : f32, f32, f32, f16, f16
  }

  // CHECK-LABEL: gpu.func @narrow
  // CHECK-SAME: (%[[X:.*]]: bf16)
  gpu.func @narrow(%x: bf16) -> bf16 {
    // CHECK: %[[WIDE:.*]] = arith.extf %[[X]] : bf16 to f32
    // CHECK: %[[EXP2:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%[[WIDE]])
    // CHECK: %[[NARROW:.*]] = arith.truncf %[[EXP2]] : f32 to bf16
    %0 = math.exp2 %x : bf16
    // CHECK: gpu.return %[[NARROW]]
    gpu.return %0 : bf16
  }
}

// -----

gpu.module @kernels {
  gpu.func @unknown(%x: f32) -> f32 {
    // expected-error @below {{'math.tan' op on 'f32' has no lowering to device code}}
    %0 = math.tan %x : f32
    gpu.return %0 : f32
  }
}

// -----

gpu.module @kernels {
  gpu.func @no_approximation_in_f64(%x: f64) -> f64 {
    // expected-error @below {{'math.exp2' op on 'f64' has no lowering to device code}}
    %0 = math.exp2 %x : f64
    gpu.return %0 : f64
  }
}

// -----

gpu.module @kernels {
  // It would become a call of CUDA's device library.
  gpu.func @remainder(%x: f32) -> f32 {
    // expected-error @below {{'arith.remf' op on 'f32' has no lowering to device code}}
    %0 = arith.remf %x, %x : f32
    gpu.return %0 : f32
  }
}
