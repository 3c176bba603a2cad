// RUN: mirage-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(mirage-keep-tensor-maps,mirage-pass-tensor-maps))' | FileCheck %s

// The attribute of the argument, which gpu-to-nvvm drops, as one of the kernel.
gpu.module @kernels {
  // CHECK: gpu.func @map({{.*}}) kernel attributes {mirage.tensor_maps = [unit, {box = array<i64: 64, 64>, shape = array<i64: 64, 512>, swizzle = 128 : i64, type = f16}]}
  gpu.func @map(%x: memref<64x512xf16>, %y: memref<64x512xf16> {mirage.tensor_map = {type = f16, shape = array<i64: 64, 512>, box = array<i64: 64, 64>, swizzle = 128 : i64}}) kernel {
    gpu.return
  }
  // CHECK: gpu.func @none(%{{.*}}: memref<64xf16>) kernel {
  gpu.func @none(%x: memref<64xf16>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // CHECK: llvm.func @map(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr {llvm.align = 128 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}) attributes {nvvm.kernel} {
  llvm.func @map(%x: !llvm.ptr, %y: !llvm.ptr) attributes {nvvm.kernel, mirage.tensor_maps = [unit, {box = array<i64: 64, 64>, shape = array<i64: 64, 512>, swizzle = 128 : i64, type = f16}]} {
    llvm.return
  }
}
