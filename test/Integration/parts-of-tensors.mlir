// Slices that kernels read, and concatenations that they write, in the buffers of the wholes: rows and columns, at places that are
// multiples of 16 bytes and that are none, by the TMA and by threads. First what a search finds, then each operator as a kernel.

// RUN: mirage-run %s --target=sm_80 --check --checks | FileCheck %s
// RUN: mirage-run %s --target=sm_90a --check --checks | FileCheck %s
// RUN: mirage-opt --convert-linalg-to-mirage --mirage-lower-mugraphs="target=sm_90a compile-to=gpu" %s | FileCheck %s --check-prefix=KERNELS
// RUN: mirage-opt --convert-linalg-to-mirage --mirage-lower-mugraphs="target=sm_90a compile-to=nvvm" %s -o %t.mlir
// RUN: mirage-run %t.mlir --reference=%s --check --checks | FileCheck %s
// RUN: mirage-opt --convert-linalg-to-mirage --mirage-lower-mugraphs="target=sm_80 compile-to=nvvm" %s -o %t.mlir
// RUN: mirage-run %t.mlir --reference=%s --check --checks | FileCheck %s

// CHECK: output 0: 64x96xf16, {{.*}} (ok; limit
// CHECK: output 1: 64x32xf16, {{.*}} (ok; limit
// CHECK: output 2: 60x21xf16, {{.*}} (ok; limit

// Products, an exponential, its negation, a sum and an exponential: there is none for a slice or a concatenation, and no library's, as
// that multiplies dense matrices.
// KERNELS-COUNT-5: gpu.func
// KERNELS-NOT:     gpu.func
// KERNELS-NOT:     mirage.library

func.func @parts(%x: tensor<64x96xf16>, %w: tensor<96x128xf16>) -> (tensor<64x96xf16>, tensor<64x32xf16>, tensor<60x21xf16>) {
  %zero = arith.constant 0.0 : f32
  %x1 = tensor.extract_slice %x[0, 32] [64, 64] [1, 1] : tensor<64x96xf16> to tensor<64x64xf16>
  %w1 = tensor.extract_slice %w[16, 32] [64, 64] [1, 1] : tensor<96x128xf16> to tensor<64x64xf16>
  %init = tensor.empty() : tensor<64x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%x1, %w1 : tensor<64x64xf16>, tensor<64x64xf16>) outs(%fill : tensor<64x64xf32>) -> tensor<64x64xf32>
  %product = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
  %x2 = tensor.extract_slice %x[0, 0] [64, 32] [1, 1] : tensor<64x96xf16> to tensor<64x32xf16>
  %e = math.exp %x2 : tensor<64x32xf16>
  %both = tensor.concat dim(1) %product, %e : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x96xf16>
  %n = arith.negf %e : tensor<64x32xf16>
  %x3 = tensor.extract_slice %x[3, 5] [60, 10] [1, 1] : tensor<64x96xf16> to tensor<60x10xf16>
  %x4 = tensor.extract_slice %x[4, 85] [60, 10] [1, 1] : tensor<64x96xf16> to tensor<60x10xf16>
  %sum = arith.addf %x3, %x4 : tensor<60x10xf16>
  %x5 = tensor.extract_slice %x[1, 7] [60, 11] [1, 1] : tensor<64x96xf16> to tensor<60x11xf16>
  %f = math.exp %x5 : tensor<60x11xf16>
  %odd = tensor.concat dim(1) %sum, %f : (tensor<60x10xf16>, tensor<60x11xf16>) -> tensor<60x21xf16>
  return %both, %n, %odd : tensor<64x96xf16>, tensor<64x32xf16>, tensor<60x21xf16>
}
