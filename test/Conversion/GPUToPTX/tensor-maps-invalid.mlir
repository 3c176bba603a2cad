// RUN: mirage-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(mirage-keep-tensor-maps,mirage-pass-tensor-maps))'

gpu.module @kernels {
  // expected-error @below {{'gpu.func' op has as argument 1 a tensor map with a box of 512 elements in a dimension, expected 1 to 256}}
  gpu.func @k(%x: memref<64x512xf16>, %y: memref<64x512xf16> {mirage.tensor_map = {type = f16, shape = array<i64: 64, 512>, box = array<i64: 64, 512>, swizzle = 0 : i64}}) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{'gpu.func' op has as argument 0 a tensor map with more bytes than can be counted}}
  gpu.func @k(%x: memref<2x2147483647x2147483647x16xf16> {mirage.tensor_map = {type = f16, shape = array<i64: 2, 2147483647, 2147483647, 16>, box = array<i64: 1, 1, 1, 16>, swizzle = 0 : i64}}) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{'gpu.func' op has as argument 0 'mirage.tensor_map' must have a 'type', a 'shape' and a 'box' of i64, and an i64 'swizzle'}}
  gpu.func @k(%x: memref<64xf16> {mirage.tensor_map}) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{'llvm.func' op has 1 arguments, and 'mirage.tensor_maps' has 2}}
  llvm.func @k(%x: !llvm.ptr) attributes {mirage.tensor_maps = [unit, unit]} {
    llvm.return
  }
}
