// A program whose tensors the GPU can't hold is not searched.

// RUN: not mirage-opt %s --mirage-superoptimize 2>&1 | FileCheck %s

// CHECK: too-large.mlir:[[# @LINE + 1]]:1: error: 'func.func' op has tensors of 480131840000 bytes, but sm_90a has 141000000000 bytes of device memory
func.func @large(%x: tensor<16x4000000xf16>, %w: tensor<4000000x60000xf16>) -> tensor<16x60000xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<16x4000000xf16>, tensor<4000000x60000xf16>) -> tensor<16x60000xf16>
  %1 = mirage_kernel.silu %0 : (tensor<16x60000xf16>) -> tensor<16x60000xf16>
  return %1 : tensor<16x60000xf16>
}
