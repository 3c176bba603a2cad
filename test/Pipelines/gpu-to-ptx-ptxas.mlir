// REQUIRES: ptxas
// RUN: mirage-opt %S/Inputs/rmsnorm.mlir -mirage-gpu-to-ptx=chip=sm_80 | python3 %S/Inputs/extract_ptx.py > %t.sm_80.ptx
// RUN: %ptxas -arch=sm_80 -v %t.sm_80.ptx -o %t.sm_80.cubin 2>&1 | FileCheck %s
// RUN: mirage-opt %S/Inputs/rmsnorm.mlir -mirage-gpu-to-ptx=chip=sm_90a | python3 %S/Inputs/extract_ptx.py > %t.sm_90a.ptx
// RUN: %ptxas -arch=sm_90a -v %t.sm_90a.ptx -o %t.sm_90a.cubin 2>&1 | FileCheck %s

// CHECK: Compiling entry function 'rmsnorm_0'
// CHECK: 0 bytes spill stores, 0 bytes spill loads
