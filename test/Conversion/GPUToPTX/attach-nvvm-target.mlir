// RUN: mirage-opt %s -mirage-attach-nvvm-target=chip=sm_90a | FileCheck %s --check-prefix=SM90A
// RUN: mirage-opt %s -mirage-attach-nvvm-target=chip=sm_80 | FileCheck %s --check-prefix=SM80
// By default the module's target, or sm_90a.
// RUN: mirage-opt %s -mirage-attach-nvvm-target | FileCheck %s --check-prefix=SM90A
// RUN: not mirage-opt %s -mirage-attach-nvvm-target=chip=sm_70 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// SM90A: gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">]
// SM80: gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx80">]
// UNKNOWN: error: unknown chip 'sm_70', expected one of sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a
gpu.module @kernels {
}
