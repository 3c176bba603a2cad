// What the search has written runs as it is: the reference beside it is no part of the program.
// RUN: mirage-opt %s --mirage-superoptimize -o %t.mlir
// RUN: FileCheck %s --check-prefix=OPTIMIZED < %t.mlir
// RUN: mirage-run %t.mlir --output-dir=%t.optimized
// RUN: mirage-run %s --output-dir=%t.program
// RUN: %python -c "import numpy; a, b = (numpy.load(f).astype('f8') for f in (r'%t.optimized/out0.npy', r'%t.program/out0.npy')); assert a.any() and abs(a - b).max() < 2e-3 * abs(b).max()"

// OPTIMIZED: mirage.reference = @f_reference
// OPTIMIZED: func.func private @f_reference

func.func @f(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %e = mirage_kernel.exp %x : (tensor<16x64xf16>) -> tensor<16x64xf16>
  %s = mirage_kernel.sum %e dim 1 : (tensor<16x64xf16>) -> tensor<16x1xf32>
  %d = mirage_kernel.div %e, %s : (tensor<16x64xf16>, tensor<16x1xf32>) -> tensor<16x64xf16>
  %y = mirage_kernel.matmul %d, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  return %y : tensor<16x32xf16>
}
