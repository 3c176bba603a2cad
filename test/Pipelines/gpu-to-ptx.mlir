// RUN: mirage-opt %S/Inputs/rmsnorm.mlir -mirage-gpu-to-nvvm=chip=sm_90a | FileCheck %s --check-prefix=NVVM
// RUN: mirage-opt %S/Inputs/rmsnorm.mlir -mirage-gpu-to-ptx=chip=sm_80 \
// RUN:   | python3 %S/Inputs/extract_ptx.py | FileCheck %s --check-prefixes=PTX,SM80
// RUN: mirage-opt %S/Inputs/rmsnorm.mlir -mirage-gpu-to-ptx=chip=sm_90a \
// RUN:   | python3 %S/Inputs/extract_ptx.py | FileCheck %s --check-prefixes=PTX,SM90A
// RUN: mirage-opt %S/Inputs/rmsnorm.mlir -mirage-gpu-to-host | FileCheck %s --check-prefix=HOST
// RUN: not mirage-opt %S/Inputs/rmsnorm.mlir -mirage-gpu-to-ptx=chip=sm_999 2>&1 | FileCheck %s --check-prefix=CHIP

// Bare pointers, and dynamic shared memory as CUDA has it.
// NVVM: gpu.module @mirage_kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">]
// NVVM: llvm.mlir.global external @{{.*}}() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// NVVM: llvm.func @rmsnorm_0(%{{[^,]*}}: !llvm.ptr, %{{[^,]*}}: !llvm.ptr, %{{[^,]*}}: !llvm.ptr) attributes
// NVVM-NOT: unrealized_conversion_cast
// NVVM: nvvm.barrier0

// SM80: .target sm_80
// SM90A: .target sm_90a
// PTX: .extern .shared .align 1024 .b8
// PTX: .visible .entry rmsnorm_0(
// PTX: .maxntid 256, 1, 1
// PTX: bar.sync 0;
// PTX: sqrt.approx.f32
// PTX: div.full.f32

// HOST: module attributes {{{.*}}mirage.static_shared_bytes = 0 : i64
// HOST: llvm.func @mirage_kernels__rmsnorm_0(%{{[^,]*}}: !llvm.ptr, %{{[^,]*}}: !llvm.ptr, %{{[^,]*}}: !llvm.ptr)
// HOST-NOT: nvvm.

// CHIP: error: unknown chip 'sm_999'
