// RUN: mirage-run %s --target=sm_90a --check --checks | FileCheck %s
// RUN: mirage-run %s --target=sm_80 --check --checks | FileCheck %s

// A product of matrices and one column each, which a library computes: its kernel keeps the column.
// CHECK: (ok; limit
func.func @columns(%x: tensor<8x64x128xf16>, %y: tensor<8x128x1xf16>) -> tensor<8x64x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64x1xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64x1xf32>) -> tensor<8x64x1xf32>
  %r = linalg.batch_matmul ins(%x, %y : tensor<8x64x128xf16>, tensor<8x128x1xf16>) outs(%z : tensor<8x64x1xf32>) -> tensor<8x64x1xf32>
  return %r : tensor<8x64x1xf32>
}
