// RUN: mirage-opt %s -pass-pipeline='builtin.module(gpu.module(mirage-externalize-shared-memory))' | FileCheck %s

gpu.module @kernels {
  // The dynamic array starts behind the static variables, aligned for swizzles.
  // CHECK: llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  // CHECK: llvm.mlir.global internal @static() {addr_space = 3 : i32} : !llvm.array<32 x f32>
  llvm.mlir.global internal @static() {addr_space = 3 : i32} : !llvm.array<32 x f32>
  // CHECK: llvm.mlir.global internal @elsewhere() {addr_space = 1 : i32} : !llvm.array<0 x i8>
  llvm.mlir.global internal @elsewhere() {addr_space = 1 : i32} : !llvm.array<0 x i8>
}
