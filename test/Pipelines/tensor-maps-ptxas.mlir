// REQUIRES: ptxas
// RUN: mirage-opt %S/tensor-maps.mlir -mirage-gpu-to-ptx=chip=sm_90a | python3 %S/Inputs/extract_ptx.py > %t.ptx
// RUN: %ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s

// CHECK: Compiling entry function 'k'
// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
