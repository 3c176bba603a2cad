// REQUIRES: ptxas
// RUN: mirage-opt %S/Inputs/operators.mlir --mirage-schedule-kernels --mirage-construct-thread-graphs --convert-mirage-to-gpu="target=sm_80 allow-unverified" -mirage-gpu-to-ptx=chip=sm_80 | %python %S/Inputs/extract_ptx.py > %t.sm_80.ptx
// RUN: %ptxas -arch=sm_80 -v %t.sm_80.ptx -o %t.sm_80.cubin 2>&1 | FileCheck %s
// RUN: mirage-opt %S/Inputs/operators.mlir --mirage-schedule-kernels --mirage-construct-thread-graphs --convert-mirage-to-gpu="target=sm_90a allow-unverified" -mirage-gpu-to-ptx=chip=sm_90a | %python %S/Inputs/extract_ptx.py > %t.sm_90a.ptx
// RUN: %ptxas -arch=sm_90a -v %t.sm_90a.ptx -o %t.sm_90a.cubin 2>&1 | FileCheck %s

// CHECK-DAG: Compiling entry function 'functions_0'
// CHECK-DAG: Compiling entry function 'movements_0'
// CHECK-DAG: Compiling entry function 'accumulators_0'
