// Depths that steps of tensor cores don't divide: the last step is filled up with zeros.

// RUN: mirage-run %s --function=wide --target=sm_80 --check --checks --rtol=1e-5 --ptx=%t.ptx | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: mirage-run %s --function=wide --target=sm_90a --check --checks --rtol=1e-5 --ptx=%t.ptx | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: mirage-run %s --function=narrow --target=sm_90a --check --checks --rtol=1e-5 --ptx=%t.ptx | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: mirage-run %s --function=odd --target=sm_80 --check --checks --rtol=1e-5 --ptx=%t.ptx | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: mirage-run %s --function=short --target=sm_90a --check --checks --rtol=1e-5 --ptx=%t.ptx | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx

// CHECK: (ok; limit 1.0e-05)
// PTX: mma.sync

func.func @wide(%a: tensor<16x77xf16>, %b: tensor<77x64xf16>) -> tensor<16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s = linalg.matmul ins(%a, %b : tensor<16x77xf16>, tensor<77x64xf16>) outs(%z : tensor<16x64xf32>) -> tensor<16x64xf32>
  %r = linalg.abs ins(%s : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}

func.func @narrow(%a: tensor<4x1500xf16>, %b: tensor<1500x24xf16>) -> tensor<4x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x24xf32>) -> tensor<4x24xf32>
  %s = linalg.matmul ins(%a, %b : tensor<4x1500xf16>, tensor<1500x24xf16>) outs(%z : tensor<4x24xf32>) -> tensor<4x24xf32>
  %r = linalg.abs ins(%s : tensor<4x24xf32>) outs(%e : tensor<4x24xf32>) -> tensor<4x24xf32>
  return %r : tensor<4x24xf32>
}

func.func @odd(%a: tensor<33x19xf16>, %b: tensor<19x65xf16>) -> tensor<33x65xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<33x65xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<33x65xf32>) -> tensor<33x65xf32>
  %s = linalg.matmul ins(%a, %b : tensor<33x19xf16>, tensor<19x65xf16>) outs(%z : tensor<33x65xf32>) -> tensor<33x65xf32>
  %r = linalg.abs ins(%s : tensor<33x65xf32>) outs(%e : tensor<33x65xf32>) -> tensor<33x65xf32>
  return %r : tensor<33x65xf32>
}

func.func @short(%a: tensor<8x5xf16>, %b: tensor<5x8xf16>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%a, %b : tensor<8x5xf16>, tensor<5x8xf16>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.abs ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
